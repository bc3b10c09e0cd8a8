"""Validates a judge against labelled dialogues: kappa with its interval, agreement, and what it left unscored.

The bundled labels are the authors' own, one annotator; a pack of your own annotators (`annotate`) is better evidence.
"""

from __future__ import annotations

from dataclasses import dataclass
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
FILES = {Phase.GATHERING: "target_question.yaml", Phase.PROVISION: "provision_coverage.yaml"}


@dataclass(frozen=True, slots=True)
class LabelledDialogue:
    """One dialogue and its label."""

    transcript: tuple[HeardTurn, ...]
    gold: Outcome


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
    """

    judge: str
    phase: Phase
    agreement: Agreement | None
    wrong_pass: int
    wrong_fail: int
    unscored: int
    n: int

    def figures(self) -> list[Figure]:
        """Give the validation as figures."""
        group: dict[str, GroupValue] = {"judge": self.judge, "phase": self.phase.value}
        decided = self.n - self.unscored
        a = self.agreement
        kappa = Figure(
            name="kappa",
            value=a.kappa if a else None,
            low=a.low if a else None,
            high=a.high if a else None,
            n=decided,
            group=group,
        )
        return [
            kappa,
            rate("agreement_rate", a.agreed if a else 0, decided, group),
            rate("wrong_pass_rate", self.wrong_pass, decided, group),
            rate("wrong_fail_rate", self.wrong_fail, decided, group),
            rate("unscored_rate", self.unscored, self.n, group),
        ]


def _turn(text: str) -> HeardTurn:
    who, _, words = text.partition(": ")
    return HeardTurn(speaker={"A": Speaker.AGENT, "P": Speaker.PATIENT}[who], text=words)


def load_labelled(phase: Phase) -> tuple[str, list[LabelledDialogue]]:
    """Give the reference id and the labelled dialogues of a phase."""
    raw: dict[str, Any] = read_yaml(LABELLED / FILES[phase])
    dialogues = [
        LabelledDialogue(tuple(_turn(turn) for turn in entry["turns"]), Outcome(entry["gold"]))
        for entry in raw["dialogues"]
    ]
    return str(raw["reference"]), dialogues


async def validate(judge: Judge, phase: Phase) -> Validation:
    """Run one judge over the labelled dialogues of its phase."""
    reference, dialogues = load_labelled(phase)
    found = [(d.gold, (await judge.judge(reference, d.transcript, seed=i)).outcome) for i, d in enumerate(dialogues)]
    decided = [(gold, said) for gold, said in found if said is not Outcome.UNSCORED]
    return Validation(
        judge=judge.name,
        phase=phase,
        agreement=agreement([g for g, _ in decided], [s for _, s in decided]) if decided else None,
        wrong_pass=sum(g is Outcome.FAIL and s is Outcome.PASS for g, s in decided),
        wrong_fail=sum(g is Outcome.PASS and s is Outcome.FAIL for g, s in decided),
        unscored=len(found) - len(decided),
        n=len(found),
    )


async def validate_both(judges: Judges) -> list[Validation]:
    """Run both judges."""
    return [await validate(judges.of(phase), phase) for phase in Phase]
