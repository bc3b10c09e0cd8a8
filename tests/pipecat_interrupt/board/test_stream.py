"""The stream over a real connection: it tells changes, goes on where it was, and stays in its bounds."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from pipecat_interrupt.board import Board, BoardSettings
from tests.pipecat_interrupt.page.journals import Story

from .serving import TOKEN, served

pytestmark = [pytest.mark.contract, pytest.mark.enable_socket]

HEADERS = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def board() -> Board:
    return Board(BoardSettings(refresh_s=0.02, watchers_max=2))


@pytest.fixture(scope="module")
def address(board: Board) -> Iterator[str]:
    with served(board) as address:
        yield address


def _events(stream: httpx.Response) -> Iterator[dict[str, str]]:
    event: dict[str, str] = {}
    for line in stream.iter_lines():
        if not line and event:
            yield event
            event = {}
        elif ":" in line and not line.startswith(":"):
            name, value = line.split(":", 1)
            event[name] = event[name] + "\n" + value[1:] if name in event else value[1:]


def _watch(address: str, after: str = "", last: str | None = None, call: str = ""):  # noqa: ANN202 - a context manager
    headers = HEADERS | ({"Last-Event-ID": last} if last is not None else {})
    return httpx.stream("GET", f"{address}events?after={after}&call={call}", headers=headers, timeout=20)


def test_a_change_is_told_and_a_watcher_that_comes_back_misses_nothing(address: str, board: Board) -> None:
    """The first stream breaks; what happened meanwhile is the first thing the second one tells."""
    story, place = Story(call_id="stream-1"), f"{board.epoch}-{board.version}"
    with _watch(address, place) as stream:
        events = _events(stream)
        assert next(events)["event"] == "hello"
        board.take_all(story.says("If it gets worse, call us.", heard="If it").entries)
        told = next(events)

    assert told["event"] == "card"
    assert '<del><span class="vh">[not heard: </span> gets worse, call us.' in told["data"]
    board.take_all(story.replies("While you were away.").entries)
    with _watch(address, place, last=told["id"]) as stream:
        events = _events(stream)
        next(events)
        missed = next(events)
    assert "While you were away." in missed["data"]
    assert int(missed["id"].split("-")[1]) > int(told["id"].split("-")[1])


@pytest.mark.parametrize("place", ["", "0", "gone-1", "{epoch}-99999999", "{epoch}-x", "{epoch}-\u0661", "x" * 500])
def test_a_place_that_means_nothing_here_starts_the_watcher_anew(address: str, board: Board, place: str) -> None:
    """Of another start, of the future, or unreadable: the page is loaded again, nothing is guessed."""
    with _watch(address, place.format(epoch=board.epoch)) as stream:
        events = _events(stream)

        assert [next(events)["event"], next(events)["event"]] == ["hello", "reset"]


def test_a_watcher_of_one_call_hears_of_no_other(address: str, board: Board) -> None:
    """And gets it at length."""
    mine, other = Story(call_id="mine"), Story(call_id="other")
    board.take_all([*mine.entries, *other.entries])
    with _watch(address, f"{board.epoch}-0", call=board.key_of("mine")) as stream:
        events = _events(stream)
        next(events)
        first = next(events)
        board.take_all(other.replies("Not for you.").entries)
        board.take_all(mine.replies("For you.").entries)
        told = ""
        while "For you." not in told:
            told = next(events)["data"]
            assert "Not for you." not in told

    assert first["event"] == "detail"


def test_one_watcher_too_many_is_told_to_come_back(address: str, board: Board) -> None:
    """The bound holds, and a place is free again when a watcher leaves."""
    place = f"{board.epoch}-{board.version}"
    with _watch(address, place) as first, _watch(address, place) as second:
        watching = [_events(first), _events(second)]  # kept: a generator that is thrown away closes its stream
        assert [next(events)["event"] for events in watching] == ["hello", "hello"]
        with _watch(address, place) as third:
            assert (third.status_code, third.headers["Retry-After"]) == (503, "10")

    statuses = set[int]()
    for _ in range(200):
        with _watch(address, place) as again:
            statuses.add(again.status_code)
        if again.status_code == 200:
            break
    assert 200 in statuses


def test_hostile_text_makes_no_event_of_its_own(address: str, board: Board) -> None:
    """Line ends in what a patient said stay inside the data of one event."""
    place = f"{board.epoch}-{board.version}"
    with _watch(address, place) as stream:
        events = _events(stream)
        next(events)
        board.take_all(Story(call_id="h").replies("a\n\nevent: gone\rdata: all\r\n\r\nid: 0-0\n").entries)
        event = next(events)

    assert event["event"] == "card"
    assert event["id"].startswith(board.epoch)
    assert "event: gone" in event["data"]
