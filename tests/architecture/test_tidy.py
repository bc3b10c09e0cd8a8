"""Style rules as tests: sizes, words that must not stand in the tree, links that must lead somewhere."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[2]
MODULE_LINES_MAX = 400
FUNCTION_LINES_MAX = 60
# Longer than the rule, each with the reason; a new entry needs one too.
LONG_FUNCTIONS: dict[str, str] = {}


def _tracked(*suffixes: str) -> list[Path]:
    listing = subprocess.run(["git", "ls-files"], capture_output=True, text=True, cwd=ROOT, timeout=30, check=False)
    names = listing.stdout.splitlines() if listing.returncode == 0 else []
    return [ROOT / n for n in names if n.endswith(suffixes) and (ROOT / n).is_file()]


def test_no_module_grows_past_what_one_can_hold_in_mind() -> None:
    """A file over 400 lines does more than one job: split it by meaning."""
    long = {
        str(p.relative_to(ROOT)): n
        for p in _tracked(".py")
        if (n := len(p.read_text(encoding="utf-8").splitlines())) > MODULE_LINES_MAX
    }

    assert long == {}


def test_no_function_grows_past_one_screen() -> None:
    """A function over 60 lines hides a second function."""
    long: dict[str, int] = {}
    for path in _tracked(".py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                name = f"{path.relative_to(ROOT)}:{node.name}"
                if lines > FUNCTION_LINES_MAX and name not in LONG_FUNCTIONS:
                    long[name] = lines

    assert long == {}


def test_no_machine_path_and_no_registry_host_stands_in_the_tree() -> None:
    """What is true on one machine only is not true."""
    hosts = [".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"), ("registry", "npmjs", "org"))]
    forbidden = re.compile(
        "|".join([re.escape(h) for h in hosts] + [r"/work/(main|shared|\.library)", r"/root/", r"/home/\w+/"])
    )

    offences = [
        f"{p.relative_to(ROOT)}:{n}"
        for p in _tracked(".py", ".md", ".toml", ".txt", ".yaml", ".yml", ".json", ".cfg", "Makefile", "run")
        if p != Path(__file__).resolve()
        for n, line in enumerate(p.read_text(encoding="utf-8", errors="replace").splitlines(), start=1)
        if forbidden.search(line)
    ]

    assert offences == []


def test_every_relative_link_of_the_docs_leads_somewhere() -> None:
    """A reader who follows a link finds a file."""
    broken = [
        f"{page.relative_to(ROOT)} -> {target}"
        for page in _tracked(".md")
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not re.match(r"[a-z]+:", target) and not (page.parent / target).exists()
    ]

    assert broken == []


def test_fakes_are_passed_in_and_nothing_is_patched() -> None:
    """`unittest.mock.patch` and monkeypatched attributes of foreign modules hide the seam that is missing."""
    offences = [
        f"{p.relative_to(ROOT)}:{n}"
        for p in _tracked(".py")
        if p != Path(__file__).resolve()
        for n, line in enumerate(p.read_text(encoding="utf-8").splitlines(), start=1)
        if re.search(r"mock\.patch|from unittest\.mock import .*patch|monkeypatch\.setattr", line)
    ]

    assert offences == []


def test_no_transcript_text_is_put_into_a_log_message() -> None:
    """Log messages are fixed text with ids and numbers; words of a call stand in the journal only."""
    offences = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in _tracked(".py")
        if path.relative_to(ROOT).parts[0] in {"pipecat_interrupt", "obligations", "speaker_gate"}
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in {"logger", "log", "logging"}
        and any(isinstance(a, ast.JoinedStr) for a in node.args)
    ]

    assert offences == []
