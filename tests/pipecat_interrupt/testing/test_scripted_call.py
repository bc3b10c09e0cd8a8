"""A whole call on virtual time: the same every time, cued by what was heard, ended as it should."""

from __future__ import annotations

import asyncio
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pipecat.frames.frames import EndFrame, InterruptionFrame, TTSSpeakFrame, UserStartedSpeakingFrame

from pipecat_interrupt.testing import (
    TTS_SHAPES,
    FrameLog,
    ListenerOutput,
    ScriptedCall,
    heard_contexts,
    play_call,
    run_call,
)

pytestmark = pytest.mark.pipeline

REPLIES = ["Take one tablet every morning with water. Do you feel dizzy?", "I understand.", "Goodbye."]


def short_call():
    return ScriptedCall(14.0).patient("Wait, which one?", on_heard="tablet").patient("No thank you.", at_s=9.0)


@pytest.mark.parametrize("shape", ["streaming", "words"])
def test_the_same_call_is_the_same_to_the_last_frame(shape):
    """Two runs with Silero agree in every frame, time, text and sample."""
    first, second = (run_call(short_call(), replies=REPLIES, tts=shape) for _ in range(2))

    assert first.golden() == second.golden()
    assert (first.stereo() == second.stereo()).all()


def test_a_call_is_played_faster_than_it_lasts():
    """Fourteen seconds with Silero take a fraction of that."""
    real_s = time.monotonic()
    result = run_call(short_call(), replies=REPLIES)

    assert result.duration_s == pytest.approx(14.0, abs=0.5)
    assert time.monotonic() - real_s < 10.0


def test_a_cue_waits_for_the_ear_not_for_the_text():
    """The patient begins when the listener has heard the word's last sample."""
    result = run_call(short_call(), replies=REPLIES, vad="text")

    tablet = next(w for w in result.heard[0].words if w.text == "tablet")
    onset_s = result.parts.input.clips[0].start_s
    assert 0.0 <= onset_s - tablet.end_s <= 0.03


def test_the_second_occurrence_can_be_waited_for():
    """`nth` counts."""
    call = ScriptedCall(12.0).patient("Yes.", on_heard="you", nth=2)
    result = run_call(call, replies=["Do you hear me, do you?"], vad="text")

    words = [w for w in result.heard[0].words if w.text.strip("?,") == "you"]
    assert result.parts.input.clips[0].start_s >= words[1].end_s - 0.002


def test_a_call_that_ends_itself_says_so():
    """An EndFrame drains the pipeline; the timeline stops there."""
    call = ScriptedCall(60.0).push(lambda: TTSSpeakFrame("Goodbye."), at_s=0.1).push(EndFrame, at_s=0.2)
    result = run_call(call, opening=None, vad="text")

    assert result.ended_itself
    assert result.duration_s < 3.0
    assert result.heard[0].whole


def test_an_error_in_a_cue_fails_the_test_that_wrote_it():
    """Nothing is swallowed."""

    async def bad(parts):
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        run_call(ScriptedCall(2.0).do(bad, at_s=0.5), opening=None, vad="text")


def test_the_pipeline_can_be_built_and_instrumented():
    """`build` makes the list, `instrument` gets it."""
    seen: list[str] = []
    tap = FrameLog("mine", kinds=UserStartedSpeakingFrame)

    def instrument(chain):
        seen.extend(type(p).__name__ for p in chain)
        return chain

    call = ScriptedCall(4.0).patient("Hello there.", at_s=1.0)
    run_call(
        call,
        opening=None,
        vad="text",
        build=lambda parts: [*parts.chain[:-1], tap, parts.chain[-1]],
        instrument=instrument,
    )

    assert seen[0] == "ScriptedInput" and seen[-1] == "LLMAssistantAggregator"
    assert [entry.kind for entry in tap.entries] == ["UserStartedSpeakingFrame"]


