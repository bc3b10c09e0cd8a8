"""A person works through the pathway: their own questions are found, and what they took for an answer is one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from obligations.answers.protocol import ReplySpeaker
from obligations.answers.reader import LocalAnswerReader
from obligations.ledger.states import State
from obligations.pathway import Pathway
from obligations.testing.pathways import a_pathway, a_question
from pipecat_interrupt.replay.asked import AskedByAPerson
from pipecat_interrupt.replay.engine import Replayed, replay_timeline
from pipecat_interrupt.replay.settings import ReplaySettings
from pipecat_interrupt.replay.taken import Receipt, TakenReader, receipt_of
from pipecat_interrupt.replay.values import Piece
from tests.pipecat_interrupt.replay.calls import call, piece

pytestmark = pytest.mark.unit

PERSON = ReplaySettings(agent_is="person")


def _pathway(*, critical: bool = False) -> Pathway:
    return a_pathway(
        a_question("onset", "When did this start?", "start", value_type="text"),
        a_question("duration", "How long have you had this?", "how long", value_type="duration"),
        a_question("fever", "Have you had any fever?", "fever", critical=critical),
        a_question("bowels", "Are your bowels working well?", "bowels"),
        a_question("breath", "Are you short of breath?", "breath"),
        a_question("before", "Have you had this before?", "before"),
        a_question("allergies", "Do you have any allergies?", "allergies"),
        a_question("medicine", "Do you take any medication?", "medication"),
        a_question("family", "Does anybody in your family have this?", "family"),
        a_question("work", "What do you do for work?", "work", value_type="text"),
        a_question("birth", "What is your date of birth?", "date of birth", value_type="date"),
    )


def _replayed(*turns: tuple[str, str], settings: ReplaySettings = PERSON, pathway: Pathway | None = None) -> Replayed:
    """A call in which the two speak in turn, half a second apart; the first of each pair is "D" or "P"."""
    agent, far = list[Piece](), list[Piece]()
    at_s = 0.5
    for who, text in turns:
        said = piece(at_s, text)
        (agent if who == "D" else far).append(said)
        at_s = said.end_s + 1.0
    return replay_timeline(call(agent, far), pathway or _pathway(), settings)


def _answer(done: Replayed, item_id: str) -> str | None:
    assert done.tracker is not None
    answer = done.tracker.ledger.items[item_id].answer
    return answer.value if answer is not None else None


def _asked(text: str) -> list[str]:
    return [span.id for span in AskedByAPerson(_pathway(), "en").find(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Um, any temperatures or fevers?", ["fever"]),
        ("So your bowels are working OK?", ["bowels"]),
        ("No fever, no breathing difficulties?", ["fever", "breath"]),
        ("And any allergies", ["allergies"]),
        ("Do you have any allergies to any medication?", ["allergies"]),
        ("Have you had this before, in the past?", ["before"]),
        ("Before we start, could I confirm your name and date of birth?", ["birth"]),
        ("When did your symptoms all start?", ["onset"]),
        ("Can you remember when it started?", ["onset"]),
        ("What were you doing when the symptoms started?", []),
        ("Is there anything that may have caused it to start?", []),
        ("How long has this been going on for?", ["duration"]),
        ("How long did it last?", []),
        ("How long have you been taking that medication?", []),
        ("You mentioned you work in a bank, is that right?", []),
        ("Is it cramping, burning, sharp?", []),
        ("I will send you for a test of your breath.", []),
    ],
)
def test_a_persons_questions_are_found(text: str, found: list[str]) -> None:
    """By another form of the focus, several in a breath, without a mark; a time is never asked by a yes/no question."""
    assert _asked(text) == found


def test_a_portuguese_question_is_found_too() -> None:
    """The tables are kept a language; one that has none finds nothing."""
    pathway = a_pathway(a_question("fever", "Tem tido febre?", "febre", language="pt-PT"), language="pt-PT")

    assert [s.id for s in AskedByAPerson(pathway, "pt-PT").find("E alguma febre, nestes dias?")] == ["fever"]


@pytest.mark.parametrize(
    ("turns", "reply", "found"),
    [
        (["OK, and any cough?"], "Not that I noticed, no.", Receipt(True, True)),
        (["No, OK."], "No. Just very itchy.", Receipt(True, True, "no")),
        (["No, no problem at all."], "No. Just very itchy.", Receipt(True, True)),
        (["Six weeks, right."], "About six weeks.", Receipt(True, True)),
        (["And your address for me?"], "About six weeks.", Receipt(True)),
        (["Sorry, say that again?"], "About six weeks.", Receipt(False)),
        (["Mm-hmm.", "OK. Do you smoke?"], "It comes and goes.", Receipt(True, True)),
        (["Yeah."], "It comes and goes.", Receipt(True, True)),
        ([], "It comes and goes.", Receipt(False)),
    ],
)
def test_what_the_asker_made_of_a_reply(turns: list[str], reply: str, found: Receipt) -> None:
    """Going on is one thing, receiving it another, saying it back a third; a repair is none of them."""
    assert receipt_of(turns, reply, "en") == found


def test_a_doubtful_no_that_the_asker_received_is_an_answer() -> None:
    """Words beside a no leave it open for the reader of words; "Itchy. OK." takes it."""
    turns = (("D", "Have you noticed any fevers?"), ("P", "No. just very itchy."), ("D", "Itchy. OK. Now then."))

    assert _answer(_replayed(*turns), "fever") == "no"
    assert _answer(_replayed(*turns, settings=ReplaySettings(agent_is="software")), "fever") is None


def test_an_answer_in_the_patients_own_words_is_kept_as_said() -> None:
    """Neither yes nor no, received by the asker: the value is the reply's own words, without its question back."""
    done = _replayed(
        ("D", "And what do you do for work?"),
        ("P", "I work for a bank as a clerk. Do you want to know more?"),
        ("D", "No, that's fine. Do you have any allergies?"),
    )

    assert _answer(done, "work") == "I work for a bank as a clerk"


