"""Which back-end for which transport, and what surrounds it: resampling, inner filters, destinations, lost writes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pipecat.audio.filters.base_audio_filter import BaseAudioFilter
from pipecat.audio.mixers.base_audio_mixer import BaseAudioMixer
from pipecat.frames.frames import EndFrame, TTSSpeakFrame

from pipecat_interrupt.errors import PipelineError
from pipecat_interrupt.hold import (
    Hold,
    HoldController,
    HoldFilter,
    HoldGate,
    build_hold,
    choose_backend,
    lint_hold,
)
from pipecat_interrupt.hold.backend import PACED_TRANSPORTS
from pipecat_interrupt.testing import ListenerOutput, ScriptedCall, ScriptedTTS, play_call, run_virtual
from tests.pipecat_interrupt.hold.held_calls import BACKENDS, held_call

pytestmark = pytest.mark.pipeline

both = pytest.mark.parametrize("backend", BACKENDS)
HOLD = [(2.0, lambda c, p: c.hold("onset")), (2.6, lambda c, p: c.resume("back"))]


class Halved(BaseAudioFilter):
    """A filter that was in the slot before: halves every sample and counts what it saw."""

    def __init__(self):
        self.seen = 0
        self.rate = 0

    async def start(self, sample_rate):
        self.rate = sample_rate

    async def stop(self):
        pass

    async def process_frame(self, frame):
        pass

    async def filter(self, audio):
        self.seen += len(audio)
        return (np.frombuffer(audio, "<i2") // 2).astype("<i2").tobytes()


class QuietMixer(BaseAudioMixer):
    """A mixer that adds nothing, but keeps the line alive."""

    async def start(self, sample_rate):
        pass

    async def stop(self):
        pass

    async def process_frame(self, frame):
        pass

    async def mix(self, audio):
        return audio


def test_a_websocket_like_transport_gets_the_filter():
    """The transport writes at the pace of the sound: the filter stops soonest."""
    choice = choose_backend(ListenerOutput())

    assert (choice.backend, choice.clock_paced) == ("filter", False)


def test_a_transport_that_buffers_gets_the_clocked_gate():
    """LiveKit takes a second of audio before it sounds."""
    ahead = choose_backend(ListenerOutput(ahead_s=0.8))

    assert (ahead.backend, ahead.clock_paced) == ("gate", True)
    assert "800 ms" in ahead.reason


def test_a_mixer_gets_the_gate():
    """A filter would stop the background sound as well."""
    choice = choose_backend(ListenerOutput(audio_out_mixer=QuietMixer()))

    assert choice.backend == "gate"
    assert "mixer" in choice.reason


def test_an_unknown_transport_counts_as_one_that_buffers():
    """Nobody has measured it: the gate bounds what has left."""

    class Unknown(ListenerOutput):
        pass

    output = Unknown()
    output.buffers_ahead_s = None
    choice = choose_backend(output)

    assert (choice.backend, choice.clock_paced) == ("gate", True)
    assert "Unknown" in choice.reason


def test_the_controller_fits_the_protocol_of_the_start_strategies():
    """Overlap judgement sees nothing but `Hold`."""
    assert isinstance(build_hold(ListenerOutput()).controller, Hold)


def test_a_hold_cannot_be_built_into_a_running_transport():
    """The filter slot is read when the transport is set up."""
    output = ListenerOutput()
    output._sample_rate = 16000

    with pytest.raises(PipelineError, match="before the pipeline runs"):
        build_hold(output, backend="filter")


def test_a_budget_out_of_range_is_refused():
    """The bound is the reason why no filler is needed."""
    with pytest.raises(ValueError, match="budget_s"):
        build_hold(ListenerOutput(), budget_s=3.0)


def test_a_filter_that_was_there_runs_behind_the_hold():
    """It sees every sample that is heard, once, and no sample that is dropped."""
    inner = Halved()
    output = ListenerOutput(audio_out_filter=inner)
    held = held_call([*HOLD, (4.0, lambda c, p: c.hold("x")), (4.3, lambda c, p: c.drop())], output=output)

    assert inner.rate == 16000
    assert inner.seen == 2 * len(held.stream)
    n = len(held.stream)
    assert (held.stream == held.spoken[:n] // 2).all()


def test_a_users_own_hold_filter_is_used_as_it_is():
    """`audio_out_filter=HoldFilter(...)` given by hand is not wrapped again."""
    own = HoldFilter()
    parts = build_hold(ListenerOutput(audio_out_filter=own))

    assert parts.controller.filter is own


@both
def test_a_voice_at_another_rate_is_resampled_before_the_transport(backend):
    """22.05 kHz into 16 kHz: nothing stalls, nothing is lost across a hold, the gap is the hold's."""
    held = held_call(HOLD, backend=backend, shape=ScriptedTTS("inline", sample_rate_hz=22050))

    plain = held_call([], backend=backend, shape=ScriptedTTS("inline", sample_rate_hz=22050))
    assert held.parts.before_output.resampled_rates == {22050}
    assert len(held.gaps) == 1 and 0.52 <= held.gaps[0] <= 0.6
    assert len(held.stream) == len(plain.stream)
    assert int(np.abs(held.stream.astype(int) - plain.stream.astype(int)).max()) <= 2


