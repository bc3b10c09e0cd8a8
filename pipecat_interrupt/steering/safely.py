"""Keeps a failure of ours out of the pipeline.

Owns the journal's line about it; decides nothing else.
"""

from __future__ import annotations

from collections.abc import Callable

from loguru import logger

from pipecat_interrupt.journal import JournalWriter
from pipecat_interrupt.journal.entries import Trouble


class Safely:
    """Keeps a failure of ours out of the pipeline: it is journalled by name, and the item it was about stays open."""

    def __init__(self, journal: JournalWriter, now_s: Callable[[], float], where: str) -> None:
        self._journal, self._now_s, self._where = journal, now_s, where

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool:
        if error is None or not isinstance(error, Exception):
            return False
        logger.opt(exception=error).error("steering failed at {}", self._where)
        self._journal.write(
            Trouble(where=self._where, error=type(error).__name__, safe_side="items stay open"), self._now_s()
        )
        return True
