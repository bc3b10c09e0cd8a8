"""The state of the hold: who may stop the agent's audio, for how long, and what happens then.

Owns the rules; where the sound is stopped is the back-end's business (gate or filter). All calls are synchronous,
belong on the pipeline's loop and never raise into the caller.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from loguru import logger
from pipecat.frames.frames import Frame, InterruptionFrame
from pipecat.transports.base_output import BaseOutputTransport

from pipecat_interrupt.hold.filter import HoldFilter
from pipecat_interrupt.hold.flight import Flight
from pipecat_interrupt.hold.gate import HoldGate
from pipecat_interrupt.hold.protocol import HOLD_BUDGET_S_MAX, PRIMARY_STOP

DROP_GRACE_S = 0.1
"""How long a drop waits for somebody's InterruptionFrame before the controller makes one."""

KEEP_ALIVE_S = 1.0
"""Period of keep-alives during a hold; the transport calls a silent agent stopped after 3 s."""

LOG_MAX = 1024
"""Entries of the state log; older ones are forgotten."""

HoldAction = Literal["hold", "refuse", "resume", "drop"]
State = Literal["open", "held", "dropping"]


@dataclass(frozen=True, slots=True)
class HoldEvent:
    """One step of the hold.

    Parameters:
        at_s: Loop time.
        action: hold; refuse (protected speech, ended call); resume; drop.
        reason: The caller's reason, or "timeout", "protected_next", "end".
        outstanding_ms: Released audio that still sounded then, milliseconds.
        context_id: TTS context that was playing, None when unknown or silent.
        gap_ms: On resume: silence the listener heard, milliseconds; None otherwise.
    """

    at_s: float
    action: HoldAction
    reason: str
    outstanding_ms: float
    context_id: str | None
    gap_ms: float | None = None


Listener = Callable[[HoldEvent], None]


