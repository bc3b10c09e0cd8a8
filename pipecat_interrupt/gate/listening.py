"""The gate's ear on one call: sound in, verdicts out, the model off the event loop. No frames.

Owns the ring of sound before a turn, the turn that is open, and the one judgement that may run at a time.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor

import numpy as np
from loguru import logger

from pipecat_interrupt.gate.settings import GatePipelineSettings
from speaker_gate import CallGate, TurnVerdict, Voice
from speaker_gate.gate import OpenTurn

END_JUDGEMENT_S_MAX = 5.0
"""Longest the last judgement of a turn may take; after that its verdict is what was known."""


class GateEar:
    """Listens to one call.

    Args:
        gate: The call's gate.
        settings: When it listens.
        executor: Where the model runs; None is the loop's own.
        on_verdict: Told of every new verdict of the open turn, and of the final one.
    """

    def __init__(
        self,
        gate: CallGate,
        settings: GatePipelineSettings,
        executor: Executor | None,
        on_verdict: Callable[[TurnVerdict], None],
    ) -> None:
        self.gate = gate
        self._settings = settings
        self._executor = executor
        self._on_verdict = on_verdict
        self._ring: deque[bytes] = deque()
        self._ring_bytes = 0
        self._rate_hz = 0
        self._judged_s = 0.0
        self._turn_s = 0.0
        self._heard_s = 0.0
        self._work: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[TurnVerdict] | None = None
        self._turn: OpenTurn | None = None
        self.open = False
        self.turn_start_s = 0.0
        self.turn_heard_start_s = 0.0
        self.verdict: TurnVerdict | None = None

    @property
    def heard_s(self) -> float:
        """Seconds of sound since the call began: the recogniser's own clock."""
        return self._heard_s

    @property
    def settled(self) -> bool:
        """True when no judgement is under way or due: the verdict is as good as it gets."""
        return not self.open and (self._closing is None or self._closing.done())

    def hear(self, sound: bytes, rate_hz: int, *, agent_active: bool) -> None:
        """Take sound (16-bit mono); starts a judgement when one is due. Cheap."""
        self._rate_hz = rate_hz
        seconds = len(sound) / 2 / rate_hz
        self._heard_s += seconds
        if not self.open:
            self._keep(sound)
            return
        self.gate.hear(np.frombuffer(sound, dtype=np.int16), agent_speaking=agent_active)
        self._turn_s += seconds
        due = self._turn_s - self._judged_s >= self._settings.step_s
        if due and (agent_active or not self._settings.only_while_agent_active):
            self._judge()

    def start(self, now_s: float, *, agent_active: bool) -> None:
        """A voice was detected: open a turn, with the sound from before it."""
        if self.open or not self._rate_hz:
            return
        self.open, self.verdict = True, None
        before = b"".join(self._ring)
        self._ring.clear()
        self._ring_bytes = 0
        seconds = len(before) / 2 / self._rate_hz
        self.turn_start_s, self.turn_heard_start_s = now_s - seconds, self._heard_s - seconds
        self._turn_s = self._judged_s = 0.0
        self._turn = self.gate.begin_turn(self.turn_start_s, self._rate_hz, agent_speaking=agent_active)
        if before:
            self.gate.hear(np.frombuffer(before, dtype=np.int16), agent_speaking=agent_active)
            self._turn_s = seconds

    def stop(self, now_s: float) -> None:
        """The voice ended: close the turn and judge it for good."""
        if not self.open:
            return
        self.open = False
        self._closing = asyncio.get_running_loop().create_task(self._close(now_s, self._turn))

    async def settle(self, wait_s: float) -> TurnVerdict | None:
        """Wait for the verdict of the turn that just ended, at most `wait_s`; None when there was no turn."""
        if self._closing is not None and not self._closing.done():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._closing), wait_s)
        return self.verdict

    async def finish(self) -> None:
        """The call is over: stop working and drop every voice."""
        for task in (self._work, self._closing):
            if task is not None and not task.done():
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        self.gate.close()

    def _keep(self, sound: bytes) -> None:
        self._ring.append(sound)
        self._ring_bytes += len(sound)
        most = int(self._settings.pre_roll_s * self._rate_hz) * 2
        while self._ring and self._ring_bytes - len(self._ring[0]) >= most:
            self._ring_bytes -= len(self._ring.popleft())

    def _judge(self) -> None:
        if self._work is not None and not self._work.done():
            return
        self._judged_s = self._turn_s
        self._work = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        turn = self._turn
        try:
            verdict = await asyncio.get_running_loop().run_in_executor(self._executor, self.gate.update, turn)
        except RuntimeError as error:  # the executor was shut down
            logger.warning("speaker gate could not judge: {}", type(error).__name__)
            return
        if self.open and self._turn is turn:
            self._take(verdict)

    async def _close(self, now_s: float, turn: OpenTurn | None) -> TurnVerdict:
        loop = asyncio.get_running_loop()
        if self._work is not None and not self._work.done():
            await asyncio.wait({self._work}, timeout=END_JUDGEMENT_S_MAX)
        verdict = await asyncio.wait_for(
            loop.run_in_executor(self._executor, self.gate.end_turn, now_s, turn), END_JUDGEMENT_S_MAX
        )
        if self._turn is turn:
            self._take(verdict)
        return verdict

    def _take(self, verdict: TurnVerdict) -> None:
        self.verdict = verdict
        try:
            self._on_verdict(verdict)
        except Exception as error:
            logger.warning("speaker gate listener failed: {}", type(error).__name__)


def is_other(verdict: TurnVerdict | None) -> bool:
    """Say whether the voice that speaks now is surely not the patient's."""
    return verdict is not None and verdict.voice in (Voice.THIRD_PARTY, Voice.AGENT_ECHO)
