"""The yield protocol: scenarios, frozen manifest, scoring of two channels, figures."""

import json
from pathlib import Path

import pytest

from benchmarks.errors import CallerError, MissingData, UnknownName
from benchmarks.yielding import (
    IntendedAction,
    Manifest,
    Outcome,
    ScenarioClass,
    YieldResult,
    check_frozen,
    figures_of,
    freeze,
    languages,
    load_scenarios,
    read_manifest,
    redacted,
    write_manifest,
)
from benchmarks.yielding.score import recovery_correct

from .yield_audio import conditions, scenario

pytestmark = pytest.mark.unit


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
