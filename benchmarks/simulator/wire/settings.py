"""What a run over a carrier websocket is told: where the bot is, and where recordings and the bot's journals lie."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from benchmarks.errors import BadOption

Provider = Literal["twilio", "telnyx", "plivo"]
PROVIDERS: tuple[Provider, ...] = ("twilio", "telnyx", "plivo")
SCHEMES = ("ws://", "wss://", "http://", "https://")


@dataclass(frozen=True, slots=True, kw_only=True)
class WireSettings:
    """One bot on the wire.

    Parameters:
        url: The media stream (``ws://``), or the webhook that answers with its address (``http://``).
        provider: Whose media-stream protocol the bot speaks.
        recordings: Folder for stereo recordings, one WAV a trial; None records nothing.
        journals: Folder in which the bot under test leaves its journals (`pipecat-interrupt serve --out`); None judges
            from the audio alone.

    Raises:
        BadOption: The address or the provider is of no known form.
    """

    url: str
    provider: str = "twilio"
    recordings: Path | None = None
    journals: Path | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot work before a call is placed."""
        if not self.url.startswith(SCHEMES):
            raise BadOption(f"--ws {self.url!r}: expected ws://, wss://, or a webhook's http:// or https:// address")
        if self.provider not in PROVIDERS:
            raise BadOption(f"--provider {self.provider!r}: one of {', '.join(PROVIDERS)}")

    @property
    def asks_webhook(self) -> bool:
        """Whether the address is a webhook's."""
        return self.url.startswith("http")

    @property
    def shown(self) -> str:
        """The address as it may be printed and stored: no query and no user (either may hold a token)."""
        parts = urlsplit(self.url)
        return parts._replace(query="", fragment="", netloc=parts.netloc.rpartition("@")[2]).geturl()

    @property
    def label(self) -> str:
        """Name the bot for the trial log: host and path, no query (it may hold a token)."""
        parts = urlsplit(self.url)
        return f"{parts.hostname or 'bot'}{parts.path.rstrip('/')}".replace("/", ".")
