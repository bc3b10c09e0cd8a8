"""A matcher's verdict counts as far as the text was delivered, and closes critical points only with a licence."""

from __future__ import annotations

import pytest

from obligations import Coverage, CoverageVerdict, Delivery, Span, State, Tracker
from obligations.testing import PlainReader, a_pathway, a_point

pytestmark = pytest.mark.unit

TEXT = "Well, a bit of glare is nothing to worry about, but do call us if it hurts badly."
GLARE = Span(6, 46)
CALL = Span(52, 80)
PATHWAY = a_pathway(a_point("glare", "Some glare is normal."), a_point("call", "Call us for bad pain.", critical=True))


def spoken(heard: int | None = None, licences: tuple[str, ...] = ()) -> Tracker:
    tracker = Tracker(PATHWAY, call_id="c", reader=PlainReader(), licences=licences)
    tracker.intended("u1", TEXT, 0.0)
    tracker.started("u1", 0.1)
    if heard is not None:
        end(tracker, heard)
    return tracker


def end(tracker: Tracker, heard: int = len(TEXT)) -> None:
    complete = heard == len(TEXT)
    tracker.delivered(
        Delivery(utterance_id="u1", delivered_chars=heard, complete=complete, interrupted=not complete), 1.0
    )


def judged(verdict: CoverageVerdict, *spans: Span, matcher: str = "judge@1") -> Coverage:
    return Coverage(verdict=verdict, matcher=matcher, spans=spans)


def test_a_verdict_closes_a_point_that_is_not_critical() -> None:
    """Conveyed, and all its words delivered."""
    tracker = spoken(len(TEXT))

    tracker.judged("u1", "glare", judged(CoverageVerdict.CONVEYED, GLARE), 2.0)

    record = tracker.ledger.items["glare"]
    assert (State.MET, "judge@1") == (record.state, record.evidence[0].by)


def test_an_unlicensed_verdict_never_closes_a_critical_point() -> None:
    """Without a certificate only own wording does."""
    tracker = spoken(len(TEXT))

    assert () == tracker.judged("u1", "call", judged(CoverageVerdict.CONVEYED, CALL), 2.0)
    assert State.OPEN is tracker.ledger.items["call"].state


@pytest.mark.parametrize(("licences", "matcher"), [(("judge@1",), "judge@1"), ((), "own-wording@1")])
def test_a_licensed_verdict_closes_a_critical_point(licences: tuple[str, ...], matcher: str) -> None:
    """By name and version; own wording needs none."""
    tracker = spoken(len(TEXT), licences)

    tracker.judged("u1", "call", judged(CoverageVerdict.CONVEYED, CALL, matcher=matcher), 2.0)

    assert State.MET is tracker.ledger.items["call"].state


def test_a_licence_is_for_one_version() -> None:
    """A newer matcher must be measured anew."""
    tracker = spoken(len(TEXT), ("judge@1",))

    tracker.judged("u1", "call", judged(CoverageVerdict.CONVEYED, CALL, matcher="judge@2"), 2.0)

    assert State.OPEN is tracker.ledger.items["call"].state


def test_a_verdict_on_words_that_were_cut_is_partial() -> None:
    """The words that convey it must lie wholly inside what was delivered."""
    tracker = spoken(30)

    tracker.judged("u1", "glare", judged(CoverageVerdict.CONVEYED, GLARE), 2.0)

    record = tracker.ledger.items["glare"]
    assert (State.PARTIAL, TEXT[6:30]) == (record.state, record.evidence[0].quote)


def test_a_verdict_that_comes_before_the_end_waits_for_the_delivery() -> None:
    """Judged while still being spoken: it counts when, and as far as, the words were heard."""
    tracker = spoken()
    tracker.judged("u1", "glare", judged(CoverageVerdict.CONVEYED, GLARE), 0.5)
    before = tracker.ledger.items["glare"].state

    end(tracker)

    assert (State.OPEN, State.MET) == (before, tracker.ledger.items["glare"].state)


@pytest.mark.parametrize("verdict", [CoverageVerdict.UNDECIDED, CoverageVerdict.NOT_CONVEYED])
def test_an_undecided_matcher_leaves_the_point_open(verdict: CoverageVerdict) -> None:
    """Even when it names spans."""
    tracker = spoken(len(TEXT))

    tracker.judged("u1", "glare", judged(verdict, GLARE), 2.0)

    assert State.OPEN is tracker.ledger.items["glare"].state


@pytest.mark.parametrize("spans", [(), (Span(0, 500),), (Span(5, 5),)])
def test_a_verdict_without_real_words_closes_nothing(spans: tuple[Span, ...]) -> None:
    """No spans, spans outside the text, empty spans: no evidence."""
    tracker = spoken(len(TEXT))

    tracker.judged("u1", "glare", judged(CoverageVerdict.CONVEYED, *spans), 2.0)

    assert State.OPEN is tracker.ledger.items["glare"].state


def test_a_verdict_about_something_unknown_is_ignored() -> None:
    """An unknown utterance or item does nothing and raises nothing."""
    tracker = spoken(len(TEXT))

    assert () == tracker.judged("u9", "glare", judged(CoverageVerdict.CONVEYED, GLARE), 2.0)
    assert () == tracker.judged("u1", "nothing", judged(CoverageVerdict.CONVEYED, GLARE), 2.0)
