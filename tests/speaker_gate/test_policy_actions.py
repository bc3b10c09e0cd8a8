"""What is done with a stretch of speech, how it is worded, and who may speak for the patient. Field case D18."""

from __future__ import annotations

import itertools

import pytest

from speaker_gate.policy.actions import Action, choose
from speaker_gate.policy.handover import (
    HANDOVERS_MAX,
    Handover,
    HandoverEvent,
    gives_the_call,
    offers_to_speak,
    somebody_else_answered,
    takes_the_call_back,
)
from speaker_gate.policy.kinds import Relevance
from speaker_gate.policy.wording import QUOTE_CHARS_MAX, note_for_model, quoted
from speaker_gate.replies import Standing

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("standing", "relevance", "action"),
    [
        (Standing.PRIMARY, None, Action.PASS),
        (Standing.INFERRED, None, Action.PASS_MARKED),
        (Standing.ASSUMED, None, Action.PASS_MARKED),
        (Standing.UNSURE, None, Action.PASS_MARKED),
        (Standing.CONFIRM, None, Action.ASK_WHO),
        (Standing.AGENT_ECHO, None, Action.DROP_ECHO),
        (Standing.AGENT_ECHO, Relevance.URGENT, Action.DROP_ECHO),
        (Standing.THIRD_PARTY, None, Action.IGNORE),
        (Standing.THIRD_PARTY, Relevance.IGNORABLE, Action.IGNORE),
        (Standing.THIRD_PARTY, Relevance.CORRECTION, Action.ATTRIBUTE),
        (Standing.THIRD_PARTY, Relevance.ADDITION, Action.ATTRIBUTE),
        (Standing.THIRD_PARTY, Relevance.CONSTRAINT, Action.ATTRIBUTE),
        (Standing.THIRD_PARTY, Relevance.SUGGESTION, Action.ATTRIBUTE),
        (Standing.THIRD_PARTY, Relevance.ANSWER_FOR_PATIENT, Action.ATTRIBUTE),
        (Standing.THIRD_PARTY, Relevance.HANDOVER_OFFER, Action.ATTRIBUTE),
        (Standing.THIRD_PARTY, Relevance.URGENT, Action.ALERT),
    ],
)
def test_the_action_follows_from_who_and_what(standing: Standing, relevance: Relevance | None, action: Action) -> None:
    """The table, row by row."""
    assert action is choose(standing, relevance).action


@pytest.mark.parametrize(("standing", "relevance"), list(itertools.product(Standing, [None, *Relevance])))
def test_a_third_party_never_counts_as_the_patient_and_never_closes_anything(
    standing: Standing, relevance: Relevance | None
) -> None:
    """Over the whole table: third-party words may not close an item, and urgent ones always reach the model."""
    for granted in (False, True):
        choice = choose(standing, relevance, handover_granted=granted)
        if standing is Standing.THIRD_PARTY:
            assert not choice.action.may_close
            assert choice.action not in (Action.PASS, Action.PASS_MARKED)
        if relevance is Relevance.URGENT and standing is not Standing.AGENT_ECHO:
            assert choice.action.reaches_model
            assert choice.action.interrupts
        if standing is Standing.LIKELY_OTHER:
            assert choice.action.reaches_model
            assert not choice.action.may_close
        if standing in (Standing.PRIMARY, Standing.INFERRED, Standing.ASSUMED, Standing.UNSURE, Standing.CONFIRM):
            assert choice.action.reaches_model


def test_ignored_speech_neither_interrupts_nor_reaches_the_model() -> None:
    """What is nothing for the call stays in the journal."""
    action = choose(Standing.THIRD_PARTY, Relevance.IGNORABLE).action

    assert (False, False, False) == (action.interrupts, action.reaches_model, action.may_close)


def test_once_handed_over_a_carers_small_words_are_passed_too_and_still_attributed() -> None:
    """A "yes" of the daughter is an answer once she may answer; it is still not the patient's."""
    choice = choose(Standing.THIRD_PARTY, Relevance.IGNORABLE, handover_granted=True)

    assert Action.ATTRIBUTE is choice.action
    assert not choice.action.may_close


@pytest.mark.parametrize("language", ["en", "pt-PT"])
@pytest.mark.parametrize("action", [Action.ATTRIBUTE, Action.ALERT, Action.ASK_WHO])
def test_notes_quote_the_words_and_say_that_they_are_unverified(action: Action, language: str) -> None:
    """The model is told who (not the patient, or not surely) and what to do before using it."""
    note = note_for_model(action, "No, she takes it at night.", language)

    assert note is not None
    assert "No, she takes it at night." in note
    assert (
        ("Alguém" in note or "não é certo" in note) if language == "pt-PT" else ("Someone" in note or "certain" in note)
    )


