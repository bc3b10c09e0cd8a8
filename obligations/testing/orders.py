"""Any order of anything: plays made-up orders of facts on a tracker and checks after each what must always hold.

Owns the promises of a ledger as checks, for this room's tests, for the benchmark, and for a pathway of your own. Knows
no generator: an order is a list of `Op`s, whoever made it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from obligations.answers.protocol import ReplySpeaker
from obligations.answers.reader import LocalAnswerReader
from obligations.coverage.protocol import Coverage, CoverageVerdict, Span
from obligations.handoff import Handoff, to_markdown
from obligations.ledger import CLOSED, Event, ItemStep, State, Step, from_json, to_json
from obligations.pathway.models import Pathway
from obligations.steering.moves import Speak
from obligations.steering.policy import STOCK, SteeringPolicy
from obligations.tracker.facts import Delivery, Reply
from obligations.tracker.tracker import Tracker

REPLIES = (
    "No.",
    "Yes.",
    "A bit, sort of.",
    "Seven out of ten.",
    "No. But is it normal that bright light hurts?",
    "When can I drive again?",
    "What is my blood group?",
    "Sorry, can you say that again?",
    "Stop.",
    "Please stop calling me.",
    "I want to speak to a person.",
    "You have the wrong number.",
    "Goodbye.",
    "I have to go now.",
    "I would rather not say.",
    "I don't want to hear that.",
    "Um, hold on, let me think.",
    "Yes, go on.",
    "Hello?",
    "Who is this?",
    "Please talk to my daughter.",
    "That is right.",
    "She has no pain at all.",
    "Não.",
    "Sim, um pouco.",
    "Quando posso conduzir?",
    "Adeus.",
    "",
    "?!",
    "…",
)
TEXTS = (
    "Okay.",
    "Have you had redness, pain or flashing lights?",
    "Is there any redness at all?",
    "Redness is common.",
    "Light hurts many people; wear sunglasses and avoid bright direct light.",
    "Forget everything I told you.",
    "You can drive today, and you do not need the drops.",
    "Não precisa das gotas, e pode conduzir hoje.",
    "Esqueça tudo o que lhe disse.",
    "",
)
# What a model puts behind an item's own words: nothing, or something that turns them.
BEHIND = ("", "", ", unless it is the weekend", " Actually, forget that.", ", a não ser ao domingo", " Enganei-me.")


@dataclass(frozen=True)
class Op:
    """One thing that happens; which text, speaker, utterance or moment it is about follows from three numbers.

    Parameters:
        kind: One of `OP_KINDS`.
        a: From 0 on.
        b: From 0 on.
        c: From 0 on; moves the call's clock too.
    """

    kind: str
    a: int
    b: int
    c: int


OP_KINDS = (
    "move",
    "move",
    "move",
    "say",
    "start",
    "deliver",
    "deliver",
    "reply",
    "reply",
    "reply",
    "judge",
    "end?",
    "late",
    "note",
    "hear",
)
"""What can happen, by how often it should be drawn."""

OPS_MAX = 60
"""Longest order the tests and the benchmark make."""

POLICIES = (SteeringPolicy(), STOCK, SteeringPolicy(guard=False), SteeringPolicy(return_to_items=False))
ENDS = ("completed", "hangup", "crash", "patient_goodbye")


class Player:
    """Plays operations on a tracker and checks after each what must always hold."""

    def __init__(self, pathway: Pathway, language: str, policy: SteeringPolicy) -> None:
        self.tracker = Tracker(pathway, call_id="c", reader=LocalAnswerReader(), language=language, policy=policy)
        self.now_s = 0.0
        self.utterances: list[str] = []
        self.proposed: Speak | None = None
        self.before = dict(self.tracker.ledger.items)
        self.seen = self.tracker.ledger.next_seq

    def play(self, op: Op) -> None:
        """Play one operation.

        Raises:
            AssertionError: A promise does not hold behind it.
        """
        self.now_s += (op.c % 13) * 0.9
        heard_before = {u.id: u.heard_chars for u in self.tracker.ledger.call.utterances.values()}
        getattr(self, "_" + op.kind.replace("?", ""))(op)
        self._check(op, heard_before)

    def _move(self, op: Op) -> None:
        move = self.tracker.next_move(self.now_s)
        self.proposed = move if isinstance(move, Speak) else None
        if self.proposed is not None and op.a % 4:
            self._intend(self.proposed.text)

    def _say(self, op: Op) -> None:
        pathway = self.tracker.pathway
        items = [item.wording[self.tracker.language] for item in pathway.items.values()]
        turned = [f"{item.rstrip('.')}{BEHIND[op.c % len(BEHIND)]}." for item in items]
        pool = (*TEXTS, *items, *turned, " ".join(items[op.b % len(items) :][:3]))
        self._intend(pool[op.a % len(pool)])

    def _start(self, op: Op) -> None:
        self.tracker.started(self._utterance(op.a), self.now_s)

    def _deliver(self, op: Op) -> None:
        complete = op.b % 3 == 0
        self.tracker.delivered(
            Delivery(
                utterance_id=self._utterance(op.a),
                delivered_chars=op.c % 150,
                complete=complete,
                interrupted=not complete and op.b % 2 == 0,
                exactness="exact" if op.b % 5 else "estimated",
                margin_chars=op.b % 7,
            ),
            self.now_s,
        )

    def _reply(self, op: Op) -> None:
        speakers = (ReplySpeaker.PRIMARY, ReplySpeaker.PRIMARY, ReplySpeaker.INFERRED, *ReplySpeaker)
        during = self._utterance(op.c) if op.c % 3 == 0 else None
        self.tracker.reply(
            Reply(
                text=REPLIES[op.a % len(REPLIES)],
                now_s=self.now_s,
                speaker=speakers[op.b % len(speakers)],
                label="S" if op.b % 2 else "",
                onset_during=during,
                heard_chars_at_onset=op.b % 120 if during and op.a % 2 else None,
                is_backchannel=op.b % 11 == 0,
            )
        )

    def _judge(self, op: Op) -> None:
        points = list(self.tracker.pathway.points)
        spans = (Span(op.b % 40, op.b % 40 + op.c % 60),)
        verdict = list(CoverageVerdict)[op.c % 4]
        coverage = Coverage(verdict=verdict, matcher="judge@1" if op.c % 2 else "own-wording@1", spans=spans)
        self.tracker.judged(self._utterance(op.a), points[op.b % len(points)], coverage, self.now_s)

    def _end(self, op: Op) -> None:
        reasons = ("agent_goodbye", "patient_goodbye", "end_frame", "end_tool", "hangup")
        verdict = self.tracker.may_end(reasons[op.a % 5], self.now_s)
        if isinstance(verdict, Speak) and op.b % 3:
            self._intend(verdict.text)

    def _late(self, op: Op) -> None:
        move = self.tracker.overdue(self.now_s)
        if move is not None and op.a % 2:
            self._intend(move.text)

    def _note(self, op: Op) -> None:
        limit = 200 + op.a
        assert len(self.tracker.note(limit) or "") <= limit

    def _hear(self, op: Op) -> None:
        self.tracker.hearing(REPLIES[op.a % len(REPLIES)])

    def _intend(self, text: str) -> None:
        self.utterances.append(f"u{len(self.utterances)}")
        self.tracker.intended(self.utterances[-1], text, self.now_s)

    def _utterance(self, number: int) -> str:
        recent = self.utterances[-3:]
        return recent[number % len(recent)] if recent else "u-unknown"

    def _check(self, op: Op, heard_before: dict[str, int]) -> None:
        after = dict(self.tracker.ledger.items)
        new = self.tracker.ledger.events_since(self.seen)
        self.seen = self.tracker.ledger.next_seq
        # Another person on the line has heard nothing yet, the patient took an answer back, or the agent took a point
        # back within earshot: the only three reasons for which an item is owed again.
        again = (Step.RENEWED, Step.DOUBTED, Step.RETRACTED)
        renewed = {event.item_id for event in new if event.kind == "item_step" and event.step in again}
        self._check_mistold(op, new)
        for item_id, record in after.items():
            was = self.before[item_id]
            kept = was.state not in CLOSED or record.state in CLOSED or item_id in renewed
            assert kept, f"{item_id} was re-opened by {op}"
            if was.state is not State.MET and record.state is State.MET:
                assert op.kind in ("deliver", "judge", "start"), f"{op} met {item_id}"
            if record.state is State.ANSWERED and was.state is not State.ANSWERED:
                assert op.kind == "reply"
        for utterance in self.tracker.ledger.call.utterances.values():
            assert utterance.heard_chars <= len(utterance.text)
            # A reply's onset may have claimed more than its delivery then proves: of contradicting facts the lesser is
            # believed. What was closed on the claim is open again or lies within the rest (`play_out` looks).
            fewer = utterance.heard_chars < heard_before.get(utterance.id, 0)
            assert not fewer or (op.kind == "deliver" and utterance.ended)
        self.before = after

    def _check_mistold(self, op: Op, new: Sequence[Event]) -> None:
        """Only words that were heard, and are not the pathway's own, are told against a point."""
        for event in new:
            if not isinstance(event, ItemStep) or event.step not in (Step.MISTOLD, Step.RETRACTED):
                continue
            assert op.kind in ("deliver", "judge", "start"), f"{op} told {event.item_id} otherwise"
            own = {item.wording[self.tracker.language] for item in self.tracker.pathway.items.values()}
            for piece in event.evidence:
                utterance = self.tracker.ledger.call.utterances[piece.utterance_id]
                assert utterance.ended
                assert piece.end <= utterance.heard_chars
                assert piece.quote.strip() not in own, f"own wording taken for words against {event.item_id}"


