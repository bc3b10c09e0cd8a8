"""Late sound that comes all at once is told from a quiet line, from jitter and from a line that lost what it owed."""

from __future__ import annotations

import random

import pytest

from pipecat_interrupt.overlap.backlog import STALE_S, Backlog

pytestmark = pytest.mark.unit


class Line:
    """Pushes 20 ms packets into a backlog."""

    def __init__(self) -> None:
        self.backlog, self.now_s = Backlog(), 100.0

    def runs(self, seconds: float, *, speed: float = 1.0, packet_s: float = 0.02) -> bool:
        """Send so much sound, `speed` times faster than time; True when words would have been stale at any packet."""
        stale = False
        for _ in range(round(seconds / packet_s)):
            self.now_s += packet_s / speed
            self.backlog.push(packet_s, self.now_s)
            stale = stale or self.backlog.stale(self.now_s)
        return stale

    def stalls(self, seconds: float) -> None:
        """Nothing comes."""
        self.now_s += seconds


@pytest.mark.parametrize("speed", [3.0, 20.0, 1e6])
@pytest.mark.parametrize("stall_s", [2.0, 30.0])
def test_words_behind_a_stall_are_stale_for_a_while(stall_s: float, speed: float) -> None:
    """However fast the line catches up; and not for ever."""
    line = Line()
    assert not line.runs(10)
    line.stalls(stall_s)

    assert line.runs(stall_s, speed=speed)
    assert line.backlog.stale(line.now_s + STALE_S - 0.5)
    line.runs(STALE_S + 0.1)
    assert not line.runs(60)


def test_a_line_that_lost_what_it_owed_is_not_late() -> None:
    """Sound goes on where it is, as after a dead spot: what is heard is of now."""
    line = Line()
    line.runs(10)
    line.stalls(12)

    assert not line.runs(60)


def test_jitter_and_a_line_that_sends_voice_only_are_not_late() -> None:
    """Packets in lumps of half a second; and silence that is not sent at all."""
    lumps, voices = Line(), Line()
    late = [lumps.runs(0.5, speed=1e6) for _ in range(20) if lumps.stalls(0.5) is None]
    late += [voices.runs(2.0) for _ in range(20) if voices.stalls(3.0) is None]

    assert not any(late)


def test_what_a_stall_owed_is_forgotten_when_nothing_comes_of_it() -> None:
    """A little haste minutes later repays nothing."""
    line = Line()
    line.runs(1)
    line.stalls(5)
    line.runs(30)

    assert not line.runs(2, speed=2.0)


def test_a_line_that_jitters_behind_a_stall_does_not_stay_late() -> None:
    """Early packets repay what late ones owed, and nothing of the stall."""
    line, rng = Line(), random.Random(5)
    line.stalls(0.0)
    line.runs(1)
    line.stalls(6)
    stale = False
    for _ in range(3000):
        wait_s = rng.uniform(0.0, 0.3)
        line.stalls(wait_s)
        line.backlog.push(0.02, line.now_s)
        line.runs(wait_s, speed=1e6)
        line.stalls(0.02)
        stale = stale or line.backlog.stale(line.now_s)

    assert not stale


@pytest.mark.parametrize("gap_s", [0.3, 0.9])
def test_a_line_that_falls_behind_bit_by_bit_is_late_when_it_catches_up(gap_s: float) -> None:
    """No single gap is a stall: a crowded line sends too little for half a minute, and then everything."""
    line = Line()
    line.runs(10)
    for _ in range(30):
        line.stalls(gap_s)
        line.runs(0.2)

    assert line.runs(30 * gap_s, speed=20.0)


def test_a_line_that_loses_some_of_its_sound_is_not_late() -> None:
    """One packet in thirty never comes, for ten minutes, and packets come in lumps."""
    line = Line()
    late = False
    for _ in range(30000 // 29):
        line.stalls(0.02 + 0.3)
        late = line.runs(0.28, speed=1e6) or late
        late = line.runs(0.30) or late

    assert not late


@pytest.mark.parametrize("packet_s", [0.1, 1.0])
def test_long_packets_are_not_late(packet_s: float) -> None:
    """Some transports send a tenth of a second, or a whole one; one of them comes a little late."""
    line = Line()
    late = line.runs(20, packet_s=packet_s)
    line.stalls(0.4)
    line.now_s -= packet_s  # so that the next one comes 0.4 s late
    line.runs(packet_s, packet_s=packet_s)

    assert not (line.runs(20, packet_s=packet_s) or late)


def test_what_was_kept_while_the_call_was_set_up_is_not_late() -> None:
    """A line that begins with what it had waiting is at its own beginning."""
    line = Line()

    assert not line.runs(3, speed=1e6)
    assert not line.runs(20)


def test_a_second_stall_while_the_first_is_repaid_is_late_as_well() -> None:
    """What is behind is not known by its height alone."""
    line = Line()
    line.runs(10)
    line.stalls(30)
    line.runs(29, speed=20.0)
    line.stalls(6)
    line.runs(1.0)
    before = line.backlog.stale(line.now_s + STALE_S - 0.1)

    assert (before, line.runs(5, speed=20.0)) == (False, True)
    assert line.backlog.stale(line.now_s + STALE_S - 0.5)


def test_words_of_a_voice_behind_the_late_sound_are_plain_and_slow_words_of_it_are_not() -> None:
    """Whoever answers on time is not asked again, and a slow recogniser makes old words no younger."""
    line = Line()
    line.runs(10)
    line.stalls(4)
    line.runs(4, speed=50.0)
    late_s = line.now_s
    line.runs(6)

    assert line.backlog.stale(line.now_s, onset_s=late_s - 0.05)
    assert line.backlog.stale(line.now_s + 4.0, onset_s=late_s)
    assert not line.backlog.stale(late_s + 3.0, onset_s=late_s + 1.5)
    assert not line.backlog.stale(line.now_s + 10.0, onset_s=late_s)


def test_a_line_that_always_sends_more_than_time_is_not_late_for_ever() -> None:
    """Two callers in one room, each with sound of their own: once what a stall owed is repaid, nothing is late."""
    line = Line()
    line.runs(10, speed=2.0)
    line.stalls(3)

    assert line.runs(3, speed=2.0)
    line.runs(20, speed=2.0)
    assert not line.runs(60, speed=2.0)
