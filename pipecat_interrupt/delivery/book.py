"""The book of a call: every utterance opened when it is meant, settled exactly once when it is over.

Owns which audio belongs to which utterance, and when an utterance is over. It is pure: frames become plain calls in
`taps`, time comes in as `now_s` (seconds on the pipeline's clock, never falling).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from pipecat_interrupt.delivery.account import Account
from pipecat_interrupt.delivery.config import DeliveryConfig
from pipecat_interrupt.delivery.intents import Claims, Intent, Shelf
from pipecat_interrupt.delivery.output import OutputLines
from pipecat_interrupt.delivery.pace import Rate
from pipecat_interrupt.delivery.playout import FixedLag, Playout
from pipecat_interrupt.delivery.position import Position
from pipecat_interrupt.delivery.records import record_of_account, record_of_intent
from pipecat_interrupt.delivery.timeline import TimedWord
from pipecat_interrupt.delivery.written import count_words
from pipecat_interrupt.facts import EndReason, UtteranceRecord

ACCOUNTS_MAX = 256
"""Utterances open at once; beyond it the oldest is settled as lost, so that memory is bounded."""

MARKS_MAX = 64
"""Interruptions on their way through the pipeline at once."""

RATE_SHARE = 0.5
"""How much the latest finished utterance counts in the voice's measured rate."""


