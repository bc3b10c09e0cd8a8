"""Reads a journal back and says whether it is whole and untouched."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from pipecat_interrupt.journal.entries import GENESIS, JournalEntry


class ChainError(ValueError):
    """A journal is broken: a line does not parse, is missing, moved or changed. The message names the line."""


def read_jsonl(path: Path) -> list[JournalEntry]:
    """Read a JSONL journal.

    A last line that ends in mid-air (the process was killed while writing) is left out: it was never complete.

    Raises:
        ChainError: A complete line is not a journal entry, the message names file and line; or it is no regular file.
        FileNotFoundError: There is no such file.
    """
    if path.exists() and not path.is_file():  # a pipe nobody writes to, or a device without an end, is read for ever
        raise ChainError(f"{path.name}: not a file, but a pipe, a device or a folder; name the journal's file")
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ChainError(
            f"{path.name}: not a text file (byte {error.start}); a journal is JSON lines in UTF-8"
        ) from error
    lines = text.split("\n")
    torn = lines.pop()  # "" when the file ends with a newline, as it must
    entries: list[JournalEntry] = []
    for number, line in enumerate(lines, start=1):
        try:
            entries.append(JournalEntry.from_line(line))
        except ValidationError as error:
            raise ChainError(f"{path.name}:{number}: {_not_an_entry(error)}") from error
    if torn:
        try:
            entries.append(JournalEntry.from_line(torn))
        except ValidationError:
            if not entries:
                raise ChainError(f"{path.name}:1: {_NO_ENTRY}") from None
    return entries


def whole_lines(path: Path) -> list[bytes]:
    """Give the lines of a file without blank ones and without a torn last one; [] when there is no file.

    Raises:
        OSError: There is one and it cannot be read.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return []
    return [line for line in content[: content.rfind(b"\n") + 1].split(b"\n") if line.strip()]


def last_entry(path: Path, call_id: str) -> JournalEntry | None:
    """Give the last entry of a call's journal, for the next one to be chained to.

    None when there is no file, or its last whole line is no entry of this call.
    """
    try:
        lines = whole_lines(path)
        entry = JournalEntry.from_line(lines[-1]) if lines else None
    except (OSError, ValidationError):
        return None
    return entry if entry is not None and entry.call_id == call_id else None


def notes_on(path: Path, entries: list[JournalEntry]) -> list[str]:
    """Say what a whole chain does not tell: a torn last line, an end that is missing."""
    found: list[str] = []
    if not path.read_bytes().endswith(b"\n"):
        found.append("the last line is torn and was left out (the process was killed while writing)")
    if not has_end(entries):
        found.append("there is no end of the call: it goes on, its process died, or the tail was cut off")
    return found


def has_end(entries: list[JournalEntry]) -> bool:
    """Say whether the end of the call stands in a journal: without it nobody can tell that no tail was cut off.

    What a call's process writes after it (a late hand-off, trouble in closing) does not take the end back.
    """
    return any(entry.data.kind == "call_ended" for entry in entries)


def verify_chain(entries: Iterable[JournalEntry], where: str = "journal") -> int:
    """Check numbering and hash chain.

    Args:
        entries: All entries, in the order of the file.
        where: The file's name, for the message.

    Returns:
        How many entries were checked.

    Raises:
        ChainError: At the first entry that is out of order or altered; the message names the file, the line, what is
            wrong with it, how much before it can be trusted, and what to do.
    """
    previous, count = GENESIS, 0
    for position, entry in enumerate(entries):
        if entry.seq != position:
            raise _broken(
                where, position, f"entry {entry.seq} stands where entry {position} should: one is missing or moved"
            )
        if entry.previous != previous:
            before = "the entry before it was replaced" if position else "the journal's beginning is missing"
            raise _broken(where, position, f"entry {position} does not follow what stands before it: {before}")
        if entry.digest not in (entry.computed_digest(), entry.written_digest()):
            raise _broken(where, position, f"entry {position} ({entry.data.kind}) was altered after it was written")
        previous, count = entry.digest, count + 1
    return count


_NO_ENTRY = "not a journal entry; is this another file, or one edited by hand? A journal is one JSON object a line"


def _not_an_entry(error: ValidationError) -> str:
    """Name the first fault by its field, never by its words: they may be the patient's."""
    first = error.errors(include_input=False, include_url=False, include_context=False)[0]
    field = ".".join(str(part) for part in first["loc"]) or "the line"
    if first["type"] == "repeated_key":
        return (
            f"the key {field!r} stands twice in one object, so the line says two things and was altered after it was "
            "written. Compare it with a copy made before; nothing here repairs it"
        )
    more = f", and {error.error_count() - 1} more" if error.error_count() > 1 else ""
    return f"{_NO_ENTRY} (at {field}: {first['type']}{more})"


def _broken(where: str, position: int, what: str) -> ChainError:
    trusted = f"the {position} line(s) before it are intact" if position else "no line before it can vouch for it"
    return ChainError(
        f"{where}:{position + 1}: {what}; {trusted}. Compare it with a copy made before; nothing here repairs it"
    )
