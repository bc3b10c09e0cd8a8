"""Settings of the phone server: what to run, for whom, and every bound. Secrets stand in `secrets`, never here."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, model_validator

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class Provider(StrEnum):
    """Carriers whose webhooks and media streams are spoken."""

    TWILIO = "twilio"
    TELNYX = "telnyx"
    PLIVO = "plivo"


class Limits(BaseModel):
    """Every bound of the server, so that no caller and no stranger can use up what others need.

    Parameters:
        calls_max: Calls at once, promised ones included; one more hears "busy".
        promise_s: How long a call that was answered may take to open its media stream.
        handshake_s: How long an open stream may take to say which call it is.
        message_bytes_max: Longest message of a media stream; a media message of 20 ms has about 300 bytes.
        messages_per_s_max: Steady rate of messages a stream may send; a carrier sends 50 media messages a second.
        messages_burst_max: Messages beyond that rate at once: what a carrier sends after a stall of the network.
        idle_s: A stream that sends nothing for this long is gone; carriers send silence as well.
        call_s_max: Longest call; then it is ended and handed off.
        drain_s: How long running calls may go on once the server was told to stop.
        webhook_bytes_max: Longest body of a webhook.
        subscribers_max: Subscribers of call events at once.
        events_max: Events waiting for one subscriber; beyond it the oldest is dropped and counted.
        finished_kept: Finished calls remembered for the board.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    calls_max: Annotated[int, Field(ge=1, le=1000)] = 4
    promise_s: Annotated[float, Field(gt=0, le=300)] = 30.0
    handshake_s: Annotated[float, Field(gt=0, le=60)] = 5.0
    message_bytes_max: Annotated[int, Field(ge=1024, le=1 << 20)] = 32 * 1024
    messages_per_s_max: Annotated[float, Field(ge=60, le=10_000)] = 150.0
    messages_burst_max: Annotated[int, Field(ge=100, le=100_000)] = 500
    idle_s: Annotated[float, Field(gt=0, le=600)] = 15.0
    call_s_max: Annotated[float, Field(gt=0, le=14_400)] = 1800.0
    drain_s: Annotated[float, Field(ge=0, le=14_400)] = 300.0
    webhook_bytes_max: Annotated[int, Field(ge=1024, le=1 << 20)] = 64 * 1024
    subscribers_max: Annotated[int, Field(ge=1, le=1000)] = 32
    events_max: Annotated[int, Field(ge=16, le=100_000)] = 1000
    finished_kept: Annotated[int, Field(ge=0, le=10_000)] = 100


class ServeConfig(BaseModel):
    """What the server runs.

    Parameters:
        pathway: Bundled name or YAML file; None for heard-truth and overlap judgement alone.
        provider: Whose webhooks and streams come in.
        public_url: The address the carrier uses, scheme and host, such as `https://calls.example.org`. Signatures are
            checked against it and stream addresses are made from it; what a request says of its host counts for
            nothing. None takes `http://host:port`, for a machine of one's own.
        host: Address to listen on.
        port: Port to listen on.
        language: BCP 47 tag of the calls.
        out: Folder of the journals and hand-offs, one folder a call.
        unsigned: Accept webhooks without a signature; refused unless `host` is a loopback address.
        limits: Every bound.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    pathway: str | Path | None = None
    provider: Provider = Provider.TWILIO
    public_url: str | None = None
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65_535)] = 8080
    language: str = "en"
    out: Path = Path("out/calls")
    unsigned: bool = False
    limits: Limits = Limits()

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.unsigned and self.host not in LOOPBACK:
            raise ValueError(
                f"unsigned webhooks are only taken on a loopback address, and host is {self.host!r}: anybody could"
                " start calls. Set the carrier's secret, or listen on 127.0.0.1"
            )
        if self.public_url is not None:
            parts = urlsplit(self.public_url)
            if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
                raise ValueError(f"public_url must look like https://calls.example.org, not {self.public_url!r}")
            if parts.scheme == "http" and parts.hostname not in LOOPBACK:
                raise ValueError("public_url must be https: carriers open media streams to wss addresses only")
        return self

    @property
    def base_url(self) -> str:
        """The public address without a slash at its end."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return (self.public_url or f"http://{host}:{self.port}").rstrip("/")

    @property
    def stream_base_url(self) -> str:
        """The public address of media streams: `wss`, or `ws` on one's own machine."""
        scheme, rest = self.base_url.split("://", 1)
        return f"{'wss' if scheme == 'https' else 'ws'}://{rest}"
