"""Turns: each finding beside a call that shows the setting doing nothing, or undoing the judgement."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from pipecat.frames.frames import (
    InterimTranscriptionFrame,
    LLMContextSummaryRequestFrame,
    STTMetadataFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.processors.aggregators.llm_response_universal import (
    LLMAssistantAggregatorParams,
    LLMContextAggregatorPair,
    LLMUserAggregatorParams,
)
from pipecat.processors.audio.vad_processor import VADProcessor
from pipecat.turns.empty_user_turn import EmptyUserTurnConfig
from pipecat.turns.user_mute import AlwaysUserMuteStrategy
from pipecat.turns.user_start import TranscriptionUserTurnStartStrategy, VADUserTurnStartStrategy
from pipecat.turns.user_stop import SpeechTimeoutUserTurnStopStrategy
from pipecat.turns.user_turn_completion_mixin import UserTurnCompletionConfig
from pipecat.turns.user_turn_processor import UserTurnProcessor
from pipecat.turns.user_turn_strategies import ExternalUserTurnStrategies, UserTurnStrategies
from pipecat.utils.context.llm_context_summarization import LLMAutoContextSummarizationConfig

from pipecat_interrupt.journal.entries import OverlapJudged
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.testing import EnergyVAD, ScriptedCall, ScriptedSTT, cough
from pipecat_interrupt.testing.call import CallParts

from .bots import run

pytestmark = pytest.mark.pipeline

LISTENS = ScriptedCall(10.0).patient("mm-hmm", at_s=1.5)
STOPS = ScriptedCall(9.0).patient("please stop now", at_s=1.5)


def _stock() -> UserTurnStrategies:
    return UserTurnStrategies(
        start=[VADUserTurnStartStrategy()], stop=[SpeechTimeoutUserTurnStopStrategy(user_speech_timeout=0.6)]
    )


def _mixed(kit: InterruptKit) -> UserTurnStrategies:
    ours = kit.turn_strategies()
    return UserTurnStrategies(start=[*(ours.start or []), VADUserTurnStartStrategy()], stop=ours.stop)


def test_a_bot_as_the_readme_builds_it_gives_no_finding() -> None:
    """And a listening sound leaves the agent speaking."""
    found = run(LISTENS, kit=InterruptKit)

    assert [str(f) for f in found.findings] == []
    assert not found.was_cut


def test_turn_strategies_missing() -> None:
    """The parts are placed and their verdict decides nothing: a listening sound cuts the agent."""
    found = run(LISTENS, kit=InterruptKit, strategies=lambda _: _stock())

    assert found.was_cut
    assert "turn-strategies-missing" in found.codes


def test_start_strategy_beside_ours() -> None:
    """A second strategy starts the turn that the judgement refuses."""
    found = run(LISTENS, kit=InterruptKit, strategies=_mixed)

    assert found.was_cut
    assert "start-strategy-beside-ours" in found.codes


def test_turn_processor_beside_ours() -> None:
    """A turn processor does the same from another place."""
    found = run(
        LISTENS,
        kit=InterruptKit,
        around=lambda p, c: [*c[:3], UserTurnProcessor(user_turn_strategies=_stock()), *c[3:]],
    )

    assert found.was_cut
    assert "turn-processor-beside-ours" in found.codes


class _ServerTurns(ScriptedSTT):
    """A recogniser that wants to decide turns itself and asks for no interruptions."""

    def service_metadata_frame(self) -> STTMetadataFrame:
        """Recommend its own strategies."""
        frame = super().service_metadata_frame()
        frame.user_turn_strategies = ExternalUserTurnStrategies(enable_interruptions=False)
        return frame


def test_service_turn_strategies_overruled() -> None:
    """The service asked that the agent is never interrupted, and it is."""
    found = run(STOPS, kit=InterruptKit, stt=_ServerTurns("segmented"))

    (finding,) = [f for f in found.findings if f.code == "service-turn-strategies-overruled"]
    assert found.was_cut
    assert "should_interrupt=False does nothing" in finding.what
    assert "service-turn-strategies-overruled" not in run(STOPS, stt=_ServerTurns("segmented")).codes


@pytest.mark.parametrize(("vad", "missing"), [("text", True), ("energy", False)])
def test_vad_missing(vad: str, missing: bool) -> None:
    """Without a detector the first that is known of an overlap are its words; with one it is its sound."""
    found = run(STOPS, kit=InterruptKit, vad=vad, stt=ScriptedSTT("streaming"))

    assert found.kit is not None
    known = next(e for e in found.kit.memory.entries if isinstance(e.data, OverlapJudged))
    words = found.result.parts.before.of(InterimTranscriptionFrame)[0]
    assert (known.at_s >= words.at_s - found.result.started_at_s - 1e-6) == missing
    assert ("vad-missing" in found.codes) == missing


def test_audio_idle_timeout_unused() -> None:
    """The aggregator is to end speech after 0.3 s without audio; the VADProcessor in front waits its own second."""

    def vads(parts: CallParts, chain: list[Any]) -> list[Any]:
        parts.input._silent = False
        return [chain[0], VADProcessor(vad_analyzer=EnergyVAD()), *chain[1:]]

    async def mute_the_line(parts: CallParts) -> None:
        parts.input._params.audio_in_passthrough = False

    call = ScriptedCall(4.0).patient("How do I take these tablets of mine?", at_s=0.5).do(mute_the_line, at_s=1.2)
    found = run(
        call,
        around=vads,
        user={"audio_idle_timeout": 0.3},
        opening=None,
        vad="text",
        stt=ScriptedSTT("segmented"),
    )

    started = found.result.parts.after.of(VADUserStartedSpeakingFrame)
    stopped = found.result.parts.after.of(VADUserStoppedSpeakingFrame)
    assert started
    assert stopped[0].at_s - found.result.started_at_s > 1.2 + 0.9
    assert "audio-idle-timeout-unused" in found.codes


def test_turn_completion_config_unused() -> None:
    """The model answers with the mark for an unfinished turn, which should keep it silent, and it is spoken."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        found = run(
            user={"user_turn_completion_config": UserTurnCompletionConfig()}, replies=["○ I will wait for you."]
        )

    assert "I will wait" in found.heard
    assert "turn-completion-config-unused" in found.codes


