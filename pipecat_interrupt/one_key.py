"""Finds a key that stands twice in one JSON object.

Owns that one check. Readers of JSON keep the last of two and say nothing of the first, so a line could show a person
one thing and a program another; what is kept as evidence is refused instead.
"""

from __future__ import annotations

import json
from typing import Any


class _Repeated(Exception):
    pass


def repeated_key(text: str | bytes) -> str | None:
    """Name the first key that occurs twice in one object, at any depth; None when there is none.

    Args:
        text: JSON; bytes are UTF-8. A text that is no JSON gives None: saying so is its reader's part.
    """
    try:
        json.loads(text, object_pairs_hook=_once)
    except _Repeated as found:
        return str(found)
    except (ValueError, RecursionError):
        return None
    return None


def _once(pairs: list[tuple[str, Any]]) -> None:
    seen = set[str]()
    for key, _ in pairs:
        if key in seen:
            raise _Repeated(key)
        seen.add(key)
