"""Who speaks when, by anonymous voices: pyannote's segmentation-3.0, through pyannote or through onnxruntime.

Owns the reading of its powerset output (three voices, at most two at once).
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from speaker_gate.adapters.onnx_export import SEGMENTER_FILE, checked, export_segmenter, exported, name_of
from speaker_gate.adapters.weights import SEGMENTATION_FILE, SEGMENTATION_NAME, packaged, sha256_of, verified
from speaker_gate.embedders import MODEL_RATE_HZ, Samples, SpeakerActivity
from speaker_gate.errors import WeightsUnreadable
from speaker_gate.vectors import speechless

POWERSET = ((), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2))
"""Voices active in each class of segmentation-3.0, in the order of its output."""

VOICES = 3
STEP_S = 270 / MODEL_RATE_HZ
"""Seconds from one output frame to the next (the model's own stride of 270 samples)."""

MIN_SECONDS = 0.5
MAX_SECONDS = 10.0
"""The model was made for stretches of 10 s; longer input is cut to its end."""


PROBE = np.zeros(MODEL_RATE_HZ, dtype=np.float32)
"""What a model is tried on when it is loaded: another kind of model would fail in every turn of every call."""


def checked_scores(class_scores: NDArray[np.floating[Any]]) -> NDArray[np.floating[Any]]:
    """Give back scores of shape (frames, 7).

    Raises:
        ValueError: They have another shape: the model is of another kind.
    """
    if class_scores.ndim != 2 or class_scores.shape[1] != len(POWERSET):
        raise ValueError(f"scores of shape {class_scores.shape}")
    return class_scores


@contextmanager
def _readable(file: Path) -> Generator[None]:
    try:
        yield
    except Exception as error:  # a damaged file or another kind of model: pickle, zip, torch, onnxruntime, shapes
        raise WeightsUnreadable(
            f"{file} is not a model that segments voices as segmentation-3.0 does ({type(error).__name__}); name "
            "another file, or none for the packaged one"
        ) from error


def activity_of(class_scores: NDArray[np.floating[Any]]) -> SpeakerActivity:
    """Read the powerset output: scores of shape (frames, 7) give who is active in each frame."""
    table = np.zeros((len(POWERSET), VOICES), dtype=np.bool_)
    for index, voices in enumerate(POWERSET):
        table[index, list(voices)] = True
    return SpeakerActivity(active=table[np.argmax(class_scores, axis=1)], step_s=STEP_S)


class PyannoteSegmenter:
    """Segmentation-3.0 through pyannote's own `Model.from_pretrained`.

    Args:
        path: A checkpoint; None means the packaged one.
        sha256: Pin of that checkpoint; needed when `path` is given (opening a checkpoint runs code).

    Raises:
        WeightsMissing: No such checkpoint.
        WeightsUntrusted: No pin, or another hash.
        WeightsUnreadable: The file is no model, or none that tells three voices apart as segmentation-3.0 does.
        ExtraMissing: torch or pyannote.audio is not installed.
    """

    def __init__(self, path: str | Path | None = None, *, sha256: str | None = None) -> None:
        from speaker_gate.adapters.pyannote_base import load_pyannote

        self._torch = load_pyannote()
        file = packaged(SEGMENTATION_FILE) if path is None else verified(Path(path), sha256)
        pyannote: Any = importlib.import_module("pyannote.audio")
        self._lock = threading.Lock()
        with _readable(file):
            self._model: Any = pyannote.Model.from_pretrained(str(file))
            self._model.eval()
            self._scores(PROBE)
        self._name = SEGMENTATION_NAME if path is None else f"{file.stem}@{sha256_of(file)[:8]}"

    @property
    def name(self) -> str:
        """Stable id of the weights."""
        return self._name

    def activity(self, samples: Samples) -> SpeakerActivity | None:
        """Segment one stretch; see `speaker_gate.embedders.Segmenter.activity`."""
        if speechless(samples, MIN_SECONDS, MODEL_RATE_HZ):
            return None
        cut = np.ascontiguousarray(samples[-int(MAX_SECONDS * MODEL_RATE_HZ) :], dtype=np.float32)
        return activity_of(self._scores(cut))

    def _scores(self, cut: Samples) -> NDArray[np.floating[Any]]:
        with self._lock, self._torch.inference_mode():
            scores = self._model(self._torch.from_numpy(cut.copy())[None, None])
        return checked_scores(np.asarray(scores[0].numpy()))


class OnnxSegmenter:
    """The same model through onnxruntime: no torch.

    Args:
        path: An exported model; None means the export of the packaged one, made on the spot if torch is at hand.
        sha256: Pin of the file; None takes the pin from the manifest beside it, if there is one.

    Raises:
        WeightsMissing: No such file, and it cannot be exported here.
        WeightsUntrusted: The file is not the pinned one.
        WeightsUnreadable: The file is no model, or none that tells three voices apart as segmentation-3.0 does.
        ExtraMissing: onnxruntime is not installed.
    """

    def __init__(self, path: str | Path | None = None, *, sha256: str | None = None) -> None:
        from speaker_gate.adapters.onnx_embedder import open_session

        file = checked(Path(path) if path is not None else exported(SEGMENTER_FILE, export_segmenter), sha256)
        self._session = open_session(file)
        with _readable(file):
            self._scores(PROBE)
        self._name = name_of(file)

    @property
    def name(self) -> str:
        """Stable id of the weights; the same as through pyannote."""
        return self._name

    def activity(self, samples: Samples) -> SpeakerActivity | None:
        """Segment one stretch; see `speaker_gate.embedders.Segmenter.activity`."""
        if speechless(samples, MIN_SECONDS, MODEL_RATE_HZ):
            return None
        cut = np.ascontiguousarray(samples[-int(MAX_SECONDS * MODEL_RATE_HZ) :], dtype=np.float32)
        return activity_of(self._scores(cut))

    def _scores(self, cut: Samples) -> NDArray[np.floating[Any]]:
        return checked_scores(self._session.run(["powerset"], {"waveform": cut[None, None]})[0][0])
