"""What a command is told to write to or listen on, checked before anything is made.

Owns the refusals: `--out` never names a file the command reads, never a journal, and lies in a folder that is there; a
port is free.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

HEAD_BYTES = 65_536
"""How much of a file is read to say what it is; one entry of a journal is far smaller."""


def check_target(
    out: Path,
    *read: Path,
    option: str = "--out",
    earlier: Callable[[bytes], bool] | None = None,
    force: bool | None = None,
) -> None:
    """Refuse a file to write that would replace what is read or what is kept, or whose folder is missing.

    Args:
        out: The file to write.
        read: Files the command reads; what is not there is passed over.
        option: How the file was named, for the message.
        earlier: Tells from a file's first bytes (`HEAD_BYTES` at most) whether it is an earlier output of this command,
            the only kind of file that is then replaced. None: any file that is no journal is.
        force: Replace any other file too, a journal excepted; None where the command has no such flag.

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
    if not out.is_file() or out.stat().st_size == 0:  # a device or a pipe keeps nothing that could be lost
        return
    with out.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if is_journal(out, head):
        raise SettingsError(
            f"{option} {out}: is a journal, and the record of a call is not replaced; choose another file"
        )
    if earlier is not None and not force and not earlier(head):
        how = "take that one away first" if force is None else "replace it with --force"
        raise SettingsError(
            f"{option} {out}: is there already and is no earlier output of this command; choose another file, or {how}"
        )


def is_journal(path: Path, head: bytes) -> bool:
    """Whether a file that is not empty is a journal or a ledger store: by its name, or by its first bytes."""
    if path.suffix.lower() == ".jsonl" or head.startswith(b"SQLite format 3\x00"):
        return True
    try:
        first: Any = json.loads(head.partition(b"\n")[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and {"call_id", "seq", "data"} <= set(first)  # pyright: ignore[reportUnknownArgumentType] - JSON


def check_port(host: str, port: int) -> int:
    """Refuse an address that cannot be listened on, before anything is said or loaded; port 0 takes any.

    Returns:
        The port, and a free one for 0.

    Raises:
        OSError: It cannot; its `filename` says which address.
    """
    where = f"--host {host} --port {port}"
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            return int(probe.getsockname()[1])
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), where) from None
