"""Tone voices, an embedder and a segmenter that hear them, and a calibration record that fits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from speaker_gate.calibration import (
    BandCalibration,
    BandPair,
    CalibrationRecord,
    ChangeCalibration,
    Curve,
    EnrolmentCalibration,
    RecordSettings,
)
from speaker_gate.embedders import MODEL_RATE_HZ, Embedder, Samples, Segmenter, SpeakerActivity, Vector
from speaker_gate.policy.kinds import Relevance, RelevanceReading
from speaker_gate.turn import Ears
from speaker_gate.vectors import finite_unit, speechless

FAKE_EMBEDDER = "fake-tones"
FAKE_VOICES_HZ = {
    "patient": 500.0,
    "daughter": 800.0,
    "television": 1200.0,
    "agent": 1700.0,
    "stranger": 2300.0,
    "sister": 2900.0,
}
"""Tone of each fake voice; all inside a telephone band."""

_STEP_S = 0.02


def say(voice: str, seconds: float, level_dbfs: float = -20.0) -> Samples:
    """Make a fake voice speak: float32, 16 kHz, syllables of a quarter second."""
    at_s = np.arange(int(seconds * MODEL_RATE_HZ)) / MODEL_RATE_HZ
    syllables = 0.52 - 0.48 * np.cos(2 * np.pi * 4 * at_s)
    tone = np.sin(2 * np.pi * FAKE_VOICES_HZ[voice] * at_s) * syllables
    loudness = float(np.sqrt(np.mean(tone**2))) if len(tone) else 1.0
    return (tone / max(loudness, 1e-9) * 10 ** (level_dbfs / 20)).astype(np.float32)


def quiet(seconds: float) -> Samples:
    """Silence at 16 kHz."""
    return np.zeros(int(seconds * MODEL_RATE_HZ), dtype=np.float32)


class FakeEmbedder:
    """Hears how much of each fake voice a stretch holds.

    Args:
        fail: Raise from every call, as a broken model would.
        min_seconds: Shorter stretches have no vector.
    """

    def __init__(self, *, fail: bool = False, min_seconds: float = 0.3) -> None:
        self._fail = fail
        self._min_seconds = min_seconds
        self.calls = 0

    @property
    def name(self) -> str:
        """`FAKE_EMBEDDER`."""
        return FAKE_EMBEDDER

    @property
    def dim(self) -> int:
        """One number a fake voice."""
        return len(FAKE_VOICES_HZ)

    @property
    def sample_rate_hz(self) -> int:
        """16000."""
        return MODEL_RATE_HZ

    @property
    def min_seconds(self) -> float:
        """Shortest stretch with a vector."""
        return self._min_seconds

    def embed(self, samples: Samples) -> Vector | None:
        """Measure the tones; None for too little, silence or what is not finite."""
        self.calls += 1
        if self._fail:
            raise RuntimeError("the fake model is broken")
        if speechless(samples, self._min_seconds, MODEL_RATE_HZ):
            return None
        at_s = np.arange(len(samples)) / MODEL_RATE_HZ
        found = [abs(np.mean(samples * np.exp(-2j * np.pi * hertz * at_s))) for hertz in FAKE_VOICES_HZ.values()]
        return finite_unit(np.asarray(found))

    def embed_batch(self, batch: Sequence[Samples]) -> list[Vector | None]:
        """Embed each."""
        return [self.embed(samples) for samples in batch]


class FakeSegmenter:
    """Says which fake voices sound in each 20 ms."""

    @property
    def name(self) -> str:
        """Stable id."""
        return "fake-tones-segmenter"

    def activity(self, samples: Samples) -> SpeakerActivity | None:
        """A voice is active where its tone holds a fifth of the frame's amplitude or more."""
        size = int(_STEP_S * MODEL_RATE_HZ)
        count = len(samples) // size
        if not count:
            return None
        frames = samples[: count * size].reshape(count, size)
        at_s = np.arange(size) / MODEL_RATE_HZ
        waves = np.exp(-2j * np.pi * np.asarray(list(FAKE_VOICES_HZ.values()))[:, None] * at_s[None])
        strength = np.abs(frames @ waves.T) / size * 2
        loud = np.sqrt(np.mean(frames**2, axis=1, keepdims=True))
        return SpeakerActivity(active=(strength > 0.2 * np.maximum(loud, 1e-3)), step_s=_STEP_S)


class FixedReader:
    """Reads every third-party utterance the same way."""

    def __init__(self, relevance: Relevance) -> None:
        self._relevance = relevance

    @property
    def name(self) -> str:
        """``fixed@1``."""
        return "fixed@1"

    def read(self, text: str, *, before: str, language: str) -> RelevanceReading:
        """The reading given at construction."""
        del text, before, language
        return RelevanceReading(self._relevance, 0.0, "fixed")


def fake_record(*, min_seconds: float = 1.0) -> CalibrationRecord:
    """A record for `FakeEmbedder`: no whitening to speak of, reject below 0.4, accept above 0.7."""
    dim = len(FAKE_VOICES_HZ)

    def flat(value: float) -> Curve:
        return Curve(seconds=(1.0,), values=(value,))

    band = BandCalibration(
        min_seconds=min_seconds,
        reject_below=flat(0.4),
        accept_above=flat(0.7),
        primary_mean=flat(0.95),
        primary_sd=flat(0.1),
        other_mean=flat(0.1),
        other_sd=flat(0.1),
        n_primary=0,
        n_other=0,
    )
    change = ChangeCalibration(
        reliability=flat(0.98),
        same_sd=0.1,
        other_sd=0.15,
        suspect_below=0.0,
        change_above=1.0,
        change_above_enrolled=1.0,
        enrolled_weight=1.0,
        segmenter_weight=1.0,
    )
    settings = RecordSettings(
        embedder=FAKE_EMBEDDER,
        dim=dim,
        pairs=dict.fromkeys(BandPair, band),
        change={BandPair.WIDE: change, BandPair.NARROW: change},
        enrolment={
            BandPair.WIDE: EnrolmentCalibration(consistent_above=flat(0.8)),
            BandPair.NARROW: EnrolmentCalibration(consistent_above=flat(0.8)),
        },
        made_from={"data": "fake"},
    )
    nothing = np.zeros(dim, dtype=np.float32)
    return CalibrationRecord(settings, nothing, nothing, np.eye(dim, dtype=np.float32))


def fake_ears(embedder: Embedder | None = None, segmenter: Segmenter | None = None) -> Ears:
    """Ears over the fakes."""
    return Ears(embedder or FakeEmbedder(), fake_record(), segmenter)
