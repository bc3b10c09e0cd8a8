"""The floor evaluation: trials read off the ear, and figures that count what they say they count."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.errors import BadOption
from benchmarks.evals import floor
from benchmarks.evals.floor_trial import SOUNDS, FloorTrial, acoustic_span_s, run_trial
from benchmarks.figures import EvalOptions
from benchmarks.stats.latency import CutIn, CutInKind

pytestmark = pytest.mark.pipeline

BY_NAME = {sound.name: sound for sound in SOUNDS}


def trial(
    event="backchannel", *, system="ours", rule="kit", latency_s=None, whole=True, gaps=(), stop_s=None, sound="voice:x"
):
    cut_in = (
        CutIn(CutInKind.YIELDED, latency_s=latency_s)
        if latency_s is not None
        else CutIn(CutInKind.NOT_YIELDED, censored_at_s=2.0)
    )
    return FloorTrial(
        system=system,
        rule=rule,
        sound=sound,
        event=event,
        stt="segmented",
        tts="inline",
        position_s=2.0,
        phase_ms=0.0,
        cut_in=cut_in,
        whole=whole,
        exact=True,
        stop_s=stop_s,
        gaps_s=tuple(gaps),
    )


def figure(figures, name, **group):
    (found,) = [f for f in figures if f.name == name and f.group == group]
    return found


def test_latencies_are_of_yields_and_the_rest_is_censored():
    """Two yields and one that never came: the median is of two, the count says the third."""
    trials = [
        trial("interruption", latency_s=0.3, whole=False, stop_s=0.3),
        trial("interruption", latency_s=0.5, whole=False, stop_s=0.3),
        trial("interruption"),
    ]
    figures = floor.figures_of(trials, seed=1)

    median = figure(figures, "yield_latency_ms_median", system="ours", event="interruption")
    censored = figure(figures, "censored", system="ours", event="interruption")
    assert (median.value, median.n) == (400.0, 2)
    assert (censored.value, censored.n) == (1, 3)


def test_a_hold_is_not_a_yield_but_a_long_gap_is_an_audible_pause():
    """Whole utterances count as not yielded; 0.3 s is audible, 0.29 s is not."""
    trials = [trial(gaps=(0.29,)), trial(gaps=(0.3,)), trial(), trial(latency_s=0.4, whole=False)]
    figures = floor.figures_of(trials, seed=1)

    group = {"system": "ours", "event": "backchannel"}
    assert figure(figures, "false_yield_rate", **group).value == 0.25
    assert figure(figures, "audible_pause_rate", **group).value == 0.25
    assert figure(figures, "resume_gap_ms_median", **group).value == pytest.approx(295.0)
    assert figure(figures, "resumed_exact_rate", **group).n == 2


def test_arms_do_not_mix():
    """Stock and its other rule have groups of their own."""
    trials = [trial(), trial(system="stock", rule="default", latency_s=0.3, whole=False)]
    figures = floor.figures_of(trials, seed=1)

    assert figure(figures, "false_yield_rate", system="ours", event="backchannel").value == 0.0
    assert figure(figures, "false_yield_rate", system="stock", event="backchannel").value == 1.0


@pytest.mark.parametrize("options", [{"phases": 1}, {"stt-delay-s": 9.0}])
def test_options_out_of_range_are_refused(options):
    """Before any call is played."""
    with pytest.raises(BadOption):
        floor.run(EvalOptions(extra=options))


def test_the_acoustic_onset_is_where_it_sounds():
    """Silence before and a single click do not count."""
    samples = np.zeros(16000, np.int16)
    samples[1600:1680] = 9000  # a click of 5 ms
    samples[4800:9600] = 3000

    start_s, end_s = acoustic_span_s(samples)
    assert start_s == pytest.approx(0.3)
    assert end_s == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("name", "system", "rule", "yields"),
    [
        ("clip:stop", "ours", "kit", True),
        ("clip:okay", "ours", "kit", False),
        ("echo", "ours", "kit", False),
        ("clip:okay", "stock", "default", True),
    ],
)
def test_one_trial_of_each_kind_at_the_ear(name, system, rule, yields):
    """A stop request yields in time; a listening noise and an echo do not, though stock yields to the first."""
    found = run_trial(
        BY_NAME[name],
        system=system,
        rule=rule,
        stt="segmented",
        stt_delay_s=0.7,
        tts="inline",
        at_s=2.5,
        phase_ms=15.0,
    )

    assert (found.cut_in.kind is CutInKind.YIELDED) is yields
    assert found.whole is not yields
    assert found.exact
    if yields:
        assert found.cut_in.latency_s < 0.7


def test_an_interruption_that_begins_with_a_word_and_a_pause_stops_the_agent_at_its_next_word():
    """At this place detection takes 0.7 s over the second word, and the agent had spoken on into it."""
    done = run_trial(
        BY_NAME["voice:correct"],
        system="ours",
        rule="kit",
        stt="segmented",
        stt_delay_s=0.7,
        tts="tokens",
        at_s=3.545,
        phase_ms=0.0,
    )

    assert done.cut_in.kind is CutInKind.YIELDED
    assert len(done.gaps_s) == 1, "one stutter"
    assert done.cut_in.latency_s < 0.7


@pytest.mark.parametrize("tts", ["inline", "streaming", "tokens", "words"])
@pytest.mark.parametrize("place_s", [3.755, 3.6783])
def test_an_echo_too_weak_for_voice_detection_does_not_stop_the_agent_by_its_words(tts, place_s):
    """At these places a streaming recogniser's first word, or its final text, ran ahead of the delivered words."""
    done = run_trial(
        BY_NAME["echo"],
        system="ours",
        rule="kit",
        stt="streaming",
        stt_delay_s=0.3,
        tts=tts,
        at_s=place_s,
        phase_ms=0.0,
    )

    assert (CutInKind.NOT_YIELDED, True) == (done.cut_in.kind, done.whole)
