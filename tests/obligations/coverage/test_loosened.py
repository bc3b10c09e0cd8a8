"""A later utterance loosens an advice it need not name, or "yes" to a question lets what the advice forbids."""

from __future__ import annotations

import pytest

from obligations.ledger import Step
from tests.obligations.coverage.test_later import DRIVE, DROPS, EYE, HEART, HIP, PAIN, PATHWAYS, RUB, against, rows

pytestmark = pytest.mark.unit

# pathway, point told before, what the patient said in between, what the agent says next
TURNS_EN = [
    (EYE, DRIVE, "Not even to church?", "It's fine to drive to church on Sunday."),
    (EYE, DRIVE, "My wife is ill.", "I think one short drive will do no harm."),
    (EYE, DRIVE, "I have to work.", "You are welcome to take the car if you go slowly."),
    (EYE, DRIVE, "Hm.", "Don't worry about the driving, that is only for the first evening."),
    (EYE, DRIVE, "How long?", "Driving again after two days is usual."),
    (EYE, DRIVE, "How long?", "You'll be driving again by the weekend."),
    (EYE, DRIVE, "Can I drive tomorrow then?", "Yes, of course."),
    (EYE, DRIVE, "So I can drive to my daughter's?", "Sure, that is no problem."),
    (EYE, DRIVE, "But I see well.", "If you can see well, then driving is not a problem."),
    (EYE, DRIVE, "Really?", "Drive whenever you like."),
    (EYE, DRIVE, "Hm.", "Actually, you don't need to wait."),
    (EYE, DRIVE, "Nobody told me.", "No need to ask your eye team about it."),
    (EYE, DROPS, "They burn.", "Then just leave them for today."),
    (EYE, DROPS, "They burn.", "It's fine to miss a few days of the drops."),
    (EYE, DROPS, "How often?", "Once a day is enough for the drops."),
    (EYE, DROPS, "My eye is fine.", "Since your eye feels well, you can finish with the drops."),
    (EYE, DROPS, "My eye is fine.", "Stop using them when the eye feels good."),
    (EYE, DROPS, "Do I still need the drops?", "No, not really."),
    (EYE, DROPS, "I ran out.", "Don't bother getting more drops."),
    (EYE, DROPS, "I ran out.", "Then you are done with the drops."),
    (EYE, DROPS, "I forget them.", "Most people forget their drops and nothing happens."),
    (EYE, DROPS, "Hm.", "Use them as often as you feel you need."),
    (EYE, PAIN, "At night?", "It can wait until the morning."),
    (EYE, PAIN, "At night?", "You could simply tell them at your next appointment."),
    (EYE, PAIN, "At night?", "I would give it a couple of days before you ring anybody."),
    (EYE, PAIN, "At night?", "Pain like that is normal, no need to call the hospital."),
    (EYE, RUB, "It itches.", "A little rub is fine."),
    (EYE, RUB, "It itches.", "Just rub it softly with a clean cloth."),
    (EYE, RUB, "It itches.", "Pressing on it a bit does not hurt."),
    (EYE, "washing.allowed", "Shower?", "It would be better not to shower at all."),
    (HEART, "weighing.how", "Every day?", "Once a week is plenty."),
    (HEART, "weighing.how", "Every day?", "Weighing yourself on Sundays is enough."),
    (HEART, "feeling-better.keep-taking", "I feel good.", "If you feel better, you may stop taking them."),
    (HEART, "feeling-better.keep-taking", "They make me dizzy.", "Then cut the dose in half yourself."),
    (HEART, "what-to-do.emergency", "At night?", "Just lie down first and see if it passes."),
    (HEART, "fluids.limit", "It is hot.", "Drink whatever you want when it is hot."),
    (HEART, "salt.avoid", "I love crisps.", "A bit more salt is no problem."),
    (HIP, "drive.ask", "I feel fine.", "You can drive when you feel ready."),
    (HIP, "shower.dry", "It smells.", "It doesn't matter if the wound gets wet."),
    (EYE, DRIVE, "It's only ten minutes.", "Ten minutes behind the wheel won't matter."),
    (EYE, DRIVE, "And at night?", "As long as it is daylight, driving is okay."),
    (EYE, DRIVE, "Hm.", "You could try a short drive and see how it feels."),
    (EYE, DRIVE, "Could I drive on Monday?", "I don't see why not."),
    (EYE, DRIVE, "Hm.", "Two days is long enough before you drive."),
    (EYE, DRIVE, "Am I allowed to drive now?", "Yes, you are."),
    (EYE, DROPS, "They sting.", "You might want to give the drops a rest."),
    (EYE, DROPS, "Hm.", "Half the number of drops would be fine too."),
    (EYE, DROPS, "How long?", "A week of drops is enough."),
    (EYE, DROPS, "Must I really use them?", "No, you can manage without."),
    (EYE, DROPS, "I forget.", "It won't matter if you skip one or two."),
    (EYE, DROPS, "I feel well.", "Then there is no reason to go on with the drops."),
    (EYE, PAIN, "On a Sunday?", "I would wait and see."),
    (EYE, PAIN, "The hospital?", "Just ring your doctor in the next few days."),
    (EYE, RUB, "It itches.", "Go on and rub it then."),
    (EYE, RUB, "Not even softly?", "Softly is okay."),
    (HEART, "weighing.how", "Every morning?", "Every few days will do."),
    (HEART, "feeling-better.keep-taking", "Hm.", "You could try halving the tablets."),
    (HEART, "feeling-better.keep-taking", "Can I stop the tablets?", "Yes, if you feel well."),
    (HEART, "what-to-do.emergency", "An ambulance?", "You can ring the doctor in the morning instead."),
    (HEART, "fluids.limit", "Hm.", "Don't be too strict about the fluid limit."),
    (HIP, "wound.contact", "Today?", "Tomorrow is fine too."),
    (HIP, "drive.ask", "Hm.", "After two weeks you can start driving again."),
]
TURNS_PT = [
    (EYE, DRIVE, "Nem à missa?", "Pode conduzir até à missa, não faz mal."),
    (EYE, DRIVE, "Sinto-me bem.", "Se se sente bem, pode pegar no carro."),
    (EYE, DRIVE, "Posso conduzir amanhã?", "Sim, claro."),
    (EYE, DRIVE, "Quanto tempo?", "Ao fim de dois dias já pode conduzir."),
    (EYE, DRIVE, "Hum.", "Conduza quando quiser."),
    (EYE, DRIVE, "Hum.", "Afinal não precisa de esperar."),
    (EYE, DROPS, "Ardem.", "Então deixe-as por hoje."),
    (EYE, DROPS, "Ardem.", "Não faz mal falhar uns dias as gotas."),
    (EYE, DROPS, "O olho está bem.", "Pare as gotas quando o olho estiver melhor."),
    (EYE, DROPS, "Quantas vezes?", "Uma vez por dia chega para as gotas."),
    (EYE, PAIN, "À noite?", "Pode esperar até de manhã."),
    (EYE, PAIN, "À noite?", "Fale nisso na próxima consulta."),
    (EYE, RUB, "Faz comichão.", "Esfregue só um bocadinho, com cuidado."),
    (HEART, "weighing.how", "Todos os dias?", "Uma vez por semana chega."),
    (HEART, "fluids.limit", "Está calor.", "Beba tudo o que lhe apetecer."),
    (EYE, DRIVE, "São dez minutos.", "Dez minutos ao volante não fazem mal."),
    (EYE, DRIVE, "Já posso conduzir?", "Pode, sim."),
    (EYE, DROPS, "Ardem.", "Faça uma pausa nas gotas."),
    (EYE, DROPS, "Até quando?", "Uma semana de gotas chega."),
    (EYE, PAIN, "Logo?", "Na segunda-feira ainda vai a tempo."),
    (EYE, PAIN, "Ao domingo?", "Eu esperava até segunda."),
    (EYE, RUB, "Nem devagarinho?", "Devagarinho pode."),
    (HEART, "feeling-better.keep-taking", "Hum.", "Pode tomar só metade dos comprimidos."),
]
STANDS_EN = [
    (EYE, DRIVE, "How long?", "Your eye team will tell you how long to wait."),
    (EYE, DRIVE, "How long?", "For most people it takes a week or two until the eye team says so."),
    (EYE, DRIVE, "My son drives me.", "It's fine that your son drives you."),
    (EYE, DRIVE, "Can my wife drive?", "Yes, of course your wife can drive."),
    (EYE, DRIVE, "So I should wait?", "Yes, of course."),
    (EYE, DRIVE, "So I can't drive yet?", "Yes, that is right."),
    (EYE, DRIVE, "Can I take the bus?", "Sure, the bus is fine."),
    (EYE, DRIVE, "Can I ask them on Friday?", "Yes, that is fine."),
    (EYE, DRIVE, "I feel fine.", "Even if you feel fine, please wait with driving."),
    (EYE, DRIVE, "I feel fine.", "It is not fine to drive yet, even if you feel well."),
    (EYE, DRIVE, "I'll stay home.", "That is fine, thank you."),
    (EYE, DRIVE, "Okay.", "You can call the clinic whenever you like."),
    (EYE, DRIVE, "It's all so much.", "Don't worry, there are only two more questions."),
    (EYE, DRIVE, "Nobody told me.", "Then ask your eye team before you drive."),
    (EYE, DROPS, "They sting.", "A little stinging from the drops is normal."),
    (EYE, DROPS, "They sting.", "Please don't stop the drops because of that."),
    (EYE, DROPS, "Do I still need the drops?", "Yes, you do."),
    (EYE, DROPS, "Can I stop the drops?", "No, please go on with them."),
    (EYE, DROPS, "Should I go on?", "Yes, please."),
    (EYE, DROPS, "I missed one.", "If you missed one, just use the next drop at the usual time."),
    (EYE, DROPS, "I ran out.", "You can get more drops from the hospital."),
    (EYE, DROPS, "How often?", "As often as the hospital told you."),
    (EYE, DROPS, "How long?", "Until the hospital tells you to stop."),
    (EYE, DROPS, "My eye is fine.", "Even when your eye feels well, keep using the drops."),
    (EYE, DROPS, "Okay.", "Most people get on well with their drops."),
    (EYE, DROPS, "Can I use them after lunch?", "Yes, after lunch is fine."),
    (EYE, PAIN, "At night?", "Yes, at night as well, do not wait until the morning."),
    (EYE, PAIN, "Do I need an appointment?", "No, you don't need an appointment for that."),
    (EYE, PAIN, "I have none.", "Good, then there is nothing to worry about."),
    (EYE, PAIN, "I have none.", "If it is only mild, you can mention it at your next appointment."),
    (EYE, PAIN, "Can I call them?", "Yes, call them any time you like."),
    (EYE, RUB, "It itches.", "If it itches, do not rub it."),
    (EYE, RUB, "It itches.", "A cold cloth on your forehead is fine."),
    (EYE, "washing.allowed", "Hair too?", "Yes, you can wash your hair, only keep the shampoo out of your eye."),
    (HEART, "weighing.how", "Every day?", "Yes, every day, once a week is not enough."),
    (HEART, "weighing.how", "Okay.", "Any scales will do, you don't need a special one."),
    (HEART, "feeling-better.keep-taking", "I feel good.", "Feeling better is no reason to stop taking them."),
    (HEART, "fluids.limit", "It is hot.", "Even when it is hot, keep to the limit."),
    (HIP, "drive.ask", "My son drives.", "It is good that your son can drive you."),
    (HIP, "shower.dry", "Okay.", "You can wash the rest of your body."),
    (EYE, DRIVE, "When is that?", "The team usually says so at the first check."),
    (EYE, DRIVE, "Okay.", "Great. Then let me go on with the next question."),
    (EYE, DRIVE, "I have an appointment on Friday.", "Friday is fine, you can ask them then."),
    (EYE, DRIVE, "Can I walk?", "Yes, walking is fine."),
    (EYE, DRIVE, "I don't drive anyway.", "Then that is no problem for you."),
    (EYE, DRIVE, "Can I fly?", "I cannot say, but I will note it for the team."),
    (EYE, DRIVE, "I understand.", "Good, thank you for waiting with the driving."),
    (EYE, DRIVE, "So no driving?", "Yes, exactly, no driving for now."),
    (EYE, DROPS, "Can I stop if it stings?", "No, only the hospital can tell you to stop."),
    (EYE, DROPS, "Okay.", "Good. Is it easy for you to put the drops in?"),
    (EYE, DROPS, "My wife helps me.", "That is fine, it is good to have help with the drops."),
    (EYE, DROPS, "How many?", "It is written on the bottle, just as the hospital said."),
    (EYE, DROPS, "Must I use them?", "Yes, it is important."),
    (EYE, DROPS, "At night?", "At night as well, if the hospital said so."),
    (EYE, DROPS, "I will.", "Wonderful, that is all I wanted to know."),
    (EYE, PAIN, "No pain.", "Then sunglasses are enough for now."),
    (EYE, PAIN, "Who do I call?", "The number is on your letter, you can call it day or night."),
    (EYE, PAIN, "And if it is mild?", "Mild discomfort is normal."),
    (EYE, PAIN, "Okay.", "No rush with the questions, take your time."),
    (EYE, RUB, "Can I touch the lid?", "You can wipe the lid with clean water."),
    (HEART, "weighing.how", "I do.", "Very good, keep that up."),
    (HEART, "feeling-better.keep-taking", "Okay.", "If one makes you dizzy, tell your team, they may change it."),
    (HEART, "what-to-do.emergency", "I have none.", "I am glad to hear that."),
    (HIP, "wound.contact", "Okay.", "You can ring them any time, they are happy to help."),
    (HIP, "drive.ask", "Okay.", "Is there someone who can drive you?"),
]
STANDS_PT = [
    (EYE, DRIVE, "Quanto tempo?", "A sua equipa é que lhe diz quanto tempo tem de esperar."),
    (EYE, DRIVE, "A minha mulher pode conduzir?", "Sim, claro, a sua mulher pode conduzir."),
    (EYE, DRIVE, "Então espero?", "Sim, claro."),
    (EYE, DRIVE, "Posso ir de autocarro?", "Sim, pode ir de autocarro."),
    (EYE, DRIVE, "Sinto-me bem.", "Mesmo que se sinta bem, espere pela equipa dos olhos."),
    (EYE, DRIVE, "Está bem.", "Não se preocupe, são só mais duas perguntas."),
    (EYE, DROPS, "Ardem.", "É normal as gotas arderem um pouco."),
    (EYE, DROPS, "Posso parar?", "Não, continue com as gotas."),
    (EYE, DROPS, "Até quando?", "Até o hospital lhe dizer para parar."),
    (EYE, DROPS, "Preciso das gotas?", "Sim, precisa."),
    (EYE, PAIN, "À noite?", "Sim, à noite também, não espere até de manhã."),
    (EYE, PAIN, "Não tenho.", "Ótimo, então está tudo bem."),
    (EYE, RUB, "Faz comichão.", "Se fizer comichão, não esfregue."),
    (HEART, "weighing.how", "Todos os dias?", "Sim, todos os dias, uma vez por semana não chega."),
    (HEART, "fluids.limit", "Está calor.", "Mesmo com calor, respeite o limite."),
    (EYE, DRIVE, "Posso andar a pé?", "Sim, pode andar a pé."),
    (EYE, DRIVE, "Percebi.", "Ótimo, obrigado por esperar."),
    (EYE, DROPS, "À noite também?", "Sim, à noite também."),
    (EYE, DROPS, "A minha filha ajuda.", "Ainda bem que tem ajuda com as gotas."),
    (EYE, PAIN, "E se for ligeira?", "Um desconforto ligeiro é normal."),
    (EYE, PAIN, "A quem ligo?", "O número está na carta, pode ligar a qualquer hora."),
    (EYE, RUB, "Posso lavar a cara?", "Pode, mas sem sabão no olho."),
    (HEART, "feeling-better.keep-taking", "Está bem.", "Se algum lhe fizer mal, fale com a equipa."),
    (HEART, "fluids.limit", "Está bem.", "Muito bem, continue assim."),
    (HIP, "drive.ask", "Está bem.", "Há alguém que o possa levar?"),
]
WRONG = [
    (EYE, point, "Okay.", wrong, language)
    for point, language, wrong in (
        (DRIVE, "en", "You may drive when you feel ready."),
        (DROPS, "en", "Stop the drops when the eye feels well."),
        (PAIN, "en", "Mention it at the next appointment."),
        ("washing.allowed", "en", "Do not wash at all."),
        ("light.reassurance", "en", "Sensitivity to light is not normal."),
        ("disclosure.recorded", "en", "The call is not recorded."),
        (PAIN, "pt-PT", "Fale disso na próxima consulta."),
        (DROPS, "pt-PT", "Pare as gotas quando o olho estiver bem."),
    )
]


