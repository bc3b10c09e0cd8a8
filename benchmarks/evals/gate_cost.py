"""What the speaker gate costs: milliseconds a decision, share of a core, cold start, memory, against the naive way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.errors import BadOption
from benchmarks.evals.change_trials import enrolled_gate
from benchmarks.evals.voice_scores import NARROW, WIDE, ears_of, test_speakers
from benchmarks.figures import EvalOptions, Figure, GroupValue, rate
from speaker_gate.audio import over_telephone, speech_of
from speaker_gate.embedders import MODEL_RATE_HZ, Embedder, Samples
from speaker_gate.facts import Voice
from speaker_gate.gate import CallGate
from speaker_gate.trials import SpeakerClips, through_band
from speaker_gate.turn import Ears

KIND = "gate-cost"
NEEDS_DATA = True
DATA_HELP = "a folder of speakers, as for `voices`"
OPTIONS = frozenset({"embedder", "record", "segmenter", "turns", "starts", "only"})
PACKAGES = ("onnxruntime", "kaldi-native-fbank", "numpy", "pyannote.audio", "torch")

TURN_S = 4.0
STEP_S = 0.25
ENROL_S = 4.0
NAIVE_WINDOW_S, NAIVE_HOP_S = 1.0, 0.25
SPEAKING_SHARE = 0.4
"""Share of a call in which the caller speaks; for calls a core. An assumption, not a measurement."""

_START = """
import json, sys, time
started = time.perf_counter()
import numpy as np
from speaker_gate.adapters.shared import shared_ears
ears = shared_ears(sys.argv[1])
ready = time.perf_counter() - started
ears.embedder.embed(np.random.default_rng(0).standard_normal(32000).astype("float32") * 0.05)
first = time.perf_counter() - started
status = open("/proc/self/status").read()
rss = int(status.split("VmRSS:")[1].split()[0]) / 1024
peak = int(status.split("VmHWM:")[1].split()[0]) / 1024  # of this program; ru_maxrss would count its parent's too
print(json.dumps({"ready_s": ready, "first_s": first, "rss_mb": rss, "peak_mb": peak, "torch": "torch" in sys.modules}))
"""


def run(options: EvalOptions) -> list[Figure]:
    """Measure on one thread; wall-clock figures say how busy the machine was in the results file.

    Options:
        embedder: onnx (default) or pyannote, for the decisions.
        record: A calibration record to use instead of the shipped one.
        segmenter: true adds segmentation-3.0.
        turns: Turns streamed a band and speaker (default 20).
        starts: Cold starts measured a backend (default 3).
        only: `decisions` leaves out the naive way, memory and cold starts: for more turns in the same time.
            `compared` leaves out memory and cold starts alone.
    """
    extra = options.extra
    only = str(extra.get("only", ""))
    if only not in ("", "decisions", "compared"):
        raise BadOption(f"only is decisions or compared, not {only!r}")
    ears = ears_of(extra)
    speakers = test_speakers(options.data or Path(), speech_s=ENROL_S + TURN_S)
    turns = options.whole("turns", 20)
    figures: list[Figure] = []
    for band in (WIDE, NARROW):
        figures += decisions(ears, speakers, band, turns)
    if only == "decisions":
        return figures
    figures += naive(ears.embedder, speakers, turns)
    figures += ratios(figures)
    if only:
        return figures
    figures += memory_per_call(ears, speakers)
    for backend in ("onnx", "pyannote"):
        figures += cold_start(backend, options.whole("starts", 3))
    return figures


def decisions(ears: Ears, speakers: Sequence[SpeakerClips], band: str, turns: int) -> list[Figure]:
    """Stream turns of the patient and of another person; count time a decision, CPU a second of speech, latency.

    `judged: growing` judges each quarter second, as while the agent can be heard; `judged: at_end` judges a turn once,
    as the pipeline does with all other turns. A verdict's time after the onset is the sound heard by then and the
    computing of that judgement; `verdict_after_sound_s` is the sound alone, which a busy machine does not change.
    """
    wall_ms: list[float] = []
    cpu_s, speech_s, vectors, end_cpu_s = 0.0, 0.0, 0, 0.0
    latency: dict[str, list[tuple[float, float]]] = {"primary": [], "third_party": []}
    for number in range(turns):
        first, second = speakers[number % len(speakers)], speakers[(number + 1) % len(speakers)]
        enrolment, own = _cut(first)
        for who, sound in (("primary", own), ("third_party", _cut(second)[1])):
            gate = enrolled_gate(ears, speech_of(through_band(enrolment, band == NARROW)).samples, band == NARROW)
            before = time.process_time()
            decided, spent = _stream(gate, sound, band == NARROW, Voice(who), wall_ms)
            cpu_s += time.process_time() - before
            speech_s += spent[0]
            vectors += int(spent[1])
            before = time.process_time()
            _at_end(gate, sound, band == NARROW)
            end_cpu_s += time.process_time() - before
            if decided is not None:
                latency[who].append(decided)
    group: dict[str, GroupValue] = {"band": band, "system": "ours"}
    figures = [
        _spread("decision_ms_median", wall_ms, group, 0.5),
        _spread("decision_ms_p95", wall_ms, group, 0.95),
        Figure(name="vectors_per_speech_s", value=vectors / max(speech_s, 1e-9), n=2 * turns, group=group),
    ]
    for judged, spent_s in (("growing", cpu_s), ("at_end", end_cpu_s)):
        share = spent_s / max(speech_s, 1e-9)
        place: dict[str, GroupValue] = {**group, "judged": judged}
        calls = 1.0 / max(share * SPEAKING_SHARE, 1e-9)
        figures.append(Figure(name="cpu_s_per_speech_s", value=share, n=2 * turns, group=place))
        figures.append(Figure(name="calls_per_core", value=calls, n=2 * turns, group=place))
    for who, values in latency.items():
        of: dict[str, GroupValue] = {"band": band, "speaker": who}
        after = {"verdict_after_onset_s": [sum(one) for one in values], "verdict_after_sound_s": [s for s, _ in values]}
        for name, seconds in after.items():
            figures.append(_spread(f"{name}_median", seconds, of, 0.5))
            figures.append(_spread(f"{name}_p95", seconds, of, 0.95))
        figures.append(rate("decided_within_turn_rate", len(values), turns, of))
    return figures


def _at_end(gate: CallGate, sound: Samples, narrow: bool) -> None:
    """Judge a turn once, when it is over."""
    gate.begin_turn(0.0, 8_000 if narrow else MODEL_RATE_HZ)
    gate.hear(over_telephone(sound) if narrow else sound)
    gate.end_turn(len(sound) / MODEL_RATE_HZ)


def ratios(figures: Sequence[Figure]) -> list[Figure]:
    """CPU of ours as a multiple of the naive way's in this very run: load and machine fall out."""
    cpu = [figure for figure in figures if figure.name == "cpu_s_per_speech_s" and figure.value is not None]
    base = next((figure.value for figure in cpu if figure.group.get("system") == "naive"), None)
    ours = [figure for figure in cpu if figure.group.get("system") == "ours"]
    if not base:
        return []
    return [
        Figure(name="cpu_ratio_to_naive", value=(figure.value or 0.0) / base, n=figure.n, group=figure.group)
        for figure in ours
    ]


