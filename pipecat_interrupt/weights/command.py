"""`pipecat-interrupt models`: list the weights, make them ready, say what to install."""

from __future__ import annotations

import json as json_module
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from .errors import MissingWeights, WeightsError
from .manifest import MANIFEST, Weights, lookup
from .store import WeightStore


def _state(store: WeightStore, weights: Weights) -> str:
    if store.ready(weights.name) is not None:
        return "ready"
    return "missing" if store.missing(weights.name) else "installed"


def _rows(store: WeightStore) -> list[dict[str, object]]:
    return [
        {
            "name": w.name,
            "role": w.role,
            "size_mb": round(w.size_bytes / 1e6, 1),
            "licence": w.licence,
            "author": w.author,
            "author_known": w.author_known,
            "default": w.default,
            "packages": [f"{n}=={v}" for n, v in w.packages],
            "state": _state(store, w),
        }
        for w in store.manifest.values()
    ]


def _table(store: WeightStore) -> Table:
    table = Table(title="Model weights", caption=f"cache: {store.folder}")
    table.add_column("name", no_wrap=True)
    table.add_column("for", overflow="fold")
    table.add_column("MB", justify="right", no_wrap=True)
    table.add_column("licence", overflow="fold")
    for column in ("author known", "default", "state"):
        table.add_column(column)
    for row in _rows(store):
        colour = {"ready": "green", "installed": "yellow", "missing": "red"}[str(row["state"])]
        state = f"[{colour}]{row['state']}[/]"
        cells = (
            row["name"],
            row["role"],
            row["size_mb"],
            row["licence"],
            "yes" if row["author_known"] else "no",
            "yes" if row["default"] else "--with",
            state,
        )
        table.add_row(*(str(cell) for cell in cells))
    return table


def _prepare(store: WeightStore, weights: Weights, err: Console) -> None:
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(weights.name, total=weights.size_bytes)
        store.ensure(weights.name, lambda n: bar.advance(task, n))


def models_command(
    list_: Annotated[
        bool, typer.Option("--list", help="Show every set of weights and its state; change nothing.")
    ] = False,
    with_: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="NAME", help="Prepare this optional set too (repeatable); see --list."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")] = False,
) -> None:
    """Make the local model weights ready: find the installed parts, join them, check every sha256.

    Exits 0 when all that was asked for is ready, 1 when a package is missing (its install command is printed) or a
    file is not the pinned one.
    """
    out, err = Console(), Console(stderr=True)
    store = WeightStore()
    if list_:
        if json:
            typer.echo(json_module.dumps({"cache": str(store.folder), "weights": _rows(store)}))
        else:
            out.print(_table(store))
        return
    try:
        wanted = list(
            dict.fromkeys([*(w.name for w in MANIFEST.values() if w.default), *(lookup(n).name for n in with_ or ())])
        )
    except WeightsError as error:
        err.print(str(error), style="red", markup=False, highlight=False)
        raise typer.Exit(2) from error
    ready, failed = prepare_all(store, wanted, err)
    if json:
        typer.echo(json_module.dumps({"ready": ready, "failed": failed}))
    else:
        for name, path in ready.items():
            typer.echo(f"{name}: {path}")
    if failed:
        raise typer.Exit(1)


def prepare_all(store: WeightStore, names: list[str], err: Console) -> tuple[dict[str, str], dict[str, str]]:
    """Make each ready; a failure of one does not keep the others back.

    Args:
        store: Where they live.
        names: Names of its manifest.
        err: Where progress, warnings and install commands go.

    Returns:
        Name to path of what is ready, and name to reason of what is not.
    """
    ready: dict[str, str] = {}
    failed: dict[str, str] = {}
    commands: list[str] = []
    for name in names:
        weights = lookup(name, store.manifest)
        try:
            _prepare(store, weights, err)
            ready[name] = str(store.ensure(name))
        except WeightsError as error:
            failed[name] = str(error)
            if isinstance(error, MissingWeights):
                err.print(f"{name}: missing {', '.join(error.packages)}", style="red", markup=False, highlight=False)
                commands.append(error.install_command)
            else:
                err.print(f"{name}: {error}", style="red", markup=False, highlight=False)
        else:
            if not weights.default and not weights.author_known:
                err.print(
                    f"{name}: the uploader of these weights is unknown; licence: {weights.licence}", style="yellow"
                )
    if commands:
        err.print("Install what is missing with:", style="bold")
        for command in commands:
            err.print(command, markup=False, highlight=False, soft_wrap=True)
    return ready, failed
