"""Finds the evaluation kinds: one module each under ``benchmarks/evals``, imported only when its kind is asked for.

Owns the contract with those modules: ``KIND`` (a literal), ``NEEDS_DATA``, ``run(options) -> list[Figure]``, and
optionally ``DATA_HELP`` (what the data is; "JSONL ..." is a file, "a folder ..." a folder), ``OPTIONS`` (names of its
``--option`` settings) and ``PACKAGES`` (whose versions count).
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import benchmarks.evals
from benchmarks.errors import BenchmarkError, MissingExtra, UnknownName
from benchmarks.figures import EvalOptions, Figure

# Where a missing module is installed under another name.
INSTALL_NAMES = {
    "faster_whisper": "faster-whisper",
    "onnxruntime": "onnxruntime",
    "piper": "piper-tts",
    "pyannote": "pyannote.audio",
    "sklearn": "scikit-learn",
    "kaldi_native_fbank": "kaldi-native-fbank",
    "rouge_score": "rouge-score",
}
_KIND_LINE = re.compile(r"^KIND(?:\s*:[^=\n]+)?\s*=\s*[\"']([a-z0-9-]+)[\"']", flags=re.MULTILINE)
OPTIONS_OF_ALL = frozenset({"matcher", "certify"})


@dataclass(frozen=True, slots=True)
class EvalKind:
    """One evaluation kind, ready to run.

    Parameters:
        name: The word after ``eval``.
        needs_data: Whether ``--data`` must be given.
        data_help: What that data is, for the error line; "" when the module does not say.
        options: Names its ``--option`` takes; None when the module does not say, then any is passed on.
        packages: Packages whose versions its figures may depend on.
        summary: First line of its module's docstring.
        run: The evaluation itself.
    """

    name: str
    needs_data: bool
    data_help: str
    options: frozenset[str] | None
    packages: tuple[str, ...]
    summary: str
    run: Callable[[EvalOptions], list[Figure]]

    @property
    def data_is(self) -> Literal["file", "folder"] | None:
        """What `--data` must be, by the first words of `data_help`; None where the kind takes either."""
        if self.data_help.startswith("JSONL"):
            return "file"
        return "folder" if self.data_help.removeprefix("a ").startswith("folder") else None

    def spelled(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Give settings under the names the kind reads, whether they were typed with dashes or underscores."""
        names = {name.replace("-", "_"): name for name in self.options or ()}
        return {names.get(name, name): value for name, value in settings.items()}


def kind_modules() -> dict[str, str]:
    """Map each kind to its module by reading the sources: no module is imported for a list."""
    found: dict[str, str] = {}
    for folder in benchmarks.evals.__path__:
        for file in sorted([*Path(folder).glob("*.py"), *Path(folder).glob("*/__init__.py")]):
            declared = _KIND_LINE.search(file.read_text(encoding="utf-8"))
            if declared:
                stem = file.parent.name if file.name == "__init__.py" else file.stem
                found[declared[1]] = f"benchmarks.evals.{stem}"
    return found


def _from_module(name: str, module: ModuleType) -> EvalKind:
    absent = [attribute for attribute in ("NEEDS_DATA", "run") if not hasattr(module, attribute)]
    if absent:
        raise BenchmarkError(f"evaluation module {module.__name__} does not export {' and '.join(absent)}")
    options = getattr(module, "OPTIONS", None)
    return EvalKind(
        name=name,
        needs_data=bool(module.NEEDS_DATA),
        data_help=str(getattr(module, "DATA_HELP", "")),
        options=None if options is None else frozenset(options) | OPTIONS_OF_ALL,
        packages=tuple(getattr(module, "PACKAGES", ())),
        summary=(inspect.getdoc(module) or "").partition("\n")[0],
        run=module.run,
    )


def missing_extra(error: ModuleNotFoundError) -> MissingExtra:
    """Turn a failed import into one line that says what to install."""
    package = (error.name or str(error)).partition(".")[0]
    install = INSTALL_NAMES.get(package, package)
    return MissingExtra(package, f"pip install {install} (see docs/benchmarks.md)")


def load_kind(name: str) -> EvalKind:
    """Import the module of one kind.

    Raises:
        UnknownName: There is no such kind.
        MissingExtra: Its module needs a package that is not installed.
    """
    modules = kind_modules()
    if name not in modules:
        raise UnknownName("evaluation kind", name, modules)
    try:
        module = importlib.import_module(modules[name])
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in {"benchmarks", "pipecat_interrupt", "obligations", "speaker_gate"}:
            raise  # Ours: a broken checkout, not a missing extra.
        raise missing_extra(error) from error
    return _from_module(name, module)