def test_who_asks_again_has_no_answer() -> None:
    """A reply that the asker did not get closes nothing; the question stays put, and the next reply answers it."""
    turns = [("D", "Any fever at all?"), ("P", "Well I was warm perhaps."), ("D", "Sorry, what was that?")]

    assert _answer(_replayed(*turns), "fever") is None
    assert _answer(_replayed(*turns, ("P", "I said no."), ("D", "No, OK.")), "fever") == "no"


def test_asked_the_other_way_round_a_yes_is_a_no() -> None:
    """Who says yes to "your breathing's all OK?" is not short of breath."""
    done = _replayed(("D", "OK. But your breathing's all OK, yeah?"), ("P", "Yeah. Yeah."), ("D", "Good. Now then."))

    assert _answer(done, "breath") == "no"


def test_an_ok_before_the_question_does_not_turn_it() -> None:
    """The receipt that opens a turn is no part of what is asked in it."""
    done = _replayed(("D", "OK, so are you breathless?"), ("P", "Yes."), ("D", "Right. Now then."))

    assert _answer(done, "breath") == "yes"


def test_asking_for_the_rest_takes_nothing_back() -> None:
    """A no to "any other family history?" denies none of what was told."""
    done = _replayed(
        ("D", "Anything in your family?"),
        ("P", "Yes, my mother has it."),
        ("D", "OK. Any other family history?"),
        ("P", "No."),
        ("D", "OK."),
    )

    assert _answer(done, "family") == "yes"


def test_a_reply_that_names_the_first_of_two_questions_answers_that_one() -> None:
    """Two questions in one breath, and the reply says which it is for."""
    done = _replayed(("D", "Any allergies? Any fever?"), ("P", "No, no allergies."), ("D", "OK. Now then."))

    assert _answer(done, "allergies") == "no"
    assert _answer(done, "fever") is None


