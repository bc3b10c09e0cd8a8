"""Addresses of Redis servers, checked before anything is made of them. Owns that check for journals, board and stores.

Never shows an address whole: it may hold a password.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from pipecat_interrupt.errors import SettingsError

_DATABASE = re.compile(r"/?|/\d+")
_FIX = "write redis://HOST:PORT/DB"


def check_redis(url: str, named: str = "") -> None:
    """Refuse an address that cannot be meant: a client of Redis takes a DB that is no number for 0 without a word.

    Args:
        url: The address: `redis://`, `rediss://`, or `unix://` with the database as `?db=`.
        named: Where it was given, for the message.

    Raises:
        SettingsError: Another scheme, a port that is none, or a database that is no number.
    """
    told = f"{named}: " if named else ""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise SettingsError(f"{told}the port of the Redis address is no number up to 65535; {_FIX}") from None
    if parts.scheme not in ("redis", "rediss", "unix"):
        raise SettingsError(f"{told}no address of a Redis server; {_FIX} (rediss:// for TLS)")
    if port == 0:
        raise SettingsError(f"{told}the port of the Redis address is 0; {_FIX}")
    databases = parse_qs(parts.query, keep_blank_values=True).get("db", [])
    in_path = parts.scheme == "unix" or _DATABASE.fullmatch(parts.path)
    if not in_path or not all(re.fullmatch(r"\d+", database) for database in databases):
        raise SettingsError(f"{told}DB must be a number in the Redis address; {_FIX}")
