"""A doubted no confirms no doubted no; a grade that may reach the red flag raises it at once."""

from __future__ import annotations

import pytest

from obligations import ReplySpeaker, Tracker, load_pathway
from obligations.answers.protocol import QuestionText
from obligations.answers.reader import LocalAnswerReader
from obligations.steering.moves import End, Speak
from obligations.testing import ScriptedCall

pytestmark = pytest.mark.unit

PATHWAY = load_pathway("cataract-followup")


def called(asked: str, replies: list[str], otherwise: str, language: str = "en") -> ScriptedCall:
    """Run a whole call: `replies` in turn to the question that holds `asked`, `otherwise` to every other one."""
    call = ScriptedCall(Tracker(PATHWAY, call_id="c", reader=LocalAnswerReader(), language=language))
    left = list(replies)

    def patient(move: Speak) -> str | None:
        if asked in move.text and left:
            return left.pop(0)
        return otherwise if "?" in move.text else None

    assert isinstance(call.run(patient), End)
    return call


def closed(call: ScriptedCall, question: str) -> list[str]:
    return [a.value for a in call.tracker.handoff("completed", call.now_s).answers if a.item_id == question]


@pytest.mark.parametrize(
    ("question", "asked", "reply"),
    [
        ("blurry-vision", "blurry", "No, everything's black."),
        ("blurry-vision", "blurry", "No, it's gone altogether."),
        ("pain", "pain in your eye", "No, well, only a ten out of ten."),
        ("redness", "redness", "My wife says it's bright red but no."),
        ("pain", "pain in your eye", "No thanks."),
        ("redness", "redness", "No thank you."),
    ],
)
def test_the_same_doubted_words_confirm_no_no(question: str, asked: str, reply: str) -> None:
    """It stays open for the hand-off, and the call does not count as complete."""
    call = called(asked, [reply, reply, reply], "No.")
    handoff = call.tracker.handoff("completed", call.now_s)

    assert ([], False) == (closed(call, question), handoff.complete)
    assert [("unconfirmed", "no")] == [
        (item.reason, item.doubtful_value) for item in handoff.open_items if item.item_id == question
    ]


@pytest.mark.parametrize(
    ("question", "asked", "replies"),
    [
        ("blurry-vision", "blurry", ["No, everything's black.", "No, it's all wavy."]),
        ("blurry-vision", "blurry", ["No, it's all wavy.", "No, it's just grey."]),
        ("pain", "pain in your eye", ["No thanks.", "No, only a ten."]),
        ("redness", "redness", ["Not really.", "No, it's bleeding."]),
    ],
)
def test_two_different_doubted_noes_confirm_no_no(question: str, asked: str, replies: list[str]) -> None:
    """What stands beside the second may say something else as well; so it does beside a hedge."""
    call = called(asked, replies, "No.")
    handoff = call.tracker.handoff("completed", call.now_s)

    assert ([], False) == (closed(call, question), handoff.complete)
    assert [("unconfirmed", "no")] == [
        (item.reason, item.doubtful_value) for item in handoff.open_items if item.item_id == question
    ]


@pytest.mark.parametrize(
    "second", ["No.", "No, like I said.", "Honestly, no.", "No, definitely not.", "No, it's lovely.", "No, touch wood."]
)
@pytest.mark.parametrize(("question", "asked"), [("blurry-vision", "blurry"), ("redness", "redness")])
def test_a_doubted_no_is_confirmed_as_people_do(question: str, asked: str, second: str) -> None:
    """Words that are known to be harmless stand beside a no without a doubt."""
    assert ["no"] == closed(called(asked, ["No, everything's wavy.", second], "No."), question)


@pytest.mark.parametrize("second", ["No.", "No, none at all."])
def test_a_plain_no_confirms_them(second: str) -> None:
    """One confirmation is enough when it is plain."""
    assert ["no"] == closed(called("pain in your eye", ["No thanks.", second], "No."), "pain")


@pytest.mark.parametrize("hedge", ["I don't think so.", "Not really."])
def test_a_hedge_said_again_is_confirmed(hedge: str) -> None:
    """Nothing stands beside it that could say something else."""
    assert ["no"] == closed(called("pain in your eye", [hedge, hedge], "No."), "pain")


@pytest.mark.parametrize(
    ("language", "reply"),
    [
        ("en", "Eight or nine when I move."),
        ("en", "nine or ten"),
        ("en", "seven, eight"),
        ("en", "Between six and eight."),
        ("en", "More than six."),
        ("en", "More than six out of ten."),
        ("en", "At least six."),
        ("en", "Two, but nine at night."),
        ("en", "A nine when I move, three at rest."),
        ("en", "Nearly eight."),
        ("en", "Off the scale."),
        ("en", "About a hundred."),
        ("en", "Zero... no, eleven."),
        ("pt-PT", "Oito ou nove."),
        ("pt-PT", "Mais de seis."),
        ("pt-PT", "Dois, mas nove à noite."),
    ],
)
def test_a_range_or_bound_in_the_band_is_flagged_whatever_closes_later(language: str, reply: str) -> None:
    """Uncertain, at once, and it stays though a plain three follows."""
    pt = language == "pt-PT"
    asked = "intensidade da dor" if pt else "how bad is the pain"
    later = "Três." if pt else "Three."
    call = called(asked, [reply, later, later], "Sim." if pt else "Yes.", language)
    flags = [(f.item_id, f.certain) for f in call.tracker.ledger.call.red_flags if f.item_id == "pain.severe"]

    assert ([("pain.severe", False)], ["3"]) == (flags, closed(call, "pain.severe"))


@pytest.mark.parametrize(
    "reply",
    [
        "Two or three.",
        "2 or 3/10.",
        "Less than seven.",
        "Not more than six.",
        "Eight, no, five.",
        "From nought to ten?",
        "I took two tablets at nine.",
        "I was born in 1947.",
    ],
)
def test_what_does_not_reach_it_is_not_suspected(reply: str) -> None:
    """Neither the scale's own end, an hour, a year, nor a number that was taken back."""
    asked: QuestionText = PATHWAY.question_text("pain.severe", "en")
    reading = LocalAnswerReader().read(asked, reply, ReplySpeaker.PRIMARY)

    assert reading.suspects is None
