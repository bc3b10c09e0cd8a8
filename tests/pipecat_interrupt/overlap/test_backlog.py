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
