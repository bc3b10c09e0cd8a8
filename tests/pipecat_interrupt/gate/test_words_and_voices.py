"""Which voice a text is ruled on by: its own, however late it comes, and never that of whoever spoke last."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from pipecat.frames.frames import (
    BotStartedSpeakingFrame,
    Frame,
    InterimTranscriptionFrame,
    ProposedUserStartedSpeakingFrame,
    ProposedUserStoppedSpeakingFrame,
    TranscriptionFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.tests.utils import SleepFrame

from pipecat_interrupt.gate import SPEAKER_KEY, SpeakerGateProcessor, ThirdPartySpeechFrame
from pipecat_interrupt.kit.recogniser import acquaint
from pipecat_interrupt.overlap.actions import Forward, Text
from pipecat_interrupt.overlap.evidence import AgentFloor
from pipecat_interrupt.overlap.processor import OverlapProcessor
from pipecat_interrupt.testing import ScriptedSTT
from speaker_gate import CallGate, GateSettings
from speaker_gate.testing import fake_ears, quiet, say

from .test_gate_processor import enrolled, of, sound, through, turn

pytestmark = pytest.mark.pipeline


def text(words: str, *, begins_s: float | None = None) -> TranscriptionFrame:
    """A final transcript; with `begins_s` its words carry times, as Deepgram's do."""
    frame = TranscriptionFrame(words, "caller", "now")
    if begins_s is not None:
        frame.result = {"words": [{"word": words, "start": begins_s, "end": begins_s + 0.3}]}
    return frame


def voice(name: str, seconds: float) -> list[Frame]:
    """A voice with its detection, without any words of it."""
    return [
        *sound(quiet(0.2)),
        VADUserStartedSpeakingFrame(),
        *sound(say(name, seconds)),
        VADUserStoppedSpeakingFrame(),
    ]


def passed(frames: Sequence[Frame]) -> list[tuple[str, str]]:
    """What passed as the patient's, and how it counts."""
    return [(frame.text, frame.metadata.get(SPEAKER_KEY, "")) for frame in of(frames, TranscriptionFrame)]


def test_a_word_nobody_was_seen_to_say_is_not_left_out_because_somebody_else_spoke_last() -> None:
    """The television spoke ten seconds ago; a soft "no" that voice detection missed is not the television's."""
    frames = [*turn("television", 2.0, "and now the weather"), SleepFrame(sleep=10.0), *sound(quiet(1.0)), text("No.")]

    down = through(SpeakerGateProcessor(enrolled()), [*frames, SleepFrame(sleep=1.0)])

    assert [("No.", "unsure")] == passed(down)


def test_a_word_nobody_was_seen_to_say_is_not_by_the_patients_voice_because_they_spoke_last() -> None:
    """It counts as inferred: nothing of it was heard, so no voice can have decided."""
    frames = [*turn("patient", 2.0, "Go on."), SleepFrame(sleep=10.0), *sound(quiet(1.0)), text("No.")]

    down = through(SpeakerGateProcessor(enrolled()), [*frames, SleepFrame(sleep=1.0)])

    assert [("Go on.", "primary"), ("No.", "inferred")] == passed(down)


def test_words_without_a_detected_voice_are_ruled_on_by_the_sound_just_heard() -> None:
    """A television too soft for voice detection is still not the patient."""
    frames = [*sound(say("television", 2.5)), text("and now the weather for tomorrow"), SleepFrame(sleep=1.0)]

    down = through(SpeakerGateProcessor(enrolled()), frames)

    assert [] == passed(down)
    assert ["third_party"] == [frame.speaker for frame in of(down, ThirdPartySpeechFrame)]


def test_nothing_is_learned_from_sound_without_a_detected_voice() -> None:
    """Nobody knows where in it a voice begins: the enrolment stays as it was."""
    gate = enrolled()
    before = gate.last_enrolment

    through(SpeakerGateProcessor(gate), [*sound(say("patient", 3.0)), text("I see."), SleepFrame(sleep=1.0)])

    assert before is gate.last_enrolment


def test_a_word_that_began_after_the_televisions_turn_is_not_the_televisions() -> None:
    """A recogniser that tells word times settles it, however soon the word comes."""
    frames = [*turn("television", 2.0, "and now the weather"), *sound(quiet(0.8)), text("No.", begins_s=2.6)]

    down = through(SpeakerGateProcessor(enrolled()), [*frames, SleepFrame(sleep=1.0)])

    assert ["No."] == [words for words, _ in passed(down)]


