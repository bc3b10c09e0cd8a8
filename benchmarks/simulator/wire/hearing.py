"""What the patient makes of the bot's audio: when it sounds, where it ends, which words it was.

Owns the truth of a trial on the wire: the played-out audio and an ear of its own. It never sees a frame or a text of
the bot's.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Protocol

import numpy as np

from benchmarks.simulator.words import bare_words
from benchmarks.yielding.audio import Run, sounding
from pipecat_interrupt.testing.carrier import Playout
from pipecat_interrupt.testing.carrier.sound import RATE_HZ, Samples

EAR_HZ = 16_000
AROUND_S = 0.2
"""Silence given to the ear around a stretch: recognisers want a little."""

LOOK_BACK_S = 4.0
"""How far back the live look at the agent's channel goes: longer than any pause inside an utterance."""

SOUND_S_MIN = 0.15
"""Less sound than this is no utterance."""

AGREEMENT_MIN = 0.6
"""Share of heard words that must be the text's, for the text to be what was heard."""


class Ear(Protocol):
    """Understands a stretch of sound; called in a thread, one stretch at a time."""

    def hear(self, samples: np.ndarray, language: str | None) -> str | None:
        """Text of float32 samples (16 kHz mono), or None for no words."""
        ...


class Listener:
    """Listens to the agent's channel of one call.

    Args:
        playout: What reaches the patient's ear.
        ear: Understands it.
        language: Code of the call's language.
    """

    def __init__(self, playout: Playout, ear: Ear, language: str = "en") -> None:
        self._playout, self._ear, self._language = playout, ear, language

    def channel(self, start_s: float, end_s: float) -> Samples:
        """Give the agent's channel between two times of the line; int16, 8 kHz."""
        return self._playout.channel(start_s, end_s)

    def runs(self, start_s: float, end_s: float) -> list[Run]:
        """Give the stretches of sound between two times, in times of the line; gaps under 300 ms join."""
        found = sounding(self.channel(max(0.0, start_s), end_s), RATE_HZ)
        return [Run(run.start_s + max(0.0, start_s), run.end_s + max(0.0, start_s)) for run in found]

    def sound(self, from_s: float, now_s: float) -> Run | None:
        """Give begin and end of the sound since `from_s`, whatever pauses it has; None while there was none."""
        found = [run for run in self.runs(from_s, now_s) if run.length_s >= SOUND_S_MIN]
        return Run(found[0].start_s, found[-1].end_s) if found else None

    def last_sound_s(self, now_s: float) -> float | None:
        """Say when the agent was last heard, looking back `LOOK_BACK_S`; None when it was not."""
        found = self.runs(now_s - LOOK_BACK_S, now_s)
        return found[-1].end_s if found else None

    async def words(self, start_s: float, end_s: float) -> str:
        """Understand a stretch; "" for no words."""
        samples = self.channel(max(0.0, start_s - AROUND_S), end_s)
        if not len(samples):
            return ""
        return ((await asyncio.to_thread(self._understand, samples)) or "").strip()

    def _understand(self, samples: Samples) -> str | None:
        import soxr

        quiet = np.zeros(round(AROUND_S * RATE_HZ), np.float32)
        sound = np.concatenate([samples.astype(np.float32) / 32768.0, quiet])
        return self._ear.hear(np.asarray(soxr.resample(sound, RATE_HZ, EAR_HZ), np.float32), self._language)


def heard_of(intended: str, heard: str) -> str | None:
    """Say how much of a known text was heard, given what an ear made of the sound.

    Args:
        intended: The text that was meant to be said.
        heard: The ear's words.

    Returns:
        A literal prefix of `intended`, whole words; None when the two are not the same utterance. Errs short: a word
        the ear did not find at the end does not count as heard.
    """
    said, got = bare_words(intended), bare_words(heard)
    if not said or not got:
        return None
    blocks = [b for b in SequenceMatcher(None, said, got, autojunk=False).get_matching_blocks() if b.size]
    if not blocks or sum(b.size for b in blocks) < AGREEMENT_MIN * len(got):
        return None
    return _prefix(intended, max(b.a + b.size for b in blocks))


def _prefix(text: str, count: int) -> str:
    """The shortest prefix of whole written words that holds so many bare ones."""
    held = 0
    for match in re.finditer(r"\S+", text):
        held += len(bare_words(match.group()))
        if held >= count:
            return text[: match.end()]
    return text


def pair_with(texts: Sequence[str], heard: Sequence[str]) -> list[tuple[str, str] | None]:
    """Find for every heard utterance the text it was made of, in order; with how much of it was heard."""
    at = 0
    found: list[tuple[str, str] | None] = []
    for words in heard:
        fitting = ((place, heard_of(texts[place], words)) for place in range(at, len(texts)))
        place, delivered = next(((p, d) for p, d in fitting if d is not None), (None, None))
        if place is None or delivered is None:
            found.append(None)
            continue
        at = place + 1
        found.append((texts[place], delivered))
    return found
