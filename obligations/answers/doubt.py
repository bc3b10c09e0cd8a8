"""What makes a yes or a no less than plain: words beside it that nobody read, limits, other times, other verbs.

Owns the last look before a reading closes anything. It never changes what a reply says, only whether it needs one
confirmation; towards the red flag nothing is doubted.
"""

from __future__ import annotations

from obligations.answers.idioms.model import Idioms
from obligations.answers.protocol import AnswerKind, QuestionText
from obligations.answers.question import Question, QuestionForm
from obligations.coverage.text import tokenise

UNREAD_WORDS_MIN = 2
"""A clause of fewer words that nobody could read says nothing ("Dinner!")."""


def doubtful(asked: Question, kind: AnswerKind, reply: str, idioms: Idioms, *, unread: bool) -> bool:
    """Say whether a yes or no wants one confirmation because of what stands beside it.

    Args:
        asked: The question.
        kind: YES or NO; another kind is never doubted here.
        reply: The reply, flat.
        idioms: Those of the call's language.
        unread: Whether a clause of `UNREAD_WORDS_MIN` words or more says nothing anybody could read.
    """
    if kind not in {AnswerKind.YES, AnswerKind.NO} or _towards_the_flag(asked, kind):
        return False
    if unread and not (asked.axis == 0 and idioms.names_oneself.search(reply)):
        return True
    own = set(asked.flat.split())
    return any(not set(found.group().split()) <= own for found in idioms.limits.finditer(reply))


def over_the_stretch(asked: Question, kind: AnswerKind, reply: str, idioms: Idioms) -> AnswerKind:
    """Say what a no is worth where a stretch of time was asked about ("Have you had ...?").

    "Not now" says nothing of yesterday: confirmed a hundred times, it would still be no answer. "Not any more" says
    that there was something.
    """
    if kind is not AnswerKind.NO or not asked.stretch or _towards_the_flag(asked, kind):
        return kind
    if idioms.no_more.search(reply) is not None:
        return AnswerKind.YES if asked.axis < 0 else AnswerKind.UNCLEAR
    return AnswerKind.UNCLEAR if idioms.only_now.search(reply) is not None else kind


def _towards_the_flag(asked: Question, kind: AnswerKind) -> bool:
    return (asked.axis < 0 and kind is AnswerKind.YES) or (asked.axis > 0 and kind is AnswerKind.NO)


_SCALE_MAX = 10


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
    if len(words) > 1 and len(numbers) == 1 and numbers[0].norm in idioms.articles:
        return True
    return question.value_type == "scale" and any(v is not None and v > _SCALE_MAX for v in values)
