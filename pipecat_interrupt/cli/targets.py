"""What a command is told to write to or listen on, checked before anything is made.

Owns the refusals: `--out` never names a file the command reads and lies in a folder that is there; a port is free.
"""

from __future__ import annotations

import socket
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


def check_port(host: str, port: int) -> None:
    """Refuse an address that cannot be listened on, before anything is said or loaded; port 0 takes any.

    Raises:
        OSError: It cannot; its `filename` says which address.
    """
    where = f"--host {host} --port {port}"
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), where) from None
