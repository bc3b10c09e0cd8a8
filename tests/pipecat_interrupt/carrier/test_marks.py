"""Playback marks: what was cleared never counts, late marks change nothing, lost ones fall back to a bound (D13)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipecat_interrupt.carrier import MarkBook, MarkConfig
from pipecat_interrupt.carrier.marks import WAITING_MAX
from pipecat_interrupt.delivery.account import Account

pytestmark = pytest.mark.unit


def write(book: MarkBook, account: Account, seconds: float, now_s: float) -> list[str]:
    """Write audio of an utterance at once; give the names of the marks that follow it."""
    names: list[str] = []
    goal = account.written_s + seconds
    account.generated_s = max(account.generated_s, goal)
    while account.written_s < goal - 1e-9:
        account.add_written(0.04, now_s)
        name = book.due(account.id, account.written_s, now_s)
        if name is not None:
            names.append(name)
    return names


def paced(book: MarkBook, account: Account, seconds: float, now_s: float) -> tuple[list[tuple[str, float]], float]:
    """Write audio as fast as it plays; give each mark with the moment it was sent, and the end."""
    marks: list[tuple[str, float]] = []
    account.generated_s += seconds
    for _ in range(round(seconds / 0.04)):
        now_s += 0.04
        account.add_written(0.04, now_s)
        name = book.due(account.id, account.written_s, now_s)
        if name is not None:
            marks.append((name, now_s))
    return marks, now_s


def test_d13_marks_returned_after_a_clear_never_extend_what_was_heard() -> None:
    """Field case D13: r1 heard 1.0-1.5 s, r2 heard 0.5-0.6 s, a late r1 mark is ignored."""
    book = MarkBook()
    r1, r2 = Account("r1", "c1", generated_s=5.0), Account("r2", "c2", generated_s=2.0)
    r1.add_written(5.0, 0.0)
    for position_s in (1.0, 2.0, 3.0, 4.0, 5.0):
        book.set_mark("r1", position_s, 0.0)
    assert book.came_back("r1:1000", 1.0)

    heard1 = book.heard(r1, 1.5)
    book.cleared([], 1.5)
    late = [book.came_back(f"r1:{ms}", 1.52) for ms in (2000, 3000, 4000, 5000)]

    assert 1.0 <= heard1.low_s <= heard1.high_s <= 1.5
    assert late == [False] * 4
    assert book.ignored == 4

    r2.add_written(2.0, 2.0)
    for position_s in (0.5, 1.0, 1.5, 2.0):
        book.set_mark("r2", position_s, 2.0)
    assert book.came_back("r2:500", 2.5)
    assert not book.came_back("r1:5000", 2.55)
    heard2 = book.heard(r2, 2.6)

    assert 0.5 <= heard2.low_s <= heard2.high_s <= 0.6 + 1e-9


def test_a_mark_follows_every_step_of_written_audio_and_the_end() -> None:
    """Steps of at most 200 ms; the last audio gets a mark whatever the step."""
    book = MarkBook()
    account = Account("u1", "c1")

    names = write(book, account, 1.0, 0.0)
    account.add_written(0.04, 0.0)
    end = book.due("u1", account.written_s, 0.0, end=True)

    assert names == ["u1:200", "u1:400", "u1:600", "u1:800", "u1:1000"]
    assert end == "u1:1040"
    assert book.due("u1", account.written_s, 0.0, end=True) is None


def test_the_lag_is_measured_from_the_marks() -> None:
    """Written to mark-came-back; the least of the latest is the present lag."""
    book = MarkBook()
    account = Account("u1", "c1")
    assert book.lag_s == 1.0
    marks, _ = paced(book, account, 2.0, 0.0)
    for (name, sent_s), late in zip(marks, [0.3, 0.2, 0.35, 0.25, 0.3, 0.4, 0.3, 0.3, 0.3, 0.3], strict=True):
        book.came_back(name, sent_s + late)

    figures = book.figures()
    assert figures.n == 10
    assert figures.median_s == pytest.approx(0.3)
    assert figures.least_s == pytest.approx(0.2)
    assert book.lag_s == pytest.approx(0.3)


def test_the_place_between_two_marks_follows_the_measured_lag() -> None:
    """With a lag of 0.3 s the listener has heard what was written 0.3 s ago, never less than the last mark."""
    book = MarkBook()
    account = Account("u1", "c1")
    marks, end_s = paced(book, account, 2.0, 0.0)
    for name, sent_s in marks:
        if sent_s + 0.3 <= end_s:
            book.came_back(name, sent_s + 0.3)

    heard = book.heard(account, end_s)

    assert heard.low_s == pytest.approx(1.7, abs=0.041)
    assert heard.low_s <= heard.high_s <= account.written_s
    assert not heard.final


def test_a_stalled_carrier_is_not_believed_to_play_on() -> None:
    """Marks that fail to come back in time hold the place near the first of them."""
    book = MarkBook(MarkConfig(return_s=0.4))
    account = Account("u1", "c1")
    marks, end_s = paced(book, account, 3.0, 0.0)
    for name, sent_s in marks[:5]:
        book.came_back(name, sent_s + 0.2)  # up to 1.0 s, then silence

    assert book.heard(account, end_s).low_s <= 1.2 + 0.4 + 1e-6


def test_lost_marks_fall_back_to_the_measured_lag() -> None:
    """A mark that never comes is no proof of silence: after two seconds the place follows the clock again."""
    book = MarkBook()
    account = Account("u1", "c1")
    marks, end_s = paced(book, account, 3.0, 0.0)
    for name, sent_s in marks[:5]:
        book.came_back(name, sent_s + 0.2)

    heard = book.heard(account, end_s + 2.5)

    assert heard.low_s == pytest.approx(3.0)


def test_without_any_mark_the_fallback_lag_is_assumed() -> None:
    """A carrier that returns nothing: one second behind, and the bound says that all written may have been heard."""
    book = MarkBook(MarkConfig(return_s=2.0))
    account = Account("u1", "c1")
    _, end_s = paced(book, account, 2.0, 0.0)

    heard = book.heard(account, end_s)

    assert heard.low_s == pytest.approx(1.0, abs=0.041)
    assert heard.high_s == pytest.approx(2.0)


def test_an_utterance_is_final_with_its_last_mark_or_after_a_bounded_wait() -> None:
    """The end is proved by a mark; where it is lost, waiting has an end."""
    book = MarkBook()
    account = Account("u1", "c1")
    marks, end_s = paced(book, account, 1.0, 0.0)
    account.done, account.written_done_s = True, end_s
    assert not book.heard(account, end_s).final

    for name, sent_s in marks:
        book.came_back(name, sent_s + 0.25)

    assert book.heard(account, end_s + 0.25).final

    lost = Account("u2", "c2")
    _, end_s = paced(book, lost, 1.0, 10.0)
    lost.done, lost.written_done_s = True, end_s
    assert not book.heard(lost, end_s + 2.0).final
    assert book.heard(lost, end_s + 2.3).final


def test_a_hole_torn_by_a_clear_bounds_a_protected_utterance() -> None:
    """Speech that goes on after its buffer was cleared was not heard beyond the hole."""
    book = MarkBook()
    account = Account("u1", "c1", protected=True)
    marks, now_s = paced(book, account, 2.0, 0.0)
    for name, sent_s in marks:
        if sent_s + 0.5 <= now_s:
            book.came_back(name, sent_s + 0.5)
    before = book.heard(account, now_s).low_s
    book.cleared([account], now_s)
    _, now_s = paced(book, account, 2.0, now_s)

    assert book.heard(account, now_s + 5.0).low_s == pytest.approx(before)


def test_waiting_marks_are_bounded() -> None:
    """A carrier that never answers cannot fill the memory."""
    book = MarkBook()
    account = Account("u1", "c1")
    account.generated_s = 1000.0
    write(book, account, 0.2 * (WAITING_MAX + 10), 0.0)

    assert len(book._waiting) == WAITING_MAX
    assert book.lost == 10


def test_unknown_names_are_ignored() -> None:
    """Somebody else's mark, or one of a call before."""
    assert not MarkBook().came_back("x", 1.0)


EVENT = st.one_of(
    st.tuples(st.just("write"), st.floats(0.04, 0.6)),
    st.tuples(st.just("back"), st.integers(0, 30)),
    st.tuples(st.just("clear"), st.just(0)),
    st.tuples(st.just("wait"), st.floats(0.01, 3.0)),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(EVENT, max_size=40))
def test_whatever_comes_back_no_more_was_heard_than_written(events: list[tuple[str, float]]) -> None:
    """In any order of writing, marks, clears and waiting: bounds keep their order, the place never goes back."""
    book, account, now_s = MarkBook(), Account("u1", "c1"), 0.0
    names: list[str] = []
    for kind, value in events:
        if kind == "write":
            names += write(book, account, value, now_s)
        elif kind == "back" and names:
            book.came_back(names[int(value) % len(names)], now_s)
        elif kind == "clear":
            book.cleared([account], now_s)
        elif kind == "wait":
            now_s += value
        heard = book.heard(account, now_s)
        assert 0.0 <= heard.low_s <= heard.high_s <= account.written_s + 1e-9
