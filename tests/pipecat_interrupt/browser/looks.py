"""Checks that hold for every page, made in the browser."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

TRIES, FOCUS_MS = 20, 1_000
STANDARDS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")


def accessibility_faults(page: Page, *, only_contrast: bool = False) -> list[str]:
    """What axe finds against WCAG 2.2 AA and good practice: rule, and the elements it is about.

    A second theme changes colours and nothing else, so for it contrast alone is enough.
    """
    rules = {"type": "rule", "values": ["color-contrast"]} if only_contrast else {"type": "tag", "values": [*STANDARDS]}
    results = Axe().run(page, options={"runOnly": rules, "resultTypes": ["violations"]})
    return [
        f"{fault['id']}: {[node['html'][:120] for node in fault['nodes'][:3]]}"
        for fault in results.response["violations"]
    ]


def sideways_scroll_px(page: Page) -> int:
    """How far the page itself is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def focus_is_visible(page: Page) -> bool:
    """Whether the focused element shows that it has the focus."""
    return page.evaluate("getComputedStyle(document.activeElement).outlineStyle !== 'none'")


def focus_on(locator: Locator) -> None:
    """Put the focus on an element of a page that may be drawn anew in that very moment."""
    for _ in range(TRIES):
        locator.focus()
        try:
            expect(locator).to_be_focused(timeout=FOCUS_MS)
        except AssertionError:
            continue
        return
    expect(locator).to_be_focused()


def active(page: Page) -> str:
    """The id, or else the text, of the focused element."""
    return page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()")
