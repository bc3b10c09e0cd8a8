"""A reply is read as what it does to the question that was heard, and never as more."""

# ruff: noqa: E501 - one reply, one row

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from obligations.answers.protocol import AnswerKind, AnswerReader, AnswerReading, QuestionText, ReplySpeaker
from obligations.answers.reader import LocalAnswerReader

pytestmark = pytest.mark.unit

READER = LocalAnswerReader()
PAIN = "Have you had any pain in the eye?"
TABLETS = "Did you take your tablets this morning?"
CONSENT = "May we share your results with your family doctor?"
PILLOWS = "How many pillows do you sleep on?"


def read(
    question: str,
    reply: str,
    *,
    lang: str = "en",
    flag: str = "",
    heard: str | None = None,
    speaker: ReplySpeaker = ReplySpeaker.PRIMARY,
) -> AnswerReading:
    """Read one reply; `heard` is the delivered part of the question, all of it when None."""
    asked = QuestionText(
        text=question,
        heard=question if heard is None else heard,
        language=lang,
        red_flag_answers=(flag,) if flag else (),
    )
    return READER.read(asked, reply, speaker)


def told(reading: AnswerReading) -> str:
    """Give a reading as the labels write it."""
    return reading.kind.value if reading.value is None else f"{reading.kind.value}:{reading.value}"


@pytest.mark.parametrize(
    ("question", "reply", "expected"),
    [
        (PAIN, "No, none at all.", "no"),
        (PAIN, "I have, yes.", "yes"),
        (PAIN, "Not that I know of.", "no"),
        (PAIN, "Only when I blink.", "yes"),
        (PAIN, "It's been killing me.", "yes"),
        (PAIN, "It's been fine.", "no"),
        (PAIN, "No pain, but I see flashes.", "no"),
        (PAIN, "I wouldn't say I don't.", "yes"),
        (PAIN, "I don't think so.", "no"),
        (PAIN, "Maybe. I couldn't tell you.", "unclear"),
        (PAIN, "Okay.", "not_an_answer"),
        (PAIN, "Mm-hmm.", "yes"),
        (PAIN, "Mm.", "unclear"),
        (PAIN, "Um, hang on.", "not_an_answer"),
        (PAIN, "Pardon?", "not_an_answer"),
        (PAIN, "Which eye do you mean?", "not_an_answer"),
        (PAIN, "I'd rather not say.", "declined"),
        (PAIN, "No, sorry, yes.", "yes"),
        (PAIN, "no sorry yes", "yes"),
        (PAIN, "No. Well, actually, a bit this morning.", "yes"),
        (PAIN, "Yes, go on.", "not_an_answer"),
        (PAIN, "Yes, yes, I can hear you.", "not_an_answer"),
        (PAIN, "Ask my wife.", "unclear"),
        (PAIN, "By the way, my prescription has run out.", "not_an_answer"),
        (TABLETS, "I forgot.", "no"),
        (TABLETS, "I ran out on Friday.", "no"),
        (TABLETS, "I'll take them after lunch.", "no"),
        (TABLETS, "I've never missed one.", "yes"),
        (TABLETS, "Yes, sorry, no, that was yesterday.", "no"),
        (TABLETS, "I took them last night.", "unclear"),
        (CONSENT, "Yes, that is fine.", "yes"),
        (CONSENT, "Okay.", "yes"),
        (CONSENT, "I'd rather you didn't.", "no"),
        (CONSENT, "Okay, hold on, not with him.", "unclear"),
        (CONSENT, "Sure, but what would he see?", "unclear"),
        (CONSENT, "Who will read it?", "not_an_answer"),
        ("Do you mind if a student listens?", "Not at all.", "no"),
        ("Do you mind if a student listens?", "Yes.", "unclear"),
        ("Do you have no pain?", "No.", "unclear"),
        ("Do you have no pain?", "No, none at all.", "no"),
        ("Don't you have any pain?", "No.", "no"),
        ("You haven't missed any drops, have you?", "Yes.", "unclear"),
        ("You haven't missed any drops, have you?", "No.", "no"),
        ("You haven't missed any drops, have you?", "I have, actually.", "yes"),
        ("You haven't missed any drops, have you?", "That's right.", "no"),
        ("You've taken your tablets, haven't you?", "Yes.", "yes"),
        ("Have you missed any doses?", "I never miss one.", "no"),
        ("Are you in pain, or is it comfortable?", "It's comfortable.", "no"),
        ("Are you in pain, or is it comfortable?", "Yes.", "unclear"),
        ("Is there someone at home who can help?", "I live on my own.", "no"),
        ("Is there someone at home who can help?", "My daughter moved in.", "yes"),
        ("Is the baby feeding well?", "She is, every three hours.", "yes"),
    ],
)  # fmt: skip
def test_english_replies_are_read_by_kind(question: str, reply: str, expected: str) -> None:
    """Plain, indirect, hedged, corrected, refused, asked back, tagged, negative, leave given and taken back."""
    flag = (
        "no" if question in {TABLETS, "Is there someone at home who can help?", "Is the baby feeding well?"} else "yes"
    )

    assert expected == told(read(question, reply, flag="" if question == CONSENT else flag))


