"""Validates a judge against labelled dialogues: kappa with its interval, agreement, and what it left unscored.

The bundled labels are the authors' own, one annotator, and a second annotator's: a language model that labelled blinded
packs. A pack of your own annotators (`annotate`, or `judges --pack`) is better evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.cells import Phase
from benchmarks.cells.load import read_yaml
from benchmarks.figures import Figure, GroupValue, rate
from benchmarks.judges.protocol import Judge, Outcome
from benchmarks.judges.score import Judges
from benchmarks.simulator.transcript import HeardTurn, Speaker
from benchmarks.stats import Agreement, agreement

LABELLED = Path(__file__).parent / "labelled"
SECOND = "second_annotator.yaml"
FILES = {Phase.GATHERING: "target_question.yaml", Phase.PROVISION: "provision_coverage.yaml"}


@dataclass(frozen=True, slots=True)
class LabelledDialogue:
    """One dialogue, the authors' label, and the second annotator's where there is one."""

    transcript: tuple[HeardTurn, ...]
    gold: Outcome
    second: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Validation:
    """How one judge did.

    Parameters:
        judge: Its name.
        phase: Its phase.
        agreement: Kappa and agreement over the dialogues it decided; None when it decided none.
        wrong_pass: Dialogues labelled fail that it passed: a loss it would not see.
        wrong_fail: Dialogues labelled pass that it failed.
        unscored: Dialogues it left undecided.
        n: Dialogues given.
        with_second: The judge and the second annotator, over the dialogues the judge decided.
        annotators: The authors and the second annotator, over all dialogues.
    """

    judge: str
    phase: Phase
    agreement: Agreement | None
    wrong_pass: int
    wrong_fail: int
    unscored: int
    n: int
    with_second: Agreement | None = None
    annotators: Agreement | None = None

    def figures(self) -> list[Figure]:
        """Give the validation as figures."""
        group: dict[str, GroupValue] = {"judge": self.judge, "phase": self.phase.value}
        decided = self.n - self.unscored
        a = self.agreement
        others = (("judge, second annotator", self.with_second), ("authors, second annotator", self.annotators))
        return [
            _kappa_figure(a, decided, group),
            rate("agreement_rate", a.agreed if a else 0, decided, group),
            *(_kappa_figure(o, o.n, {**group, "raters": raters}) for raters, o in others if o is not None),
            rate("wrong_pass_rate", self.wrong_pass, decided, group),
            rate("wrong_fail_rate", self.wrong_fail, decided, group),
            rate("unscored_rate", self.unscored, self.n, group),
        ]


def _kappa_figure(a: Agreement | None, n: int, group: dict[str, GroupValue]) -> Figure:
    return Figure(
        name="kappa",
        value=a.kappa if a else None,
        low=a.low if a else None,
        high=a.high if a else None,
        n=n,
        group=group,
    )


def _turn(text: str) -> HeardTurn:
    who, _, words = text.partition(": ")
    return HeardTurn(speaker={"A": Speaker.AGENT, "P": Speaker.PATIENT}[who], text=words)


def load_labelled(phase: Phase) -> tuple[str, list[LabelledDialogue]]:
    """Give the reference id and the labelled dialogues of a phase."""
    raw: dict[str, Any] = read_yaml(LABELLED / FILES[phase])
    second = [Outcome(label) for label in read_yaml(LABELLED / SECOND)[phase.value]]
    dialogues = [
        LabelledDialogue(tuple(_turn(turn) for turn in entry["turns"]), Outcome(entry["gold"]), label)
        for entry, label in zip(raw["dialogues"], second, strict=True)
    ]
    return str(raw["reference"]), dialogues


def _agreed(pairs: Iterable[tuple[Outcome | None, Outcome | None]]) -> Agreement | None:
    both = [(a, b) for a, b in pairs if a is not None and b is not None]
    return agreement([a for a, _ in both], [b for _, b in both]) if both else None


async def validate(judge: Judge, phase: Phase, second: Mapping[int, Outcome] | None = None) -> Validation:
    """Run one judge over the labelled dialogues of its phase.

    Args:
        judge: The judge.
        phase: Its phase.
        second: A second annotator's labels by place in the bundled file; None takes the bundled ones.
    """
    reference, dialogues = load_labelled(phase)
    if second is not None:
        dialogues = [replace(d, second=second.get(place)) for place, d in enumerate(dialogues)]
    said = [(await judge.judge(reference, d.transcript, seed=i)).outcome for i, d in enumerate(dialogues)]
    found = [(d.gold, outcome) for d, outcome in zip(dialogues, said, strict=True)]
    decided = [(gold, outcome) for gold, outcome in found if outcome is not Outcome.UNSCORED]
    seconds = [(o if o is not Outcome.UNSCORED else None, d.second) for d, o in zip(dialogues, said, strict=True)]
    return Validation(
        judge=judge.name,
        phase=phase,
        agreement=_agreed(decided),
        wrong_pass=sum(g is Outcome.FAIL and s is Outcome.PASS for g, s in decided),
        wrong_fail=sum(g is Outcome.PASS and s is Outcome.FAIL for g, s in decided),
        unscored=len(found) - len(decided),
        n=len(found),
        with_second=_agreed(seconds),
        annotators=_agreed((d.gold, d.second) for d in dialogues),
    )


async def validate_both(
    judges: Judges, second: Mapping[Phase, Mapping[int, Outcome]] | None = None
) -> list[Validation]:
    """Run both judges, with another second annotator's labels where they are given."""
    return [await validate(judges.of(phase), phase, None if second is None else second.get(phase)) for phase in Phase]
