"""A reply to a scale that gives no one grade, and may reach the red flag all the same ("eight or nine").

Owns which grades such words may mean, in English and European Portuguese. Never closes anything: one of them is only
suspected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from obligations.answers.beside import Beside
from obligations.answers.idioms.model import Idioms
from obligations.answers.protocol import AnswerKind, AnswerReading, QuestionText
from obligations.coverage.flat import flatten, inside
from obligations.coverage.text import UNITS, Token, base_language, tokenise
from obligations.pathway.answers import matches_any

_SCALE_TOP = 10
_WITHIN_WORDS = 4
_HUNDRED = 100
_LARGE = frozenset({1000, 1000000})
"""Numbers off the scale that are said for it; another one beyond a hundred is a year or a telephone number."""


@dataclass(frozen=True, slots=True)
class _Table:
    """One language's words around a grade, over flat words; in `scale` and `hour` a hash stands for the number.

    Parameters:
        above: Before it: so much or more. above_after: behind it.
        below: Before it: less than it, unless denied.
        beyond: Says that no grade is high enough.
        scale: The number is the end of the scale, not a grade.
        hour: The number is a time of day. "nine at night" is none: it may be how bad the night is.
        bare_no: Right before a number it corrects and does not deny ("five no eight").
    """

    above: re.Pattern[str]
    above_after: re.Pattern[str]
    below: re.Pattern[str]
    beyond: re.Pattern[str]
    scale: re.Pattern[str]
    hour: re.Pattern[str]
    bare_no: str


_TABLES: Mapping[str, _Table] = {
    "en": _Table(
        above=re.compile(r"\b(?:(?:more|worse|higher|greater) than|over|above|beyond|past|upwards? of|at least)\b"),
        above_after=re.compile(r"^(?:or|and) (?:more|above|over|higher|worse|up)\b|^(?:at least|plus|minimum)\b"),
        below=re.compile(r"\b(?:(?:less|fewer|lower|better) than|under|below|short of)\b"),
        beyond=inside(
            r"(?<!not )off the (?:scale|chart|charts)|(?<!not )through the roof|(?:the )?(?:top|end) of the scale",
            r"as (?:bad|high) as it (?:gets|goes|can (?:be|get))|could not be worse",
        ),
        scale=re.compile(r"(?<!\S)(?:out of|(?:nought|naught|zero|nil|one|0|1) to|over|/) #"),
        hour=re.compile(
            r"\b(?:half|past|till|before|after|since|until|(?<!is )(?<!\bs )(?<!am )(?<!still )at) #|# (?:oclock|am|pm)"
        ),
        bare_no="no",
    ),
    "pt": _Table(
        above=re.compile(r"\b(?:(?:mais|pior|maior)(?: do)? (?:que|de)|acima de|para cima de|pelo menos)\b"),
        above_after=re.compile(r"^(?:ou|e) (?:mais|pior|acima)\b|^(?:pelo menos|no minimo|para cima)\b"),
        below=re.compile(r"\b(?:(?:menos|menor)(?: do)? (?:que|de)|abaixo de)\b"),
        beyond=inside(r"(?<!nao )fora da escala|topo da escala|nao (?:podia|pode) ser pior"),
        scale=re.compile(r"(?<!\S)(?:em|sobre|(?:zero|um|0|1) a|/) #"),
        hour=re.compile(r"\b(?:as|das|pelas) #|# (?:hora|horas|hour)\b"),
        bare_no="nao",
    ),
}


def reaching(
    question: QuestionText, reply: str, beside: Beside, idioms: Idioms, reading: AnswerReading
) -> AnswerReading:
    """Suspect the red-flag grade that a reply may mean, where no one grade was read from it.

    Args:
        question: A question of `value_type` "scale".
        reply: The reply's words.
        beside: The words beside an answer, of the call's language.
        idioms: Those of the call's language.
        reading: What was read.

    Returns:
        The same reading, or it with the grade in `suspects`. A grade that was read, or taken back, is left.
    """
    table = _TABLES.get(base_language(question.language))
    if table is None:
        return reading
    flat = flatten(reply, idioms.language)
    if reading.kind is AnswerKind.VALUE:
        # "more than six out of ten" reads as a plain six
        settled = reading.certain and table.above.search(flat) is None
        earlier = any(pattern.search(flat) for pattern in (idioms.once_so, idioms.other_day))
        if settled or earlier:
            return reading
    for grade in _grades(reply, question.language, table, beside, idioms):
        if matches_any(grade, question.red_flag_answers):
            return reading if grade == reading.value else _suspecting(question, reading, grade)
    return reading


def _suspecting(question: QuestionText, reading: AnswerReading, grade: str) -> AnswerReading:
    """A doubtful value that is itself in the band stays as it is: it raises the flag and may be confirmed."""
    if reading.value is not None and matches_any(reading.value, question.red_flag_answers):
        return reading
    return AnswerReading(
        kind=reading.kind,
        reader=reading.reader,
        value=reading.value,
        why="no one grade, and words that reach the red flag",
        suspects=grade,
    )


def _grades(reply: str, language: str, table: _Table, beside: Beside, idioms: Idioms) -> Iterator[str]:
    """Every grade the words may mean, as digits, those said first."""
    flat = flatten(reply, language)
    tokens = tokenise(re.sub(r"(?<=\w)-?ish\b", "", reply), language).tokens
    numbers = [i for i, token in enumerate(tokens) if token.value is not None and not token.is_time]
    ends = [i for i in numbers if table.scale.search(_around(tokens, i))]
    grades = [i for i in numbers if i not in ends and not _of_something_else(tokens, i, table, beside, idioms)]
    if not [i for i in grades if i + 2 not in ends] and "?" not in reply:
        grades += ends  # "it goes from one to ten"; asked, it only repeats the scale
    if set(flat.split()) & idioms.takes_back or idioms.correct.search(flat):
        grades = grades[-1:]  # "eight, no, five": the last one replaces those before
    for i in grades:
        yield from _meant(tokens, i, table, idioms)
    if table.beyond.search(flat):
        yield str(_SCALE_TOP)


def _meant(tokens: Sequence[Token], i: int, table: _Table, idioms: Idioms) -> Iterator[str]:
    said = tokens[i].value
    assert said is not None
    clause = _before(tokens, i)
    before, behind = " ".join(clause), _behind(tokens, i)
    close = clause[-_WITHIN_WORDS:]
    denied = any(word in idioms.negators for word in close) and close[-1:] != [table.bare_no]
    above = table.above.search(before) is not None
    if table.below.search(before):
        if denied:  # "no less than seven"
            yield from (str(grade) for grade in range(int(said), _SCALE_TOP + 1))
        return
    if denied and not above:
        return
    if (above and not denied) or table.above_after.search(behind):
        yield from (str(grade) for grade in range(int(said), _SCALE_TOP + 1))
    if said <= _SCALE_TOP:
        yield f"{float(said):g}"
    elif (said <= _HUNDRED or said in _LARGE) and (i + 1 == len(tokens) or tokens[i + 1].before):
        yield str(_SCALE_TOP)  # "about a hundred": above what the scale has


def _of_something_else(tokens: Sequence[Token], i: int, table: _Table, beside: Beside, idioms: Idioms) -> bool:
    around = _around(tokens, i)
    said = tokens[i].value
    of_age = said is not None and said > _SCALE_TOP and idioms.age.search(around) is not None  # "it was eight" is none
    if table.hour.search(around) or of_age:
        return True
    following = tokens[i + 1] if i + 1 < len(tokens) and not tokens[i + 1].before.strip() else None
    return following is not None and bool({following.lower, following.norm} & (beside.counted | UNITS))


def _around(tokens: Sequence[Token], i: int) -> str:
    before = " ".join(token.norm for token in tokens[max(0, i - 2) : i])
    return f"{before} # {_behind(tokens, i)}".strip()


def _before(tokens: Sequence[Token], i: int) -> list[str]:
    """The words before a number, back to a mark or another number."""
    words = list[str]()
    for k in range(i, 0, -1):
        if tokens[k].before.strip() or tokens[k - 1].value is not None:
            break
        words.insert(0, tokens[k - 1].norm)
    return words


def _behind(tokens: Sequence[Token], i: int) -> str:
    stop = next((k for k in range(i + 1, len(tokens)) if tokens[k].value is not None), len(tokens))
    return " ".join(token.norm for token in tokens[i + 1 : min(stop, i + 1 + _WITHIN_WORDS)])
