"""Any order of hold, resume, drop, interruption and new speech: the invariants of the hold."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pipecat.frames.frames import InterruptionFrame, TTSSpeakFrame

from pipecat_interrupt.hold import PRIMARY_STOP
from pipecat_interrupt.testing import TTS_SHAPES, ListenerOutput, ScriptedTTS
from tests.pipecat_interrupt.hold.held_calls import BACKENDS, held_call, protected

pytestmark = pytest.mark.pipeline

SPEECHES = ("Drink plenty of water today.", "Call us if you faint.", "Rest well tonight.")

moments = st.integers(0, 4000).map(lambda ms: ms / 1000)
steps = st.lists(
    st.tuples(
        moments,
        st.sampled_from(
            ["hold", "resume", "drop", "stop", "interrupt", "say", "say_protected", "voice_on", "voice_off"]
        ),
        st.integers(100, 2500),
    ),
    min_size=1,
    max_size=7,
)


def act(name, ms, spoken):
    async def interrupt(controller, parts):
        await parts.worker.queue_frame(InterruptionFrame())

    async def say(controller, parts):
        await parts.worker.queue_frame(TTSSpeakFrame(next(spoken)))

    async def say_protected(controller, parts):
        await parts.worker.queue_frame(protected(next(spoken)))

    return {
        "hold": lambda c, p: c.hold("x", ms / 1000),
        "resume": lambda c, p: c.resume("y"),
        "drop": lambda c, p: c.drop(),
        "stop": lambda c, p: c.drop(PRIMARY_STOP),
        "interrupt": interrupt,
        "say": say,
        "say_protected": say_protected,
        "voice_on": lambda c, p: c.on_voice(True),
        "voice_off": lambda c, p: c.on_voice(False),
    }[name]


@settings(max_examples=30, deadline=None)
@given(
    schedule=steps,
    shape=st.sampled_from(TTS_SHAPES),
    backend=st.sampled_from(BACKENDS),
    speed=st.sampled_from([1.2, 10.0]),
    ahead_s=st.sampled_from([0.0, 0.0, 0.4]),
)
def test_whatever_happens_heard_audio_is_a_prefix_with_gaps_and_nothing_sticks(
    schedule, shape, backend, speed, ahead_s
):
    """Of every utterance a prefix is heard, in order; protected speech whole unless stopped; the next is heard."""
    spoken = iter([f"{SPEECHES[i % 3][:-1]} number {i}." for i in range(20)])
    stopped = any(name == "stop" for _, name, _ in schedule)
    acts = [(at_s, act(name, ms, spoken)) for at_s, name, ms in schedule]

    async def goodbye(controller, parts):
        await parts.worker.queue_frame(TTSSpeakFrame("Goodbye and thank you."))

    held = held_call(
        [*acts, (26.0, goodbye)],
        shape=ScriptedTTS(shape, speed=speed),
        backend=backend,
        output=ListenerOutput(ahead_s=ahead_s, clears_on_interruption=False),
        hold={"clock_paced": True} if backend == "gate" and ahead_s else None,
        duration_s=31.0,
    )

    contexts = held.result.heard
    stream = held.result.parts.output.stream()
    assert contexts[-1].text == "Goodbye and thank you." and contexts[-1].whole
    assert not held.parts.controller.held
    assert held.parts.controller.cut_context_id is None
    protected_ids = {
        e.frame.context_id
        for e in held.result.parts.after.entries
        if e.kind == "TTSStartedFrame" and not e.frame.interruptible
    }
    for context in contexts:
        if context.context_id in protected_ids and not stopped:
            assert context.whole
    rest = stream.copy()
    for context in contexts:
        rest[context.begin : context.begin + context.heard_samples] = 0
    assert not rest.any(), "something was heard that is the beginning of no utterance"


@settings(max_examples=25, deadline=None)
@given(
    schedule=st.lists(st.tuples(moments, st.integers(50, 2400)), min_size=1, max_size=5),
    shape=st.sampled_from(TTS_SHAPES),
    backend=st.sampled_from(BACKENDS),
)
def test_holds_alone_never_change_what_is_heard(schedule, shape, backend):
    """Without a drop every sample is heard, however often the audio is held."""
    held = held_call(
        [(at_s, lambda c, p, ms=ms: c.hold("x", ms / 1000)) for at_s, ms in schedule],
        shape=shape,
        backend=backend,
        duration_s=24.0,
    )

    assert held.exact and held.whole
    assert held.frames("InterruptionFrame") == []
    assert len(held.frames("BotStartedSpeakingFrame")) == 1
