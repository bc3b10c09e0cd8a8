"""The fold from journal to page: what is known so far, never more, and in bounds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obligations.ledger.states import CLOSED, State
from pipecat_interrupt.page import CallFold, CallView, view_of
from pipecat_interrupt.page.rows import rows_of
from pipecat_interrupt.page.view import AgentLine, Decision, PatientLine
from pipecat_interrupt.page.words import place_words

from .journals import Story
from .recorded import entries

pytestmark = pytest.mark.unit


def _agent(view: CallView) -> list[AgentLine]:
    return [line for line in view.lines if isinstance(line, AgentLine)]


def _decisions(view: CallView) -> list[Decision]:
    return [line for line in view.lines if isinstance(line, Decision)]


def test_an_utterance_in_the_air_counts_as_nothing_heard() -> None:
    """Until its record comes, its words are pending: neither delivered nor struck through."""
    (line,) = _agent(view_of(Story().begins("If it gets worse, call us.").entries))

    assert (line.pending, line.delivered, line.undelivered, line.end_s) == ("If it gets worse, call us.", "", "", None)


def test_a_recorded_call_reads_as_its_ledger_left_it() -> None:
    """States, answers, reasons and red flags as the hand-off of that very call has them."""
    view = view_of(entries())

    states = {o.id: (o.state, o.value) for o in view.obligations}
    assert states["light.escalation"] == ("partial", None)
    assert states["light.mild-advice"] == ("open", None)
    assert states["floaters"] == ("answered", "no")
    assert states["flashing-lights"] == ("answered", "yes")
    assert view.red_flags == ("flashing-lights",)
    assert [o.id for o in view.lost] == ["light.escalation"]
    assert view.lost[0].reason.startswith('cut at "')
    assert len(view.cuts) == 2


@pytest.mark.parametrize(("certain", "shown"), [((False,), ("escalation",)), ((False, True), ()), ((True, False), ())])
def test_a_red_flag_is_marked_until_something_certain_was_said_to_it(
    certain: tuple[bool, ...], shown: tuple[str, ...]
) -> None:
    """On the board a doubtful yes alarms like a plain one, and says what it is."""
    story = Story().owes()
    for one in certain:
        story.ledger(
            kind="red_flag_raised", item_id="escalation", value="yes", speaker="primary", reply_id="r1", certain=one
        )

    view = view_of(story.entries)

    assert (("escalation",), shown) == (view.red_flags, view.unconfirmed_flags)


def test_evidence_is_quoted_with_the_time_at_which_it_was_heard() -> None:
    """A proof's time lies inside the utterance it quotes, and a reply's where the voice began."""
    view = view_of(entries())
    spoken = {line.id: line for line in _agent(view)}

    proofs = [p for o in view.obligations for p in o.proofs]
    assert len(proofs) >= 12
    for proof in proofs:
        assert proof.at_s is not None
        if proof.utterance_id:
            line = spoken[proof.utterance_id]
            assert line.at_s <= proof.at_s <= (line.end_s or 0.0)
            assert proof.quote in line.delivered
    said = next(p for o in view.obligations if o.id == "pain" for p in o.proofs if p.who == "primary")
    line = next(x for x in view.lines if isinstance(x, PatientLine) and x.text == said.quote)
    assert said.at_s == line.start_s


def test_what_the_gate_ruled_stands_with_the_words_or_alone() -> None:
    """Words that went through carry the ruling; words that were kept from the model stand as a decision."""
    view = view_of(entries())

    passed = [line for line in view.lines if isinstance(line, PatientLine)]
    assert [line.voice.split(":")[0] for line in passed][-3:] == [
        "inferred voice",
        "primary voice",
        "third party voice",
    ]
    kept = [d for d in _decisions(view) if d.of == "gate" and d.words]
    assert [(d.title, d.words) for d in kept] == [
        ("third party voice: kept from the model", "and now the weather for tomorrow in the north")
    ]


def test_an_overlap_that_cut_is_told_once_with_what_it_cut() -> None:
    """It stands under the utterance; a listening sound, which cut nothing, stands as a decision."""
    view = view_of(Story().says("If it gets worse, call us.", heard="If it").overlaps("backchannel", "mm-hmm").entries)

    assert [(d.of, d.title, d.words) for d in _decisions(view)] == [
        ("overlap", "backchannel: the agent went on", "mm-hmm")
    ]
    (line,) = _agent(view)
    assert line.cut is not None and line.cut.by is not None
    assert (line.cut.by.verdict, line.cut_s) == ("question", 1.0)


def test_a_move_becomes_the_purpose_of_what_it_had_said() -> None:
    """Only a move that led to no words stands on a line of its own."""
    story = Story().move("If it gets worse, call us.").says("If it gets worse, call us.").move("", "release")

    view = view_of(story.entries)

    assert [line.purpose for line in _agent(view)] == ["return: If it gets worse, call us."]
    assert [d.title for d in _decisions(view)] == ["release"]


def test_words_wait_while_the_audio_is_held() -> None:
    """A word behind a hold is placed behind it, and none is placed after the utterance's end."""
    story = Story().begins("one two three four")
    begun = story.pause(1.0).hold("hold").pause(3.0).hold("resume").pause(1.0)
    view = view_of(begun.entries)
    (pending,) = _agent(view)

    line = AgentLine("u1", pending.at_s, 5.0, "one two three four", heard_ms=2000.0)
    placed = place_words(line, view.holds)

    assert view.holds == ((1.0, 4.0),)
    assert "".join(w.text for w in placed) == line.delivered
    assert [w.at_s for w in placed][:2] == pytest.approx([0.0, 4 / 18 * 2])
    assert all(not 1.0 < w.at_s < 4.0 for w in placed)
    assert placed[-1].at_s == pytest.approx(3.0 + 14 / 18 * 2)


