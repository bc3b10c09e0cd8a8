"""How far audio may run ahead, and what is known of it on its way; pure, time is an argument."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipecat_interrupt.hold import ClockPacer, CreditPacer, NoPacer
from pipecat_interrupt.hold.flight import FLIGHTS_MAX, FlightLog

pytestmark = pytest.mark.unit

CHUNK_S = 0.04


def test_credit_lets_two_chunks_out_and_waits_for_the_first_to_come_back():
    """The lead is 80 ms; an acknowledgement makes room for one more."""
    pacer = CreditPacer(0.08)
    for _ in range(2):
        assert pacer.may_release(CHUNK_S, 0.0)
        pacer.released(CHUNK_S, 0.0)

    assert not pacer.may_release(CHUNK_S, 0.0)
    pacer.acknowledged(CHUNK_S, 0.04)
    assert pacer.may_release(CHUNK_S, 0.04)


def test_credit_counts_down_while_the_chunk_in_flight_sounds():
    """20 ms into the first of two chunks 60 ms still sound; never more than a chunk is taken off."""
    pacer = CreditPacer(0.08)
    pacer.released(CHUNK_S, 1.0)
    pacer.released(CHUNK_S, 1.0)

    assert pacer.outstanding_s(1.02) == pytest.approx(0.06)
    assert pacer.outstanding_s(9.0) == pytest.approx(0.04)


def test_credit_without_acknowledgements_is_given_back_chunk_by_chunk():
    """Three chunks of silence count as a stall."""
    pacer = CreditPacer(0.08)
    pacer.released(CHUNK_S, 0.0)
    pacer.released(CHUNK_S, 0.0)

    assert pacer.wait_s(CHUNK_S, 0.0) == pytest.approx(0.12)
    pacer.waited(0.12)
    assert pacer.may_release(CHUNK_S, 0.12)
    assert pacer.stalls == 1


def test_credit_lets_an_oversized_chunk_go_when_nothing_is_out():
    """A frame longer than the lead must not wait for ever."""
    pacer = CreditPacer(0.08)

    assert pacer.may_release(0.5, 0.0)
    pacer.released(0.5, 0.0)
    assert not pacer.may_release(0.5, 0.0)


def test_the_clock_lets_out_what_sounds_within_the_lead():
    """Two chunks at once, then one each 40 ms, whatever the transport acknowledges."""
    pacer = ClockPacer(0.08)
    pacer.released(CHUNK_S, 5.0)
    pacer.released(CHUNK_S, 5.0)
    pacer.acknowledged(CHUNK_S, 5.0)

    assert not pacer.may_release(CHUNK_S, 5.0)
    assert pacer.wait_s(CHUNK_S, 5.0) == pytest.approx(0.04)
    assert pacer.may_release(CHUNK_S, 5.04)
    assert pacer.outstanding_s(5.04) == pytest.approx(0.04)


def test_an_interruption_empties_both():
    """What was thrown away sounds no longer."""
    for pacer in (CreditPacer(), ClockPacer()):
        pacer.released(CHUNK_S, 5.0)
        pacer.released(CHUNK_S, 5.0)
        pacer.interrupted()

        assert pacer.outstanding_s(5.0) == 0.0
        assert pacer.may_release(CHUNK_S, 5.0)


def test_no_pacer_never_says_no():
    """The filter back-end holds elsewhere."""
    pacer = NoPacer()
    pacer.released(100.0, 0.0)

    assert pacer.may_release(100.0, 0.0)
    assert pacer.wait_s(1.0, 0.0) is None
    assert pacer.outstanding_s(0.0) == 0.0


@settings(max_examples=60, deadline=None)
@given(
    lead_ms=st.integers(40, 400),
    steps=st.lists(st.tuples(st.sampled_from(["release", "ack", "wait", "tick"]), st.integers(0, 200)), max_size=60),
)
def test_no_pacer_ever_sticks(lead_ms, steps):
    """After any history either a chunk may go now or a wait is named after which one may."""
    for pacer in (CreditPacer(lead_ms / 1000), ClockPacer(lead_ms / 1000)):
        now_s = 0.0
        for step, ms in steps:
            now_s += ms / 1000
            if step == "release" and pacer.may_release(CHUNK_S, now_s):
                pacer.released(CHUNK_S, now_s)
            elif step == "ack":
                pacer.acknowledged(CHUNK_S, now_s)
            elif step == "wait":
                pacer.waited(now_s)
            assert pacer.outstanding_s(now_s) <= max(lead_ms / 1000, CHUNK_S) + 1e-6
        for _ in range(20):
            if pacer.may_release(CHUNK_S, now_s):
                break
            wait_s = pacer.wait_s(CHUNK_S, now_s)
            assert wait_s is not None
            now_s += wait_s
            pacer.waited(now_s)
        assert pacer.may_release(CHUNK_S, now_s)


def test_flights_tell_what_would_be_stopped_first():
    """40 ms are being written: what comes after them is the protected speech."""
    flights = FlightLog()
    flights.released(0.04, protected=False, context_id="a")
    flights.released(0.4, protected=True, context_id="p")

    assert flights.after(0.0).context_id == "a"
    assert flights.after(0.04).context_id == "p"
    assert flights.after(0.44) is None


def test_written_audio_is_counted_to_its_own_kind():
    """The chunk in flight at an interruption is written afterwards: it must not count as protected speech."""
    flights = FlightLog()
    flights.released(0.2, protected=False, context_id="a")
    flights.released(0.4, protected=True, context_id="p")
    flights.interrupted()
    flights.written(0.04, protected=False)

    assert flights.seconds == pytest.approx(0.4)
    flights.written(0.4, protected=True)
    assert flights.seconds == 0.0
    assert flights.last.context_id == "p"


def test_a_stopped_agent_has_nothing_playing():
    """The last audio is over."""
    flights = FlightLog()
    flights.released(0.04, protected=True, context_id="p")
    flights.written(0.04, protected=True)
    flights.stopped()

    assert flights.last is None


def test_flights_are_bounded():
    """One past the bound the oldest entry is gone."""
    flights = FlightLog()
    for i in range(FLIGHTS_MAX + 1):
        flights.released(0.04, protected=False, context_id=f"c{i}")

    assert flights.after(0.0).context_id == "c1"
