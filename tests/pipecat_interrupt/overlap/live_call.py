"""Helpers of the live overlap tests: a call with the overlap processor in it, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipecat.frames.frames import Frame, InterruptionFrame, UserBackchannelFrame
from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregatorParams
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.turns.user_stop import SpeechTimeoutUserTurnStopStrategy
from pipecat.turns.user_turn_strategies import UserTurnStrategies

from pipecat_interrupt.overlap.config import OverlapConfig
from pipecat_interrupt.overlap.evidence import Speaker
from pipecat_interrupt.overlap.facts import OverlapReport
from pipecat_interrupt.overlap.judge import OverlapJudge
from pipecat_interrupt.overlap.processor import OverlapProcessor
from pipecat_interrupt.testing import CallParts, CallResult, ScriptedCall, run_call

ADVICE = (
    "Take one tablet each morning with a full glass of water. Do not drink alcohol while you take it, and call us on "
    "the same day if your ankles swell or you become short of breath."
)
QUESTION = "Have you had any pain in your chest or in your back since you left hospital last week?"


class Tap(FrameProcessor):
    """Keeps the frames that pass downstream at its place."""

    def __init__(self) -> None:
        super().__init__(enable_direct_mode=True)
        self.frames: list[Frame] = []

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        """Keep and pass on."""
        await super().process_frame(frame, direction)
        if direction is FrameDirection.DOWNSTREAM:
            self.frames.append(frame)
        await self.push_frame(frame, direction)


class FakeFloor:
    """A floor whose every answer is set by the test; audible while the parts say that the agent speaks."""

    def __init__(self, **answers: Any) -> None:
        self.answers = answers
        self.speaking: Callable[[], bool] = lambda: False

    def agent_audible(self) -> bool:
        """From the transport."""
        return self.speaking()

    def utterance_id(self) -> str | None:
        """Set by the test."""
        return self.answers.get("utterance_id")

    def delivered_text(self) -> str:
        """Set by the test."""
        return self.answers.get("delivered_text", "")

    def remaining_text(self) -> str:
        """Set by the test."""
        return self.answers.get("remaining_text", "")

    def recent_text(self) -> str:
        """Set by the test."""
        return self.answers.get("recent_text", "")

    def question_open(self) -> bool:
        """Set by the test."""
        return self.answers.get("question_open", False)

    def focus_heard(self) -> bool:
        """Set by the test."""
        return self.answers.get("focus_heard", False)

    def language(self) -> str | None:
        """Set by the test."""
        return self.answers.get("language", "en")


class FakeHold:
    """A hold that only remembers what it was asked."""

    def __init__(self, refuses: bool = False) -> None:
        self.held = False
        self.refuses = refuses
        self.asked: list[str] = []

    def hold(self, reason: str, budget_s: float = 2.5) -> bool:
        """Hold, unless this hold refuses everything but the patient's own stop request."""
        if self.held or (self.refuses and reason != "primary_stop"):
            self.asked.append(f"refused {reason}")
            return False
        self.held = True
        self.asked.append(f"hold {reason}")
        return True

    def resume(self, reason: str) -> None:
        """Go on."""
        self.held = False
        self.asked.append(f"resume {reason}")

    def drop(self, reason: str = "interruption") -> None:
        """Throw away."""
        self.held = False
        self.asked.append(f"drop {reason}")


class FakeSpeaker:
    """A gate whose word is set by the test."""

    def __init__(self, says: Speaker | None = None) -> None:
        self.says = says

    def attribution(self) -> Speaker | None:
        """The word."""
        return self.says


@dataclass
class Kept:
    """A listener that keeps every report."""

    reports: list[OverlapReport] = field(default_factory=list)

    def on_overlap(self, report: OverlapReport) -> None:
        """Keep."""
        self.reports.append(report)


@dataclass
class Played:
    """A call that was played, with what the overlap part did."""

    result: CallResult
    processor: OverlapProcessor
    kept: Kept
    tap: Tap
    hold: FakeHold

    @property
    def verdicts(self) -> list[tuple[str, bool | None]]:
        """Verdicts in order (first verdicts only)."""
        return [(r.fact.verdict, r.takes_floor) for r in self.kept.reports if r.revision == 1]

    @property
    def user_messages(self) -> list[str]:
        """What the model was told that the patient said."""
        return [str(m["content"]) for m in self.result.messages if m.get("role") == "user"]

    @property
    def interruptions(self) -> int:
        """Interruptions seen behind the user aggregator's place."""
        return len(self.result.parts.after.of(InterruptionFrame, direction="DOWNSTREAM"))

    @property
    def backchannels(self) -> list[str]:
        """Texts of Pipecat's own backchannel frames behind the processor."""
        return [f.text for f in self.tap.frames if isinstance(f, UserBackchannelFrame)]

    @property
    def heard(self) -> list[str]:
        """What the listener heard of each of the agent's utterances."""
        return [context.text for context in self.result.heard]


def play(
    call: ScriptedCall,
    *,
    floor: FakeFloor | None = None,
    hold: FakeHold | None = None,
    speaker: FakeSpeaker | None = None,
    judge: OverlapJudge | None = None,
    replies: Sequence[str] = (ADVICE, "Of course.", "I see.", "Good."),
    stop_s: float = 0.6,
    instrument: Callable[[OverlapProcessor, ScriptedCall], None] = lambda processor, call: None,
    **options: Any,
) -> Played:
    """Play a call with the overlap processor before the user aggregator; rules only unless a judge is given."""
    options.setdefault("vad", "energy")
    kept, tap, held = Kept(), Tap(), hold or FakeHold()
    box: list[OverlapProcessor] = []

    def params(parts: CallParts) -> LLMUserAggregatorParams:
        processor = OverlapProcessor(
            judge=judge or OverlapJudge(OverlapConfig(), models={}),
            floor=floor,
            hold=held,
            speaker=speaker,
            listeners=[kept],
        )
        box.append(processor)
        instrument(processor, call)
        strategies = UserTurnStrategies(
            start=[processor.start_strategy()], stop=[SpeechTimeoutUserTurnStopStrategy(user_speech_timeout=stop_s)]
        )
        return LLMUserAggregatorParams(user_turn_strategies=strategies)

    def build(parts: CallParts) -> list[FrameProcessor]:
        if floor is not None:
            floor.speaking = lambda: _speaking(parts)
        chain = parts.chain
        place = chain.index(parts.pair.user())
        return [*chain[:place], box[0], tap, *chain[place:]]

    result = run_call(call, user_params=params, build=build, replies=list(replies), **options)
    return Played(result, box[0], kept, tap, held)


def _speaking(parts: CallParts) -> bool:
    sender = next(iter(getattr(parts.output, "_media_senders", {}).values()), None)
    return bool(getattr(sender, "_bot_speaking", False))
