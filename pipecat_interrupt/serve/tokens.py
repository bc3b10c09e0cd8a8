"""Tokens that open a media stream: made for one call when its webhook is answered, good for half a minute.

Owns the token's form. A stream address is guessable, its token is not: whoever was not answered by us opens nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from itsdangerous import BadData, URLSafeTimedSerializer

SALT = "media-stream"
TOKEN_CHARS_MAX = 1024


@dataclass(frozen=True, slots=True)
class Ticket:
    """What a token says: our id of the call and the carrier's, and whether the call comes back from another stream."""

    call_id: str
    carrier_id: str
    again: bool = False


class StreamTokens:
    """Makes and reads tokens.

    Args:
        key: The secret they are signed with.
        good_for_s: How long a token opens a stream, seconds.
    """

    def __init__(self, key: str, good_for_s: float) -> None:
        self._signer = URLSafeTimedSerializer(key, salt=SALT)
        self._good_for_s = good_for_s

    def make(self, ticket: Ticket) -> str:
        """Make a token: characters that are safe in a path."""
        made = self._signer.dumps([ticket.call_id, ticket.carrier_id, int(ticket.again)])
        return made.decode() if isinstance(made, bytes) else made

    def read(self, token: str) -> Ticket | None:
        """Read a token; None for a forged, altered, old or unreadable one. Never raises."""
        if len(token) > TOKEN_CHARS_MAX:
            return None
        try:
            call_id, carrier_id, again = self._signer.loads(token, max_age=max(1, round(self._good_for_s)))
        except (BadData, ValueError, TypeError):
            return None
        return Ticket(str(call_id), str(carrier_id), bool(again))