def test_both_channels_lie_side_by_side():
    """What the caller said is left, what the listener heard is right, on one time axis."""
    call = ScriptedCall(6.0).patient("Hello there.", at_s=4.0)
    result = run_call(call, replies=["Good morning."], vad="text")

    stereo = result.stereo()
    assert stereo.shape[1] == 2 and abs(len(stereo) / 16000 - result.duration_s) < 0.001
    assert stereo[: 3 * 16000, 1].any() and not stereo[: 4 * 16000, 0].any()
    assert stereo[round(4.1 * 16000) : 5 * 16000, 0].any()


def test_silence_after_an_onset_is_measured_at_the_ear():
    """Stock Pipecat at VAD start: the stop is the VAD's delay and at most the chunk in flight."""
    call = ScriptedCall(9.0).patient("Wait a moment please.", at_s=2.0)
    result = run_call(call, replies=REPLIES, vad="text")

    assert 0.2 <= result.silent_after(2.0) <= 0.2 + 0.04


async def test_a_call_can_be_played_on_a_real_loop():
    """In real time the same doubles work."""
    call = ScriptedCall(1.2)
    result = await asyncio.wait_for(play_call(call, opening=lambda: TTSSpeakFrame("Hello."), vad="text"), timeout=10.0)

    assert result.heard[0].text == "Hello."


def test_a_buffer_that_is_cleared_is_not_heard():
    """A transport 0.8 s ahead throws its buffer away on the interruption: the ear stops at once."""
    call = ScriptedCall(9.0).patient("Wait a moment please.", at_s=2.0)
    result = run_call(call, replies=REPLIES, vad="text", output=ListenerOutput(ahead_s=0.8))

    assert result.silent_after(2.0) == pytest.approx(0.2, abs=0.01)


def test_frames_of_one_kind_can_be_asked_for():
    """The log answers by class and direction."""
    call = ScriptedCall(4.0).patient("Hello there.", at_s=1.0)
    result = run_call(call, opening=None, vad="text")

    assert len(result.parts.before.of(UserStartedSpeakingFrame, direction="UPSTREAM")) == 1
    assert result.parts.before.of(UserStartedSpeakingFrame, direction="DOWNSTREAM") == []


@settings(max_examples=15, deadline=None)
@given(
    shape=st.sampled_from(TTS_SHAPES),
    at_ms=st.integers(100, 6000),
    ahead_ms=st.sampled_from([0, 0, 300, 1000]),
    more=st.integers(0, 2),
)
def test_heard_words_are_always_a_prefix_of_the_intended(shape, at_ms, ahead_ms, more):
    """Whenever the patient cuts in, the truth is a prefix, in time order, and ends before the sound does."""
    call = ScriptedCall(16.0).patient("Wait.", at_s=at_ms / 1000)
    for i in range(more):
        call.patient("And then?", at_s=at_ms / 1000 + 2.5 * (i + 1))
    result = run_call(call, replies=REPLIES, tts=shape, vad="text", output=ListenerOutput(ahead_s=ahead_ms / 1000))

    last_s = result.parts.output.pieces[-1].end_s if result.parts.output.pieces else 0.0
    for context in heard_contexts(result.parts.output, result.parts.tts):
        assert context.intended.startswith(context.text)
        ends = [word.end_s for word in context.words]
        assert ends == sorted(ends)
        assert not ends or ends[-1] <= last_s + 1e-3


def test_an_utterance_never_heard_does_not_take_the_words_of_one_that_begins_alike():
    """Dropped before its first sound, it has no words; the next one, which begins with the same, has all."""
    call = (
        ScriptedCall(12.0)
        .push(lambda: TTSSpeakFrame("Take one tablet now."), at_s=0.5)
        .push(InterruptionFrame, at_s=0.55)
        .push(lambda: TTSSpeakFrame("Take one spoon of syrup."), at_s=2.0)
    )
    result = run_call(call, opening=None, vad="text", tts="streaming")
    before = {c.intended: (c.text, c.whole) for c in result.heard}

    assert before["Take one spoon of syrup."] == ("Take one spoon of syrup.", True)
    assert before.get("Take one tablet now.", ("", False)) == ("", False)
