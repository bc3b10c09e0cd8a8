"""The cost evaluation: what a pair, a hop and a chain mean."""

from __future__ import annotations

import pytest

from benchmarks.errors import BadOption
from benchmarks.evals import cost
from benchmarks.evals.cost_frames import Hop, measure_hops, measure_output_parts
from benchmarks.figures import EvalOptions

pytestmark = pytest.mark.pipeline


def test_the_ratio_is_the_median_of_pairs_with_their_range():
    """1.1, 1.0 and 1.3 give 1.1, from 1.0 to 1.3; added CPU is shared among the frames."""
    pairs = [cost.Pair(2.0, 2.2, 1000), cost.Pair(2.0, 2.0, 1000), cost.Pair(2.0, 2.6, 1000)]
    figures = {(f.name, f.group.get("system")): f for f in cost.figures_of_pairs(pairs)}

    ratio = figures["cpu_ratio_median", None]
    assert (ratio.value, ratio.low, ratio.high, ratio.n) == (1.1, 1.0, 1.3, 3)
    assert figures["cpu_us_per_input_frame_added", "ours"].value == pytest.approx(200.0)


def test_frame_figures_name_mode_and_frame():
    """Each hop has its CPU and its latency."""
    figures = cost.figures_of_frames([Hop("direct", "tts", 7.5, 10.0)], {"transport": 60.0}, 100)

    assert [(f.name, f.value, f.group) for f in figures] == [
        ("cpu_us_per_hop", 7.5, {"mode": "direct", "frame": "tts"}),
        ("latency_us_per_hop", 10.0, {"mode": "direct", "frame": "tts"}),
        ("cpu_us_per_tts_frame", 60.0, {"chain": "transport"}),
    ]


def test_either_part_can_be_left_out_and_says_nothing_then():
    """No frames give the calls alone, `pairs=0` the frames alone."""
    calls = {f.name for f in cost.measure(1, 0, 1, call=lambda system: (2.2 if system == "ours" else 2.0, 1000))}
    frames = {f.name for f in cost.run(EvalOptions(extra={"pairs": 0, "frames": 20, "repeats": 1}))}

    assert calls == {"cpu_ratio_median", "cpu_s_per_call_median", "cpu_us_per_input_frame_added"}
    assert frames == {"cpu_us_per_hop", "latency_us_per_hop", "cpu_us_per_tts_frame"}


@pytest.mark.parametrize("options", [{"pairs": -1}, {"frames": -1}, {"repeats": 0}, {"pairs": 0, "frames": 0}])
def test_options_out_of_range_are_refused(options):
    """Before anything runs."""
    with pytest.raises(BadOption):
        cost.run(EvalOptions(extra=options))


def test_frames_go_through_every_chain():
    """The chains are whole: every frame arrives, each kind is measured."""
    hops = measure_hops(40, 1)
    parts = measure_output_parts(40, 1)

    assert {(hop.mode, hop.frame) for hop in hops} == {
        ("queued", "input"),
        ("direct", "input"),
        ("express", "input"),
        ("queued", "tts"),
        ("direct", "tts"),
    }
    assert set(parts) == {"transport", "transport_with_hold_parts"}
    assert all(us > 0 for us in parts.values())
