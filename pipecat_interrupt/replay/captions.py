"""A call as WebVTT and as CSV. Owns the escaping of both: words of a call are never markup and never a formula."""

from __future__ import annotations

import csv
import html
from collections.abc import Sequence
from io import StringIO

from pipecat_interrupt.replay.result import CallResult
from pipecat_interrupt.replay.values import Piece, Side, Timeline

CUE_WORDS_MAX = 14
VOICES: dict[Side, str] = {"agent": "Agent", "far": "Patient"}
COLUMNS = ("call_id", "side", "start_s", "end_s", "text", "overlap_kind", "overlap_verdict", "phase")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_vtt(timeline: Timeline) -> str:
    """Write the words as WebVTT, one voice a side, cues of at most `CUE_WORDS_MAX` words."""
    lines = ["WEBVTT", ""]
    for side, piece in _in_order(timeline):
        for i in range(0, len(piece.words), CUE_WORDS_MAX):
            words = piece.words[i : i + CUE_WORDS_MAX]
            start_s, end_s = words[0].start_s, max(w.end_s for w in words)
            text = html.escape(" ".join(w.text for w in words), quote=False)
            stamp = f"{_stamp(start_s)} --> {_stamp(max(end_s, start_s + 0.001))}"
            lines += [stamp, f"<v {VOICES[side]}>{text}", ""]
    return "\n".join(lines)


def to_csv(timeline: Timeline, result: CallResult | None = None) -> str:
    """Write one row a stretch of speech, with the overlap it began as.

    Cells that a spreadsheet would take for a formula are given a leading apostrophe.
    """
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for side, piece in _in_order(timeline):
        kind = verdict = phase = ""
        for row in result.overlaps if result is not None and side == "far" else ():
            if piece.start_s - 0.01 <= row.onset_s <= piece.end_s:
                kind, verdict, phase = row.kind or "", row.verdict, row.phase
                break
        cells = (timeline.call_id, side, f"{piece.start_s:.3f}", f"{piece.end_s:.3f}", piece.text, kind, verdict, phase)
        writer.writerow([_plain(cell) for cell in cells])
    return out.getvalue()


def _in_order(timeline: Timeline) -> Sequence[tuple[Side, Piece]]:
    sides: tuple[tuple[Side, Sequence[Piece]], ...] = (("agent", timeline.agent), ("far", timeline.far))
    return sorted(((side, p) for side, pieces in sides for p in pieces), key=lambda found: found[1].start_s)


def _stamp(seconds: float) -> str:
    whole = round(seconds * 1000)
    return f"{whole // 3_600_000:02d}:{whole // 60_000 % 60:02d}:{whole // 1000 % 60:02d}.{whole % 1000:03d}"


def _plain(cell: str) -> str:
    return f"'{cell}" if cell.startswith(_FORMULA) else cell
