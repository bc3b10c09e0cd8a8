"""Collects the speech of a growing turn: what was taken as speech once stays where it is.

Whole-stretch selection (`speaker_gate.audio.speech_of`) may change its mind as a turn grows; windows that are already
embedded must not move. So frames are judged once, against the levels heard so far, and then kept or left for good.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from speaker_gate.audio import (
    FRAME_S,
    KEEP_COUNT,
    KEEP_FRAMES,
    SMOOTH_FRAMES,
    Speech,
    frame_levels_db,
    level_dbfs,
    speech_threshold_db,
)
from speaker_gate.embedders import MODEL_RATE_HZ, Samples

TURN_SECONDS_MAX = 60.0
"""Audio kept of one turn; what comes later in an endless turn is no longer added to its speech."""

CONTEXT_FRAMES = KEEP_FRAMES // 2 + SMOOTH_FRAMES // 2
FRAME = int(MODEL_RATE_HZ * FRAME_S)


class SpeechGatherer:
    """Joins the speech of one turn as its audio arrives (float32, 16 kHz)."""

    def __init__(self) -> None:
        self._pending: list[Samples] = []
        self._audio: Samples = np.zeros(0, dtype=np.float32)
        self._levels: NDArray[np.float64] = np.zeros(0)
        self._judged = 0
        self._speech: list[Samples] = []
        self._joined: Samples = np.zeros(0, dtype=np.float32)
        self._times: list[float] = []

    @property
    def heard_s(self) -> float:
        """Seconds of audio heard, speech or not."""
        return (len(self._audio) + sum(len(part) for part in self._pending)) / MODEL_RATE_HZ

    @property
    def audio(self) -> Samples:
        """The audio heard and already taken in, speech or not."""
        return self._audio

    def hear(self, samples: Samples) -> None:
        """Add audio; cheap. Beyond `TURN_SECONDS_MAX` audio is left out."""
        if self.heard_s < TURN_SECONDS_MAX and len(samples):
            self._pending.append(samples)

    def take_in(self, final: bool = False) -> Speech:
        """Judge the new frames and return all speech so far; at the end of the turn the last frames too."""
        if self._pending:
            self._audio = np.concatenate([self._audio, *self._pending])
            self._pending = []
        start = len(self._levels) * FRAME
        self._levels = np.concatenate([self._levels, frame_levels_db(self._audio[start:])])
        upto = len(self._levels) if final else max(self._judged, len(self._levels) - CONTEXT_FRAMES)
        if upto > self._judged:
            self._judge(upto)
        return Speech(self._joined, np.asarray(self._times))

    def level_dbfs(self) -> float:
        """Level of the speech so far."""
        return level_dbfs(self._joined)

    def _judge(self, upto: int) -> None:
        smooth = np.convolve(self._levels, np.ones(SMOOTH_FRAMES) / SMOOTH_FRAMES, "same")
        loud_enough = (smooth > speech_threshold_db(smooth)).astype(np.float64)
        votes = np.convolve(loud_enough, np.ones(KEEP_FRAMES), "same")
        kept = [index for index in range(self._judged, upto) if votes[index] >= KEEP_COUNT]
        self._judged = upto
        if kept:
            new = np.concatenate([self._audio[index * FRAME : (index + 1) * FRAME] for index in kept])
            self._joined = np.concatenate([self._joined, new])
            self._times.extend(index * FRAME_S for index in kept)
