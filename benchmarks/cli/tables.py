"""Figures as a table for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from benchmarks.figures import Figure, GroupValue


def group_label(group: dict[str, GroupValue]) -> str:
    """Write a breakdown on one line; the overall figure has none."""
    return ", ".join(f"{key}={value}" for key, value in sorted(group.items())) or "overall"


def number(value: float | None) -> str:
    """Write a value with four significant digits; nothing measured is a dash."""
    return "-" if value is None else f"{value:.4g}"


def interval(figure: Figure) -> str:
    """Write a 95 % interval; no interval is a dash."""
    return "-" if figure.low is None or figure.high is None else f"{number(figure.low)} .. {number(figure.high)}"


PIPED_WIDTH = 120


def wide_console() -> Console:
    """Give a console for standard output; piped output is 120 columns wide instead of 80."""
    plain = Console()
    return plain if plain.is_terminal else Console(width=PIPED_WIDTH)


def progress_bar() -> Progress:
    """Give a progress bar on standard error."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True))


def print_figures(console: Console, title: str, figures: Sequence[Figure]) -> None:
    """Print figures, one a row, with n and interval."""
    table = Table(title=title, title_justify="left")
    for heading in ("figure", "group"):
        table.add_column(heading, overflow="fold")
    for heading in ("value", "95 % interval", "n"):
        table.add_column(heading, justify="right", no_wrap=True)
    for figure in figures:
        table.add_row(figure.name, group_label(figure.group), number(figure.value), interval(figure), str(figure.n))
    console.print(table)
