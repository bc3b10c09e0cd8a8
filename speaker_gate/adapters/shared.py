"""One model for all calls of a process: made once, warmed up, shared.

Owns the process-wide instances. Loading takes seconds with torch and under one with onnxruntime; do it before the
first call, not in it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Literal, TypeVar

from speaker_gate.calibration import CalibrationRecord, shipped_record
from speaker_gate.embedders import Embedder, Segmenter, warm_up
from speaker_gate.errors import CallerError
from speaker_gate.turn import Ears

T = TypeVar("T")
Backend = Literal["onnx", "pyannote"]
BACKENDS: tuple[Backend, ...] = ("onnx", "pyannote")

_lock = threading.Lock()
_embedders: dict[str, Embedder] = {}
_segmenters: dict[str, Segmenter] = {}


def shared_ears(backend: Backend = "onnx", *, segmenter: bool = False, record: CalibrationRecord | None = None) -> Ears:
    """Give the process's ears, loading the models at the first call.

    Args:
        backend: "onnx" (no torch, the live option) or "pyannote" (any pyannote model; torch).
        segmenter: Also load segmentation-3.0 as further evidence.
        record: Calibration; None means the one that ships for the embedder.

    Raises:
        WeightsMissing: No model was found; the message names the fixes.
        ExtraMissing: A package is missing; the message names the install line.
        NoCalibration: No record ships for this embedder and none was given.
        CallerError: There is no such backend.
    """
    if backend not in BACKENDS:
        raise CallerError(f"backend: {backend!r} is none; give one of {', '.join(BACKENDS)}")
    with _lock:
        embedder = _kept(_embedders, backend, lambda: _embedder(backend))
        hears = _kept(_segmenters, backend, lambda: _segmenter(backend)) if segmenter else None
    return Ears(embedder, record or shipped_record(embedder.name), hears)


def forget_shared() -> None:
    """Drop the process's models (tests, and a worker that changes its model)."""
    with _lock:
        _embedders.clear()
        _segmenters.clear()


def _kept(kept: dict[str, T], backend: str, make: Callable[[], T]) -> T:
    if backend not in kept:
        kept[backend] = make()
    return kept[backend]


def _embedder(backend: Backend) -> Embedder:
    if backend == "onnx":
        from speaker_gate.adapters.onnx_embedder import OnnxEmbedder

        made: Embedder = OnnxEmbedder()
    else:
        from speaker_gate.adapters.pyannote_embedder import PyannoteEmbedder

        made = PyannoteEmbedder()
    warm_up(made)
    return made


def _segmenter(backend: Backend) -> Segmenter:
    from speaker_gate.adapters.segmenters import OnnxSegmenter, PyannoteSegmenter

    return OnnxSegmenter() if backend == "onnx" else PyannoteSegmenter()
