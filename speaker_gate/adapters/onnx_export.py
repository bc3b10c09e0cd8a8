"""Exports the packaged models to ONNX once, into a cache folder, with a manifest that pins the result.

Owns the cache folder and the manifests. Needs torch only while exporting.
"""

from __future__ import annotations

import importlib
import json
import os
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from speaker_gate.adapters.weights import (
    CAMPPLUS_FILE,
    CAMPPLUS_NAME,
    PINNED_SHA256,
    SEGMENTATION_FILE,
    SEGMENTATION_NAME,
    packaged,
    sha256_of,
    verified,
)
from speaker_gate.errors import ExtraMissing, WeightsMissing

CACHE_ENV = "SPEAKER_GATE_CACHE"
EXPORT_VERSION = 1
"""Raise when an exported graph changes: older files are then made anew."""

EMBEDDER_FILE = f"campplus-{PINNED_SHA256[CAMPPLUS_FILE][:8]}-v{EXPORT_VERSION}.onnx"
SEGMENTER_FILE = f"segmentation-{PINNED_SHA256[SEGMENTATION_FILE][:8]}-v{EXPORT_VERSION}.onnx"
OPSET = 14

_NAMES = {PINNED_SHA256[CAMPPLUS_FILE]: CAMPPLUS_NAME, PINNED_SHA256[SEGMENTATION_FILE]: SEGMENTATION_NAME}


def cache_folder() -> Path:
    """Folder of exported models: env `SPEAKER_GATE_CACHE`, else the user's cache folder."""
    if folder := os.environ.get(CACHE_ENV):
        return Path(folder)
    from platformdirs import user_cache_path

    return user_cache_path("speaker_gate")


def export_embedder(target: Path | None = None) -> Path:
    """Export the packaged CAM++. Needs torch, pyannote.audio and onnx; written whole or not at all.

    Args:
        target: Where to write; None means the cache folder.

    Raises:
        WeightsMissing: The packaged weights are not installed.
        ExtraMissing: torch, pyannote.audio or onnx is not installed.
    """

    def draft(torch: Any, path: Path) -> None:
        from speaker_gate.adapters.campplus_model import MEL_BINS, packaged_campplus

        axes = {"feats": {0: "batch", 1: "frames"}, "embs": {0: "batch"}}
        _export(torch, packaged_campplus().net.eval(), torch.zeros(1, 200, MEL_BINS), path, ("feats", "embs"), axes)

    return _write(target or cache_folder() / EMBEDDER_FILE, PINNED_SHA256[CAMPPLUS_FILE], draft)


def export_segmenter(target: Path | None = None) -> Path:
    """Export the packaged segmentation-3.0; as `export_embedder`."""

    def draft(torch: Any, path: Path) -> None:
        pyannote: Any = importlib.import_module("pyannote.audio")
        model = pyannote.Model.from_pretrained(str(packaged(SEGMENTATION_FILE)))
        axes = {"waveform": {2: "samples"}, "powerset": {1: "frames"}}
        _export(torch, model.eval(), torch.zeros(1, 1, 80_000), path, ("waveform", "powerset"), axes)

    return _write(target or cache_folder() / SEGMENTER_FILE, PINNED_SHA256[SEGMENTATION_FILE], draft)


def exported(file: str, export: Callable[[Path], Path]) -> Path:
    """Find an exported model in the cache folder, exporting it first where torch is at hand.

    Raises:
        WeightsMissing: It is not there and cannot be exported here.
    """
    path = cache_folder() / file
    if path.is_file():
        return path
    try:
        return export(path)
    except ExtraMissing as error:
        raise WeightsMissing(
            f"no exported model at {path}, and it cannot be exported here ({error}); export it once where torch is "
            f"installed (pipecat-interrupt gate export) and copy the file with its .json, or set {CACHE_ENV}"
        ) from error


def manifest_of(onnx_path: Path) -> dict[str, Any]:
    """Read the manifest beside an exported model; empty where there is none."""
    try:
        return dict(json.loads(onnx_path.with_suffix(".json").read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return {}


def checked(path: Path, sha256: str | None) -> Path:
    """Check a model file against the given pin, else against its manifest, else only that it is there."""
    pin = sha256 or manifest_of(path).get("onnx_sha256")
    if pin is not None:
        return verified(path, str(pin))
    if not path.is_file():
        raise WeightsMissing(f"no model at {path}")
    return path


def name_of(path: Path) -> str:
    """Name of the weights in an .onnx file: the packaged ones where its manifest says so, else stem and hash."""
    manifest, actual = manifest_of(path), sha256_of(path)
    known = _NAMES.get(str(manifest.get("source_sha256")))
    return known if known and manifest.get("onnx_sha256") == actual else f"{path.stem}@{actual[:8]}"


def _export(torch: Any, model: Any, example: Any, path: Path, names: tuple[str, str], axes: dict[str, Any]) -> None:
    torch.onnx.export(
        model,
        (example,),
        str(path),
        input_names=[names[0]],
        output_names=[names[1]],
        dynamic_axes=axes,
        opset_version=OPSET,
        dynamo=False,
    )


def _write(path: Path, source_sha256: str, draft: Callable[[Any, Path], None]) -> Path:
    from speaker_gate.adapters.pyannote_base import load_pyannote

    torch = load_pyannote()
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the tracing exporter announces its successor on every call
        made = Path(folder) / path.name
        try:
            draft(torch, made)
        except ModuleNotFoundError as error:
            raise ExtraMissing(error.name or "onnx", "pip install onnx") from error
        manifest = {"source_sha256": source_sha256, "onnx_sha256": sha256_of(made), "version": EXPORT_VERSION}
        note = Path(folder) / "manifest.json"
        note.write_text(json.dumps(manifest), encoding="utf-8")
        os.replace(made, path)
        os.replace(note, path.with_suffix(".json"))
    return path
