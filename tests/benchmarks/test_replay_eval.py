"""The replay's evaluation: labels that fit their pathway, made calls whose truth is known, counts that can fail."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.replayed.consultations import (
    consultation_pathway,
    labels,
    question_figures,
    read_consultations,
    replayed,
)
from benchmarks.replayed.made import MadeCall, count_losses, make_call
from obligations.pathway import load_pathway
from pipecat_interrupt.replay.calls import ReplayedCall
from pipecat_interrupt.replay.engine import replay_timeline
from pipecat_interrupt.replay.found import handoff_of, result_of
from pipecat_interrupt.replay.values import Piece, Timeline, Word

pytestmark = pytest.mark.unit


def _piece(start_s: float, text: str) -> Piece:
    words = [Word(w, start_s + 0.3 * i, start_s + 0.3 * i + 0.29) for i, w in enumerate(text.split())]
    return Piece(tuple(words))


def test_every_label_names_a_question_of_the_pathway_and_holds_no_words() -> None:
    """Ids and yes, no, other or nothing: no transcript text is published."""
    questions = consultation_pathway().questions

    assert len(labels()) == 10
    assert all(item_id in questions for call in labels().values() for item_id in call)
    assert {answer for call in labels().values() for answer in call.values()} <= {"yes", "no", "other", None}


def test_asked_and_answered_are_counted_against_the_labels() -> None:
    """One labelled question is asked and answered, one is asked that no label holds, the rest is missed."""
    call_id = "day2_consultation02"
    agent = (_piece(0.0, "Do you have any allergies?"), _piece(5.0, "Have you lost any weight?"))
    timeline = Timeline(call_id, agent, (_piece(3.0, "No."), _piece(8.0, "No.")), 12.0, "en")

    done = replay_timeline(timeline, consultation_pathway())
    found = {figure.name: figure for figure in question_figures([done], {})}

    assert (found["asked_precision"].value, found["asked_precision"].n) == (0.5, 2)
    assert found["asked_recall"].n == len(labels()[call_id])
    assert found["answered_precision"].value == 0.5
    assert found["yes_no_right_rate"].value == 1.0
    assert found["lost_precision"].n == len(consultation_pathway().questions) - 2


def test_made_calls_lose_some_obligations_and_keep_most() -> None:
    """The truth is neither empty nor everything, the same for the same seed, and heard is always owed."""
    pathway = load_pathway("cataract-followup")

    first, again = ([make_call(pathway, random.Random(f"{n}")) for n in range(4)] for _ in range(2))

    assert [_truth(call) for call in first] == [_truth(call) for call in again]
    assert any(call.owed - call.heard for call in first)
    assert all(call.heard & call.owed and call.heard <= call.owed for call in first)


def test_an_unclear_item_is_on_neither_side_of_a_loss_rate() -> None:
    """Of four owed items: one is told whole, one garbled, one never said, and one said lost although it was heard."""
    words = (
        "This call is recorded for your medical record. If you do not want this, tell at time and a person you instead."
    )
    agent = replace(_piece(0.0, words), recognised=True)
    timeline = Timeline("made", (agent,), (_piece(20.0, "No."),), 30.0, "en")
    done = replay_timeline(timeline, load_pathway("cataract-followup"))
    told, garbled, unsaid, said = "disclosure.recorded", "disclosure.objection", "redness", "pain"
    truth = MadeCall(owed={told, garbled, unsaid, said}, heard={told, garbled, said})

    counts = count_losses(truth, ReplayedCall(timeline, result_of(done), handoff_of(done), (), done))

    assert {"owed": 4, "unclear and heard": 1, "found": 1, "false": 1, "critical unclear": 1, "listed": 1} == counts


def _truth(call: MadeCall) -> tuple[set[str], set[str]]:
    return call.owed, call.heard


@pytest.mark.shared_data
def test_the_recorded_consultations_are_read_whole(shared_data: Path) -> None:
    """Every consultation has both sides, and the labelled ones are among them."""
    folder = shared_data / "consultations" / "transcripts"

    timelines = [t for t in read_consultations(folder) if t.call_id in labels()]

    assert {t.call_id for t in timelines} == set(labels())
    assert all(t.agent and t.far for t in timelines)
    assert len(replayed(timelines[:1])[0].reports) > 0
