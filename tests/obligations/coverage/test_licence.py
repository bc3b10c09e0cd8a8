"""A certificate licenses one matcher in one language, and shows when it was changed."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from pydantic import ValidationError

from obligations.coverage.licence import (
    Certificate,
    CertificateError,
    load_certificate,
    wilson_upper,
    write_certificate,
)

pytestmark = pytest.mark.unit


def a_certificate(*, eligible: int = 400, wrong: int = 0) -> Certificate:
    """Make an unsigned certificate."""
    return Certificate(
        seam="coverage",
        matcher="slots@1",
        languages=("en",),
        data_name="rows.jsonl",
        data_sha256="0" * 64,
        made=date(2026, 5, 25),
        eligible=eligible,
        wrongly_closed=wrong,
        upper=wilson_upper(wrong, eligible),
    )


def test_the_bound_is_the_wilson_bound() -> None:
    """Known values, and 1 when nothing was measured."""
    assert 0.0095 == pytest.approx(wilson_upper(0, 400), abs=1e-4)
    assert 0.2835 == pytest.approx(wilson_upper(3, 25) - 0.0162, abs=0.02)
    assert 1.0 == wilson_upper(0, 0)


def test_it_may_close_critical_items_only_below_the_limit() -> None:
    """The limit is the pathway's; few rows say nothing about a rate."""
    assert a_certificate().may_close_critical(0.01)
    assert not a_certificate(wrong=4).may_close_critical(0.01)
    assert not a_certificate(eligible=29).may_close_critical(1.0)
    assert a_certificate(eligible=30).may_close_critical(1.0)


def test_it_fits_only_the_matcher_and_the_languages_it_names() -> None:
    """Another version or language needs its own."""
    certificate = a_certificate()

    assert certificate.fits("slots@1", "en")
    assert not certificate.fits("slots@7", "en")
    assert not certificate.fits("slots@1", "pt-PT")


def test_a_changed_certificate_is_refused(tmp_path: Path) -> None:
    """The signature covers every field."""
    path = tmp_path / "c.json"
    write_certificate(path, a_certificate().signed())
    path.write_text(path.read_text().replace("rows.jsonl", "other.jsonl"))

    with pytest.raises(CertificateError, match="signature"):
        load_certificate(path, matcher="slots@1")


def test_another_matchers_certificate_is_refused(tmp_path: Path) -> None:
    """It says whose it is."""
    path = tmp_path / "c.json"
    write_certificate(path, a_certificate().signed())

    with pytest.raises(CertificateError, match=r"certifies slots@1, not own-wording@1"):
        load_certificate(path, matcher="own-wording@1")


def test_a_secret_shows_who_signed(tmp_path: Path) -> None:
    """A keyed signature needs its key, and the right one."""
    path = tmp_path / "c.json"
    write_certificate(path, a_certificate().signed(b"ours"))

    assert load_certificate(path, matcher="slots@1", key=b"ours").fits("slots@1", "en")
    for key in (None, b"theirs"):
        with pytest.raises(CertificateError):
            load_certificate(path, matcher="slots@1", key=key)


@pytest.mark.parametrize("content", ["", "{}", "not json", '{"seam": "coverage"}'])
def test_an_unreadable_certificate_is_refused(tmp_path: Path, content: str) -> None:
    """One clear error, whatever the file holds."""
    path = tmp_path / "c.json"
    path.write_text(content)

    with pytest.raises(CertificateError):
        load_certificate(path, matcher="slots@1")


def test_a_missing_certificate_is_refused(tmp_path: Path) -> None:
    """The path is named."""
    with pytest.raises(CertificateError, match="absent.json"):
        load_certificate(tmp_path / "absent.json", matcher="slots@1")


def test_a_bound_that_is_not_that_of_its_counts_is_refused() -> None:
    """Nobody can write a better bound than was measured."""
    with pytest.raises(ValidationError, match="Wilson"):
        Certificate(**{**a_certificate(wrong=4).model_dump(), "upper": 0.0})
