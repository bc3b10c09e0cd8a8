"""The verbatim matcher: the exact words, in order, nothing between them; for legal disclosures and scored instruments.

Owns exactness. Only case, punctuation and the written form of numbers may differ.
"""

from __future__ import annotations

from obligations.coverage.own_wording import unstated_reason
from obligations.coverage.protocol import Coverage, CoverageVerdict, PointText, Span
from obligations.coverage.text import Token, tokenise

PREFIX_WORDS_MIN = 3
"""Fewest words of the wording, from its beginning, that make a cut disclosure a partial one."""


class LexicalMatcher:
    """Matches the wording word for word, in any language; case, punctuation and spoken numbers aside.

    Promises: pure and total; CONVEYED only when every word stands there in order with nothing between.
    """

    @property
    def name(self) -> str:
        """The stable name."""
        return "lexical"

    @property
    def version(self) -> str:
        """Changes whenever any verdict could change."""
        return "1"

    async def match(self, point: PointText, text: str) -> Coverage:
        """Judge one text against one point."""
        return self.judge(point, text)

    def judge(self, point: PointText, text: str) -> Coverage:
        """Judge at once; the same as `match`, without awaiting."""
        wanted, heard = tokenise(point.wording, point.language).tokens, tokenise(text, point.language).tokens
        if not wanted:
            return self._coverage(CoverageVerdict.UNDECIDED, "the point has no wording")
        at, length = _longest_prefix(wanted, heard)
        if length == 0:
            return self._coverage(CoverageVerdict.NOT_CONVEYED, "not word for word")
        span = Span(heard[at].start, heard[at + length - 1].end)
        if length == len(wanted):
            unstated = unstated_reason(text, point.language, span)
            if unstated is not None:
                return self._coverage(CoverageVerdict.NOT_CONVEYED, unstated)
            return self._coverage(CoverageVerdict.CONVEYED, "word for word", span)
        cut_there = at + length == len(heard)
        if cut_there and length >= min(PREFIX_WORDS_MIN, len(wanted)):
            return self._coverage(CoverageVerdict.PARTIAL, "cut before its end", span)
        return self._coverage(CoverageVerdict.NOT_CONVEYED, "not word for word")

    def _coverage(self, verdict: CoverageVerdict, why: str, span: Span | None = None) -> Coverage:
        spans = () if span is None else (span,)
        return Coverage(verdict=verdict, matcher=f"{self.name}@{self.version}", spans=spans, why=why)


def _longest_prefix(wanted: tuple[Token, ...], heard: tuple[Token, ...]) -> tuple[int, int]:
    """Where the longest beginning of the wording stands, and how many words it has; a cut one must end the text."""
    best = (0, 0)
    for at in range(len(heard)):
        length = 0
        while at + length < len(heard) and length < len(wanted) and _same(wanted[length], heard[at + length]):
            length += 1
        if length == len(wanted):
            return at, length
        if at + length == len(heard) and length > best[1]:
            best = (at, length)
    return best


def _same(a: Token, b: Token) -> bool:
    if a.value is not None or b.value is not None:
        return a.value == b.value and a.is_time == b.is_time
    return a.norm == b.norm