def memory_per_call(ears: Ears, speakers: Sequence[SpeakerClips], calls: int = 20) -> list[Figure]:
    """Memory that one more call takes: a gate with an enrolment and an open turn of four seconds, judged once.

    Traced allocations, not resident memory: that grows by pages freed before.
    """
    sounds = [_cut(speakers[number % len(speakers)]) for number in range(calls)]
    gates: list[CallGate] = []
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for enrolment, own in sounds:
        gate = enrolled_gate(ears, enrolment, False)
        gate.begin_turn(0.0, MODEL_RATE_HZ)
        gate.hear(own.copy())
        gate.update()
        gates.append(gate)
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return [Figure(name="memory_mb_per_call", value=(after - before) / 2**20 / len(gates), n=calls, group={})]


def _stream(
    gate: CallGate, sound: Samples, narrow: bool, right: Voice, wall_ms: list[float]
) -> tuple[tuple[float, float] | None, tuple[float, int]]:
    """Send a turn; give when the right voice was first decided (sound heard, computing) and what it took."""
    rate_hz = 8_000 if narrow else MODEL_RATE_HZ
    samples = over_telephone(sound) if narrow else sound
    gate.begin_turn(0.0, rate_hz)
    decided: tuple[float, float] | None = None
    step = int(STEP_S * rate_hz)
    for at in range(0, len(samples), step):
        gate.hear(samples[at : at + step])
        started = time.perf_counter()
        verdict = gate.update()
        took = time.perf_counter() - started
        wall_ms.append(1000 * took)
        if decided is None and verdict.voice is right:
            decided = ((at + step) / rate_hz, took)
    final = gate.end_turn(len(samples) / rate_hz)
    return decided, (final.speech_s, final.vectors_made)


