"""Hold, resume, drop: for every TTS shape and both back-ends, to the sample, in virtual time."""

from __future__ import annotations

import asyncio

import pytest
from pipecat.frames.frames import EndFrame, InterruptionFrame, TTSSpeakFrame

from pipecat_interrupt.testing import TTS_SHAPES, ListenerOutput, ScriptedTTS
from tests.pipecat_interrupt.hold.held_calls import BACKENDS, LEAD_S, REPLY, held_call

pytestmark = pytest.mark.pipeline

both = pytest.mark.parametrize("backend", BACKENDS)
shapes = pytest.mark.parametrize("shape", TTS_SHAPES)


def last_reply(held) -> str | None:
    said = [m["content"] for m in held.result.messages if m["role"] == "assistant"]
    return " ".join(said[-1].split()) if said else None


@both
@shapes
def test_a_resumed_utterance_is_the_original_with_one_gap(shape, backend):
    """Held for 0.6 s, every sample is heard once, in order, around one gap of the hold less what still sounded."""
    held = held_call(
        [(2.0, lambda c, p: c.hold("onset")), (2.6, lambda c, p: c.resume("backchannel"))], shape=shape, backend=backend
    )

    assert held.exact and held.whole
    assert len(held.gaps) == 1
    assert 0.6 - LEAD_S[backend] <= held.gaps[0] <= 0.6
    assert held.frames("InterruptionFrame") == []
    assert last_reply(held) == REPLY


@both
@shapes
def test_no_hold_changes_nothing_that_is_heard(shape, backend):
    """With the parts in place and nothing held, the stream is stock Pipecat's, sample for sample and in time."""
    ours = held_call([], shape=shape, backend=backend)
    stock = held_call([], shape=shape, backend=None)

    assert ours.exact and ours.whole and ours.gaps == []
    assert [(p.start_s, p.end_s) for p in ours.result.parts.output.pieces] == [
        (p.start_s, p.end_s) for p in stock.result.parts.output.pieces
    ]
    assert last_reply(ours) == last_reply(stock) == REPLY


@both
@shapes
def test_two_holds_in_one_utterance_are_both_exact(shape, backend):
    """The second hold continues from its own sample, like the first."""
    held = held_call(
        [
            (1.5, lambda c, p: c.hold("first")),
            (2.0, lambda c, p: c.resume("back")),
            (3.0, lambda c, p: c.hold("second")),
            (3.7, lambda c, p: c.resume("back")),
        ],
        shape=shape,
        backend=backend,
    )

    assert held.exact and held.whole
    assert len(held.gaps) == 2
    assert 0.5 - LEAD_S[backend] <= held.gaps[0] <= 0.5
    assert 0.7 - LEAD_S[backend] <= held.gaps[1] <= 0.7


@both
@shapes
def test_a_hold_in_the_last_word_keeps_the_turn_open_until_it_has_been_heard(shape, backend):
    """The assistant's turn closes after the resumed last word, with the full text."""
    end_s = held_call([], shape=shape, backend=backend).frames("BotStoppedSpeakingFrame")[0]
    at_s = round(end_s - 0.6, 2)  # the reply ends in 0.35 s of pause

    held = held_call(
        [(at_s, lambda c, p: c.hold("onset")), (at_s + 0.8, lambda c, p: c.resume("back"))],
        shape=shape,
        backend=backend,
    )

    assert held.exact and held.whole
    assert held.frames("LLMFullResponseEndFrame")[0] >= end_s + 0.8 - LEAD_S[backend]
    assert held.frames("InterruptionFrame") == []
    assert last_reply(held) == REPLY


@both
@shapes
def test_held_then_interrupted_audio_is_never_heard(shape, backend):
    """The rest is dropped; what was heard is a prefix that ends within the lead of the hold."""
    held = held_call([(2.0, lambda c, p: c.hold("onset")), (2.6, lambda c, p: c.drop())], shape=shape, backend=backend)

    heard_s = len(held.stream) / 16000
    assert held.exact and not held.whole
    assert heard_s <= 2.0 - 0.1 + LEAD_S[backend]
    assert held.actions == [("hold", "onset"), ("drop", "interruption")]
    assert len(held.frames("InterruptionFrame")) == 1
    assert last_reply(held) is None or REPLY.startswith(last_reply(held))


@both
@shapes
def test_words_never_reach_the_history_before_their_sound(shape, backend):
    """At every moment the text that came out of the transport is covered by audio that came out before it."""
    held = held_call(
        [(2.0, lambda c, p: c.hold("onset")), (2.6, lambda c, p: c.resume("back"))], shape=shape, backend=backend
    )

    heard = {word.text: word.end_s for context in held.result.heard for word in context.words}
    texts = [e for e in held.result.parts.after.entries if e.kind == "TTSTextFrame"]
    assert texts
    for entry in texts:
        assert entry.at_s >= heard[entry.text.split()[-1]] - 0.002


