"""The evaluations of the kept ledger: they count what breaks, and they can fail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.errors import BadOption
from benchmarks.evals import ledger_crash, ledger_orders
from benchmarks.evals.ledger_crash_worker import Step
from benchmarks.figures import EvalOptions
from obligations.ledger import Started, to_json
from obligations.pathway import Pathway
from obligations.steering import SteeringPolicy
from obligations.stores import MemoryStore
from obligations.testing.orders import Op, play_out

pytestmark = [
    pytest.mark.contract,
    # Newer Pythons warn of a fork beside threads; the child opens its own loop and store, and nothing of the parent's.
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning"),
]


def test_a_few_orders_break_no_promise_and_are_counted() -> None:
    """As many orders as were asked for, on every bundled pathway's pool, with their events."""
    figures = {f.name: f for f in ledger_orders.run(EvalOptions(seed=7, extra={"orders": 25}))}

    assert (0.0, 25) == (figures["broken_promise_rate"].value, figures["broken_promise_rate"].n)
    assert (figures["ledger_events"].value or 0) > 25


def test_a_broken_promise_is_counted_and_the_rest_is_still_played() -> None:
    """A planted fault (the third reply of an order) shows in the rate, with its place."""

    def faulty(ops: Sequence[Op], pathway: Pathway, language: str, policy: SteeringPolicy, end: str) -> int:
        assert sum(op.kind == "reply" for op in ops) < 3
        return play_out(ops, pathway, language, policy, end)

    tally = ledger_orders.play_orders(25, 7, faulty)

    assert 25 == tally.played
    assert 0 < tally.broken.total() < 25
    assert all(where.startswith("AssertionError at faulty") for where in tally.broken)


def test_no_orders_is_no_measurement() -> None:
    """Asked for none, it refuses."""
    with pytest.raises(BadOption):
        ledger_orders.run(EvalOptions(seed=7, extra={"orders": 0}))


def test_killed_workers_are_counted_and_lose_nothing_the_store_confirmed(tmp_path: Path) -> None:
    """Three real processes, killed; every call ends with a hand-off."""
    outcomes = ledger_crash.kill_workers("sqlite", str(tmp_path / "ledger.sqlite"), 3, seed=11)

    assert [0, 0, 0] == [o.lost for o in outcomes]
    assert [0, 0, 0] == [o.unreported for o in outcomes]
    assert all(o.handoffs >= 1 for o in outcomes)


def test_what_was_lost_or_given_twice_shows_in_the_figures() -> None:
    """The figures can fail: planted outcomes are in the rates, each under its own name."""
    good = ledger_crash.Outcome("in the call", 0, 2, False, 0, 0, 1, 12.0)
    planted = replace(good, lost=3, greeted_again=True, repeated=1, unreported=1, handoffs=2)

    figures = {f.name: f for f in ledger_crash.figures_of([good, planted, replace(good, handoffs=0)], "sqlite")}

    bad = ("confirmed_event_lost", "greeted_again", "heard_item_repeated", "obligation_unreported", "second_handoff")
    assert [1 / 3] * 6 == [figures[f"{name}_rate"].value for name in (*bad, "no_handoff")]


async def test_an_event_the_store_changed_counts_as_lost() -> None:
    """The last confirmed event must be the one that was confirmed, not only as many of them."""
    store = MemoryStore()
    token = await store.claim("c", "w")
    await store.append("c", [Started(seq=0, at_s=0.0, utterance_id="u1")], 0, token=token)
    stored = to_json((await store.read("c"))[0])

    def step(saved: int, last: str) -> Step:
        return Step(known=saved, saved=saved, last_saved=last, greeted=False, closed=frozenset())

    assert 0 == await ledger_crash._lost(store, "c", step(1, stored))
    assert 1 == await ledger_crash._lost(store, "c", step(1, stored.replace("u1", "u2")))
    assert 2 == await ledger_crash._lost(store, "c", step(3, stored))
