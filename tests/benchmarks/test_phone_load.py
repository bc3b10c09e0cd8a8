"""The load: where a system comes to its end, and what the ratio says of it."""

from __future__ import annotations

import pytest

from benchmarks.errors import BadOption
from benchmarks.evals import load
from benchmarks.evals.load import Level
from benchmarks.figures import EvalOptions

pytestmark = [pytest.mark.unit]


def level(system: str, calls: int, yield_s: float, censored: int = 0, each: int = 10) -> Level:
    """Ten equal yields a call."""
    return Level(system, calls, (yield_s,) * each * calls, censored, 0.04 * calls, 0.001)


def test_a_system_bears_calls_until_its_yields_are_twice_as_late() -> None:
    """Between two levels a straight line tells; the lowest level is what it is held against."""
    steps = load.pooled([level("ours", 4, 0.3), level("ours", 8, 0.4), level("ours", 12, 0.8)], "ours")

    assert load.bears(steps) == (pytest.approx(10.0), True)
    assert load.bears(steps[:2]) == (8.0, False)


def test_cut_ins_that_are_never_yielded_to_end_a_system() -> None:
    """A censored cut-in counts as never: a system that stops yielding is not called fast."""
    steps = load.pooled([level("stock", 4, 0.3), level("stock", 8, 0.3, censored=10)], "stock")

    assert load.bears(steps) == (4.0, True)
    assert load.ended([level("stock", 4, 0.3), level("stock", 8, 0.3, censored=10)], "stock")


def test_calls_that_go_on_late_end_a_system_though_it_yields_in_time() -> None:
    """A core that is full speaks late, so that callers come to cut in less often: eight of ten times here."""
    levels = [level("ours", 4, 0.3), level("ours", 8, 0.3), level("ours", 12, 0.3, each=8)]

    steps = load.pooled(levels, "ours")

    assert [step.pace for step in steps] == [25.0, 25.0, 20.0]
    assert load.ended(levels, "ours") and not load.ended(levels[:2], "ours")
    calls, reached = load.bears(steps)
    assert reached and calls == pytest.approx(9.78, abs=0.01)


def test_the_ratio_tells_which_system_bears_more() -> None:
    """Half the calls is a ratio of one half; a p95 among the censored has no value."""
    ours = [level("ours", 4, 0.3), level("ours", 8, 0.9)]
    stock = [level("stock", 4, 0.3), level("stock", 8, 0.3), level("stock", 12, 0.9, censored=20)]

    figures = load.figures_of([*ours, *stock], seed=1)

    by_name = {(f.name, f.group.get("system"), f.group.get("calls")): f.value for f in figures}
    assert by_name["calls_per_core", "ours", None] == 6.0
    assert by_name["calls_per_core", "stock", None] == 8.0
    assert by_name["calls_per_core_ratio", None, None] == 0.75
    assert by_name["yield_s_p95", "stock", 12] is None


@pytest.mark.parametrize("extra", [{"levels": [8, 4]}, {"levels": []}, {"seconds": 1}, {"rounds": 0}])
def test_options_that_cannot_work_are_refused(extra: dict[str, object]) -> None:
    """Before anything is started."""
    with pytest.raises(BadOption, match="levels must rise|rounds=0"):
        load.run(EvalOptions(extra=extra))
