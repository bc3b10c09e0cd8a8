"""The seam every coverage matcher fits: one point, one text, one verdict with its spans.

Owns the words of a coverage verdict. Never decides whether a point is *met*: that takes the delivered prefix as well
(see the ledger).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable


class CoverageVerdict(StrEnum):
    """What a text does for one content point."""

    CONVEYED = "conveyed"
    PARTIAL = "partial"
    NOT_CONVEYED = "not_conveyed"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of characters, ``text[start:end]``, in the text that was judged."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"span must satisfy 0 <= start <= end, got [{self.start}, {self.end})")

    def within(self, end_chars: int) -> bool:
        """Say whether the whole span lies inside the first `end_chars` characters."""
        return self.end <= end_chars


@dataclass(frozen=True, slots=True, kw_only=True)
class PointText:
    """What a matcher may know of a content point.

    Parameters:
        id: The point's id in its pathway.
        wording: The pathway's own wording in `language`; "" when the pathway gives none.
        language: BCP 47 tag of `wording` and of the text to judge, such as "en" or "pt-PT".
        critical: Whether closing it wrongly is a hazard.
        must_convey: What a listener must have understood, one atomic statement each.
        not_confused_with: Statements that sound alike and do *not* convey the point.
        verbatim: Only the exact wording conveys it (legal disclosures, scored instruments).
    """

    id: str
    wording: str
    language: str
    critical: bool = False
    must_convey: tuple[str, ...] = ()
    not_confused_with: tuple[str, ...] = ()
    verbatim: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """One matcher's verdict on one text.

    Parameters:
        verdict: The verdict; UNDECIDED leaves the item open.
        spans: The characters of the text that convey the point, all needed; empty unless conveyed or partial.
        score: The matcher's own margin, unitless; None where it has none. Never compare scores of two matchers.
        matcher: ``name@version``.
        why: One short reason for a reader of the journal; no transcript text.
    """

    verdict: CoverageVerdict
    matcher: str
    spans: tuple[Span, ...] = ()
    score: float | None = None
    why: str = ""


@runtime_checkable
class CoverageMatcher(Protocol):
    """Judges whether a text conveys a content point.

    Promises: no side effect on the call; bounded in time by its own timeout; any inner failure comes back as UNDECIDED,
    never as an exception.
    """

    @property
    def name(self) -> str:
        """The stable name, such as "own-wording"."""
        ...

    @property
    def version(self) -> str:
        """Changes whenever any verdict could change."""
        ...

    async def match(self, point: PointText, text: str) -> Coverage:
        """Judge one text against one point."""
        ...
