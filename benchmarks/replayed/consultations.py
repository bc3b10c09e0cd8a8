"""Recorded consultations: every overlap typed, and which questions were asked and answered against hand labels.

Owns the reading of the labels and of the recogniser's transcripts, and the counting. The agent is the doctor.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

import numpy as np
from rapidfuzz import fuzz
from ruamel.yaml import YAML

from benchmarks.figures import Figure, GroupValue, rate
from obligations.ledger.states import State
from obligations.pathway import Pathway, load_pathway
from pipecat_interrupt.replay.engine import Replayed, replay_timeline
from pipecat_interrupt.replay.found import far_intervals
from pipecat_interrupt.replay.inputs import calls_in
from pipecat_interrupt.replay.readers import read_text
from pipecat_interrupt.replay.settings import ReplaySettings
from pipecat_interrupt.replay.simultaneous import together
from pipecat_interrupt.replay.values import Piece, Timeline, spread

SETTINGS = ReplaySettings()
MATCH_MIN = 80.0
"""Likeness, 0..100, of a recogniser's segment to a reference piece from which their times are compared."""

Labels = dict[str, dict[str, str | None]]


@cache
def consultation_pathway() -> Pathway:
    """The generic consultation."""
    return load_pathway(Path(str(files("benchmarks.replayed").joinpath("consultation.yaml"))))


def labels() -> Labels:
    """Give the answer by call id and question id, for each question that was asked."""
    return cast(Labels, _label_file()["calls"])


def labelled_later() -> frozenset[str]:
    """Calls that were labelled when the reading of a person's words was finished."""
    return frozenset(cast(list[str], _label_file()["later"]))


@cache
def _label_file() -> dict[str, Any]:
    text = files("benchmarks.replayed").joinpath("labels.yaml").read_text(encoding="utf-8")
    return cast(dict[str, Any], YAML(typ="safe").load(text))


def read_consultations(folder: Path) -> list[Timeline]:
    """Read every consultation of a folder of TextGrids."""
    return [read_text(call.texts, SETTINGS, call.call_id) for call in calls_in(folder, SETTINGS)]


def replayed(timelines: Iterable[Timeline], settings: ReplaySettings = SETTINGS) -> list[Replayed]:
    """Replay consultations with the generic pathway."""
    return [replay_timeline(timeline, consultation_pathway(), settings) for timeline in timelines]


def overlap_figures(done: Sequence[Replayed]) -> list[Figure]:
    """Count how many of the patient's overlaps were typed, and as what."""
    typed = [_typed(call) for call in done]
    reports = [report for call in done for report in call.reports]
    out = [rate("overlap_typed_rate", sum(t for t, _ in typed), sum(n for _, n in typed))]
    for name, key in (("overlap_kind_share", "kind"), ("overlap_verdict_share", "verdict")):
        counts = Counter(str(getattr(report.fact, key) or "none") for report in reports)
        out += [rate(name, counts[value], len(reports), {key: value}) for value in sorted(counts)]
    agent = sum(pair.second == "agent" for call in done for pair in _pairs(call))
    return [*out, Figure(name="agent_overlaps", value=float(agent), n=len(done))]


def question_figures(done: Sequence[Replayed], group: dict[str, GroupValue]) -> list[Figure]:
    """Hold what the ledger says was asked and answered against the labels."""
    counts: Counter[str] = Counter()
    for call in done:
        truth = labels().get(call.timeline.call_id)
        if truth is None or call.tracker is None:
            continue
        for item_id, record in call.tracker.ledger.items.items():
            asked = record.attempts > 0 and _heard(call, item_id)
            answered = record.state is State.ANSWERED
            value = record.answer.value if record.answer is not None else None
            counts.update(_cells("asked", asked, item_id in truth))
            counts.update(_cells("answered", answered, truth.get(item_id) is not None))
            counts.update(_cells("noted", answered or record.doubted is not None, truth.get(item_id) is not None))
            counts.update(_cells("lost", not record.closed and not asked, item_id not in truth))
            if answered and truth.get(item_id) in ("yes", "no"):
                read = value in ("yes", "no")
                counts["own_words"] += not read
                counts["value_right" if value == truth[item_id] else "value_wrong"] += read
    out: list[Figure] = []
    for what in ("asked", "answered", "noted", "lost"):
        right, wrong, missed = (counts[f"{what}_{cell}"] for cell in ("right", "wrong", "missed"))
        out.append(rate(f"{what}_precision", right, right + wrong, group))
        out.append(rate(f"{what}_recall", right, right + missed, group))
    right, wrong = counts["value_right"], counts["value_wrong"]
    own = counts["own_words"]
    return [
        *out,
        rate("yes_no_right_rate", right, right + wrong, group),
        rate("own_words_rate", own, own + right + wrong, group),
    ]


