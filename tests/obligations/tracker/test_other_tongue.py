"""A patient who answers in another of the pathway's languages has spoken: it is said, flagged, and closes nothing."""

from __future__ import annotations

import pytest

from obligations import State, Tracker, load_pathway
from obligations.answers.reader import LocalAnswerReader
from obligations.handoff.models import Handoff
from obligations.steering.moves import Speak
from obligations.testing import ScriptedCall

pytestmark = pytest.mark.unit

OTHER = {"en": "pt-PT", "pt-PT": "en"}
YES = {
    "en": ["Sim.", "Sim, dói muito.", "Tenho, sim senhora."],
    "pt-PT": ["Yes.", "Yes, it hurts a lot.", "Yes, I have."],
}
NO = {"en": "Não, nada.", "pt-PT": "Not at all, nothing."}
TOLD = {
    "en": ("Tenho muita dor no olho.", "pain"),
    "pt-PT": ("I have a lot of pain in my eye.", "pain"),
}


def whole_call(language: str, reply: str) -> Handoff:
    """A call in which every question is answered by the same words."""
    call = ScriptedCall(
        Tracker(load_pathway("cataract-followup"), call_id="c", reader=LocalAnswerReader(), language=language)
    )

    def patient(last: Speak) -> str | None:
        return reply if last.text.rstrip().endswith("?") else None

    end = call.run(patient)
    return call.tracker.handoff(end.reason, call.now_s)


@pytest.mark.parametrize(("language", "reply"), [(lang, reply) for lang in OTHER for reply in YES[lang]])
def test_a_yes_in_another_language_is_flagged_and_closes_nothing(language: str, reply: str) -> None:
    """Every question that was put is flagged as uncertain and stays open, and the reason names the language."""
    handoff = whole_call(language, reply)
    open_questions = [item for item in handoff.open_items if item.kind == "question" and item.attempts]

    assert () == handoff.answers
    assert {"redness"} <= {flag.item_id for flag in handoff.red_flags}
    assert not any(flag.certain for flag in handoff.red_flags)
    assert open_questions
    assert all(OTHER[language] in item.detail and "nobody spoke" not in item.detail for item in open_questions)


@pytest.mark.parametrize("language", list(OTHER))
def test_a_no_in_another_language_flags_nothing_and_closes_nothing(language: str) -> None:
    """It is never read for an answer."""
    handoff = whole_call(language, NO[language])

    assert ((), ()) == (handoff.answers, handoff.red_flags)
    assert not any("nobody spoke" in item.detail for item in handoff.open_items)


@pytest.mark.parametrize("language", list(OTHER))
def test_a_symptom_told_in_another_language_is_flagged(language: str) -> None:
    """Whatever question was pending."""
    reply, item_id = TOLD[language]
    pathway = load_pathway("cataract-followup")
    call = ScriptedCall(Tracker(pathway, call_id="c", reader=LocalAnswerReader(), language=language))
    call.say(pathway.question_text("redness", language).text)
    call.hear(reply)

    assert {(item_id, False)} == {(f.item_id, f.certain) for f in call.tracker.ledger.call.red_flags}
    assert State.ASKED is call.tracker.ledger.items["redness"].state


def test_silence_is_still_silence() -> None:
    """Who says nothing has spoken no language."""
    call = ScriptedCall(Tracker(load_pathway("cataract-followup"), call_id="c", reader=LocalAnswerReader()))
    end = call.run(lambda _: None)
    handoff = call.tracker.handoff(end.reason, call.now_s)

    assert "silence" == end.reason
    assert any("nobody spoke" in item.detail for item in handoff.open_items)
