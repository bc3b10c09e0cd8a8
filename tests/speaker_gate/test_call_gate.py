"""One call's gate from sound and words to rulings. Field cases D15 to D18 with voices made of tones."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from speaker_gate import CallGate, GateSettings, Ruling, TurnVerdict, Voice, Why, Word, WordsHeard, declined
from speaker_gate.audio import over_telephone
from speaker_gate.embedders import Samples
from speaker_gate.enrolment import EnrolmentStatus
from speaker_gate.policy.actions import Action
from speaker_gate.policy.handover import HandoverEvent
from speaker_gate.policy.kinds import Relevance, RelevanceReading
from speaker_gate.replies import Standing
from speaker_gate.testing import FakeEmbedder, FakeSegmenter, FixedReader, fake_ears, quiet, say

pytestmark = pytest.mark.unit

NO_RATE_CHECK = GateSettings(check_rate=False)


def new_gate(**other: object) -> CallGate:
    return CallGate(fake_ears(), **({"settings": NO_RATE_CHECK} | other))  # pyright: ignore[reportArgumentType]


def turn(gate: CallGate, *parts: Samples, at_s: float = 0.0, rate_hz: int = 16_000, agent: bool = False) -> TurnVerdict:
    gate.begin_turn(at_s, rate_hz, agent_speaking=agent)
    heard = 0
    for part in parts:
        for at in range(0, len(part), rate_hz // 50):
            gate.hear(part[at : at + rate_hz // 50])
            heard += rate_hz // 50
            if heard % (rate_hz // 2) == 0:
                gate.update()
    return gate.end_turn(at_s + heard / rate_hz)


def enrolled(**other: object) -> CallGate:
    gate = new_gate(**other)
    turn(gate, say("patient", 3.0))
    turn(gate, say("patient", 3.0), at_s=5.0)
    gate.confirm_primary()
    return gate


def only(rulings: tuple[Ruling, ...]) -> Ruling:
    assert 1 == len(rulings)
    return rulings[0]


def test_the_patient_is_enrolled_from_the_call_and_recognised_afterwards() -> None:
    """Two turns of three seconds, no button, no delay; then the decision is the patient's."""
    gate = enrolled()

    verdict = turn(gate, say("patient", 2.0), at_s=10.0)

    assert EnrolmentStatus.CONFIRMED is gate.status
    assert Voice.PRIMARY is verdict.voice
    assert Voice.PRIMARY is gate.last_decided
    assert () == gate.faults


def test_before_enrolment_everything_passes_marked_as_assumed() -> None:
    """A gate that knows nobody does not shut."""
    gate = new_gate()
    turn(gate, say("stranger", 2.0))

    ruling = only(gate.rule(WordsHeard(text="Yes, I had a fever.", now_s=2.0)))

    assert (Standing.ASSUMED, Action.PASS_MARKED) == (ruling.standing, ruling.choice.action)


def test_d15_the_television_is_ignored_and_the_patient_heard() -> None:
    """The television's words stay out, answer nothing and interrupt nothing; the patient's stop request passes."""
    gate = enrolled()

    television = turn(gate, say("television", 2.0, -32.0), at_s=10.0, agent=True)
    ignored = only(gate.rule(WordsHeard(text="yes I would like that", now_s=12.0)))
    turn(gate, say("patient", 2.0), at_s=14.0, agent=True)
    stopped = only(gate.rule(WordsHeard(text="please stop", now_s=16.0)))

    assert Voice.THIRD_PARTY is television.voice
    assert Action.IGNORE is ignored.choice.action
    assert not ignored.choice.action.interrupts
    assert (Standing.PRIMARY, Action.PASS) == (stopped.standing, stopped.choice.action)


def test_d15_a_speaker_nobody_could_decide_on_is_asked_for_not_counted_as_the_patient() -> None:
    """After somebody else was heard, an undecided reply is confirmed once, and never a second time."""
    gate = enrolled()
    turn(gate, say("television", 2.0), at_s=10.0)
    turn(gate, say("patient", 0.4), at_s=13.0)

    first = only(gate.rule(WordsHeard(text="yes", now_s=14.0)))
    second = only(gate.rule(WordsHeard(text="yes", now_s=16.0, confirmation_asked=True)))

    assert (Standing.CONFIRM, Action.ASK_WHO) == (first.standing, first.choice.action)
    assert first.note is not None
    assert (Standing.UNSURE, Action.PASS_MARKED) == (second.standing, second.choice.action)


