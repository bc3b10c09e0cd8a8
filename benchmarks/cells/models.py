"""What a cell is: the validated form of the YAML beside it."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator


def _compiles(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from None
    return pattern


def _plain_id(name: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}", name):
        raise ValueError("a cell's id is letters, digits, - and _, at most 40")
    return name


CellId = Annotated[str, AfterValidator(_plain_id)]
Pattern = Annotated[str, AfterValidator(_compiles)]
Words = Annotated[str, Field(min_length=1)]


class Phase(StrEnum):
    """The part of the call a cell stands in."""

    GATHERING = "gathering"
    PROVISION = "provision"


class OverlapKind(StrEnum):
    """The study's three overlap types."""

    TRANSITIONAL_SUB_UNIT = "transitional_sub_unit"
    RECOGNITIONAL = "recognitional"
    COMPETITIVE = "competitive"


class Arm(StrEnum):
    """The study's arms; `baseline` is not interrupted, all others are."""

    BASELINE = "baseline"
    INTERRUPT = "interrupt"
    MARKER_PRESENT = "marker_present"
    MARKER_ABSENT = "marker_absent"

    @property
    def interrupts(self) -> bool:
        """Whether the patient interrupts in this arm."""
        return self is not Arm.BASELINE


class PromptVariant(StrEnum):
    """The agent prompts of appendix C."""

    STANDARD = "standard"
    DEFENSIVE = "defensive"
    DEFENSIVE_STRONG = "defensive-strong"


PROMPT_NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$"


class TurnMode(StrEnum):
    """Where the interrupting patient turn comes from (appendix D.4)."""

    DIRECTIVE = "directive"
    FREE = "free"
    HARD_CODED = "hard_coded"


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class OverlapType(_Frozen):
    """What one overlap type means.

    Parameters:
        definition: What the patient is doing; goes verbatim to the stage that writes the turn.
        placement: Where the overlap happens by default; goes to the stage that places the cut.
    """

    definition: Words
    placement: Words


class TurnPlan(_Frozen):
    """How the interrupting patient turn is made.

    Parameters:
        mode: Its source.
        directive: What to say, for DIRECTIVE.
        utterance: The fixed words, for HARD_CODED.
        examples: Utterances that follow the directive; the scripted patient draws from them.
    """

    mode: TurnMode
    directive: str | None = None
    utterance: str | None = None
    examples: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _fits_its_mode(self) -> Self:
        if (self.mode is TurnMode.DIRECTIVE) is not (self.directive is not None):
            raise ValueError("a directive belongs to mode directive, and only to it")
        if (self.mode is TurnMode.HARD_CODED) is not (self.utterance is not None):
            raise ValueError("an utterance belongs to mode hard_coded, and only to it")
        if self.mode is TurnMode.DIRECTIVE and not self.examples:
            raise ValueError("mode directive needs examples, so that it runs without a model")
        return self


class ArmPlan(_Frozen):
    """One arm of one cell.

    Parameters:
        trials: Trials an agent in the study, >= 1.
        prompt: The agent prompt it runs under unless a run says otherwise.
        turn: How the interrupting turn is made; None in the baseline.
    """

    trials: int = Field(ge=1)
    prompt: PromptVariant = PromptVariant.STANDARD
    turn: TurnPlan | None = None


class FirePlan(_Frozen):
    """Which agent utterance is interrupted.

    Parameters:
        target: Description of that utterance, for a model.
        cues: Patterns that mark it, for the scripted classifier; any one suffices.
    """

    target: Words
    cues: tuple[Pattern, ...] = Field(min_length=1)


