"""Joining what several workers know of one call into its one hand-off.

Owns the rules: what was heard or answered in any part of the call is so; a red flag is never lost; what two parts
contradict each other in is open. Pure, and harmless when done twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from obligations.handoff.models import AnswerGiven, Handoff, OpenItem, PointDelivered, RedFlag, SetAside

_Listed = TypeVar("_Listed", AnswerGiven, PointDelivered, OpenItem, SetAside, RedFlag)
_T = TypeVar("_T")

_WEAK_ENDS = ("crash", "lost")
"""Ends that say only that a worker or its line went, weakest first: how another part of the call ended tells more."""


def join(handoff: Handoff, parts: Iterable[Handoff]) -> Handoff:
    """Join parts of a call into its hand-off.

    Args:
        handoff: As it stands; where two parts say the same, its words are kept.
        parts: What others know of the same call, in the order it became known.

    Returns:
        The joined hand-off, with the version of `handoff`; `handoff` itself where no part adds anything.
    """
    for part in parts:
        joined = _join(handoff, part)
        if joined != handoff:
            handoff = joined.model_copy(update={"parts": handoff.parts + 1})
    return handoff


def _join(one: Handoff, two: Handoff) -> Handoff:
    both = (one, two)
    answers, contradicted = _answers(both)
    delivered = _first_of(point for part in both for point in part.delivered)
    closed = answers.keys() | delivered.keys()
    opened = _open(both, closed - contradicted.keys()) | contradicted
    aside = {
        item_id: item
        for item_id, item in _first_of(i for part in both for i in part.set_aside).items()
        if item_id not in closed and (item.how == "declined" or item_id not in opened)
    }
    open_items = [item for item_id, item in opened.items() if item_id not in aside]
    open_items.sort(key=lambda item: (not item.red_flag, not item.critical))
    ended_by = min(both, key=lambda part: part.end_reason in _WEAK_ENDS and 2 - _WEAK_ENDS.index(part.end_reason))
    return one.model_copy(
        update={
            "end_reason": ended_by.end_reason,
            "ended_at_s": ended_by.ended_at_s,
            "complete": not open_items,
            "red_flags": _red_flags(both),
            "open_items": tuple(open_items),
            "answers": tuple(a for item_id, a in answers.items() if item_id not in contradicted),
            "delivered": tuple(delivered.values()),
            "set_aside": tuple(aside.values()),
            "patient_questions": _each_once(one.patient_questions, two.patient_questions),
            "requests": _each_once(one.requests, two.requests),
            "requests_made": _each_once(one.requests_made, two.requests_made),
            "transfers": _each_once(one.transfers, two.transfers),
            "other_words": _each_once(one.other_words, two.other_words),
        }
    )


def _answers(both: Sequence[Handoff]) -> tuple[dict[str, AnswerGiven], dict[str, OpenItem]]:
    """Every answer, and the questions that were answered in two ways as open ones."""
    answers: dict[str, AnswerGiven] = {}
    contradicted: dict[str, OpenItem] = {}
    for part in both:
        for given in part.answers:
            before = answers.setdefault(given.item_id, given)
            if before.value != given.value:
                contradicted[given.item_id] = _contradicted(before, given)
    told = [item for part in both for item in part.open_items if item.item_id in answers and _doubts(item, answers)]
    contradicted |= {item.item_id: item for item in told if item.item_id not in contradicted}
    return answers, contradicted


def _doubts(item: OpenItem, answers: dict[str, AnswerGiven]) -> bool:
    """Say whether an open question holds an answer that is another than the one given in the other part."""
    return item.doubtful_value not in (None, answers[item.item_id].value)


def _contradicted(one: AnswerGiven, two: AnswerGiven) -> OpenItem:
    return OpenItem(
        item_id=one.item_id,
        kind="question",
        text=one.question,
        critical=one.critical,
        red_flag=one.red_flag or two.red_flag,
        reason="unconfirmed",
        detail=f'answered "{one.value}" in one part of the call and "{two.value}" in another',
        attempts=2,
        heard=one.asked,
        doubtful_value=f"{one.value} or {two.value}",  # no single answer closes it again
    )


def _open(both: Sequence[Handoff], closed: Iterable[str]) -> dict[str, OpenItem]:
    """What stays open, with the more telling of two reasons."""
    done = set(closed)
    found: dict[str, OpenItem] = {}
    for item in (item for part in both for item in part.open_items if item.item_id not in done):
        before = found.get(item.item_id)
        if before is None or _tells(item) > _tells(before):
            found[item.item_id] = item
    return found


def _tells(item: OpenItem) -> tuple[bool, ...]:
    """How much an open item tells: the patient's will, then doubt, then what others said, then what was tried."""
    return (
        item.reason == "declined",
        item.doubtful_value is not None,
        item.reported_value is not None,
        bool(item.heard),
        item.attempts > 0,
    )


def _red_flags(both: Sequence[Handoff]) -> tuple[RedFlag, ...]:
    flags: dict[str, RedFlag] = {}
    for flag in (flag for part in both for flag in part.red_flags):
        if flag.item_id not in flags or (flag.certain and not flags[flag.item_id].certain):
            flags[flag.item_id] = flag
    return tuple(sorted(flags.values(), key=lambda flag: not flag.certain))


def _first_of(items: Iterable[_Listed]) -> dict[str, _Listed]:
    found: dict[str, _Listed] = {}
    for item in items:
        found.setdefault(item.item_id, item)
    return found


def _each_once(one: Iterable[_T], two: Iterable[_T]) -> tuple[_T, ...]:
    out = list(one)
    out += [item for item in two if item not in out]
    return tuple(out)
