"""Runs a frozen manifest at audio level: real Pipecat, Silero on samples, virtual time, both channels recorded.

Owns one session a trial, with the preceding dialogue fixed by the scenario. Stock and ours differ in the kit alone.
"""

from __future__ import annotations

import asyncio
import hashlib
import platform
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregatorParams
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.turns.user_start import TranscriptionUserTurnStartStrategy, VADUserTurnStartStrategy
from pipecat.turns.user_stop import SpeechTimeoutUserTurnStopStrategy
from pipecat.turns.user_turn_strategies import UserTurnStrategies

from benchmarks.errors import CallerError, UnknownName
from benchmarks.simulator.build import quiet_pipelines
from benchmarks.simulator.seeds import stream
from benchmarks.yielding.manifest import Conditions, Manifest, Outcome, PlannedYieldTrial, YieldResult
from benchmarks.yielding.models import Scenario, ScenarioClass, load_scenarios, scripts_digest
from benchmarks.yielding.score import Recording, score_yield_trial
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.kit.settings import KitSettings
from pipecat_interrupt.testing import (
    PATIENT,
    THIRD_PARTY,
    CallParts,
    CallResult,
    ScriptedCall,
    Speech,
    TTSShape,
    play_call,
    run_virtual,
    speech,
)
from pipecat_interrupt.testing.carrier.sound import write_stereo

SYSTEMS = ("stock", "ours")
RATE_HZ = 16000
TURN_END_S = 0.4
PHASE_S = 0.064  # Two Silero windows: the onset's phase against them is swept over this, never a single draw.
TAIL_S = 6.0
CALL_S_MAX = 40.0
POLL_S = 0.01


def conditions(system: str, tts: TTSShape = "words") -> Conditions:
    """Describe what runs, as section 4 asks.

    Raises:
        UnknownName: There is no such system.
    """
    if system not in SYSTEMS:
        raise UnknownName("system", system, SYSTEMS)
    settings = KitSettings(user_speech_timeout_s=TURN_END_S)
    stock = f"VAD and transcription start, speech timeout stop after {TURN_END_S} s"
    digest = settings.digest if system == "ours" else f"sha256:{hashlib.sha256(stock.encode()).hexdigest()}"
    return Conditions(
        system=system,
        system_version=f"pipecat-ai {version('pipecat-ai')}" + (", with the kit" if system == "ours" else ""),
        model=f"scripted language model, {tts} voice and streaming recogniser (pipecat_interrupt.testing)",
        prompt_hash=scripts_digest(),
        configuration_hash=digest,
        vad=f"Silero from pipecat-ai, Pipecat's defaults; turn end after {TURN_END_S} s",
        playback_buffer_ms=0.0,
        codec="16-bit PCM",
        device="headless",
        operating_system=platform.system(),
        transport="in-process, 40 ms chunks",
        region="none",
        sample_rate_hz=RATE_HZ,
        channel_layout="left: user as captured; right: agent as heard",
        clock_sync="one virtual clock, exact to the sample",
        measured_at="listener's ear, after the transport",
        noise="line noise at -72 dBFS on the input, nothing added",
        network="none",
    )


@dataclass(frozen=True, slots=True)
class _Clip:
    """One stretch of the user's turn: seconds after the onset, and its sound."""

    after_s: float
    speech: Speech


def _user_clips(scenario: Scenario, pause_s: float | None) -> tuple[_Clip, ...]:
    """Make the user's turn; a recogniser ends an utterance at a planned pause, so each stretch is a clip of its own."""
    voice = THIRD_PARTY if scenario.speaker == "third_party" else PATIENT
    clips: list[_Clip] = []
    at_s = 0.0
    for segment in scenario.user:
        clip = speech(segment.say, voice, RATE_HZ)
        clips.append(_Clip(at_s, clip))
        at_s += clip.duration_s + (pause_s if segment.pause == "planned" and pause_s is not None else 0.0)
    return tuple(clips)


