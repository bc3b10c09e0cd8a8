"""``python -m benchmarks eval KIND``: one evaluation, on your own data if you like."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import sys
import time
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from benchmarks.cli.gating import tell_broken
from benchmarks.cli.kinds import EvalKind, load_kind, missing_extra
from benchmarks.cli.options import GateOption, parse_settings
from benchmarks.cli.plain import told_plainly
from benchmarks.cli.quiet import stdout_kept_clean
from benchmarks.cli.tables import print_figures, wide_console
from benchmarks.errors import BadOption, CallerError, MissingData
from benchmarks.figures import EvalOptions, Figure
from benchmarks.files import output_file
from benchmarks.results_file import eval_object, make_results, write_results

SEED = 20260525  # The seed that seed 000 prints.


def _check(kind: EvalKind, data: Path | None, extra: dict[str, Any]) -> None:
    if kind.needs_data and data is None:
        what = f" ({kind.data_help})" if kind.data_help else ""
        raise MissingData(f"eval {kind.name} needs --data PATH{what}")
    if data is not None and not data.exists():
        raise MissingData(f"no such file or folder: {data}")
    if data is not None and kind.data_is is not None and (data.is_dir() != (kind.data_is == "folder")):
        raise MissingData(f"eval {kind.name} --data {data}: expected {kind.data_help}")
    unknown = sorted(set(extra) - kind.options) if kind.options is not None else []
    if unknown:
        raise BadOption(
            f"eval {kind.name} has no option {unknown[0]!r}; it has: {', '.join(sorted(kind.options or ()))}"
        )


def run_kind(kind: EvalKind, options: EvalOptions) -> list[Figure]:
    """Run one kind; what its data or its surroundings lack becomes one line.

    Raises:
        BenchmarkError: What was wrong, for the person at the command line.
    """
    with told_plainly():
        try:
            result = cast(Any, kind.run)(options)
            return asyncio.run(result) if inspect.isawaitable(result) else list(result)  # pyright: ignore[reportArgumentType]
        except ModuleNotFoundError as error:
            raise missing_extra(error) from error
        except FileNotFoundError as error:
            raise MissingData(f"no such file or folder: {error.filename or error}") from error
        except UnicodeError as error:
            raise CallerError(f"{options.data or 'the data'}: a file in it is not UTF-8 text: {error}") from error
        except ValueError as error:
            first = str(error).partition("\n")[0]
            if re.match(r"^\S.*:\d+: ", first):  # A reader's "file:line: why".
                raise CallerError(first) from error
            raise


def eval_command(
    context: typer.Context,
    kind: Annotated[str, typer.Argument(help="The evaluation kind; `list` names them.")],
    data: Annotated[Path | None, typer.Option(help="File or folder of the kind's data.")] = None,
    matcher: Annotated[str | None, typer.Option(help="Coverage matcher or answer reader to measure.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of everything random.")] = SEED,
    option: Annotated[
        list[str] | None, typer.Option(help="Further setting of the kind, name=value; repeatable.")
    ] = None,
    certify: Annotated[
        Path | None, typer.Option(callback=output_file, help="Write a licence certificate here (coverage, answers).")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print exactly one JSON object on standard output.")] = False,
    out: Annotated[
        Path | None, typer.Option(callback=output_file, help="Also write a results file with the full provenance.")
    ] = None,
    gate: GateOption = None,
) -> None:
    """Measure one kind and print its figures with n and 95 % intervals."""
    loaded = load_kind(kind)
    extra = loaded.spelled(parse_settings(option or []))
    if matcher is not None:
        extra["matcher"] = matcher
    if certify is not None:
        extra["certify"] = str(certify)
    _check(loaded, data, extra)
    started = time.monotonic()
    with stdout_kept_clean(as_json):
        figures = run_kind(loaded, EvalOptions(data=data, seed=seed, extra=extra))
    results = make_results(
        kind=loaded.name,
        command=_command_line(loaded.name, data, seed, extra),
        figures=figures,
        seed=seed,
        duration_s=time.monotonic() - started,
        data=data,
        options=extra,
        packages=loaded.packages,
    )
    if out is not None:
        write_results(out, results)
    if as_json:
        sys.stdout.write(json.dumps(eval_object(results), ensure_ascii=False, allow_nan=False) + "\n")
    else:
        print_figures(wide_console(), f"{loaded.name} ({len(figures)} figures)", figures)
    if tell_broken(gate, figures):
        raise typer.Exit(1)


def _command_line(kind: str, data: Path | None, seed: int, extra: dict[str, Any]) -> str:
    from benchmarks.provenance import told_path

    parts = ["python -m benchmarks eval", kind]
    parts += [f"--data {told_path(data)}"] if data else []
    parts += [f"--matcher {extra['matcher']}"] if "matcher" in extra else []
    parts += [f"--seed {seed}"] if seed != SEED else []
    for name, value in extra.items():
        if name not in {"matcher", "certify"}:
            parts.append(f"--option {name}={value if isinstance(value, str) else json.dumps(value)}")
    return " ".join(parts)
