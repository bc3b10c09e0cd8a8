"""A tap before the voice: learns what the agent is about to say, and asks the patient where it will be cut.

Owns the list of intended utterances, in order. It changes no frame.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from pipecat.frames.frames import (
    Frame,
    InterruptionFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
    TTSSpeakFrame,
)
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor

from benchmarks.simulator.placement import Cut
from benchmarks.simulator.replica import closes_call


@dataclass(slots=True)
class Utterance:
    """One thing the agent set out to say.

    Parameters:
        text: The whole of it.
        source: "model", or "speak" for a text put in beside the model (a guard, a reminder).
        cut: Where the patient will start to speak; None lets it play out.
        cut_done: Whether the patient has started.
        at_s: Loop time at which it reached the voice.
        opened_by: Id of the frame that asked for it: the start of the reply, or the `TTSSpeakFrame`.
    """

    text: str
    source: str
    at_s: float
    cut: Cut | None = None
    cut_done: bool = False
    opened_by: int | None = None

    @property
    def closes(self) -> bool:
        """Whether it says goodbye."""
        return closes_call(self.text)


class IntentTap(FrameProcessor):
    """Stands before the voice.

    Args:
        plan_cut: Asked once an utterance, before any of it sounds.
        now_s: Loop time.
        on_goodbye: Called when the model's whole reply says goodbye: the bot hangs up then.
    """

    reads_caller_audio = False

    def __init__(
        self,
        plan_cut: Callable[[str], Awaitable[Cut | None]],
        now_s: Callable[[], float],
        on_goodbye: Callable[[], Awaitable[None]],
    ) -> None:
        super().__init__(enable_direct_mode=True)
        self.utterances: list[Utterance] = []
        self._plan_cut = plan_cut
        self._now_s = now_s
        self._on_goodbye = on_goodbye
        self._open: list[str] | None = None
        self._opened_by: int | None = None

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Note what is to be said; pass everything on."""
        await super().process_frame(frame, direction)
        if direction is FrameDirection.DOWNSTREAM:
            await self._note(frame)
        await self.push_frame(frame, direction)
        if isinstance(frame, LLMFullResponseEndFrame) and self.utterances and self.utterances[-1].closes:
            await self._on_goodbye()

    async def _note(self, frame: Frame) -> None:
        if isinstance(frame, LLMFullResponseStartFrame):
            self._open, self._opened_by = [], frame.id
        elif isinstance(frame, LLMTextFrame) and self._open is not None:
            self._open.append(frame.text)
        elif isinstance(frame, LLMFullResponseEndFrame | InterruptionFrame):
            text = "".join(self._open or []).strip()
            self._open = None
            if text:
                await self._add(text, "model", self._opened_by)
        elif isinstance(frame, TTSSpeakFrame) and frame.text.strip():
            await self._add(frame.text.strip(), "speak", frame.id)

    async def _add(self, text: str, source: str, opened_by: int | None) -> None:
        cut = await self._plan_cut(text)
        self.utterances.append(Utterance(text, source, self._now_s(), cut, opened_by=opened_by))