def _agent(scenario: Scenario) -> Any:
    """Script the agent: its utterance, then the reply, which uses a corrected detail only if it reached the model."""
    said: list[str] = []

    def script(messages: list[dict[str, Any]]) -> str:
        said.append("")
        if len(said) == 1:
            return scenario.agent
        heard = " ".join(str(m.get("content") or "") for m in messages if m.get("role") == "user").casefold()
        if scenario.must_use and not any(word.split()[0].casefold() in heard for word in scenario.must_use):
            return scenario.agent
        return scenario.reply

    return script


def _user_params(kit: InterruptKit | None) -> LLMUserAggregatorParams:
    if kit is not None:
        return LLMUserAggregatorParams(user_turn_strategies=kit.turn_strategies())
    strategies = UserTurnStrategies(
        start=[VADUserTurnStartStrategy(), TranscriptionUserTurnStartStrategy()],
        stop=[SpeechTimeoutUserTurnStopStrategy(user_speech_timeout=TURN_END_S)],
    )
    return LLMUserAggregatorParams(user_turn_strategies=strategies)


async def _until(reached: Callable[[], bool]) -> None:
    """Wait for something to happen in the call, at most as long as a call lasts."""
    for _ in range(round(CALL_S_MAX / POLL_S)):
        if reached():
            return
        await asyncio.sleep(POLL_S)


async def _speak_at(parts: CallParts, clips: Sequence[_Clip], user_id: str, after_s: float, *, after_end: bool) -> None:
    """Place the user's turn relative to the agent's playback onset, or to the end of its first utterance."""
    loop = asyncio.get_running_loop()
    await _until(lambda: bool(parts.output.pieces))
    from_s = parts.output.pieces[0].start_s
    if after_end:
        await _until(lambda: loop.time() - parts.output.pieces[-1].end_s >= 2 * POLL_S)
        spoken = parts.tts.contexts[0]
        from_s = parts.output.pieces[0].start_s + max(word.end_s for word in spoken.words)
    await asyncio.sleep(max(0.0, from_s + after_s - loop.time()))
    for clip in clips:
        start_s = parts.input.say(clip.speech, at_s=from_s + after_s + clip.after_s)
        parts.stt.hear(clip.speech, at_s=start_s, user_id=user_id)


async def _play(
    system: str, language: str, scenario: Scenario, tts: TTSShape, clips: Sequence[_Clip], onset_s: float
) -> CallResult:
    kit = None
    if system == "ours":
        kit = InterruptKit(
            None, call_id="trial", settings=KitSettings(language=language, user_speech_timeout_s=TURN_END_S)
        )
    call = ScriptedCall(_duration_s(scenario, clips, onset_s))
    if clips:
        hesitates = scenario.kind is ScenarioClass.HESITATION
        call.do(lambda parts: _speak_at(parts, clips, scenario.speaker, onset_s, after_end=hesitates), at_s=0.0)

    def instrument(chain: list[FrameProcessor]) -> Sequence[FrameProcessor]:
        return kit.instrument(chain) if kit is not None else chain

    return await play_call(
        call,
        replies=_agent(scenario),
        tts=tts,
        stt="streaming",
        user_params=_user_params(kit),
        instrument=instrument,
        sample_rate_hz=RATE_HZ,
    )


def _duration_s(scenario: Scenario, clips: Sequence[_Clip], onset_s: float) -> float:
    said_s = speech(scenario.agent, sample_rate_hz=RATE_HZ).duration_s * 1.1 + 2.0
    user_s = onset_s + clips[-1].after_s + clips[-1].speech.duration_s if clips else 0.0
    return min(CALL_S_MAX, said_s + user_s + TAIL_S)


@lru_cache(maxsize=64)
def intended_audio(language: str, scenario_id: str, tts: TTSShape) -> np.ndarray[Any, np.dtype[np.int16]]:
    """Give the agent's utterance as it sounds when nobody speaks: the reference for stale output and abandonment."""
    scenario = next(s for s in load_scenarios(language).scenarios if s.id == scenario_id)
    result = run_virtual(lambda: _play("stock", language, scenario, tts, (), 0.0))
    return result.parts.tts.contexts[0].samples


