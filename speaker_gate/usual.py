"""How like the enrolment the patient usually sounds in this call, and how much likelier a score is another person's.

Owns the call's own scale: one patient scores 0.9 against the enrolment turn after turn, another on a poor line 0.5. The
record's thresholds serve both; a ratio of likelihoods around this patient's usual score says more. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from speaker_gate.calibration import BandCalibration, CalibrationRecord, pair_of
from speaker_gate.facts import Voice, VoiceDecision, Why
from speaker_gate.scoring import Score

LOOKS_KEPT = 6
"""Turns the usual score is made of, the newest ones: a line may change."""

LOOK_SECONDS_MIN = 1.5
"""Speech of a turn that says how the patient usually sounds."""

_SCORED = (Why.ABOVE_ACCEPT, Why.BETWEEN_THRESHOLDS, Why.ONE_WINDOW_ONLY)


class UsualScore:
    """Remembers how the patient's turns scored in this call, by band.

    A turn teaches it unless it is somebody else's or the agent can be heard in it. Undecided turns teach too: they can
    only lower the usual score, and a lower one calls fewer voices another's.

    Args:
        record: Calibration of the embedder.
        of_enrolment: Gives the score of the enrolment's last stretch with its earlier ones; None where there is none.
    """

    def __init__(self, record: CalibrationRecord, of_enrolment: Callable[[], Score | None]) -> None:
        self._record = record
        self._of_enrolment = of_enrolment
        self._looks: dict[bool, tuple[float, ...]] = {}

    def learn(self, decision: VoiceDecision, narrow: bool) -> None:
        """Take one turn's decision, made while the agent was silent."""
        score = decision.score
        if score is not None and decision.seconds >= LOOK_SECONDS_MIN and decision.why in _SCORED:
            look = self._look(score, decision.seconds, narrow)
            self._looks[narrow] = (*self._looks.get(narrow, ()), look)[-LOOKS_KEPT:]

    def forget(self) -> None:
        """Somebody else is the patient now."""
        self._looks = {}

    def known(self, narrow: bool) -> bool:
        """Say whether the patient was heard more than once in this band."""
        return bool(self._seen(narrow))

    def lead(self, narrow: bool) -> float:
        """How far this patient's mean score lies from the record's, in its standard deviations.

        Shrunk by n / (n + 1) for n looks: the scores of one speaker differ from turn to turn about as much as speakers
        differ from each other.

        Source: variance within and between 49 speakers of the test split at 1.5 to 3 s, both bands.
        """
        looks = self._seen(narrow)
        return sum(looks) / (len(looks) + 1)

    def odds_of_another(self, decision: VoiceDecision, narrow: bool) -> float | None:
        """Say how much likelier a scored voice is another person's than the patient's.

        Args:
            decision: The voice's decision with its score and seconds.
            narrow: True for telephone-band sound.

        Returns:
            Natural log of the ratio of likelihoods; above 0 is likelier another's. None where nothing was scored, where
            the speech is too short to decide on, or where something other than the score decided.
        """
        if decision.score is None or decision.why not in _SCORED:
            return None
        band = self._band(narrow)
        if decision.seconds < band.min_seconds or not math.isfinite(decision.score):
            return None
        return _log_odds(decision.score, band, decision.seconds, self.lead(narrow))

    def _seen(self, narrow: bool) -> tuple[float, ...]:
        first = self._of_enrolment()
        looks = self._looks.get(narrow, ())
        if first is None or first.pair is not pair_of(narrow, narrow) or len(looks) >= LOOKS_KEPT:
            return looks
        return (self._look(first.value, first.seconds, narrow), *looks)

    def _look(self, value: float, seconds: float, narrow: bool) -> float:
        band = self._band(narrow)
        return (value - band.primary_mean.at(seconds)) / band.primary_sd.at(seconds)

    def _band(self, narrow: bool) -> BandCalibration:
        return self._record.pair(pair_of(narrow, narrow))


def likely_other(decision: VoiceDecision, odds: float | None, *, usual_known: bool) -> bool:
    """Say whether a voice that nobody is sure of is somebody else's more likely than not.

    Args:
        decision: What the thresholds make of it.
        odds: As `UsualScore.odds_of_another` gives them.
        usual_known: Whether the patient was heard since the enrolment.

    Returns:
        True for an undecided voice with odds for another (10 to 1 on little speech), and, where the patient's usual
        score is known, for one that passed the patient's threshold although it is likelier another's.
    """
    if odds is None or decision.voice in (Voice.THIRD_PARTY, Voice.AGENT_ECHO):
        return False
    if decision.seconds < LIKELY_SECONDS_MIN:
        return not decision.decided and odds > SHORT_ODDS_MIN
    return odds > 0.0 and (usual_known or not decision.decided)


def passed_by_luck(decision: VoiceDecision, odds: float | None, *, usual_known: bool) -> bool:
    """Say whether few words passed the patient's threshold although they are likelier another's."""
    short = decision.voice is Voice.PRIMARY and decision.seconds < LIKELY_SECONDS_MIN
    return usual_known and short and odds is not None and odds > 0.0


def surely_other(decision: VoiceDecision, odds: float | None, *, usual_known: bool) -> bool:
    """Say whether the odds are 1000 to 1 for another, on enough speech and beside a patient whose usual is known."""
    return (
        usual_known
        and likely_other(decision, odds, usual_known=True)
        and decision.seconds >= LIKELY_SECONDS_MIN
        and (odds or 0.0) > SURE_ODDS_MIN
    )


LIKELY_SECONDS_MIN = 1.5
"""Speech on which any odds count; on less, they must be strong."""

SHORT_ODDS_MIN = math.log(10)
SURE_ODDS_MIN = math.log(1000)
"""Source: how often real patients have such odds, by length and noise, docs/metrics/speaker_gate.md."""


def _log_odds(score: float, band: BandCalibration, seconds: float, lead: float) -> float:
    own_sd, other_sd = band.primary_sd.at(seconds), band.other_sd.at(seconds)
    own = min(0.0, (score - band.primary_mean.at(seconds)) / own_sd - lead)  # liker than usual speaks for nobody else
    other = max(0.0, (score - band.other_mean.at(seconds)) / other_sd)
    return 0.5 * (own**2 - other**2) + math.log(own_sd / other_sd)
