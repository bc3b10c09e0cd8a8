"""The local matcher for free wording: every slot of the point stated, none contradicted, nothing optional about it.

Owns the decision. Conveyed only when all slots stand close together in stated sentences and no guard fires; anything
less is
partial, not conveyed or undecided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from obligations.coverage.guards import (
    added_beside,
    both_signs,
    denied_elsewhere,
    loose_wording,
    narrated,
    only_asked,
    reversal,
    told_of_listener,
    unconditioned,
)
from obligations.coverage.guards_things import (
    amount_conflict,
    class_conflict,
    extra_member,
    foreign_modifier,
    nearer_amount,
    opposite_relation,
    other_ordinal,
    swapped,
    turned_relation,
)
from obligations.coverage.lexicon.concepts import lexicon_for
from obligations.coverage.mentions import Reading, read_text
from obligations.coverage.placing import Placed, place
from obligations.coverage.protocol import Coverage, CoverageVerdict, PointText, Span
from obligations.coverage.retraction import taken_back, whole_sentences
from obligations.coverage.slots import PointSlots, is_time, slots_of

SPREAD_BASE_WORDS = 16
SPREAD_PER_WORD = 3.0
"""How far apart, in words, the slots of one point may stand: a base and so many per word of the point."""
PARTIAL_SHARE_MIN = 0.5


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one statement in one text.

    Parameters:
        verdict: The verdict on this statement.
        why: One short reason, no transcript text.
        share: Share of the slots and amounts that were found, 0..1.
        spans: Characters of what was found.
        contradicted: Whether the text says something else in its place; such a finding vetoes other matchers.
    """

    verdict: CoverageVerdict
    why: str
    share: float
    spans: tuple[Span, ...] = ()
    contradicted: bool = False


class SlotMatcher:
    """Matches free wording by slots, in English and European Portuguese; every other language is UNDECIDED.

    Promises: pure and total, no model, no network; UNDECIDED or worse whenever a number, a time, a person or a sign is
    in doubt.
    """

    @property
    def name(self) -> str:
        """The stable name."""
        return "slots"

    @property
    def version(self) -> str:
        """Changes whenever any verdict could change."""
        return "7"

    async def match(self, point: PointText, text: str) -> Coverage:
        """Judge one text against one point."""
        return self.judge(point, text)

    def judge(self, point: PointText, text: str) -> Coverage:
        """Judge at once; the same as `match`, without awaiting."""
        return self.coverage(self.find(point, text))

    def find(self, point: PointText, text: str) -> Finding:
        """Look for a point in a text and say as well whether the text contradicts it.

        Its own wording conveys it, or all of `must_convey` do; what it must not be confused with holds it back.
        """
        if point.verbatim or not (point.wording or point.must_convey):
            return Finding(CoverageVerdict.UNDECIDED, "only its exact wording counts", 0.0)
        ways = [_together([find_statement(s, text, point.language) for s in w]) for w in _ways(point)]
        finding = max(ways, key=lambda f: _RANK[f.verdict])
        if finding.verdict is not CoverageVerdict.CONVEYED:
            finding = next((f for f in ways if f.contradicted), finding)
        if finding.verdict is CoverageVerdict.CONVEYED and _confused(point, text):
            return Finding(CoverageVerdict.UNDECIDED, "says what it must not be confused with", finding.share)
        return finding

    def coverage(self, finding: Finding) -> Coverage:
        """Give a finding the form of a verdict."""
        spans = finding.spans if finding.verdict in {CoverageVerdict.CONVEYED, CoverageVerdict.PARTIAL} else ()
        return Coverage(
            verdict=finding.verdict,
            matcher=f"{self.name}@{self.version}",
            spans=spans,
            score=finding.share,
            why=finding.why,
        )


_RANK = {
    CoverageVerdict.CONVEYED: 3,
    CoverageVerdict.PARTIAL: 2,
    CoverageVerdict.UNDECIDED: 1,
    CoverageVerdict.NOT_CONVEYED: 0,
}


def _ways(point: PointText) -> list[tuple[str, ...]]:
    """The sets of statements by which a point can be conveyed."""
    return [w for w in ((point.wording,) if point.wording else (), point.must_convey) if w]


def _confused(point: PointText, text: str) -> bool:
    return any(
        find_statement(other, text, point.language).verdict is CoverageVerdict.CONVEYED
        for other in point.not_confused_with
    )


