"""The board draws a call at every moment of its life, and its command refuses to show anything unguarded."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from pipecat_interrupt.board import TOKEN_ENV, Board, BoardSettings
from pipecat_interrupt.board.drawing import board_page, call_page
from pipecat_interrupt.cli.board import board_command
from pipecat_interrupt.errors import SettingsError
from tests.pipecat_interrupt.page.journals import Story
from tests.pipecat_interrupt.page.recorded import entries

pytestmark = pytest.mark.unit


def test_a_call_can_be_drawn_after_each_of_its_entries() -> None:
    """Card and call, from the first entry to the last; what was closed never opens again on the way."""
    board, closed = Board(), 0
    key = board.key_of("page-example")
    for entry in entries():
        board.take(entry)
        board.catch_up()
        view = board.view(key)
        assert view is not None
        now_closed = sum(o.closed for o in view.obligations)
        assert now_closed >= closed
        closed = now_closed
        assert f'id="c-{key}"' in board_page(board)
        assert f'id="c-{key}"' in call_page(board, key)

    assert closed == 10


def test_what_is_only_to_come_raises_no_alarm_and_what_was_cut_does() -> None:
    """An alarm that always sounds is none."""
    board, story = Board(), Story(call_id="a").owes()
    key = board.key_of("a")

    board.take_all(story.entries)
    board.catch_up()
    assert '"card"' in board_page(board) and "<b>To come:</b>" in board_page(board)

    story.says("If it gets worse, call us.", heard="If it")
    board.take_all(story.ledger(kind="item_step", item_id="escalation", step="cut", cut_at="If it").entries)
    board.catch_up()
    page = board_page(board)
    assert '"card alarm"' in page and "cut at &#34;If it&#34;" in page
    assert "<b>To come:</b>" not in page
    assert call_page(board, key).count("[not heard: ") == 1


def test_after_the_end_everything_open_is_in_danger() -> None:
    """There is no later turn in which it could come."""
    board = Board()
    board.take_all(Story(call_id="a").owes().ends().entries)
    board.catch_up()

    assert '"card alarm"' in board_page(board)


def test_a_long_call_shows_its_end_and_says_what_stands_before() -> None:
    """At the bound nothing is said to be missing, one line past it one is."""
    board = Board(BoardSettings(card_lines=3, call_lines=3))
    story = Story(call_id="a").replies("one").replies("two").replies("three")
    board.take_all(story.entries)
    board.catch_up()
    assert "before these" not in board_page(board)

    board.take_all(story.replies("four").entries)
    board.catch_up()
    assert "1 before these." in board_page(board)
    assert "1 earlier lines" in call_page(board, board.key_of("a"))
    assert "four" in board_page(board) and ">one<" not in board_page(board)


@pytest.mark.parametrize("token", [None, "short"])
def test_the_command_serves_nothing_without_a_good_token(token: str | None, tmp_path: Path) -> None:
    """It says what to set, before it listens on anything."""
    app = typer.Typer()
    app.command()(board_command)

    result = CliRunner(env={TOKEN_ENV: token}).invoke(app, [str(tmp_path)])

    assert isinstance(result.exception, SettingsError)
    assert TOKEN_ENV in str(result.exception)


def test_a_red_flag_that_is_confirmed_is_news() -> None:
    """The board speaks up when its alarm changes; the number of flags alone would stay as it was."""
    board, story, alarms = Board(), Story(call_id="a").owes(), list[str]()
    for certain in (False, True):
        story.ledger(
            kind="red_flag_raised", item_id="escalation", value="yes", speaker="primary", reply_id="r1", certain=certain
        )
        board.take_all(story.entries)
        board.catch_up()
        page = board_page(board)
        alarms += re.findall(r'data-alarm="([^"]*)"', page)
        assert ("(unconfirmed)" in page) is not certain

    assert 2 == len(set(alarms)) == len(alarms)
