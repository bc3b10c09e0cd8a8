"""WebVTT with voices ("<v Agent>..."), or with a name before a colon ("Agent: ...").

Owns that form alone; the parsing is webvtt-py's (extra `replay`). Cues time stretches: their words' times are spread by
letters, and say so.
"""

from __future__ import annotations

import html
import re
from pathlib import Path

from pipecat_interrupt.errors import MissingExtra
from pipecat_interrupt.replay.errors import RecordingRefused
from pipecat_interrupt.replay.readers.files import seconds, text_of
from pipecat_interrupt.replay.readers.sides import by_label
from pipecat_interrupt.replay.readers.vtt_lines import check_lines
from pipecat_interrupt.replay.settings import WORDS_MAX, ReplaySettings
from pipecat_interrupt.replay.values import Piece, Timeline, spread

_NAMED = re.compile(r"^\s*([A-Za-z][\w .-]{0,40}):\s+(.*)$", re.DOTALL)
_TAG = re.compile(r"<(?:/?[A-Za-z]|\d+:)[^<>]{0,200}>|</>")  # "<3 days and >2" is speech


def read_vtt(path: Path, settings: ReplaySettings, call_id: str) -> Timeline:
    """Read the cues of one call.

    Raises:
        RecordingRefused: It is no WebVTT, a line of it would be passed over, or nothing tells the agent's voice.
        MissingExtra: webvtt-py is not installed.
    """
    try:
        import webvtt
        from webvtt.errors import MalformedCaptionError, MalformedFileError
    except ModuleNotFoundError as error:
        raise MissingExtra("reading WebVTT", 'pip install "pipecat-interrupt[replay]"') from error
    text = text_of(path)
    try:
        captions = webvtt.from_string(text).captions
    except (MalformedFileError, MalformedCaptionError, ValueError, IndexError, AttributeError) as error:
        raise RecordingRefused("bad_text", path.name, 'no WebVTT; its first line must be "WEBVTT"') from error
    cues = check_lines(path.name, text)
    if cues != len(captions):
        why = f"{cues} cues stand in it and {len(captions)} can be read; put an empty line before each cue"
        raise RecordingRefused("bad_text", path.name, why)
    voices: dict[str, list[Piece]] = {}
    count = 0
    for caption in captions:
        label, said = _voice(str(caption.voice or ""), str(caption.raw_text))
        start_s = seconds(path.name, float(caption.start_in_seconds) + _milliseconds(caption.start))
        end_s = seconds(path.name, float(caption.end_in_seconds) + _milliseconds(caption.end))
        words = spread(said, start_s, end_s)
        count += len(words)
        if count > WORDS_MAX:
            raise RecordingRefused("too_large", path.name, f"more than {WORDS_MAX} words")
        if words and end_s <= start_s:
            raise RecordingRefused(
                "bad_times", path.name, f"a cue ends at {end_s:g} s, not after its start, {start_s:g} s"
            )
        if words:
            voices.setdefault(label, []).append(Piece(words, exact=False, label=label))
    return by_label(call_id, path.name, voices, settings)


def _voice(voice: str, raw: str) -> tuple[str, str]:
    plain = html.unescape(_TAG.sub(" ", raw))
    if voice:
        return voice.strip(), plain
    found = _NAMED.match(plain)
    return (found[1].strip(), found[2]) if found else ("", plain)


def _milliseconds(timestamp: str) -> float:
    """Whole seconds are what the library counts; the rest stands in the text of the time."""
    _, _, rest = timestamp.partition(".")
    return int(rest[:3].ljust(3, "0")) / 1000 if rest.isdigit() else 0.0
