"""The yield protocol: scenarios, frozen manifest, scoring of two channels, figures."""

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.errors import CallerError, MissingData, UnknownName
from benchmarks.yielding import (
    Conditions,
    IntendedAction,
    Manifest,
    Outcome,
    PlannedYieldTrial,
    Recording,
    Scenario,
    ScenarioClass,
    YieldResult,
    check_frozen,
    figures_of,
    freeze,
    languages,
    load_scenarios,
    read_manifest,
    redacted,
    score_yield_trial,
    write_manifest,
)
from benchmarks.yielding.score import recovery_correct

pytestmark = pytest.mark.unit

RATE = 8000


def noise(seconds: float, seed: int = 0) -> np.ndarray:
    """Loud noise that is like no other seed's."""
    return np.random.default_rng(seed).normal(0, 0.1, round(seconds * RATE))


def silence(seconds: float) -> np.ndarray:
    """Digital silence."""
    return np.zeros(round(seconds * RATE))


def conditions(system: str = "stock") -> Conditions:
    """Every field that section 4 asks for."""
    return Conditions(
        system=system,
        system_version="0",
        model="scripted",
        prompt_hash="p",
        configuration_hash="c",
        vad="silero",
        playback_buffer_ms=0.0,
        codec="pcm16",
        device="headless",
        operating_system="linux",
        transport="loopback",
        region="none",
        sample_rate_hz=RATE,
        channel_layout="user left, agent right",
        clock_sync="one clock",
        measured_at="listener",
        noise="none",
        network="none",
    )


def scenario(scenario_id: str) -> Scenario:
    """A bundled scenario."""
    language = "en" if scenario_id.startswith("en") else "pt-PT"
    return next(s for s in load_scenarios(language).scenarios if s.id == scenario_id)


def planned(scenario_id: str, pause_s: float | None = None) -> PlannedYieldTrial:
    """A planned trial of a scenario with an onset 2 s after playback onset."""
    s = scenario(scenario_id)
    return PlannedYieldTrial(
        trial_id=f"stock/{scenario_id}/0",
        order=0,
        system="stock",
        language="en",
        scenario=scenario_id,
        kind=s.kind,
        run=0,
        speaker="synthetic-primary",
        intended_action=s.intended_action,
        seed=1,
        planned_onset_s=0.6 if s.kind is ScenarioClass.HESITATION else 2.0,
        planned_pause_s=pause_s,
    )


UTTERANCE = noise(8.0, seed=1)


def heard(played_s: float, *, then: np.ndarray | None = None, gap_s: float = 1.0, text: str | None = None) -> Recording:
    """The utterance starts at 1 s and plays for so long; the user speaks 2 s into it for 1 s."""
    agent = [silence(1.0), UTTERANCE[: round(played_s * RATE)]]
    agent += [silence(gap_s), then] if then is not None else []
    agent.append(silence(4.0))
    user = np.concatenate([silence(3.0), noise(1.0, seed=9), silence(10.0)])
    return Recording(user, np.concatenate(agent), RATE, UTTERANCE, text)


class TestScenarios:
    """Twelve a language, as section 3 says."""

    @pytest.mark.parametrize("language", ["en", "pt-PT"])
    def test_the_counts_are_the_protocols(self, language: str):
        """3 stop requests, 3 corrections, 2 backchannels, 2 hesitations, 2 third parties."""
        kinds = [s.kind for s in load_scenarios(language).scenarios]

        assert [kinds.count(kind) for kind in ScenarioClass] == [3, 3, 2, 2, 2]

    def test_portuguese_waits_for_its_native_review(self):
        """The protocol wants it before collection; the flag says that it is pending."""
        assert load_scenarios("pt-PT").native_review.status == "pending"

    def test_every_utterance_is_one_sentence_that_outlasts_its_onset_by_the_window(self):
        """A pause between sentences may last 300 ms and would count as an end; a sentence has none."""
        for language in languages():
            for s in load_scenarios(language).scenarios:
                if s.kind is not ScenarioClass.HESITATION:
                    assert len(s.agent.split()) / (160 / 60) > s.onset_s + 2.0, s.id
                    assert not any(stop in s.agent[:-1] for stop in ".?!"), s.id

    def test_an_unknown_language_is_named(self):
        """With the known ones."""
        with pytest.raises(UnknownName, match="unknown language 'fr'; known: en, pt-PT"):
            load_scenarios("fr")

    def test_a_scripted_correction_uses_the_corrected_detail(self):
        """The script's own reply would be scored as a right recovery."""
        for language in languages():
            for s in load_scenarios(language).scenarios:
                if s.kind is ScenarioClass.CORRECTION:
                    assert recovery_correct(s, s.reply) is True, s.id


