"""Our own journal as a timeline, for pages and transcripts: what was heard and said, placed as well as it is known.

Owns the placing of words for which a journal has no times. The verdicts of a journal's replay do not come from here:
`pipecat_interrupt.replay.again` replays the facts themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pipecat_interrupt.journal import ChainError, JournalEntry, read_jsonl, verify_chain
from pipecat_interrupt.journal.entries import CallEnded, CallStarted, OverlapJudged, PatientTurn, UtteranceEnded
from pipecat_interrupt.replay.errors import RecordingRefused
from pipecat_interrupt.replay.settings import TEXT_BYTES_MAX
from pipecat_interrupt.replay.values import Note, Piece, Timeline, spread

SPOKEN_CHARS_PER_S = 15.0
"""How fast a reply without times is taken to have been spoken: own choice, the pace of read English."""

TURN_GAP_S = 0.6
"""From the end of a reply to the journal's entry of it: voice stop and turn gap of the kit's defaults."""


def read_journal(path: Path) -> list[JournalEntry]:
    """Read a journal and check its chain.

    Raises:
        RecordingRefused: It is too large, no journal, empty, or its chain is broken.
    """
    size = path.stat().st_size
    if size > TEXT_BYTES_MAX:
        raise RecordingRefused("too_large", path.name, f"{size} bytes; a journal has at most {TEXT_BYTES_MAX}")
    try:
        entries = read_jsonl(path)
        verify_chain(entries, path.name)
    except (ChainError, ValueError, RecursionError) as error:
        first = str(error).partition("\n")[0] if isinstance(error, ChainError) else "it is no journal"
        raise RecordingRefused("broken_journal", path.name, f"{first}; see `journal verify`") from error
    if not entries or not isinstance(entries[0].data, CallStarted):
        raise RecordingRefused("broken_journal", path.name, "it does not begin with call_started")
    return entries


def timeline_of(entries: Sequence[JournalEntry]) -> Timeline:
    """Place a journal's words on a timeline; times of words are spread, and say so."""
    agent: list[Piece] = []
    far: list[Piece] = []
    language, ended, last_s = None, "not_recorded", 0.0
    taken: dict[tuple[str | None, int | None], tuple[float, float | None]] = {}
    for entry in entries:
        last_s, data = max(last_s, entry.at_s), entry.data
        if isinstance(data, CallStarted):
            language = data.language
        elif isinstance(data, CallEnded):
            ended = data.reason
        elif isinstance(data, UtteranceEnded) and data.record.started_s is not None and data.record.delivered.strip():
            record = data.record
            start_s = record.started_s or 0.0
            end_s = start_s + (record.cut.ms if record.cut is not None else record.written_ms) / 1000
            words = spread(record.delivered, start_s, max(end_s, start_s + 0.01))
            agent.append(Piece(words, intended=record.intended, exact=False))
        elif isinstance(data, OverlapJudged):
            fact = data.overlap
            taken[(fact.utterance_id, fact.heard_chars_at_onset)] = (fact.onset_s, fact.ended_s)
            refused = fact.verdict in ("backchannel", "noise", "echo", "third_party", "hesitation")
            if fact.words.strip() and refused and fact.decided_s is not None:
                words = spread(fact.words, fact.onset_s, fact.ended_s or fact.decided_s)
                far.append(Piece(words, exact=False))
        elif isinstance(data, PatientTurn) and data.text.strip():
            onset = taken.get((data.onset_utterance_id, data.heard_chars_at_onset))
            far.append(_turn(data.text, entry.at_s, onset if data.onset_utterance_id is not None else None))
    note = Note("times_spread", "a journal times utterances and turns, not words: word times are spread by letters")
    return Timeline(
        entries[0].call_id,
        tuple(sorted(agent, key=lambda piece: piece.start_s)),
        tuple(sorted(far, key=lambda piece: piece.start_s)),
        last_s,
        language,
        (note,),
        ended=ended,
    )


def _turn(text: str, at_s: float, onset: tuple[float, float | None] | None) -> Piece:
    end_s = max(0.1, at_s - TURN_GAP_S)
    start_s = onset[0] if onset is not None else max(0.0, end_s - len(text) / SPOKEN_CHARS_PER_S)
    if onset is not None and onset[1] is not None:
        end_s = onset[1]
    return Piece(spread(text, min(start_s, end_s - 0.05), end_s), exact=False)
