"""Finds the parts that pip installed, joins them in the cache folder, and never hands out a file that was not checked.

Owns the cache folder. Promises: `ensure` is idempotent; a reader never sees a half-written file (folders appear by one
rename); two processes may call it at once; nothing is downloaded and no code of a weight package is ever run.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path

from platformdirs import user_cache_path

from .errors import CacheUnusable, CorruptWeights, MissingWeights, NoSpace
from .manifest import MANIFEST, Part, Target, Weights, lookup

CACHE_ENV = "PIPECAT_INTERRUPT_CACHE"
CHUNK_BYTES = 1 << 20
DRAFT_AGE_MAX_S = 3600.0
FREE_MARGIN_BYTES = 32_000_000  # left free on the disk beside what is written

Progress = Callable[[int], None]
"""Called with the number of bytes handled since the last call."""
Locate = Callable[[Part], Path | None]
"""Finds the installed file of a part; None when its package is absent or another version."""


def cache_folder() -> Path:
    """The folder for joined weights: `PIPECAT_INTERRUPT_CACHE` if set, else the user's cache folder."""
    override = os.environ.get(CACHE_ENV)
    return Path(override).expanduser() if override else user_cache_path("pipecat-interrupt") / "weights"


def installed_file(part: Part) -> Path | None:
    """Find a part among the installed packages, without importing them.

    Returns:
        The file, or None if the package is absent, is another version than the pinned one, or lacks the file.
    """
    try:
        distribution = metadata.distribution(part.package)
    except metadata.PackageNotFoundError:
        return None
    if distribution.version != part.version:
        return None
    path = Path(str(distribution.locate_file(part.path)))
    return path if path.is_file() else None


