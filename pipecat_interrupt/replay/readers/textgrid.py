"""Praat TextGrids: one file with a tier a voice, or one file a voice ("..._doctor", "..._patient").

Owns that form alone; the parsing is praatio's (extra `replay`). Intervals are stretches of speech: their words' times
are spread by letters, and say so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from pipecat_interrupt.errors import MissingExtra
from pipecat_interrupt.replay.errors import RecordingRefused
from pipecat_interrupt.replay.readers.files import seconds, text_of
from pipecat_interrupt.replay.readers.sides import by_label, named
from pipecat_interrupt.replay.settings import WORDS_MAX, ReplaySettings
from pipecat_interrupt.replay.values import Piece, Timeline, spread

_TAG = re.compile(r"<[^<>]{0,80}>")
"""Transcribers' marks ("<UNIN/>", "<UNSURE>...</UNSURE>"): the mark goes, what it encloses stays."""


def read_textgrids(paths: Sequence[Path], settings: ReplaySettings, call_id: str) -> Timeline:
    """Read the tiers of one call.

    Args:
        paths: One file with several tiers, or several files of one tier each.
        settings: Labels of either side.
        call_id: The call's name.

    Raises:
        RecordingRefused: A file is no TextGrid, or nothing tells the agent's tier.
        MissingExtra: praatio is not installed.
    """
    voices: dict[str, list[Piece]] = {}
    length_s = 0.0
    for path in paths:
        tiers, end_s = _tiers(path)
        length_s = max(length_s, end_s)
        for tier_name, pieces in tiers.items():
            own = len(tiers) > 1 or named(tier_name, (*settings.agent_labels, *settings.far_labels))
            voices.setdefault(tier_name if own else path.stem, []).extend(pieces)
    return by_label(call_id, paths[0].name, voices, settings, duration_s=length_s)


BROKEN = "the TextGrid is cut short or not as Praat writes it; open it in Praat and save it again as a text file"


def _tiers(path: Path) -> tuple[dict[str, list[Piece]], float]:
    try:
        from praatio import textgrid
        from praatio.utilities.errors import PraatioException
    except ModuleNotFoundError as error:
        raise MissingExtra("reading TextGrids", 'pip install "pipecat-interrupt[replay]"') from error
    if "ooTextFile" not in text_of(path)[:400] and "TextGrid" not in text_of(path)[:400]:
        raise RecordingRefused("bad_text", path.name, "no TextGrid: its first lines do not say so")
    try:
        grid = textgrid.openTextgrid(str(path), False, reportingMode="silence", duplicateNamesMode="rename")
        tiers = {tier.name: tuple(tier.entries) for tier in grid.tiers}
        end_s = seconds(path.name, float(grid.maxTimestamp or 0.0))
    except RecordingRefused:
        raise
    except (PraatioException, ValueError, IndexError, KeyError, TypeError, AssertionError, AttributeError) as error:
        raise RecordingRefused("bad_text", path.name, BROKEN) from error
    return {name: _pieces(path.name, name, entries) for name, entries in tiers.items()}, end_s


def _pieces(name: str, label: str, entries: Sequence[object]) -> list[Piece]:
    pieces: list[Piece] = []
    count = 0
    for entry in entries:
        parts = tuple(entry) if isinstance(entry, tuple) else ()
        if len(parts) != 3:
            continue  # a point tier marks moments, nobody speaks in it
        start_s, end_s = seconds(name, float(parts[0])), seconds(name, float(parts[1]))
        words = spread(_TAG.sub(" ", str(parts[2])), start_s, end_s)
        count += len(words)
        if count > WORDS_MAX:
            raise RecordingRefused("too_large", name, f"more than {WORDS_MAX} words")
        if words and end_s > start_s:
            pieces.append(Piece(words, exact=False, label=label))
    return pieces
