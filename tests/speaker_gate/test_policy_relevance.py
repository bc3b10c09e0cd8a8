"""What third-party words are to the call: all 26 scenarios of the study, clinical lines in two languages, urgency."""

from __future__ import annotations

import pytest

from speaker_gate.policy.cues import normalised, words_of
from speaker_gate.policy.kinds import Relevance
from speaker_gate.policy.reader import CueRelevanceReader
from speaker_gate.policy.urgent import is_urgent

pytestmark = pytest.mark.unit

READER = CueRelevanceReader()

SCENARIO_LINES = [
    ("endorsement", "I want the morning slot.", "Great choice, mum.", False),
    ("alignment", "Is the surgery open on Saturday?", "Oh, I was just thinking the same thing.", False),
    ("justification", "Please make it an early one.", "Yeah, because he's always tired after lunch.", False),
    ("recall_assistance", "I take the, what's it called...", "You mean the warfarin.", True),
    ("elaborative_addition", "I need new dressings.", "And more of the cream too.", True),
    ("strategic_reframing", "When can I drive?", "Just ask for the surgeon's leaflet, that'll be quicker.", True),
    ("constraint_reminder", "Wednesday is fine.", "You can't on Wednesday, remember, you have the scan.", True),
    ("modification", "I take it at breakfast.", "No, it's at bedtime, not at breakfast.", True),
    ("entity_specification", "I stopped the tablets.", "Which tablets do you mean?", False),
    ("detail_confirmation", "Every six hours.", "Wait, did you say six?", False),
    ("constraint_clarification", "I need an appointment.", "Do you want a short one or a long one?", False),
    ("goal_clarification", "What's the visiting time?", "Why do you want to know that?", False),
    ("simple_correction_with_alternative", "Book me for ten.", "No, ask for eleven instead.", True),
    (
        "veto_with_justification",
        "I'll leave the brace off.",
        "No, don't leave it off, the doctor said two weeks.",
        True,
    ),
    ("procedural_objection", "Change my pharmacy.", "You have to tell the old one first.", True),
    ("request_for_deferment", "Yes, book it.", "Hold on, let's check the calendar before you book.", True),
    ("evaluative_commentary", "I watch the exercise video.", "Honestly, that video is so boring.", False),
    ("anecdotal_association", "It's my knee.", "That reminds me of when I fell off my bike last year.", False),
    ("knowledge_display", "What does it do?", "It's a blood thinner, it stops clots.", True),
    ("action_invalidation", "Send the prescription.", "It was already sent, I picked it up.", True),
    ("answer_preemption", "Have you eaten today?", "She has had toast and soup.", True),
    ("expedited_execution", "Well, it started with, you see...", "He wants to move the appointment.", True),
    ("priority_alert", "I'm doing fine.", "Wait, the oven is still on!", True),
    ("task_coordination", "Tuesday at two.", "Who's picking up the kids then?", False),
    ("social_engagement", "Yes, still sore.", "Oh hey, did I tell you about my new phone?", False),
    ("spontaneous_inquiry", "I took it at eight.", "By the way, have you seen my glasses?", False),
]


@pytest.mark.parametrize(("scenario", "before", "text", "actionable"), SCENARIO_LINES)
def test_each_scenario_of_the_study_is_passed_on_or_left_alone(
    scenario: str, before: str, text: str, actionable: bool
) -> None:
    """One clinical line for each of the 26 scenarios; none is among the training texts."""
    reading = READER.read(text, before=before, language="en")

    assert actionable is reading.relevance.actionable, scenario


def test_the_scenarios_are_all_there() -> None:
    """Twenty-six, each once."""
    assert 26 == len({scenario for scenario, *_ in SCENARIO_LINES})


