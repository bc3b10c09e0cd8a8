"""Scripted calls on virtual time: everything a test of a voice bot needs, with no key, network, sound card or sleep.

Public for users' own tests; see docs/testing.md. `run_call(ScriptedCall().patient("Wait.", at_s=2.0), replies=[...])`
plays a whole call in a fraction of its length and says what the listener heard, to the sample and to the word.
"""

from pipecat_interrupt.testing.call import CallParts, CallResult, Cue, ScriptedCall, play_call, run_call
from pipecat_interrupt.testing.heard import HeardContext, HeardWordAt, heard_contexts
from pipecat_interrupt.testing.llm import Reply, ScriptedLLM, ToolCall, cooperative, deaf, looping, over_resuming
from pipecat_interrupt.testing.log import FrameLog, LogEntry
from pipecat_interrupt.testing.stt import HeardWord, ScriptedSTT
from pipecat_interrupt.testing.transports import Gap, HeardPiece, ListenerOutput, PlacedClip, ScriptedInput
from pipecat_interrupt.testing.tts import TTS_SHAPES, ScriptedTTS, SpokenContext, TTSShape
from pipecat_interrupt.testing.vad import EnergyVAD
from pipecat_interrupt.testing.virtual_time import (
    LoopClock,
    VirtualDelay,
    VirtualLoop,
    VirtualTimeError,
    run_virtual,
    stdlib_time,
)
from pipecat_interrupt.testing.voice import (
    AGENT,
    PATIENT,
    THIRD_PARTY,
    Speech,
    SpokenWord,
    Voice,
    cough,
    noise_floor,
    speech,
)

__all__ = [
    "AGENT",
    "PATIENT",
    "THIRD_PARTY",
    "TTS_SHAPES",
    "CallParts",
    "CallResult",
    "Cue",
    "EnergyVAD",
    "FrameLog",
    "Gap",
    "HeardContext",
    "HeardPiece",
    "HeardWord",
    "HeardWordAt",
    "ListenerOutput",
    "LogEntry",
    "LoopClock",
    "PlacedClip",
    "Reply",
    "ScriptedCall",
    "ScriptedInput",
    "ScriptedLLM",
    "ScriptedSTT",
    "ScriptedTTS",
    "Speech",
    "SpokenContext",
    "SpokenWord",
    "TTSShape",
    "ToolCall",
    "VirtualDelay",
    "VirtualLoop",
    "VirtualTimeError",
    "Voice",
    "cooperative",
    "cough",
    "deaf",
    "heard_contexts",
    "looping",
    "noise_floor",
    "over_resuming",
    "play_call",
    "run_call",
    "run_virtual",
    "speech",
    "stdlib_time",
]
