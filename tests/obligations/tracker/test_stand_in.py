"""Somebody on the line says that they are not the patient: what they say is a report until the patient has come."""

from __future__ import annotations

from functools import cache

import pytest

from obligations import ReplySpeaker, Tracker, load_pathway
from obligations.answers.reader import LocalAnswerReader
from obligations.handoff import Handoff
from obligations.ledger import Ledger
from obligations.steering import End, Listen, Speak
from obligations.testing import ScriptedCall
from obligations.tracker import Reply
from obligations.tracker.language import plain
from obligations.tracker.language.stand_in import stand_in_table

pytestmark = pytest.mark.unit

REDNESS = {"en": "redness in your eye", "pt-PT": "vermelhidão no olho"}
NO = {"en": "No.", "pt-PT": "Não."}
WIFE = {
    "en": "He's asleep, this is his wife. No redness.",
    "pt-PT": "Ele está a dormir, fala a mulher dele. Não tem vermelhidão.",
}
WHO = {"en": "Am I speaking with the patient now?", "pt-PT": "Estou agora a falar com o doente?"}
GREETING = {"en": "Hello, I am calling from the eye clinic", "pt-PT": "Bom dia, ligo da clínica dos olhos"}
SYMPTOMS = {"redness", "pain", "blurry-vision", "floaters", "flashing-lights"}


loaded = cache(load_pathway)


def a_call(language: str = "en", pathway: str = "cataract-followup") -> ScriptedCall:
    tracker = Tracker(loaded(pathway), call_id="c", language=language, reader=LocalAnswerReader())
    return ScriptedCall(tracker)


def play(call: ScriptedCall, language: str, *script: tuple[str, str | None], default: str | None = "") -> Handoff:
    """Play a call to its end: a reply to the first utterance that holds its words, else `default` to each question."""
    left, last = list(script), ""
    default = NO[language] if default == "" else default
    for _ in range(200):
        move = call.move()
        if isinstance(move, End):
            return call.tracker.handoff(move.reason, call.now_s)
        if isinstance(move, Speak):
            call.say(move.text)
            last = move.text
            continue
        assert isinstance(move, Listen)
        found = next((entry for entry in left if entry[0] in last), None)
        reply = found[1] if found else default if last.endswith("?") else None
        if found:
            left.remove(found)
        last = ""
        if reply is not None:
            call.hear(reply)
        elif move.until_s is not None:
            call.now_s = max(call.now_s, move.until_s)
    raise AssertionError("the call does not end")


def only_reported(handoff: Handoff) -> set[str]:
    return {item.item_id for item in handoff.open_items if item.reason == "third_party_only"}


@pytest.mark.parametrize("language", ["en", "pt-PT"])
def test_the_voice_that_said_it_is_the_wife_confirms_nothing_for_the_patient(language: str) -> None:
    """She is asked once whether the patient is on the line; all her answers stay reports; the call is not complete."""
    call = a_call(language)

    handoff = play(call, language, (REDNESS[language], WIFE[language]))

    assert SYMPTOMS == only_reported(handoff)
    assert () == handoff.answers
    assert {"no"} == {item.reported_value for item in handoff.open_items}
    assert not handoff.complete
    assert 1 == sum(WHO[language] in text for text in call.spoken)
    assert 1 == sum(REDNESS[language] in text for text in call.spoken)


