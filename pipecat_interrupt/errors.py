"""Every error this room raises on purpose.

InterruptError
├── PipelineError          caller's fault: parts in the wrong order, a part missing, a parameter that does nothing
├── SettingsError          caller's fault: a configuration value that cannot work
├── EnvironmentProblem     environment's fault: a port, a file, a child process
│   ├── JournalInUse       another writer has the journal's file
│   └── JournalConflict    a database holds another journal of the same call
└── MissingExtra           an optional package is not installed; the message is the one line that installs it

None of these is raised into a running pipeline: in a call the parts push a non-fatal error and fall to their safe side
(docs/safety.md). They are raised while a bot is put together, and by the command line.
"""

from __future__ import annotations

from pathlib import Path


class InterruptError(Exception):
    """Base of everything this room raises on purpose."""


class PipelineError(InterruptError):
    """The pipeline cannot keep the promises as it is put together; the message says where and what to change."""


class SettingsError(InterruptError):
    """A setting cannot work; the message names it, its value and what is allowed."""


class EnvironmentProblem(InterruptError):
    """The machine does not provide what is needed; the message says what and how to get it."""


class JournalInUse(EnvironmentProblem):
    """Another writer has the journal's file; nothing was touched. A call's kit goes on in a file of its own.

    Args:
        file: The file.
        who: Who writes it, such as "process 4711".
        fix: What to do.
    """

    def __init__(self, file: Path, who: str, fix: str) -> None:
        self.file, self.who = file, who
        super().__init__(f"{file}: is being written by {who}, and a journal's file has one writer. {fix}")


class JournalConflict(EnvironmentProblem):
    """A store has another entry under this call and number: two journals of one call met in it. It holds what it held.

    Args:
        where: What holds the other entry, such as "the SQLite journal".
        seq: The number.
    """

    def __init__(self, where: str, seq: int) -> None:
        self.where, self.seq = where, seq
        super().__init__(
            f"{where} has another entry under number {seq} of this call: another worker's journal of it stands there."
            " It stays as it is; keep this one in a store of its own (docs/stores.md)"
        )


class MissingExtra(InterruptError):
    """An optional package is missing.

    Args:
        what: What needs it, such as "the Piper voice".
        install: The one line that installs it.
    """

    def __init__(self, what: str, install: str) -> None:
        self.install = install
        super().__init__(f"{what} needs an optional package. Install it with:\n    {install}")
