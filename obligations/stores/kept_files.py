"""What lies on disk of a call, told by its name or by what it says of itself: journals, pages, replays, sound.

Owns how a folder is looked through: at any depth, links not followed, and what could not be looked at is named. Erasing
one call and erasing by age look the same way, so that neither finds less than the other.
"""

from __future__ import annotations

import html
import json
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from obligations.stores.errors import FileInUse
from obligations.stores.one_writer import no_writer

JOURNAL_ENDINGS = (".jsonl", ".jsonl.erasing")
"""In any case; the second is what a killed erasure leaves."""
PAGE_ENDINGS = (".html", ".htm")
BESIDE_ENDINGS = (*PAGE_ENDINGS, ".json", ".md", ".wav", ".flac", ".opus")
"""What is drawn, written or recorded of a journal's call and stands beside it under the journal's name."""
FOLDER_JOURNAL = "journal.jsonl"
"""A journal of this name has a folder of its own, with the names below beside it."""
BESIDE_FOLDER_JOURNAL = frozenset({"call.html", "call.wav", "handoff.json", "handoff.md", "summary.json"})
REPLAY_RESULT = "replay.json"
REPLAY_OVERVIEWS = (
    "index.html",
    "index.json",
    "quarantine.json",
    "calls.parquet",
    "overlaps.parquet",
    "obligations.parquet",
)
"""What a replay writes over all its calls, beside their folders; the next replay of the folder writes it anew."""

HEAD_BYTES = 8192
_PAGE_OF = re.compile(r'<meta name="pipecat-interrupt-call" content="([^"]*)">')
_OLDER_TITLE = re.compile(r"<title>[^<]* - ([^<]*)</title>")


@dataclass(slots=True)
class Removal:
    """What went and what did not.

    Parameters:
        files: Files and folders removed, by their path below the place that was named.
        failed: What could not be looked at or removed, by path, each with the error's name or who is writing it.
    """

    files: list[str] = field(default_factory=list[str])
    failed: list[str] = field(default_factory=list[str])

    def stuck(self, path: Path, error: OSError | FileInUse) -> None:
        """Note what could not be looked at or removed, once."""
        named = error.path if isinstance(error, FileInUse) else path
        why = f"is being written by {error.who}" if isinstance(error, FileInUse) else type(error).__name__
        if (note := f"{named}: {why}") not in self.failed:
            self.failed.append(note)

    def remove(self, path: Path, below: Path) -> bool:
        """Remove a file, a link or a whole folder; never what a link leads to. False when it stays.

        A journal somebody is writing stays, and a folder it lies in with it.
        """
        try:
            with ExitStack() as kept_out:
                if os.path.isdir(path) and not os.path.islink(path):
                    for journal in _journals_in(path):
                        kept_out.enter_context(no_writer(journal))
                    shutil.rmtree(path)
                else:
                    if is_journal(path.name) and path.is_file() and not path.is_symlink():
                        kept_out.enter_context(no_writer(path))
                    path.unlink(missing_ok=True)
        except (OSError, FileInUse) as error:
            self.stuck(path, error)
            return False
        self.files.append(name_below(path, below))
        return True

    def look(self, place: Path) -> Iterator[tuple[Path, list[str], list[str]]]:
        """Walk a folder from the top: each folder, its folders (take a name out to leave it alone), its files."""

        def failed(error: OSError) -> None:
            self.stuck(Path(str(error.filename or place)), error)

        for folder, folders, files in os.walk(place, onerror=failed):
            folders.sort()
            yield Path(folder), folders, sorted(files)


def _journals_in(folder: Path) -> Iterator[Path]:
    for inside, _, names in os.walk(folder):
        for path in (Path(inside, name) for name in names if is_journal(name)):
            if path.is_file() and not path.is_symlink():
                yield path


def name_below(path: Path, place: Path) -> str:
    """A path as it is told to people: below the place that was named."""
    return path.relative_to(place).as_posix() if path != place and path.is_relative_to(place) else path.name


def is_journal(name: str) -> bool:
    """Whether a file's name is a journal's, in any case."""
    return name.lower().endswith(JOURNAL_ENDINGS)


def call_of(path: Path) -> str | None:
    """Say which call a page or a JSON document is of; None when it says of none, and for any other file.

    Raises:
        OSError: It cannot be read.
    """
    name = path.name.lower()
    if name.endswith(PAGE_ENDINGS):
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES).decode("utf-8", "replace")
        found = _PAGE_OF.search(head)
        if found is None and "Content-Security-Policy" in head:
            found = _OLDER_TITLE.search(head)
        return html.unescape(found[1]) if found else None
    if not name.endswith(".json"):
        return None
    try:
        said: Any = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return None
    call_id = cast("dict[str, Any]", said).get("call_id") if isinstance(said, dict) else None
    return call_id if isinstance(call_id, str) else None


def calls_of_overview(folder: Path) -> set[str]:
    """Say which calls a replay's overview in a folder names; none where there is no overview.

    Raises:
        OSError: It cannot be read.
    """
    path = folder / "index.json"
    if not os.path.isfile(path):
        return set()
    try:
        said: Any = json.loads(path.read_bytes())
        rows = [*said["calls"], *said["refused"]] if said["form"] == "pipecat-interrupt-replay-index" else []
        return {str(row["call_id"]) for row in rows}
    except (ValueError, KeyError, TypeError, RecursionError):
        return set()


def beside_journal(journal: Path, names: Sequence[str]) -> list[Path]:
    """What belongs to a journal that held one call alone: files of the same name, or of the names beside journal.jsonl.

    Args:
        journal: The journal.
        names: The files of its folder.
    """
    own_folder = journal.name.lower() == FOLDER_JOURNAL
    return [
        journal.with_name(name)
        for name in names
        if name != journal.name
        and not is_journal(name)
        and (
            (Path(name).stem == journal.stem and name.lower().endswith(BESIDE_ENDINGS))
            or (own_folder and name in BESIDE_FOLDER_JOURNAL)
        )
    ]
