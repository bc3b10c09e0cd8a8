"""The memory of two servers over the same calls: one that grows is told from one that is flat or made a step."""

from __future__ import annotations

import random

import pytest

from benchmarks.errors import BadOption
from benchmarks.evals import memory
from benchmarks.evals.memory import Grown
from benchmarks.figures import EvalOptions, Figure

pytestmark = [pytest.mark.unit]


def grown(mib_per_call: float, seed: int = 1) -> Grown:
    """A server whose memory rises in its first hundred calls, and by so much a call from then on."""
    rng = random.Random(seed)
    points = [(float(n), 160.0 + 0.4 * min(n, 100) + mib_per_call * n + rng.gauss(0, 0.2)) for n in range(10, 601, 10)]
    return Grown(points, objects=9.0, tasks=3.0, failed=6)


def test_growth_is_counted_behind_the_warm_up_and_for_each_system() -> None:
    """What a server fills once is a level; what it keeps of every call is growth."""
    figures = memory.figures_of({"ours": grown(0.02), "stock": grown(0.0)}, calls=600, warm_up=200)

    def of(name: str, system: str) -> Figure:
        return next(f for f in figures if f.name == name and f.group["system"] == system)

    ours, stock = (of("rss_mib_per_1000_calls", system) for system in ("ours", "stock"))
    assert ours.low is not None and ours.high is not None and stock.low is not None and stock.high is not None
    assert ours.low > 15.0 and ours.high < 25.0
    assert stock.low < 0.0 < stock.high < 3.0
    assert of("failed_call_rate", "ours").value == pytest.approx(0.01)
    assert [10, 100, 200, 400, 600] == [
        f.group["calls"] for f in figures if f.name == "rss_mib" and f.group["system"] == "ours"
    ]


@pytest.mark.parametrize("extra", [{"calls": 300}, {"at_once": 0}, {"warm_up": -1}, {"calls": 600, "warm_up": 500}])
def test_too_few_calls_for_a_slope_are_refused(extra: dict[str, object]) -> None:
    """Before anything is started."""
    with pytest.raises(BadOption, match="350 calls"):
        memory.run(EvalOptions(extra=extra))
