"""The ledger takes what its table allows, refuses the rest unchanged, and is nothing but its events."""

# ruff: noqa: E501 - one refused fact, one row

from __future__ import annotations

from collections.abc import Callable

import pytest

from obligations import Ledger, ReplySpeaker, State
from obligations.errors import IllegalStep, ReplayMismatch
from obligations.ledger import (
    TRANSITIONS,
    CallBegan,
    CallEnded,
    ConfirmAsked,
    Delivered,
    Event,
    Evidence,
    FaqAsked,
    GuardTried,
    Intended,
    ItemStep,
    PhaseBegan,
    RedFlagRaised,
    Replied,
    SignalGiven,
    Started,
    Step,
    WordingSpan,
    WordsLeft,
    from_json,
    state_diagram,
    to_json,
)
from obligations.ledger.items import EVIDENCE_MAX
from obligations.pathway import Pathway
from obligations.testing import a_pathway, a_point, a_question

pytestmark = pytest.mark.unit

TEXT = "Drink water. Any pain?"
PATHWAY = a_pathway(
    a_point("water", "Drink water.", critical=True), a_question("pain", "Any pain?", "pain", critical=True)
)
HEARD_WATER = (Evidence(utterance_id="u1", start=0, end=11, quote="Drink water"),)
HEARD_PAIN = (Evidence(utterance_id="u1", start=13, end=21, quote="Any pain"),)


class Writing:
    """Writes events with their numbers."""

    def __init__(self, pathway: Pathway = PATHWAY) -> None:
        self.ledger = Ledger(pathway)
        self.at_s = 1.0
        self(
            CallBegan,
            call_id="c",
            pathway_id=pathway.id,
            pathway_version=pathway.version,
            pathway_digest=pathway.digest,
            language="en",
        )

    def __call__(self, kind: Callable[..., Event], **fields: object) -> None:
        self.ledger.apply(kind(seq=self.ledger.next_seq, at_s=self.at_s, **fields))

    def step(self, item_id: str, step: Step, **fields: object) -> None:
        self(ItemStep, item_id=item_id, step=step, **fields)

    def spoken(self, heard_chars: int = len(TEXT)) -> Writing:
        spans = (
            WordingSpan(id="water", start=0, end=11, need_end=11),
            WordingSpan(id="pain", start=13, end=21, need_end=21),
        )
        self(Intended, utterance_id="u1", text=TEXT, spans=spans)
        self(Started, utterance_id="u1")
        self(
            Delivered,
            utterance_id="u1",
            delivered_chars=heard_chars,
            heard_chars=heard_chars,
            complete=heard_chars == len(TEXT),
            interrupted=heard_chars != len(TEXT),
            exactness="exact",
        )
        return self

    def replied(self, speaker: ReplySpeaker = ReplySpeaker.PRIMARY, reply_id: str = "r1") -> Writing:
        self(Replied, reply_id=reply_id, text="No.", speaker=speaker)
        return self

    def refuses(self, kind: Callable[..., Event], **fields: object) -> str:
        before = self.ledger.digest()
        with pytest.raises(IllegalStep) as caught:
            self(kind, **fields)
        assert before == self.ledger.digest()
        return str(caught.value)


def asked() -> Writing:
    writing = Writing().spoken().replied()
    writing.step("pain", Step.OPENED)
    writing.step("pain", Step.HEARD, evidence=HEARD_PAIN)
    return writing


def test_a_point_goes_from_dormant_to_met_on_heard_words() -> None:
    """Opened, then heard: met, with the words that prove it."""
    writing = Writing().spoken()

    writing.step("water", Step.OPENED)
    writing.step("water", Step.HEARD, evidence=HEARD_WATER)

    record = writing.ledger.items["water"]
    assert (State.MET, HEARD_WATER, 1) == (record.state, record.evidence, record.attempts)


def test_a_question_goes_from_dormant_to_answered() -> None:
    """Opened, asked, answered by the primary speaker."""
    writing = asked()

    writing.step("pain", Step.ANSWERED, value="no", speaker=ReplySpeaker.PRIMARY, reply_id="r1")

    record = writing.ledger.items["pain"]
    assert State.ANSWERED is record.state
    assert record.answer is not None
    assert ("no", "r1") == (record.answer.value, record.answer.reply_id)


