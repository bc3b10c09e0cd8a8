"""A report of somebody else's whose words come late belongs to the question that was put when it was spoken."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregatorParams

from obligations.pathway import load_pathway
from pipecat_interrupt.gate import SpeakerGateProcessor
from pipecat_interrupt.journal.entries import PatientTurn, UtteranceStarted
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.testing import ScriptedCall, ScriptedSTT, VirtualDelay, run_virtual
from pipecat_interrupt.testing.call import CallParts, play_call
from pipecat_interrupt.testing.voice import Speech, SpokenWord
from speaker_gate.testing import say

from .test_gate_processor import enrolled

pytestmark = pytest.mark.pipeline

PATHWAY = """
schema_version: 1
id: two-questions
version: "1.0"
title: {en: "Two questions"}
languages: [en]
review: not_clinically_reviewed
sources: [{id: own, citation: "Made up for a test; no medical content."}]
phrases: {en: {greeting: "Hello again.", goodbye: "Goodbye."}}
groups:
  - id: talk
    trigger: {on: phase, phase: main}
    items:
      - kind: question
        id: pain
        critical: true
        source: [own]
        wording: {en: "Have you had any pain in your eye?"}
        focus: {en: "pain"}
      - kind: question
        id: redness
        critical: true
        source: [own]
        wording: {en: "Have you noticed any redness in your eye?"}
        focus: {en: "redness"}
"""


class SlowSTT(ScriptedSTT):
    """One worker that takes its time: a segment waits for the one before it, and those without words are reported."""

    on_segment = None

    def __init__(self, delay_s: float) -> None:
        super().__init__("segmented", delay_s=delay_s, ttfs_p99_latency=1.0)
        self._one_at_a_time = asyncio.Lock()

    async def _tell_segment(self, segment: Any) -> None:
        async with self._one_at_a_time:
            await super()._tell_segment(segment)


def spoken(voice: str, words: str, seconds: float) -> Speech:
    samples = (say(voice, seconds) * 32_767).astype(np.int16)
    step = seconds / len(words.split())
    placed = tuple(SpokenWord(word, i * step, (i + 1) * step) for i, word in enumerate(words.split()))
    return Speech(words, samples, 16_000, placed)


def test_a_report_that_comes_behind_the_next_question_is_about_the_one_before(tmp_path: Path) -> None:
    """The patient says no to pain, the daughter yes; her words arrive when redness is being asked about."""
    (tmp_path / "two.yaml").write_text(PATHWAY, encoding="utf-8")

    async def main() -> InterruptKit:
        kit = InterruptKit(
            load_pathway(tmp_path / "two.yaml"), gate=SpeakerGateProcessor(enrolled(), executor=VirtualDelay(0.06))
        )

        async def begin(_: CallParts) -> None:
            kit.begin()

        call = ScriptedCall(40.0).do(begin, at_s=0.0)
        own, others = "no I have not had any", "yes she did have some yesterday"
        call.sound(make=lambda _: spoken("patient", own, 2.0), on_heard="pain", delay_s=1.2)
        call.sound(make=lambda _: spoken("daughter", others, 1.5), on_heard="pain", delay_s=3.7)
        await play_call(
            call,
            tts="words",
            stt=SlowSTT(1.9),
            vad="energy",
            user_params=lambda _: LLMUserAggregatorParams(
                user_turn_strategies=kit.turn_strategies(), empty_user_turn=None
            ),
            instrument=kit.instrument,
            opening=None,
        )
        return kit

    kit = run_virtual(main)

    turns = [entry.data for entry in kit.memory.entries if isinstance(entry.data, PatientTurn)]
    reports = [turn for turn in turns if turn.speaker == "third_party"]
    assert ["yes she did have some yesterday"] == [turn.text for turn in reports]
    entries = kit.memory.entries
    begun_s = [e.at_s for e in entries if isinstance(e.data, UtteranceStarted) and "redness" in e.data.intended]
    came_s = [entry.at_s for entry in entries if entry.data is reports[0]]
    assert reports[0].spoken_s is not None
    assert reports[0].spoken_s < begun_s[0] < came_s[0]
