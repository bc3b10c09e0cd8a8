"""The idiom files hold the same sections, and a broken one says so."""

from __future__ import annotations

import pytest

from obligations.answers.idioms import idioms_for
from obligations.answers.idioms.load import load_idioms

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("tag", ["en", "en-GB", "pt", "pt-PT", "pt-BR"])
def test_a_known_language_has_its_idioms_whatever_the_region(tag: str) -> None:
    """The base language decides."""
    idioms = idioms_for(tag)

    assert idioms is not None
    assert tag[:2] == idioms.language


def test_an_unknown_language_has_none() -> None:
    """None are borrowed."""
    assert idioms_for("de") is None


@pytest.mark.parametrize(
    ("tag", "flat", "whole"),
    [
        ("en", "not that i have noticed", True),
        ("en", "my shoes", False),
        ("pt", "que eu saiba nao", True),
        ("pt", "os sapatos", False),
    ],
)
def test_whole_idioms_are_known_as_such(tag: str, flat: str, whole: bool) -> None:
    """A clause that is an idiom is not taken apart further."""
    idioms = idioms_for(tag)

    assert idioms is not None
    assert whole is idioms.whole_idiom(flat)


def test_a_missing_file_is_the_authors_error() -> None:
    """It raises at once, not in a call."""
    with pytest.raises(FileNotFoundError):
        load_idioms("xx")
