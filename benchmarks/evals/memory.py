"""Memory: does our server grow by more than Pipecat alone, over the same short calls?

Owns the figures of ``eval memory``; explained in docs/metrics/phone.md. Both servers run at once with the same scripted
services and callers, so that what both grow by is Pipecat's, the web server's or the allocator's. No data.
"""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp

from benchmarks.errors import BadOption
from benchmarks.evals.soak import growth
from benchmarks.figures import EvalOptions, Figure, rate
from benchmarks.phone.bank import LONG, SHORT
from benchmarks.phone.worker import CARRIER_TOKEN, Orders
from benchmarks.phone.workers import Worker
from pipecat_interrupt.testing import speech
from pipecat_interrupt.testing.carrier import CallIds, CarrierSecrets, LineLost, Refused, SimulatedCall, ring

KIND = "memory"
NEEDS_DATA = False
OPTIONS = ("calls", "at_once", "warm_up")
PACKAGES = ("fastapi", "uvicorn", "websockets")

SYSTEMS = ("ours", "stock")
CALLS, AT_ONCE, WARM_UP = 600, 8, 200
"""Calls of each system, lines of each, and the calls before growth is judged: a server remembers its last 100."""

BLOCK_CALLS = 50.0
SAMPLE_CALLS = 10
PAUSE_S = 0.8
LINES = (
    "Hello, this is the clinic, how are you today?",
    "All right, please use the drops twice a day.",
    "Thank you, goodbye.",
)


@dataclass(slots=True)
class Grown:
    """One system's run.

    Parameters:
        rss_mib: Calls done, and resident memory then.
        objects: Tracked objects at the end, nobody on the line.
        tasks: Open tasks then.
        failed: Calls that could not be placed or broke off.
    """

    rss_mib: list[tuple[float, float]] = field(default_factory=list)
    objects: float = 0.0
    tasks: float = 0.0
    failed: int = 0


def run(options: EvalOptions) -> list[Figure]:
    """Call both servers so often.

    Args:
        options: `calls` of each (600), `at_once` of each (8), `warm_up` in calls (200).
    """
    extra = options.extra
    calls, at_once = int(extra.get("calls", CALLS)), int(extra.get("at_once", AT_ONCE))
    warm_up = int(extra.get("warm_up", WARM_UP))
    if not (1 <= at_once <= 50 and 0 <= warm_up and calls - warm_up >= 7 * BLOCK_CALLS):
        raise BadOption("at_once between 1 and 50, warm_up at least 0, and at least 350 calls behind it")
    return figures_of(asyncio.run(_both(calls, at_once)), calls, warm_up)


async def _both(calls: int, at_once: int) -> dict[str, Grown]:
    with tempfile.TemporaryDirectory() as folder:
        out = await asyncio.gather(*(grow(system, Path(folder) / system, calls, at_once) for system in SYSTEMS))
    return dict(zip(SYSTEMS, out, strict=True))


async def grow(system: str, folder: Path, calls: int, at_once: int) -> Grown:
    """Call one server again and again, and note its memory."""
    worker = Worker(Orders(out=str(folder), sample_s=1.0, system=system, lines=LINES))
    await worker.start()
    grown, waiting, done = Grown(), iter(range(calls)), 0

    async def line() -> None:
        nonlocal done
        for number in waiting:
            grown.failed += not await _call(worker.http, number)
            done += 1
            if done % SAMPLE_CALLS == 0:
                grown.rss_mib.append((float(done), _rss_mib(worker.pid)))

    try:
        await asyncio.gather(*(line() for _ in range(at_once)))
        await asyncio.sleep(3.0)
        last = worker.samples()[-1]
        grown.objects, grown.tasks = float(last["objects"]), float(last["tasks"])
    finally:
        await worker.stop()
    return grown


async def _call(http: str, number: int) -> bool:
    """Say something short twice and something long once, then hang up; False when the call did not come about."""
    ids = CallIds(call=f"CA{number:032x}", stream=f"MZ{number:032x}")
    line = SimulatedCall("twilio", ids)
    try:
        url = await ring(
            f"{http}/twilio/voice",
            "twilio",
            ids,
            CarrierSecrets(auth_token=CARRIER_TOKEN),
            public_url="https://calls.example.org/twilio/voice",
        )
        await line.open(f"ws://{urlsplit(http).netloc}/media/{url.rsplit('/', 1)[1]}")
        for text in (SHORT, SHORT, LONG):
            await line.wait(PAUSE_S)
            clip = speech(text)
            line.say(clip.samples, clip.sample_rate_hz)
            await line.wait(PAUSE_S)
        await line.hang_up()
    except (LineLost, Refused, aiohttp.ClientError, TimeoutError, OSError):
        return False
    return True


def _rss_mib(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 2**20


def figures_of(grown: dict[str, Grown], calls: int, warm_up: int) -> list[Figure]:
    """Make the figures: growth of each behind the warm-up, levels, and what is left of the calls."""
    out: list[Figure] = []
    for system, one in grown.items():
        group = {"system": system}
        judged = [point for point in one.rss_mib if point[0] > warm_up]
        slope, half, n = growth(judged, BLOCK_CALLS)
        out.append(
            Figure(
                name="rss_mib_per_1000_calls",
                value=round(1000 * slope, 3),
                low=round(1000 * (slope - half), 3),
                high=round(1000 * (slope + half), 3),
                n=n,
                group=dict(group),
            )
        )
        for at in sorted({SAMPLE_CALLS, 100, warm_up, (calls + warm_up) // 2, calls}):
            near = min(one.rss_mib, key=lambda point: abs(point[0] - at))
            out.append(Figure(name="rss_mib", value=round(near[1], 1), n=1, group={**group, "calls": int(near[0])}))
        out.append(Figure(name="objects_at_end", value=one.objects, n=1, group=dict(group)))
        out.append(Figure(name="tasks_at_end", value=one.tasks, n=1, group=dict(group)))
        out.append(rate("failed_call_rate", one.failed, calls, dict(group)))
    return out
