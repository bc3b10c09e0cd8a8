"""What a reply does besides answering: requests, questions of the pathway, questions outside it."""

from __future__ import annotations

import pytest

from obligations import load_pathway
from obligations.tracker.hearing import Hearing

pytestmark = pytest.mark.unit

CATARACT = load_pathway("cataract-followup")
HEARING = {language: Hearing(CATARACT, language) for language in CATARACT.languages}

REQUESTS = [
    ("en", "Sorry, could you repeat that?", "repeat"),
    ("en", "Say that again please.", "repeat"),
    ("en", "What?", "repeat"),
    ("en", "Pardon?", "repeat"),
    ("en", "I didn't catch that.", "repeat"),
    ("en", "Stop, please.", "stop"),
    ("en", "Be quiet!", "stop"),
    ("en", "I don't want to go on.", "end_call"),
    ("en", "Leave me alone.", "end_call"),
    ("en", "Please don't call me again.", "end_call"),
    ("en", "Okay, thanks, bye bye.", "goodbye"),
    ("en", "Goodbye then.", "goodbye"),
    ("en", "I've got to go now.", "goodbye"),
    ("en", "Can I talk to a nurse?", "person"),
    ("en", "I'd rather speak with a human being.", "person"),
    ("en", "Give me a real person.", "person"),
    ("en", "I think you have the wrong number.", "wrong_person"),
    ("en", "There's nobody here by that name.", "wrong_person"),
    ("en", "I don't want to be recorded.", "object"),
    ("en", "I won't talk to a machine.", "object"),
    ("en", "I'd rather not.", "refuse"),
    ("en", "I don't want to hear that.", "refuse"),
    ("en", "Yes, go on.", "go_on"),
    ("en", "Hello?", "hello"),
    ("en", "Can you hear me?", "hello"),
    ("en", "Who is this?", "who"),
    ("en", "Are you a robot?", "who"),
    ("en", "Please talk to my daughter.", "delegate"),
    ("en", "Can you ring me back later?", "callback"),
    ("pt-PT", "Pode repetir, por favor?", "repeat"),
    ("pt-PT", "Desculpe, não percebi.", "repeat"),
    ("pt-PT", "Como?", "repeat"),
    ("pt-PT", "Para, por favor.", "stop"),
    ("pt-PT", "Pare!", "stop"),
    ("pt-PT", "Não quero continuar.", "end_call"),
    ("pt-PT", "Deixe-me em paz.", "end_call"),
    ("pt-PT", "Obrigado, adeus.", "goodbye"),
    ("pt-PT", "Tenho de ir.", "goodbye"),
    ("pt-PT", "Quero falar com uma pessoa.", "person"),
    ("pt-PT", "Posso falar com um enfermeiro?", "person"),
    ("pt-PT", "É engano.", "wrong_person"),
    ("pt-PT", "Não quero que gravem a chamada.", "object"),
    ("pt-PT", "Prefiro não dizer.", "refuse"),
    ("pt-PT", "Sim, pode continuar.", "go_on"),
    ("pt-PT", "Está lá?", "hello"),
    ("pt-PT", "Quem fala?", "who"),
    ("pt-PT", "Fale com a minha filha.", "delegate"),
    ("pt-PT", "Ligue mais tarde.", "callback"),
]

PLAIN = [
    ("en", "No."),
    ("en", "Yes."),
    ("en", "Yes, a bit this morning."),
    ("en", "I can't go out in the sun."),
    ("en", "It stopped hurting yesterday."),
    ("en", "I spoke to a nurse yesterday."),
    ("en", "My daughter drives me."),
    ("en", "Nothing to worry about."),
    ("en", "I know it is a bit red."),
    ("en", "The doctor said to wait a week."),
    ("en", "I need to talk to my doctor."),
    ("en", "I need a person to drive me home."),
    ("en", "I don't like looking at the computer."),
    ("en", "I don't want to use the washing machine."),
    ("en", "I had a bad time sleeping."),
    ("en", "I couldn't get it open."),
    ("en", "I will ask my daughter."),
    ("en", "I stopped the drops."),
    ("pt-PT", "Não."),
    ("pt-PT", "Sim, um pouco."),
    ("pt-PT", "Parou de doer ontem."),
    ("pt-PT", "A minha filha leva-me."),
    ("pt-PT", "Falei com a enfermeira ontem."),
    ("pt-PT", "Está."),
    ("pt-PT", "Estou, sim."),
    ("pt-PT", "Tenho."),
    ("pt-PT", "Quero falar com o meu médico."),
    ("pt-PT", "Não gosto de olhar para o computador."),
]

QUESTIONS = [
    ("en", "Is it normal that bright light hurts?", "light-sensitivity"),
    ("en", "is it normal that bright light hurts", "light-sensitivity"),
    ("en", "My eye is very sensitive to light, is that okay?", "light-sensitivity"),
    ("en", "And what about sunlight?", "light-sensitivity"),
    ("en", "When can I start driving again?", "driving"),
    ("en", "I wanted to ask about driving.", "driving"),
    ("en", "How long do I have to take the drops?", "drops"),
    ("en", "Can I wash my hair?", "washing"),
    ("en", "Am I allowed to have a shower?", "washing"),
    ("pt-PT", "É normal que a luz forte me incomode?", "light-sensitivity"),
    ("pt-PT", "Quando é que posso voltar a conduzir?", "driving"),
    ("pt-PT", "Até quando ponho as gotas?", "drops"),
    ("pt-PT", "Posso tomar banho?", "washing"),
]


