"""Finds where one voice gives way to another inside a turn. Pure: vectors come through a function.

Every quarter second is a possible split. Averaged one-second windows say cheaply which splits look suspicious; the
few worst are looked at closely, by embedding all speech before and all speech after. The evidence is a log-odds that
knows how alike two stretches of one voice are at those lengths, and, with an enrolment, which side is the patient.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from speaker_gate.calibration import ChangeCalibration
from speaker_gate.scoring import cosine, same_voice_log_odds

Placed = NDArray[np.float32]
EmbedPart = Callable[[float, float], Placed | None]
"""Embeds and places the speech in [start_s, end_s) of the turn's joined speech; None where it cannot."""

SPLIT_STEP_S = 0.25
WINDOW_S = 1.0
BEFORE_S_MIN = 0.75
AFTER_S_MIN = 0.75
BEFORE_S_MAX = 4.0
AFTER_S_MAX = 3.0
CLOSE_LOOKS_MAX = 3
"""Splits looked at closely in one search; bounds its cost at two embeddings each."""

NOT_PRIMARY_SLACK = 4.0
"""Log-odds by which the earlier side may look unlike the enrolment and still count as the patient's: short sides do."""


@dataclass(frozen=True, slots=True)
class Enrolled:
    """The enrolment as the search needs it.

    Parameters:
        vector: Placed enrolment vector.
        seconds: Seconds of speech behind it.
    """

    vector: Placed
    seconds: float


@dataclass(frozen=True, slots=True)
class Split:
    """The best split of a search.

    Parameters:
        at_s: Place in the joined speech, seconds.
        evidence: Change score; compare with the record's `change_above`.
        before_s: Seconds of speech before it that were embedded.
        after_s: Seconds after it that were embedded.
        alike: Score of the two sides against each other.
        suspicion: Log-odds of one voice by the cheap look; low is suspicious.
    """

    at_s: float
    evidence: float
    before_s: float
    after_s: float
    alike: float
    suspicion: float = 0.0


class ChangeSearch:
    """Searches one turn's joined speech; keeps its windows, so that a growing turn costs only what is new.

    Args:
        band: Change calibration of the turn's band.
        embed: Gives placed vectors of parts of the joined speech.
        window_hop_s: Step between the one-second windows; 0.25 or 0.5.
    """

    def __init__(self, band: ChangeCalibration, embed: EmbedPart, window_hop_s: float = 0.5) -> None:
        self._band = band
        self._embed = embed
        self._hop_s = window_hop_s
        self._windows: dict[int, Placed | None] = {}

    def best(
        self, start_s: float, end_s: float, enrolled: Enrolled | None = None, second_voice_s: float = 0.0
    ) -> Split | None:
        """Find the likeliest change in [start_s, end_s), declared or not.

        Args:
            start_s: Start of the stretch in the joined speech.
            end_s: Its end.
            enrolled: The patient's voice, if enrolled.
            second_voice_s: Seconds of a second voice by a segmenter; 0.0 without one.

        Returns:
            The split with the highest evidence; None when the stretch is too short or nothing looks suspicious.
        """
        suspects = sorted(self._suspects(start_s, end_s))[:CLOSE_LOOKS_MAX]
        looked = [
            (odds, split)
            for odds, at_s in suspects
            if odds < self._band.suspect_below
            and (split := self._look(start_s, at_s, end_s, enrolled, second_voice_s)) is not None
        ]
        splits = [replace(split, suspicion=odds) for odds, split in looked]
        return max(splits, key=lambda split: split.evidence, default=None)

    def declares(self, split: Split, enrolled: bool) -> bool:
        """Say whether a split's evidence is enough."""
        return split.evidence > (self._band.change_above_enrolled if enrolled else self._band.change_above)

    def _suspects(self, start_s: float, end_s: float) -> list[tuple[float, float]]:
        windows = self._window_vectors(start_s, end_s)
        found: list[tuple[float, float]] = []
        if not windows:
            return found
        for at_s in np.arange(start_s + BEFORE_S_MIN, end_s - AFTER_S_MIN + 1e-6, SPLIT_STEP_S).tolist():
            before = _mean([v for s, v in windows if s + WINDOW_S <= at_s + 0.01 and s >= at_s - BEFORE_S_MAX - 0.01])
            after = _mean([v for s, v in windows if s >= at_s - 0.01 and s + WINDOW_S <= at_s + AFTER_S_MAX + 0.01])
            before = before if before is not None else self._embed(start_s, at_s)
            after = after if after is not None else self._embed(at_s, end_s)
            if before is None or after is None:
                continue
            before_s, after_s = min(BEFORE_S_MAX, at_s - start_s), min(AFTER_S_MAX, end_s - at_s)
            found.append((same_voice_log_odds(cosine(before, after), before_s, after_s, self._band), at_s))
        return found

    def _window_vectors(self, start_s: float, end_s: float) -> list[tuple[float, Placed]]:
        first, last = round(start_s / self._hop_s + 0.499), int((end_s - WINDOW_S) / self._hop_s + 1e-6)
        vectors: list[tuple[float, Placed]] = []
        for index in range(first, last + 1):
            if index not in self._windows:
                self._windows[index] = self._embed(index * self._hop_s, index * self._hop_s + WINDOW_S)
            vector = self._windows[index]
            if vector is not None:
                vectors.append((index * self._hop_s, vector))
        return vectors

    def _look(
        self, start_s: float, at_s: float, end_s: float, enrolled: Enrolled | None, second_voice_s: float
    ) -> Split | None:
        before_from, after_to = max(start_s, at_s - BEFORE_S_MAX), min(end_s, at_s + AFTER_S_MAX)
        before, after = self._embed(before_from, at_s), self._embed(at_s, after_to)
        if before is None or after is None:
            return None
        before_s, after_s = at_s - before_from, after_to - at_s
        alike = cosine(before, after)
        evidence = -same_voice_log_odds(alike, before_s, after_s, self._band)
        evidence += self._band.segmenter_weight * min(second_voice_s, 1.0)
        if enrolled is not None:
            evidence += self._band.enrolled_weight * _one_side_only(
                same_voice_log_odds(cosine(before, enrolled.vector), before_s, enrolled.seconds, self._band),
                same_voice_log_odds(cosine(after, enrolled.vector), after_s, enrolled.seconds, self._band),
            )
        return Split(at_s, evidence, before_s, after_s, alike)


def _one_side_only(before: float, after: float) -> float:
    """Evidence that exactly one side is the enrolled voice: positive for it, negative against it.

    A patient speaking all through has both sides alike (both log-odds high); another person speaking all through has
    both sides unlike. Only the mixed cases speak for a change.
    """
    if before > -NOT_PRIMARY_SLACK:
        return min(-after, before + NOT_PRIMARY_SLACK)
    return min(-before - NOT_PRIMARY_SLACK, after)


def _mean(vectors: list[Placed]) -> Placed | None:
    if not vectors:
        return None
    total = np.sum(vectors, axis=0)
    return (total / max(float(np.linalg.norm(total)), 1e-8)).astype(np.float32)
