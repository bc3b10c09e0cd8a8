"""The model's history says what was heard: pipecat #4996, #5426 and #5605, protected speech, no leak, no loss."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from pipecat.frames.frames import Frame, InterruptionFrame, LLMMessagesAppendFrame, TTSSpeakFrame
from pipecat.processors.frame_processor import FrameProcessor

from pipecat_interrupt.delivery import INTERRUPTED, ContextRepair, CutMark, DeliveryRecorder
from pipecat_interrupt.testing import (
    TTS_SHAPES,
    CallParts,
    ListenerOutput,
    ScriptedCall,
    ScriptedTTS,
    TTSShape,
    run_call,
)

pytestmark = pytest.mark.pipeline

REPLY = "Take one tablet every morning with water. Do not drink grapefruit juice. Call us if you feel dizzy."


@dataclass
class Told:
    """What the model's history says at the end, what was recorded, and when turns closed."""

    history: list[str]
    messages: list[dict[str, Any]]
    recorder: DeliveryRecorder
    turns: list[tuple[str, bool, float]]
    heard: list[str]


def tell(
    call: ScriptedCall, *, repair: bool = True, cut_mark: CutMark = "suffix", lag_s: float = 0.0, **options: Any
) -> Told:
    """Run a call with recorder and, unless told otherwise, context repair."""
    recorder = DeliveryRecorder(playout_lag_s=lag_s)
    turns: list[tuple[str, bool, float]] = []

    def build(parts: CallParts) -> list[FrameProcessor]:
        @parts.pair.assistant().event_handler("on_assistant_turn_stopped")
        async def _(_aggregator: object, message: Any) -> None:
            turns.append((message.content, message.interrupted, parts.now_s))

        voice = [parts.llm, recorder.intended_tap(), parts.tts, recorder.generated_tap()]
        out: list[FrameProcessor] = [parts.output, recorder.delivered_tap()]
        out += [ContextRepair(recorder, cut_mark=cut_mark)] if repair else []
        return [parts.input, parts.stt, parts.pair.user(), *voice, *out, parts.after, parts.pair.assistant()]

    options.setdefault("vad", "text")
    result = run_call(call, build=build, **options)
    history = [str(m["content"]) for m in result.messages if m["role"] == "assistant"]
    return Told(history, result.messages, recorder, turns, [c.text for c in result.heard])


def speak(text: str, *, protected: bool = False, append: bool = True) -> Callable[[], Frame]:
    def make() -> Frame:
        frame = TTSSpeakFrame(text, append_to_context=append)
        frame.interruptible = not protected
        return frame

    return make


@pytest.mark.parametrize("shape", TTS_SHAPES)
@pytest.mark.parametrize("at_s", [0.9, 1.8, 3.3, 5.1])
def test_history_is_the_delivered_text_and_says_that_it_was_cut(shape: TTSShape, at_s: float) -> None:
    """For every shape of voice and every cut, character for character."""
    told = tell(ScriptedCall(at_s + 1).push(InterruptionFrame, at_s=at_s), replies=[REPLY], tts=shape)

    record = told.recorder.records[0]
    assert record.undelivered
    assert told.history == ([f"{record.delivered} {INTERRUPTED}"] if record.delivered else [])
    assert [(content, cut) for content, cut, _ in told.turns] == [(told.history[0] if told.history else "", True)]


@pytest.mark.parametrize("shape", TTS_SHAPES)
def test_an_uncut_reply_is_remembered_whole_and_its_turn_closes_with_its_sound(shape: TTSShape) -> None:
    """Stock closes the turn of a timed voice up to a word before its sound ends."""
    told = tell(ScriptedCall(14), replies=[REPLY], tts=shape)

    assert told.history == [REPLY]
    assert [(content, cut) for content, cut, _ in told.turns] == [(REPLY, False)]
    assert told.turns[0][2] == pytest.approx(told.recorder.records[0].ended_s, abs=0.1)


@pytest.mark.parametrize("shape", ["streaming", "tokens"])
def test_text_sent_and_not_spoken_stays_out_of_the_history(shape: TTSShape) -> None:
    """Pipecat #5426 and #5605: stock remembers all three sentences after 1.1 s; we remember what was heard."""
    call = ScriptedCall(3).push(InterruptionFrame, at_s=1.1)
    stock = tell(call, repair=False, replies=[REPLY], tts=shape)
    ours = tell(ScriptedCall(3).push(InterruptionFrame, at_s=1.1), replies=[REPLY], tts=shape)

    assert "dizzy" in stock.history[0]
    assert "Do not" not in ours.history[0]
    assert ours.history[0].startswith("Take one")
    assert ours.history[0].endswith(INTERRUPTED)


@pytest.mark.parametrize("shape", TTS_SHAPES)
def test_nothing_of_a_cut_reply_enters_the_next_turn(shape: TTSShape) -> None:
    """Pipecat #4996: stock loses heard words, or lets them lead the next message."""
    call = ScriptedCall(8).push(InterruptionFrame, at_s=1.8).push(speak("Of course, no problem."), at_s=1.81)

    told = tell(call, replies=[REPLY], tts=shape)

    assert told.history == [f"{told.recorder.records[0].delivered} {INTERRUPTED}", "Of course, no problem."]


