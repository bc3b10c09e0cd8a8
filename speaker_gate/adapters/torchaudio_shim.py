"""Lets torchaudio be imported beside a torch build its compiled part was not linked for.

pyannote uses only torchaudio's pure Python parts (Kaldi filter banks, resampling). Where the plain import works,
nothing is touched.
"""

from __future__ import annotations

import importlib
import sys
import types
from typing import Any

EXTENSION = "torchaudio._extension"


def ensure_torchaudio() -> str:
    """Import torchaudio, with a stand-in for its compiled part only if the plain import fails.

    Returns:
        "native" when the plain import worked, "shim" when the stand-in was needed.

    Raises:
        ModuleNotFoundError: torchaudio is not installed at all.
    """
    try:
        importlib.import_module("torchaudio")
    except ModuleNotFoundError:
        raise
    except (OSError, ImportError, RuntimeError):
        _install_stand_in()
        importlib.import_module("torchaudio")
        return "shim"
    return "shim" if getattr(sys.modules.get(EXTENSION), "speaker_gate_stand_in", False) else "native"


def _install_stand_in() -> None:
    for name in [name for name in sys.modules if name.split(".")[0] == "torchaudio"]:
        del sys.modules[name]
    stand_in: Any = types.ModuleType(EXTENSION)
    stand_in.__path__ = []
    stand_in.speaker_gate_stand_in = True
    stand_in._IS_TORCHAUDIO_EXT_AVAILABLE = False
    stand_in._IS_ALIGN_AVAILABLE = False
    stand_in._IS_RIR_AVAILABLE = False
    stand_in._check_cuda_version = lambda: None
    stand_in._load_lib = _not_loaded
    stand_in.fail_if_no_align = _unavailable
    sys.modules[EXTENSION] = stand_in


def _not_loaded(library: str) -> bool:
    del library
    return False


def _unavailable(function: Any) -> Any:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(f"torchaudio.{getattr(function, '__name__', 'function')} needs torchaudio's compiled part")

    return refuse