@both
def test_a_hold_that_nobody_ends_resumes_after_its_budget(backend):
    """The patient is silent: the audio goes on by itself, exact."""
    held = held_call([(2.0, lambda c, p: c.hold("onset", 1.0))], backend=backend)

    assert held.exact and held.whole
    assert held.actions == [("hold", "onset"), ("resume", "timeout")]
    assert 1.0 - LEAD_S[backend] <= held.gaps[0] <= 1.0


@both
def test_a_hold_that_nobody_ends_yields_when_the_patient_still_speaks(backend):
    """The patient is speaking when the budget ends: the rest is dropped and an interruption is made."""
    held = held_call(
        [(2.0, lambda c, p: (c.on_voice(True), c.hold("onset", 1.0)))],
        backend=backend,
    )

    assert held.actions == [("hold", "onset"), ("drop", "timeout")]
    assert len(held.frames("InterruptionFrame")) == 1
    assert held.exact and not held.whole


@both
def test_no_hold_lasts_longer_than_two_and_a_half_seconds(backend):
    """A larger budget is cut to the bound."""
    held = held_call([(2.0, lambda c, p: c.hold("onset", 60.0))], backend=backend)

    assert 2.5 - LEAD_S[backend] <= held.gaps[0] <= 2.5
    assert len(held.frames("BotStoppedSpeakingFrame")) == 1


@both
def test_the_agent_counts_as_speaking_through_the_longest_hold(backend):
    """Pipecat's 3 s fallback does not end the agent's speech, even when the TTS was slow before the hold."""
    held = held_call(
        [(1.2, lambda c, p: c.hold("a", 2.5)), (3.74, lambda c, p: c.hold("b", 2.5))], backend=backend, duration_s=16.0
    )

    assert held.exact and held.whole
    assert len(held.frames("BotStartedSpeakingFrame")) == 1


@both
def test_a_drop_without_anybody_elses_interruption_makes_one(backend):
    """The controller interrupts by itself within a tenth of a second."""
    held = held_call([(2.0, lambda c, p: c.hold("onset")), (2.5, lambda c, p: c.drop())], backend=backend)

    assert held.frames("InterruptionFrame") == [2.6]


@both
def test_an_interruption_that_comes_by_itself_ends_the_hold(backend):
    """A turn start elsewhere needs no call of the controller."""

    async def interrupt(controller, parts):
        await parts.worker.queue_frame(InterruptionFrame())

    held = held_call([(2.0, lambda c, p: c.hold("onset")), (2.6, interrupt)], backend=backend)

    assert held.actions == [("hold", "onset"), ("drop", "interruption")]
    assert held.exact and not held.whole
    assert not held.parts.controller.held


@both
def test_dropped_audio_is_not_resumed_by_a_late_verdict(backend):
    """A resume after the drop does nothing."""
    held = held_call(
        [(2.0, lambda c, p: c.hold("onset")), (2.5, lambda c, p: c.drop()), (2.55, lambda c, p: c.resume("late"))],
        backend=backend,
    )

    assert held.actions == [("hold", "onset"), ("drop", "interruption")]
    assert len(held.stream) / 16000 < 2.1


@both
def test_an_end_of_the_call_waits_for_the_held_audio(backend):
    """EndFrame in a hold: the budget ends the hold, the rest is heard, then the call ends by itself."""

    async def end(controller, parts):
        await parts.worker.queue_frame(EndFrame())

    held = held_call([(2.0, lambda c, p: c.hold("onset", 1.0)), (2.2, end)], backend=backend)

    assert held.result.ended_itself
    assert held.exact and held.whole


@both
def test_a_hang_up_in_a_hold_ends_the_call_at_once(backend):
    """CancelFrame in a hold: nothing waits."""

    async def cancel(controller, parts):
        await parts.worker.cancel()

    held = held_call([(2.0, lambda c, p: c.hold("onset")), (2.3, cancel)], backend=backend)

    assert held.result.ended_itself
    assert held.result.duration_s < 2.6
    assert len(held.stream) / 16000 < 2.1


@both
@pytest.mark.parametrize("shape", ["inline", "words"])
def test_speech_queued_during_a_hold_follows_the_held_speech(shape, backend):
    """A second utterance is heard after the first, whole, in order."""

    async def say(controller, parts):
        await parts.worker.queue_frame(TTSSpeakFrame("One more thing."))

    held = held_call(
        [(2.0, lambda c, p: c.hold("onset")), (2.2, say), (2.6, lambda c, p: c.resume("back"))],
        shape=shape,
        backend=backend,
    )

    assert [context.text for context in held.result.heard] == [REPLY, "One more thing."]
    assert all(context.whole for context in held.result.heard)


