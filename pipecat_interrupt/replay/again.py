"""A live call replayed from its own journal: same facts in, and every derived fact compared with what live wrote.

Owns the split of a journal into *given* facts (what was heard of each utterance, which words came when and whose they
were) and *derived* ones (steps of the ledger, hand-off, verdict and kind of overlaps, wording of moves and notes).
Given facts are taken as they are; derived facts are computed again by the same code and must come out the same, bit for
bit. What does not is listed, never hidden.

Not derived again, because a journal does not hold what they rest on: cut positions (they come from audio), unfinished
transcripts, and the moment at which somebody else started a turn.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from obligations.answers.protocol import AnswerReader, ReplySpeaker
from obligations.answers.reader import LocalAnswerReader
from obligations.ledger.events import GuardTried
from obligations.pathway.models import Pathway
from obligations.steering import STOCK, End, Move, Release, Speak, SteeringPolicy
from obligations.tracker import Reply, Tracker
from pipecat_interrupt.facts import OverlapFact, UtteranceRecord
from pipecat_interrupt.journal import JournalEntry
from pipecat_interrupt.journal.entries import (
    CallEnded,
    CallStarted,
    HandoffMade,
    LedgerMoved,
    MoveMade,
    NoteGiven,
    OverlapJudged,
    PatientTurn,
    UtteranceEnded,
    UtteranceStarted,
)
from pipecat_interrupt.kit.closing import handoff_made
from pipecat_interrupt.replay.again_overlaps import OverlapsAgain
from pipecat_interrupt.steering.settings import SteeringSettings
from pipecat_interrupt.steering.told import delivery_of

STAMP_S_MAX = 0.5
"""A ledger stamps its steps itself, a moment after the journal's entry; further apart the two are not one fact."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One derived fact that came out otherwise.

    Parameters:
        what: ledger, handoff, overlap, move, note.
        where: Which one: a sequence number, an onset.
        live: What live wrote, as short as it tells; no words of the call.
        again: What the replay gives.
    """

    what: str
    where: str
    live: str
    again: str


@dataclass(slots=True)
class Again:
    """What came of replaying a journal.

    Parameters:
        call_id: The call.
        records: Its utterance records, as given.
        overlaps: Every overlap with its last verdict, as live wrote it.
        tracker: The ledger, computed again; None for a call without a pathway.
        compared: How many derived facts were compared, by kind.
        differences: Those that differ.
    """

    call_id: str
    records: list[UtteranceRecord] = field(default_factory=list)
    overlaps: list[OverlapFact] = field(default_factory=list)
    turns: list[tuple[float, PatientTurn]] = field(default_factory=list)
    tracker: Tracker | None = None
    compared: dict[str, int] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)


def replay_journal(
    entries: Sequence[JournalEntry],
    pathway: Pathway | None,
    *,
    reader: AnswerReader | None = None,
    policy: SteeringPolicy | None = None,
    licences: tuple[str, ...] = (),
) -> Again:
    """Replay a journal whose chain has been verified.

    Args:
        entries: All entries of one call, in order.
        pathway: The pathway the call was made with; None replays overlaps alone.
        reader: The answer reader it was made with; the local rules when None.
        policy: The steering policy it was made with; None: the default, or `STOCK` for a call of the system "stock".
        licences: Licences it was made with.

    Raises:
        UnknownLanguage: The pathway has no wording in the call's language.
    """
    return _Again(entries, pathway, reader or LocalAnswerReader(), policy, licences).run()


class _Again:
    def __init__(
        self,
        entries: Sequence[JournalEntry],
        pathway: Pathway | None,
        reader: AnswerReader,
        policy: SteeringPolicy | None,
        licences: tuple[str, ...],
    ) -> None:
        self._entries, self._pathway, self._reader = entries, pathway, reader
        self._policy, self._licences = policy, licences
        self._live = [entry.data.event for entry in entries if isinstance(entry.data, LedgerMoved)]
        self._leads = not any(isinstance(entry.data, NoteGiven) for entry in entries)
        self._known: set[str] = set()
        self._handoff: HandoffMade | None = None
        self.out = Again(entries[0].call_id)
        self._overlaps: OverlapsAgain | None = None

    def run(self) -> Again:
        for entry in self._entries:
            self._take(entry)
        if self.out.tracker is not None and not self.out.tracker.ended:
            # The journal breaks off, as after a crash: what stands open is told all the same.
            self.out.tracker.handoff("lost", self._entries[-1].at_s)
        self._compare_ledger()
        if self._overlaps is not None:
            self.out.overlaps = list(self._overlaps.last)
        return self.out

    def _take(self, entry: JournalEntry) -> None:
        data = entry.data
        if isinstance(data, CallStarted):
            self._begin(data)
        elif isinstance(data, OverlapJudged) and self._overlaps is not None:
            self._overlap(entry.at_s, data.overlap)
        elif isinstance(data, UtteranceEnded):
            self.out.records.append(data.record)
            if self._overlaps is not None:
                self._overlaps.on_record(entry.at_s, data.record)
        elif isinstance(data, UtteranceStarted) and self._overlaps is not None:
            self._overlaps.started(data.utterance_id, data.intended)
        elif isinstance(data, PatientTurn):
            self.out.turns.append((entry.at_s, data))
        if self.out.tracker is not None:
            self._move(entry.at_s, data, self.out.tracker)

    def _begin(self, data: CallStarted) -> None:
        policy = self._policy or (STOCK if data.system == "stock" else None)
        if self._pathway is not None and data.pathway is not None:
            self.out.tracker = Tracker(
                self._pathway,
                call_id=self.out.call_id,
                reader=self._reader,
                language=data.language,
                policy=policy,
                licences=self._licences,
            )
        self._overlaps = OverlapsAgain(data.language, self.out.tracker)

    # ---- the ledger

    def _move(self, at_s: float, data: Any, tracker: Tracker) -> None:
        if isinstance(data, UtteranceStarted):
            self._intend(data.utterance_id, data.intended, at_s, tracker)
            tracker.started(data.utterance_id, self._exact("started", at_s))
        elif isinstance(data, UtteranceEnded):
            self._intend(data.record.id, data.record.intended, at_s, tracker)
            tracker.delivered(delivery_of(data.record), self._exact("delivered", at_s))
        elif isinstance(data, PatientTurn):
            tracker.reply(_reply(data, self._exact("replied", at_s)))
        elif isinstance(data, MoveMade):
            self._moved(at_s, data, tracker)
        elif isinstance(data, NoteGiven):
            self._same("note", f"{at_s:.3f} s", data.text, tracker.note(SteeringSettings().note_chars_max) or "")
        elif isinstance(data, HandoffMade):
            self._handoff = data
        elif isinstance(data, CallEnded):
            self._ended(at_s, data, tracker)

    def _intend(self, utterance_id: str, text: str, at_s: float, tracker: Tracker) -> None:
        if utterance_id not in self._known:
            self._known.add(utterance_id)
            tracker.intended(utterance_id, text, self._exact("intended", at_s))

    def _exact(self, kind: str, at_s: float) -> float:
        """The moment at which live told the ledger: the ledger's own stamp, where the entry caused a step."""
        tracker = self.out.tracker
        if tracker is None:
            return at_s
        self._phase(tracker.ledger.next_seq, at_s)
        begun = tracker.ledger.next_seq
        if begun < len(self._live) and self._live[begun].get("kind") == kind:
            stamped_s = float(self._live[begun]["at_s"])
            return stamped_s if abs(stamped_s - at_s) <= STAMP_S_MAX else at_s
        return at_s

    def _phase(self, begun: int, at_s: float) -> None:
        """Bring forward what reached live's ledger without an entry of its own: outside words, and a phase begun.

        A phase that live began while it only asked what comes next is begun at the same moment.
        """
        tracker = self.out.tracker
        while tracker is not None and begun < len(self._live):
            event = self._live[begun]
            now_s = float(event["at_s"])
            if now_s > at_s + STAMP_S_MAX or not _tell_outside(tracker, event, now_s):
                return
            if tracker.ledger.next_seq == begun:
                return
            begun = tracker.ledger.next_seq

    def _moved(self, at_s: float, data: MoveMade, tracker: Tracker) -> None:
        begun = tracker.ledger.next_seq
        now_s = at_s
        if begun < len(self._live) and self._live[begun].get("kind") == "phase_began":
            began_s = float(self._live[begun]["at_s"])
            now_s = began_s if began_s <= at_s + STAMP_S_MAX else at_s
        move = self._asked(data, now_s, tracker)
        if isinstance(move, Speak):
            told = f"{move.purpose} {','.join(move.item_ids)}"
        elif isinstance(move, End):
            told = f"end {move.reason}"
        elif isinstance(move, Release):
            told = "goodbye " if data.purpose == "goodbye" else f"release {move.why}"
        else:
            told = "nothing"
        said = data.reason if data.purpose in ("end", "release") else ",".join(data.item_ids)
        self._same("move", f"{at_s:.3f} s", f"{data.purpose} {said}", told)

    def _asked(self, data: MoveMade, now_s: float, tracker: Tracker) -> Move | Release | None:
        if data.reason == "time_up":
            tracker.time_up()
        if data.purpose == "release":
            return tracker.may_end("end_frame", now_s)
        if data.purpose == "guard":
            reason = self._guard_reason(tracker)
            if not self._leads or reason not in ("patient_goodbye", "agent_goodbye"):
                return tracker.may_end(reason, now_s)  # pyright: ignore[reportArgumentType] - a reason the ledger wrote
        if self._leads:
            return tracker.next_move(now_s)
        if data.purpose == "goodbye":
            return self._leave_taken(now_s, tracker)
        overdue, said = tracker.overdue(now_s), data.text
        if overdue is not None and overdue.item_ids == data.item_ids:
            return overdue
        in_place = tracker.in_place_of_a_model(now_s)  # where the model had come to nothing
        return in_place if in_place is not None and in_place.text == said else tracker.overdue(now_s)

    def _leave_taken(self, now_s: float, tracker: Tracker) -> Move | Release | None:
        """A goodbye beside a model: the frame's last words, else what is said once the guard has let go."""
        framed = tracker.frame_move(now_s)
        return framed if isinstance(framed, Speak) else tracker.may_end("end_frame", now_s)

    def _guard_reason(self, tracker: Tracker) -> str:
        for event in self._live[tracker.ledger.next_seq :]:
            if event.get("kind") == GuardTried.model_fields["kind"].default:
                return str(event["reason"])
        return "end_frame"

    def _ended(self, at_s: float, data: CallEnded, tracker: Tracker) -> None:
        self._phase(tracker.ledger.next_seq, at_s)
        for event in self._live[tracker.ledger.next_seq :]:
            if event.get("kind") == "words_left":
                tracker.hearing(str(event["text"]), ReplySpeaker(event["speaker"]))
        now_s = float(self._live[-1]["at_s"]) if self._live else at_s
        handoff = tracker.handoff(data.reason, now_s)
        digest = hashlib.sha256(handoff.model_dump_json().encode()).hexdigest()
        if data.handoff_sha256:
            self._same("handoff", "the end", data.handoff_sha256, digest)
        if self._handoff is not None:
            self._same("handoff", "by id", self._handoff.model_dump_json(), handoff_made(handoff).model_dump_json())
        opened = ",".join(item.item_id for item in handoff.open_items)
        self._same("handoff", "open items", ",".join(data.open_items), opened)

    def _compare_ledger(self) -> None:
        tracker = self.out.tracker
        if tracker is None:
            return
        again = [event.model_dump(mode="json") for event in tracker.events]
        for index in range(max(len(self._live), len(again))):
            live = self._live[index] if index < len(self._live) else {}
            ours = again[index] if index < len(again) else {}
            self._same("ledger", f"event {index}", _canonical(live), _canonical(ours), _told(live), _told(ours))

    def _overlap(self, at_s: float, fact: OverlapFact) -> None:
        assert self._overlaps is not None
        ours = self._overlaps.judged(at_s, fact)
        if ours is None:
            return
        for name in ("kind", "trp", "verdict", "speaker", "reason"):
            self._same("overlap", f"{name} at {fact.onset_s:.3f} s", str(getattr(fact, name)), str(getattr(ours, name)))

    def _same(
        self, what: str, where: str, live: str, again: str, live_told: str | None = None, again_told: str | None = None
    ) -> None:
        self.out.compared[what] = self.out.compared.get(what, 0) + 1
        if live != again:
            hide = what == "note"
            told = ("a note", "another note") if hide else (live_told or live, again_told or again)
            self.out.differences.append(Difference(what, where, *told))