@pytest.mark.parametrize("seconds", [0.0, 0.15, 0.4, 0.8])
def test_d16_too_little_speech_is_undecided_and_the_answer_is_kept(seconds: float) -> None:
    """A "No." after the patient spoke is inferred to be the patient's: kept, marked, may close an item."""
    gate = enrolled()
    turn(gate, say("patient", 2.0), at_s=10.0)

    verdict = turn(gate, say("patient", seconds), quiet(0.4), at_s=14.0)
    ruling = only(gate.rule(WordsHeard(text="No.", now_s=15.0)))

    assert Voice.UNSURE is verdict.voice
    assert (Standing.INFERRED, Action.PASS_MARKED) == (ruling.standing, ruling.choice.action)
    assert ruling.choice.action.may_close
    assert () == gate.faults


def test_a_short_reply_in_another_loudness_is_confirmed() -> None:
    """A "no" twenty decibels quieter than the patient's usual speech speaks for somebody further away."""
    gate = enrolled()
    turn(gate, say("patient", 2.0), at_s=10.0)
    turn(gate, say("patient", 0.4, -40.0), at_s=14.0)

    assert Standing.CONFIRM is only(gate.rule(WordsHeard(text="No.", now_s=15.0))).standing


def test_d17_the_agents_sound_and_words_come_back_and_are_dropped_and_an_answer_is_kept() -> None:
    """By waveform and by words the echo is dropped; the patient's words that share most of it pass."""
    gate = enrolled()
    rng = np.random.default_rng(1)
    played = (0.1 * rng.standard_normal(40_000)).astype(np.float32)
    gate.agent_played(20.0, played, 16_000)
    echo = played[:32_000] * 10 ** (-18 / 20)

    heard = turn(gate, np.concatenate([quiet(0.18), echo])[:32_000], at_s=20.0, agent=True)
    by_sound = only(gate.rule(WordsHeard(text="hm", now_s=22.4)))
    turn(gate, say("patient", 0.6), at_s=23.0)
    question = "Do you have pain when you breathe?"
    by_words = only(gate.rule(WordsHeard(text="you have pain when you breathe", now_s=24.0, agent_said=question)))
    turn(gate, say("patient", 2.0), at_s=25.0)
    answer = only(gate.rule(WordsHeard(text="pain when I breathe, yes", now_s=27.0, agent_said=question)))

    assert Why.ECHO_OF_AGENT_AUDIO is heard.decision.why
    assert Action.DROP_ECHO is by_sound.choice.action
    assert Action.DROP_ECHO is by_words.choice.action
    assert (Standing.PRIMARY, Action.PASS) == (answer.standing, answer.choice.action)


def test_d17_the_agents_voice_is_never_enrolled() -> None:
    """Before anybody is enrolled the agent's echo teaches nothing."""
    gate = new_gate()
    gate.agent_played(0.0, say("agent", 8.0), 16_000)
    for at_s in (10.0, 15.0):
        turn(gate, say("agent", 3.0), at_s=at_s)

    assert EnrolmentStatus.COLLECTING is gate.status
    assert Voice.AGENT_ECHO is gate.verdict.voice if gate.verdict else False


def test_d18_a_carers_answer_is_attributed_and_only_the_patients_word_hands_over() -> None:
    """Attributed and unconfirmed; an offer grants nothing; the patient's word does, recorded; then answers pass."""
    gate = enrolled()
    turn(gate, say("daughter", 2.5), at_s=10.0)
    fact = only(gate.rule(WordsHeard(text="She takes warfarin, five milligrams.", now_s=12.0)))
    turn(gate, say("daughter", 2.5), at_s=14.0)
    offer = only(gate.rule(WordsHeard(text="I am her daughter, I will answer for her.", now_s=17.0)))
    turn(gate, say("patient", 2.0), at_s=18.0)
    granted = only(gate.rule(WordsHeard(text="Please talk to my daughter.", now_s=20.0)))
    turn(gate, say("daughter", 2.0), at_s=22.0)
    later = only(gate.rule(WordsHeard(text="Yes.", now_s=24.0)))

    assert (Action.ATTRIBUTE, Relevance.ANSWER_FOR_PATIENT) == (fact.choice.action, fact.choice.relevance)
    assert fact.note is not None
    assert not fact.choice.action.may_close
    assert (Action.ATTRIBUTE, HandoverEvent.OFFERED) == (offer.choice.action, offer.handover)
    assert HandoverEvent.GRANTED is granted.handover
    assert Why.ALLOWED_SPEAKER is later.part.decision.why
    assert (Standing.THIRD_PARTY, Action.ATTRIBUTE) == (later.standing, later.choice.action)
    assert [HandoverEvent.OFFERED, HandoverEvent.GRANTED] == [record.event for record in gate.desk.handover.records]


