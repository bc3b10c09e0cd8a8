"""The recorder in whole Pipecat pipelines on virtual time: every shape of voice, one true record an utterance."""

from __future__ import annotations

import pytest
from pipecat.frames.frames import (
    CancelFrame,
    EndFrame,
    Frame,
    InterruptionFrame,
)

from pipecat_interrupt.delivery import DeliveryRecorder
from pipecat_interrupt.testing import (
    TTS_SHAPES,
    CallParts,
    ListenerOutput,
    ScriptedCall,
    ScriptedTTS,
    TTSShape,
)

from .recorder_calls import REPLY, listen, speak

pytestmark = pytest.mark.pipeline


@pytest.mark.parametrize("shape", TTS_SHAPES)
@pytest.mark.parametrize("at_s", [0.6, 1.37, 2.9, 4.45, 6.2])
def test_a_cut_is_placed_within_a_word_on_the_short_side(shape: TTSShape, at_s: float) -> None:
    """Whatever the voice gives to go by, the record agrees with the listener's ear; a token stream may be one over."""
    outcome = listen(ScriptedCall(at_s + 1).push(InterruptionFrame, at_s=at_s), replies=[REPLY], tts=shape)

    record = outcome.only
    counted, heard = len(record.delivered.split()), outcome.heard()
    assert heard - 1 <= counted <= heard + (shape == "tokens")
    assert record.cut is not None
    assert heard <= counted + record.cut.bound_words + 1
    assert record.cut.exactness == ("exact" if shape == "words" else "estimated")
    assert record.intended == REPLY
    assert record.end_reason == "interruption"
    assert [u for u, _ in outcome.started] == [record.id]


@pytest.mark.parametrize("shape", TTS_SHAPES)
def test_an_utterance_that_is_not_cut_is_heard_whole(shape: TTSShape) -> None:
    """One record, no cut, all text, exactly when the sound ends."""
    outcome = listen(ScriptedCall(15), replies=[REPLY], tts=shape)

    assert outcome.only.heard_whole
    assert outcome.only.delivered == REPLY
    assert outcome.only.llm_complete
    assert outcome.only.written_ms == pytest.approx(outcome.only.generated_ms)


@pytest.mark.parametrize("shape", TTS_SHAPES)
def test_a_cut_before_the_first_sound_leaves_one_record_at_zero(shape: TTSShape) -> None:
    """Nothing was audible, yet the attempt is on record, and nobody was told that it started."""
    outcome = listen(ScriptedCall(2).push(InterruptionFrame, at_s=0.04), replies=[REPLY], tts=shape)

    assert (outcome.only.delivered, outcome.only.intended) == ("", REPLY)
    assert outcome.only.cut is not None
    assert outcome.only.cut.words == 0
    assert outcome.started == []


@pytest.mark.parametrize("shape", TTS_SHAPES)
@pytest.mark.parametrize("before_end_s", [0.02, 0.045, 0.09])
def test_a_cut_at_the_very_end_gives_one_record(shape: TTSShape, before_end_s: float) -> None:
    """The last 50 ms: settled once, and what was heard to its last sound counts as heard."""
    text = "Please bring your card."
    whole = listen(ScriptedCall(6), replies=[text], tts=shape)
    end_s = whole.result.parts.output.pieces[-1].end_s - whole.result.started_at_s

    outcome = listen(ScriptedCall(6).push(InterruptionFrame, at_s=end_s - before_end_s), replies=[text], tts=shape)

    assert outcome.only.delivered == text
    assert outcome.only.end_reason == "complete"


@pytest.mark.parametrize("shape", TTS_SHAPES)
def test_queued_wordings_are_kept_apart(shape: TTSShape) -> None:
    """Three wordings, cut in the second: one whole, one cut, one never begun."""
    call = ScriptedCall(8)
    for text in ("Good morning from the clinic.", "This call is recorded today.", "Are you taking your tablets?"):
        call.push(speak(text), at_s=0.1)
    call.push(InterruptionFrame, at_s=3.0)

    outcome = listen(call, opening=None, tts=shape)

    assert [r.intended for r in outcome.records] == [
        "Good morning from the clinic.",
        "This call is recorded today.",
        "Are you taking your tablets?",
    ]
    assert outcome.records[0].end_reason == "complete"
    assert outcome.records[1].delivered.startswith("This")
    assert outcome.records[1].undelivered
    assert outcome.records[2].delivered == ""
    assert {r.source for r in outcome.records} == {"speak"}


@pytest.mark.parametrize("shape", TTS_SHAPES)
def test_protected_speech_is_heard_whole_through_an_interruption(shape: TTSShape) -> None:
    """It plays on, its record comes at its own end, and what was unprotected behind it is gone."""
    call = ScriptedCall(8)
    call.push(speak("This call is recorded for your safety.", protected=True), at_s=0.1)
    call.push(speak("Shall we begin?"), at_s=0.15)
    call.push(InterruptionFrame, at_s=1.2)

    outcome = listen(call, opening=None, tts=shape)

    by_text = {r.intended: r for r in outcome.records}
    assert len(outcome.records) == 2
    assert by_text["This call is recorded for your safety."].heard_whole
    assert by_text["This call is recorded for your safety."].protected
    assert by_text["Shall we begin?"].delivered == ""


