"""The demo's arithmetic on recordings: levels, stretches, waits and yields, from samples alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipecat_interrupt.demo.artefacts import onset_errors_ms
from pipecat_interrupt.demo.measure import (
    SILENCE_DBFS,
    Stretch,
    frame_levels,
    median_or_none,
    response_gaps_s,
    stretches,
    yield_gaps_s,
)
from pipecat_interrupt.facts import OverlapFact

pytestmark = pytest.mark.unit

RATE = 16_000


def _tone(*parts: tuple[float, bool]) -> np.ndarray:
    """Sound (True) and silence (False), seconds each."""
    return np.concatenate([np.full(round(s * RATE), 8000 if on else 0, np.int16) for s, on in parts])


def test_levels_are_rms_in_dbfs() -> None:
    """A constant of half scale is -6 dBFS; silence is the floor."""
    half = np.full(RATE // 10, 16384, np.int16)

    assert frame_levels(half, RATE) == pytest.approx([-6.0206] * 10, abs=1e-3)
    assert frame_levels(np.zeros(320, np.int16), RATE).tolist() == [SILENCE_DBFS] * 2


def test_a_pause_shorter_than_the_end_rule_does_not_end_a_stretch() -> None:
    """0.2 s of silence joins, 0.4 s parts."""
    audio = _tone((0.5, False), (1.0, True), (0.2, False), (0.5, True), (0.4, False), (0.3, True))

    found = stretches(audio, RATE)

    assert [(round(s.start_s, 2), round(s.end_s, 2)) for s in found] == [(0.5, 2.2), (2.6, 2.9)]


def test_silence_has_no_stretch() -> None:
    """Nothing above the level, nothing found, also in an empty recording."""
    assert stretches(np.zeros(RATE, np.int16), RATE) == []
    assert stretches(np.zeros(0, np.int16), RATE) == []


@given(st.lists(st.integers(-32768, 32767), max_size=2000))
def test_stretches_are_ordered_and_apart(samples: list[int]) -> None:
    """Whatever the samples, stretches do not touch and lie inside the recording."""
    audio = np.array(samples, np.int16)

    found = stretches(audio, 1000)

    assert all(a.end_s < b.start_s for a, b in zip(found, found[1:], strict=False))
    assert all(0 <= s.start_s < s.end_s <= len(audio) / 1000 for s in found)


def test_a_wait_runs_from_the_patients_end_to_the_agents_start() -> None:
    """Turns the agent talked over give no wait; a turn nobody answered before the next gives none either."""
    patient = [Stretch(1.0, 2.0), Stretch(5.0, 5.5), Stretch(9.0, 9.5), Stretch(9.8, 10.0)]
    agent = [Stretch(3.5, 5.2), Stretch(5.3, 6.0), Stretch(11.0, 12.0)]

    assert response_gaps_s(patient, agent) == [1.5, 1.0]


def test_a_yield_is_counted_only_where_the_agent_stopped_in_time() -> None:
    """An agent that talks on for more than two seconds did not yield."""
    agent = [Stretch(0.0, 3.0), Stretch(5.0, 9.0)]

    assert yield_gaps_s([Stretch(2.5, 3.5), Stretch(6.0, 6.5)], agent) == [0.5]


def test_onset_errors_are_measured_against_the_first_loud_frame() -> None:
    """An overlap far from any patient sound says nothing about onsets."""
    facts = [OverlapFact(onset_s=3.04), OverlapFact(onset_s=20.0)]

    assert onset_errors_ms(facts, [Stretch(3.0, 4.0)]) == pytest.approx([40.0])


def test_the_median_of_nothing_is_nothing() -> None:
    """An empty list gives no figure, not zero."""
    assert median_or_none([]) is None
    assert median_or_none([3.0, 1.0, 2.0]) == 2.0
