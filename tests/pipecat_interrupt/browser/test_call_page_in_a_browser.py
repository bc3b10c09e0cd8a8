"""The finished call's page as a person uses it: by eye, by ear, by mouse, by keyboard, on paper."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pipecat_interrupt.page import render_page, view_of
from tests.pipecat_interrupt.page.hostile import CORPUS
from tests.pipecat_interrupt.page.journals import Story

from .conftest import WAIT_MS, Open, Seen
from .looks import accessibility_faults, active, focus_is_visible, sideways_scroll_px

pytestmark = pytest.mark.contract


def _time(page: Page) -> float:
    return page.evaluate("document.getElementById('audio').currentTime")


def _ready(page: Page) -> Page:
    _until(page, "document.getElementById('audio').readyState > 0")
    return page


def _until(page: Page, true: str) -> None:
    """Wait for something that no locator sees; the page's policy forbids what Playwright's own waiting does."""
    for _ in range(WAIT_MS // 20):
        if page.evaluate(true):
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"never came true: {true}")


def _shown(page: Page) -> int:
    return page.locator("#lines > li:visible").count()


def test_the_page_works_from_a_file_and_asks_nothing_of_the_outside(
    open_page: Open, call_page: str, seen: Seen
) -> None:
    """Its policy blocks nothing of its own, and the only requests are the file and the sound inside it."""
    page = _ready(open_page(call_page))
    page.keyboard.press("n")
    page.get_by_label("cuts", exact=True).check()

    assert seen.complaints == []
    assert {url.split(":")[0] for url in seen.requests} <= {"file", "data"}


def test_the_line_and_the_word_are_marked_while_the_sound_plays(open_page: Open, call_page: str) -> None:
    """A click on a time plays from there; the mark moves on with the sound, and Pause holds both."""
    page = _ready(open_page(call_page))
    line = page.locator("#lines > li.agent").nth(2)
    page.evaluate("document.getElementById('audio').playbackRate = 0.25")  # a slow machine still finds it in this line

    line.locator("button.go").click()
    expect(line).to_have_attribute("aria-current", "true")
    _until(page, "document.getElementById('audio').currentTime > 27.6")
    words = page.locator(".w.now")
    expect(words).to_have_count(1)
    page.keyboard.press("k")
    assert page.evaluate("document.getElementById('audio').paused")
    assert page.locator("#lines > li.now").count() == 1
    assert float(page.locator("#head").get_attribute("x1") or 0) > 60


def test_a_click_on_a_word_plays_from_it(open_page: Open, call_page: str) -> None:
    """The sound stands at the word's time."""
    page = _ready(open_page(call_page))
    word = page.locator(".w", has_text="sunglasses").or_(page.locator(".w", has_text="cataract")).nth(1)

    page.evaluate("document.getElementById('audio').play = () => Promise.resolve()")  # stand where the click put it

    at_s = float(word.get_attribute("data-s") or -1)
    word.click()

    assert _time(page) == pytest.approx(at_s, abs=0.01)
    expect(word).to_have_class("w now")


def test_cuts_are_reached_by_key_and_by_button(open_page: Open, call_page: str) -> None:
    """Next and previous, each with focus, sound two seconds before the cut, and a word to a screen reader."""
    page = _ready(open_page(call_page))
    first, second = page.locator("#lines > li.cut").first, page.locator("#lines > li.cut").last
    cut_s = [float(c.get_attribute("data-cut") or 0) for c in (first, second)]

    page.keyboard.press("n")
    expect(first).to_be_focused()
    expect(page.locator("#told")).to_have_text("Cut 1 of 2")
    assert _time(page) == pytest.approx(cut_s[0] - 2, abs=0.05)
    page.keyboard.press("n")
    expect(second).to_be_focused()
    assert _time(page) == pytest.approx(cut_s[1] - 2, abs=0.05)
    page.keyboard.press("n")
    expect(second).to_be_focused()
    page.get_by_role("button", name="Previous cut").click()
    expect(first).to_be_focused()
    expect(first).to_be_in_viewport()


def test_filters_show_what_they_name(open_page: Open, call_page: str) -> None:
    """Cuts, gate decisions, open obligations, speakers; the count is told; a jump to a hidden cut undoes them."""
    page = _ready(open_page(call_page))
    everything = _shown(page)

    page.get_by_label("cuts", exact=True).check()
    assert _shown(page) == 2
    expect(page.locator("#told")).to_have_text(f"2 of {everything} lines shown")
    page.get_by_label("gate decisions").check()
    page.get_by_label("others").check()
    assert page.locator("#lines > li:visible").all_text_contents()[0].count("left eye") == 1
    page.keyboard.press("n")
    assert _shown(page) == everything
    page.get_by_label("open obligations").check()
    assert page.locator("#obligations > li:visible h3").all_text_contents() == ["light.escalation", "light.mild-advice"]
    assert _shown(page) == 1


