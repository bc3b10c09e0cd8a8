"""Forest plots as inline SVG: one row a rate, a dot with its 95 % interval on an axis from 0 to 100 %."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from benchmarks.stats import Interval

ROW_PX = 22
LABEL_PX = 330
AXIS_PX = 360
VALUE_PX = 210
TOP_PX = 10


@dataclass(frozen=True, slots=True)
class ForestRow:
    """One row.

    Parameters:
        label: What the rate is of.
        fails: Numerator.
        n: Denominator, at least 1.
        interval: Its interval.
        kind: "ours" or "stock" for measured, "published" for a reference number; it chooses mark and colour.
    """

    label: str
    fails: int
    n: int
    interval: Interval
    kind: str = "ours"


def forest_svg(rows: Sequence[ForestRow], title: str) -> str:
    """Draw the rows; the same numbers stand beside each dot as text."""
    height = TOP_PX + ROW_PX * len(rows) + 24
    width = LABEL_PX + AXIS_PX + VALUE_PX
    parts = [
        f'<svg role="img" aria-label="{escape(title)}" viewBox="0 0 {width} {height}" width="{width}"'
        ' class="forest" xmlns="http://www.w3.org/2000/svg">',
        f"<title>{escape(title)}</title>",
    ]
    bottom = TOP_PX + ROW_PX * len(rows)
    for percent in (0, 25, 50, 75, 100):
        x = _x(percent / 100)
        parts.append(f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{TOP_PX - 6}" y2="{bottom}"/>')
        parts.append(f'<text class="tick" x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{percent} %</text>')
    for number, row in enumerate(rows):
        parts.append(_row(row, TOP_PX + ROW_PX * number + ROW_PX / 2))
    return "".join(parts) + "</svg>"


def _x(rate: float) -> float:
    return LABEL_PX + rate * AXIS_PX


def _row(row: ForestRow, y: float) -> str:
    low, high, middle = _x(row.interval.low), _x(row.interval.high), _x(row.fails / row.n)
    words = f"{row.fails}/{row.n} ({row.interval.as_percent()})"
    return (
        f'<g class="{escape(row.kind)}">'
        f'<text x="{LABEL_PX - 10}" y="{y + 4:.1f}" text-anchor="end">{escape(row.label)}</text>'
        f'<line class="bar" x1="{low:.1f}" x2="{high:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f"{_mark(row.kind, middle, y)}"
        f'<text x="{LABEL_PX + AXIS_PX + 14}" y="{y + 4:.1f}">{escape(words)}</text></g>'
    )


def _mark(kind: str, x: float, y: float) -> str:
    """A square for stock and a dot for all else, so that they differ without colour."""
    if kind == "stock":
        return f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8"/>'
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>'
