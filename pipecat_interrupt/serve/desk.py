"""What all calls of a process share, how a call's kit is made from it, and where hand-offs are written."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from loguru import logger

from obligations.errors import EnvironmentFault
from obligations.handoff import Handoff, to_markdown
from obligations.pathway import Pathway
from obligations.stores import HandoffNotSent, HandoffSink, LedgerStore
from pipecat_interrupt.carrier import CarrierPlayback
from pipecat_interrupt.journal import JournalSink
from pipecat_interrupt.kit import InterruptKit, keep_call
from pipecat_interrupt.kit.settings import KitSettings
from pipecat_interrupt.serve.config import ServeConfig
from pipecat_interrupt.serve.metrics import Metrics
from pipecat_interrupt.serve.registry import CallRegistry, PhoneCall
from pipecat_interrupt.serve.secrets import Secrets
from pipecat_interrupt.serve.services import CallServices, ServiceBank
from pipecat_interrupt.steering.settings import SteeringSettings

ANSWER_S_MAX, ANSWER_STEP_S = 5.0, 0.2
"""How long a call that comes back waits for the store, and how long between two tries."""


SPILLED_S = 2.0
"""After an outage the worker that had the call brings what it kept meanwhile to the store, its hand-off too: within its
longest pause of one second. So long a call that comes back waits on."""


class KitMaker(Protocol):
    """Makes the kit of one call; pass your own to `create_app` to add stores, sinks or a policy."""

    async def __call__(
        self,
        *,
        call: PhoneCall,
        journal: Path,
        carrier: CarrierPlayback,
        services: CallServices | None,
        on_handoff: Callable[[Handoff], None],
    ) -> InterruptKit:
        """Make it.

        Args:
            call: The call; its `id` must become the kit's.
            journal: Where the journal goes.
            carrier: The call's playback marks.
            services: What the call runs with; None when they could not be made and only a hand-off is wanted.
            on_handoff: Must be told the hand-off.
        """
        ...


@dataclass(slots=True)
class CallDesk:
    """What all calls share.

    Parameters:
        config: What the server runs.
        secrets: Its secrets.
        registry: Its calls.
        metrics: Its figures.
        bank: Makes services.
        make_kit: Makes kits.
    """

    config: ServeConfig
    secrets: Secrets
    registry: CallRegistry
    metrics: Metrics
    bank: ServiceBank
    make_kit: KitMaker
    _writing: set[asyncio.Future[None]] = field(default_factory=set)

    def folder(self, call: PhoneCall) -> Path:
        """Where a call's records stand; our own id is its name, never anything that came from outside."""
        return self.config.out / call.id

    def write(self, call: PhoneCall, handoff: Handoff) -> asyncio.Future[None]:
        """Write a hand-off now, off the loop; the future is done when it stands in its folder."""
        made = asyncio.get_running_loop().run_in_executor(None, write_handoff, self.folder(call), handoff)
        self._writing.add(made)
        made.add_done_callback(self._writing.discard)
        return made

    async def written(self) -> None:
        """Wait for what is being written; a failed one is logged by type."""
        while self._writing:  # an unserved call's work begins with its kit and ends in a file
            for outcome in await asyncio.gather(*self._writing, return_exceptions=True):
                if isinstance(outcome, BaseException):
                    logger.error("a hand-off could not be written: {}", type(outcome).__name__)

    def unserved(self, call: PhoneCall) -> None:
        """A call that was answered never spoke: hand it off all the same, with everything open.

        Promises: never raises, never waits; `written` waits for it.
        """
        work = asyncio.ensure_future(self._hand_off_unserved(call))
        self._writing.add(work)
        work.add_done_callback(self._writing.discard)

    async def _hand_off_unserved(self, call: PhoneCall) -> None:
        try:
            kit = await self.make_kit(
                call=call,
                journal=self.folder(call) / "journal.jsonl",
                carrier=CarrierPlayback(),
                services=None,
                on_handoff=lambda handoff: _forget(self.write(call, handoff)),
            )
            kit.closing.over("lost")
            if kit.kept is not None:
                await kit.kept.settled()
            call.handoff = kit.handoff
        except Exception as error:
            logger.bind(call_id=call.id).error("an unserved call could not be handed off: {}", type(error).__name__)