@pytest.mark.parametrize("item_id", ["water", "pain"])
@pytest.mark.parametrize("step", list(Step))
def test_a_step_the_table_does_not_know_raises_and_changes_nothing(item_id: str, step: Step) -> None:
    """A dormant item can be opened or waived, and nothing else."""
    writing = Writing().spoken().replied()
    fields = {
        "evidence": HEARD_WATER if item_id == "water" else HEARD_PAIN,
        "value": "no",
        "speaker": ReplySpeaker.PRIMARY,
        "reply_id": "r1",
        "why": "test",
    }

    if step in (Step.OPENED, Step.WAIVED):
        writing.step(item_id, step, **fields)
        assert (
            TRANSITIONS[writing.ledger.items[item_id].kind][step][State.DORMANT] is writing.ledger.items[item_id].state
        )
    else:
        assert "when dormant" in writing.refuses(ItemStep, item_id=item_id, step=step, **fields)


@pytest.mark.parametrize("heard_chars", [0, 5, 10])
def test_words_beyond_the_cut_are_no_evidence(heard_chars: int) -> None:
    """Whoever offers it: a point is not met by words that were not heard."""
    writing = Writing().spoken(heard_chars)
    writing.step("water", Step.OPENED)

    message = writing.refuses(ItemStep, item_id="water", step=Step.HEARD, evidence=HEARD_WATER)

    assert "evidence for water lies beyond what was heard" == message


def test_evidence_that_was_never_said_is_refused() -> None:
    """The quote must be the words at that place."""
    writing = Writing().spoken()
    writing.step("water", Step.OPENED)
    forged = (Evidence(utterance_id="u1", start=0, end=11, quote="Drink waves"),)

    assert "is not what was said" in writing.refuses(ItemStep, item_id="water", step=Step.HEARD, evidence=forged)


def test_nothing_is_heard_without_evidence() -> None:
    """A step that claims hearing must show the words."""
    writing = Writing().spoken()
    writing.step("water", Step.OPENED)

    assert "without the words that were heard" in writing.refuses(ItemStep, item_id="water", step=Step.HEARD)


@pytest.mark.parametrize("speaker", [ReplySpeaker.THIRD_PARTY, ReplySpeaker.UNSURE])
def test_only_the_primary_speaker_answers(speaker: ReplySpeaker) -> None:
    """A third party's or an unsure voice closes nothing."""
    writing = asked()

    message = writing.refuses(ItemStep, item_id="pain", step=Step.ANSWERED, value="no", speaker=speaker, reply_id="r1")

    assert "without the primary speaker's own word" in message


def test_only_the_primary_speaker_confirms() -> None:
    """A third party cannot confirm a third party."""
    writing = asked().replied(ReplySpeaker.THIRD_PARTY, "r2")

    message = writing.refuses(
        ItemStep,
        item_id="pain",
        step=Step.ANSWERED,
        value="no",
        speaker=ReplySpeaker.THIRD_PARTY,
        reply_id="r2",
        confirmed_by="r2",
    )

    assert "only the primary speaker can confirm" == message