@pytest.mark.parametrize(("pathway", "point", "reply", "line", "language"), rows(TURNS_EN, TURNS_PT))
def test_less_later_or_as_you_like_re_opens_the_advice(
    pathway: str, point: str, reply: str, line: str, language: str
) -> None:
    """Named or not, and "yes" or "no" to the question in between counts as what it makes of it."""
    assert Step.RETRACTED is against(pathway, point, reply, line, language).get(point)


@pytest.mark.parametrize(("pathway", "point", "reply", "line", "language"), rows(STANDS_EN, STANDS_PT))
def test_words_on_something_else_and_the_advice_s_own_condition_leave_it_told(
    pathway: str, point: str, reply: str, line: str, language: str
) -> None:
    """Others who do it, those who gave the advice, comfort, a right paraphrase, "yes" to another question."""
    assert {} == against(pathway, point, reply, line, language)


@pytest.mark.parametrize(("pathway", "point", "reply", "line", "language"), WRONG)
def test_a_wrong_version_that_the_pathway_names_re_opens_the_advice(
    pathway: str, point: str, reply: str, line: str, language: str
) -> None:
    """The pathway lists what must not be taken for the advice: said behind it, that stands against it."""
    assert Step.RETRACTED is against(pathway, point, reply, line, language).get(point)


def test_every_right_statement_of_an_advice_leaves_it_told() -> None:
    """What the pathway itself says a listener must have understood is never against it."""
    said = [
        (name, point.id, line, language)
        for name, pathway in PATHWAYS.items()
        for language in ("en", "pt-PT")
        for point in pathway.points.values()
        for line in point.must_convey.get(language, ())
    ]

    found = [row for row in said if Step.RETRACTED is against(row[0], row[1], "", row[2], row[3]).get(row[1])]

    assert len(said) > 50
    assert [] == found
