"""What an error of the operating system means to whoever ran a command: what, where, and what to do about it.

Owns the wording of `OSError` on the command line; errors of ours say it themselves.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping

_MEANINGS: Mapping[int, tuple[str, str]] = {
    errno.ENOENT: ("there is no such file or folder", "check the path, or make the folder first"),
    errno.EACCES: ("this user may not open it", "change its rights, or choose another path"),
    errno.EPERM: ("this user may not change it", "change its rights, or choose another path"),
    errno.EROFS: ("it lies on a read-only disk", "choose another path"),
    errno.EISDIR: ("it is a folder, and a file is needed", "name a file in it"),
    errno.ENOTDIR: ("a part of the path is a file, not a folder", "check the path"),
    errno.EEXIST: ("it is there already", "choose another path, or move it away"),
    errno.ENOTEMPTY: ("the folder is not empty", "choose another one, or empty it"),
    errno.ENOSPC: ("the disk is full", "free some space and run the command again"),
    errno.EMFILE: ("too many files are open", "raise the limit (ulimit -n) or do less at once"),
    errno.EADDRINUSE: ("another program listens there", "choose another port, or stop that program"),
    errno.EADDRNOTAVAIL: ("this machine has no such address", "check the host"),
    errno.ECONNREFUSED: ("nothing listens there", "start the server, or check host and port"),
    errno.ETIMEDOUT: ("no answer came in time", "check host, port and network, and try again"),
    errno.EHOSTUNREACH: ("the host cannot be reached", "check host and network"),
}


def plain_os_error(error: OSError) -> str:
    """Say in one line what happened, where, and the fix; no error number, no code of the operating system."""
    named = [str(name) for name in (error.filename, error.filename2) if name is not None]
    where = " -> ".join(named)
    what, fix = _MEANINGS.get(error.errno or 0, (_own_words(error), "check the path or address it was about"))
    return f"{where}: {what}; {fix}" if where else f"{what}; {fix}"


def _own_words(error: OSError) -> str:
    words = error.strerror or str(error) or type(error).__name__
    return words[:1].lower() + words[1:]
