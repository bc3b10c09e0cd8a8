"""Nothing of a call leaves without the token, and the token leaves nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from loguru import logger

from pipecat_interrupt.board import TOKEN_ENV, Board, BoardSettings, BoardToken, mount_board
from pipecat_interrupt.errors import SettingsError
from tests.pipecat_interrupt.page.hostile import CORPUS
from tests.pipecat_interrupt.page.journals import Story

pytestmark = pytest.mark.unit

TOKEN = "t0ken-" + "x" * 30
SECRET_WORDS = "my chest hurts since Tuesday"


@pytest.fixture
def board() -> Board:
    board = Board(BoardSettings(insecure_cookie=True))
    board.take_all(
        Story(call_id="call-of-jane").owes().says("If it gets worse, call us.").replies(SECRET_WORDS).entries
    )
    board.catch_up()
    return board


@pytest.fixture
def client(board: Board) -> Iterator[TestClient]:
    app = FastAPI()
    mount_board(app, board, BoardToken(TOKEN))
    with TestClient(app, follow_redirects=False) as client:
        yield client


def _paths(board: Board) -> list[str]:
    (key,) = board.keys
    return ["/board", "/board/", "/board/events", f"/board/calls/{key}", f"/board/calls/{key}/page", "/board/calls/no"]


WRONG = [
    "",
    "Bearer",
    "Bearer ",
    "Bearer " + TOKEN[:-1],
    "Bearer " + TOKEN + "x",
    "Basic " + TOKEN,
    "Bearer \u00e9",
    TOKEN,
]


@pytest.mark.parametrize("authorization", WRONG)
def test_a_wrong_token_sees_nothing(client: TestClient, board: Board, authorization: str) -> None:
    """Every address of a call answers 401 without a word of it, whether the call exists or not."""
    for path in _paths(board):
        answer = client.get(path, headers={"Authorization": authorization.encode("latin-1")})

        assert answer.status_code == 401, path
        assert answer.headers["WWW-Authenticate"] == "Bearer"
        assert "chest" not in answer.text


def test_a_browser_without_a_session_is_led_to_the_login(client: TestClient, board: Board) -> None:
    """It gets the form and nothing else."""
    for path in _paths(board):
        answer = client.get(path, headers={"Accept": "text/html"})

        assert (answer.status_code, answer.headers["Location"]) == (303, "/board/login"), path
    assert "chest" not in client.get("/board/login").text


def test_the_token_in_a_header_opens_every_page(client: TestClient, board: Board) -> None:
    """A call's words are there, and each page carries the headers that keep them there."""
    for path in _paths(board)[1:2] + _paths(board)[3:5]:
        answer = client.get(path, headers={"Authorization": f"Bearer {TOKEN}"})

        assert answer.status_code == 200
        assert SECRET_WORDS in answer.text
        assert answer.headers["Cache-Control"] == "no-store"
        policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'") and "frame-ancestors 'none'" in policy and "unsafe" not in policy


def test_a_login_gives_a_cookie_that_opens_the_board_and_holds_no_token(client: TestClient) -> None:
    """HttpOnly, SameSite=Strict, bound to the board's path."""
    answer = client.post("/board/login", data={"token": TOKEN})

    assert (answer.status_code, answer.headers["Location"]) == (303, "/board/")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "Path=/board" in cookie
    assert TOKEN not in cookie
    assert SECRET_WORDS in client.get("/board/").text

    client.post("/board/logout")
    assert client.get("/board/").status_code == 401


def test_the_cookie_travels_over_tls_only_unless_told_otherwise() -> None:
    """The default is a secure cookie."""
    app = FastAPI()
    mount_board(app, Board(), BoardToken(TOKEN))

    answer = TestClient(app, follow_redirects=False).post("/board/login", data={"token": TOKEN})

    assert "Secure" in answer.headers["Set-Cookie"]


@pytest.mark.parametrize("given", ["", "wrong", TOKEN[:-1], TOKEN.upper(), "x" * 3000])
def test_a_wrong_login_gives_no_cookie(client: TestClient, given: str) -> None:
    """And says no more than that it was wrong."""
    answer = client.post("/board/login", data={"token": given})

    assert answer.status_code == 403
    assert "Set-Cookie" not in answer.headers
    assert "This is not the access token." in answer.text