def write_handoff(folder: Path, handoff: Handoff) -> None:
    """Write a hand-off in both forms, each whole or not at all; one of a higher version stays."""
    folder.mkdir(parents=True, exist_ok=True)
    if _version_of(folder / "handoff.json") > handoff.version:
        return
    for name, text in (("handoff.json", handoff.model_dump_json(indent=2)), ("handoff.md", to_markdown(handoff))):
        part = folder / f".{name}.part"
        part.write_text(text + "\n", encoding="utf-8")
        part.replace(folder / name)


def _version_of(path: Path) -> int:
    """Version of the hand-off that stands in a file; -1 where none does that can be read."""
    try:
        return Handoff.model_validate_json(path.read_bytes()).version
    except (OSError, ValueError):
        return -1


class FolderSink:
    """A hand-off sink that writes into the folder of calls: confirmed when both files stand there.

    Args:
        out: The folder; one folder a call is made in it.
    """

    def __init__(self, out: Path) -> None:
        self._out = out

    async def send(self, handoff: Handoff) -> None:
        """Write it.

        Raises:
            HandoffNotSent: It could not be written.
        """
        try:
            await asyncio.to_thread(write_handoff, self._out / handoff.call_id, handoff)
        except OSError as error:
            raise HandoffNotSent(f"the folder of calls cannot be written: {type(error).__name__}") from error


def _forget(_: object) -> None:
    """The desk keeps the future; the caller needs none."""


async def _until_it_answers(store: LedgerStore, call_id: str) -> None:
    """Wait for a store before a call that comes back is taken up: what was said before stands there.

    Promises: never raises; bounded by `ANSWER_S_MAX`, for a caller is on the line.
    """
    behind = False
    try:
        async with asyncio.timeout(ANSWER_S_MAX):
            while await _is_away(store, call_id):
                await asyncio.sleep(ANSWER_STEP_S)
                behind = True
    except TimeoutError:
        logger.bind(call_id=call_id).warning("the store does not answer: a call that comes back is begun anew")
        return
    if behind:
        await asyncio.sleep(SPILLED_S)


async def _is_away(store: LedgerStore, call_id: str) -> bool:
    try:
        await store.read(call_id)
    except EnvironmentFault:
        return True
    return False


def kit_maker(
    config: ServeConfig,
    pathway: Pathway | None,
    store: LedgerStore | None = None,
    *,
    sinks: Sequence[HandoffSink] = (),
    journal_sinks: Callable[[], Sequence[JournalSink]] = tuple,
) -> KitMaker:
    """Make the usual kit: the pathway, a journal file, playback marks, and what the services bring.

    Args:
        config: What the server runs.
        pathway: Loaded once for all calls; it is a frozen value.
        store: Keeps ledgers beyond this process: a call that another worker left is gone on with. None, or no pathway:
            a call lives and ends with this process.
        sinks: Who gets the hand-off of a kept call beside its folder, such as a webhook; unused without a store.
        journal_sinks: Makes further sinks of each call's journal, such as a Redis stream for a board of all workers.
    """

    async def make(
        *,
        call: PhoneCall,
        journal: Path,
        carrier: CarrierPlayback,
        services: CallServices | None,
        on_handoff: Callable[[Handoff], None],
    ) -> InterruptKit:
        settings = KitSettings(
            language=config.language,
            agent_id=services.agent_id if services is not None else "agent",
            model_id=services.model_id if services is not None else "",
            steering=SteeringSettings(leads=config.leads),
        )
        kept = None
        if store is not None and pathway is not None:
            if call.again:
                await _until_it_answers(store, call.id)
            kept = await keep_call(
                store, pathway, call_id=call.id, settings=settings, sinks=[FolderSink(config.out), *sinks]
            )
        return InterruptKit(
            kept or pathway,
            journal=journal,
            sinks=journal_sinks(),
            call_id=call.id,
            settings=None if kept is not None else settings,
            acknowledger=services.acknowledger if services is not None else None,
            gate=services.gate if services is not None else None,
            carrier=carrier,
            on_handoff=on_handoff,
        )

    return make
