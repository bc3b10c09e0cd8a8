"""Where in a text a stretch of speech has got to, when the voice gives no word timings.

Owns the estimate: predicted word lengths, pinned to the pauses that are really in the audio. Every pause found is an
anchor, and the error does not grow past it. It errs short by a margin.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pipecat_interrupt.delivery.anchors import Anchor, Matcher
from pipecat_interrupt.delivery.loudness import Silence
from pipecat_interrupt.delivery.written import Token

WORD_BASE_S = 0.0
SYLLABLE_S = 0.048
LETTER_S = 0.061
CJK_CHAR_S = 0.2
"""Predicted length of a word at rate 1: base + syllables + letters, seconds. About 170 words a minute; the voice's real
rate is measured in the call. Source: fitted on the scripted voice, checked on Piper (docs/metrics/delivery.md)."""

FINAL_LENGTHENING = 1.05
"""Voices draw out the word before a pause."""

MARGIN_BASE_S = 0.01
MARGIN_PER_S = 0.01
"""A word counts when its estimated end lies this far back: base, plus a share of the way to the nearest anchor."""

SPREAD_BASE_S = 0.2
SPREAD_PER_S = 0.2
SPREAD_PER_S_UNKNOWN = 0.8
"""How much earlier than estimated a word may have begun, for the bound; wide while the voice's rate is not known."""

RATE_MIN, RATE_MAX = 0.5, 2.0
RATE_PRIOR = 0.9
RATE_SPREAD_UNKNOWN = 0.25
RATE_SPREAD_KNOWN = 0.05
RATES = (0.65, 0.72, 0.8, 0.88, 0.96, 1.05, 1.15, 1.3)
RATES_KNOWN = (0.93, 1.0, 1.07)
CAUTION_UNKNOWN = 1.12
"""An unknown voice is taken to be this much slower than it seems, so that the estimate errs short."""

EDGE_S = 0.03
_VOWELS = frozenset("aeiouy")
_CJK_FROM = 0x2E80


def word_seconds(token: Token) -> float:
    """Predict how long a token takes to say, seconds at rate 1."""
    if token.silent:
        return 0.0
    seconds = sum(_seconds(w) for w in (token.readings[0] if token.readings else (token.letters,)))
    return seconds * (FINAL_LENGTHENING if token.pause else 1.0)


def _seconds(letters: str) -> float:
    if letters and ord(letters[0]) > _CJK_FROM:
        return CJK_CHAR_S * len(letters)
    groups, before = 0, False
    for c in letters:
        vowel = c in _VOWELS
        groups += vowel and not before
        before = vowel
    if groups > 1 and letters.endswith("e") and not letters.endswith(("ee", "le")):
        groups -= 1
    return WORD_BASE_S + SYLLABLE_S * max(1, groups) + LETTER_S * len(letters)


@dataclass(frozen=True, slots=True)
class Rate:
    """How fast a voice speaks.

    Parameters:
        value: Real over predicted word length.
        known: Whether it was measured on a whole utterance of this voice.
    """

    value: float = 1.0
    known: bool = False


@dataclass(frozen=True, slots=True)
class Estimate:
    """How far a stretch of speech has got.

    Parameters:
        tokens: Tokens heard whole.
        tokens_max: Tokens that may have been heard at most, >= `tokens`.
        begun: Whether the token after `tokens` has probably been begun.
    """

    tokens: int
    tokens_max: int
    begun: bool


@dataclass(frozen=True, slots=True)
class _Group:
    """Tokens between two anchors and when they are spoken; `closed` when the end is an anchor too."""

    first: int
    last: int
    start_s: float
    end_s: float
    closed: bool


