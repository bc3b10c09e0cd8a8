"""Whatever happens in a call, in whatever order: nothing raises, nothing closed opens, nothing open is lost."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from obligations import (
    STOCK,
    Delivery,
    Ledger,
    State,
    SteeringPolicy,
    Tracker,
    load_pathway,
)
from obligations.answers.reader import LocalAnswerReader
from obligations.ledger import next_state
from obligations.testing import ScriptedCall
from obligations.testing.orders import (
    ENDS,
    OP_KINDS,
    OPS_MAX,
    POLICIES,
    REPLIES,
    Op,
    Player,
    every_owed_item_stands_in_one_list,
    play_out,
)

pytestmark = pytest.mark.unit

PATHWAYS = {
    (name, tag): load_pathway(name) for name, tag in [("cataract-followup", "en"), ("cataract-followup", "pt-PT")]
}
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])

OPS = st.lists(
    st.builds(Op, st.sampled_from(OP_KINDS), st.integers(0, 1000), st.integers(0, 1000), st.integers(0, 1000)),
    max_size=OPS_MAX,
)


@given(ops=OPS, which=st.sampled_from(sorted(PATHWAYS)), policy=st.sampled_from(POLICIES), end=st.sampled_from(ENDS))
@QUICK
def test_no_order_of_events_loses_an_item_or_reopens_one(
    ops: list[Op], which: tuple[str, str], policy: SteeringPolicy, end: str
) -> None:
    """Every owed item ends in exactly one list of the hand-off; closed ones stay closed; replay rebuilds all of it.

    The same over 10,000 orders and every bundled pathway: `python -m benchmarks eval ledger-orders`.
    """
    play_out(ops, PATHWAYS[which], which[1], policy, end)


@given(ops=OPS, cut=st.integers(0, 60))
@QUICK
def test_a_worker_that_takes_over_makes_the_same_next_move(ops: list[Op], cut: int) -> None:
    """A call continued from the events of a dead worker goes on as the dead one would have."""
    player = Player(PATHWAYS["cataract-followup", "en"], "en", SteeringPolicy())
    for op in ops[:cut]:
        player.play(op)
    heir = Tracker.resume(player.tracker.pathway, player.tracker.events, reader=LocalAnswerReader())

    assert player.tracker.next_move(player.now_s) == heir.next_move(player.now_s)
    assert player.tracker.note() == heir.note()


@given(
    cut_chars=st.integers(0, 400),
    margin_chars=st.integers(0, 20),
    words=st.sampled_from(["Is it normal that bright light hurts?", "No.", ""]),
)
@QUICK
def test_an_interruption_never_closes_what_was_not_heard(cut_chars: int, margin_chars: int, words: str) -> None:
    """Of a cut utterance only items whose words ended before the cut, less the margin, are met or asked."""
    call = ScriptedCall(Tracker(PATHWAYS["cataract-followup", "en"], call_id="c", reader=LocalAnswerReader()))
    items = list(call.tracker.pathway.items.values())
    text = " ".join(item.wording["en"] for item in items)
    cut_chars = min(cut_chars, len(text) - 1)
    call.tracker.intended("u1", text, 0.0)
    call.tracker.started("u1", 0.0)

    call.tracker.delivered(
        Delivery(
            utterance_id="u1", delivered_chars=cut_chars, complete=False, interrupted=True, margin_chars=margin_chars
        ),
        1.0,
    )

    heard = max(0, cut_chars - margin_chars)
    for item in items:
        begin = text.index(item.wording["en"])
        record = call.tracker.ledger.items[item.id]
        moved_on = record.state in (State.MET, State.ASKED)
        focus = item.focus["en"] if item.kind == "question" else item.wording["en"].rstrip(".?")
        assert moved_on == (text.index(focus, begin) + len(focus) <= heard), item.id


@given(answers=st.lists(st.sampled_from([*REPLIES, None]), max_size=40), stock=st.booleans())
@QUICK
def test_every_call_comes_to_an_end(answers: list[str | None], stock: bool) -> None:
    """Whatever the patient says, or does not say, the agent stops within a bounded number of moves."""
    policy = STOCK if stock else SteeringPolicy()
    call = ScriptedCall(
        Tracker(PATHWAYS["cataract-followup", "en"], call_id="c", reader=LocalAnswerReader(), policy=policy)
    )
    queue = list(answers)

    end = call.run(lambda _: queue.pop(0) if queue else None)

    handoff = call.tracker.handoff(end.reason, call.now_s)
    every_owed_item_stands_in_one_list(call.tracker, handoff)


def test_the_table_is_the_only_way_between_states() -> None:
    """The states of one played call follow the table, step by step."""
    player = Player(PATHWAYS["cataract-followup", "en"], "en", SteeringPolicy())
    call = ScriptedCall(player.tracker)
    call.run(lambda last: "Yes." if "redness" in last.text else "No.")

    ledger = Ledger(player.tracker.pathway)
    for event in player.tracker.events:
        before = dict(ledger.items)
        ledger.apply(event)
        for item_id, record in ledger.items.items():
            if event.kind == "item_step" and event.item_id == item_id:
                assert next_state(record.kind, before[item_id].state, event.step) is record.state
            else:
                assert before[item_id].state is record.state
