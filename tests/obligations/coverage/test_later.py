"""A later utterance takes an advice back, contradicts it, or does neither: told from its words alone."""

from __future__ import annotations

import pytest

from obligations import Tracker, load_pathway
from obligations.answers.reader import LocalAnswerReader
from obligations.coverage.later import Later
from obligations.coverage.retraction import free_sentences
from obligations.ledger import ItemStep, Step
from obligations.testing import ScriptedCall

pytestmark = pytest.mark.unit

EYE, HEART, HIP = "cataract-followup", "heart-failure-discharge", "hip-knee-after-surgery"
PATHWAYS = {name: load_pathway(name) for name in (EYE, HEART, HIP)}
DRIVE, DROPS, PAIN, RUB = "driving.wait", "drops.continue", "light.escalation", "washing.no-rubbing"
RECORDED = "disclosure.recorded"

# pathway, point told before, what the patient said in between ("" for nothing), what the agent says next
TURNS_EN = [
    (EYE, DROPS, "Are you sure?", "Forget what I said about the drops, you can stop them."),
    (EYE, DROPS, "", "Forget what I said about the drops, you can stop them."),
    (EYE, DROPS, "How long?", "You can stop the drops now."),
    (EYE, DROPS, "Really?", "You do not need to keep using the drops."),
    (EYE, DROPS, "Really?", "You don't have to use the drops any more."),
    (EYE, DROPS, "They sting.", "Skip the drops if they sting."),
    (EYE, DROPS, "Okay.", "What I told you about the drops was wrong."),
    (EYE, DROPS, "Okay.", "Actually, do not use the eye drops any more."),
    (EYE, DROPS, "Okay.", "The drops are not necessary."),
    (EYE, DROPS, "Okay.", "Come to think of it, you may leave the drops out for a while."),
    (EYE, DROPS, "Okay.", "Please disregard the part about the eye drops."),
    (EYE, DROPS, "They sting.", "If they sting, stop the drops."),
    (EYE, DROPS, "Can I stop when it feels fine?", "Yes, you can stop them."),
    (EYE, DRIVE, "Okay.", "Sorry, that was meant for another patient."),
    (EYE, DRIVE, "", "I would not take that too seriously."),
    (EYE, DRIVE, "This afternoon?", "You may well drive this afternoon."),
    (EYE, DRIVE, "Okay.", "Actually, forget that."),
    (EYE, DRIVE, "Okay.", "I take that back."),
    (EYE, DRIVE, "Okay.", "I was only joking."),
    (EYE, DRIVE, "Really?", "You can drive today."),
    (EYE, DRIVE, "I feel fine.", "You can of course drive tomorrow if you feel fine."),
    (EYE, DRIVE, "I feel fine.", "Driving is fine after a day or so."),
    (EYE, DRIVE, "I feel fine.", "It is safe to drive when you feel well."),
    (EYE, DRIVE, "I feel fine.", "Honestly, most people drive the next day."),
    (EYE, DRIVE, "", "But nobody really does that."),
    (EYE, DRIVE, "", "It's up to you, though."),
    (EYE, DRIVE, "Must I really wait?", "That is not necessary."),
    (EYE, DRIVE, "Must I really wait?", "That does not apply to you."),
    (EYE, DRIVE, "Okay.", "Go ahead and drive to work."),
    (EYE, DRIVE, "What?", "Myth number one: Do not drive until your eye team has said that you can."),
    (EYE, PAIN, "And at night?", "You don't need to contact the hospital about it."),
    (EYE, PAIN, "And at night?", "Do not contact the hospital, they are busy."),
    (EYE, RUB, "It itches.", "You can rub it gently."),
    (EYE, RECORDED, "Okay.", "Only joking about the recording, nothing is recorded."),
    (EYE, RECORDED, "Okay.", "This call is not recorded."),
    (HEART, "weighing.how", "Every day?", "You don't need to weigh yourself every morning."),
    (HEART, "what-to-do.emergency", "Even then?", "Don't call an ambulance, just sit down."),
    (HEART, "feeling-better.keep-taking", "Even then?", "Stop the medicines if they make you dizzy."),
    (HIP, "wound.contact", "Hm.", "There's no need to contact the ward."),
]
TURNS_PT = [
    (EYE, DROPS, "Tem a certeza?", "Esqueça o que disse das gotas, pode parar."),
    (EYE, DROPS, "Até quando?", "Pode parar as gotas."),
    (EYE, DROPS, "A sério?", "Não precisa de pôr as gotas."),
    (EYE, DROPS, "Está bem.", "As gotas não são necessárias."),
    (EYE, DROPS, "Está bem.", "Não ponha as gotas."),
    (EYE, DRIVE, "Está bem.", "Enganei-me."),
    (EYE, DRIVE, "A sério?", "Pode conduzir hoje."),
    (EYE, DRIVE, "A sério?", "A maioria das pessoas conduz no dia seguinte."),
    (EYE, DRIVE, "", "Isso é um disparate."),
    (EYE, PAIN, "E à noite?", "Não precisa de contactar o hospital."),
    (EYE, RUB, "Faz comichão.", "Pode esfregar um pouco."),
    (EYE, RUB, "Faz comichão.", "Esfregar um bocadinho não faz mal."),
    (EYE, DRIVE, "Devagar?", "Não há problema em conduzir devagar."),
    (EYE, DRIVE, "É perto.", "Se for perto, pode conduzir."),
    (EYE, RECORDED, "O quê?", "Esta chamada não é gravada."),
    (HEART, "feeling-better.keep-taking", "O quê?", "Pode deixar de tomar os medicamentos."),
]
STANDS_EN = [
    (EYE, DROPS, "No.", "Good. So you have no pain, that is good to hear."),
    (EYE, DROPS, "Sorry, I dropped the phone.", "No problem, never mind. Do you have any pain in your eye?"),
    (EYE, DROPS, "I heard that I can stop them.", "That is wrong, please go on as the hospital told you."),
    (EYE, DROPS, "My neighbour says drops are poison.", "That is not true."),
    (EYE, DROPS, "So I go on?", "Yes, keep using the drops as I said."),
    (EYE, DROPS, "So I go on?", "Please do not stop the drops."),
    (EYE, DROPS, "Okay.", "Don't forget the drops tonight."),
    (EYE, DROPS, "I don't use them at night.", "So you do not use the drops at night, I see."),
    (EYE, DROPS, "I am afraid of the drops.", "There is no need to worry about the drops."),
    (EYE, DROPS, "Okay.", "If you have no drops left, ask the hospital for more."),
    (EYE, DROPS, "Okay.", "Great, that is everything. Just wait a moment, please."),
    (EYE, DROPS, "Can we do this later?", "As you like."),
    (EYE, DROPS, "Okay.", "You can stop me at any time."),
    (EYE, DROPS, "Again?", "Keep using your eye drops exactly as the hospital told you."),
    (EYE, DROPS, "He says stop.", "If somebody tells you to stop the drops, check with the hospital first."),
    (EYE, PAIN, "And then?", "If the hospital does not answer, contact the emergency department."),
    (EYE, DROPS, "So I go on?", "Please do not stop them."),
    (EYE, DROPS, "And then?", "If you stop them, tell the hospital."),
    (EYE, DRIVE, "The lights annoy me.", "You can skip it if a question is too much."),
    (EYE, DRIVE, "Are you joking?", "No, I was not joking."),
    (EYE, DRIVE, "Yes I drive.", "Okay, driving. I have noted your question."),
    (EYE, DRIVE, "When?", "You can drive once your eye team has told you so."),
    (EYE, DRIVE, "When?", "Your eye team will tell you when you can drive."),
    (EYE, DRIVE, "Okay.", "Many people ask about driving."),
    (EYE, DRIVE, "I do not drive.", "It is good that you are not driving."),
    (EYE, DRIVE, "Not even a bit?", "No, you cannot drive yet."),
    (EYE, DRIVE, "How do I get there?", "You can ask someone else to drive you."),
    (EYE, DRIVE, "It itches.", "It's not serious as far as I can hear, but a nurse will look."),
    (EYE, DRIVE, "Yes.", "Can you drive to the clinic?"),
    (EYE, DRIVE, "Yes.", "I have not recorded your answer yet."),
    (EYE, DRIVE, "Again?", "As the nurses say: Do not drive until your eye team has said that you can."),
    (EYE, PAIN, "No.", "So no pain and no loss of vision, good."),
    (EYE, PAIN, "No.", "You have not contacted the hospital yet, I understand."),
    (EYE, PAIN, "Which number?", "It is not the hospital's number that I have here."),
    (EYE, PAIN, "Do I need one?", "You do not need an appointment to contact the hospital."),
    (HEART, "weighing.how", "No.", "So you do not weigh yourself every morning yet."),
    (HEART, "feeling-better.keep-taking", "Okay.", "You should not stop the medicines yourself."),
    (HEART, "feeling-better.keep-taking", "Okay.", "If you forget a tablet, ring the team."),
    (HIP, "wound.contact", "When?", "You can contact the ward at any time."),
]
STANDS_PT = [
    (EYE, DROPS, "O vizinho diz que fazem mal.", "Isso não é verdade."),
    (EYE, DROPS, "Está bem.", "Não pare as gotas."),
    (EYE, DROPS, "Tenho medo.", "Não precisa de se preocupar com as gotas."),
    (EYE, DROPS, "Quando?", "Pode pôr as gotas depois do almoço."),
    (EYE, DRIVE, "Quando?", "A equipa dos olhos diz-lhe quando pode conduzir."),
    (EYE, DRIVE, "Sim.", "Perguntou se pode conduzir."),
    (EYE, DROPS, "Agora?", "Não há pressa, ponha as gotas com calma."),
    (EYE, DROPS, "Está bem.", "Se parar as gotas, avise o hospital."),
    (EYE, DRIVE, "Ela conduz.", "A sua filha pode conduzir, que bom."),
    (EYE, DRIVE, "Quando?", "Só depois da consulta é que pode conduzir."),
    (EYE, DRIVE, "Já?", "Não, ainda não pode conduzir."),
    (EYE, DRIVE, "Obrigado.", "Não é preciso agradecer."),
]
Row = tuple[str, str, str, str, str]


