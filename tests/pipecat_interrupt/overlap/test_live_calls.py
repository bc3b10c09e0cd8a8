"""Overlap judgement in a whole scripted call on virtual time, with a VAD on the samples."""

from __future__ import annotations

import asyncio

import pytest
from pipecat.audio.dtmf.types import KeypadEntry
from pipecat.frames.frames import (
    InputDTMFFrame,
    InterimTranscriptionFrame,
    InterruptionFrame,
    ProposedUserStartedSpeakingFrame,
    TranscriptionFrame,
)
from pipecat.transcriptions.language import Language

from pipecat_interrupt.overlap.config import OverlapConfig
from pipecat_interrupt.overlap.evidence import Speaker
from pipecat_interrupt.overlap.judge import OverlapJudge
from pipecat_interrupt.overlap.late import LOW_CERTAINTY_KEY
from pipecat_interrupt.overlap.processor import OverlapProcessor
from pipecat_interrupt.testing import CallParts, ScriptedCall
from tests.pipecat_interrupt.overlap.live_call import ADVICE, QUESTION, FakeFloor, FakeHold, FakeSpeaker, play

pytestmark = pytest.mark.pipeline


@pytest.mark.parametrize(
    ("text", "stt"), [("Mm-hmm.", "segmented"), ("Okay.", "streaming"), ("Thank you.", "segmented")]
)
def test_d09_a_listening_sound_leaves_the_agent_speaking_and_the_model_ignorant(text: str, stt: str) -> None:
    """Audio unbroken, nothing to the model, Pipecat's own backchannel frame."""
    played = play(ScriptedCall(12).patient(text, on_heard="glass"), stt=stt)

    assert [("backchannel", False)] == played.verdicts
    assert [text] == played.backchannels
    assert [] == played.user_messages
    assert 0 == played.interruptions
    assert [ADVICE] == played.heard


@pytest.mark.parametrize(
    ("text", "stt"),
    [
        ("Stop.", "segmented"),
        ("Stop.", "streaming"),
        ("No, wait.", "segmented"),
        ("Listen to me.", "streaming"),
        ("Hm, what?", "segmented"),
    ],
)
def test_d09_short_urgent_words_stop_the_agent_and_reach_the_model(text: str, stt: str) -> None:
    """However short, they are no backchannels."""
    played = play(ScriptedCall(8).patient(text, on_heard="glass"), stt=stt)

    assert [True] == [takes for _, takes in played.verdicts]
    assert [text] == played.user_messages
    assert 1 == played.interruptions
    assert ADVICE != played.heard[0]


def test_the_agents_audio_is_held_and_resumed_once_for_a_backchannel() -> None:
    """The hold is asked for at the onset and given back; nothing is dropped."""
    played = play(ScriptedCall(12).patient("Mm-hmm.", on_heard="glass"))

    assert ["hold overlap", "resume provisional"] == played.hold.asked


def test_a_long_sentence_yields_after_eight_tenths_of_a_second_without_waiting_for_its_text() -> None:
    """The audio-side verdict; the words name it when they come."""
    played = play(ScriptedCall(20).patient("Can you tell me where I can park my car on Thursday?", on_heard="glass"))
    first, named = [r for r in played.kept.reports if r.revision > 0]

    assert ("undecided", "question") == (first.fact.verdict, named.fact.verdict)
    assert (first.fact.decided_s or 0) - first.fact.onset_s < 1.3
    assert ["Can you tell me where I can park my car on Thursday?"] == played.user_messages
    assert ["hold overlap", "drop interruption"] == played.hold.asked


def test_a_third_partys_words_neither_stop_the_agent_nor_reach_the_model() -> None:
    """With a gate that says so."""
    played = play(
        ScriptedCall(12).third_party("Dinner is ready, are you coming down?", on_heard="glass"),
        speaker=FakeSpeaker(Speaker.THIRD_PARTY),
    )

    assert [("third_party", False)] == played.verdicts
    assert ([], 0, [ADVICE]) == (played.user_messages, played.interruptions, played.heard)


def test_a_voice_nobody_is_sure_of_may_take_the_floor() -> None:
    """The patient is never locked out."""
    played = play(ScriptedCall(12).patient("Stop.", on_heard="glass"), speaker=FakeSpeaker(Speaker.UNSURE))

    assert [("stop_request", True)] == played.verdicts


def test_yes_in_a_statement_listens_and_in_a_question_answers() -> None:
    """The same word, by what the agent is in the middle of."""
    statement = play(ScriptedCall(12).patient("Yes.", on_heard="glass"), floor=FakeFloor())
    question = play(
        ScriptedCall(12).patient("Yes.", on_heard="back"),
        replies=[QUESTION, "Thank you."],
        floor=FakeFloor(question_open=True, focus_heard=True),
    )

    assert [("backchannel", False)] == statement.verdicts
    assert [("answer", True)] == question.verdicts
    assert ["Yes."] == question.user_messages