def test_an_interrupted_sentence_is_split_between_its_two_voices() -> None:
    """The words before the change are the patient's, the words after it the daughter's, by their times."""
    gate = enrolled()
    turn(gate, say("patient", 2.5), say("daughter", 2.0), at_s=10.0)
    words = [
        Word(text, start, start + 0.4)
        for text, start in (("in", 0.2), ("the", 0.8), ("evening", 1.6), ("no", 2.6), ("mum", 3.1), ("mornings", 3.7))
    ]

    mine, hers = gate.rule(WordsHeard(text="in the evening no mum mornings", now_s=15.0, words=words))

    assert ("in the evening", Standing.PRIMARY) == (mine.part.text, mine.standing)
    assert ("no mum mornings", Standing.THIRD_PARTY) == (hers.part.text, hers.standing)
    assert Action.ATTRIBUTE is hers.choice.action


def test_urgent_words_of_anybody_are_an_alert() -> None:
    """Danger passes at once, attributed."""
    gate = enrolled()
    turn(gate, say("stranger", 2.0), at_s=10.0)

    ruling = only(gate.rule(WordsHeard(text="She can't breathe!", now_s=12.0)))

    assert Action.ALERT is ruling.choice.action
    assert ruling.choice.action.interrupts


def test_labels_of_the_recogniser_decide_what_the_voice_cannot() -> None:
    """Once label 1 has meant the daughter for long enough, a short reply under it is hers."""
    gate = enrolled()
    turn(gate, say("daughter", 3.0), at_s=10.0)
    gate.rule(WordsHeard(text="well now", now_s=13.0, words=[Word("well", 0.1, 0.5, "1"), Word("now", 0.6, 0.9, "1")]))
    turn(gate, say("daughter", 0.5), at_s=15.0)

    ruling = only(gate.rule(WordsHeard(text="no", now_s=16.0, words=[Word("no", 0.0, 0.4, "1")])))

    assert (Standing.THIRD_PARTY, Why.STT_LABEL) == (ruling.standing, ruling.part.decision.why)


def test_somebody_else_picking_up_resets_the_enrolment() -> None:
    """On "I'll get her" the voice collected so far is not the patient's."""
    gate = new_gate()
    turn(gate, say("stranger", 3.0))
    turn(gate, say("stranger", 3.0), at_s=4.0)
    before = gate.status
    gate.rule(WordsHeard(text="Hold on, I'll get her.", now_s=8.0))

    assert EnrolmentStatus.PROVISIONAL is before
    assert EnrolmentStatus.COLLECTING is gate.status
    turn(gate, say("patient", 3.0), at_s=20.0)
    turn(gate, say("patient", 3.0), at_s=24.0)
    assert Voice.THIRD_PARTY is turn(gate, say("stranger", 2.0), at_s=30.0).voice


def test_the_flow_can_reset_the_enrolment_itself() -> None:
    """An identity check that fails says so to the gate."""
    gate = enrolled()

    gate.reset_primary()

    assert EnrolmentStatus.COLLECTING is gate.status
    assert gate.last_decided is None


def test_declined_consent_keeps_the_gate_open_without_one_voice_print() -> None:
    """The call works; nobody is enrolled; everything passes as assumed."""
    embedder = FakeEmbedder()
    gate = CallGate(fake_ears(embedder), settings=NO_RATE_CHECK, consent=declined)
    for at_s in (0.0, 5.0, 10.0):
        turn(gate, say("patient", 3.0), at_s=at_s)

    assert EnrolmentStatus.DECLINED is gate.status
    assert Standing.ASSUMED is only(gate.rule(WordsHeard(text="Yes.", now_s=13.0))).standing
    assert 0 == embedder.calls


def test_withdrawing_consent_forgets_every_voice_at_once() -> None:
    """From then on nobody is recognised."""
    gate = enrolled()

    gate.withdraw_consent()

    assert EnrolmentStatus.DECLINED is gate.status
    assert Voice.UNSURE is turn(gate, say("patient", 2.0), at_s=20.0).voice
    assert () == gate.voices.known.primary


def test_a_broken_model_is_counted_and_answered_with_unsure() -> None:
    """Nothing raises into a live call; kinds of error are kept, no content, and not without end."""
    gate = CallGate(fake_ears(FakeEmbedder(fail=True)), settings=NO_RATE_CHECK)

    for number in range(30):
        verdict = turn(gate, say("patient", 1.5), at_s=3.0 * number)
    ruling = only(gate.rule(WordsHeard(text="Yes.", now_s=99.0)))

    assert (Voice.UNSURE, Why.GATE_FAULT) == (verdict.decision.voice, verdict.decision.why)
    assert {"RuntimeError"} == set(gate.faults)
    assert 20 == len(gate.faults)
    assert ruling.choice.action.reaches_model


