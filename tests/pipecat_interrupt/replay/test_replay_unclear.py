"""Unclear: what a recogniser garbled is neither conveyed nor lost, and somebody is asked to listen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from obligations.pathway import load_pathway
from pipecat_interrupt.replay.calls import ReplayedCall
from pipecat_interrupt.replay.engine import replay_timeline
from pipecat_interrupt.replay.found import handoff_of, result_of
from pipecat_interrupt.replay.index import index_of, render_index
from pipecat_interrupt.replay.outputs import call_page
from pipecat_interrupt.replay.result import CallResult, ObligationRow
from pipecat_interrupt.replay.values import RATE_HZ, Piece

from .calls import call, piece

pytestmark = pytest.mark.unit

CATARACT = load_pathway("cataract-followup")
OBJECTION = "disclosure.objection"
WHOLE = "If you do not want this, tell me at any time and a person will call you instead."
GARBLED = "If you do not want this, tell at time and a person fast call you instead."
HELLO = "Hello, I am calling about your operation."
ASKED = piece(20.0, "No.")


def _replayed(*agent: Piece, far: tuple[Piece, ...] = (ASKED,)) -> ReplayedCall:
    timeline = call(agent, far)
    done = replay_timeline(timeline, CATARACT)
    return ReplayedCall(timeline, result_of(done), handoff_of(done), tuple(done.lines), done)


def _row(result: CallResult, item_id: str) -> ObligationRow:
    return next(row for row in result.obligations if row.id == item_id)


def _outcome(*agent: Piece, item: str = OBJECTION, far: tuple[Piece, ...] = (ASKED,)) -> str:
    return _row(_replayed(*agent, far=far).result, item).outcome


def test_a_garbled_critical_point_is_unclear_listed_and_says_where_to_listen() -> None:
    """It stays open in result and hand-off, with a moment; it is in neither the lost nor the closed ones."""
    done = _replayed(piece(0.0, HELLO, recognised=True), piece(65.0, GARBLED, recognised=True))

    row = _row(done.result, OBJECTION)
    assert ("unclear", 65.0, True) == (row.outcome, row.listen_at_s, row.critical)
    assert OBJECTION in done.result.unclear_critical
    assert OBJECTION not in done.result.lost_critical
    assert done.handoff is not None
    item = next(item for item in done.handoff.open_items if item.item_id == OBJECTION)
    assert "unclear" == item.reason
    assert "the recording's words are too unclear to tell: listen at 1:05" == item.detail


def test_the_same_words_in_a_transcript_are_what_was_said() -> None:
    """Without a recogniser nothing is unclear: the words were other words."""
    assert "lost" == _outcome(piece(0.0, GARBLED))


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("If you do want this, tell at time and a person fast call you instead.", "a negation is missing"),
        ("If you do not want this, tell me at two time and a person fast call you instead.", "a number is put in"),
        ("If you do not want this, tell me at time and never a person call you instead.", "a negation is put in"),
    ],
)
def test_what_may_say_the_opposite_is_open_and_says_so_and_where_to_listen(said: str, why: str) -> None:
    """Recognisers drop and invent small words: never conveyed, and only a listener can tell whether it was turned."""
    done = _replayed(piece(0.0, HELLO, recognised=True), piece(65.0, said, recognised=True))

    row = _row(done.result, OBJECTION)
    assert ("unclear", 65.0) == (row.outcome, row.listen_at_s), why
    assert "the recording's words may say the opposite, as they were recognised: listen at 1:05" == row.detail
    assert done.handoff is not None
    assert any(item.detail.endswith(row.detail) for item in done.handoff.open_items)
    assert "lost" == _outcome(piece(65.0, said)), "in a transcript they are what was said"


@pytest.mark.parametrize(("said", "why"), [("If you do not want this", "it broke off"), (HELLO, "it was never spoken")])
def test_what_breaks_off_is_lost(said: str, why: str) -> None:
    """A cut inside is no matter of unclear words."""
    assert "lost" == _outcome(piece(0.0, said, recognised=True)), why


def test_a_far_end_over_the_missing_end_makes_it_a_cut() -> None:
    """The voice went on for as long as the last word takes; whether somebody came in over it tells a cut."""
    words = piece(0.0, "If you do not want this, tell at time and a person fast call you", recognised=True).words
    drawn = replace(words[-1], end_s=words[-1].end_s + 1.0)
    spoken = Piece((*words[:-1], drawn), recognised=True)

    assert "unclear" == _outcome(spoken)
    assert "lost" == _outcome(spoken, far=(piece(drawn.end_s - 0.9, "Sorry, there is somebody at the door."),))


def _sounding(*agent: Piece, from_s: float, until_s: float, far: tuple[Piece, ...] = (ASKED,)) -> str:
    """What becomes of the objection where the agent's channel sounds from one moment to another."""
    timeline = call(agent, far)
    at_s = np.arange(int(timeline.duration_s * RATE_HZ)) / RATE_HZ
    tone = np.where((at_s >= from_s) & (at_s < until_s), 8000.0 * np.sin(2 * np.pi * 220 * at_s), 0.0)
    hum = np.random.default_rng(1).normal(0.0, 10.0, len(at_s))
    heard = replace(timeline, agent_audio=(tone + hum).astype(np.int16))
    return _row(result_of(replay_timeline(heard, CATARACT)), OBJECTION).outcome


