"""A running bot over its carrier websocket: `--ws`. A real socket, a scripted bot, an ear that knows its voice."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.cells import Arm, load_cell, load_references
from benchmarks.errors import BadOption, EnvironmentFault
from benchmarks.judges.score import rule_judges, score_trials
from benchmarks.simulator.build import Models, make_agent, make_system
from benchmarks.simulator.system import CallBounds, Claims
from benchmarks.simulator.transcript import AgentTurn, PatientTurn
from benchmarks.simulator.trial import run_trial, trial_seed
from benchmarks.simulator.trial_log import TrialLog
from benchmarks.simulator.wire.hearing import heard_of, pair_with
from benchmarks.simulator.wire.journals import journals_in, new_journal, turns_in_its_words
from benchmarks.simulator.wire.patient import HeardUtterance
from benchmarks.simulator.wire.settings import WireSettings
from benchmarks.simulator.wire.system import WireSystem
from pipecat_interrupt.facts import UtteranceRecord
from pipecat_interrupt.facts.models import Cut
from pipecat_interrupt.journal import JournalWriter
from pipecat_interrupt.journal.entries import CallEnded, CallStarted, HandoffMade, OpenObligation, UtteranceEnded
from pipecat_interrupt.journal.sinks import JsonlSink
from pipecat_interrupt.testing import PATIENT, Speech, speech
from pipecat_interrupt.testing.carrier import LineConditions

from .wire_bot import KnowingEar, WireBot, answering

pytestmark = [pytest.mark.pipeline, pytest.mark.enable_socket, pytest.mark.timeout(120)]

ANSWER = " ".join(p.wordings[0] for p in load_references().faqs["light-sensitivity"].points.values())
HELLO = "Would you like to ask me anything?"
BYE = "Goodbye."
SPEED = 3.0


def patients_voice(text: str, rate_hz: int) -> Speech:
    """A voice that needs no model."""
    return speech(text, PATIENT, rate_hz)


async def call(bot: WireBot, arm: Arm, recordings: Path | None = None) -> TrialLog:
    """One trial of the provision cell on a bot."""
    cell = load_cell("P-competitive")
    system = WireSystem(
        WireSettings(url=bot.url, recordings=recordings),
        ear=KnowingEar(bot.lines),
        speak=patients_voice,
        conditions=LineConditions(speed=SPEED),
    )
    agent = make_agent("bot", Models(wire=WireSettings(url=bot.url)))
    return await run_trial(cell, arm, agent, system, trial_seed(1, cell.id, 0), bounds=CallBounds(call_s_max=300.0))


async def test_a_bot_that_is_left_alone_is_heard_whole_and_passes(tmp_path: Path) -> None:
    """Its words come from its audio; both sides are recorded."""
    async with answering(WireBot([HELLO, ANSWER, BYE], speed=SPEED)) as bot:
        log = await call(bot, Arm.BASELINE, tmp_path)

    said = [turn.delivered for turn in log.turns if isinstance(turn, AgentTurn)]
    [verdict] = await score_trials([log], rule_judges())
    assert [HELLO, ANSWER, BYE] == said
    assert ("wire", "bot", 0) == (log.level, log.system, log.interruptions)
    assert "pass" == verdict.outcome.value
    assert ["WAV"] == [name[-3:].upper() for name in os.listdir(tmp_path)]


async def test_a_bot_that_never_comes_back_is_cut_yields_and_fails() -> None:
    """The patient cuts in when the target has been heard; the rest of the answer never sounds."""
    async with answering(WireBot([HELLO, ANSWER, BYE], speed=SPEED)) as bot:
        log = await call(bot, Arm.INTERRUPT)

    cut = log.turns[log.interrupted_on[0]]
    [verdict] = await score_trials([log], rule_judges())
    assert isinstance(cut, AgentTurn)
    assert 1 == log.interruptions == bot.clears
    assert ANSWER.startswith(cut.delivered) and cut.delivered != ANSWER
    assert (True, "heard") == (cut.was_cut, cut.placement_source)
    assert "fail" == verdict.outcome.value


async def test_a_bot_that_is_not_there_is_the_surroundings_fault_and_names_the_address() -> None:
    """No trial is stored for it."""
    with pytest.raises(EnvironmentFault, match=r"nobody answers at ws://127\.0\.0\.1:9/media"):
        await call(WireBotAt("ws://127.0.0.1:9/media"), Arm.BASELINE)


class WireBotAt(WireBot):
    """A bot's address with nobody behind it."""

    def __init__(self, url: str) -> None:
        super().__init__([HELLO])
        self.url = url


