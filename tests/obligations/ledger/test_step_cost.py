"""A ledger step costs the same in the first and in the thousandth minute, and little."""

from __future__ import annotations

import statistics
import time

import pytest

from obligations import Tracker, load_pathway
from obligations.answers.reader import LocalAnswerReader
from obligations.ledger import Event, Ledger
from obligations.testing import ScriptedCall

pytestmark = pytest.mark.bench

STEP_MS_P99_MAX = 0.2


def _long_call(rounds: int) -> tuple[Ledger, tuple[Event, ...]]:
    call = ScriptedCall(Tracker(load_pathway("cataract-followup"), call_id="c", reader=LocalAnswerReader()))
    for _ in range(rounds):
        call.say(
            "Some sensitivity to light is normal after a cataract operation. Have you seen any flashing lights?",
            until="Have",
        )
        call.hear("But when can I drive?", onset_during=f"u{call._count}", heard_chars_at_onset=60)
    return call.tracker.ledger, call.tracker.events


def test_a_ledger_step_takes_at_most_a_fifth_of_a_millisecond() -> None:
    """p99 over the events of a very long call; also that late events cost no more than early ones."""
    ledger, events = _long_call(1500)
    fresh = Ledger(ledger.pathway)
    cost_ms: list[float] = []

    for event in events:
        begin = time.perf_counter()
        fresh.apply(event)
        cost_ms.append((time.perf_counter() - begin) * 1e3)

    p99 = statistics.quantiles(cost_ms, n=100)[98]
    tenth = len(cost_ms) // 10
    early, late = statistics.median(cost_ms[:tenth]), statistics.median(cost_ms[-tenth:])
    print(f"n={len(cost_ms)} p50={statistics.median(cost_ms):.4f} p99={p99:.4f} early={early:.4f} late={late:.4f} ms")  # noqa: T201
    assert p99 <= STEP_MS_P99_MAX
    assert late <= 3 * early
