"""What people say instead of yes or no is read by what was asked, and never as a plain answer."""

from __future__ import annotations

import pytest

from obligations.answers.idioms import idioms_for
from obligations.answers.protocol import AnswerKind, AnswerReading, QuestionText, ReplySpeaker
from obligations.answers.reader import LocalAnswerReader
from obligations.answers.tells import families_asked, load_families, told
from obligations.coverage.flat import flatten

pytestmark = pytest.mark.unit

FALLEN = "Have you fallen since you came home?"
BOWELS = "Have your bowels opened since the operation?"
WOUND = "Is the wound smelly at all?"
DIZZY = "Tem tido tonturas?"


def read(question: str, reply: str, language: str = "en", flag: str = "yes") -> AnswerReading:
    asked = QuestionText(text=question, heard=question, language=language, red_flag_answers=(flag,))
    return LocalAnswerReader().read(asked, reply, ReplySpeaker.PRIMARY)


@pytest.mark.parametrize(
    ("question", "reply", "language", "flag", "kind"),
    [
        (FALLEN, "Landed on my backside in the pantry.", "en", "yes", AnswerKind.YES),
        (FALLEN, "I've kept on my feet all week.", "en", "yes", AnswerKind.NO),
        (BOWELS, "I'm blocked solid, pet.", "en", "no", AnswerKind.NO),
        (BOWELS, "Went this morning, great relief.", "en", "no", AnswerKind.YES),
        (WOUND, "It pongs something awful.", "en", "yes", AnswerKind.YES),
        (DIZZY, "O quarto anda à roda de manhã.", "pt-PT", "yes", AnswerKind.YES),
    ],
)
def test_a_tell_answers_but_is_confirmed_first(
    question: str, reply: str, language: str, flag: str, kind: AnswerKind
) -> None:
    reading = read(question, reply, language, flag)

    assert (kind, False) == (reading.kind, reading.certain)


def test_a_denial_before_a_tell_turns_it() -> None:
    assert AnswerKind.NO is read(FALLEN, "I haven't landed on my backside once.").kind


@pytest.mark.parametrize("reply", ["My brother landed on his backside.", "I fell off a ladder when I was a lad."])
def test_what_is_told_of_somebody_else_or_of_long_ago_tells_nothing(reply: str) -> None:
    assert read(FALLEN, reply).kind in {AnswerKind.NOT_AN_ANSWER, AnswerKind.UNCLEAR}


def test_another_family_says_nothing_about_what_was_asked() -> None:
    """A red line is no smell."""
    assert AnswerKind.NO is read(WOUND, "No smell, but there's a red line up my arm.").kind


def test_a_question_for_the_opposite_turns_the_tell() -> None:
    asked = families_asked(flatten("Are you constipated?", "en"), "en")
    idioms = idioms_for("en")

    assert idioms is not None
    assert told("bunged up solid", asked, idioms.negators) is True


@pytest.mark.parametrize("language", ["en", "pt"])
def test_every_family_says_what_asks_for_it_and_what_tells_it(language: str) -> None:
    families = load_families(language)

    assert len({f.name for f in families}) == len(families) > 20
    assert all(f.asks.pattern != "(?!)" and f.so.pattern != "(?!)" for f in families)


def test_a_missing_file_is_the_authors_error() -> None:
    """It raises at import, not in a call."""
    with pytest.raises(FileNotFoundError):
        load_families("xx")
