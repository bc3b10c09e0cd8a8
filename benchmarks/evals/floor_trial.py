"""One overlap in a live pipeline on virtual time: the agent speaks, something sounds over it, the ear keeps the record.

Owns a single trial of ``eval floor``. Everything it reports is read off the listener's channel, never off our own
events.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregatorParams
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.turns.user_start import (
    MinWordsUserTurnStartStrategy,
    TranscriptionUserTurnStartStrategy,
    VADUserTurnStartStrategy,
)
from pipecat.turns.user_start.base_user_turn_start_strategy import BaseUserTurnStartStrategy
from pipecat.turns.user_stop import SpeechTimeoutUserTurnStopStrategy
from pipecat.turns.user_turn_strategies import UserTurnStrategies

from benchmarks.stats.latency import CutIn, classify_cut_in
from pipecat_interrupt.demo import clips
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.testing import (
    CallParts,
    CallResult,
    ListenerOutput,
    ScriptedCall,
    ScriptedSTT,
    Speech,
    SpokenWord,
    TTSShape,
    cough,
    run_call,
    speech,
)

Event = Literal["interruption", "backchannel", "cough", "any_sound", "echo"]
System = Literal["ours", "stock"]

RATE_HZ = 16_000
AGENT_LINE = (
    "After the operation please keep the shield on while you sleep and do not rub or press the eye. "
    "Keep soap and water out of it and take the drops four times a day until the bottle is empty. "
    "If the pain gets worse or your sight drops you phone the clinic the same day and we will see you at once."
)
"""What the agent is saying. Own wording, one statement, no question open; not clinically reviewed."""

FIRST_S = 1.6
POSITIONS_S = 3.5
"""Events fall into this many seconds after the first; the statement outlasts both and the trial's tail."""

TAIL_S = 4.5
"""How long a trial goes on after the event."""

ACTIVE_DBFS = -40.0
"""A 10 ms frame louder than this sounds; the acoustic onset is the first of two in a row."""

ECHO_DB = -3.0
ECHO_DELAY_S = 0.14
ECHO_S = 1.4
"""The agent's own sound comes back this much weaker, this late, for this long: a bad loudspeaker line, loud enough for
Silero to take it for a voice (at -10 dB it does not)."""


REAL_S = (0.13, 0.17, 0.23, 0.31, 0.44, 0.64, 0.81)
"""Lengths of backchannels: 5th, 10th, 25th, 50th, 75th, 90th and 95th percentile of 4,047 real ones in overlap (ICSI
Meeting Recorder Dialogue Act corpus, development part, words by forced alignment)."""

REAL_SHARE = (0.075, 0.1, 0.2, 0.25, 0.2, 0.1, 0.075)
"""The part of real backchannels each of these lengths stands for."""

BACKCHANNELS_TIMES = 4.0
"""Trials with backchannels of real lengths, as a multiple of the phases."""


@dataclass(frozen=True, slots=True)
class Sound:
    """Something that sounds over the agent.

    Parameters:
        name: Its name in the results.
        event: What it is.
        make: Makes the clip at 16 kHz; None for the echo, which is made of the agent's own sound.
        heard_as: What a recogniser makes of it; None is the clip's own words, "" is nothing.
        times: How many trials it gets, as a multiple of the phases.
    """

    name: str
    event: Event
    make: Callable[[], Speech] | None
    heard_as: str | None = None
    times: float = 1.0


def _clip(name: str) -> Callable[[], Speech]:
    def make() -> Speech:
        clip = clips.clips()[name]
        samples = clip.samples()
        tokens = (clip.whisper_base or "").split()
        start_s, end_s = acoustic_span_s(samples)
        each_s = (end_s - start_s) / max(1, len(tokens))
        words = (SpokenWord(t, start_s + i * each_s, start_s + (i + 1) * each_s) for i, t in enumerate(tokens))
        return Speech(clip.text, samples, RATE_HZ, tuple(words))

    return make


def _spoken(text: str, word_s: float | None = None) -> Callable[[], Speech]:
    return lambda: speech(text, word_s=word_s)


def _coughed(seed: int) -> Callable[[], Speech]:
    return lambda: cough(seed=seed, level_dbfs=-16.0, duration_s=0.5)


