"""Logs as one JSON object a line, without a word of any call.

Owns what may stand in a log. Our own messages are fixed text with ids and numbers (a test holds that). Pipecat's and
the services' messages quote transcripts and prompts, so of those only place and level are written; so are exceptions:
their type, never their text.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TextIO

from loguru import logger

if TYPE_CHECKING:
    from loguru import Message, Record

OURS = ("pipecat_interrupt", "obligations", "speaker_gate")
WITHHELD = "message withheld: it may quote the call"


def as_json(record: Record) -> str:
    """Write one log record as a line of JSON: time, level, place, message, and the ids bound to it."""
    name = record["name"] or ""
    ours = name.split(".")[0] in OURS
    line: dict[str, Any] = {
        "time": record["time"].isoformat(timespec="milliseconds"),
        "level": record["level"].name,
        "place": f"{name}:{record['line']}",
        "message": record["message"] if ours else WITHHELD,
    }
    if record["exception"] is not None and record["exception"].type is not None:
        line["error"] = record["exception"].type.__name__
    line |= {key: value for key, value in record["extra"].items() if isinstance(value, str | int | float | bool)}
    return json.dumps(line, ensure_ascii=True)


def json_sink(stream: TextIO | None = None) -> Callable[[Message], None]:
    """Make a loguru sink that writes JSON lines.

    Args:
        stream: Where to; None is standard error.
    """

    def write(message: Message) -> None:
        out = stream or sys.stderr
        out.write(as_json(message.record) + "\n")
        out.flush()

    return write


def use_json_logs(level: str = "INFO", stream: TextIO | None = None) -> None:
    """Make JSON lines the only log of this process."""
    logger.remove()
    # diagnose and backtrace off: they would print the values of variables.
    logger.add(json_sink(stream), level=level, backtrace=False, diagnose=False, format="{message}")
