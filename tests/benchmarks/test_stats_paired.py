"""Paired tests against statsmodels and scipy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import wilcoxon
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from benchmarks.stats import mcnemar, wilcoxon_signed_rank

pytestmark = pytest.mark.unit


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=120))
@settings(max_examples=100)
def test_mcnemar_equals_the_exact_test_of_statsmodels(pairs: list[tuple[bool, bool]]):
    """The p-value is that of the exact binomial test."""
    first, second = zip(*pairs, strict=True)

    ours = mcnemar(first, second)

    table = [[sum(p == (a, b) for p in pairs) for b in (True, False)] for a in (True, False)]
    assert ours.p_value == pytest.approx(float(statsmodels_mcnemar(table, exact=True).pvalue), abs=1e-12)
    assert ours.n_informative == table[0][1] + table[1][0]


def test_a_one_sided_sweep_of_ten_pairs_is_significant():
    """Ten pairs that all moved one way: p = 2 / 2**10."""
    assert mcnemar([True] * 10, [False] * 10).p_value == pytest.approx(2 / 1024)


def test_pairs_that_agree_say_nothing():
    """Without a discordant pair p is 1, not an error and not 0."""
    test = mcnemar([True, False, True], [True, False, True])

    assert (test.p_value, test.n_informative) == (1.0, 0)


def test_wilcoxon_equals_scipy_after_dropping_zeros():
    """Zero differences are dropped, and the rest is scipy's test."""
    rng = np.random.default_rng(1)
    first = rng.normal(size=40)
    second = first + rng.normal(0.3, 1.0, size=40)
    second[:5] = first[:5]

    ours = wilcoxon_signed_rank(first.tolist(), second.tolist())

    reference = wilcoxon((second - first)[5:])
    assert (ours.statistic, ours.p_value) == pytest.approx((reference.statistic, reference.pvalue))
    assert (ours.n, ours.n_informative) == (40, 35)


def test_wilcoxon_of_equal_values_says_nothing():
    """All differences zero: p is 1."""
    assert wilcoxon_signed_rank([1.0, 2.0], [1.0, 2.0]).p_value == 1.0


@pytest.mark.parametrize("test", [mcnemar, wilcoxon_signed_rank])
def test_unequal_lengths_are_refused(test):
    """A pair without a partner is an error."""
    with pytest.raises(ValueError, match="one length"):
        test([True], [True, False])


def test_non_finite_values_are_refused():
    """A NaN never becomes a rank."""
    with pytest.raises(ValueError, match="finite"):
        wilcoxon_signed_rank([1.0, float("nan")], [2.0, 3.0])
