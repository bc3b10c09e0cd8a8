"""Words a recogniser began to tell and never made final, wherever they came: none is lost, nobody waits long."""

from __future__ import annotations

import pytest
from pipecat.frames.frames import InterimTranscriptionFrame, TranscriptionFrame

from pipecat_interrupt.overlap.actions import Forward, Text
from pipecat_interrupt.overlap.evidence import AgentFloor, Speaker
from pipecat_interrupt.overlap.late import LOW_CERTAINTY_KEY
from pipecat_interrupt.overlap.session import OverlapSession
from pipecat_interrupt.overlap.unfinished import GIVEN_UP_S, SLOW_S_MAX, SLOWER_BY, UNFINISHED_S, UNFINISHED_S_MAX
from pipecat_interrupt.overlap.waiting import FRAMES_MAX, WaitingFrames

from .session_script import SILENT, SPEAKING, named, said, streaming

pytestmark = pytest.mark.unit


def _answering() -> OverlapSession:
    """The agent is silent, and the caller has begun to answer."""
    s = streaming()
    s.voice_started(1.0, 0.8, SILENT)
    assert ["forward Yes it"] == named(s.text(1.5, said(1, "Yes it", final=False), SILENT))
    return s


def test_words_of_an_open_turn_are_taken_as_they_are_when_no_more_comes_of_them() -> None:
    """In the turn they were told in, marked, and once."""
    s = _answering()
    s.voice_stopped(2.0, SILENT)

    due_s = 2.0 + UNFINISHED_S
    assert due_s == s.deadline_s
    assert [] == s.tick(due_s - 0.1)
    (told,) = s.tick(due_s)
    assert isinstance(told, Forward)
    assert ("Yes it", True, True) == (told.text.text, told.text.final, told.text.low_certainty)
    assert (None, []) == (s.deadline_s, s.tick(due_s + 9.0))


def test_a_turn_that_was_closed_meanwhile_is_joined() -> None:
    """The turn ends by its silence before the words are given up: they are its last piece."""
    s = _answering()
    s.voice_stopped(2.0, SILENT)
    s.turn_stopped(4.0)

    told = s.tick(5.0, SILENT)

    assert ["start turn", "forward Yes it"] == named(told)
    assert [True] == [action.joins_turn for action in told if isinstance(action, Forward)]


def test_a_final_text_and_one_that_waits_at_the_gate_leave_nothing_to_wait_for() -> None:
    """What is final is said once."""
    final, gated = _answering(), _answering()
    final.text(1.9, said(2, "Yes it hurts."), SILENT)
    gated.final_on_its_way()

    assert (None, None) == (final.deadline_s, gated.deadline_s)


def test_a_voice_that_goes_on_is_waited_for_but_noise_is_not_for_ever() -> None:
    """Words that come in the meantime begin the wait anew."""
    s = _answering()
    assert s.deadline_s == 1.5 + UNFINISHED_S_MAX
    s.text(4.0, said(2, "Yes it hurts", final=False), SILENT)

    assert s.deadline_s == 4.0 + UNFINISHED_S_MAX
    assert ["forward Yes it hurts"] == named(s.tick(4.0 + UNFINISHED_S_MAX, SILENT))


def test_words_of_a_voice_that_is_somebody_elses_are_nobodys_to_keep() -> None:
    """Set aside with their overlap, they come back neither with an empty text nor in time."""
    s = streaming()
    s.voice_started(1.0, 0.8, SPEAKING)
    s.text(1.5, said(1, "She", final=False), SPEAKING)
    s.attributed(1.8, Speaker.THIRD_PARTY)
    s.voice_stopped(2.0, SPEAKING)
    while s.deadline_s is not None:
        s.tick(s.deadline_s, SPEAKING)

    assert [] == s.segment_empty(20.0, SILENT)
    assert [] == named(s.text(21.0, said(2, ""), SILENT))


@pytest.mark.parametrize("floor", [SPEAKING, SILENT])
def test_at_the_end_of_the_call_they_go_on_as_the_beginning_that_they_are(floor: AgentFloor) -> None:
    """Over the agent too, where they were held back."""
    s = streaming()
    s.voice_started(1.0, 0.8, floor)
    s.text(1.5, said(1, "It hurts", final=False), floor)

    (told,) = [action for action in s.end(1.8) if isinstance(action, Forward)]

    assert ("It hurts", False) == (told.text.text, told.text.final)


def test_a_frame_of_unfinished_words_is_there_when_they_are_taken_as_they_are() -> None:
    """Although it has gone by already; its marks stay on what is made of it."""
    frames = WaitingFrames()
    frame = InterimTranscriptionFrame("Yes it", "p", "t")
    frame.metadata["mark"] = "kept"
    number = frames.keep(frame)

    went_by = frames.take(Text(number, "Yes it", final=False))
    made = frames.take(Text(number, "Yes it", low_certainty=True))

    assert went_by is frame
    assert isinstance(made, TranscriptionFrame)
    assert ("Yes it", "kept", True) == (made.text, made.metadata["mark"], made.metadata[LOW_CERTAINTY_KEY])
    assert frames.take(Text(number, "Yes it")) is None


