"""The one door to pyannote.audio: telemetry off first, one thread, vendor errors kept inside.

Every other adapter reaches pyannote through `load_pyannote`; nothing else may import it.
"""

from __future__ import annotations

import os
import threading
import warnings
from typing import Any

from speaker_gate.adapters.torchaudio_shim import ensure_torchaudio
from speaker_gate.adapters.weights import SPEAKER_INSTALL
from speaker_gate.errors import ExtraMissing

TELEMETRY_ENV = "PYANNOTE_METRICS_ENABLED"
THREADS = 1
"""Torch threads in this process. Two threads on two busy cores made one embedding 3 to 11 times slower."""

_lock = threading.Lock()


def load_pyannote() -> Any:
    """Import pyannote.audio with its telemetry switched off, and return the `torch` module beside it.

    The switch is set before the import and overrides the environment: calls may carry clinical data.

    Raises:
        ExtraMissing: torch, torchaudio or pyannote.audio is not installed; names the install line.
    """
    with _lock:
        os.environ[TELEMETRY_ENV] = "false"
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        try:
            import torch

            ensure_torchaudio()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                import pyannote.audio  # noqa: F401  # pyright: ignore[reportUnusedImport]
        except ModuleNotFoundError as error:
            raise ExtraMissing(error.name or "pyannote.audio", SPEAKER_INSTALL) from error
        if torch.get_num_threads() != THREADS:
            torch.set_num_threads(THREADS)
        return torch


def telemetry_is_off() -> bool:
    """Say whether pyannote's own telemetry switch reads off in this process."""
    load_pyannote()
    from pyannote.audio.telemetry.metrics import is_metrics_enabled

    return not is_metrics_enabled()
