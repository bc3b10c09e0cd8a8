"""Who may see the board: one shared token, in a header or exchanged for a signed cookie.

Owns the comparison (in constant time) and the cookie. The token never stands in an address, a log, an error or the
cookie; a new token ends every session made with the old one.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Mapping

from itsdangerous import BadSignature, URLSafeTimedSerializer

from pipecat_interrupt.errors import SettingsError

TOKEN_ENV = "PIPECAT_INTERRUPT_BOARD_TOKEN"
TOKEN_CHARS_MIN = 32
"""Length below which a token could be guessed; `openssl rand -hex 32` makes a good one. With it no lock-out is needed,
which a stranger could use to keep staff out."""

COOKIE = "board_session"
_BEARER = "bearer "


class BoardToken:
    """The board's access token; its text can be compared but not read back.

    Args:
        text: The token.

    Raises:
        SettingsError: It is too short to be safe, or holds white space.
    """

    def __init__(self, text: str) -> None:
        if len(text) < TOKEN_CHARS_MIN or text != text.strip() or len(text.split()) != 1:
            raise SettingsError(
                f"{TOKEN_ENV} must be at least {TOKEN_CHARS_MIN} characters without white space; make one with:"
                " openssl rand -hex 32"
            )
        self._digest = hashlib.sha256(text.encode()).digest()
        key = hmac.new(text.encode(), b"pipecat-interrupt board session 1", hashlib.sha256).digest()
        self._sessions = URLSafeTimedSerializer(key, salt="board", signer_kwargs={"digest_method": hashlib.sha256})

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> BoardToken:
        """Read the token from `TOKEN_ENV`.

        Raises:
            SettingsError: It is not set, or too short.
        """
        text = (os.environ if environment is None else environment).get(TOKEN_ENV, "")
        if not text:
            raise SettingsError(f"{TOKEN_ENV} is not set: the board shows patients' words to nobody without it")
        return cls(text)

    def __repr__(self) -> str:
        return "BoardToken(...)"

    def matches(self, given: str) -> bool:
        """Compare in constant time, whatever the lengths."""
        return hmac.compare_digest(hashlib.sha256(given.encode(errors="replace")).digest(), self._digest)

    def new_session(self) -> str:
        """Make the value of a login cookie."""
        return self._sessions.dumps("reader")

    def session_holds(self, cookie: str, age_s_max: int) -> bool:
        """Whether a cookie was made with this token, and not longer ago than allowed."""
        try:
            return self._sessions.loads(cookie, max_age=age_s_max) == "reader"
        except BadSignature:  # expired signatures are of this kind as well
            return False

    def admits(self, cookies: Mapping[str, str], authorization: str, age_s_max: int) -> bool:
        """Whether a request may see the board."""
        if authorization[: len(_BEARER)].lower() == _BEARER and self.matches(authorization[len(_BEARER) :].strip()):
            return True
        return self.session_holds(cookies.get(COOKIE, ""), age_s_max)
