"""How the patient usually scores in a call, and how much likelier a voice is another person's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from speaker_gate import CallGate, GateSettings, TurnVerdict, WordsHeard
from speaker_gate.calibration import BandPair
from speaker_gate.embedders import Samples
from speaker_gate.facts import Voice, VoiceDecision, Why
from speaker_gate.policy.actions import Action
from speaker_gate.policy.kinds import Relevance
from speaker_gate.replies import Standing
from speaker_gate.scoring import Score
from speaker_gate.testing import FixedReader, fake_ears, fake_record, say
from speaker_gate.usual import LOOKS_KEPT, UsualScore, likely_other, passed_by_luck, surely_other

pytestmark = pytest.mark.unit

RECORD = fake_record()  # the patient scores 0.95 +- 0.1, others 0.1 +- 0.1: even odds at 0.525


def undecided(score: float, seconds: float = 2.0) -> VoiceDecision:
    return VoiceDecision(Voice.UNSURE, Why.BETWEEN_THRESHOLDS, score, seconds)


def accepted(score: float, seconds: float = 2.0) -> VoiceDecision:
    return VoiceDecision(Voice.PRIMARY, Why.ABOVE_ACCEPT, score, seconds)


def usual(*scores: float, enrolment: Score | None = None) -> UsualScore:
    made = UsualScore(RECORD, lambda: enrolment)
    for score in scores:
        made.learn(accepted(score), False)
    return made


def test_without_a_turn_of_the_patients_the_record_speaks() -> None:
    """Even odds lie half way between the record's two means."""
    assert not usual().known(False)
    assert usual().odds_of_another(undecided(0.525), False) == pytest.approx(0.0)


def test_a_patient_who_scores_high_makes_a_middling_voice_likelier_anothers() -> None:
    """Three turns at 1.05 are worth three quarters of the way there."""
    found = usual(1.05, 1.05, 1.05)

    assert found.lead(False) == pytest.approx(0.75)
    assert (found.odds_of_another(undecided(0.525), False) or 0.0) > 3.0


def test_a_patient_on_a_poor_line_keeps_their_words() -> None:
    """Turns at 0.7 move the scale down: what was even is now the patient's."""
    assert (usual(0.7, 0.7).odds_of_another(undecided(0.525), False) or 0.0) < -5.0


def test_bands_are_kept_apart() -> None:
    """What was heard over the telephone says nothing of wide-band sound."""
    found = usual()
    found.learn(accepted(1.2), True)

    assert (True, False) == (found.known(True), found.known(False))


def test_the_enrolments_own_likeness_is_a_first_look() -> None:
    """Two stretches of the enrolment, scored with each other, stand in until the patient speaks again."""
    found = usual(enrolment=Score(0.85, BandPair.WIDE, 2.0))

    assert found.known(False)
    assert found.lead(False) == pytest.approx(-0.5)
    assert not found.known(True)


def test_only_the_newest_turns_count() -> None:
    """A line that turned bad is known as bad."""
    assert usual(*[1.15] * 20, *[0.55] * LOOKS_KEPT).lead(False) == pytest.approx(-4.0 * LOOKS_KEPT / (LOOKS_KEPT + 1))


@pytest.mark.parametrize(
    "decision",
    [
        VoiceDecision(Voice.THIRD_PARTY, Why.BELOW_REJECT, 0.1, 3.0),
        VoiceDecision(Voice.PRIMARY, Why.STT_LABEL, 0.3, 3.0),
        VoiceDecision(Voice.UNSURE, Why.TOO_SHORT, 0.3, 0.4),
        accepted(0.9, seconds=1.49),
        VoiceDecision(Voice.UNSURE, Why.NOT_EMBEDDABLE, None, 2.0),
    ],
)
def test_other_turns_teach_nothing(decision: VoiceDecision) -> None:
    """Somebody else's, what a label decided, and too little speech."""
    found = usual()

    found.learn(decision, False)

    assert not found.known(False)


@pytest.mark.parametrize("score", [None, float("nan"), float("inf")])
def test_what_was_not_scored_has_no_odds(score: float | None) -> None:
    """No number, no claim."""
    decision = VoiceDecision(Voice.UNSURE, Why.BETWEEN_THRESHOLDS, score, 2.0)

    assert usual().odds_of_another(decision, False) is None
    assert not likely_other(decision, None, usual_known=True)


@pytest.mark.parametrize(
    ("decision", "odds", "known", "likely", "surely"),
    [
        (undecided(0.5), 0.1, False, True, False),
        (undecided(0.5), -0.1, True, False, False),
        (undecided(0.5, 1.2), 2.2, True, False, False),
        (undecided(0.5, 1.2), 2.4, True, True, False),
        (undecided(0.5, 1.49), 20.0, True, True, False),
        (undecided(0.5), 6.8, True, True, False),
        (undecided(0.5), 7.0, True, True, True),
        (undecided(0.5), 7.0, False, True, False),
        (accepted(0.7), 7.0, False, False, False),
        (accepted(0.7), 0.1, True, True, False),
        (accepted(0.7, 1.2), 7.0, True, False, False),
        (VoiceDecision(Voice.THIRD_PARTY, Why.BELOW_REJECT, 0.1, 2.0), 9.0, True, False, False),
        (VoiceDecision(Voice.AGENT_ECHO, Why.AGENT_VOICE, 0.1, 2.0), 9.0, True, False, False),
    ],
)
def test_what_counts_as_likely_anothers(
    decision: VoiceDecision, odds: float, known: bool, likely: bool, surely: bool
) -> None:
    """Little speech needs strong odds; certainty needs a patient whose usual score is known, and 1000 to 1."""
    assert likely is likely_other(decision, odds, usual_known=known)
    assert surely is surely_other(decision, odds, usual_known=known)


