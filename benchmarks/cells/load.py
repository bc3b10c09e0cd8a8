"""Reads cells, references and prompts from YAML; what is wrong is named by file and field."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from benchmarks.cells.models import PROMPT_NAME, Cell, OverlapKind, OverlapType, Phase, PromptVariant, References
from benchmarks.cells.own import fits_its_references, own_cell, remember, with_own
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
def _bundled_references() -> References:
    return read_model(DATA / "references.yaml", References)


def load_references() -> References:
    """Give everything that must be asked or conveyed, with the references of cells of one's own."""
    return with_own(_bundled_references())


def check_cell(cell: Cell, references: References) -> None:
    """Check that a cell's reference exists and fits its phase.

    Raises:
        UnknownName: The reference is not there.
    """
    if not fits_its_references(cell, references):
        known = references.questions if cell.phase is Phase.GATHERING else references.faqs
        raise UnknownName(f"{cell.phase} reference of cell {cell.id}", cell.reference, known)


@cache
def _bundled() -> dict[str, Cell]:
    cells = [read_model(path, Cell) for path in sorted(DATA.glob("[gp]_*.yaml"))]
    for cell in cells:
        check_cell(cell, _bundled_references())
    return {cell.id: cell for cell in cells}


def cell_ids() -> list[str]:
    """Name the bundled cells."""
    return list(_bundled())


def load_cell(name: str) -> Cell:
    """Give one bundled cell, one from a YAML file of your own, or by its id one that such a file or a store brought.

    Raises:
        UnknownName: There is no such cell.
        CallerError: The file is wrong, or its id is another cell's.
    """
    if name.endswith((".yaml", ".yml")) or Path(name).is_file():
        return keep_cell(read_model(Path(name), Cell), name)
    own = own_cell(name)
    if own is not None:
        return own
    if name not in _bundled():
        raise UnknownName("cell", name, _bundled())
    return _bundled()[name]


def keep_cell(cell: Cell, where: str) -> Cell:
    """Make a cell of one's own known by its id; a bundled cell, unchanged, is the bundled one.

    Args:
        cell: The cell.
        where: File it stands in, for the error line.

    Raises:
        CallerError: Its id is another cell's, or its reference is not there.
    """
    bundled = _bundled().get(cell.id)
    if bundled is not None:
        if cell == bundled:
            return bundled
        raise CallerError(f"{where}: {cell.id!r} is a bundled cell; give a cell of your own an id of its own")
    if cell.references is None or not fits_its_references(cell, cell.references):
        check_cell(cell, load_references())
    return remember(cell, _bundled_references())


def is_bundled(cell: Cell) -> bool:
    """Say whether a cell is one of the study's."""
    return cell.id in _bundled()


def load_cells(names: list[str] | None = None) -> list[Cell]:
    """Give the named cells, all bundled ones by default."""
    return [load_cell(name) for name in names or cell_ids()]


def prompt_text(file: str, name: str) -> str:
    """Give one prompt template of ``prompts/<file>.yaml``."""
    return str(_prompt_file(file)[name])


@cache
def _prompt_file(file: str) -> dict[str, str]:
    return dict(read_yaml(PROMPTS / f"{file}.yaml"))


def agent_prompt(name: str) -> str:
    """Give a system prompt of the agent under test: a bundled variant, or the text of a file of your own.

    Raises:
        CallerError: The file cannot be read, or holds nothing.
    """
    if name in list(PromptVariant):
        return "\n".join(part.strip() for part in (prompt_text("agent", "base"), prompt_text("agent", name)) if part)
    text = read_text(Path(name), "a prompt file").strip()
    if not text:
        raise CallerError(f"{name}: an empty prompt")
    return text


def prompt_name(name: str) -> str:
    """Give what a prompt is called in trials: a variant's name, or a file's without its ending.

    Raises:
        UnknownName: It is neither a variant nor a file.
        CallerError: The file's name cannot stand in a trial's id, or is a variant's.
    """
    if name in list(PromptVariant):
        return PromptVariant(name).value
    path = Path(name)
    if not path.exists():
        raise UnknownName("prompt", name, [*PromptVariant, "a text file of your own"])
    if not re.match(PROMPT_NAME, path.stem):
        raise CallerError(f"{name}: name the file with letters, digits, '.', '-' and '_': it becomes the prompt's name")
    if path.stem in list(PromptVariant):
        raise CallerError(f"{name}: {path.stem!r} is a bundled prompt; give the file another name")
    return path.stem