def naive(embedder: Embedder, speakers: Sequence[SpeakerClips], turns: int) -> list[Figure]:
    """The naive way on the same turns: pyannote's embedder on every one-second window, four a second."""
    from speaker_gate.adapters.pyannote_embedder import PyannoteEmbedder

    del embedder
    pyannote = PyannoteEmbedder()
    pyannote.embed(_cut(speakers[0])[1])
    wall_ms: list[float] = []
    cpu_s, speech_s = 0.0, 0.0
    for number in range(turns):
        sound = _cut(speakers[number % len(speakers)])[1]
        before = time.process_time()
        for at in range(0, len(sound) - int(NAIVE_WINDOW_S * MODEL_RATE_HZ) + 1, int(NAIVE_HOP_S * MODEL_RATE_HZ)):
            started = time.perf_counter()
            pyannote.embed(sound[at : at + int(NAIVE_WINDOW_S * MODEL_RATE_HZ)])
            wall_ms.append(1000 * (time.perf_counter() - started))
        cpu_s += time.process_time() - before
        speech_s += len(sound) / MODEL_RATE_HZ
    group: dict[str, GroupValue] = {"system": "naive"}
    share = cpu_s / max(speech_s, 1e-9)
    return [
        _spread("decision_ms_median", wall_ms, group, 0.5),
        _spread("decision_ms_p95", wall_ms, group, 0.95),
        Figure(name="vectors_per_speech_s", value=len(wall_ms) / max(speech_s, 1e-9), n=turns, group=group),
        Figure(name="cpu_s_per_speech_s", value=share, n=turns, group=group),
        Figure(name="calls_per_core", value=1.0 / max(share * SPEAKING_SHARE, 1e-9), n=turns, group=group),
    ]


def cold_start(backend: str, starts: int) -> list[Figure]:
    """Start a process, load the model, embed once; memory after that."""
    env = os.environ | {"OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "PASSIVE"}
    runs: list[dict[str, float]] = []
    for _ in range(starts):
        done = subprocess.run(  # noqa: S603 - our own interpreter and code
            [sys.executable, "-W", "ignore", "-c", _START, backend],
            capture_output=True,
            text=True,
            env=env,
            timeout=300,
            check=True,
        )
        runs.append(json.loads(done.stdout.strip().splitlines()[-1]))
    group: dict[str, GroupValue] = {"backend": backend}
    return [
        _spread("cold_start_s_median", [run["first_s"] for run in runs], group, 0.5),
        _spread("memory_mb_rss_median", [run["rss_mb"] for run in runs], group, 0.5),
        _spread("memory_mb_peak_median", [run["peak_mb"] for run in runs], group, 0.5),
    ]


def _spread(name: str, values: Sequence[float], group: dict[str, GroupValue], quantile: float) -> Figure:
    """A quantile with a bootstrap interval."""
    if not values:
        return Figure(name=name, value=None, n=0, group=group)
    rng = np.random.default_rng(3)
    draws = [float(np.quantile(rng.choice(values, len(values)), quantile)) for _ in range(300)]
    return Figure(
        name=name,
        value=float(np.quantile(values, quantile)),
        low=float(np.quantile(draws, 0.025)),
        high=float(np.quantile(draws, 0.975)),
        n=len(values),
        group=group,
    )


def _cut(speaker: SpeakerClips) -> tuple[Samples, Samples]:
    longest = max(speaker.clips, key=len)
    speech = speech_of(longest).samples
    used, size = int(ENROL_S * MODEL_RATE_HZ), int(TURN_S * MODEL_RATE_HZ)
    return speech[:used], speech[used : used + size]