def test_a_met_point_is_never_unmet() -> None:
    """No step leads out of met."""
    writing = Writing().spoken()
    writing.step("water", Step.OPENED)
    writing.step("water", Step.HEARD, evidence=HEARD_WATER)

    for step in (Step.CUT, Step.PART_HEARD, Step.WAIVED, Step.OPENED, Step.REFUSED):
        writing.refuses(ItemStep, item_id="water", step=step, why="x", reply_id="r1")


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (Started, {"utterance_id": "u9"}),
        (Started, {"utterance_id": "u1"}),
        (Delivered, {"utterance_id": "u1", "delivered_chars": 1, "heard_chars": 1, "complete": False, "interrupted": True, "exactness": "exact"}),
        (Intended, {"utterance_id": "u1", "text": "again"}),
        (Intended, {"utterance_id": "u2", "text": "x", "spans": (WordingSpan(id="water", start=0, end=9, need_end=9),)}),
        (Intended, {"utterance_id": "u2", "text": "x", "spans": (WordingSpan(id="nobody", start=0, end=1, need_end=1),)}),
        (PhaseBegan, {"phase": "opening"}),
        (Replied, {"reply_id": "r1", "text": "", "speaker": ReplySpeaker.PRIMARY}),
        (Replied, {"reply_id": "r2", "text": "", "speaker": ReplySpeaker.PRIMARY, "onset_during": "u9"}),
        (Replied, {"reply_id": "r2", "text": "", "speaker": ReplySpeaker.PRIMARY, "onset_during": "u1", "heard_chars_at_onset": 999}),
        (ItemStep, {"item_id": "nobody", "step": Step.OPENED}),
        (ItemStep, {"item_id": "pain", "step": Step.WAIVED, "reply_id": "r9", "why": "x"}),
        (ItemStep, {"item_id": "pain", "step": Step.WAIVED}),
        (ConfirmAsked, {"item_id": "water", "utterance_id": "u1"}),
        (RedFlagRaised, {"item_id": "pain", "value": "yes", "speaker": ReplySpeaker.PRIMARY, "reply_id": "r9", "certain": True}),
        (FaqAsked, {"group_id": "nothing", "reply_id": "r1"}),
        (SignalGiven, {"precondition_id": "nothing", "holds": False}),
        (GuardTried, {"reason": "end_frame", "item_ids": ("nobody",)}),
        (CallBegan, {"call_id": "d", "pathway_id": "", "pathway_version": "", "pathway_digest": "", "language": "en"}),
    ],
)  # fmt: skip
def test_a_fact_that_cannot_follow_raises_and_changes_nothing(
    kind: Callable[..., Event], fields: dict[str, object]
) -> None:
    """Unknown names, repeated facts and impossible extents are refused whole."""
    writing = Writing().spoken().replied()
    writing(PhaseBegan, phase="opening")

    writing.refuses(kind, **fields)


def test_events_have_no_gaps() -> None:
    """An event whose number is not the next one is refused, so two writers cannot both append."""
    writing = Writing()
    event = WordsLeft(seq=5, at_s=0.0, text="x", speaker=ReplySpeaker.PRIMARY)

    with pytest.raises(IllegalStep, match="event 5 cannot follow 1 events"):
        writing.ledger.apply(event)


def test_nothing_follows_the_end() -> None:
    """After call_ended the ledger is closed."""
    writing = Writing()
    writing(CallEnded, reason="completed")

    assert "nothing can follow the end" in writing.refuses(PhaseBegan, phase="main")


def test_the_first_event_begins_the_call() -> None:
    """A ledger without a beginning takes nothing."""
    with pytest.raises(IllegalStep, match="call_began is the first event"):
        Ledger(PATHWAY).apply(PhaseBegan(seq=0, at_s=0.0, phase="main"))


def test_delivered_never_exceeds_intended() -> None:
    """Heard <= delivered <= intended, and complete means all of it."""
    writing = Writing()
    writing(Intended, utterance_id="u1", text="Hello.")
    fields = {"utterance_id": "u1", "interrupted": False, "exactness": "exact"}

    writing.refuses(Delivered, delivered_chars=7, heard_chars=1, complete=False, **fields)
    writing.refuses(Delivered, delivered_chars=3, heard_chars=4, complete=False, **fields)
    writing.refuses(Delivered, delivered_chars=3, heard_chars=3, complete=True, **fields)


def test_replaying_the_events_rebuilds_the_ledger() -> None:
    """Written to JSON and back, the events make an equal ledger."""
    writing = asked()

    again = Ledger.replay(PATHWAY, [from_json(to_json(event)) for event in writing.ledger.events])

    assert writing.ledger.digest() == again.digest()
    assert writing.ledger.events == again.events


def test_the_digest_tells_two_ledgers_apart() -> None:
    """One step more is another digest."""
    writing = asked()
    before = writing.ledger.digest()

    writing.step("pain", Step.UNANSWERED, reply_id="r1")

    assert before != writing.ledger.digest()


