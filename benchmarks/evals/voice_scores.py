"""Scores speakers against each other through the gate's own decision, for the voice evaluations.

Owns how a trial of the evaluation becomes a score and a decision. The decision is `speaker_gate.decision.by_threshold`
with the shipped record: nothing is fitted here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.errors import MissingData
from benchmarks.training.voices.split import is_fit_speaker
from speaker_gate.adapters.shared import shared_ears
from speaker_gate.adapters.voice_folder import read_speakers, speaker_files
from speaker_gate.audio import speech_of
from speaker_gate.calibration import BandPair, load_record
from speaker_gate.decision import by_threshold
from speaker_gate.embedders import MODEL_RATE_HZ, Embedder, Embedding, Samples
from speaker_gate.facts import Voice
from speaker_gate.scoring import Score, score
from speaker_gate.trials import SpeakerClips, cut_speaker, embed_all
from speaker_gate.turn import Ears

SPEAKERS_MIN = 2
WIDE, NARROW, CROSS = BandPair.WIDE.value, BandPair.NARROW.value, BandPair.CROSS.value


@dataclass(frozen=True, slots=True, eq=False)
class Tested:
    """One speaker ready for trials.

    Parameters:
        name: Speaker id.
        enrolments: Embedding of the enrolment by kind: WIDE, NARROW, and "as_telephone" (wide audio through a line).
        windows: Test embeddings by (narrow, seconds).
    """

    name: str
    enrolments: dict[str, Embedding]
    windows: dict[tuple[bool, float], list[Embedding]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """Scores and decisions of one cell.

    Parameters:
        primary: Scores of speakers against their own enrolment.
        others: Scores against other speakers' enrolments.
        primary_voices: Decisions on the first.
        other_voices: Decisions on the second.
    """

    primary: NDArray[np.float64]
    others: NDArray[np.float64]
    primary_voices: list[Voice]
    other_voices: list[Voice]

    @property
    def rejected(self) -> int:
        """Times a speaker's own voice was called somebody else's."""
        return sum(voice is Voice.THIRD_PARTY for voice in self.primary_voices)

    @property
    def accepted(self) -> int:
        """Times another voice was called the speaker's."""
        return sum(voice is Voice.PRIMARY for voice in self.other_voices)

    @property
    def unsure(self) -> tuple[int, int]:
        """Undecided trials and all trials, the speaker's own and others' weighed alike by share."""
        every = self.primary_voices + self.other_voices
        return sum(voice is Voice.UNSURE for voice in every), len(every)


def ears_of(extra: dict[str, object]) -> Ears:
    """The models of a run: `--option embedder=onnx|pyannote`, `--option record=FILE`, `--option segmenter=true`."""
    given = extra.get("ears")
    if isinstance(given, Ears):  # from code: a test's fakes, or models already loaded
        return given
    backend = "pyannote" if str(extra.get("embedder", "onnx")) == "pyannote" else "onnx"
    record = load_record(Path(str(extra["record"]))) if "record" in extra else None
    return shared_ears(backend, segmenter=bool(extra.get("segmenter", False)), record=record)


def test_speakers(folder: Path, *, everyone: bool = False, speech_s: float = 0.0) -> list[SpeakerClips]:
    """Read the speakers of a folder, leaving out those the shipped record was fitted on.

    Args:
        folder: The folder.
        everyone: Take those as well.
        speech_s: Speech that one recording of a speaker must have.

    Raises:
        MissingData: Fewer than two speakers are left; says how many were left out, and why.
    """
    files = speaker_files(folder)
    wanted = [name for name in files if everyone or not is_fit_speaker(name)]
    read = read_speakers(files, only=wanted)
    long_enough = [one for one in read if not speech_s or max(_speech_s(clip) for clip in one.clips) >= speech_s]
    if len(long_enough) < SPEAKERS_MIN:
        fitted, unread, short = len(files) - len(wanted), len(wanted) - len(read), len(read) - len(long_enough)
        why = [f"{unread} without a readable recording"] if unread else []
        why += [f"{short} with less than {speech_s:g} s of speech in one recording"] if short else []
        why += [f"{fitted} the shipped record was fitted on (--option everyone=true takes them)"] if fitted else []
        raise MissingData(
            f"{folder} has {len(long_enough)} of at least {SPEAKERS_MIN} speakers; left out: {', '.join(why) or 'none'}"
        )
    return long_enough


