"""What kind of answer a question asks for, what it asks about, and how much of it was heard.

Owns the reading of the question side only. Never sees the reply.
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass
from enum import StrEnum

from obligations.answers.idioms.model import Idioms
from obligations.answers.protocol import QuestionText
from obligations.coverage.flat import flatten
from obligations.coverage.stems import stem
from obligations.coverage.text import base_language


class QuestionForm(StrEnum):
    """What answers fit."""

    YES_NO = "yes_no"
    TAG_AFTER_NEGATIVE = "tag_after_negative"
    NEGATIVE = "negative"
    PERMISSION = "permission"
    MIND = "mind"
    ALTERNATIVE = "alternative"
    NUMBER = "number"
    CHOICE = "choice"
    DATE = "date"
    DURATION = "duration"
    TEXT = "text"


class Heard(StrEnum):
    """How much of the question reached the listener."""

    WHOLE = "whole"
    FOCUS = "focus"
    PART = "part"
    NOTHING = "nothing"


VALUE_FORMS = frozenset(
    {QuestionForm.NUMBER, QuestionForm.CHOICE, QuestionForm.DATE, QuestionForm.DURATION, QuestionForm.TEXT}
)
_BY_TYPE = {
    "number": QuestionForm.NUMBER,
    "scale": QuestionForm.NUMBER,
    "date": QuestionForm.DATE,
    "duration": QuestionForm.DURATION,
    "text": QuestionForm.TEXT,
}


@dataclass(frozen=True, slots=True)
class Question:
    """A question as a reader needs it.

    Parameters:
        form: What answers fit.
        heard: How much of it was heard.
        flat: The question as one flat string.
        focus: The words that say what is asked, where-words left out when anything else remains.
        axis: +1 when yes is the good answer, -1 when it is the bad one, 0 when nothing tells.
        options: The choices read out, flat, in order.
        parts: What each of several things asked at once is called ("pain", "redness", "swelling"); () for a single one.
        alternative: The words of a trailing alternative ("or is it comfortable"), heard or not.
        alternative_heard: Whether that alternative was heard.
        asks_support: Whether it asks if somebody is at hand.
        inverse: Whether it asks about not doing ("missed", "forgot").
        today: Whether it asks about today.
        stretch: Whether it asks about a stretch of time up to now ("have you had ..."), not about today.
        comparative: Whether it asks about a change.
        every: Whether it asks for a whole ("every day").
        anyone: Whether it asks if anybody did something.
        about_other: Whether it asks about somebody other than the listener.
        choice_open: Whether what was not heard is one more thing of several asked ("red, hot | or smelly"): a yes to
            what was heard is a yes, a no says nothing of the rest.
        agreement: Whether it is a statement with "right?" behind it.
        absence: Whether the absence itself is asked for ("Do you have no pain?"), so a bare no may deny or confirm it.
    """

    form: QuestionForm
    heard: Heard
    flat: str
    focus: frozenset[str]
    axis: int
    options: tuple[str, ...] = ()
    parts: tuple[frozenset[str], ...] = ()
    alternative: frozenset[str] = frozenset()
    alternative_heard: bool = True
    asks_support: bool = False
    inverse: bool = False
    today: bool = False
    stretch: bool = False
    comparative: bool = False
    every: bool = False
    anyone: bool = False
    about_other: bool = False
    absence: bool = False
    choice_open: bool = False
    agreement: bool = False


def analyse(question: QuestionText, idioms: Idioms) -> Question:
    """Read a question: its form, its focus, and how much of it was heard."""
    language = base_language(question.language)
    flat = flatten(question.text, language)
    form = _form(question, flat, idioms, language)
    main, alternative = _main_and_alternative(flat, idioms)
    if alternative and form is QuestionForm.YES_NO:
        form = QuestionForm.ALTERNATIVE
    focus = _focus(main if form is QuestionForm.ALTERNATIVE else flat, idioms)
    heard, alternative_heard = _heard(question, main, alternative, idioms, language)
    if form is QuestionForm.ALTERNATIVE and not alternative_heard:
        form = QuestionForm.YES_NO
    inverse = any(w in idioms.inverse for w in flat.split())
    return Question(
        form=form,
        heard=heard,
        flat=flat,
        focus=focus,
        axis=_axis(question, flat, inverse, idioms),
        options=_options(question.text, idioms, language) if form in VALUE_FORMS else (),
        parts=_parts(question.text, idioms, language) if form is QuestionForm.YES_NO else (),
        alternative=_focus(alternative, idioms) if alternative else frozenset(),
        alternative_heard=alternative_heard,
        asks_support=idioms.support_question.search(flat) is not None,
        inverse=inverse,
        today=idioms.this_day.search(flat) is not None,
        stretch=idioms.past_asked.search(flat) is not None and idioms.this_day.search(flat) is None,
        comparative=idioms.comparative.search(flat) is not None,
        every=idioms.every.search(flat) is not None,
        anyone=idioms.anyone.search(flat) is not None,
        about_other=idioms.about_other.search(flat) is not None,
        agreement=form is QuestionForm.YES_NO and idioms.agreement_asked.search(flat) is not None,
        absence=form is QuestionForm.NEGATIVE and _names_absence(flat, idioms),
        choice_open=heard in {Heard.PART, Heard.FOCUS} and _choice_open(question, idioms, language),
    )


def _names_absence(flat: str, idioms: Idioms) -> bool:
    return idioms.absence_first.match(flat) is None and any(w in idioms.absence for w in flat.split())


def _form(question: QuestionText, flat: str, idioms: Idioms, language: str) -> QuestionForm:
    if question.value_type in _BY_TYPE:
        named = _BY_TYPE[question.value_type]
        return (
            QuestionForm.CHOICE if named is QuestionForm.TEXT and _options(question.text, idioms, language) else named
        )
    if ":" in question.text and len(_options(question.text, idioms, language)) >= 2:
        return QuestionForm.CHOICE
    for pattern, form in (
        (idioms.how_long, QuestionForm.DURATION),
        (idioms.how_many, QuestionForm.NUMBER),
        (idioms.when, QuestionForm.DATE),
        (idioms.how_often, QuestionForm.CHOICE),
    ):
        if _opens(pattern, flat, idioms) or (form is QuestionForm.NUMBER and pattern.search(flat)):
            return form
    if _opens(idioms.open_value, flat, idioms):
        return QuestionForm.TEXT
    return _yes_no_form(question.text, flat, idioms, language)


_WORDS_BEFORE_ASKING_MAX = 8


def _opens(pattern: re.Pattern[str], flat: str, idioms: Idioms) -> bool:
    """Whether the asking words stand where a question's main clause begins, not inside a yes/no question."""
    match = pattern.search(flat)
    if match is None:
        return False
    before = flat[: match.start()].split()
    return len(before) <= _WORDS_BEFORE_ASKING_MAX and all(w in idioms.asks_after or w.isdecimal() for w in before)


