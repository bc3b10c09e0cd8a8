"""Writes what a call leaves behind and reads its figures off the recording.

Owns `out/demo/<system>/`: call.wav, journal.jsonl (written during the call), handoff.json, handoff.md, call.html,
summary.json.
"""

from __future__ import annotations

import os
import wave
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pipecat_interrupt.demo.ear import Hear, listen
from pipecat_interrupt.demo.live import RATE_HZ, LiveCall
from pipecat_interrupt.demo.measure import Stretch, median_or_none, response_gaps_s, stretches, yield_gaps_s
from pipecat_interrupt.facts import OverlapFact
from pipecat_interrupt.page import VoiceSegment, pack, render_page, view_of
from pipecat_interrupt.summary import CallSummary

ONSET_WINDOW_S = 1.0


def write_artefacts(call: LiveCall, folder: Path, models_ready_s: float, hear: Hear | None = None) -> CallSummary:
    """Write every file of a call.

    Args:
        call: The call.
        folder: Where; made when absent. The journal stands there already.
        models_ready_s: How long the models took to load.
        hear: An independent ear for the agent's channel; None leaves its figures out.

    Returns:
        The call's summary, figures included.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _write_wav(folder / "call.wav", call)
    patient = stretches(call.stereo[:, 0], RATE_HZ)
    agent = stretches(call.stereo[:, 1], RATE_HZ)
    timings = _timings(call, patient, agent, models_ready_s)
    if hear is not None:
        timings |= _ear_figures(call, hear)
    summary = call.kit.summary(timings)
    handoff = call.kit.handoff
    if handoff is not None:
        (folder / "handoff.json").write_text(handoff.model_dump_json(indent=2) + "\n", encoding="utf-8")
        (folder / "handoff.md").write_text(call.kit.handoff_markdown(), encoding="utf-8")
    (folder / "summary.json").write_text(summary.model_dump_json(indent=2) + "\n", encoding="utf-8")
    page = render_page(
        view_of(call.kit.memory.entries),
        segments=[VoiceSegment(s.start_s, s.end_s) for s in patient],
        handoff_markdown=call.kit.handoff_markdown(),
        recording=pack(call.stereo, RATE_HZ),
    )
    (folder / "call.html").write_text(page, encoding="utf-8")
    return summary


def onset_errors_ms(overlaps: Sequence[OverlapFact], patient: Sequence[Stretch]) -> list[float]:
    """Measure how far each overlap's onset in the journal lies from the first loud patient frame of that stretch."""
    errors: list[float] = []
    for fact in overlaps:
        near = [abs(fact.onset_s - s.start_s) for s in patient if abs(fact.onset_s - s.start_s) < ONSET_WINDOW_S]
        if near:
            errors.append(1000 * min(near))
    return errors


def _timings(
    call: LiveCall, patient: Sequence[Stretch], agent: Sequence[Stretch], models_ready_s: float
) -> dict[str, float | int | None]:
    response_s = response_gaps_s(patient, agent)
    errors_ms = onset_errors_ms(call.kit.scribe.overlaps, patient)
    return {
        "call_s": round(call.seconds, 1),
        "models_ready_s": round(models_ready_s, 1),
        "response_s_median": median_or_none(response_s),
        "response_s_max": round(max(response_s), 3) if response_s else None,
        "response_n": len(response_s),
        "yield_s_median": median_or_none(yield_gaps_s(patient, agent)),
        "overlap_onset_error_ms_max": round(max(errors_ms), 1) if errors_ms else None,
        "underruns": call.underruns,
        "late_input_frames": call.late_frames,
        "worst_input_late_ms": round(call.worst_late_ms, 1),
        "loop_lag_ms_p99": call.lag.ms(99),
        "loop_lag_ms_max": call.lag.ms(100),
        "load_1min": round(os.getloadavg()[0], 2),
        "cores": os.cpu_count(),
    }


def _ear_figures(call: LiveCall, hear: Hear) -> dict[str, float | int | None]:
    report = listen(call.stereo[:, 1], RATE_HZ, call.kit.summary().utterances, hear)
    differences = report.cut_differences_words
    return {
        "ear_cuts_n": len(differences),
        "ear_cut_difference_words_max": max(differences, key=abs) if differences else None,
        "ear_wer": report.wer,
    }


def _write_wav(path: Path, call: LiveCall) -> None:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes(np.ascontiguousarray(call.stereo, dtype="<i2").tobytes())
