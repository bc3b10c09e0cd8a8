"""Where in a text a stretch of speech has got to, when the voice gives no word timings.

Owns the estimate: predicted word lengths, pinned to the pauses that are really in the audio. A voice pauses where the
text is punctuated, so every pause found is an anchor and the error does not grow past it. It errs short by a margin.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipecat_interrupt.delivery.written import Token

LEVEL_STEP_S = 0.01
"""Resolution of the loudness curve, seconds."""

ENVELOPE_S_MAX = 600.0
"""Longest utterance whose loudness is kept, seconds; beyond it the estimate goes on without new anchors."""

SILENCE_MIN_S = 0.08
SILENCES_MAX = 64
QUIET_SHARE = 0.05
"""A step is quiet below this share of the utterance's loud level (its 90th percentile)."""

WORD_BASE_S = 0.07
SYLLABLE_S = 0.105
LETTER_S = 0.026
CJK_CHAR_S = 0.2
"""Predicted length of a word: base + syllables + letters, seconds at rate 1; calibrated on the scripted, espeak-ng and
Piper voices of `benchmarks/evals/delivery.py`, then scaled by the rate this call's voice really speaks at."""

MARGIN_BASE_S = 0.03
MARGIN_PER_S = 0.02
SPREAD_BASE_S = 0.12
SPREAD_PER_S = 0.15
RATE_MIN, RATE_MAX = 0.5, 2.0

_VOWELS = frozenset("aeiouy")


@dataclass(frozen=True, slots=True)
class Silence:
    """A quiet stretch, seconds from the start of the utterance's audio."""

    start_s: float
    end_s: float

    @property
    def length_s(self) -> float:
        """How long it is."""
        return self.end_s - self.start_s