@pytest.mark.parametrize(
    ("question", "reply", "expected"),
    [
        ("Tem febre?", "Não, nenhuma.", "no"),
        ("Tem febre?", "Tenho, tenho.", "yes"),
        ("Tem febre?", "Não tenho febre nenhuma.", "no"),
        ("Tem febre?", "Não posso dizer que não.", "yes"),
        ("Tem febre?", "Acho que não.", "no"),
        ("Tem febre?", "Mais ou menos.", "unclear"),
        ("Tem febre?", "Diga, diga.", "not_an_answer"),
        ("Tem febre?", "Isso é cá comigo.", "declined"),
        ("Tem febre?", "Não. Quer dizer, ontem tive um bocadinho.", "yes"),
        ("Não tem febre, pois não?", "Pois não.", "no"),
        ("Não tem febre, pois não?", "Sim.", "unclear"),
        ("Não tem febre, pois não?", "Tenho, sim.", "yes"),
        ("Fica com falta de ar?", "Fico, fico.", "yes"),
        ("Já tomou o comprimido?", "Ainda não.", "no"),
        ("Já tomou o comprimido?", "Deixei de tomar na semana passada.", "no"),
        ("Posso gravar a chamada?", "Está bem.", "yes"),
        ("Posso gravar a chamada?", "Prefiro que não.", "no"),
        ("Quantos comprimidos tomou?", "Um.", "value:1"),
        ("Quantos comprimidos tomou?", "Dois e meio.", "value:2.5"),
        ("Quanto pesou, em quilos?", "Setenta e oito, minto, setenta e nove.", "value:79"),
    ],
)
def test_portuguese_replies_are_read_by_their_own_idioms(question: str, reply: str, expected: str) -> None:
    """Verb echoes, negative concord, "pois", and "um", which counts in Portuguese only."""
    assert expected == told(read(question, reply, lang="pt-PT", flag="no" if "tomou" in question else "yes"))