@pytest.mark.parametrize("shape", TTS_SHAPES)
def test_speech_outside_the_history_is_recorded_all_the_same(shape: TTSShape) -> None:
    """`append_to_context=False` says where the text belongs, not whether it was heard."""
    call = ScriptedCall(8).push(speak("This is an automated call from the clinic.", append=False), at_s=0.1)

    outcome = listen(call.push(InterruptionFrame, at_s=1.6), opening=None, tts=shape)

    assert not outcome.only.append_to_context
    assert outcome.only.delivered.startswith("This is an")


@pytest.mark.parametrize("shape", TTS_SHAPES)
def test_a_second_reply_after_a_cut_starts_from_nothing(shape: TTSShape) -> None:
    """Neither the chunk in flight nor the counters of the reply before enter the next one."""
    call = ScriptedCall(10).push(InterruptionFrame, at_s=1.5).push(speak("Of course, no problem."), at_s=1.501)

    outcome = listen(call, replies=[REPLY], tts=shape)

    assert len(outcome.records) == 2
    assert outcome.records[1].delivered == "Of course, no problem."
    assert outcome.records[1].written_ms <= outcome.records[1].generated_ms


@pytest.mark.parametrize("ending", [EndFrame, CancelFrame])
def test_the_end_of_the_pipeline_leaves_no_utterance_without_a_record(ending: type[Frame]) -> None:
    """A hang-up cuts; a planned end lets the queue play out, as Pipecat does."""

    async def do(parts: CallParts) -> None:
        if ending is CancelFrame:
            await parts.worker.cancel()
        else:
            await parts.worker.queue_frame(EndFrame())

    outcome = listen(ScriptedCall(12).do(do, at_s=2.0), replies=[REPLY], tts="words")

    if ending is CancelFrame:
        assert outcome.only.end_reason == "hang_up"
        assert outcome.only.undelivered
    else:
        assert outcome.only.end_reason == "complete"


def test_resampled_audio_is_accounted_in_seconds() -> None:
    """A voice at 24 kHz on a 16 kHz transport: the resampler's delay costs at most a word, never gives one."""
    for at_s in (1.2, 2.4, 3.7):
        tts = ScriptedTTS("words", sample_rate_hz=24000)
        outcome = listen(ScriptedCall(at_s + 1).push(InterruptionFrame, at_s=at_s), replies=[REPLY], tts=tts)
        written_s = sum(len(p.audio) for p in outcome.result.parts.output.pieces) / 16000
        truth = sum(w.end_s <= written_s for w in tts.contexts[0].words)

        assert truth - 1 <= len(outcome.only.delivered.split()) <= truth


def test_a_transport_that_runs_ahead_is_corrected_by_its_lag() -> None:
    """With 0.8 s in the far buffer, the words in it were not heard."""
    for shape in TTS_SHAPES:
        recorder = DeliveryRecorder(playout_lag_s=0.8)
        outcome = listen(
            ScriptedCall(5).push(InterruptionFrame, at_s=3.5),
            recorder,
            replies=[REPLY],
            tts=shape,
            output=ListenerOutput(ahead_s=0.8),
        )
        heard, counted = outcome.heard(), len(outcome.only.delivered.split())

        assert heard - 1 <= counted <= heard + (shape == "tokens")


def test_a_lagging_listener_is_waited_for() -> None:
    """The utterance is whole only when its last sample was played, and time alone settles it."""
    outcome = listen(
        ScriptedCall(15),
        DeliveryRecorder(playout_lag_s=0.8),
        replies=["Please bring your card."],
        tts="words",
        output=ListenerOutput(ahead_s=0.8),
    )

    last_word_s = outcome.result.heard[0].words[-1].end_s - outcome.result.started_at_s
    assert outcome.only.heard_whole
    assert outcome.only.ended_s is not None
    assert last_word_s <= outcome.only.ended_s <= last_word_s + 0.2


def test_another_destination_plays_on_with_what_it_has() -> None:
    """Pipecat flushes only the default destination: what plays elsewhere is heard and counted."""

    class Elsewhere(ScriptedTTS):
        def __init__(self) -> None:
            super().__init__("words", transport_destination="room")

    text = "Please bring your card with you."
    outcome = listen(
        ScriptedCall(6).push(InterruptionFrame, at_s=1.0),
        replies=[text],
        tts=Elsewhere(),
        output=ListenerOutput(destinations=["room"]),
    )

    heard = sum(len(p.audio) for p in outcome.result.parts.output.pieces if p.destination == "room") / 16000
    truth = sum(w.end_s <= heard for w in outcome.result.parts.tts.contexts[0].words)
    assert outcome.only.destination == "room"
    assert len(outcome.only.delivered.split()) == truth
