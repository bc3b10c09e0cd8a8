"""Spontaneous speech of several people: the gate's decisions on meeting recordings with reference speaker turns."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.errors import MissingData
from benchmarks.evals.change_trials import enrolled_gate, gate_for, stream
from benchmarks.evals.voice_scores import NARROW, WIDE, ears_of
from benchmarks.figures import EvalOptions, Figure, GroupValue, rate
from speaker_gate.adapters.voice_folder import AUDIO_SUFFIXES, read_clip
from speaker_gate.audio import speech_of
from speaker_gate.decision import KnownVoices, decide
from speaker_gate.embedders import MODEL_RATE_HZ, Embedding, Samples
from speaker_gate.facts import Voice
from speaker_gate.trials import through_band
from speaker_gate.turn import Ears

KIND = "meetings"
NEEDS_DATA = True
DATA_HELP = "a folder of recordings with *.rttm (file names are the second field of an RTTM line)"
OPTIONS = frozenset({"embedder", "record", "segmenter", "enrol_s"})
PACKAGES = ("onnxruntime", "kaldi-native-fbank", "numpy", "pyannote.audio", "torch")

ENROL_S = 4.0
TEST_S_MIN, TEST_S_MAX = 1.0, 2.0
SIDE_S_MIN = 1.0
BEFORE_S_MAX, AFTER_S_MAX = 4.0, 3.0
GAP_S_MAX = 0.5
ALONE_S_MIN = 3.0
GRID_S = 0.01


@dataclass(frozen=True, slots=True, eq=False)
class Meeting:
    """One recording with who speaks when.

    Parameters:
        name: Its file name without suffix.
        sound: float32, 16 kHz.
        alone: By speaker, the stretches (start_s, end_s) in which only that speaker talks.
    """

    name: str
    sound: Samples
    alone: dict[str, list[tuple[float, float]]]


def run(options: EvalOptions) -> list[Figure]:
    """Measure; each speaker with enough speech alone is the patient once, enrolled on their first seconds.

    Options:
        embedder: onnx (default) or pyannote.
        record: A calibration record to use instead of the shipped one.
        segmenter: true adds segmentation-3.0 to the change figures.
        enrol_s: Seconds to enrol on (default 4).
    """
    ears = ears_of(options.extra)
    meetings = read_meetings(options.data or Path())
    enrol_s = options.number("enrol_s", ENROL_S)
    own: dict[str, list[Voice]] = {WIDE: [], NARROW: []}
    others: dict[str, list[Voice]] = {WIDE: [], NARROW: []}
    changes: dict[str, list[bool]] = {WIDE: [], NARROW: []}
    alone: dict[str, list[bool]] = {WIDE: [], NARROW: []}
    for meeting in meetings:
        for band in (WIDE, NARROW):
            mine, theirs = decisions(ears, meeting, band == NARROW, enrol_s)
            own[band] += mine
            others[band] += theirs
            found, false = changes_in(ears, meeting, band == NARROW)
            changes[band] += found
            alone[band] += false
    figures = _cell(own[WIDE] + own[NARROW], others[WIDE] + others[NARROW], {})
    figures += _change_cell(changes[WIDE] + changes[NARROW], alone[WIDE] + alone[NARROW], {})
    for band in (WIDE, NARROW):
        figures += _cell(own[band], others[band], {"band": band})
        figures += _change_cell(changes[band], alone[band], {"band": band})
    return figures


def _cell(own: list[Voice], others: list[Voice], group: dict[str, GroupValue]) -> list[Figure]:
    every = own + others
    return [
        rate("primary_rejected_rate", sum(voice is Voice.THIRD_PARTY for voice in own), len(own), group),
        rate("third_party_accepted_rate", sum(voice is Voice.PRIMARY for voice in others), len(others), group),
        rate("unsure_rate", sum(voice is Voice.UNSURE for voice in every), len(every), group),
        rate("primary_accepted_rate", sum(voice is Voice.PRIMARY for voice in own), len(own), group),
    ]


def _change_cell(changes: list[bool], alone: list[bool], group: dict[str, GroupValue]) -> list[Figure]:
    return [
        rate("change_detected_rate", sum(changes), len(changes), group),
        rate("janus_false_rate", sum(alone), len(alone), group),
    ]


def read_meetings(folder: Path) -> list[Meeting]:
    """Read every recording that an RTTM file names.

    Raises:
        MissingData: No RTTM file, or none of the recordings it names.
    """
    turns: dict[str, list[tuple[float, float, str]]] = defaultdict(list)
    for rttm in sorted(folder.rglob("*.rttm")):
        for line in rttm.read_text(encoding="utf-8", errors="replace").splitlines():
            parts = line.split()
            if len(parts) >= 8 and parts[0] == "SPEAKER":
                turns[parts[1]].append((float(parts[3]), float(parts[3]) + float(parts[4]), parts[7]))
    files = {path.stem: path for path in sorted(folder.rglob("*")) if path.suffix.lower() in AUDIO_SUFFIXES}
    found = [
        Meeting(name, sound, alone_stretches(turns[name], len(sound) / MODEL_RATE_HZ))
        for name in sorted(turns)
        if name in files
        for sound in (read_clip(files[name], 600.0 if files[name].stat().st_size < 60_000_000 else 120.0)[0],)
    ]
    if not found:
        raise MissingData(f"no recording under {folder} is named by an .rttm file there")
    return found


def alone_stretches(turns: list[tuple[float, float, str]], length_s: float) -> dict[str, list[tuple[float, float]]]:
    """Where exactly one speaker talks, by speaker, in order; pieces under 0.2 s are left out."""
    names = sorted({name for _, _, name in turns})
    count = int(length_s / GRID_S)
    active = np.zeros((len(names), count), dtype=bool)
    for start_s, end_s, name in turns:
        active[names.index(name), int(start_s / GRID_S) : int(end_s / GRID_S)] = True
    single = active.sum(axis=0) == 1
    found: dict[str, list[tuple[float, float]]] = {}
    for row, name in enumerate(names):
        edges = np.flatnonzero(np.diff(np.r_[0, (active[row] & single).astype(int), 0]))
        pairs = zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
        found[name] = [(a * GRID_S, b * GRID_S) for a, b in pairs if (b - a) * GRID_S >= 0.2]
    return found


def decisions(ears: Ears, meeting: Meeting, narrow: bool, enrol_s: float) -> tuple[list[Voice], list[Voice]]:
    """Decisions on each patient's own later speech, and on everybody else's."""
    pieces = {name: _pieces(meeting, spans, narrow) for name, spans in meeting.alone.items()}
    own: list[Voice] = []
    others: list[Voice] = []
    for name, parts in pieces.items():
        speech = np.concatenate(parts) if parts else np.zeros(0, dtype=np.float32)
        used = int(enrol_s * MODEL_RATE_HZ)
        if len(speech) < used + int(TEST_S_MIN * MODEL_RATE_HZ):
            continue
        vector = ears.embedder.embed(speech[:used])
        if vector is None:
            continue
        known = KnownVoices((Embedding(vector, ears.embedder.name, enrol_s, narrow),))
        own += _decide_all(ears, known, _after(parts, used), narrow)
        for other, theirs in pieces.items():
            if other != name:
                others += _decide_all(ears, known, theirs, narrow)
    return own, others


def _pieces(meeting: Meeting, spans: list[tuple[float, float]], narrow: bool) -> list[Samples]:
    band = through_band(meeting.sound, narrow)
    cut = [band[int(a * MODEL_RATE_HZ) : int(b * MODEL_RATE_HZ)] for a, b in spans]
    return [speech_of(part).samples for part in cut]


def _after(parts: list[Samples], used: int) -> list[Samples]:
    left: list[Samples] = []
    for part in parts:
        left.append(part[used:] if used < len(part) else part[:0])
        used = max(0, used - len(part))
    return left


def _decide_all(ears: Ears, known: KnownVoices, parts: list[Samples], narrow: bool) -> list[Voice]:
    size, least = int(TEST_S_MAX * MODEL_RATE_HZ), int(TEST_S_MIN * MODEL_RATE_HZ)
    found: list[Voice] = []
    for part in parts:
        for at in range(0, len(part), size):
            window = part[at : at + size]
            if len(window) < least:
                continue
            seconds = len(window) / MODEL_RATE_HZ
            vector = ears.embedder.embed(np.ascontiguousarray(window))
            made = None if vector is None else Embedding(vector, ears.embedder.name, seconds, narrow)
            found.append(decide(made, known, ears.record, seconds=seconds).voice)
    return found


def changes_in(ears: Ears, meeting: Meeting, narrow: bool) -> tuple[list[bool], list[bool]]:
    """Changes from one speaker alone to another heard, and false changes heard in one speaker's stretches.

    The first voice counts as the patient's; where that speaker has enough other speech alone, it is enrolled on that.
    """
    order = sorted((a, b, name) for name, spans in meeting.alone.items() for a, b in spans)
    found: list[bool] = []
    false: list[bool] = []
    for (a, b, first), (c, d, second) in zip(order, order[1:], strict=False):
        if first == second or c - b > GAP_S_MAX or min(b - a, d - c) < SIDE_S_MIN:
            continue
        start_s, end_s = max(a, b - BEFORE_S_MAX), min(d, c + AFTER_S_MAX)
        found.append(_hears_other(ears, meeting, first, start_s, end_s, narrow))
    for a, b, name in order:
        if b - a >= ALONE_S_MIN:
            end_s = min(b, a + BEFORE_S_MAX + AFTER_S_MAX)
            false.append(_hears_other(ears, meeting, name, a, end_s, narrow))
    return found, false


def _hears_other(ears: Ears, meeting: Meeting, first: str, start_s: float, end_s: float, narrow: bool) -> bool:
    elsewhere = [(a, b) for a, b in meeting.alone[first] if b <= start_s or a >= end_s]
    parts = _pieces(meeting, elsewhere, narrow)
    speech = np.concatenate(parts) if parts else np.zeros(0, dtype=np.float32)
    enough = len(speech) >= int(ENROL_S * MODEL_RATE_HZ)
    gate = enrolled_gate(ears, speech[: int(ENROL_S * MODEL_RATE_HZ)], narrow) if enough else gate_for(ears)
    sound = meeting.sound[int(start_s * MODEL_RATE_HZ) : int(end_s * MODEL_RATE_HZ)]
    verdict = stream(gate, sound, narrow=narrow)
    return verdict.changed and Voice.THIRD_PARTY in [stretch.decision.voice for stretch in verdict.stretches]
