"""One call that places everything: `InterruptKit`; `keep_call` opens a call that outlives its worker."""

from pipecat_interrupt.kit.keeping import CallKeeping, keep_call
from pipecat_interrupt.kit.kit import InterruptKit
from pipecat_interrupt.kit.voice_detection import caller_vad
from pipecat_interrupt.lint import lint

__all__ = ["CallKeeping", "InterruptKit", "caller_vad", "keep_call", "lint"]
