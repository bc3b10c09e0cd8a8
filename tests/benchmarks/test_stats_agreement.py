"""Cohen's kappa against scikit-learn and against the kappas that seed 000 prints."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from benchmarks.stats import agreement, cohen_kappa

pytestmark = pytest.mark.unit

Labels = tuple[list[str], list[str]]


def labels(both_fail: int, only_first: int, only_second: int, both_pass: int) -> Labels:
    """Two raters' labels with this 2x2 table."""
    first = ["fail"] * (both_fail + only_first) + ["pass"] * (only_second + both_pass)
    second = ["fail"] * both_fail + ["pass"] * only_first + ["fail"] * only_second + ["pass"] * both_pass
    return first, second


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=2, max_size=80))
@settings(max_examples=100)
def test_kappa_equals_scikit_learn(pairs: list[tuple[str, str]]):
    """Ours is scikit-learn's, wherever chance agreement is below 1."""
    first, second = (list(x) for x in zip(*pairs, strict=True))
    if len({*first, *second}) == 1:
        assert cohen_kappa(first, second) is None
        return

    assert cohen_kappa(first, second) == pytest.approx(float(cohen_kappa_score(first, second)), abs=1e-12)


# The tables are derived: n = 60, the printed agreement and the printed kappa (several tables share one kappa).
@pytest.mark.parametrize(
    ("table", "kappa", "low", "high", "agreed"),
    [
        ((10, 1, 0, 49), 0.942, 0.795, 1.000, 59),
        ((24, 2, 3, 31), 0.831, 0.667, 0.966, 55),
        ((26, 1, 0, 33), 0.966, 0.883, 1.000, 59),
        ((25, 1, 3, 31), 0.865, 0.730, 0.967, 56),
        ((27, 1, 1, 31), 0.933, 0.831, 1.000, 58),
    ],
    ids=["judge vs truth, gathering", "A vs B", "judge vs A", "judge vs B", "judge vs resolved"],
)
def test_the_studys_kappas_come_back(
    table: tuple[int, int, int, int], kappa: float, low: float, high: float, agreed: int
):
    """Kappa to the printed digit; the interval within the Monte Carlo error of resampling in unknown item order."""
    result = agreement(*labels(*table))

    assert result.kappa == pytest.approx(kappa, abs=0.0006)
    assert (result.low, result.high) == pytest.approx((low, high), abs=0.025)
    assert (result.agreed, result.n) == (agreed, 60)


def test_only_one_table_gives_the_gathering_kappa():
    """59 of 60 with kappa 0.942 leaves one table up to the raters' order and the labels' names: 10, 1, 49."""
    found = {
        tuple(sorted((a, 59 - a)))
        for a in range(60)
        if (k := cohen_kappa(*labels(a, 1, 0, 59 - a))) is not None and abs(k - 0.942) <= 0.0005
    }

    assert found == {(10, 49)}


def test_perfect_agreement_has_no_spread():
    """60 of 60 gives 1.000 (1.000, 1.000), as in Table 5; resamples without a kappa are counted, not invented."""
    result = agreement(*labels(10, 0, 0, 50))

    assert (result.kappa, result.low, result.high) == (1.0, 1.0, 1.0)


def test_realism_of_two_flags_in_seventy_four_agrees_fully():
    """Both annotators flagged the same 2 of 74 trials: kappa 1.0 (section 3.3)."""
    assert agreement(*labels(2, 0, 0, 72)).kappa == 1.0


def test_one_label_throughout_has_no_kappa():
    """Chance agreement of 1 leaves kappa undefined; raw agreement stands."""
    result = agreement(["pass"] * 5, ["pass"] * 5)

    assert (result.kappa, result.low, result.high) == (None, None, None)
    assert result.agreement_rate == 1.0


def test_the_interval_is_the_same_for_the_same_seed():
    """A published interval can be made again."""
    pair = labels(24, 2, 3, 31)

    assert agreement(*pair) == agreement(*pair)
    assert agreement(*pair) != agreement(*pair, seed=1)


def test_raters_of_different_length_are_refused():
    """An item one of them did not rate is not counted in silence."""
    with pytest.raises(ValueError, match="one length"):
        cohen_kappa(["pass"], ["pass", "fail"])
