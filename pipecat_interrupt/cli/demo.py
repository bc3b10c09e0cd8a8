"""`pipecat-interrupt demo`: one live interrupted call on each system, and what became of it."""

from __future__ import annotations

import asyncio
import json as json_module
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from pipecat_interrupt.demo.models import DemoModels, ModelChoice
    from pipecat_interrupt.summary import CallSummary, UtteranceSummary

OUT = Path("out/demo")


class Systems(StrEnum):
    """What to run."""

    OURS = "ours"
    STOCK = "stock"
    BOTH = "both"


def demo_command(
    system: Annotated[Systems, typer.Option(help="Which system to run.")] = Systems.BOTH,
    out: Annotated[Path, typer.Option(help="Folder for the artefacts; one folder a system is made in it.")] = OUT,
    pathway: Annotated[str, typer.Option(help="Bundled pathway or YAML file.")] = "cataract-followup",
    llm_base_url: Annotated[
        str | None, typer.Option(help="OpenAI-compatible address ending in /v1; none starts the local model.")
    ] = None,
    llm_model: Annotated[str, typer.Option(help="Model id at that address.")] = "local",
    llm_api_key: Annotated[str, typer.Option(envvar="OPENAI_API_KEY", help="Key of that server.")] = "none",
    llm_weights: Annotated[str | None, typer.Option(help="Other local weights; see `models --list`.")] = None,
    llm_writes: Annotated[
        bool, typer.Option(help="Let the model write its reaction (checked) instead of picking an approved line.")
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print one CallSummary a system, nothing else, on stdout.")
    ] = False,
) -> None:
    """Run one live audio call in real time on local models: a patient cuts in, and you see what was lost.

    Both systems share pathway, pipeline and patient; `stock` lacks return-to-item and the end guard. Nothing of the
    outcome is scripted. Exits 1 when a critical item was lost with `ours`, 130 when stopped by Ctrl-C.
    """
    from obligations.pathway import load_pathway
    from pipecat_interrupt.local.threads import calm_threads

    load_pathway(pathway, "en")  # a fault is told before anything is loaded or written
    out.mkdir(parents=True, exist_ok=True)
    calm_threads()
    from pipecat_interrupt.demo.models import ModelChoice

    choice = ModelChoice(llm_base_url, llm_model, llm_api_key, llm_weights, llm_writes)
    names = ["ours", "stock"] if system is Systems.BOTH else [system.value]
    console = Console(stderr=json)
    summaries, interrupted = asyncio.run(_run(names, out, pathway, choice, console))
    for summary in summaries:
        if json:
            typer.echo(json_module.dumps(summary.model_dump(mode="json")))
        else:
            _print_call(console, summary, out)
    if not json:
        _print_verdict(console, summaries)
    if interrupted:
        raise typer.Exit(130)
    if any(s.system == "ours" and _lost(s) for s in summaries):
        raise typer.Exit(1)


async def _run(
    names: list[str], out: Path, pathway: str, choice: ModelChoice, console: Console
) -> tuple[list[CallSummary], bool]:
    from pipecat_interrupt.demo.models import DemoModels

    summaries: list[CallSummary] = []
    interrupted = False
    with console.status("Loading models") as status:
        async with DemoModels(choice, lambda step: status.update(f"Loading {step}")) as models:
            for name in names:
                status.update(f"Live call on '{name}' (in real time)")
                summary, interrupted = await _one(name, out / name, pathway, models, console)
                summaries.append(summary)
                if interrupted:
                    console.print("Stopped by Ctrl-C; the hand-off of this call is complete.", style="yellow")
                    break
    return summaries, interrupted


