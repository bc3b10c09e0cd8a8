"""Sound declared at the wrong rate is doubted, and only after enough of it."""

from __future__ import annotations

import numpy as np
import pytest

from speaker_gate import CallGate, GateSettings, Voice, Why
from speaker_gate.enrolment import EnrolmentStatus
from speaker_gate.rate_check import Rate, RateModel, RateWatch, rate_features, shipped_rate_model
from speaker_gate.testing import fake_ears, quiet, say

pytestmark = pytest.mark.unit

SIZE = 120


def model(fast: float = 0.0, slow: float = 0.0) -> RateModel:
    """A model that always says the same log-odds."""

    def bias(value: float) -> np.ndarray:
        return np.r_[np.zeros(SIZE), value].astype(np.float32)

    return RateModel(np.zeros(SIZE, np.float32), np.ones(SIZE, np.float32), bias(fast), bias(slow), threshold=2.0)


@pytest.mark.parametrize(
    ("fast", "slow", "rate"), [(3.0, 0.0, Rate.TOO_FAST), (0.0, 3.0, Rate.TOO_SLOW), (1.9, 1.9, Rate.PLAUSIBLE)]
)
def test_a_doubt_needs_a_model_that_is_sure(fast: float, slow: float, rate: Rate) -> None:
    """Over the threshold in either direction it is doubted, under it not."""
    assert rate is RateWatch(model(fast, slow)).hear(say("patient", 3.0))


def test_a_doubt_needs_two_seconds_of_speech() -> None:
    """Short stretches and silence say nothing."""
    watch = RateWatch(model(fast=9.0))

    assert Rate.PLAUSIBLE is watch.hear(say("patient", 1.0))
    assert Rate.PLAUSIBLE is watch.hear(quiet(5.0))
    assert Rate.TOO_FAST is watch.hear(say("patient", 2.5))
    assert rate_features(say("patient", 1.0)) is None


def test_the_shipped_model_fits_its_features() -> None:
    """The file in the package has one weight a feature and a bias."""
    shipped, features = shipped_rate_model(), rate_features(say("patient", 3.0))

    assert features is not None
    assert (SIZE,) == features.shape
    assert (SIZE + 1,) == shipped.fast.shape == shipped.slow.shape
    assert shipped.threshold > 0.0


def test_a_doubted_call_decides_nothing_and_enrols_nobody() -> None:
    """What is played at the wrong speed is never scored."""
    gate = CallGate(fake_ears(), settings=GateSettings())
    gate._rate = RateWatch(model(fast=9.0))
    for at_s in (0.0, 5.0):
        gate.begin_turn(at_s, 16_000)
        gate.hear(say("patient", 3.0))
        verdict = gate.end_turn(at_s + 3.0)

    assert (Voice.UNSURE, Why.IMPLAUSIBLE_RATE) == (verdict.decision.voice, verdict.decision.why)
    assert EnrolmentStatus.COLLECTING is gate.status
