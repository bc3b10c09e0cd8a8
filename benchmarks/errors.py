"""The errors of this room.

BenchmarkError
|- CallerError            the command, a file or a row is wrong: one clear line, exit code 2
|  |- UnknownName         no such evaluation kind, cell, arm, agent, system, ...
|  |- MissingData         the data a kind needs was not given or is not there
|  |- UnreadableRow       a row of a data file cannot be read; names file and line
|  `- BadOption           an option or value that the command cannot use
|- EnvironmentFault       the surroundings failed: an endpoint, a disk; exit code 3
`- MissingExtra           a package is not installed; the line says what to install, exit code 2
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


class BenchmarkError(Exception):
    """Any error this room raises on purpose; its text is one line for the person at the command line."""

    exit_code = 1


class CallerError(BenchmarkError):
    """The caller's fault: the command, a file or a row is wrong."""

    exit_code = 2


class UnknownName(CallerError):
    """A name that nothing here answers to."""

    def __init__(self, what: str, name: str, known: Iterable[str]) -> None:
        """Say which `what` is unknown and which are known."""
        super().__init__(f"unknown {what} {name!r}; known: {', '.join(sorted(known)) or 'none'}")


class MissingData(CallerError):
    """The data a command needs was not given, or is not where it was said to be."""


class BadOption(CallerError):
    """An option or a value that the command cannot use."""


class UnreadableRow(CallerError):
    """A row of a data file that cannot be read."""

    def __init__(self, path: Path | str, line: int, why: str) -> None:
        """Name the file, the 1-based line and the reason."""
        super().__init__(f"{path}:{line}: {why}")
        self.path = Path(path)
        self.line = line


class EnvironmentFault(BenchmarkError):
    """The surroundings failed: an endpoint, a disk, a child process."""

    exit_code = 3


class MissingExtra(BenchmarkError):
    """A package that a command needs is not installed."""

    exit_code = 2

    def __init__(self, package: str, install: str | None = None) -> None:
        """Name the missing package and what installs it."""
        super().__init__(f"{package} is not installed; install it with: {install or f'pip install {package}'}")
        self.package = package
