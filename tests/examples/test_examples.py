"""Every example that needs no key runs and prints what its docstring promises."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.pipeline

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def _printed(name: str) -> str:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name)],
        capture_output=True,
        text=True,
        timeout=55,
        check=False,
        cwd=EXAMPLES.parent,
        env=os.environ | {"PYTHONPATH": str(EXAMPLES.parent)},  # this checkout, wherever another one is installed
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_the_journal_example_shows_what_was_heard_and_what_was_not() -> None:
    """The cut sentence stands whole as intended, and split as delivered and undelivered."""
    printed = _printed("01_journal.py")

    assert "delivered:   Take one tablet every morning with water.\n" in printed
    assert "undelivered:  Do not drink alcohol while you take it." in printed
    assert "chain intact" in printed
    assert 'question: "Sorry, wait, how big are they?"' in printed


def test_the_phone_bot_is_called_cut_off_and_hands_off() -> None:
    """Over a real socket on this machine: what was heard before the cut stands, the rest is open with its reason."""
    printed = _printed("04_full_phone_bot.py")

    assert "# Hand-off: Follow-up after a cataract operation" in printed
    assert "I am an automated assistant, not a person." in printed
    assert "never reached" in printed


def test_no_example_is_longer_than_a_screen_and_a_half() -> None:
    """An example over 80 lines explains two things."""
    assert {p.name: n for p in EXAMPLES.glob("*.py") if (n := len(p.read_text().splitlines())) > 80} == {}
