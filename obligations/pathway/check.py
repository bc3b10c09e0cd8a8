"""What must agree inside a pathway: ids, references, languages, focus words, answer values.

Owns the rules that one field alone cannot break. Each fault names its place, what is wrong and what to write instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from obligations.pathway.answers import is_answer_pattern
from obligations.pathway.check_words import check_words
from obligations.pathway.emergencies import EMERGENCY, emergency_kinds, is_entry
from obligations.pathway.models import Group, OnAnswer, OnFaq, Pathway, Point, Question
from obligations.pathway.words import contains_words, forms_of, words_of

POINT_WORDS_MAX = 30
QUESTION_WORDS_MAX = 40

Loc = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault at a place inside the file's data."""

    loc: Loc
    what: str
    fix: str


def check_pathway(pathway: Pathway) -> tuple[Fault, ...]:
    """Find every disagreement; an empty result means the pathway holds together."""
    rules: tuple[Callable[[Pathway], Iterable[Fault]], ...] = (_ids, _languages, _references, _triggers, _items, _alike)
    words = (Fault(fault.loc, fault.what, fault.fix) for fault in check_words(pathway))
    return (*(fault for rule in rules for fault in rule(pathway)), *words)


def _ids(pathway: Pathway) -> Iterator[Fault]:
    """Each kind of thing has its own names: a group and an item may share one, two items may not."""
    kinds: list[list[tuple[str, Loc]]] = [
        [(source.id, ("sources", i, "id")) for i, source in enumerate(pathway.sources)],
        [(condition.id, ("preconditions", i, "id")) for i, condition in enumerate(pathway.preconditions)],
        [(group.id, ("groups", g, "id")) for g, group in enumerate(pathway.groups)],
        [(item.id, (*loc, "id")) for loc, item in _each_item(pathway)],
    ]
    for places in kinds:
        seen: dict[str, str] = {}
        for found, loc in places:
            if found in seen:
                yield Fault(loc, f"the id {found!r} is used twice (also at {seen[found]}).", "Give each its own id.")
            seen.setdefault(found, ".".join(str(step) for step in loc))


def _languages(pathway: Pathway) -> Iterator[Fault]:
    if len(set(pathway.languages)) != len(pathway.languages):
        yield Fault(("languages",), "a language is listed twice.", "List each language once.")
    places: list[tuple[Loc, Iterable[str]]] = [(("title",), pathway.title), (("phrases",), pathway.phrases)]
    for loc, item in _each_item(pathway):
        places.append(((*loc, "wording"), item.wording))
        if isinstance(item, Question):
            places.append(((*loc, "focus"), item.focus))
    for g, group in enumerate(pathway.groups):
        if isinstance(group.trigger, OnFaq):
            places.append((("groups", g, "trigger", "examples"), group.trigger.examples))
    for loc, given in places:
        for missing in [language for language in pathway.languages if language not in given]:
            yield Fault(
                loc, f"nothing is given for {missing!r}, one of the pathway's languages.", f"Add `{missing}:` here."
            )
        for extra in [language for language in given if language not in pathway.languages]:
            yield Fault(
                (*loc, extra),
                f"{extra!r} is not one of the pathway's languages.",
                "Remove it, or add it to `languages`.",
            )


def _references(pathway: Pathway) -> Iterator[Fault]:
    sources = {source.id for source in pathway.sources}
    for loc, item in _each_item(pathway):
        for i, source in enumerate(item.source):
            if source not in sources:
                yield Fault(
                    (*loc, "source", i),
                    f"no source has the id {source!r}.",
                    "Add it to `sources`, or name one of them.",
                )
    for i, precondition in enumerate(pathway.preconditions):
        asked = precondition.question
        if asked is not None and asked not in pathway.questions:
            yield Fault(
                ("preconditions", i, "question"),
                f"no question has the id {asked!r}.",
                "Name a question of this pathway.",
            )
        elif asked is not None and asked not in pathway.opening:
            yield Fault(
                ("preconditions", i, "question"),
                f"{asked!r} is asked after the opening, when clinical content may have been said.",
                "Move it to a group of `phase: opening`.",
            )
        if precondition.right_party and asked is None:
            yield Fault(
                ("preconditions", i, "right_party"),
                "only a question can find out who is on the line.",
                "Add `question:`, or remove `right_party`.",
            )
    routes = {group.escalation for group in pathway.groups}
    for i, route in enumerate(pathway.live_transfer):
        if route not in routes:
            yield Fault(
                ("live_transfer", i),
                f"no group escalates to {route!r}.",
                "Name the `escalation` of a group.",
            )


def _triggers(pathway: Pathway) -> Iterator[Fault]:
    for g, group in enumerate(pathway.groups):
        at: Loc = ("groups", g)
        if (group.due.turns is None) == (group.due.by == "within_turns"):
            yield Fault(
                (*at, "due"),
                "`turns` goes with `by: within_turns`, and only with it.",
                "Write `by: within_turns` and `turns: 2`.",
            )
        if isinstance(group.trigger, OnAnswer):
            yield from _answer_trigger(pathway, group, group.trigger, (*at, "trigger"))


