"""A room with somebody else in it, live: what of another person's words reaches the model, and what the agent loses.

Owns the figures of ``eval third-party-live``; explained in docs/metrics/third_party.md. The calls are the kit with the
real gate on virtual time over a built two-voice set (``python -m benchmarks two-voice``).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.errors import BadOption, UnreadableRow
from benchmarks.evals.floor_trial import acoustic_span_s
from benchmarks.evals.remembering import Remembering
from benchmarks.evals.room_trial import RATES_HZ, RoomTrial, Setting, Sound, play_trial
from benchmarks.evals.voice_scores import ears_of
from benchmarks.figures import EvalOptions, Figure, GroupValue, rate
from benchmarks.quiet import quiet
from benchmarks.rows import read_json_rows
from benchmarks.two_voice.manifest import Clip, Manifest, Role, read_manifest
from speaker_gate.adapters.voice_folder import read_clip
from speaker_gate.audio import speech_of
from speaker_gate.calibration import BandPair
from speaker_gate.turn import Ears

KIND = "third-party-live"
NEEDS_DATA = True
DATA_HELP = "a set built by `python -m benchmarks two-voice`"
OPTIONS = frozenset(
    {"embedder", "record", "segmenter", "arms", "bands", "stt", "vad", "cases", "decision-ms", "trials", "play"}
)
PACKAGES = ("onnxruntime", "kaldi-native-fbank", "numpy")

ARMS = ("over_agent", "two_voices", "twin", "hard_negative", "one_word", "other_one_word", "stop")
"""over_agent: the other person over the agent's point. two_voices, twin, hard_negative: behind the agent's question,
by two voices or one. one_word, other_one_word: "No." behind the question by the patient, by somebody else. stop: the
patient over the agent."""

AUDIBLE_S = 0.3
TAIL_S = 0.15
KEPT_MIN = 0.6
"""A line counts as passed on when at least this share of its words stands there."""


@quiet()
def run(options: EvalOptions) -> list[Figure]:
    """Play the set.

    Options:
        embedder: onnx (default) or pyannote.
        record: A calibration record to use instead of the shipped one.
        segmenter: true adds segmentation-3.0.
        arms: Comma-separated (default: all).
        bands: Comma-separated, of 16k and mulaw8k (default: both).
        stt: segmented (default) or streaming.
        vad: caller (default: the kit's `caller_vad`), silero (with Pipecat's defaults) or energy.
        cases: Most cases of an arm (default: all).
        decision-ms: What one judgement takes on virtual time (default 60).
        trials: JSONL file for the single trials. Trials that stand in it already are not played again, so a run that
            was stopped goes on; with `play=false` nothing is played and the figures are made of what stands there.
        play: false plays nothing.
    """
    extra = options.extra
    arms = _listed(extra, "arms", ARMS)
    bands = _listed(extra, "bands", tuple(RATES_HZ))
    stt = str(extra.get("stt", "segmented"))
    if stt not in ("segmented", "streaming"):
        raise BadOption(f"stt is segmented or streaming, not {stt!r}")
    vad = str(extra.get("vad", "caller"))
    if vad not in ("caller", "silero", "energy"):
        raise BadOption(f"vad is caller, silero or energy, not {vad!r}")
    keep = Path(str(extra["trials"])) if "trials" in extra else None
    done = read_trials(keep) if keep is not None and keep.is_file() else []
    if not extra.get("play", True):
        return figures_of(done)
    folder = options.data or Path()
    manifest, ears = read_manifest(folder), ears_of(extra)
    decision_s = options.number("decision-ms", 60) / 1000
    room = _Room(folder, manifest, ears, Setting(stt=stt, vad=vad, decision_s=decision_s), options.seed)
    known = {(trial.arm, trial.name, trial.band, trial.stt) for trial, _ in done}
    for trial, about in room.play(arms, bands, options.whole("cases", 0, least=0), known):
        done.append((trial, about))
        if keep is not None:
            keep.parent.mkdir(parents=True, exist_ok=True)
            with keep.open("a", encoding="utf-8") as file:
                file.write(json.dumps({**asdict(trial), **about}, ensure_ascii=False) + "\n")
    return figures_of(done)


def read_trials(path: Path) -> list[tuple[RoomTrial, dict[str, Any]]]:
    """Read stored trials.

    Raises:
        UnreadableRow: A line is not a trial; names file and line.
    """
    names = {field.name for field in fields(RoomTrial)}
    found: list[tuple[RoomTrial, dict[str, Any]]] = []
    for number, row in read_json_rows(path):
        about = {name: value for name, value in row.items() if name not in names}
        try:
            trial = RoomTrial(**{name: row[name] for name in names})
        except KeyError as error:
            raise UnreadableRow(path, number, f"not a trial: no {error.args[0]!r}") from None
        found.append((trial, about))
    return found


def _listed(extra: dict[str, Any], name: str, known: Sequence[str]) -> tuple[str, ...]:
    wanted = tuple(str(extra.get(name, ",".join(known))).split(","))
    odd = [one for one in wanted if one not in known]
    if odd:
        raise BadOption(f"no {name[:-1]} {odd[0]!r}; known: {', '.join(known)}")
    return wanted


class _Room:
    """Plays a set's cases."""

    def __init__(self, folder: Path, manifest: Manifest, ears: Ears, setting: Setting, seed: int) -> None:
        self._folder, self._manifest = folder, manifest
        self._ears = replace(ears, embedder=Remembering(ears.embedder))
        self._setting, self._seed = setting, seed
        self._placed: dict[tuple[str, bool], np.ndarray] = {}

    def play(
        self, arms: Sequence[str], bands: Sequence[str], most: int, known: Collection[tuple[str, str, str, str]] = ()
    ) -> Iterator[tuple[RoomTrial, dict[str, Any]]]:
        """Play every trial that is not known, in an order drawn from the seed: a run that is stopped is a sample."""
        planned: list[tuple[str, int, Clip, str, Sound, str]] = []
        for arm in arms:
            chosen = list(self._trials(arm))
            order = np.random.default_rng([self._seed, ARMS.index(arm)]).permutation(len(chosen))
            for number in order[: most or len(chosen)].tolist():
                planned += [(arm, number, *chosen[number], band) for band in bands]
        for index in np.random.default_rng(self._seed).permutation(len(planned)).tolist():
            arm, number, clip, voice, sound, band = planned[index]
            name = clip.case or f"{clip.voice}-{clip.text}"
            if (arm, name, band, self._setting.stt) not in known:
                yield self._play(arm, number, clip, voice, sound, band, name)

    def _play(
        self, arm: str, number: int, clip: Clip, voice: str, sound: Sound, band: str, name: str
    ) -> tuple[RoomTrial, dict[str, Any]]:
        rng = np.random.default_rng([self._seed, ARMS.index(arm), number])
        trial = play_trial(
            self._ears,
            sound,
            name=name,
            arm=arm,
            moment="over_agent" if arm in ("over_agent", "stop") else "after_question",
            band=band,
            enrolment=self._enrolment(voice),
            setting=self._setting,
            phase_s=float(rng.uniform(0.0, 0.1)),
        )
        other = clip.voice if arm in ("over_agent", "other_one_word") else clip.other_voice
        about: dict[str, Any] = clip.model_dump(include={"kind", "actionable", "timing", "scenario", "category"})
        return trial, about | {"alike": self._alike(voice, other, band) if other and other != voice else None}

    def _trials(self, arm: str) -> Iterator[tuple[Clip, str, Sound]]:
        """(clip, the patient's voice, what sounds) of each trial of an arm."""
        patients = {clip.case: clip.voice for clip in self._manifest.of(Role.PRIMARY)}
        if arm == "over_agent":
            for clip in self._manifest.of(Role.THIRD_PARTY):
                yield clip, patients[clip.case], self._alone(clip, "other")
        elif arm in ("two_voices", "twin"):
            for clip in self._manifest.of(Role.TWO_VOICES if arm == "two_voices" else Role.TWIN):
                yield clip, clip.voice, self._both(clip)
        elif arm == "hard_negative":
            for clip in self._manifest.of(Role.HARD_NEGATIVE):
                yield clip, clip.voice, self._alone(clip, "patient")
        else:
            yield from self._short(arm)

    def _short(self, arm: str) -> Iterator[tuple[Clip, str, Sound]]:
        voices = sorted({clip.voice for clip in self._manifest.of(Role.SHORT)})
        for clip in self._manifest.of(Role.SHORT):
            if (arm == "stop") != clip.path.endswith("stop.flac"):
                continue
            if arm == "other_one_word":
                patient = voices[(voices.index(clip.voice) + 1) % len(voices)]
                yield clip, patient, self._alone(clip, "other")
            else:
                yield clip, clip.voice, self._alone(clip, "patient")

    def _alone(self, clip: Clip, speaker: str) -> Sound:
        samples, _ = read_clip(self._folder / clip.path)
        return Sound(samples, ((speaker, clip.text, *_sounding_s(samples)),))

    def _both(self, clip: Clip) -> Sound:
        samples, _ = read_clip(self._folder / clip.path)
        second = "other" if clip.role is Role.TWO_VOICES else "patient"
        first_s, last_s = _sounding_s(samples)
        own = ("patient", clip.primary, first_s, (clip.primary_end_s or 0.0) - TAIL_S)
        return Sound(samples, (own, (second, clip.third_party, clip.onset_s or 0.0, last_s)))

    def _enrolment(self, voice: str) -> list[np.ndarray]:
        clips = [clip for clip in self._manifest.of(Role.ENROLMENT) if clip.voice == voice]
        return [read_clip(self._folder / clip.path)[0] for clip in clips]

    def _alike(self, voice: str, other: str, band: str) -> bool:
        """Whether the gate's own measure takes two enrolments for one voice: synthetic voices share their maker."""
        first, second = (self._vector(name, band == "mulaw8k") for name in (voice, other))
        if first is None or second is None:
            return False
        pair = BandPair.NARROW if band == "mulaw8k" else BandPair.WIDE
        return float(np.dot(first, second)) > self._ears.record.pair(pair).accept_above.at(4.0)

    def _vector(self, voice: str, narrow: bool) -> np.ndarray | None:
        if (voice, narrow) not in self._placed:
            from speaker_gate.trials import through_band

            sounds = self._enrolment(voice)
            if not sounds:
                return None
            speech = speech_of(through_band(np.concatenate(sounds), narrow)).samples
            made = self._ears.embedder.embed(speech[: 6 * 16_000])
            if made is None:
                return None
            self._placed[voice, narrow] = self._ears.record.place(made, narrow)
        return self._placed[voice, narrow]


