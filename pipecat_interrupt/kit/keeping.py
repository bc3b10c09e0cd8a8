"""A call whose ledger outlives its worker: opened before the pipeline is built, kept while it runs, finished behind it.

Owns the seam between a kit and a ledger store. Nothing here holds a frame up: while the call runs a write is started
and not waited for; the one hand-off is kept and passed on behind the last frame.
"""

from __future__ import annotations

import asyncio
import os
import platform
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from loguru import logger

from obligations.answers.protocol import AnswerReader
from obligations.answers.reader import LocalAnswerReader
from obligations.handoff import Handoff
from obligations.pathway import Pathway, load_pathway
from obligations.steering import SteeringPolicy
from obligations.stores import Alarm, CallClosed, HandoffSink, KeptCall, LedgerStore, StoreAlarm, log_alarm
from obligations.stores.alarms import raise_alarm
from obligations.tracker import Tracker
from pipecat_interrupt.errors import SettingsError
from pipecat_interrupt.kit.settings import KitSettings

SETTLE_S_MAX = 5.0
"""Longest time the end of a pipeline waits for the hand-off to be kept and passed on; it goes on behind it."""

ALARMS_WAITING_MAX = 100

_NUMBERED = re.compile(r"u(\d+)")


class CallKeeping:
    """Keeps one call; made by `keep_call`, given to `InterruptKit` in the pathway's place.

    Parameters:
        call: The kept call.
        settings: What the kit runs by.

    Promises: `changed` and `finish` are synchronous and never raise; the hand-off goes to the sinks once, from the
    worker that owns the call, at the latest `FINISH_S_MAX` after its end plus what a sink takes.
    """

    def __init__(
        self, call: KeptCall, settings: KitSettings, sinks: Sequence[HandoffSink] = (), alarms: _Alarms | None = None
    ) -> None:
        self.call, self.settings = call, settings
        self._sinks = tuple(sinks)
        self._alarms = alarms or _Alarms(log_alarm)
        self._finishing: asyncio.Task[None] | None = None

    @property
    def tracker(self) -> Tracker:
        """The call's tracker."""
        return self.call.tracker

    @property
    def call_id(self) -> str:
        """The call's name."""
        return self.call.tracker.ledger.call.call_id

    @property
    def utterances_before(self) -> int:
        """Number of the last utterance another worker spoke; this worker's utterances are numbered from there."""
        found = (_NUMBERED.fullmatch(name) for name in self.tracker.ledger.call.utterances)
        return max((int(match[1]) for match in found if match), default=0)

    def check(self, call_id: str | None, settings: KitSettings | None, others: dict[str, object]) -> None:
        """Refuse arguments of a kit that say something else than this call was opened with.

        Raises:
            SettingsError: One does; the message names it.
        """
        given = sorted(name for name, value in others.items() if value is not None)
        if given:
            raise SettingsError(f"{', '.join(given)}: give it to keep_call(...), which opens the call with it")
        if call_id not in (None, self.call_id):
            raise SettingsError(f"call_id: the kept call is {self.call_id!r}, not {call_id!r}; leave call_id out")
        if settings is not None and settings.digest != self.settings.digest:
            raise SettingsError("settings: give them to keep_call(...) and leave them out of InterruptKit(...)")

    def listen(self, listener: Callable[[StoreAlarm], None]) -> None:
        """Tell `listener` of every alarm of this call, those before this moment too."""
        self._alarms.listen(listener)

    def changed(self) -> None:
        """Write what is new, soon and in the background."""
        try:
            self.call.changed()
        except Exception as error:
            logger.error("keeping the ledger failed: {}", type(error).__name__)

    def finish(self, end_reason: str, now_s: float, on_handoff: Callable[[Handoff], None]) -> None:
        """Begin to end the call: keep the hand-off, pass it on; `on_handoff` hears of it if it is ours to give."""
        if self._finishing is None:
            work = self._finish(end_reason, now_s, on_handoff)
            self._finishing = asyncio.get_running_loop().create_task(work, name="call-finish")

    async def settled(self) -> None:
        """Wait until the hand-off was kept and passed on; at most `SETTLE_S_MAX`. At once when nothing was begun."""
        if self._finishing is not None:
            await asyncio.wait({self._finishing}, timeout=SETTLE_S_MAX)

    async def _finish(self, end_reason: str, now_s: float, on_handoff: Callable[[Handoff], None]) -> None:
        try:
            handoff, first = await self.call.finish(end_reason, now_s, self._sinks)
            if first:
                on_handoff(handoff)
        except Exception as error:
            logger.opt(exception=error).error("the hand-off could not be kept")


