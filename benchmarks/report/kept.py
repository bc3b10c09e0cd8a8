"""What became of the required content: lost without a word, and told twice. One rate a cell, arm, agent and system.

Owns two definitions. *Lost unreported*: an item of the cell's reference was certainly not heard, and no hand-off names
it; a system without a hand-off reports nothing. *Repeated*: words that were heard whole were heard whole again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from benchmarks.cells import References, load_cell, load_references
from benchmarks.figures import Figure, rate
from benchmarks.judges.checks import heard_items, nothing_lost_in_silence
from benchmarks.judges.protocol import Outcome
from benchmarks.report.rates import RateKey, key_of
from benchmarks.simulator.transcript import AgentTurn
from benchmarks.simulator.trial_log import TrialLog
from benchmarks.simulator.words import bare_words, find_run


def lost_unreported(trial: TrialLog) -> bool:
    """Say whether an item of the reference was not heard and stands in no hand-off."""
    if trial.claims.open is None:
        return Outcome.FAIL in heard_items(load_cell(trial.cell), trial).values()
    return any(True for _ in nothing_lost_in_silence(trial))


def repeated_points(trial: TrialLog) -> bool:
    """Say whether a content point that was heard whole was heard whole again."""
    return _told_twice(trial, _wordings().points)


def repeated_questions(trial: TrialLog) -> bool:
    """Say whether a question that was heard whole was heard whole again."""
    return _told_twice(trial, _wordings().questions)


RATES: dict[str, Callable[[TrialLog], bool]] = {
    "lost_unreported_rate": lost_unreported,
    "repeated_point_rate": repeated_points,
    "repeated_question_rate": repeated_questions,
}


def kept_figures(trials: Sequence[TrialLog]) -> list[Figure]:
    """Give the three rates over the eligible trials of every interrupted arm."""
    grouped: dict[RateKey, list[TrialLog]] = defaultdict(list)
    for trial in trials:
        if trial.arm.interrupts and trial.eligible:
            grouped[key_of(trial)].append(trial)
    return [
        rate(name, sum(map(holds, inside)), len(inside), key.group())
        for key, inside in sorted(grouped.items())
        for name, holds in RATES.items()
    ]


@dataclass(frozen=True, slots=True)
class _Wordings:
    """Every wording as bare words, of the references it was made of."""

    references: References
    points: tuple[tuple[list[str], ...], ...]
    questions: tuple[tuple[list[str], ...], ...]


_made: list[_Wordings] = []  # At most one.


def _wordings() -> _Wordings:
    references = load_references()
    if not _made or _made[0].references is not references:
        points = (point for faq in references.faqs.values() for point in faq.points.values())
        _made[:] = [
            _Wordings(
                references,
                tuple(tuple(bare_words(w) for w in point.wordings) for point in points),
                tuple(tuple(bare_words(w) for w in question.wordings) for question in references.questions.values()),
            )
        ]
    return _made[0]


def _told_twice(trial: TrialLog, items: Iterable[tuple[list[str], ...]]) -> bool:
    heard = [bare_words(turn.delivered) for turn in trial.turns if isinstance(turn, AgentTurn)]
    return any(sum(len(find_run(words, turn)) for words in item for turn in heard) > 1 for item in items)