def rows(english: list[tuple[str, str, str, str]], portuguese: list[tuple[str, str, str, str]]) -> list[Row]:
    return [(*row, "en") for row in english] + [(*row, "pt-PT") for row in portuguese]


def against(pathway: str, point: str, reply: str, line: str, language: str) -> dict[str, Step]:
    """Tell a point, let the patient reply, say the line: what stands against which point then."""
    chosen = PATHWAYS[pathway]
    call = ScriptedCall(Tracker(chosen, call_id="c", reader=LocalAnswerReader(), language=language))
    call.say(chosen.points[point].wording[language])
    if reply:
        call.hear(reply)
    call.say(line)
    steps = [event for event in call.tracker.events if isinstance(event, ItemStep)]
    return {step.item_id: step.step for step in steps if step.step in (Step.RETRACTED, Step.MISTOLD)}


@pytest.mark.parametrize(("pathway", "point", "reply", "line", "language"), rows(TURNS_EN, TURNS_PT))
def test_what_takes_an_advice_back_or_lets_do_otherwise_re_opens_it(
    pathway: str, point: str, reply: str, line: str, language: str
) -> None:
    """Whatever was said in between, and whether the advice is named or only pointed at."""
    assert Step.RETRACTED is against(pathway, point, reply, line, language).get(point)


@pytest.mark.parametrize(("pathway", "point", "reply", "line", "language"), rows(STANDS_EN, STANDS_PT))
def test_what_only_speaks_of_it_leaves_it_told(pathway: str, point: str, reply: str, line: str, language: str) -> None:
    """An echo of the patient, comfort, the advice again, its own condition, a question, a word on something else."""
    assert {} == against(pathway, point, reply, line, language)


def test_everything_taken_back_is_every_point_that_was_told() -> None:
    """And none that was not."""
    found = against(EYE, DRIVE, "Okay.", "Ignore everything I have told you.", "en")

    assert {DRIVE: Step.RETRACTED} == found


def test_a_language_without_words_of_ours_takes_nothing_back() -> None:
    """Better told once too seldom than taken from a sentence nobody can read."""
    later = Later({"p": "Trinken Sie Wasser."}, {"p": "g"}, "de", ())
    text = "Vergessen Sie das."
    sentences = free_sentences(text, "de", ())

    assert {} == later.turned(text, sentences, ("p",), told=("p",), last=("p",), answered=False)
    assert not any(later.calls_untrue(sentence) for sentence in sentences)