def _answer_trigger(pathway: Pathway, group: Group, trigger: OnAnswer, loc: Loc) -> Iterator[Fault]:
    question = pathway.questions.get(trigger.question)
    if question is None:
        yield Fault(
            (*loc, "question"), f"no question has the id {trigger.question!r}.", "Name a question of this pathway."
        )
        return
    if any(item.id == question.id for item in group.items):
        yield Fault(
            (*loc, "question"), "a group cannot wait for an answer to its own question.", "Name an earlier question."
        )
    for i, value in enumerate(trigger.values):
        if not is_answer_pattern(value, question.value_type):
            yield Fault((*loc, "values", i), f"{value!r} can never be an answer to it.", _value_fix(question))


def _items(pathway: Pathway) -> Iterator[Fault]:
    for loc, item in _each_item(pathway):
        limit = POINT_WORDS_MAX if isinstance(item, Point) else QUESTION_WORDS_MAX
        for language, wording in item.wording.items():
            if len(words_of(wording)) > limit and not (isinstance(item, Point) and item.verbatim):
                yield Fault(
                    (*loc, "wording", language),
                    f"more than {limit} words are too many to say at once.",
                    "Split it into atomic items.",
                )
        if item.id == EMERGENCY:
            yield Fault((*loc, "id"), f"the id {EMERGENCY!r} is kept for what is told unasked.", "Choose another.")
        if isinstance(item, Question):
            yield from _question(item, loc)
            yield from _volunteered(item, loc)


def _question(item: Question, loc: Loc) -> Iterator[Fault]:
    for language, focus in item.focus.items():
        places: list[tuple[Loc, str]] = [((*loc, "focus", language), item.wording.get(language, focus))]
        places += [((*loc, "variants", language, i), text) for i, text in enumerate(item.variants.get(language, ()))]
        for name, more in (("reask", item.reask), ("confirm", item.confirm)):
            if language in more:
                places.append(((*loc, name, language), more[language]))
        for place, text in places:
            if not contains_words(text, focus):
                yield Fault(
                    place,
                    f"the focus {focus!r} is not in the wording {text!r}.",
                    "Copy the focus from the wording, word for word.",
                )
    for i, value in enumerate(item.red_flag_answers):
        if not is_answer_pattern(value, item.value_type):
            yield Fault((*loc, "red_flag_answers", i), f"{value!r} can never be an answer to it.", _value_fix(item))


def _volunteered(item: Question, loc: Loc) -> Iterator[Fault]:
    """What a question says of words told without being asked."""
    known = sorted(emergency_kinds())
    for i, kind in enumerate(item.emergencies):
        if kind not in known:
            at = (*loc, "emergencies", i)
            yield Fault(at, f"{kind!r} is no kind of emergency.", f"Use one of {', '.join(known)}.")
    if (item.emergencies or item.told_as) and "yes" not in item.red_flag_answers:
        at = (*loc, "emergencies" if item.emergencies else "told_as")
        yield Fault(at, "it could raise no flag: a yes to this question is none.", 'Add "yes" to `red_flag_answers`.')
    for language, entries in item.told_as.items():
        for i, entry in enumerate(entries):
            if not is_entry(entry):
                at = (*loc, "told_as", language, i)
                yield Fault(at, f"{entry!r} is not a row of words.", 'Write words as in "cant|cannot see at? all".')


def _alike(pathway: Pathway) -> Iterator[Fault]:
    """Two items in the same words: what is heard closes the first, and the second is spoken in vain."""
    seen: dict[tuple[str, tuple[str, ...]], tuple[str, Loc]] = {}
    for loc, item in _each_item(pathway):
        for at, language, text in _own_texts(item, loc):
            first, place = seen.setdefault((language, forms_of(text)), (item.id, at))
            if first != item.id:
                where = ".".join(str(step) for step in place)
                yield Fault(
                    at,
                    f"it says word for word what {first!r} says (at {where}), so nobody can tell which was meant.",
                    "Give each its own words, or remove one of the two.",
                )


def _own_texts(item: Question | Point, loc: Loc) -> Iterator[tuple[Loc, str, str]]:
    """Each place, language and text in which an item is spoken."""
    fields = (("wording", item.wording),)
    if isinstance(item, Question):
        fields = (*fields, ("reask", item.reask), ("confirm", item.confirm))
    for name, given in fields:
        for language, text in given.items():
            yield (*loc, name, language), language, text
    if isinstance(item, Question):
        for language, texts in item.variants.items():
            for i, text in enumerate(texts):
                yield (*loc, "variants", language, i), language, text


def _value_fix(question: Question) -> str:
    if question.value_type == "yes_no":
        return 'Write "yes" or "no".'
    if question.value_type == "scale":
        return 'Write a number from 0 to 10, or a bound it can reach, such as ">=7".'
    return 'Write a value, or a bound such as ">=7".'


def _each_item(pathway: Pathway) -> Iterator[tuple[Loc, Question | Point]]:
    for g, group in enumerate(pathway.groups):
        for i, item in enumerate(group.items):
            yield ("groups", g, "items", i), item