@pytest.mark.parametrize(
    ("asked", "reply", "then", "found"),
    [
        ("Any fever, any allergies, any medication?", "No.", "OK. Now then.", ["fever", "allergies", "medicine"]),
        ("No fever or breathing difficulties?", "No, nothing.", "OK. Now then.", ["fever", "breath"]),
        ("Any fever, any allergies?", "No, no allergies.", "OK. Now then.", ["allergies"]),
        ("Any fever? Any allergies?", "No.", "OK. Now then.", ["allergies"]),
        ("Any fever, any allergies?", "Not really, well, a cough.", "OK. Now then.", []),
        ("Any fever, any allergies?", "No.", "And any fever?", ["allergies"]),
        ("Are your bowels working well, any allergies?", "No.", "OK. Now then.", ["allergies"]),
    ],
)
def test_a_no_to_a_list_answers_the_whole_list(asked: str, reply: str, then: str, found: list[str]) -> None:
    """One that names an item answers that; what the asker asks again for is not answered."""
    done = _replayed(("D", asked), ("P", reply), ("D", then))

    ids = ("onset", "fever", "breath", "bowels", "allergies", "medicine")
    assert found == [item_id for item_id in ids if _answer(done, item_id) == "no"]


def test_a_no_to_a_list_closes_nothing_critical() -> None:
    """What stands in the middle of a list is asked for by itself where it is critical."""
    turns = (("D", "Any fever, any allergies?"), ("P", "No."), ("D", "OK. Now then."))

    done = _replayed(*turns, pathway=_pathway(critical=True))

    assert [None, "no"] == [_answer(done, item_id) for item_id in ("fever", "allergies")]


def test_an_age_is_no_date_of_birth() -> None:
    """A value must be able to be what was asked for, whoever received it."""
    turns = [("D", "Can I have your date of birth?"), ("P", "Uh, I am forty years old."), ("D", "OK, fine. Thank you.")]

    assert _answer(_replayed(*turns), "birth") is None


def test_a_critical_question_is_closed_by_nobodys_ok() -> None:
    """What the asker received closes only what is not critical."""
    turns = (("D", "Have you noticed any fevers?"), ("P", "No. just very itchy."), ("D", "Itchy. OK. Now then."))

    done = _replayed(*turns, pathway=_pathway(critical=True))

    assert done.tracker is not None
    assert done.tracker.ledger.items["fever"].state is State.ASKED


@pytest.mark.parametrize("fields", [{"critical": True}, {"red_flag_answers": ("yes",)}])
def test_a_question_with_a_red_flag_is_read_as_live(fields: dict[str, object]) -> None:
    """The reader that holds a reply against a receipt passes such a question through."""
    pathway = a_pathway(a_question("fever", "Have you had any fever?", "fever", **fields))  # pyright: ignore[reportArgumentType]
    question = pathway.question_text("fever", "en")
    taken = TakenReader(LocalAnswerReader(), pathway, "en")
    taken.to(question.text, Receipt(True, True, "no"), question.text)

    for reply in ("No. just very itchy.", "Well, no, you see.", "It comes and goes."):
        live = LocalAnswerReader().read(question, reply, ReplySpeaker.PRIMARY)
        assert live == taken.read(question, reply, ReplySpeaker.PRIMARY)


def test_another_voice_is_held_against_no_receipt() -> None:
    """A third party's words answer nothing, whatever the asker made of them."""
    pathway = _pathway()
    question = pathway.question_text("fever", "en")
    taken = TakenReader(LocalAnswerReader(), pathway, "en")
    taken.to(question.text, Receipt(True, True, "no"), question.text)

    for speaker in (ReplySpeaker.THIRD_PARTY, ReplySpeaker.UNSURE):
        assert not taken.read(question, "No. just very itchy.", speaker).certain


def test_a_transcript_that_names_the_patient_knows_the_voice() -> None:
    """Who tells of a husband mid-call does not become somebody else on the line."""
    turns = [
        ("D", "Are you working at the moment?"),
        ("P", "He said he's had this for a while, my husband. He doesn't work."),
        ("D", "OK. Any fever at all?"),
        ("P", "No."),
        ("D", "OK."),
    ]
    agent = [piece(5.0 * i, text) for i, (who, text) in enumerate(turns) if who == "D"]
    far = [piece(5.0 * i, text) for i, (who, text) in enumerate(turns) if who == "P"]

    done = replay_timeline(replace(call(agent, far), by_person=True, patient_named=True), _pathway(), ReplaySettings())

    assert _answer(done, "fever") == "no"
    assert done.tracker is not None
    assert {reply.speaker for reply in done.tracker.ledger.call.replies.values()} == {ReplySpeaker.PRIMARY}
