"""A patient who replies and does not answer is not nagged: the pathway's own limit holds at the end of the call too."""

from __future__ import annotations

import pytest

from obligations import Tracker, load_pathway
from obligations.answers.reader import LocalAnswerReader
from obligations.pathway.models import Point, Question
from obligations.steering import Speak
from obligations.testing import ScriptedCall, a_pathway, a_point, a_question

pytestmark = pytest.mark.unit

CANNOT = {"en": "I can't answer that on this call", "pt-PT": "Não posso responder a isso"}
ASKED_MAX = 8
NO = {"en": "No.", "pt-PT": "Não."}


@pytest.mark.parametrize(
    ("language", "evasion", "said"),
    [
        ("en", "Why do you ask?", 1),
        ("en", "Next.", 0),
        ("pt-PT", "Porque é que pergunta?", 1),
        ("pt-PT", "A seguir.", 0),
    ],
)
def test_an_evaded_question_is_asked_as_often_as_the_pathway_allows(language: str, evasion: str, said: int) -> None:
    """Three times and no more; "I can't answer that" is said once; the hand-off says that there was no answer."""
    pathway = load_pathway("cataract-followup")
    call = ScriptedCall(Tracker(pathway, call_id="c", language=language, reader=LocalAnswerReader()))

    def patient(last: Speak) -> str | None:
        if last.item_ids == ("redness",):
            return evasion
        return NO[language] if last.text.endswith("?") else None

    end = call.run(patient)

    wording = pathway.items["redness"].wording[language]
    handoff = call.tracker.handoff(end.reason, call.now_s)
    assert pathway.group_by_item["redness"].attempts_max == sum(wording in text for text in call.spoken)
    assert said == sum(CANNOT[language] in text for text in call.spoken)
    assert [("redness", "unanswered")] == [(item.item_id, item.reason) for item in handoff.open_items]
    assert said == len(handoff.patient_questions)


@pytest.mark.parametrize("answer", ["No.", "Yes.", "I don't know.", None])
@pytest.mark.parametrize("kind", ["question", "point"])
def test_two_items_in_the_same_words_do_not_keep_the_call_for_ever(kind: str, answer: str | None) -> None:
    """`pathway check` refuses such a file; where one is made in code, the call ends and says what stayed open."""
    words = "Is there any redness in your eye?" if kind == "question" else "Keep your eye clean and dry."

    def item(name: str, text: str) -> Question | Point:
        asked = a_question(name, text, "redness" if text == words else "your eye", critical=True)
        return asked if kind == "question" else a_point(name, text, critical=True)

    good = a_pathway(item("a", words), item("b", f"Is {words}"))
    alike = good.groups[0].model_copy(update={"items": (item("a", words), item("b", words))})
    pathway = good.model_copy(update={"groups": (alike,)})
    call = ScriptedCall(Tracker(pathway, call_id="c", reader=LocalAnswerReader()))

    end = call.run(lambda last: answer if last.text.endswith("?") else None)

    handoff = call.tracker.handoff(end.reason, call.now_s)
    assert ASKED_MAX >= sum(words in text for text in call.spoken)
    assert not handoff.complete and "b" in [open_item.item_id for open_item in handoff.open_items]