@pytest.mark.parametrize("shape", TTS_SHAPES)
def test_a_cut_before_the_first_sound_adds_nothing(shape: TTSShape) -> None:
    """No empty bubble, no unplayed reply."""
    told = tell(ScriptedCall(2).push(InterruptionFrame, at_s=0.04), replies=[REPLY], tts=shape)

    assert told.messages == []


@pytest.mark.parametrize("shape", TTS_SHAPES)
def test_protected_speech_is_remembered_whole_and_alone(shape: TTSShape) -> None:
    """Its turn was closed by the interruption; it still stands in the history once, and leads no other message."""
    call = ScriptedCall(9).push(speak("This call is recorded for your safety.", protected=True), at_s=0.1)
    call.push(InterruptionFrame, at_s=1.0).push(speak("Shall we begin?"), at_s=4.5)

    told = tell(call, opening=None, tts=shape)

    assert told.history == ["This call is recorded for your safety.", "Shall we begin?"]


@pytest.mark.parametrize("shape", TTS_SHAPES)
def test_speech_kept_out_of_the_history_stays_out(shape: TTSShape) -> None:
    """`append_to_context=False` is obeyed, cut or not."""
    call = ScriptedCall(7).push(speak("One moment, please.", append=False), at_s=0.1)
    call.push(speak("Here I am again.", append=False), at_s=2.5).push(InterruptionFrame, at_s=3.5)

    assert tell(call, opening=None, tts=shape).messages == []


@pytest.mark.parametrize("shape", TTS_SHAPES)
def test_several_wordings_stay_several_messages(shape: TTSShape) -> None:
    """Each wording closes its own turn; the cut one is marked, the one never begun is absent."""
    call = ScriptedCall(9)
    for text in ("Good morning from the clinic.", "This call is recorded today.", "Are you taking your tablets?"):
        call.push(speak(text), at_s=0.1)
    call.push(InterruptionFrame, at_s=3.2)

    told = tell(call, opening=None, tts=shape)

    cut = told.recorder.records[1]
    assert told.history == ["Good morning from the clinic.", f"{cut.delivered} {INTERRUPTED}"]


def test_a_developer_note_can_take_the_place_of_the_suffix() -> None:
    """The heard text stays clean, the model is told in a message of its own."""
    told = tell(ScriptedCall(4).push(InterruptionFrame, at_s=1.8), cut_mark="note", replies=[REPLY], tts="words")

    assert told.history == [told.recorder.records[0].delivered]
    assert [m["role"] for m in told.messages] == ["assistant", "developer"]


def test_a_cut_can_go_unmarked() -> None:
    """Only the heard text, nothing else."""
    told = tell(ScriptedCall(4).push(InterruptionFrame, at_s=1.8), cut_mark="none", replies=[REPLY], tts="words")

    assert told.messages == [{"role": "assistant", "content": told.recorder.records[0].delivered}]


@pytest.mark.parametrize("shape", TTS_SHAPES)
def test_a_lagging_listener_keeps_the_turn_open(shape: TTSShape) -> None:
    """With 0.8 s in the far buffer the turn closes 0.8 s later, and a cut in that time cuts the text."""
    output = ListenerOutput(ahead_s=0.8)
    whole = tell(ScriptedCall(15), lag_s=0.8, replies=[REPLY], tts=shape, output=output)
    written_s = max(p.written_at_s for p in output.pieces) - 1000.0

    late = tell(
        ScriptedCall(15).push(InterruptionFrame, at_s=written_s + 0.2),
        lag_s=0.8,
        replies=[REPLY],
        tts=shape,
        output=ListenerOutput(ahead_s=0.8),
    )

    assert whole.history == [REPLY]
    assert len(late.history) == 1
    assert late.history[0].endswith(INTERRUPTED)
    assert REPLY.startswith(late.history[0].removesuffix(f" {INTERRUPTED}"))


def test_two_replies_queued_behind_a_lag_stay_two_messages() -> None:
    """Turn frames are kept back in order, so the second reply cannot open before the first is settled."""
    call = ScriptedCall(9).push(speak("Good morning."), at_s=0.1).push(speak("Are you well?"), at_s=0.12)

    told = tell(call, lag_s=0.8, opening=None, tts="words", output=ListenerOutput(ahead_s=0.8))

    assert told.history == ["Good morning.", "Are you well?"]


def test_text_shown_but_not_spoken_keeps_its_place() -> None:
    """What was heard before a skipped block stands before it in the history."""
    tts = ScriptedTTS("inline", skip_text_types=["sentence"])
    told = tell(ScriptedCall(5), replies=["Only shown."], tts=tts)

    assert told.history == ["Only shown."]
    assert [r.intended for r in told.recorder.records] == []


def test_messages_appended_by_the_application_pass_untouched() -> None:
    """Only agent speech is replaced."""

    def note() -> Frame:
        return LLMMessagesAppendFrame([{"role": "developer", "content": "Be brief."}], run_llm=False)

    told = tell(ScriptedCall(3).push(note, at_s=0.5), opening=None, tts="words")

    assert told.messages == [{"role": "developer", "content": "Be brief."}]
