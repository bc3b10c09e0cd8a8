"""The recorder where something is missing, foreign or broken: filler, failed writes, faulty listeners."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pipecat.frames.frames import (
    Frame,
    InterruptionFrame,
    OutputAudioRawFrame,
)
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor

from pipecat_interrupt.delivery import DeliveryRecorder, FillerAudioFrame
from pipecat_interrupt.facts import OverlapFact, UtteranceRecord
from pipecat_interrupt.testing import (
    TTS_SHAPES,
    CallParts,
    ListenerOutput,
    Reply,
    ScriptedCall,
    ScriptedTTS,
    TTSShape,
)

from .recorder_calls import REPLY, listen, speak

pytestmark = pytest.mark.pipeline


def test_filler_is_nobodys_speech() -> None:
    """Silence written while audio is held moves no word."""

    async def fill(parts: CallParts) -> None:
        for _ in range(10):
            await parts.tts.push_frame(FillerAudioFrame(bytes(1280), 16000, 1))

    outcome = listen(ScriptedCall(4).do(fill, at_s=0.0).do(fill, at_s=3.0), opening=None, tts="words")

    assert outcome.records == []
    assert outcome.started == []


def test_a_write_that_fails_is_not_heard() -> None:
    """Pipecat pushes a chunk on only when it was written: a dead line delivers nothing."""

    class DeadLine(ListenerOutput):
        async def write_audio_frame(self, frame: OutputAudioRawFrame) -> bool:
            if len(self.pieces) >= 20:
                await asyncio.sleep(frame.num_frames / frame.sample_rate)
                return False
            return await super().write_audio_frame(frame)

    outcome = listen(ScriptedCall(12), replies=[REPLY], tts="words", output=DeadLine())

    assert outcome.only.end_reason == "lost"
    assert len(outcome.only.delivered.split()) == outcome.heard()


def test_what_the_voice_is_told_to_skip_is_not_intended_for_the_ear() -> None:
    """A block that is shown but not spoken belongs to no utterance."""
    tts = ScriptedTTS("inline", text_filters=[])
    outcome = listen(ScriptedCall(8), replies=[Reply("Take one tablet. **Rest** after it.")], tts=tts)

    assert outcome.only.intended == "Take one tablet. **Rest** after it."
    assert outcome.only.heard_whole


@pytest.mark.parametrize("shape", TTS_SHAPES)
def test_a_rewritten_text_is_recorded_as_it_was_written(shape: TTSShape) -> None:
    """A transform changes what the voice says, never what stands in the record."""

    async def spell(text: str, _type: str) -> str:
        return text.replace("0.5 mg", "zero point five milligrams")

    tts = ScriptedTTS(shape, text_transforms=[("*", spell)])
    text = "Take 0.5 mg at night and rest a little after that."
    whole = listen(ScriptedCall(9), replies=[text], tts=tts)
    assert whole.only.delivered == text

    cut = listen(
        ScriptedCall(4).push(InterruptionFrame, at_s=1.0),
        replies=[text],
        tts=ScriptedTTS(shape, text_transforms=[("*", spell)]),
    )

    assert text.startswith(cut.only.delivered)
    assert cut.only.delivered in ("", "Take")


def test_the_listener_is_asked_where_it_is() -> None:
    """At the onset of another voice: which utterance, how many characters, words and milliseconds of it."""
    recorder = DeliveryRecorder()
    places: list[Any] = []

    async def ask(parts: CallParts) -> None:
        places.append((recorder.is_audible, recorder.position(), recorder.heard_and_rest()))

    outcome = listen(ScriptedCall(14).do(ask, at_s=0.01).do(ask, at_s=2.0), recorder, replies=[REPLY], tts="words")

    assert places[0] == (False, None, ("", ""))
    audible, place, (heard, rest) = places[1]
    assert audible
    assert place.utterance_id == outcome.only.id
    assert heard + rest == REPLY
    assert place.words == len(heard.split())
    assert recorder.position() is None


def test_the_overlap_that_cut_stands_in_the_record() -> None:
    """Whoever judges overlaps gives the fact; a record that was not cut carries none."""
    recorder = DeliveryRecorder(agent_id="nurse-bot")
    fact = OverlapFact(onset_s=1.2, verdict="question", speaker="primary", words="How big is it?")
    recorder.overlap_source = lambda: fact

    outcome = listen(
        ScriptedCall(8).push(InterruptionFrame, at_s=1.5).push(speak("Of course."), at_s=2.0), recorder, replies=[REPLY]
    )

    assert [r.overlap for r in outcome.records] == [fact, None]
    assert {r.agent_id for r in outcome.records} == {"nurse-bot"}


def test_a_fault_of_a_listener_never_reaches_the_call() -> None:
    """The other listeners are told, the frames flow, the fault is reported."""
    recorder = DeliveryRecorder()
    troubles: list[str] = []
    recorder.trouble_sink = lambda where, _: troubles.append(where)

    class Broken:
        def on_record(self, record: UtteranceRecord) -> None:
            raise RuntimeError("disk full")

        def on_started(self, utterance_id: str, intended: str) -> None:
            raise RuntimeError("disk full")

    recorder.add_listener(Broken())
    outcome = listen(ScriptedCall(6), recorder, replies=["Please bring your card."])

    assert outcome.only.heard_whole
    assert troubles == ["listener", "listener"]


def test_a_fault_in_the_accounting_is_a_non_fatal_error_and_the_frames_flow() -> None:
    """The listener hears everything; the record errs short."""
    recorder = DeliveryRecorder()
    troubles: list[str] = []
    recorder.trouble_sink = lambda where, _: troubles.append(where)

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("bad chunk")

    recorder.book.audio = broken  # type: ignore[method-assign]  # a fault planted in our own accounting
    outcome = listen(ScriptedCall(6), recorder, replies=["Please bring your card."])

    assert outcome.result.heard[0].whole
    assert outcome.only.delivered == ""
    assert set(troubles) == {"GeneratedTap"}


def test_a_listener_without_any_method_is_refused() -> None:
    """A misspelt method would be a silent hole in the record."""
    with pytest.raises(TypeError, match="neither on_started nor on_record"):
        DeliveryRecorder().add_listener(object())


def test_an_interruption_from_below_settles_too() -> None:
    """A processor behind the output may interrupt: the frame comes up through the taps."""

    class Below(FrameProcessor):
        async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
            await super().process_frame(frame, direction)
            await self.push_frame(frame, direction)

    below = Below()
    recorder = DeliveryRecorder()

    def build(parts: CallParts) -> list[FrameProcessor]:
        voice = [parts.llm, recorder.intended_tap(), parts.tts, recorder.generated_tap()]
        return [parts.input, parts.pair.user(), *voice, parts.output, recorder.delivered_tap(), below]

    async def interrupt(_: CallParts) -> None:
        await below.broadcast_interruption()

    outcome = listen(ScriptedCall(4).do(interrupt, at_s=1.5), recorder, replies=[REPLY], tts="words", build=build)

    assert outcome.only.end_reason == "interruption"
    assert outcome.heard() - 1 <= len(outcome.only.delivered.split()) <= outcome.heard()