@pytest.mark.parametrize("language", ["en", "pt-PT"])
def test_a_symptom_the_wife_tells_is_flagged_at_once(language: str) -> None:
    """A report raises the flag, uncertain, in the words it was told in."""
    told = {
        "en": "This is his wife, he's asleep. Yes, it is very red.",
        "pt-PT": "Sou a mulher dele, ele está a dormir. Sim, está muito vermelho.",
    }[language]
    call = a_call(language)
    call.until_listening()

    call.hear(told)

    flags = call.tracker.handoff("hang_up", call.now_s).red_flags
    assert [("redness", "yes", False, ReplySpeaker.THIRD_PARTY, told)] == [
        (flag.item_id, flag.value, flag.certain, flag.speaker, flag.quote) for flag in flags
    ]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Yes."),
        ("en", "Yes, I am."),
        ("en", "Yes, speaking."),
        ("en", "It's me, I'm awake now."),
        ("en", "This is Mr. Brown."),
        ("pt-PT", "Sim."),
        ("pt-PT", "Sim, sou eu."),
        ("pt-PT", "Já estou acordado."),
        ("pt-PT", "Fala o senhor Costa."),
    ],
)
def test_the_patient_is_never_locked_out(language: str, words: str) -> None:
    """One plain reply settles it: the opening is told to the patient, the report is confirmed once, the rest asked."""
    call = a_call(language)

    handoff = play(call, language, (REDNESS[language], WIFE[language]), (WHO[language], words))

    assert handoff.complete
    assert SYMPTOMS == {answer.item_id for answer in handoff.answers}
    assert {ReplySpeaker.PRIMARY} == {answer.speaker for answer in handoff.answers}
    assert 2 == sum(GREETING[language] in text for text in call.spoken)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Yes, this is his wife."),
        ("en", "No, I'm still his wife."),
        ("en", "It's me, his wife."),
        ("en", "This is Mrs. Brown."),
        ("en", "What?"),
        ("pt-PT", "Sim, é a mulher dele."),
        ("pt-PT", "Sou eu, a mulher."),
        ("pt-PT", "Não."),
    ],
)
def test_words_that_are_not_the_patients_settle_nothing(language: str, words: str) -> None:
    """Only the patient's own word moves the call back to them."""
    call = a_call(language)

    handoff = play(call, language, (REDNESS[language], WIFE[language]), (WHO[language], words))

    assert SYMPTOMS == only_reported(handoff)


@pytest.mark.parametrize(
    ("language", "fetch", "wait"),
    [("en", "I'll get him.", "I will wait"), ("pt-PT", "Vou chamá-lo.", "eu espero")],
)
def test_whoever_is_fetched_is_the_patient(language: str, fetch: str, wait: str) -> None:
    """The agent waits, greets whoever comes, and asks them themselves."""
    call = a_call(language)
    hello = {"en": "Hello?", "pt-PT": "Estou?"}[language]

    handoff = play(call, language, (REDNESS[language], WIFE[language]), (WHO[language], fetch), (wait, hello))

    assert handoff.complete
    assert 2 == sum(GREETING[language] in text for text in call.spoken)


@pytest.mark.parametrize(
    ("language", "here"),
    [
        ("en", "He's here now."),
        ("en", "I'll put him on."),
        ("pt-PT", "Ele já está aqui."),
        ("pt-PT", "Passo-lhe o telefone."),
    ],
)
def test_a_telephone_handed_over_is_the_patients(language: str, here: str) -> None:
    """What comes behind the words that hand it over is the patient's."""
    call = a_call(language)

    handoff = play(call, language, (REDNESS[language], WIFE[language]), (WHO[language], here))

    assert handoff.complete


def test_a_symptom_in_the_patients_first_words_is_flagged() -> None:
    """They answer nothing, as they were said to another person's question, and are not lost."""
    call = a_call()

    handoff = play(
        call,
        "en",
        (REDNESS["en"], WIFE["en"]),
        ("pain in your eye", "It's me, I'm awake now. It hurts terribly."),
    )

    assert [("pain", "yes", False)] == [(f.item_id, f.value, f.certain) for f in handoff.red_flags]


def test_a_carer_to_whom_the_patient_handed_the_call_answers_as_before() -> None:
    """The patient's own word stands: nobody asks for the patient, and the answers rest on that word."""
    call = a_call()

    handoff = play(call, "en", (REDNESS["en"], "Please talk to my wife."), (REDNESS["en"], "This is his wife. No."))

    assert handoff.complete
    assert {"Please talk to my wife."} == {answer.confirmation_quote for answer in handoff.answers}
    assert all(WHO["en"] not in text for text in call.spoken)


def test_a_carer_who_hands_the_call_to_herself_answers_nothing() -> None:
    """To say "I will answer for him" is her own word, not the patient's."""
    call = a_call()

    handoff = play(call, "en", (REDNESS["en"], "I will answer for him. No redness."))

    assert SYMPTOMS == only_reported(handoff)


