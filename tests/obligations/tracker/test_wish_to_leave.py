"""A wish to leave is known in its many forms; an answer that only sounds like one is no wish to leave."""

from __future__ import annotations

import pytest

from obligations import ReplySpeaker, State, Tracker, load_pathway
from obligations.answers.protocol import AnswerKind
from obligations.answers.reader import LocalAnswerReader
from obligations.testing import ScriptedCall
from obligations.tracker.hearing import Hearing

pytestmark = pytest.mark.unit

PATHWAY = load_pathway("cataract-followup")
LEAVE = {
    "en": (
        "Cheerio.|Ta-ra.|Toodle-oo.|Right, I'm off.|I've got to dash.|Must dash.|I'll let you go.|So long.|Good night."
        "|I'm putting the phone down.|Can we stop now?|I can't talk now.|Not now, I'm driving."
        "|I haven't got time for this."
        "|I'd better be off.|We really must get going.|I need to ring off.|Could we leave it there?|I'm in a rush."
        "|Sorry, I'm at work.|No time, love."
    ).split("|"),
    "pt-PT": (
        "Xau xau.|Então adeusinho.|Agora não posso.|Já chega.|Vou desligar.|Tenho mesmo de sair.|Estou com pressa."
        "|Podemos ficar por aqui?|Não posso falar agora.|Não tenho tempo para isto.|Passe bem.|Até outro dia."
    ).split("|"),
}
STAY = {
    "en": (
        "Not now.|No, not now.|I can't.|It should go soon.|The redness had to go.|When can I go?"
        "|I can't speak properly."
        "|I'm driving again.|No time at all since then has it hurt.|Can I stop the drops now?|I was off my food."
        "|I had to leave work, it hurt.|My night was good.|The pain is going."
    ).split("|"),
    "pt-PT": "Agora não.|Não.|Boa noite.|Quando posso ir?|Não consigo.|Posso parar as gotas?|Vou indo.".split("|"),
}
RED = {"en": "Have you noticed any redness in your eye?", "pt-PT": "Notou alguma vermelhidão no olho?"}


@pytest.mark.parametrize("language", ["en", "pt-PT"])
def test_wishes_to_leave_are_known_and_answers_are_not_taken_for_them(language: str) -> None:
    hearing = Hearing(PATHWAY, language)

    def leaves(said: str) -> bool:
        return bool({"goodbye", "end_call", "stop"} & set(hearing.take_apart(said).intents))

    assert [] == [said for said in LEAVE[language] if not leaves(said)]
    assert [] == [said for said in STAY[language] if leaves(said)]


@pytest.mark.parametrize("language", ["en", "pt-PT"])
def test_a_wish_to_leave_answers_nothing_by_itself(language: str) -> None:
    """Nothing is left of "I've got to dash" that could be read as "I have"."""
    for said in LEAVE[language]:
        call = ScriptedCall(Tracker(PATHWAY, call_id="c", reader=LocalAnswerReader(), language=language))
        call.speak()
        call.say(RED[language])
        call.hear(said)

        assert not call.tracker.ledger.call.red_flags, said
        assert call.tracker.ledger.items["redness"].state is State.ASKED, said


@pytest.mark.parametrize(
    ("language", "reply"),
    [
        ("en", "What was the question?"),
        ("en", "Sorry, what was your question again?"),
        ("en", "No. Say that again?"),
        ("en", "I've forgotten the question."),
        ("pt-PT", "Qual era a pergunta?"),
        ("pt-PT", "Não. Pode repetir?"),
        ("pt-PT", "Desculpe, que pergunta era?"),
    ],
)
def test_a_wish_to_hear_the_question_brings_it_and_closes_nothing(language: str, reply: str) -> None:
    call = ScriptedCall(Tracker(PATHWAY, call_id="c", reader=LocalAnswerReader(), language=language))
    call.speak()
    call.say(RED[language])

    outcome = call.hear(reply)

    assert "repeat" in outcome.intents
    assert call.tracker.ledger.items["redness"].state is State.ASKED
    assert RED[language] in call.speak().text


@pytest.mark.parametrize(
    ("language", "reply", "flagged"),
    [
        ("en", "No, it hurts though.", {"pain"}),
        ("en", "No, and I've stopped taking the drops.", set[str]()),
        ("en", "No, I'm seeing double though.", {"blurry-vision"}),
        ("pt-PT", "Não. Mas dói.", {"pain"}),
        ("pt-PT", "Vejo a dobrar.", {"blurry-vision"}),
        ("pt-PT", "Não, mas vejo mal.", {"blurry-vision"}),
        ("pt-PT", "Vejo bem.", set[str]()),
    ],
)
def test_another_symptom_flags_itself_and_not_what_was_asked(language: str, reply: str, flagged: set[str]) -> None:
    call = ScriptedCall(Tracker(PATHWAY, call_id="c", reader=LocalAnswerReader(), language=language))
    call.speak()
    call.say(RED[language])
    call.hear(reply)

    assert flagged == {flag.item_id for flag in call.tracker.ledger.call.red_flags}
    assert call.tracker.ledger.items["redness"].state is State.ASKED


@pytest.mark.parametrize("reply", ["I don't have no pain.", "I ain't got no pain.", "There isn't no pain."])
def test_a_doubled_denial_is_flagged_and_confirmed(reply: str) -> None:
    """It denies as often as it affirms: a no by the way most people say it, and the flag is suspected all the same."""
    reading = LocalAnswerReader().read(PATHWAY.question_text("pain", "en"), reply, ReplySpeaker.PRIMARY)

    assert (AnswerKind.NO, False, "yes") == (reading.kind, reading.certain, reading.suspects)
