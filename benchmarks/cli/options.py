"""Reads ``--option k=v`` settings."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from benchmarks.errors import BadOption


def parse_settings(settings: Iterable[str]) -> dict[str, Any]:
    """Read ``name=value`` settings; a value that is JSON (a number, true, a list) is read as such, else as text.

    Raises:
        BadOption: A setting has no ``=``, no name, or is given twice.
    """
    read: dict[str, Any] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or not name:
            raise BadOption(f"--option {setting!r}: expected name=value")
        if name in read:
            raise BadOption(f"--option {name} is given twice")
        try:
            read[name] = json.loads(value)
        except json.JSONDecodeError:
            read[name] = value
    return read