def _yes_no_form(text: str, flat: str, idioms: Idioms, language: str) -> QuestionForm:
    head, _, tag = text.rstrip(" ?").rpartition(",")
    flat_head, flat_tag = flatten(head, language), flatten(tag, language)
    negated = any(w in idioms.negators for w in flat_head.split())
    if head and negated and len(flat_tag.split()) <= 3 and idioms.tag_after_negative.match(flat_tag):
        return QuestionForm.TAG_AFTER_NEGATIVE
    if head and not negated and len(flat_tag.split()) <= 4 and idioms.tag_after_positive.match(flat_tag):
        return QuestionForm.YES_NO
    if idioms.mind.search(flat):
        return QuestionForm.MIND
    if idioms.permission.search(flat):
        return QuestionForm.PERMISSION
    if idioms.negative_question.search(flat):
        return QuestionForm.NEGATIVE
    return QuestionForm.YES_NO


def _main_and_alternative(flat: str, idioms: Idioms) -> tuple[str, str]:
    match = idioms.alternative.search(flat)
    return (flat[: match.start()].strip(), match.group()) if match else (flat, "")


def _focus(flat: str, idioms: Idioms) -> frozenset[str]:
    words = [w for w in flat.split() if w not in idioms.stop and not w.isdecimal() and len(w) > 1]
    predicates = {w for w in words if w not in idioms.topics}
    if not predicates and idioms.any_asked.match(flat) is not None:
        return frozenset(words[:1])  # "tem alguma ferida nos pés?" asks for a wound; feet are only where
    return frozenset(predicates or words)


