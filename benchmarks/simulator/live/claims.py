"""What a live system says of itself: its delivery record and its ledger, in the form the checks read."""

from __future__ import annotations

from collections.abc import Sequence, Set
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


def with_recorded(
    turns: Sequence[Turn], records: Sequence[UtteranceRecord], context_ids: Sequence[Set[str]]
) -> tuple[Turn, ...]:
    """Put the recorder's delivered text beside each agent turn.

    A record goes to the turn with its synthesis id. Records of what no voice ever took up have none: they go by their
    words, in the order of the utterances, to the turns that are left. A turn without a record is claimed as nothing.

    Args:
        turns: The turns; agent turns in the order of the utterances.
        records: The recorder's.
        context_ids: The synthesis ids of each agent turn.
    """
    agents = [turn for turn in turns if isinstance(turn, AgentTurn)]
    left = [record for record in records if record.context_id is None]
    by_id = {record.context_id: record for record in records if record.context_id is not None}
    own = [
        next((by_id[key] for key in keys if key in by_id and _same_words(by_id[key], turn)), None)
        for turn, keys in zip(agents, context_ids, strict=True)
    ]
    claimed = iter([record or _take(left, turn) for record, turn in zip(own, agents, strict=True)])
    return tuple(
        turn.model_copy(update={"claimed_delivered": record.delivered if (record := next(claimed)) else ""})
        if isinstance(turn, AgentTurn)
        else turn
        for turn in turns
    )


def _same_words(record: UtteranceRecord, turn: AgentTurn) -> bool:
    return bare_words(record.intended) == bare_words(turn.intended)


def _take(left: list[UtteranceRecord], turn: AgentTurn) -> UtteranceRecord | None:
    place = next((place for place, record in enumerate(left) if _same_words(record, turn)), None)
    return None if place is None else left.pop(place)


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
