"""The European Portuguese of the pathways after a hospital stay: found, read and answered like the English."""

from __future__ import annotations

import pytest

from obligations import Pathway, ReplySpeaker, Speak, Tracker, load_pathway
from obligations.answers.reader import LocalAnswerReader
from obligations.coverage.own_wording import OwnWordingMatcher
from obligations.coverage.protocol import CoverageVerdict
from obligations.testing import ScriptedCall
from obligations.tracker.hearing import Hearing
from obligations.tracker.spans import WordingIndex

pytestmark = pytest.mark.unit

PT = "pt-PT"
PATHWAYS = {name: load_pathway(name) for name in ("heart-failure-discharge", "hip-knee-after-surgery")}
NAMES = list(PATHWAYS)
ITEMS = [(name, item_id) for name, pathway in PATHWAYS.items() for item_id in pathway.items]
POINTS = [(name, point_id) for name, pathway in PATHWAYS.items() for point_id in pathway.points]
ASKED = [
    (name, group.id, example)
    for name, pathway in PATHWAYS.items()
    for group in pathway.groups
    if group.trigger.on == "faq"
    for example in group.trigger.examples[PT]
]
READER = LocalAnswerReader()


def a_call(name: str) -> ScriptedCall:
    return ScriptedCall(Tracker(PATHWAYS[name], call_id="c", reader=READER, language=PT))


def good_answers(pathway: Pathway) -> dict[str, str]:
    """A plain answer to each question that raises no flag; yes to the right-person check."""
    return {q.id: "Não." if "yes" in q.red_flag_answers else "Sim." for q in pathway.questions.values()}


def follow(call: ScriptedCall, answers: dict[str, str]) -> str:
    """Run the call; every question is answered as told."""

    def patient(last: Speak) -> str | None:
        asked = [i for i in last.item_ids if i in call.tracker.pathway.questions]
        return answers[asked[-1]] if asked else None

    return call.run(patient).reason


@pytest.mark.parametrize(("name", "item_id"), ITEMS)
def test_the_own_wording_of_an_item_is_found_in_what_is_spoken(name: str, item_id: str) -> None:
    """Each sentence, spoken among others, is known as its own item and as no other."""
    wording = PATHWAYS[name].items[item_id].wording[PT]

    found = [span.id for span in WordingIndex(PATHWAYS[name], PT).find(f"Muito bem. {wording} Obrigado.")]

    assert [item_id] == found


@pytest.mark.parametrize(("name", "point_id"), POINTS)
def test_a_point_is_conveyed_by_its_own_words_and_not_by_their_beginning(name: str, point_id: str) -> None:
    """The matcher that may close critical items says so of the whole sentence only."""
    point = PATHWAYS[name].point_text(point_id, PT)
    words = point.wording.split()

    matcher = OwnWordingMatcher()

    assert CoverageVerdict.CONVEYED is matcher.judge(point, point.wording).verdict
    assert CoverageVerdict.CONVEYED is not matcher.judge(point, " ".join(words[: len(words) // 2])).verdict


@pytest.mark.parametrize(("name", "group_id", "words"), ASKED)
def test_a_patients_question_opens_its_own_answer(name: str, group_id: str, words: str) -> None:
    """Every example of a topic is heard as that topic first."""
    assert group_id == Hearing(PATHWAYS[name], PT).take_apart(words).faq[0]


@pytest.mark.parametrize(
    ("name", "question_id", "reply", "kind"),
    [
        ("heart-failure-discharge", "breathless", "Tenho, sim, sobretudo à noite.", "yes"),
        ("heart-failure-discharge", "breathless", "Não, estou na mesma.", "no"),
        ("heart-failure-discharge", "weighing", "Não, não tenho balança.", "no"),
        ("heart-failure-discharge", "weight-gain", "Não, está igual.", "no"),
        ("heart-failure-discharge", "medicines.obtained", "Sim, tenho tudo.", "yes"),
        ("heart-failure-discharge", "medicines.obtained", "Não, ainda me faltam alguns.", "no"),
        ("heart-failure-discharge", "breathless", "Não consigo respirar.", "yes"),
        ("hip-knee-after-surgery", "calf", "Sim, dói-me um bocado.", "yes"),
        ("hip-knee-after-surgery", "chest", "Não, nada disso.", "no"),
        ("hip-knee-after-surgery", "wound", "Sim, está um pouco vermelha.", "yes"),
        ("hip-knee-after-surgery", "fever", "Não tive febre.", "no"),
        ("hip-knee-after-surgery", "blood-thinner", "Estou, todos os dias.", "yes"),
    ],
)
def test_a_natural_reply_is_never_read_as_its_opposite(name: str, question_id: str, reply: str, kind: str) -> None:
    """Read right, or left unclear for the one confirmation."""
    question = PATHWAYS[name].question_text(question_id, PT)

    read = READER.read(question, reply, ReplySpeaker.PRIMARY).kind.value

    assert read in (kind, "unclear")


@pytest.mark.parametrize("name", NAMES)
def test_a_willing_patient_is_taken_through_the_whole_call(name: str) -> None:
    """Every question is answered, every point heard, nothing is open."""
    call = a_call(name)

    reason = follow(call, good_answers(PATHWAYS[name]))

    handoff = call.tracker.handoff(reason, call.now_s)
    assert ("completed", True, ()) == (handoff.end_reason, handoff.complete, handoff.red_flags)


@pytest.mark.parametrize(
    ("name", "question_id", "answer", "follow_up"),
    [
        ("heart-failure-discharge", "breathless", "Sim.", "breathless.at-rest"),
        ("heart-failure-discharge", "weighing", "Não.", "weighing.how"),
        ("hip-knee-after-surgery", "chest", "Sim.", "chest.ambulance"),
        ("hip-knee-after-surgery", "calf", "Sim, tenho.", "calf.same-day"),
        ("hip-knee-after-surgery", "wound", "Sim, está.", "wound.contact"),
    ],
)
def test_a_red_flag_opens_its_follow_up_at_once(name: str, question_id: str, answer: str, follow_up: str) -> None:
    """The flag stands in the hand-off, and what follows from it was said or asked."""
    call = a_call(name)

    reason = follow(call, good_answers(PATHWAYS[name]) | {question_id: answer})

    handoff = call.tracker.handoff(reason, call.now_s)
    assert question_id in {flag.item_id for flag in handoff.red_flags}
    assert PATHWAYS[name].items[follow_up].wording[PT] in " ".join(call.spoken)


@pytest.mark.parametrize("name", NAMES)
def test_the_wrong_person_hears_nothing_clinical(name: str) -> None:
    """Told of a wrong number, the agent apologises in Portuguese and ends the call."""
    call = a_call(name)

    reason = follow(call, good_answers(PATHWAYS[name]) | {"opening.right-person": "É engano."})

    main = [item.wording[PT] for g in PATHWAYS[name].groups if g.id != "disclosure" for item in g.items]
    assert "wrong_person" == reason
    assert not [wording for wording in main if any(wording in text for text in call.spoken)]
