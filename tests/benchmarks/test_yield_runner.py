"""The yield protocol on real Pipecat with Silero, at audio level in virtual time."""

import numpy as np
import pytest

from benchmarks.errors import UnknownName
from benchmarks.simulator.build import quiet_pipelines
from benchmarks.yielding import Outcome, freeze
from benchmarks.yielding.runner import SYSTEMS, PlayedTrial, conditions, play_trial, run_manifest

pytestmark = pytest.mark.pipeline


def play(system: str, scenario: str) -> PlayedTrial:
    """Play a trial of the frozen plan on its own virtual loop."""
    quiet_pipelines()
    plan = freeze(["en"], [conditions(name) for name in SYSTEMS], seed=20260525).plan
    return play_trial(next(t for t in plan if (t.system, t.scenario, t.run) == (system, scenario, 0)))


def test_stock_yields_to_a_stop_request_within_the_window():
    """Onset as planned to a tenth of a second, a latency of a few tenths, and both channels recorded."""
    played = play("stock", "en-stop-1")

    assert played.result.outcome is Outcome.YIELDED
    assert played.result.yield_latency_s is not None
    assert 0.1 < played.result.yield_latency_s < 0.8
    assert abs(played.result.onset_deviation_s or 0.0) <= 0.1
    assert played.stereo.shape[1] == 2
    assert np.abs(played.stereo).max(axis=0).min() > 0


def test_ours_goes_on_over_an_acknowledgement_and_does_so_again_bit_for_bit():
    """Held, judged, continued from the same sample; the same plan gives the same recording, hash and all."""
    first = play("ours", "en-backchannel-1").result

    assert first.outcome is Outcome.CONTINUED
    assert play("ours", "en-backchannel-1").result == first


def test_a_manifest_is_gone_on_with_where_it_stopped():
    """Trials with a result are not run again."""
    whole = freeze(["en"], [conditions("stock")], seed=1, runs=1)
    done = run_manifest(whole.model_copy(update={"plan": whole.plan[:1]}))

    again = run_manifest(done)

    assert len(done.results) == 1
    assert again.results[0] is done.results[0]


def test_an_unknown_system_is_named():
    """With the known ones."""
    with pytest.raises(UnknownName, match="unknown system 'theirs'; known: ours, stock"):
        conditions("theirs")