def test_frames_are_kept_within_their_bound() -> None:
    """A recogniser that tells thousands of unfinished texts costs no more than so many frames."""
    frames = WaitingFrames()
    numbers = [frames.keep(InterimTranscriptionFrame(str(n), "p", "t")) for n in range(FRAMES_MAX + 10)]

    kept = [n for n in numbers if frames.drop(n) is not None]

    assert (FRAMES_MAX, numbers[10]) == (len(kept), kept[0])


def test_a_final_text_that_comes_after_all_is_in_doubt_once_and_the_next_is_waited_for() -> None:
    """It answers what was asked before the words were given up; so slow a recogniser is given more time from then."""
    s = _answering()
    s.voice_stopped(2.0, SILENT)
    s.tick(5.0, SILENT)
    s.turn_stopped(5.5)

    after_all = s.text(6.0, said(2, "Yes it hurts."), SILENT)
    assert [True] == [action.text.low_certainty for action in after_all if isinstance(action, Forward)]

    s.turn_stopped(7.0)
    s.voice_started(10.0, 9.8, SILENT)
    s.text(10.5, said(3, "And", final=False), SILENT)
    s.voice_stopped(11.0, SILENT)
    assert s.deadline_s == 11.0 + SLOWER_BY * 4.0
    (told,) = s.text(15.0, said(4, "And it itches."), SILENT)
    assert isinstance(told, Forward)
    assert not told.text.low_certainty


@pytest.mark.parametrize(("begins_s", "doubted"), [(8.0, False), (8.9, True)])
def test_a_final_text_behind_a_new_voice_is_of_that_one(begins_s: float, doubted: bool) -> None:
    """Unless it has only now begun: no recogniser is so fast."""
    s = _answering()
    s.voice_stopped(2.0, SILENT)
    s.tick(5.0, SILENT)
    s.turn_stopped(5.5)
    s.voice_started(begins_s, begins_s - 0.2, SILENT)

    (told,) = s.text(9.2, said(2, "No."), SILENT)

    assert isinstance(told, Forward)
    assert told.text.low_certainty is doubted


@pytest.mark.parametrize(("final_s", "doubted"), [(5.0 + GIVEN_UP_S, True), (5.1 + GIVEN_UP_S, False)])
def test_a_final_text_long_after_is_of_other_words(final_s: float, doubted: bool) -> None:
    """A recogniser that was dead for a while has nothing more to say of words from before."""
    s = _answering()
    s.voice_stopped(2.0, SILENT)
    s.tick(5.0, SILENT)

    (told,) = s.text(final_s, said(2, "No."), SILENT)

    assert isinstance(told, Forward)
    assert told.text.low_certainty is doubted


def test_no_recogniser_is_waited_for_longer_than_a_dead_one() -> None:
    """However slow its last text was."""
    s = _answering()
    s.voice_stopped(2.0, SILENT)
    s.text(60.0, said(2, "Yes it hurts."), SILENT)
    s.text(61.0, said(3, "No", final=False), SILENT)

    assert s.deadline_s == 61.0 + SLOW_S_MAX


def test_a_service_that_proposes_turns_ends_the_voice_as_well() -> None:
    """With turn detection of its own and no voice detector of ours; its turn is open, its words never become final."""
    s = streaming()
    s.proposed_start(1.0, SILENT)
    s.text(1.5, said(1, "Yes it", final=False), SILENT)
    s.proposed_stop(2.0, SILENT)

    assert s.deadline_s == 2.0 + UNFINISHED_S


@pytest.mark.parametrize(
    ("onset_s", "echo"), [(1.9, True), (3.0, False), (None, True)], ids=["over the agent", "behind it", "no voice"]
)
def test_the_agents_own_words_are_an_echo_by_when_they_were_told(onset_s: float | None, echo: bool) -> None:
    """The time in which an echo comes back is over when they are given up; an answer in the agent's words is none."""
    words = "you have pain when you breathe"
    asked = AgentFloor(audible=False, recent_text=f"Do {words}?")
    s = streaming()
    s.agent_heard(2.0)
    if onset_s is not None:
        s.voice_started(onset_s + 0.2, onset_s, asked)
    s.text(3.4, said(1, words, final=False), asked)
    if onset_s is not None:
        s.voice_stopped(4.0, asked)

    told = named(s.tick(s.deadline_s or 0.0, asked))

    assert (f"refuse {words} as echo" in told, f"forward {words}" in told) == (echo, not echo)
    assert s.deadline_s is None
