"""Silence for thousands of calls: nobody reads their logs, and writing them would be measured."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from loguru import logger

_NAMES = ("pipecat", "pipecat_interrupt")


@contextmanager
def quiet() -> Iterator[None]:
    """Switch the logs of Pipecat and of our Pipecat side off, and on again at the end; a decorator as well."""
    for name in _NAMES:
        logger.disable(name)
    try:
        yield
    finally:
        for name in _NAMES:
            logger.enable(name)
