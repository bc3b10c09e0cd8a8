"""Reading pathway files, with faults named by file, line, field and fix.

Owns YAML, the defaults of phrases and the mapping of faults to lines. What a pathway means is `models`; what must
agree inside it is `check`.
"""

from __future__ import annotations

import difflib
from importlib import resources
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, SequenceNode

from obligations.errors import PathwayError, Problem, UnknownPathway
from obligations.pathway import models
from obligations.pathway.check import Fault, Loc, check_pathway
from obligations.pathway.models import Pathway

FILE_BYTES_MAX = 1_000_000
_DATA = resources.files("obligations.pathway") / "data"
_PHRASES = "phrases.yaml"
_MODELS = {name: kind for name, kind in vars(models).items() if isinstance(kind, type) and issubclass(kind, BaseModel)}


def list_pathways() -> tuple[str, ...]:
    """Name the bundled pathways, in alphabetical order."""
    names = (entry.name for entry in _DATA.iterdir())
    return tuple(sorted(n.removesuffix(".yaml") for n in names if n.endswith(".yaml") and n != _PHRASES))


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
    pathway.resolve_language(language)
    return pathway


def parse_pathway(text: str, file: str = "<text>") -> Pathway:
    """Read a pathway from YAML text; `file` is only how faults name it.

    Raises:
        PathwayError: The text does not hold together; every fault is listed.
    """
    node, data = _parse_yaml(text, file)
    _fill_phrases(data)
    try:
        pathway = Pathway.model_validate(data)
    except ValidationError as error:
        details = error.errors()
        causes = [
            d for d in details if d["type"] != "too_short" or not _has_deeper(d["loc"], [e["loc"] for e in details])
        ]
        problems = [_problem(file, node, _fault_of(detail)) for detail in causes]
        raise PathwayError(_in_order(problems)) from None
    problems = [_problem(file, node, fault) for fault in check_pathway(pathway)]
    if problems:
        raise PathwayError(_in_order(problems))
    return pathway


def _read(name_or_path: str | Path) -> tuple[str, str]:
    path = Path(name_or_path)
    if path.suffix in (".yaml", ".yml"):
        if not path.is_file():
            raise UnknownPathway(f"no pathway file at {path}")
        if path.stat().st_size > FILE_BYTES_MAX:
            problem = Problem(str(path), 0, "", "the file is larger than 1 MB.", "Split it into several pathways.")
            raise PathwayError((problem,))
        try:
            return path.read_text(encoding="utf-8"), str(path)
        except UnicodeDecodeError:
            raise PathwayError((Problem(str(path), 0, "", "the file is not UTF-8.", "Save it as UTF-8."),)) from None
    names = list_pathways()
    if str(name_or_path) not in names:
        raise UnknownPathway(
            f"no bundled pathway {str(name_or_path)!r}; there are {', '.join(names)}, or give a .yaml path"
        )
    return (_DATA / f"{name_or_path}.yaml").read_text(encoding="utf-8"), f"{name_or_path}.yaml"


def _parse_yaml(text: str, file: str) -> tuple[Node, dict[str, Any]]:
    try:
        node = cast("Node | None", _yaml().compose(text))  # pyright: ignore[reportUnknownMemberType]
        data = cast(Any, _yaml().load(text))  # pyright: ignore[reportUnknownMemberType]
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = int(mark.line) + 1 if mark is not None else 0
        what = f"not valid YAML: {error.problem or error.context}."
        raise PathwayError(
            (Problem(file, line, "", what, "Check indentation, colons and repeated keys here."),)
        ) from None
    except YAMLError as error:
        raise PathwayError(
            (Problem(file, 0, "", f"not valid YAML: {error}.", "Save it as plain YAML text."),)
        ) from None
    if node is None or not isinstance(data, dict):
        problem = Problem(file, 1, "", "a pathway is a mapping of fields.", "Begin with `id:`, `version:`, `title:`.")
        raise PathwayError((problem,))
    return node, cast("dict[str, Any]", data)


def _yaml() -> YAML:
    return YAML(typ="safe", pure=True)


def _fill_phrases(data: dict[str, Any]) -> None:
    """Lay the file's phrases over the bundled defaults of each language."""
    defaults = cast("dict[str, dict[str, Any]]", _yaml().load((_DATA / _PHRASES).read_text(encoding="utf-8")))  # pyright: ignore[reportUnknownMemberType]
    given: Any = data.get("phrases", {})
    if not isinstance(given, dict):
        return
    filled = dict(cast("dict[str, Any]", given))
    for language, phrases in list(filled.items()):
        if isinstance(phrases, dict):
            filled[language] = {**defaults.get(language, {}), **cast("dict[str, Any]", phrases)}
    data["phrases"] = filled


def _has_deeper(loc: Loc, others: list[Loc]) -> bool:
    """A list is also reported as too short when its members were refused; only the members are the cause."""
    return any(len(other) > len(loc) and other[: len(loc)] == loc for other in others)


def _fault_of(detail: Any) -> Fault:
    loc: Loc = tuple(detail["loc"])
    kind: str = detail["type"]
    name = str(loc[-1]) if loc else ""
    if kind == "missing":
        return Fault(loc, "the field is missing.", f"Add `{name}:` here.")
    if kind == "extra_forbidden":
        close = difflib.get_close_matches(name, _field_names(), n=1)
        hint = f"Did you mean `{close[0]}`?" if close else "Remove it."
        return Fault(loc, f"no field is called {name!r} here.", hint)
    if kind in ("literal_error", "union_tag_invalid"):
        context = detail.get("ctx", {})
        allowed = context.get("expected") or context.get("expected_tags")
        return Fault(
            loc,
            f"{detail['input']!r} is not allowed." if kind == "literal_error" else "unknown kind.",
            f"Use one of {allowed}.",
        )
    if kind == "string_type":
        return Fault(loc, f"{detail['input']!r} is not text.", f'Put it in quotes: "{detail["input"]}".')
    return Fault(loc, f"{detail['msg']}.", "Give a value of that form.")


def _field_names() -> set[str]:
    return {field for kind in _MODELS.values() for field in kind.model_fields}


_TAGS = {"question", "point", "phase", "faq", "answer", "[key]"}


def _problem(file: str, root: Node, fault: Fault) -> Problem:
    """Walk the YAML tree along the fault's path as far as it goes; the line is that of the last node met."""
    node, line, field = root, root.start_mark.line + 1, list[str]()
    for step in fault.loc:
        found = _child(node, step)
        if found is None:
            if str(step) not in _TAGS:
                field.append(str(step))
            continue
        key, node = found
        line = key.start_mark.line + 1
        field.append(str(step))
    return Problem(file, int(line), ".".join(field), fault.what, fault.fix)


def _child(node: Node, step: str | int) -> tuple[Node, Node] | None:
    if isinstance(node, MappingNode):
        pairs = cast("list[tuple[Node, Node]]", node.value)
        return next(((key, value) for key, value in pairs if str(key.value) == str(step)), None)
    if isinstance(node, SequenceNode) and isinstance(step, int):
        members = cast("list[Node]", node.value)
        return (members[step], members[step]) if step < len(members) else None
    return None


def _in_order(problems: list[Problem]) -> tuple[Problem, ...]:
    return tuple(sorted(problems, key=lambda problem: (problem.line, problem.field)))
