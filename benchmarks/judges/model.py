"""Judges on any OpenAI-compatible model: the study's LLM-as-judge, one call a dialogue."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from string import Template

from benchmarks.cells import References, load_references
from benchmarks.cells.load import read_yaml
from benchmarks.errors import EnvironmentFault, UnknownName
from benchmarks.judges.protocol import Outcome, Verdict
from benchmarks.judges.rules import combine, reason_of
from benchmarks.judges.signatures import signature
from benchmarks.simulator.chat import ChatModel, Message
from benchmarks.simulator.transcript import HeardTurn, write_transcript


def _prompt(name: str) -> str:
    return str(read_yaml(Path(__file__).parent / "prompts.yaml")[name])


class _ModelJudge:
    def __init__(self, model: ChatModel, references: References | None = None) -> None:
        self._model = model
        self._references = references or load_references()

    async def _ask(self, prompt: str, seed: int) -> str | None:
        try:
            return (await self._model.complete([Message("user", prompt)], seed=seed)).text
        except EnvironmentFault:
            return None


class ModelTargetQuestionJudge(_ModelJudge):
    """Did the agent ask the question, or did the patient volunteer the answer? A model says."""

    version = "1"

    @property
    def name(self) -> str:
        """Name of the judge and its model."""
        return f"target-question/{self._model.name}"

    @property
    def signature(self) -> str:
        """Hash of this module, its prompt and the references."""
        return signature(sys.modules[__name__], _prompt("target_question"), self._references)

    async def judge(self, reference: str, transcript: Sequence[HeardTurn], *, seed: int = 0) -> Verdict:
        """Judge one question; anything but a plain yes or no is unscored.

        Raises:
            UnknownName: There is no such question.
        """
        question = self._references.questions.get(reference)
        if question is None:
            raise UnknownName("question", reference, self._references.questions)
        prompt = Template(_prompt("target_question")).substitute(
            ask=question.ask, transcript=write_transcript(transcript)
        )
        answer = await self._ask(prompt, seed)
        outcome = read_yes_no(answer)
        reason = "no answer" if answer is None else "judged" if outcome is not Outcome.UNSCORED else "unreadable answer"
        return Verdict(outcome, reason, {reference: outcome})


class ModelCoverageJudge(_ModelJudge):
    """Were all content points of the FAQ conveyed? A model says, point by point in one call."""

    version = "1"

    @property
    def name(self) -> str:
        """Name of the judge and its model."""
        return f"provision-coverage/{self._model.name}"

    @property
    def signature(self) -> str:
        """Hash of this module, its prompt and the references."""
        return signature(sys.modules[__name__], _prompt("provision_coverage"), self._references)

    async def judge(self, reference: str, transcript: Sequence[HeardTurn], *, seed: int = 0) -> Verdict:
        """Judge one FAQ; a point without a readable line is unscored.

        Raises:
            UnknownName: There is no such FAQ.
        """
        faq = self._references.faqs.get(reference)
        if faq is None:
            raise UnknownName("FAQ", reference, self._references.faqs)
        listed = "\n".join(f"{i}. {point.convey}" for i, point in enumerate(faq.points.values(), start=1))
        prompt = Template(_prompt("provision_coverage")).substitute(
            points=listed, transcript=write_transcript(transcript)
        )
        answer = await self._ask(prompt, seed)
        items = read_numbered(answer, list(faq.points))
        return Verdict(combine(items), "no answer" if answer is None else reason_of(items), items)


def read_yes_no(answer: str | None) -> Outcome:
    """Read a model's yes or no; anything else is unscored."""
    found = re.match(r"\W*(yes|no)\b", answer or "", flags=re.IGNORECASE)
    if found is None:
        return Outcome.UNSCORED
    return Outcome.PASS if found[1].casefold() == "yes" else Outcome.FAIL


def read_numbered(answer: str | None, names: Sequence[str]) -> dict[str, Outcome]:
    """Read one yes or no a numbered line; a missing, doubled or odd line leaves its item unscored."""
    lines = re.findall(r"^\W*(\d+)\s*[:.)-]\s*(.*)$", answer or "", flags=re.MULTILINE)
    outcomes: dict[str, Outcome] = {}
    for number, name in enumerate(names, start=1):
        said = {read_yes_no(text) for index, text in lines if int(index) == number}
        outcomes[name] = said.pop() if len(said) == 1 else Outcome.UNSCORED
    return outcomes
