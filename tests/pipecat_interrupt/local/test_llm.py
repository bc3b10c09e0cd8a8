"""The language-model child process, with small programs in place of the model."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pipecat_interrupt.local import MissingExtra, ServerFailed
from pipecat_interrupt.local.llm import LocalLLM, ServerSettings

pytestmark = pytest.mark.pipeline

SAYS_READY = """
import json, sys
config = json.loads(sys.stdin.readline())
print(json.dumps({"url": "http://127.0.0.1:1/"}), flush=True)
"""


def child(
    tmp_path: Path, program: str, on_exit: Callable[[str], None] | None = None, start_timeout_s: float = 20.0
) -> LocalLLM:
    path = tmp_path / "child.py"
    path.write_text(program, encoding="utf-8")
    settings = ServerSettings(stop_grace_s=0.5, start_timeout_s=start_timeout_s)
    command = [sys.executable, str(path)]
    return LocalLLM(tmp_path / "model.gguf", settings=settings, on_exit=on_exit, program=command)


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


async def test_a_ready_child_has_an_address_and_ends_when_its_input_ends(tmp_path: Path) -> None:
    """The normal life of a server."""
    llm = child(tmp_path, SAYS_READY + "sys.stdin.read()")

    async with llm:
        pid = llm.pid
        assert llm.base_url == "http://127.0.0.1:1/v1"
        assert llm.alive
    assert pid is not None and gone(pid)
    assert not llm.alive
    assert llm.failure is None


async def test_an_address_before_the_start_is_refused(tmp_path: Path) -> None:
    """A wrong order of calls is said, not guessed."""
    with pytest.raises(ServerFailed, match="not started"):
        _ = child(tmp_path, "").base_url


async def test_a_child_that_dies_while_loading_is_said_with_its_last_words(tmp_path: Path) -> None:
    """A broken model file gives one sentence, the reason for the log, and no process left."""
    llm = child(tmp_path, "import sys; print('bad magic', file=sys.stderr); sys.exit(3)")

    with pytest.raises(ServerFailed, match=r"ended while loading \(code 3\)") as refused:
        await llm.start()

    assert refused.value.stderr_tail == "bad magic"
    assert not llm.alive


async def test_a_child_that_never_gets_ready_is_ended(tmp_path: Path) -> None:
    """The wait is bounded, and what was started is killed although it ignores every polite request."""
    deaf = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
    llm = child(tmp_path, deaf, start_timeout_s=0.4)

    started_s = time.monotonic()
    with pytest.raises(ServerFailed, match=r"not ready within 0\.4 s"):
        await llm.start()

    assert time.monotonic() - started_s < 10
    assert not llm.alive


async def test_a_child_that_dies_during_the_call_is_told_once(tmp_path: Path) -> None:
    """The caller falls to its safe side and can say why."""
    told: list[str] = []
    heard = asyncio.Event()

    def on_exit(reason: str) -> None:
        told.append(reason)
        heard.set()

    llm = child(tmp_path, SAYS_READY + "import time; time.sleep(0.3); sys.exit(9)", on_exit)

    await llm.start()
    await asyncio.wait_for(heard.wait(), 10)
    await llm.stop()

    assert told == ["the language-model server ended by itself (code 9)"]
    assert llm.failure == told[0]


async def test_stopping_twice_is_harmless(tmp_path: Path) -> None:
    """Clean-up code may run on every path."""
    llm = child(tmp_path, SAYS_READY + "sys.stdin.read()")
    await llm.start()

    await llm.stop()
    await llm.stop()

    assert not llm.alive


async def test_a_server_that_does_not_answer_cannot_be_warmed(tmp_path: Path) -> None:
    """The warm start is optional; its failure is an error of this tree, not of the client library."""
    async with child(tmp_path, SAYS_READY + "sys.stdin.read()") as llm:
        with pytest.raises(ServerFailed, match="did not answer"):
            await llm.warm([{"role": "user", "content": "Hello?"}])


def test_the_missing_extra_is_named_with_its_command() -> None:
    """One line that can be pasted."""
    assert str(MissingExtra("xllamacpp")) == (
        "xllamacpp is not installed; run: python -m pip install 'pipecat-interrupt[local]'"
    )
