"""What the person who asked made of a reply: took it for an answer, said it back, or asked again.

Owns that reading, and the answer reader that rests on it. On a recording the next thing the asker says is known. People
seldom answer in plain words, and who asked says whether that was an answer: "No, OK." closes what "Not that I've
noticed, just the itching" leaves open for any reader of words. Critical questions and those with a red flag are read as
live: nobody's "OK" closes them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from obligations.answers.protocol import AnswerKind, AnswerReader, AnswerReading, QuestionText, ReplySpeaker
from obligations.coverage.text import tokenise
from obligations.pathway.models import Pathway
from obligations.pathway.words import forms_of
from pipecat_interrupt.replay.person_words import PersonWords, person_words

VALUE_CHARS_MAX = 200
"""Longest value in the patient's own words: a sentence or two, as a report is quoted."""

OWN_WORDS_MIN = 3
"""Fewer words of a reply that says neither yes nor no are no answer to a yes/no question by themselves."""

AGAIN_WORDS_MAX = 8
"""An utterance of more words asks something of its own."""

DATE_NUMBERS_MIN = 2
"""So many numbers make a date where no month or day is named; one is an age."""

RECEIPT_WORDS = 5
"""A receipt stands among so many first words of a turn."""

READER = "taken-by-the-asker@1"