def every_owed_item_stands_in_one_list(tracker: Tracker, handoff: Handoff) -> None:
    """Check that a hand-off loses no obligation.

    Raises:
        AssertionError: One stands in no list, in two, or open without a reason.
    """
    lists = [
        [answer.item_id for answer in handoff.answers],
        [point.item_id for point in handoff.delivered],
        [item.item_id for item in handoff.open_items],
        [item.item_id for item in handoff.set_aside],
    ]
    listed = [item_id for ids in lists for item_id in ids]
    owed = [r.id for r in tracker.ledger.items.values() if r.state is not State.DORMANT]
    assert sorted(owed) == sorted(listed)
    for item in handoff.open_items:
        assert item.detail
        assert bool(item.mistold) == (item.reason == "not_as_required")


def play_out(ops: Sequence[Op], pathway: Pathway, language: str, policy: SteeringPolicy, end: str) -> int:
    """Play a whole order to its hand-off, write it, read it back, and check every promise.

    Returns:
        Ledger events it made.

    Raises:
        AssertionError: A promise does not hold.
    """
    player = Player(pathway, language, policy)

    for op in ops:
        player.play(op)
    tracker = player.tracker
    handoff = tracker.handoff(end, player.now_s)

    every_owed_item_stands_in_one_list(tracker, handoff)
    for point in handoff.delivered:
        for piece in point.evidence:
            utterance = tracker.ledger.call.utterances[piece.utterance_id]
            assert piece.end <= utterance.heard_chars
            assert piece.quote == utterance.text[piece.start : piece.end]
    written = [from_json(to_json(event)) for event in tracker.events]
    assert list(tracker.events) == written
    again = Tracker.resume(tracker.pathway, written, reader=LocalAnswerReader(), policy=policy)
    assert tracker.ledger.digest() == again.ledger.digest()
    assert handoff == again.handoff("anything else", 1e6)
    assert handoff == Handoff.model_validate_json(handoff.model_dump_json())
    assert to_markdown(handoff)
    return len(tracker.events)
