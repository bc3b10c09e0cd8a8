"""Bounded reading of text files: size, encoding, JSON depth. Owns the refusals that all text readers share."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pipecat_interrupt.replay.errors import RecordingRefused
from pipecat_interrupt.replay.settings import CALL_S_MAX, TEXT_BYTES_MAX, WORDS_MAX
from pipecat_interrupt.replay.values import Word

ENCODINGS = ("utf-8-sig", "utf-16")
OVERLONG_WORD_CHARS = 200


def text_of(path: Path) -> str:
    """Read a text file.

    Raises:
        RecordingRefused: It is too large, empty, or no text.
    """
    size = path.stat().st_size
    if size > TEXT_BYTES_MAX:
        raise RecordingRefused("too_large", path.name, f"{size} bytes; a transcript has at most {TEXT_BYTES_MAX}")
    raw = path.read_bytes()
    wide = b"\x00" in raw or raw[:2] in (b"\xff\xfe", b"\xfe\xff")  # else any even number of bytes would be UTF-16
    for encoding in ENCODINGS if raw[:2] not in (b"\xff\xfe", b"\xfe\xff") else ENCODINGS[::-1]:
        try:
            text = raw.decode(encoding)
        except UnicodeError:
            continue
        if "\x00" in text or (encoding == "utf-16" and not wide):
            continue
        if not text.strip():
            raise RecordingRefused("empty", path.name, "the file is empty")
        return text
    raise RecordingRefused("bad_text", path.name, "neither UTF-8 nor UTF-16 text; save it as UTF-8")


def json_of(path: Path) -> Any:
    """Read a JSON file.

    Raises:
        RecordingRefused: It is no JSON, or nested beyond any transcript.
    """
    try:
        return json.loads(text_of(path))
    except json.JSONDecodeError as error:
        raise RecordingRefused("bad_text", path.name, f"no JSON at line {error.lineno}: {error.msg}") from error
    except ValueError as error:  # Python reads no integer of thousands of digits
        raise RecordingRefused("bad_text", path.name, "a number in it is too long for any time or count") from error
    except RecursionError as error:
        raise RecordingRefused("bad_text", path.name, "nested too deeply for a transcript") from error


def checked_word(name: str, text: object, start: object, end: object) -> Word | None:
    """Make a word of what a file says; None when it has no text.

    Raises:
        RecordingRefused: A time is missing, not a number, negative, or beyond any call.
    """
    if not isinstance(text, str):
        raise RecordingRefused("bad_text", name, "a word has no text")
    plain = " ".join("".join(c for c in text if c.isprintable() or c.isspace()).split())[:OVERLONG_WORD_CHARS]
    if not plain:
        return None
    begin_s, end_s = seconds(name, start), seconds(name, end)
    if end_s < begin_s:
        raise RecordingRefused("bad_times", name, f"a word ends at {end_s:g} s, before it starts at {begin_s:g} s")
    return Word(plain, begin_s, end_s)


def seconds(name: str, value: object) -> float:
    """Take a time of a file.

    Raises:
        RecordingRefused: It is no number, negative, or beyond any call.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise RecordingRefused("bad_times", name, "a time is missing or no number; word times are needed, in seconds")
    if not 0 <= value <= CALL_S_MAX:
        raise RecordingRefused("bad_times", name, f"a time of {value:g} s lies outside 0 to {CALL_S_MAX:g} s")
    return float(value)


def bounded(name: str, words: Iterable[Word]) -> list[Word]:
    """Collect words, at most `WORDS_MAX`.

    Raises:
        RecordingRefused: There are more.
    """
    found: list[Word] = []
    for word in words:
        if len(found) >= WORDS_MAX:
            raise RecordingRefused("too_large", name, f"more than {WORDS_MAX} words")
        found.append(word)
    return found