FEW = (piece(0.0, HELLO, recognised=True), piece(4.0, "you do not want", recognised=True))
PACE_S = 0.06 * len(WHOLE)
"""About as long as the whole wording takes at the pace of these pieces."""


def test_few_words_in_a_voice_that_lasted_for_the_whole_wording_are_unclear() -> None:
    """Nothing else was recognised in it, so the recogniser has dropped the rest; a voice that stopped is a loss."""
    assert "unclear" == _sounding(*FEW, from_s=3.0, until_s=4.0 + 1.5 * PACE_S)
    assert "lost" == _sounding(*FEW, from_s=3.9, until_s=5.3)


def test_few_words_among_others_are_no_evidence() -> None:
    """The room is taken by what was recognised in it."""
    others = (*FEW[:1], piece(4.0, "so you do now want a glass of water with your tea dear", recognised=True))

    assert "lost" == _sounding(*others, from_s=3.0, until_s=12.0)


def test_a_voice_that_went_on_was_not_cut_by_the_far_end() -> None:
    """Whoever is cut stops soon: behind a listening sound the missing end is the recogniser's."""
    said = piece(4.0, "If you do not want this, tell me at any time and a person will", recognised=True)
    agent = (piece(0.0, HELLO, recognised=True), said)
    sound = (piece(said.end_s - 0.4, "Okay.", recognised=True), ASKED)

    assert "unclear" == _sounding(*agent, from_s=4.0, until_s=said.end_s + 1.5, far=sound)
    assert "lost" == _sounding(*agent, from_s=4.0, until_s=said.end_s, far=sound)


def test_one_place_speaks_of_one_item_only() -> None:
    """A question about flashing lights, with a word put in, is no evidence for the one about new floaters."""
    garbled = "Have you seen any new thing there today?"

    assert "unclear" == _outcome(piece(0.0, garbled, recognised=True), item="floaters")
    assert "lost" == _outcome(piece(0.0, "Have you seen any new flashing lights?", recognised=True), item="floaters")


def test_the_index_keeps_unclear_apart_and_links_to_the_moment() -> None:
    """Loss rates leave unclear items out, and the call's page says where to listen."""
    done = _replayed(piece(0.0, HELLO, recognised=True), piece(5.0, GARBLED, recognised=True))

    index = index_of([done.result])
    rates = index.pathways[0]
    item = next(one for one in rates.items if one.id == OBJECTION)
    page, call_html = render_index(index), call_page(done)

    assert (0, 0) == (item.lost.hits, item.lost.n)
    assert (1, 1) == (item.unclear.hits, item.unclear.n)
    assert len(done.result.obligations) == rates.items_lost.n + rates.items_unclear.hits
    assert 1 == rates.calls_unclear_critical.hits
    assert f'href="c1/call.html#listen-{OBJECTION}"' in page
    assert f'id="listen-{OBJECTION}"' in call_html
    assert "Listen from 0:05.0, in <a href=" in call_html


def test_the_index_says_which_red_flags_nobody_confirmed() -> None:
    """A replay reads words that no agent asked about again."""
    result = _replayed(piece(0.0, HELLO, recognised=True)).result
    flagged = result.summary.model_copy(update={"red_flags": ("pain", "floaters"), "unconfirmed_flags": ("floaters",)})

    page = render_index(index_of([result.model_copy(update={"summary": flagged})]))

    assert "pain, floaters (unconfirmed)</td>" in page
