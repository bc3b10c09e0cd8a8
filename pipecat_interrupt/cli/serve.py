"""`pipecat-interrupt serve`: the phone bot as a web service."""

from __future__ import annotations

import asyncio
import os
import platform
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi import FastAPI

    from obligations.stores import LedgerStore
    from pipecat_interrupt.journal import JournalSink
    from pipecat_interrupt.serve.config import ServeConfig

DEFAULT_CALLS = 4
JOURNAL_ENV = "PIPECAT_INTERRUPT_JOURNAL"
JOURNAL_S_KEPT = 86_400
"""How long a journal stays in Redis after its last entry; the record is the file."""


class ProviderName(StrEnum):
    """Carriers."""

    TWILIO = "twilio"
    TELNYX = "telnyx"
    PLIVO = "plivo"


class Ear(StrEnum):
    """Recognisers."""

    LOCAL = "local"
    DEEPGRAM = "deepgram"


class Mind(StrEnum):
    """Language models."""

    LOCAL = "local"
    OPENAI = "openai"


class VoiceName(StrEnum):
    """Voices."""

    LOCAL = "local"
    DEEPGRAM = "deepgram"
    OPENAI = "openai"


def serve_command(
    pathway: Annotated[str | None, typer.Option(help="Bundled pathway or YAML file; none: heard-truth alone.")] = None,
    provider: Annotated[ProviderName, typer.Option(help="The carrier.")] = ProviderName.TWILIO,
    public_url: Annotated[
        str | None, typer.Option(help="Address the carrier uses, such as https://calls.example.org.")
    ] = None,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", min=0, max=65535)] = 8080,
    language: Annotated[str, typer.Option(help="Language of the calls, BCP 47.")] = "en",
    out: Annotated[Path, typer.Option(help="Folder of journals and hand-offs, one folder a call.")] = Path("out/calls"),
    local: Annotated[bool, typer.Option("--local", help="All models on this machine; no key needed.")] = False,
    stt: Annotated[Ear, typer.Option(help="Recogniser.")] = Ear.LOCAL,
    llm: Annotated[Mind, typer.Option(help="Language model.")] = Mind.LOCAL,
    tts: Annotated[VoiceName, typer.Option(help="Voice.")] = VoiceName.LOCAL,
    stt_model: Annotated[str, typer.Option(help="Deepgram's model.")] = "nova-3-general",
    llm_base_url: Annotated[str | None, typer.Option(help="OpenAI-compatible address ending in /v1.")] = None,
    llm_model: Annotated[str, typer.Option(help="Model id at that address.")] = "gpt-4.1-mini",
    llm_writes: Annotated[bool, typer.Option(help="Let the model write its reactions (checked).")] = False,
    tts_voice: Annotated[str | None, typer.Option(help="Voice of Deepgram or OpenAI.")] = None,
    gate: Annotated[bool, typer.Option(help="Tell voices apart (extra speaker-onnx).")] = False,
    model_leads: Annotated[bool, typer.Option(help="The model talks and is reminded; else the pathway leads.")] = False,
    calls_max: Annotated[int, typer.Option(help="Calls at once; one more hears busy.", min=1)] = DEFAULT_CALLS,
    drain_s: Annotated[float, typer.Option(help="How long running calls may finish after SIGTERM, seconds.")] = 300.0,
    unsigned: Annotated[bool, typer.Option(help="Take unsigned webhooks; on a loopback address only.")] = False,
) -> None:
    """Take calls: a carrier's webhook and media stream in, one pipeline a call, journals and hand-offs out.

    Secrets come from the environment alone, such as TWILIO_AUTH_TOKEN and DEEPGRAM_API_KEY (docs/deploy.md lists them).
    The carrier's webhook is POST /<provider>/voice. SIGTERM lets running calls finish.
    """
    from pipecat_interrupt.local.threads import calm_threads  # before anything loads a model library

    _check_speech(local, stt, llm, tts, llm_base_url)
    calm_threads()
    speech: dict[str, Any] = {
        "stt": "local" if local else stt.value,
        "llm": "local" if local else llm.value,
        "tts": "local" if local else tts.value,
        "stt_model": stt_model,
        "llm_base_url": llm_base_url,
        "llm_model": llm_model,
        "llm_writes": llm_writes,
        "tts_voice": tts_voice,
        "gate": gate,
    }
    settings: dict[str, Any] = {
        "pathway": pathway,
        "provider": provider.value,
        "public_url": public_url,
        "host": host,
        "port": port,
        "language": language,
        "out": out,
        "leads": not model_leads,
        "unsigned": unsigned,
        "speech": speech,
        "limits": {"calls_max": calls_max, "drain_s": drain_s},
    }
    asyncio.run(_serve(_config(settings)))


