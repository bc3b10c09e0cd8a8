"""What a replay leaves behind of one call. Owns the folder's layout; a folder is whole or not there."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from obligations.handoff import to_markdown
from pipecat_interrupt.page import PatientLine, VoiceSegment, render_call_page
from pipecat_interrupt.replay.calls import ReplayedCall
from pipecat_interrupt.replay.captions import to_csv, to_vtt
from pipecat_interrupt.replay.found import far_intervals
from pipecat_interrupt.replay.jefferson import to_jefferson
from pipecat_interrupt.replay.places import Place
from pipecat_interrupt.replay.readers.call_file import to_call_file

RESULT_FILE = "replay.json"
FILES = (
    "replay.json",
    "summary.json",
    "call.html",
    "transcript.txt",
    "transcript.vtt",
    "transcript.csv",
    "call.json",
    "handoff.json",
    "handoff.md",
)
"""Every file a call's folder may hold; the last two only with a pathway."""


def write_call(call: ReplayedCall, place: Place, name: str) -> None:
    """Write every file of one call.

    Args:
        call: The replayed call.
        place: Where results go.
        name: The call's folder there; an older one is replaced as a whole, so that a stopped run leaves no half call.

    Raises:
        OSError: The files cannot be written.
        EnvironmentProblem: The place cannot be written.
    """
    with TemporaryDirectory() as temporary:
        folder = Path(temporary) / name
        folder.mkdir()
        for file, text in _files(call).items():
            (folder / file).write_text(text, encoding="utf-8")
        place.put(folder, name, RESULT_FILE)


def _files(call: ReplayedCall) -> dict[str, str]:
    timeline, result = call.timeline, call.result
    exact = all(piece.exact for piece in (*timeline.agent, *timeline.far))
    files = {
        RESULT_FILE: result.model_dump_json(indent=2) + "\n",
        "summary.json": result.summary.model_dump_json(indent=2) + "\n",
        "call.html": call_page(call),
        "transcript.txt": to_jefferson(timeline, exact=exact),
        "transcript.vtt": to_vtt(timeline),
        "transcript.csv": to_csv(timeline, result),
        "call.json": to_call_file(timeline).model_dump_json(indent=1) + "\n",
    }
    if call.handoff is not None:
        files["handoff.json"] = call.handoff.model_dump_json(indent=2) + "\n"
        files["handoff.md"] = to_markdown(call.handoff)
    return files


def call_page(call: ReplayedCall) -> str:
    """Draw the page of one call: a complete HTML document."""
    handoff = call.handoff
    return render_call_page(
        call.result.summary,
        title=handoff.pathway_title if handoff is not None else "Replayed call",
        lines=[PatientLine(line.at_s, line.text, line.speaker, line.verdict) for line in call.lines],
        segments=[VoiceSegment(start_s, end_s) for start_s, end_s in far_intervals(call.timeline)],
        handoff_markdown=to_markdown(handoff) if handoff is not None else "",
    )
