"""The overlaps evaluation on made rows: what counts, what is known when, and the rules of others."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from benchmarks.errors import BadOption, BenchmarkError, UnreadableRow
from benchmarks.evals.overlaps import run
from benchmarks.figures import EvalOptions, Figure
from benchmarks.training.overlaps.data import OverlapRow, read_rows, streaming_evidence, whole_evidence
from benchmarks.training.overlaps.fit import threshold_at
from benchmarks.training.overlaps.judged import JudgedRows, equal_error_rate, missed_at
from benchmarks.training.overlaps.noise import RecogniserNoise, learn_noise, noisy, whisper_spelling
from benchmarks.training.overlaps.rules import RULES
from benchmarks.training.overlaps.split import meetings, part_of
from pipecat_interrupt.overlap.evidence import TextStatus

pytestmark = pytest.mark.unit


def raw(words: list[list[object]], gold: str, *, meeting: str = "Zzz001", onset: float = 10.0) -> dict[str, object]:
    """One line of the file."""
    return {
        "meeting": meeting,
        "onset": onset,
        "dur": 1.0,
        "holder": "a",
        "other": "b",
        "said": "take one tablet",
        "unsaid": "each morning with water",
        "holder_tag": "s",
        "other_words": words,
        "other_tag": "b",
        "gold": gold,
        "other_text": " ".join(str(w[2]) for w in words),
        "holder_cut": False,
    }


def written(path: Path, rows: list[dict[str, object]]) -> Path:
    """A data file."""
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return path


YEAH = [[0.0, 0.2, "yeah"]]
WAIT = [[0.0, 0.3, "wait"], [0.3, 0.5, "i"], [0.5, 1.1, "have"], [1.1, 1.4, "one"]]
LATE = [[0.0, 0.2, "yeah"], [0.9, 1.2, "but"], [1.2, 1.6, "no"]]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two backchannels, two turn-takes, one row that is not scored."""
    rows = [
        raw(YEAH, "backchannel"),
        raw([[0.0, 0.3, "mm-hmm"]], "backchannel", onset=20.0),
        raw(WAIT, "statement", onset=30.0),
        raw(LATE, "statement", onset=40.0),
        raw(YEAH, "ack_or_answer", onset=50.0),
    ]
    return written(tmp_path / "rows.jsonl", rows)


def value(figures: list[Figure], name: str, **group: object) -> Figure:
    """The one figure of a name and group."""
    (found,) = [f for f in figures if f.name == name and f.group == group]
    return found


def test_the_streaming_view_knows_only_words_that_have_ended_by_the_verdict(data: Path) -> None:
    """0.4 s after the first word's end: "have" is sounding, "one" is unknown."""
    row = read_rows(data)[2]

    got = streaming_evidence(row)

    assert ["wait", "i"] == [word.text for word in got.words]
    assert (0.7, True, TextStatus.INTERIM) == (pytest.approx(got.since_onset_s), got.speech_active, got.status)


def test_the_whole_view_knows_all_words_and_that_the_voice_has_ended(data: Path) -> None:
    """Nothing behind the utterance is known."""
    got = whole_evidence(read_rows(data)[2])

    assert ("wait i have one", False, TextStatus.FINAL) == (got.text, got.speech_active, got.status)


def test_a_pause_behind_the_first_word_hides_what_follows(data: Path) -> None:
    """A "yeah ... but no" is a "yeah" at the moment of the streaming verdict."""
    got = streaming_evidence(read_rows(data)[3])

    assert ("yeah", False) == (got.text, got.speech_active)


def test_sounds_that_ended_before_the_onset_are_not_part_of_the_overlap(tmp_path: Path) -> None:
    """Some rows carry earlier sounds of the same person with negative times."""
    path = written(tmp_path / "r.jsonl", [raw([[-5.0, -4.8, "<mm-hmm>"], [0.0, 0.3, "but"]], "statement")])

    assert ((0.0, 0.3, "but"),) == read_rows(path)[0].words