@pytest.mark.parametrize(
    ("decision", "odds", "known", "luck"),
    [
        (accepted(0.7, 1.0), 0.1, True, True),
        (accepted(0.7, 1.0), 0.1, False, False),
        (accepted(0.7, 1.0), -0.1, True, False),
        (accepted(0.7, 1.5), 0.1, True, False),
        (undecided(0.7, 1.0), 0.1, True, False),
        (accepted(0.7, 1.0), None, True, False),
    ],
)
def test_few_words_that_pass_by_luck_are_taken_back(
    decision: VoiceDecision, odds: float | None, known: bool, luck: bool
) -> None:
    """Over the threshold, yet likelier another's, on less speech than any odds count on."""
    assert luck is passed_by_luck(decision, odds, usual_known=known)


class LikelierAnothers(UsualScore):
    """Holds every scored voice to be likelier another's, by a little."""

    def odds_of_another(self, decision: VoiceDecision, narrow: bool) -> float | None:
        """Give odds just over even."""
        return 0.5


@pytest.mark.parametrize("agent", [False, True])
def test_a_short_answer_by_luck_is_asked_about_once_and_never_taken(
    agent: bool,
) -> None:
    """A "no" behind the question that passed the threshold though likelier another's: one question, nobody locked out.

    Another person's "no" closed a question so, in three of twenty-five calls.
    """
    gate = enrolled()
    verdict = heard(gate, say("patient", 1.3), 0.0, agent=agent)
    assert Voice.PRIMARY is verdict.voice

    gate.desk.usual = LikelierAnothers(fake_record(), lambda: gate.voices.enroller.agreement)
    verdict = heard(gate, say("patient", 1.3), 10.0, agent=agent)
    (ruling,) = gate.rule(WordsHeard(text="no", now_s=12.0), verdict)

    assert Voice.UNSURE is verdict.voice
    assert (Standing.CONFIRM, Action.ASK_WHO) == (ruling.standing, ruling.choice.action)


@given(st.lists(st.floats(-1, 1), max_size=8), st.floats(-1, 1), st.floats(-1, 1), st.floats(1.0, 6.0))
def test_a_closer_voice_is_never_likelier_anothers(turns: list[float], one: float, two: float, seconds: float) -> None:
    """The odds fall as the score rises, whatever the call was like."""
    found, (low, high) = usual(*turns), sorted((one, two))

    odds = [found.odds_of_another(undecided(score, seconds), False) or 0.0 for score in (low, high)]

    assert odds[0] >= odds[1] - 1e-9


def mixture(stranger: float, seconds: float = 2.4) -> Samples:
    return (0.3 * (say("patient", seconds) + stranger * say("stranger", seconds))).astype(np.float32)


def heard(gate: CallGate, samples: Samples, at_s: float, *, agent: bool = True) -> TurnVerdict:
    gate.begin_turn(at_s, 16_000, agent_speaking=agent)
    gate.hear(samples)
    return gate.end_turn(at_s + len(samples) / 16_000)


def enrolled(relevance: Relevance = Relevance.IGNORABLE) -> CallGate:
    gate = CallGate(fake_ears(), settings=GateSettings(check_rate=False), reader=FixedReader(relevance))
    for at_s in (-20.0, -10.0):
        heard(gate, say("patient", 3.0), at_s, agent=False)
    return gate


@pytest.mark.parametrize(
    ("relevance", "aside", "standing", "action"),
    [
        (Relevance.IGNORABLE, True, Standing.THIRD_PARTY, Action.IGNORE),
        (Relevance.CONSTRAINT, True, Standing.THIRD_PARTY, Action.ATTRIBUTE),
        (Relevance.URGENT, True, Standing.THIRD_PARTY, Action.ALERT),
        (Relevance.IGNORABLE, False, Standing.CONFIRM, Action.ASK_WHO),
    ],
)
def test_a_voice_the_patient_never_had_is_anothers_only_over_the_agent(
    relevance: Relevance, aside: bool, standing: Standing, action: Action
) -> None:
    """An answer to a question is never taken from the patient by odds: there one question is asked."""
    gate = enrolled(relevance)
    verdict = heard(gate, mixture(2.1), 0.0)

    (ruling,) = gate.rule(WordsHeard(text="some words", now_s=3.0, aside=aside), verdict)

    assert Voice.UNSURE is verdict.voice
    assert (standing, action) == (ruling.standing, ruling.choice.action)
    assert (ruling.part.decision.why is Why.UNLIKE_USUAL) is aside


def test_turns_on_a_line_gone_bad_take_the_certainty_back() -> None:
    """The patient answers twice in a spoiled voice; the same words over the agent are then told as likely."""
    gate = enrolled()
    for at_s in (10.0, 20.0):
        heard(gate, mixture(1.3), at_s, agent=False)
    verdict = heard(gate, mixture(2.1), 30.0)

    (ruling,) = gate.rule(WordsHeard(text="some words", now_s=33.0, aside=True), verdict)

    assert ruling.choice.action is not Action.IGNORE


def test_turns_over_the_agent_and_a_withdrawn_consent_leave_no_usual_score() -> None:
    """What is said over the agent teaches nothing; a patient who withdraws is forgotten, a wrong one too."""
    gate = enrolled()
    known = gate.desk.usual.known(True)
    heard(gate, mixture(1.3), 10.0)
    unmoved = gate.desk.usual.lead(True)
    heard(gate, say("patient", 2.0), 20.0, agent=False)
    gate.withdraw_consent()

    assert known
    assert unmoved == enrolled().desk.usual.lead(True)
    assert not gate.desk.usual.known(True)