def estimate(
    tokens: Sequence[Token],
    silences: Sequence[Silence],
    heard_s: float,
    audio_s: float,
    *,
    done: bool,
    rate: Rate = Rate(),  # noqa: B008  # frozen
    not_before: Sequence[tuple[int, float]] = (),
) -> Estimate:
    """Place `heard_s` in the tokens of a stretch of text.

    Args:
        tokens: Tokens of the stretch, in order.
        silences: Pauses found in its audio, seconds from its start.
        heard_s: How much of the audio was heard.
        audio_s: How much audio there is so far.
        done: Whether that audio is all of it; without it the length is predicted from `rate`.
        rate: How fast this voice speaks.
        not_before: (token index, seconds): a token that cannot have begun earlier.
    """
    if not tokens or heard_s <= 0:
        return Estimate(0, 0, begun=False)
    late = dict(not_before)
    spread_per_s = SPREAD_PER_S if done or rate.known else SPREAD_PER_S_UNKNOWN
    count, most, begun, floor_s = 0, 0, False, 0.0
    for group in _groups(tokens, silences, audio_s, done=done, rate=rate):
        weights = [word_seconds(t) for t in tokens[group.first : group.last + 1]]
        per_weight = max(group.end_s - group.start_s, 1e-6) / (sum(weights) or 1.0)
        at_s = group.start_s
        for index, weight in enumerate(weights, group.first):
            floor_s = max(floor_s, late.get(index, 0.0))
            start_s, end_s = max(at_s, floor_s), at_s + per_weight * weight
            at_s = end_s
            end_s = max(end_s, start_s)
            anchored = group.closed and index == group.last
            reach_s = start_s - group.start_s
            reach_s = max(0.0, min(reach_s, group.end_s - end_s) if group.closed else reach_s)
            margin_s = 0.0 if anchored else MARGIN_BASE_S + MARGIN_PER_S * reach_s
            if count == index and end_s + margin_s <= heard_s:
                count = index + 1
            elif count == index and start_s < heard_s:
                begun = True
            if start_s - SPREAD_BASE_S - spread_per_s * reach_s < heard_s:
                most = index + 1
    return Estimate(count, max(most, count), begun and count < len(tokens))


def spoken_rate(tokens: Sequence[Token], silences: Sequence[Silence], audio_s: float) -> float | None:
    """Measure a finished utterance's real over predicted word length; None when it is too short to tell."""
    predicted = sum(word_seconds(t) for t in tokens)
    speech = audio_s - sum(s.length_s for s in silences)
    if predicted < 1.0 or speech <= 0:
        return None
    return min(RATE_MAX, max(RATE_MIN, speech / predicted))


def _groups(
    tokens: Sequence[Token], silences: Sequence[Silence], audio_s: float, *, done: bool, rate: Rate
) -> list[_Group]:
    inner = [s for s in silences if s.start_s > EDGE_S and s.end_s < audio_s - 0.005]
    lead_s = next((s.end_s for s in silences if s.start_s <= EDGE_S), 0.0)
    tail_s = next((s.start_s for s in reversed(silences) if s.end_s >= audio_s - 0.005), audio_s)
    weights = [word_seconds(t) for t in tokens]
    if done:
        spoken = max(0.1, tail_s - lead_s - sum(s.length_s for s in inner))
        best = min(RATE_MAX, max(RATE_MIN, spoken / max(sum(weights), 0.1)))
        anchors, _ = Matcher(tokens, [w * best for w in weights], inner, lead_s, tail_s).match()
    else:
        anchors, best = _open_anchors(tokens, weights, inner, lead_s, rate)
    groups: list[_Group] = []
    first, start_s = 0, lead_s
    for anchor in anchors:
        groups.append(_Group(first, anchor.token, start_s, anchor.pause.start_s, closed=True))
        first, start_s = anchor.token + 1, anchor.pause.end_s
    if first < len(tokens):
        caution = 1.0 if rate.known else CAUTION_UNKNOWN
        end_s = tail_s if done else start_s + sum(weights[first:]) * best * caution
        groups.append(_Group(first, len(tokens) - 1, start_s, max(end_s, start_s), closed=done))
    return groups


def _open_anchors(
    tokens: Sequence[Token], weights: Sequence[float], pauses: Sequence[Silence], lead_s: float, rate: Rate
) -> tuple[list[Anchor], float]:
    """Match a text that goes on beyond its audio: the rate that fits the pauses best, near the one expected."""
    expected = rate.value if rate.known else RATE_PRIOR
    spread = RATE_SPREAD_KNOWN if rate.known else RATE_SPREAD_UNKNOWN
    best: tuple[float, list[Anchor], float] | None = None
    for value in [expected * r for r in RATES_KNOWN] if rate.known else RATES:
        anchors, cost = Matcher(tokens, [w * value for w in weights], pauses, lead_s, None).match()
        cost += 0.5 * (math.log(value / expected) / spread) ** 2
        if best is None or cost < best[0]:
            best = (cost, anchors, value)
    assert best is not None
    return best[1], best[2]