def test_each_row_remembers_the_same_persons_overlap_before_it(data: Path) -> None:
    """Who has just listened is likely to listen again."""
    rows = read_rows(data)

    assert rows[0].before is None
    assert rows[1].before is not None and rows[1].before.listened
    assert 9.8 == pytest.approx(rows[1].before.since_s)
    assert rows[4].before is not None and not rows[4].before.listened


def test_rows_that_are_neither_listening_nor_turn_taking_are_not_scored(data: Path) -> None:
    """Acknowledgements and answers are left out, as the figures' names say."""
    assert [True, True, True, True, False] == [row.scored for row in read_rows(data)]


@pytest.mark.parametrize(
    ("rule", "at_s", "expected"),
    [
        ("vad", 0.7, [True, True, True, True]),
        ("min_words_2", 0.7, [False, False, True, False]),
        ("min_words_2", 9.0, [False, False, True, True]),
        ("min_words_3", 0.7, [False, False, False, False]),
        ("min_duration_0.5", 0.7, [False, False, True, False]),
        ("lexicon_2w_0.9s", 0.7, [False, False, True, False]),
        ("lexicon_2w_0.9s", 9.0, [False, False, True, True]),
    ],
)
def test_the_rules_of_others(data: Path, rule: str, at_s: float, expected: list[bool]) -> None:
    """Each sees what is known at the moment, no more."""
    assert expected == [RULES[rule](row, at_s) for row in read_rows(data)[:4]]


def test_the_evaluation_prints_ours_and_the_rules_in_both_views(data: Path) -> None:
    """Literal counts of a made file."""
    figures = run(EvalOptions(data=data, extra={"noise": "off"}))

    assert (1.0, 2) == (value(figures, "false_yield_rate", view="whole", rule="vad").value, 2)
    assert 0.5 == value(figures, "missed_yield_rate", view="streaming", rule="min_words_2").value
    assert 0.0 == value(figures, "false_yield_rate", view="streaming", rule="ours").value
    assert 0.5 == value(figures, "missed_yield_rate", view="streaming", rule="ours").value
    assert 0.0 == value(figures, "missed_yield_rate", view="whole", rule="ours").value
    assert 0.5 == value(figures, "missed_yield_rate").value
    p95 = value(figures, "decision_ms_p95", view="streaming", rule="ours")
    assert p95.value is not None and p95.value < 1000


def test_without_transcript_pairs_only_the_spellings_are_tried(data: Path) -> None:
    """The noise of a recogniser is learned, never made up."""
    figures = run(EvalOptions(data=data))

    assert {"whisper_spellings"} == {f.group["noise"] for f in figures if "noise" in f.group}


@pytest.mark.parametrize("extra", [{"part": "best"}, {"threshold": "1.5"}, {"noise": "nowhere"}])
def test_unknown_options_are_refused(data: Path, extra: dict[str, str]) -> None:
    """A typing error is no measurement."""
    with pytest.raises(BadOption):
        run(EvalOptions(data=data, extra=extra))


def test_a_part_without_rows_is_an_error_and_a_broken_line_is_named(data: Path, tmp_path: Path) -> None:
    """No figure is made of nothing."""
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"meeting": "x"}\n', encoding="utf-8")

    with pytest.raises(BenchmarkError):
        run(EvalOptions(data=data, extra={"part": "train"}))
    with pytest.raises(UnreadableRow, match=r"broken\.jsonl:1: "):
        read_rows(broken)


def test_no_meeting_is_in_two_parts_and_unknown_meetings_are_test() -> None:
    """The split is by meeting; a hidden file of other meetings is all test."""
    train, dev, test = meetings("train"), meetings("dev"), meetings("test")
    unknown = OverlapRow("Zzz999", 0.0, "b", "", "", ((0.0, 0.1, "yeah"),), "backchannel", ((0.0, 0.1),))

    assert frozenset() == train & dev | train & test | dev & test
    assert 53 == len(train | dev | test)
    assert [unknown] == part_of([unknown], "test")