def test_word_times_that_cannot_be_are_not_looked_at() -> None:
    """After a reconnection a recogniser may count from a beginning of its own."""
    frames = [*turn("television", 2.0, "and now the weather"), text("in the north", begins_s=900.0)]

    down = through(SpeakerGateProcessor(enrolled()), [*frames, SleepFrame(sleep=1.0)])

    assert [] == passed(down)


def test_texts_of_a_slow_recogniser_are_ruled_on_in_the_order_of_their_voices() -> None:
    """The patient, then the television, then both texts: neither is taken for the other's."""
    gate = SpeakerGateProcessor(enrolled())
    gate.segments(in_order=True)
    frames = [*voice("patient", 2.0), SleepFrame(sleep=0.5), *voice("television", 2.0), SleepFrame(sleep=3.0)]

    down = through(
        gate, [*frames, text("I had a fever."), SleepFrame(sleep=1.0), text("and now"), SleepFrame(sleep=1.0)]
    )

    assert [("I had a fever.", "primary")] == passed(down)
    assert ["and now"] == [frame.text for frame in of(down, ThirdPartySpeechFrame)]


async def test_a_segment_without_words_gives_its_turn_to_no_text() -> None:
    """The kit tells the gate of it too; the next text is of the next voice."""

    class Reporting(ScriptedSTT):
        on_segment = None

    gate, overlap, stt = SpeakerGateProcessor(enrolled()), OverlapProcessor(), Reporting()
    acquaint(overlap, stt, gate)
    now_s = asyncio.get_running_loop().time()
    for at_s in (now_s - 4.0, now_s - 2.0):
        gate.ear.hear(b"\0\0" * 16_000, 16_000, agent_active=False)
        gate.ear.start(at_s)
        gate.ear.stop(at_s + 1.0)

    await stt.on_segment(None)  # type: ignore[misc]
    owner = gate.ear.turn_of_text(now_s)

    assert owner is gate.ear.turn
    await gate.ear.finish()


def flux(voice_name: str, seconds: float, words: str) -> list[Frame]:
    """A recogniser with turn detection of its own: it proposes a start, tells its text, and proposes the end."""
    return [
        *sound(quiet(0.2)),
        ProposedUserStartedSpeakingFrame(),
        *sound(say(voice_name, seconds)),
        text(words),
        ProposedUserStoppedSpeakingFrame(),
        SleepFrame(sleep=1.0),
    ]


def test_without_voice_detection_the_recognisers_own_turns_are_listened_to() -> None:
    """The patient is enrolled from them, and another voice is known."""
    gate = CallGate(fake_ears(), settings=GateSettings(check_rate=False))
    frames = [*flux("patient", 3.0, "Hello."), *flux("patient", 3.0, "It is me."), *flux("television", 2.0, "the news")]

    down = through(SpeakerGateProcessor(gate), frames)

    assert ["Hello.", "It is me."] == [words for words, _ in passed(down)]
    assert ["the news"] == [frame.text for frame in of(down, ThirdPartySpeechFrame)]


def test_a_proposed_turn_does_not_end_one_that_voice_detection_opened() -> None:
    """Where there is voice detection its word counts."""
    gate = SpeakerGateProcessor(enrolled())
    frames = [*sound(quiet(0.2)), VADUserStartedSpeakingFrame(), ProposedUserStartedSpeakingFrame()]
    frames += [*sound(say("patient", 1.0)), ProposedUserStoppedSpeakingFrame(), SleepFrame(sleep=0.1)]

    through(gate, frames)

    assert gate.ear.open


@pytest.mark.parametrize(("words", "waits"), [("and now the weather", True), ("stop please", False)])
def test_unfinished_words_over_the_agent_wait_for_the_voice_unless_they_ask_it_to_stop(words: str, waits: bool) -> None:
    """Somebody else's would take the floor before anybody can know whose they are."""
    gate = SpeakerGateProcessor(enrolled(), overlap=OverlapProcessor())
    frames = [*sound(quiet(0.2)), BotStartedSpeakingFrame(), VADUserStartedSpeakingFrame(), SleepFrame(sleep=1.5)]

    down = through(gate, [*frames, InterimTranscriptionFrame(words, "caller", "now"), SleepFrame(sleep=0.1)])

    assert waits is (of(down, InterimTranscriptionFrame) == [])


def test_unfinished_words_of_a_text_the_gate_left_out_are_not_kept_in_its_place() -> None:
    """Words that were never confirmed are kept; these were, and were somebody else's."""
    session, floor = (
        OverlapProcessor().session,
        AgentFloor(delivered_text="Please keep the", remaining_text="shield on"),
    )
    session.text(1.0, Text(1, "and now the", final=False), floor)

    session.final_on_its_way()
    actions = session.segment_empty(2.0, floor)

    assert [] == [action for action in actions if isinstance(action, Forward)]
