"""What the gate tells the model: notes on other people's words, and the wish for a response when nobody else speaks.

Owns the one timer behind that wish. Knows nothing of voices.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from pipecat.frames.frames import LLMMessagesAppendFrame
from pipecat.processors.frame_processor import FrameProcessor


class ModelNotes:
    """Sends notes to the model from a processor's place in the pipeline.

    Args:
        sender: The processor that pushes them.
        delay_s: How long after `run_later` the model is asked to respond.
        busy: True while somebody speaks or is about to, so that nobody needs to be asked.
    """

    def __init__(self, sender: FrameProcessor, delay_s: float, busy: Callable[[], bool]) -> None:
        self._sender, self._delay_s, self._busy = sender, delay_s, busy
        self._soon: asyncio.TimerHandle | None = None

    async def tell(self, note: str, *, run: bool) -> None:
        """Put a note into the model's history; with `run` it answers at once."""
        frame = LLMMessagesAppendFrame(messages=[{"role": "developer", "content": note}], run_llm=run)
        frame.interruptible = False
        await self._sender.push_frame(frame)

    def run_later(self) -> None:
        """Ask the model to respond if nobody else does: the agent silent, no turn open."""
        self.cancel()
        self._soon = asyncio.get_running_loop().call_later(self._delay_s, self._run)

    def cancel(self) -> None:
        """Somebody speaks: nobody needs to be asked."""
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None

    def _run(self) -> None:
        self._soon = None
        if self._busy():
            return
        frame = LLMMessagesAppendFrame(messages=[], run_llm=True)
        self._sender.create_task(self._sender.push_frame(frame), "speaker gate asks for a response")
