"""Words that are still with the recogniser: how long an agent that wants to close waits for them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipecat_interrupt.overlap.owed import SEGMENT_S_MAX, SEGMENT_S_MIN, STREAMING_S_MAX, WordsOwed

pytestmark = pytest.mark.unit


def _voice(owed: WordsOwed, start_s: float, end_s: float) -> None:
    owed.voice(start_s, True)
    owed.voice(end_s, False)


def test_nothing_is_owed_before_anybody_spoke() -> None:
    """A call begins with nothing to wait for, and a text out of nowhere owes nothing."""
    owed = WordsOwed(segmented=True)
    owed.answered(1.0)

    assert not owed.owed(1.0)


def test_each_segment_is_owed_its_own_words() -> None:
    """Two segments, one text: the second is waited for as long as the first took, and half as long again."""
    owed = WordsOwed(segmented=True)
    _voice(owed, 5.0, 6.0)
    _voice(owed, 7.0, 9.0)
    owed.answered(12.0)

    assert owed.owed(12.0)
    assert owed.owed(9.0 + 1.5 * 6.0)
    assert not owed.owed(9.0 + 1.5 * 6.0 + 0.1)
    owed.answered(20.0)
    assert not owed.owed(20.0)


def test_a_recogniser_that_says_nothing_of_noise_costs_the_shortest_wait() -> None:
    """Stock segmented services send nothing for a segment without words."""
    owed = WordsOwed(segmented=True)
    _voice(owed, 1.0, 2.0)

    assert owed.owed(2.0 + SEGMENT_S_MIN)
    assert not owed.owed(2.0 + SEGMENT_S_MIN + 0.1)


def test_a_stream_has_answered_with_any_final_text_of_the_voice() -> None:
    """Streams close their texts by their own pauses: one that came before the voice detector let go counts."""
    owed = WordsOwed()
    owed.voice(1.0, True)
    owed.answered(1.9)
    owed.voice(2.0, False)
    assert not owed.owed(2.0)

    _voice(owed, 3.0, 4.0)
    assert owed.owed(4.0 + STREAMING_S_MAX)
    assert not owed.owed(4.0 + STREAMING_S_MAX + 0.1)


def test_noise_without_end_does_not_keep_the_line() -> None:
    """A voice detector that fires at every moment holds the leave up for the bound, and no longer."""
    owed = WordsOwed(segmented=True)
    waited_s = [t / 2 for t in range(200) if (_voice(owed, t / 2, t / 2 + 0.2), owed.owed(t / 2 + 0.3))[1]]

    assert waited_s[-1] <= waited_s[0] + SEGMENT_S_MAX


@given(
    st.booleans(),
    st.lists(st.tuples(st.sampled_from(["on", "off", "text"]), st.floats(0.0, 3.0)), max_size=60),
)
def test_the_wait_is_bounded_whatever_comes(segmented: bool, script: list[tuple[str, float]]) -> None:
    """Any order of voices and texts: once the line is quiet, the leave is taken within the bound."""
    owed, now_s = WordsOwed(segmented), 0.0
    for what, later_s in script:
        now_s += later_s
        if what == "text":
            owed.answered(now_s)
        else:
            owed.voice(now_s, what == "on")
        owed.owed(now_s)

    assert not owed.owed(now_s + SEGMENT_S_MAX + 0.01)


@pytest.mark.parametrize(("reports_all", "spoken_s"), [(True, 2.0), (False, 6.0)])
def test_a_text_is_as_old_as_the_voice_it_came_from(reports_all: bool, spoken_s: float) -> None:
    """The first of two voices where every segment is reported; else the last, so that no answer is held too old."""
    owed = WordsOwed(segmented=True)
    owed.reports_all = reports_all
    _voice(owed, 1.0, 2.0)
    _voice(owed, 5.0, 6.0)
    owed.answered(9.0)

    assert spoken_s == owed.spoken_s


def test_a_stream_tells_no_age_and_is_never_slow() -> None:
    """Its texts come as they are spoken."""
    owed = WordsOwed()
    _voice(owed, 1.0, 2.0)
    owed.answered(9.0)

    assert owed.spoken_s is None
    assert not owed.slow


def test_a_recogniser_that_took_long_once_is_slow_from_then_on() -> None:
    """Nobody speaks into its silence any more."""
    owed = WordsOwed(segmented=True)
    _voice(owed, 1.0, 2.0)
    quick = owed.slow
    owed.answered(4.5)

    assert (quick, owed.slow) == (False, True)


def test_words_later_than_any_bound_are_still_as_old_as_their_voice() -> None:
    """Nobody waits for them any more, and they answer no question put since."""
    owed = WordsOwed(segmented=True)
    _voice(owed, 1.0, 2.0)
    waited = owed.owed(30.0)
    owed.answered(31.0)

    assert (waited, owed.spoken_s) == (False, 2.0)


@pytest.mark.parametrize("segmented", [False, True])
def test_a_text_is_dated_by_the_first_voice_it_may_be_of(segmented: bool) -> None:
    """Two voices wait for words: the text may be of the first of them; the next one is of the second."""
    owed = WordsOwed(segmented=segmented)
    unheard = owed.onset_s(1.0)
    _voice(owed, 2.0, 3.0)
    _voice(owed, 4.0, 5.0)

    assert (None, 2.0) == (unheard, owed.onset_s(5.5))
    owed.answered(5.5)
    assert owed.onset_s(6.0) == 4.0


def test_a_text_that_comes_with_a_new_voice_is_of_the_one_before() -> None:
    """No recogniser is so fast."""
    owed = WordsOwed()
    owed.voice(2.0, True)
    owed.answered(2.9)
    owed.voice(3.0, False)
    owed.voice(4.0, True, 3.8)

    assert (2.0, 3.8) == (owed.onset_s(4.2), owed.onset_s(5.0))