class _Alarms:
    """Passes alarms on to whoever is on duty, and to the kit's journal once there is one."""

    def __init__(self, on_duty: Alarm) -> None:
        self._on_duty = on_duty
        self._listener: Callable[[StoreAlarm], None] | None = None
        self._waiting: list[StoreAlarm] = []

    def __call__(self, alarm: StoreAlarm) -> None:
        if self._listener is not None:
            raise_alarm(self._listener, alarm)
        elif len(self._waiting) < ALARMS_WAITING_MAX:
            self._waiting.append(alarm)
        raise_alarm(self._on_duty, alarm)

    def listen(self, listener: Callable[[StoreAlarm], None]) -> None:
        self._listener = listener
        for alarm in self._waiting:
            raise_alarm(listener, alarm)
        self._waiting.clear()


async def keep_call(
    store: LedgerStore,
    pathway: str | Path | Pathway,
    *,
    call_id: str,
    worker_id: str | None = None,
    settings: KitSettings | None = None,
    policy: SteeringPolicy | None = None,
    reader: AnswerReader | None = None,
    sinks: Sequence[HandoffSink] = (),
    alarm: Alarm = log_alarm,
) -> CallKeeping:
    """Open a call that is kept: begin it, or go on with it where another worker left it.

    Await it before the pipeline is built, and give the result to the kit::

        kept = await keep_call(store, "cataract-followup", call_id=call_id, sinks=[webhook])
        kit = InterruptKit(kept, journal=path)

    Args:
        store: Where; wrap a remote one in `ResilientStore`, so that an outage in mid-call is spilled and reconciled.
        pathway: As for `InterruptKit`.
        call_id: The call's name, the same for every worker that has it; a carrier's call id does.
        worker_id: This worker's name, for the log; machine and process when None.
        settings: As for `InterruptKit`; a call that goes on keeps its language.
        policy: As for `InterruptKit`.
        reader: As for `InterruptKit`.
        sinks: Who gets the hand-off.
        alarm: Told what goes wrong; must not block.

    Promises: waits for the store `OPEN_S_MAX` at most; a store that does not answer leaves the call as if it were new,
    with the alarm *begun_blind*.

    Raises:
        PathwayError: The pathway cannot be read.
        ReplayMismatch: The call was begun with another pathway, or another version of it: finish it with that one
            (`finish_lost`) and open a new call.
        CallClosed: The call has had its hand-off, or was erased: open a new call.
    """
    loaded = pathway if isinstance(pathway, Pathway) else load_pathway(pathway)
    settings = settings or KitSettings()
    alarms = _Alarms(alarm)
    call = await KeptCall.open(
        store,
        loaded,
        call_id=call_id,
        worker_id=worker_id or f"{platform.node()}:{os.getpid()}",
        reader=reader or LocalAnswerReader(),
        language=settings.language,
        policy=policy,
        licences=settings.licences,
        alarm=alarms,
        blind=True,
    )
    if call.tracker.ended:
        raise CallClosed("finished")
    if call.resumed and call.tracker.language != loaded.resolve_language(settings.language):
        settings = settings.model_copy(update={"language": call.tracker.language})
    return CallKeeping(call, settings, sinks, alarms)


def make_tracker(
    pathway: str | Path | Pathway | CallKeeping | None,
    call_id: str,
    settings: KitSettings,
    reader: AnswerReader,
    policy: SteeringPolicy | None,
) -> Tracker | None:
    """Give the tracker of a kit: a kept call's own, else a new one; None without a pathway.

    Raises:
        PathwayError: The pathway cannot be read.
    """
    if pathway is None:
        return None
    if isinstance(pathway, CallKeeping):
        return pathway.tracker
    loaded = pathway if isinstance(pathway, Pathway) else load_pathway(pathway)
    return Tracker(
        loaded,
        call_id=call_id,
        reader=reader,
        language=settings.language,
        policy=policy,
        licences=settings.licences,
    )