def test_protected_speech_is_held_by_nothing_but_a_stop_request() -> None:
    """A refused hold changes no verdict; the stop request says its reason."""
    listens = play(ScriptedCall(12).patient("Mm-hmm.", on_heard="glass"), hold=FakeHold(refuses=True))
    stops = play(ScriptedCall(12).patient("Stop.", on_heard="glass"), hold=FakeHold(refuses=True))

    assert ["refused overlap"] == listens.hold.asked
    assert ["refused overlap", "hold primary_stop", "drop interruption"] == stops.hold.asked


def test_d08_a_cough_with_a_recogniser_that_reports_empty_segments_is_noise() -> None:
    """The agent is held, the empty segment is the signal, the agent goes on from the same sample."""

    def report_empty(processor: OverlapProcessor, call: ScriptedCall) -> None:
        async def empty(_: CallParts) -> None:
            await processor.segment_empty()

        call.do(empty, on_heard="glass", delay_s=1.5)

    played = play(ScriptedCall(12).cough(on_heard="glass"), instrument=report_empty)

    assert [("noise", False)] == played.verdicts
    assert (0, [], [ADVICE]) == (played.interruptions, played.user_messages, played.heard)


def test_d08_a_cough_with_a_recogniser_that_says_nothing_does_not_silence_the_agent_for_good() -> None:
    """No text, no signal: the agent goes on; the overlap is closed undecided."""
    played = play(ScriptedCall(20).cough(on_heard="glass"))

    assert [("undecided", False)] == played.verdicts
    assert (0, [], [ADVICE]) == (played.interruptions, played.user_messages, played.heard)


def test_d08_an_empty_final_after_unfinished_words_keeps_the_words_marked() -> None:
    """Case b: the agent is silent; the words open the turn and reach the model, marked as never confirmed."""
    interim = lambda: InterimTranscriptionFrame("yes I do", "patient", "t1")  # noqa: E731
    empty = lambda: TranscriptionFrame("", "patient", "t2", finalized=True)  # noqa: E731

    played = play(ScriptedCall(8).push(interim, at_s=1.0).push(empty, at_s=1.6), opening=None, replies=["Thank you."])
    kept = [f for f in played.tap.frames if isinstance(f, TranscriptionFrame)]

    assert ["yes I do"] == played.user_messages
    assert [("yes I do", True)] == [(f.text, f.metadata.get(LOW_CERTAINTY_KEY)) for f in kept]


@pytest.mark.parametrize("gap_s", [0.0, 0.1])
def test_d07_two_texts_behind_one_another_reach_the_model_in_order_and_once(gap_s: float) -> None:
    """The turn the first one opens must not delete the second, as the recogniser sends them."""

    async def both(parts: CallParts) -> None:
        for text in ("Wait,", "I am allergic to penicillin"):
            await parts.stt.push_frame(TranscriptionFrame(text, "patient", "t", finalized=True))
            await asyncio.sleep(gap_s)

    played = play(ScriptedCall(9).do(both, at_s=2.0))

    assert ["Wait, I am allergic to penicillin"] == played.user_messages
    assert 1 == played.interruptions


def test_d06_a_late_last_piece_joins_its_turn_and_only_one_reply_is_spoken_to_the_end() -> None:
    """One patient turn; not an interruption by the patient."""
    call = (
        ScriptedCall(11)
        .patient("I take warfarin", at_s=1.0)
        .push(lambda: TranscriptionFrame("and aspirin.", "patient", "t2", finalized=True), at_s=3.6)
    )

    played = play(call, replies=["Thank you, I have noted that down for the doctor.", "Both are noted."], opening=None)

    assert ["I take warfarin and aspirin."] == played.user_messages
    assert [] == played.verdicts
    assert 1 == sum(
        text in ("Thank you, I have noted that down for the doctor.", "Both are noted.") for text in played.heard
    )


def test_d17_the_agents_echo_is_dropped_and_the_patients_answer_is_kept() -> None:
    """Text side: both come after the agent fell silent."""
    question = "Do you have pain when you breathe?"
    floor = FakeFloor(recent_text=question, question_open=True, focus_heard=True)
    echo = lambda: TranscriptionFrame("you have pain when you breathe", "user", "t1", finalized=True)  # noqa: E731
    answer = lambda: TranscriptionFrame("pain when I breathe, yes", "user", "t2", finalized=True)  # noqa: E731
    call = ScriptedCall(11).push(echo, on_heard="breathe", delay_s=0.4).push(answer, on_heard="breathe", delay_s=2.0)

    played = play(call, replies=[question, "Thank you."], floor=floor)

    assert ["pain when I breathe, yes"] == played.user_messages
    assert [("echo", False)] == played.verdicts