@given(text=st.text(max_size=80), seconds=st.floats(0, 30), heard_ms=st.none() | st.floats(0, 60_000))
def test_placed_words_are_the_delivered_text_in_order(text: str, seconds: float, heard_ms: float | None) -> None:
    """Whatever the text, nothing is lost or doubled, and time never runs backwards."""
    placed = place_words(AgentLine("u", 1.0, 1.0 + seconds, text, heard_ms=heard_ms), [(2.0, 2.5)])

    assert "".join(w.text for w in placed) == text
    assert [w.at_s for w in placed] == sorted(w.at_s for w in placed)


def test_an_unnamed_item_is_read_as_open_where_it_may_be() -> None:
    """Without the pathway a heard item could be a point (met) or a question (asked): it is shown as asked."""
    story = Story(named=False).ledger(kind="item_step", item_id="pain", step="opened")
    story.ledger(kind="item_step", item_id="pain", step="heard")

    (item,) = view_of(story.entries).obligations

    assert (item.state, item.closed) == ("asked", False)


def test_an_event_of_another_version_is_counted_and_left_out() -> None:
    """A page is drawn all the same."""
    fold = CallFold()
    for entry in Story().ledger(kind="from_the_future", item_id="x").owes().entries:
        fold.take(entry)

    assert fold.unread == 1
    assert [o.state for o in fold.view().obligations] == ["open"]


def test_a_long_call_stays_in_bounds_and_says_so() -> None:
    """The oldest lines go first, one past the bound; obligations stay."""
    story, fold = Story().owes(), CallFold(lines_max=10)
    for number in range(11):
        story.says(f"sentence {number}", heard="sentence").replies(f"reply {number}").gate(f"aside {number}")
        story.trouble("stt").overlaps("noise")
    for entry in story.entries:
        fold.take(entry)

    view = fold.view()
    assert len(_agent(view)) == 10
    assert _agent(view)[0].undelivered == " 1"
    assert (
        view.dropped_lines == 1 + 1 + 12 + 12
    )  # an utterance, a reply, and of 22 decisions and 22 overlaps the first 12
    assert len(view.obligations) == 1


def test_every_state_of_the_ledger_is_shown_as_closed_or_not() -> None:
    """The page never calls an owed item closed."""
    for item in view_of(entries()).obligations:
        assert item.closed == (State(item.state) in CLOSED)
        assert bool(item.reason) != item.closed


def test_rows_carry_the_marks_the_filters_use() -> None:
    """Cuts, decisions and lines about open obligations are marked, and only those."""
    rows = rows_of(view_of(entries()))

    assert [r.cut_number for r in rows if "cut" in r.marks] == [1, 2]
    assert {r.label for r in rows if "open" in r.marks} == {"agent"}
    assert [r.line.delivered.split()[0] for r in rows if "open" in r.marks and isinstance(r.line, AgentLine)] == ["I"]
    assert {r.who for r in rows} == {"agent", "patient", "other", "none"}


def test_an_advice_taken_back_is_shown_open_with_the_words_that_did_it() -> None:
    """The proof of its telling goes; told again, the page says what came before."""
    back = {"utterance_id": "u2", "start": 0, "end": 12, "quote": "Forget that."}
    told = {"utterance_id": "u1", "start": 0, "end": 7, "quote": "Call us"}
    story = Story().owes().says("Call us").says("Forget that.")
    story.ledger(kind="item_step", item_id=story.item, step="heard", evidence=[told])
    story.ledger(kind="item_step", item_id=story.item, step="retracted", evidence=[back])
    (taken,) = view_of(story.entries).obligations
    story.ledger(kind="item_step", item_id=story.item, step="heard", evidence=[told])
    (again,) = view_of(story.entries).obligations

    assert ("open", (), 'told otherwise than required: "Forget that."') == (taken.state, taken.proofs, taken.reason)
    assert ("met", "Call us", 'told otherwise before: "Forget that."') == (
        again.state,
        again.proofs[0].quote,
        again.note,
    )
