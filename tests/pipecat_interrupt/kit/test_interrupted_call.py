"""The demo's call on doubles: what ours recovers and stock loses, from the same pipeline and the same patient."""

from __future__ import annotations

from functools import cache

import pytest
from pipecat.frames.frames import EndFrame

from pipecat_interrupt.demo.patient import PatientCue
from pipecat_interrupt.journal import verify_chain
from pipecat_interrupt.journal.entries import CallEnded, MoveMade, PathwayNamed
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.summary import CallSummary
from pipecat_interrupt.testing.call import CallParts, CallResult

from .calls import scripted_demo

pytestmark = pytest.mark.pipeline


@cache
def _played(system: str) -> tuple[InterruptKit, CallResult]:
    return scripted_demo(system)


def _summary(system: str) -> CallSummary:
    return _played(system)[0].summary()


def _state(summary: CallSummary, item_id: str) -> str:
    return next(o.state for o in summary.obligations if o.id == item_id)


def test_ours_closes_every_critical_item_after_the_cut() -> None:
    """The escalation advice that was cut is returned to and heard; nothing critical stays open."""
    summary = _summary("ours")

    assert [o.id for o in summary.obligations if o.critical and not o.closed] == []
    assert [_state(summary, i) for i in ("light.reassurance", "light.escalation", "light.mild-advice")] == ["met"] * 3


def test_stock_loses_the_escalation_advice_and_says_so_in_the_hand_off() -> None:
    """The same call without return and guard ends politely with the advice unheard, and the hand-off names it."""
    kit, _ = _played("stock")

    assert _state(kit.summary(), "light.escalation") == "partial"
    assert kit.handoff is not None
    assert kit.handoff.open_items[0].item_id == "light.escalation"
    assert "cut at" in kit.handoff.open_items[0].detail


@pytest.mark.parametrize("system", ["ours", "stock"])
def test_evidence_lies_inside_delivered_text(system: str) -> None:
    """Every quoted piece of evidence is a stretch of text that was delivered in that very utterance."""
    kit, _ = _played(system)
    delivered = {r.id: r.delivered for r in kit.scribe.records}
    assert kit.tracker is not None

    quotes = [e for item in kit.tracker.ledger.items.values() for e in item.evidence]

    assert quotes
    assert all(delivered[e.utterance_id][e.start : e.end] == e.quote for e in quotes)


@pytest.mark.parametrize("system", ["ours", "stock"])
def test_what_counts_as_delivered_was_heard_by_the_ear(system: str) -> None:
    """The ear's own words (found by matching samples) agree with every record, within the word being cut."""
    kit, result = _played(system)
    heard = [context.text for context in result.heard]

    for record, ear in zip(kit.scribe.records, heard, strict=True):
        words, ear_words = record.delivered.split(), ear.split()
        assert ear_words[: len(words)] == words
        assert len(ear_words) - len(words) in (0, 1)


def test_a_cut_names_who_when_and_how() -> None:
    """The competitive cut and the recognitional answer stand with their records."""
    cut = [u for u in _summary("ours").utterances if u.cut is not None]

    assert [(u.overlap.kind, u.overlap.verdict, u.overlap.speaker) for u in cut if u.overlap] == [
        ("competitive", "question", "primary"),
        ("recognitional", "answer", "primary"),
    ]


def test_the_answer_over_the_last_words_counts_because_the_focus_was_heard() -> None:
    """The question about floaters was cut behind its focus, so "No." answers it and it is not asked again."""
    summary = _summary("ours")

    assert _state(summary, "floaters") == "answered"
    assert sum("floaters" in u.intended for u in summary.utterances) == 1


def test_the_journal_is_whole_and_ends_with_the_hand_off() -> None:
    """The chain verifies, and the last entry names the end."""
    entries = _played("ours")[0].memory.entries

    assert verify_chain(entries) == len(entries)
    assert isinstance(entries[-1].data, CallEnded)
    assert entries[-1].data.reason == "completed"


def test_the_journal_names_what_the_call_has_to_cover() -> None:
    """A reader of the journal alone knows every item, its wording and whether it is critical."""
    kit, _ = _played("ours")
    named = next(e.data for e in kit.memory.entries if isinstance(e.data, PathwayNamed))

    items = {item.id: item for item in named.items}
    assert kit.tracker is not None
    assert list(items) == list(kit.tracker.ledger.items)
    assert (items["pain"].item, items["pain"].critical) == ("question", True)
    assert items["pain"].wording == "Do you have any pain in your eye?"
    assert named.title == "Follow-up after a cataract operation"


def test_an_answer_before_the_focus_leaves_the_question_open_and_it_is_asked_again() -> None:
    """Cut at "Have you", a "No." answers nothing; ours asks the whole question, stock never does."""
    early = (PatientCue("have you seen", "flashes_no", when="during", delay_s=0.0, times=1), *_rest())

    ours, _ = scripted_demo("ours", cues=early)
    stock, _ = scripted_demo("stock", cues=early)

    asked = [u.intended for u in ours.summary().utterances if "new floaters" in u.intended]
    assert len(asked) == 2
    assert _state(ours.summary(), "floaters") == "answered"
    assert _state(stock.summary(), "floaters") in ("open", "asked")


def _rest() -> tuple[PatientCue, ...]:
    return (
        PatientCue("redness in your eye", "no_short"),
        PatientCue("pain in your eye", "pain_no"),
        PatientCue("blurry or got worse", "blurry_no"),
        PatientCue("dots or threads", "floaters_no"),
        PatientCue("flashing lights", "flashes_no"),
    )


def test_a_hang_up_in_mid_utterance_writes_one_hand_off_with_what_was_cut() -> None:
    """The line drops during the disclosure: delivered text stands, the rest is open, the reason is the hang-up."""
    kit, _ = scripted_demo("ours", duration_s=6.0)

    assert kit.handoff is not None
    assert kit.handoff.end_reason == "hang_up"
    open_items = {item.item_id for item in kit.handoff.open_items}
    assert {"disclosure.objection", "redness", "pain"} <= open_items
    assert [e.data.kind for e in kit.memory.entries].count("call_ended") == 1


def test_the_guard_holds_an_end_of_the_call_until_critical_items_are_spoken() -> None:
    """The application ends the call early: the guard speaks what is critical first, within its bounds, then lets go."""

    async def end(parts: CallParts, kit: InterruptKit) -> None:
        await parts.worker.queue_frame(EndFrame())

    kit, result = scripted_demo("ours", cues=_rest(), at=[(20.0, end)])

    moves = [e.data.purpose for e in kit.memory.entries if isinstance(e.data, MoveMade)]
    assert "guard" in moves
    assert moves[-1] == "release"
    assert result.ended_itself
    assert kit.handoff is not None


def test_stock_lets_the_call_end_at_once() -> None:
    """Without a guard an end is an end, and the hand-off still names what is open."""

    async def end(parts: CallParts, kit: InterruptKit) -> None:
        await parts.worker.queue_frame(EndFrame())

    kit, result = scripted_demo("stock", cues=_rest(), at=[(25.0, end)])

    assert "guard" not in [e.data.purpose for e in kit.memory.entries if isinstance(e.data, MoveMade)]
    assert result.duration_s < 30.0  # what was queued is spoken, nothing is added
    assert kit.handoff is not None
    assert kit.handoff.open_items
