"""Answers: is a reply read as what it does to the question that was heard?

Owns the figures of ``eval answers``. Rows: question, question_heard, reply, speaker, label, lang, kind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from benchmarks.errors import UnknownName
from benchmarks.evals.certifying import CertificateFacts, certify
from benchmarks.figures import EvalOptions, Figure, GroupValue, rate
from benchmarks.rows import read_rows
from obligations.answers.protocol import AnswerKind, AnswerReader, AnswerReading, QuestionText, ReplySpeaker
from obligations.answers.reader import LocalAnswerReader

KIND = "answers"
NEEDS_DATA = True
DATA_HELP = "JSONL: question, question_heard, reply, speaker, label, lang, kind"
OPTIONS = ("matcher", "certify")
PACKAGES = ("rapidfuzz",)
DEFAULT_READER = "local-rules"

OPEN_KINDS = frozenset({AnswerKind.UNCLEAR, AnswerKind.NOT_AN_ANSWER, AnswerKind.REPORTED_BY_THIRD_PARTY})
READERS: dict[str, Callable[[], AnswerReader]] = {DEFAULT_READER: LocalAnswerReader}


class AnswerRow(BaseModel):
    """One labelled reply; yes and no refer to the question's positive form."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str = ""
    lang: str
    question: str
    question_heard: str | None = None
    polarity_of_red_flag: str | None = None
    reply: str
    speaker: ReplySpeaker
    label: str
    kind: str


@dataclass(frozen=True, slots=True)
class Judged:
    """One row with its reading."""

    row: AnswerRow
    reading: AnswerReading

    @property
    def gold(self) -> AnswerKind:
        """The labelled kind."""
        return AnswerKind(self.row.label.partition(":")[0])

    @property
    def right(self) -> bool:
        """Whether kind and, where there is one, value agree."""
        if self.reading.kind is not self.gold:
            return False
        return self.gold is not AnswerKind.VALUE or _same_value(self.reading.value, self.row.label.partition(":")[2])

    @property
    def closes(self) -> bool:
        """Whether the reading would close the question."""
        return self.reading.kind not in OPEN_KINDS

    @property
    def red(self) -> bool:
        """Whether the labelled answer raises a red flag."""
        return self.row.polarity_of_red_flag is not None and self.gold.value == self.row.polarity_of_red_flag


def run(options: EvalOptions) -> list[Figure]:
    """Read every row and count; writes a certificate when asked to."""
    if options.data is None:
        raise ValueError("eval answers needs --data PATH")
    name = str(options.extra.get("matcher", DEFAULT_READER))
    if name not in READERS:
        raise UnknownName("answer reader", name, READERS)
    reader = READERS[name]()
    judged = judge(reader, read_rows(options.data, AnswerRow))
    if "certify" in options.extra:
        _certify(Path(str(options.extra["certify"])), options.data, reader, judged)
    return figures(judged)


def judge(reader: AnswerReader, rows: Sequence[AnswerRow]) -> list[Judged]:
    """Read every reply against its question as heard."""
    return [Judged(row, reader.read(_question(row), row.reply, row.speaker)) for row in rows]


def figures(judged: Sequence[Judged]) -> list[Figure]:
    """Give the figures over all rows, then by kind and by language, then the confusion."""
    out = _counts(judged, {})
    for key in ("kind", "lang"):
        for value in sorted({str(getattr(j.row, key)) for j in judged}):
            out += _counts([j for j in judged if getattr(j.row, key) == value], {key: value})
    for gold in AnswerKind:
        labelled = [j for j in judged if j.gold is gold]
        for read in AnswerKind:
            hits = sum(j.reading.kind is read for j in labelled)
            if hits:
                out.append(rate("confusion_rate", hits, len(labelled), {"label": gold.value, "read_as": read.value}))
    return out


def _counts(judged: Sequence[Judged], group: dict[str, GroupValue]) -> list[Figure]:
    stays_open = [j for j in judged if j.gold in OPEN_KINDS]
    red = [j for j in judged if j.red]
    third = [j for j in judged if j.row.speaker is ReplySpeaker.THIRD_PARTY]
    certain = [j for j in judged if j.reading.certain]
    return [
        rate("accuracy", sum(j.right for j in judged), len(judged), group),
        rate("red_flag_missed", sum(_denied(j) for j in red), len(red), group),
        rate("red_flag_not_raised", sum(j.reading.kind is not j.gold for j in red), len(red), group),
        rate("third_party_counted_as_answer", sum(j.closes for j in third), len(third), group),
        rate("wrongly_closed", sum(j.closes for j in stays_open), len(stays_open), group),
        rate("certain_but_wrong", sum(not j.right for j in certain), len(certain), group),
    ]


def _denied(judged: Judged) -> bool:
    """A red flag read as its opposite: the item would close as safe."""
    opposite = {AnswerKind.YES: AnswerKind.NO, AnswerKind.NO: AnswerKind.YES}
    return judged.reading.kind is opposite.get(judged.gold)


def _question(row: AnswerRow) -> QuestionText:
    flags = (row.polarity_of_red_flag,) if row.polarity_of_red_flag else ()
    heard = row.question if row.question_heard is None else row.question_heard
    return QuestionText(text=row.question, heard=heard, language=row.lang, red_flag_answers=flags)


def _same_value(read: str | None, label: str) -> bool:
    return read is not None and read.strip().casefold() == label.strip().casefold()


def _certify(path: Path, data: Path, reader: AnswerReader, judged: Sequence[Judged]) -> None:
    eligible = [j for j in judged if j.gold in OPEN_KINDS or j.red]
    wrong = sum((j.gold in OPEN_KINDS and j.closes) or _denied(j) for j in eligible)
    languages = tuple(sorted({j.row.lang for j in judged}))
    certify(
        path,
        data,
        CertificateFacts("answers", f"{reader.name}@{reader.version}", languages, eligible=len(eligible), wrong=wrong),
    )
