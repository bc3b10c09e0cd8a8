"""Turns what other rooms and the operating system raise into this room's errors: one line and its exit code.

Owns the table of families. An error that is in no family is a bug here and keeps its traceback.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.errors import BenchmarkError, CallerError, EnvironmentFault
from benchmarks.files import told_os_error

FAMILIES: tuple[tuple[str, str, type[BenchmarkError]], ...] = (
    ("obligations.errors", "CallerError", CallerError),
    ("obligations.errors", "EnvironmentFault", EnvironmentFault),
    ("obligations.errors", "MissingExtra", CallerError),
    ("speaker_gate.errors", "CallerError", CallerError),
    ("speaker_gate.errors", "EnvironmentFault", EnvironmentFault),
    ("speaker_gate.errors", "ExtraMissing", CallerError),
    ("pipecat_interrupt.errors", "EnvironmentProblem", EnvironmentFault),
    ("pipecat_interrupt.errors", "InterruptError", CallerError),
    ("pipecat_interrupt.local.errors", "ServerFailed", EnvironmentFault),
    ("pipecat_interrupt.local.errors", "LocalModelError", CallerError),
    ("pipecat_interrupt.weights.errors", "WeightsError", CallerError),
)
"""(module, family, ours); the first that fits counts. A module that was never imported has raised nothing."""


def plain_error(error: BaseException) -> BenchmarkError | None:
    """Give an error in this room's words; None for a bug."""
    if isinstance(error, BenchmarkError):
        return error
    if isinstance(error, OSError):
        return told_os_error(error)
    for module, family, ours in FAMILIES:
        known = getattr(sys.modules.get(module), family, None)
        if isinstance(known, type) and isinstance(error, known):
            return ours(_one_line(error))
    return None


def _one_line(error: BaseException) -> str:
    """Its first line; where that only leads up to the next ("Install it with:"), with the next."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    told = lines[0] if lines else type(error).__name__
    return f"{told} {lines[1]}" if told.endswith(":") and len(lines) > 1 else told


@contextmanager
def told_plainly() -> Iterator[None]:
    """Raise what happens inside in this room's words.

    Raises:
        BenchmarkError: Something in a family went wrong.
    """
    try:
        yield
    except Exception as error:
        plain = plain_error(error)
        if plain is None or plain is error:
            raise
        raise plain from error
