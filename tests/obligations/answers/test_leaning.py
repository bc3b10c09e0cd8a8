"""Words that lean to the red flag raise it as uncertain; plain denials and bare questions do not."""

from __future__ import annotations

import pytest

from obligations import Tracker, load_pathway
from obligations.answers.protocol import AnswerKind, AnswerReading, QuestionText, ReplySpeaker
from obligations.answers.reader import LocalAnswerReader
from obligations.testing import ScriptedCall, a_pathway, a_question

pytestmark = pytest.mark.unit

READER = LocalAnswerReader()
PATHWAY = load_pathway("cataract-followup")
SYMPTOMS = ("redness", "pain", "blurry-vision", "floaters", "flashing-lights")


def asked(item: str, language: str) -> QuestionText:
    return PATHWAY.question_text(item, language)


def read(item: str, reply: str, language: str) -> AnswerReading:
    return READER.read(asked(item, language), reply, ReplySpeaker.PRIMARY)


def flags(reading: AnswerReading) -> bool:
    return reading.kind is AnswerKind.YES or reading.suspects == "yes"


YES_HEADS = {"en": ("Yes", "Yeah", "Aye"), "pt-PT": ("Sim",)}
BEHIND = {
    "en": (
        "lots since yesterday",
        "loads this week",
        "more than before",
        "tons of them",
        "three since Monday",
        "zigzags",
    ),
    "pt-PT": ("muitas desde ontem", "mais do que antes", "imensas esta semana", "três desde segunda", "umas faíscas"),
}


@pytest.mark.parametrize("item", SYMPTOMS)
@pytest.mark.parametrize("language", ["en", "pt-PT"])
def test_a_leading_yes_flags_whatever_stands_behind_it_without_a_comma(item: str, language: str) -> None:
    for head in YES_HEADS[language]:
        for tail in BEHIND[language]:
            assert flags(read(item, f"{head} {tail}.", language)), (head, tail)


@pytest.mark.parametrize(("reply", "language"), [("Yes?", "en"), ("Yes, go on.", "en"), ("Sim, diga.", "pt-PT")])
def test_a_yes_that_only_invites_the_question_flags_nothing(reply: str, language: str) -> None:
    assert not flags(read("redness", reply, language))


DOUBT = {
    "en": (
        "Maybe.|No, maybe once.|No... maybe.|Not really, well, sort of.|No, perhaps a little.|No, well, once.|Possibly."
        "|Kind of.|It might be.|I may have.|Could be.|Hardly any.|Barely.|No, just a touch.|No, sometimes.|No, twice."
        "|No, off and on.|When I rub it.|Only when I wake up.|Not much."
    ).split("|"),
    "pt-PT": (
        "Talvez.|Não, talvez uma vez.|Se calhar.|Não, se calhar um bocadinho.|Nem por isso, enfim, um bocado.|Pode ser."
        "|Não, uma vez.|Não, às vezes.|Quase nada.|Mais ou menos.|Só quando pisco.|Quando esfrego."
    ).split("|"),
}


@pytest.mark.parametrize("item", SYMPTOMS)
@pytest.mark.parametrize("language", ["en", "pt-PT"])
def test_doubt_flags_and_never_closes(item: str, language: str) -> None:
    for reply in DOUBT[language]:
        reading = read(item, reply, language)

        assert flags(reading), reply
        assert not (reading.certain and reading.kind is AnswerKind.NO), reply


PLAIN = {
    "en": (
        "No.|No, not once.|No, not a bit.|Not even a little.|No, never.|None at all, thank you.|No, not at the moment."
        "|No, nothing like that.|I don't know.|What redness?|Which eye?|What do you mean by pain?"
    ).split("|"),
    "pt-PT": "Não.|Não, nem um bocadinho.|Não, nem uma vez.|Não, nunca.|Nada, obrigada.|Não sei.|Que dor?".split("|"),
}


@pytest.mark.parametrize("item", ["redness", "pain"])
@pytest.mark.parametrize("language", ["en", "pt-PT"])
def test_plain_denials_and_bare_questions_flag_nothing(item: str, language: str) -> None:
    for reply in PLAIN[language]:
        assert not flags(read(item, reply, language)), reply


@pytest.mark.parametrize(
    ("item", "reply", "language"),
    [
        ("redness", "Is it normal that it's so red?", "en"),
        ("redness", "Is it bad if it's pink?", "en"),
        ("redness", "Would you call pink red?", "en"),
        ("redness", "Why is it so red?", "en"),
        ("pain", "Should it hurt this much?", "en"),
        ("redness", "É normal estar tão vermelho?", "pt-PT"),
        ("pain", "Porque é que me dói tanto?", "pt-PT"),
    ],
)
def test_a_question_that_takes_the_symptom_for_granted_flags_it(item: str, reply: str, language: str) -> None:
    assert flags(read(item, reply, language))


@pytest.mark.parametrize(
    ("language", "reply", "no"),
    [
        ("en", "Who knows, perhaps.", "No."),
        ("en", "Maybe.", "No."),
        ("pt-PT", "Quem sabe, talvez.", "Não."),
        ("pt-PT", "Talvez.", "Não."),
    ],
)
def test_what_leans_is_flagged_and_confirmed_once(language: str, reply: str, no: str) -> None:
    """A no to the confirmation closes the question; the flag keeps the first words. The same again is asked no more."""
    wording = {"en": "Have you seen any new floaters?", "pt-PT": "Tem visto moscas volantes novas?"}[language]
    focus = {"en": "new floaters", "pt-PT": "moscas volantes novas"}[language]
    question = a_question("floaters", wording, focus, critical=True, red_flag_answers=("yes",), language=language)
    for second, closed in ((no, True), (reply, False)):
        call = ScriptedCall(Tracker(a_pathway(question, language=language), call_id="c", reader=READER))
        call.say(wording)
        call.hear(reply)
        assert [("yes", False)] == [(f.value, f.certain) for f in call.tracker.ledger.call.red_flags]
        assert call.tracker.ledger.items["floaters"].owed
        call.speak()
        call.hear(second)
        assert closed is call.tracker.ledger.items["floaters"].closed
        spoken = len(call.spoken)
        for _ in range(3):
            if getattr(call.move(), "purpose", "") not in ("confirm", "ask"):
                break
            call.speak()
        assert not [said for said in call.spoken[spoken:] if focus in said]