def _check_speech(local: bool, stt: Ear, llm: Mind, tts: VoiceName, llm_base_url: str | None) -> None:
    """Refuse options of which one would do nothing.

    Raises:
        SettingsError: Two contradict each other; the message says which to leave out.
    """
    from pipecat_interrupt.errors import SettingsError

    elsewhere = [f"--{name} {value.value}" for name, value in (("stt", stt), ("llm", llm), ("tts", tts))]
    elsewhere = [one for one in elsewhere if not one.endswith(" local")]
    if local and elsewhere:
        raise SettingsError(
            f"--local puts every model on this machine; leave it out, or leave out {', '.join(elsewhere)}"
        )
    if llm_base_url is not None and llm is Mind.LOCAL:
        raise SettingsError("--llm-base-url is used with --llm openai only; add that, or leave the address out")


def _config(settings: dict[str, Any]) -> ServeConfig:
    """Make the settings, with a fault told in one line.

    Raises:
        SettingsError: A value cannot work.
    """
    from pydantic import ValidationError

    from pipecat_interrupt.errors import SettingsError
    from pipecat_interrupt.serve.config import ServeConfig

    try:
        return ServeConfig.model_validate(settings)
    except ValidationError as error:
        faults = [_fault(e["loc"], e["msg"], e["input"]) for e in error.errors()]
        raise SettingsError("; ".join(faults)) from error


def _fault(place: tuple[int | str, ...], message: str, given: object) -> str:
    """Name the option as it is typed; of the settings as a whole there is none."""
    if not place:
        return f"settings: {message}"
    return f"--{str(place[-1]).replace('_', '-')} {given}: {message[:1].lower()}{message[1:]}"


async def _serve(config: ServeConfig) -> None:
    from pipecat_interrupt.cli.log_level import log_level
    from pipecat_interrupt.cli.targets import check_port
    from pipecat_interrupt.serve.app import create_app
    from pipecat_interrupt.serve.banks import ConfiguredBank
    from pipecat_interrupt.serve.logs import use_json_logs
    from pipecat_interrupt.serve.secrets import Secrets
    from pipecat_interrupt.serve.server import PhoneServer

    if config.port == 0:  # taken now: the webhook's address is told to the carrier in every answer
        config = config.model_copy(update={"port": check_port(config.host, 0)})
    use_json_logs(log_level("INFO"))
    secrets = Secrets.from_environment(os.environ)
    bank = ConfiguredBank(config, secrets)
    app = create_app(config, bank, secrets=secrets, store=_store(config), journal_sinks=_journal_sinks())
    _put_board(app, config)
    server = PhoneServer(app, config, own_process=True)
    check_port(config.host, config.port)
    config.out.mkdir(parents=True, exist_ok=True)
    try:
        typer.echo("loading; calls can come once the webhook is named here", err=True)
        await bank.start()  # a missing key or model is one line here, and a traceback inside the server
        typer.echo(f"webhook: {config.base_url}/{config.provider.value}/voice", err=True)
        await server.serve()
    finally:
        await bank.stop()


def _store(config: ServeConfig) -> LedgerStore | None:
    """The ledger store that the environment names; None without one.

    Raises:
        SettingsError: It is no address of a store.
    """
    where = os.environ.get("PIPECAT_INTERRUPT_STORE")
    if not where:
        return None
    from obligations.stores import ResilientStore
    from pipecat_interrupt.cli.kept import STORE_ENV, open_store

    kind, _, path = where.partition(":")
    if kind == "sqlite" and path:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).touch()
    return ResilientStore(open_store(where, STORE_ENV), config.out / f"spill-{platform.node()}-{config.port}")


def _journal_sinks() -> Callable[[], list[JournalSink]]:
    """Make what gives each call's journal its Redis stream, where the environment names a server.

    Raises:
        SettingsError: It is no address of one.
    """
    from pipecat_interrupt.errors import SettingsError

    url = os.environ.get(JOURNAL_ENV)
    if not url:
        return list
    if not url.startswith(("redis://", "rediss://")):
        raise SettingsError(f"{JOURNAL_ENV} must be an address like redis://host:6379/0, not {url!r}")
    from pipecat_interrupt.journal.addresses import check_redis
    from pipecat_interrupt.journal.databases import RedisStreamSink

    check_redis(url, JOURNAL_ENV)
    return lambda: [RedisStreamSink(url, ttl_s=JOURNAL_S_KEPT)]


def _put_board(app: FastAPI, config: ServeConfig) -> None:
    """Put the live board on the server where its token is set; without one there is no board.

    It shows the calls of this process, or, with `PIPECAT_INTERRUPT_JOURNAL`, those of every worker.
    """
    if not os.environ.get("PIPECAT_INTERRUPT_BOARD_TOKEN"):
        return
    from pipecat_interrupt.board import Board, BoardSettings, BoardToken, RedisFeed, RegistryFeed, mount_board

    board = Board(BoardSettings(insecure_cookie=config.base_url.startswith("http://")))
    url = os.environ.get(JOURNAL_ENV)
    feed = RedisFeed(url) if url else RegistryFeed(app.state.registry)
    mount_board(app, board, BoardToken.from_environment(), feed=feed)
    typer.echo(f"board: {config.base_url}/board/", err=True)