@pytest.mark.parametrize(
    ("question", "reply", "expected"),
    [
        (PILLOWS, "Let me think... three.", "value:3"),
        (PILLOWS, "Um.", "not_an_answer"),
        (PILLOWS, "About three.", "value:3"),
        (PILLOWS, "Two or three.", "unclear"),
        (PILLOWS, "None.", "value:0"),
        (PILLOWS, "Twice.", "value:2"),
        (PILLOWS, "My brother slept on forty, you know.", "not_an_answer"),
        ("What did the scales say, in kilos?", "Seventy-eight, no, seventy-nine point one.", "value:79.1"),
        ("What did the scales say, in kilos?", "She was home in two days.", "not_an_answer"),
        ("What did the scales say, in kilos?", "Twelve stone.", "unclear"),
        ("What did the scales say, in kilos?", "I'm not getting on those scales for anybody.", "declined"),
        ("On a scale of zero to ten, how bad is it?", "Seven out of ten.", "value:7"),
        ("On a scale of zero to ten, how bad is it?", "Nine yesterday but today five.", "value:5"),
        ("What was your blood pressure?", "A hundred and twenty over eighty.", "value:120/80"),
        ("How long have you had it?", "Three days.", "value:3 days"),
        ("How often: never, sometimes, or often?", "Sometimes, I suppose.", "value:sometimes"),
        ("How often: never, sometimes, or often?", "Never. No, often.", "value:often"),
    ],
)
def test_values_are_read_once_and_in_the_unit_asked(question: str, reply: str, expected: str) -> None:
    """Corrections, ranges, foreign units, scales, options; never a guess."""
    assert expected == told(read(question, reply))


@pytest.mark.parametrize(
    ("heard", "reply", "expected"),
    [
        ("Have you had any", "No.", "not_an_answer"),
        ("Have you had any", "No, no pain.", "no"),
        ("Have you had any pain", "No.", "unclear"),
        ("Thank you for that.", "Mm-hmm.", "not_an_answer"),
        ("Right, about your eye.", "Yeah.", "not_an_answer"),
        ("The next one is personal.", "Yes, go on.", "not_an_answer"),
        ("", "Yes.", "not_an_answer"),
    ],
)
def test_words_that_were_never_heard_cannot_have_been_answered(heard: str, reply: str, expected: str) -> None:
    """A reply counts for the part that reached the listener, or names what was cut."""
    assert expected == told(read(PAIN, reply, flag="yes", heard=heard))


def test_a_cut_alternative_leaves_the_question_that_was_heard() -> None:
    """Only "or is it comfortable" was lost, so "no" is an answer, though not a certain one."""
    reading = read("Are you in pain, or is it comfortable?", "No.", flag="yes", heard="Are you in pain")

    assert (AnswerKind.NO, False) == (reading.kind, reading.certain)


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("He has, I gave him them myself.", "reported_by_third_party"),
        ("Yes, she did.", "reported_by_third_party"),
        ("It's been like a tomato since Friday.", "reported_by_third_party"),
        ("Dad, do you want the telly off?", "not_an_answer"),
        ("Tell her about your eye, George.", "not_an_answer"),
    ],
)
def test_a_third_party_reports_or_says_nothing_to_it(reply: str, expected: str) -> None:
    """Never yes, never no."""
    assert expected == told(read(PAIN, reply, flag="yes", speaker=ReplySpeaker.THIRD_PARTY))


@pytest.mark.parametrize(
    "reply", ["I'm her daughter, she's had no pain.", "I'm answering for my mum, no pain.", "He has, yes."]
)
def test_a_carer_in_the_patients_place_is_a_third_party(reply: str) -> None:
    """The words say so, whatever the voice was taken for."""
    assert AnswerKind.REPORTED_BY_THIRD_PARTY is read(PAIN, reply, flag="yes").kind


def test_only_a_plain_reply_to_the_whole_question_is_certain() -> None:
    """A hedge, an inference, a negative question or an unsure voice asks for one confirmation."""
    assert read(PAIN, "No, none at all.", flag="yes").certain
    assert not read(PAIN, "I don't think so.", flag="yes").certain
    assert not read(PAIN, "It's been fine.", flag="yes").certain
    assert not read("You haven't had any pain, have you?", "No.", flag="yes").certain
    assert not read(PAIN, "No, none at all.", flag="yes", speaker=ReplySpeaker.UNSURE).certain
    assert read(PAIN, "No, none at all.", flag="yes", speaker=ReplySpeaker.INFERRED).certain


def test_an_unknown_language_is_unclear() -> None:
    """No idiom of another language is borrowed."""
    assert AnswerKind.UNCLEAR is read("Haben Sie Schmerzen?", "No.", lang="de").kind


