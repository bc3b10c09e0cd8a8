"""The agent's own words coming back as text: what the state machine keeps and what it refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipecat_interrupt.overlap.evidence import AgentFloor, Speaker

from .session_script import ASKED, SPEAKING, named, said, session

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("words", "speaker", "floor", "kept"),
    [
        ("one tablet", Speaker.AGENT_ECHO, SPEAKING, False),
        ("one tablet", None, SPEAKING, True),
        ("one tablet", Speaker.UNSURE, SPEAKING, True),
        ("one capsule", Speaker.AGENT_ECHO, SPEAKING, True),
        ("stop", Speaker.AGENT_ECHO, AgentFloor(recent_text="If it hurts, stop"), True),
        ("any pain", Speaker.AGENT_ECHO, ASKED, True),
    ],
    ids=["echo", "no evidence", "unsure voice", "another word", "one word", "open question"],
)
def test_few_words_no_voice_announced_are_an_echo_only_by_sound_and_words_together(
    words: str, speaker: Speaker | None, floor: AgentFloor, kept: bool
) -> None:
    """An echo too weak for voice detection comes in scraps; a patient says a scrap of the agent's words as well."""
    s = session()
    s.agent_heard(1.0)

    floor = replace(floor, recent_text=floor.recent_text or floor.delivered_text)
    actions = named(s.text(1.2, said(1, words), floor, None, speaker))

    assert (f"refuse {words} as echo" in actions) is not kept


def test_the_agents_echo_is_refused_after_the_agent_fell_silent_and_the_answer_is_kept() -> None:
    """D17: the recogniser delivers the echo 0.4 s after the agent's last word."""
    asked = AgentFloor(
        audible=False, recent_text="Do you have pain when you breathe?", question_open=True, focus_heard=True
    )
    s = session()
    s.agent_heard(2.0)

    echo = named(s.text(2.4, said(1, "you have pain when you breathe"), asked))
    answer = named(s.text(4.0, said(2, "pain when I breathe, yes"), asked))

    assert ["report undecided None", "report echo False", "refuse you have pain when you breathe as echo"] == echo
    assert ["start turn", "forward pain when I breathe, yes"] == answer


def test_an_answer_in_the_agents_words_is_kept_when_its_voice_began_after_the_agent() -> None:
    """Echo begins with the agent's voice; an answer comes after it."""
    asked = AgentFloor(audible=False, recent_text="Is it worse when you breathe in?", question_open=True)
    s = session()
    s.agent_heard(2.0)
    s.voice_started(3.0, 2.8, asked)

    assert ["forward it is worse when you breathe in"] == named(
        s.text(4.2, said(1, "it is worse when you breathe in"), asked)
    )


def test_the_end_of_the_call_does_not_take_back_whose_voice_an_overlap_was() -> None:
    """Its late text may still come when the call ends; the verdict stands."""
    s = session()
    s.voice_started(1.0, 0.8, SPEAKING)
    s.attributed(1.5, Speaker.THIRD_PARTY)

    assert [] == named(s.end(3.0))
