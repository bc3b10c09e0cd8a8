"""Calls with a recorder in them: what it wrote down beside what the ear heard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pipecat.frames.frames import (
    Frame,
    TTSSpeakFrame,
)
from pipecat.processors.frame_processor import FrameProcessor

from pipecat_interrupt.delivery import DeliveryRecorder
from pipecat_interrupt.facts import UtteranceRecord
from pipecat_interrupt.testing import (
    CallParts,
    CallResult,
    ScriptedCall,
    run_call,
)

REPLY = (
    "Take one tablet every morning with water, and do not drink grapefruit juice. "
    "If you feel dizzy, call us at once. Please bring your card."
)


@dataclass
class Outcome:
    """What a call gave: the records, the calls to the listener, and the truth at the ear."""

    recorder: DeliveryRecorder
    result: CallResult
    started: list[tuple[str, str]] = field(default_factory=list)

    @property
    def records(self) -> list[UtteranceRecord]:
        return self.recorder.records

    @property
    def only(self) -> UtteranceRecord:
        assert len(self.records) == 1, self.records
        return self.records[0]

    def heard(self, index: int = 0) -> int:
        contexts = self.result.heard
        return len(contexts[index].words) if index < len(contexts) else 0


def listen(call: ScriptedCall, recorder: DeliveryRecorder | None = None, **options: Any) -> Outcome:
    """Run a call with the three taps in place."""
    recorder = recorder or DeliveryRecorder()
    started: list[tuple[str, str]] = []

    class Starts:
        def on_started(self, utterance_id: str, intended: str) -> None:
            started.append((utterance_id, intended))

    recorder.add_listener(Starts())

    def build(parts: CallParts) -> list[FrameProcessor]:
        voice = [parts.llm, recorder.intended_tap(), parts.tts, recorder.generated_tap()]
        out = [parts.output, recorder.delivered_tap(), parts.after, parts.pair.assistant()]
        return [parts.input, parts.stt, parts.before, parts.pair.user(), *voice, *out]

    options.setdefault("vad", "text")
    options.setdefault("build", build)
    return Outcome(recorder, run_call(call, **options), started)


def speak(text: str, *, protected: bool = False, append: bool = True) -> Callable[[], Frame]:
    def make() -> Frame:
        frame = TTSSpeakFrame(text, append_to_context=append)
        frame.interruptible = not protected
        return frame

    return make
