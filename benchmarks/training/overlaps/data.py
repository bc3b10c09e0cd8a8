"""Real overlaps as evidence at a moment: what a live judge would know, and no more.

Owns the file's form and the two views. A word is known from its end on; voice activity one window of the detector late.

- *streaming*: the verdict falls `WAIT_S` after the first word's end, on the words known by then.
- *whole*: the verdict falls when the overlapping utterance is over, on all its words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.errors import UnreadableRow
from benchmarks.rows import read_json_rows
from pipecat_interrupt.overlap.evidence import AgentFloor, CallerBefore, Evidence, TextStatus, TimedWord
from pipecat_interrupt.overlap.model.features import listens_only

WAIT_S = 0.4
"""Seconds after the first word's end at which the streaming verdict falls."""

VAD_LAG_S = 0.032
"""One window of Silero: voice must have gone on this long before a live detector can know of it."""

BACKCHANNEL = "backchannel"
ACKNOWLEDGED = "ack_or_answer"
FLOOR_TAKING = frozenset({"statement", "question", "floor_grabber"})
"""Gold classes that count as turn-takes; acknowledgements, answers, holds and the rest are not scored."""

Word = tuple[float, float, str]


@dataclass(frozen=True, slots=True)
class OverlapRow:
    """One overlap of the file.

    Parameters:
        meeting: Meeting id.
        onset_s: Seconds into the meeting.
        other: Id of the overlapping person.
        said: What the floor holder had said.
        unsaid: What the holder still said or meant to say.
        words: (start, end, word), seconds from the onset, as recognised; sounds that ended before it are left out.
        gold: Class from the annotators' tags.
        spoken: When sound was made, (start, end) a word, whatever became of the words.
        before: The same person's overlap before this one; None for their first in the meeting.
    """

    meeting: str
    onset_s: float
    other: str
    said: str
    unsaid: str
    words: tuple[Word, ...]
    gold: str
    spoken: tuple[tuple[float, float], ...]
    before: CallerBefore | None = None

    @property
    def scored(self) -> bool:
        """Whether the row counts in the figures."""
        return self.gold == BACKCHANNEL or self.gold in FLOOR_TAKING

    @property
    def takes_floor(self) -> bool:
        """Gold: whether the overlapper takes the floor."""
        return self.gold in FLOOR_TAKING

    @property
    def decision_s(self) -> float:
        """When the streaming verdict falls, seconds from the onset: by the first word spoken, recognised or not."""
        return self.spoken[0][1] + WAIT_S

    @property
    def end_s(self) -> float:
        """End of the last word spoken."""
        return max(end for _, end in self.spoken)


def read_rows(path: Path) -> list[OverlapRow]:
    """Read a file of overlaps, with what each person's overlap before was.

    Raises:
        MissingData: The file is not there.
        UnreadableRow: A line is no overlap row; the message names file and line.
    """
    rows: list[OverlapRow] = []
    for number, raw in read_json_rows(path):
        try:
            rows.append(_row(raw))
        except KeyError as error:
            raise UnreadableRow(path, number, f"not an overlap row: no {error.args[0]!r}") from None
        except (TypeError, ValueError, IndexError) as error:
            raise UnreadableRow(path, number, f"not an overlap row: {error}") from None
    return _with_before(rows)


def _row(raw: dict[str, object]) -> OverlapRow:
    listed = raw["other_words"]
    if not isinstance(listed, list) or not listed:
        raise ValueError("other_words is empty")
    words = tuple((float(a), float(b), str(w)) for a, b, w in listed)
    kept = tuple(word for word in words if word[1] > 0) or words[-1:]
    return OverlapRow(
        str(raw["meeting"]),
        float(str(raw["onset"])),
        str(raw["other"]),
        str(raw["said"]),
        str(raw["unsaid"]),
        kept,
        str(raw["gold"]),
        tuple((start, end) for start, end, _ in kept),
    )


def _with_before(rows: Sequence[OverlapRow]) -> list[OverlapRow]:
    """Attach to each row the same person's last overlap that was over by its onset."""
    by_person: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for index, row in enumerate(rows):
        by_person[row.meeting, row.other].append(index)
    out = list(rows)
    for theirs in by_person.values():
        theirs.sort(key=lambda index: rows[index].onset_s)
        for place, index in enumerate(theirs):
            row = rows[index]
            past = [rows[i] for i in theirs[:place] if rows[i].onset_s + rows[i].end_s <= row.onset_s + 0.05]
            if past:
                last = past[-1]
                before = CallerBefore(
                    since_s=max(0.0, row.onset_s - last.onset_s - last.end_s),
                    listened=listens_only([word for _, _, word in last.words]),
                    recent=sum(row.onset_s - p.onset_s < CallerBefore.WINDOW_S for p in past),
                )
                out[index] = replace(row, before=before)
    return out


def streaming_evidence(row: OverlapRow, wait_s: float = WAIT_S) -> Evidence:
    """What is known `wait_s` after the first word's end."""
    now_s = row.decision_s - WAIT_S + wait_s
    known = [word for word in row.words if word[1] <= now_s + 1e-9]
    voiced = [(start, min(end, now_s)) for start, end in row.spoken if start <= now_s - VAD_LAG_S or end <= now_s]
    going_on = any(start <= now_s - VAD_LAG_S and end > now_s + 1e-9 for start, end in row.spoken)
    return _evidence(row, known, now_s, sum(end - start for start, end in voiced), going_on, TextStatus.INTERIM)


def whole_evidence(row: OverlapRow) -> Evidence:
    """What is known when the utterance is over: its words and nothing behind it."""
    voiced = sum(end - start for start, end in row.spoken)
    return _evidence(row, row.words, row.end_s, voiced, False, TextStatus.FINAL)


def without_times(evidence: Evidence) -> Evidence:
    """The same evidence from a recogniser that gives no word times."""
    return replace(evidence, words=tuple(TimedWord(word.text) for word in evidence.words))


def _evidence(
    row: OverlapRow, words: Sequence[Word], now_s: float, voiced_s: float, voice_on: bool, status: TextStatus
) -> Evidence:
    return Evidence(
        words=tuple(TimedWord(text, start, end) for start, end, text in words),
        status=status,
        since_onset_s=max(0.0, now_s),
        voiced_s=voiced_s,
        speech_active=voice_on,
        floor=AgentFloor(delivered_text=row.said, remaining_text=row.unsaid),
        language="en",
        before=row.before,
    )
