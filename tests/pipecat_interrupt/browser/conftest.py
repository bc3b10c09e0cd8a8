"""A real browser for these tests: the distribution's Chromium, started once a module; skips where there is none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from pipecat_interrupt.demo.measure import stretches
from pipecat_interrupt.page import VoiceSegment, pack, render_page, view_of
from tests.pipecat_interrupt.page.recorded import RATE_HZ, entries, sound

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
BROWSER_ENV = "PIPECAT_INTERRUPT_BROWSER"
WAIT_MS = 20_000
"""A bound, not an expectation: a busy machine may be slow."""

expect.set_options(timeout=WAIT_MS)


def find_browser() -> str | None:
    """The browser to use: the one that was named, else the first that is installed."""
    named = os.environ.get(BROWSER_ENV)
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = find_browser()
    if path is None:
        pytest.skip(f"no browser: install one of {', '.join(NAMES)} (Debian: chromium-headless-shell)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--mute-audio", "--autoplay-policy=no-user-gesture-required"]
        )
        yield browser
        browser.close()


@dataclass
class Seen:
    """What a page did while a test looked at it."""

    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


Open = Callable[..., Page]


@pytest.fixture
def seen() -> Seen:
    return Seen()


@pytest.fixture
def open_page(browser: Browser, seen: Seen) -> Iterator[Open]:
    """Opens an address in a context of its own; console errors, exceptions, dialogs and requests are kept in `seen`."""
    contexts = []

    def opened(address: str, *, width: int = 1280, height: int = 900, scheme: str = "light", **options: Any) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, service_workers="block", **options
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(WAIT_MS)
        page.on("console", lambda m: seen.complaints.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda e: seen.complaints.append(str(e)))
        page.on("dialog", lambda d: (seen.complaints.append(d.message), d.dismiss()))
        page.on("request", lambda r: seen.requests.append(r.url))
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def call_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a finished call's page, as a file."""
    journal = entries()
    stereo = sound(journal)
    segments = [VoiceSegment(s.start_s, s.end_s) for s in stretches(stereo[:, 0], RATE_HZ)]
    page = render_page(
        view_of(journal), segments=segments, recording=pack(stereo, RATE_HZ), handoff_markdown="# Hand-off\n"
    )
    path: Path = tmp_path_factory.mktemp("page") / "call.html"
    path.write_text(page, encoding="utf-8")
    return path.as_uri()
