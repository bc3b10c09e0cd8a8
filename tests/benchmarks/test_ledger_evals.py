"""The evaluations of the kept ledger: they count what breaks, and they can fail."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from benchmarks.errors import BadOption
from benchmarks.evals import ledger_orders
from benchmarks.figures import EvalOptions
from obligations.pathway import Pathway
from obligations.steering import SteeringPolicy
from obligations.testing.orders import Op, play_out

pytestmark = pytest.mark.unit


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
