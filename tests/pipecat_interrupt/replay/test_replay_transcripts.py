"""Jefferson's notation as seed 000 writes it, WebVTT that reads back, and CSV that no spreadsheet runs."""

from __future__ import annotations

import csv
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipecat_interrupt.replay.captions import to_csv, to_vtt
from pipecat_interrupt.replay.found import result_of
from pipecat_interrupt.replay.jefferson import to_jefferson
from pipecat_interrupt.replay.values import Piece, Timeline, Word

from .calls import call, piece, replayed

pytestmark = pytest.mark.unit

webvtt = pytest.importorskip("webvtt")


def test_an_answer_over_the_second_unit_stands_in_brackets_under_it() -> None:
    """The seed's own recognitional example, from words and times."""
    agent = Piece(
        (
            Word("so", 0.0, 0.35),
            Word("are", 0.5, 0.6),
            Word("you", 0.6, 0.7),
            Word("experiencing", 0.7, 1.2),
            Word("pain.", 1.2, 1.6),
            Word("or", 1.82, 1.9),
            Word("is", 1.9, 2.0),
            Word("it", 2.0, 2.1),
            Word("pretty", 2.1, 2.4),
            Word("comfortable.", 2.4, 2.9),
        )
    )
    timeline = Timeline("c", (agent,), (Piece((Word("no.", 2.15, 2.35),)),), 3.0)

    assert to_jefferson(timeline).splitlines() == [
        "01 AGT:   so (.) are you experiencing pain. (0.2) or is it",
        "02 AGT:-> [pretty]",
        "03 PAT:-> [no.   ]",
        "04 AGT:   comfortable.",
    ]


def test_a_pause_between_turns_has_a_line_of_its_own() -> None:
    """Micropauses below 0.2 s, seconds above."""
    timeline = Timeline(
        "c",
        (Piece((Word("yes?", 0.0, 0.5),)), Piece((Word("go", 1.9, 2.0),))),
        (Piece((Word("well", 0.8, 1.75),)),),
        3.0,
    )

    assert to_jefferson(timeline).splitlines() == [
        "01 AGT:   yes?",
        "02 (0.3)",
        "03 PAT:   well",
        "04 (.)",
        "05 AGT:   go",
    ]


def test_spread_times_claim_no_pauses_inside_a_turn() -> None:
    """Where word times were not measured, no pause between words is invented."""
    timeline = Timeline("c", (Piece((Word("a", 0.0, 0.1), Word("b", 0.9, 1.0))),), (), 1.0)

    assert "(0.8)" in to_jefferson(timeline, exact=True)
    assert "(" not in to_jefferson(timeline, exact=False)


def test_a_speakers_own_brackets_are_not_taken_for_an_overlap() -> None:
    """Sound tags of a recogniser are written in round brackets."""
    timeline = Timeline("c", (Piece((Word("[cough]", 0.0, 0.1),)),), (), 1.0)

    assert to_jefferson(timeline) == "01 AGT:   (cough)\n"


def test_webvtt_reads_back_with_voices_and_without_markup() -> None:
    """Words that look like tags are words."""
    timeline = call([piece(0.0, "take <b>two</b> & rest")], [piece(3.0, "ok -->")])

    captions = webvtt.from_string(to_vtt(timeline)).captions

    assert [c.voice for c in captions] == ["Agent", "Patient"]
    assert "&lt;b&gt;two&lt;/b&gt; &amp; rest" in captions[0].raw_text
    assert "--&gt;" in captions[1].raw_text


def test_csv_holds_the_overlap_and_no_formula() -> None:
    """One row a stretch, the verdict beside the far end's; "=1+1" stays text."""
    done = replayed([piece(0.0, "I will now explain what happens at the clinic on Monday.")], [piece(1.3, "=1+1 wait")])

    rows = list(csv.DictReader(StringIO(to_csv(done.timeline, result_of(done)))))

    assert [row["side"] for row in rows] == ["agent", "far"]
    assert rows[1]["text"] == "'=1+1 wait"
    assert rows[1]["overlap_verdict"] != ""


_WORDS = st.lists(
    st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6), min_size=1, max_size=6
)


@given(agent=_WORDS, far=_WORDS, shift=st.floats(0, 4))
def test_no_words_break_a_transcript(agent: list[str], far: list[str], shift: float) -> None:
    """Any words in any overlap: lines are numbered without a gap, brackets are balanced, VTT reads back."""
    a = Piece(tuple(Word(" ".join(w.split()) or "x", i * 0.4, i * 0.4 + 0.3) for i, w in enumerate(agent)))
    b = Piece(
        tuple(Word(" ".join(w.split()) or "x", shift + i * 0.4, shift + i * 0.4 + 0.3) for i, w in enumerate(far))
    )
    timeline = Timeline("c", (a,), (b,), 9.0)

    text = to_jefferson(timeline)

    assert [int(line[:2]) for line in text.split("\n")[:-1]] == list(range(1, text.count("\n") + 1))
    assert text.count("[") == text.count("]")
    assert len(webvtt.from_string(to_vtt(timeline)).captions) == 2