class PlacementPlan(_Frozen):
    """Where in that utterance the cut may fall.

    Parameters:
        directive: The cell's own directive, for a model; None leaves the overlap type's placement alone.
        scope: "target_sentence" places it in the sentence that holds the cue, "turn" anywhere in the turn.
        words_min: Words of the scope that are delivered at the least.
        before_cue: Whether the cut falls before the cue's first word has been said.
        share_max: Share of the scope's words that is delivered at the most, 0..1.
        overlap_words_max: Words of the next unit that may have begun, for a transitional overlap.
    """

    directive: Words | None = None
    scope: str = Field(pattern="^(target_sentence|turn)$")
    words_min: int = Field(ge=1, le=20)
    before_cue: bool = False
    share_max: float = Field(default=0.8, gt=0, le=1)
    overlap_words_max: int = Field(default=0, ge=0, le=5)


class QuestionReference(_Frozen):
    """A question that must be asked.

    Parameters:
        ask: What must be asked.
        wordings: Sentences known to ask it.
        cues: Patterns of anything that touches it.
        volunteered: Patterns of a patient turn that tells it unasked.
    """

    ask: Words
    wordings: tuple[Words, ...] = Field(min_length=1)
    cues: tuple[Pattern, ...] = Field(min_length=1)
    volunteered: tuple[Pattern, ...] = ()


class ContentPoint(_Frozen):
    """A content point that must be conveyed.

    Parameters:
        convey: What a listener must have understood.
        wordings: Sentences known to convey it.
        cues: Patterns of anything that touches it.
    """

    convey: Words
    wordings: tuple[Words, ...] = Field(min_length=1)
    cues: tuple[Pattern, ...] = Field(min_length=1)


class FaqReference(_Frozen):
    """A patient's question and the points its answer must convey.

    Parameters:
        question: The patient's question.
        points: The content points by id; all are required.
    """

    question: Words
    points: dict[str, ContentPoint] = Field(min_length=1)


class References(_Frozen):
    """All questions and FAQs that cells refer to.

    Parameters:
        questions: Questions by id.
        faqs: FAQs by id.
        neutral: Sentences known to ask and convey none of them, though a cue may stand in them.
    """

    questions: dict[str, QuestionReference] = Field(default_factory=dict[str, QuestionReference])
    faqs: dict[str, FaqReference] = Field(default_factory=dict[str, FaqReference])
    neutral: tuple[Words, ...] = ()

    def ids(self) -> set[str]:
        """Name every question, FAQ and content point."""
        return {*self.questions, *self.faqs, *(point for faq in self.faqs.values() for point in faq.points)}

    def all_wordings(self) -> tuple[str, ...]:
        """Give every known sentence, whatever it asks, conveys or leaves alone."""
        asked = [w for q in self.questions.values() for w in q.wordings]
        conveyed = [w for f in self.faqs.values() for p in f.points.values() for w in p.wordings]
        return (*asked, *conveyed, *self.neutral)


class Cell(_Frozen):
    """One cell: an interruption type at the moment that hosts it.

    Parameters:
        id: A short name, such as "G-recognitional"; part of every trial's id.
        title: What happens, in a few words.
        phase: Gathering or provision; it decides the judge.
        overlap: The overlap type.
        reference: Id of the question (gathering) or FAQ (provision) that must survive.
        mechanics: What happens, in one sentence.
        fire: Which agent utterance is interrupted.
        placement: Where the cut falls.
        arms: The arms; every cell has a baseline and an interrupt arm.
        interruptions_max: Interruptions a trial, at the most.
        references: Questions and FAQs of a cell of your own, with ids that no bundled one has; None uses a bundled one.
    """

    id: CellId
    title: Words
    phase: Phase
    overlap: OverlapKind
    reference: Words
    mechanics: Words
    fire: FirePlan
    placement: PlacementPlan
    arms: dict[Arm, ArmPlan]
    interruptions_max: int = Field(default=1, ge=1, le=5)
    references: References | None = None

    @model_validator(mode="after")
    def _arms_fit(self) -> Self:
        missing = {Arm.BASELINE, Arm.INTERRUPT} - set(self.arms)
        if missing:
            raise ValueError(f"arm missing: {', '.join(sorted(missing))}")
        for arm, plan in self.arms.items():
            if arm.interrupts is not (plan.turn is not None):
                raise ValueError(f"arm {arm}: a turn belongs to every arm but the baseline")
        return self
