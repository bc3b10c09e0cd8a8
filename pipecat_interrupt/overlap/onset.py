"""When did the caller's voice begin? Found again in the audio that has already gone by.

Voice detection says so late (0.2 s of speech is its default, more after a soft sound). The finder keeps a short ring of
10 ms levels and walks back from the detection. It owns no decision about what the sound was.
"""

from __future__ import annotations

from collections import deque

import numpy as np

FRAME_S = 0.010
"""Length of one level, in seconds."""

ACTIVE_DBFS_MIN = -40.0
"""A frame louder than this is active (Silero's own default asks for more; room noise of a telephone lies below)."""

RING_S = 3.0
"""How far back levels are kept."""

GAP_S_MAX = 0.2
"""Longest silence inside one stretch of speech: 0.2 s found 49 of 50 onsets of real voices within 100 ms, 0.15 s
found 46."""

SEARCH_S_MAX = 0.6
"""How far before the detection's own window an onset is looked for; a soft first sound was seen 0.35 s early."""

SPIKE_FRAMES_MAX = 2
"""Active frames in a row that are a click, not a voice."""


class OnsetFinder:
    """Back-dates the onset of speech from a ring of 10 ms levels.

    Promises: bounded by `RING_S`; no clock is read: times are those of the caller's audio, in any one scale of seconds.
    """

    def __init__(self, active_dbfs: float = ACTIVE_DBFS_MIN) -> None:
        """Make a finder.

        Args:
            active_dbfs: Level in dBFS (RMS) above which a frame is active, in [-90, 0].
        """
        self._active = active_dbfs
        self._levels: deque[tuple[float, bool]] = deque(maxlen=int(RING_S / FRAME_S))
        self._rest = np.empty(0, dtype=np.int16)

    def push(self, pcm: bytes, sample_rate_hz: int, end_s: float) -> None:
        """Take in a block of audio.

        Args:
            pcm: int16 little-endian mono samples; a trailing odd byte is ignored.
            sample_rate_hz: Their rate, > 0.
            end_s: Time of the block's last sample.
        """
        samples = np.frombuffer(pcm[: len(pcm) // 2 * 2], dtype="<i2")
        if sample_rate_hz <= 0 or samples.size == 0:
            return
        samples = np.concatenate([self._rest, samples])
        size = max(1, int(sample_rate_hz * FRAME_S))
        frames = samples.size // size
        self._rest = samples[frames * size :]
        if frames == 0:
            return
        block = samples[: frames * size].reshape(frames, size).astype(np.float64) / 32768.0
        power = np.mean(block * block, axis=1)
        dbfs = 10.0 * np.log10(np.maximum(power, 1e-12))
        first = end_s - (self._rest.size / sample_rate_hz) - frames * FRAME_S
        self._levels.extend((first + i * FRAME_S, bool(level > self._active)) for i, level in enumerate(dbfs))

    def onset(self, detected_s: float, start_window_s: float = 0.2) -> float:
        """Find when the stretch of speech began that was detected at `detected_s`.

        Args:
            detected_s: When voice detection spoke.
            start_window_s: Speech it had waited for (its `start_secs`).

        Returns:
            Start of the first active frame of that stretch; `detected_s - start_window_s` when the ring shows none.
        """
        fallback = detected_s - start_window_s
        earliest = fallback - SEARCH_S_MAX
        window = [(start, active) for start, active in self._levels if earliest <= start < detected_s]
        onset: float | None = None
        run, gap_from = 0, detected_s
        for start, active in reversed(window):
            if active:
                run += 1
                if run > SPIKE_FRAMES_MAX or (onset is not None and onset - start <= GAP_S_MAX):
                    onset, gap_from = start, start
            else:
                run = 0
                if onset is not None and gap_from - start > GAP_S_MAX:
                    break
        return fallback if onset is None else onset