class BrokenReader(FixedReader):
    def read(self, text: str, *, before: str, language: str) -> RelevanceReading:
        raise RuntimeError("no reading")


def test_a_broken_reader_lets_the_words_pass_marked() -> None:
    """The policy's own failure never loses words."""
    gate = enrolled(reader=BrokenReader(Relevance.IGNORABLE))
    turn(gate, say("daughter", 2.0), at_s=10.0)

    ruling = only(gate.rule(WordsHeard(text="No, mum.", now_s=12.0)))

    assert (Standing.UNSURE, Why.GATE_FAULT) == (ruling.standing, ruling.part.decision.why)
    assert Action.PASS_MARKED is ruling.choice.action


@pytest.mark.parametrize("rate_hz", [0, 4_000, 96_000])
def test_an_impossible_rate_is_unsure_not_an_error(rate_hz: int) -> None:
    """A wrong rate is the transport's mistake; the call goes on."""
    gate = enrolled()
    gate.begin_turn(10.0, rate_hz)
    gate.hear(say("patient", 2.0))

    assert Voice.UNSURE is gate.end_turn(12.0).voice
    assert ("BadAudio",) == gate.faults


@pytest.mark.parametrize("sound", [np.zeros((3, 3, 3)), np.array(["x"])])
def test_odd_arrays_are_counted_and_ignored(sound: np.ndarray) -> None:
    """What is not sound is left out of the turn."""
    gate = enrolled()
    gate.begin_turn(10.0, 16_000)
    gate.hear(sound)

    assert Voice.UNSURE is gate.end_turn(12.0).voice
    assert ("BadAudio",) == gate.faults


def test_sound_outside_a_turn_is_ignored_and_an_update_there_is_unsure() -> None:
    """The gate is only open while a turn is."""
    gate = new_gate()
    gate.hear(say("patient", 1.0))

    assert Voice.UNSURE is gate.update().voice
    assert () == gate.rule(WordsHeard(text="", now_s=0.0))


def test_a_telephone_call_is_enrolled_and_judged_in_its_own_band() -> None:
    """Eight-kilohertz mu-law bytes in, the same decisions out."""
    gate = new_gate()
    for at_s in (0.0, 5.0):
        turn(gate, over_telephone(say("patient", 3.0)), at_s=at_s, rate_hz=8_000)

    assert [True] == [voice.narrow for voice in gate.voices.known.primary]
    assert Voice.PRIMARY is turn(gate, over_telephone(say("patient", 2.0)), at_s=10.0, rate_hz=8_000).voice
    assert Voice.THIRD_PARTY is turn(gate, over_telephone(say("television", 2.0)), at_s=14.0, rate_hz=8_000).voice


def test_int16_sound_is_taken_as_it_comes_from_a_transport() -> None:
    """Sixteen-bit samples give the same decisions."""
    gate = enrolled()

    verdict = turn(gate, (say("patient", 2.0) * 32_767).astype(np.int16), at_s=10.0)

    assert Voice.PRIMARY is verdict.voice


def test_a_segmenter_keeps_two_voices_out_of_the_enrolment() -> None:
    """Overlapped speech is refused for enrolment when a segmenter hears it."""
    gate = CallGate(fake_ears(segmenter=FakeSegmenter()), settings=NO_RATE_CHECK)
    turn(gate, say("patient", 3.0) + say("daughter", 3.0))

    assert gate.last_enrolment is not None
    assert not gate.last_enrolment.taken


def test_the_gate_survives_being_driven_from_two_threads() -> None:
    """Sound arrives on the loop while the model runs in an executor."""
    gate = enrolled()
    gate.begin_turn(10.0, 16_000)
    sound = say("patient", 4.0)

    def listen() -> None:
        for at in range(0, len(sound), 320):
            gate.hear(sound[at : at + 320])

    thread = threading.Thread(target=listen)
    thread.start()
    for _ in range(20):
        gate.update()
    thread.join(timeout=10.0)

    assert Voice.PRIMARY is gate.end_turn(14.0).voice
    assert () == gate.faults


def test_hanging_up_drops_every_voice() -> None:
    """Nothing of a voice outlives its call."""
    gate = enrolled()

    gate.close()

    known = gate.voices.known
    assert ((), (), (), ()) == (known.primary, known.agent, known.others, known.allowed)