class HoldController:
    """Holds, resumes and drops the agent's audio.

    Args:
        gate: Stands before the transport.
        output_filter: The filter in the transport's slot when that is the back-end; None makes the gate the back-end.
        budget_s: Longest hold in seconds, in (0, 2.5].

    Promises:
        A hold ends after its budget: with the patient silent the audio goes on, with the patient speaking it is
        dropped. Dropped audio is never resumed. Protected speech (`interruptible=False`) is held and cut by nothing but
        the reason `PRIMARY_STOP`; a hold that finds protected speech next lets it through.
    """

    def __init__(
        self, gate: HoldGate, *, output_filter: HoldFilter | None = None, budget_s: float = HOLD_BUDGET_S_MAX
    ) -> None:
        if not 0 < budget_s <= HOLD_BUDGET_S_MAX:
            raise ValueError(f"budget_s must be in (0, {HOLD_BUDGET_S_MAX}], got {budget_s}")
        self.gate = gate
        self.filter = output_filter
        self.log: deque[HoldEvent] = deque(maxlen=LOG_MAX)
        self.voice_active = False
        self._budget_s = budget_s
        self._state: State = "open"
        self._ended = False
        self._primary = False
        self._since_s = 0.0
        self._outstanding_s = 0.0
        self._cut_id: str | None = None
        self._flush_cuts = False
        self._output: BaseOutputTransport | None = None
        self._watching = False
        self._flush_due = False
        self._listeners: list[Listener] = []
        self._timer: asyncio.TimerHandle | None = None
        self._beat: asyncio.TimerHandle | None = None
        self._work: set[asyncio.Task[None]] = set()
        gate.owner = self

    # ---- what the caller uses

    @property
    def held(self) -> bool:
        """Whether audio is held, or dropped and waiting for its interruption."""
        return self._state != "open" and not self._ended

    @property
    def backend(self) -> Literal["filter", "gate"]:
        """Where the sound is stopped."""
        return "filter" if self.filter is not None else "gate"

    def add_listener(self, listener: Listener) -> None:
        """Tell a function of every step; what it raises is logged and goes no further."""
        self._listeners.append(listener)

    def hold(self, reason: str, budget_s: float = HOLD_BUDGET_S_MAX) -> bool:
        """Stop the agent's audio and keep the rest; see `Hold.hold`."""
        if self.held and self._state == "held" and reason == PRIMARY_STOP and not self._primary:
            self._primary = True
            return True
        if self.held:
            return False
        if self._ended or (self._plays_protected() and reason != PRIMARY_STOP):
            self._note("refuse", reason)
            return False
        loop = asyncio.get_running_loop()
        self._state, self._since_s = "held", loop.time()
        self._primary = reason == PRIMARY_STOP
        self._outstanding_s = self.outstanding_s()
        if self.filter is not None:
            self.filter.block()
        budget_s = min(budget_s, self._budget_s) if budget_s > 0 else self._budget_s
        self._timer = loop.call_later(budget_s, self._expire)
        self._beat = loop.call_later(KEEP_ALIVE_S, self._keep_alive)
        self._note("hold", reason)
        return True

    def resume(self, reason: str) -> None:
        """Continue from the same sample; does nothing unless audio is held."""
        if self._state != "held":
            return
        gap_s = max(0.0, self._now_s() - self._since_s - self._outstanding_s)
        self._open()
        if self.filter is not None:
            self.filter.release()
        self.gate.wake()
        self._note("resume", reason, gap_s)

    def drop(self, reason: str = "interruption") -> None:
        """Throw the held audio away: nothing more of it is heard.

        The caller's own interruption (a user turn start) follows within `DROP_GRACE_S`, or the controller makes one.
        Without a hold it does nothing, except for the reason `PRIMARY_STOP`, which stops and drops at once.
        """
        if self._state == "open" and reason == PRIMARY_STOP:
            self.hold(PRIMARY_STOP)
        if self._state != "held":
            return
        self._primary = self._primary or reason == PRIMARY_STOP
        self._state = "dropping"
        self._stop_timers()
        self._timer = asyncio.get_running_loop().call_later(DROP_GRACE_S, self._interrupt)
        self._note("drop", reason)

    def outstanding_s(self) -> float:
        """Return how much released audio still sounds, seconds."""
        now_s = self._now_s()
        return self.filter.outstanding_s(now_s) if self.filter is not None else self.gate.pacer.outstanding_s(now_s)

    def attach(self, output: BaseOutputTransport) -> None:
        """Know the transport, to watch it when an interruption comes: the filter may only let go after its flush."""
        self._output = output

    # ---- what the gate and the tap report

    @property
    def blocks_gate(self) -> bool:
        """Whether the gate must keep its audio (gate back-end only)."""
        return self.filter is None and self._state != "open"

    @property
    def cut_context_id(self) -> str | None:
        """The protected utterance that is being thrown away inside the transport, None when none is."""
        return self._cut_id

    def on_audio_waiting(self) -> None:
        """Let protected speech through when it comes up during a hold."""
        if self._state == "held" and not self._primary and self._plays_protected():
            self.resume("protected_next")

    def on_voice(self, active: bool) -> None:
        """Note the patient's voice."""
        self.voice_active = active

    def on_end(self) -> None:
        """Let go for good: the last audio has been heard."""
        self.resume("end")
        self._ended = True

    def on_cancel(self) -> None:
        """Leave everything as it is: the line is gone, nothing held may be heard any more."""
        self._ended = True
        self._stop_timers()

    def on_interruption(self) -> str | None:
        """Drop what is held; return the context of the protected utterance that the patient's own stop cuts."""
        if self._state == "open":
            return None
        if self._state == "held":
            self._note("drop", "interruption")
        playing = self._playing()
        self._cut_id = playing.context_id if self._primary and playing is not None and playing.protected else None
        self._flush_cuts = self._cut_id is not None
        self._watch_flush()
        self._open()
        return self._cut_id

    def on_protected_end(self, context_id: str) -> None:
        """The end of a protected utterance has left the transport."""
        if context_id == self._cut_id:
            self._cut_id = None
            if self.filter is not None:
                self.filter.end_discard()

    # ---- inside

    def _watch_flush(self) -> None:
        """Listen at the transport until the flush: a handler there runs for every frame, so it does not stay."""
        if self._output is None or self.filter is None:
            return
        self._flush_due = True
        if not self._watching:
            self._watching = True
            self._output.add_event_handler("on_after_process_frame", self._after_frame)

    async def _after_frame(self, _processor: object, frame: Frame) -> None:
        if isinstance(frame, InterruptionFrame):
            self._flush_due = False
            self._after_flush()
            asyncio.get_running_loop().call_soon(self._unwatch)  # not while the handlers are being gone through

    def _unwatch(self) -> None:
        if self._watching and not self._flush_due and self._output is not None:
            self._watching = False
            self._output.remove_event_handler("on_after_process_frame", self._after_frame)

    def _after_flush(self) -> None:
        if self.filter is None or not self.filter.blocked or self._state != "open":
            return
        self.filter.drop(discard=self._flush_cuts, now_s=self._now_s())
        self._flush_cuts = False

    def _plays_protected(self) -> bool:
        playing = self._playing()
        return playing is not None and playing.protected

    def _playing(self) -> Flight | None:
        """The audio a hold would stop first; the audio that sounds now when nothing waits behind it."""
        flights, order = self.gate.flights, self.gate.order
        if self.filter is not None:
            flying = flights.after(self.gate.order.chunk_s if self.filter.outstanding_s(self._now_s()) > 0 else 0.0)
            if flying is not None:
                return flying
        waiting = order.first_audio()
        if waiting is not None:
            return Flight(waiting.duration_s, not waiting.frame.interruptible, waiting.context_id)
        return flights.after(0.0) or flights.last

    def _expire(self) -> None:
        if self.voice_active:
            self.drop("timeout")
        else:
            self.resume("timeout")

    def _interrupt(self) -> None:
        """Nobody has made the interruption that a drop needs: make it."""
        if self._state == "dropping":
            self._spawn(self.gate.interrupt_pipeline())

    def _keep_alive(self) -> None:
        if self._state == "held":
            self._spawn(self.gate.keep_alive())
            self._beat = asyncio.get_running_loop().call_later(KEEP_ALIVE_S, self._keep_alive)

    def _spawn(self, work: object) -> None:
        task = self.gate.create_task(work)  # type: ignore[arg-type]  # a coroutine by construction
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    def _open(self) -> None:
        self._state = "open"
        self._primary = False
        self._stop_timers()

    def _stop_timers(self) -> None:
        for timer in (self._timer, self._beat):
            if timer is not None:
                timer.cancel()
        self._timer = self._beat = None

    def _note(self, action: HoldAction, reason: str, gap_s: float | None = None) -> None:
        playing = self._playing()
        event = HoldEvent(
            at_s=self._now_s(),
            action=action,
            reason=reason,
            outstanding_ms=1000 * self.outstanding_s(),
            context_id=playing.context_id if playing is not None else None,
            gap_ms=None if gap_s is None else 1000 * gap_s,
        )
        self.log.append(event)
        for listener in self._listeners:
            try:
                listener(event)
            except Exception as error:
                logger.warning("hold listener failed: {}", type(error).__name__)

    def _now_s(self) -> float:
        return asyncio.get_running_loop().time()
