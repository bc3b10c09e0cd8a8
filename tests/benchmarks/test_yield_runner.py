"""The yield protocol on real Pipecat with Silero, at audio level in virtual time."""

import numpy as np
import pytest

from benchmarks.errors import UnknownName
from benchmarks.simulator.build import quiet_pipelines
from benchmarks.yielding import Outcome, PlannedYieldTrial, freeze
from benchmarks.yielding.runner import SYSTEMS, PlayedTrial, conditions, intended_audio, play_trial, run_manifest

pytestmark = pytest.mark.pipeline


def planned(system: str, scenario: str, run: int = 0) -> PlannedYieldTrial:
    """A trial of the frozen plan."""
    plan = freeze(["en"], [conditions(name) for name in SYSTEMS], seed=20260525).plan
    return next(t for t in plan if (t.system, t.scenario, t.run) == (system, scenario, run))


def play(system: str, scenario: str) -> PlayedTrial:
    """Play it on its own virtual loop."""
    quiet_pipelines()
    return play_trial(planned(system, scenario))


def test_stock_yields_to_a_stop_request_within_the_window():
    """Onset as planned to a tenth of a second, a latency of a few tenths, and both channels recorded."""
    played = play("stock", "en-stop-1")

    assert played.result.outcome is Outcome.YIELDED
    assert played.result.yield_latency_s is not None
    assert 0.1 < played.result.yield_latency_s < 0.8
    assert abs(played.result.onset_deviation_s or 0.0) <= 0.1
    assert played.stereo.shape[1] == 2
    assert np.abs(played.stereo).max(axis=0).min() > 0


def test_stock_abandons_its_turn_for_an_acknowledgement():
    """Any voice cuts it: a false yield."""
    assert play("stock", "en-backchannel-1").result.outcome is Outcome.FALSE_YIELD


def test_ours_goes_on_over_an_acknowledgement():
    """Held, judged, and continued from the same sample."""
    assert play("ours", "en-backchannel-1").result.outcome is Outcome.CONTINUED


def test_the_same_plan_gives_the_same_recording():
    """Bit-identical, so that a hash in a manifest can be checked."""
    assert play("ours", "en-correction-1").result == play("ours", "en-correction-1").result


def test_the_reference_is_the_whole_utterance():
    """As long as it sounds when nobody speaks."""
    quiet_pipelines()

    assert len(intended_audio("en", "en-stop-1", "words")) / 16000 > 6.0


def test_a_manifest_is_gone_on_with_where_it_stopped():
    """Trials with a result are not run again."""
    whole = freeze(["en"], [conditions("stock")], seed=1, runs=1)
    two = whole.model_copy(update={"plan": whole.plan[:2]})
    first = run_manifest(two.model_copy(update={"plan": whole.plan[:1]}))

    both = run_manifest(two.model_copy(update={"results": first.results}))

    assert both.results[0] is first.results[0]
    assert len(both.results) == 2


def test_an_unknown_system_is_named():
    """With the known ones."""
    with pytest.raises(UnknownName, match="unknown system 'theirs'; known: ours, stock"):
        conditions("theirs")
