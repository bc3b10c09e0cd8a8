"""Wilson and Newcombe intervals, checked against statsmodels and against what the seeds print."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from benchmarks.stats import newcombe_difference, wilson

pytestmark = pytest.mark.unit

counts = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def test_thirty_of_thirty_gives_the_interval_the_study_prints():
    """30/30 is 88.6-100.0 % (seed 000, abstract and section 4.1)."""
    assert wilson(30, 30).as_percent() == "88.6-100.0 %"


@pytest.mark.parametrize(
    ("hits", "n", "percent"),
    [
        (1, 2, "9.5-90.5 %"),
        (0, 30, "0.0-11.4 %"),
        (4, 30, "5.3-29.7 %"),
        (9, 10, "59.6-98.2 %"),
        (10, 10, "72.2-100.0 %"),
    ],
)
def test_small_counts_give_the_known_wilson_interval(hits: int, n: int, percent: str):
    """Field case D20's 1/2 and the counts of the study's Table 7."""
    assert wilson(hits, n).as_percent() == percent


@given(counts)
@settings(max_examples=200)
def test_wilson_equals_statsmodels(pair: tuple[int, int]):
    """Ours and statsmodels' Wilson interval are the same numbers."""
    hits, n = pair

    ours = wilson(hits, n)

    low, high = proportion_confint(hits, n, alpha=0.05, method="wilson")
    assert (ours.low, ours.high) == pytest.approx((low, high), abs=1e-12)
    assert 0 <= ours.low <= hits / n <= ours.high <= 1


@given(counts, counts)
@settings(max_examples=200)
def test_newcombe_equals_statsmodels(first: tuple[int, int], second: tuple[int, int]):
    """Ours is statsmodels' hybrid score interval, in percentage points, second minus first."""
    ours = newcombe_difference(*first, *second)

    low, high = confint_proportions_2indep(*second, *first, method="newcomb", compare="diff", correction=False)
    assert (ours.low_pp, ours.high_pp) == pytest.approx((100 * low, 100 * high), abs=1e-9)
    assert ours.value_pp == pytest.approx(100 * (second[0] / second[1] - first[0] / first[1]))


@pytest.mark.parametrize(
    ("baseline", "interrupt", "n", "delta_pp"),
    [(0, 30, 30, 100.0), (4, 30, 30, 86.7), (0, 7, 30, 23.3), (0, 22, 30, 73.3), (0, 9, 10, 90.0)],
)
def test_deltas_are_the_studys(baseline: int, interrupt: int, n: int, delta_pp: float):
    """The deltas of Tables 2 and 7 come back from their counts."""
    assert newcombe_difference(baseline, n, interrupt, n).value_pp == pytest.approx(delta_pp, abs=0.05)


@pytest.mark.parametrize(("hits", "n"), [(-1, 3), (4, 3), (0, 0)])
def test_impossible_counts_are_refused(hits: int, n: int):
    """No interval is made up for counts that cannot be."""
    with pytest.raises(ValueError, match="need 0 <= hits <= n"):
        wilson(hits, n)
