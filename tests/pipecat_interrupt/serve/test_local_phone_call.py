"""One phone call end to end on real local models: server and caller as two processes, as docs/deploy.md tells it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

pytestmark = [pytest.mark.live, pytest.mark.enable_socket, pytest.mark.timeout(600)]

ROOT = Path(__file__).resolve().parents[3]
CLI = [sys.executable, "-c", "from pipecat_interrupt.cli import main; main()"]


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def _ready(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=2) as answer:
            return answer.status == 200
    except OSError:
        return False


def test_the_documented_commands_make_a_call_with_no_key(tmp_path: Path) -> None:
    """The demo's patient calls and answers what it hears; the hand-off holds it; SIGTERM ends the server."""
    port = _free_port()
    serve = ["serve", "--local", "--unsigned", "--pathway", "cataract-followup"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with (tmp_path / "server.log").open("wb") as log:
        server = subprocess.Popen(
            [*CLI, *serve, "--port", str(port), "--out", str(tmp_path / "calls"), "--drain-s", "5"],
            cwd=ROOT,
            env=environment,
            stderr=log,
        )
    try:
        deadline_s = time.monotonic() + 120
        while not _ready(port):
            assert server.poll() is None, (tmp_path / "server.log").read_text(encoding="utf-8")
            assert time.monotonic() < deadline_s
            time.sleep(0.5)
        call = [*CLI, "call-simulator", f"http://127.0.0.1:{port}/twilio/voice", "--patient", "--seconds", "150"]
        done = subprocess.run(
            [*call, "--record", str(tmp_path / "call.wav")],
            capture_output=True,
            text=True,
            timeout=330,
            check=True,
            cwd=ROOT,
            env=environment,
        )
    finally:
        server.send_signal(signal.SIGTERM)
        assert server.wait(60) == 0

    report = json.loads(done.stdout)
    assert report["marks_back"] == report["marks_set"] > 20
    assert report["agent_s"] > 10
    (handoff,) = (tmp_path / "calls").glob("*/handoff.json")
    written = json.loads(handoff.read_text(encoding="utf-8"))
    assert written["delivered"]
    assert written["answers"]
    assert (tmp_path / "call.wav").stat().st_size > 500_000
