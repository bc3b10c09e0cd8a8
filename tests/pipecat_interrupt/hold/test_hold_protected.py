"""Speech that must be heard: held and cut by nothing but the primary speaker's own stop request."""

from __future__ import annotations

import pytest
from pipecat.frames.frames import InterruptionFrame, TTSSpeakFrame

from pipecat_interrupt.hold import PRIMARY_STOP
from pipecat_interrupt.testing import TTS_SHAPES, ScriptedTTS
from tests.pipecat_interrupt.hold.held_calls import BACKENDS, PROTECTED, REPLY, held_call, protected

pytestmark = pytest.mark.pipeline

both = pytest.mark.parametrize("backend", BACKENDS)
shapes = pytest.mark.parametrize("shape", TTS_SHAPES)


async def interrupt(controller, parts):
    await parts.worker.queue_frame(InterruptionFrame())


async def say_protected(controller, parts):
    await parts.worker.queue_frame(protected())


async def say_more(controller, parts):
    await parts.worker.queue_frame(TTSSpeakFrame("Anything else today?"))


@both
@shapes
def test_protected_speech_refuses_a_hold_and_outlives_an_interruption(shape, backend):
    """The hold is refused; the interruption cuts nothing; every sample is heard without a gap."""
    held = held_call(
        [(0.8, lambda c, p: c.hold("onset")), (1.1, interrupt)], shape=shape, backend=backend, opening=protected
    )

    assert held.actions == [("refuse", "onset")]
    assert held.exact and held.whole and held.gaps == []


@both
@shapes
def test_the_primary_speakers_stop_cuts_protected_speech(shape, backend):
    """Held and dropped for the primary speaker's stop, it is not heard any further, and its words do not leak."""
    held = held_call(
        [(0.8, lambda c, p: c.hold(PRIMARY_STOP)), (0.9, lambda c, p: c.drop()), (2.0, say_more)],
        shape=shape,
        backend=backend,
        opening=protected,
    )

    first, second = held.result.heard
    assert first.text != PROTECTED and PROTECTED.startswith(first.text)
    assert first.heard_samples / 16000 <= 0.8
    assert second.whole
    said = [" ".join(m["content"].split()) for m in held.result.messages if m["role"] == "assistant"]
    assert said[-1] == "Anything else today?"
    assert held.parts.controller.cut_context_id is None


@both
def test_the_primary_speakers_stop_needs_no_hold_first(backend):
    """drop(PRIMARY_STOP) alone stops protected speech."""
    held = held_call([(0.8, lambda c, p: c.drop(PRIMARY_STOP))], backend=backend, opening=protected)

    assert held.actions == [("hold", PRIMARY_STOP), ("drop", PRIMARY_STOP)]
    assert held.exact and not held.whole


@both
def test_a_stop_withdrawn_resumes_protected_speech_exactly(backend):
    """Held for a stop that was none, it goes on from the same sample."""
    held = held_call(
        [(0.8, lambda c, p: c.hold(PRIMARY_STOP)), (1.2, lambda c, p: c.resume("not a stop"))],
        backend=backend,
        opening=protected,
    )

    assert held.exact and held.whole
    assert len(held.gaps) == 1


@both
@pytest.mark.parametrize("shape", ["inline", "words"])
def test_protected_speech_behind_dropped_speech_is_heard_whole(shape, backend):
    """The held speech is dropped, the protected speech queued behind it is heard to the end."""
    held = held_call(
        [(2.0, lambda c, p: c.hold("onset")), (2.2, say_protected), (2.5, lambda c, p: c.drop())],
        shape=shape,
        backend=backend,
    )

    first, second = held.result.heard
    assert not first.whole
    assert second.text == PROTECTED and second.whole


@both
def test_a_stop_of_plain_speech_leaves_protected_speech_behind_it_alone(backend):
    """What the patient stopped is what was playing."""
    held = held_call(
        [(2.0, lambda c, p: c.hold(PRIMARY_STOP)), (2.2, say_protected), (2.5, lambda c, p: c.drop())], backend=backend
    )

    first, second = held.result.heard
    assert not first.whole
    assert second.whole


@both
def test_protected_speech_that_comes_up_during_a_hold_lifts_it(backend):
    """A hold taken in silence does not delay protected speech."""
    held = held_call([(0.5, lambda c, p: c.hold("onset")), (0.6, say_protected)], backend=backend, opening=None)

    first_s = held.result.parts.output.pieces[0].start_s - held.result.started_at_s
    assert held.actions == [("hold", "onset"), ("resume", "protected_next")]
    assert first_s < 0.8
    assert held.exact and held.whole


@both
def test_speech_after_protected_speech_can_be_held_again(backend):
    """The protection ends with its utterance."""
    held = held_call(
        [(4.0, say_more), (4.5, lambda c, p: c.hold("onset")), (4.8, lambda c, p: c.resume("back"))],
        backend=backend,
        opening=protected,
    )

    assert held.actions == [("hold", "onset"), ("resume", "back")]
    assert all(context.whole for context in held.result.heard)


@both
def test_the_agent_is_silent_and_said_so_after_a_cut(backend):
    """Pipecat learns that the agent has stopped, so that its timers start."""
    held = held_call([(0.8, lambda c, p: c.drop(PRIMARY_STOP))], backend=backend, opening=protected)

    stopped = held.frames("BotStoppedSpeakingFrame")
    assert len(stopped) == 1 and stopped[0] < 1.2


@both
def test_two_utterances_in_a_row_keep_their_order_across_a_cut(backend):
    """A protected utterance cut in the middle does not swallow the reply that follows."""
    held = held_call(
        [(0.8, lambda c, p: c.drop(PRIMARY_STOP)), (1.5, say_more), (4.0, say_protected)],
        backend=backend,
        opening=protected,
    )

    assert [c.whole for c in held.result.heard] == [False, True, True]


def test_stock_pipecat_is_the_reference_for_protection():
    """Without our parts protected speech outlives the interruption as well: we take nothing away."""
    stock = held_call([(1.1, interrupt)], backend=None, opening=protected)

    assert stock.exact and stock.whole
    assert REPLY not in stock.result.heard[0].intended


@both
@pytest.mark.parametrize("shape", ["streaming", "words"])
def test_a_cut_utterance_that_is_still_being_synthesised_stays_cut(shape, backend):
    """What the TTS goes on to deliver of it is swallowed, and the next utterance is heard whole."""
    held = held_call(
        [(1.0, lambda c, p: c.drop(PRIMARY_STOP)), (4.5, say_more)],
        shape=ScriptedTTS(shape, speed=1.2),
        backend=backend,
        opening=lambda: protected("Stand up slowly, drink some water, and call us at once if you faint."),
    )

    first, second = held.result.heard
    assert first.total_samples / 16000 > 3.0 and first.heard_samples / 16000 <= 1.0
    assert second.whole
    said = [" ".join(m["content"].split()) for m in held.result.messages if m["role"] == "assistant"]
    assert said[-1] == "Anything else today?"
