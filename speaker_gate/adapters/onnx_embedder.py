"""Speaker embeddings without torch: onnxruntime and Kaldi filter banks. The adapter for live workers."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from speaker_gate.adapters.onnx_export import EMBEDDER_FILE, checked, export_embedder, exported, name_of
from speaker_gate.adapters.weights import MODEL_ENV, MODEL_SHA256_ENV, ONNX_INSTALL
from speaker_gate.embedders import EMBED_SECONDS_MAX, MODEL_RATE_HZ, Samples, Vector
from speaker_gate.errors import ExtraMissing, WeightsUnreadable
from speaker_gate.vectors import finite_unit, speechless

MEL_BINS = 80
MIN_SECONDS = 0.3
THREADS = 1
ONNX_SUFFIX = ".onnx"


def open_session(path: Path) -> Any:
    """Open a model with one thread.

    Raises:
        ExtraMissing: onnxruntime is not installed.
        WeightsUnreadable: The file is no model.
    """
    try:
        onnxruntime: Any = importlib.import_module("onnxruntime")
    except ModuleNotFoundError as error:
        raise ExtraMissing("onnxruntime", ONNX_INSTALL) from error
    options: Any = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.inter_op_num_threads = THREADS
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the runtime has an error type for each way a file can be broken
        raise unreadable(path, error) from error


def unreadable(path: Path, error: Exception) -> WeightsUnreadable:
    """Say which file is no model this can run, and what to do."""
    return WeightsUnreadable(
        f"{path} is not a model that can be run here ({type(error).__name__}); name another file, or delete it and "
        "export it again with `pipecat-interrupt gate export`"
    )


class OnnxEmbedder:
    """Embeds with onnxruntime: fast to start, small, no torch. Runs from many threads at once.

    Args:
        path: An .onnx file with input `feats` (batch, frames, 80) and output `embs`; None means the .onnx file that
            the environment names (`SPEAKER_GATE_MODEL`; models of other kinds need torch and are not looked at), else
            the export of the packaged CAM++, made on the spot if torch is at hand.
        sha256: Pin of the file; None takes the pin from the manifest beside it, if there is one.

    Raises:
        WeightsMissing: No such file, and it cannot be exported here.
        WeightsUntrusted: The file is not the pinned one.
        WeightsUnreadable: The file is no model, or one with other inputs.
        ExtraMissing: onnxruntime or kaldi-native-fbank is not installed.
    """

    def __init__(self, path: str | Path | None = None, *, sha256: str | None = None) -> None:
        try:
            import kaldi_native_fbank
        except ModuleNotFoundError as error:
            raise ExtraMissing("kaldi-native-fbank", ONNX_INSTALL) from error
        if path is None and (named := os.environ.get(MODEL_ENV, "")).endswith(ONNX_SUFFIX):
            path, sha256 = named, sha256 or os.environ.get(MODEL_SHA256_ENV)
        file = checked(Path(path) if path is not None else exported(EMBEDDER_FILE, export_embedder), sha256)
        self._session = open_session(file)
        self._fbank: Any = kaldi_native_fbank
        self._options = _fbank_options(kaldi_native_fbank)
        self._name = name_of(file)
        try:
            self._dim = len(self._run(np.zeros((1, 100, MEL_BINS), dtype=np.float32))[0])
        except Exception as error:  # a model of another kind: no `feats`, no `embs`, or other shapes
            raise unreadable(file, error) from error

    @property
    def name(self) -> str:
        """Stable id of the weights; the same as through pyannote."""
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
        features = self.features(samples[: int(EMBED_SECONDS_MAX * MODEL_RATE_HZ)])
        return finite_unit(self._run(features[None])[0])

    def embed_batch(self, batch: Sequence[Samples]) -> list[Vector | None]:
        """Embed several stretches one after the other (batching gained nothing measurable on a CPU)."""
        return [self.embed(samples) for samples in batch]

    def features(self, samples: Samples) -> NDArray[np.float32]:
        """Kaldi filter banks, mean-normalised over the stretch: float32, shape (frames, 80)."""
        bank = self._fbank.OnlineFbank(self._options)
        bank.accept_waveform(MODEL_RATE_HZ, np.ascontiguousarray(samples * 32768.0, dtype=np.float32))
        bank.input_finished()
        frames = np.stack([bank.get_frame(index) for index in range(bank.num_frames_ready)])
        return (frames - frames.mean(axis=0, keepdims=True)).astype(np.float32)

    def _run(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        return self._session.run(["embs"], {"feats": features})[0]


def _fbank_options(package: Any) -> Any:
    """Same front end as pyannote's ONNX class: 80 bins, hamming, 25/10 ms, no dither, whole frames only."""
    options = package.FbankOptions()
    options.frame_opts.samp_freq = MODEL_RATE_HZ
    options.frame_opts.dither = 0.0
    options.frame_opts.window_type = "hamming"
    options.frame_opts.snip_edges = True
    options.mel_opts.num_bins = MEL_BINS
    options.energy_floor = 0.0
    return options
