"""What the agent meant to say: replies of the model and fixed wordings, before any voice has taken them up.

Owns the written text and which part of it belongs to which utterance. A reply is normally one utterance; a voice that
opens a new synthesis in mid-reply makes two, and each gets its own slice: no character twice, none lost.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from pipecat_interrupt.delivery.account import Account
from pipecat_interrupt.delivery.written import count_words, fold

INTENT_CHARS_MAX = 100_000
"""Text of one reply beyond this is not kept; nobody hears 100,000 characters in one breath."""

INTENTS_MAX = 256
"""Replies and wordings waiting at once; beyond it the oldest idle one is settled as lost."""

CANCEL_WINDOW_S = 0.02
"""A model that is stopped says "end of reply" itself on its way out: an end this close before a stop is none."""

CUT_CONTEXTS_MAX = 64
"""Contexts cut last whose remnants are still recognised; a voice sends them within a second, not after 64 cuts."""

LOST_AFTER_S = 1.0
"""A reply whose end came out of the output without any audio is given this long before it counts as lost."""

_MATCH_LETTERS = 40


@dataclass(slots=True)
class Claim:
    """The slice of an intent that one utterance speaks; `end` is None while it may still grow."""

    account: Account
    start: int
    end: int | None = None


@dataclass(slots=True)
class Intent:
    """One reply of the model or one fixed wording.

    Parameters:
        kind: "llm" or "speak".
        text: The written text so far.
        complete: Whether the model has finished writing it.
        ended: Whether no more text will come, finished or not.
        completed_at_s: When the model finished.
        ended_downstream_s: When the end of the reply came out of the output in its place; None before.
        claimed: Characters taken by utterances that are settled already.
        voiced: Whether any voice has taken it up.
    """

    kind: Literal["llm", "speak"]
    text: str = ""
    complete: bool = False
    ended: bool = False
    completed_at_s: float | None = None
    protected: bool = False
    append_to_context: bool = True
    cut_by: object | None = None
    ended_downstream_s: float | None = None
    claimed: int = 0
    voiced: bool = False
    claims: list[Claim] = field(default_factory=list[Claim])

    @property
    def rest(self) -> str:
        """Text no settled utterance has taken."""
        return self.text[self.claimed :]

    @property
    def idle(self) -> bool:
        """Whether no utterance speaks it at the moment."""
        return not self.claims

    def add(self, text: str) -> None:
        """The model wrote more."""
        if len(self.text) < INTENT_CHARS_MAX:
            self.text += text

    def skip(self, text: str) -> bool:
        """A block of the reply is shown but never spoken: it is not intended for the ear."""
        block = text.strip()
        at = self.text.find(block, self.claimed) if block else -1
        if at < 0:
            return False
        self.text = self.text[:at] + self.text[at + len(block) :]
        return True

    def matches(self, spoken: str) -> bool:
        """Whether a sentence the voice was given can be the next of this intent."""
        wanted = fold(spoken)[:_MATCH_LETTERS]
        have = fold(self.rest)
        return bool(wanted) and (have.startswith(wanted) if self.kind == "speak" else wanted in have)

    def claim(self, account: Account) -> Claim:
        """Give an utterance what nobody has taken yet; an utterance before it keeps what it was given so far."""
        start = self.claimed
        if self.claims:
            last = self.claims[-1]
            start = self.spoken_end(last)
            last.end = start
        made = Claim(account, start)
        self.claims.append(made)
        self.voiced = True
        return made

    def spoken_end(self, claim: Claim, *, strict: bool = False) -> int:
        """Where the sentences given to the voice for this claim end; -1 if `strict` and one is not found."""
        cursor = claim.start
        for segment in claim.account.segments:
            wanted = segment.text.strip()
            at = self.text.find(wanted, cursor) if wanted else -1
            if at >= 0:
                cursor = at + len(wanted)
            elif strict and wanted:
                return -1
        return cursor

    def intended(self, claim: Claim) -> str:
        """The written text of one utterance, outer white space removed."""
        return self.text[claim.start : claim.end].strip()

    def never_voiced(self, claim: Claim, language: str) -> int:
        """Count the characters at the end of a claim that the voice was never given, when there are words among them.

        Returns:
            0 also when the text was rewritten before the voice, so that nothing can be told.
        """
        if not claim.account.segments or claim.account.early_audio:
            return 0
        cursor = self.spoken_end(claim, strict=True)
        rest = self.text[cursor : claim.end].rstrip() if cursor >= 0 else ""
        return len(rest) if count_words(rest, language) else 0

    def release(self, claim: Claim) -> None:
        """An utterance is settled: what it took is gone."""
        if claim in self.claims:
            self.claims.remove(claim)
        self.claimed = max(self.claimed, claim.end if claim.end is not None else len(self.text))


class Shelf:
    """All intents that are not told to the end, in the order they were meant.

    Args:
        lost: Called with an intent no voice will take up any more.
    """

    def __init__(self, lost: Callable[[Intent], None]) -> None:
        self._lost = lost
        self._intents: list[Intent] = []
        self._reply: Intent | None = None
        self._stopping_until_s = float("-inf")

    def __iter__(self) -> Iterator[Intent]:
        """Go through the intents, safe against changes meanwhile."""
        return iter(list(self._intents))

    def __len__(self) -> int:
        return len(self._intents)

    # -- the model's side ----------------------------------------------------------------------------------------

    def reply_started(self) -> Intent:
        """The model begins a reply."""
        self._reply = self._add(Intent("llm"))
        return self._reply

    def reply_text(self, text: str) -> None:
        """The model wrote text that is to be spoken."""
        (self._reply or self.reply_started()).add(text)

    def reply_ended(self, now_s: float) -> None:
        """The model finished its reply."""
        if self._reply is not None:
            self._reply.complete, self._reply.completed_at_s = now_s > self._stopping_until_s, now_s
        self.close_reply()

    def speak(self, text: str, *, protected: bool, append_to_context: bool) -> None:
        """A fixed wording is to be spoken."""
        self._add(
            Intent(
                "speak",
                text=text,
                complete=True,
                ended=True,
                protected=protected,
                append_to_context=append_to_context,
            )
        )

    def mark(self, key: object, now_s: float) -> None:
        """An interruption hits everything meant so far."""
        self.close_reply()
        for intent in self._intents:
            if intent.completed_at_s is not None and now_s - intent.completed_at_s <= CANCEL_WINDOW_S:
                intent.complete = False
            if intent.cut_by is None and not intent.protected:
                intent.cut_by = key

    def close_reply(self) -> None:
        """Whatever the model writes next belongs to another reply."""
        if self._reply is not None:
            self._reply.ended = True
            self._reply = None

    def stopping(self, now_s: float) -> None:
        """An interruption from below is on its way up to the model: an end of reply that follows at once is none."""
        self._stopping_until_s = now_s + CANCEL_WINDOW_S

    # -- the voice's side ----------------------------------------------------------------------------------------

    def find(self, text: str | None, *, guess: bool = True) -> Intent | None:
        """Find what a voice is about to speak: by its first sentence, else the first intent that waits for a voice.

        Args:
            text: The first sentence, when it is known.
            guess: Whether an intent that only waits may be taken.
        """
        waiting = [i for i in self._intents if i.cut_by is None or i.protected]
        found: Intent | None = None
        if text is not None:
            found = next((i for i in waiting if i.kind == "speak" and i.idle and i.matches(text)), None)
            found = found or next((i for i in waiting if i.kind == "llm" and i.matches(text)), None)
        if found is None and guess:
            found = next((i for i in waiting if i.idle and i.rest.strip()), None)
        return found

    def skipped(self, text: str) -> Intent | None:
        """A block is shown, not spoken; give the intent it was taken out of."""
        return next((i for i in self._intents if i.kind == "llm" and i.skip(text)), None)

    # -- the end -------------------------------------------------------------------------------------------------

    def reply_over(self, now_s: float) -> None:
        """The end of a reply came out of the output in its place."""
        for intent in self._intents:
            if intent.kind == "llm" and intent.ended and intent.ended_downstream_s is None:
                intent.ended_downstream_s = now_s
                return

    def remove(self, intent: Intent) -> bool:
        """Take an intent off the shelf; False when it was gone already."""
        if intent not in self._intents:
            return False
        self._intents.remove(intent)
        return True

    def sweep(self, now_s: float | None) -> None:
        """Drop intents that are told to the end, and give up those the voice passed over."""
        for intent in self:
            if not intent.idle or not intent.ended or intent.cut_by is not None:
                continue
            if not intent.rest.strip():
                self.remove(intent)
            elif self._overtaken(intent) or (now_s is not None and self._silent_for(intent, now_s) >= LOST_AFTER_S):
                self._lost(intent)

    @property
    def waits(self) -> bool:
        """Whether time alone may settle an intent."""
        return any(i.ended_downstream_s is not None and i.idle for i in self._intents)

    @staticmethod
    def _silent_for(intent: Intent, now_s: float) -> float:
        return now_s - intent.ended_downstream_s if intent.ended_downstream_s is not None else 0.0

    def _overtaken(self, intent: Intent) -> bool:
        """Whether a later intent of the same kind has been taken up, so that this one will never be."""
        later = self._intents[self._intents.index(intent) + 1 :]
        return any(i.kind == intent.kind and i.voiced for i in later)

    def _add(self, intent: Intent) -> Intent:
        self._intents.append(intent)
        if len(self._intents) > INTENTS_MAX:
            oldest = next((i for i in self._intents if i.idle), self._intents[0])
            self._lost(oldest)
        return intent


class Claims:
    """Which utterance speaks which intent.

    Args:
        shelf: Where the intents stand.
    """

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._by_context: dict[str, tuple[Intent, Claim]] = {}
        self._cut: deque[str] = deque(maxlen=CUT_CONTEXTS_MAX)

    def of(self, account: Account) -> tuple[Intent, Claim] | None:
        """Give the intent an utterance speaks and its slice of it; None when nothing is known to be meant."""
        return self._by_context.get(account.context_id)

    def link(self, account: Account, text: str | None) -> None:
        """Find what a new utterance speaks, by its first sentence when that is known.

        A remnant takes no intent but the one it names, or the next wording would be taken from the utterance that
        really speaks it.
        """
        intent = self._shelf.find(text, guess=account.context_id not in self._cut)
        if intent is None:
            return
        self._by_context[account.context_id] = (intent, intent.claim(account))
        account.source, account.append_to_context = intent.kind, intent.append_to_context
        account.protected = account.protected or intent.protected

    def intended(self, account: Account) -> str:
        """Give the written text an utterance speaks: of its intent, else the sentences its voice was given.

        What a voice still sends for a context that was cut is a remnant: its text stands in the record of the cut.
        """
        linked = self.of(account)
        if linked is not None:
            return linked[0].intended(linked[1])
        return "" if account.context_id in self._cut else account.spoken_text

    def relink(self, account: Account, text: str) -> None:
        """The first sentence of an utterance that began without text: it may speak another intent than thought."""
        linked = self.of(account)
        if linked is not None:
            if linked[0].matches(text):
                return
            linked[0].claims.remove(linked[1])
            self._by_context.pop(account.context_id, None)
        self.link(account, text)

    def forget(self, account: Account) -> None:
        """The utterance is settled."""
        self._by_context.pop(account.context_id, None)
        if account.cut_by is not None:
            self._cut.append(account.context_id)