class TestManifest:
    """Frozen plan, every field, nothing lost."""

    def test_sixty_trials_a_language_and_system(self):
        """Twelve scenarios, five runs."""
        manifest = freeze(["en", "pt-PT"], [conditions("stock"), conditions("ours")], seed=1)

        assert len(manifest.plan) == 240
        assert sum(t.system == "ours" and t.language == "pt-PT" for t in manifest.plan) == 60

    def test_the_order_is_random_from_the_seed_and_equal_for_both_systems(self):
        """Another seed gives another order; both systems get the same one."""
        plan = freeze(["en"], [conditions("stock"), conditions("ours")], seed=1).plan
        other = freeze(["en"], [conditions("stock")], seed=2).plan

        order = [(t.scenario, t.run) for t in plan if t.system == "stock"]
        assert order == [(t.scenario, t.run) for t in plan if t.system == "ours"]
        assert order != [(t.scenario, t.run) for t in other]
        assert order != sorted(order)

    def test_every_planned_hesitation_length_occurs(self):
        """0.5, 1 and 2 seconds, in hesitations alone."""
        plan = freeze(["en"], [conditions()], seed=1).plan

        assert {t.planned_pause_s for t in plan if t.kind is ScenarioClass.HESITATION} == {0.5, 1.0, 2.0}
        assert {t.planned_pause_s for t in plan if t.kind is not ScenarioClass.HESITATION} == {None}

    def test_a_manifest_comes_back_from_its_file(self, tmp_path: Path):
        """Written and read, it is the same."""
        manifest = freeze(["en"], [conditions()], seed=1)
        write_manifest(tmp_path / "m.json", manifest)

        assert read_manifest(tmp_path / "m.json") == manifest

    def test_a_plan_changed_after_freezing_is_refused(self, tmp_path: Path):
        """One onset moved breaks the digest."""
        manifest = freeze(["en"], [conditions()], seed=1)
        moved = manifest.plan[0].model_copy(update={"planned_onset_s": 9.0})
        write_manifest(tmp_path / "m.json", manifest.model_copy(update={"plan": (moved, *manifest.plan[1:])}))

        with pytest.raises(CallerError, match="changed after it was frozen"):
            read_manifest(tmp_path / "m.json")

    def test_a_result_that_was_not_planned_is_refused(self):
        """And one that stands twice."""
        manifest = freeze(["en"], [conditions()], seed=1)
        result = YieldResult(trial_id=manifest.plan[0].trial_id, outcome=Outcome.YIELDED)
        stranger = YieldResult(trial_id="x", outcome=Outcome.YIELDED)

        for results in ((result, result), (stranger,)):
            with pytest.raises(CallerError, match="twice, or one that was not planned"):
                check_frozen(manifest.model_copy(update={"results": results}))

    def test_a_missing_manifest_is_one_line(self, tmp_path: Path):
        """No traceback for a wrong path."""
        with pytest.raises(MissingData, match="cannot read"):
            read_manifest(tmp_path / "none.json")

    def test_the_release_form_holds_no_hash_and_no_device(self):
        """Recording hashes, prompts, devices and regions are redacted; outcomes stay."""
        manifest = freeze(["en"], [conditions()], seed=1)
        result = YieldResult(trial_id=manifest.plan[0].trial_id, outcome=Outcome.YIELDED, recording_hash="secret")

        released = json.dumps(redacted(manifest.model_copy(update={"results": (result,)})))

        assert "secret" not in released
        assert "headless" not in released
        assert '"outcome": "yielded"' in released


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


def test_figures_keep_failures_and_setups_apart():
    """One yield, one failure, one set-up failure among stop requests: rate 1/2, one counted apart."""
    manifest = freeze(["en"], [conditions()], seed=1)
    stops = [t for t in manifest.plan if t.kind is ScenarioClass.STOP_REQUEST][:3]
    results = (
        YieldResult(trial_id=stops[0].trial_id, outcome=Outcome.YIELDED, yield_latency_s=0.3),
        YieldResult(trial_id=stops[1].trial_id, outcome=Outcome.NOT_YIELDED, censored_at_s=2.0),
        YieldResult(trial_id=stops[2].trial_id, outcome=Outcome.SETUP_FAILURE),
    )

    figures = figures_of(Manifest.model_validate(manifest.model_dump() | {"results": results}))

    named = {(f.name, f.group.get("scenario")): f for f in figures}
    rate = named["successful_yield_rate", None]
    assert (rate.value, rate.n) == (0.5, 2)
    assert named["yield_latency_s_median", None].value == 0.3
    assert named["censored", None].value == 1
    assert named["setup_failures", None].value == 1


def test_the_intended_action_follows_from_the_class():
    """Continue for a backchannel, wait for a hesitation, yield and correct for a correction."""
    assert scenario("en-backchannel-1").intended_action is IntendedAction.CONTINUE
    assert scenario("pt-hesitation-1").intended_action is IntendedAction.WAIT
    assert scenario("pt-correction-1").intended_action is IntendedAction.YIELD_AND_CORRECT


@pytest.mark.parametrize(
    ("response", "correct"),
    [
        ("Porto, then.", True),
        ("Lisbon it is.", False),
        ("Porto, not Lisbon.", False),
        ("All right.", False),
        (None, None),
    ],
)
def test_a_recovery_uses_the_corrected_detail_and_not_the_old_one(response: str | None, correct: bool | None):
    """An unknown response decides nothing."""
    assert recovery_correct(scenario("en-correction-1"), response) is correct
