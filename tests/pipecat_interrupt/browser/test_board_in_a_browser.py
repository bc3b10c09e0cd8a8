"""The live board as a nurse uses it: log in, look, follow a call, log out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from pipecat_interrupt.board import Board, BoardSettings
from tests.pipecat_interrupt.board.serving import TOKEN, served
from tests.pipecat_interrupt.page.journals import Story
from tests.pipecat_interrupt.page.recorded import entries

from .conftest import Open, Seen
from .looks import accessibility_faults, focus_on, sideways_scroll_px

pytestmark = [pytest.mark.contract, pytest.mark.enable_socket]


@pytest.fixture(scope="module")
def board() -> Board:
    board = Board(BoardSettings(refresh_s=0.05, insecure_cookie=True))
    board.take_all(entries()[:90])
    return board


@pytest.fixture(scope="module")
def address(board: Board) -> Iterator[str]:
    with served(board) as address:
        yield address


def _logged_in(page: Page) -> Page:
    page.get_by_label("Access token").fill(TOKEN)
    page.get_by_role("button", name="Log in").click()
    expect(page.locator("#state")).to_have_text("live")
    return page


def test_a_wrong_token_is_told_and_shows_nothing(open_page: Open, address: str) -> None:
    """The form stays, with an alert; the page holds no call."""
    page = open_page(address)
    page.get_by_label("Access token").fill("wrong")
    page.get_by_role("button", name="Log in").click()

    expect(page.get_by_role("alert")).to_have_text("This is not the access token.")
    assert page.locator("article").count() == 0


def test_calls_move_on_the_board_while_one_looks(open_page: Open, address: str, board: Board, seen: Seen) -> None:
    """A new call, a cut in it and its end arrive by themselves; the focus stays; nothing outside is asked for."""
    page = _logged_in(open_page(address))
    story = Story(call_id="live-1", pathway="Heart failure discharge").owes()
    board.take_all(story.entries)
    card = page.locator("#live article", has_text="Heart failure discharge")
    expect(card).to_contain_text("To come: escalation")
    focus_on(card.get_by_role("link"))

    board.take_all(story.says("If your ankles swell, call us.", heard="If your ankles").entries)
    expect(card.locator("del")).to_contain_text("swell, call us.")
    expect(card.get_by_role("link")).to_be_focused()
    board.take_all(story.overlaps("backchannel", "mm-hmm").entries)
    expect(card).to_contain_text("backchannel: the agent went on")
    board.take_all(story.ends().entries)
    expect(page.locator("#ended article", has_text="Heart failure discharge")).to_contain_text("ended: completed")

    assert seen.complaints == []
    assert {url.split("/board/")[0] + "/board/" for url in seen.requests} == {address}
    assert page.evaluate("document.cookie") == ""


def test_one_call_is_followed_at_length_and_opened_as_a_page(open_page: Open, address: str, seen: Seen) -> None:
    """From the card to the call, its evidence, and the page of the whole call."""
    page = _logged_in(open_page(address))
    page.get_by_role("link", name="Follow-up after a cataract operation").click()

    expect(page.locator("#state")).to_have_text("live")
    expect(page.get_by_role("heading", name="Closed", exact=True)).to_be_visible()
    expect(page.locator("del", has_text="contact the hospital at once")).to_be_visible()
    page.get_by_role("link", name="Whole call as a page").click()
    page.get_by_label("cuts", exact=True).check()
    assert page.locator("#lines > li:visible").count() == 1
    assert seen.complaints == []


def test_after_logging_out_nothing_is_shown(open_page: Open, address: str) -> None:
    """The session is over in this browser, and the way back leads to the form."""
    page = _logged_in(open_page(address))
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_label("Access token")).to_be_visible()  # logged out: going on sooner would break the request off
    page.goto(address)

    expect(page.get_by_label("Access token")).to_be_focused()
    assert page.locator("article").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page_of_the_board(open_page: Open, address: str, board: Board, scheme: str) -> None:
    """Login, board and call."""
    page, only_contrast = open_page(address, scheme=scheme, bypass_csp=True), scheme == "dark"
    faults = accessibility_faults(page, only_contrast=only_contrast)
    faults += accessibility_faults(_logged_in(page), only_contrast=only_contrast)
    page.goto(f"{address}calls/{board.key_of('page-example')}")
    expect(page.locator("#state")).to_have_text("live")
    faults += accessibility_faults(page, only_contrast=only_contrast)

    assert faults == []


def test_a_phone_shows_the_board_without_scrolling_sideways(open_page: Open, address: str, board: Board) -> None:
    """Login, board and call at 320 CSS pixels."""
    page = open_page(address, width=320, height=700)
    widths = [sideways_scroll_px(page), sideways_scroll_px(_logged_in(page))]
    page.goto(f"{address}calls/{board.key_of('page-example')}")

    assert [*widths, sideways_scroll_px(page)] == [0, 0, 0]