_SENTENCE = re.compile(r"[^.!?…]+[.!?…]*")
_VALUED = frozenset({AnswerKind.YES, AnswerKind.NO, AnswerKind.VALUE})


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the asker said to a reply.

    Parameters:
        went_on: They asked or said something else and did not ask the same again.
        taken: They received it as an answer besides ("OK.", "Six weeks, right.").
        says: The answer they said back, where it was a yes or a no and the reply holds one of that kind too.
    """

    went_on: bool
    taken: bool = False
    says: Literal["yes", "no"] | None = None


NOT_TAKEN = Receipt(went_on=False)


def receipt_of(turns: Sequence[str], reply: str, language: str) -> Receipt:
    """Read what the asker said to a reply.

    Args:
        turns: What they said next, in order, up to the utterance with which they went on; whoever asks the same
            question again in it is not to be given here.
        reply: The reply.
        language: BCP 47 tag; a language without a table takes nothing.
    """
    table = person_words(language)
    if table is None or not turns:
        return NOT_TAKEN
    said = " ".join(turns)
    first = " ".join(forms_of(said[: said.find("?")])) + "?" if "?" in said else " ".join(forms_of(said))
    if table.repair.search(first):
        return NOT_TAKEN
    heads = [_head(turn, table) for turn in turns]
    heads = [head for head in heads if not table.listens.match(head)] or heads[-1:]
    if not any(_received(head, table) or _says_back(head, reply) for head in heads):
        return Receipt(went_on=True)
    if any(table.no.match(head) for head in heads):
        return Receipt(True, True, "no" if _holds(reply, table.no) else None)
    yes = any(table.yes.match(head) for head in heads) and _holds(reply, table.yes) and not _holds(reply, table.no)
    return Receipt(True, True, "yes" if yes else None)


def _holds(reply: str, wanted: re.Pattern[str]) -> bool:
    words = forms_of(reply)
    return any(wanted.match(" ".join(words[k:])) for k in range(len(words)))


def _received(head: str, table: PersonWords) -> bool:
    """Whether it opens with a receipt, or has a short one behind what it says back ("Early sixties, OK.")."""
    near = head.split()[:RECEIPT_WORDS]
    return table.receipt.match(head) is not None or any(word in table.received for word in near)


def asks_again(text: str, language: str) -> bool:
    """Whether an utterance says nothing but that its speaker did not get the answer."""
    table = person_words(language)
    short = len(forms_of(text)) <= AGAIN_WORDS_MAX
    return table is not None and short and table.repair.search(_marked(text)) is not None


def _marked(text: str) -> str:
    """A text in plain forms, with its question mark."""
    return " ".join(forms_of(text)) + ("?" if "?" in text else "")


def asks_rest(text: str, language: str) -> bool:
    """Whether a question asks for what there is beside what was told ("any other ...?", "anything else?")."""
    table = person_words(language)
    return table is not None and table.rest.search(" ".join(forms_of(text))) is not None


def denies(text: str, language: str) -> bool:
    """Whether a reply opens with a plain no."""
    table = person_words(language)
    return table is not None and table.no.match(_head(text, table)) is not None


def asks_well(text: str, language: str) -> bool:
    """Whether a question asks if something is as it should be: a no to it tells of something."""
    table = person_words(language)
    return table is not None and _asks_well(text, table)


def _asks_well(text: str, table: PersonWords) -> bool:
    """Whether a question asks if something is as it should be."""
    return table.well.search(_head(text, table, past_receipts=True)) is not None


def received(turn: str, language: str) -> bool:
    """Whether a turn opens by taking what was said for an answer."""
    table = person_words(language)
    return table is not None and _received(_head(turn, table), table)


def _head(turn: str, table: PersonWords, *, past_receipts: bool = False) -> str:
    """A turn from its first word that is no mere sound, in plain forms."""
    words = forms_of(turn)
    at = 0
    while at < len(words) - 1 and words[at] in table.hesitates:
        if table.receipt.match(words[at]) and not past_receipts:
            break
        at += 1
    return " ".join(words[at:])


def _says_back(head: str, reply: str) -> bool:
    """Whether it begins with a word of the reply that says something ("Six weeks, OK")."""
    first = [form for form in head.split()[:3] if len(form) > 2]
    return any(form in forms_of(reply) for form in first)


class TakenReader:
    """Reads a reply as another reader does, and holds it against what the asker made of it.

    Not pure over a call: `to` says before each reply which question it may answer and what was made of it.

    Args:
        reader: Reads the words.
        pathway: Tells which questions nobody's receipt closes.
        language: BCP 47 tag of its wordings.
    """

    def __init__(self, reader: AnswerReader, pathway: Pathway, language: str) -> None:
        self._reader = reader
        self._open = {
            q.wording[language] for q in pathway.questions.values() if not q.critical and not q.red_flag_answers
        }
        self._question, self._receipt, self._asked = "", NOT_TAKEN, ""

    @property
    def name(self) -> str:
        """The other reader's name: a licence is for the words alone."""
        return self._reader.name

    @property
    def version(self) -> str:
        """The other reader's version."""
        return self._reader.version

    def may_take(self, question: str) -> bool:
        """Whether a receipt may close a question, by its wording."""
        return question in self._open

    def to(self, question: str, receipt: Receipt, asked: str = "") -> None:
        """Say what the next reply may answer and what the asker made of it.

        Args:
            question: The question as the pathway words it; "" for none.
            receipt: What the asker made of the reply.
            asked: The words in which it was asked.
        """
        self._question, self._receipt, self._asked = question, receipt, asked

    def read(self, question: QuestionText, reply: str, speaker: ReplySpeaker) -> AnswerReading:
        """Read one reply against one question."""
        reading = self._reader.read(question, reply, speaker)
        mine = question.text == self._question and question.text in self._open
        if not mine and question.text in self._open and question.value_type != "yes_no":
            # People tell of other times, numbers and places all along: none of them corrects an answer given before.
            return replace(reading, kind=AnswerKind.NOT_AN_ANSWER, value=None, certain=False, why="not what was asked")
        if not mine:
            return reading
        reading = self._turned(question, reading)
        own = speaker in (ReplySpeaker.PRIMARY, ReplySpeaker.INFERRED)
        return self._taken(question, reply, reading) if own and self._receipt.went_on else reading

    def _turned(self, question: QuestionText, reading: AnswerReading) -> AnswerReading:
        """Who is asked whether their breathing is fine says yes, and is not short of breath."""
        table = person_words(question.language)
        plain = reading.kind in (AnswerKind.YES, AnswerKind.NO) and question.value_type == "yes_no"
        if table is None or not plain or _asks_well(question.text, table) or not _asks_well(self._asked, table):
            return reading
        other = AnswerKind.NO if reading.kind is AnswerKind.YES else AnswerKind.YES
        return replace(reading, kind=other, certain=False, why="asked the other way round")

    def _taken(self, question: QuestionText, reply: str, reading: AnswerReading) -> AnswerReading:
        says = self._receipt.says
        if reading.kind in (AnswerKind.YES, AnswerKind.NO) and says not in (None, reading.kind.value):
            return self._said_back(says or "")
        if reading.kind in _VALUED:
            could_be = reading.kind is not AnswerKind.VALUE or self._could_be(question, reply)
            return replace(reading, certain=True, reader=READER) if could_be and not reading.certain else reading
        if reading.kind not in (AnswerKind.UNCLEAR, AnswerKind.NOT_AN_ANSWER) or reading.suspects is not None:
            return reading
        if question.value_type == "yes_no" and says is not None:
            return self._said_back(says)
        told = " ".join(m[0].strip() for m in _SENTENCE.finditer(reply) if not m[0].rstrip().endswith("?"))
        typed = question.value_type in ("date", "duration", "number", "scale")
        if not self._could_be(question, told) or not (self._receipt.taken or typed):
            return reading
        if reading.kind is AnswerKind.NOT_AN_ANSWER and self._goes_on(question, told):
            return reading
        return AnswerReading(
            kind=AnswerKind.VALUE,
            reader=READER,
            value=told.strip(" .,!")[:VALUE_CHARS_MAX],
            certain=True,
            why="taken for an answer by the asker",
        )

    @staticmethod
    def _goes_on(question: QuestionText, told: str) -> bool:
        """Whether words join on to what their speaker said before ("But I remember ..."), and so answer nothing."""
        table = person_words(question.language)
        return table is not None and forms_of(told)[0] in table.joins_on

    @staticmethod
    def _could_be(question: QuestionText, told: str) -> bool:
        """Whether words could be the kind of value that was asked for."""
        table = person_words(question.language)
        if question.value_type == "yes_no":
            return len(forms_of(told)) >= OWN_WORDS_MIN
        if table is None or not forms_of(told):
            return False
        if question.value_type == "duration":
            return table.timed.search(told) is not None
        numbers = [token for token in tokenise(told, question.language).tokens if token.value is not None]
        if question.value_type == "date":
            return table.dated.search(told) is not None or len(numbers) >= DATE_NUMBERS_MIN
        return question.value_type == "text" or bool(numbers)

    @staticmethod
    def _said_back(says: str) -> AnswerReading:
        return AnswerReading(kind=AnswerKind(says), reader=READER, certain=True, why="said back by the asker")