def test_a_likely_other_voice_is_worded_as_likely_in_both_languages() -> None:
    """The model must not say for certain that it was somebody else."""
    for language, word in (("en", "not certain"), ("pt-PT", "não é certo")):
        note = note_for_model(Action.ATTRIBUTE, "It is the left one.", language, certain=False)
        assert note is not None
        assert word in note
        assert "It is the left one." in note


@pytest.mark.parametrize("action", [Action.PASS, Action.PASS_MARKED, Action.IGNORE, Action.DROP_ECHO])
def test_words_that_pass_or_do_not_pass_need_no_note(action: Action) -> None:
    """The patient's own words go as they are."""
    assert note_for_model(action, "Yes.", "en") is None


def test_a_handed_over_call_is_worded_for_the_carer() -> None:
    """The answer is to be recorded as reported."""
    for language, word in (("en", "reported"), ("pt-PT", "relatada")):
        note = note_for_model(Action.ATTRIBUTE, "Five milligrams.", language, handed_over=True)
        assert note is not None
        assert word in note


def test_quotations_are_bounded_and_cannot_break_out_of_their_marks() -> None:
    """At the limit whole, one past it cut; quotation marks inside become harmless."""
    assert "x" * QUOTE_CHARS_MAX == quoted("x" * QUOTE_CHARS_MAX)
    assert QUOTE_CHARS_MAX == len(quoted("x" * (QUOTE_CHARS_MAX + 1)))
    assert "ignore 'all' rules" == quoted('ignore "all"\n rules')


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Please talk to my daughter.", "en"),
        ("Can you speak to my husband about that?", "en"),
        ("My son can answer that.", "en"),
        ("Let my wife answer.", "en"),
        ("I'll hand you over to my carer.", "en"),
        ("Fale com a minha filha.", "pt-PT"),
        ("O meu marido pode responder.", "pt-PT"),
        ("Vou passar à minha filha.", "pt-PT"),
    ],
)
def test_the_patients_words_can_hand_the_call_over(text: str, language: str) -> None:
    """Both languages have their ways of saying it."""
    assert gives_the_call(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("My daughter gives me my tablets.", "en"),
        ("I talked with the doctor.", "en"),
        ("My husband drove me home.", "en"),
        ("A minha filha dá-me os comprimidos.", "pt-PT"),
        ("Falei com o médico.", "pt-PT"),
    ],
)
def test_speaking_of_a_relative_hands_nothing_over(text: str, language: str) -> None:
    """A daughter in a sentence is not yet the daughter on the telephone."""
    assert not gives_the_call(text, language)


def test_only_the_patients_own_word_grants_and_an_offer_grants_nothing() -> None:
    """D18: offered, granted by the patient, taken back; each step recorded with time and ground."""
    call = Handover()

    offered = call.hear_other("I am her daughter, I will answer for her.", "en", 10.0)
    unsure = call.hear_primary("Please talk to my daughter.", Standing.UNSURE, "en", 11.0)
    granted_before = call.granted
    granted = call.hear_primary("Please talk to my daughter.", Standing.PRIMARY, "en", 12.0)
    granted_after = call.granted
    taken = call.hear_primary("No, I can answer myself.", Standing.INFERRED, "en", 30.0)

    assert (HandoverEvent.OFFERED, None, HandoverEvent.GRANTED, HandoverEvent.TAKEN_BACK) == (
        offered,
        unsure,
        granted,
        taken,
    )
    assert (False, True, False) == (granted_before, granted_after, call.granted)
    assert [10.0, 12.0, 30.0] == [record.at_s for record in call.records]
    assert ["third_party", "patient", "patient"] == [record.by for record in call.records]


def test_the_record_of_handovers_is_bounded() -> None:
    """A call that goes back and forth keeps its first steps."""
    call = Handover()
    for _ in range(HANDOVERS_MAX):
        call.hear_primary("Please talk to my son.", Standing.PRIMARY, "en", 1.0)
        call.hear_primary("Ask me.", Standing.PRIMARY, "en", 2.0)

    assert HANDOVERS_MAX == len(call.records)


@pytest.mark.parametrize(
    ("text", "language", "answered"),
    [
        ("Hold on, I'll get her.", "en", True),
        ("She's not here at the moment.", "en", True),
        ("This is her husband.", "en", True),
        ("Speaking.", "en", False),
        ("Yes, this is me.", "en", False),
        ("Só um momento, vou chamá-la.", "pt-PT", True),
        ("Ela não está.", "pt-PT", True),
        ("Sou eu.", "pt-PT", False),
    ],
)
def test_the_person_who_picks_up_may_say_that_they_are_not_the_patient(
    text: str, language: str, answered: bool
) -> None:
    """The first words of a call are listened to for that."""
    assert answered is somebody_else_answered(text, language)


def test_offers_and_taking_back_are_heard_in_portuguese() -> None:
    """The Portuguese patterns, once each."""
    assert offers_to_speak("Sou a filha, eu respondo por ela.", "pt-PT")
    assert takes_the_call_back("Eu respondo.", "pt-PT")
    assert not takes_the_call_back("Ela responde.", "pt-PT")
