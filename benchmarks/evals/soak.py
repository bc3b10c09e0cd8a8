"""Soak: does the phone server keep its memory, tasks and files flat while calls come and go for an hour?

Owns the figures of ``eval soak``; explained in docs/metrics/phone.md. Real websockets, scripted services, no data.
"""

from __future__ import annotations

import asyncio
import json
import math
import statistics
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.errors import BadOption
from benchmarks.figures import EvalOptions, Figure, rate
from benchmarks.phone.callers import Caller, draw_caller, place
from benchmarks.phone.worker import Orders
from benchmarks.phone.workers import Worker, read_lines

KIND = "soak"
NEEDS_DATA = False
OPTIONS = ("minutes", "calls", "warm_up", "keep")
PACKAGES = ("fastapi", "uvicorn", "websockets")

MINUTES = 60.0
CALLS = 2
WARM_UP = 0.25
"""Share of the run before memory is judged: caches, and the 100 finished calls a server remembers, fill first."""

BLOCK_S = 60.0
HANDOFF_S = 1.5
"""Callers still on the line at the end hang up; their hand-offs are due within a second."""

RSS_MIB_PER_1000_CALLS_MAX = 2.0
"""What counts as flat, set before the first run: with the upper end of the interval below it, a server that takes a
call every five seconds grows by less than 35 MiB a day."""


def run(options: EvalOptions) -> list[Figure]:
    """Call one worker for so many minutes.

    Args:
        options: `minutes` (60), `calls` at once (2), `warm_up` (share of the run, 0.25), `keep` (a folder for the
            samples), the seed of the callers.
    """
    extra = options.extra
    minutes, calls = options.number("minutes", MINUTES), options.whole("calls", CALLS)
    warm_up = options.number("warm_up", WARM_UP)
    if not (0.05 <= minutes <= 24 * 60 and 1 <= calls <= 50 and 0.0 <= warm_up < 1.0):
        raise BadOption("minutes between 0.05 and 1440, calls between 1 and 50, warm_up in [0, 1)")
    with tempfile.TemporaryDirectory() as folder:
        callers, samples = asyncio.run(soak(Path(folder), minutes * 60.0, calls, options.seed))
        handoffs = len(list((Path(folder) / "calls").glob("*/handoff.json")))
    if extra.get("keep"):
        keep = Path(str(extra["keep"]))
        keep.mkdir(parents=True, exist_ok=True)
        keep.joinpath("samples.jsonl").write_text("".join(json.dumps(s) + "\n" for s in samples), encoding="utf-8")
    return figures_of(callers, samples, handoffs, minutes * 60.0, warm_up)


async def soak(folder: Path, seconds: float, calls: int, seed: int) -> tuple[list[Caller], list[dict[str, Any]]]:
    """Keep so many callers on the line for so long; every caller, and every sample of the worker's figures."""
    worker = Worker(Orders(out=str(folder), sample_s=min(10.0, seconds / 30), calls_max=2 * calls + 8))
    await worker.start()
    loop = asyncio.get_running_loop()
    end_s = loop.time() + seconds
    callers: list[Caller] = []

    async def keep_calling() -> None:
        while loop.time() < end_s:
            caller = draw_caller(len(callers), seed)
            callers.append(caller)
            await place(caller, lambda: (0, worker.http))

    lines = [asyncio.ensure_future(keep_calling()) for _ in range(calls)]
    try:
        done, cut = await asyncio.wait(lines, timeout=seconds)
        for line in cut:
            line.cancel()
        await asyncio.gather(*cut, return_exceptions=True)
        for line in done:
            line.result()
        await asyncio.sleep(HANDOFF_S)
    finally:
        await worker.stop()
    return callers, read_lines([folder / "samples-w.jsonl"])


def figures_of(
    callers: Sequence[Caller], samples: Sequence[dict[str, Any]], handoffs: int, seconds: float, warm_up: float
) -> list[Figure]:
    """Make the figures: growth after warm-up with its interval, levels, and what came of the calls."""
    begin_s = samples[0]["at_s"]
    judged = [s for s in samples if seconds * warm_up <= s["at_s"] - begin_s <= seconds]
    per_1000_calls_s = 1000.0 * seconds / max(1, len(callers))
    block_s = min(BLOCK_S, seconds * (1 - warm_up) / 12)
    out: list[Figure] = []
    for name, field in (("rss_mib", "rss_mib"), ("tasks", "tasks"), ("files", "files"), ("objects", "objects")):
        slope, half, n = growth([(s["at_s"], float(s[field])) for s in judged], block_s)
        scale = per_1000_calls_s
        out.append(
            Figure(
                name=f"{name}_per_1000_calls",
                value=round(slope * scale, 4),
                low=round((slope - half) * scale, 4),
                high=round((slope + half) * scale, 4),
                n=n,
            )
        )
        out.append(Figure(name=f"{name}_median", value=statistics.median(s[field] for s in judged), n=len(judged)))
        out.append(Figure(name=f"{name}_max", value=max(s[field] for s in judged), n=len(judged)))
    high = out[0].high
    flat = high is not None and high <= RSS_MIB_PER_1000_CALLS_MAX
    bound = {"bound_mib_per_1000_calls": RSS_MIB_PER_1000_CALLS_MAX}
    out.append(Figure(name="memory_flat", value=float(flat), n=len(judged), group=dict(bound)))
    due = [c for c in callers if c.streams]
    out.append(Figure(name="calls", value=float(len(callers)), n=len(callers)))
    for (habit, ended), count in sorted(Counter((c.habit, c.ended) for c in callers).items()):
        out.append(Figure(name="calls", value=float(count), n=len(callers), group={"caller": habit, "ended": ended}))
    out.append(rate("handoff_rate", min(handoffs, len(due)), len(due)))
    out.append(Figure(name="seconds", value=round(seconds, 1), n=1))
    return out


def growth(points: Sequence[tuple[float, float]], block_s: float) -> tuple[float, float, int]:
    """Fit a line through block medians; neighbouring blocks may depend on each other (Newey and West's variance).

    Args:
        points: Times in seconds and values.
        block_s: Length of a block, seconds; its median stands for it.

    Returns:
        The slope a second, half of its 95 % interval, and the number of blocks.

    Raises:
        BadOption: There are fewer than 6 blocks: the run was too short.
    """
    import numpy as np
    import statsmodels.api as sm
    from scipy.stats import t as student

    blocks: dict[int, list[tuple[float, float]]] = {}
    for at_s, value in points:
        blocks.setdefault(int((at_s - points[0][0]) // block_s), []).append((at_s, value))
    n = len(blocks)
    if n < 6:
        raise BadOption(f"{n} blocks of {block_s:.1f} s are too few for a slope: give more minutes, or less warm_up")
    x = np.array([statistics.mean(at for at, _ in rows) for rows in blocks.values()])
    y = np.array([statistics.median(v for _, v in rows) for rows in blocks.values()])
    lags = max(1, math.floor(4 * (n / 100) ** (2 / 9)))
    fit: Any = sm.OLS(y, sm.add_constant(x - x.mean())).fit(
        cov_type="HAC", cov_kwds={"maxlags": lags, "use_correction": True}
    )
    half = float(fit.bse[1]) * float(student.ppf(0.975, n - 2))
    return float(fit.params[1]), half, n