def _reply(data: PatientTurn, now_s: float) -> Reply:
    speaker = ReplySpeaker(data.speaker)
    if speaker is ReplySpeaker.THIRD_PARTY and data.onset_utterance_id is None:
        return Reply(text=data.text, now_s=now_s, speaker=speaker, label="third party", spoken_s=data.spoken_s)
    return Reply(
        text=data.text,
        now_s=now_s,
        speaker=speaker,
        onset_during=data.onset_utterance_id,
        heard_chars_at_onset=data.heard_chars_at_onset,
        by_voice=data.by_voice,
        spoken_s=data.spoken_s,
        unconfirmed=data.unconfirmed,
    )


def _tell_outside(tracker: Tracker, event: dict[str, Any], now_s: float) -> bool:
    """Tell the ledger what live was told from outside; False for an event that has a cause in the journal."""
    kind = event.get("kind")
    if kind == "signal_given":
        tracker.signal(str(event["precondition_id"]), bool(event["holds"]), now_s)
    elif kind == "signal_awaited":
        tracker.await_signal(str(event["precondition_id"]), float(event["until_s"]), now_s)
    elif kind == "transfer_tried":
        tracker.transferred(event["reason"], event["escalation"], bool(event["accepted"]), now_s, str(event["detail"]))
    elif kind == "phase_began":
        before = tracker.ledger.next_seq
        tracker.next_move(now_s)
        if tracker.ledger.next_seq == before:
            tracker.may_end("end_frame", now_s)
    else:
        return False
    return True


def _canonical(event: dict[str, Any]) -> str:
    import json

    return json.dumps(event, sort_keys=True, ensure_ascii=False)


def _told(event: dict[str, Any]) -> str:
    """An event without its words."""
    kept = ("kind", "seq", "at_s", "item_id", "step", "utterance_id", "phase", "reply_id", "value", "reason")
    return (
        " ".join(f"{name}={event[name]}" for name in kept if event.get(name) is not None and name != "value") or "none"
    )
