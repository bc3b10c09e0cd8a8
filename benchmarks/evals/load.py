"""Load: how many scripted calls does one core bear until they go on late, ours beside stock Pipecat?

Owns the figures of ``eval load``; explained in docs/metrics/phone.md. Each server has one core to itself, the callers
have the other. Real websockets, scripted services, no data.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

from benchmarks.errors import BadOption, EnvironmentFault
from benchmarks.figures import EvalOptions, Figure, GroupValue
from benchmarks.phone.light import LightCall
from benchmarks.phone.worker import CARRIER_TOKEN, Orders
from benchmarks.phone.workers import Worker
from pipecat_interrupt.testing.carrier import CallIds, CarrierSecrets, ring

KIND = "load"
NEEDS_DATA = False
OPTIONS = ("levels", "seconds", "rounds")
PACKAGES = ("fastapi", "uvicorn", "websockets")

SYSTEMS = ("ours", "stock")
LEVELS = (4, 12, 18, 22, 26, 30, 34, 38)
SECONDS = 24.0
ROUNDS = 1
WARM_S = 12.0
DOUBLE = 2.0
SLOWED = 0.9
"""A core that bears no more makes no late yields, it makes late speech: callers who wait for the agent to have spoken
cut in less often. Below this share of the lowest level's pace the calls no longer go on in time; our choice."""
REDRAWS = 2000

LINES = (
    "Thank you for asking. The drops keep the eye calm while it heals. Shake the bottle, tilt your head back, and pull "
    "the lower lid down with one finger. Let one drop fall in, close the eye, and press gently at its inner corner for "
    "a minute. Then wait five minutes before the next kind of drops, and do not touch the eye with the bottle.",
    "Of course. Use them four times a day in the first week and twice a day in the second. If you miss one, take it as "
    "soon as you think of it, and go on as before. Keep the bottle closed and out of the sun. After four weeks throw "
    "away what is left, even when it still looks clean and there is plenty of it.",
)
"""Own wording, not clinically reviewed; long enough to be cut into."""


@dataclass(frozen=True, slots=True)
class Level:
    """So many calls at once on one system.

    Parameters:
        latencies_s: Of every yield.
        censored: Cut-ins without one in time.
        core: CPU seconds of the server a second.
        late_s: How late the callers' own frames were, the longest.
        seconds: How long it lasted.
    """

    system: str
    calls: int
    latencies_s: tuple[float, ...]
    censored: int
    core: float
    late_s: float
    seconds: float = SECONDS

    @property
    def p95_s(self) -> float:
        """95th percentile; a censored cut-in counts as never."""
        return p95(self.latencies_s, self.censored)


def p95(latencies_s: Sequence[float], censored: int) -> float:
    """Give the 95th percentile with censored ones above all; infinite when it falls among them, or nothing is there."""
    values = np.array([*latencies_s, *[np.inf] * censored])
    return float(np.quantile(values, 0.95, method="higher")) if len(values) else float("inf")


@dataclass(frozen=True, slots=True)
class Step:
    """All levels of one system with as many calls.

    Parameters:
        pace: Cut-ins a call and minute.
    """

    calls: int
    latencies_s: tuple[float, ...]
    censored: int
    pace: float

    def strains(self, lowest: Step) -> tuple[float, float]:
        """How near the end it is: 1 where the p95 has doubled, and 1 where the pace has fallen to `SLOWED`."""
        late = p95(self.latencies_s, self.censored) / (DOUBLE * p95(lowest.latencies_s, lowest.censored))
        slow = SLOWED * lowest.pace / self.pace if self.pace else float("inf")
        return late, slow


def run(options: EvalOptions) -> list[Figure]:
    """Raise the number of calls until those of both systems go on late.

    Args:
        options: `levels` (a list of numbers of calls, rising), `seconds` a level (24), `rounds` a level (1), the seed
            of the callers' moments.
    """
    extra = options.extra
    listed = extra.get("levels", LEVELS)
    if not isinstance(listed, (list, tuple)) or not all(isinstance(n, int) for n in listed):
        raise BadOption(f"--option levels={listed}: expected a list of whole numbers, such as [1,2,4]")
    levels = list(listed)
    seconds, rounds = options.number("seconds", SECONDS), options.whole("rounds", ROUNDS)
    if not levels or levels != sorted(set(levels)) or levels[0] < 1 or seconds < 5 or rounds < 1:
        raise BadOption("levels must rise and be at least 1, seconds at least 5, rounds at least 1")
    measured = asyncio.run(climb(levels, seconds, rounds, options.seed))
    return figures_of(measured, options.seed)


