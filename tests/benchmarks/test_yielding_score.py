"""Scoring two channels by the protocol: requested yields, going on, hesitations, failures of the set-up."""

import numpy as np
import pytest

from benchmarks.yielding import (
    Outcome,
    Recording,
    score_yield_trial,
)

from .yield_audio import RATE, noise, planned, scenario, silence

pytestmark = pytest.mark.unit

UTTERANCE = noise(8.0, seed=1)


def heard(played_s: float, *, then: np.ndarray | None = None, gap_s: float = 1.0, text: str | None = None) -> Recording:
    """The utterance starts at 1 s and plays for so long; the user speaks 2 s into it for 1 s."""
    agent = [silence(1.0), UTTERANCE[: round(played_s * RATE)]]
    agent += [silence(gap_s), then] if then is not None else []
    agent.append(silence(4.0))
    user = np.concatenate([silence(3.0), noise(1.0, seed=9), silence(10.0)])
    return Recording(user, np.concatenate(agent), RATE, UTTERANCE, text)


class TestRequestedYield:
    """Stop requests and corrections."""

    def test_a_yield_has_the_latency_from_onset_to_the_end_at_the_listener(self):
        """The agent plays 0.4 s on after the onset: latency 0.4 s."""
        result = score_yield_trial(planned("en-stop-1"), scenario("en-stop-1"), heard(2.4))

        assert result.outcome is Outcome.YIELDED
        assert result.yield_latency_s == pytest.approx(0.4, abs=0.006)
        assert result.onset_deviation_s == pytest.approx(0.0, abs=0.01)

    def test_an_agent_that_plays_on_is_censored_at_the_window(self):
        """Never a two-second success."""
        result = score_yield_trial(planned("en-stop-1"), scenario("en-stop-1"), heard(8.0))

        assert (result.outcome, result.yield_latency_s, result.censored_at_s) == (Outcome.NOT_YIELDED, None, 2.0)

    @pytest.mark.parametrize(
        ("gap_s", "outcome"), [(0.5, Outcome.RESUMED_OUTPUT), (1.9, Outcome.RESUMED_OUTPUT), (2.3, Outcome.YIELDED)]
    )
    def test_stale_output_within_two_seconds_is_a_failure(self, gap_s: float, outcome: Outcome):
        """The rest of the utterance comes back: a failure inside two seconds, another matter after."""
        rest = UTTERANCE[round(2.4 * RATE) : round(4.0 * RATE)]

        result = score_yield_trial(planned("en-stop-1"), scenario("en-stop-1"), heard(2.4, then=rest, gap_s=gap_s))

        assert result.outcome is outcome
        assert (result.censored_at_s == 2.0) is (outcome is Outcome.RESUMED_OUTPUT)

    def test_a_pause_shorter_than_300_ms_is_no_end(self):
        """The agent breathes for 0.2 s and goes on past the window."""
        rest = UTTERANCE[round(2.4 * RATE) :]

        result = score_yield_trial(planned("en-stop-1"), scenario("en-stop-1"), heard(2.4, then=rest, gap_s=0.2))

        assert result.outcome is Outcome.NOT_YIELDED

    def test_a_new_answer_after_the_end_is_not_stale(self):
        """The reply to the request does not spoil the yield, and the corrected detail is looked for in it."""
        result = score_yield_trial(
            planned("en-correction-1"),
            scenario("en-correction-1"),
            heard(2.4, then=noise(1.5, seed=4), gap_s=0.9, text="Porto, then. We practise buying a ticket to Porto."),
        )

        assert (result.outcome, result.recovery_correct) == (Outcome.YIELDED, True)

    def test_an_utterance_that_ends_by_itself_was_not_yielded(self):
        """It was finished 1 s after the onset: a failure, censored there."""
        short = UTTERANCE[: round(3.0 * RATE)]
        recording = heard(3.0)

        result = score_yield_trial(
            planned("en-stop-1"), scenario("en-stop-1"), Recording(recording.user, recording.agent, RATE, short)
        )

        assert result.outcome is Outcome.NOT_YIELDED
        assert result.censored_at_s == pytest.approx(1.0, abs=0.01)

    def test_without_the_utterance_new_output_is_for_the_annotators(self):
        """Audio alone cannot tell an answer from stale words."""
        known = heard(2.4, then=noise(1.0, seed=4), gap_s=0.9)

        result = score_yield_trial(
            planned("en-stop-1"), scenario("en-stop-1"), Recording(known.user, known.agent, RATE)
        )

        assert result.outcome is Outcome.NEEDS_REVIEW