def test_whoever_is_on_the_line_may_end_the_call() -> None:
    """What she asks of the call counts, whoever she is."""
    call = a_call()

    handoff = play(call, "en", (REDNESS["en"], WIFE["en"]), (WHO["en"], "No. Please stop calling."))

    assert "patient_ended" == handoff.end_reason


def test_a_voice_the_gate_knows_is_the_patients() -> None:
    """The gate's word is evidence too; a voice it only holds to be theirs is none."""
    for known, expected in ((True, "answered"), (False, "asked")):
        call = a_call()
        call.until_listening()
        call.hear(WIFE["en"])
        call.say("Do you have any pain in your eye?")
        call.tracker.reply(Reply(text="No.", now_s=call.now_s + 1, by_voice=known))

        assert expected == str(call.tracker.ledger.items["pain"].state)


@pytest.mark.parametrize("language", ["en", "pt-PT"])
def test_behind_a_right_party_check_she_is_told_nothing_clinical(language: str) -> None:
    """The patient was found to be on the line and somebody else has taken it since: the patient is asked for."""
    call = a_call(language, "heart-failure-discharge")
    fetch = {"en": "Could you ask the patient to come", "pt-PT": "Pode chamar o doente"}[language]
    say = {"en": ("Yes.", "This is his wife."), "pt-PT": ("Sim.", "Fala a mulher dele.")}[language]
    call.tracker.signal("human-answered", True, 0.0)
    call.until_listening()
    call.hear(say[0])
    asked = call.until_listening()[-1]
    call.hear(say[1])

    spoken = call.until_listening()
    call.hear(NO[language])

    assert [True] == [fetch in move.text for move in spoken]
    assert "asked" == str(call.tracker.ledger.items[asked.item_ids[0]].state)
    assert not call.tracker.ledger.items[asked.item_ids[0]].answer


def test_a_worker_that_goes_on_knows_who_is_on_the_line() -> None:
    """It stands in the events: a replayed ledger is the same."""
    call = a_call()
    call.until_listening()
    call.hear(WIFE["en"])
    ledger = call.tracker.ledger

    again = Ledger.replay(ledger.pathway, ledger.events)

    assert ledger.digest() == again.digest()
    assert "someone_else" in again.call.standing


PATIENTS = [
    ("en", "My husband is asleep."),
    ("en", "My husband looks at it. He's out."),
    ("en", "It's the nurse who puts the drops in."),
    ("en", "I will ask my daughter."),
    ("en", "My daughter drives me."),
    ("en", "It is his wife's fault."),
    ("en", "I am better now."),
    ("en", "No, it's always red."),
    ("pt-PT", "O meu marido está a dormir."),
    ("pt-PT", "A minha filha põe-me as gotas."),
    ("pt-PT", "Vou perguntar à minha filha."),
    ("pt-PT", "É a enfermeira que põe as gotas."),
    ("pt-PT", "Não, está tudo bem."),
]


@pytest.mark.parametrize(("language", "words"), PATIENTS)
def test_a_patient_who_speaks_of_others_stays_the_patient(language: str, words: str) -> None:
    """Words about a husband or a daughter name nobody else as the speaker."""
    call = a_call(language)
    call.until_listening()

    call.hear(words)

    assert "someone_else" not in call.tracker.ledger.call.standing


ANOTHER = [
    ("en", "I'm her daughter."),
    ("en", "Hello, this is John's wife speaking."),
    ("en", "His wife here."),
    ("en", "You're talking to her carer."),
    ("en", "She's not here."),
    ("en", "I'm speaking on his behalf."),
    ("pt-PT", "Sou a filha."),
    ("pt-PT", "Daqui fala o marido."),
    ("pt-PT", "É a filha dela."),
    ("pt-PT", "Eu respondo por ela."),
]


@pytest.mark.parametrize(("language", "words"), ANOTHER)
def test_ways_to_say_that_one_is_not_the_patient(language: str, words: str) -> None:
    """Each is taken for it, in a reply to a question about the eye."""
    call = a_call(language)
    call.until_listening()

    call.hear(words)

    assert "someone_else" in call.tracker.ledger.call.standing


def test_a_language_without_a_table_names_nobody() -> None:
    """Nothing is guessed."""
    assert stand_in_table("xx").introduces.search(plain("This is his wife.")) is None
