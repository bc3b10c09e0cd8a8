"""Whom and what a clause tells of: the thing asked about, another place, another cause, somebody else.

Owns the subject of one clause against one question. Never decides whether it says yes or no.
"""

from __future__ import annotations

from obligations.answers.idioms.model import Idioms
from obligations.answers.question import VALUE_FORMS, Question, QuestionForm, same_meaning
from obligations.answers.tells import families_asked, told

SUBJECT_WORDS = 3
"""A clause's subject stands among so many of its first words."""

_OF_ONESELF = frozenset("i me myself mim eu".split())


def names_focus(flat: str, question: Question, idioms: Idioms) -> bool:
    """Say whether a flat clause names what the question asks about."""
    return any(same_meaning(w, question.focus, idioms) for w in flat.split())


def names_the_asked(flat: str, question: Question, idioms: Idioms) -> bool:
    """Say whether a flat clause names what is asked, or takes up its comparison ("not worse")."""
    compared = idioms.comparative.search(flat)
    return names_focus(flat, question, idioms) or (
        compared is not None and compared.group().split()[0] in question.flat.split()
    )


def tells(flat: str, question: Question, idioms: Idioms) -> bool | None:
    """Say whether a clause tells what was asked in other words; what it tells of somebody else, it does not tell."""
    if question.form in VALUE_FORMS | {QuestionForm.PERMISSION, QuestionForm.MIND} or idioms.long_ago.search(flat):
        return None
    if of_another_thing(flat, question, idioms):
        return None
    main = idioms.alternative.sub("", question.flat).strip()
    return told(flat, families_asked(main, idioms.language), idioms.negators)


def of_another_person(flat: str, question: Question, idioms: Idioms) -> bool:
    """Read "my late husband had chest pain" as telling of him; what he does for the speaker tells of the speaker."""
    if question.asks_support or question.about_other or question.anyone or _OF_ONESELF & set(flat.split()):
        return False
    return idioms.relative.match(flat) is not None and flat.split()[0] not in idioms.things


def of_another_thing(flat: str, question: Question, idioms: Idioms) -> bool:
    """Read "it is my back that is killing me" as telling of another cause than the one asked about; so with places."""
    cleft = idioms.cleft.match(flat)
    other_cause = cleft is not None and not names_focus(cleft.group(1), question, idioms)
    return other_cause or _of_another_place(flat, question, idioms)


def _of_another_place(flat: str, question: Question, idioms: Idioms) -> bool:
    """Read "the leg is hot" to "is the dressing dirty?" as telling of another place than the one asked about."""
    places = set(question.flat.split()) & idioms.topics
    subject = [word for word in flat.split()[:SUBJECT_WORDS] if word in idioms.topics]
    return bool(places) and bool(subject) and not any(same_meaning(w, places, idioms) for w in subject)


def names_another(flat: str, question: Question, idioms: Idioms) -> bool:
    """Say whether a clause tells of another thing than the one asked about ("it hurts" to "any redness?")."""
    own = set(question.flat.split())
    named = [w for w in flat.split() if w in idioms.telling]
    asked = question.focus | own
    return bool(named) and not any(same_meaning(word, asked, idioms) for word in named)