def test_mute_strategies_bypassed() -> None:
    """Muted, the patient still stops the agent by words: judgement hears them before the aggregator mutes them."""
    muted = {"user_mute_strategies": [AlwaysUserMuteStrategy()]}

    by_words = TranscriptionUserTurnStartStrategy()
    stops = [SpeechTimeoutUserTurnStopStrategy(user_speech_timeout=0.6)]

    ours = run(STOPS, kit=InterruptKit, user=muted, stt="streaming")
    stock = run(
        STOPS, user={**muted, "user_turn_strategies": UserTurnStrategies(start=[by_words], stop=stops)}, stt="streaming"
    )

    assert (ours.was_cut, stock.was_cut) == (True, False)
    assert "mute-strategies-bypassed" in ours.codes
    assert "mute-strategies-bypassed" not in stock.codes


def test_empty_turn_prompt_unused() -> None:
    """A long sound without words takes the floor; the aggregator writes its prompt, and no model is asked."""

    async def begin(parts: CallParts) -> None:
        kits[0].begin()

    kits: list[InterruptKit] = []

    def kit() -> InterruptKit:
        kits.append(InterruptKit("cataract-followup"))
        return kits[0]

    prompt = "Say that you did not hear."
    call = ScriptedCall(12.0).do(begin, at_s=0.1).sound(make=lambda rate: cough(rate, duration_s=1.6), at_s=2.0)
    config = EmptyUserTurnConfig(interrupted_prompt=prompt)
    found = run(call, kit=kit, user={"empty_user_turn": config}, opening=None)

    assert prompt in str(found.result.messages)
    assert found.result.parts.llm.requests == []
    assert "empty-turn-prompt-unused" in found.codes


@pytest.mark.parametrize("enabled", [False, True])
def test_summarization_config_unused(enabled: bool) -> None:
    """A summary is due after two messages; it is asked for only when summaries are switched on."""

    def pair(parts: CallParts, _: list[Any]) -> list[Any]:
        config = LLMAutoContextSummarizationConfig(max_context_tokens=100, max_unsummarized_messages=2)
        params = LLMAssistantAggregatorParams(
            auto_context_summarization_config=config, enable_auto_context_summarization=enabled
        )
        user = LLMUserAggregatorParams(user_turn_strategies=_stock(), vad_analyzer=EnergyVAD())
        parts.pair = LLMContextAggregatorPair(parts.context, user_params=user, assistant_params=params)
        return parts.chain

    call = ScriptedCall(12.0).patient("How do I take these?", at_s=0.5).patient("And how often is that?", at_s=6.0)
    found = run(call, around=pair, replies=["One a day.", "Every day.", "Yes."], opening=None)

    asked = found.result.parts.after.of(LLMContextSummaryRequestFrame) + found.result.parts.before.of(
        LLMContextSummaryRequestFrame
    )
    assert bool(asked) == enabled
    assert ("summarization-config-unused" in found.codes) == (not enabled)