def judged(scores: list[float], takes: list[bool]) -> JudgedRows:
    """A judge's effective scores."""
    s, t = np.array(scores), np.array(takes)
    return JudgedRows(t, s >= 0.5, s, np.zeros(len(s)))


def test_missed_yields_at_a_rules_false_yields_never_yield_to_more_backchannels() -> None:
    """Of four backchannels two may be yielded to: the threshold lies above the third."""
    got = judged([0.9, 0.6, 0.4, 0.1, 0.95, 0.5, 0.3], [False] * 4 + [True] * 3)

    assert (1, 2) == missed_at(got, 2)
    assert (2, 0) == missed_at(got, 0)
    assert (0, 4) == missed_at(got, 4)


def test_the_equal_error_rate_is_where_both_errors_meet() -> None:
    """One of four on either side."""
    got = judged([0.9, 0.2, 0.2, 0.1, 0.95, 0.8, 0.7, 0.1], [False] * 4 + [True] * 4)

    assert 0.25 == equal_error_rate(got)


def test_the_operating_point_yields_to_at_most_the_allowed_share() -> None:
    """Of ten backchannels one may be yielded to."""
    scores = np.arange(20, dtype=float)
    takes = np.array([False] * 10 + [True] * 10)

    cut = threshold_at(scores, takes, 0.1)

    assert 1 == int(np.sum(scores[~takes] >= cut))


def test_noise_loses_changes_and_adds_words_and_keeps_the_time_of_the_sound() -> None:
    """What was said stays said: the voice's times do not depend on the recogniser."""
    row = OverlapRow(
        "m", 0.0, "b", "", "", ((0.0, 0.2, "yeah"), (0.2, 0.5, "but")), "statement", ((0.0, 0.2), (0.2, 0.5))
    )
    deaf = RecogniserNoise(1.0, 0.0, 0.0)
    wrong = RecogniserNoise(0.0, 1.0, 0.0, changed={"but": ("bat",)}, pool=("gear",))

    assert () == deaf.perturb(row.words, random.Random(0))
    assert ["gear", "bat"] == [w for _, _, w in wrong.perturb(row.words, random.Random(0))]
    assert row.decision_s == noisy(row, ()).decision_s


def test_whisper_spells_hums_freely_and_writes_no_fragments() -> None:
    """The words stay sounds the model knows."""
    words = ((0.0, 0.1, "th-"), (0.1, 0.4, "mm-hmm"))

    spelt = whisper_spelling(words, random.Random(3))

    assert 1 == len(spelt)
    assert "th-" not in [w for _, _, w in spelt]


@pytest.mark.shared_data
def test_noise_is_learned_from_transcript_pairs(shared_data: Path) -> None:
    """Rates of the pairs at hand, between none and all."""
    got = learn_noise(shared_data / "asr_errors")

    assert 0.0 < got.changed_rate < got.lost_rate < 0.5
    assert got.pool and got.added


@pytest.mark.shared_data
def test_on_the_shared_test_meetings_ours_beats_every_rule_in_the_streaming_view(shared_data: Path) -> None:
    """At each rule's false yields our missed yields are lower, with intervals apart (plain VAD has none to beat)."""
    figures = run(
        EvalOptions(data=shared_data / "overlaps" / "mrda_overlaps_dev.jsonl", extra={"noise": "off", "part": "test"})
    )

    for rule in ("min_words_2", "min_words_3", "min_duration_0.5", "lexicon_2w_0.9s"):
        theirs = value(figures, "missed_yield_rate", view="streaming", rule=rule)
        ours = value(figures, "missed_yield_rate", view="streaming", rule="ours", at_false_yield_of=rule)
        assert ours.high is not None and theirs.low is not None and ours.high < theirs.low
