"""What can go wrong in the obligations room, by whose fault it is.

::

    ObligationsError
    |-- CallerError                 the caller's fault: mend the call or the file
    |   |-- PathwayError            a pathway file does not hold together (file, line, field, fix)
    |   |-- UnknownPathway          no bundled pathway and no file of that name
    |   |-- UnknownLanguage         the pathway has no wording in that language
    |   |-- UnknownItem             the pathway has no item of that id; the message names those it has
    |   |-- IllegalStep             the ledger's table has no such step; nothing was changed
    |   `-- ReplayMismatch          the events belong to another pathway or another version of it
    |-- EnvironmentFault            the surroundings failed: try again, or fall to the safe side
    `-- MissingExtra                an optional package is not installed; the message names the extra

Owns the tree only. Adapters map every vendor error into it, so none crosses a seam.
"""

from __future__ import annotations

from dataclasses import dataclass


class ObligationsError(Exception):
    """The root: catches everything this room raises on purpose."""


class CallerError(ObligationsError):
    """The caller's fault."""


class EnvironmentFault(ObligationsError):
    """The surroundings failed: a disk, a server, a network."""


class MissingExtra(ObligationsError):
    """An optional package is not installed; the message names the extra that brings it."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"{package} is not installed: pip install 'pipecat-interrupt[{extra}]'")
        self.package = package
        self.extra = extra


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a pathway file, said so that its author can mend it.

    Parameters:
        file: The file as it was named.
        line: 1-based line; 0 when no line can be named.
        field: Dotted path of the field, such as ``groups.1.items.0.focus.en``.
        what: What is wrong.
        fix: What to write instead.
    """

    file: str
    line: int
    field: str
    what: str
    fix: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.field or '(whole file)'}: {self.what} Fix: {self.fix}"


class PathwayError(CallerError):
    """A pathway file does not hold together; `problems` lists every fault found, in file order."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


class UnknownPathway(CallerError):
    """Neither a bundled pathway nor a file has this name."""


class UnknownLanguage(CallerError):
    """The pathway has no wording in the language of the call."""


class UnknownItem(CallerError, ValueError):
    """The pathway has no item of that id."""


class IllegalStep(CallerError):
    """The ledger's table has no such step; the ledger is as it was before."""


class ReplayMismatch(CallerError):
    """The events were written for another pathway, or for another version of this one."""
