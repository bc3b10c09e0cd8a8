"""Voice detection that hears one soft word: Silero as Pipecat has it, with a lower bar for the level.

Owns the numbers. Pipecat asks for a smoothed level of 0.6, which a word of half a second over a telephone reaches late
or never; where a segmented recogniser waits for voice detection, such an answer is lost to everything behind it.

Source: benchmarks/results/third_party/short_answers.json, explained in docs/metrics/third_party.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipecat.audio.vad.vad_analyzer import VADParams

if TYPE_CHECKING:
    from pipecat.audio.vad.silero import SileroVADAnalyzer

CALLER_VOICE = VADParams(min_volume=0.3)
"""Everything else is Pipecat's default."""


def caller_vad(*, sample_rate: int | None = None) -> SileroVADAnalyzer:
    """Make the voice detection of one call, for `LLMUserAggregatorParams(vad_analyzer=...)`.

    Args:
        sample_rate: 8000 or 16000; None takes the pipeline's.

    Raises:
        ValueError: Another rate (Pipecat's own error).
    """
    from pipecat.audio.vad.silero import SileroVADAnalyzer  # loads onnxruntime: only where a call needs it

    return SileroVADAnalyzer(sample_rate=sample_rate, params=CALLER_VOICE.model_copy())
