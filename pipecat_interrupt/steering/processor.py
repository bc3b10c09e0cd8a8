"""The steering processor: between the user aggregator and the model it takes turns in and puts wordings out.

Owns the translation between frames and the conductor; every decision is the conductor's or the tracker's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pipecat.frames.frames import (
    CancelFrame,
    EndWorkerFrame,
    Frame,
    InputDTMFFrame,
    InterruptionFrame,
    LLMContextFrame,
    TTSSpeakFrame,
    UserStartedSpeakingFrame,
    UserStoppedSpeakingFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor

from pipecat_interrupt.steering.conductor import Conductor
from pipecat_interrupt.steering.taps import WordsTap


class SteeringProcessor(FrameProcessor):
    """Places a conductor in a pipeline.

    Args:
        conductor: Decides.
        words: Tells what the far end said that no turn has taken up.
    """

    reads_caller_audio = False

    def __init__(self, conductor: Conductor, words: WordsTap) -> None:
        super().__init__()
        self._conductor, self._words = conductor, words
        self._last_user_message: Any = None
        conductor.say, conductor.finish, conductor.interrupt = self._say, self._finish, self._interrupt

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Take turns in; let everything that is not ours pass."""
        await super().process_frame(frame, direction)
        if isinstance(frame, CancelFrame):
            self._conductor.close()
        elif direction is FrameDirection.DOWNSTREAM:
            self._observe(frame)
            if isinstance(frame, LLMContextFrame) and not frame.speculation:
                await self._turn_taken(frame)
                return
        await self.push_frame(frame, direction)

    def _observe(self, frame: Frame) -> None:
        if isinstance(frame, VADUserStartedSpeakingFrame | VADUserStoppedSpeakingFrame):
            self._conductor.voice(isinstance(frame, VADUserStartedSpeakingFrame))
        elif isinstance(frame, UserStartedSpeakingFrame | UserStoppedSpeakingFrame):
            self._conductor.turn(isinstance(frame, UserStartedSpeakingFrame))
        elif isinstance(frame, InterruptionFrame):
            self._conductor.interrupted()
        elif isinstance(frame, InputDTMFFrame):
            self._conductor.key()

    async def _turn_taken(self, frame: LLMContextFrame) -> None:
        self._conductor.open_line()
        said = self._words.said
        text = self._new_words(frame.context, said.text)
        if text:
            await self._conductor.replied(replace(said, text=text))
        if self._conductor.leads_now:
            if not text:
                await self._conductor.advance()
            return
        if self._conductor.guarding and (text or not self._conductor.end_just_asked):
            return
        if text and await self._conductor.take_turn():
            return
        overdue = self._conductor.overdue()
        self._conductor.model_asked()
        await self.push_frame(LLMContextFrame(context=self._with_note(frame.context)))
        if overdue is not None:  # the model answers first, as a person would, then what it leaves out is said
            await self.push_frame(TTSSpeakFrame(overdue))

    def _new_words(self, context: LLMContext, words: str) -> str:
        """The words of this turn: what passed into the aggregator, else a user message of the application's own."""
        self._words.taken()
        last: Any = (context.get_messages() or [None])[-1]
        is_new = isinstance(last, dict) and last.get("role") == "user" and last is not self._last_user_message
        if is_new:
            self._last_user_message = last
        if not words and is_new and isinstance(last.get("content"), str):
            words = last["content"].strip()
        return words

    def _with_note(self, context: LLMContext) -> LLMContext:
        note = self._conductor.note()
        if note is None:
            return context
        messages = [*context.get_messages(), {"role": "developer", "content": note}]
        return LLMContext(messages, tools=context.tools, tool_choice=context.tool_choice)  # pyright: ignore[reportArgumentType] - same value back

    async def _say(self, text: str) -> None:
        await self.push_frame(TTSSpeakFrame(text))

    async def _interrupt(self) -> None:
        await self.push_frame(InterruptionFrame())

    async def _finish(self, reason: str) -> None:
        await self.push_frame(EndWorkerFrame(reason=reason), FrameDirection.UPSTREAM)

    async def cleanup(self) -> None:
        """Stop the conductor."""
        self._conductor.close()
        await super().cleanup()
