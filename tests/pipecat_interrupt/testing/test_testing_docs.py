"""The snippets of docs/testing.md are tests, and pass."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.pipeline

PAGE = Path(__file__).resolve().parents[3] / "docs" / "testing.md"
SNIPPETS = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def snippet_tests(snippet: str) -> list[Callable[[], None]]:
    names: dict[str, object] = {}
    exec(compile(snippet, str(PAGE), "exec"), names)  # the page is ours
    return [value for name, value in names.items() if name.startswith("test_") and callable(value)]


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda s: re.search(r"def (test_\w+)", s)[1])
def test_every_snippet_of_the_page_passes(snippet):
    """Each block holds at least one test, and a reader who copies it gets a green one."""
    found = snippet_tests(snippet)

    assert found
    for test in found:
        test()


def test_the_page_has_its_snippets():
    """The page was not emptied by an edit."""
    assert len(SNIPPETS) == 3
