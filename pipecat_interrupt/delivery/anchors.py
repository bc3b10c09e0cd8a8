"""Pins a text to its audio: which pause belongs to which punctuation mark.

Owns the matching, by dynamic programming over (mark, pause) in order. A voice pauses where the text is punctuated, but
not at every mark and not only there, so both may be passed over at a cost.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pipecat_interrupt.delivery.loudness import Silence
from pipecat_interrupt.delivery.written import Token

STEP_MARKS = 5
STEP_PAUSES = 8
"""How many marks and pauses one step of the matching may pass over."""

MARK_MISSED_COST = {"weak": 0.8, "strong": 3.0}
PAUSE_MISSED_COST_PER_S = 5.0
SHORT_PAUSE_COST = 0.6
SHORT_PAUSE_S = {"weak": 0.1, "strong": 0.2}
MISFIT_SCALE = 0.2
MISFIT_COST_MAX = 12.0
_STRONG = frozenset(".?!。！？\n")


@dataclass(frozen=True, slots=True)
class Anchor:
    """A punctuation mark found in the audio: after token number `token`, the voice paused here."""

    token: int
    pause: Silence


class Matcher:
    """Matches one stretch of text with the pauses in its audio.

    Args:
        tokens: Tokens of the text.
        weights_s: How long each takes at the voice's rate, seconds.
        pauses: Pauses inside the audio, in order.
        lead_s: When the sound begins.
        end_s: When it ends; None when the text goes on beyond the audio.
    """

    def __init__(
        self,
        tokens: Sequence[Token],
        weights_s: Sequence[float],
        pauses: Sequence[Silence],
        lead_s: float,
        end_s: float | None,
    ) -> None:
        self._tokens = tokens
        self._pauses = pauses
        self._lead_s = lead_s
        self._end_s = end_s
        self._marks = [i for i, t in enumerate(tokens) if t.pause and i + 1 < len(tokens)]
        self._sums = [0.0]
        for weight in weights_s:
            self._sums.append(self._sums[-1] + weight)

    def match(self) -> tuple[list[Anchor], float]:
        """Give the anchors in order, and what the matching costs (lower fits better)."""
        start = (-1, -1)
        best: dict[tuple[int, int], tuple[float, tuple[int, int] | None]] = {start: (0.0, None)}
        by_mark: dict[int, set[int]] = {-1: {-1}}
        for mark in range(-1, len(self._marks)):
            for pause in sorted(by_mark.get(mark, ())):
                self._extend((mark, pause), best, by_mark)
        final = min(best, key=lambda state: best[state][0] + self._end_cost(state))
        cost = best[final][0] + self._end_cost(final)
        path: list[Anchor] = []
        state: tuple[int, int] | None = final
        while state is not None and state != start:
            path.append(Anchor(self._marks[state[0]], self._pauses[state[1]]))
            state = best[state][1]
        return path[::-1], cost

    def _extend(
        self,
        state: tuple[int, int],
        best: dict[tuple[int, int], tuple[float, tuple[int, int] | None]],
        by_mark: dict[int, set[int]],
    ) -> None:
        cost = best[state][0]
        for mark in range(state[0] + 1, min(len(self._marks), state[0] + 1 + STEP_MARKS)):
            for pause in range(state[1] + 1, min(len(self._pauses), state[1] + 1 + STEP_PAUSES)):
                total = cost + self._step_cost(state, (mark, pause))
                known = best.get((mark, pause))
                if known is None or total < known[0]:
                    best[(mark, pause)] = (total, state)
                    by_mark.setdefault(mark, set()).add(pause)

    def _step_cost(self, before: tuple[int, int], after: tuple[int, int]) -> float:
        passed = self._pauses[before[1] + 1 : after[1]]
        pause = self._pauses[after[1]]
        mark = self._marks[after[0]]
        actual_s = pause.start_s - self._begin_s(before) - sum(p.length_s for p in passed)
        predicted_s = self._sums[mark + 1] - self._sums[self._first_token(before)]
        strength = _strength(self._tokens[mark])
        short = SHORT_PAUSE_COST if pause.length_s < SHORT_PAUSE_S[strength] else 0.0
        return _misfit(actual_s, predicted_s) + self._missed(before[0] + 1, after[0]) + _passed(passed) + short

    def _end_cost(self, state: tuple[int, int]) -> float:
        passed = self._pauses[state[1] + 1 :]
        if self._end_s is None:  # the text goes on: only pauses passed over count
            return _passed(passed)
        actual_s = self._end_s - self._begin_s(state) - sum(p.length_s for p in passed)
        predicted_s = self._sums[-1] - self._sums[self._first_token(state)]
        return _misfit(actual_s, predicted_s) + self._missed(state[0] + 1, len(self._marks)) + _passed(passed)

    def _begin_s(self, state: tuple[int, int]) -> float:
        return self._pauses[state[1]].end_s if state[1] >= 0 else self._lead_s

    def _first_token(self, state: tuple[int, int]) -> int:
        return self._marks[state[0]] + 1 if state[0] >= 0 else 0

    def _missed(self, first: int, last: int) -> float:
        return sum(MARK_MISSED_COST[_strength(self._tokens[self._marks[m]])] for m in range(first, last))


def _passed(pauses: Sequence[Silence]) -> float:
    return sum(PAUSE_MISSED_COST_PER_S * p.length_s for p in pauses)


def _misfit(actual_s: float, predicted_s: float) -> float:
    ratio = (max(actual_s, 0.02) + 0.05) / (max(predicted_s, 0.02) + 0.05)
    return min(MISFIT_COST_MAX, (math.log(ratio) / MISFIT_SCALE) ** 2)


def _strength(token: Token) -> str:
    return "strong" if any(c in _STRONG for c in token.pause) else "weak"