class DeliveryBook:
    """Accounts for everything an agent says in one call.

    Args:
        config: Who speaks, in which language, how far behind the listener is.
        on_started: Called with (utterance_id, intended) when the first audio of an utterance is written.
        on_record: Called once for every utterance, when it is settled.
        on_trouble: Called with (where, error) when an account cannot be read; its record then says the least.
        playout: How far the listener is behind; None takes `config.playout_lag_s`.

    Promises: one record an utterance, never two, never none once `ending` was called; every text passed in stands in
    exactly one record.
    """

    def __init__(
        self,
        config: DeliveryConfig,
        *,
        on_started: Callable[[str, str], None],
        on_record: Callable[[UtteranceRecord], None],
        on_trouble: Callable[[str, Exception], None] = lambda where, error: None,
        playout: Playout | None = None,
    ) -> None:
        self.config = config
        self.playout: Playout = playout or FixedLag(config.playout_lag_s)
        self._on_started = on_started
        self._on_record = on_record
        self._on_trouble = on_trouble
        self._shelf = Shelf(lambda intent: self._settle_unspoken(intent, self._now_s, "lost"))
        self._accounts: OrderedDict[str, Account] = OrderedDict()
        self._claims = Claims(self._shelf)
        self._lines = OutputLines(self._accounts)
        self._open_context: dict[str | None, str] = {}
        self._marked: OrderedDict[object, None] = OrderedDict()
        self._utterances = config.utterances_before
        self._anonymous = 0
        self._rate = Rate()
        self._now_s: float | None = None

    # -- intended ------------------------------------------------------------------------------------------------

    def reply_started(self) -> None:
        """The model begins a reply."""
        self._shelf.reply_started()

    def reply_text(self, text: str) -> None:
        """The model wrote text that is to be spoken."""
        self._shelf.reply_text(text)

    def reply_ended(self, now_s: float) -> None:
        """The model finished its reply."""
        self._shelf.reply_ended(now_s)

    def speak(self, text: str, *, protected: bool = False, append_to_context: bool = True) -> None:
        """A fixed wording is to be spoken."""
        self._shelf.speak(text, protected=protected, append_to_context=append_to_context)

    def mark_intended(self, key: object, now_s: float) -> None:
        """An interruption passes the model's side: everything meant so far is hit by it."""
        self._remember(key)
        self._shelf.mark(key, now_s)

    def stopping(self, now_s: float) -> None:
        """An interruption from below the voice is on its way up to the model."""
        self._shelf.stopping(now_s)

    # -- generated -----------------------------------------------------------------------------------------------

    def segment(self, context_id: str, segment_id: int, text: str, *, destination: str | None, protected: bool) -> None:
        """The voice was given a sentence."""
        account = self._account(context_id, destination, text)
        account.protected = account.protected or protected
        account.add_segment(segment_id, text)

    def skipped(self, text: str) -> None:
        """A block of the reply is shown, not spoken."""
        self._shelf.skipped(text)

    def synthesis_started(self, context_id: str | None, *, destination: str | None, append_to_context: bool) -> None:
        """The voice begins an utterance, or goes on with one after a pause."""
        context = context_id or self._new_anonymous(destination)
        account = self._account(context, destination, None)
        account.append_to_context = account.append_to_context and append_to_context
        account.reopen()
        self._open_context[destination] = context

    def sentence_released(
        self, context_id: str | None, segment_id: int | None, text: str, destination: str | None
    ) -> None:
        """The voice let go of a sentence's text (voices without word timings)."""
        account = self._account(self._context(context_id, destination), destination, text)
        if not account.segments:
            account.add_segment(segment_id or 0, text)
        account.end_segment(segment_id)

    def word(self, context_id: str | None, word: TimedWord, *, destination: str | None) -> None:
        """The voice reported a word."""
        self._account(self._context(context_id, destination), destination, None).add_word(word)

    def audio(
        self,
        context_id: str | None,
        pcm: bytes,
        rate_hz: int,
        channels: int,
        *,
        destination: str | None,
        protected: bool,
    ) -> None:
        """The voice produced audio; silence outside any utterance belongs to nobody."""
        if context_id is None and destination not in self._open_context and not any(pcm):
            return
        account = self._account(self._context(context_id, destination), destination, None)
        account.protected = account.protected or protected
        account.add_audio(pcm, rate_hz, channels)

    def synthesis_stopped(self, context_id: str | None, *, destination: str | None) -> None:
        """The voice is done with an utterance."""
        context = context_id or self._open_context.get(destination)
        if context is not None and (account := self._accounts.get(context)) is not None:
            account.close()
        if self._open_context.get(destination) == context:
            self._open_context.pop(destination, None)

    def mark_generated(self, key: object) -> None:
        """An interruption passes the voice's side: every utterance it drops is hit by it."""
        self._remember(key)
        for account in self._accounts.values():
            if account.cut_by is None and not account.protected:
                account.cut_by = key
        for destination, context in list(self._open_context.items()):
            account = self._accounts.get(context)
            if account is None or account.cut_by is not None:
                self._open_context.pop(destination, None)

    # -- delivered -----------------------------------------------------------------------------------------------

    def playing(self, context_id: str | None, *, destination: str | None) -> None:
        """The start of an utterance came out of the output in its place."""
        account = self._accounts.get(context_id) if context_id else self._lines.anonymous_start(destination)
        if account is not None and account.destination == destination:
            self._lines.started(account)

    def written(self, seconds: float, now_s: float, *, destination: str | None) -> None:
        """Audio was written to the output."""
        self.settle_heard(now_s)
        account = self._lines.take(destination, now_s)
        if account is None:
            return
        first = account.started_s is None
        account.add_written(seconds, now_s)
        if first:
            self._on_started(account.id, self._refresh(account))
        if account.cut_by is not None and account.written_s >= account.generated_s:
            account.written_done_s = now_s

    def released(self, context_id: str | None, text: str, *, destination: str | None) -> None:
        """The output released a word: all there is to go by where no audio passes through the pipeline."""
        account = self._accounts.get(context_id) if context_id else self._lines.playing(destination)
        account = account or next((a for a in self._accounts.values() if a.destination == destination), None)
        if account is None and context_id is None:
            account = self._account(self._context(None, destination), destination, text)
        # Several words at once are text a voice never timed, pushed at its end even if it never sounded: no evidence.
        if account is not None and account.generated_s <= 0 and len(text.split()) == 1:
            account.add_released(text)

    def played(self, context_id: str | None, now_s: float, *, destination: str | None) -> None:
        """The end of an utterance came out of the output in its place: all its audio was written before."""
        account = self._accounts.get(context_id) if context_id else self._lines.playing(destination)
        if account is None or account.destination != destination or not account.end_came_out():
            return
        self._written_out(account, now_s)

    def fell_silent(self, now_s: float, *, destination: str | None) -> None:
        """The output found nothing more to play: an utterance whose end nobody announces is over."""
        for account in list(self._accounts.values()):
            if account.destination != destination or not account.audible or not account.exhausted:
                continue
            if account.cut_by is not None or not account.announces_end:
                self._written_out(account, now_s)

    def reply_over(self, now_s: float) -> None:
        """The end of a reply came out of the output in its place."""
        self._shelf.reply_over(now_s)

    def interrupted(self, key: object, now_s: float, *, destination: str | None = None) -> None:
        """An interruption came out of the output: what it hits and plays on this destination is over.

        Args:
            key: The same key that `mark_intended` and `mark_generated` were given.
            now_s: Now.
            destination: The destination the output flushed. What plays on another one goes on with the audio that was
                produced already, as Pipecat's output does.
        """
        known = key in self._marked
        self._marked.pop(key, None)
        self.settle_heard(now_s)
        self._lines.flushed(destination, now_s)
        for account in list(self._accounts.values()):
            if (account.cut_by != key) if known else account.protected:
                account.spared_by = key if account.protected else None
                continue
            account.cut_by = key
            if account.destination != destination and not account.exhausted:
                account.close()
                continue
            self._settle(account, now_s, "interruption")
        for intent in self._shelf:
            if intent.idle and (intent.cut_by == key if known else not intent.protected):
                self._settle_unspoken(intent, now_s, "interruption")
        if not known:
            self._shelf.close_reply()

    def ending(self, reason: EndReason, now_s: float) -> None:
        """The call is over: settle all that is open."""
        self.settle_heard(now_s)
        for account in list(self._accounts.values()):
            self._settle(account, now_s, reason)
        for intent in self._shelf:
            self._settle_unspoken(intent, now_s, reason)
        self._shelf.close_reply()

    def settle_heard(self, now_s: float) -> None:
        """Settle what time settles: utterances written to their end once the listener has caught up, lost replies."""
        self._now_s = now_s
        for account in [a for a in self._accounts.values() if a.written_done_s is not None]:
            heard = self.playout.heard(account, now_s)
            if account.audio_whole(heard.low_s):
                self._settle(account, now_s, "complete")
            elif heard.final:
                hit = account.cut_by is not None or account.spared_by is not None
                self._settle(account, now_s, "interruption" if hit else "lost")
        self._shelf.sweep(now_s)

    # -- questions -----------------------------------------------------------------------------------------------

    @property
    def waits(self) -> bool:
        """Whether time alone may settle something: `settle_heard` should be called again soon."""
        return self._shelf.waits or any(a.written_done_s is not None for a in self._accounts.values())

    @property
    def open_utterances(self) -> tuple[str, ...]:
        """Ids of utterances a voice has taken up and that are not settled."""
        return tuple(a.id for a in self._accounts.values())

    @property
    def begun_utterances(self) -> tuple[str, ...]:
        """Ids of open utterances whose sound has begun to come out."""
        return tuple(a.id for a in self._accounts.values() if a.start_came_out or a.audible)

    def begun_accounts(self, destination: str | None) -> tuple[Account, ...]:
        """Give the open utterances on a destination whose sound has begun to come out."""
        return self._lines.begun(destination)

    def audible(self, destination: str | None = None) -> Account | None:
        """Give the utterance that is being heard on a destination, None when the agent is silent there."""
        return self._lines.heard(destination)

    def being_written(self, destination: str | None = None) -> Account | None:
        """Give the open utterance whose audio was written last on a destination."""
        return self._lines.last_written(destination)

    def position(self, now_s: float, destination: str | None = None) -> Position | None:
        """Say how far the utterance being heard has got; None when the agent is silent."""
        account = self.audible(destination)
        return self._position(account, now_s) if account is not None else None

    def intended(self, utterance_id: str) -> str:
        """Give the written text of an open utterance as far as it is known; "" for a settled one."""
        account = next((a for a in self._accounts.values() if a.id == utterance_id), None)
        return self._refresh(account) if account is not None else ""

    # -- inside --------------------------------------------------------------------------------------------------

    def _remember(self, key: object) -> None:
        self._marked[key] = None
        while len(self._marked) > MARKS_MAX:
            self._marked.popitem(last=False)

    def _context(self, context_id: str | None, destination: str | None) -> str:
        return context_id or self._open_context.get(destination) or self._new_anonymous(destination)

    def _new_anonymous(self, destination: str | None) -> str:
        self._anonymous += 1
        context = f"anonymous-{self._anonymous}"
        self._open_context[destination] = context
        return context

    def _account(self, context_id: str, destination: str | None, text: str | None) -> Account:
        account = self._accounts.get(context_id)
        if account is None:
            if len(self._accounts) >= ACCOUNTS_MAX:
                self._settle(next(iter(self._accounts.values())), self._now_s, "lost")
            self._utterances += 1
            account = Account(f"u{self._utterances}", context_id, destination, self.config.language, rate=self._rate)
            self._accounts[context_id] = account
            self._claims.link(account, text)
        elif text is not None and not account.segments:
            self._claims.relink(account, text)
        if destination is not None:
            account.destination = destination
        return account

    def _refresh(self, account: Account) -> str:
        account.intended = self._claims.intended(account)
        return account.intended

    def _written_out(self, account: Account, now_s: float) -> None:
        account.close()
        account.written_done_s = now_s
        self._lines.forget(account)
        if account.generated_s <= 0:
            self._settle(account, now_s, "lost")
        self.settle_heard(now_s)

    def _position(self, account: Account, now_s: float) -> Position:
        try:
            self._refresh(account)
            heard = self.playout.heard(account, now_s)
            return account.position(heard.low_s, heard.high_s)
        except Exception as error:  # noqa: BLE001  # an account that cannot be read says the least, it never stops a call
            self._on_trouble("position", error)
            words = count_words(account.intended, self.config.language)
            return Position(account.id, 0, 0, 0.0, "estimated", words, extent="unknown")

    def _settle(self, account: Account, now_s: float | None, reason: EndReason) -> None:
        """Write the one record of an utterance."""
        if account.context_id not in self._accounts:
            return
        linked = self._claims.of(account)
        if linked is not None and linked[1].end is None and reason == "complete" and not linked[0].complete:
            linked[1].end = linked[0].spoken_end(linked[1])
        position = self._position(account, now_s if now_s is not None else account.started_s or 0.0)
        del self._accounts[account.context_id]
        self._claims.forget(account)
        self._lines.forget(account)
        if position.complete and (measured := account.measured_rate()) is not None:
            share = RATE_SHARE if self._rate.known else 1.0
            self._rate = Rate(self._rate.value + share * (measured - self._rate.value), known=True)
        never_voiced, llm_complete = 0, True
        if linked is not None:
            never_voiced = linked[0].never_voiced(linked[1], self.config.language) if position.complete else 0
            llm_complete = linked[0].complete
            linked[0].release(linked[1])
        if account.intended:
            record = record_of_account(
                account,
                position,
                self.config,
                reason=reason,
                never_voiced=never_voiced,
                llm_complete=llm_complete,
                now_s=now_s,
            )
            self._on_record(record)
        self._shelf.sweep(now_s)

    def _settle_unspoken(self, intent: Intent, now_s: float | None, reason: EndReason) -> None:
        """What no voice took up was not heard: one record with cut 0, when there is any text at all."""
        if not self._shelf.remove(intent):
            return
        record = record_of_intent(intent, f"u{self._utterances + 1}", self.config, reason=reason, now_s=now_s)
        if record is not None:
            self._utterances += 1
            self._on_record(record)
