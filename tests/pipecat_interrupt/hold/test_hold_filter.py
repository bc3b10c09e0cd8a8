"""The filter in the transport's slot, alone."""

from __future__ import annotations

import asyncio

import pytest

from pipecat_interrupt.hold import HoldFilter
from pipecat_interrupt.hold.filter import BLOCK_S_MAX, DISCARD_S_MAX
from pipecat_interrupt.testing import run_virtual

pytestmark = pytest.mark.unit

A, B = b"\x01\x00" * 640, b"\x02\x00" * 640


def test_an_open_filter_changes_nothing():
    """Audio passes as it came."""

    async def main():
        held = HoldFilter()
        await held.start(16000)
        return await held.filter(A)

    assert run_virtual(main) == A


def test_a_blocked_chunk_passes_on_release():
    """The same bytes, later."""

    async def main():
        held = HoldFilter()
        await held.start(16000)
        held.block()
        waiting = asyncio.create_task(held.filter(A))
        await asyncio.sleep(1.0)
        before = waiting.done()
        held.release()
        return before, await waiting

    assert run_virtual(main) == (False, A)


def test_a_dropped_chunk_is_empty_and_the_next_passes():
    """Only the chunk that waited is dropped."""

    async def main():
        held = HoldFilter()
        await held.start(16000)
        held.block()
        waiting = asyncio.create_task(held.filter(A))
        await asyncio.sleep(0.1)
        held.drop(discard=False, now_s=asyncio.get_running_loop().time())
        return await waiting, await held.filter(B)

    assert run_virtual(main) == (b"", B)


def test_a_drop_with_nothing_waiting_drops_nothing():
    """The queue had been emptied already; the next chunk is new speech."""

    async def main():
        held = HoldFilter()
        await held.start(16000)
        held.block()
        held.drop(discard=False, now_s=asyncio.get_running_loop().time())
        return await held.filter(B)

    assert run_virtual(main) == B


def test_discarding_ends_with_the_cut_utterance_or_after_its_bound():
    """Swallowed until told otherwise, at most for the bound."""

    async def main():
        loop = asyncio.get_running_loop()
        held = HoldFilter()
        await held.start(16000)
        held.drop(discard=True, now_s=loop.time())
        first = await held.filter(A)
        held.end_discard()
        second = await held.filter(A)
        held.drop(discard=True, now_s=loop.time())
        await asyncio.sleep(DISCARD_S_MAX + 0.001)
        return first, second, await held.filter(B), held.discarding

    assert run_virtual(main) == (b"", A, B, False)


def test_a_forgotten_hold_lets_go_by_itself():
    """Whatever became of the controller, silence has a bound."""

    async def main():
        loop = asyncio.get_running_loop()
        held = HoldFilter()
        await held.start(16000)
        held.block()
        start_s = loop.time()
        audio = await held.filter(A)
        return audio, loop.time() - start_s, held.blocked

    audio, waited_s, blocked = run_virtual(main)
    assert (audio, waited_s, blocked) == (A, BLOCK_S_MAX, False)


def test_a_stopped_transport_frees_the_filter():
    """Stop releases whoever waits."""

    async def main():
        held = HoldFilter()
        held.block()
        waiting = asyncio.create_task(held.filter(A))
        await asyncio.sleep(0.1)
        await held.stop()
        return await waiting

    assert run_virtual(main) == A