def _sounding_s(samples: np.ndarray) -> tuple[float, float]:
    """Where a clip's words lie: without the soft tail of the last sound, in which voice detection has already ended."""
    first_s, last_s = acoustic_span_s((np.clip(samples, -1, 1) * 32_767).astype(np.int16))
    return first_s, max(first_s + 0.1, last_s - TAIL_S)


def figures_of(trials: Sequence[tuple[RoomTrial, dict[str, Any]]]) -> list[Figure]:
    """All figures: overall first, then by band, and by whether the two voices are told apart at all."""
    figures = _of(trials, {})
    for band in sorted({trial.band for trial, _ in trials}):
        figures += _of([one for one in trials if one[0].band == band], {"band": band})
    for alike in (False, True):
        some = [one for one in trials if one[1].get("alike") is alike]
        if some:
            figures += _of(some, {"voices": "alike" if alike else "distinct"})
    return figures


def _of(trials: Sequence[tuple[RoomTrial, dict[str, Any]]], group: dict[str, GroupValue]) -> list[Figure]:
    def arm(name: str, actionable: bool | None = None) -> list[RoomTrial]:
        return [t for t, about in trials if t.arm == name and actionable in (None, about.get("actionable"))]

    def add(name: str, rows: Sequence[RoomTrial], hits: Sequence[bool], extra: dict[str, GroupValue]) -> None:
        if rows:
            made.append(rate(name, sum(hits), len(rows), {**group, **extra}))

    made: list[Figure] = []
    over: dict[str, GroupValue] = {"arm": "over_agent"}
    ignorable, useful = arm("over_agent", False), arm("over_agent", True)
    add("ignorable_as_patient_rate", ignorable, [_reached(t) for t in ignorable], over)
    add("ignorable_reaching_model_rate", ignorable, [_reached(t) or t.other_attributed for t in ignorable], over)
    plain = [t for t in ignorable + useful if "alert" not in t.actions]
    add("utterance_finished_rate", plain, [bool(t.finished) and not t.interruptions for t in plain], over)
    gaps = [gap for t in plain if t.finished for gap in t.gaps_s]
    if plain:
        add("audible_pause_rate", plain, [any(gap >= AUDIBLE_S for gap in t.gaps_s) for t in plain], over)
        made.append(_quantile("hold_gap_s_median", gaps, 0.5, {**group, **over}))
        made.append(_quantile("hold_gap_s_p95", gaps, 0.95, {**group, **over}))
    add("actionable_attributed_rate", useful, [t.other_attributed and not _reached(t) for t in useful], over)
    add("actionable_as_patient_rate", useful, [_reached(t) for t in useful], over)
    every = [t for t, _ in trials if t.other_as_patient is not None and t.patient_kept is None]
    add("ledger_moved_unconfirmed_rate", every, [bool(t.closed_by_other) for t in every], {})
    made += _turns(arm, group)
    return made