def test_everything_is_reached_by_keyboard(open_page: Open, call_page: str) -> None:
    """The first stop leads past the player; every stop shows that it has the focus; keys can be switched off."""
    page = _ready(open_page(call_page))
    stops: list[str] = []
    for _ in range(18):
        page.keyboard.press("Tab")
        stops.append(active(page))
        assert focus_is_visible(page), stops[-1]

    assert stops[0] == "Skip to the transcript"
    assert {"theme", "audio", "previous-cut", "next-cut", "follow"} <= set(stops)
    page.keyboard.press("o")
    expect(page.locator("#o-1")).to_be_focused()
    expect(page.locator("#told")).to_have_text("Open obligation 1 of 2")
    page.keyboard.press("?")
    expect(page.get_by_text("next / previous cut")).to_be_visible()
    page.get_by_label("single-key shortcuts on").uncheck()
    page.keyboard.press("n")
    assert page.locator("#lines > li:focus").count() == 0


def test_the_theme_follows_the_system_until_it_is_chosen(open_page: Open, call_page: str) -> None:
    """Automatic takes the system's, a choice stands and is kept for the next time."""
    page = open_page(call_page, scheme="dark")
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(paper)

    page.get_by_role("button", name="Theme").click()
    light = page.evaluate(paper)
    page.reload()

    assert dark != light
    assert page.evaluate(paper) == light
    expect(page.get_by_role("button", name="Theme")).to_have_text("Theme: light")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(open_page: Open, call_page: str, scheme: str) -> None:
    """Landmarks, names, order, contrast: no fault against WCAG 2.2 AA, with a line marked and a cut in focus."""
    page = _ready(open_page(call_page, scheme=scheme, bypass_csp=True))
    page.keyboard.press("n")
    page.evaluate("document.getElementById('keys').open = true")

    assert accessibility_faults(page, only_contrast=scheme == "dark") == []


def test_a_phone_shows_it_without_scrolling_sideways(open_page: Open, call_page: str) -> None:
    """320 CSS pixels, the narrowest that WCAG asks for."""
    page = open_page(call_page, width=320, height=700)

    assert sideways_scroll_px(page) == 0


def test_whoever_asked_for_less_motion_is_taken_there_at_once(open_page: Open, call_page: str) -> None:
    """A jump is there in the same moment, without a scroll that moves."""
    page = _ready(open_page(call_page, height=500, reduced_motion="reduce"))
    page.keyboard.press("n")
    page.keyboard.press("n")

    seen_now = "(() => { const r = document.querySelectorAll('#lines > li.cut')[1].getBoundingClientRect();"
    assert page.evaluate(seen_now + " return r.top >= 0 && r.top < innerHeight })()")


def test_on_paper_stands_the_evidence_and_no_control(open_page: Open, call_page: str) -> None:
    """Player and filters go; struck-through text, obligations and hand-off stay."""
    page = open_page(call_page, scheme="dark")
    page.emulate_media(media="print")

    for gone in ("#filters", ".player", "#theme", "#keys"):
        expect(page.locator(gone)).to_be_hidden()
    lost = page.locator("#lines del").first
    expect(lost).to_be_visible()
    assert "line-through" in lost.evaluate("e => getComputedStyle(e).textDecorationLine")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    expect(page.locator("pre")).to_be_visible()


def test_without_scripts_the_page_still_tells_everything(open_page: Open, call_page: str) -> None:
    """No control that does nothing is shown; what was lost still is."""
    page = open_page(call_page, java_script_enabled=False)

    expect(page.locator("#filters")).to_be_hidden()
    expect(page.locator("#cut-buttons")).to_be_hidden()
    expect(page.locator("#lines del").first).to_be_visible()


def test_hostile_words_run_nothing_in_a_real_browser(open_page: Open, tmp_path: Path, seen: Seen) -> None:
    """The whole corpus on one page, in every field: no dialog, no request, no script, no error."""
    everything = "\n".join(CORPUS)
    story = Story(pathway=everything, item=everything, wording=everything, notice=everything).owes()
    for words in CORPUS:
        story.says(words, heard=words[:1], by=words).replies(words, speaker=words).gate(words).trouble(words)
    path = tmp_path / "hostile.html"
    path.write_text(render_page(view_of(story.ends(everything).entries), handoff_markdown=everything), encoding="utf-8")

    page = open_page(path.as_uri(), width=800)

    expect(page.locator("#lines > li")).to_have_count(3 * len(CORPUS))  # the ruling stands with the words
    assert page.evaluate("document.scripts.length") == 1
    assert sideways_scroll_px(page) == 0
    assert seen.complaints == []
    assert {url.split(":")[0] for url in seen.requests} == {"file"}
