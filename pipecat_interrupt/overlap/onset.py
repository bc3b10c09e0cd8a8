"""When did the caller's voice begin? Found again in the audio that has already gone by.

Voice detection says so late (0.2 s of speech is its default, more after a soft sound). The finder keeps a short ring of
audio and walks back over its 10 ms levels from the detection. It owns no decision about what the sound was.
"""

from __future__ import annotations

from collections import deque
from itertools import groupby
from operator import itemgetter

import numpy as np

FRAME_S = 0.010
"""Length of one level, in seconds."""

ACTIVE_DBFS_MIN = -40.0
"""A frame louder than this is active (Silero's own default asks for more; room noise of a telephone lies below)."""

RING_S = 3.0
"""How far back audio is kept."""

BLOCKS_MAX = 1000
"""Most blocks kept, however short: memory is bounded when stamps stand still."""

GAP_S_MAX = 0.2
"""Longest silence inside one stretch of speech: 0.2 s found 49 of 50 onsets of real voices within 100 ms, 0.15 s
found 46."""

SEARCH_S_MAX = 0.6
"""How far before the detection's own window an onset is looked for; a soft first sound was seen 0.35 s early."""

SPIKE_FRAMES_MAX = 2
"""Active frames in a row that are a click, not a voice."""


class OnsetFinder:
    """Back-dates the onset of speech from a ring of audio.

    Promises: bounded by `RING_S` and `BLOCKS_MAX`; no clock is read: times are those of the caller's audio, in any one
    scale of seconds.
    """

    def __init__(self, active_dbfs: float = ACTIVE_DBFS_MIN) -> None:
        """Make a finder.

        Args:
            active_dbfs: Level in dBFS (RMS) above which a frame is active, in [-90, 0].
        """
        self._energy = 10.0 ** (active_dbfs / 10.0) * 32768.0**2
        self._blocks: deque[tuple[bytes, int, float]] = deque()

    def push(self, pcm: bytes, sample_rate_hz: int, end_s: float) -> None:
        """Take in a block of audio; it is looked at only when an onset is asked for.

        Args:
            pcm: int16 little-endian mono samples; a trailing odd byte is ignored.
            sample_rate_hz: Their rate, > 0.
            end_s: Time of the block's last sample.
        """
        if sample_rate_hz <= 0 or len(pcm) < 2:
            return
        self._blocks.append((pcm, sample_rate_hz, end_s))
        while self._blocks[0][2] < end_s - RING_S or len(self._blocks) > BLOCKS_MAX:
            self._blocks.popleft()

    def loud_share(self, now_s: float, seconds: float) -> float:
        """Say how much of the last moments was loud.

        Args:
            now_s: Now; audio that ends later does not count.
            seconds: How far back, in (0, `RING_S`).

        Returns:
            Share of active levels in [0, 1]; 0 where there is no audio.
        """
        window = [active for start, active in self._levels(now_s - 2 * seconds) if now_s - seconds <= start < now_s]
        return sum(window) / max(1, round(seconds / FRAME_S))

    def _levels(self, since_s: float = float("-inf")) -> list[tuple[float, bool]]:
        """Start and activity of every 10 ms of the ring, from the block on that ends after `since_s`."""
        levels: list[tuple[float, bool]] = []
        blocks = [block for block in self._blocks if block[2] > since_s]
        for sample_rate_hz, run in groupby(blocks, key=itemgetter(1)):
            levels += self._levels_of([(pcm, end_s) for pcm, _, end_s in run], sample_rate_hz)
        return levels

    def _levels_of(self, blocks: list[tuple[bytes, float]], sample_rate_hz: int) -> list[tuple[float, bool]]:
        """The levels of blocks of one rate, all in one go; a level's time is that of the block in which it ends."""
        size = max(1, int(sample_rate_hz * FRAME_S))
        pieces = [pcm if len(pcm) % 2 == 0 else pcm[:-1] for pcm, _ in blocks]
        samples = np.frombuffer(b"".join(pieces), dtype="<i2")
        count = samples.size // size
        frames = samples[: count * size].reshape(count, size).astype(np.float32)
        active = np.einsum("ij,ij->i", frames, frames) > self._energy * size
        block_ends = np.cumsum([len(piece) // 2 for piece in pieces])
        ends = size * np.arange(1, count + 1)
        block = np.searchsorted(block_ends, ends)
        end_s = np.array([end_s for _, end_s in blocks])[block]
        # Levels that end in one block are laid out behind its last one, 10 ms apart.
        last_of_block = block_ends[block] // size * size
        starts_s = (
            end_s - (block_ends[block] - last_of_block) / sample_rate_hz - (last_of_block - ends) / size * FRAME_S
        )
        return list(zip((starts_s - FRAME_S).tolist(), active.tolist(), strict=True))

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
        window = [(start, active) for start, active in self._levels() if earliest <= start < detected_s]
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
