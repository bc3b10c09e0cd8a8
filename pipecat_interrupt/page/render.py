"""Draws one call as a self-contained HTML page.

Owns layout and the page's policy: no outside request, no inline handler, one style sheet and one script that the policy
names by hash. Everything shown is computed elsewhere; every text is escaped by the template engine.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import ceil

from jinja2 import Environment, PackageLoader, StrictUndefined

from pipecat_interrupt.page.from_summary import view_of_summary
from pipecat_interrupt.page.rows import Row, rows_of, speaker_label
from pipecat_interrupt.page.sound import OUTLINE_PER_S, Recording, VoiceSegment, place_lines
from pipecat_interrupt.page.view import AgentLine, CallView, PatientLine
from pipecat_interrupt.summary import CallSummary

CHART_PX = 1260
PX_PER_S_MIN, PX_PER_S_MAX = 4, 24
CHART_LEFT_PX = 60
TICKS_S = (5, 10, 30, 60, 300)
TICK_PX_MIN = 55


def render_call_page(
    summary: CallSummary,
    *,
    title: str,
    lines: Sequence[PatientLine] = (),
    segments: Sequence[VoiceSegment] = (),
    handoff_markdown: str = "",
    recording: Recording | None = None,
) -> str:
    """Draw a call from its summary, for callers without a journal.

    Args:
        summary: The call.
        title: Heading, such as the pathway's title.
        lines: The far end's words, in any order.
        segments: Sound on the far end, for the timeline; may be empty.
        handoff_markdown: The hand-off, shown as plain text.
        recording: The call's sound; None draws a page without a player.

    Returns:
        A complete HTML document without outside references.
    """
    return render_page(
        view_of_summary(summary, title, lines),
        segments=segments,
        handoff_markdown=handoff_markdown,
        recording=recording,
    )


def render_page(
    view: CallView,
    *,
    segments: Sequence[VoiceSegment] = (),
    handoff_markdown: str = "",
    recording: Recording | None = None,
) -> str:
    """Draw a call from a view, such as `view_of(entries)`; arguments and result as in `render_call_page`."""
    view = place_lines(view, segments)
    css, js = _style_and_script()
    rows = rows_of(view)
    return (
        environment()
        .get_template("call.html.j2")
        .render(
            view=view,
            rows=rows,
            obligations=(*view.owed, *sorted((o for o in view.obligations if o.closed), key=lambda o: not o.red_flag)),
            chart=_chart(view, rows, segments, recording),
            recording=recording,
            handoff=handoff_markdown,
            css=css,
            js=js,
            policy=page_policy(),
        )
    )


_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


def printable(value: object) -> object:
    """Show a character that no HTML document may hold, such as a NUL, as U+FFFD; anything but plain text as it is.

    A recogniser or a caller can bring one, and a browser that met it would read the page otherwise than it was written.
    """
    return _UNPRINTABLE.sub("\ufffd", value) if type(value) is str else value


@cache
def environment() -> Environment:
    """The templates of pages and board, every value escaped."""
    made = Environment(
        loader=PackageLoader("pipecat_interrupt.page"),
        finalize=printable,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["plain"] = lambda name: str(name).replace("_", " ")
    made.filters["speaker"] = speaker_label
    return made


@cache
def asset(name: str) -> str:
    """A style sheet or script of this package."""
    return (files("pipecat_interrupt.page") / "templates" / name).read_text(encoding="utf-8")


def page_policy() -> str:
    """The content security policy of every page drawn here: its own script and style by hash, and nothing else."""
    css, js = _style_and_script()
    return (
        f"default-src 'none'; script-src '{_hash(js)}'; style-src '{_hash(css)}'; media-src data:;"
        " base-uri 'none'; form-action 'none'"
    )


def _style_and_script() -> tuple[str, str]:
    return asset("base.css") + asset("call.css"), asset("call.js")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"


@dataclass(frozen=True, slots=True)
class _Bar:
    x: float
    width: float
    text: str = ""


@dataclass(frozen=True, slots=True)
class _Tick:
    x: float
    label: str


@dataclass(frozen=True, slots=True)
class _Chart:
    """The timeline, in pixels."""

    width: int
    left: int
    px: float
    ticks: list[_Tick]
    agent: list[_Bar]
    patient: list[_Bar]
    cuts: list[_Bar]
    agent_path: str
    patient_path: str


def _chart(
    view: CallView, rows: Sequence[Row], segments: Sequence[VoiceSegment], recording: Recording | None
) -> _Chart:
    ends: list[float] = [row.end_s for row in rows] + [s.end_s for s in segments] + [view.now_s, 1.0]
    length_s = max(ends) if recording is None else max(*ends, recording.seconds)
    px = min(PX_PER_S_MAX, max(PX_PER_S_MIN, (CHART_PX - CHART_LEFT_PX) / length_s))
    spacing_s = next((t for t in TICKS_S if t * px >= TICK_PX_MIN), TICKS_S[-1])

    def bar(start_s: float, end_s: float, text: str = "") -> _Bar:
        return _Bar(round(CHART_LEFT_PX + start_s * px, 1), round(max(1.0, (end_s - start_s) * px), 1), text)

    agent = [row.line for row in rows if isinstance(row.line, AgentLine)]
    return _Chart(
        width=ceil(CHART_LEFT_PX + length_s * px + 20),
        left=CHART_LEFT_PX,
        px=round(px, 4),
        ticks=[
            _Tick(round(CHART_LEFT_PX + t * px, 1), f"{t // 60}:{t % 60:02d}")
            for t in range(0, int(length_s) + 1, spacing_s)
        ],
        agent=[bar(a.at_s, a.end_s if a.end_s is not None else view.now_s, a.delivered or a.pending) for a in agent],
        patient=[bar(s.start_s, s.end_s) for s in segments],
        cuts=[bar(a.cut_s, a.cut_s, a.undelivered) for a in agent if a.cut is not None],
        agent_path=_outline(recording.agent, 30, px) if recording else "",
        patient_path=_outline(recording.patient, 76, px) if recording else "",
    )


def _outline(peaks: Sequence[float], middle: int, px: float) -> str:
    """A closed path around a lane's middle line; "" for no peaks."""
    if not peaks:
        return ""
    step = px / OUTLINE_PER_S
    points = [(CHART_LEFT_PX + i * step, max(0.4, 18 * min(1.0, 1.6 * peak))) for i, peak in enumerate(peaks)]
    upper = [f"{x:.1f} {middle - height:.1f}" for x, height in points]
    lower = [f"{x:.1f} {middle + height:.1f}" for x, height in reversed(points)]
    return f"M{'L'.join((*upper, *lower))}Z"
