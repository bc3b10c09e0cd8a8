"""The floor: how soon a true interruption silences the agent, and what does not interrupt it, at the listener's ear.

Owns the figures of ``eval floor``; explained in docs/metrics/floor.md. No data is needed: the calls are played live on
virtual time, each event at swept phases against the voice detector's grid.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Literal

import numpy as np

from benchmarks.errors import BadOption
from benchmarks.evals.floor_trial import FIRST_S, POSITIONS_S, SOUNDS, Event, FloorTrial, System, run_trial
from benchmarks.figures import EvalOptions, Figure, GroupValue, rate
from benchmarks.quiet import quiet
from benchmarks.stats.latency import CutInKind, summarise_latencies
from pipecat_interrupt.testing import TTS_SHAPES

KIND = "floor"
NEEDS_DATA = False
OPTIONS = ("phases", "stt-delay-s", "trials")
PACKAGES = ("numpy", "onnxruntime")

PHASES = 12
"""Phases swept over 0-100 ms for ours with the segmented recogniser; half as many for every other arm."""

PHASE_SPAN_MS = 100.0
STT_DELAY_S = {"segmented": 0.7, "streaming": 0.3}
"""Modelled, not measured here: Whisper base on two idle cores took 0.62-0.78 s in the live demo; 0.3 s stands for a
streaming recogniser."""

AUDIBLE_S = 0.3
"""A gap of this length is a pause the listener notices (protocol 002's end rule)."""

RESAMPLES = 2000
SOUND_KINDS = ("clip", "voice")
"""clip: the demo's rendered clips, single words of 0.7 s among them. voice: synthetic, backchannels of real lengths."""

Arm = tuple[System, str, Literal["segmented", "streaming"]]
ARMS: tuple[Arm, ...] = (
    ("ours", "kit", "segmented"),
    ("ours", "kit", "streaming"),
    ("stock", "default", "segmented"),
    ("stock", "min_words_2", "streaming"),
)


@quiet()
def run(options: EvalOptions) -> list[Figure]:
    """Play every sound over the agent at swept phases, ours and stock.

    Args:
        options: `phases` (at least 2), `stt-delay-s` (replaces the segmented delay), `trials` (a JSONL file to write
            the single trials to).
    """
    phases = options.whole("phases", PHASES)
    delay_s = options.number("stt-delay-s", STT_DELAY_S["segmented"])
    if phases < 2 or not 0 <= delay_s <= 5:
        raise BadOption("phases must be at least 2 and stt-delay-s in [0, 5]")
    trials = [trial for arm in ARMS for trial in _trials(arm, phases, delay_s, options.seed)]
    if "trials" in options.extra:
        write_trials(Path(str(options.extra["trials"])), trials)
    return figures_of(trials, seed=options.seed)


def _trials(arm: Arm, phases: int, delay_s: float, seed: int) -> Iterable[FloorTrial]:
    system, rule, stt = arm
    for index, sound in enumerate(SOUNDS):
        count = max(2, round(sound.times * phases / (1 if arm == ARMS[0] else 2)))
        positions = np.random.default_rng([seed, index]).uniform(0.0, POSITIONS_S, count)
        for number in range(count):
            yield run_trial(
                sound,
                system=system,
                rule=rule,
                stt=stt,
                stt_delay_s=delay_s if stt == "segmented" else STT_DELAY_S["streaming"],
                tts=TTS_SHAPES[(index + number) % len(TTS_SHAPES)],
                at_s=FIRST_S + float(round(positions[number], 2)),
                phase_ms=round(number * PHASE_SPAN_MS / count, 3),
            )


def write_trials(path: Path, trials: Sequence[FloorTrial]) -> None:
    """Write the single trials, one JSON object a line, so that the figures can be made again without playing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for trial in trials:
            file.write(json.dumps(asdict(trial), ensure_ascii=False) + "\n")


def figures_of(trials: Sequence[FloorTrial], *, seed: int) -> list[Figure]:
    """Put the trials together by system and event; further recognisers and rules have their own groups."""
    figures: list[Figure] = []
    for system, rule, stt in ARMS:
        of_arm = [t for t in trials if (t.system, t.rule, t.stt) == (system, rule, stt)]
        group: dict[str, GroupValue] = {"system": system}
        if rule not in ("kit", "default"):
            group["rule"] = rule
        if stt != "segmented":
            group["stt"] = stt
        figures += _of_arm(of_arm, group, seed)
    return figures


def _of_arm(trials: Sequence[FloorTrial], group: dict[str, GroupValue], seed: int) -> list[Figure]:
    if not trials:
        return []
    true = [t for t in trials if t.event == "interruption"]
    other = [t for t in trials if t.event != "interruption"]
    figures = _latencies(true, {**group, "event": "interruption"}, seed)
    for kind in SOUND_KINDS:
        some = [t for t in true if t.sound.startswith(kind + ":")]
        figures += _latencies(some, {**group, "event": "interruption", "sound": kind}, seed)
    figures += _no_yields(other, group, seed)
    events: list[Event] = ["backchannel", "cough", "any_sound", "echo"]
    for event in events:
        of_event = [t for t in other if t.event == event]
        figures += _no_yields(of_event, {**group, "event": event}, seed)
        if event == "backchannel":
            for kind in SOUND_KINDS:
                some = [t for t in of_event if t.sound.startswith(kind + ":")]
                figures += _no_yields(some, {**group, "event": event, "sound": kind}, seed)
    return figures


def _latencies(trials: Sequence[FloorTrial], group: dict[str, GroupValue], seed: int) -> list[Figure]:
    summary = summarise_latencies(t.cut_in for t in trials)
    latencies = [1000 * t.cut_in.latency_s for t in trials if t.cut_in.latency_s is not None]
    stops = [1000 * t.stop_s for t in trials if t.stop_s is not None]
    return [
        _quantile("yield_latency_ms_median", latencies, 50, group, seed),
        _quantile("yield_latency_ms_p95", latencies, 95, group, seed),
        Figure(name="censored", value=summary.not_yielded, n=summary.eligible, group=group),
        _quantile("stop_latency_ms_median", stops, 50, group, seed),
    ]


def _no_yields(trials: Sequence[FloorTrial], group: dict[str, GroupValue], seed: int) -> list[Figure]:
    """Figures of events after which the agent should simply go on."""
    if not trials:
        return []
    yielded = [t for t in trials if not t.whole or t.cut_in.kind is CutInKind.YIELDED]
    resumed = [t for t in trials if t.whole and t.gaps_s]
    gaps = [1000 * gap for t in trials for gap in t.gaps_s]
    paused = sum(any(gap >= AUDIBLE_S for gap in t.gaps_s) for t in trials)
    return [
        rate("false_yield_rate", len(yielded), len(trials), group),
        rate("audible_pause_rate", paused, len(trials), group),
        _quantile("resume_gap_ms_median", gaps, 50, group, seed),
        _quantile("resume_gap_ms_p95", gaps, 95, group, seed),
        rate("resumed_exact_rate", sum(t.exact for t in resumed), len(resumed), group),
    ]


def _quantile(name: str, values: Sequence[float], percent: int, group: dict[str, GroupValue], seed: int) -> Figure:
    """Give a quantile with a bootstrap interval over trials."""
    if not values:
        return Figure(name=name, value=None, n=0, group=group)
    data = np.asarray(values)
    picks = np.random.default_rng(seed).integers(0, len(data), (RESAMPLES, len(data)))
    low, high = np.percentile(np.percentile(data[picks], percent, axis=1), [2.5, 97.5])
    return Figure(
        name=name,
        value=round(float(np.percentile(data, percent)), 1),
        low=round(float(low), 1),
        high=round(float(high), 1),
        n=len(data),
        group=group,
    )
