"""What a live system says of itself: its delivery record and its ledger, in the form the checks read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.cells import load_references
from benchmarks.simulator.system import Claims
from benchmarks.simulator.transcript import AgentTurn, Turn
from benchmarks.simulator.words import bare_words
from pipecat_interrupt.facts import UtteranceRecord
from pipecat_interrupt.kit import InterruptKit


def item_ids() -> frozenset[str]:
    """Name every item a cell may be about."""
    references = load_references()
    return frozenset(references.questions) | {p for faq in references.faqs.values() for p in faq.points}


def kit_claims(kit: InterruptKit) -> Claims:
    """Give what the kit's ledger and hand-off say, for the items that cells are about."""
    known = item_ids()
    owed = [o for o in kit.summary().obligations if o.id in known]
    handoff = kit.handoff
    return Claims(
        closed=tuple(o.id for o in owed if o.closed),
        open=tuple(o.id for o in owed if not o.closed),
        handed_off=None if handoff is None else tuple(i.item_id for i in handoff.open_items if i.item_id in known),
    )


def with_recorded(turns: Sequence[Turn], records: Sequence[UtteranceRecord]) -> tuple[Turn, ...]:
    """Put the recorder's delivered text beside each agent turn; records come in the order of the utterances."""
    left = list(records)

    def claimed(turn: AgentTurn) -> str | None:
        for place, record in enumerate(left):
            if bare_words(record.intended) == bare_words(turn.intended):
                return left.pop(place).delivered
        return None

    return tuple(
        turn.model_copy(update={"claimed_delivered": claimed(turn)}) if isinstance(turn, AgentTurn) else turn
        for turn in turns
    )


def with_history(turns: Sequence[Turn], messages: Sequence[dict[str, Any]]) -> tuple[Turn, ...]:
    """Put what the model's history says beside each agent turn: the only record stock Pipecat keeps."""
    said = [str(m.get("content") or "") for m in messages if m.get("role") == "assistant"]
    at = 0
    placed: list[Turn] = []
    for turn in turns:
        if not isinstance(turn, AgentTurn):
            placed.append(turn)
            continue
        words = bare_words(turn.intended)
        found = next((i for i in range(at, len(said)) if _agrees(bare_words(said[i]), words)), None)
        if found is None:
            placed.append(turn.model_copy(update={"claimed_delivered": ""}))
            continue
        at = found + 1
        count = len(bare_words(said[found]))
        placed.append(turn.model_copy(update={"claimed_delivered": _first_words(turn.intended, count)}))
    return tuple(placed)


def _agrees(history: list[str], intended: list[str]) -> bool:
    return bool(history) and history == intended[: len(history)]


def _first_words(text: str, count: int) -> str:
    kept: list[str] = []
    for word in text.split(" "):
        if count <= 0:
            break
        kept.append(word)
        count -= len(bare_words(word))
    return " ".join(kept)
