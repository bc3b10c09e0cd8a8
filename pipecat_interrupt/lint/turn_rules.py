"""What the aggregators take and ignore, and what starts turns beside overlap judgement.

Owns these rules: turns, mutes, empty turns, summaries.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pipecat.processors.aggregators.llm_response_universal import LLMAssistantAggregator, LLMUserAggregator
from pipecat.processors.audio.vad_processor import VADProcessor
from pipecat.services.ai_service import AIService
from pipecat.turns.user_turn_processor import UserTurnProcessor

from pipecat_interrupt.lint.finding import Bot, Finding, setting
from pipecat_interrupt.overlap.strategy import OverlapStartStrategy

AUDIO_IDLE_S = 1.0
"""Pipecat's default of `audio_idle_timeout`."""


def detects_voices(bot: Bot) -> bool:
    """Whether anything in the pipeline detects voices."""
    return bool(bot.all(VADProcessor)) or any(u._params.vad_analyzer is not None for u in bot.all(LLMUserAggregator))


def start_strategies(user: LLMUserAggregator) -> list[Any]:
    """Give what may start turns at an aggregator; [] when it has Pipecat's defaults."""
    strategies = user._params.user_turn_strategies
    return list(strategies.start or []) if strategies is not None else []


def judged(user: LLMUserAggregator) -> bool:
    """Whether overlap judgement decides at this aggregator."""
    return any(isinstance(s, OverlapStartStrategy) for s in start_strategies(user))


def starters(bot: Bot) -> Iterator[Finding]:
    """Whatever starts turns that overlap judgement has refused."""
    for user in bot.all(LLMUserAggregator):
        if not judged(user):
            if bot.kit is not None:
                yield Finding(
                    "turn-strategies-missing",
                    user.name,
                    "overlap judgement decides nothing here: its start strategy is not in user_turn_strategies",
                    "Pass LLMUserAggregatorParams(user_turn_strategies=kit.turn_strategies())",
                )
            continue
        others = [type(s).__name__ for s in start_strategies(user) if not isinstance(s, OverlapStartStrategy)]
        if others:
            yield Finding(
                "start-strategy-beside-ours",
                user.name,
                f"{', '.join(others)} starts turns that overlap judgement has refused",
                "Use only kit.turn_strategies()",
            )
        for processor in bot.all(UserTurnProcessor):
            yield Finding(
                "turn-processor-beside-ours",
                processor.name,
                "a UserTurnProcessor starts turns that overlap judgement has refused",
                "Take it out; the user aggregator decides turns",
            )


def recommended(bot: Bot) -> Iterator[Finding]:
    """Turn strategies and `should_interrupt` of a service with turn detection of its own: the given ones win."""
    if not any(u._params.user_turn_strategies is not None for u in bot.all(LLMUserAggregator)):
        return
    for service in bot.all(AIService):
        frame = service.service_metadata_frame()
        strategies = frame.user_turn_strategies if frame is not None else None
        if strategies is None:
            continue
        silenced = setting(strategies, "enable_interruptions", True) is False
        yield Finding(
            "service-turn-strategies-overruled",
            service.name,
            f"the {type(strategies).__name__} it recommends are not used, because the aggregator has some of its own"
            + ("; its should_interrupt=False does nothing" if silenced else ""),
            "Nothing to do with overlap judgement, which judges its proposals; protect speech with"
            " `interruptible = False` on the TTSSpeakFrame"
            if silenced
            else "Nothing to do with overlap judgement, which judges its proposals",
        )


def detection(bot: Bot) -> Iterator[Finding]:
    """Voice detection that is missing, or whose settings have nothing to work on."""
    for user in bot.all(LLMUserAggregator):
        params = user._params
        if judged(user) and not detects_voices(bot):
            yield Finding(
                "vad-missing",
                user.name,
                "no vad_analyzer: an overlap is known only when its words are, and nothing is held before that",
                "Give LLMUserAggregatorParams a vad_analyzer",
            )
        if params.vad_analyzer is None and params.audio_idle_timeout != AUDIO_IDLE_S:
            yield Finding(
                "audio-idle-timeout-unused",
                user.name,
                "audio_idle_timeout belongs to the aggregator's own vad_analyzer, and it has none",
                "Set it on the VADProcessor, or give a vad_analyzer",
            )


def turn_settings(bot: Bot) -> Iterator[Finding]:
    """Settings of turns that do nothing in this pipeline."""
    for user in bot.all(LLMUserAggregator):
        params = user._params
        if params.user_turn_completion_config is not None and not params.filter_incomplete_user_turns:
            yield Finding(
                "turn-completion-config-unused",
                user.name,
                "user_turn_completion_config is read only with filter_incomplete_user_turns=True",
                "Use FilterIncompleteUserTurnStrategies(config=...)",
            )
        if params.user_mute_strategies and judged(user):
            names = ", ".join(type(s).__name__ for s in params.user_mute_strategies)
            yield Finding(
                "mute-strategies-bypassed",
                user.name,
                f"{names} mutes inside the aggregator, and overlap judgement hears the words before it: the patient can"
                " still take the floor",
                "Protect what must be heard whole with `interruptible = False` on its TTSSpeakFrame",
            )
        leads = bot.kit is not None and bot.kit.conductor is not None and bot.kit.conductor.settings.leads
        if leads and params.empty_user_turn is not None:
            yield Finding(
                "empty-turn-prompt-unused",
                user.name,
                "empty_user_turn asks the model to speak, and with a pathway that leads the model is not asked",
                "Pass empty_user_turn=None",
            )


def summaries(bot: Bot) -> Iterator[Finding]:
    """A summary that is configured and never made."""
    for assistant in bot.all(LLMAssistantAggregator):
        params = assistant._params
        if params.auto_context_summarization_config is not None and not params.enable_auto_context_summarization:
            yield Finding(
                "summarization-config-unused",
                assistant.name,
                "auto_context_summarization_config is given, but no summary is made by itself",
                "Set enable_auto_context_summarization=True, or drop it",
            )
