"""An independent ear on the finished recording: what does a recogniser hear of what we say was delivered?

Owns the comparison. It knows the recording and the texts, nothing of how the records were made. Cut audio invites a
recogniser to invent a tail, so a lone match far behind the others is dropped; the check bounds, it is never evidence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from pipecat_interrupt.summary import UtteranceSummary

PAD_S = 0.25
"""Silence around each piece given to the recogniser, so that the first and last word stand free."""

STRAY_WORDS = 2
"""A last match of at most this many words, behind a gap of more than as many, is taken for an invention."""

Hear = Callable[[NDArray[np.float32]], str]
"""Takes float32 mono samples, gives their text."""


@dataclass(frozen=True, slots=True)
class EarReport:
    """What the ear found.

    Parameters:
        cut_differences_words: For each cut utterance: last intended word the ear heard, minus words recorded as
            delivered. Positive: the ear heard more than the record claims.
        wer: Word error rate over all delivered texts, 0..; None when nothing was delivered.
    """

    cut_differences_words: tuple[int, ...]
    wer: float | None


def listen(
    agent: NDArray[np.int16],
    rate_hz: int,
    utterances: Sequence[UtteranceSummary],
    hear: Hear,
    ear_rate_hz: int = 16_000,
) -> EarReport:
    """Let the ear hear every utterance of the recording.

    Args:
        agent: The agent's channel, int16, shape (samples,); sample 0 is the call's time 0.0.
        rate_hz: Its rate; must equal `ear_rate_hz`.
        utterances: The records, with their times.
        hear: The recogniser.
        ear_rate_hz: Rate it expects.

    Raises:
        ValueError: The rates differ.
    """
    if rate_hz != ear_rate_hz:
        raise ValueError(f"the recording is at {rate_hz} Hz, the ear hears {ear_rate_hz} Hz")
    differences: list[int] = []
    wrong = total = 0
    for utterance in utterances:
        if utterance.started_s is None or utterance.ended_s is None or not utterance.delivered.strip():
            continue
        low = max(0, round((utterance.started_s - PAD_S) * rate_hz))
        piece = agent[low : round((utterance.ended_s + PAD_S) * rate_hz)].astype(np.float32) / 32768.0
        heard = words_of(hear(np.pad(piece, round(PAD_S * rate_hz))))
        delivered = words_of(utterance.delivered)
        wrong += Levenshtein.distance(delivered, heard[: len(delivered) + STRAY_WORDS] if utterance.cut else heard)
        total += len(delivered)
        if utterance.cut is not None:
            differences.append(last_heard(words_of(utterance.intended), heard) - len(delivered))
    return EarReport(tuple(differences), round(wrong / total, 3) if total else None)


def last_heard(intended: Sequence[str], heard: Sequence[str]) -> int:
    """Say how many words of `intended` lie before the end of the last stretch the ear heard."""
    blocks = [b for b in SequenceMatcher(None, intended, heard, autojunk=False).get_matching_blocks() if b.size]
    while (
        len(blocks) > 1
        and blocks[-1].size <= STRAY_WORDS
        and blocks[-1].a - blocks[-2].a - blocks[-2].size > STRAY_WORDS
    ):
        blocks.pop()
    return blocks[-1].a + blocks[-1].size if blocks else 0


def words_of(text: str) -> list[str]:
    """Fold a text to comparable words."""
    return re.findall(r"[a-z0-9']+", text.lower().replace("-", " ").replace("\u2019", "'"))
