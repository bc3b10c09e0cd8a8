"""Where calls come from and results go: a folder of this machine, or any place fsspec knows (`s3://bucket/calls`).

Owns reading, writing and listing by name. A folder on this machine needs no package beyond the standard library.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from loguru import logger

from pipecat_interrupt.errors import EnvironmentProblem, MissingExtra, SettingsError

_URL = re.compile(r"^[a-z][a-z0-9+.-]+://", re.IGNORECASE)
FILES_MAX = 1_000_000

LOCK_FILE = "replay.lock"
"""Stands in a place elsewhere for as long as a run writes there; on this machine the folder itself is locked."""


class Place(Protocol):
    """A folder somewhere.

    Promises: names use `/`; `put` leaves a whole set of files or none that counts: the first of `names` is written last
    and taken away first. Errors of a vendor's library never leave a place.
    """

    def __str__(self) -> str:
        """Its address, as it was given."""
        ...

    def names(self) -> list[str]:
        """Every file under it, sorted; [] where there is no such place.

        Raises:
            EnvironmentProblem: It cannot be listed.
        """
        ...

    def text(self, name: str) -> str | None:
        """A text file; None where there is none."""
        ...

    def read(self, name: str) -> bytes | None:
        """A whole file; None where there is none."""
        ...

    def write(self, name: str, content: bytes) -> None:
        """Write a file; folders are made."""
        ...

    def remove(self, name: str) -> None:
        """Take a file away, if it is there."""
        ...

    def put(self, folder: Path, name: str, first: str) -> None:
        """Bring a folder of this machine here.

        Args:
            folder: The folder; it may be moved.
            name: Its name here.
            first: The file whose presence says that the folder is whole.
        """
        ...

    def fetch(self, name: str, into: Path) -> None:
        """Bring a file to this machine.

        Raises:
            EnvironmentProblem: It cannot be read.
        """
        ...


class LocalPlace:
    """A folder of this machine.

    Args:
        root: The folder.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def __str__(self) -> str:
        """The folder as given."""
        return str(self.root)

    def names(self) -> list[str]:
        """Every file under it."""
        return sorted(p.relative_to(self.root).as_posix() for p in self.root.rglob("*") if p.is_file())

    def text(self, name: str) -> str | None:
        """A text file; None where there is none, or none that is text."""
        try:
            return (self.root / name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def read(self, name: str) -> bytes | None:
        """A whole file; None where there is none that can be read."""
        try:
            return (self.root / name).read_bytes()
        except OSError:
            return None

    def write(self, name: str, content: bytes) -> None:
        """Write a file."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    def remove(self, name: str) -> None:
        """Take a file away."""
        (self.root / name).unlink(missing_ok=True)

    def put(self, folder: Path, name: str, first: str) -> None:
        """Move a folder here; the old one of that name goes first."""
        del first  # a rename is whole by itself
        target = self.root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f".{target.name}.part")
        shutil.rmtree(part, ignore_errors=True)
        shutil.move(folder, part)
        shutil.rmtree(target, ignore_errors=True)
        part.rename(target)

    def fetch(self, name: str, into: Path) -> None:
        """Copy a file."""
        shutil.copyfile(self.root / name, into)


class RemotePlace:
    """A place that fsspec knows.

    Args:
        url: Such as `s3://bucket/calls`; credentials are the vendor package's own business, usually the environment's.

    Raises:
        MissingExtra: fsspec, or the package of this kind of place, is not installed.
        SettingsError: There is no such kind of place.
    """

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")
        self._fs, self._root = _filesystem(self._url)

    def __str__(self) -> str:
        """The address as given."""
        return self._url

    @property
    def of_this_process_only(self) -> bool:
        """Whether other processes cannot see it (`memory://`)."""
        return self._url.startswith("memory://")

    def names(self) -> list[str]:
        """Every file under it."""
        try:
            found: list[str] = self._fs.find(self._root)
        except FileNotFoundError:
            return []
        except Exception as error:
            raise self._problem("be listed", error) from error
        if len(found) > FILES_MAX:
            raise EnvironmentProblem(f"{self._url} holds more than {FILES_MAX} files; name a folder inside it")
        prefix = self._root.rstrip("/") + "/"
        return sorted(name.removeprefix(prefix) for name in found if name.startswith(prefix))

    def text(self, name: str) -> str | None:
        """A text file; None where there is none, or none that is text."""
        try:
            raw = self.read(name)
            return raw.decode("utf-8") if raw is not None else None
        except UnicodeDecodeError:
            return None

    def read(self, name: str) -> bytes | None:
        """A whole file; None where there is none."""
        try:
            raw: bytes = self._fs.cat_file(f"{self._root}/{name}")
        except FileNotFoundError:
            return None
        except Exception as error:
            raise self._problem("be read", error) from error
        return raw

    def write(self, name: str, content: bytes) -> None:
        """Write a file, whole."""
        path = f"{self._root}/{name}"
        try:
            self._fs.makedirs(path.rpartition("/")[0], exist_ok=True)
            self._fs.pipe_file(path, content)
        except Exception as error:
            raise self._problem("be written", error) from error

    def remove(self, name: str) -> None:
        """Take a file away."""
        try:
            self._fs.rm_file(f"{self._root}/{name}")
        except FileNotFoundError:
            return
        except Exception as error:
            raise self._problem("be written", error) from error

    def put(self, folder: Path, name: str, first: str) -> None:
        """Bring a folder here: what says that it is whole is taken away first and written last."""
        self.remove(f"{name}/{first}")
        files = sorted(p for p in folder.rglob("*") if p.is_file())
        for path in sorted(files, key=lambda p: p.name == first):
            self.write(f"{name}/{path.relative_to(folder).as_posix()}", path.read_bytes())

    def fetch(self, name: str, into: Path) -> None:
        """Bring a file to this machine."""
        try:
            self._fs.get_file(f"{self._root}/{name}", str(into))
        except Exception as error:
            raise self._problem("be read", error) from error

    @contextmanager
    def alone(self) -> Generator[None]:
        """Be the one run that writes here, by a file that nobody else can make as long as it is there.

        A run that is killed leaves it. A store that cannot make a file only where there is none keeps nobody out.

        Raises:
            EnvironmentProblem: Another run writes here, or nothing can be written.
        """
        path = f"{self._root}/{LOCK_FILE}"
        who = f"{socket.gethostname()} process {os.getpid()}, since {datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
        held = True
        try:
            self._fs.makedirs(self._root, exist_ok=True)
            with self._fs.open(path, "xb") as file:
                file.write(who.encode())
        except FileExistsError:
            raise EnvironmentProblem(
                f"{self._url}: another replay writes there ({self.text(LOCK_FILE) or 'it does not say who'}). Wait for "
                f"its end, or name another --out; if it was killed, delete {self._url}/{LOCK_FILE}"
            ) from None
        except (NotImplementedError, ValueError):
            logger.warning("{} cannot make a file only where there is none: nothing keeps a second run out", self._url)
            held = False
        except Exception as error:
            raise self._problem("be written", error) from error
        try:
            yield
        finally:
            if held:
                self.remove(LOCK_FILE)

    def _problem(self, what: str, error: Exception) -> EnvironmentProblem:
        return EnvironmentProblem(f"{self._url} cannot {what}: {type(error).__name__}; check address and credentials")


def is_url(text: str) -> bool:
    """Whether a text names a place that fsspec is needed for."""
    return bool(_URL.match(text))


@cache
def place_of(where: str) -> Place:
    """Give a place by its address.

    Args:
        where: A folder of this machine, `file://...`, or an address of fsspec's.

    Raises:
        MissingExtra: A package for it is missing.
        SettingsError: There is no such kind of place.
    """
    if where.startswith("file://"):
        return LocalPlace(Path(where.removeprefix("file://")))
    return RemotePlace(where) if is_url(where) else LocalPlace(Path(where))


def _filesystem(url: str) -> tuple[Any, str]:
    try:
        import fsspec
    except ImportError as error:
        raise MissingExtra(f"reading or writing {url}", "pip install 'pipecat-interrupt[ray]' or fsspec") from error
    try:
        found: tuple[Any, str] = fsspec.core.url_to_fs(url)
    except ImportError as error:
        wanted = re.search(r"install (?:the )?[\"'`]?([A-Za-z0-9_.-]+)", str(error), re.IGNORECASE)
        fix = f"pip install {wanted[1]}" if wanted else str(error).partition("\n")[0]
        raise MissingExtra(f"reading or writing {url}", fix) from error
    except ValueError as error:
        raise SettingsError(f"{url}: no such kind of place ({error})") from error
    return found
