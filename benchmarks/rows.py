"""Reads evaluation data row by row; every bad row is named by file and line.

Owns how JSONL rows become typed rows. Never skips a row in silence.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from benchmarks.errors import MissingData, UnreadableRow
from benchmarks.files import first_problem, read_file

Row = TypeVar("Row", bound=BaseModel)


def read_json_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (1-based line, object) for each non-blank line of a JSONL file.

    Raises:
        MissingData: The file is not there or cannot be opened.
        UnreadableRow: A line is not UTF-8, not JSON, or not an object.
    """
    lines = read_file(path, "a file of rows").splitlines()
    for number, raw in enumerate(lines, start=1):
        if not raw.strip():
            continue
        try:
            row = json.loads(raw.decode("utf-8"))
        except UnicodeDecodeError:
            raise UnreadableRow(path, number, "not UTF-8") from None
        except json.JSONDecodeError as error:
            raise UnreadableRow(path, number, f"not JSON: {error.msg} at column {error.colno}") from None
        if not isinstance(row, dict):
            raise UnreadableRow(path, number, f"expected an object, got {type(row).__name__}")
        yield number, row


def read_rows(path: Path, model: type[Row]) -> list[Row]:
    """Read a JSONL file into validated rows.

    Raises:
        MissingData: The file is not there, or holds no row.
        UnreadableRow: The first row that is not JSON or that `model` refuses; the message names the field.
    """
    rows: list[Row] = []
    for number, row in read_json_rows(path):
        try:
            rows.append(model.model_validate(row))
        except ValidationError as error:
            raise UnreadableRow(path, number, first_problem(error)) from None
    if not rows:
        raise MissingData(f"{path} holds no row")
    return rows
