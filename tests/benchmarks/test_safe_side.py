"""The safe-side model's rows, its training and its evaluation."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.errors import CallerError
from benchmarks.evals.safe_side import run
from benchmarks.figures import EvalOptions
from benchmarks.rows import read_rows
from benchmarks.training.safe_side.data import HELD_OUT, ROWS, SafeSideRow, beside, development_rows, of
from benchmarks.training.safe_side.fit import fit, out_of_fold, score, threshold_for
from benchmarks.training.safe_side.train import AUTHORS, TARGET, digest_of, train

pytestmark = pytest.mark.unit


def a_row(text: str, label: int, author: str = "a", kind: str = "emergency", advice: str = "") -> SafeSideRow:
    """One row."""
    return SafeSideRow.model_validate(
        {"kind": kind, "lang": "en", "label": label, "text": text, "author": author, "advice": advice}
    )


SOME = [
    a_row(text, label, author)
    for author in "ab"
    for text, label in (
        (f"the {author} roof is on fire now", 1),
        (f"my {author} house is burning down", 1),
        (f"the {author} garden is lovely today", 0),
        (f"my {author} soup is nice and warm", 0),
        (f"it was a {author} quiet morning", 0),
    )
]


def test_two_held_out_negatives_are_all_that_a_development_author_wrote_too() -> None:
    """One is the writing task's own example, one chance; docs/metrics/safe_side.md says so."""
    learnt = {(row.lang, row.text.casefold()) for row in development_rows()}

    again = [row for row in read_rows(HELD_OUT, SafeSideRow) if (row.lang, row.text.casefold()) in learnt]

    assert [("loosened", 0)] * 2 == [(row.kind, row.label) for row in again]


def test_every_row_names_its_author_and_only_loosened_ones_an_advice() -> None:
    """A fold leaves an author out; a sentence loosens an advice."""
    for author in AUTHORS:
        for row in read_rows(ROWS / f"{author}.jsonl", SafeSideRow):
            assert author == row.author
            assert (row.kind == "loosened") == bool(row.advice)


def test_whoever_tells_of_an_emergency_is_no_negative_of_an_introduction() -> None:
    """It may well be somebody else who tells; the other way round nothing forbids it."""
    rows = [a_row("he fell", 1), a_row("a nice day", 0), a_row("his wife here", 1, kind="introduction")]

    assert ["a nice day"] == [row.text for row in beside(rows, "introduction", "en")]
    assert [("his wife here", 0)] == [(row.text, row.label) for row in beside(rows, "emergency", "en")]
    assert [] == beside(rows, "loosened", "en")


def test_the_same_rows_give_the_same_weights() -> None:
    """To the last digit, whatever came before."""
    assert fit(SOME, "emergency", "en") == fit(SOME, "emergency", "en")


def test_a_fold_is_scored_by_a_head_that_has_not_seen_its_author() -> None:
    """What an author alone says weighs nothing in their own fold."""
    expected = score(fit([row for row in SOME if row.author == "a"], "emergency", "en"), SOME[5:], "emergency", "en")

    assert expected == out_of_fold(SOME, "emergency", "en")[5:]


def test_a_threshold_lets_through_no_more_than_its_share() -> None:
    """Of ten negatives one at a share of a tenth, none at less."""
    rows = [a_row(f"row {i}", 0) for i in range(10)]
    scores = [float(i) for i in range(10)]

    assert 8.01 == threshold_for(rows, scores, 0.1)
    assert 9.01 == threshold_for(rows, scores, 0.05)


@pytest.mark.parametrize("base", ["en", "pt"])
def test_the_shipped_weights_were_made_from_the_committed_rows(base: str) -> None:
    """Whoever changes a row, or a class of words, trains anew."""
    shipped = json.loads((TARGET / f"{base}.json").read_text(encoding="utf-8"))

    assert (
        digest_of([*(ROWS / f"{author}.jsonl" for author in AUTHORS), TARGET / "words.txt"]) == shipped["data_digest"]
    )


def test_the_card_counts_the_rows_that_there_are() -> None:
    """The figures of the weights file are those of the rows."""
    shipped = json.loads((TARGET / "en.json").read_text(encoding="utf-8"))
    rows = development_rows()
    positives = Counter(row.kind for row in rows if row.lang == "en" and row.label)

    assert {k: h["made_from"]["positives"] for k, h in shipped["heads"].items()} == dict(positives)
    assert shipped["heads"]["loosened"]["made_from"]["rows"] == len(of(rows, "loosened", "en"))


def test_an_evaluation_tells_rules_model_and_both_apart(tmp_path: Path) -> None:
    """By kind and language; what both raise is never less than what one does."""
    rows = [
        a_row("I can't breathe.", 1),
        a_row("The kettle is on.", 0),
        a_row("This is his wife.", 1, kind="introduction"),
        a_row("My wife does the drops.", 0, kind="introduction"),
        a_row("You can drive tomorrow.", 1, kind="loosened", advice="Do not drive."),
        a_row("Ask them before you drive.", 0, kind="loosened", advice="Do not drive."),
    ]
    data = tmp_path / "rows.jsonl"
    data.write_text("\n".join(row.model_dump_json() for row in rows), encoding="utf-8")

    found = run(EvalOptions(data=data))
    figures = {(f.name, f.group["kind"], f.group["reader"]): f.value for f in found if "reader" in f.group}

    assert {"rules", "model", "both"} == {reader for _, _, reader in figures}
    for kind in ("emergency", "introduction", "loosened"):
        assert 1.0 == figures["recall", kind, "rules"] == figures["recall", kind, "both"]
        assert 0.0 == figures["false_alarm_rate", kind, "rules"]


def test_an_unknown_kind_is_refused_by_name(tmp_path: Path) -> None:
    """The kinds are named in the error."""
    data = tmp_path / "rows.jsonl"
    data.write_text(a_row("The kettle is on.", 0).model_dump_json(), encoding="utf-8")

    with pytest.raises(CallerError, match="emergency, introduction, loosened"):
        run(EvalOptions(data=data, extra={"kind": "weather"}))


@pytest.mark.bench
def test_training_again_gives_the_same_bytes(tmp_path: Path) -> None:
    """The whole training, with the packages the shipped file names."""
    list(train(tmp_path))

    for base in ("en", "pt"):
        assert (TARGET / f"{base}.json").read_bytes() == (tmp_path / f"{base}.json").read_bytes()
