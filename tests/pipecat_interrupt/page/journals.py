"""Small journals for tests, written fact by fact through the real writer."""

from __future__ import annotations

from typing import Any

from pipecat_interrupt.facts import OverlapFact, UtteranceRecord
from pipecat_interrupt.facts.models import Cut
from pipecat_interrupt.journal import JournalEntry, JournalWriter, MemorySink
from pipecat_interrupt.journal.entries import (
    CallEnded,
    CallStarted,
    GateWords,
    HoldChanged,
    LedgerMoved,
    MoveMade,
    NamedItem,
    OverlapJudged,
    PathwayNamed,
    PatientTurn,
    Trouble,
    UtteranceEnded,
    UtteranceStarted,
)


class Story:
    """One call; every method lets a second pass and returns the story."""

    def __init__(
        self,
        *,
        call_id: str = "c1",
        pathway: str = "Follow-up",
        item: str = "escalation",
        wording: str = "If it gets worse, call us.",
        notice: str = "no speaker gate",
        named: bool = True,
    ) -> None:
        self.item, self._at_s, self._utterances, self._seq = item, 0.0, 0, 0
        self.sink = MemorySink()
        self.writer = JournalWriter(call_id, (self.sink,))
        self.write(CallStarted(pathway=pathway, notices=(notice,)))
        if named:
            items = (NamedItem(id=item, item="point", critical=True, wording=wording),)
            self.write(PathwayNamed(title=pathway, items=items))

    @property
    def entries(self) -> list[JournalEntry]:
        return self.sink.entries

    def write(self, payload: Any) -> Story:
        self.writer.write(payload, self._at_s)
        return self

    def pause(self, seconds: float = 1.0) -> Story:
        self._at_s += seconds
        return self

    def ledger(self, **event: Any) -> Story:
        self._seq += 1
        return self.write(LedgerMoved(event={"v": 1, "seq": self._seq, "at_s": self._at_s, **event}))

    def owes(self) -> Story:
        return self.ledger(kind="item_step", item_id=self.item, step="opened")

    def begins(self, intended: str) -> Story:
        self._utterances += 1
        self.write(UtteranceStarted(utterance_id=f"u{self._utterances}", intended=intended))
        span = {"id": self.item, "start": 0, "end": len(intended), "need_end": len(intended)}
        self.ledger(kind="intended", utterance_id=f"u{self._utterances}", text=intended, spans=[span])
        return self.ledger(kind="started", utterance_id=f"u{self._utterances}")

    def says(self, intended: str, *, heard: str | None = None, by: str = "wait") -> Story:
        """An utterance of two seconds; with `heard` it was cut behind that by a voice one second in."""
        self.begins(intended)
        begun_s = self._at_s
        self.pause(2.0)
        overlap = cut = None
        delivered = intended
        if heard is not None and heard != intended:
            delivered = heard
            words = len(heard.split())
            overlap = OverlapFact(
                onset_s=begun_s + 1,
                verdict="question",
                speaker="primary",
                words=by,
                utterance_id=f"u{self._utterances}",
            )
            self.write(OverlapJudged(overlap=overlap))
            cut = Cut(chars=len(heard), words=words, ms=1000, exactness="exact")
        record = UtteranceRecord(
            id=f"u{self._utterances}",
            intended=intended,
            delivered=delivered,
            undelivered=intended[len(delivered) :],
            cut=cut,
            overlap=overlap,
            started_s=begun_s,
            ended_s=self._at_s,
            end_reason="interruption" if cut else "complete",
            written_ms=2000,
        )
        return self.write(UtteranceEnded(record=record))

    def overlaps(self, verdict: str, words: str = "", speaker: str = "primary") -> Story:
        fact = OverlapFact.model_validate(
            {
                "onset_s": self._at_s,
                "verdict": verdict,
                "speaker": speaker,
                "words": words,
                "decided_s": self._at_s + 0.5,
            }
        )
        return self.write(OverlapJudged(overlap=fact)).pause()

    def replies(self, text: str, speaker: str = "primary", *, unconfirmed: bool = False) -> Story:
        self.pause()
        return self.write(PatientTurn(text=text, speaker=speaker, unconfirmed=unconfirmed))

    def gate(self, words: str, standing: str = "third_party", action: str = "ignore") -> Story:
        return self.write(GateWords(words=words, standing=standing, action=action, relevance=words, reason=words))

    def hold(self, action: str) -> Story:
        return self.write(HoldChanged(action=action, reason="overlap"))

    def move(self, text: str, purpose: str = "return") -> Story:
        return self.write(MoveMade(purpose=purpose, item_ids=(self.item,), text=text, reason=text))

    def trouble(self, where: str) -> Story:
        return self.write(Trouble(where=where, error=where, safe_side=where))

    def ends(self, reason: str = "completed") -> Story:
        self.pause()
        return self.write(CallEnded(reason=reason))
