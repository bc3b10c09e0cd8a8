"""Hold and resume of the agent's audio: stop at a sample, go on from the same sample, or drop the rest.

`build_hold(transport.output())` makes the parts; `parts.controller` is what a start strategy uses. `WordsInAudioOrder`
works alone: it brings words to the aggregator with their sound.
"""

from pipecat_interrupt.hold.ack import AckTap
from pipecat_interrupt.hold.backend import BackendChoice, HoldParts, build_hold, choose_backend, lint_hold
from pipecat_interrupt.hold.controller import HoldController, HoldEvent
from pipecat_interrupt.hold.express import ExpressAudio
from pipecat_interrupt.hold.filter import HoldFilter
from pipecat_interrupt.hold.gate import HoldGate, WordsInAudioOrder
from pipecat_interrupt.hold.ordering import AudioOrder
from pipecat_interrupt.hold.pacing import ClockPacer, CreditPacer, NoPacer, Pacer
from pipecat_interrupt.hold.protocol import HOLD_BUDGET_S_MAX, PRIMARY_STOP, Hold

__all__ = [
    "HOLD_BUDGET_S_MAX",
    "PRIMARY_STOP",
    "AckTap",
    "AudioOrder",
    "BackendChoice",
    "ClockPacer",
    "CreditPacer",
    "ExpressAudio",
    "Hold",
    "HoldController",
    "HoldEvent",
    "HoldFilter",
    "HoldGate",
    "HoldParts",
    "NoPacer",
    "Pacer",
    "WordsInAudioOrder",
    "build_hold",
    "choose_backend",
    "lint_hold",
]