def _speech_s(clip: Samples) -> float:
    return speech_of(clip).seconds


def prepare(
    embedder: Embedder,
    speakers: Iterable[SpeakerClips],
    seconds: Sequence[float],
    *,
    windows_max: int,
    spoil: Callable[[Samples], Samples] | None = None,
    enrolments: dict[str, Tested] | None = None,
) -> dict[str, Tested]:
    """Embed enrolments and windows of each speaker in both bands.

    Args:
        embedder: The embedder.
        speakers: The speakers.
        seconds: Window lengths.
        windows_max: Windows a length.
        spoil: Applied to test speech only.
        enrolments: Reuse these enrolments (the clean ones) instead of embedding them again.
    """
    made: dict[str, Tested] = {}
    for speaker in speakers:
        tested = Tested(speaker.name, {})
        for narrow in (False, True):
            cut = cut_speaker(speaker, narrow, seconds=seconds, windows_max=windows_max, spoil=spoil)
            if cut is None:
                continue
            if enrolments is None:
                vector = embedder.embed(cut.enrolment)
                if vector is None:
                    continue
                length_s = len(cut.enrolment) / MODEL_RATE_HZ
                tested.enrolments[NARROW if narrow else WIDE] = Embedding(vector, embedder.name, length_s, narrow)
            for length, parts in cut.windows.items():
                tested.windows[narrow, length] = [
                    Embedding(vector, embedder.name, length, narrow) for vector in embed_all(embedder, parts)
                ]
        if enrolments is not None and speaker.name in enrolments:
            tested.enrolments.update(enrolments[speaker.name].enrolments)
        if tested.enrolments:
            made[speaker.name] = tested
    return made


def outcome(
    ears: Ears,
    tested: dict[str, Tested],
    enrolment: str,
    narrow: bool,
    seconds: float,
    *,
    pairs: Callable[[str, str], bool] | None = None,
) -> Outcome:
    """Run all trials of one cell.

    Args:
        ears: Models and record.
        tested: The speakers.
        enrolment: Which enrolment is compared with: WIDE or NARROW.
        narrow: Band of the test windows.
        seconds: Their length.
        pairs: Which (enrolled, tested) pairs of different speakers count; None counts all.
    """
    primary: list[Score] = []
    others: list[Score] = []
    for enrolled in tested.values():
        if enrolment not in enrolled.enrolments:
            continue
        for other in tested.values():
            same = other.name == enrolled.name
            if not same and pairs is not None and not pairs(enrolled.name, other.name):
                continue
            for window in other.windows.get((narrow, seconds), []):
                found = score(window, enrolled.enrolments[enrolment], ears.record)
                (primary if same else others).append(found)
    return Outcome(
        np.array([found.value for found in primary]),
        np.array([found.value for found in others]),
        [by_threshold(found, ears.record).voice for found in primary],
        [by_threshold(found, ears.record).voice for found in others],
    )


def median_pitch_hz(samples: Samples) -> float:
    """Median pitch of a stretch by autocorrelation, 60..400 Hz; 0.0 when nothing is voiced."""
    size, hop = 640, 320
    low, high = MODEL_RATE_HZ // 400, MODEL_RATE_HZ // 60
    found: list[float] = []
    for at in range(0, len(samples) - size, hop):
        frame = samples[at : at + size] - samples[at : at + size].mean()
        power = float(frame @ frame)
        if power < 1e-3:
            continue
        spectrum = np.fft.rfft(frame, 2 * size)
        correlation = np.fft.irfft(np.abs(spectrum) ** 2)[:high] / power
        peak = low + int(np.argmax(correlation[low:high]))
        if correlation[peak] > 0.5:
            found.append(MODEL_RATE_HZ / peak)
    return float(np.median(found)) if found else 0.0
