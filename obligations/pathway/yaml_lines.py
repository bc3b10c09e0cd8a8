"""YAML text as plain data, together with the line of every field.

Owns the only contact with the YAML library. Safe loading only: a file holds text, numbers, lists and mappings, and
nothing that runs; one that unfolds without end (references to itself, references to references) is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

NODES_MAX = 50_000
UNFOLDS_FIX = "Write out what the aliases (*name) stand for, or take them out; no pathway needs as much."
Step = str | int


class BadYaml(Exception):
    """The text is not YAML; `line` is 1-based, 0 when unknown; `fix` where the usual advice would mislead."""

    def __init__(self, what: str, line: int = 0, fix: str = "") -> None:
        super().__init__(what)
        self.fix = fix
        self.what = what
        self.line = line


@dataclass(frozen=True, slots=True)
class Tree:
    """A node of the file: the 1-based line of its key, and its children by key or place."""

    line: int
    children: Mapping[Step, Tree] = field(default_factory=dict["Step", "Tree"])


def read_yaml(text: str) -> tuple[Any, Tree]:
    """Read one YAML document.

    Returns:
        The plain data (None for an empty text), and the lines.

    Raises:
        BadYaml: It is not YAML, a key occurs twice, or it unfolds past `NODES_MAX` nodes.
    """
    try:
        composer: Any = YAML(typ="safe", pure=True)
        node: Any = composer.compose(text)
        tree = _Trees().tree(node, 1) if node is not None else Tree(1)
        reader: Any = YAML(typ="safe", pure=True)
        return reader.load(text), tree
    except MarkedYAMLError as error:
        fault: Any = error
        mark = fault.problem_mark or fault.context_mark
        raise BadYaml(str(fault.problem or fault.context), int(mark.line) + 1 if mark is not None else 0) from None
    except YAMLError as error:
        raise BadYaml(str(error).splitlines()[0]) from None
    except (ValueError, OverflowError) as error:  # a scalar only its constructor refuses: a date, a float, a huge int
        raise BadYaml(f"a value cannot be read: {str(error).splitlines()[0][:120]}; put text in quotes") from None
    except RecursionError:
        raise BadYaml("it is nested too deeply, or refers to itself", fix=UNFOLDS_FIX) from None


class _Trees:
    def __init__(self) -> None:
        self._count = 0

    def tree(self, node: Any, line: int) -> Tree:
        self._count += 1
        if self._count > NODES_MAX:
            raise BadYaml(f"it unfolds to more than {NODES_MAX} fields", line, UNFOLDS_FIX)
        if node.id == "mapping":
            return Tree(line, {str(key.value): self.tree(value, _line(key)) for key, value in node.value})
        if node.id == "sequence":
            return Tree(line, {i: self.tree(member, _line(member)) for i, member in enumerate(node.value)})
        return Tree(line)


def _line(node: Any) -> int:
    return int(node.start_mark.line) + 1