class Envelope:
    """The loudness of an utterance's audio, in steps of 10 ms."""

    def __init__(self) -> None:
        self._levels: list[float] = []
        self._rest = np.zeros(0, np.float32)
        self._silences: tuple[int, tuple[Silence, ...]] = (-1, ())

    def add(self, pcm: bytes, sample_rate_hz: int, channels: int = 1) -> None:
        """Take up 16-bit audio; costs a few microseconds per 20 ms."""
        if len(self._levels) * LEVEL_STEP_S >= ENVELOPE_S_MAX or sample_rate_hz <= 0:
            return
        samples = np.frombuffer(pcm[: len(pcm) // (2 * channels) * 2 * channels], "<i2").astype(np.float32)[::channels]
        if len(self._rest):
            samples = np.concatenate([self._rest, samples])
        step = max(1, round(sample_rate_hz * LEVEL_STEP_S))
        whole = len(samples) // step
        self._rest = samples[whole * step :]
        if whole:
            blocks = samples[: whole * step].reshape(whole, step)
            self._levels.extend(np.sqrt(np.mean(blocks * blocks, axis=1)).tolist())

    def silences(self) -> tuple[Silence, ...]:
        """List the pauses found so far, in order; the first may begin at 0 and the last may reach the end."""
        if self._silences[0] == len(self._levels):
            return self._silences[1]
        levels = np.asarray(self._levels, np.float32)
        found: list[Silence] = []
        if len(levels):
            quiet = levels < max(8.0, QUIET_SHARE * float(np.percentile(levels, 90)))
            edges = np.flatnonzero(np.diff(np.concatenate([[0], quiet.astype(np.int8), [0]])))
            runs = [Silence(a * LEVEL_STEP_S, b * LEVEL_STEP_S) for a, b in edges.reshape(-1, 2).tolist()]
            found = [r for r in runs if r.length_s >= SILENCE_MIN_S]
            if len(found) > SILENCES_MAX:
                shortest_kept = sorted((r.length_s for r in found), reverse=True)[SILENCES_MAX - 1]
                found = [r for r in found if r.length_s >= shortest_kept][:SILENCES_MAX]
        self._silences = (len(self._levels), tuple(found))
        return self._silences[1]

    def speech_end_s(self, total_s: float) -> float:
        """When the sound of the utterance ends: its length without a silent tail."""
        found = self.silences()
        if found and found[-1].end_s >= len(self._levels) * LEVEL_STEP_S - LEVEL_STEP_S:
            return min(total_s, found[-1].start_s)
        return total_s


def word_seconds(token: Token) -> float:
    """Predict how long a token takes to say, seconds at rate 1."""
    if token.silent:
        return 0.0
    words = token.readings[0] if token.readings else (token.letters,)
    return sum(_seconds(w) for w in words)


def _seconds(letters: str) -> float:
    if letters and ord(letters[0]) > 0x2E80:
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
    rate: float = 1.0,
    not_before: Sequence[tuple[int, float]] = (),
) -> Estimate:
    """Place `heard_s` in the tokens of a stretch of text.

    Args:
        tokens: Tokens of the stretch, in order.
        silences: Pauses found in its audio, seconds from its start.
        heard_s: How much of the audio was heard.
        audio_s: How much audio there is so far.
        done: Whether that audio is all of it; without it the length is predicted from `rate`.
        rate: Real over predicted word length of this voice.
        not_before: (token index, seconds): a token that cannot have begun earlier.
    """
    if not tokens or heard_s <= 0:
        return Estimate(0, 0, begun=False)
    groups = _groups(tokens, silences, audio_s, done=done, rate=rate)
    count, most, begun = 0, 0, False
    late = dict(not_before)
    shift_until = 0.0
    for group in groups:
        weights = [word_seconds(t) for t in tokens[group.first : group.last + 1]]
        total = sum(weights) or 1.0
        span = max(group.end_s - group.start_s, 1e-6)
        at = group.start_s
        for offset, weight in enumerate(weights):
            index = group.first + offset
            shift_until = max(shift_until, late.get(index, 0.0))
            start = max(at, shift_until)
            at += span * weight / total
            end = max(at, start + 0.5 * span * weight / total if start > at - span * weight / total else at)
            to_anchor = min(start - group.start_s, group.end_s - end) if group.closed else start - group.start_s
            is_anchor = group.closed and index == group.last
            margin = 0.0 if is_anchor else MARGIN_BASE_S + MARGIN_PER_S * max(0.0, to_anchor)
            spread = 0.0 if is_anchor else SPREAD_BASE_S + SPREAD_PER_S * max(0.0, to_anchor)
            if end + margin <= heard_s and count == index:
                count = index + 1
            if start - spread < heard_s:
                most = index + 1
            if start < heard_s and count == index:
                begun = True
    while count < len(tokens) and count > 0 and tokens[count].silent and done and count + 1 == len(tokens):
        count += 1
    return Estimate(count, max(most, count), begun and count < len(tokens))


def spoken_rate(tokens: Sequence[Token], silences: Sequence[Silence], audio_s: float) -> float | None:
    """Measure a finished utterance's real over predicted word length; None when it is too short to tell."""
    predicted = sum(word_seconds(t) for t in tokens)
    speech = audio_s - sum(s.length_s for s in silences)
    if predicted < 1.0 or speech <= 0:
        return None
    return min(RATE_MAX, max(RATE_MIN, speech / predicted))


# -- anchors -----------------------------------------------------------------------------------------------------

_UNMATCHED_COST = {"weak": 0.8, "strong": 3.0}
_STEP_BOUNDARIES = 5
_STEP_SILENCES = 8


def _groups(
    tokens: Sequence[Token], silences: Sequence[Silence], audio_s: float, *, done: bool, rate: float
) -> list[_Group]:
    inner = [s for s in silences if s.start_s > 0.03 and s.end_s < audio_s - 0.005]
    lead = next((s.end_s for s in silences if s.start_s <= 0.03), 0.0)
    tail = next((s.start_s for s in reversed(silences) if s.end_s >= audio_s - 0.005), audio_s)
    bounds = [i for i, t in enumerate(tokens) if t.pause and i + 1 < len(tokens)]
    weights = [0.0]
    for token in tokens:
        weights.append(weights[-1] + word_seconds(token))
    if done:
        pauses = sum(s.length_s for s in inner)
        spoken = max(0.1, tail - lead - pauses)
        rate = min(RATE_MAX, max(RATE_MIN, spoken / max(weights[-1], 0.1)))
    path = _best_path(tokens, bounds, inner, weights, lead, tail if done else None, rate)
    groups: list[_Group] = []
    first, start = 0, lead
    for bound, silence in path:
        groups.append(_Group(first, bounds[bound], start, inner[silence].start_s, closed=True))
        first, start = bounds[bound] + 1, inner[silence].end_s
    if first < len(tokens):
        predicted = start + (weights[-1] - weights[first]) * rate
        end = tail if done else predicted
        groups.append(_Group(first, len(tokens) - 1, start, max(end, start), closed=done))
    return groups


def _best_path(
    tokens: Sequence[Token],
    bounds: Sequence[int],
    silences: Sequence[Silence],
    weights: Sequence[float],
    lead_s: float,
    end_s: float | None,
    rate: float,
) -> list[tuple[int, int]]:
    """Match punctuation to pauses, in order, at the least cost; dynamic programming over (boundary, pause)."""
    best: dict[tuple[int, int], tuple[float, tuple[int, int] | None]] = {(-1, -1): (0.0, None)}
    states: list[tuple[int, int]] = [(-1, -1)]
    for state in states:
        cost, _ = best[state]
        for b in range(state[0] + 1, min(len(bounds), state[0] + 1 + _STEP_BOUNDARIES)):
            for s in range(state[1] + 1, min(len(silences), state[1] + 1 + _STEP_SILENCES)):
                step = cost + _step_cost(tokens, bounds, silences, weights, lead_s, rate, state, (b, s))
                if (b, s) not in best:
                    states.append((b, s))
                    best[(b, s)] = (step, state)
                elif step < best[(b, s)][0]:
                    best[(b, s)] = (step, state)
        states.sort()
    final, final_cost = (-1, -1), math.inf
    for state, (cost, _) in best.items():
        total = cost + _end_cost(tokens, bounds, silences, weights, lead_s, end_s, rate, state)
        if total < final_cost:
            final, final_cost = state, total
    path: list[tuple[int, int]] = []
    step_back: tuple[int, int] | None = final
    while step_back is not None and step_back != (-1, -1):
        path.append(step_back)
        step_back = best[step_back][1]
    return path[::-1]


def _step_cost(
    tokens: Sequence[Token],
    bounds: Sequence[int],
    silences: Sequence[Silence],
    weights: Sequence[float],
    lead_s: float,
    rate: float,
    before: tuple[int, int],
    after: tuple[int, int],
) -> float:
    first = bounds[before[0]] + 1 if before[0] >= 0 else 0
    start = silences[before[1]].end_s if before[1] >= 0 else lead_s
    passed = silences[before[1] + 1 : after[1]]
    actual = silences[after[1]].start_s - start - sum(s.length_s for s in passed)
    predicted = (weights[bounds[after[0]] + 1] - weights[first]) * rate
    missed = sum(_UNMATCHED_COST[_strength(tokens[bounds[b]])] for b in range(before[0] + 1, after[0]))
    skipped = sum(5.0 * s.length_s for s in passed)
    short = (
        0.6 if silences[after[1]].length_s < (0.2 if _strength(tokens[bounds[after[0]]]) == "strong" else 0.1) else 0
    )
    return _misfit(actual, predicted) + missed + skipped + short


def _end_cost(
    tokens: Sequence[Token],
    bounds: Sequence[int],
    silences: Sequence[Silence],
    weights: Sequence[float],
    lead_s: float,
    end_s: float | None,
    rate: float,
    state: tuple[int, int],
) -> float:
    first = bounds[state[0]] + 1 if state[0] >= 0 else 0
    start = silences[state[1]].end_s if state[1] >= 0 else lead_s
    passed = silences[state[1] + 1 :]
    skipped = sum(5.0 * s.length_s for s in passed)
    if end_s is None:  # the text goes on: only pauses passed over count
        return skipped
    missed = sum(_UNMATCHED_COST[_strength(tokens[bounds[b]])] for b in range(state[0] + 1, len(bounds)))
    actual = end_s - start - sum(s.length_s for s in passed)
    return _misfit(actual, (weights[-1] - weights[first]) * rate) + missed + skipped


def _misfit(actual_s: float, predicted_s: float) -> float:
    ratio = (max(actual_s, 0.02) + 0.05) / (max(predicted_s, 0.02) + 0.05)
    return min(12.0, (math.log(ratio) / 0.2) ** 2)


def _strength(token: Token) -> str:
    return "strong" if any(c in token.pause for c in ".!?。！？\n") else "weak"
