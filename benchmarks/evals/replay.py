"""Replay: are overlaps typed, questions read off recorded calls, and lost obligations found, and how fast?

Owns the figures of ``eval replay``: labelled consultations, the same under recogniser errors, made stereo calls of
known truth, and speed. Nothing is pooled over these.
"""

from __future__ import annotations

import os
import time

from benchmarks.errors import BadOption, MissingData
from benchmarks.figures import EvalOptions, Figure, GroupValue
from benchmarks.replayed.consultations import (
    labelled_later,
    labels,
    overlap_figures,
    question_figures,
    read_consultations,
    replayed,
    under_errors,
)
from benchmarks.replayed.made import loss_figures
from benchmarks.replayed.speed import stt_figures
from pipecat_interrupt.replay.settings import ReplaySettings

KIND = "replay"
NEEDS_DATA = True
DATA_HELP = "folder with consultations/transcripts (TextGrid), asr_errors, and voices for the figure with STT"
OPTIONS = ("calls", "stt", "parts", "words")
PACKAGES = ("numpy", "soundfile", "soxr", "praatio", "faster-whisper")
CALLS = 240
LOOKED_AT = ("day1_consultation02", "day1_consultation03")
"""Labelled consultations whose misses were read to mend the reading of questions and answers; the other labelled ones
were not. Of those without labels day 1: 1, 5-7, 9-12, 14, day 2: 1, 3, 4, 6, 7 and day 3: 1-4, 7 were read for it."""
SOFTWARE = ReplaySettings(agent_is="software")
"""Reads a person as if they were a voice agent: what the reading of a person's words is held against."""
PARTS = ("consultations", "made", "speed")
OTHER_PARTS = ("engines",)
"""Only where asked for by name: Ray is not installed everywhere."""


def run(options: EvalOptions) -> list[Figure]:
    """Replay everything and count.

    Options: ``calls`` (made calls, default 240), ``stt`` (on: also transcribe real voices with the local Whisper;
    default off), ``words`` (made calls: both, or right or errors alone), ``parts`` (comma-separated; default all but
    ``engines``, which replays the consultations with two workers of this machine and with two of Ray).

    Raises:
        BadOption: An option has no such value.
        BenchmarkError: A folder is missing.
    """
    if options.data is None:
        raise ValueError("eval replay needs --data PATH")
    calls, stt = options.whole("calls", CALLS), str(options.extra.get("stt", "off"))
    parts, words = str(options.extra.get("parts", ",".join(PARTS))).split(","), str(options.extra.get("words", "both"))
    if words not in ("both", "right", "errors"):
        raise BadOption(f"words is both, right or errors; got {words}")
    if calls < 1 or stt not in ("on", "off") or not set(parts) <= {*PARTS, *OTHER_PARTS}:
        known = ",".join((*PARTS, *OTHER_PARTS))
        raise BadOption(f"calls >= 1, stt on or off, parts of {known}; got {calls}, {stt}, {','.join(parts)}")
    out: list[Figure] = []
    if "consultations" in parts:
        out += _consultations(options)
    if "made" in parts:
        out += loss_figures(calls, options.seed, options.data / "asr_errors", words)
    if "speed" in parts and stt == "on":
        out += stt_figures(options.data / "voices")
    if "engines" in parts:
        from benchmarks.replayed.engines import engine_figures

        out += engine_figures(options.data / "consultations" / "transcripts")
    return out


def _consultations(options: EvalOptions) -> list[Figure]:
    assert options.data is not None
    folder, errors = options.data / "consultations" / "transcripts", options.data / "asr_errors"
    if not folder.is_dir():
        raise MissingData(f"no folder consultations/transcripts in {options.data}; it holds TextGrids, one a call")
    timelines = read_consultations(folder)
    started_s, cpu_s = time.perf_counter(), time.process_time()
    done = replayed(timelines)
    took_s, used_s = time.perf_counter() - started_s, time.process_time() - cpu_s
    audio_s = sum(timeline.duration_s for timeline in timelines)
    clean: dict[str, GroupValue] = {"source": "transcript"}
    out = overlap_figures(done) + question_figures(done, clean)
    for name, ids in _sets().items():
        out += question_figures([call for call in done if call.timeline.call_id in ids], {**clean, "calls": name})
    as_software = replayed([t for t in timelines if t.call_id in labels()], SOFTWARE)
    out += question_figures(as_software, {**clean, "agent_is": "software"})
    out.append(Figure(name="x_real_time_per_core", value=audio_s / used_s, n=len(done), group={"stt": "none"}))
    out.append(Figure(name="x_real_time_wall", value=audio_s / took_s, n=len(done), group={"stt": "none"}))
    out.append(Figure(name="load_1min", value=os.getloadavg()[0], n=1))
    if errors.is_dir():
        noisy = under_errors(errors, timelines)
        ids = {timeline.call_id for timeline in noisy}
        same = [call for call in done if call.timeline.call_id in ids]
        out += question_figures(same, {**clean, "calls": "of asr_errors"})
        heard: dict[str, GroupValue] = {"source": "recogniser", "calls": "of asr_errors"}
        done = replayed(noisy)
        out += question_figures(done, heard)
        fresh = [call for call in done if call.timeline.call_id not in LOOKED_AT]
        out += question_figures(fresh, {"source": "recogniser", "calls": "of asr_errors, not looked at"})
        out += question_figures(replayed(noisy, SOFTWARE), {**heard, "agent_is": "software"})
    return out


def _sets() -> dict[str, frozenset[str]]:
    """Labelled calls by when they were seen."""
    later = labelled_later()
    seen = frozenset(LOOKED_AT)
    return {"looked at": seen, "not looked at": frozenset(labels()) - seen - later, "labelled later": later}
