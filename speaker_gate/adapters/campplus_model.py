"""The packaged CAM++ speaker embedder as a pyannote `Model`.

Importing this module imports torch and pyannote.audio; only the adapters beside it do so, inside functions.

The architecture file that comes with the weights ends the network in a ReLU after the last batch normalisation.
The published network ends in that batch normalisation alone, and the weights were trained so: with the ReLU half of
every embedding is cut to zero. It is left out here; the error rates with and without are in
docs/metrics/speaker_gate.md.
"""

from __future__ import annotations

import importlib
import importlib.util
from functools import partial
from pathlib import Path
from typing import Any

from speaker_gate.adapters.pyannote_base import load_pyannote
from speaker_gate.adapters.weights import CAMPPLUS_CODE_FILE, CAMPPLUS_FILE, packaged

torch: Any = load_pyannote()

from pyannote.audio.core.model import Model  # noqa: E402  # pyright: ignore[reportMissingImports]
from pyannote.audio.core.task import Problem, Resolution, Specifications  # noqa: E402

StatsPool: Any = importlib.import_module("pyannote.audio.models.blocks.pooling").StatsPool

DIM = 192
MEL_BINS = 80
WINDOW_SAMPLES = 400
STEP_SAMPLES = 160
INT16_SCALE = 32768.0


class CAMPlusPlus(Model):  # pyright: ignore[reportUntypedBaseClass]
    """CAM++ (192 numbers a voice) behind pyannote's `Model` interface, so that weighted pooling works.

    Args:
        sample_rate: Always 16000.
        num_channels: Always 1.
        embedding_size: Always 192 for the packaged weights.
        task: Unused; pyannote passes it.
    """

    def __init__(
        self, sample_rate: int = 16_000, num_channels: int = 1, embedding_size: int = DIM, task: Any = None
    ) -> None:
        super().__init__(sample_rate=sample_rate, num_channels=num_channels, task=task)
        self.save_hyperparameters("sample_rate", "num_channels", "embedding_size")
        self._dim = embedding_size
        self.net = bare_network(embedding_size)
        self.pool = StatsPool()
        kaldi: Any = importlib.import_module("torchaudio.compliance.kaldi")
        self._fbank = partial(
            kaldi.fbank, num_mel_bins=MEL_BINS, dither=0.0, sample_frequency=sample_rate, window_type="hamming"
        )
        self.specifications = Specifications(problem=Problem.REPRESENTATION, resolution=Resolution.CHUNK, duration=5.0)

    @property
    def dimension(self) -> int:
        """Length of the embedding."""
        return self._dim

    def num_frames(self, num_samples: int) -> int:
        """Filter-bank frames of a waveform."""
        return max(0, 1 + (num_samples - WINDOW_SAMPLES) // STEP_SAMPLES)

    def receptive_field_size(self, num_frames: int = 1) -> int:
        """Samples covered by that many frames."""
        return WINDOW_SAMPLES + (num_frames - 1) * STEP_SAMPLES

    def receptive_field_center(self, frame: int = 0) -> int:
        """Sample at the centre of a frame."""
        return WINDOW_SAMPLES // 2 + frame * STEP_SAMPLES

    def forward(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, waveforms: Any, weights: Any = None
    ) -> Any:
        """Embed waveforms.

        Args:
            waveforms: float32 tensor, shape (batch, 1, samples), in [-1, 1], 16 kHz.
            weights: None, or weights of the pooling, shape (batch, frames).

        Returns:
            float32 tensor, shape (batch, embedding_size), not length-normalised.
        """
        features = torch.stack([self._fbank(waveform * INT16_SCALE) for waveform in waveforms])
        features = features - features.mean(dim=1, keepdim=True)
        hidden = self.net.head(features.permute(0, 2, 1))
        for name, layer in self.net.xvector.named_children():
            hidden = self.pool(hidden, weights=weights) if name == "stats" and weights is not None else layer(hidden)
        return hidden


def bare_network(embedding_size: int = DIM) -> Any:
    """Build the CAM++ network without weights, without the stray last ReLU (see the module's head)."""
    path = packaged(CAMPPLUS_CODE_FILE)
    spec = importlib.util.spec_from_file_location("speaker_gate_campplus_architecture", path)
    if spec is None or spec.loader is None:  # pragma: no cover - packaged() has just read the file
        raise RuntimeError(f"cannot read {path}")
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    network = module.CAMPPlus(feat_dim=MEL_BINS, embedding_size=embedding_size, memory_efficient=False)
    last = network.xvector.dense.nonlinear
    for name in [name for name, layer in last.named_children() if isinstance(layer, torch.nn.ReLU)]:
        delattr(last, name)
    return network


def packaged_campplus() -> CAMPlusPlus:
    """Build the model with the packaged weights (a plain state dict: nothing is unpickled)."""
    model = CAMPlusPlus()
    state = torch.load(packaged(CAMPPLUS_FILE), map_location="cpu", weights_only=True)
    model.net.load_state_dict(state)
    model.eval()
    return model


def save_as_checkpoint(model: Any, folder: Path) -> Path:
    """Write a pyannote checkpoint (`pytorch_model.bin`) that pyannote's own loaders take.

    Args:
        model: Any pyannote `Model`.
        folder: Made if needed; an existing checkpoint is overwritten.

    Returns:
        Path of the checkpoint.
    """
    lightning: Any = importlib.import_module("lightning")
    checkpoint: dict[str, Any] = {"state_dict": model.state_dict()}
    model.on_save_checkpoint(checkpoint)
    checkpoint["pytorch-lightning_version"] = lightning.__version__
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "pytorch_model.bin"
    torch.save(checkpoint, path)
    return path
