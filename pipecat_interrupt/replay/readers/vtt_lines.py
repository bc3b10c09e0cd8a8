"""Whether every line of a WebVTT file that may hold words is read: its readers pass over what they cannot read.

Owns that check alone. A cue whose time line is written otherwise ("00:09,000", "00:99.000"), and text behind an empty
line inside a cue, are ignored by the standard's rules; here an ignored line may be the patient's answer, so the file is
refused instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pipecat_interrupt.replay.errors import RecordingRefused

_ARROW = "-->"
_TIME = r"(?:\d+:)?[0-5]?\d:[0-5]?\d\.\d{1,3}"
_TIMES = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}(?:\s.*)?")
_NO_WORDS = re.compile(r"(?:WEBVTT|NOTE|STYLE|REGION)(?:\s.*)?")
_VOICE = re.compile(r"<v(?:\.[^\s<>]*)?\s+([^<>]*)>")
_LINE_END = re.compile(r"\r\n|\r|\n")

_NO_TIMES = 'no time line of WebVTT; write "00:01:09.000 --> 00:01:12.000" (minutes and seconds below 60, a dot)'
_NO_CUE = "belongs to no cue; take the empty line above it out, or give it a time line of its own"
_TWO_VOICES = "a second voice in one cue; give each voice a cue of its own"


def check_lines(name: str, text: str) -> int:
    """Refuse a file of which a line would be passed over.

    Args:
        name: The file's name, for the message.
        text: All of it.

    Returns:
        How many cues it has.

    Raises:
        RecordingRefused: A time line is none of WebVTT, text belongs to no cue, or a cue has two voices; the message
            names the line.
    """
    cues = 0
    for first, lines in _blocks(text):
        in_cue, voices = False, set[str]()
        for number, line in enumerate(lines, start=first):
            if _ARROW in line and not (number == first and line.startswith("NOTE")):
                if not _TIMES.fullmatch(line):
                    raise RecordingRefused("bad_times", name, f"line {number}: {_NO_TIMES}")
                cues, in_cue, voices = cues + 1, True, set[str]()
            elif in_cue:
                voices |= {voice.strip() for voice in _VOICE.findall(line)}
                if len(voices) > 1:
                    raise RecordingRefused("bad_text", name, f"line {number}: {_TWO_VOICES}")
        if not in_cue and not _NO_WORDS.fullmatch(lines[0].removeprefix("\ufeff")) and any(map(str.strip, lines)):
            raise RecordingRefused("bad_text", name, f"line {first}: {_NO_CUE}")
    return cues


def _blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """Give what stands between empty lines, with the number of its first line."""
    block: list[str] = []
    for number, line in enumerate([*_LINE_END.split(text), ""], start=1):
        if line:
            block.append(line)
        elif block:
            yield number - len(block), block
            block = []
