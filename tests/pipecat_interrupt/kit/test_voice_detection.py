"""One soft word over a telephone: Pipecat's own voice detection misses it, the kit's does not."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.audio.vad.vad_analyzer import VADState

from pipecat_interrupt.kit import caller_vad
from pipecat_interrupt.testing.voice import PATIENT, speech

pytestmark = pytest.mark.pipeline

RATE_HZ = 8_000


def heard(analyser: SileroVADAnalyzer, gain: float, seconds: float = 0.45) -> bool:
    """Whether a short sound of a voice, on a silent line, is reported."""
    analyser.set_sample_rate(RATE_HZ)
    word = speech("no no no no", PATIENT, RATE_HZ).samples[: int(seconds * RATE_HZ)] * gain
    line = np.concatenate([np.zeros(RATE_HZ // 2), word, np.zeros(RATE_HZ // 2)]).astype(np.int16)

    async def listen() -> bool:
        states = [await analyser.analyze_audio(line[at : at + 160].tobytes()) for at in range(0, len(line) - 160, 160)]
        await analyser.cleanup()
        return VADState.SPEAKING in states

    return asyncio.run(listen())


def test_a_soft_short_word_is_heard_that_pipecats_default_misses() -> None:
    """The level is smoothed over half of such a word before it counts."""
    soft = 0.05

    assert not heard(SileroVADAnalyzer(), soft)
    assert heard(caller_vad(), soft)


def test_a_word_of_usual_level_is_heard_and_a_silent_line_is_not() -> None:
    """The lower bar for the level does not make silence a voice."""
    assert heard(caller_vad(), 1.0)
    assert not heard(caller_vad(), 0.0)


def test_two_calls_share_no_settings() -> None:
    """Changing one call's detection changes no other's."""
    first, second = caller_vad(), caller_vad()
    first.params.min_volume = 0.9

    assert 0.3 == second.params.min_volume
