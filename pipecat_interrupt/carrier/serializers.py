"""Pipecat's telephony serializers, reading the marks a carrier sends back.

Owns the subclasses. Each is its Pipecat parent in every other respect and takes the parent's own arguments.
"""

from __future__ import annotations

import json
from typing import Any

from loguru import logger
from pipecat.frames.frames import Frame, InterruptionFrame
from pipecat.serializers.base_serializer import FrameSerializer
from pipecat.serializers.exotel import ExotelFrameSerializer
from pipecat.serializers.plivo import PlivoFrameSerializer
from pipecat.serializers.telnyx import TelnyxFrameSerializer
from pipecat.serializers.twilio import TwilioFrameSerializer

from pipecat_interrupt.carrier.playback import CarrierPlayback
from pipecat_interrupt.carrier.protocols import ExotelMarks, MarkProtocol, PlivoMarks, TelnyxMarks, TwilioMarks

HINT_CHARS_MAX = 2000
"""Returned marks are short; longer messages are audio and are not searched for them."""


class _Marking(FrameSerializer):
    """Reads returned marks and lets protected speech keep the carrier's buffer."""

    _playback: CarrierPlayback
    _protocol: MarkProtocol

    def _begin(self, playback: CarrierPlayback, protocol: MarkProtocol) -> None:
        self._playback, self._protocol = playback, protocol
        playback.protocol = protocol

    async def serialize(self, frame: Frame) -> str | bytes | None:
        """Serialize as the parent does; a clear is left out while protected speech plays."""
        if isinstance(frame, InterruptionFrame) and not self._playback.clear_wanted():
            return None
        return await super().serialize(frame)

    async def deserialize(self, data: str | bytes) -> Frame | None:
        """Take returned marks out of the stream; leave everything else to the parent."""
        name = self._returned(data)
        if name is None:
            return await super().deserialize(data)
        self._playback.mark_came_back(name)
        return None

    def _returned(self, data: str | bytes) -> str | None:
        if len(data) > HINT_CHARS_MAX:
            return None
        try:
            text = data.decode() if isinstance(data, bytes) else data
            return self._protocol.read(json.loads(text)) if self._protocol.hint in text else None
        except ValueError as error:
            logger.debug("carrier marks: unreadable message ({})", type(error).__name__)
            return None


class TwilioMarkSerializer(_Marking, TwilioFrameSerializer):
    """`TwilioFrameSerializer` with playback marks.

    Args:
        stream_sid: The Twilio Media Stream SID.
        playback: The call's playback.
        kwargs: Everything else `TwilioFrameSerializer` takes.
    """

    def __init__(self, stream_sid: str, *, playback: CarrierPlayback, **kwargs: Any) -> None:
        super().__init__(stream_sid, **kwargs)
        self._begin(playback, TwilioMarks(stream_sid))


class TelnyxMarkSerializer(_Marking, TelnyxFrameSerializer):
    """`TelnyxFrameSerializer` with playback marks.

    Args:
        stream_id: The Telnyx stream id.
        playback: The call's playback.
        kwargs: Everything else `TelnyxFrameSerializer` takes.
    """

    def __init__(self, stream_id: str, *, playback: CarrierPlayback, **kwargs: Any) -> None:
        super().__init__(stream_id, **kwargs)
        self._begin(playback, TelnyxMarks())


class PlivoMarkSerializer(_Marking, PlivoFrameSerializer):
    """`PlivoFrameSerializer` with checkpoints.

    Args:
        stream_id: The Plivo stream id.
        playback: The call's playback.
        kwargs: Everything else `PlivoFrameSerializer` takes.
    """

    def __init__(self, stream_id: str, *, playback: CarrierPlayback, **kwargs: Any) -> None:
        super().__init__(stream_id, **kwargs)
        self._begin(playback, PlivoMarks(stream_id))


class ExotelMarkSerializer(_Marking, ExotelFrameSerializer):
    """`ExotelFrameSerializer` with playback marks.

    Args:
        stream_sid: The Exotel stream SID.
        playback: The call's playback.
        kwargs: Everything else `ExotelFrameSerializer` takes.
    """

    def __init__(self, stream_sid: str, *, playback: CarrierPlayback, **kwargs: Any) -> None:
        super().__init__(stream_sid, **kwargs)
        self._begin(playback, ExotelMarks(stream_sid))
