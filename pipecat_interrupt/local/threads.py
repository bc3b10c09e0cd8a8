"""Keeps the models of one machine from fighting for its cores."""

from __future__ import annotations

import os

CALM_ENV = {
    "OMP_WAIT_POLICY": "passive",
    "GOMP_SPINCOUNT": "0",
    "KMP_BLOCKTIME": "0",
    "HF_HUB_OFFLINE": "1",
}


def calm_threads(threads: int = 2) -> None:
    """Make OpenMP threads of this process wait asleep, cap their number, and keep model hubs out of reach.

    Call it before anything imports onnxruntime, ctranslate2 or torch: they read these variables once. Threads that spin
    while they wait take the core that another model needs. Variables that are already set are left alone.

    Args:
        threads: Most OpenMP threads a model may use, >= 1.
    """
    for name, value in CALM_ENV.items():
        os.environ.setdefault(name, value)
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, threads)))
