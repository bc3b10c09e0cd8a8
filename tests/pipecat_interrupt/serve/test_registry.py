"""The registry: places are kept and given back, and a slow watcher costs nobody but itself."""

from __future__ import annotations

import asyncio

import pytest

from pipecat_interrupt.errors import EnvironmentProblem
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.serve import CallPhase, CallRegistry, Limits, Provider

pytestmark = pytest.mark.unit


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.s = 100.0

    def __call__(self) -> float:
        return self.s


def registry(clock: Clock | None = None, **limits: float) -> CallRegistry:
    return CallRegistry(Limits.model_validate(limits), clock or Clock())


def test_a_promise_keeps_a_place_and_the_next_caller_hears_busy() -> None:
    """The bound counts promised calls: their streams are on their way."""
    calls = registry(calls_max=1)

    first, second = calls.promise(Provider.TWILIO, "CA1"), calls.promise(Provider.TWILIO, "CA2")

    assert first is not None
    assert second is None
    assert calls.full


def test_a_webhook_that_is_sent_again_gets_the_same_place() -> None:
    """Carriers retry; one call must not take two places."""
    calls = registry(calls_max=2)

    assert calls.promise(Provider.TWILIO, "CA1") is calls.promise(Provider.TWILIO, "CA1")
    assert len(calls.calls) == 1


def test_a_stream_that_never_comes_gives_its_place_back() -> None:
    """Thirty seconds are enough to open a stream."""
    clock = Clock()
    calls = registry(clock, calls_max=1, promise_s=30)
    call = calls.promise(Provider.TWILIO, "CA1")
    assert call is not None

    clock.s += 31

    assert calls.begin(call.id) is None
    assert not calls.full
    assert (call.phase, call.reason) == (CallPhase.OVER, "never_came")


def test_one_promise_opens_one_stream() -> None:
    """A second stream with the same token is a stranger's."""
    calls = registry()
    call = calls.promise(Provider.TWILIO, "CA1")
    assert call is not None

    assert calls.begin(call.id) is call
    assert calls.begin(call.id) is None


def test_a_draining_server_promises_nothing_and_keeps_what_it_promised() -> None:
    """Whoever was answered before is served."""
    calls = registry()
    call = calls.promise(Provider.TWILIO, "CA1")
    assert call is not None

    calls.draining = True

    assert calls.promise(Provider.TWILIO, "CA2") is None
    assert calls.begin(call.id) is call


def test_finished_calls_are_remembered_within_their_bound() -> None:
    """The oldest is forgotten."""
    calls = registry(finished_kept=2)

    for name in ("CA1", "CA2", "CA3"):
        call = calls.promise(Provider.TWILIO, name)
        assert call is not None
        calls.over(call, "end")

    assert [call.carrier_id for call in calls.finished] == ["CA2", "CA3"]
    assert calls.calls == ()


async def test_a_watcher_sees_a_call_from_promise_to_end_with_its_journal() -> None:
    """Entries written before the kit was attached are told as well."""
    calls = registry()
    with calls.subscribe() as events:
        call = calls.promise(Provider.TWILIO, "CA1")
        assert call is not None
        calls.begin(call.id)
        calls.attach(call, InterruptKit(call_id=call.id))
        calls.over(call, "end")
        events.close()

        seen = [(event.kind, event.entry.data.kind if event.entry else "") async for event in events]

    assert seen == [("promised", ""), ("began", ""), ("journal", "call_started"), ("over", "")]


async def test_a_slow_watcher_loses_its_oldest_events_and_is_told() -> None:
    """Nobody else waits for it."""
    calls = registry(calls_max=100, events_max=16)
    watcher = calls.subscribe()

    for n in range(20):
        calls.promise(Provider.TWILIO, f"CA{n}")
    watcher.close()

    assert [event.call.carrier_id async for event in watcher][0] == "CA4"
    assert watcher.missed == 4


def test_watchers_are_bounded_and_a_closed_one_makes_room() -> None:
    """One page too many is refused by name."""
    calls = registry(subscribers_max=1)
    first = calls.subscribe()

    with pytest.raises(EnvironmentProblem, match="1 watch"):
        calls.subscribe()
    first.close()

    assert calls.subscribe() is not first


async def test_waiting_for_the_last_call_ends_with_it() -> None:
    """A drain waits for exactly the calls that run."""
    calls = registry()
    call = calls.promise(Provider.TWILIO, "CA1")
    assert call is not None
    waiting = asyncio.ensure_future(calls.wait_until_empty())
    await asyncio.sleep(0)

    assert not waiting.done()
    calls.over(call, "end")

    await asyncio.wait_for(waiting, 5)
