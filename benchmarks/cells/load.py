"""Reads cells, references and prompts from YAML; what is wrong is named by file and field."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from benchmarks.cells.models import Cell, OverlapKind, OverlapType, Phase, PromptVariant, References
from benchmarks.errors import CallerError, UnknownName
from benchmarks.files import first_problem, read_text

HERE = Path(__file__).parent
DATA = HERE / "data"
PROMPTS = HERE / "prompts"
Model = TypeVar("Model", bound=BaseModel)


def read_yaml(path: Path) -> Any:
    """Read one YAML file with the safe loader.

    Raises:
        CallerError: It cannot be read; names file and, where known, line.
    """
    try:
        return YAML(typ="safe", pure=True).load(read_text(path, "a YAML file"))
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}:{mark.line + 1}" if mark is not None else str(path)
        why = str(getattr(error, "problem", None) or error).partition("\n")[0]
        raise CallerError(f"{where}: not YAML: {why}") from None


def read_model(path: Path, model: type[Model]) -> Model:
    """Read one YAML file into a validated model.

    Raises:
        CallerError: It cannot be read, or a field is wrong; names file and field.
    """
    content = read_yaml(path)
    try:
        return model.model_validate(content)
    except ValidationError as error:
        raise CallerError(f"{path}: {first_problem(error)}") from None


@cache
def load_overlap_types() -> dict[OverlapKind, OverlapType]:
    """Give the definition of every overlap type."""
    raw = read_yaml(DATA / "overlap_types.yaml")
    return {kind: OverlapType.model_validate(raw[kind.value]) for kind in OverlapKind}


@cache
def load_references() -> References:
    """Give everything that must be asked or conveyed."""
    return read_model(DATA / "references.yaml", References)


def check_cell(cell: Cell, references: References) -> None:
    """Check that a cell's reference exists and fits its phase.

    Raises:
        UnknownName: The reference is not there.
    """
    known = references.questions if cell.phase is Phase.GATHERING else references.faqs
    if cell.reference not in known:
        raise UnknownName(f"{cell.phase} reference of cell {cell.id}", cell.reference, known)


@cache
def _bundled() -> dict[str, Cell]:
    cells = [read_model(path, Cell) for path in sorted(DATA.glob("[gp]_*.yaml"))]
    for cell in cells:
        check_cell(cell, load_references())
    return {cell.id: cell for cell in cells}


def cell_ids() -> list[str]:
    """Name the bundled cells."""
    return list(_bundled())


def load_cell(name: str) -> Cell:
    """Give one bundled cell, or one from a YAML file of your own.

    Raises:
        UnknownName: There is no such cell.
        CallerError: The file is wrong.
    """
    if name.endswith((".yaml", ".yml")) or Path(name).exists():
        cell = read_model(Path(name), Cell)
        check_cell(cell, load_references())
        return cell
    if name not in _bundled():
        raise UnknownName("cell", name, _bundled())
    return _bundled()[name]


def load_cells(names: list[str] | None = None) -> list[Cell]:
    """Give the named cells, all bundled ones by default."""
    return [load_cell(name) for name in names or cell_ids()]


def prompt_text(file: str, name: str) -> str:
    """Give one prompt template of ``prompts/<file>.yaml``."""
    return str(_prompt_file(file)[name])


@cache
def _prompt_file(file: str) -> dict[str, str]:
    return dict(read_yaml(PROMPTS / f"{file}.yaml"))


def agent_prompt(variant: PromptVariant) -> str:
    """Give the system prompt of the agent under test."""
    return "\n".join(part.strip() for part in (prompt_text("agent", "base"), prompt_text("agent", variant)) if part)
