"""Words without case and punctuation, and stretches of them."""

from __future__ import annotations

import re
from collections.abc import Sequence


def bare_words(text: str) -> list[str]:
    """Give a text's words without case and punctuation; a word of punctuation alone is none."""
    return [w for w in (re.sub(r"[^\w']", "", word).casefold() for word in text.split()) if w]


def find_run(needle: Sequence[str], hay: Sequence[str]) -> list[int]:
    """Give every start of `needle` as one stretch of `hay`."""
    return [i for i in range(len(hay) - len(needle) + 1) if list(hay[i : i + len(needle)]) == list(needle)]
