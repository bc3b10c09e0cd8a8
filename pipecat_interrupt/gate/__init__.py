"""The speaker gate in a Pipecat pipeline."""

from pipecat_interrupt.gate.facts import EnrolmentFact, GateFact, GateListener, RulingFact, TurnVoiceFact
from pipecat_interrupt.gate.frames import SCORE_KEY, SPEAKER_KEY, ThirdPartySpeechFrame
from pipecat_interrupt.gate.processor import SpeakerGateProcessor
from pipecat_interrupt.gate.settings import GatePipelineSettings
from pipecat_interrupt.gate.taps import AgentAudioTap

__all__ = [
    "SCORE_KEY",
    "SPEAKER_KEY",
    "AgentAudioTap",
    "EnrolmentFact",
    "GateFact",
    "GateListener",
    "GatePipelineSettings",
    "RulingFact",
    "SpeakerGateProcessor",
    "ThirdPartySpeechFrame",
    "TurnVoiceFact",
]
