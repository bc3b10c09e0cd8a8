"""Which room may import what; import-linter holds the same arrows, this holds the finer rules."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("obligations", "speaker_gate", "pipecat_interrupt")
HEAVY = {"torch", "torchaudio", "pyannote", "faster_whisper", "redis", "deepgram", "opentelemetry"}


def _imports(path: Path) -> list[tuple[int, str, bool]]:
    """Every import of a file: line, top-level package, and whether it runs when the module is imported."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: list[tuple[int, str, bool]] = []

    def walk(node: ast.AST, at_import: bool) -> None:
        for child in ast.iter_child_nodes(node):
            deferred = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            typing_only = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test)
            if isinstance(child, ast.Import):
                found.extend((child.lineno, a.name.split(".")[0], at_import) for a in child.names)
            elif isinstance(child, ast.ImportFrom) and child.level == 0 and child.module:
                found.append((child.lineno, child.module.split(".")[0], at_import))
            walk(child, at_import and not deferred and not typing_only)

    walk(tree, True)
    return found


def _files(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


@pytest.mark.parametrize("room", ["obligations", "speaker_gate"])
def test_a_domain_room_never_names_pipecat_or_its_sibling(room: str) -> None:
    """Not even inside a function: a domain room works without Pipecat installed."""
    sibling = "speaker_gate" if room == "obligations" else "obligations"
    forbidden = {"pipecat", "pipecat_interrupt", "benchmarks", sibling}

    offences = [f"{p.relative_to(ROOT)}:{n} {m}" for p in _files(room) for n, m, _ in _imports(p) if m in forbidden]

    assert offences == []


@pytest.mark.parametrize("room", ROOMS)
def test_heavy_packages_are_never_imported_with_a_room(room: str) -> None:
    """Outside adapters a heavy package is imported where it is used, inside a function, so importing stays cheap."""
    offences = [
        f"{p.relative_to(ROOT)}:{n} {m}"
        for p in _files(room)
        if "adapters" not in p.relative_to(ROOT).parts
        for n, m, at_import in _imports(p)
        if at_import and m in HEAVY
    ]

    assert offences == []


@pytest.mark.parametrize("room", ["obligations", "speaker_gate"])
def test_only_adapters_of_a_domain_room_touch_heavy_packages(room: str) -> None:
    """The pure part of a room has no way to reach a model, a server or a vendor."""
    vendors = HEAVY | {"openai", "onnxruntime", "kaldi_native_fbank", "cryptography", "httpx", "aiosqlite", "sqlite3"}

    offences = [
        f"{p.relative_to(ROOT)}:{n} {m}"
        for p in _files(room)
        if "adapters" not in p.relative_to(ROOT).parts
        for n, m, _ in _imports(p)
        if m in vendors
    ]

    assert offences == []


@pytest.mark.parametrize(
    ("room", "absent"),
    [
        ("obligations", "pipecat pipecat_interrupt openai torch pyannote faster_whisper redis deepgram"),
        ("speaker_gate", "pipecat pipecat_interrupt torch pyannote onnxruntime faster_whisper redis deepgram"),
        ("pipecat_interrupt", "torch pyannote faster_whisper redis deepgram"),
    ],
)
def test_importing_a_room_loads_none_of_the_heavy_packages(room: str, absent: str) -> None:
    """Measured in a fresh interpreter, so that what this test session loaded does not count."""
    code = f"import sys, {room}; print([m for m in {absent.split()!r} if m in sys.modules])"

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=60, check=True
    )

    assert done.stdout.strip().splitlines()[-1] == "[]"
