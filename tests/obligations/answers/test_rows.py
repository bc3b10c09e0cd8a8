"""Our own labelled replies: nothing that must stay open is closed, and nearly all are read right.

The rows were written in four sets, each before the reader had seen it; docs/metrics/answers.md gives the figure each
set had then.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.evals import answers as evaluation
from benchmarks.evals.answers import AnswerRow
from benchmarks.figures import EvalOptions, Figure
from benchmarks.rows import read_rows
from obligations.answers.reader import LocalAnswerReader
from obligations.coverage.licence import load_certificate

OURS = Path(__file__).parent / "rows.jsonl"
UNSEEN = Path(__file__).parent / "unseen"
DEV = Path("ledger") / "answers_dev.jsonl"


def overall(figures: list[Figure]) -> dict[str, float | None]:
    """Give the overall figures by name."""
    return {f.name: f.value for f in figures if not f.group}


@pytest.mark.unit
def test_our_rows_are_read_right_and_safely() -> None:
    """No red flag denied, no third party counted, nothing wrongly closed."""
    figures = overall(evaluation.figures(evaluation.judge(LocalAnswerReader(), read_rows(OURS, AnswerRow))))

    assert (0.0, 0.0, 0.0) == (
        figures["red_flag_missed"],
        figures["third_party_counted_as_answer"],
        figures["wrongly_closed"],
    )
    assert (figures["accuracy"] or 0.0) >= 0.95


@pytest.mark.unit
@pytest.mark.parametrize("name", ["e", "g", "h"])
def test_rows_of_other_writers_stay_read_right_and_safely(name: str) -> None:
    """Their kinds were mended with them in view: a regression check, no estimate."""
    rows = read_rows(UNSEEN / f"{name}.jsonl", AnswerRow)
    figures = overall(evaluation.figures(evaluation.judge(LocalAnswerReader(), rows)))

    assert (0.0, 0.0, 0.0) == (
        figures["red_flag_missed"],
        figures["third_party_counted_as_answer"],
        figures["wrongly_closed"],
    )
    assert (figures["accuracy"] or 0.0) >= 0.95


@pytest.mark.unit
def test_a_certificate_counts_the_rows_that_had_to_stay_open(tmp_path: Path) -> None:
    """It belongs to the reader that was measured."""
    out = tmp_path / "certificate.json"
    evaluation.run(EvalOptions(data=OURS, extra={"certify": str(out)}))
    reader = LocalAnswerReader()

    assert 0 == load_certificate(out, matcher=f"{reader.name}@{reader.version}").wrongly_closed


@pytest.mark.shared_data
def test_dev_is_read_right_and_safely(shared_data: Path) -> None:
    """At least 92 % right, nothing wrongly closed, no red flag denied, no third party counted."""
    figures = overall(evaluation.run(EvalOptions(data=shared_data / DEV)))

    assert (figures["accuracy"] or 0.0) >= 0.92
    assert (0.0, 0.0, 0.0) == (
        figures["red_flag_missed"],
        figures["third_party_counted_as_answer"],
        figures["wrongly_closed"],
    )
