"""The times of one trial that a live call would draw: reaction of the patient, detection phase, services.

Owns the ranges and where they come from. Detection phase is swept over trials, never a single draw.
"""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.simulator.seeds import stream

REPLY_GAP_S = (0.15, 0.45)  # After the agent's audio, which itself ends in a pause.
VAD_DELAY_S = (0.2, 0.3)  # Silero's start_secs, plus a phase of up to 0.1 s (see docs/benchmarks.md, virtual time).
MODEL_DELAY_S = (0.3, 0.7)  # Time to the first token.
TRANSCRIPT_DELAY_S = 0.25
FINAL_DELAY_S = 0.3
PATIENCE_S = 8.0
GOODBYE_WAIT_S = 3.0


@dataclass(frozen=True, slots=True)
class Timing:
    """The times of one trial, seconds.

    Parameters:
        reply_gap_s: From the end of the agent's audio to the patient's answer.
        vad_delay_s: From an onset or end of speech to the VAD's frame.
        model_delay_s: Time to the agent's first token.
        transcript_delay_s: From a word's end to its interim transcript.
        final_delay_s: From the end of an utterance to its final transcript.
        patience_s: Silence after which the patient asks whether anybody is there.
        goodbye_wait_s: How long the patient stays on the line after goodbye.
    """

    reply_gap_s: float
    vad_delay_s: float
    model_delay_s: float
    transcript_delay_s: float = TRANSCRIPT_DELAY_S
    final_delay_s: float = FINAL_DELAY_S
    patience_s: float = PATIENCE_S
    goodbye_wait_s: float = GOODBYE_WAIT_S


@dataclass(frozen=True, slots=True)
class Delays:
    """What is added to a trial's drawn times.

    Parameters:
        reply_s: To the patient's reaction, where an agent's sentences may come with gaps between them.
        words_s: To the recogniser's words, interim and final: a slow or busy one.
        patience_s: To the patient's patience with a silence, before goodbye and after it.
    """

    reply_s: float = 0.0
    words_s: float = 0.0
    patience_s: float = 0.0


def draw_timing(seed: int, delays: Delays | None = None) -> Timing:
    """Draw one trial's times; the same seed gives the same times under every system.

    Args:
        seed: The trial's seed.
        delays: What is added; nothing by default.
    """
    added = delays or Delays()
    draw = stream(seed, "timing")
    return Timing(
        reply_gap_s=draw.uniform(*REPLY_GAP_S) + added.reply_s,
        vad_delay_s=draw.uniform(*VAD_DELAY_S),
        model_delay_s=draw.uniform(*MODEL_DELAY_S),
        transcript_delay_s=TRANSCRIPT_DELAY_S + added.words_s,
        final_delay_s=FINAL_DELAY_S + added.words_s,
        patience_s=PATIENCE_S + added.patience_s,
        goodbye_wait_s=GOODBYE_WAIT_S + added.patience_s,
    )
