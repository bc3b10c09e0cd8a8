"""Whose audio is coming out: the attribution of written chunks to utterances, per destination.

Pipecat's output rebuilds audio chunks without their synthesis id. Their order is kept, and the start of an utterance
comes out in its place among them; that, not a count of seconds, says whose chunk it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pipecat_interrupt.delivery.account import Account

STRAY_S = 0.5
"""Audio this soon after an interruption, before the start of a new utterance came out, is the chunk that was in flight
when the output was flushed; it belongs to nobody."""


class OutputLines:
    """What plays on each destination.

    Args:
        accounts: The open accounts by synthesis id, in the order they were opened; the book's own table.
    """

    def __init__(self, accounts: Mapping[str, Account]) -> None:
        self._accounts = accounts
        self._playing: dict[str | None, Account] = {}
        self._last: dict[str | None, Account] = {}
        self._stray_until_s: dict[str | None, float] = {}

    def started(self, account: Account) -> None:
        """The start of an utterance came out."""
        account.start_came_out = True
        self._playing[account.destination] = account

    def flushed(self, destination: str | None, now_s: float) -> None:
        """The output threw its queue away."""
        self._stray_until_s[destination] = now_s + STRAY_S

    def forget(self, account: Account) -> None:
        """An utterance no longer plays."""
        if self._playing.get(account.destination) is account:
            del self._playing[account.destination]

    def playing(self, destination: str | None) -> Account | None:
        """The utterance whose start came out last and that is still open."""
        account = self._playing.get(destination)
        return account if account is not None and self._open(account) else None

    def last_written(self, destination: str | None) -> Account | None:
        """The open utterance whose audio was written last."""
        account = self._last.get(destination)
        return account if account is not None and self._open(account) else None

    def take(self, destination: str | None, now_s: float) -> Account | None:
        """Say whose the next chunk is; None when it is nobody's."""
        account = self.playing(destination)
        if account is None or account.exhausted:  # all it has is out already: two voices share the destination
            account = self._next(destination, now_s) or (account if account and account.generated_s > 0 else None)
        if account is not None:
            self._last[destination] = account
        return account

    def begun(self, destination: str | None) -> tuple[Account, ...]:
        """Open utterances whose sound has begun to come out."""
        return tuple(a for a in self._on(destination) if a.audible)

    def heard(self, destination: str | None) -> Account | None:
        """The utterance at the listener's ear: while he lags, the one written to its end that he is still hearing."""
        begun = self.begun(destination)
        draining = next((a for a in begun if a.written_done_s is not None), None)
        playing = self.playing(destination)
        return draining or (playing if playing in begun else next(iter(begun), None))

    def anonymous_start(self, destination: str | None) -> Account | None:
        """The next utterance without an id whose start has not come out yet."""
        waiting = (a for a in self._on(destination) if not a.start_came_out)
        return next((a for a in waiting if a.context_id.startswith("anonymous-")), None)

    def _next(self, destination: str | None, now_s: float) -> Account | None:
        stray = now_s < self._stray_until_s.get(destination, float("-inf"))
        for account in self._on(destination):
            if account.exhausted or account.written_done_s is not None:
                continue
            if account.announces_start and not account.start_came_out and stray:
                return None
            return account
        return None

    def _on(self, destination: str | None) -> Iterable[Account]:
        return (a for a in self._accounts.values() if a.destination == destination)

    def _open(self, account: Account) -> bool:
        return self._accounts.get(account.context_id) is account
