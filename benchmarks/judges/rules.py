"""Judges without a model, for agents whose sentences are known: scripted agents and a pathway's own wording.

A known sentence heard whole asks or conveys. A known sentence cut off does not. Anything else that touches the
reference leaves the verdict unscored: these judges never guess at free text.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from typing import TypeVar

from benchmarks.cells import ContentPoint, FaqReference, Phase, QuestionReference, References, load_references
from benchmarks.errors import UnknownName
from benchmarks.judges.protocol import Outcome, Verdict
from benchmarks.judges.signatures import signature
from benchmarks.simulator.transcript import HeardTurn, Speaker
from benchmarks.simulator.words import bare_words, find_run

FRAGMENT_WORDS_MIN = 2
Reference = TypeVar("Reference", QuestionReference, FaqReference)


def heard_whole(wordings: Iterable[str], turns: Sequence[list[str]]) -> bool:
    """Say whether any of the wordings was heard whole within one turn."""
    return any(find_run(bare_words(wording), turn) for wording in wordings for turn in turns)


def unexplained(turn: list[str], known: Sequence[list[str]], *, breaks_off: bool) -> list[str]:
    """Give the stretches of a turn that are neither a known sentence nor the cut-off beginning of one.

    Args:
        turn: The turn as bare words.
        known: Known sentences as bare words.
        breaks_off: Whether the turn ends without a full stop; only then can its end be a cut-off beginning. A whole
            sentence stands for itself, even where a known one begins the same way.
    """
    covered = [False] * len(turn)
    for wording in known:
        for start in find_run(wording, turn):
            covered[start : start + len(wording)] = [True] * len(wording)
        for length in range(len(wording) - 1, FRAGMENT_WORDS_MIN - 1, -1) if breaks_off else ():
            if length <= len(turn) and turn[-length:] == wording[:length]:
                covered[-length:] = [True] * length
                break
    stretches: list[str] = []
    current: list[str] = []
    for word, done in zip([*turn, ""], [*covered, True], strict=True):
        if done:
            stretches += [" ".join(current)] if current else []
            current = []
        else:
            current.append(word)
    return stretches


class RuleItems:
    """Says item by item whether it was heard: PASS, FAIL, or UNSCORED when touched in words that are not known."""

    def __init__(self, references: References | None = None) -> None:
        self.references = references or load_references()
        self._known = [bare_words(w) for w in self.references.all_wordings()]

    def outcomes(self, phase: Phase, reference: str, agent_turns: Sequence[str]) -> dict[str, Outcome]:
        """Judge every item of one reference.

        Args:
            phase: Whether `reference` is a question or an FAQ.
            reference: Its id.
            agent_turns: The agent's turns as the patient heard them.

        Raises:
            UnknownName: There is no such reference.
        """
        if phase is Phase.GATHERING:
            items = {reference: _named("question", reference, self.references.questions)}
        else:
            items = _named("FAQ", reference, self.references.faqs).points
        turns = [bare_words(turn) for turn in agent_turns]
        rest = [
            stretch
            for text, turn in zip(agent_turns, turns, strict=True)
            for stretch in unexplained(turn, self._known, breaks_off=text.rstrip()[-1:] not in tuple(".?!"))
        ]
        return {name: _outcome(item, turns, rest) for name, item in items.items()}


def _named(what: str, name: str, known: dict[str, Reference]) -> Reference:
    if name not in known:
        raise UnknownName(what, name, known)
    return known[name]


def _outcome(item: QuestionReference | ContentPoint, turns: Sequence[list[str]], rest: Sequence[str]) -> Outcome:
    if heard_whole(item.wordings, turns):
        return Outcome.PASS
    touched = any(re.search(cue, stretch, flags=re.IGNORECASE) for cue in item.cues for stretch in rest)
    return Outcome.UNSCORED if touched else Outcome.FAIL


class _RuleJudge:
    version = "2"

    def __init__(self, references: References | None = None) -> None:
        self._items = RuleItems(references)
        self._signature = signature(sys.modules[__name__], self._items.references)

    @property
    def signature(self) -> str:
        """Hash of this module and the references."""
        return self._signature


class RuleTargetQuestionJudge(_RuleJudge):
    """Did the agent ask the question, or did the patient volunteer the answer?"""

    name = "target-question/rules"

    async def judge(self, reference: str, transcript: Sequence[HeardTurn], *, seed: int = 0) -> Verdict:
        """Judge one question; a cut-off question does not count as asked.

        Raises:
            UnknownName: There is no such question.
        """
        del seed
        items = self._items.outcomes(Phase.GATHERING, reference, _said_by(Speaker.AGENT, transcript))
        question = self._items.references.questions[reference]
        told = _said_by(Speaker.PATIENT, transcript)
        if any(re.search(pattern, text, flags=re.IGNORECASE) for pattern in question.volunteered for text in told):
            return Verdict(Outcome.PASS, "the patient volunteered it", {reference: Outcome.PASS})
        touched = [t for t in told if not t.rstrip().endswith("?")]
        if items[reference] is Outcome.FAIL and any(
            re.search(cue, text, flags=re.IGNORECASE) for cue in question.cues for text in touched
        ):
            return Verdict(Outcome.UNSCORED, "the patient touched it", {reference: Outcome.UNSCORED})
        return Verdict(items[reference], reason_of(items), items)


class RuleCoverageJudge(_RuleJudge):
    """Were all content points of the FAQ conveyed?"""

    name = "provision-coverage/rules"

    async def judge(self, reference: str, transcript: Sequence[HeardTurn], *, seed: int = 0) -> Verdict:
        """Judge one FAQ: one point not conveyed fails; else one unscored point leaves the whole unscored.

        Raises:
            UnknownName: There is no such FAQ.
        """
        del seed
        items = self._items.outcomes(Phase.PROVISION, reference, _said_by(Speaker.AGENT, transcript))
        return Verdict(combine(items), reason_of(items), items)


def _said_by(speaker: Speaker, transcript: Sequence[HeardTurn]) -> list[str]:
    return [turn.text for turn in transcript if turn.speaker is speaker]


def combine(items: dict[str, Outcome]) -> Outcome:
    """Give the verdict over several required items."""
    if Outcome.FAIL in items.values():
        return Outcome.FAIL
    return Outcome.UNSCORED if Outcome.UNSCORED in items.values() else Outcome.PASS


def reason_of(items: dict[str, Outcome]) -> str:
    """Name the items that did not pass."""
    left = [f"{name} {outcome}" for name, outcome in items.items() if outcome is not Outcome.PASS]
    return "; ".join(left) or "all heard"
