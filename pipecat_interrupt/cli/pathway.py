"""`pipecat-interrupt pathway list|check|show|new`: read, check and begin pathway files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from pipecat_interrupt.cli.targets import check_target

pathway_app = typer.Typer(
    no_args_is_help=True, help="Look at pathways and check your own.", pretty_exceptions_enable=False
)

NameOrFile = Annotated[str, typer.Argument(help="A bundled pathway's name, or a YAML file.")]


@pathway_app.command("list")
def list_command(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the bundled pathways."""
    from obligations.pathway import list_pathways, load_pathway

    loaded = [load_pathway(name) for name in list_pathways()]
    if as_json:
        rows = [{"id": p.id, "version": p.version, "languages": list(p.languages), "review": p.review} for p in loaded]
        typer.echo(json.dumps(rows))
        return
    table = Table(
        title="Bundled pathways", caption="Not clinically reviewed: a clinician must approve a pathway first."
    )
    for column in ("name", "version", "languages", "questions", "points", "review"):
        table.add_column(column, no_wrap=column == "name")
    for p in loaded:
        review = p.review.replace("_", " ")
        table.add_row(p.id, p.version, ", ".join(p.languages), str(len(p.questions)), str(len(p.points)), review)
    Console().print(table)


@pathway_app.command("check")
def check_command(name: NameOrFile) -> None:
    """Check a pathway; every fault is named by file, line and field, with its fix."""
    from obligations.errors import ObligationsError
    from obligations.pathway import load_pathway

    try:
        pathway = load_pathway(name)
    except (ObligationsError, OSError) as error:
        Console(stderr=True).print(str(error), style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(1) from error
    typer.echo(
        f"{pathway.id} {pathway.version}: {len(pathway.questions)} questions, {len(pathway.points)} points, no fault"
    )


@pathway_app.command("show")
def show_command(
    name: NameOrFile, language: Annotated[str | None, typer.Option(help="Language of the wordings.")] = None
) -> None:
    """Show what a pathway covers, in speaking order."""
    from obligations.pathway import load_pathway

    pathway = load_pathway(name)
    tag = pathway.resolve_language(language)
    table = Table(title=Text(f"{pathway.title.get(tag, pathway.id)} ({pathway.id} {pathway.version}, {tag})"))
    for column in ("group", "item", "kind", "critical", "wording"):
        table.add_column(column, overflow="fold")
    for group in pathway.groups:
        for item in group.items:
            table.add_row(group.id, item.id, item.kind, "yes" if item.critical else "", Text(item.wording[tag]))
    Console().print(table)


@pathway_app.command("new")
def new_command(
    out: Annotated[Path, typer.Argument(help="File to write; an existing file is never overwritten.")],
    source: Annotated[str, typer.Option("--from", help="Bundled pathway to start from.")] = "cataract-followup",
) -> None:
    """Begin a pathway of your own as a copy of a bundled one, to be edited and clinically reviewed."""
    from importlib.resources import files

    from obligations.pathway import list_pathways

    if source not in list_pathways():
        raise typer.BadParameter(f"no bundled pathway {source!r}; there are: {', '.join(list_pathways())}")
    if out.suffix not in (".yaml", ".yml"):
        raise typer.BadParameter(f"{out}: a pathway file ends in .yaml; write {out}.yaml")
    if out.exists():
        raise typer.BadParameter(f"{out} exists already; choose another name")
    check_target(out, option="OUT")
    text = files("obligations.pathway").joinpath("data", f"{source}.yaml").read_text(encoding="utf-8")
    out.write_text(text.replace(f"id: {source}\n", f"id: {out.stem.lower()}\n", 1), encoding="utf-8")
    typer.echo(f"{out}: edit it, then run `pipecat-interrupt pathway check {out}`")