@pytest.mark.parametrize(
    ("text", "actionable"),
    [
        ("Não, ela toma isso à noite, não de manhã.", True),
        ("Ela toma varfarina, cinco miligramas.", True),
        ("E também precisa de pensos.", True),
        ("Já cá esteve a enfermeira.", True),
        ("Não pode conduzir ainda, disse o médico.", True),
        ("Boa ideia, mãe.", False),
        ("Isso lembra-me as férias do ano passado.", False),
        ("Queres que ponha o jantar?", False),
        ("Porquê, para que é que queres saber isso?", False),
        ("E agora a meteorologia para amanhã.", False),
    ],
)
def test_portuguese_lines_are_read_by_their_own_cues(text: str, actionable: bool) -> None:
    """European Portuguese has cues and weights of its own."""
    assert actionable is READER.read(text, before="", language="pt-PT").relevance.actionable


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("She can't breathe!", "en"),
        ("He's just collapsed.", "en"),
        ("There's blood coming through the dressing.", "en"),
        ("Her face is drooping on one side.", "en"),
        ("She took all the pills in the packet.", "en"),
        ("I smell gas.", "en"),
        ("Call an ambulance!", "en"),
        ("She doesn't want to live any more.", "en"),
        ("Ela não consegue respirar!", "pt-PT"),
        ("Ele desmaiou.", "pt-PT"),
        ("Está a sair muito sangue.", "pt-PT"),
        ("Chamem uma ambulância!", "pt-PT"),
        ("Ela está com dores no peito.", "pt-PT"),
        ("Cheira a gás aqui.", "pt-PT"),
    ],
)
def test_danger_is_urgent_whoever_says_it(text: str, language: str) -> None:
    """Words of danger to life, and of fire, are urgent in both languages."""
    assert is_urgent(text, language)
    assert Relevance.URGENT is READER.read(text, before="", language=language).relevance


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("She is not bleeding.", "en"),
        ("No chest pain, thank God.", "en"),
        ("I had a blood test on Monday.", "en"),
        ("She takes blood thinners.", "en"),
        ("Put the kettle on.", "en"),
        ("Não tem dor no peito.", "pt-PT"),
        ("Fez análises ao sangue.", "pt-PT"),
        ("Ela dorme bem.", "pt-PT"),
    ],
)
def test_danger_denied_and_everyday_words_are_not_urgent(text: str, language: str) -> None:
    """A denied danger is an ordinary statement; a blood test is no alarm."""
    assert not is_urgent(text, language)


def test_offers_to_answer_for_the_patient_are_a_kind_of_their_own() -> None:
    """D18: a daughter who says she will answer is neither ignored nor believed."""
    text = "I am her daughter, she cannot hear well, I will answer for her."

    assert Relevance.HANDOVER_OFFER is READER.read(text, before="", language="en").relevance


def test_a_stricter_reader_passes_less_on_but_never_drops_an_alarm() -> None:
    """The threshold is the deployment's; urgency is not."""
    strict = CueRelevanceReader(actionable_above=50.0)

    assert Relevance.IGNORABLE is strict.read("No, it's at bedtime.", before="", language="en").relevance
    assert Relevance.URGENT is strict.read("He can't breathe!", before="", language="en").relevance
    assert strict.name == READER.name


@pytest.mark.parametrize("text", ["", "   ", "...", "42", "😀"])
def test_odd_text_is_read_without_error(text: str) -> None:
    """Whatever the recogniser gives, there is a reading."""
    assert READER.read(text, before="", language="xx").relevance in set(Relevance)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("DONT  do that", "don't do that"),
        ("Its  HERE…", "it's here"),
        ("I’m his carer", "i'm his carer"),
        ("theyre in", "they're in"),
    ],
)
def test_apostrophes_are_put_back_where_a_recogniser_leaves_them_out(text: str, plain: str) -> None:
    """The cues see one spelling."""
    assert plain == normalised(text)


def test_words_leave_punctuation_behind() -> None:
    """Hyphens and apostrophes inside words stay."""
    assert ["dá-lhe", "não", "é", "don't", "12"] == words_of("Dá-lhe, não é? Don't: 12!")
