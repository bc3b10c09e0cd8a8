"""The next word of a voice that was let go is taken from the line's level, and given back."""

from __future__ import annotations

import numpy as np
import pytest

from pipecat_interrupt.overlap.level import SOUND_AGAIN_S, SOUND_OVER_S, listen_on
from pipecat_interrupt.overlap.moves import MERGE_S_MAX
from pipecat_interrupt.overlap.onset import OnsetFinder
from pipecat_interrupt.overlap.session import CONFIRM_S_MAX, OverlapSession

from .session_script import ASKED, SPEAKING, named, said, session

pytestmark = pytest.mark.unit

RATE_HZ = 16000


def let_go() -> OverlapSession:
    """A short voice from 1.0 to 1.5 s that no text has named: the agent goes on provisionally."""
    s = session()
    assert ["report undecided None", "hold"] == named(s.voice_started(1.2, 1.0, SPEAKING))
    assert ["resume"] == named(s.voice_stopped(1.7, SPEAKING))
    return s


def line(*parts: tuple[float, bool]) -> OnsetFinder:
    """A line from 0.0 s on: (seconds, loud)."""
    finder, now_s, rng = OnsetFinder(), 0.0, np.random.default_rng(3)
    for seconds, loud in parts:
        for _ in range(round(seconds / 0.02)):
            now_s += 0.02
            block = rng.normal(0, 3000 if loud else 10, round(0.02 * RATE_HZ)).astype(np.int16)
            finder.push(block.tobytes(), RATE_HZ, now_s)
    return finder


def test_the_next_word_holds_the_agent_again_before_voice_detection_speaks() -> None:
    """As in "No, ... that is wrong": detection would take another 0.3 s."""
    s = let_go()
    finder = line((1.8, False), (SOUND_AGAIN_S, True))

    assert ["hold"] == named(listen_on(s, finder, 1.8 + SOUND_AGAIN_S))
    assert [] == named(s.voice_started(2.2, 1.8, SPEAKING))
    assert [] == named(listen_on(s, line((2.5, False)), 2.5)), "a detected voice ends by detection"


def test_a_sound_without_a_voice_lets_the_agent_go_on_when_it_is_over() -> None:
    """A cough or a second "hmm" that detection never takes for a voice."""
    s = let_go()
    listen_on(s, line((1.8, False), (0.2, True)), 2.0)

    assert [] == named(listen_on(s, line((2.0, True), (SOUND_OVER_S - 0.04, False)), 2.0 + SOUND_OVER_S - 0.04))
    assert ["resume"] == named(listen_on(s, line((2.0, True), (SOUND_OVER_S + 0.02, False)), 2.0 + SOUND_OVER_S + 0.02))
    assert [] == named(listen_on(s, line((2.2, False), (0.2, True)), 2.4)), "two holds at most"


def test_a_line_that_stays_loud_holds_the_agent_no_longer_than_detection_needs() -> None:
    """Music, a passing car."""
    s = let_go()
    listen_on(s, line((1.8, False), (0.2, True)), 2.0)

    assert s.deadline_s == pytest.approx(2.0 + CONFIRM_S_MAX)
    assert ["resume"] == named(s.tick(2.0 + CONFIRM_S_MAX))


@pytest.mark.parametrize("loud_s", [0.04, 0.08])
def test_a_click_is_no_word(loud_s: float) -> None:
    """Shorter than `SOUND_AGAIN_S`."""
    assert [] == listen_on(let_go(), line((1.8, False), (loud_s, True)), 1.8 + loud_s)


def test_nothing_is_taken_from_the_level_where_no_voice_was_let_go() -> None:
    """Before any overlap, during a detected voice, long after it, once refused, and while a question waits."""
    loud = line((9.0, True))
    fresh, speaking, late, refused, asked = session(), session(), let_go(), let_go(), session()
    speaking.voice_started(1.2, 1.0, SPEAKING)
    refused.text(2.0, said(1, "mm-hmm"), SPEAKING)
    asked.voice_started(1.2, 1.0, ASKED)
    asked.voice_stopped(1.5, ASKED)

    assert [] == listen_on(fresh, loud, 2.0)
    assert [] == listen_on(speaking, loud, 1.5)
    assert [] == listen_on(late, loud, 1.7 + MERGE_S_MAX + 0.1)
    assert [] == listen_on(refused, loud, 2.1)
    assert [] == listen_on(asked, loud, 1.8), "held all along"
