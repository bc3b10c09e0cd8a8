"""Recognises the agent's own sound coming back: by its waveform against what the agent played. Pure.

A voice print cannot tell a quiet echo from a person with a similar voice; the played audio can. The two signals are
compared over every delay up to half a second, flattened in spectrum first, so that a phone's colouring does not matter.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from speaker_gate.embedders import MODEL_RATE_HZ, Samples

DELAY_S_MAX = 0.6
"""Longest way back that is looked at: loudspeaker, room, network."""

REFERENCE_SECONDS_MAX = 30.0
"""Agent sound kept for comparison; older sound cannot come back any more."""

BAND_HZ = (300.0, 3400.0)
MIN_SECONDS = 0.25
ECHO_SHARE = 0.5
"""Share of the caller's sound explained by the agent's from which on the caller's sound *is* the echo."""


@dataclass(frozen=True, slots=True)
class EchoFinding:
    """How much of a stretch is the agent's own sound.

    Parameters:
        share: Share (0..1) of the stretch's power explained by the played sound.
        delay_s: How late it came back.
        gain_db: Its level against the played sound.
    """

    share: float
    delay_s: float
    gain_db: float

    @property
    def is_echo(self) -> bool:
        """True when the agent's sound explains most of the stretch."""
        return self.share >= ECHO_SHARE


NO_ECHO = EchoFinding(0.0, 0.0, -100.0)


def find_echo(heard: Samples, played: Samples) -> EchoFinding:
    """Say how much of what was heard is what was played.

    Args:
        heard: Caller's sound, float32, shape (n,), 16 kHz.
        played: Agent's sound over the same time and the `DELAY_S_MAX` before it, shape (m,), m >= n, ending when
            `heard` ends.

    Returns:
        `NO_ECHO` where there is too little of either, or silence.
    """
    if len(heard) < MIN_SECONDS * MODEL_RATE_HZ or len(played) < len(heard):
        return NO_ECHO
    size = 1 << int(len(played) + len(heard) - 1).bit_length()
    far, near = np.fft.rfft(played, size), np.fft.rfft(heard, size)
    hertz = np.fft.rfftfreq(size, 1 / MODEL_RATE_HZ)
    inside = (hertz >= BAND_HZ[0]) & (hertz <= BAND_HZ[1])
    cross = np.where(inside, near * np.conj(far), 0)
    if not np.any(np.abs(cross) > 0):
        return NO_ECHO
    white = np.fft.irfft(cross / np.maximum(np.abs(cross), 1e-12), size)
    lags = _lags(white, len(played), len(heard))
    if not len(lags):
        return NO_ECHO
    best = int(np.argmax(lags))
    start = len(played) - len(heard) - best
    return _explained(heard, played[start : start + len(heard)], best / MODEL_RATE_HZ)


def _lags(white: np.ndarray[tuple[int], np.dtype[np.float64]], played: int, heard: int) -> list[float]:
    """Correlation by delay: `heard` starts at `played - heard - delay` in the played sound."""
    most = min(int(DELAY_S_MAX * MODEL_RATE_HZ), played - heard)
    return [float(white[-(played - heard - delay) % len(white)]) for delay in range(most + 1)]


def _explained(heard: Samples, aligned: Samples, delay_s: float) -> EchoFinding:
    """Fit the aligned sound to the heard one in short frames of spectrum and see what share it explains."""
    frame, hop = 512, 256
    window = np.hanning(frame)
    count = 1 + (len(heard) - frame) // hop
    if count < 4:
        return NO_ECHO
    at = np.arange(count)[:, None] * hop + np.arange(frame)[None]
    near, far = np.fft.rfft(heard[at] * window), np.fft.rfft(aligned[at] * window)
    hertz = np.fft.rfftfreq(frame, 1 / MODEL_RATE_HZ)
    inside = (hertz >= BAND_HZ[0]) & (hertz <= BAND_HZ[1])
    cross = np.sum(near[:, inside] * np.conj(far[:, inside]), axis=0)
    far_power = np.sum(np.abs(far[:, inside]) ** 2, axis=0)
    near_power = np.sum(np.abs(near[:, inside]) ** 2, axis=0)
    total = float(near_power.sum())
    if total <= 0 or float(far_power.sum()) <= 0:
        return NO_ECHO
    explained = float(np.sum(np.abs(cross) ** 2 / np.maximum(far_power, 1e-12)))
    by_chance = total / count  # one free complex gain a bin explains this much of unrelated sound
    share = (explained - by_chance) / max(total - by_chance, 1e-12)
    gain = explained / float(far_power.sum())
    return EchoFinding(float(np.clip(share, 0.0, 1.0)), delay_s, float(10 * np.log10(max(gain, 1e-10))))


def text_is_echo(heard: str, said: str, *, share_min: float = 0.8, words_min: int = 3) -> bool:
    """Say whether recognised words are the agent's own words come back: the same words, in the same order, in a row.

    Args:
        heard: What the recogniser made of the caller's sound.
        said: What the agent said in the last seconds.
        share_min: Least share (0..1) of the heard words that lie in the longest common run.
        words_min: Fewer heard words than this are never called an echo: "yes" is also in every question.

    Returns:
        False for words that only share vocabulary, such as an answer that picks up the question.
    """
    mine, theirs = _words(heard), _words(said)
    if len(mine) < words_min or not theirs:
        return False
    longest = 0
    row = [0] * (len(theirs) + 1)
    for word in mine:
        previous = 0
        for index, other in enumerate(theirs, start=1):
            previous, row[index] = row[index], (previous + 1 if word == other else 0)
            longest = max(longest, row[index])
    return longest / len(mine) >= share_min


def _words(text: str) -> list[str]:
    kept = "".join(letter.lower() if letter.isalnum() or letter in "'’" else " " for letter in text)
    return kept.replace("’", "'").split()
