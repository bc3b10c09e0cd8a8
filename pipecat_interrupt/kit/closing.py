"""The end of a call: one hand-off, whatever ended it, and a journal that is closed behind it.

Owns the order at the end: unfinished words, hand-off, last journal entry. Everything happens once; a failing consumer
of the hand-off is logged, and the hand-off stays readable from the kit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from loguru import logger

from obligations.handoff import Handoff
from obligations.tracker import Tracker
from pipecat_interrupt.journal import JournalWriter
from pipecat_interrupt.journal.entries import CallEnded, HandoffMade, LedgerMoved, OpenObligation
from pipecat_interrupt.kit.keeping import CallKeeping
from pipecat_interrupt.steering import WordsTap

SAYS_NO_CAUSE = frozenset({"end", "completed", "hold_limit"})
"""Ends that say how a call was let go; who told it to end says why."""


class CallClosing:
    """Closes one call.

    Args:
        tracker: Gives the hand-off; None when there is no pathway.
        journal: Gets the last entries and is closed.
        now_s: The call's clock.
        words: What the far end said that nobody took up.
        on_handoff: Gets the hand-off.
        keeping: Keeps the call; then the hand-off is given once it is known to be this worker's to give.
    """

    def __init__(
        self,
        tracker: Tracker | None,
        journal: JournalWriter,
        now_s: Callable[[], float],
        words: WordsTap,
        on_handoff: Callable[[Handoff], None] | None = None,
        keeping: CallKeeping | None = None,
    ) -> None:
        self._tracker, self._journal, self._now_s, self._words = tracker, journal, now_s, words
        self._on_handoff, self._keeping = on_handoff, keeping
        self._closed = False
        self.told_to_end = ""
        """Why whoever runs the call told it to end ("drained", "too_long"); "" where nobody did, or the line went."""
        self.handoff: Handoff | None = None

    def over(self, reason: str, said_reason: str | None = None) -> None:
        """The call is over.

        Args:
            reason: How the pipeline ended: "end", "hang_up", "lost".
            said_reason: Why it was ended on purpose, when it was.
        """
        if self._closed:
            return
        self._closed = True
        why = said_reason or reason if reason == "end" else reason
        if reason == "hang_up" and self._tracker is not None and self._tracker.ledger.call.transferred:
            why = "transferred"  # the carrier took the line over to the person, as it was asked to
        elif self.told_to_end and (reason != "end" or why in SAYS_NO_CAUSE):
            why = self.told_to_end  # an end of the call's own, such as a wish for a person, tells more
        if self._tracker is not None:
            self._make_handoff(self._tracker, why)
        open_items = tuple(item.item_id for item in self.handoff.open_items) if self.handoff is not None else ()
        self._journal.write(CallEnded(reason=why, handoff_sha256=self._digest(), open_items=open_items), self._now_s())
        self._journal.close()

    def _make_handoff(self, tracker: Tracker, why: str) -> None:
        try:
            if self._words.words:
                tracker.hearing(self._words.words, self._words.speaker)
            before = tracker.ledger.next_seq
            self.handoff = tracker.handoff(why, self._now_s())
            for event in tracker.ledger.events_since(before):
                self._journal.write(LedgerMoved(event=event.model_dump(mode="json")), self._now_s())
            self._journal.write(handoff_made(self.handoff), self._now_s())
        except Exception as error:
            logger.opt(exception=error).error("the hand-off could not be made")
            return
        if self._keeping is not None:
            self._keeping.finish(why, self._now_s(), self._give)
        else:
            self._give(self.handoff)

    def _give(self, handoff: Handoff) -> None:
        self.handoff = handoff  # a kept call's has its version, and what other workers knew
        if self._on_handoff is not None:
            try:
                self._on_handoff(handoff)
            except Exception as error:
                logger.opt(exception=error).error("a consumer of the hand-off failed")

    def _digest(self) -> str:
        if self.handoff is None:
            return ""
        return hashlib.sha256(self.handoff.model_dump_json().encode()).hexdigest()


def handoff_made(handoff: Handoff) -> HandoffMade:
    """Say in the journal what a hand-off holds, by id and without words of the call."""
    open_items = tuple(
        OpenObligation(
            item_id=item.item_id,
            kind=item.kind,
            critical=item.critical,
            red_flag=item.red_flag,
            reason=item.reason,
            attempts=item.attempts,
            escalation=item.escalation,
        )
        for item in handoff.open_items
    )
    return HandoffMade(
        end_reason=handoff.end_reason,
        complete=handoff.complete,
        open_items=open_items,
        answered=tuple(item.item_id for item in handoff.answers),
        delivered=tuple(item.item_id for item in handoff.delivered),
        set_aside=tuple(item.item_id for item in handoff.set_aside),
        red_flags=tuple(flag.item_id for flag in handoff.red_flags),
        requests=handoff.requests,
    )
