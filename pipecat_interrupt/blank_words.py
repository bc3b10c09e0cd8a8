"""Finds words of a command that are blank, as `--audio "$UNSET"` leaves them.

A blank path reads as the working folder: `retain --audio ""` would erase there, `replay ""` read everything in it. No
option of ours means anything by a blank value, so both command lines refuse one before a verb sees it.
"""

from __future__ import annotations

from collections.abc import Sequence


def blank_word(words: Sequence[str]) -> str | None:
    """Say which word of a command is blank and what to do, in one line; None when none is.

    Args:
        words: The command's words, without the program's name.
    """
    before = ""
    for place, word in enumerate(words, start=1):
        option, equals, value = word.partition("=")
        if word.startswith("--") and equals and not value.strip():
            named = option
        elif word.strip():
            before = word
            continue
        else:
            named = before if before.startswith("-") else f"word {place} of the command"
        return f"{named}: blank, as an unset variable leaves it; give it a value, or leave it out"
    return None
