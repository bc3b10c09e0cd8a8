"""Marks end to end: Pipecat's websocket transport and Twilio serializer against the loopback carrier, virtual time."""

from __future__ import annotations

import audioop
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from pipecat.frames.frames import Frame, InterruptionFrame, TTSSpeakFrame
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.serializers.twilio import TwilioFrameSerializer
from pipecat.transports.websocket.fastapi import FastAPIWebsocketParams, FastAPIWebsocketTransport

from pipecat_interrupt.carrier import CarrierPlayback, TwilioMarkSerializer
from pipecat_interrupt.carrier.loopback import LoopbackCarrier
from pipecat_interrupt.delivery import DeliveryRecorder
from pipecat_interrupt.facts import UtteranceRecord
from pipecat_interrupt.testing import TTS_SHAPES, CallParts, ScriptedCall, TTSShape, play_call, run_virtual

pytestmark = pytest.mark.pipeline

REPLY = (
    "Take one tablet every morning with water, and do not drink grapefruit juice. "
    "If you feel dizzy, call us at once. Please bring your card."
)
RATE_HZ = 8000


@dataclass
class Line:
    """What came of a call over a carrier."""

    records: list[UtteranceRecord]
    playback: CarrierPlayback
    carrier: LoopbackCarrier
    spoken: list[Any]

    def heard_words(self, context: int, epoch: int) -> int:
        """Words of a synthesis the carrier played to their end, by comparing mu-law samples."""
        played = bytes(self.carrier.epochs[epoch].played)
        whole = audioop.lin2ulaw(self.spoken[context].samples.astype("<i2").tobytes(), 2)
        silence = 0
        while silence < len(played) and played[silence] == 0xFF and whole[:1] != b"\xff":
            silence += 1
        n = 0
        while n < min(len(played), len(whole)) and played[n] == whole[n]:
            n += 1
        return sum(w.end_s <= n / RATE_HZ + 0.002 for w in self.spoken[context].words)


def phone(
    call: Callable[[LoopbackCarrier], ScriptedCall],
    *,
    shape: TTSShape = "words",
    replies: tuple[str, ...] = (REPLY,),
    opening: bool = True,
    **carrier_options: Any,
) -> Line:
    """Place a call over the loopback carrier."""
    playback = CarrierPlayback()
    recorder = DeliveryRecorder(playout=playback)
    carrier = LoopbackCarrier(**carrier_options)

    async def main() -> list[Any]:
        serializer = TwilioMarkSerializer(
            "loopback", playback=playback, params=TwilioFrameSerializer.InputParams(auto_hang_up=False)
        )
        params = FastAPIWebsocketParams(
            audio_in_enabled=True, audio_out_enabled=True, audio_out_end_silence_secs=0, serializer=serializer
        )
        transport = FastAPIWebsocketTransport(carrier.socket, params)  # type: ignore[arg-type]  # a double of the socket

        def build(parts: CallParts) -> list[FrameProcessor]:
            voice = [parts.llm, recorder.intended_tap(), parts.tts, recorder.generated_tap()]
            out = [transport.output(), recorder.delivered_tap(), playback.tap(recorder)]
            return [transport.input(), parts.pair.user(), *voice, *out, parts.pair.assistant()]

        options: dict[str, Any] = {} if opening else {"opening": None}
        result = await play_call(
            call(carrier), replies=replies, tts=shape, vad="text", build=build, sample_rate_hz=RATE_HZ, **options
        )
        return result.parts.tts.contexts

    return Line(recorder.records, playback, carrier, run_virtual(main))


