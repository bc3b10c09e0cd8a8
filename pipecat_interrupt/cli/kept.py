"""`pipecat-interrupt handoff|erase|retain`: what is kept of a call, and how it is got rid of."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipecat_interrupt.cli.targets import check_target

if TYPE_CHECKING:
    from obligations.handoff import Handoff
    from obligations.stores import Erasure, LedgerStore

STORE_ENV = "PIPECAT_INTERRUPT_STORE"
DAY_S = 86_400.0
HANDOFF_HEAD_BYTES = 1_000
"""The keys that tell a hand-off stand among so many first bytes."""

StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store", envvar=STORE_ENV, help="Ledger store: sqlite:FILE, or redis://HOST:PORT/DB (rediss:// for TLS)."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Audio = Annotated[list[Path] | None, typer.Option(help="Folder of recordings; may be given more than once.")]


class Form(StrEnum):
    """Forms of a hand-off."""

    JSON = "json"
    MARKDOWN = "markdown"
    FHIR = "fhir"


def handoff_command(
    call: Annotated[str, typer.Argument(help="The call's id in the store, or a hand-off's JSON file.")],
    store: StoreOption = None,
    form: Annotated[Form, typer.Option("--format", help="Which form.")] = Form.MARKDOWN,
    pathway: Annotated[
        str | None, typer.Option(help="FHIR: its pathway (name or file); numbers and dates are then given as such.")
    ] = None,
    ended_at: Annotated[
        str | None, typer.Option(help="FHIR: when the call ended, such as 2026-05-25T10:30:00+01:00.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="File to write; the screen when left out.")] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace what stands at --out, though it is no hand-off.")
    ] = False,
) -> None:
    """Show a call's hand-off as JSON, Markdown or a FHIR R5 bundle; exits 1 when there is none.

    An earlier hand-off at --out is replaced; any other file is not.
    """
    if out is not None:
        read = [*([Path(call)] if store is None else []), *([Path(pathway)] if pathway else [])]
        check_target(out, *read, earlier=_is_handoff, force=force)
    found = asyncio.run(_handoff(call, store))
    text = _as_text(found, form, pathway, ended_at)
    if out is None:
        typer.echo(text, nl=not text.endswith("\n"))
    else:
        out.write_text(text if text.endswith("\n") else text + "\n", encoding="utf-8")


def _is_handoff(head: bytes) -> bool:
    """Whether a file begins as one of the three forms does."""
    start = head[:HANDOFF_HEAD_BYTES].lstrip()
    as_json = b'"call_id": ' in start and b'"pathway_title": ' in start
    as_fhir = b'"resourceType": "Bundle"' in start and b"urn:pipecat-interrupt:call" in start
    return start.startswith(b"# Hand-off: ") or (start.startswith(b"{") and (as_json or as_fhir))


def erase_command(
    call: Annotated[str, typer.Argument(help="The call's id.")],
    store: StoreOption = None,
    spill: Annotated[Path | None, typer.Option(help="Spill folder of the worker, where it has one.")] = None,
    journal: Annotated[
        list[str] | None,
        typer.Option(
            help="A JSONL journal, a folder of them or of replays, sqlite:FILE, or redis://...; may be repeated."
        ),
    ] = None,
    audio: Audio = None,
    as_json: Json = False,
) -> None:
    """Erase everything that was kept of one call: ledger, journal, page, hand-off, replay, sound.

    Exits 1 and names the place when one could not be looked at or erased. Folders are looked through at any depth,
    links not followed. Not taken: journals exported as CSV or Parquet, and what a sink has sent.
    """
    local = [Path(place) for place in journal or [] if "://" not in place and not place.startswith("sqlite:")]
    refuse_places([*local, *(audio or []), *([spill] if spill else [])], named=bool(store or spill or journal or audio))
    done = asyncio.run(_erase(call, store, spill, journal or [], audio or []))
    if as_json:
        typer.echo(json.dumps({**asdict(done), "complete": done.complete}))
    else:
        typer.echo(
            f"{done.call_id}: {done.events} ledger events, {done.handoffs} hand-offs, {done.journal_entries} journal"
            f" entries, {len(done.files)} files erased"
            if done.found
            else f"{done.call_id}: nothing was kept in the places named"
            if done.complete
            else f"{done.call_id}: nothing was erased"
        )
        _tell_failed(done.failed, store)
    if not done.complete:
        raise typer.Exit(1)


def refuse_places(places: list[Path], *, named: bool) -> None:
    """Refuse places to erase from that cannot be meant: a mistyped one must not look like a finished erasure.

    Raises:
        SettingsError: None was named, one is not there, or one is the whole disk or home. Nothing was erased.
    """
    from pipecat_interrupt.errors import SettingsError

    if not named:
        raise SettingsError("name a place to erase from: --store, --journal or --audio")
    for place in places:
        if not place.exists():
            raise SettingsError(f"{place}: no such file or folder; nothing was erased")
        if place.resolve() in (Path(place.resolve().anchor), Path.home().resolve()):
            raise SettingsError(
                f"{place}: the whole disk, or this user's whole home; name the folder of the calls (is a variable in"
                " its path unset?). Nothing was erased"
            )


def retain_command(
    days: Annotated[float, typer.Option(help="Keep this many days; at least 1.")],
    store: StoreOption = None,
    journal: Annotated[
        list[Path] | None, typer.Option(help="Folder of JSONL journals, one file a call; also a replay's --out.")
    ] = None,
    audio: Audio = None,
    as_json: Json = False,
) -> None:
    """Erase what is older than so many days: sent hand-offs with their ledgers, journals, pages, replays, sound.

    Run it daily. Exits 1 and names the place when one could not be looked at or erased. Not taken: exported journals.
    """
    from obligations.stores import erase_older

    refuse_places([*(journal or []), *(audio or [])], named=bool(store or journal or audio))

    async def work() -> Any:
        stores = _stores(store, None)
        try:
            return await erase_older(
                days * DAY_S, now_unix_s=time.time(), stores=stores, journals=journal or [], audio=audio or []
            )
        finally:
            for opened in stores:
                await opened.close()

    done = asyncio.run(work())
    if as_json:
        typer.echo(json.dumps(asdict(done)))
    else:
        typer.echo(f"{len(done.calls)} calls, {len(done.files)} files erased")
        for name in done.expiring:
            typer.echo(f"{name} expires calls by itself (its keep_s) and was left alone")
        _tell_failed(done.failed, store)
    if done.failed:
        raise typer.Exit(1)


def open_store(where: str, named: str = "--store") -> LedgerStore:
    """Open a ledger store by its address.

    Args:
        where: The address.
        named: Where it was given, for the message.

    Raises:
        SettingsError: It is neither ``sqlite:FILE`` nor a Redis address, or that file does not exist.
    """
    from pipecat_interrupt.errors import SettingsError

    kind, _, rest = where.partition(":")
    if kind == "sqlite" and rest:
        from obligations.adapters.sqlite_store import SqliteStore

        if not Path(rest).exists():
            raise SettingsError(f"{named} {where}: there is no such file")
        return SqliteStore(Path(rest))
    if kind in ("redis", "rediss", "unix"):
        from obligations.adapters.redis_store import RedisStore, RedisStoreConfig
        from pipecat_interrupt.journal.addresses import check_redis

        check_redis(where, f"{named} {_shown(where)}")
        try:
            return RedisStore(RedisStoreConfig(url=where))
        except ValueError as error:
            raise SettingsError(f"{named} {_shown(where)}: no address of a Redis server: {error}") from None
    raise SettingsError(f"{named} {kind}:...: not an address; write sqlite:FILE or redis://HOST:PORT/DB")


def _stores(where: str | None, spill: Path | None) -> list[LedgerStore]:
    if where is None:
        return []
    opened = open_store(where)
    if spill is None:
        return [opened]
    from obligations.stores import ResilientStore

    return [ResilientStore(opened, spill)]


async def _handoff(call: str, where: str | None) -> Handoff:
    from pydantic import ValidationError

    from obligations.handoff import Handoff
    from obligations.stores import StoreUnavailable
    from pipecat_interrupt.errors import SettingsError
    from pipecat_interrupt.one_key import repeated_key

    if where is None:
        file = Path(call)
        if not await asyncio.to_thread(file.is_file):
            raise SettingsError(f"{call}: no such file; name the store the call is kept in with --store")
        text = await asyncio.to_thread(file.read_bytes)
        try:
            handoff = Handoff.model_validate_json(text)
        except ValidationError as error:
            # One that contradicts itself says so in its own words; everything else is no hand-off.
            told = (str(e["msg"]).removeprefix("Value error, ") for e in error.errors() if e["type"] == "value_error")
            raise SettingsError(f"{file.name}: {next(told, 'not a hand-off in JSON')}") from None
        if (twice := repeated_key(text)) is not None:
            raise SettingsError(f"{file.name}: the key {twice!r} stands twice in one object; keep the one that is true")
        return handoff
    store = open_store(where)
    try:
        found = await store.handoff(call)
        if found is None:
            state = "is not finished" if call in await store.open_calls() else "is not known to this store"
            raise SettingsError(f"call {call!r} {state}: there is no hand-off")
        return found
    except StoreUnavailable as error:
        raise SettingsError(f"--store {_shown(where)}: {error}; {_FIX[where.partition(':')[0] == 'sqlite']}") from error
    finally:
        await store.close()


def _tell_failed(failed: Sequence[str], store: str | None) -> None:
    """Name what could not be erased, a store by its address and with what to do."""
    for place in failed:
        kind, _, why = place.partition(": ")
        if store is not None and kind.endswith("Store"):
            place = f"--store {_shown(store)}: {why}; {_FIX[store.partition(':')[0] == 'sqlite']}"
        typer.echo(f"NOT erased: {place}", err=True)


_FIX = ("check that the server runs and the address is right", "check that the file is a ledger, not a journal")


def _shown(where: str) -> str:
    """An address without its password."""
    kind, _, rest = where.partition("://")
    return f"{kind}://{rest.rpartition('@')[2]}" if rest else where


def _as_text(handoff: Handoff, form: Form, pathway: str | None, ended_at: str | None) -> str:
    from obligations.handoff import to_markdown
    from pipecat_interrupt.errors import SettingsError

    if form is Form.JSON:
        return handoff.model_dump_json(indent=2)
    if form is Form.MARKDOWN:
        return to_markdown(handoff)
    from obligations.adapters.fhir import to_fhir
    from obligations.pathway import load_pathway

    try:
        ended = datetime.fromisoformat(ended_at) if ended_at is not None else None
    except ValueError:
        raise SettingsError(f"--ended-at {ended_at}: not a time; write 2026-05-25T10:30:00+01:00") from None
    loaded = load_pathway(pathway) if pathway is not None else None
    if loaded is not None and loaded.id != handoff.pathway_id:
        raise SettingsError(
            f"--pathway {pathway}: the hand-off is of {handoff.pathway_id!r}, not of {loaded.id!r}; give its own"
        )
    return json.dumps(to_fhir(handoff, pathway=loaded, ended_at=ended), indent=2, ensure_ascii=False)


async def _erase(
    call: str, where: str | None, spill: Path | None, journals: Sequence[str], audio: Sequence[Path]
) -> Erasure:
    from obligations.stores import erase_call

    databases = [place for place in journals if place.partition(":")[0] in ("sqlite", "redis", "rediss")]
    files = [Path(place) for place in journals if place not in databases]
    stores = _stores(where, spill)
    try:
        done = await erase_call(call, stores=stores, journals=files, audio=audio)
    finally:
        for opened in stores:
            await opened.close()
    for place in databases:
        try:
            gone = await asyncio.to_thread(_erase_from_database, place, call)
            done = replace(done, journal_entries=done.journal_entries + gone)
        except Exception as error:  # a vendor's; what failed is named, the other places are still erased
            done = replace(done, failed=(*done.failed, f"journal {place.partition(':')[0]}: {type(error).__name__}"))
    return done


def _erase_from_database(place: str, call: str) -> int:
    from pipecat_interrupt.errors import SettingsError
    from pipecat_interrupt.journal.databases import RedisStreamSink, SqliteSink

    kind, _, rest = place.partition(":")
    if kind == "sqlite" and not Path(rest).exists():
        raise SettingsError(f"--journal {place}: there is no such file")
    sink = SqliteSink(Path(rest)) if kind == "sqlite" else RedisStreamSink(place)
    try:
        return sink.erase(call)
    finally:
        sink.close()
