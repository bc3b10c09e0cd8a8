"""Faults and races of the live part: it yields, it keeps words, it never raises into the pipeline."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pipecat.frames.frames import (
    BotStoppedSpeakingFrame,
    ErrorFrame,
    InterimTranscriptionFrame,
    InterruptionFrame,
    TranscriptionFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)

from pipecat_interrupt.overlap.evidence import Evidence, Judgement, Speaker
from pipecat_interrupt.overlap.facts import OverlapReport
from pipecat_interrupt.overlap.judge import OverlapJudge
from pipecat_interrupt.overlap.late import AGAIN_KEY
from pipecat_interrupt.overlap.processor import OverlapProcessor
from pipecat_interrupt.testing import CallParts, ScriptedCall
from tests.pipecat_interrupt.overlap.live_call import FakeFloor, FakeHold, FakeSpeaker, play

pytestmark = pytest.mark.pipeline


class BrokenJudge(OverlapJudge):
    """A judge that always fails."""

    def judge(self, evidence: Evidence) -> Judgement:
        """Fail."""
        raise RuntimeError("broken on purpose")


class BrokenFloor(FakeFloor):
    """A floor that fails when asked for text."""

    def delivered_text(self) -> str:
        """Fail."""
        raise RuntimeError("broken on purpose")


class BrokenSpeaker(FakeSpeaker):
    """A gate that fails."""

    def attribution(self) -> Speaker | None:
        """Fail."""
        raise RuntimeError("broken on purpose")


class BrokenListener:
    """A listener that fails."""

    def on_overlap(self, report: OverlapReport) -> None:
        """Fail."""
        raise RuntimeError("broken on purpose")


def final(text: str) -> TranscriptionFrame:
    """A closed transcript."""
    return TranscriptionFrame(text, "patient", "t", finalized=True)


def test_a_judge_that_fails_yields_the_floor_and_lets_the_words_through() -> None:
    """Our own fault is never the patient's."""
    played = play(ScriptedCall(9).push(lambda: final("My chest hurts."), at_s=2.0), judge=BrokenJudge(models={}))

    assert ["My chest hurts."] == played.user_messages
    assert 1 == played.interruptions
    assert 1 == len(played.result.parts.before.of(ErrorFrame))


def test_a_floor_that_fails_counts_as_a_silent_agent() -> None:
    """Then every voice starts a turn, as without us."""
    played = play(ScriptedCall(9).patient("Hello there.", at_s=2.0), floor=BrokenFloor())

    assert ["Hello there."] == played.user_messages


def test_a_gate_or_a_listener_that_fails_changes_nothing() -> None:
    """The backchannel is still one."""

    def deafen(processor: OverlapProcessor, call: ScriptedCall) -> None:
        processor.add_listener(BrokenListener())

    played = play(ScriptedCall(9).patient("Mm-hmm.", at_s=2.0), speaker=BrokenSpeaker(), instrument=deafen)

    assert [("backchannel", False)] == played.verdicts


def test_words_held_back_when_the_call_ends_reach_the_aggregator() -> None:
    """An end in mid-overlap loses no final words."""

    async def speak_and_end(parts: CallParts) -> None:
        await parts.stt.push_frame(VADUserStartedSpeakingFrame(start_secs=0.2))
        await asyncio.sleep(0.1)
        await parts.stt.push_frame(final("Okay"))
        await parts.worker.stop_when_done()

    played = play(ScriptedCall(9).do(speak_and_end, at_s=2.0), vad="text")

    assert ["Okay"] == [f.text for f in played.tap.frames if isinstance(f, TranscriptionFrame)]


def test_a_text_that_comes_after_the_agent_has_finished_is_still_a_backchannel() -> None:
    """Race of the transcript and the agent's last word, transcript second: said over the agent, so it only listens."""
    played = play(
        ScriptedCall(9).patient("Mm-hmm.", on_heard="water"),
        replies=["Take one tablet with a glass of water today."],
        stt="segmented",
    )

    assert [("backchannel", False)] == played.verdicts
    assert [] == played.user_messages


def test_an_answer_over_the_last_word_opens_a_turn_when_its_text_comes_after_the_agent() -> None:
    """The same race, with a "no": nothing is lost."""
    played = play(
        ScriptedCall(9).patient("No.", on_heard="your"),
        replies=["Do you have pain in your chest?", "Thank you."],
        floor=FakeFloor(question_open=True, focus_heard=True),
    )

    assert ["No."] == played.user_messages


def test_an_interruption_from_elsewhere_while_a_verdict_is_open_loses_no_words() -> None:
    """Another part interrupts the agent in mid-overlap."""

    async def race(parts: CallParts) -> None:
        await parts.stt.push_frame(VADUserStartedSpeakingFrame(start_secs=0.2))
        await parts.stt.push_frame(InterimTranscriptionFrame("okay", "patient", "t"))
        await parts.worker.queue_frame(InterruptionFrame())
        await parts.stt.push_frame(VADUserStoppedSpeakingFrame(stop_secs=0.2))
        await parts.stt.push_frame(final("Okay but I am pregnant"))

    played = play(ScriptedCall(9).do(race, at_s=2.0), vad="text")

    assert ["Okay but I am pregnant"] == played.user_messages


ORDERS = st.permutations(["vad+", "final one", "final two", "vad-", "bot-", "empty"])


@settings(max_examples=12, deadline=None)
@given(ORDERS, st.sampled_from([0.0, 0.05, 0.4]))
def test_in_every_order_no_word_is_lost_doubled_or_moved(order: list[str], gap_s: float) -> None:
    """Voice, texts, an empty segment and the agent's end in any order: forwarded texts are whole, single, in order."""

    def instrument(processor: OverlapProcessor, call: ScriptedCall) -> None:
        async def race(parts: CallParts) -> None:
            frames = {
                "vad+": lambda: VADUserStartedSpeakingFrame(start_secs=0.2),
                "vad-": lambda: VADUserStoppedSpeakingFrame(stop_secs=0.2),
                "final one": lambda: final("Stop,"),
                "final two": lambda: final("I take warfarin."),
                "bot-": BotStoppedSpeakingFrame,
            }
            for name in order:
                if name == "empty":
                    await processor.segment_empty()
                else:
                    await parts.stt.push_frame(frames[name]())
                await asyncio.sleep(gap_s)

        call.do(race, at_s=2.0)

    played = play(ScriptedCall(8), instrument=instrument, vad="text", hold=FakeHold())
    texts = [f for f in played.tap.frames if isinstance(f, TranscriptionFrame) and f.text]
    passed = [f.text for f in texts if AGAIN_KEY not in f.metadata]
    wanted = [{"final one": "Stop,", "final two": "I take warfarin."}[n] for n in order if n.startswith("final")]

    assert wanted == passed
    assert " ".join(wanted) == " ".join(played.user_messages)
    assert not played.hold.held