class TestGoingOn:
    """Backchannels and third parties: abandoning the turn is the failure."""

    def test_an_utterance_that_is_finished_was_not_yielded(self):
        """No pause, no false yield."""
        result = score_yield_trial(planned("en-backchannel-1"), scenario("en-backchannel-1"), heard(8.0))

        assert (result.outcome, result.audible_pause_s) == (Outcome.CONTINUED, None)

    def test_a_pause_is_told_apart_from_abandoning(self):
        """0.6 s of silence, then the rest: continued, with an audible pause."""
        rest = UTTERANCE[round(2.4 * RATE) :]

        result = score_yield_trial(
            planned("en-backchannel-1"), scenario("en-backchannel-1"), heard(2.4, then=rest, gap_s=0.6)
        )

        assert result.outcome is Outcome.CONTINUED
        assert result.audible_pause_s == pytest.approx(0.6, abs=0.01)

    def test_an_utterance_never_finished_is_a_false_yield(self):
        """The agent stopped for an acknowledgement and said something else."""
        result = score_yield_trial(
            planned("en-third-party-1"), scenario("en-third-party-1"), heard(2.4, then=noise(1.0, seed=4))
        )

        assert result.outcome is Outcome.FALSE_YIELD


class TestHesitation:
    """A pause inside a turn is not its end."""

    @staticmethod
    def recording(agent_at_s: float | None, length_s: float = 1.5) -> Recording:
        """The agent asks (1-2 s); the user speaks 2.6-3.6, pauses 2 s, ends 5.6-6.2; the agent responds."""
        user = np.concatenate([silence(2.6), noise(1.0, 2), silence(2.0), noise(0.6, 3), silence(4.0)])
        agent = np.concatenate([silence(1.0), noise(1.0, 1), silence(9.0)])
        if agent_at_s is not None:
            agent[round(agent_at_s * RATE) :][: round(length_s * RATE)] = noise(length_s, 4)
        return Recording(user, agent, RATE)

    @pytest.mark.parametrize(
        ("agent_at_s", "length_s", "outcome", "brief"),
        [
            (6.8, 1.5, Outcome.WAITED, 0),
            (4.4, 1.5, Outcome.PREMATURE_TAKEOVER, 0),
            (4.4, 0.3, Outcome.WAITED, 1),
            (None, 0.0, Outcome.WAITED, 0),
        ],
    )
    def test_only_a_substantive_response_inside_the_turn_is_a_takeover(self, agent_at_s, length_s, outcome, brief):
        """After the turn, inside it, a brief sound inside it, and silence."""
        result = score_yield_trial(
            planned("en-hesitation-1", 2.0), scenario("en-hesitation-1"), self.recording(agent_at_s, length_s)
        )

        assert (result.outcome, result.brief_backchannels) == (outcome, brief)

    def test_a_user_who_begins_too_early_is_a_setup_failure(self):
        """The question was still sounding."""
        r = self.recording(None)
        early = np.concatenate([r.user[round(1.2 * RATE) :], silence(1.2)])

        result = score_yield_trial(
            planned("en-hesitation-1", 2.0), scenario("en-hesitation-1"), Recording(early, r.agent, RATE)
        )

        assert (result.outcome, result.failure_reason) == (
            Outcome.SETUP_FAILURE,
            "the agent was still sounding at the onset",
        )


class TestSetup:
    """Failures of the set-up are kept, with their reason."""

    def test_no_output_is_kept_as_a_setup_failure(self):
        """The agent never sounded."""
        r = heard(2.4)

        result = score_yield_trial(planned("en-stop-1"), scenario("en-stop-1"), Recording(r.user, silence(5.0), RATE))

        assert (result.outcome, result.failure_reason) == (Outcome.SETUP_FAILURE, "the agent never sounded")

    def test_an_onset_after_the_utterance_is_a_setup_failure(self):
        """D20 for audio: nobody could have yielded."""
        result = score_yield_trial(planned("en-stop-1"), scenario("en-stop-1"), heard(1.0))

        assert result.outcome is Outcome.SETUP_FAILURE
        assert result.yield_latency_s is None
