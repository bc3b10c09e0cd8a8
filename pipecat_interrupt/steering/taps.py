"""Two small taps: what the far end said and nobody has answered yet, and the moment at which a call is over.

Owns no decision. Both are direct-mode processors, so that an interruption can neither overtake nor drop what they saw.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from loguru import logger
from pipecat.frames.frames import (
    CancelFrame,
    EndFrame,
    Frame,
    InterimTranscriptionFrame,
    StartFrame,
    TranscriptionFrame,
)
from pipecat.processors.frame_processor import FrameDirection

from obligations.answers.protocol import ReplySpeaker
from pipecat_interrupt.gate.frames import SPEAKER_KEY, ThirdPartySpeechFrame
from pipecat_interrupt.hold.express import CONSTANT_FRAMES, TALK_FRAMES, TURN_NEWS, ExpressAudio
from pipecat_interrupt.overlap.late import AGAIN_KEY, LOW_CERTAINTY_KEY
from pipecat_interrupt.steering.clock import CallClock
from pipecat_interrupt.steering.told import Said

WORDS_CHARS_MAX = 2000
REPORTING_ACTIONS = frozenset({"attribute", "alert"})
"""What the gate does with a third party's words that are worth something to the call."""


class WordsTap(ExpressAudio):
    """Remembers the words of the far end that no turn has taken up; a hang-up leaves them here.

    Place it directly before the user aggregator.

    Args:
        clock: The call's clock, started with the pipeline.

    `on_report` is called with words of a third party that the gate found useful, and how many seconds ago their voice
    had ended (None when that is not known); by default nobody is told.
    """

    express_frames = CONSTANT_FRAMES | TURN_NEWS - {InterimTranscriptionFrame}

    def __init__(self, clock: CallClock) -> None:
        super().__init__(enable_direct_mode=True)
        self._clock = clock
        self._final = ""
        self._interim = ""
        self._unconfirmed = False
        self._speakers: set[str] = set()
        self._interim_speaker = ""
        self.on_report: Callable[[str, float | None], None] = lambda text, age_s: None

    @property
    def words(self) -> str:
        """The waiting words, final and unfinished, joined; at most `WORDS_CHARS_MAX` characters."""
        return " ".join(f"{self._final} {self._interim}".split())[-WORDS_CHARS_MAX:]

    @property
    def speaker(self) -> ReplySpeaker:
        """Whose words they are held to be: the least certain of what the gate said; primary when there is no gate."""
        return _least_certain(self._speakers | ({self._interim_speaker} if self._interim else set()))

    @property
    def by_voice(self) -> bool:
        """Whether the gate knew the voice of all the final words as the patient's."""
        return self._speakers == {"primary"}

    @property
    def said(self) -> Said:
        """The final words that wait, and what is known of them.

        Not the unfinished ones: those become final, or are taken as they are by overlap judgement, and come then.
        """
        words = " ".join(self._final.split())
        speaker = _least_certain(self._speakers)
        return Said(words, speaker, self.by_voice, spoken=bool(words), unconfirmed=self._unconfirmed)

    def taken(self) -> None:
        """A turn has taken the words up."""
        self._final, self._interim, self._unconfirmed = "", "", False
        self._speakers.clear()

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Read transcripts, pass everything on."""
        await super().process_frame(frame, direction)
        if isinstance(frame, StartFrame):
            self._clock.start(self.get_clock())
        if direction is FrameDirection.DOWNSTREAM:
            if isinstance(frame, InterimTranscriptionFrame):
                self._interim, self._interim_speaker = frame.text, str(frame.metadata.get(SPEAKER_KEY, ""))
            elif isinstance(frame, TranscriptionFrame) and AGAIN_KEY not in frame.metadata:
                self._final, self._interim = f"{self._final} {frame.text}"[-WORDS_CHARS_MAX:], ""
                self._speakers.add(str(frame.metadata.get(SPEAKER_KEY, "")))
                self._unconfirmed = self._unconfirmed or bool(frame.metadata.get(LOW_CERTAINTY_KEY))
            elif isinstance(frame, ThirdPartySpeechFrame) and frame.action in REPORTING_ACTIONS:
                self.on_report(frame.text, frame.age_s)
        await self.push_frame(frame, direction)


def _least_certain(speakers: set[str]) -> ReplySpeaker:
    if "unsure" in speakers:
        return ReplySpeaker.UNSURE
    return ReplySpeaker.INFERRED if speakers & {"inferred", "assumed"} else ReplySpeaker.PRIMARY


class CallCloser(ExpressAudio):
    """Tells when the call is over, after every utterance before it was settled.

    Place it directly behind the delivered tap.

    Args:
        on_over: Told the reason: "end", "hang_up", or "lost" when the pipeline was taken down without either.
        settled: Awaited when the pipeline is taken down: what has to be done by then for a call that is over. Must be
            bounded.
    """

    express_frames = TALK_FRAMES

    def __init__(
        self, on_over: Callable[[str, str], None], settled: Callable[[], Awaitable[None]] | None = None
    ) -> None:
        super().__init__(enable_direct_mode=True)
        self._on_over, self._settled = on_over, settled

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Notice the end, pass everything on."""
        await super().process_frame(frame, direction)
        if direction is FrameDirection.DOWNSTREAM and isinstance(frame, EndFrame | CancelFrame):
            self._tell("end" if isinstance(frame, EndFrame) else "hang_up", str(frame.reason or ""))
        await self.push_frame(frame, direction)

    async def cleanup(self) -> None:
        """The pipeline is taken down: if no end came by, it is lost."""
        self._tell("lost", "")
        if self._settled is not None:
            try:
                await self._settled()
            except Exception as error:
                logger.error("waiting for the end of a call failed: {}", type(error).__name__)
        await super().cleanup()

    def _tell(self, reason: str, detail: str) -> None:
        try:
            self._on_over(reason, detail)
        except Exception as error:
            logger.error("closing the call failed: {}", type(error).__name__)
