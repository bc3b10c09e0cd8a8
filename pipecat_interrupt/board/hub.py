"""What the board knows: every call's journal folded, with a version that rises at each change.

Owns calls, versions and bounds. A watcher has no queue here: it knows the number of the last version it was told, and
asks for what changed since. So a slow watcher costs nothing, misses nothing that still holds, and goes on where it was.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from loguru import logger

from pipecat_interrupt.board.settings import BoardSettings
from pipecat_interrupt.journal import JournalEntry
from pipecat_interrupt.page import CallFold, CallView

GONE_MAX = 1000
"""Calls that were taken off and are still remembered; a watcher further behind is told to start anew."""


@dataclass(slots=True)
class _Call:
    key: str
    fold: CallFold
    version: int
    news_s: float
    seq: int = -1
    ended_s: float | None = None
    ended: str = ""
    view: CallView | None = None
    drawn: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Change:
    """One call that changed; `gone` when it was taken off."""

    version: int
    key: str
    gone: bool = False


class Board:
    """All calls that the board shows.

    Args:
        settings: Every bound.
        now_s: Monotonic clock.

    `take` may be called from any thread; everything else belongs to the event loop that serves the board.
    """

    def __init__(self, settings: BoardSettings | None = None, now_s: Callable[[], float] = time.monotonic) -> None:
        self.settings = settings or BoardSettings()
        self.epoch = secrets.token_hex(4)
        self.version = 0
        self.missed_entries = 0
        self.refused_calls = 0
        self._now_s = now_s
        self._secret = secrets.token_bytes(16)
        self._inbox: deque[JournalEntry] = deque(maxlen=self.settings.inbox_max)
        self._calls: OrderedDict[str, _Call] = OrderedDict()
        self._refused: deque[str] = deque(maxlen=GONE_MAX)
        self._gone: deque[Change] = deque(maxlen=GONE_MAX)

    def take(self, entry: JournalEntry) -> None:
        """Take one journal entry; costs the caller one append, never raises, never waits."""
        if len(self._inbox) == self._inbox.maxlen:
            self.missed_entries += 1
        self._inbox.append(entry)

    def take_all(self, entries: Iterable[JournalEntry]) -> None:
        """Take what a journal holds already; entries that were taken before are passed over."""
        for entry in entries:
            self.take(entry)

    def key_of(self, call_id: str) -> str:
        """The name a call has in addresses: tells nothing of the call's id, and changes with every start."""
        return hmac.new(self._secret, call_id.encode(), hashlib.sha256).hexdigest()[:20]

    def catch_up(self) -> None:
        """Fold what has come in and take off what has had its time; bounded by the inbox."""
        for _ in range(len(self._inbox)):
            try:
                self._fold(self._inbox.popleft())
            except Exception as error:
                logger.error("the board could not read a journal entry: {}", type(error).__name__)
        now_s, settings = self._now_s(), self.settings
        for call in list(self._calls.values()):
            ended = call.ended_s is not None and now_s - call.ended_s > settings.keep_ended_s
            if ended or now_s - call.news_s > settings.silent_s:
                self._take_off(call)

    def over(self, call_id: str, reason: str) -> None:
        """A call is known to be over, whether its journal says so or not."""
        call = self._calls.get(self.key_of(call_id))
        if call is not None and call.ended_s is None:
            call.ended_s, call.ended = self._now_s(), reason
            self._touch(call)

    # ---- reading

    @property
    def keys(self) -> tuple[str, ...]:
        """All calls: in progress first, each sort in order of appearance."""
        return tuple(sorted(self._calls, key=lambda key: self._calls[key].ended_s is not None))

    def view(self, key: str) -> CallView | None:
        """What is known of a call; None when it is not on the board."""
        call = self._calls.get(key)
        if call is None:
            return None
        if call.view is None:
            view = call.fold.view()
            told = call.ended_s is not None and not view.over
            call.view = replace(view, over=True, ended=call.ended) if told else view
        return call.view

    def drawn(self, key: str, form: str, draw: Callable[[CallView, str], str]) -> str:
        """A drawing of a call, made once a version; "" when the call is not on the board."""
        call, view = self._calls.get(key), self.view(key)
        if call is None or view is None:
            return ""
        if form not in call.drawn:
            call.drawn[form] = draw(view, key)
        return call.drawn[form]

    def changes(self, since: int) -> list[Change] | None:
        """What changed after a version, in order; None when that is too long ago to tell."""
        if since > self.version or (len(self._gone) == GONE_MAX and since < self._gone[0].version):
            return None
        changed = [Change(c.version, c.key) for c in self._calls.values() if c.version > since]
        return sorted([*changed, *(g for g in self._gone if g.version > since)], key=lambda change: change.version)

    # ---- inside

    def _fold(self, entry: JournalEntry) -> None:
        key = self.key_of(entry.call_id)
        call = self._calls.get(key) or self._put_on(key)
        if call is None or entry.seq <= call.seq:
            return
        call.seq, call.news_s = entry.seq, self._now_s()
        call.fold.take(entry)
        if call.fold.over and call.ended_s is None:
            call.ended_s = self._now_s()
        self._touch(call)

    def _put_on(self, key: str) -> _Call | None:
        if len(self._calls) >= self.settings.calls_max:
            ended = [c for c in self._calls.values() if c.ended_s is not None]
            if not ended:
                if key not in self._refused:
                    self._refused.append(key)
                    self.refused_calls += 1
                return None
            self._take_off(min(ended, key=lambda c: c.ended_s or 0.0))
        call = _Call(key, CallFold(self.settings.lines_max), self.version, self._now_s())
        self._calls[key] = call
        return call

    def _touch(self, call: _Call) -> None:
        self.version += 1
        call.version, call.view = self.version, None
        call.drawn.clear()

    def _take_off(self, call: _Call) -> None:
        del self._calls[call.key]
        self.version += 1
        self._gone.append(Change(self.version, call.key, gone=True))