SOUNDS: tuple[Sound, ...] = (
    Sound("clip:cut_driving", "interruption", _clip("cut_driving")),
    Sound("clip:drive_parking", "interruption", _clip("drive_parking")),
    Sound("clip:say_again", "interruption", _clip("say_again")),
    Sound("clip:stop", "interruption", _clip("stop")),
    Sound("clip:red_no_light", "interruption", _clip("red_no_light")),
    Sound("voice:which", "interruption", _spoken("Wait, which bottle do you mean?")),
    Sound("voice:stop", "interruption", _spoken("Stop, please stop.")),
    Sound("voice:correct", "interruption", _spoken("No, that is wrong, I have two bottles.")),
    Sound("clip:mmhmm", "backchannel", _clip("mmhmm")),
    Sound("clip:okay", "backchannel", _clip("okay")),
    *(
        Sound(f"voice:{text}@{word_s}", "backchannel", _spoken(text, word_s), times=BACKCHANNELS_TIMES * share)
        for text, word_s, share in zip(
            ("mm-hmm", "yeah", "right", "okay", "uh-huh", "yeah", "mm-hmm"), REAL_S, REAL_SHARE, strict=True
        )
    ),
    Sound("cough:0", "cough", _coughed(0), heard_as=""),
    Sound("cough:1", "cough", _coughed(1), heard_as=""),
    Sound("cough:2", "any_sound", _coughed(2), heard_as=""),
    Sound("cough:3", "any_sound", _coughed(3), heard_as=""),
    Sound("echo", "echo", None, times=2.0),
)


@dataclass(frozen=True, slots=True)
class FloorTrial:
    """What came of one overlap, at the listener's ear. Times in seconds.

    Parameters:
        system: "ours" or "stock".
        rule: "kit" for ours; the start strategies of stock.
        sound: Name of the sound.
        event: What it was.
        stt: How the recogniser tells its words.
        tts: Shape of the agent's voice.
        position_s: Acoustic onset, call time.
        phase_ms: Shift of the sound against the detector's grid.
        cut_in: The onset against the end of the agent's utterance (docs/metrics/floor.md).
        whole: Whether every sample of the utterance was heard.
        exact: Whether nothing but the utterance's own samples, in order, was heard of it.
        stop_s: Onset to the first silence of 300 ms; None without one.
        gaps_s: Silences heard inside the utterance.
    """

    system: System
    rule: str
    sound: str
    event: Event
    stt: str
    tts: TTSShape
    position_s: float
    phase_ms: float
    cut_in: CutIn
    whole: bool
    exact: bool
    stop_s: float | None
    gaps_s: tuple[float, ...]