async def climb(levels: Sequence[int], seconds: float, rounds: int, seed: int) -> list[Level]:
    """Measure level by level, the systems in turn; a system that has come to its end is left out from there."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2:
        raise EnvironmentFault("eval load needs two cores: one for a server, one for the callers")
    os.sched_setaffinity(0, {cores[1]})
    out: list[Level] = []
    with tempfile.TemporaryDirectory() as folder:
        workers = {
            system: Worker(
                Orders(
                    out=str(Path(folder) / system), system=system, lines=LINES, cpu=cores[0], calls_max=max(levels) + 4
                )
            )
            for system in SYSTEMS
        }
        try:
            for system, worker in workers.items():
                await worker.start()
                await _level(system, worker, 1, WARM_S, seed)
            for place, calls in enumerate(levels):
                for round_ in range(rounds if place else 2 * rounds):  # what all else is held against: twice as long
                    for system in SYSTEMS if (place + round_) % 2 == 0 else reversed(SYSTEMS):
                        if not ended(out, system):
                            out.append(await _level(system, workers[system], calls, seconds, seed + 1000 * round_))
        finally:
            for worker in workers.values():
                await worker.stop()
            os.sched_setaffinity(0, set(cores))
    return out


async def _level(system: str, worker: Worker, calls: int, seconds: float, seed: int) -> Level:
    lines: list[LightCall] = []
    for number in range(calls):
        ids = CallIds(call=f"CA{seed + number:032x}", stream=f"MZ{number:032x}")
        url = await ring(
            f"{worker.http}/twilio/voice",
            "twilio",
            ids,
            CarrierSecrets(auth_token=CARRIER_TOKEN),
            public_url="https://calls.example.org/twilio/voice",
        )
        lines.append(
            LightCall(f"ws://{urlsplit(worker.http).netloc}/media/{url.rsplit('/', 1)[1]}", ids, seed + number)
        )
    before_s = worker.cpu_s
    await asyncio.gather(*(line.run(seconds) for line in lines))
    core = (worker.cpu_s - before_s) / seconds
    await asyncio.sleep(1.5)  # what is left of the calls ends in here
    return Level(
        system,
        calls,
        tuple(x for line in lines for x in line.latencies_s),
        sum(line.censored for line in lines),
        core,
        max(line.late_s for line in lines),
        seconds,
    )


def pooled(levels: Sequence[Level], system: str) -> list[Step]:
    """One step a number of calls: yields of all its rounds."""
    mine = [level for level in levels if level.system == system]
    return [_step(calls, [one for one in mine if one.calls == calls]) for calls in sorted({one.calls for one in mine})]


def _step(calls: int, levels: Sequence[Level]) -> Step:
    latencies_s = tuple(x for level in levels for x in level.latencies_s)
    censored = sum(level.censored for level in levels)
    minutes = calls * sum(level.seconds for level in levels) / 60
    return Step(calls, latencies_s, censored, (len(latencies_s) + censored) / minutes)


def ended(levels: Sequence[Level], system: str) -> bool:
    """Whether the highest level of a system was beyond its end."""
    steps = pooled(levels, system)
    return len(steps) > 1 and max(steps[-1].strains(steps[0])) > 1


def bears(steps: Sequence[Step]) -> tuple[float, bool]:
    """Give how many calls are borne until one of their strains passes 1, between levels by a straight line.

    Returns:
        The number, and whether the end was reached; else more are borne than were tried.
    """
    for low, high in zip(steps, steps[1:], strict=False):
        pairs = zip(low.strains(steps[0]), high.strains(steps[0]), strict=True)
        shares = [_share(below, above) for below, above in pairs if above > 1]
        if shares:
            return low.calls + min(shares) * (high.calls - low.calls), True
    return float(steps[-1].calls), False


def _share(below: float, above: float) -> float:
    """Give how far between two levels a strain reaches 1."""
    return 0.0 if np.isinf(above) or above <= below else max(0.0, (1 - below) / (above - below))


def figures_of(levels: Sequence[Level], seed: int) -> list[Figure]:
    """Make the figures; intervals by drawing the yields of each level anew."""
    rng = np.random.default_rng(seed)
    steps = {system: pooled(levels, system) for system in SYSTEMS}
    drawn: dict[str, list[float]] = {system: [] for system in SYSTEMS}
    for _ in range(REDRAWS):
        for system in SYSTEMS:
            drawn[system].append(bears([_redraw(step, rng) for step in steps[system]])[0])
    ratios = [a / b for a, b in zip(drawn["ours"], drawn["stock"], strict=True)]
    found = {system: bears(steps[system]) for system in SYSTEMS}
    out = [_drawn("calls_per_core_ratio", found["ours"][0] / found["stock"][0], ratios, levels, {})]
    for system in SYSTEMS:
        group: dict[str, GroupValue] = {"system": system, "end_reached": found[system][1]}
        out.append(_drawn("calls_per_core", found[system][0], drawn[system], levels, group))
    for level in levels:
        group = {"system": level.system, "calls": level.calls}
        n = len(level.latencies_s) + level.censored
        at = level.p95_s
        out.append(Figure(name="yield_s_p95", value=None if np.isinf(at) else round(at, 3), n=n, group=group))
        median = float(np.median(level.latencies_s)) if level.latencies_s else None
        out.append(Figure(name="yield_s_median", value=median and round(median, 3), n=n, group=group))
        out.append(Figure(name="censored", value=float(level.censored), n=n, group=group))
        pace = 60 * n / (level.calls * level.seconds)
        out.append(Figure(name="cut_ins_a_call_minute", value=round(pace, 2), n=n, group=group))
        out.append(Figure(name="core_per_call", value=round(level.core / level.calls, 4), n=level.calls, group=group))
        out.append(Figure(name="callers_late_s_max", value=round(level.late_s, 3), n=level.calls, group=group))
    return out


def _redraw(step: Step, rng: np.random.Generator) -> Step:
    every = np.array([*step.latencies_s, *[np.inf] * step.censored])
    if not len(every):
        return step
    again = rng.choice(every, len(every))
    yields = tuple(float(x) for x in again if np.isfinite(x))
    return replace(step, latencies_s=yields, censored=int(np.isinf(again).sum()))


def _drawn(
    name: str, value: float, draws: Sequence[float], levels: Sequence[Level], group: dict[str, GroupValue]
) -> Figure:
    low, high = (float(x) for x in np.quantile(draws, [0.025, 0.975]))
    n = sum(len(level.latencies_s) + level.censored for level in levels)
    return Figure(name=name, value=round(value, 3), low=round(low, 3), high=round(high, 3), n=n, group=group)