def test_the_reader_fits_the_seam() -> None:
    """Name and version are in every reading."""
    assert isinstance(READER, AnswerReader)
    assert f"{READER.name}@{READER.version}" == read(PAIN, "No.").reader


_CLOSING = {AnswerKind.YES, AnswerKind.NO, AnswerKind.VALUE, AnswerKind.DECLINED}
_PIECES = st.lists(
    st.sampled_from(["yes", "no", "not", "sorry", "wait", "i have", "he has", "three", "maybe", "go on", ",", ".", "?", "sim", "não", "pois"]),
    max_size=8,
).map(" ".join)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(
    reply=st.one_of(st.text(max_size=60), _PIECES),
    lang=st.sampled_from(["en", "pt-PT"]),
    question=st.sampled_from([PAIN, PILLOWS, CONSENT]),
)
def test_whatever_a_third_party_says_closes_nothing(reply: str, lang: str, question: str) -> None:
    """And no text raises."""
    assert read(question, reply, lang=lang, speaker=ReplySpeaker.THIRD_PARTY).kind not in _CLOSING


@settings(max_examples=150, deadline=None)
@given(reply=_PIECES)
def test_nothing_but_the_patients_own_words_is_certain_when_the_question_was_cut(reply: str) -> None:
    """A truncated question is never answered for certain."""
    reading = read(PAIN, reply, flag="yes", heard="Have you had any pain")

    assert not reading.certain or reading.kind is AnswerKind.DECLINED


@pytest.mark.parametrize(
    ("reply", "lang"),
    [
        ("I can't breathe.", "en"),
        ("I can't get my breath.", "en"),
        ("No. I can't get enough air at night.", "en"),
        ("Não consigo respirar.", "pt-PT"),
        ("Falta-me o ar.", "pt-PT"),
    ],
)
def test_not_being_able_to_breathe_is_never_a_no(reply: str, lang: str) -> None:
    """The words deny, but what they deny is breathing, not the symptom that was asked about."""
    asked = {"en": "Are you more short of breath than before?", "pt-PT": "Tem mais falta de ar do que antes?"}

    assert "yes" == told(read(asked[lang], reply, lang=lang, flag="yes")).split(":")[0]


@pytest.mark.parametrize("reply", ["Não tenho dor.", "Não, não tenho dor.", "Nunca tive dor.", "Não está a doer."])
def test_a_portuguese_no_before_a_verb_denies_it(reply: str) -> None:
    """Without a comma "não" belongs to the verb; it is no "no" that the rest takes back."""
    assert "no" == told(read("Tem alguma dor no olho?", reply, lang="pt-PT", flag="yes")).split(":")[0]


CHEST = {"en": "Have you had chest pain or sudden shortness of breath?", "pt-PT": "Teve dor no peito ou falta de ar?"}


@pytest.mark.parametrize(
    ("reply", "lang", "certain"),
    [
        ("No chest pain.", "en", False),
        ("No, I'm not short of breath.", "en", False),
        ("Não tive dor.", "pt-PT", False),
        ("No.", "en", True),
        ("No, nothing like that.", "en", True),
        ("No chest pain and no shortness of breath.", "en", True),
        ("Não, nada.", "pt-PT", True),
    ],
)
def test_a_no_to_one_of_several_symptoms_closes_nothing_unconfirmed(reply: str, lang: str, certain: bool) -> None:
    """What was asked in one breath is not all denied by a word about one of it."""
    reading = read(CHEST[lang], reply, lang=lang, flag="yes")

    assert (AnswerKind.NO, certain) == (reading.kind, reading.certain)


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("Have you missed one or more tablets?", "No, I have not missed any."),
        ("Have you seen any new floaters, such as dots or threads?", "No, no new floaters."),
        ("Are you more breathless or short of breath than before?", "No, not breathless."),
    ],
)
def test_an_amount_an_example_or_another_word_for_it_is_not_a_second_question(question: str, reply: str) -> None:
    """One thing asked, one no."""
    assert read(question, reply, flag="yes").certain