def acoustic_span_s(samples: np.ndarray) -> tuple[float, float]:
    """Find where a clip begins and ends to sound, seconds."""
    size = RATE_HZ // 100
    frames = samples[: len(samples) // size * size].reshape(-1, size).astype(np.float64) / 32768
    loud = np.sqrt(np.mean(frames**2, axis=1)) > 10 ** (ACTIVE_DBFS / 20)
    twice = np.flatnonzero(loud[:-1] & loud[1:])
    if not len(twice):
        return 0.0, len(samples) / RATE_HZ
    return float(twice[0]) * 0.01, float(np.flatnonzero(loud)[-1] + 1) * 0.01


def stock_strategies(rule: str) -> list[BaseUserTurnStartStrategy]:
    """Make Pipecat's own start strategies: "default" or "min_words_N"."""
    if rule == "default":
        return [VADUserTurnStartStrategy(), TranscriptionUserTurnStartStrategy()]
    return [MinWordsUserTurnStartStrategy(min_words=int(rule.rpartition("_")[2]))]


def run_trial(
    sound: Sound,
    *,
    system: System,
    rule: str,
    stt: Literal["segmented", "streaming"],
    stt_delay_s: float,
    tts: TTSShape,
    at_s: float,
    phase_ms: float,
) -> FloorTrial:
    """Play one trial.

    Args:
        sound: What sounds.
        system: Whose pipeline.
        rule: See `FloorTrial`.
        stt: How the recogniser tells its words.
        stt_delay_s: segmented: end of a segment to its text. streaming: end of a word to its text.
        tts: Shape of the agent's voice.
        at_s: Where the sound is placed, call time, before the phase is added.
        phase_ms: Added to it, in [0, 100].
    """
    place_s = at_s + phase_ms / 1000
    call = ScriptedCall(place_s + TAIL_S)
    onset_s = place_s
    if sound.make is None:
        call.do(_echo, at_s=place_s)
    else:
        clip = sound.make()
        onset_s += acoustic_span_s(clip.samples)[0]

        async def play(parts: CallParts) -> None:
            start_s = parts.input.say(clip, at_s=parts.started_at_s + place_s)
            parts.stt.hear(clip, at_s=start_s, user_id="patient", text=sound.heard_as)

        call.do(play, at_s=place_s - 0.02)
    result = _play(call, sound, system, rule, ScriptedSTT(stt, delay_s=stt_delay_s), tts)
    return _read(result, sound, system, rule, stt, tts, onset_s, phase_ms)


def _play(call: ScriptedCall, sound: Sound, system: System, rule: str, stt: ScriptedSTT, tts: TTSShape) -> CallResult:
    kits: list[InterruptKit] = []

    def user_params(_: CallParts) -> LLMUserAggregatorParams:
        if system == "ours":
            kits.append(InterruptKit())
            return LLMUserAggregatorParams(user_turn_strategies=kits[0].turn_strategies())
        stop = SpeechTimeoutUserTurnStopStrategy(user_speech_timeout=0.4)
        return LLMUserAggregatorParams(
            user_turn_strategies=UserTurnStrategies(start=stock_strategies(rule), stop=[stop])
        )

    def instrument(chain: list[FrameProcessor]) -> Sequence[FrameProcessor]:
        return kits[0].instrument(chain) if kits else chain

    return run_call(
        call,
        replies=[AGENT_LINE, "Of course."],
        tts=tts,
        stt=stt,
        vad="energy" if sound.event == "any_sound" else "silero",
        user_params=user_params,
        instrument=instrument,
    )


async def _echo(parts: CallParts) -> None:
    """Feed the agent's own sound back into the microphone, weaker and later, and let the recogniser hear its words."""
    now_s = parts.started_at_s + parts.now_s
    gain = 10 ** (ECHO_DB / 20)
    spoken_s = now_s - ECHO_DELAY_S
    source = parts.tts.contexts[0]
    heard = parts.output.stream()
    begin = len(heard) - round(max(0.0, parts.output.pieces[-1].end_s - spoken_s) * RATE_HZ)
    samples = (source.samples[begin : begin + round(ECHO_S * RATE_HZ)] * gain).astype(np.int16)
    first_s, last_s = begin / RATE_HZ, begin / RATE_HZ + ECHO_S
    inside = [w for w in source.words if first_s <= w.start_s and w.end_s <= last_s]
    text = tuple(SpokenWord(w.text, w.start_s - first_s, w.end_s - first_s) for w in inside)
    clip = Speech(" ".join(w.text for w in text), samples, RATE_HZ, text)
    start_s = parts.input.say(clip)
    parts.stt.hear(clip, at_s=start_s, user_id="patient")


def _read(
    result: CallResult,
    sound: Sound,
    system: System,
    rule: str,
    stt: str,
    tts: TTSShape,
    onset_s: float,
    phase_ms: float,
) -> FloorTrial:
    zero_s = result.started_at_s
    output = result.parts.output
    first = result.heard[0]
    ends_s = _span_end_s(output, first.begin + first.heard_samples)
    still_sounding = not first.whole and bool(ends_s >= zero_s + result.duration_s - 0.1)
    cut_in = classify_cut_in(
        onset_s,
        output.pieces[0].start_s - zero_s if output.pieces else None,
        None if still_sounding else ends_s - zero_s,
        completed=first.whole,
    )
    gaps = [gap for gap in output.gaps() if gap.start_s + gap.length_s < ends_s]
    silent_s = output.silent_from(zero_s + onset_s) - zero_s - onset_s
    stopped = silent_s < result.duration_s - onset_s - 0.3
    before = output.stream()[: first.begin]
    return FloorTrial(
        system=system,
        rule=rule,
        sound=sound.name,
        event=sound.event,
        stt=stt,
        tts=tts,
        position_s=round(onset_s, 4),
        phase_ms=phase_ms,
        cut_in=cut_in,
        whole=first.whole or still_sounding,
        exact=not before.any(),
        stop_s=round(silent_s, 4) if stopped else None,
        gaps_s=tuple(round(gap.length_s, 4) for gap in gaps),
    )


def _span_end_s(output: ListenerOutput, samples: int) -> float:
    """Say when the given number of samples of the stream had been heard, loop time."""
    left = samples
    end_s = 0.0
    for piece in output.pieces:
        if left <= 0:
            break
        take = min(left, len(piece.audio))
        end_s = piece.start_s + take / RATE_HZ
        left -= take
    return end_s
