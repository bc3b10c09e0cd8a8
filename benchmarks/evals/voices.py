"""Whose voice it is: error rates of the gate's decision on speakers it was not fitted on, by band and length."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.evals.change_trials import enrolled_gate, gate_for, stream
from benchmarks.evals.voice_odds import odds_figures
from benchmarks.evals.voice_scores import (
    CROSS,
    NARROW,
    WIDE,
    Outcome,
    Tested,
    ears_of,
    median_pitch_hz,
    outcome,
    prepare,
    test_speakers,
)
from benchmarks.figures import EvalOptions, Figure, GroupValue, rate
from benchmarks.training.voices.split import split
from speaker_gate.adapters.score_plots import draw
from speaker_gate.adapters.voice_folder import read_clip
from speaker_gate.audio import speech_of
from speaker_gate.composites import make_composites
from speaker_gate.embedders import Samples
from speaker_gate.facts import Voice
from speaker_gate.spoil import joined, with_echo, with_noise
from speaker_gate.trials import TEST_SECONDS, SpeakerClips, equal_error_rate, through_band
from speaker_gate.turn import Ears

KIND = "voices"
NEEDS_DATA = True
DATA_HELP = "a folder of speakers: <speaker>/*.flac or .wav, or flat files named <speaker>-..."
OPTIONS = frozenset(
    {"embedder", "record", "windows", "speakers", "everyone", "plots", "composites", "conditions", "noise", "segmenter"}
)
PACKAGES = ("onnxruntime", "kaldi-native-fbank", "numpy", "pyannote.audio", "torch")

BANDS = ((WIDE, WIDE, False), (NARROW, NARROW, True), (CROSS, NARROW, True))
"""(band, enrolment used, telephone-band test). Across bands the gate compares with the wide enrolment as it sounds
over a telephone line in software; `enrolment: as_recorded` is the plain comparison."""

OVERALL_SECONDS = 2.0
ODDS_SECONDS = (1.0, 1.5, 2.0, 3.0)
PITCH_RATIO_MAX = 1.15
BOOTSTRAPS = 200


def run(options: EvalOptions) -> list[Figure]:
    """Measure; needs a folder of at least two speakers with 4 s of speech each.

    Options:
        embedder: onnx (default) or pyannote.
        record: A calibration record to use instead of the shipped one.
        windows: Test windows of one length a speaker (default 3).
        speakers: Most speakers (default 80).
        everyone: Also test speakers the shipped record was fitted on.
        plots: Folder for the DET and score plots.
        composites: Two-voice turns and twins a band (default 60; 0 leaves them out).
        conditions: false leaves out noise and echo.
        noise: Folder of noise clips; default: `noise` beside the data folder or its parent, left out where absent.
        segmenter: true adds segmentation-3.0 to the change figures.
    """
    extra = options.extra
    ears = ears_of(extra)
    data = options.data or Path()
    most = options.whole("speakers", 80, least=2)
    speakers = test_speakers(data, everyone=bool(extra.get("everyone", False)))[:most]
    windows = options.whole("windows", 3)
    tested = prepare(ears.embedder, speakers, TEST_SECONDS, windows_max=windows)
    cells: dict[tuple[str, float], Outcome] = {}
    figures: list[Figure] = []
    for band, enrolment, narrow in BANDS:
        for seconds in TEST_SECONDS:
            cells[band, seconds] = found = outcome(ears, tested, enrolment, narrow, seconds)
            figures += cell_figures(found, {"band": band, "seconds": seconds})
    for seconds in TEST_SECONDS:
        plain = outcome(ears, tested, WIDE, True, seconds)
        figures += cell_figures(plain, {"band": CROSS, "seconds": seconds, "enrolment": "as_recorded"})
    figures = overall(cells) + figures + same_pitch(ears, tested, speakers)
    for seconds in ODDS_SECONDS:
        figures += odds_figures(ears, tested, tested, seconds, {})
    if extra.get("conditions", True):
        figures += conditions(ears, tested, speakers, _noise(data, extra), options.seed)
    if options.whole("composites", 60, least=0):
        figures += changes(ears, speakers, options.whole("composites", 60, least=0), options.seed)
    if "plots" in extra:
        draw(Path(str(extra["plots"])), cells)
    return figures


def cell_figures(found: Outcome, group: dict[str, GroupValue]) -> list[Figure]:
    """The four figures of one cell; intervals of rates treat trials as independent, which pairs of speakers are not."""
    if not len(found.primary) or not len(found.others):
        return []
    value, _ = equal_error_rate(found.primary, found.others)
    low, high = _eer_interval(found)
    unsure, every = found.unsure
    own_unsure = sum(voice is Voice.UNSURE for voice in found.primary_voices)
    return [
        Figure(name="eer", value=value, low=low, high=high, n=len(found.primary), group=group),
        rate("primary_rejected_rate", found.rejected, len(found.primary), group),
        rate("third_party_accepted_rate", found.accepted, len(found.others), group),
        rate("unsure_rate", unsure, every, group),
        rate("primary_unsure_rate", own_unsure, len(found.primary), group),
    ]


def overall(cells: dict[tuple[str, float], Outcome]) -> list[Figure]:
    """The same figures over all bands, at two seconds."""
    chosen = [found for (_, seconds), found in cells.items() if seconds == OVERALL_SECONDS and len(found.primary)]
    if not chosen:
        return []
    return cell_figures(
        Outcome(
            np.concatenate([found.primary for found in chosen]),
            np.concatenate([found.others for found in chosen]),
            [voice for found in chosen for voice in found.primary_voices],
            [voice for found in chosen for voice in found.other_voices],
        ),
        {},
    )


def same_pitch(ears: Ears, tested: dict[str, Tested], speakers: list[SpeakerClips]) -> list[Figure]:
    """Hard pairs: other speakers whose median pitch lies within 15 % (the data do not give the speakers' sex)."""
    pitch = {speaker.name: median_pitch_hz(speech_of(speaker.clips[0]).samples[: 16_000 * 6]) for speaker in speakers}

    def near(first: str, second: str) -> bool:
        low, high = sorted((pitch[first], pitch[second]))
        return low > 0 and high / low <= PITCH_RATIO_MAX

    figures: list[Figure] = []
    for band, enrolment, narrow in BANDS[:2]:
        for seconds in (1.0, OVERALL_SECONDS):
            found = outcome(ears, tested, enrolment, narrow, seconds, pairs=near)
            figures += cell_figures(found, {"band": band, "seconds": seconds, "pairs": "same_pitch"})
    return figures


def conditions(
    ears: Ears, clean: dict[str, Tested], speakers: list[SpeakerClips], noise: Samples | None, seed: int
) -> list[Figure]:
    """Noise at 20 and 10 dB (not the noises of the fit) and another voice's echo at -18 dB, at two seconds."""
    spoilers: dict[str, Callable[[Samples], Samples]] = {}
    if noise is not None and len(noise):
        spoilers["noise_20db"] = lambda sound: with_noise(sound, noise, 20.0, seed + len(sound))
        spoilers["noise_10db"] = lambda sound: with_noise(sound, noise, 10.0, seed + len(sound))
    agent = next((speaker.clips[0] for speaker in reversed(speakers) if len(speaker.clips[0]) > 48_000), None)
    if agent is not None:
        spoilers["echo_-18db"] = lambda sound: with_echo(sound, agent, -18.0, 0.18)
    figures: list[Figure] = []
    for name, spoil in spoilers.items():
        spoilt = prepare(ears.embedder, speakers, (OVERALL_SECONDS,), windows_max=2, spoil=spoil, enrolments=clean)
        for band, enrolment, narrow in BANDS[:2]:
            found = outcome(ears, spoilt, enrolment, narrow, OVERALL_SECONDS)
            figures += cell_figures(found, {"band": band, "seconds": OVERALL_SECONDS, "condition": name})
        figures += odds_figures(ears, clean, spoilt, OVERALL_SECONDS, {"condition": name})
    return figures


def changes(ears: Ears, speakers: list[SpeakerClips], count: int, seed: int) -> list[Figure]:
    """A change inside one utterance against its single-voice twin, with and without an enrolment, streamed."""
    composites = make_composites(speakers, count, seed)
    figures: list[Figure] = []
    for band, _, narrow in BANDS[:2]:
        for enrolled in (True, False):
            group: dict[str, GroupValue] = {"band": band, "enrolled": enrolled}
            hits, false, offsets = 0, 0, []
            for composite in composites:
                speech = speech_of(through_band(composite.enrolment, narrow)).samples
                gates = [enrolled_gate(ears, speech, narrow) if enrolled else gate_for(ears) for _ in range(2)]
                verdict = stream(gates[0], composite.two_voices, narrow=narrow)
                twin = stream(gates[1], composite.one_voice, narrow=narrow)
                hits += _hears_other(verdict.changed, [stretch.decision.voice for stretch in verdict.stretches])
                false += _hears_other(twin.changed, [stretch.decision.voice for stretch in twin.stretches])
                if verdict.changed:
                    offsets.append(verdict.change_times_s[0] - composite.change_s)
            figures.append(rate("change_detected_rate", hits, len(composites), group))
            figures.append(rate("janus_false_rate", false, len(composites), group))
            if offsets:
                figures.append(
                    Figure(
                        name="split_offset_s_median",
                        value=float(np.median(offsets)),
                        low=float(np.quantile(offsets, 0.05)),
                        high=float(np.quantile(offsets, 0.95)),
                        n=len(offsets),
                        group=group,
                    )
                )
    return figures


def _hears_other(changed: bool, voices: list[Voice]) -> bool:
    """A change counts where the later words are given to somebody else."""
    return changed and Voice.THIRD_PARTY in voices


def _noise(data: Path, extra: dict[str, object]) -> Samples | None:
    """Noise clips the record was not fitted on; other people's noise folders are used whole."""
    places = [Path(str(extra["noise"]))] if "noise" in extra else [data.parent / "noise", data.parent.parent / "noise"]
    folder = next((place for place in places if place.is_dir()), None)
    if folder is None:
        return None
    paths = [path for path in sorted(folder.glob("*.flac")) if path.stem not in split()["fit_noise"]]
    return joined([read_clip(path)[0] for path in paths])


def _eer_interval(found: Outcome) -> tuple[float, float]:
    """Bootstrap over own trials and a like-sized draw of other trials."""
    rng = np.random.default_rng(5)
    values = [
        equal_error_rate(
            rng.choice(found.primary, len(found.primary)), rng.choice(found.others, min(len(found.others), 4_000))
        )[0]
        for _ in range(BOOTSTRAPS)
    ]
    return float(np.quantile(values, 0.025)), float(np.quantile(values, 0.975))
