"""Picks the reader of a text input by what the file holds. Owns the list of forms."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pipecat_interrupt.replay.errors import RecordingRefused
from pipecat_interrupt.replay.readers.call_file import is_call_file, read_call_file
from pipecat_interrupt.replay.readers.deepgram import is_deepgram, read_deepgram
from pipecat_interrupt.replay.readers.files import json_of
from pipecat_interrupt.replay.readers.textgrid import read_textgrids
from pipecat_interrupt.replay.readers.vtt import read_vtt
from pipecat_interrupt.replay.settings import ReplaySettings
from pipecat_interrupt.replay.values import Timeline

TextForm = Literal["call", "deepgram", "textgrid", "vtt", "journal"]

FORMS: dict[str, tuple[TextForm, ...]] = {
    ".json": ("call", "deepgram"),
    ".textgrid": ("textgrid",),
    ".vtt": ("vtt",),
    ".jsonl": ("journal",),
}
"""What a file of each suffix (lower case) may be."""


def text_form(path: Path) -> TextForm:
    """Say which form a text input has.

    Raises:
        RecordingRefused: None of ours.
    """
    forms = FORMS.get(path.suffix.lower())
    if forms is None:
        raise RecordingRefused("unknown_form", path.name, f"not one of {', '.join(sorted(FORMS))}")
    if len(forms) == 1:
        return forms[0]
    data = json_of(path)
    if is_call_file(data):
        return "call"
    if is_deepgram(data):
        return "deepgram"
    raise RecordingRefused(
        "unknown_form",
        path.name,
        'JSON, but neither Deepgram\'s answer nor a call file ("form": "pipecat-interrupt-call")',
    )


def read_text(paths: Sequence[Path], settings: ReplaySettings, call_id: str) -> Timeline:
    """Read a transcript (not a journal: see `readers.journal`).

    Args:
        paths: The files of one call; several only for TextGrids.
        settings: Labels of either side.
        call_id: The call's name.

    Raises:
        RecordingRefused: What is wrong, and where.
    """
    form = text_form(paths[0])
    if form == "textgrid":
        return read_textgrids(paths, settings, call_id)
    if len(paths) > 1:
        raise RecordingRefused(
            "unknown_form", paths[1].name, "a call has one transcript; only TextGrids come in several"
        )
    if form == "vtt":
        return read_vtt(paths[0], settings, call_id)
    if form == "call":
        return read_call_file(paths[0], call_id)
    if form == "deepgram":
        return read_deepgram(paths[0], settings, call_id)
    raise RecordingRefused(
        "unknown_form", paths[0].name, "a journal is replayed by its facts, not read as a transcript"
    )
