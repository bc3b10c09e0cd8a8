"""Public faults as tests: D01-D05, D11 and D12 of the field cases, on event level and on whole pipelines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from pipecat.frames.frames import (
    BotStartedSpeakingFrame,
    CancelFrame,
    EndFrame,
    Frame,
    InterruptionFrame,
    LLMFullResponseEndFrame,
    LLMFullResponseStartFrame,
    LLMTextFrame,
    TTSSpeakFrame,
    TTSStartedFrame,
    TTSTextFrame,
)
from pipecat.pipeline.pipeline import Pipeline
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.tests.utils import SleepFrame, run_test
from pipecat.utils.text.base_text_aggregator import TextType

from pipecat_interrupt.delivery import INTERRUPTED, ContextRepair, DeliveryRecorder
from pipecat_interrupt.facts import UtteranceRecord
from pipecat_interrupt.testing import CallParts, ScriptedCall, ScriptedTTS, run_call

pytestmark = pytest.mark.pipeline

PAUSE_S = 0.02


def say(text: str) -> list[Frame]:
    tokens = [LLMTextFrame(part + " ") for part in text.split(" ")]
    return [LLMFullResponseStartFrame(), *tokens, LLMFullResponseEndFrame()]


def words(text: str) -> list[Frame]:
    return [TTSTextFrame(part, text_type=TextType.WORD) for part in text.split()]


class Voice(FrameProcessor):
    """Takes the text in as a voice does; the end of the reply waits behind the sound, which the test plays itself."""

    def __init__(self) -> None:
        super().__init__(enable_direct_mode=True)
        self._ends: list[Frame] = []

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        if isinstance(frame, LLMTextFrame | TTSSpeakFrame):
            return
        if isinstance(frame, LLMFullResponseEndFrame):
            self._ends.append(frame)
            return
        if isinstance(frame, InterruptionFrame):
            self._ends.clear()
        if isinstance(frame, EndFrame):
            for end in self._ends:
                await self.push_frame(end)
        await self.push_frame(frame, direction)


async def on_events(frames: Sequence[Frame]) -> tuple[list[UtteranceRecord], list[dict[str, Any]]]:
    """Send the frames through taps, repair and assistant aggregator; give the records and the model's history."""
    recorder, context = DeliveryRecorder(), LLMContext()
    assistant = LLMContextAggregatorPair(context).assistant()
    taps = [recorder.intended_tap(), Voice(), recorder.generated_tap(), recorder.delivered_tap()]
    ends = any(isinstance(f, EndFrame | CancelFrame) for f in frames)
    pipeline = Pipeline([*taps, ContextRepair(recorder), assistant])
    await run_test(pipeline, frames_to_send=list(frames), send_end_frame=not ends)
    return recorder.records, [dict(m) for m in context.get_messages() if isinstance(m, dict)]


# -- D01: whole reply remembered although half was heard ---------------------------------------------------------------

D01 = "Take one tablet each morning. Do not drink alcohol while you take it."


async def test_d01_only_the_heard_half_is_remembered() -> None:
    """Delivered up to "Do", cut after word 6; "drink alcohol" is nowhere in the history."""
    heard = "Take one tablet each morning. Do"
    frames = [*say(D01), SleepFrame(PAUSE_S), BotStartedSpeakingFrame(), *words(heard), SleepFrame(PAUSE_S)]
    records, history = await on_events([*frames, InterruptionFrame(), SleepFrame(PAUSE_S)])

    (record,) = records
    assert record.delivered == heard
    assert record.cut is not None
    assert record.cut.words == 6
    assert record.undelivered == " not drink alcohol while you take it."
    assert "drink alcohol" not in str(history)


# -- D02: heard words vanish when the cut-in races them ----------------------------------------------------------------


async def test_d02_words_released_just_before_the_cut_are_kept_once() -> None:
    """Five words and the interruption with no gap: all five are delivered and remembered, none twice."""
    heard = "You should take the tablet"
    start = [LLMFullResponseStartFrame(), LLMTextFrame("You should take the tablet with water.")]
    frames = [*start, SleepFrame(0.1), *words(heard), InterruptionFrame(), SleepFrame(PAUSE_S)]
    records, history = await on_events(frames)

    assert [r.delivered for r in records] == [heard]
    assert records[0].end_reason == "interruption"
    assert history == [{"role": "assistant", "content": f"{heard} {INTERRUPTED}"}]


# -- D03: cut before the first word ------------------------------------------------------------------------------------


async def test_d03_a_cut_before_the_first_word_is_logged_and_not_remembered() -> None:
    """Cut 0, the intended text is kept, the history stays empty, nothing raises."""
    text = "Before we start, do you have any allergies?"
    records, history = await on_events([*say(text), SleepFrame(PAUSE_S), InterruptionFrame(), SleepFrame(PAUSE_S)])

    (record,) = records
    assert (record.intended, record.delivered, record.started_s) == (text, "", None)
    assert record.cut is not None
    assert (record.cut.chars, record.cut.extent) == (0, "known")
    assert history == []


# -- D04: spoken form differs from written form ------------------------------------------------------------------------

