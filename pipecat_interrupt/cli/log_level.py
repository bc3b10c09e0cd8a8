"""How much is logged, as the environment says. Owns the reading of that one variable."""

from __future__ import annotations

import os

from loguru import logger

LOG_LEVEL_ENV = "PIPECAT_INTERRUPT_LOG"
LEVELS = ("TRACE", "DEBUG", "INFO", "SUCCESS", "WARNING", "ERROR", "CRITICAL")


def log_level(default: str) -> str:
    """Give the level of `PIPECAT_INTERRUPT_LOG`, in any case; the default where it is not set or empty.

    Raises:
        SettingsError: There is no such level.
    """
    from pipecat_interrupt.errors import SettingsError

    named = os.environ.get(LOG_LEVEL_ENV, "").strip()
    if not named:
        return default
    try:
        return logger.level(named.upper()).name
    except ValueError:
        raise SettingsError(f"{LOG_LEVEL_ENV}={named}: no such level; one of {', '.join(LEVELS)}") from None
