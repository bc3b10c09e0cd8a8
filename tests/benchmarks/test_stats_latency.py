"""Right-censored latencies: field case D20 and the rules of seed 002."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.duration.survfunc import SurvfuncRight

from benchmarks.stats import CutIn, CutInKind, classify_cut_in, summarise_latencies

pytestmark = pytest.mark.unit

D20 = {
    "yields after 0.3 s": {"onset_s": 10.8, "agent_start_s": 10.0, "agent_end_s": 11.1, "completed": False},
    "fires 2 s before the reply": {"onset_s": 8.0, "agent_start_s": 10.0, "agent_end_s": 14.0, "completed": True},
    "fires 0.2 s after the reply": {"onset_s": 14.2, "agent_start_s": 10.0, "agent_end_s": 14.0, "completed": True},
    "empty reply": {"onset_s": 10.8, "agent_start_s": None, "agent_end_s": None, "completed": False},
    "never yields": {"onset_s": 10.8, "agent_start_s": 10.0, "agent_end_s": 14.0, "completed": True},
}


def test_field_case_d20_gives_one_yield_one_failure_and_three_without_opportunity():
    """Yield rate 1/2, Wilson [0.095, 0.905]; the three enter no rate and have no latency."""
    summary = summarise_latencies(classify_cut_in(**case) for case in D20.values())

    assert (summary.yielded, summary.not_yielded, summary.no_opportunity) == (1, 1, 3)
    assert summary.yield_rate == 0.5
    assert summary.interval is not None
    assert (summary.interval.low, summary.interval.high) == pytest.approx((0.095, 0.905), abs=0.0005)
    assert summary.median_s == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("case", "kind"),
    [
        ("yields after 0.3 s", CutInKind.YIELDED),
        ("fires 2 s before the reply", CutInKind.NO_OPPORTUNITY),
        ("fires 0.2 s after the reply", CutInKind.NO_OPPORTUNITY),
        ("empty reply", CutInKind.NO_OPPORTUNITY),
        ("never yields", CutInKind.NOT_YIELDED),
    ],
)
def test_each_case_of_d20_is_what_it_is(case: str, kind: CutInKind):
    """One row a case; only the yield has a latency."""
    cut_in = classify_cut_in(**D20[case])

    assert cut_in.kind is kind
    assert (cut_in.latency_s is not None) is (kind is CutInKind.YIELDED)


def test_a_failure_is_censored_at_the_window_and_never_becomes_a_slow_success():
    """An agent that stops 2.4 s after the onset did not yield within 2 s."""
    late = classify_cut_in(1.0, 0.0, 3.4, completed=False)

    assert (late.kind, late.latency_s, late.censored_at_s) == (CutInKind.NOT_YIELDED, None, 2.0)
    assert summarise_latencies([late]).median_s is None


def test_an_utterance_that_happens_to_end_is_not_a_yield():
    """The agent finished 0.5 s after the onset by itself: censored there."""
    finished = classify_cut_in(3.5, 0.0, 4.0, completed=True)

    assert (finished.kind, finished.censored_at_s) == (CutInKind.NOT_YIELDED, 0.5)


def test_exactly_at_the_window_is_still_a_yield():
    """The window is closed; one sample later is not."""
    assert classify_cut_in(1.0, 0.0, 3.0, completed=False).kind is CutInKind.YIELDED
    assert classify_cut_in(1.0, 0.0, 3.001, completed=False).kind is CutInKind.NOT_YIELDED


def test_a_cut_in_that_never_sounded_is_no_opportunity():
    """A set-up failure is counted apart."""
    assert classify_cut_in(None, 0.0, 4.0, completed=True).kind is CutInKind.NO_OPPORTUNITY


def test_a_negative_latency_cannot_be_written_down():
    """The type itself refuses it."""
    with pytest.raises(ValueError, match="never negative"):
        CutIn(CutInKind.YIELDED, latency_s=-0.1)


@pytest.mark.parametrize("times", [{"latency_s": 0.1, "censored_at_s": 0.1}, {}, {"censored_at_s": 1.0}])
def test_a_yield_carries_a_latency_and_nothing_else(times: dict[str, float]):
    """Times that do not fit the kind are refused."""
    with pytest.raises(ValueError, match="wrong times"):
        CutIn(CutInKind.YIELDED, **times)


seconds = st.floats(0, 20, allow_nan=False)


@given(st.one_of(st.none(), seconds), st.one_of(st.none(), seconds), st.one_of(st.none(), seconds), st.booleans())
@settings(max_examples=300)
def test_no_times_whatever_give_a_negative_latency(onset, start, length, completed):
    """Any order of onset, start and end is classified, and every latency lies within the window."""
    end = None if length is None or start is None else start + length

    cut_in = classify_cut_in(onset, start, end, completed=completed)

    for value in (cut_in.latency_s, cut_in.censored_at_s):
        assert value is None or 0 <= value <= 2.0
    if cut_in.kind is CutInKind.NO_OPPORTUNITY:
        assert cut_in.reason


def test_an_empty_set_has_no_rate():
    """Nothing eligible: no rate, no interval, no median."""
    summary = summarise_latencies([])

    assert (summary.yield_rate, summary.interval, summary.median_s, summary.censored_median_s) == (None,) * 4


@given(
    st.lists(st.floats(0.01, 2, allow_nan=False).map(lambda x: round(x, 2)), min_size=1, max_size=30),
    st.lists(st.floats(0.01, 2, allow_nan=False).map(lambda x: round(x, 2)), max_size=30),
)
@settings(max_examples=60)
def test_the_censored_median_is_kaplan_meiers(yields: list[float], misses: list[float]):
    """Ours is statsmodels' survival median; None where the curve never reaches one half."""
    cut_ins = [CutIn(CutInKind.YIELDED, latency_s=t) for t in yields]
    cut_ins += [CutIn(CutInKind.NOT_YIELDED, censored_at_s=t) for t in misses]

    ours = summarise_latencies(cut_ins).censored_median_s

    curve = SurvfuncRight(np.array([*yields, *misses]), np.array([1] * len(yields) + [0] * len(misses)))
    reached = [float(t) for t, p in zip(curve.surv_times, curve.surv_prob, strict=True) if p <= 0.5 + 1e-12]
    assert ours == (pytest.approx(reached[0]) if reached else None)
