"""Makes turns in which the voice changes, and their single-voice twins, from clips of speakers. Pure.

The recipe of the change figures: the patient speaks 2 to 2.8 s, another person comes in 0.5 s before the end, at the
same level, and speaks 1.2 to 1.8 s. The Janus twin is the patient's own speech over the same length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from speaker_gate.audio import speech_of
from speaker_gate.embedders import MODEL_RATE_HZ, Samples
from speaker_gate.trials import SpeakerClips

FIRST_S = (2.0, 2.8)
SECOND_S = (1.2, 1.8)
OVERLAP_S = 0.5
ENROL_S = 6.0
ENROL_S_MIN = 4.0


@dataclass(frozen=True, slots=True, eq=False)
class Composite:
    """One two-voice turn and its twin, both at 16 kHz before any band.

    Parameters:
        first: Name of the patient.
        second: Name of the other person.
        enrolment: The patient's speech to enrol on; not part of either turn.
        two_voices: The turn with the change.
        one_voice: The Janus twin of the same length.
        change_s: Where the second voice begins in `two_voices`, seconds.
        first_end_s: Where the first voice ends in it.
    """

    first: str
    second: str
    enrolment: Samples
    two_voices: Samples
    one_voice: Samples
    change_s: float
    first_end_s: float


def make_composites(speakers: Sequence[SpeakerClips], count: int, seed: int) -> list[Composite]:
    """Make up to `count` composites from pairs of speakers drawn with `seed`.

    Speakers with too little speech are passed over; with several clips, the enrolment is on the first and the turns
    are cut from the others.
    """
    rng = np.random.default_rng(seed)
    speech = [(speaker.name, [speech_of(clip).samples for clip in speaker.clips]) for speaker in speakers]
    made: list[Composite] = []
    for _ in range(count * 4):
        if len(made) == count or len(speech) < 2:
            break
        first, second = (int(index) for index in rng.choice(len(speech), size=2, replace=False))
        composite = _composite(speech[first], speech[second], rng)
        if composite is not None:
            made.append(composite)
    return made


def _composite(
    first: tuple[str, list[Samples]], second: tuple[str, list[Samples]], rng: np.random.Generator
) -> Composite | None:
    first_n, second_n = (int(rng.uniform(*span) * MODEL_RATE_HZ) for span in (FIRST_S, SECOND_S))
    begin = first_n - int(OVERLAP_S * MODEL_RATE_HZ)
    length = begin + second_n
    cut = _enrol_and_rest(first[1], length, rng)
    donor = [part for part in second[1] if len(part) > second_n]
    if cut is None or not donor:
        return None
    enrolment, rest = cut
    other = donor[int(rng.integers(len(donor)))]
    at = int(rng.integers(len(other) - second_n))
    opening, reply = rest[:first_n], other[at : at + second_n]
    reply = reply * (_rms(opening) / _rms(reply))
    two = np.zeros(max(length, first_n), dtype=np.float32)
    two[:first_n] += opening
    two[begin : begin + second_n] += reply
    return Composite(
        first[0],
        second[0],
        enrolment,
        two[:length],
        rest[:length].astype(np.float32),
        begin / MODEL_RATE_HZ,
        first_n / MODEL_RATE_HZ,
    )


def _enrol_and_rest(parts: list[Samples], length: int, rng: np.random.Generator) -> tuple[Samples, Samples] | None:
    if len(parts) > 1:
        enrolment, later = np.concatenate(parts[:1]), [part for part in parts[1:] if len(part) >= length]
        if len(enrolment) < int(ENROL_S_MIN * MODEL_RATE_HZ) and len(parts) > 2:
            enrolment, later = np.concatenate(parts[:2]), [part for part in parts[2:] if len(part) >= length]
        if len(enrolment) < int(ENROL_S_MIN * MODEL_RATE_HZ) or not later:
            return None
        return enrolment[: int(ENROL_S * MODEL_RATE_HZ)], later[int(rng.integers(len(later)))]
    for enrol_s in (ENROL_S, ENROL_S_MIN):
        used = int(enrol_s * MODEL_RATE_HZ)
        if len(parts[0]) >= used + length:
            return parts[0][:used], parts[0][used:]
    return None


def _rms(samples: Samples) -> float:
    return float(np.sqrt(np.mean(np.square(samples, dtype=np.float64)) + 1e-12))