def journal(folder: Path, handoff: bool = True, ended: bool = True) -> None:
    """What a bot of ours leaves of a call in which its answer was cut."""
    folder.mkdir(parents=True)
    writer = JournalWriter("c1", (JsonlSink(folder / "journal.jsonl"),))
    writer.write(CallStarted(pathway="Follow-up", notices=()), 0.0)
    for number, (text, heard) in enumerate([(HELLO, HELLO), (ANSWER, "Some sensitivity to")], start=1):
        record = UtteranceRecord(
            id=f"u{number}",
            intended=text,
            delivered=heard,
            undelivered=text[len(heard) :],
            started_s=float(number),
            ended_s=number + 0.5,
            cut=Cut(chars=len(heard), words=len(heard.split()), ms=400, exactness="exact") if heard != text else None,
            end_reason="interruption" if heard != text else "complete",
            written_ms=500,
        )
        writer.write(UtteranceEnded(record=record), float(number))
    if handoff:
        left = OpenObligation(item_id="light.escalation", kind="point", critical=True, reason="not heard")
        made = HandoffMade(end_reason="hung_up", complete=False, open_items=(left,), answered=("redness", "not-a-cell"))
        writer.write(made, 3.0)
    if ended:
        writer.write(CallEnded(reason="hung_up"), 4.0)


async def test_a_bot_of_ours_gives_its_wording_and_the_ear_says_how_much_of_it(tmp_path: Path) -> None:
    """Its own record and its hand-off are claims beside that; what it never wrote down stays in the ear's words."""
    before = journals_in(tmp_path)
    journal(tmp_path / "calls" / "c1")
    found = await new_journal(tmp_path, before)
    heard = [
        HeardUtterance(1.0, 2.0, HELLO),
        HeardUtterance(3.0, 4.0, "Sum sensitivity to light", onset_s=3.6, planned_chars=12),
        HeardUtterance(5.0, 6.0, "Beep beep beep."),
    ]

    assert found is not None
    turns, strange = turns_in_its_words(heard, [(2.5, PatientTurn(text="Is light normal?"))], found)

    assert Claims(closed=("redness",), open=("light.escalation",), handed_off=("light.escalation",)) == found.claims
    assert [HELLO, "Is light normal?", "Some sensitivity to light", "Beep beep beep."] == [t.heard for t in turns]
    cut = turns[2]
    assert isinstance(cut, AgentTurn)
    assert (ANSWER, "Some sensitivity to", 0.4) == (cut.intended, cut.claimed_delivered, cut.yield_latency_s)
    assert 1 == strange


async def test_a_journal_that_is_not_over_or_was_there_before_is_not_this_calls(tmp_path: Path) -> None:
    """Then the trial stays in the ear's words, and says so."""
    journal(tmp_path / "old")
    before = journals_in(tmp_path)
    journal(tmp_path / "running", ended=False)

    assert None is await new_journal(tmp_path, before, wait_s=0.2)


@pytest.mark.parametrize(("url", "provider"), [("bot.example:80", "twilio"), ("ws://bot", "carrier")])
def test_an_address_or_a_carrier_of_no_known_form_is_refused(url: str, provider: str) -> None:
    """Before any call is placed."""
    with pytest.raises(BadOption):
        WireSettings(url=url, provider=provider)


def test_a_level_that_needs_a_bot_says_so() -> None:
    """And the label in the log holds no query."""
    with pytest.raises(BadOption, match="--ws"):
        make_system("bot", "wire")
    assert "bot.example.media.a" == WireSettings(url="wss://bot.example/media/a?token=secret").label


@pytest.mark.parametrize(
    ("heard", "expected"),
    [
        ("Some sensitivity to light is", "Some sensitivity to light is"),
        ("Sum sensitivity to light is normal", "Some sensitivity to light is normal"),
        ("some sensitivity to light is normal after a cat", "Some sensitivity to light is normal after a"),
        ("Good morning, how are you today?", None),
        ("", None),
    ],
)
def test_an_ears_words_are_written_in_the_bots_own(heard: str, expected: str | None) -> None:
    """With its mistakes and its half words, and never longer than what was heard."""
    assert expected == heard_of("Some sensitivity to light is normal after a cataract operation.", heard)


def test_what_the_journal_does_not_hold_stays_in_the_ears_words() -> None:
    """And the texts keep their order."""
    texts = ["Hello there, this is the clinic.", "Do you have any pain?", "Goodbye now."]

    paired = pair_with(texts, ["Hello there this is the", "Somebody else's words here", "Do you have any pain?"])

    assert [(texts[0], "Hello there, this is the"), None, (texts[1], texts[1])] == paired
