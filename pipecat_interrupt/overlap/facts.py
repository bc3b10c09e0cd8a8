"""What overlap judgement tells the rest of the call: the fact of an overlap, then its verdict, sometimes a better name.

Typed values only; no frame is among them, so any room may keep them. The fact itself is `pipecat_interrupt.facts`'s.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from pipecat_interrupt.facts import OverlapFact


@dataclass(frozen=True, slots=True)
class OverlapReport:
    """One overlap, as far as it is known.

    Parameters:
        overlap_id: Counts from 1 within the call; all reports of one overlap share it.
        revision: 0 at the onset, 1 with the verdict, 2 when words that came after a verdict by voice name it better.
        fact: The fact; its verdict is "undecided" at revision 0.
        takes_floor: Whether the agent yields; None at revision 0.
        attributed: Whether a gate said whose voice it is; False means that `fact.speaker` is an assumption.
        floor_score: The trained model's score in [0, 1], if it was asked.
        low_certainty: Whether the words are an unfinished transcript that was never confirmed.
        reported_s: At the onset: when its voice was reported, from which verdicts by duration count, on the clock of
            the fact's times; None for a verdict.
    """

    overlap_id: int
    revision: int
    fact: OverlapFact
    takes_floor: bool | None = None
    attributed: bool = False
    floor_score: float | None = None
    low_certainty: bool = False
    reported_s: float | None = None


class OverlapListener(Protocol):
    """Whoever wants to know of overlaps (the journal, the ledger, a metric)."""

    def on_overlap(self, report: OverlapReport) -> None:
        """Take a report.

        Called on the pipeline's loop; must return at once. What it raises is logged and goes no further.
        """
        ...
