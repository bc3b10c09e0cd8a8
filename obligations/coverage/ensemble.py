"""Several matchers as one: own wording first, then free wording, and any guard can veto.

Owns the order and the veto. The verdict carries the name of the member that decided, so that the licence of that
member, and
of no other, is what closes a critical item.
"""

from __future__ import annotations

from dataclasses import replace

from obligations.coverage.lexical import LexicalMatcher
from obligations.coverage.own_wording import OwnWordingMatcher
from obligations.coverage.protocol import Coverage, CoverageMatcher, CoverageVerdict, PointText
from obligations.coverage.slot_matcher import SlotMatcher


class EnsembleMatcher:
    """Own wording, then slots, then an optional judge whose "conveyed" the slots may veto.

    Promises: never CONVEYED where its slots found a contradiction; the judge is asked only when the local members leave
    it open,
    and only its own time limit bounds it.
    """

    def __init__(self, judge: CoverageMatcher | None = None, *, noise: bool = True) -> None:
        """Make the ensemble.

        Args:
            judge: A further matcher, such as the LLM judge; None for the local members alone.
            noise: Whether own wording tolerates likely recogniser errors.
        """
        self._own = OwnWordingMatcher(noise=noise)
        self._lexical = LexicalMatcher()
        self._slots = SlotMatcher()
        self._judge = judge

    @property
    def name(self) -> str:
        """The stable name."""
        return "ensemble"

    @property
    def version(self) -> str:
        """Changes whenever any verdict could change: the versions of its members."""
        members = [self._own, self._lexical, self._slots, *([self._judge] if self._judge is not None else [])]
        return "1+" + "+".join(f"{m.name}-{m.version}" for m in members)

    async def match(self, point: PointText, text: str) -> Coverage:
        """Judge one text against one point."""
        if point.verbatim:
            return self._lexical.judge(point, text)
        own = self._own.judge(point, text)
        if own.verdict is CoverageVerdict.CONVEYED:
            return own
        finding = self._slots.find(point, text)
        local = _fuller(own, self._slots.coverage(finding))
        if self._judge is None or finding.contradicted or finding.verdict is CoverageVerdict.CONVEYED:
            return local
        return self._with_judge(local, await self._judge.match(point, text))

    def _with_judge(self, local: Coverage, judged: Coverage) -> Coverage:
        """Let a judge decide what the local members left open; a part they miss keeps its "conveyed" back."""
        if judged.verdict is CoverageVerdict.CONVEYED and local.verdict is CoverageVerdict.PARTIAL:
            return replace(judged, verdict=CoverageVerdict.UNDECIDED, spans=(), why="judge and slots disagree")
        return local if judged.verdict is CoverageVerdict.UNDECIDED else judged


def _fuller(own: Coverage, slots: Coverage) -> Coverage:
    """Prefer the slots' verdict; take own wording's partial find only where slots found nothing."""
    if own.verdict is CoverageVerdict.PARTIAL and slots.verdict is CoverageVerdict.UNDECIDED:
        return own
    return slots