def test_a_login_from_another_site_or_of_another_size_is_refused(client: TestClient) -> None:
    """The form is small, and comes from the board's own page."""
    foreign = client.post("/board/login", data={"token": TOKEN}, headers={"Sec-Fetch-Site": "cross-site"})

    assert foreign.status_code == 403
    assert client.post("/board/login", data={"token": TOKEN, "more": "x" * 5000}).status_code == 413


def test_a_forged_old_or_foreign_cookie_opens_nothing(board: Board) -> None:
    """A session of another token, a changed one, and one past its age."""
    token = BoardToken(TOKEN)
    session = token.new_session()

    assert token.session_holds(session, 60)
    assert not token.session_holds(session, -1)
    # Not the last sign: base64 leaves some of its bits unread, so another one there can be the same signature.
    forged = session[:-2] + ("A" if session[-2] != "A" else "B") + session[-1]
    assert not token.session_holds(forged, 60)
    assert not token.session_holds(BoardToken("another-" + "y" * 30).new_session(), 60)
    for hostile in CORPUS:
        assert not token.session_holds(hostile, 60)


@pytest.mark.parametrize("text", ["", "short", "x" * 31, "x" * 40 + " ", "two words " + "x" * 40])
def test_a_token_that_could_be_guessed_is_refused_with_the_cure(text: str) -> None:
    """Before anything is served; the message does not repeat the token."""
    with pytest.raises(SettingsError, match="openssl rand -hex 32|is not set") as refused:
        BoardToken.from_environment({TOKEN_ENV: text})

    assert not text.strip() or text.strip() not in str(refused.value)
    assert BoardToken("x" * 32).matches("x" * 32)


def test_neither_the_token_nor_a_word_of_a_call_reaches_a_log(client: TestClient, board: Board) -> None:
    """Not at a wrong login, not in addresses, not in the token's own repr; addresses do not even hold the call's id."""
    heard: list[str] = []
    sink = logger.add(lambda message: heard.append(str(message)), level="TRACE")
    try:
        client.post("/board/login", data={"token": TOKEN + "wrong"})
        page = client.get("/board/", headers={"Authorization": f"Bearer {TOKEN}"}).text
    finally:
        logger.remove(sink)

    assert len(heard) == 1 and "login to the board was refused" in heard[0]
    assert TOKEN not in "".join(heard) and "chest" not in "".join(heard)
    assert TOKEN not in repr(BoardToken(TOKEN))
    assert not [a for a in re.findall(r'(?:href|src|action|data-events)="([^"]*)"', page) if "jane" in a or TOKEN in a]


def test_the_board_asks_nothing_of_the_outside_and_acts_by_no_attribute(client: TestClient, board: Board) -> None:
    """Every address is relative; there are no inline scripts, styles or handlers for the policy to block."""
    (key,) = board.keys
    for path in ("/board/login", "/board/", f"/board/calls/{key}"):
        page = client.get(path, headers={"Authorization": f"Bearer {TOKEN}"}).text

        assert not re.findall(r'(?:href|src|action)="(?:[a-z]+:|//)', page)
        assert not re.search(r"<[^>]+ (?:on\w+|style)=", page)
        assert not re.search(r"<script(?! src=)|<style", page)


@pytest.mark.parametrize("words", CORPUS)
def test_the_hostile_corpus_stays_text_on_the_board(words: str) -> None:
    """On the board, on a call's page, and in what the stream sends."""
    board = Board()
    story = Story(call_id=words, pathway=words, item=words, wording=words).owes()
    board.take_all(
        story.says(words, heard=words[:1], by=words).replies(words, words).gate(words).trouble(words).entries
    )
    board.catch_up()
    (key,) = board.keys
    app = FastAPI()
    mount_board(app, board, BoardToken(TOKEN))
    client = TestClient(app, headers={"Authorization": f"Bearer {TOKEN}"})

    for page in (client.get("/board/").text, client.get(f"/board/calls/{key}").text):
        assert len(re.findall("<script", page)) == 1  # the board's own file
        assert not re.search(r"<(?:img|svg|iframe|base|object|math)\b|<b x|<[^>]+ on\w+=", page)