def _together(findings: Sequence[Finding]) -> Finding:
    """Join the findings of a point's statements: all conveyed, or the worst of them decides."""
    contradicted = next((f for f in findings if f.contradicted), None)
    if contradicted is not None:
        return contradicted
    kinds = {f.verdict for f in findings}
    spans = tuple(s for f in findings for s in f.spans)
    share = min(f.share for f in findings)
    if kinds == {CoverageVerdict.CONVEYED}:
        return Finding(CoverageVerdict.CONVEYED, findings[0].why, share, spans)
    if CoverageVerdict.UNDECIDED in kinds:
        return Finding(
            CoverageVerdict.UNDECIDED, next(f.why for f in findings if f.verdict is CoverageVerdict.UNDECIDED), share
        )
    if kinds & {CoverageVerdict.CONVEYED, CoverageVerdict.PARTIAL}:
        return Finding(CoverageVerdict.PARTIAL, "some of its statements are missing", share, spans)
    return findings[0]


def find_statement(statement: str, text: str, language: str) -> Finding:
    """Look for one statement in one text.

    Args:
        statement: What must have been understood, one atomic statement.
        text: What was delivered.
        language: BCP 47 tag of both.

    Returns:
        The finding; UNDECIDED where the language has no lexicon or the statement cannot be taken apart.
    """
    point, own, reading = slots_of(statement, language), read_text(statement, language), read_text(text, language)
    if point is None or own is None or reading is None:
        return Finding(CoverageVerdict.UNDECIDED, "no lexicon for it", 0.0)
    placed = place(point, reading, language)
    share = (len(placed.slots) + len(placed.amounts)) / (len(point.slots) + len(point.amounts))
    wrong = (
        reversal(point, placed, reading, language)
        or only_asked(point, placed, reading)
        or narrated(point, placed, reading, own, language)
        or amount_conflict(point, placed, reading)
        or class_conflict(point, placed, reading, language)
    )
    if wrong is not None:
        return Finding(CoverageVerdict.NOT_CONVEYED, wrong, share, contradicted=True)
    spans = tuple(_span(p.first, p.last, reading) for p in placed.places)
    if not placed.complete(point):
        return _incomplete(point, placed, share, spans, language)
    doubt = _doubt(point, placed, reading, own, language)
    if doubt is not None:
        return Finding(CoverageVerdict.UNDECIDED, doubt, share)
    if taken_back(text, language, *whole_sentences(text, spans[0].start, spans[-1].end)) is not None:
        return Finding(CoverageVerdict.UNDECIDED, "a sentence around it takes it back or only quotes it", share)
    return Finding(CoverageVerdict.CONVEYED, "every part is stated", share, spans)


def _doubt(point: PointSlots, placed: Placed, reading: Reading, own: Reading, language: str) -> str | None:
    if placed.last - placed.first > SPREAD_BASE_WORDS + SPREAD_PER_WORD * point.length:
        return "its parts stand far apart"
    return (
        both_signs(point, placed, reading, own, language)
        or denied_elsewhere(point, placed, reading, own)
        or told_of_listener(placed, reading, language)
        or swapped(point, placed, language)
        or turned_relation(point, placed, reading, own, language)
        or nearer_amount(point, placed, reading)
        or other_ordinal(placed, reading, own, language)
        or extra_member(point, placed, reading, language)
        or foreign_modifier(point, placed, reading, language)
        or opposite_relation(point, placed, reading, own, language)
        or loose_wording(point, placed, reading, own, language)
        or added_beside(point, placed, reading, own, language)
        or unconditioned(point, reading, placed, own, language)
    )


def _incomplete(point: PointSlots, placed: Placed, share: float, spans: tuple[Span, ...], language: str) -> Finding:
    """Say what a statement with parts missing is: partial when its core is there, else not conveyed."""
    lexicon = lexicon_for(language)
    if lexicon is None:
        return Finding(CoverageVerdict.UNDECIDED, "no lexicon for it", share)
    core = any(point.slots[k].core for k in placed.slots)
    main = [k for k, s in enumerate(point.slots) if not s.condition and not is_time(s, lexicon)]
    told = [k for k in main if k in placed.slots]
    enough = len(told) >= 2 or len(told) == len(main) or (share >= PARTIAL_SHARE_MIN and bool(told))
    if core and enough:
        return Finding(CoverageVerdict.PARTIAL, "some parts are missing", share, spans)
    return Finding(CoverageVerdict.NOT_CONVEYED, "its core is not stated", share)


def _span(first: int, last: int, reading: Reading) -> Span:
    return reading.source.span(first, last)
