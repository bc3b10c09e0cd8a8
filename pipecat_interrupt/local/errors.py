"""Errors of the local models.

LocalModelError
├── MissingExtra        missing extra: a package of `pipecat-interrupt[local]` is not installed
└── ServerFailed        environment's fault: the language-model child did not start, or died
"""

from __future__ import annotations


class LocalModelError(Exception):
    """A local model cannot be used."""


class MissingExtra(LocalModelError):
    """A package that a local model runs on is not installed.

    Args:
        package: The package that lacks.
        extra: The extra of this distribution that brings it.
    """

    def __init__(self, package: str, extra: str = "local") -> None:
        self.package = package
        super().__init__(f"{package} is not installed; run: python -m pip install 'pipecat-interrupt[{extra}]'")


class ServerFailed(LocalModelError):
    """The language-model server did not become ready, or ended by itself.

    Args:
        reason: One sentence.
        stderr_tail: The last lines it wrote, for a log; may be empty.
    """

    def __init__(self, reason: str, stderr_tail: str = "") -> None:
        self.stderr_tail = stderr_tail
        super().__init__(reason)
