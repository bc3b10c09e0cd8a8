"""Acknowledgements: only approved or checked lines are ever spoken, and never late."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from pipecat_interrupt.steering.acknowledge import (
    ChoosingAcknowledger,
    PathwayAcknowledger,
    WritingAcknowledger,
    acknowledged,
)
from pipecat_interrupt.testing import run_virtual

pytestmark = pytest.mark.unit

APPROVED = ("Thank you.", "All right.")


async def test_the_pathways_line_needs_no_model() -> None:
    """Without a model the default is said."""
    assert await acknowledged(PathwayAcknowledger(), "no", "Thank you.", APPROVED, "en") == "Thank you."


async def test_a_model_may_pick_but_not_invent() -> None:
    """An approved pick is said; anything else gives way to the default."""

    async def good(reply: str, lines: Sequence[str]) -> str:
        return "All right."

    async def inventive(reply: str, lines: Sequence[str]) -> str:
        return "You'll be fine."

    assert await acknowledged(ChoosingAcknowledger(good), "no", "Thank you.", APPROVED, "en") == "All right."
    assert await acknowledged(ChoosingAcknowledger(inventive), "no", "Thank you.", APPROVED, "en") == "Thank you."


async def test_what_a_model_writes_is_checked_and_the_refusal_reported() -> None:
    """A bare line passes; one that reassures is replaced, and its hazard named."""
    refused: list[tuple[str, ...]] = []

    async def bare(reply: str) -> str:
        return "I see."

    async def soothing(reply: str) -> str:
        return "I'm sure you'll be fine tomorrow."

    assert await acknowledged(WritingAcknowledger(bare), "no", "Thank you.", APPROVED, "en") == "I see."
    kind = WritingAcknowledger(soothing, refused.append)
    assert await acknowledged(kind, "no", "Thank you.", APPROVED, "en") == "Thank you."
    assert refused == [("reassures",)]


def test_a_slow_or_broken_model_costs_at_most_its_bound() -> None:
    """After one second of waiting, or at a failure, the default is said."""

    async def slow(reply: str) -> str:
        await asyncio.sleep(60)
        return "I see."

    async def broken(reply: str) -> str:
        raise ConnectionError

    async def call() -> tuple[str, str, float]:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        late = await acknowledged(WritingAcknowledger(slow), "no", "Thank you.", APPROVED, "en")
        waited = loop.time() - begun
        return late, await acknowledged(WritingAcknowledger(broken), "no", "Thank you.", APPROVED, "en"), waited

    late, failed, waited = run_virtual(call)

    assert (late, failed) == ("Thank you.", "Thank you.")
    assert waited == pytest.approx(1.0, abs=0.01)


async def test_nothing_is_said_where_the_pathway_says_nothing() -> None:
    """An empty default means no reaction is called for, and no model is asked."""

    async def chatty(reply: str) -> str:
        return "I see."

    assert await acknowledged(WritingAcknowledger(chatty), "no", "", APPROVED, "en") == ""
