"""Files that a person named: read within a bound, written whole or not at all, and every fault told in one line.

Owns which fault of a file is the caller's (exit 2) and which the surroundings' (exit 3), and the early look at where a
long run is going to write.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from benchmarks.errors import BenchmarkError, CallerError, EnvironmentFault, MissingData, UnreadableRow

READ_BYTES_MAX = 2**30
"""Longest file read as one; a trial store of 200,000 calls is about as long."""

TRIED = "~"  # Ending of a file while it is being written.
_CALLERS = {
    errno.ENOENT: "no such file or folder",
    errno.ENOTDIR: "a part of that path is a file, not a folder",
    errno.EISDIR: "that is a folder, not a file",
    errno.EEXIST: "a file of that name is in the way",
    errno.ENAMETOOLONG: "the name is too long",
    errno.EINVAL: "not a usable name",
    errno.ELOOP: "links that lead in a circle",
}
_SURROUNDINGS = {
    errno.ENOSPC: "the disk is full; free some space and run the command again",
    errno.EDQUOT: "the disk quota is used up; free some space and run the command again",
    errno.EROFS: "the disk is read-only; name another place",
    errno.EACCES: "no permission; name another place, or change its rights",
    errno.EPERM: "not permitted; name another place, or change its rights",
}
_NO_FIELDS = frozenset({"model_type", "model_attributes_type", "dict_type"})
Model = TypeVar("Model", bound=BaseModel)


def first_problem(error: ValidationError) -> str:
    """Say the first problem of a pydantic error on one line: the field and what is wrong with it."""
    problem = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in problem["loc"])
    told = str(problem["msg"])
    if problem["type"] in _NO_FIELDS:  # pydantic would name a Python class
        told = "empty" if problem["input"] is None else f"{type(problem['input']).__name__} found"
        told = f"{told}; expected named fields with values"
    return f"{where}: {told}" if where else told


def told_os_error(error: OSError, doing: str = "use", path: Path | str | None = None) -> BenchmarkError:
    """Put an operating system's error in one line: what was tried, where, why, and what helps.

    Args:
        error: The error.
        doing: The verb, such as "read" or "write".
        path: Where; None takes the path the error names.
    """
    place = path if path is not None else error.filename
    where = f"cannot {doing} {place}" if place is not None else f"cannot {doing} a file"
    if error.errno in _CALLERS:
        return CallerError(f"{where}: {_CALLERS[error.errno]}")
    return EnvironmentFault(f"{where}: {_SURROUNDINGS.get(error.errno or 0, error.strerror or str(error))}")


def read_file(path: Path, what: str = "a file") -> bytes:
    """Read one file whole.

    Args:
        path: The file.
        what: What it should be, for the error line, such as "a cell file".

    Raises:
        MissingData: Nothing is there, or a folder, or a device that never ends.
        EnvironmentFault: It is there and cannot be read.
    """
    try:
        if not path.is_file():
            there = "a folder" if path.is_dir() else "no regular file" if path.exists() else None
            bare = what.partition(" ")[2]
            raise MissingData(f"cannot read {path}: {f'it is {there}, not {what}' if there else f'no such {bare}'}")
        size = path.stat().st_size
        if size > READ_BYTES_MAX:
            raise MissingData(f"cannot read {path}: {size} bytes, more than {READ_BYTES_MAX} are not read as {what}")
        return path.read_bytes()
    except OSError as error:
        raise told_os_error(error, "read", path) from None


def read_text(path: Path, what: str = "a file") -> str:
    """Read one file as UTF-8 text.

    Raises:
        MissingData: As `read_file`.
        UnreadableRow: It is not text; names the line.
        EnvironmentFault: As `read_file`.
    """
    raw = read_file(path, what)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise UnreadableRow(path, line, f"not UTF-8 text, so not {what}") from None


def read_json(path: Path, model: type[Model], what: str) -> Model:
    """Read one JSON file into a validated model.

    Raises:
        MissingData: As `read_file`.
        UnreadableRow: It is not such a file; names the field.
        EnvironmentFault: As `read_file`.
    """
    try:
        return model.model_validate_json(read_text(path, what))
    except ValidationError as error:
        raise UnreadableRow(path, 1, f"not {what}: {first_problem(error)}") from None


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Tell what fails inside as one line about `path`."""
    try:
        yield
    except OSError as error:
        raise told_os_error(error, "write", path) from None


def write_text(path: Path, text: str) -> Path:
    """Write a file with the folders above it; when that fails, what stood there before still stands.

    Raises:
        CallerError: Nothing can be written at such a path.
        EnvironmentFault: The disk is full, read-only, or not ours.
    """
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():  # A folder fails here; a pipe or a device is written to as it is.
            path.write_text(text, encoding="utf-8")
            return path
        tried = path.with_name(path.name + TRIED)
        try:
            tried.write_text(text, encoding="utf-8")
            os.replace(tried, path)
        finally:
            tried.unlink(missing_ok=True)
    return path


def make_folder(path: Path) -> Path:
    """Make a folder with those above it.

    Raises:
        CallerError: A file is in the way.
        EnvironmentFault: The disk is full, read-only, or not ours.
    """
    with writing(path):
        path.mkdir(parents=True, exist_ok=True)
    return path


def check_writable(path: Path, *, folder: bool = False) -> None:
    """Look, before a long run, whether its outcome can be written there; makes nothing.

    Raises:
        CallerError: A folder is there in place of a file, or the other way round, here or above.
        EnvironmentFault: The place is not ours to write to.
    """
    with writing(path):
        if path.is_dir() and not folder:
            raise IsADirectoryError(errno.EISDIR, "", str(path))
        if path.exists() and folder and not path.is_dir():
            raise FileExistsError(errno.EEXIST, "", str(path))
        if not path.exists() and len(os.fsencode(path.name)) > os.pathconf("/", "PC_NAME_MAX"):
            raise OSError(errno.ENAMETOOLONG, "", str(path))
        above = path if path.exists() else next(p for p in [*path.absolute().parents] if p.exists())
        if above != path and not above.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, "", str(path))
        if not os.access(above, os.W_OK):
            raise PermissionError(errno.EACCES, "", str(path))
        if not path.exists():  # rights alone do not tell of a full, read-only or made-up file system
            _try_making(path, above, folder=folder)


def _try_making(path: Path, above: Path, *, folder: bool) -> None:
    """Make what stands right below `above` on the way to `path`, and take it away again; raises what that raises."""
    tried = above / path.absolute().relative_to(above.absolute()).parts[0]
    if tried != path.absolute() or folder:
        tried.mkdir()
        tried.rmdir()
    else:
        tried.open("xb").close()
        tried.unlink()


def output_file(value: Path | None) -> Path | None:
    """Callback of an option that names a file to be written."""
    if value is not None:
        check_writable(value)
    return value


def output_folder(value: Path | None) -> Path | None:
    """Callback of an option that names a folder to be written to."""
    if value is not None:
        check_writable(value, folder=True)
    return value


def checked(check: Callable[[str], object]) -> Callable[[list[str] | None], list[str] | None]:
    """Make a callback that puts every value of a repeatable option to a check before anything runs."""

    def callback(values: list[str] | None) -> list[str] | None:
        for value in values or []:
            check(value)
        return values

    return callback
