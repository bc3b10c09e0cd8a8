"""Reading pathway files, with faults named by file, line, field and fix.

Owns the defaults of phrases and the mapping of faults to lines. What a pathway means is `models`; what must agree
inside it is `check`.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel, ValidationError

from obligations.errors import PathwayError, Problem, UnknownPathway
from obligations.pathway import models
from obligations.pathway.check import Fault, Loc, check_pathway
from obligations.pathway.emergencies import EMERGENCIES_FILE
from obligations.pathway.models import Pathway
from obligations.pathway.phrases import DATA, PHRASES_FILE, default_phrases
from obligations.pathway.yaml_lines import BadYaml, Tree, read_yaml

FILE_BYTES_MAX = 1_000_000
_NO_PATHWAY = frozenset({PHRASES_FILE, EMERGENCIES_FILE})
_FIELDS = sorted(
    {
        field
        for kind in vars(models).values()
        if isinstance(kind, type) and issubclass(kind, BaseModel)
        for field in kind.model_fields
    }
)
# Steps of a fault's path that stand for a choice between forms, not for a field of the file.
_CHOICES = frozenset({"question", "point", "phase", "faq", "answer", "[key]"})


def list_pathways() -> tuple[str, ...]:
    """Name the bundled pathways, in alphabetical order."""
    names = (entry.name for entry in DATA.iterdir())
    return tuple(sorted(n.removesuffix(".yaml") for n in names if n.endswith(".yaml") and n not in _NO_PATHWAY))


def load_pathway(name_or_path: str | Path, language: str | None = None) -> Pathway:
    """Read a bundled pathway by name, or a file by path, and check it whole.

    Args:
        name_or_path: A name of `list_pathways`, or a path that ends in ``.yaml`` or ``.yml``.
        language: When given, the pathway must have wording in it (BCP 47).

    Raises:
        UnknownPathway: No bundled pathway and no file of this name.
        PathwayError: The file does not hold together; every fault is listed.
        UnknownLanguage: No wording in `language`.
    """
    text, shown = _read(name_or_path)
    pathway = parse_pathway(text, shown)
    if language is not None:
        pathway.resolve_language(language)
    return pathway


def parse_pathway(text: str, file: str = "<text>") -> Pathway:
    """Read a pathway from YAML text; `file` is only how faults name it.

    Raises:
        PathwayError: The text does not hold together; every fault is listed.
    """
    data, tree = _parse(text, file)
    _fill_phrases(data)
    try:
        pathway = Pathway.model_validate(data)
    except ValidationError as error:
        raise PathwayError(_problems(file, tree, _faults(error))) from None
    faults = check_pathway(pathway)
    if faults:
        raise PathwayError(_problems(file, tree, faults))
    return pathway


def _read(name_or_path: str | Path) -> tuple[str, str]:
    path = Path(name_or_path)
    if path.suffix in (".yaml", ".yml"):
        if not path.is_file():
            what = f"{path} is a folder, not a pathway file" if path.is_dir() else f"no pathway file at {path}"
            raise UnknownPathway(what)
        if path.stat().st_size > FILE_BYTES_MAX:
            problem = Problem(str(path), 0, "", "the file is larger than 1 MB.", "Split it into several pathways.")
            raise PathwayError((problem,))
        try:
            return path.read_text(encoding="utf-8"), str(path)
        except UnicodeDecodeError:
            raise PathwayError((Problem(str(path), 0, "", "the file is not UTF-8.", "Save it as UTF-8."),)) from None
    names = list_pathways()
    if str(name_or_path) not in names:
        known = ", ".join(names)
        if path.is_dir():
            raise UnknownPathway(f"{path} is a folder; give a pathway's .yaml file, or a bundled name: {known}")
        if path.exists():
            raise UnknownPathway(f"{path} does not end in .yaml or .yml; rename it, or give a bundled name: {known}")
        raise UnknownPathway(f"no bundled pathway {str(name_or_path)!r}; there are {known}, or give a .yaml path")
    return (DATA / f"{name_or_path}.yaml").read_text(encoding="utf-8"), f"{name_or_path}.yaml"


def _parse(text: str, file: str) -> tuple[dict[str, Any], Tree]:
    try:
        data, tree = read_yaml(text)
    except BadYaml as bad:
        fix = bad.fix or "Check indentation, colons, quotes and repeated keys here."
        raise PathwayError((Problem(file, bad.line, "", f"not valid YAML: {bad.what}.", fix),)) from None
    if not isinstance(data, dict):
        problem = Problem(file, 1, "", "a pathway is a mapping of fields.", "Begin with `id:`, `version:`, `title:`.")
        raise PathwayError((problem,))
    return cast("dict[str, Any]", data), tree


def _fill_phrases(data: dict[str, Any]) -> None:
    """Lay the file's phrases over the bundled defaults of each language."""
    given: Any = data.get("phrases")
    if not isinstance(given, dict):
        return
    filled = dict(cast("dict[str, Any]", given))
    for language, phrases in filled.items():
        if isinstance(phrases, dict):
            filled[language] = {**default_phrases(language), **cast("dict[str, Any]", phrases)}
    data["phrases"] = filled


def _faults(error: ValidationError) -> list[Fault]:
    details = error.errors()
    places = [detail["loc"] for detail in details]
    # A list is also reported as too short when its members were refused; only the members are the cause.
    causes = [d for d in details if d["type"] != "too_short" or not _has_deeper(d["loc"], places)]
    return [_fault(cast("dict[str, Any]", detail)) for detail in causes]


def _has_deeper(loc: Loc, others: Sequence[Loc]) -> bool:
    return any(len(other) > len(loc) and other[: len(loc)] == loc for other in others)


def _fault(detail: dict[str, Any]) -> Fault:
    loc: Loc = tuple(detail["loc"])
    kind: str = detail["type"]
    given: Any = detail["input"]
    name = str(loc[-1]) if loc else ""
    if kind == "missing":
        return Fault(loc, "the field is missing.", f"Add `{name}:` here.")
    if kind == "extra_forbidden":
        close = difflib.get_close_matches(name, _FIELDS, n=1)
        return Fault(
            loc, f"no field is called {name!r} here.", f"Did you mean `{close[0]}`?" if close else "Remove it."
        )
    if kind == "literal_error":
        return Fault(loc, f"{given!r} is not allowed.", f"Use one of {detail['ctx']['expected']}.")
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        tags = detail["ctx"].get("expected_tags", "the kinds in the schema")
        return Fault(loc, "it does not say which kind it is.", f"Give {detail['ctx']['discriminator']}: one of {tags}.")
    if kind == "string_type":
        return Fault(loc, f"{given!r} is not text.", f'Put it in quotes: "{given}".')
    return Fault(loc, f"{detail['msg']}.", "Give a value of that form.")


def _problems(file: str, tree: Tree, faults: Sequence[Fault]) -> tuple[Problem, ...]:
    problems = [_problem(file, tree, fault) for fault in faults]
    return tuple(sorted(problems, key=lambda problem: (problem.line, problem.field)))


def _problem(file: str, tree: Tree, fault: Fault) -> Problem:
    """Walk the file along the fault's path as far as it goes; the line is that of the last node met."""
    node, fields = tree, list[str]()
    for step in fault.loc:
        child = node.children.get(step)
        if child is not None:
            node = child
        elif str(step) in _CHOICES:
            continue
        fields.append(str(step))
    return Problem(file, node.line, ".".join(fields), fault.what, fault.fix)