def _parts(text: str, idioms: Idioms, language: str) -> tuple[frozenset[str], ...]:
    """Split "any pain, redness or swelling" into the things it asks; things that mean the same are one."""
    asked = re.split(rf"\b(?:{idioms.examples})\b", text, flags=re.IGNORECASE)[0]
    no_thing = rf"\b(?:{idioms.option_or})\s+(?:{idioms.so_many})\b"
    first, *others = re.split(rf"\b(?:{idioms.option_or})\b", re.sub(no_thing, " ", asked, flags=re.IGNORECASE))
    if not others:
        return ()
    *before, last = first.split(",")
    listed = [last]
    while before and len(last.split()) <= _LISTED_WORDS_MAX:
        last = before.pop()
        listed.append(last)
    parts: list[frozenset[str]] = []
    for piece in [*reversed(listed), *others]:
        focus = _focus(flatten(piece, language), idioms)
        if not focus:
            continue
        if any(same_meaning(word, part, idioms) for word in focus for part in parts):
            return ()
        parts.append(focus)
    return tuple(parts) if len(parts) > 1 else ()


_LISTED_WORDS_MAX = 3


def _content(flat: str, idioms: Idioms) -> list[str]:
    return [w for w in flat.split() if w not in idioms.stop and len(w) > 1]


def _heard(question: QuestionText, main: str, alternative: str, idioms: Idioms, language: str) -> tuple[Heard, bool]:
    if question.heard.strip() == question.text.strip():
        return Heard.WHOLE, True
    heard = flatten(question.heard, language)
    whole = flatten(question.text, language)
    if not heard:
        return Heard.NOTHING, False
    if not whole.startswith(heard):
        return (Heard.WHOLE, True) if heard.endswith(whole) else (Heard.NOTHING, False)
    rest_content = _content(whole[len(heard) :], idioms)
    if not rest_content:
        return Heard.WHOLE, True
    if alternative and len(heard) >= len(main):
        return Heard.FOCUS, False
    cut_word = not question.text[len(question.heard.rstrip()) :].startswith((" ", ",", "?", "."))
    heard_words = heard.split()[:-1] if cut_word and heard != whole else heard.split()
    focus = set(_focus(main, idioms))
    core = set(_focus(_core(main, idioms), idioms))
    if core and core <= set(heard_words) and idioms.option_or not in whole[len(heard) :].split():
        return Heard.FOCUS, False
    missing = focus - set(heard_words)
    if not (focus - idioms.light or focus) & set(heard_words):
        return Heard.NOTHING, False
    return (Heard.PART, False) if missing or rest_content else (Heard.FOCUS, False)


def _choice_open(question: QuestionText, idioms: Idioms, language: str) -> bool:
    """Whether the words were cut inside a list or before an alternative whose "or" was heard."""
    heard, whole = flatten(question.heard, language), flatten(question.text, language)
    rest = whole[len(heard) :].split()
    cut = heard.split()
    if not rest or not cut or not whole.startswith(heard):
        return False
    listed = idioms.option_or in rest and idioms.alternative.search(" ".join(rest)) is None
    return cut[-1] == idioms.option_or or listed


def _core(main: str, idioms: Idioms) -> str:
    """The question without when and since when it asks: "have you felt sick" of "... since starting the tablets"."""
    match = idioms.adjunct.search(main)
    return main[: match.start()].strip() if match else main


def _axis(question: QuestionText, flat: str, inverse: bool, idioms: Idioms) -> int:
    flags = set(question.red_flag_answers)
    if flags == {"yes"}:
        return -1
    if flags == {"no"}:
        return 1
    if inverse:
        return -1
    if idioms.good_asked.search(flat):
        return 1
    symptomatic = any(w in group for w in flat.split() for group in idioms.synonyms)
    return -1 if symptomatic else 0


def _options(text: str, idioms: Idioms, language: str) -> tuple[str, ...]:
    _, mark, listed = text.partition(":")
    if not mark:
        return ()
    parts = re.split(rf",|;|\b{idioms.option_or}\b", listed.strip(" ?."))
    return tuple(flat for part in parts if (flat := flatten(part, language)))


def same_meaning(word: str, others: Set[str], idioms: Idioms) -> bool:
    """Say whether a word is one of `others`, a plain inflection of one, or in one synonym group with one."""
    if word in others:
        return True
    if len(word) >= 4 and any(len(o) >= 4 and stem(word, idioms.language) == stem(o, idioms.language) for o in others):
        return True
    return any(word in group and group & others for group in idioms.synonyms)