@both
def test_a_hold_before_the_first_sound_delays_it(backend):
    """The patient begins just before the agent: the agent waits, then says everything."""
    held = held_call([(0.02, lambda c, p: c.hold("onset")), (0.8, lambda c, p: c.resume("back"))], backend=backend)

    first_s = held.result.parts.output.pieces[0].start_s - held.result.started_at_s
    assert 0.8 - 1e-6 <= first_s <= 0.84
    assert held.exact and held.whole


@both
def test_a_hold_right_after_the_first_chunk_is_exact(backend):
    """The first word survives."""
    held = held_call(
        [(0.13, lambda c, p: c.hold("onset")), (0.63, lambda c, p: c.resume("back"))], shape="words", backend=backend
    )

    assert held.exact and held.whole
    assert last_reply(held) == REPLY


@both
def test_the_log_tells_the_gap_the_listener_heard(backend):
    """The gap of the resume event is the gap at the ear."""
    held = held_call([(2.01, lambda c, p: c.hold("onset")), (2.61, lambda c, p: c.resume("back"))], backend=backend)

    event = held.parts.controller.log[-1]
    assert event.action == "resume"
    assert event.gap_ms == pytest.approx(1000 * held.gaps[0], abs=2.0)


def test_a_transport_that_runs_ahead_is_stopped_by_the_clocked_gate():
    """With 0.8 s in the transport's buffer the hold is heard within the lead, and the resume is exact."""
    held = held_call(
        [(2.0, lambda c, p: c.hold("onset")), (2.6, lambda c, p: c.resume("back"))],
        backend="gate",
        output=ListenerOutput(ahead_s=0.8),
        hold={"clock_paced": True},
    )

    assert held.exact and held.whole
    assert held.gaps and 0.6 - 0.1 <= held.gaps[0] <= 0.6


def test_a_filter_cannot_stop_a_transport_that_runs_ahead():
    """The reason why the back-end is chosen: a short hold would not be heard at all."""
    held = held_call(
        [(2.0, lambda c, p: c.hold("onset")), (2.6, lambda c, p: c.resume("back"))],
        backend="filter",
        output=ListenerOutput(ahead_s=0.8),
    )

    assert held.gaps == []


@both
@shapes
def test_an_interruption_without_a_hold_stops_as_soon_as_stock(shape, backend):
    """The parts add nothing to the stop of a plain interruption."""

    async def interrupt(controller, parts):
        await parts.worker.queue_frame(InterruptionFrame())

    ours = held_call([(2.0, interrupt)], shape=shape, backend=backend)
    stock = held_call([(2.0, interrupt)], shape=shape, backend=None)

    allowed_s = 0.0 if backend == "filter" else 0.04
    assert len(ours.stream) / 16000 <= len(stock.stream) / 16000 + allowed_s


@both
def test_words_after_an_interruption_are_timed_anew(backend):
    """Words of a cut reply that lay in the future do not pull the next reply's words before their sound."""

    async def say(controller, parts):
        await parts.worker.queue_frame(TTSSpeakFrame("Of course, let me say that once more for you."))

    held = held_call(
        [(1.0, lambda c, p: c.drop()), (1.0, lambda c, p: c.hold("x")), (1.1, lambda c, p: c.drop()), (1.6, say)],
        shape="words",
        backend=backend,
    )

    heard = {w.text: w.end_s for w in held.result.heard[1].words}
    texts = [e for e in held.result.parts.after.entries if e.kind == "TTSTextFrame" and e.text in heard]
    assert len(texts) == 10
    for entry in texts:
        assert -0.002 <= entry.at_s - heard[entry.text] <= 0.45


@both
def test_a_slow_voice_and_a_hold_together_do_not_end_the_agents_speech(backend):
    """The TTS pauses for 2.4 s and the hold falls into it: Pipecat never believes that the agent has stopped."""
    tts = ScriptedTTS("streaming", speed=1.2)
    deliver, pauses = tts._deliver, iter([0.0, 2.4])

    async def slowly(context_id, text):
        await asyncio.sleep(next(pauses))
        await deliver(context_id, text)

    tts._deliver = slowly
    held = held_call(
        [(4.7, lambda c, p: c.hold("onset", 2.4))], backend=backend, shape=tts, replies=[REPLY[:72]], duration_s=16.0
    )

    assert held.exact and held.whole
    assert held.gaps[0] > 3.0
    assert len(held.frames("BotStartedSpeakingFrame")) == 1
