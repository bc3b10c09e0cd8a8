"""Ctrl-C ends a command in one line, though what runs in it swallows every stop."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[2]
BEGIN = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
IMPORTS = "from benchmarks.cli.stopping import ended_by_ctrl_c;"
WILLING = """
import time
with ended_by_ctrl_c():
    print("up", flush=True)
    time.sleep(60)
"""
DEAF = """
import time
with ended_by_ctrl_c():
    up = "up"
    while True:
        try:
            print(up, flush=True)
            time.sleep(60)
        except BaseException:
            up = "told"
"""


def _started(code: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", BEGIN + IMPORTS + code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None and process.stdout.readline() == "up\n"
    return process


def test_a_command_that_stops_by_itself_says_that_it_was_interrupted() -> None:
    """With the exit code that shells give."""
    process = _started(WILLING)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=40)

    assert process.returncode == 130
    [line] = told.splitlines()
    assert line.startswith("interrupted: what was done is kept")


@pytest.mark.parametrize("times", [1, 2], ids=["once", "twice"])
def test_a_command_that_swallows_the_stop_is_ended_all_the_same(times: int) -> None:
    """As a pipeline does that is told to cancel; a second Ctrl-C does not wait for the grace."""
    process = _started(DEAF)
    assert process.stdout is not None
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "told\n"
    if times == 2:
        process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=40)

    assert process.returncode == 130
    assert told.startswith("interrupted: ") and "Traceback" not in told
