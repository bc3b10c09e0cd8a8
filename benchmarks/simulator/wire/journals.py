"""The journal a bot of ours leaves behind: its wording, its record of what was delivered, its hand-off.

Owns finding the journal of one call. A journal gives the *wording*; what was heard stays with the patient's ear.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from benchmarks.simulator.live.claims import item_ids
from benchmarks.simulator.system import Claims
from benchmarks.simulator.transcript import Turn
from benchmarks.simulator.wire.hearing import pair_with
from benchmarks.simulator.wire.patient import HeardUtterance, agent_turn
from pipecat_interrupt.journal.entries import CallEnded, HandoffMade, JournalEntry, UtteranceEnded
from pipecat_interrupt.replay.errors import RecordingRefused
from pipecat_interrupt.replay.readers.journal import read_journal

NAME = "journal.jsonl"
WAIT_S_MAX = 5.0
POLL_S = 0.1


@dataclass(frozen=True, slots=True)
class BotsJournal:
    """What a call's journal says.

    Parameters:
        said: Each utterance's text and how much of it the bot holds for delivered, in order.
        claims: What the bot holds for closed and open, for the items that cells are about.
    """

    said: tuple[tuple[str, str], ...]
    claims: Claims


def journals_in(folder: Path) -> frozenset[Path]:
    """List the journals below a folder."""
    return frozenset(folder.rglob(NAME)) if folder.is_dir() else frozenset()


async def new_journal(folder: Path, before: frozenset[Path], wait_s: float = WAIT_S_MAX) -> BotsJournal | None:
    """Wait for the one journal that was not there before the call, and read it when the call in it is over.

    Returns:
        None when none came in time, when several did (a bot with other calls), or when it is broken.
    """
    for _ in range(round(wait_s / POLL_S)):
        new = journals_in(folder) - before
        if len(new) == 1:
            entries = _read(next(iter(new)))
            if entries and isinstance(entries[-1].data, CallEnded):
                return _summed(entries)
        await asyncio.sleep(POLL_S)
    return None


def _read(path: Path) -> list[JournalEntry]:
    try:
        return read_journal(path)
    except (RecordingRefused, OSError):
        return []


def _summed(entries: list[JournalEntry]) -> BotsJournal:
    said = tuple(
        (e.data.record.intended, e.data.record.delivered) for e in entries if isinstance(e.data, UtteranceEnded)
    )
    made = next((e.data for e in reversed(entries) if isinstance(e.data, HandoffMade)), None)
    if made is None:
        return BotsJournal(said, Claims())
    known = item_ids()
    left = tuple(i.item_id for i in made.open_items if i.item_id in known)
    closed = tuple(i for i in (*made.answered, *made.delivered, *made.set_aside) if i in known)
    return BotsJournal(said, Claims(closed=closed, open=left, handed_off=left))


def turns_in_its_words(
    heard: list[HeardUtterance], others: list[tuple[float, Turn]], journal: BotsJournal
) -> tuple[list[Turn], int]:
    """Write the turns in the bot's own wording wherever an ear's words fit it.

    Returns:
        The turns in order, and how many utterances fitted no text of the journal.
    """
    texts = [intended for intended, _ in journal.said]
    claimed = dict(journal.said)
    placed: list[tuple[float, int, Turn]] = [(start_s, 1, turn) for start_s, turn in others]
    strange = 0
    for utterance, pair in zip(heard, pair_with(texts, [u.text for u in heard]), strict=True):
        if pair is None:
            strange += 1
            placed.append((utterance.start_s, 0, agent_turn(utterance, utterance.text, utterance.text)))
            continue
        intended, delivered = pair
        turn = agent_turn(utterance, intended, delivered)
        placed.append((utterance.start_s, 0, turn.model_copy(update={"claimed_delivered": claimed[intended]})))
    return [turn for _, _, turn in sorted(placed, key=lambda entry: entry[:2])], strange
