"""A language model that says nothing, fails or hangs: noticed, so that the line is not dead until it comes back.

Owns the state of the reply the model was asked for, and the tap that sees it. What is done about it is the conductor's.
"""

from __future__ import annotations

from collections.abc import Callable

from pipecat.frames.frames import (
    Frame,
    FunctionCallsStartedFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
)
from pipecat.processors.frame_processor import FrameDirection

from pipecat_interrupt.hold.express import CONSTANT_FRAMES, TURN_NEWS, ExpressAudio

FAILED_WAIT_S_MAX = 4.0
"""Wait for a model that has failed the turn before. Our choice: the patient has waited for it once already."""


class ModelWatch:
    """What is known of the reply the model was asked for.

    Args:
        wait_s: How long it may take to begin.
    """

    def __init__(self, wait_s: float) -> None:
        self._wait_s = wait_s
        self._asked_at_s: float | None = None
        self._began = self._calls = self._failed = False

    @property
    def busy(self) -> bool:
        """A reply was asked for and has neither been spoken nor given up."""
        return self._asked_at_s is not None

    def asked(self, now_s: float) -> None:
        """The model was asked for a reply."""
        self._asked_at_s, self._began, self._calls = now_s, False, False

    def began(self) -> None:
        """Words of it came."""
        self._began, self._failed = True, False

    def calls(self, running: bool) -> None:
        """It looks something up instead (its reply comes behind the result), or begins a new response."""
        self._calls = running

    def over(self) -> None:
        """It was spoken, or is not to be."""
        self._asked_at_s = None

    def failed(self) -> None:
        """It came to nothing."""
        self._asked_at_s, self._failed = None, True

    def empty(self) -> bool:
        """Whether a response that ends now brought nothing."""
        return self.busy and not self._began and not self._calls

    def late(self, now_s: float) -> bool:
        """Whether nothing of it came in time."""
        wait_s = min(self._wait_s, FAILED_WAIT_S_MAX) if self._failed else self._wait_s
        return self.empty() and now_s - (self._asked_at_s or 0.0) >= wait_s


class ModelTap(ExpressAudio):
    """Tells a watch what comes out of the model. Place it between the model and the voice.

    Args:
        watch: Told of words and look-ups.
        on_nothing: Called when a response ended without either.
    """

    express_frames = CONSTANT_FRAMES | TURN_NEWS | {LLMTextFrame}
    glanced_frames = frozenset({LLMTextFrame})

    def __init__(self, watch: ModelWatch, on_nothing: Callable[[], None]) -> None:
        super().__init__(enable_direct_mode=True)
        self._watch, self._on_nothing = watch, on_nothing

    def glance(self, frame: Frame, direction: FrameDirection) -> None:
        """Notice words."""
        if isinstance(frame, LLMTextFrame) and direction is FrameDirection.DOWNSTREAM and frame.text.strip():
            self._watch.began()

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Notice, pass everything on."""
        await super().process_frame(frame, direction)
        self.glance(frame, direction)
        if direction is FrameDirection.DOWNSTREAM:
            if isinstance(frame, FunctionCallsStartedFrame | LLMFullResponseStartFrame):
                self._watch.calls(isinstance(frame, FunctionCallsStartedFrame))
            elif isinstance(frame, LLMFullResponseEndFrame) and self._watch.empty():
                self._on_nothing()
        await self.push_frame(frame, direction)
