"""The overlap state machine under schedules nobody wrote: what must hold in every order of events."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipecat_interrupt.overlap.actions import (
    Action,
    DropAudio,
    Forward,
    HoldAudio,
    Refuse,
    Report,
    ResumeAudio,
    StartTurn,
    Text,
)
from pipecat_interrupt.overlap.config import OverlapConfig
from pipecat_interrupt.overlap.evidence import AgentFloor, Speaker
from pipecat_interrupt.overlap.judge import OverlapJudge
from pipecat_interrupt.overlap.moves import HOLDS_MAX
from pipecat_interrupt.overlap.session import OverlapSession

pytestmark = pytest.mark.unit

TEXTS = ("Mm-hmm.", "Stop.", "Okay.", "but I am pregnant", "No.", "Yes.", "um", "", "[cough]", "What time is it?")
EVENTS = st.sampled_from(
    (
        "voice",
        "silence",
        "final",
        "interim",
        "empty",
        "tick",
        "deadline",
        "turn",
        "turn over",
        "third",
        "primary",
        "key",
        "agent on",
        "agent off",
        "asks",
        "asks not",
        "propose",
        "refuse hold",
        "wait",
    )
)
STEPS = st.lists(st.tuples(EVENTS, st.sampled_from(TEXTS), st.sampled_from((0.0, 0.05, 0.3, 0.9, 2.0))), max_size=40)


@dataclass
class Watched:
    """A session with everything it answered, and what was fed to it."""

    session: OverlapSession = field(default_factory=lambda: OverlapSession(OverlapJudge(OverlapConfig(), models={})))
    now_s: float = 0.0
    audible: bool = True
    asks: bool = False
    told: list[Text] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)
    held: bool = False

    def feed(self, event: str, text: str, after_s: float) -> None:
        """Let one thing happen and keep the answer."""
        self.now_s += after_s
        s, floor = (
            self.session,
            AgentFloor(
                audible=self.audible,
                delivered_text="Take one",
                remaining_text="tablet each day. And rest.",
                question_open=self.asks,
                focus_heard=self.asks,
            ),
        )
        answer: list[Action] = []
        if event == "voice":
            answer = s.voice_started(self.now_s, self.now_s - 0.2, floor)
        elif event == "silence":
            answer = s.voice_stopped(self.now_s, floor)
        elif event in ("final", "interim"):
            told = Text(len(self.told), text, event == "final")
            self.told.append(told)
            answer = s.text(self.now_s, told, floor)
        elif event == "empty":
            answer = s.segment_empty(self.now_s, floor)
        elif event == "tick":
            answer = s.tick(self.now_s)
        elif event == "deadline" and s.deadline_s is not None:
            self.now_s = max(self.now_s, s.deadline_s)
            answer = s.tick(self.now_s)
        elif event == "turn":
            answer = s.turn_started(self.now_s)
        elif event == "turn over":
            s.turn_stopped(self.now_s)
        elif event in ("third", "primary"):
            answer = s.attributed(self.now_s, Speaker.THIRD_PARTY if event == "third" else Speaker.PRIMARY)
        elif event == "key":
            answer = s.key(self.now_s, "1", floor)
        elif event == "propose":
            answer = s.proposed_start(self.now_s, floor)
        elif event == "refuse hold":
            s.hold_refused()
            self.held = False
        self.audible = {"agent on": True, "agent off": False}.get(event, self.audible)
        self.asks = {"asks": True, "asks not": False}.get(event, self.asks)
        self.actions += answer
        for action in answer:
            if isinstance(action, HoldAudio):
                assert not self.held, "held twice"
                self.held = True
            elif isinstance(action, ResumeAudio):
                assert self.held, "resumed without a hold"
                self.held = False
            elif isinstance(action, StartTurn | DropAudio):
                self.held = False


def played(steps: list[tuple[str, str, float]]) -> Watched:
    """Play a schedule."""
    watched = Watched()
    for step in steps:
        watched.feed(*step)
    return watched


@settings(max_examples=250, deadline=None)
@given(STEPS)
def test_every_final_text_leaves_at_most_once_and_in_order(steps: list[tuple[str, str, float]]) -> None:
    """Forwarded or refused, never both, never twice; the order of arrival stays."""
    watched = played(steps)
    left = [a.text.number for a in watched.actions if isinstance(a, Forward | Refuse) and a.text.final]

    assert sorted(set(left)) == sorted(left)
    forwarded = [a.text.number for a in watched.actions if isinstance(a, Forward) and a.text.final]
    assert forwarded == sorted(forwarded)


@settings(max_examples=250, deadline=None)
@given(STEPS)
def test_at_the_end_of_a_call_no_final_words_are_unaccounted_for(steps: list[tuple[str, str, float]]) -> None:
    """Every final text with words was forwarded or refused once the call has ended."""
    watched = played(steps)
    watched.actions += watched.session.end(watched.now_s + 1.0)

    left = {a.text.number for a in watched.actions if isinstance(a, Forward | Refuse)}
    told = {t.number for t in watched.told if t.final and t.text.strip()}
    assert told <= left


@settings(max_examples=250, deadline=None)
@given(STEPS)
def test_no_overlap_is_held_more_than_twice_and_a_turn_leaves_no_hold(steps: list[tuple[str, str, float]]) -> None:
    """One stutter an overlap at most; nothing is held while the caller has the floor."""
    watched = Watched()
    holds: dict[int, int] = {}
    for step in steps:
        before = len(watched.actions)
        watched.feed(*step)
        for action in watched.actions[before:]:
            if isinstance(action, HoldAudio):
                number = watched.session._count
                holds[number] = holds.get(number, 0) + 1
        if watched.session.turn_open:
            assert not watched.held
            assert watched.session.texts_held == 0

    assert all(count <= HOLDS_MAX for count in holds.values())


@settings(max_examples=250, deadline=None)
@given(STEPS)
def test_each_overlap_is_reported_at_its_onset_first_and_judged_at_most_twice(
    steps: list[tuple[str, str, float]],
) -> None:
    """Revisions count 0, 1, 2 without gaps; a refused text's overlap did not take the floor."""
    watched = played(steps)
    seen: dict[int, list[int]] = {}
    for action in watched.actions:
        if isinstance(action, Report):
            seen.setdefault(action.report.overlap_id, []).append(action.report.revision)

    assert all(revisions == list(range(len(revisions))) for revisions in seen.values())
    assert all(len(revisions) <= 4 for revisions in seen.values())


@settings(max_examples=250, deadline=None)
@given(STEPS)
def test_a_hold_always_has_a_deadline(steps: list[tuple[str, str, float]]) -> None:
    """Whatever happens, a held agent goes on or yields by itself."""
    watched = Watched()
    for step in steps:
        watched.feed(*step)
        if watched.held:
            assert watched.session.deadline_s is not None


@settings(max_examples=150, deadline=None)
@given(STEPS)
def test_the_same_schedule_gives_the_same_answers(steps: list[tuple[str, str, float]]) -> None:
    """No hidden clock, no chance."""
    assert played(steps).actions == played(steps).actions