class WeightStore:
    """Weights under one cache folder.

    Args:
        folder: Where joined weights and check marks live. None: `cache_folder()`, read at each use.
        locate: How the installed parts are found.
        manifest: What exists.
    """

    def __init__(
        self,
        folder: Path | None = None,
        locate: Locate = installed_file,
        manifest: Mapping[str, Weights] = MANIFEST,
    ) -> None:
        self._folder = folder
        self._locate = locate
        self.manifest = manifest

    @property
    def folder(self) -> Path:
        """The cache folder in use."""
        return self._folder or cache_folder()

    def _lookup(self, name: str) -> Weights:
        return lookup(name, self.manifest)

    def missing(self, name: str) -> tuple[str, ...]:
        """The pinned packages ("name==version") of `name` whose files are not installed; empty when all are."""
        lacking = [
            f"{p.package}=={p.version}" for t in self._lookup(name).targets for p in t.parts if self._locate(p) is None
        ]
        return tuple(dict.fromkeys(lacking))

    def ready(self, name: str) -> Path | None:
        """Where `name` stands checked and ready, or None; reads no file content."""
        weights = self._lookup(name)
        if weights.joined:
            return self._joined_path(weights) if self._whole(weights) else None
        files = [self._locate(t.parts[0]) for t in weights.targets]
        if all(f is not None and self._marked(t, f) for t, f in zip(weights.targets, files, strict=True)):
            first = files[0]
            return first.parent if weights.as_folder and first is not None else first
        return None

    def ensure(self, name: str, progress: Progress | None = None) -> Path:
        """Return the checked file (or folder, for loaders that want one) of `name`; join and check it first if needed.

        Args:
            name: A name of the manifest.
            progress: Told how many bytes were handled; not called when nothing had to be done.

        Raises:
            UnknownWeights: No such name.
            MissingWeights: A package is absent or another version; carries the pip command.
            CorruptWeights: A part does not match its sha256.
            NoSpace: Too little room for the joined file.
            CacheUnusable: The cache folder cannot be written.
        """
        weights = self._lookup(name)
        if (path := self.ready(name)) is not None:
            return path
        missing = self.missing(name)
        if missing:
            raise MissingWeights(name, missing, weights.install_command)
        tell = progress or (lambda _: None)
        with self._writable_folder(weights):
            if weights.joined:
                self._join(weights, tell)
            else:
                for target in weights.targets:
                    self._check_in_place(weights, target, tell)
        path = self.ready(name)
        if path is None:
            raise CacheUnusable(self.folder, "the check marks vanished while they were written")
        return path

    # -- joined weights

    def _joined_folder(self, weights: Weights) -> Path:
        digest = hashlib.sha256("".join(t.sha256 for t in weights.targets).encode()).hexdigest()[:12]
        return self.folder / f"{weights.name}-{digest}"

    def _joined_path(self, weights: Weights) -> Path:
        folder = self._joined_folder(weights)
        return folder if weights.as_folder else folder / weights.targets[0].filename

    def _whole(self, weights: Weights) -> bool:
        """Whether the joined folder has its check mark and every file at its full size."""
        folder = self._joined_folder(weights)
        try:
            sizes = all((folder / t.filename).stat().st_size == t.size_bytes for t in weights.targets)
        except OSError:
            return False
        return sizes and (folder / "checked.json").is_file()

    def _clear_old_drafts(self, weights: Weights) -> None:
        """Remove what a killed process left behind; a draft in use is younger than the limit."""
        for draft in self.folder.glob(f".{weights.name}-*"):
            if time.time() - draft.stat().st_mtime > DRAFT_AGE_MAX_S:
                shutil.rmtree(draft, ignore_errors=True)

    def _join(self, weights: Weights, tell: Progress) -> None:
        final = self._joined_folder(weights)
        self._clear_old_drafts(weights)
        free = shutil.disk_usage(self.folder).free
        if free < weights.size_bytes + FREE_MARGIN_BYTES:
            raise NoSpace(self.folder, weights.size_bytes + FREE_MARGIN_BYTES, free)
        draft = Path(tempfile.mkdtemp(prefix=f".{weights.name}-", dir=self.folder))
        try:
            for target in weights.targets:
                self._write(weights, target, draft / target.filename, tell)
            marks = {t.filename: t.sha256 for t in weights.targets}
            (draft / "checked.json").write_text(json.dumps(marks, indent=1), encoding="utf-8")
            draft.chmod(0o755)
            if final.exists() and not self._whole(weights):
                shutil.rmtree(final)
            try:
                draft.rename(final)
            except OSError as error:
                if not self._whole(weights):  # else another process was first: its folder is as good
                    raise error
        finally:
            shutil.rmtree(draft, ignore_errors=True)

    def _write(self, weights: Weights, target: Target, path: Path, tell: Progress) -> None:
        whole = hashlib.sha256()
        with path.open("wb") as out:
            for part in target.parts:
                source = self._located(weights, part)
                one = hashlib.sha256()
                for chunk in _chunks(source):
                    one.update(chunk)
                    if len(target.parts) > 1:
                        whole.update(chunk)
                    out.write(chunk)
                    tell(len(chunk))
                if one.hexdigest() != part.sha256:
                    raise CorruptWeights(weights.name, source, _again(weights))
            out.flush()
            os.fsync(out.fileno())
        if len(target.parts) > 1 and whole.hexdigest() != target.sha256:
            raise CorruptWeights(weights.name, path, _again(weights))

    # -- weights used where pip put them

    def _check_in_place(self, weights: Weights, target: Target, tell: Progress) -> None:
        path = self._located(weights, target.parts[0])
        if self._marked(target, path):
            return
        digest = hashlib.sha256()
        for chunk in _chunks(path):
            digest.update(chunk)
            tell(len(chunk))
        if digest.hexdigest() != target.sha256:
            raise CorruptWeights(weights.name, path, _again(weights))
        mark = self._mark_path(target)
        mark.parent.mkdir(parents=True, exist_ok=True)
        draft = mark.with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps(_fingerprint(path)), encoding="utf-8")
        draft.replace(mark)

    def _mark_path(self, target: Target) -> Path:
        return self.folder / "checked" / f"{target.sha256[:24]}.json"

    def _marked(self, target: Target, path: Path) -> bool:
        """Whether this very file (path, size, time of change) was checked before."""
        try:
            return json.loads(self._mark_path(target).read_text(encoding="utf-8")) == _fingerprint(path)
        except (OSError, ValueError):
            return False

    def _located(self, weights: Weights, part: Part) -> Path:
        path = self._locate(part)
        if path is None:  # removed since `missing` looked
            raise MissingWeights(weights.name, (f"{part.package}=={part.version}",), weights.install_command)
        return path

    @contextmanager
    def _writable_folder(self, weights: Weights) -> Iterator[None]:
        """Create the cache folder and turn the system's errors into ours."""
        folder = self.folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            yield
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                free = shutil.disk_usage(folder).free if folder.exists() else 0
                raise NoSpace(folder, weights.size_bytes, free) from error
            raise CacheUnusable(folder, error.strerror or type(error).__name__) from error


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as source:
        while chunk := source.read(CHUNK_BYTES):
            yield chunk


def _fingerprint(path: Path) -> dict[str, str | int]:
    status = path.stat()
    return {"path": str(path), "size_bytes": status.st_size, "mtime_ns": status.st_mtime_ns}


def _again(weights: Weights) -> str:
    return weights.install_command.replace("install ", "install --force-reinstall ", 1)


def ensure(name: str, progress: Progress | None = None) -> Path:
    """`WeightStore().ensure`: the checked file or folder of `name`, joined first if needed."""
    return WeightStore().ensure(name, progress)


def available(name: str) -> bool:
    """Whether `ensure(name)` would find everything it needs: ready in the cache, or all packages installed.

    Raises:
        UnknownWeights: No such name.
    """
    store = WeightStore()
    return store.ready(name) is not None or not store.missing(name)
