"""Where a figure came from: commit, versions, hardware and the digest of its data.

Owns facts about the run's surroundings. Never writes a machine path: paths are told relative to the checkout.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import subprocess
import tomllib
from importlib import metadata
from pathlib import Path

from pydantic import BaseModel, ConfigDict

ROOT = Path(__file__).resolve().parents[1]
GIT_TIMEOUT_S = 20.0
DIGEST_FILES_MAX = 20_000


class Hardware(BaseModel):
    """The machine a run had.

    Parameters:
        cpu_count: Logical processors.
        cpu_model: The processor's own name.
        memory_gib: Physical memory; None where it cannot be read.
        system: Operating system and architecture.
        load_average: 1, 5 and 15 minute load averages when asked; above `cpu_count` means others were running.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    cpu_count: int
    cpu_model: str
    memory_gib: float | None
    system: str
    load_average: tuple[float, float, float]


def _git(*arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=GIT_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def commit() -> tuple[str, bool]:
    """Give the checkout's commit and whether tracked files differ from it; ("unknown", True) without git."""
    head = _git("rev-parse", "HEAD")
    if head is None:
        return "unknown", True
    changed = _git("status", "--porcelain", "--untracked-files=no")
    return head.strip(), changed is None or bool(changed.strip())


def commit_label() -> str:
    """Give the commit as one word, ``<sha>`` or ``<sha>+dirty``."""
    sha, dirty = commit()
    return f"{sha}+dirty" if dirty else sha


def _our_version() -> str:
    try:
        return metadata.version("pipecat-interrupt")
    except metadata.PackageNotFoundError:
        return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def _weight_packages() -> list[str]:
    """Name the packages that carry weights, from the pinned lists of the checkout."""
    names: list[str] = []
    for listing in sorted((ROOT / "requirements").glob("models*.txt")):
        names += re.findall(r"^([A-Za-z0-9][\w.-]*)\s*==", listing.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return names


def versions(*packages: str) -> dict[str, str]:
    """Give the versions a figure may depend on: Python, Pipecat, ours, `packages`, and installed weight packages.

    Weights that come in numbered parts are listed once, under the name without its number.
    """
    found = {"python": platform.python_version(), "pipecat-interrupt": _our_version()}
    for name in ("pipecat-ai", "numpy", *packages, *_weight_packages()):
        try:
            found[re.sub(r"-(part)?\d+$", "", name)] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def _cpu_model() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return platform.processor() or "unknown"
    names = re.findall(r"^model name\s*:\s*(.+)$", text, flags=re.MULTILINE)
    return names[0].strip() if names else platform.processor() or "unknown"


def _memory_gib() -> float | None:
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)
    except (ValueError, OSError):
        return None


def hardware() -> Hardware:
    """Describe the machine now."""
    load = os.getloadavg() if hasattr(os, "getloadavg") else (0.0, 0.0, 0.0)
    return Hardware(
        cpu_count=os.cpu_count() or 1,
        cpu_model=_cpu_model(),
        memory_gib=_memory_gib(),
        system=f"{platform.system()} {platform.machine()}",
        load_average=(round(load[0], 2), round(load[1], 2), round(load[2], 2)),
    )


def told_path(path: Path) -> str:
    """Write a path as seen from the checkout, so that a results file names no machine's folders."""
    return Path(os.path.relpath(path.resolve(), ROOT)).as_posix()


def data_digest(path: Path) -> str:
    """Give a SHA-256 of a file's bytes, or of a folder's names and sizes.

    A folder's digest does not read its files: it tells that files were added, removed or changed in size.
    """
    digest = hashlib.sha256()
    if path.is_file():
        digest.update(path.read_bytes())
        return f"sha256:{digest.hexdigest()}"
    files = sorted(p for p in path.rglob("*") if p.is_file())[:DIGEST_FILES_MAX]
    for file in files:
        digest.update(f"{file.relative_to(path).as_posix()}\0{file.stat().st_size}\n".encode())
    return f"sha256-listing:{digest.hexdigest()}"
