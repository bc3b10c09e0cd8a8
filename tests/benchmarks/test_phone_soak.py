"""The soak: a growing server is found out, a flat one is called flat, and the calls are real."""

from __future__ import annotations

import random
from typing import Any

import pytest

from benchmarks.errors import BadOption
from benchmarks.evals import soak
from benchmarks.figures import EvalOptions, Figure
from benchmarks.phone.callers import Caller, draw_caller

pytestmark = [pytest.mark.contract, pytest.mark.enable_socket]


def samples(mib_per_s: float, seed: int, seconds: int = 3600) -> list[dict[str, Any]]:
    """Ten-second samples of a server whose memory grows so, with noise."""
    rng = random.Random(seed)
    return [
        {"at_s": 5.0 + t, "rss_mib": 200.0 + mib_per_s * t + rng.gauss(0, 0.3), "tasks": 9, "files": 12, "objects": 7}
        for t in range(0, seconds, 10)
    ]


def figures(mib_per_s: float, seed: int) -> dict[str, Figure]:
    """Figures of an hour with 720 calls."""
    callers = [draw_caller(n, 1) for n in range(720)]
    for caller in callers:
        caller.streams, caller.ended = 1, "bot"
    return {f.name: f for f in soak.figures_of(callers, samples(mib_per_s, seed), 720, 3600.0, 0.25)}


@pytest.mark.parametrize(("mib_per_s", "flat"), [(0.0, 1.0), (0.01, 0.0)], ids=["flat", "50 MiB per 1000 calls"])
def test_a_server_that_grows_is_told_from_one_that_does_not(mib_per_s: float, flat: float) -> None:
    """The interval holds the truth nearly always, and only a flat server is called flat."""
    runs = [figures(mib_per_s, seed) for seed in range(20)]

    slopes = [made["rss_mib_per_1000_calls"] for made in runs]
    held = [(s.low or 0.0) <= mib_per_s * 5000 <= (s.high or 0.0) for s in slopes]
    assert [made["memory_flat"].value for made in runs] == [flat] * 20
    assert sum(held) >= 16


def test_a_run_too_short_for_a_slope_says_what_to_do() -> None:
    """No interval is made up from three points."""
    with pytest.raises(BadOption, match="more minutes"):
        soak.growth([(0.0, 1.0), (60.0, 1.0), (120.0, 1.0)], 60.0)


def test_callers_are_the_same_for_the_same_seed() -> None:
    """Number and seed say who calls."""
    first: list[Caller] = [draw_caller(n, 7) for n in range(50)]

    assert first == [draw_caller(n, 7) for n in range(50)]
    assert {caller.habit for caller in first} >= {"answers", "cuts in", "hangs up", "drops"}


def test_a_few_seconds_of_soak_call_a_real_server() -> None:
    """A worker process, real websockets; every call that was opened has its hand-off."""
    made = soak.run(EvalOptions(seed=1, extra={"minutes": 0.05, "calls": 2, "warm_up": 0.0}))
    by_name = {f.name: f for f in made if not f.group}

    assert (by_name["calls"].value or 0) >= 2
    assert by_name["handoff_rate"].value == 1.0
    assert (by_name["rss_mib_max"].value or 0) > 50
