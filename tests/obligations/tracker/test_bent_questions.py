"""A question the words around it make another one of closes nothing critical until it is asked as it stands."""

from __future__ import annotations

import pytest

from obligations.answers.reader import LocalAnswerReader
from obligations.pathway import list_pathways, load_pathway
from obligations.testing import a_pathway, a_question
from obligations.tracker.facts import Delivery, Reply
from obligations.tracker.spans import WordingIndex
from obligations.tracker.tracker import Tracker

pytestmark = pytest.mark.unit

PAIN = "Do you have any pain in your eye?"
DOR = "Tem alguma dor no olho?"
BENT_EN = [
    f"If you press hard on it, {PAIN}",
    f"When it is dark, {PAIN}",
    f"Apart from this morning, {PAIN}",
    f"Before the operation you were asked: {PAIN}",
    f"Yesterday, {PAIN}",
    f"They used to ask: {PAIN}",
    f"Imagine you press on your eye. {PAIN}",
    "Do you have any pain in your eye when you press hard?",
    "Do you have any pain in your eye that keeps you awake?",
    f"{PAIN} By the way, did you get our letter?",
    f"{PAIN} Or shall we talk about football?",
    f"{PAIN} May I go on to the next question?",
    f"{PAIN} It is cold today. Are you warm enough?",
]
BENT_PT = [
    f"Se carregar com força, {DOR}",
    f"Antes da operação perguntaram-lhe: {DOR}",
    f"Imagine que carrega no olho. {DOR}",
    "Tem alguma dor no olho quando lê?",
    f"{DOR} Já agora, recebeu a nossa carta?",
    f"{DOR} Posso continuar?",
]
STRAIGHT_EN = [
    PAIN,
    f"All right. {PAIN}",
    f"Okay, Mrs Reed, {PAIN}",
    f"If I may ask, {PAIN}",
    f"Before we finish, {PAIN}",
    f"Let me ask you about your eye: {PAIN}",
    f"I see, sorry to hear that. {PAIN}",
    "Do you have any pain in your eye at all today, Mrs Reed?",
    f"{PAIN} Yes or no?",
    f"{PAIN} Any at all?",
    f"{PAIN} Even a little pain?",
    f"{PAIN} Can you tell me?",
]
STRAIGHT_PT = [DOR, f"Muito bem. {DOR}", f"Antes de terminarmos, {DOR}", f"{DOR} Sim ou não?"]
ALL_BENT = [(t, "en") for t in BENT_EN] + [(t, "pt-PT") for t in BENT_PT]
ALL_STRAIGHT = [(t, "en") for t in STRAIGHT_EN] + [(t, "pt-PT") for t in STRAIGHT_PT]


def a_call(language: str = "en") -> Tracker:
    wording, focus = (PAIN, "pain") if language == "en" else (DOR, "dor")
    question = a_question("pain", wording, focus, language=language, critical=True, red_flag_answers=("yes",))
    pathway = a_pathway(question, language=language)
    return Tracker(pathway, call_id="c", reader=LocalAnswerReader(), language=language)


def say(call: Tracker, text: str, heard: int | None = None) -> None:
    name = f"u{len(call.ledger.call.utterances) + 1}"
    call.intended(name, text, 1.0)
    whole = heard is None or heard >= len(text)
    call.delivered(Delivery(utterance_id=name, delivered_chars=heard or len(text), complete=whole), 2.0)


@pytest.mark.parametrize(("text", "language"), ALL_BENT)
@pytest.mark.parametrize("answer", [0, 1])
def test_a_reply_to_a_bent_question_closes_nothing(text: str, language: str, answer: int) -> None:
    """A doubt is kept, and a red flag raised without certainty; the reply to the question itself then closes it."""
    no, yes = ("No.", "Yes.") if language == "en" else ("Não.", "Sim.")
    call = a_call(language)

    say(call, text)
    call.reply(Reply(text=(no, yes)[answer], now_s=3.0))
    record = call.ledger.items["pain"]
    assert (False, True) == (record.closed, record.doubted is not None)
    assert {False} == {flag.certain for flag in call.ledger.call.red_flags} | {False}
    assert bool(answer) is bool(call.ledger.call.red_flags)

    say(call, text)
    call.reply(Reply(text=(no, yes)[answer], now_s=5.0))
    assert not call.ledger.items["pain"].closed

    say(call, PAIN if language == "en" else DOR)
    call.reply(Reply(text=no, now_s=7.0))
    assert call.ledger.items["pain"].closed or answer == 1


@pytest.mark.parametrize(("text", "language"), ALL_STRAIGHT)
def test_harmless_words_around_it_leave_it_the_question(text: str, language: str) -> None:
    """An acknowledgement, a name, a courtesy, a request to answer."""
    call = a_call(language)

    say(call, text)
    call.reply(Reply(text="No." if language == "en" else "Não.", now_s=3.0))

    answer = call.ledger.items["pain"].answer
    assert "no" == (answer.value if answer else None)


def test_who_answers_before_the_other_question_was_heard_answers_the_pathways() -> None:
    """Only what was heard bends a question."""
    call = a_call()

    say(call, f"{PAIN} May I go on?", heard=len(PAIN))
    call.reply(Reply(text="No.", now_s=3.0))

    assert call.ledger.items["pain"].closed


@pytest.mark.parametrize("name", list_pathways())
def test_the_middlewares_own_lead_ins_bend_no_question(name: str) -> None:
    """Every question behind every lead-in of its language, asked, asked again and confirmed."""
    pathway = load_pathway(name)
    for language in pathway.languages:
        index, phrases = WordingIndex(pathway, language), pathway.phrases[language]
        acks = phrases.acknowledgements.neutral
        leads = ("", phrases.return_question, phrases.guard, phrases.greeting, phrases.repeat, acks)
        for question in pathway.questions.values():
            forms = (question.wording[language], question.reask.get(language), question.confirm.get(language))
            for lead_in in leads:
                for form in (form for form in forms if form):
                    spans = index.find(f"{lead_in} {form}".strip())
                    bent = [span.bent_from for span in spans if span.id == question.id]
                    assert bent == [None], (language, lead_in, form)
