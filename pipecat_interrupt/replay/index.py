"""The index over a folder of replayed calls: one page and one JSON file.

Owns their form; counts come from `rates`. The page has no script and asks nothing of the outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from jinja2 import Environment, PackageLoader, StrictUndefined
from pydantic import BaseModel, ConfigDict

from pipecat_interrupt.page.render import printable
from pipecat_interrupt.replay.job import JobOutcome
from pipecat_interrupt.replay.places import Place
from pipecat_interrupt.replay.rates import (
    KINDS,
    PHASES,
    OverlapTable,
    PathwayRates,
    Rate,
    overlap_table,
    pathway_rates,
)
from pipecat_interrupt.replay.result import CallResult

INDEX_PAGE, INDEX_FILE = "index.html", "index.json"


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class IndexCall(_Model):
    """One call's line."""

    call_id: str
    pathway: str | None
    duration_s: float
    overlaps: int
    lost_critical: tuple[str, ...]
    lost: int
    unanswered: int
    unclear_critical: tuple[str, ...] = ()
    unclear: int = 0
    red_flags: tuple[str, ...]
    unconfirmed_flags: tuple[str, ...] = ()
    notes: tuple[str, ...]
    differences: int


class IndexRefused(_Model):
    """One file that was set aside."""

    call_id: str
    sources: tuple[str, ...]
    code: str
    why: str


class ReplayIndex(_Model):
    """A folder of replayed calls."""

    form: Literal["pipecat-interrupt-replay-index"] = "pipecat-interrupt-replay-index"
    version: Literal[1] = 1
    calls: tuple[IndexCall, ...]
    refused: tuple[IndexRefused, ...]
    pathways: tuple[PathwayRates, ...]
    overlaps: OverlapTable


def index_of(results: Sequence[CallResult], outcomes: Sequence[JobOutcome] = ()) -> ReplayIndex:
    """Make the index of replayed calls and refused files."""
    return ReplayIndex(
        calls=tuple(_line(result) for result in results),
        refused=tuple(
            IndexRefused(call_id=o.call_id, sources=o.sources, code=o.code or "failed", why=o.why)
            for o in outcomes
            if o.status == "refused"
        ),
        pathways=pathway_rates(results),
        overlaps=overlap_table(results),
    )


def write_index(results: Sequence[CallResult], outcomes: Sequence[JobOutcome], out: Place) -> ReplayIndex:
    """Write index.json and index.html where the results are."""
    index = index_of(results, outcomes)
    out.write(INDEX_FILE, (index.model_dump_json(indent=1) + "\n").encode())
    out.write(INDEX_PAGE, render_index(index).encode())
    return index


def render_index(index: ReplayIndex) -> str:
    """Draw the index page: a complete HTML document, every text escaped."""
    environment = Environment(
        loader=PackageLoader("pipecat_interrupt.replay"),
        autoescape=True,
        finalize=printable,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("index.html.j2").render(index=index, kinds=KINDS, phases=PHASES, told=told)


def told(rate: Rate) -> str:
    """A rate as text: hits of n and the interval; no value where there was nothing to count."""
    if rate.value is None or rate.low is None or rate.high is None:
        return "none to count"
    return f"{rate.hits} of {rate.n} ({100 * rate.low:.1f}-{100 * rate.high:.1f} %)"


def _line(result: CallResult) -> IndexCall:
    return IndexCall(
        call_id=result.call_id,
        pathway=result.pathway,
        duration_s=result.duration_s,
        overlaps=len(result.overlaps),
        lost_critical=result.lost_critical,
        lost=len(result.lost),
        unclear_critical=result.unclear_critical,
        unclear=len(result.unclear),
        unanswered=sum(row.outcome == "unanswered" for row in result.obligations),
        red_flags=result.summary.red_flags,
        unconfirmed_flags=result.summary.unconfirmed_flags,
        notes=tuple(dict.fromkeys(note.code for note in result.notes)),
        differences=len(result.differences),
    )