@pytest.mark.parametrize(
    ("text", "takes_floor"),
    [
        ("Thank you.", False),
        ("got it", False),
        ("Makes sense, yeah", False),
        ("okay, but I am pregnant", True),
        ("right… no", True),
    ],
)
def test_d21_polite_phrases_listen_and_mixed_phrases_interrupt(text: str, takes_floor: bool) -> None:
    """A config with "got it", "" and "…" does not hang."""
    judge = OverlapJudge(OverlapConfig(extra_backchannels=("got it", "", "…")), models={})
    call = ScriptedCall(9).push(lambda: TranscriptionFrame(text, "patient", "t", finalized=True), at_s=2.0)

    played = play(call, judge=judge)

    assert [takes_floor] == [takes for _, takes in played.verdicts]
    assert takes_floor is bool(played.user_messages)


def test_words_that_only_listen_may_go_on_longer_when_the_recogniser_tells_them_early() -> None:
    """A streaming recogniser's unfinished "makes sense" keeps 0.8 s of voice from being an interruption."""
    played = play(ScriptedCall(12).patient("Makes sense, yeah.", on_heard="glass"), stt="streaming")

    assert [("backchannel", False)] == played.verdicts
    assert ["Makes sense, yeah."] == played.backchannels


def test_d22_small_noises_over_one_sentence_do_not_add_up() -> None:
    """Three listening words, three backchannels, no interruption."""
    call = ScriptedCall(12)
    for at_s, text in ((2.0, "Okay."), (4.0, "Mhm."), (6.0, "Yes.")):
        call.push(lambda text=text: TranscriptionFrame(text, "patient", "t", finalized=True), at_s=at_s)

    played = play(call)

    assert ["Okay.", "Mhm.", "Yes."] == played.backchannels
    assert (0, []) == (played.interruptions, played.user_messages)


def test_d22_small_noises_over_three_turns_of_the_agent_do_not_add_up() -> None:
    """Nothing is counted from one turn of the agent to the next."""
    call = ScriptedCall(45).patient("What may I drink?", at_s=14.0).patient("And in the evening?", at_s=29.0)
    for at_s, text in ((3.0, "Okay."), (19.0, "Mhm."), (34.0, "Yes.")):
        call.push(lambda text=text: TranscriptionFrame(text, "patient", "t", finalized=True), at_s=at_s)

    played = play(call, replies=(ADVICE, ADVICE, ADVICE))

    assert ["Okay.", "Mhm.", "Yes."] == played.backchannels
    assert ["What may I drink?", "And in the evening?"] == played.user_messages
    assert 3 == len([heard for heard in played.heard if heard.endswith("short of breath.")])


@pytest.mark.parametrize(("text", "yields"), [("停一下我听不清楚", True), ("嗯", False)])
def test_d05_chinese_words_are_counted_though_no_blank_parts_them(text: str, yields: bool) -> None:
    """One word to a rule that splits on blanks: "stop, I cannot hear". A single sound is a listener's."""
    call = ScriptedCall(15).push(
        lambda: TranscriptionFrame(text, "patient", "t", language=Language.ZH, finalized=True), at_s=2.0
    )

    played = play(call)

    assert [text] * yields == played.user_messages
    assert yields is not any(heard.endswith("short of breath.") for heard in played.heard)


def test_a_proposed_turn_start_is_judged_and_not_passed_on() -> None:
    """Server-side turn detection over the agent: held, then resolved by the words."""
    call = (
        ScriptedCall(12)
        .push(ProposedUserStartedSpeakingFrame, at_s=3.0)
        .push(lambda: TranscriptionFrame("Mm-hmm.", "patient", "t", finalized=True), at_s=3.5)
    )

    played = play(call, vad="text")

    assert [("backchannel", False)] == played.verdicts
    assert 0 == played.interruptions
    assert [] == played.result.parts.after.of(ProposedUserStartedSpeakingFrame)


def test_a_key_over_the_agent_takes_the_floor() -> None:
    """D12: "press star to object" is obeyed while it is said."""
    played = play(ScriptedCall(11).push(lambda: InputDTMFFrame(KeypadEntry.STAR), at_s=3.0))

    assert [("topic_shift", True)] == played.verdicts
    assert 1 == played.interruptions


def test_the_same_call_gives_the_same_result_again() -> None:
    """Virtual time: bit-equal, so a failing schedule can be replayed."""
    first, second = (
        play(ScriptedCall(11).patient("Wait, I have a question.", on_heard="glass")).result.golden() for _ in range(2)
    )

    assert first == second


def test_an_interruption_carries_no_refused_text_into_the_next_turn() -> None:
    """A backchannel before the real question stays out of the question's turn."""
    call = (
        ScriptedCall(20)
        .patient("Mm-hmm.", on_heard="tablet")
        .patient("Stop, how many tablets did you say?", on_heard="alcohol")
    )

    played = play(call)

    assert ["Stop, how many tablets did you say?"] == played.user_messages
    assert 1 == len(played.result.parts.after.of(InterruptionFrame, direction="DOWNSTREAM"))
