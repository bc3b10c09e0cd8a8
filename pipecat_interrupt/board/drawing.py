"""Draws the board's pages and the pieces that its stream sends: on the server, with everything escaped.

Owns the words and layout of the board; shares the lines of a transcript with the finished call's page.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, PrefixLoader

from pipecat_interrupt.board.hub import Board
from pipecat_interrupt.board.settings import BoardSettings
from pipecat_interrupt.page.render import asset, environment
from pipecat_interrupt.page.rows import rows_of
from pipecat_interrupt.page.view import CallView

Draw = Callable[[CallView, str], str]
"""Draws a view under the name it has in addresses."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'"
)
"""What a browser may do with the board's own pages."""


@cache
def templates() -> Environment:
    """The board's templates, and the pages' own under ``page/``."""
    places = {"board": PackageLoader("pipecat_interrupt.board"), "page": PackageLoader("pipecat_interrupt.page")}
    return environment().overlay(loader=PrefixLoader(places))


def style_sheet() -> str:
    """The board's style sheet."""
    return asset("base.css") + _text("board.css")


def script() -> str:
    """The board's script."""
    return _text("board.js")


def login_page(refused: bool) -> str:
    """The form that asks for the token."""
    return templates().get_template("board/login.html.j2").render(refused=refused)


def board_page(board: Board) -> str:
    """The whole board as it stands."""
    cards = [board.drawn(key, "card", card_drawer(board.settings)) for key in board.keys]
    return (
        templates()
        .get_template("board/board.html.j2")
        .render(cards=cards, epoch=board.epoch, version=board.version, refused=board.refused_calls)
    )


def call_page(board: Board, key: str) -> str:
    """One call's live page; "" when it is not on the board."""
    detail = board.drawn(key, "detail", detail_drawer(board.settings))
    if not detail:
        return ""
    return (
        templates()
        .get_template("board/call.html.j2")
        .render(detail=detail, epoch=board.epoch, version=board.version, key=key)
    )


def card_drawer(settings: BoardSettings) -> Draw:
    """Give the function that draws a call's card."""
    return lambda view, key: _piece("card", view, key, settings.card_lines)


def detail_drawer(settings: BoardSettings) -> Draw:
    """Give the function that draws a call at length."""
    return lambda view, key: _piece("detail", view, key, settings.call_lines)


def _piece(form: str, view: CallView, key: str, lines_max: int) -> str:
    rows = rows_of(view)
    shown = rows[-lines_max:]
    earlier = len(rows) - len(shown) + view.dropped_lines
    return templates().get_template(f"board/{form}.html.j2").render(view=view, key=key, rows=shown, earlier=earlier)


@cache
def _text(name: str) -> str:
    return (files("pipecat_interrupt.board") / "templates" / name).read_text(encoding="utf-8")
