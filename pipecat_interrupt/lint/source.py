"""Reads the source of a bot for arguments that leave no trace in the objects they were given to.

Owns the rules for those: pydantic models of Pipecat's drop fields they do not know, its processors swallow keyword
arguments nobody names, and a few arguments are accepted and not used. The source is parsed, never run; of its imports
only those of Pipecat's own modules are followed.
"""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pipecat.utils.base_object import BaseObject
from pydantic import BaseModel

from pipecat_interrupt.errors import SettingsError
from pipecat_interrupt.lint.finding import Finding

MOVED: dict[str, str] = {
    "allow_interruptions": "Interruptions are decided by start strategies: kit.turn_strategies(), or their"
    " enable_interruptions",
    "interruption_strategies": "Use start strategies: kit.turn_strategies()",
    "vad_enabled": "Give LLMUserAggregatorParams a vad_analyzer",
    "vad_analyzer": "Give it to LLMUserAggregatorParams",
    "vad_audio_passthrough": "Audio passes by itself; drop it",
    "turn_analyzer": "Use TurnAnalyzerUserTurnStopStrategy(turn_analyzer=...)",
    "observers": "Give them to PipelineWorker",
    "idle_timeout_secs": "Give it to PipelineWorker",
}
"""Where fields went that older versions of Pipecat had, or that belong to a neighbour."""

UNUSED: dict[tuple[str, str], str] = {
    ("TTSService", "pause_watchdog_timeout_s"): "Drop it; a pause ends with the audio it waits for",
    ("RTVIProcessor", "transport"): "Drop it; for audio that waits for the client set audio_in_stream_on_start=False",
    ("AICQuailVADAnalyzer", "speech_hold_duration"): "Use VADParams",
    ("AICQuailVADAnalyzer", "minimum_speech_duration"): "Use VADParams",
    ("AICQuailVADAnalyzer", "sensitivity"): "Use VADParams",
}
"""Arguments that Pipecat's own documentation calls unused, by class (and what derives from it)."""

SWITCHED_OFF: tuple[tuple[str, str, object, tuple[str, ...]], ...] = (
    ("PipelineWorker", "enable_rtvi", False, ("rtvi_processor", "rtvi_observer_params")),
    ("PipelineWorker", "cancel_on_idle_timeout", False, ("cancel_runner_on_idle_timeout",)),
    ("PipelineWorker", "idle_timeout_secs", None, ("idle_timeout_frames", "cancel_on_idle_timeout")),
)
"""Class, argument, its value, and the arguments that do nothing beside it."""


def lint_source(path: Path) -> list[Finding]:
    """Read a source file.

    Args:
        path: A Python file; not run.

    Raises:
        SettingsError: It is not Python.
        OSError: It cannot be read.
    """
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    except (SyntaxError, UnicodeDecodeError, ValueError) as error:
        raise SettingsError(f"{path.name} is not a Python file: {error}") from error
    names = _imported(tree)
    found: list[Finding] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            made = _resolved(node.func, names)
            if inspect.isclass(made):
                found += _call(made, node, path)
    return found


def _call(made: type[Any], node: ast.Call, path: Path) -> Iterator[Finding]:
    given = {k.arg: k.value for k in node.keywords if k.arg is not None}
    where = f"{path.name}:{node.lineno}"
    lineage = {cls.__name__ for cls in made.__mro__}
    for name in given:
        if name in _accepted(made):
            reason = next((fix for (cls, arg), fix in UNUSED.items() if arg == name and cls in lineage), None)
            if reason is not None:
                yield Finding("argument-unused", where, f"{made.__name__}({name}=...) is accepted and not used", reason)
        elif issubclass(made, BaseModel):
            what = f"{made.__name__} has no field {name!r} and drops it without an error"
            yield Finding("unknown-field", where, what, MOVED.get(name, "Remove it, or correct its name"))
        else:
            what = f"no constructor of {made.__name__} names {name!r}; it is swallowed without an error"
            yield Finding("unknown-argument", where, what, MOVED.get(name, "Remove it, or correct its name"))
    for cls, switch, off, idle in SWITCHED_OFF:
        value = given.get(switch)
        if cls in lineage and isinstance(value, ast.Constant) and value.value is off:
            for name in idle:
                if name in given:
                    what = f"{made.__name__}({name}=...) does nothing with {switch}={off}"
                    yield Finding("argument-switched-off", where, what, f"Drop it, or change {switch}")


def _accepted(made: type[Any]) -> frozenset[str] | _Everything:
    """Give the keyword arguments a class makes something of; everything when that cannot be told."""
    if issubclass(made, BaseModel):
        if made.model_config.get("extra", "ignore") != "ignore":
            return _Everything()
        aliases = {f.alias for f in made.model_fields.values() if f.alias is not None}
        return frozenset({*made.model_fields, *aliases})
    if not issubclass(made, BaseObject):
        return _Everything()
    known: set[str] = set()
    for cls in made.__mro__:
        constructor = cls.__dict__.get("__init__")
        if constructor is None or cls is object:
            continue
        parameters = inspect.signature(constructor).parameters.values()
        known |= {p.name for p in parameters if p.kind is not p.VAR_KEYWORD}
        if not any(p.kind is p.VAR_KEYWORD for p in parameters):
            return frozenset(known) if cls is not made else _Everything()  # Python itself refuses the rest
    return frozenset(known)


class _Everything(frozenset[str]):
    """Holds any name."""

    def __contains__(self, item: object) -> bool:
        return True


def _imported(tree: ast.Module) -> dict[str, tuple[str, str | None]]:
    """Names that imports of Pipecat's modules bind anywhere in the file: (module, attribute)."""
    names: dict[str, tuple[str, str | None]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and _is_pipecat(node.module):
            names |= {a.asname or a.name: (str(node.module), a.name) for a in node.names}
        elif isinstance(node, ast.Import):
            for a in node.names:
                if _is_pipecat(a.name):
                    names[a.asname or a.name.split(".")[0]] = (a.name if a.asname else "pipecat", None)
    return names


def _is_pipecat(module: str | None) -> bool:
    return module is not None and (module == "pipecat" or module.startswith("pipecat."))


def _resolved(node: ast.expr, names: dict[str, tuple[str, str | None]]) -> Any:
    """Follow a name or a dotted name to the object it stands for; None when it is none of Pipecat's."""
    if isinstance(node, ast.Attribute):
        owner = _resolved(node.value, names)
        found = getattr(owner, node.attr, None) if owner is not None else None
        if found is None and inspect.ismodule(owner):
            return _module(f"{owner.__name__}.{node.attr}")
        return found
    if not isinstance(node, ast.Name) or node.id not in names:
        return None
    module, attribute = names[node.id]
    loaded = _module(module)
    if attribute is None or loaded is None:
        return loaded
    return getattr(loaded, attribute, None)


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except Exception:  # a service whose extra is not installed: nothing can be said about its arguments
        return None
