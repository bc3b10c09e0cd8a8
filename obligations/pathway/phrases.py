"""The bundled sentences a pathway may leave out, per language.

Owns reading them; what each is for is in `models.Phrases`.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

from obligations.pathway.yaml_lines import read_yaml

PHRASES_FILE = "phrases.yaml"
DATA = resources.files("obligations.pathway") / "data"


def default_phrases(language: str) -> dict[str, Any]:
    """Give the bundled sentences of a language; empty when there are none, so that a pathway must give them all."""
    return dict(_all().get(language, {}))


@cache
def _all() -> dict[str, dict[str, Any]]:
    data: dict[str, dict[str, Any]] = read_yaml((DATA / PHRASES_FILE).read_text(encoding="utf-8"))[0]
    return data
