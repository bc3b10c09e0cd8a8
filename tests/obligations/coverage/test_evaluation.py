"""``eval coverage`` counts what it says, and holds the promise on the project's labelled rows."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from benchmarks.errors import BadOption, UnknownName
from benchmarks.evals import coverage as evaluation
from benchmarks.figures import EvalOptions, Figure
from obligations.coverage.licence import load_certificate

DEV = Path("ledger") / "coverage_dev.jsonl"


def overall(figures: list[Figure]) -> dict[str, float | None]:
    """Give the overall figures by name."""
    return {f.name: f.value for f in figures if not f.group}


def write_rows(path: Path, rows: list[tuple[str, str, str, bool]]) -> Path:
    """Write rows of (point, text, label, critical)."""
    keys = ("point", "text", "label", "critical")
    lines = [json.dumps({**dict(zip(keys, row, strict=True)), "lang": "en", "kind": "k"}) for row in rows]
    path.write_text("\n".join(lines))
    return path


@pytest.mark.unit
def test_the_figures_are_counted_over_the_rows_that_are_eligible(tmp_path: Path) -> None:
    """One false conveyed of two critical, one found of two conveyed."""
    data = write_rows(
        tmp_path / "rows.jsonl",
        [
            ("Take it with food.", "Take it with food.", "conveyed", True),
            ("Take it with food.", "Mind how you go.", "conveyed", False),
            ("Take it with food.", "Take it with food.", "partial", True),
            ("Take it with food.", "Mind how you go.", "not_conveyed", True),
        ],
    )
    figures = asyncio.run(evaluation.run(EvalOptions(data=data, extra={"matcher": "slots"})))

    assert 0.5 == overall(figures)["critical_false_conveyed_rate"]
    assert 0.5 == overall(figures)["conveyed_recall"]
    assert 0.5 == overall(figures)["accuracy"]


@pytest.mark.unit
def test_a_certificate_says_what_was_counted(tmp_path: Path) -> None:
    """It is signed and belongs to the matcher that was measured."""
    data = write_rows(tmp_path / "rows.jsonl", [("Take it with food.", "Mind how you go.", "not_conveyed", True)])
    out = tmp_path / "certificate.json"
    asyncio.run(evaluation.run(EvalOptions(data=data, extra={"matcher": "slots", "certify": str(out)})))
    certificate = load_certificate(out, matcher="slots@7")

    assert (1, 0) == (certificate.eligible, certificate.wrongly_closed)


@pytest.mark.unit
def test_an_unknown_matcher_and_a_judge_without_an_endpoint_are_refused() -> None:
    """One clear line each."""
    with pytest.raises(UnknownName, match="no-such"):
        evaluation.make_matcher({"matcher": "no-such"})
    with pytest.raises(BadOption, match="url"):
        evaluation.make_matcher({"matcher": "llm-judge"})


@pytest.mark.shared_data
@pytest.mark.parametrize("matcher", ["own-wording", "lexical", "slots", "ensemble"])
def test_no_critical_row_of_dev_is_falsely_conveyed(shared_data: Path, matcher: str) -> None:
    """By any local matcher."""
    figures = asyncio.run(evaluation.run(EvalOptions(data=shared_data / DEV, extra={"matcher": matcher})))

    assert 0.0 == overall(figures)["critical_false_conveyed_rate"]


@pytest.mark.shared_data
def test_own_wording_is_found_in_disturbed_surroundings(shared_data: Path) -> None:
    """At least nine in ten, under paraphrase around it, cut, spoken numbers and recogniser noise."""
    figures = asyncio.run(evaluation.run(EvalOptions(data=shared_data / DEV, extra={"matcher": "own-wording"})))
    recalls = {f.group.get("disturbance"): f.value for f in figures if f.name == "own_wording_recall"}

    assert all(value is not None and value >= 0.9 for value in recalls.values())
    assert 0.0 == overall(figures)["changed_wording_conveyed_rate"]
