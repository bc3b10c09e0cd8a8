"""Placing: the right order is accepted and kept, every wrong one is refused with a message that says where."""

from __future__ import annotations

import pytest
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair, LLMUserAggregatorParams
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.turns.user_start import VADUserTurnStartStrategy
from pipecat.turns.user_turn_strategies import UserTurnStrategies

from pipecat_interrupt.errors import PipelineError
from pipecat_interrupt.kit import InterruptKit, lint
from pipecat_interrupt.kit.settings import KitSettings
from pipecat_interrupt.testing import ListenerOutput, ScriptedInput, ScriptedLLM, ScriptedSTT, ScriptedTTS

pytestmark = pytest.mark.pipeline


def _bot(kit: InterruptKit | None = None) -> list[FrameProcessor]:
    strategies = kit.turn_strategies() if kit else UserTurnStrategies(start=[VADUserTurnStartStrategy()])
    pair = LLMContextAggregatorPair(LLMContext(), user_params=LLMUserAggregatorParams(user_turn_strategies=strategies))
    return [
        ScriptedInput(),
        ScriptedSTT(),
        pair.user(),
        ScriptedLLM(()),
        ScriptedTTS(),
        ListenerOutput(),
        pair.assistant(),
    ]


async def test_the_callers_processors_keep_their_order() -> None:
    """Parts are added between them; nothing is dropped or moved."""
    kit = InterruptKit("cataract-followup")
    bot = _bot(kit)

    placed = kit.instrument(bot)

    assert [p for p in placed if p in bot] == bot
    assert len(placed) > len(bot)


async def test_the_end_door_stands_before_the_input() -> None:
    """An end that has passed the input would leave the guard deaf."""
    kit = InterruptKit("cataract-followup")

    placed = kit.instrument(_bot(kit))

    assert type(placed[0]).__name__ == "EndDoor"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda b: b[:4] + b[5:], r"the voice \(TTS\) is missing"),
        (
            lambda b: [b[0], b[1], b[3], b[2], *b[4:]],
            r"the language model \(LLM\) stands at position 2, before|position 3",
        ),
        (lambda b: [*b[:6], b[5], b[6]], r"transport.output\(\) stands 2 times"),
        (lambda b: b[:6], r"the assistant aggregator .* is missing"),
        (lambda b: [b[6], *b[:6]], r"stands at position 0, before"),
    ],
)
async def test_a_wrong_pipeline_is_refused_with_the_place(change, message: str) -> None:  # noqa: ANN001
    """The message names the processor, where it stands and what to do."""
    kit = InterruptKit("cataract-followup")

    with pytest.raises(PipelineError, match=message):
        kit.instrument(change(_bot(kit)))

    assert kit.hold is None


async def test_one_kit_serves_one_call() -> None:
    """A second placing would mix two calls in one record."""
    kit = InterruptKit("cataract-followup")
    kit.instrument(_bot(kit))

    with pytest.raises(PipelineError, match="one kit serves one call"):
        kit.instrument(_bot(kit))


async def test_lint_names_a_second_start_strategy_and_a_missing_voice_detector() -> None:
    """Either makes the judgement useless without any error from Pipecat."""
    kit = InterruptKit("cataract-followup")
    mixed = UserTurnStrategies(start=[*(kit.turn_strategies().start or []), VADUserTurnStartStrategy()])
    pair = LLMContextAggregatorPair(LLMContext(), user_params=LLMUserAggregatorParams(user_turn_strategies=mixed))

    found = lint([pair.user()])

    assert [(f.code, "VADUserTurnStartStrategy" in f.what) for f in found] == [
        ("start-strategy-beside-ours", True),
        ("vad-missing", False),
    ]


async def test_a_kit_without_a_pathway_still_tells_what_was_heard() -> None:
    """Heard-truth works alone: no steering stands in the pipeline."""
    kit = InterruptKit()

    placed = kit.instrument(_bot(kit))

    assert not any(type(p).__name__ == "SteeringProcessor" for p in placed)
    assert kit.handoff is None
    assert kit.summary().obligations == ()


def test_settings_changed_by_copy_have_a_digest_of_their_own() -> None:
    """The journal names what a call ran by: a remembered digest would name something else."""
    settings = KitSettings()
    before = settings.digest

    assert before != settings.model_copy(update={"user_speech_timeout_s": 1.0}).digest
    assert before == settings.digest
