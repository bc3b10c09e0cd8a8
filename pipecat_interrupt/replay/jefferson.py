"""A call as a conversation-analytic transcript in Jefferson's notation, as far as words and times tell.

Owns the lines of seed 000, D.1: pauses in seconds, (.) below 0.2 s, brackets around simultaneous talk, arrows at the
lines where an overlap begins. Sound stretching, loudness and pitch are not marked: they need ears.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pipecat_interrupt.replay.values import Piece, Side, Timeline, Word

MICROPAUSE_S_MAX = 0.2
PAUSE_S_MIN = 0.1
"""Shorter gaps between words are how words are timed, not silences."""

LINE_CHARS = 60
LABELS: dict[Side, str] = {"agent": "AGT", "far": "PAT"}
_ESCAPES = str.maketrans({"[": "(", "]": ")"})


@dataclass(slots=True)
class _Run:
    """Words of one side that are all said over the other side, or all alone."""

    side: Side
    words: list[Word]
    over: bool
    piece: int
    partner: int | None = None
    begins: bool = field(default=False)

    @property
    def start_s(self) -> float:
        return self.words[0].start_s

    @property
    def end_s(self) -> float:
        return max(word.end_s for word in self.words)


def to_jefferson(timeline: Timeline, *, exact: bool = True) -> str:
    """Write a call in Jefferson's notation.

    Args:
        timeline: The call.
        exact: Whether word times were measured; when not, pauses inside a stretch of speech are left out, since nobody
            measured them.

    Returns:
        Numbered lines, each `NN LBL:   words`; "->" behind the label marks where an overlap begins.
    """
    runs = _runs(timeline)
    lines: list[str] = []
    latest_s = runs[0].start_s if runs else 0.0
    previous: _Run | None = None
    for run in runs:
        gap_s = run.start_s - latest_s
        if gap_s >= PAUSE_S_MIN:
            lines.append(_pause(gap_s))
        arrow = "->" if run.begins else "  "
        text = _text(run, exact)
        if run.over:
            text = f"[{text}]"
        continued = (
            previous is not None and previous.side == run.side and previous.piece == run.piece and not run.begins
        )
        label = "      " if continued else f"{LABELS[run.side]}:{arrow}"
        lines += _wrapped(label, text)
        latest_s, previous = max(latest_s, run.end_s), run
    width = max(2, len(str(len(lines))))
    return "".join(f"{number:0{width}d} {line}".rstrip() + "\n" for number, line in enumerate(_aligned(lines), start=1))


def _runs(timeline: Timeline) -> list[_Run]:
    """Cut both sides into runs, in the order in which they are written: by time, the one spoken over first."""
    agent, far = _cut(timeline.agent, timeline.far, "agent"), _cut(timeline.far, timeline.agent, "far")
    for mine, other in ((agent, far), (far, agent)):
        for run in mine:
            if run.over:
                run.begins = any(_touch(run, o) for o in other if o.over)
    return sorted([*agent, *far], key=lambda run: (run.start_s, 0 if run.side == "agent" else 1))


def _cut(mine: Sequence[Piece], theirs: Sequence[Piece], side: Side) -> list[_Run]:
    others = sorted((w.start_s, w.end_s) for piece in theirs for w in piece.words)
    runs: list[_Run] = []
    for index, piece in enumerate(mine):
        for word in piece.words:
            over = _meets(word, others)
            last = runs[-1] if runs else None
            if last is not None and last.piece == index and last.over == over:
                last.words.append(word)
            else:
                runs.append(_Run(side, [word], over, index))
    return runs


def _meets(word: Word, others: Sequence[tuple[float, float]]) -> bool:
    from bisect import bisect_left

    before = bisect_left(others, (word.end_s, 0.0))
    return any(end > word.start_s and start < word.end_s for start, end in others[max(0, before - 8) : before])


def _touch(a: _Run, b: _Run) -> bool:
    return a.start_s < b.end_s and b.start_s < a.end_s


def _text(run: _Run, exact: bool) -> str:
    parts: list[str] = []
    before: Word | None = None
    for word in run.words:
        if exact and before is not None and word.start_s - before.end_s >= PAUSE_S_MIN:
            parts.append(_pause(word.start_s - before.end_s))
        parts.append(word.text.translate(_ESCAPES))
        before = word
    return " ".join(parts)


def _pause(seconds: float) -> str:
    return "(.)" if seconds < MICROPAUSE_S_MAX else f"({seconds:.1f})"


def _wrapped(label: str, text: str) -> list[str]:
    lines: list[str] = []
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > LINE_CHARS:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    lines.append(line)
    return [f"{label if i == 0 else '      '} {part}" for i, part in enumerate(lines)]


def _aligned(lines: Sequence[str]) -> list[str]:
    """Bring the closing brackets of two lines that lie over each other under one another."""
    out = list(lines)
    for i in range(len(out) - 1):
        a, b = out[i], out[i + 1]
        both = a[4:6] == "->" and b[4:6] == "->" and a[:3] != b[:3]
        if both and a.rstrip().endswith("]") and b.rstrip().endswith("]"):
            width = max(len(a.rstrip()), len(b.rstrip()))
            out[i], out[i + 1] = _padded(a, width), _padded(b, width)
    return out


def _padded(line: str, width: int) -> str:
    bare = line.rstrip()
    return bare[:-1] + " " * (width - len(bare)) + "]"
