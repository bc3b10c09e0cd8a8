"""Who takes leave first: a goodbye that only returns the agent's is told from one that asks to leave."""

from __future__ import annotations

import pytest

from obligations import Tracker, load_pathway
from obligations.answers.reader import LocalAnswerReader
from obligations.testing import ScriptedCall
from obligations.tracker.language import table_of
from obligations.tracker.leaving import said_back

pytestmark = pytest.mark.unit

LEAVES = {"en": ("All right. Thank you for your time. Goodbye.", "Goodbye."), "pt-PT": ("Obrigado. Adeus.", "Adeus.")}
GOES_ON = {"en": "Thank you.", "pt-PT": "Obrigado."}


def a_call(language: str) -> ScriptedCall:
    pathway = load_pathway("cataract-followup")
    return ScriptedCall(Tracker(pathway, call_id="c", language=language, reader=LocalAnswerReader()))


def returned(call: ScriptedCall, language: str) -> bool:
    return said_back(call.tracker.ledger.call, table_of(language))


@pytest.mark.parametrize("language", LEAVES)
def test_the_agent_took_leave_first(language: str) -> None:
    """The patient is sent off."""
    agent, patient = LEAVES[language]
    call = a_call(language)
    call.say(agent)
    call.hear(patient)

    assert returned(call, language)


@pytest.mark.parametrize("language", LEAVES)
def test_the_patient_took_leave_first(language: str) -> None:
    """The agent's goodbye behind it changes nothing; nor does a goodbye of the agent that nobody heard."""
    agent, patient = LEAVES[language]
    first, unheard = a_call(language), a_call(language)
    first.say(GOES_ON[language])
    first.hear(patient)
    first.say(agent)
    unheard.say(agent, until="")
    unheard.hear(patient)

    assert not returned(first, language)
    assert not returned(unheard, language)


@pytest.mark.parametrize("language", LEAVES)
def test_the_last_goodbye_counts(language: str) -> None:
    """Whoever was sent off, stayed, and then says goodbye of their own accord asks to leave."""
    agent, patient = LEAVES[language]
    call = a_call(language)
    call.say(agent)
    call.hear(patient)
    call.say(GOES_ON[language])
    call.hear(patient)

    assert not returned(call, language)


@pytest.mark.parametrize("language", LEAVES)
def test_both_took_leave_at_once(language: str) -> None:
    """The patient began before the agent's word of leave had sounded: it is the patient's own wish."""
    agent, patient = LEAVES[language]
    call = a_call(language)
    spoken = call.say(agent)
    call.hear(patient, onset_during=spoken, heard_chars_at_onset=6)

    assert not returned(call, language)


def test_without_a_table_every_goodbye_is_the_patients() -> None:
    """The safe side: one short offer, nobody is kept on the line."""
    call = a_call("en")
    call.say(LEAVES["en"][0])
    call.hear("Goodbye.")

    assert not returned(call, "de")