D04 = [
    ("Take 0.5 mg at 8 a.m.", "Take zero point five milligrams at eight a m", "Take 0.5 mg at 8 a.m.", ""),
    ("It costs $37.20, Dr. Reis agrees.", "It costs thirty-seven dollars and twenty cents,", "It costs $37.20,", ""),
    ("Your MRI is on 2026-12-03.", "Your M R I is on December", "Your MRI is on", "2026-12-03."),
]


@pytest.mark.parametrize(("text", "spoken", "delivered", "partial"), D04, ids=["a", "b", "c"])
async def test_d04_spoken_figures_map_back_to_the_written_text(
    text: str, spoken: str, delivered: str, partial: str
) -> None:
    """Always a prefix of what was written; a date of which only the month was heard is named, not counted."""
    frames = [*say(text), SleepFrame(PAUSE_S), *words(spoken), SleepFrame(PAUSE_S), InterruptionFrame()]
    records, _ = await on_events([*frames, SleepFrame(PAUSE_S)])

    (record,) = records
    assert record.delivered == delivered
    assert (record.cut.partial_text if record.cut else "") == partial


async def test_d04_d_without_any_timing_the_extent_is_unknown() -> None:
    """The voice began and reported nothing: that is not "fully heard", and not "nothing" either."""
    frames = [*say("2 + 2 = 4"), SleepFrame(PAUSE_S), TTSStartedFrame(context_id="c"), BotStartedSpeakingFrame()]
    records, _ = await on_events([*frames, SleepFrame(PAUSE_S), InterruptionFrame(), SleepFrame(PAUSE_S)])

    (record,) = records
    assert record.delivered == ""
    assert record.cut is not None
    assert (record.cut.extent, record.cut.exactness, record.cut.bound_words) == ("unknown", "estimated", 5)


# -- D05: Chinese and Japanese -----------------------------------------------------------------------------------------


async def test_d05_characters_are_not_parted_by_blanks() -> None:
    """Timings come a character at a time; record and history keep the written text."""
    frames = [*say("请每天吃药"), SleepFrame(PAUSE_S), *words("请 每 天 吃 药"), SleepFrame(PAUSE_S), EndFrame()]
    records, history = await on_events(frames)

    assert [r.delivered for r in records] == ["请每天吃药"]
    assert [m["content"] for m in history] == ["请每天吃药"]


# -- D11: hang-up in mid-sentence --------------------------------------------------------------------------------------


async def test_d11_a_hang_up_leaves_the_heard_text_and_one_record() -> None:
    """Words up to "Monday", then the line drops."""
    text = "Your test is on Monday at nine. Bring your card."
    frames = [*say(text), SleepFrame(PAUSE_S), *words("Your test is on Monday"), SleepFrame(PAUSE_S), CancelFrame()]
    records, _ = await on_events(frames)

    (record,) = records
    assert record.delivered == "Your test is on Monday"
    assert record.undelivered == " at nine. Bring your card."
    assert record.end_reason == "hang_up"


def test_d11_a_planned_end_met_by_a_hang_up_gives_one_record() -> None:
    """Goodbye is being said, the end is queued, 20 ms later the line drops: one record, no crash."""
    recorder = DeliveryRecorder()

    def build(parts: CallParts) -> list[FrameProcessor]:
        voice = [parts.llm, recorder.intended_tap(), parts.tts, recorder.generated_tap()]
        return [parts.input, parts.pair.user(), *voice, parts.output, recorder.delivered_tap(), parts.pair.assistant()]

    async def drop(parts: CallParts) -> None:
        await parts.worker.cancel()

    call = ScriptedCall(5).push(EndFrame, at_s=1.5).do(drop, at_s=1.52)
    run_call(call, replies=["Thank you for your time, and goodbye."], tts="words", vad="text", build=build)

    (record,) = recorder.records
    assert record.intended == "Thank you for your time, and goodbye."
    assert record.delivered.startswith("Thank you")


# -- D12: opening notice talked over, or missing from the record -------------------------------------------------------

NOTICE = "This is an automated call from the clinic. The call is recorded. Press star to object."


@pytest.mark.parametrize("append", [True, False])
def test_d12_a_fixed_notice_is_on_record_in_the_history_or_out_of_it(append: bool) -> None:
    """Cut after "clinic.": both runs log intended and delivered; only one of them is remembered."""
    recorder = DeliveryRecorder()

    def build(parts: CallParts) -> list[FrameProcessor]:
        voice = [parts.llm, recorder.intended_tap(), parts.tts, recorder.generated_tap()]
        out = [parts.output, recorder.delivered_tap(), ContextRepair(recorder)]
        return [parts.input, parts.pair.user(), *voice, *out, parts.pair.assistant()]

    call = ScriptedCall(8).push(lambda: TTSSpeakFrame(NOTICE, append_to_context=append), at_s=0.1)
    call.push(InterruptionFrame, on_heard="clinic", delay_s=0.05)
    result = run_call(call, opening=None, tts=ScriptedTTS("words"), vad="text", build=build)

    (record,) = recorder.records
    assert record.intended == NOTICE
    assert record.delivered == "This is an automated call from the clinic."
    assert record.append_to_context is append
    remembered = [str(m["content"]) for m in result.messages if m["role"] == "assistant"]
    assert remembered == ([f"{record.delivered} {INTERRUPTED}"] if append else [])
