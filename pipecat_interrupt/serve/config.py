"""Settings of the phone server: what to run, for whom, and every bound. Secrets stand in `secrets`, never here."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

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
        messages_burst_max: Messages beyond that rate at once: what a carrier sends after a stall of the network. Give
            it 100 (both tracks) for each second of `idle_s`: then no stall that a call lives through is a flood.
        sound_rate_max: Seconds of sound a stream may bring a second; a line brings one.
        sound_burst_s: Seconds of sound beyond that at once, likewise; not less than `idle_s`. A second is 8 kB here.
        idle_s: A stream that sends nothing for this long is gone; carriers send silence as well, so less is a stall of
            the network, and the call waits for its end.
        call_s_max: Longest call; then it is ended and handed off.
        guard_s: How long a call that is told to end may take to say what it must, and one that ended itself to come
            down; then it is cut.
        cancel_s: How long a call that was cut may take to come down before it is left behind; its hand-off is written
            in its first second.
        drain_s: How long running calls may go on once the server was told to stop; then they are told to end.
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
    messages_burst_max: Annotated[int, Field(ge=100, le=100_000)] = 5000
    sound_rate_max: Annotated[float, Field(ge=1.2, le=100)] = 2.0
    sound_burst_s: Annotated[float, Field(ge=1, le=600)] = 50.0
    idle_s: Annotated[float, Field(gt=0, le=600)] = 45.0
    call_s_max: Annotated[float, Field(gt=0, le=14_400)] = 1800.0
    guard_s: Annotated[float, Field(ge=0, le=120)] = 60.0
    cancel_s: Annotated[float, Field(gt=0, le=60)] = 5.0
    drain_s: Annotated[float, Field(ge=0, le=14_400)] = 300.0
    webhook_bytes_max: Annotated[int, Field(ge=1024, le=1 << 20)] = 64 * 1024
    subscribers_max: Annotated[int, Field(ge=1, le=1000)] = 32
    events_max: Annotated[int, Field(ge=16, le=100_000)] = 1000
    finished_kept: Annotated[int, Field(ge=0, le=10_000)] = 100


class Speech(BaseModel):
    """What hears, thinks and speaks. Keys come from the environment; see `secrets`.

    Parameters:
        stt: The recogniser: Whisper on this machine, or Deepgram with interims and speaker labels.
        llm: The language model: a small one on this machine, or any OpenAI-compatible address.
        tts: The voice: Piper on this machine, Deepgram or OpenAI. Only Piper tells when each word is said; with the
            others a cut is estimated, and errs short.
        stt_model: Deepgram's model.
        stt_base_url: Another Deepgram address (self-hosted); None is Deepgram's own.
        llm_base_url: Address ending in `/v1`; None is OpenAI's own.
        llm_model: Model id at that address.
        llm_writes: Let the model write its reactions (each is checked) instead of picking an approved line.
        tts_voice: Voice of Deepgram or OpenAI; None is a usual one.
        tts_base_url: Another address of the voice; None is the vendor's own.
        gate: Tell voices apart (extra `speaker-onnx`, weights ready); the recogniser's speaker labels are evidence.
        instructions: What a model that leads is told of its task; unused while the pathway leads.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    stt: Literal["local", "deepgram"] = "local"
    llm: Literal["local", "openai"] = "local"
    tts: Literal["local", "deepgram", "openai"] = "local"
    stt_model: str = "nova-3-general"
    stt_base_url: str | None = None
    llm_base_url: str | None = None
    llm_model: str = "gpt-4.1-mini"
    llm_writes: bool = False
    tts_voice: str | None = None
    tts_base_url: str | None = None
    gate: bool = False
    instructions: str = "You are on the phone for a clinic. Speak in short sentences."

    @field_validator("llm_base_url")
    @classmethod
    def _address(cls, value: str | None) -> str | None:
        parts = urlsplit(value or "http://none")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"an address like https://models.example.org/v1, not {value!r}")
        return value


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
        leads: The pathway decides what is said and the model only reacts; False lets the model talk, reminded and
            guarded.
        end_silence_s: Silence behind the last words before the line closes, so that they reach the ear.
        out: Folder of the journals and hand-offs, one folder a call.
        unsigned: Accept webhooks without a signature; refused unless `host` is a loopback address.
        speech: What hears, thinks and speaks.
        limits: Every bound.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    pathway: str | Path | None = None
    provider: Provider = Provider.TWILIO
    public_url: str | None = None
    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65_535)] = 8080
    language: str = "en"
    leads: bool = True
    end_silence_s: Annotated[int, Field(ge=0, le=10)] = 2
    out: Path = Path("out/calls")
    unsigned: bool = False
    speech: Speech = Speech()
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
