"""What makes a yes or a no less than plain: words beside it that nobody read, limits, other times, other verbs.

Owns the last look before a reading closes anything. It never changes what a reply says, only whether it needs one
confirmation; towards the red flag nothing is doubted.
"""

from __future__ import annotations

import re

from obligations.answers.idioms.model import Idioms
from obligations.answers.protocol import AnswerKind, QuestionText
from obligations.answers.question import Question, QuestionForm
from obligations.coverage.text import tokenise

_LIMITS = {
    "en": re.compile(
        r"\b(?:can|could) not (?!say|think|remember)\w+|\bnot (?:going|getting|stopp\w+|bear|deny|deniable)\b"
        r"|\bno (?:end|relief)\b"
        r"|\b(?:until|till|unless|except|only|relief|like this|deny|half|double|another|every other|every second"
        r"|any ?more|no longer|went away|gone away|stopped|yesterday|last night|last week|this morning|today|so far"
        r"|none today|at the moment|right now|just now|since|apart from|other than|mostly|usually|sometimes|worse"
        r"|better|more|way|on behalf|wife|husband|mother|mum|father|dad|daughter|son|sister|brother|neighbour|carer"
        r"|speaking for)\b"
    ),
    "pt": re.compile(
        r"\bnao (?:para|parou|deixa|deixou|consigo|vejo|me sinto|aguento|suporto|esta a melhorar)\b"
        r"|\b(?:ate|exceto|menos|so|quando|a nao ser|ja nao|hoje|agora|ontem|desde|piorou|pior|melhor|melhorar"
        r"|melhorou|metade|dobro|alivio|as vezes|quase|repente|diz|disse|dizem|em nome|mae|pai|filha|filho|mulher"
        r"|marido|esposa|vizinha|vizinho|cuidadora|cuidador)\b"
    ),
}
IS_IT_YOU = frozenset({"is that you", "eh o proprio"})
"""The right-party question without a word of its own, flat."""

KIN = re.compile(
    r"\b(?:wife|husband|mother|mum|father|dad|daughter|son|sister|brother|neighbour|carer|on behalf|speaking for"
    r"|mae|pai|filha|filho|mulher|marido|esposa|vizinha|vizinho|cuidadora|cuidador|em nome)\b"
)
"""Words by which somebody on the line says that they are somebody else."""

_NAMES_ONESELF = re.compile(r"\b(?:this is|it is|i am|my name is|speaking|fala|sou|chamo)\b")
UNREAD_WORDS_MIN = 2
"""A clause of fewer words that nobody could read says nothing ("Dinner!")."""


def doubtful(asked: Question, kind: AnswerKind, reply: str, language: str, *, unread: bool) -> bool:
    """Say whether a yes or no wants one confirmation because of what stands beside it.

    Args:
        asked: The question.
        kind: YES or NO; another kind is never doubted here.
        reply: The reply, flat.
        language: Base language.
        unread: Whether a clause of `UNREAD_WORDS_MIN` words or more says nothing anybody could read.
    """
    if kind not in {AnswerKind.YES, AnswerKind.NO} or _towards_the_flag(asked, kind):
        return False
    if unread and not (asked.axis == 0 and _NAMES_ONESELF.search(reply)):
        return True
    limits = _LIMITS.get(language)
    own = set(asked.flat.split())
    return limits is not None and any(not set(found.group().split()) <= own for found in limits.finditer(reply))


def _towards_the_flag(asked: Question, kind: AnswerKind) -> bool:
    return (asked.axis < 0 and kind is AnswerKind.YES) or (asked.axis > 0 and kind is AnswerKind.NO)


_SCALE_MAX = 10
_ARTICLES = frozenset({"one", "um", "uma"})


def doubtful_number(question: QuestionText, asked: Question, reply: str, idioms: Idioms) -> bool:
    """Say whether a number wants one confirmation: another one beside it, a denial, an article, or off the scale.

    "Três não, oito", "not as low as two", "uma dor insuportável", "one hundred" on a scale to ten.
    """
    if asked.form is not QuestionForm.NUMBER:
        return False
    tokens = tokenise(reply, question.language).tokens
    numbers = [token for token in tokens if token.value is not None]
    words = [token.norm for token in tokens]
    values = {token.value for token in numbers}
    if len(values) > 1 and len(values - {_SCALE_MAX}) > 1:
        return True
    if any(word in idioms.negators for word in words):
        return True
    if len(words) > 1 and len(numbers) == 1 and numbers[0].norm in _ARTICLES:
        return True
    return question.value_type == "scale" and any(v is not None and v > _SCALE_MAX for v in values)
