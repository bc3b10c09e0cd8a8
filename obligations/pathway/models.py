"""What a call must cover, as values: questions, content points, groups, phrases.

Owns the shape of a pathway and what each field means. Reads no file (see `load`) and knows nothing of a call in
progress.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from obligations.answers.protocol import QuestionText
from obligations.coverage.protocol import PointText
from obligations.errors import UnknownLanguage
from obligations.pathway.base import Id, Language, Line, Model, Wording, Wordings
from obligations.pathway.phrases import LATER_PHRASES, Phrases, default_phrases

ValueType = Literal["yes_no", "number", "text", "scale", "date", "duration"]
Phase = Literal["opening", "main", "closing"]


class Source(Model):
    """Where a fact comes from; wording is always our own."""

    id: Id
    citation: Line


class Question(Model):
    """Something the patient must be asked and must answer.

    Parameters:
        id: Unique in the pathway.
        wording: The question as spoken, one per language.
        focus: The words of `wording` without which the question was not asked; a cut before their end leaves it open.
        variants: Other wordings that also ask it in full; each must hold the focus.
        reask: How it is asked a second time; `wording` when absent.
        confirm: How a doubtful answer is checked; `wording` when absent.
        value_type: What an answer is.
        red_flag_answers: Values that raise a red flag: "yes", "no", a value, or a bound such as ">=7".
        emergencies: Kinds of the bundled table of emergencies that this question asks about, such as "loss-of-sight":
            words of that kind, said at any time, raise its red flag as uncertain.
        told_as: More words in which patients tell of it without being asked, in the form of that table (`emergencies`).
        critical: Whether losing it is a hazard.
        source: Ids of the sources behind it.
    """

    kind: Literal["question"]
    id: Id
    wording: Wording
    focus: Wording
    variants: Wordings = {}
    reask: Wording = {}
    confirm: Wording = {}
    value_type: ValueType = "yes_no"
    red_flag_answers: tuple[str, ...] = ()
    emergencies: tuple[Id, ...] = ()
    told_as: Wordings = {}
    critical: bool = False
    source: tuple[Id, ...] = ()


class Point(Model):
    """One atomic thing the patient must have heard.

    Parameters:
        id: Unique in the pathway.
        wording: The pathway's own spoken wording, one per language.
        must_convey: What a listener must have understood, for a matcher.
        not_confused_with: Statements that sound alike and do not convey it.
        critical: Whether losing it is a hazard.
        verbatim: Only the exact wording conveys it (legal disclosures, scored instruments).
        source: Ids of the sources behind it.
    """

    kind: Literal["point"]
    id: Id
    wording: Wording
    must_convey: Wordings = {}
    not_confused_with: Wordings = {}
    critical: bool = False
    verbatim: bool = False
    source: tuple[Id, ...] = ()


Item = Annotated[Question | Point, Field(discriminator="kind")]


class OnPhase(Model):
    """The group is owed in every call, from the beginning of a phase."""

    on: Literal["phase"]
    phase: Phase


class OnFaq(Model):
    """The group is owed once the patient asks about it.

    Parameters:
        examples: Whole questions a patient might ask, per language.
        keywords: Words that together name the topic, per language: every word of one entry must occur.
    """

    on: Literal["faq"]
    examples: Wordings
    keywords: Wordings = {}


class OnAnswer(Model):
    """The group is owed once a question is answered so (a follow-up).

    Parameters:
        question: Id of the question.
        values: Answers that open it, in the form of `Question.red_flag_answers`.
    """

    on: Literal["answer"]
    question: Id
    values: tuple[str, ...] = Field(min_length=1)


Trigger = Annotated[OnPhase | OnFaq | OnAnswer, Field(discriminator="on")]


class Due(Model):
    """By when an open item must be dealt with.

    Parameters:
        by: "before_end", "within_turns" or "at_once".
        turns: Agent turns allowed; only with "within_turns".
    """

    by: Literal["before_end", "within_turns", "at_once"] = "before_end"
    turns: int | None = Field(default=None, ge=1, le=20)


class Group(Model):
    """Items that become owed together and are returned to together.

    Parameters:
        id: Unique in the pathway.
        title: A short name for people, per language.
        trigger: What makes the items owed.
        due: By when.
        escalation: Who must learn of an item left open or of a red flag, such as "eye-casualty".
        attempts_max: How often an item is spoken before it is left to the guard and the hand-off.
        spacing_turns: Patient turns between two attempts at one item.
        items: The items, in the order they are spoken.
    """

    id: Id
    title: Wording = {}
    trigger: Trigger
    due: Due = Due()
    escalation: Id | None = None
    attempts_max: int = Field(default=3, ge=1, le=10)
    spacing_turns: int = Field(default=1, ge=0, le=10)
    items: tuple[Item, ...] = Field(min_length=1)


class Precondition(Model):
    """What must hold before anything of the main phase is spoken.

    Parameters:
        id: Unique in the pathway.
        question: Question whose answer decides; None for a signal from outside (such as "a human answered").
        needs: Answers that let the call go on.
        otherwise: End reason when it does not hold.
        right_party: The question asks whether the right person is on the line: somebody else is asked to fetch them, or
            called back, and is told nothing.
    """

    id: Id
    question: Id | None = None
    needs: tuple[str, ...] = ("yes",)
    otherwise: Id
    right_party: bool = False


class Pathway(Model):
    """Everything one kind of call must cover.

    Parameters:
        schema_version: Version of this file format.
        id: Stable name.
        version: Version of the content, changed with every change of it.
        title: A name for people, per language.
        languages: Languages in which every wording is given; the first is the reference.
        review: Review status of the content.
        sources: Where the facts come from.
        phrases: The sentences around the items, per language.
        preconditions: What must hold before the main phase.
        live_transfer: Escalations to whom a red flag is put through at once, while the patient is on the line.
        groups: The items in speaking order, grouped by what makes them owed.
    """

    schema_version: Literal[1] = 1
    id: Id
    version: str = Field(pattern=r"^\d+\.\d+(?:\.\d+)?$")
    title: Wording
    languages: tuple[Language, ...] = Field(min_length=1)
    review: Literal["not_clinically_reviewed", "clinically_reviewed"]
    sources: tuple[Source, ...] = ()
    phrases: dict[Language, Phrases]
    preconditions: tuple[Precondition, ...] = ()
    live_transfer: tuple[Id, ...] = ()
    groups: tuple[Group, ...] = Field(min_length=1)

    @cached_property
    def items(self) -> dict[str, Question | Point]:
        """Every item by id, in speaking order."""
        return {item.id: item for group in self.groups for item in group.items}

    @cached_property
    def group_by_item(self) -> dict[str, Group]:
        """The group of every item id."""
        return {item.id: group for group in self.groups for item in group.items}

    @cached_property
    def order(self) -> dict[str, int]:
        """The place of every item in speaking order, from 0."""
        return {item_id: place for place, item_id in enumerate(self.items)}

    @cached_property
    def questions(self) -> dict[str, Question]:
        """Every question by id."""
        return {item.id: item for item in self.items.values() if isinstance(item, Question)}

    @cached_property
    def points(self) -> dict[str, Point]:
        """Every content point by id."""
        return {item.id: item for item in self.items.values() if isinstance(item, Point)}

    @cached_property
    def opening(self) -> tuple[str, ...]:
        """The ids of the items of the opening phase, in speaking order."""
        return tuple(
            item.id
            for group in self.groups
            if isinstance(group.trigger, OnPhase) and group.trigger.phase == "opening"
            for item in group.items
        )

    @cached_property
    def right_party(self) -> Precondition | None:
        """The precondition that asks whether the right person is on the line; None when there is none."""
        return next((p for p in self.preconditions if p.right_party and p.question is not None), None)

    @cached_property
    def emergency_route(self) -> str | None:
        """Who must learn of an emergency no question asks about: whom a red flag is put through to, else whom it goes.

        The first escalation of `live_transfer`; without one, that of the first group that can raise a red flag.
        """
        flagged = (g.escalation for g in self.groups if any(getattr(i, "red_flag_answers", ()) for i in g.items))
        return next(iter(self.live_transfer), None) or next((name for name in flagged if name), None)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the content, hex: two pathways with one digest are the same text."""
        # Phrases that came later are left out where they are the bundled ones or none: they make no other text of a
        # pathway that events were written for before.
        later = {
            tag: {name for name in LATER_PHRASES if getattr(phrases, name) in (None, default_phrases(tag).get(name))}
            for tag, phrases in self.phrases.items()
        }
        return hashlib.sha256(self.model_dump_json(exclude={"phrases": later}).encode()).hexdigest()

    def group(self, group_id: str) -> Group:
        """Find a group by id.

        Raises:
            KeyError: No such group.
        """
        for group in self.groups:
            if group.id == group_id:
                return group
        raise KeyError(group_id)

    def resolve_language(self, language: str | None) -> str:
        """Find the pathway's tag for a call's language: exact, else the same base language ("en-GB" -> "en").

        Raises:
            UnknownLanguage: The pathway has no wording in it.
        """
        if language is None:
            return self.languages[0]
        wanted = language.replace("_", "-").casefold()
        for tag in self.languages:
            if tag.casefold() == wanted:
                return tag
        base = wanted.split("-")[0]
        for tag in self.languages:
            if tag.casefold() == base:
                return tag
        have = ", ".join(self.languages)
        raise UnknownLanguage(f"pathway {self.id} has no wording in {language!r}; it has {have}")

    def point_text(self, point_id: str, language: str) -> PointText:
        """Say what a coverage matcher may know of a point."""
        point = self.points[point_id]
        return PointText(
            id=point.id,
            wording=point.wording.get(language, ""),
            language=language,
            critical=point.critical,
            must_convey=point.must_convey.get(language, ()),
            not_confused_with=point.not_confused_with.get(language, ()),
            verbatim=point.verbatim,
        )

    def question_text(self, question_id: str, language: str, heard: str | None = None) -> QuestionText:
        """Say what an answer reader may know of a question; `heard` None means all of it was heard."""
        question = self.questions[question_id]
        text = question.wording[language]
        return QuestionText(
            text=text,
            heard=text if heard is None else heard,
            language=language,
            value_type=question.value_type,
            red_flag_answers=question.red_flag_answers,
        )