@pytest.mark.parametrize(("language", "words", "intent"), REQUESTS)
def test_a_request_about_the_call_is_recognised_and_is_no_answer(language: str, words: str, intent: str) -> None:
    """Its sentence is not read as an answer, except a refusal, which may decline the pending question."""
    heard = HEARING[language].take_apart(words)

    assert intent in heard.intents
    assert intent in ("refuse", "callback") or heard.answer_text == ""


@pytest.mark.parametrize(("language", "words"), PLAIN)
def test_ordinary_words_are_no_request(language: str, words: str) -> None:
    """Words that only look like one are left to the answer reader, whole."""
    heard = HEARING[language].take_apart(words)

    assert ((), (), False, words) == (heard.intents, heard.faq, heard.holding, heard.answer_text)


@pytest.mark.parametrize(("language", "words", "group"), QUESTIONS)
def test_a_question_of_the_pathway_is_matched(language: str, words: str, group: str) -> None:
    """With and without punctuation; it is neither an answer nor unanswerable."""
    heard = HEARING[language].take_apart(words)

    assert ((group,), None, "") == (heard.faq, heard.unanswerable, heard.answer_text)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "What is my blood group?"),
        ("en", "Should I see my dentist about the tooth?"),
        ("en", "When will my glasses be ready?"),
        ("pt-PT", "Qual é o meu grupo sanguíneo?"),
        ("pt-PT", "Quando ficam prontos os meus óculos?"),
    ],
)
def test_a_question_outside_the_pathway_is_kept(language: str, words: str) -> None:
    """It opens nothing and is noted in the patient's words."""
    heard = HEARING[language].take_apart(words)

    assert ((), words) == (heard.faq, heard.unanswerable)


@pytest.mark.parametrize(
    "words", ["When do I have to go?", "Do I need to leave?", "Should I not go on with the drops?"]
)
def test_a_question_is_no_goodbye(words: str) -> None:
    """The call is not ended by a question about going."""
    assert () == HEARING["en"].take_apart(words).intents


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Bright light bothers my eye a lot. Is that normal?"),
        ("pt-PT", "A luz forte incomoda-me muito. Isso é normal?"),
    ],
)
def test_a_question_may_point_back_to_the_sentence_before_it(language: str, words: str) -> None:
    """What it asks about stands there, and that sentence may still be an answer."""
    heard = HEARING[language].take_apart(words)

    assert (heard.faq, heard.unanswerable) == (("light-sensitivity",), None)
    assert heard.answer_text == words.split(". ")[0] + "."


@pytest.mark.parametrize(
    ("language", "before", "words"),
    [
        ("en", "No. Bright light bothers my eye a lot.", "Is that normal?"),
        ("pt-PT", "A luz forte incomoda-me muito.", "Isso é normal?"),
    ],
)
def test_a_question_may_point_back_to_the_reply_before_it(language: str, before: str, words: str) -> None:
    """A pause makes two replies of one thought; without the first the second is about nothing."""
    together, alone = HEARING[language].take_apart(words, before), HEARING[language].take_apart(words)

    assert (together.faq, together.unanswerable, together.answer_text) == (("light-sensitivity",), None, "")
    assert (alone.faq, alone.unanswerable) == ((), words)


@pytest.mark.parametrize("words", ["Right?", "You know?", "Isn't it?", "Okay?", "Really?"])
def test_a_tag_is_no_question(words: str) -> None:
    """Nothing is noted for the team."""
    assert HEARING["en"].take_apart(words).unanswerable is None


@pytest.mark.parametrize(
    ("language", "words", "answer", "group"),
    [
        ("en", "No. But is it normal that bright light hurts?", "No.", "light-sensitivity"),
        ("en", "No, but is it normal that bright light hurts?", "No", "light-sensitivity"),
        ("en", "no but when can i drive again", "no", "driving"),
        ("en", "A little, yes. And can I wash my hair?", "A little, yes.", "washing"),
        ("pt-PT", "Não. Mas é normal que a luz forte incomode?", "Não.", "light-sensitivity"),
        ("pt-PT", "Não, mas quando posso conduzir?", "Não", "driving"),
    ],
)
def test_an_answer_and_a_question_in_one_reply_are_parted(language: str, words: str, answer: str, group: str) -> None:
    """What stands before the question may answer; the question gets its own answer."""
    heard = HEARING[language].take_apart(words)

    assert (answer, (group,)) == (heard.answer_text, heard.faq)


