"""One worker process: the phone server with scripted services, telling its own figures; run by `Worker`.

Owns what must be seen from inside: open tasks, and every successful write to a shared store with its fencing token.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from loguru import logger

from benchmarks.phone.bank import PhoneBank
from obligations.adapters.redis_store import RedisStore, RedisStoreConfig
from obligations.handoff import Handoff
from obligations.ledger import Event
from obligations.pathway import load_pathway
from obligations.stores import FencingToken, LedgerStore, ResilientStore
from pipecat_interrupt.serve import Limits, ServeConfig, create_app
from pipecat_interrupt.serve.desk import kit_maker
from pipecat_interrupt.serve.secrets import Secrets
from pipecat_interrupt.serve.server import PhoneServer

SHORT_PATHWAY = Path(__file__).with_name("short.yaml")
CARRIER_TOKEN = "a-made-up-secret-of-a-made-up-carrier"
STREAM_SECRET = "a-made-up-secret-that-all-workers-share-0123456789"
LOOP_STEP_S = 0.5


@dataclass(frozen=True, slots=True)
class Orders:
    """What a worker is to do.

    Parameters:
        out: Folder of its calls and its own records.
        name: Its name in records.
        port: 0 for a free one.
        store: Redis url; None keeps no ledger beyond the process.
        calls_max: Calls at once.
        slow_rate: Share of calls whose recogniser is slow.
        seed: Of that.
        sample_s: Between two samples of its figures, seconds.
        system: "ours" or "stock".
        lines: What the model says where it leads; () lets the pathway lead.
        cpu: Core it is held to; None for any.
    """

    out: str
    name: str = "w"
    port: int = 0
    store: str | None = None
    calls_max: int = 64
    slow_rate: float = 0.0
    seed: int = 0
    sample_s: float = 5.0
    system: str = "ours"
    lines: tuple[str, ...] = ()
    cpu: int | None = None


class WitnessedStore:
    """A ledger store that writes down who wrote what under which token: for the check that a call has one owner.

    Args:
        store: The real one.
        to: Where lines go; each is whole, for it is one write to a file opened for appending.
        name: The worker's.
    """

    def __init__(self, store: LedgerStore, to: TextIO, name: str) -> None:
        self._store, self._to, self._name = store, to, name

    def __getattr__(self, name: str) -> Any:
        """Everything else is the real store's."""
        return getattr(self._store, name)

    async def claim(self, call_id: str, worker_id: str) -> FencingToken:
        """Claim, and write the token down."""
        token = await self._store.claim(call_id, worker_id)
        self._note("claim", call_id, token)
        return token

    async def append(self, call_id: str, events: Sequence[Event], expected_seq: int, *, token: FencingToken) -> None:
        """Append, and write down what was confirmed."""
        await self._store.append(call_id, events, expected_seq, token=token)
        self._note("append", call_id, token, seq=expected_seq, count=len(events))

    async def finish(self, call_id: str, handoff: Handoff, *, token: FencingToken) -> bool:
        """Finish, and write down whether this was the first."""
        first = await self._store.finish(call_id, handoff, token=token)
        self._note("finish", call_id, token, first=first)
        return first

    def _note(self, what: str, call_id: str, token: int, **more: Any) -> None:
        line = {"at_s": time.monotonic(), "worker": self._name, "what": what, "call": call_id, "token": token, **more}
        self._to.write(json.dumps(line) + "\n")
        self._to.flush()


class WitnessSink:
    """A receiver of hand-offs that writes down what came, and from whom.

    Args:
        to: Where lines go.
        name: Who sends.
    """

    def __init__(self, to: TextIO, name: str) -> None:
        self._to, self._name = to, name

    async def send(self, handoff: Handoff) -> None:
        """Take it."""
        line = {"at_s": time.monotonic(), "worker": self._name, "handoff": handoff.model_dump(mode="json")}
        self._to.write(json.dumps(line) + "\n")
        self._to.flush()


def figures() -> dict[str, Any]:
    """This process now: resident memory, open files, tasks, tracked objects."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return {
        "at_s": time.monotonic(),
        "rss_mib": pages * os.sysconf("SC_PAGE_SIZE") / 2**20,
        "files": len(os.listdir("/proc/self/fd")) - 1,
        "tasks": len(asyncio.all_tasks()),
        "objects": len(gc.get_objects()),
    }


async def serve(orders: Orders) -> None:
    """Serve until SIGTERM."""
    out = Path(orders.out)
    logger.remove()
    logger.add(out / f"log-{orders.name}.txt", level="WARNING")
    server: Any = _our_server(orders, out) if orders.system == "ours" else _stock_server(orders)
    running = asyncio.ensure_future(server.serve())
    await asyncio.wait(
        [asyncio.ensure_future(server.listening()), running], timeout=60, return_when=asyncio.FIRST_COMPLETED
    )
    if running.done():
        running.result()
    _tell({"port": server.port})
    with (out / f"samples-{orders.name}.jsonl").open("a", encoding="utf-8") as samples:
        parent = os.getppid()
        while not running.done() and os.getppid() == parent:  # who started it may have been killed
            samples.write(json.dumps(figures()) + "\n")
            samples.flush()
            await asyncio.wait([running], timeout=orders.sample_s)
    server.should_exit = True
    await running


def _stock_server(orders: Orders) -> Any:
    from benchmarks.phone.stock import StockServer

    return StockServer(orders.port, PhoneBank(lines=orders.lines))


def _our_server(orders: Orders, out: Path) -> PhoneServer:
    leads = not orders.lines
    config = ServeConfig(
        pathway=SHORT_PATHWAY if leads else None,
        port=orders.port,
        out=out / "calls",
        leads=leads,
        public_url="https://calls.example.org",
        limits=Limits(calls_max=orders.calls_max, cancel_s=2.0, drain_s=5.0, guard_s=5.0),
        end_silence_s=0,
    )
    store: LedgerStore | None = None
    make_kit = None
    if orders.store is not None:
        witness = (out / f"store-{orders.name}.jsonl").open("a", encoding="utf-8")
        inner: Any = WitnessedStore(RedisStore(RedisStoreConfig(url=orders.store)), witness, orders.name)
        store = ResilientStore(inner, out / f"spill-{orders.name}")
        received = (out / f"received-{orders.name}.jsonl").open("a", encoding="utf-8")
        pathway = load_pathway(SHORT_PATHWAY)
        make_kit = kit_maker(config, pathway, store, sinks=[WitnessSink(received, orders.name)])
    secrets = Secrets.from_environment(
        {"TWILIO_AUTH_TOKEN": CARRIER_TOKEN, "PIPECAT_INTERRUPT_STREAM_SECRET": STREAM_SECRET}
    )
    bank = PhoneBank(orders.slow_rate, orders.seed, orders.lines)
    app = create_app(config, bank, secrets=secrets, store=store, make_kit=make_kit)
    return PhoneServer(app, config, own_process=True)


def _tell(line: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Run what the first argument orders, as JSON."""
    orders = json.loads(sys.argv[1])
    read = Orders(**{**orders, "lines": tuple(orders.get("lines", ()))})
    if read.cpu is not None:
        os.sched_setaffinity(0, {read.cpu})
    Path(read.out).mkdir(parents=True, exist_ok=True)
    asyncio.run(serve(read))


if __name__ == "__main__":
    main()