def test_lint_names_a_voice_at_another_rate():
    """The message says what to change."""
    found = lint_hold(ListenerOutput(sample_rate_hz=16000), ScriptedTTS(sample_rate_hz=22050))

    assert len(found) == 1
    assert "22050 Hz" in found[0] and "16000 Hz" in found[0]


def test_lint_names_a_back_end_that_does_not_fit():
    """A filter before a buffer, and destinations a filter does not reach."""
    output = ListenerOutput(ahead_s=1.0, destinations=["room"])
    found = lint_hold(output, ScriptedTTS(), build_hold(output, backend="filter"))

    assert len(found) == 2
    assert "1000 ms" in found[0] and "destination" in found[1]


def test_lint_is_silent_about_a_fitting_set_up():
    """Nothing to say is an empty list."""
    output = ListenerOutput(sample_rate_hz=16000)

    assert lint_hold(output, ScriptedTTS(sample_rate_hz=16000), build_hold(output)) == []


def test_the_gate_does_not_stall_when_writes_fail():
    """A write that fails is never acknowledged; the guard keeps the speech moving."""

    class Leaky(ListenerOutput):
        async def write_audio_frame(self, frame):
            await super().write_audio_frame(frame)
            return len(self.pieces) % 3 != 0

    held = held_call([], backend="gate", output=Leaky(), duration_s=40.0)

    assert held.whole and held.exact
    assert held.parts.before_output.pacer.stalls > 0