@pytest.mark.parametrize(
    ("language", "words", "groups"),
    [
        ("en", "When can I drive and can I have a shower?", {"driving", "washing"}),
        ("en", "Can I have a shower and when can I drive?", {"driving", "washing"}),
        ("en", "can i drive or can i have a bath", {"driving", "washing"}),
        ("en", "Is it normal that bright light hurts and can I drive?", {"light-sensitivity", "driving"}),
        ("en", "Can I drive, the drops, and can I wash my hair?", {"driving", "drops", "washing"}),
        ("pt-PT", "Posso conduzir e posso tomar banho?", {"driving", "washing"}),
        ("pt-PT", "posso conduzir ou posso parar as gotas", {"driving", "drops"}),
        ("pt-PT", "Posso conduzir? Posso tomar banho?", {"driving", "washing"}),
    ],
)
def test_every_question_of_one_breath_is_heard(language: str, words: str, groups: set[str]) -> None:
    """The last question of a sentence does not hide the ones before it."""
    heard = HEARING[language].take_apart(words)

    assert (groups, None) == (set(heard.faq), heard.unanswerable)


@pytest.mark.parametrize(
    ("language", "words", "group", "noted"),
    [
        ("en", "Can I drive and can I fly to Spain?", "driving", "can I fly to Spain?"),
        ("en", "Can I fly to Spain and can I drive?", "driving", "Can I fly to Spain"),
        ("en", "Can I drive? Can I fly to Spain?", "driving", "Can I fly to Spain?"),
        ("en", "I use the drops but can I fly?", "drops", "can I fly?"),
        ("pt-PT", "Posso guiar e quando posso nadar?", "driving", "quando posso nadar?"),
        ("pt-PT", "Posso conduzir? Posso viajar?", "driving", "Posso viajar?"),
    ],
)
def test_a_question_beside_one_of_the_pathway_is_noted(language: str, words: str, group: str, noted: str) -> None:
    """What has no advice of its own is not taken for a part of what has."""
    heard = HEARING[language].take_apart(words)

    assert ((group,), noted) == (heard.faq, heard.unanswerable)


def test_two_questions_outside_the_pathway_are_both_noted() -> None:
    """The team sees the second one too."""
    assert "Can I fly? Can I swim?" == HEARING["en"].take_apart("Can I fly? Can I swim?").unanswerable


@pytest.mark.parametrize("words", ["Posso conduzir?", "posso conduzir", "Posso guiar?", "Já posso tomar banho?"])
def test_a_portuguese_question_needs_no_question_word(words: str) -> None:
    """Two words ask where they name a topic, also where the recogniser leaves the question mark out."""
    heard = HEARING["pt-PT"].take_apart(words)

    assert (1, None, "") == (len(heard.faq), heard.unanswerable, heard.answer_text)


@pytest.mark.parametrize("words", ["Redness?", "Drops?", "No redness?"])
def test_an_echo_is_no_question(words: str) -> None:
    """One or two words of the agent's own open nothing where no topic is asked about."""
    heard = HEARING["en"].take_apart(words)

    assert ((), None, words) == (heard.faq, heard.unanswerable, heard.answer_text)


def test_a_question_that_may_concern_the_pending_one_is_left_whole_to_the_reader() -> None:
    """A "sure, but what would he see?" is not a yes with a question behind it."""
    heard = HEARING["en"].take_apart("Sure, but what would he see?")

    assert "Sure, but what would he see?" == heard.answer_text


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Um, hold on."),
        ("en", "Let me think."),
        ("en", "Well, er, let me see."),
        ("en", "Um, hang on, let me find my glasses."),
        ("pt-PT", "Hum, deixe-me ver."),
        ("pt-PT", "Um momento, por favor."),
    ],
)
def test_asking_for_time_keeps_the_floor(language: str, words: str) -> None:
    """Nothing is read, and the agent waits."""
    heard = HEARING[language].take_apart(words)

    assert (True, "", ()) == (heard.holding, heard.answer_text, heard.intents)


def test_time_asked_for_after_an_answer_does_not_hide_the_answer() -> None:
    """A "no. Wait, let me think." is an answer and a hesitation."""
    heard = HEARING["en"].take_apart("No. Wait, let me think.")

    assert (False, "No.") == (heard.holding, heard.answer_text)


@pytest.mark.parametrize("words", ["", "   ", "...", "?!", "—"])
def test_no_words_are_nothing(words: str) -> None:
    """Empty and wordless transcripts do nothing."""
    heard = HEARING["en"].take_apart(words)

    assert ("", (), (), None, False) == (
        heard.answer_text, heard.intents, heard.faq, heard.unanswerable, heard.holding
    )  # fmt: skip


@pytest.mark.parametrize(
    ("said", "as_patient"),
    [
        ("She takes warfarin, five milligrams.", "I takes warfarin, five milligrams."),
        ("He's had some redness.", "I have had some redness."),
        ("Her eye is red.", "my eye is red."),
        ("No, she hasn't.", "No, I haven't."),
    ],
)
def test_a_report_is_turned_into_the_patients_voice_for_the_reader(said: str, as_patient: str) -> None:
    """Only to find its value; the record keeps what was said."""
    assert as_patient == HEARING["en"].in_own_voice(said)
