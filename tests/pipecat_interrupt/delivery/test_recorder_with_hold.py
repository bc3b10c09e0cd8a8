"""Recorder and hold together: held audio is not heard, resumed audio is, dropped audio never; protected speech too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pipecat.frames.frames import Frame, InterruptionFrame, TTSSpeakFrame
from pipecat.processors.frame_processor import FrameProcessor

from pipecat_interrupt.delivery import INTERRUPTED, ContextRepair, DeliveryRecorder
from pipecat_interrupt.hold import PRIMARY_STOP, HoldController, build_hold
from pipecat_interrupt.testing import (
    TTS_SHAPES,
    CallParts,
    CallResult,
    ListenerOutput,
    ScriptedCall,
    TTSShape,
    run_call,
)

pytestmark = pytest.mark.pipeline

REPLY = "Take one tablet every morning with water. Do not drink grapefruit juice. Call us if you feel dizzy."
PROTECTED = "This call is recorded for your safety."
Step = tuple[float, Callable[[HoldController], Any]]


def held(
    steps: list[Step], *, shape: TTSShape, backend: str, cut_at_s: float | None = None, **options: Any
) -> tuple[DeliveryRecorder, CallResult, list[str]]:
    """Run a call with hold, recorder and repair; do the steps on the controller."""
    recorder = DeliveryRecorder()
    output = ListenerOutput()
    hold = build_hold(output, backend=backend)  # type: ignore[arg-type]  # parametrised
    call = ScriptedCall(options.pop("duration_s", 14.0))
    for at_s, step in steps:

        async def do(_: CallParts, step: Callable[[HoldController], Any] = step) -> None:
            step(hold.controller)

        call.do(do, at_s=at_s)
    if cut_at_s is not None:
        call.push(InterruptionFrame, at_s=cut_at_s)

    def build(parts: CallParts) -> list[FrameProcessor]:
        voice = [parts.llm, recorder.intended_tap(), parts.tts, recorder.generated_tap(), hold.before_output]
        out = [output, hold.after_output, recorder.delivered_tap(), ContextRepair(recorder), parts.pair.assistant()]
        return [parts.input, parts.pair.user(), *voice, *out]

    result = run_call(call, tts=shape, vad="text", build=build, output=output, **options)
    history = [str(m["content"]) for m in result.messages if m["role"] == "assistant"]
    return recorder, result, history


@pytest.mark.parametrize("backend", ["filter", "gate"])
@pytest.mark.parametrize("shape", TTS_SHAPES)
def test_a_resumed_utterance_is_heard_whole(shape: TTSShape, backend: str) -> None:
    """A hold of 0.6 s moves no word: one record, all text, and the history has it once."""
    steps: list[Step] = [(1.6, lambda c: c.hold("test")), (2.2, lambda c: c.resume("test"))]

    recorder, _, history = held(steps, shape=shape, backend=backend, replies=[REPLY])

    assert [r.heard_whole for r in recorder.records] == [True]
    assert history == [REPLY]


@pytest.mark.parametrize("backend", ["filter", "gate"])
@pytest.mark.parametrize("shape", TTS_SHAPES)
@pytest.mark.parametrize("at_s", [1.3, 2.75, 4.1])
def test_held_and_dropped_audio_was_not_heard(shape: TTSShape, backend: str, at_s: float) -> None:
    """Hold, then interruption half a second later: only what sounded before the hold is delivered."""
    steps: list[Step] = [(at_s, lambda c: c.hold("test"))]

    recorder, result, history = held(
        steps, shape=shape, backend=backend, cut_at_s=at_s + 0.5, duration_s=at_s + 2, replies=[REPLY]
    )

    (record,) = recorder.records
    counted, heard = len(record.delivered.split()), len(result.heard[0].words)
    assert heard - 1 <= counted <= heard + (shape == "tokens")
    assert record.end_reason == "interruption"
    assert history == [f"{record.delivered} {INTERRUPTED}"]


@pytest.mark.parametrize("backend", ["filter", "gate"])
@pytest.mark.parametrize("shape", TTS_SHAPES)
def test_protected_speech_cut_by_the_patients_own_stop_gets_its_record(shape: TTSShape, backend: str) -> None:
    """Nothing else can cut it; cut in this way it is recorded once, with what was heard and why it ended."""

    def make() -> Frame:
        frame = TTSSpeakFrame(PROTECTED)
        frame.interruptible = False
        return frame

    steps: list[Step] = [(1.5, lambda c: c.hold(PRIMARY_STOP)), (1.8, lambda c: c.drop(PRIMARY_STOP))]

    recorder, result, history = held(
        steps, shape=shape, backend=backend, cut_at_s=1.81, duration_s=5.0, opening=make, replies=[]
    )

    (record,) = recorder.records
    heard = len(result.heard[0].words)
    assert record.protected
    assert record.end_reason == "interruption"
    assert heard - 1 <= len(record.delivered.split()) <= heard + (shape == "tokens")
    assert history == [f"{record.delivered} {INTERRUPTED}"]
