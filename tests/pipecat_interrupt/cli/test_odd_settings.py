"""Variables, addresses, options and paths that cannot be meant: one line with the fix; nothing hangs or is guessed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from pipecat_interrupt.board import RedisFeed
from pipecat_interrupt.cli.app import app
from pipecat_interrupt.cli.kept import open_store
from pipecat_interrupt.cli.log_level import LOG_LEVEL_ENV, log_level
from pipecat_interrupt.cli.serve import JOURNAL_ENV, _config, _journal_sinks
from pipecat_interrupt.cli.targets import check_port
from pipecat_interrupt.errors import SettingsError
from pipecat_interrupt.journal import ChainError
from pipecat_interrupt.journal.addresses import check_redis
from pipecat_interrupt.journal.databases import RedisStreamSink
from pipecat_interrupt.testing.carrier.caller import read_line
from tests.pipecat_interrupt.page.recorded import write_wav

pytestmark = pytest.mark.unit

RUNNER = CliRunner()
NO_REDIS = [
    ("redis://foo:bar/0", "port"),
    ("redis://foo:0/0", "port"),
    ("redis://me:secret@127.0.0.1:99999/0", "port"),
    ("redis://me:secret@127.0.0.1:7399/notanumber", "DB must be a number"),
    ("redis://127.0.0.1:7399/0/1", "DB must be a number"),
    ("rediss://127.0.0.1/-1", "DB must be a number"),
    ("redis://127.0.0.1:7399?db=x", "DB must be a number"),
    ("unix:///run/redis.sock?db=x", "DB must be a number"),
    ("http://127.0.0.1:7399/0", "no address of a Redis server"),
]


@pytest.mark.parametrize(
    ("given", "level"),
    [(None, "INFO"), ("", "INFO"), (" ", "INFO"), ("debug", "DEBUG"), ("Warning", "WARNING"), ("ERROR", "ERROR")],
)
def test_a_log_level_is_taken_in_any_case_and_empty_is_unset(
    monkeypatch: pytest.MonkeyPatch, given: str | None, level: str
) -> None:
    """A supervisor gives an unset variable as an empty one; people type lower case."""
    if given is None:
        monkeypatch.delenv(LOG_LEVEL_ENV, raising=False)
    else:
        monkeypatch.setenv(LOG_LEVEL_ENV, given)

    assert log_level("INFO") == level


def test_a_log_level_that_is_none_is_refused_with_those_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line, not a traceback of the logger's."""
    monkeypatch.setenv(LOG_LEVEL_ENV, "loud")

    with pytest.raises(SettingsError, match=f"{LOG_LEVEL_ENV}=loud: .*DEBUG"):
        log_level("INFO")


@pytest.mark.parametrize(("url", "says"), NO_REDIS)
@pytest.mark.parametrize("use", [check_redis, RedisStreamSink, RedisFeed, open_store])
def test_a_redis_address_that_cannot_be_meant_is_refused(use: Callable[[str], object], url: str, says: str) -> None:
    """The client takes a database that is no number for 0, and would erase from that one. No password is told."""
    if use is open_store and url.startswith("http"):
        says = "not an address"

    with pytest.raises(SettingsError, match=says) as refused:
        use(url)

    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "url", ["redis://127.0.0.1", "redis://127.0.0.1:7399/", "rediss://me:a%2Fb@h:1/15", "unix:///run/r.sock?db=2"]
)
def test_a_redis_address_that_can_be_meant_is_taken(url: str) -> None:
    """With and without port, database, password."""
    check_redis(url)


def test_the_journals_address_is_called_by_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before a call comes, not in it."""
    monkeypatch.setenv(JOURNAL_ENV, "redis://foo:bar/xx")

    with pytest.raises(SettingsError, match=f"{JOURNAL_ENV}: the port"):
        _journal_sinks()


@pytest.mark.parametrize(
    "command",
    [["page"], ["page", "--audio"], ["journal", "verify"], ["journal", "show"], ["journal", "export", "--out", "x"]],
    ids=" ".join,
)
@pytest.mark.parametrize("kind", ["fifo", "device"])
def test_what_could_be_read_for_ever_is_refused_at_once(tmp_path: Path, command: list[str], kind: str) -> None:
    """A pipe nobody writes to, a device without an end."""
    path = tmp_path / "j.jsonl"
    os.mkfifo(path) if kind == "fifo" else path.symlink_to("/dev/zero")
    if command[-1] == "--audio":
        journal = tmp_path / "call.jsonl"
        journal.write_text("", encoding="utf-8")
        command = ["page", str(journal), "--audio"]

    done = RUNNER.invoke(app, [*command, str(path)])

    assert isinstance(done.exception, ChainError | SettingsError), done.output
    assert "a pipe, a device" in str(done.exception)


def test_port_0_is_a_real_port_before_anything_is_announced() -> None:
    """The webhook's address and the stream's are made of it."""
    assert check_port("127.0.0.1", 0) > 0


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"limits": {"drain_s": -1}}, "--drain-s -1: input should be"),
        ({"limits": {"drain_s": float("nan")}}, "--drain-s nan: "),
        ({"limits": {"calls_max": 100_000}}, "--calls-max 100000: "),
    ],
)
def test_an_option_out_of_range_is_called_as_it_is_typed(settings: dict, says: str) -> None:
    """Not by the field it fills."""
    with pytest.raises(SettingsError, match=f"^{says}"):
        _config({"unsigned": True, **settings})


@pytest.mark.parametrize("at", ["-3", "nan", "inf", "soon"])
def test_a_caller_cuts_in_at_a_time_there_is(tmp_path: Path, at: str) -> None:
    """Refused before anybody is called."""
    clip = tmp_path / "clip.wav"
    write_wav(clip, np.zeros((800, 2), np.int16))

    with pytest.raises(ValueError, match="from 0 on"):
        read_line(f"{clip}@{at}")
    assert RUNNER.invoke(app, ["call-simulator", "http://127.0.0.1:9/x", "--seconds", "inf"]).exit_code == 2
