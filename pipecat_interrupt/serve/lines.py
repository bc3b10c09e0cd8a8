"""The carrier's side of a call's transport: Pipecat's serializer with playback marks, for each carrier.

A call is hung up through the carrier's API where its credentials are set; without them it ends when the stream closes,
which is how all three behave behind a `<Connect>` or a stream that keeps the call alive.
"""

from __future__ import annotations

from pipecat.serializers.base_serializer import FrameSerializer
from pipecat.serializers.plivo import PlivoFrameSerializer
from pipecat.serializers.telnyx import TelnyxFrameSerializer
from pipecat.serializers.twilio import TwilioFrameSerializer

from pipecat_interrupt.carrier import CarrierPlayback, PlivoMarkSerializer, TelnyxMarkSerializer, TwilioMarkSerializer
from pipecat_interrupt.serve.config import Provider
from pipecat_interrupt.serve.handshake import StreamStart
from pipecat_interrupt.serve.secrets import Secrets


def make_serializer(
    provider: Provider, start: StreamStart, playback: CarrierPlayback, secrets: Secrets
) -> FrameSerializer:
    """Make the serializer of one call.

    Args:
        provider: The carrier.
        start: What the stream said of itself.
        playback: Takes the marks that come back.
        secrets: Credentials for hanging up.
    """
    if provider is Provider.TWILIO:
        sid, token = secrets.value("twilio_account_sid"), secrets.value("twilio_auth_token")
        return TwilioMarkSerializer(
            start.stream_id,
            playback=playback,
            call_sid=start.carrier_id,
            account_sid=sid,
            auth_token=token,
            params=TwilioFrameSerializer.InputParams(auto_hang_up=bool(sid and token)),
        )
    if provider is Provider.TELNYX:
        key = secrets.value("telnyx_api_key")
        return TelnyxMarkSerializer(
            start.stream_id,
            playback=playback,
            call_control_id=start.carrier_id,
            api_key=key,
            outbound_encoding=start.encoding,
            inbound_encoding="PCMU",
            params=TelnyxFrameSerializer.InputParams(auto_hang_up=bool(key)),
        )
    auth_id, token = secrets.value("plivo_auth_id"), secrets.value("plivo_auth_token")
    return PlivoMarkSerializer(
        start.stream_id,
        playback=playback,
        call_id=start.carrier_id,
        auth_id=auth_id,
        auth_token=token,
        params=PlivoFrameSerializer.InputParams(auto_hang_up=bool(auth_id and token)),
    )