def under_errors(folder: Path, clean: Sequence[Timeline]) -> list[Timeline]:
    """Give the labelled consultations with the patient's words as a recogniser wrote them, where it did."""
    by_id = {timeline.call_id: timeline for timeline in clean}
    found: list[Timeline] = []
    for path in sorted(folder.glob("patient_*_deepgram.json")):
        call_id = path.name.removeprefix("patient_").removesuffix("-combined_deepgram.json").replace("-", "_")
        if call_id in labels() and call_id in by_id:
            found.append(_heard_by_recogniser(path, by_id[call_id]))
    return found


@dataclass(frozen=True, slots=True)
class _Segment:
    text: str
    start_s: float
    end_s: float


def _heard_by_recogniser(path: Path, clean: Timeline) -> Timeline:
    segments = _segments(path)
    shift_s = _shift(segments, clean.far)
    pieces = [
        Piece(spread(s.text, max(0.0, s.start_s + shift_s), max(0.1, s.end_s + shift_s)), exact=False, recognised=True)
        for s in segments
        if s.text.split() and s.end_s + shift_s > 0
    ]
    return replace(clean, far=tuple(sorted(pieces, key=lambda piece: piece.start_s)))


def _segments(path: Path) -> list[_Segment]:
    rows = cast(list[dict[str, Any]], json.loads(path.read_text(encoding="utf-8")))
    times = [(datetime.fromisoformat(r["startedAt"]), datetime.fromisoformat(r["endedAt"])) for r in rows]
    first = min(start for start, _ in times)
    return [
        _Segment(str(r["text"]), (a - first).total_seconds(), (b - first).total_seconds())
        for r, (a, b) in zip(rows, times, strict=True)
    ]


def _shift(segments: Sequence[_Segment], reference: Sequence[Piece]) -> float:
    """How much later the reference's clock is: the median over segments that stand in it nearly word for word."""
    shifts: list[float] = []
    for segment in segments:
        if len(segment.text.split()) < 5:
            continue
        best = max(reference, key=lambda piece: fuzz.ratio(segment.text, piece.text.lower()))
        if fuzz.ratio(segment.text, best.text.lower()) >= MATCH_MIN:
            shifts.append(best.start_s - segment.start_s)
    if not shifts:
        raise ValueError("no segment of the recogniser stands in the reference; the files are of different calls")
    return float(np.median(shifts))


def _heard(call: Replayed, item_id: str) -> bool:
    """Whether a question's focus was heard in any utterance."""
    assert call.tracker is not None
    return any(
        span.id == item_id and span.need_end <= utterance.heard_chars
        for utterance in call.tracker.ledger.call.utterances.values()
        for span in utterance.spans
    )


def _cells(what: str, found: bool, true: bool) -> list[str]:
    if found:
        return [f"{what}_right" if true else f"{what}_wrong"]
    return [f"{what}_missed"] if true else []


def _pairs(call: Replayed) -> list[Any]:
    return list(together([(u.start_s, u.end_s) for u in call.spoken], far_intervals(call.timeline)))


def _typed(call: Replayed) -> tuple[int, int]:
    """The patient's onsets over the doctor that have a verdict of their own or join one that was still open."""
    far = far_intervals(call.timeline)
    onsets = sorted({far[pair.far_index][0] for pair in _pairs(call) if pair.second == "far"})
    facts = [report.fact for report in call.reports if report.fact.decided_s is not None]
    typed = sum(any(f.onset_s - 0.01 <= t <= (f.decided_s or 0.0) for f in facts) for t in onsets)
    return typed, len(onsets)