async def _one(name: str, folder: Path, pathway: str, models: DemoModels, console: Console) -> tuple[CallSummary, bool]:
    from pipecat_interrupt.demo.artefacts import write_artefacts
    from pipecat_interrupt.demo.live import LiveRun
    from pipecat_interrupt.kit import InterruptKit

    journal = folder / "journal.jsonl"
    _begin_anew(journal)
    shown = 0

    def watch(kit: InterruptKit, now_s: float) -> None:
        nonlocal shown
        for record in kit.scribe.records[shown:]:
            lost = f" [cut after {record.cut.words} words]" if record.cut else ""
            console.print(Text(f"  {now_s:5.1f} s  agent: {record.delivered}{lost}", style="dim"))
            shown += 1

    console.rule(f"{name}: live call")
    call = await LiveRun("stock" if name == "stock" else "ours", models, journal, pathway).run(watch)
    hear = None if call.interrupted else (lambda samples: models.ear.hear(samples, "en") or "")
    return write_artefacts(call, folder, models.ready_s, hear), call.interrupted


def _begin_anew(journal: Path) -> None:
    """Remove the journal of an earlier run; one that a running demo writes stays."""
    from obligations.stores.errors import FileInUse
    from obligations.stores.one_writer import no_writer
    from pipecat_interrupt.errors import JournalInUse

    if not journal.exists():
        return
    try:
        with no_writer(journal):
            journal.unlink()
    except FileInUse as error:
        raise JournalInUse(journal, error.who, "Wait for the end of that demo, or name another --out") from None


def _print_call(console: Console, summary: CallSummary, out: Path) -> None:
    console.rule(f"{summary.system}: what was heard")
    for utterance in summary.utterances:
        console.print(_line(utterance))
    table = Table(title=f"{summary.system}: ledger at hang-up ({summary.ended})")
    for column in ("obligation", "critical", "state", "evidence, or why it is open"):
        table.add_column(column, overflow="fold")
    for o in summary.obligations:
        style = "" if o.closed else "bold red" if o.critical else "yellow"
        table.add_row(o.id, "yes" if o.critical else "", o.state, Text(o.evidence or o.reason or ""), style=style)
    console.print(table)
    figures = Table(title=f"{summary.system}: did the call keep up?", show_header=False)
    for name, value in summary.timings.items():
        figures.add_row(name, "-" if value is None else str(value))
    console.print(figures)
    handoff = out / summary.system / "handoff.md"
    if handoff.exists():
        console.rule(f"{summary.system}: hand-off")
        console.print(Text(handoff.read_text(encoding="utf-8")))
    console.print(f"Artefacts: {out / summary.system}", style="dim")


def _line(utterance: UtteranceSummary) -> Text:
    at = "   -  " if utterance.started_s is None else f"{utterance.started_s:5.1f} "
    line = Text(f"{at} {utterance.delivered}")
    if utterance.undelivered:
        line.append(f" [not heard:{utterance.undelivered}]", style="strike red")
    if utterance.cut is not None:
        who = utterance.overlap
        by = f" by {who.speaker} at {who.onset_s:.2f} s: {who.kind or 'kind not told'}, {who.verdict}" if who else ""
        line.append(f"  [cut after {utterance.cut.words} words{by}]", style="dim")
    return line


def _lost(summary: CallSummary) -> list[str]:
    return [o.id for o in summary.obligations if o.critical and not o.closed]


KEPT_UP_LATE_FRAMES_MAX = 50
"""One second of late input in a call: beyond it the machine, not the system, decides what is heard."""


def _kept_up(summary: CallSummary) -> bool:
    late, underruns = summary.timings.get("late_input_frames") or 0, summary.timings.get("underruns") or 0
    return late <= KEPT_UP_LATE_FRAMES_MAX and underruns <= KEPT_UP_LATE_FRAMES_MAX


def _print_verdict(console: Console, summaries: list[CallSummary]) -> None:
    console.rule("What became of the call")
    for summary in summaries:
        lost = _lost(summary)
        if not _kept_up(summary):
            note = "this machine did not keep up (late input, underruns); its result says little. Run it alone"
            console.print(f"{summary.system}: {note}", style="yellow")
        if lost:
            console.print(f"{summary.system}: lost critical content: {', '.join(lost)}", style="bold red")
        elif summary.system == "stock":
            console.print("stock: nothing critical was lost this time; it recovered by itself", style="yellow")
        else:
            console.print(f"{summary.system}: every critical item was closed with evidence", style="bold green")
