"""Commands that cannot be meant, or whose needs are not met: told in one line before anything runs."""

import sys
from pathlib import Path

import pytest

from benchmarks.cli.plain import plain_error
from benchmarks.errors import BenchmarkError
from benchmarks.files import check_writable
from pipecat_interrupt.errors import MissingExtra
from tests.benchmarks.test_hostile_input import RUN, Say, assert_one_line, say

pytestmark = pytest.mark.unit

__all__ = ["say"]  # the fixture


def test_a_run_that_would_fill_the_memory_is_refused_with_what_is_possible(say: Say) -> None:
    """Its list of trials is held in memory."""
    code, told = say(*RUN[:-1], "99999999999999")

    assert_one_line(code, told, names="ask for 125000 or less")


def test_a_blank_word_is_refused_before_it_is_the_working_folder(say: Say) -> None:
    """As `--out "$UNSET"` leaves it."""
    code, told = say("run", "--smoke", "--out", "")

    assert_one_line(code, told, names="--out: blank")


def test_what_installs_a_missing_extra_stands_in_the_one_line() -> None:
    """The other room tells it on a second line."""
    told = plain_error(MissingExtra("the phone server", "pip install 'pipecat-interrupt[serve]'"))

    assert str(told).endswith("Install it with: pip install 'pipecat-interrupt[serve]'")


def test_tables_that_cannot_be_written_are_told_before_a_trial_runs(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not behind the last one."""
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)

    code, told = say(*RUN, "--out", "store")

    assert_one_line(code, told, names="pip install pyarrow")
    assert not Path("store").exists()


def test_a_file_that_holds_nothing_is_said_to_be_empty(say: Say) -> None:
    """And no Python class is named."""
    Path("mine.yaml").write_text("", encoding="utf-8")

    code, told = say("run", "--cell", "mine.yaml")

    assert_one_line(code, told, names="mine.yaml: empty; expected named fields")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no file system of that kind here")
@pytest.mark.parametrize("folder", [False, True])
def test_a_place_that_takes_no_file_is_told_whatever_its_rights_say(folder: bool) -> None:
    """The superuser may write anywhere by its rights."""
    with pytest.raises(BenchmarkError, match="cannot write /proc/"):
        check_writable(Path("/proc/nowhere/results.json"), folder=folder)
