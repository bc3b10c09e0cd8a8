"""Ways to say that one is not the patient, or to answer for them; and what patients say of others all day."""

from __future__ import annotations

import pytest

from obligations import ReplySpeaker
from obligations.tracker import Reply

from .test_stand_in import NO, REDNESS, SYMPTOMS, WHO, a_call, only_reported, play

pytestmark = pytest.mark.unit

# By kind: who they are; why the patient cannot speak; answers about somebody who was asked as "you".
ANOTHER = [
    ("en", "Wife speaking, no."),
    ("en", "It's Mary, John's wife. No."),
    ("en", "You've got his wife here, not him."),
    ("en", "I'm one of the carers."),
    ("en", "I look after him. No redness that I can see."),
    ("en", "I've got power of attorney for her."),
    ("en", "It was my husband who had the operation. No."),
    ("en", "I'm not him. No."),
    ("en", "This is the care home. No."),
    ("en", "He's a bit deaf, you'd better ask me. No."),
    ("en", "Dad's having a nap, can I help?"),
    ("en", "My wife is sleeping, I can tell you."),
    ("en", "He's lost his voice."),
    ("en", "No, he hasn't got any."),
    ("en", "She says no."),
    ("en", "My husband is fine, no pain."),
    ("en", "Not that she's told me."),
    ("pt-PT", "Chamo-me Ana, sou filha dela."),
    ("pt-PT", "Eu é que tomo conta dele."),
    ("pt-PT", "O operado é o meu marido. Não."),
    ("pt-PT", "É do lar, o senhor está deitado. Não."),
    ("pt-PT", "A minha mãe não ouve bem, eu respondo."),
    ("pt-PT", "Ele está no duche."),
    ("pt-PT", "Ele não tem dores."),
    ("pt-PT", "Ela diz que não."),
    ("pt-PT", "O meu marido está bem."),
]
PATIENTS = [
    ("en", "My wife puts the drops in for me."),
    ("en", "He said I could drive after a week."),
    ("en", "He said no lifting."),
    ("en", "I spoke to the nurse, she said no."),
    ("en", "No, and my wife says so too."),
    ("en", "No, I haven't, my wife is fine too."),
    ("en", "He's very good, the surgeon."),
    ("en", "I'm seeing the nurse tomorrow."),
    ("en", "I'm my husband's carer, he's not well."),
    ("en", "I'm the carer in this house, for my husband. No."),
    ("en", "I'm Harold's wife, it's my eye you rang about. No."),
    ("en", "It's my wife's birthday. No."),
    ("en", "I look after my grandchildren."),
    ("en", "It was my wife who noticed it."),
    ("pt-PT", "A minha mulher põe-me as gotas."),
    ("pt-PT", "Ele disse que eu podia conduzir."),
    ("pt-PT", "A minha mulher foi às compras."),
    ("pt-PT", "Sou enfermeira reformada."),
    ("pt-PT", "A enfermeira disse-me que sim."),
    ("pt-PT", "Não, a minha mulher é que trata disso."),
    ("pt-PT", "A minha irmã também foi operada e está bem."),
]


@pytest.mark.parametrize(
    ("language", "words", "expected"),
    [(*one, True) for one in ANOTHER] + [(*one, False) for one in PATIENTS],
)
def test_whose_words_these_are(language: str, words: str, expected: bool) -> None:
    """Who speaks for the patient is taken for another; who mentions others is not."""
    call = a_call(language)
    call.until_listening()

    call.hear(words)

    assert expected == ("someone_else" in call.tracker.ledger.call.standing)


@pytest.mark.parametrize(("language", "words"), [("en", "No, he hasn't got any."), ("pt-PT", "Ele não tem dores.")])
def test_answers_about_the_patient_close_nothing_until_the_patient_is_known_to_be_there(
    language: str, words: str
) -> None:
    """Nobody said who they were: one question is asked, and without a yes all that follows is a report."""
    call = a_call(language)

    handoff = play(call, language, (REDNESS[language], words))

    assert SYMPTOMS == only_reported(handoff)
    assert 1 == sum(WHO[language] in text for text in call.spoken)


@pytest.mark.parametrize(
    ("language", "words", "back"),
    [
        ("en", "He's fine.", "Yes."),
        ("en", "He's fine.", "Yes, it's my eye."),
        ("en", "He's fine.", "I'm the one who had the operation."),
        ("en", "He's fine.", "That's right, I'm him."),
        ("pt-PT", "Ele está bem.", "Sim, sou eu."),
        ("pt-PT", "Ele está bem.", "Fui eu que fui operado."),
    ],
)
def test_a_patient_taken_for_another_is_asked_once_and_never_again(language: str, words: str, back: str) -> None:
    """Their word stands: the same words later ask nothing, and the call is complete."""
    call = a_call(language)
    pain = {"en": "pain in your eye", "pt-PT": "dor"}[language]

    handoff = play(call, language, (REDNESS[language], words), (WHO[language], back), (pain, f"{NO[language]} {words}"))

    assert 1 == sum(WHO[language] in text for text in call.spoken)
    assert handoff.complete


def test_a_voice_the_gate_knows_may_speak_of_others() -> None:
    """The gate's word outweighs a pronoun."""
    call = a_call()
    call.until_listening()

    call.tracker.reply(Reply(text="She says no.", now_s=call.now_s + 1, by_voice=True))

    assert "someone_else" not in call.tracker.ledger.call.standing


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "I'll put my wife on."),
        ("en", "Let me pass you to my wife."),
        ("en", "Hang on, here's my daughter."),
        ("pt-PT", "Vou passar à minha mulher."),
    ],
)
def test_whoever_is_put_on_is_asked_whether_they_are_the_patient(language: str, words: str) -> None:
    """It may be the patient whom the wife puts on, or the wife: the next voice says which."""
    call = a_call(language)

    handoff = play(call, language, (REDNESS[language], words))

    assert SYMPTOMS == only_reported(handoff)
    assert 1 == sum(WHO[language] in text for text in call.spoken)


def test_what_the_patient_says_before_handing_over_is_kept() -> None:
    """A symptom told in the same breath is flagged."""
    call = a_call()

    handoff = play(call, "en", (REDNESS["en"], "It is very red. Here's my daughter."))

    assert ("redness", "It is very red. Here's my daughter.") in [(f.item_id, f.quote) for f in handoff.red_flags]


@pytest.mark.parametrize(
    ("language", "words"), [("en", "Talk to my wife, love."), ("pt-PT", "Fale com a minha filha.")]
)
def test_whom_the_patient_let_answer_stands_in_the_hand_off_as_somebody_else(language: str, words: str) -> None:
    """Her answers rest on the patient's word, and are not shown as the patient's own."""
    call = a_call(language)

    handoff = play(call, language, (REDNESS[language], words))

    assert {ReplySpeaker.THIRD_PARTY} == {answer.speaker for answer in handoff.answers}
    assert {words} == {answer.confirmation_quote for answer in handoff.answers}


@pytest.mark.parametrize("language", ["en", "pt-PT"])
def test_who_said_yes_to_the_right_party_check_is_not_sent_for_the_patient_by_a_pronoun(language: str) -> None:
    """They have said already that they are the patient: "he's fine" asks nobody to fetch anybody."""
    call = a_call(language, "heart-failure-discharge")
    call.tracker.signal("human-answered", True, 0.0)
    call.until_listening()
    call.hear({"en": "Yes.", "pt-PT": "Sim."}[language])
    call.until_listening()

    call.hear({"en": "He's fine.", "pt-PT": "Ele está bem."}[language])

    assert "someone_else" not in call.tracker.ledger.call.standing
