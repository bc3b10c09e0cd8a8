"""Reads one language's idiom file into patterns and word sets.

Owns the file's form: sections of one alternative a line. A missing or unknown section is the author's error and raises
at import.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from importlib import resources
from typing import Any

from obligations.answers.idioms.model import Idioms
from obligations.coverage.flat import inside, whole

_HEAD = re.compile(r"\[(\w+)(?: (\w+))?\]\Z")


def load_idioms(name: str) -> Idioms:
    """Read ``NAME.txt`` beside this module.

    Raises:
        ValueError: A section is missing, unknown, or of an unknown kind.
    """
    text = resources.files("obligations.answers.idioms").joinpath(f"{name}.txt").read_text(encoding="utf-8")
    sections = dict(_sections(text))
    macros = _macros(sections.pop("macros", ("", ()))[1])
    known = {f.name for f in fields(Idioms)}
    if known != set(sections):
        odd = ", ".join(sorted(known ^ set(sections)))
        raise ValueError(f"{name}.txt: sections missing or unknown: {odd}")
    values: dict[str, Any] = {key: _value(kind, lines, macros) for key, (kind, lines) in sections.items()}
    return Idioms(**values)


def _sections(text: str) -> Iterator[tuple[str, tuple[str, tuple[str, ...]]]]:
    name, kind, lines = "", "", list[str]()
    for line in text.splitlines():
        head = _HEAD.match(line)
        if head is not None:
            if name:
                yield name, (kind, tuple(lines))
            name, kind, lines = head[1], head[2] or "", []
        elif line.startswith("  ") and lines:
            lines[-1] += line[2:]
        elif line and not line.startswith("#"):
            lines.append(line)
    if name:
        yield name, (kind, tuple(lines))


def _macros(lines: tuple[str, ...]) -> Mapping[str, str]:
    return dict(line.split(" = ", maxsplit=1) for line in lines)


def _value(kind: str, lines: tuple[str, ...], macros: Mapping[str, str]) -> object:
    opened = [_open(line, macros) for line in lines]
    if kind == "whole":
        return whole(*opened)
    if kind == "inside":
        return inside(*opened)
    if kind == "start":
        return re.compile("|".join(opened))
    if kind == "words":
        return frozenset(" ".join(lines).split())
    if kind == "phrases":
        return frozenset(lines)
    if kind == "groups":
        return tuple(frozenset(line.split()) for line in lines)
    if kind == "pairs":
        return tuple(
            (frozenset(a.split()), frozenset(b.split())) for a, _, b in (line.partition(" / ") for line in lines)
        )
    if kind == "map":
        return {key: int(value) if value.isdecimal() else value for key, value in _macros(lines).items()}
    if kind == "text":
        return lines[0]
    raise ValueError(f"unknown kind of section: {kind!r}")


def _open(line: str, macros: Mapping[str, str]) -> str:
    for name, value in macros.items():
        line = line.replace("{" + name + "}", value)
    return line