@both
def test_speech_for_another_destination_is_neither_held_nor_ordered(backend):
    """A second audio track goes past the parts, as with stock Pipecat."""
    output = ListenerOutput(destinations=["room"])
    tts = ScriptedTTS("inline", transport_destination="room")
    held = held_call([(2.0, lambda c, p: c.hold("onset"))], backend=backend, output=output, shape=tts)

    assert len(output.stream("room")) == -(-len(held.spoken) // 640) * 640
    assert output.gaps(destination="room") == []


def test_a_mixer_keeps_sounding_through_a_hold():
    """With a mixer the gate holds the speech and the line stays alive."""
    output = ListenerOutput(audio_out_mixer=QuietMixer())
    held = held_call(HOLD, backend="gate", output=output, hold={"clock_paced": True}, duration_s=12.0)

    speech = [p for p in output.pieces if p.kind == "TTSAudioRawFrame"]
    background = [p for p in output.pieces if p.kind == "OutputAudioRawFrame"]
    pauses = [b.start_s - a.end_s for a, b in zip(speech, speech[1:], strict=False) if b.start_s - a.end_s > 0.02]
    assert len(pauses) == 1 and 0.45 <= pauses[0] <= 0.65
    assert background and output.gaps() == []
    assert [e.action for e in held.parts.controller.log] == ["hold", "resume"]


def test_listeners_hear_every_step_and_cannot_break_the_call():
    """A listener that raises changes nothing."""
    heard = []

    def bad(event):
        heard.append(event.action)
        raise RuntimeError("mine")

    def first(controller: HoldController, parts):
        controller.add_listener(bad)
        controller.hold("onset")

    held = held_call([(2.0, first), (2.5, lambda c, p: c.resume("back"))])

    assert heard == ["hold", "resume"]
    assert held.exact and held.whole


@both
def test_the_last_speech_of_a_call_can_be_held(backend):
    """The end is queued behind it; the hold works until the last sample has been heard, and the call still ends."""

    async def end(controller, parts):
        await parts.worker.queue_frame(EndFrame())

    held = held_call(
        [(0.3, end), (1.0, lambda c, p: c.hold("onset")), (1.6, lambda c, p: c.resume("back"))],
        backend=backend,
        opening=lambda: TTSSpeakFrame("Goodbye then, and thank you for your time today."),
    )

    assert held.actions == [("hold", "onset"), ("resume", "back")]
    assert held.exact and held.whole and len(held.gaps) == 1
    assert held.result.ended_itself


def test_nothing_is_held_after_the_end_of_the_call():
    """A late onset is refused, and nothing counts as held."""

    async def main():
        controller = HoldController(HoldGate())
        controller.on_end()
        return controller.hold("late"), controller.held, controller.log[-1].action

    assert run_virtual(main) == (False, False, "refuse")


async def test_a_hold_works_in_real_time_too():
    """On a normal loop, with real sleeps: exact, and the gap is the hold's within a tenth of a second."""
    output = ListenerOutput()
    parts = build_hold(output)

    async def hold(_):
        parts.controller.hold("onset")

    async def resume(_):
        parts.controller.resume("back")

    result = await play_call(
        ScriptedCall(2.6).do(hold, at_s=0.5).do(resume, at_s=0.9),
        opening=lambda: TTSSpeakFrame("Take one tablet."),
        vad="text",
        output=output,
        instrument=lambda chain: parts.place(chain, output),
    )

    assert result.heard[0].whole
    assert max(gap_s for _, gap_s in result.gaps()) == pytest.approx(0.38, abs=0.1)


def test_pipecats_own_transports_are_known_by_name():
    """The names the choice rests on exist in this Pipecat."""
    websocket = pytest.importorskip("pipecat.transports.websocket.fastapi")
    sources = Path(websocket.__file__).parents[1]
    code = "".join(path.read_text() for path in sources.glob("*/*.py"))

    assert [name for name in sorted(PACED_TRANSPORTS) if f"class {name}(" not in code] == []
    assert "audio_out_queue_size_ms: int = 1000" in code


@both
def test_nobody_listens_at_the_transport_but_until_a_flush(backend):
    """A handler there runs for every frame: the filter's comes with an interruption and leaves behind its flush."""
    steps: list[str] = []

    class Watched(ListenerOutput):
        def add_event_handler(self, event_name, handler):
            steps.append(f"+{event_name}")
            super().add_event_handler(event_name, handler)

        def remove_event_handler(self, event_name, handler):
            steps.append(f"-{event_name}")
            super().remove_event_handler(event_name, handler)

    hold = [(2.0, lambda c, p: c.hold("onset")), (2.3, lambda c, p: c.drop("interruption"))]
    call = held_call(hold, backend=backend, output=Watched())

    watched = ["+on_after_process_frame", "-on_after_process_frame"]
    assert [step for step in steps if "after_process" in step] == (watched if backend == "filter" else [])
    assert call.actions[:2] == [("hold", "onset"), ("drop", "interruption")]
    assert not call.whole
