"""One writer a file: the lock a journal's writer holds, and that whoever rewrites or removes the file asks for.

Owns how the lock is taken and how its holder is named. It is the operating system's (`flock`), on the file itself: it
goes with the process however that ends, it keeps no reader out, and two names of one file meet in it. Nothing is left
on disk that would have to be erased with the file. Why not a lock file: docs/decisions/0013.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from loguru import logger

from obligations.stores.errors import FileInUse

try:
    import fcntl
except ModuleNotFoundError:  # pragma: no cover - Windows, where a lock would keep readers out as well
    fcntl = None  # type: ignore[assignment]

LOCKS = Path("/proc/locks")
"""Where Linux tells who holds which lock; other systems do not tell."""


class Opened(Protocol):
    """What has a number with the operating system: an open file, or a folder."""

    def fileno(self) -> int:
        """Give the number."""
        ...


def take(file: Opened, path: Path) -> bool:
    """Become the one writer of an open file until it is closed or the process ends.

    Args:
        file: The open file; closing it gives the lock back.
        path: Its name, for the message.

    Returns:
        False where the system or the file system has no such locks: then nothing is held, and a warning says so.

    Raises:
        FileInUse: Another writer has it, in this process or in another; at once, nothing is waited for.
    """
    if fcntl is None:  # pragma: no cover - see above
        logger.warning("this system has no file locks: nothing keeps a second writer out")
        return False
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise FileInUse(path, holder_of(file)) from None
    except OSError as error:
        logger.warning("a file system has no locks ({}): nothing keeps a second writer out", error.errno)
        return False
    return True


@contextmanager
def no_writer(path: Path) -> Generator[None]:
    """Keep writers out of a file while it is rewritten or removed.

    Raises:
        FileInUse: Somebody is writing it; nothing was touched.
        OSError: It cannot be opened.
    """
    with path.open("rb") as file:
        take(file, path)
        yield


@dataclass(frozen=True, slots=True)
class _Folder:
    number: int

    def fileno(self) -> int:
        return self.number


@contextmanager
def alone_in(folder: Path) -> Generator[None]:
    """Be the one process that works in a folder; those who do not ask for it are not kept out.

    Raises:
        FileInUse: Somebody else does; at once, nothing is waited for.
        OSError: It cannot be opened.
    """
    if fcntl is None:  # pragma: no cover - Windows opens no folders either
        logger.warning("this system has no file locks: nothing keeps a second writer out")
        yield
        return
    number = os.open(folder, os.O_RDONLY)
    try:
        take(_Folder(number), folder)
        yield
    finally:
        os.close(number)


def is_still(file: Opened, path: Path) -> bool:
    """Whether an open file is what its name leads to: it may have been erased or replaced before it was locked."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False


def holder_of(file: Opened, locks: Path = LOCKS) -> int | None:
    """Give the process that holds a file's lock; None where the system does not tell.

    Args:
        file: The open file.
        locks: The system's table of locks.
    """
    at = os.fstat(file.fileno())
    place = f"{os.major(at.st_dev):02x}:{os.minor(at.st_dev):02x}:{at.st_ino}"
    try:
        lines = locks.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return None
    for line in lines:
        words = line.split()  # "1: FLOCK  ADVISORY  WRITE 1234 fe:00:4242 0 EOF"
        if len(words) >= 6 and words[1] == "FLOCK" and words[5] == place and words[4].isdigit() and words[4] != "0":
            return int(words[4])
    return None
