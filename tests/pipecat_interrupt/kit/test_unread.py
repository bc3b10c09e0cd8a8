"""Sound that nobody reads any more ends; whoever may read it still gets it, and on doubt it goes on."""

from __future__ import annotations

from importlib import import_module

import pytest
from pipecat.frames.frames import InputAudioRawFrame, TTSAudioRawFrame
from pipecat.observers.base_observer import BaseObserver
from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregatorParams
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.services.tts_service import TTSService
from pipecat.transports.base_output import BaseOutputTransport
from pipecat.transports.base_transport import TransportParams
from pipecat.transports.websocket.fastapi import FastAPIWebsocketOutputTransport

from pipecat_interrupt.hold import ExpressAudio
from pipecat_interrupt.hold.express import CALLER_AUDIO
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.kit.unread import CallerAudioEnd, reads_caller_audio
from pipecat_interrupt.testing import ScriptedCall, ScriptedLLM, run_call

pytestmark = pytest.mark.pipeline

SOUNDS = (InputAudioRawFrame, TTSAudioRawFrame)


class Pushes(BaseObserver):
    """Who pushed how many frames of sound."""

    def __init__(self):
        super().__init__()
        self.by = {}

    async def on_push_frame(self, data):
        if isinstance(data.frame, SOUNDS):
            key = type(data.source).__name__, type(data.frame).__name__
            self.by[key] = self.by.get(key, 0) + 1


class Passes(FrameProcessor):
    """A processor of an application's."""

    async def process_frame(self, frame, direction):
        await super().process_frame(frame, direction)
        await self.push_frame(frame, direction)


def played(*more, waits_for=()):
    """Play two seconds in which the agent speaks; `more` stands before the assistant aggregator."""
    kit, pushes, reached = InterruptKit(), Pushes(), []

    async def ask(parts):
        parts.worker.set_reached_downstream_filter(waits_for)
        parts.worker.add_event_handler("on_frame_reached_downstream", lambda _, frame: reached.append(type(frame)))

    def build(parts):
        plain = [one for one in parts.chain if one not in (parts.before, parts.after)]
        return [*plain[:-1], *more, plain[-1]]

    result = run_call(
        ScriptedCall(2.0).do(ask, at_s=0.0),
        replies=("One two three four.",),
        vad="energy",
        user_params=LLMUserAggregatorParams(user_turn_strategies=kit.turn_strategies()),
        build=build,
        instrument=kit.instrument,
        observers=[pushes],
    )
    assert result.heard[0].text == "One two three four."
    return pushes.by, reached, kit


def test_sound_that_nobody_reads_ends():
    """The caller's behind the user aggregator, the agent's before the assistant aggregator."""
    by, _, kit = played()

    assert by["LLMUserAggregator", "InputAudioRawFrame"] >= 90
    assert ("ScriptedLLM", "InputAudioRawFrame") not in by
    assert by["ListenerOutput", "TTSAudioRawFrame"] >= 10
    assert not [key for key in by if key[0] == "LLMAssistantAggregator"]
    assert kit.echo._caught.last(0.3) is not None


def test_a_processor_of_the_applications_still_gets_every_sound():
    """A recorder behind the transport is the usual one."""
    by, _, _ = played(Passes())

    assert by["Passes", "InputAudioRawFrame"] >= 90
    assert by["Passes", "TTSAudioRawFrame"] == by["ListenerOutput", "TTSAudioRawFrame"]


def test_sound_reaches_the_end_where_the_worker_is_to_tell():
    """An application may ask Pipecat to be told of frames that reach the end."""
    by, reached, _ = played(waits_for=SOUNDS)

    assert by["LLMAssistantAggregator", "InputAudioRawFrame"] >= 90
    assert reached.count(TTSAudioRawFrame) == by["ListenerOutput", "TTSAudioRawFrame"]


async def test_parts_further_on_still_look():
    """They see each frame once, from where it ends."""
    seen = []

    class Looks(ExpressAudio):
        glanced_frames = CALLER_AUDIO

        def glance(self, frame, direction):
            seen.append(frame)

    looks = Looks(enable_direct_mode=True)
    end = CallerAudioEnd([looks])
    end._worker = type("Worker", (), {"reached_downstream_types": ()})()
    end.link(looks)
    looks.link(Passes())
    sound = InputAudioRawFrame(bytes(640), 16000, 1)
    await end.queue_frame(sound, FrameDirection.DOWNSTREAM)

    assert seen == [sound]


class OwnVoice(TTSService):
    """A voice of an application's that leaves the frames to Pipecat."""

    async def run_tts(self, text, context_id):
        yield None


class OwnOutput(BaseOutputTransport):
    """A transport of an application's that takes frames in itself."""

    async def process_frame(self, frame, direction):
        await super().process_frame(frame, direction)


class HearingLLM(ScriptedLLM):
    """A double that was made to hear: it takes frames in itself."""

    async def process_frame(self, frame, direction):
        await super().process_frame(frame, direction)


@pytest.mark.parametrize(
    ("made", "reads"),
    [
        (lambda: OpenAILLMService.__new__(OpenAILLMService), False),
        (lambda: FastAPIWebsocketOutputTransport.__new__(FastAPIWebsocketOutputTransport), False),
        (OwnVoice, False),
        (lambda: ScriptedLLM(()), False),
        (lambda: HearingLLM(()), True),
        (lambda: OwnOutput(TransportParams()), True),
        (Passes, True),
    ],
)
def test_who_reads(made, reads):
    """On doubt a processor reads: one that nobody knows, and one that takes frames in itself and says nothing."""
    assert reads_caller_audio(made()) is reads


@pytest.mark.parametrize(
    "name",
    ["openai.realtime.llm.OpenAIRealtimeLLMService", "openai.live.llm.OpenAILiveLLMService"],
)
def test_models_that_hear_are_known_by_their_code(name):
    """One of them says nowhere else that it does."""
    module, _, cls = f"pipecat.services.{name}".rpartition(".")
    try:
        kind = getattr(import_module(module), cls)
    except Exception as error:  # noqa: BLE001  # Pipecat raises its own for a missing extra
        pytest.skip(f"not in this Pipecat, or not installed: {type(error).__name__}")

    assert reads_caller_audio(kind.__new__(kind))
