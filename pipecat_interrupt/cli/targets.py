"""What `--out` may name: never a file the command reads, and only in a folder that is there."""

from __future__ import annotations

from pathlib import Path


def check_target(out: Path, *read: Path, option: str = "--out") -> None:
    """Refuse a file to write that would replace what is read, or whose folder is missing.

    Args:
        out: The file to write.
        read: Files the command reads; what is not there is passed over.
        option: How the file was named, for the message.

    Raises:
        SettingsError: It cannot be written there; nothing was touched.
    """
    from pipecat_interrupt.errors import SettingsError

    for source in read:
        if out.exists() and source.exists() and out.samefile(source):
            raise SettingsError(f"{option} {out}: is the file itself that is read; choose another file")
    if out.is_dir():
        raise SettingsError(f"{option} {out}: is a folder; name a file in it")
    if not out.parent.is_dir():
        raise SettingsError(f"{option} {out}: there is no folder {out.parent}; make it first, or choose another")