def _turns(arm: Any, group: dict[str, GroupValue]) -> list[Figure]:
    made: list[Figure] = []
    for name in ("two_voices", "twin", "hard_negative", "one_word", "other_one_word", "stop"):
        rows: list[RoomTrial] = arm(name)
        place: dict[str, GroupValue] = {**group, "arm": name}
        if not rows:
            continue
        if name == "two_voices":
            made.append(rate("other_words_as_patient_rate", sum(_reached(t) for t in rows), len(rows), place))
        if name in ("two_voices", "twin", "hard_negative", "one_word"):
            lost = sum((t.patient_kept or 0.0) < KEPT_MIN for t in rows)
            made.append(rate("patient_words_lost_rate", lost, len(rows), place))
        if name in ("twin", "hard_negative"):
            made.append(rate("other_claimed_rate", sum(t.other_alone for t in rows), len(rows), place))
        if name in ("one_word", "other_one_word"):
            plain = [t for t in rows if not t.name.endswith("Two.")]  # no answer to a yes/no question
            counted = sum(t.question_state == "answered" for t in plain)
            made.append(rate("answer_counted_rate", counted, len(plain), place))
        if name == "stop":
            made.append(rate("patient_yielded_to_rate", sum(not t.finished for t in rows), len(rows), place))
    return made


def _reached(trial: RoomTrial) -> bool:
    return (trial.other_as_patient or 0.0) >= KEPT_MIN


def _quantile(name: str, values: Sequence[float], quantile: float, group: dict[str, GroupValue]) -> Figure:
    value = float(np.quantile(values, quantile)) if values else None
    return Figure(name=name, value=value, n=len(values), group=group)
