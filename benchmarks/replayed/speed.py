"""How fast a recording is replayed when it must be transcribed first: real voices, laid out as a stereo call."""

from __future__ import annotations

import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import soundfile
import soxr

from benchmarks.errors import BenchmarkError
from benchmarks.figures import Figure
from pipecat_interrupt.replay.calls import replay_files
from pipecat_interrupt.replay.inputs import CallInput
from pipecat_interrupt.replay.recognise import WhisperRecogniser
from pipecat_interrupt.replay.values import RATE_HZ

TURNS = 8
GAP_S = 0.6


def stt_figures(voices: Path) -> list[Figure]:
    """Time one stereo call of two real voices, reading, transcribing and replaying apart from loading the model."""
    folders = sorted(p for p in (voices / "librispeech_test_other").glob("*") if p.is_dir())
    if len(folders) < 2:
        raise BenchmarkError(f"two speakers are needed in {voices.name}/librispeech_test_other")
    ear = WhisperRecogniser()
    with TemporaryDirectory() as place:
        path = Path(place) / "call.wav"
        seconds = _stereo(path, sorted(folders[0].glob("*")), sorted(folders[1].glob("*")))
        started_s, cpu_s = time.perf_counter(), time.process_time()
        replay_files(CallInput("call", path), None, recogniser=lambda: ear)
        took_s, used_s = time.perf_counter() - started_s, time.process_time() - cpu_s
    group = {"stt": ear.name}
    return [
        Figure(name="x_real_time_per_core", value=seconds / used_s, n=1, group=dict(group)),
        Figure(name="x_real_time_wall", value=seconds / took_s, n=1, group=dict(group)),
        Figure(name="call_s", value=seconds, n=1, group=dict(group)),
    ]


def _stereo(path: Path, left: list[Path], right: list[Path]) -> float:
    """Let two voices take turns, one channel each."""
    gap = np.zeros(int(GAP_S * RATE_HZ), dtype=np.float32)
    sides: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
    for turn in range(TURNS):
        files = (left, right)[turn % 2]
        samples, rate = soundfile.read(files[(turn // 2) % len(files)], dtype="float32")
        clip = np.concatenate([soxr.resample(samples, rate, RATE_HZ), gap])
        sides[turn % 2].append(clip)
        sides[1 - turn % 2].append(np.zeros_like(clip))
    stereo = np.stack([np.concatenate(side) for side in sides], axis=1)
    soundfile.write(path, stereo, RATE_HZ, subtype="PCM_16")
    return len(stereo) / RATE_HZ
