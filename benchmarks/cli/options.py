"""Options that several verbs share, and ``--option k=v`` settings.

A bound or a place that cannot be used is refused when the command line is read: before anything runs.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from benchmarks.errors import BadOption
from benchmarks.files import checked, output_file
from benchmarks.report.gate import parse_gate

JOBS_MAX = 256
"""Most processes of one command."""

ReportOption = Annotated[Path | None, typer.Option(callback=output_file, help="Also write the HTML report here.")]
ResultsOption = Annotated[Path | None, typer.Option(callback=output_file, help="Also write a results file here.")]
PlantedOption = Annotated[bool, typer.Option("--planted-bugs", help="Also measure what planted bugs get caught.")]
GateOption = Annotated[
    list[str] | None,
    typer.Option(callback=checked(parse_gate), help="Bound that must hold, else exit 1; repeatable."),
]
PricesOption = Annotated[
    Path | None,
    typer.Option(help="Price table (YAML or JSON): currency, and input and output a million tokens, by model."),
]


def parse_settings(settings: Iterable[str]) -> dict[str, Any]:
    """Read ``name=value`` settings; a value that is JSON (a number, true, a list) is read as such, else as text.

    Raises:
        BadOption: A setting has no ``=``, no name, or is given twice.
    """
    read: dict[str, Any] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        name = name.strip().replace("-", "_")
        if not equals or not name:
            raise BadOption(f"--option {setting!r}: expected name=value")
        if name in read:
            raise BadOption(f"--option {name} is given twice")
        try:
            read[name] = json.loads(value)
        except json.JSONDecodeError:
            read[name] = value
    return read
