"""The value in a reply to a question that asks for one: a number, a choice, a date, a duration, or plain words.

Owns reading values; returns the value as said, in one form. Never converts between units and never guesses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from obligations.answers.figures import in_figures
from obligations.answers.idioms.model import Idioms
from obligations.answers.question import Question, QuestionForm
from obligations.coverage.flat import flatten
from obligations.coverage.text import UNITS, Token, base_language, tokenise

BEHIND_WORDS_MAX = 5
"""So many words behind a number may make a bound of it ("eighty kilos at the most")."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value read from a reply.

    Parameters:
        text: The value in one form: "79.1", "several days", "3 days".
        certain: Whether it was said plainly, once, without a hedge.
    """

    text: str
    certain: bool


@dataclass(frozen=True, slots=True)
class _Candidate:
    value: str
    index: int
    unit: str
    corrected: bool
    bounded: bool


def read_value(reply: str, question: Question, idioms: Idioms, language: str, question_text: str) -> Value | None:
    """Find the one value a reply gives.

    Args:
        reply: The reply as said.
        question: The analysed question.
        idioms: The language's idioms.
        language: BCP 47 tag.
        question_text: The question as written; its unit and noun say which numbers fit.

    Returns:
        The value, or None when there is none or more than one without a correction between.
    """
    if question.options:
        return _choice(reply, question.options, idioms, language)
    reply = in_figures(reply, language)
    if question.form is QuestionForm.NUMBER:
        return _number(reply, idioms, language, question_text)
    if question.form is QuestionForm.DURATION:
        return _duration(reply, idioms, language)
    return None


def holds_a_number(reply: str, question: Question, idioms: Idioms, language: str, question_text: str) -> bool:
    """Say whether a reply holds a number that could be meant: more than "one"; no age, hour, date or other thing."""
    tokens = tokenise(in_figures(reply, language), language).tokens
    asked = _asked(question_text, language)
    top = _top_of_scale(question_text, language) if question.form is QuestionForm.NUMBER else None
    return any(
        t.value is not None
        and t.value != 1
        and not _tells_another(tokens, i, asked, idioms, top)
        and not _counts_another(tokens, i, asked, idioms)
        for i, t in enumerate(tokens)
    )


def _choice(reply: str, options: tuple[str, ...], idioms: Idioms, language: str) -> Value | None:
    flat = flatten(reply, language)
    if idioms.either.search(flat) is not None:
        return None
    found = [(m.start(), -len(option), option) for option in options if (m := _last(option, flat)) is not None]
    found = [f for f in found if not any(f[2] != g[2] and f[2] in g[2] and g[0] <= f[0] <= g[0] - g[1] for g in found)]
    if not found:
        return _one_begun(flat, options, idioms)
    found.sort()
    if len(found) > 1:
        between = flat[found[-2][0] - found[-2][1] : found[-1][0]]
        if idioms.correct.search(between) is None and idioms.replaces.search(between) is None:
            return None
    start, _, option = found[-1]
    if set(flat[:start].split()[-1:]) & idioms.not_this:
        return None
    return Value(option, len(found) == 1 and idioms.unsure.search(flat) is None)


def _one_begun(flat: str, options: tuple[str, ...], idioms: Idioms) -> Value | None:
    """The one option of which a reply holds the beginning ("more than half" of "more than half the days")."""
    begun = [
        option
        for option in options
        for n in range(len(option.split()) - 1, 0, -1)
        if (n > 1 or len(option.split()) == _SHORT_OPTION_WORDS) and _last(" ".join(option.split()[:n]), flat)
    ]
    if len(set(begun)) != 1 or any(word in idioms.negators for word in flat.split()):
        return None
    return Value(begun[0], certain=False)


_SHORT_OPTION_WORDS = 2


def _last(option: str, flat: str) -> re.Match[str] | None:
    matches = list(re.finditer(rf"(?<!\S){re.escape(option)}(?!\S)", flat))
    return matches[-1] if matches else None


def _number(reply: str, idioms: Idioms, language: str, question_text: str) -> Value | None:
    lang = base_language(language)
    tokens = tokenise(reply, language).tokens
    flat = flatten(reply, language)
    asked = _asked(question_text, language)
    if idioms.either.search(flat) is not None or _in_another_unit(tokens, asked, idioms):
        return None
    if len(tokens) > 1 and any(_one_more(tokens, i, idioms) for i in range(1, len(tokens))):
        return None
    top = _top_of_scale(question_text, language)
    candidates = [
        c
        for i in range(len(tokens))
        if not _tells_another(tokens, i, asked, idioms, top)
        and (c := _candidate(tokens, i, asked, idioms, lang)) is not None
    ]
    if top is not None and any(float(c.value) > top for c in candidates if _plain_number(c.value)):
        candidates = [c for c in candidates if _plain_number(c.value) and float(c.value) <= top]
        if len({c.value for c in candidates}) != 1:
            return None
    if not candidates and idioms.only_one.match(flat) is not None:
        return Value("1", certain=False)
    times = [idioms.counts[w] for w in flat.split() if w in idioms.counts]
    if not candidates and len(set(times)) == 1:
        return Value(str(times[0]), certain=idioms.approx.search(flat) is None)
    if not candidates:
        if any(w in idioms.none_words for w in flat.split()) and not asked & UNITS:
            return Value("0", certain=True)
        return None
    candidates = _without_begun(candidates, tokens)
    if (total := _total(candidates, tokens, idioms)) is not None:
        return Value(total, certain=False)
    scale = _scale(tokens, candidates, idioms)
    if scale is not None:
        if "/" in scale and (part := _part_asked(question_text, language, idioms)) is not None:
            return Value(scale.split("/")[part], certain=False)
        return Value(scale, certain=idioms.approx.search(flat) is None)
    if candidates[-1].bounded:
        return None
    today = _said_of_today(candidates, tokens, idioms)
    if today is not None:
        return Value(today.value, certain=False)
    last = candidates[-1]
    distinct = {c.value for c in candidates}
    if len(distinct) > 1 and not last.corrected and not _corrected(candidates, tokens, idioms):
        return None
    certain = len(distinct) == 1 and idioms.approx.search(flat) is None and idioms.unsure.search(flat) is None
    return Value(last.value, certain)


def _without_begun(candidates: list[_Candidate], tokens: tuple[Token, ...]) -> list[_Candidate]:
    """Drop a number that was begun and broken off before the next one ("thirty... thirty-one")."""
    kept = [
        c
        for c, following in zip(candidates, candidates[1:], strict=False)
        if following.index != c.index + 1 or not any(dots in tokens[following.index].before for dots in ("...", "…"))
    ]
    return [*kept, *candidates[-1:]]


def _total(candidates: list[_Candidate], tokens: tuple[Token, ...], idioms: Idioms) -> str | None:
    """The sum, where the last of several numbers is said to be one ("four and four, so eight")."""
    if len(candidates) < _SUMMED_MIN:
        return None
    last = candidates[-1]
    before = " ".join(t.norm for t in tokens[max(0, last.index - 2) : last.index])
    summed = sum(float(c.value) for c in candidates[:-1] if _plain_number(c.value))
    return (
        last.value
        if idioms.total.search(before) and _plain_number(last.value) and summed == float(last.value)
        else None
    )


_SUMMED_MIN = 3


def _part_asked(question_text: str, language: str, idioms: Idioms) -> int | None:
    """Which of two numbers that are one value was asked for: 0 the first ("the top number"), 1 the second, or None."""
    words = set(flatten(question_text, language).split())
    return 0 if words & idioms.first_of_two else 1 if words & idioms.second_of_two else None


def _corrected(candidates: list[_Candidate], tokens: tuple[Token, ...], idioms: Idioms) -> bool:
    """Whether what stands between the last two different numbers takes the first of them back."""
    last = candidates[-1]
    before = next((c for c in reversed(candidates) if c.value != last.value), last)
    between = [t.norm for t in tokens[before.index + 1 : last.index]]
    at_the_end = last.index == len(tokens) - 1
    if at_the_end and between and set(between) <= idioms.mending:
        return True
    return bool(set(between) & idioms.takes_back) or idioms.correct.search(" ".join(between)) is not None


def _plain_number(value: str) -> bool:
    return value.replace(".", "", 1).isdecimal()


def _top_of_scale(question_text: str, language: str) -> float | None:
    """The end of the scale a question names ("from nought to ten"); None when it names none."""
    match = _SCALE.search(flatten(question_text, language))
    return None if match is None else _TOPS[match.group(1)]


_SCALE = re.compile(
    r"(?:(?:nought|zero|naught|none|nil|one|um|0|1) (?:to|and|through|a|e)|out of) "
    r"(ten|dez|10|five|cinco|5|hundred|cem|100)\b"
)
_TOPS = {"ten": 10, "dez": 10, "10": 10, "five": 5, "cinco": 5, "5": 5, "hundred": 100, "cem": 100, "100": 100}


def _tells_another(tokens: tuple[Token, ...], i: int, asked: set[str], idioms: Idioms, top: float | None) -> bool:
    """Whether a number tells an age, an hour or a date, which was not asked."""
    token = tokens[i]
    if token.value is None:
        return False
    before = " ".join(t.norm for t in tokens[max(0, i - 2) : i])
    behind = " ".join(t.norm for t in tokens[i + 1 : i + 4] if t.value is None)
    around = f"{before} # {behind}".strip()
    if idioms.hour.search(around) is not None and not asked & idioms.hour_asked:
        return True
    of_age = idioms.age.search(around) is not None and not asked & idioms.age_asked
    return of_age and (top is not None or idioms.age_told.search(around) is not None)


def _one_more(tokens: tuple[Token, ...], i: int, idioms: Idioms) -> bool:
    """Whether a "one" is added to a number before it ("two white and one blue")."""
    added = tokens[i].value == 1 and tokens[i - 1].norm in idioms.joining and i + 1 < len(tokens)
    return added and any(t.value is not None for t in tokens[: i - 1])


def _in_another_unit(tokens: tuple[Token, ...], asked: set[str], idioms: Idioms) -> bool:
    """Whether a reply measures in units that no value is read in ("twelve stone four" to kilos)."""
    return bool({t.norm for t in tokens} & (idioms.foreign_units - asked)) and bool(asked & UNITS)


def _said_of_today(candidates: list[_Candidate], tokens: tuple[Token, ...], idioms: Idioms) -> _Candidate | None:
    """The one number whose clause speaks of today, where another clause speaks of another day."""
    if len({c.value for c in candidates}) < 2:
        return None
    ends = [*(c.index for c in candidates[1:]), len(tokens)]
    starts = [0, *(c.index + 1 for c in candidates[:-1])]
    around = [" ".join(t.norm for t in tokens[a:b]) for a, b in zip(starts, ends, strict=True)]
    once = [c for c, flat in zip(candidates, around, strict=True) if idioms.once_so.search(flat)]
    still = [c for c in candidates if c not in once]
    now = any(idioms.this_day.search(flat) for c, flat in zip(candidates, around, strict=True) if c in still)
    if once and now and len({c.value for c in still}) == 1:
        return still[-1]
    of_today = [c for c, flat in zip(candidates, around, strict=True) if idioms.this_day.search(flat)]
    other = any(idioms.other_day.search(flat) for flat in around)
    return of_today[-1] if of_today and other else None


def _asked(question_text: str, language: str) -> set[str]:
    return {t.norm for t in tokenise(question_text, language).tokens if t.value is None}


def _candidate(tokens: tuple[Token, ...], i: int, asked: set[str], idioms: Idioms, lang: str) -> _Candidate | None:
    token = tokens[i]
    if token.value is None:
        return None
    following = tokens[i + 1] if i + 1 < len(tokens) and not tokens[i + 1].before else None
    unit = following.norm if following is not None else ""
    around = " ".join("1" if t.value == 1 else t.norm for t in tokens[max(0, i - 1) : i + 3])
    lone = len(tokens) == 1 or (token.before and following is None) or (i == 0 and following is None)
    if token.value == 1 and not token.norm.isdecimal() or token.value == 1 and token.lower == "one":
        if not lone and unit not in asked and unit not in UNITS:
            return None
        if idioms.not_a_number.search(around):
            return None
    if _counts_another(tokens, i, asked, idioms):
        return None
    if unit in idioms.foreign_units or (unit in UNITS and asked & UNITS and unit not in asked):
        return None
    if unit in UNITS and not asked & UNITS and unit not in asked:
        return None
    before = [t.norm for t in tokens[max(0, i - 3) : i]]
    if before and before[-1] in idioms.not_this and not token.before:
        return None
    corrected = bool(set(before) & idioms.takes_back)
    bounded = idioms.bound.search(" ".join(before)) is not None and not corrected
    bounded = bounded or idioms.bound_after.search(_behind(tokens, i)) is not None
    value = _with_half(tokens, i) if lang == "pt" else None
    return _Candidate(value or _digits(token), i, unit, corrected, bounded)


def _counts_another(tokens: tuple[Token, ...], i: int, asked: set[str], idioms: Idioms) -> bool:
    """Whether a number counts things where one reading was asked for ("two rounds of toast" to a blood sugar)."""
    if not asked & idioms.one_reading or i + 1 >= len(tokens) or tokens[i + 1].before:
        return False
    following = tokens[i + 1]
    word = following.lower
    plural = len(word) >= _PLURAL_CHARS_MIN and word.endswith("s") and not word.endswith("ss")
    return plural and following.value is None and following.norm not in asked and following.norm not in UNITS


_PLURAL_CHARS_MIN = 4


def _behind(tokens: tuple[Token, ...], i: int) -> str:
    """The words behind a number, up to the next mark or number."""
    end = min(i + 1 + BEHIND_WORDS_MAX, len(tokens))
    stop = next((k for k in range(i + 1, end) if tokens[k].before or tokens[k].value is not None), end)
    return " ".join(t.norm for t in tokens[i + 1 : stop])


def _digits(token: Token) -> str:
    if token.value is None or token.is_time:
        return token.norm
    if token.value.denominator == 1:
        return str(token.value.numerator)
    return f"{float(token.value):.6f}".rstrip("0").rstrip(".")


def _with_half(tokens: tuple[Token, ...], i: int) -> str | None:
    """Read "três comprimidos e meio": the half stands after the noun."""
    tail = [t.norm for t in tokens[i + 1 : i + 4]]
    value = tokens[i].value
    if len(tail) == 3 and tail[1] == "e" and tail[2] == "0.5" and value is not None and value.denominator == 1:
        return f"{value.numerator}.5"
    return None


def _scale(tokens: tuple[Token, ...], candidates: list[_Candidate], idioms: Idioms) -> str | None:
    """Read "seven out of ten" gives 7; "120 over 80" gives both."""
    if len(candidates) != 2:
        return None
    first, second = candidates
    between = " ".join(t.norm for t in tokens[first.index + 1 : second.index])
    if idioms.scale_after.match(between) and second.value in {"10", "5", "100"}:
        return first.value
    if between in idioms.over and len(first.value) >= 2:
        return f"{first.value}/{second.value}"
    return None


def _duration(reply: str, idioms: Idioms, language: str) -> Value | None:
    tokens = tokenise(reply, language).tokens
    found: list[str] = []
    for i, token in enumerate(tokens[:-1]):
        unit = tokens[i + 1].norm
        if token.value is not None and unit in {"sec", "min", "hour", "day", "week", "month", "year"}:
            written = tokens[i + 1].lower
            found.append(f"{_digits(token)} {written}")
    flat = flatten(reply, language)
    if not found or (len(set(found)) > 1 and idioms.correct.search(flat) is None):
        return None
    return Value(found[-1], len(found) == 1 and idioms.approx.search(flat) is None)