def test_events_of_another_version_of_the_pathway_are_not_replayed() -> None:
    """A changed wording is another pathway: evidence would not mean the same."""
    other = a_pathway(a_point("water", "Drink much water."), a_question("pain", "Any pain?", "pain"))

    with pytest.raises(ReplayMismatch, match="written for test-pathway 1.0"):
        Ledger.replay(other, Writing().ledger.events)


def test_a_refused_event_is_not_in_the_list() -> None:
    """The list holds what was taken, in order, without gaps."""
    writing = Writing()
    writing.refuses(Started, utterance_id="u9")

    assert [0] == [event.seq for event in writing.ledger.events]


def test_the_diagram_draws_every_row_of_the_table() -> None:
    """No transition is missing from the picture."""
    for kind, steps in TRANSITIONS.items():
        drawn = state_diagram(kind)
        for step, rows in steps.items():
            for before, after in rows.items():
                line = next(line for line in drawn.splitlines() if line.startswith(f"    {before} --> {after}:"))
                assert step.value in line


def test_no_row_leads_out_of_a_closed_state() -> None:
    """What is closed stays closed: an answer may be corrected, an answer, a refusal or an advice taken back."""
    closed = {State.MET, State.ANSWERED, State.DECLINED, State.WAIVED}

    ways_out = {
        (kind, before, step, after)
        for kind, steps in TRANSITIONS.items()
        for step, rows in steps.items()
        for before, after in rows.items()
        if before in closed and step is not Step.RENEWED
    }

    assert {
        ("question", State.ANSWERED, Step.ANSWERED, State.ANSWERED),
        ("question", State.DECLINED, Step.ANSWERED, State.ANSWERED),
        ("question", State.ANSWERED, Step.DOUBTED, State.ASKED),
        ("question", State.DECLINED, Step.DOUBTED, State.ASKED),
        ("point", State.MET, Step.RETRACTED, State.OPEN),
    } == ways_out


@pytest.mark.parametrize(
    ("step", "fields", "lack"),
    [
        (Step.ANSWERED, {"value": "no", "speaker": ReplySpeaker.PRIMARY}, "a value, its speaker and its reply"),
        (Step.DOUBTED, {"reply_id": "r1"}, "a value, its speaker and its reply"),
        (Step.REPORTED, {"value": "no", "reply_id": "r1"}, "a value, its speaker and its reply"),
        (Step.DECLINED, {}, "the reply"),
        (Step.UNANSWERED, {}, "the reply"),
        (Step.REFUSED, {}, "the reply"),
        (Step.WAIVED, {}, "a reason"),
    ],
)
def test_a_step_must_show_what_it_rests_on(step: Step, fields: dict[str, object], lack: str) -> None:
    """No answer without its reply, no waiver without a reason."""
    assert f"without {lack}" in asked().refuses(ItemStep, item_id="pain", step=step, **fields)


def test_a_call_begun_for_another_pathway_is_refused() -> None:
    """Its evidence would mean something else here."""
    begin = CallBegan(
        seq=0, at_s=0.0, call_id="c", pathway_id="x", pathway_version="1.0", pathway_digest="0", language="en"
    )

    with pytest.raises(IllegalStep, match="begun for another pathway"):
        Ledger(PATHWAY).apply(begin)


def test_a_time_that_is_no_number_is_no_time() -> None:
    """NaN would make every comparison false in silence."""
    with pytest.raises(ValueError, match="finite"):
        PhaseBegan(seq=1, at_s=float("nan"), phase="main")


def test_evidence_kept_for_one_item_is_bounded() -> None:
    """Older pieces stay in the event list."""
    writing = Writing().spoken(5)
    writing.step("water", Step.OPENED)
    piece = (Evidence(utterance_id="u1", start=0, end=5, quote="Drink"),)
    for _ in range(EVIDENCE_MAX + 1):
        writing.step("water", Step.PART_HEARD, evidence=piece, cut_at="Drink")

    assert EVIDENCE_MAX == len(writing.ledger.items["water"].evidence)