@dataclass(frozen=True, slots=True)
class PlayedTrial:
    """One trial with its recording.

    Parameters:
        result: What came of it.
        stereo: Both channels, int16, shape (n, 2).
    """

    result: YieldResult
    stereo: np.ndarray[Any, np.dtype[np.int16]]


def play_trial(planned: PlannedYieldTrial, tts: TTSShape = "words") -> PlayedTrial:
    """Run and score one planned trial on virtual time."""
    scenario = next(s for s in load_scenarios(planned.language).scenarios if s.id == planned.scenario)
    clips = _user_clips(scenario, planned.planned_pause_s)
    onset_s = planned.planned_onset_s + stream(planned.seed, "phase").uniform(0.0, PHASE_S)
    utterance = intended_audio(planned.language, planned.scenario, tts)
    call = run_virtual(lambda: _play(planned.system, planned.language, scenario, tts, clips, onset_s))
    stereo = call.stereo()
    recording = Recording(stereo[:, 0], stereo[:, 1], RATE_HZ, utterance, _response(call))
    scored = score_yield_trial(planned, scenario, recording)
    digest = hashlib.sha256(np.ascontiguousarray(stereo).tobytes()).hexdigest()
    return PlayedTrial(scored.model_copy(update={"recording_hash": f"sha256:{digest}"}), stereo)


def _response(call: CallResult) -> str | None:
    """The agent's next utterance as heard, after the first; None when it said nothing more."""
    return next((context.text for context in call.heard[1:] if context.words), None)


def _run_one(planned: PlannedYieldTrial, recordings: Path | None = None) -> YieldResult:
    quiet_pipelines()
    try:
        played = play_trial(planned)
    except Exception as error:  # A crash of one session is a set-up failure of that trial, kept with its reason.
        reason = f"session failed: {type(error).__name__}"
        return YieldResult(trial_id=planned.trial_id, outcome=Outcome.SETUP_FAILURE, failure_reason=reason)
    if recordings is not None:
        write_stereo(recordings / recording_name(played.result), played.stereo, RATE_HZ)
    return played.result


def recording_name(result: YieldResult) -> str:
    """Name a trial's WAV: its id, and the first twelve digits of the recording's hash."""
    digest = result.recording_hash.removeprefix("sha256:")[:12]
    return f"{result.trial_id.replace('/', '_')}-{digest}.wav"


def check_unchanged(manifest: Manifest) -> None:
    """Check that what would run now is what the manifest was frozen with: versions, scripts and settings.

    Raises:
        CallerError: Something differs; names it. Trials of both would stand under one plan.
    """
    for frozen in manifest.conditions:
        now = conditions(frozen.system)
        for name in ("system_version", "prompt_hash", "configuration_hash"):
            before, after = getattr(frozen, name), getattr(now, name)
            if before != after and (name == "system_version" or " " not in before):  # Older ones hold words.
                raise CallerError(
                    f"the manifest was frozen with {name} {before} of {frozen.system}, and now it is {after}:"
                    " freeze another one (--out)"
                )


def run_manifest(
    manifest: Manifest,
    *,
    jobs: int = 1,
    keep: Callable[[Manifest], None] | None = None,
    recordings: Path | None = None,
) -> Manifest:
    """Run every planned trial that has no result yet, in the planned order, and give the manifest with results.

    Args:
        manifest: A frozen manifest, with or without results.
        jobs: Processes.
        keep: Gets the manifest after each trial, so that a run that is stopped loses none that was over.
        recordings: Folder for each trial's two channels; None keeps their hash alone.

    Raises:
        CallerError: Versions, scripts or settings have changed since the manifest was frozen.
    """
    have = {result.trial_id for result in manifest.results}
    todo = [trial for trial in manifest.plan if trial.trial_id not in have]
    if todo:
        check_unchanged(manifest)
    run_one = partial(_run_one, recordings=recordings)
    with ProcessPoolExecutor(max_workers=jobs) if jobs > 1 else nullcontext() as pool:
        for fresh in map(run_one, todo) if pool is None else pool.map(run_one, todo):
            manifest = manifest.model_copy(update={"results": (*manifest.results, fresh)})
            if keep is not None:
                keep(manifest)
    return manifest
