"""The pictures in the docs: made here, so that they show what the code shows.

`make pictures` writes them to docs/images; otherwise they go to a temporary folder and are only looked at.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from pipecat_interrupt.board import Board, BoardSettings
from tests.pipecat_interrupt.board.serving import TOKEN, served
from tests.pipecat_interrupt.page.journals import Story
from tests.pipecat_interrupt.page.recorded import entries

from .conftest import Open

pytestmark = [pytest.mark.contract, pytest.mark.enable_socket]

WRITE_ENV = "PIPECAT_INTERRUPT_PICTURES"
IMAGES = Path(__file__).resolve().parents[3] / "docs" / "images"
COLOURS = 128
DARK_MAX, LIGHT_MIN = 60, 200

View = tuple[str, int, int, str]


def _views(*views: View) -> tuple[View, ...]:
    """All that are to be written; one is enough to see that drawing works, for other tests look at the rest."""
    return views if os.environ.get(WRITE_ENV) else views[:1]


Keep = Callable[[Page, str], Image.Image]


@pytest.fixture
def keep(tmp_path: Path) -> Keep:
    """Takes a picture of the window, small enough to commit, and gives it back."""
    folder = IMAGES if os.environ.get(WRITE_ENV) else tmp_path

    def kept(page: Page, name: str) -> Image.Image:
        picture = Image.open(BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
        folder.mkdir(parents=True, exist_ok=True)
        picture.quantize(COLOURS).save(folder / f"{name}.png", optimize=True)
        return picture

    return kept


def _paper(picture: Image.Image) -> int:
    """Grey value of the picture's corner: the page's background."""
    value = picture.convert("L").getpixel((2, picture.height - 3))
    assert isinstance(value, int)
    return value


def _drawn(picture: Image.Image) -> int:
    """How many colours there are: a page that failed to draw has few."""
    return len(picture.getcolors(1 << 24) or [])


def test_the_call_page_in_light_dark_and_on_a_phone(open_page: Open, call_page: str, keep: Keep) -> None:
    """Each is drawn, in its theme, with a cut in sight."""
    for name, width, height, scheme in _views(
        ("call-page-dark", 1280, 1000, "dark"),
        ("call-page-light", 1280, 1000, "light"),
        ("call-page-phone", 390, 844, "light"),
    ):
        page = open_page(call_page, width=width, height=height, scheme=scheme, reduced_motion="reduce")
        page.wait_for_timeout(200)  # the player draws itself
        page.keyboard.press("n")
        if width > 1000:
            page.evaluate("scrollTo(0, 0)")
        expect(page.locator("#lines > li.cut").first).to_have_attribute("aria-current", "true")

        picture = keep(page, name)

        assert picture.size == (width, height)
        assert _drawn(picture) > 200
        assert _paper(picture) < DARK_MAX if scheme == "dark" else _paper(picture) > LIGHT_MIN


def test_the_board_in_light_dark_and_on_a_phone(open_page: Open, keep: Keep) -> None:
    """Two calls in progress, one of which is losing critical advice."""
    board = Board(BoardSettings(refresh_s=0.05, insecure_cookie=True))
    board.take_all(entries()[:90])
    wording = "If your ankles swell, call the ward at once."
    other = Story(call_id="c2", pathway="Heart failure discharge", item="ankle-swelling", wording=wording).owes()
    board.take_all(other.says(wording).overlaps("backchannel", "mm-hmm").begins("Do you weigh yourself?").entries)
    with served(board) as address:
        for name, width, height, scheme in _views(
            ("board-dark", 1280, 800, "dark"),
            ("board-light", 1280, 800, "light"),
            ("board-phone", 390, 844, "light"),
        ):
            page = open_page(address, width=width, height=height, scheme=scheme)
            page.get_by_label("Access token").fill(TOKEN)
            page.get_by_role("button", name="Log in").click()
            expect(page.locator("#state")).to_have_text("live")

            picture = keep(page, name)

            assert picture.size == (width, height)
            assert _drawn(picture) > 200
            assert _paper(picture) < DARK_MAX if scheme == "dark" else _paper(picture) > LIGHT_MIN


@pytest.mark.parametrize(
    "name", ["call-page-light", "call-page-dark", "call-page-phone", "board-light", "board-dark", "board-phone"]
)
def test_every_picture_of_the_docs_is_there_and_small(name: str) -> None:
    """None over 200 kB; `make pictures` makes them again."""
    path = IMAGES / f"{name}.png"

    assert path.stat().st_size < 200_000
    with Image.open(path) as picture:
        assert picture.width in (1280, 390)