@pytest.mark.parametrize(
    ("reply", "lang", "expected"),
    [
        ("No pain and no shortness of breath.", "en", "no"),
        ("I don't have pain nor shortness of breath.", "en", "no"),
        ("Não tenho dor nem falta de ar.", "pt-PT", "no"),
        ("Sem dor e sem falta de ar.", "pt-PT", "no"),
        ("No pain and I am short of breath.", "en", "unclear"),
        ("Não tive dor e tenho falta de ar.", "pt-PT", "unclear"),
    ],
)
def test_a_second_denial_takes_nothing_back_and_what_is_told_beside_one_is_not_denied(
    reply: str, lang: str, expected: str
) -> None:
    """Two denials of two things are no double negative; a symptom told behind a denial is no denial."""
    assert expected == read(CHEST[lang], reply, lang=lang, flag="yes").kind.value


def test_a_symptom_joined_to_a_denial_is_not_taken_for_denied() -> None:
    """What stands behind the "and" can be heard both ways."""
    assert not read(CHEST["en"], "No pain and short of breath.", flag="yes").certain


@pytest.mark.parametrize(
    ("question", "reply", "lang"),
    [
        (CHEST["en"], "No, it's just a tightness.", "en"),
        (CHEST["en"], "No, except when I climb stairs.", "en"),
        (CHEST["en"], "No, well, last night there was something.", "en"),
        (CHEST["en"], "Not any more.", "en"),
        ("Do you have any pain in your eye?", "I can't bear the pain.", "en"),
        ("Do you have any pain in your eye?", "No relief from the pain.", "en"),
        ("Do you have any pain in your eye?", "It doesn't hurt unless I blink.", "en"),
        ("Tem alguma dor no olho?", "Não para de doer.", "pt-PT"),
        ("Tem alguma dor no olho?", "Já não.", "pt-PT"),
        (CHEST["pt-PT"], "O médico diz que não.", "pt-PT"),
        ("A sua visão ficou turva ou piorou?", "Não vejo nada.", "pt-PT"),
    ],
)
def test_a_no_with_a_limit_another_verb_or_unread_words_beside_it_is_not_certain(
    question: str, reply: str, lang: str
) -> None:
    """One confirmation costs a sentence; a red flag closed as a no may cost more."""
    reading = read(question, reply, lang=lang, flag="yes")

    assert not (reading.kind is AnswerKind.NO and reading.certain), reading


@pytest.mark.parametrize(
    "reply", ["No.", "No, none at all.", "No, thank you.", "I have no pain.", "Nope.", "No, never."]
)
def test_a_plain_no_still_closes(reply: str) -> None:
    """Who says no is not asked twice."""
    reading = read("Do you have any pain in your eye?", reply, flag="yes")

    assert (AnswerKind.NO, True) == (reading.kind, reading.certain)


@pytest.mark.parametrize(
    ("reply", "lang", "certain"),
    [
        ("Seven.", "en", True),
        ("Seven out of ten.", "en", True),
        ("Três não, oito.", "pt-PT", False),
        ("Uma dor insuportável.", "pt-PT", False),
        ("Not as low as two.", "en", False),
        ("One hundred.", "en", False),
    ],
)
def test_a_number_beside_another_a_denial_or_off_the_scale_is_not_certain(reply: str, lang: str, certain: bool) -> None:
    """A corrected or figurative number closes no pain score unconfirmed."""
    asked = {"en": "From zero to ten, how bad is the pain?", "pt-PT": "De zero a dez, qual a intensidade da dor?"}
    question = QuestionText(text=asked[lang], heard=asked[lang], language=lang, value_type="scale")
    reading = READER.read(question, reply, ReplySpeaker.PRIMARY)

    assert (reading.kind is AnswerKind.VALUE and reading.certain) is certain, reading
