"""How each carrier spells a playback mark.

Owns the wire form only. Sources (read November 2026): Twilio "Media Streams: WebSocket messages" (mark, clear); Telnyx
"Stream call media over WebSocket" (mark, clear; a clear returns the queued marks); Plivo "Checkpoint event"
(checkpoint, playedStream, clearAudio); Exotel "Working with the Stream and Voicebot Applet" (mark, clear).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol


class MarkProtocol(Protocol):
    """A carrier's way to write and read marks.

    Promises: `write` gives a JSON-ready message; `read` gives the mark's name for a message that returns one, None for
    every other message; neither raises, whatever the message looks like.
    """

    @property
    def hint(self) -> str:
        """A substring every returned mark contains, so that audio messages need not be parsed twice."""
        ...

    def write(self, name: str) -> dict[str, Any]:
        """Make the message that sets a mark."""
        ...

    def read(self, message: Any) -> str | None:
        """Read the name of a returned mark."""
        ...


def _name_of(message: Any, event: str) -> str | None:
    if not isinstance(message, dict) or message.get("event") != event:
        return None
    mark = message.get("mark")
    name = mark.get("name") if isinstance(mark, dict) else message.get("name")
    return name if isinstance(name, str) and name else None


@dataclass(frozen=True, slots=True)
class TwilioMarks:
    """Twilio Media Streams and whatever speaks its protocol."""

    stream_sid: str
    hint: str = "mark"

    def write(self, name: str) -> dict[str, Any]:
        """Make a `mark` message."""
        return {"event": "mark", "streamSid": self.stream_sid, "mark": {"name": name}}

    def read(self, message: Any) -> str | None:
        """Read a `mark` message."""
        return _name_of(message, "mark")


@dataclass(frozen=True, slots=True)
class TelnyxMarks:
    """Telnyx media streaming."""

    hint: str = "mark"

    def write(self, name: str) -> dict[str, Any]:
        """Make a `mark` message."""
        return {"event": "mark", "mark": {"name": name}}

    def read(self, message: Any) -> str | None:
        """Read a `mark` message."""
        return _name_of(message, "mark")


@dataclass(frozen=True, slots=True)
class PlivoMarks:
    """Plivo audio streaming: a checkpoint that returns as `playedStream`, only for audio that was played."""

    stream_id: str
    hint: str = "playedStream"

    def write(self, name: str) -> dict[str, Any]:
        """Make a `checkpoint` message."""
        return {"event": "checkpoint", "streamId": self.stream_id, "name": name}

    def read(self, message: Any) -> str | None:
        """Read a `playedStream` message."""
        return _name_of(message, "playedStream")


@dataclass(frozen=True, slots=True)
class ExotelMarks:
    """Exotel voicebot streams."""

    stream_sid: str
    hint: str = "mark"

    def write(self, name: str) -> dict[str, Any]:
        """Make a `mark` message."""
        return {"event": "mark", "stream_sid": self.stream_sid, "mark": {"name": name}}

    def read(self, message: Any) -> str | None:
        """Read a `mark` message."""
        return _name_of(message, "mark")