@pytest.mark.parametrize("shape", TTS_SHAPES)
@pytest.mark.parametrize(("jitter_s", "buffer_s"), [(0.0, 0.0), (0.3, 1.0)])
def test_words_in_the_carriers_buffer_are_not_counted(shape: TTSShape, jitter_s: float, buffer_s: float) -> None:
    """A second of sound lies with the carrier at the cut and is cleared: none of it counts."""
    line = phone(
        lambda _: ScriptedCall(7).push(InterruptionFrame, at_s=4.0),
        shape=shape,
        jitter_s=jitter_s,
        buffer_s=buffer_s,
        seed=5,
    )

    (record,) = line.records
    truth = line.heard_words(0, 0)
    assert truth - 2 <= len(record.delivered.split()) <= truth + (shape == "tokens")
    assert record.cut is not None
    assert truth <= len(record.delivered.split()) + record.cut.bound_words


def test_marks_handed_back_after_a_clear_change_nothing() -> None:
    """The carrier returns all waiting marks at once; they are ignored, and the next reply is measured anew."""

    def call(_: LoopbackCarrier) -> ScriptedCall:
        made = ScriptedCall(12).push(InterruptionFrame, at_s=3.5)
        return made.push(lambda: TTSSpeakFrame("Of course, no problem at all."), at_s=3.6)

    line = phone(call, buffer_s=1.0, jitter_s=0.2, seed=2)

    assert line.carrier.marks_back_late > 0
    assert line.playback.marks.ignored >= line.carrier.marks_back_late
    assert line.records[1].delivered == "Of course, no problem at all."
    assert len(line.records[0].delivered.split()) <= line.heard_words(0, 0)


def test_the_lag_of_the_line_is_measured() -> None:
    """Half a second of buffer shows as half a second and more."""
    line = phone(lambda _: ScriptedCall(14), buffer_s=0.5)

    figures = line.playback.playout_lag
    assert figures.n >= 20
    assert figures.median_s is not None
    assert 0.45 <= figures.median_s <= 0.65
    assert line.records[0].heard_whole


@pytest.mark.parametrize("lost", [0.5, 1.0])
def test_lost_marks_cost_words_and_never_give_any(lost: float) -> None:
    """With half of the marks, or all of them, gone the account falls back to a lag and errs short."""
    line = phone(lambda _: ScriptedCall(8).push(InterruptionFrame, at_s=4.5), buffer_s=0.8, lost_marks=lost, seed=3)

    (record,) = line.records
    truth = line.heard_words(0, 0)
    assert truth - 5 <= len(record.delivered.split()) <= truth
    assert record.cut is not None
    assert truth <= len(record.delivered.split()) + record.cut.bound_words


def test_an_uncut_utterance_is_whole_even_when_every_mark_is_lost() -> None:
    """No acknowledgement is not "not heard": a bounded wait settles it."""
    line = phone(lambda _: ScriptedCall(18), lost_marks=1.0)

    assert [r.heard_whole for r in line.records] == [True]


def test_a_hang_up_leaves_a_bounded_estimate() -> None:
    """The line drops in mid-sentence: one record, no more than was played plus the bound."""

    def call(carrier: LoopbackCarrier) -> ScriptedCall:
        async def drop(parts: CallParts) -> None:
            carrier.hang_up()
            await parts.worker.cancel()

        return ScriptedCall(8).do(drop, at_s=4.0)

    line = phone(call, buffer_s=1.0)

    (record,) = line.records
    truth = line.heard_words(0, 0)
    assert record.end_reason == "hang_up"
    assert truth - 2 <= len(record.delivered.split()) <= truth


def test_protected_speech_is_heard_whole_over_the_carrier() -> None:
    """An interruption sends no clear while it plays: the second in the buffer is not lost."""

    def call(_: LoopbackCarrier) -> ScriptedCall:
        def make() -> Frame:
            frame = TTSSpeakFrame("This call is recorded for your safety and for ours.")
            frame.interruptible = False
            return frame

        return ScriptedCall(10).push(make, at_s=0.1).push(InterruptionFrame, at_s=2.2)

    line = phone(call, opening=False, buffer_s=1.0)

    assert [r.heard_whole for r in line.records] == [True]
    assert len(line.carrier.epochs) == 1
