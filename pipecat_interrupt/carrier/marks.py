"""Playback marks: what a carrier has really played, from the names it sends back.

Owns the arithmetic of marks; it is pure. A mark that comes back says "everything before me was played" unless the
buffer was cleared meanwhile: then the carrier sends back all waiting marks at once, and none of them counts. A mark
that does not come back says nothing: marks get lost, and late ones belong to the past.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass
from statistics import median

from pydantic import BaseModel, ConfigDict, Field

from pipecat_interrupt.delivery.account import Account
from pipecat_interrupt.delivery.playout import Heard


class MarkConfig(BaseModel):
    """How marks are set and read.

    Parameters:
        step_s: A mark follows at least every so much written audio, seconds, in [0.04, 0.2].
        fallback_lag_s: How far behind the listener is taken to be before the first mark of the call has come back, or
            when marks are lost; errs short. 1.0 covers the buffers reported in public (docs/metrics/delivery.md).
        return_s: Longest way back of a mark that still counts as normal, seconds: audio further than this past a mark
            that has not come back was not played.
        lost_after_s: A mark this much later than expected is lost.
        recent: How many of the latest marks tell the present lag; a longer memory overlooks a stall.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    step_s: float = Field(default=0.2, ge=0.04, le=0.2)
    fallback_lag_s: float = Field(default=1.0, ge=0.0, le=10.0)
    return_s: float = Field(default=0.4, ge=0.0, le=2.0)
    lost_after_s: float = Field(default=2.0, ge=0.2, le=10.0)
    recent: int = Field(default=6, ge=1, le=50)


WAITING_MAX = 512
"""Marks on their way at once; beyond it the oldest counts as lost."""

LAGS_MAX = 2000
"""Measured lags kept for the figures of a call."""

PLAYED_MAX = 512
"""Utterances whose played position is remembered."""


@dataclass(frozen=True, slots=True)
class LagFigures:
    """The measured time from "written to the output" to "mark came back", seconds.

    Parameters:
        n: Marks it rests on.
        median_s: Half of them took no longer; None without marks.
        p95_s: 95 % of them took no longer.
        least_s: The quickest.
    """

    n: int
    median_s: float | None = None
    p95_s: float | None = None
    least_s: float | None = None


@dataclass(slots=True)
class _Mark:
    utterance_id: str
    position_s: float
    sent_s: float


class MarkBook:
    """Keeps the marks of one call and answers how much of an utterance was played.

    Promises: what was cleared never counts; a late mark of an earlier reply changes nothing; `heard` never exceeds what
    was written; with marks lost or the line gone it falls back to the measured lag, and without any to
    `fallback_lag_s`.
    """

    def __init__(self, config: MarkConfig | None = None) -> None:
        self.config = config or MarkConfig()
        self._waiting: OrderedDict[str, _Mark] = OrderedDict()
        self._marked: OrderedDict[str, float] = OrderedDict()
        self._played: OrderedDict[str, float] = OrderedDict()
        self._begun: OrderedDict[str, float] = OrderedDict()
        self._caps: OrderedDict[str, float] = OrderedDict()
        self._recent: deque[float] = deque(maxlen=self.config.recent)
        self._lags: deque[float] = deque(maxlen=LAGS_MAX)
        self._spread_s = 0.0  # how unevenly marks have come back in this call: at most return_s
        self.ignored = 0
        self.lost = 0

    # -- marks out and in --------------------------------------------------------------------------------------------

    def due(self, utterance_id: str, written_s: float, now_s: float, *, end: bool = False) -> str | None:
        """Name the mark that has to follow the audio written so far; None when none is due.

        Args:
            utterance_id: The utterance being written.
            written_s: Its audio written so far.
            now_s: Now.
            end: Whether this is its last audio: a mark is due whatever the step.
        """
        since = written_s - self._marked.get(utterance_id, 0.0)
        if since <= 0 or (not end and since < self.config.step_s - 1e-6):
            return None
        return self.set_mark(utterance_id, written_s, now_s)

    def set_mark(self, utterance_id: str, position_s: float, now_s: float) -> str:
        """Note that a mark is sent behind so much audio of an utterance; give its name."""
        self._marked[utterance_id] = position_s
        _bound(self._marked, PLAYED_MAX)
        name = f"{utterance_id}:{round(position_s * 1000)}"
        self._waiting[name] = _Mark(utterance_id, position_s, now_s)
        if len(self._waiting) > WAITING_MAX:
            self._waiting.popitem(last=False)
            self.lost += 1
        return name

    def came_back(self, name: str, now_s: float) -> bool:
        """Take a mark the carrier sent back; say whether it counted."""
        mark = self._waiting.get(name)
        if mark is None:
            self.ignored += 1
            return False
        for earlier in list(self._waiting):  # marks come back in order: what stands before it is lost, but was played
            self._waiting.pop(earlier)
            if earlier == name:
                break
            self.lost += 1
        lag_s = max(0.0, now_s - mark.sent_s)
        self._recent.append(lag_s)
        self._lags.append(lag_s)
        self._played[mark.utterance_id] = max(mark.position_s, self._played.get(mark.utterance_id, 0.0))
        begun_s = now_s - mark.position_s
        earliest_s = min(begun_s, self._begun.get(mark.utterance_id, begun_s))
        self._begun[mark.utterance_id] = earliest_s
        self._spread_s = max(self._spread_s, min(begun_s - earliest_s, self.config.return_s))
        _bound(self._played, PLAYED_MAX)
        _bound(self._begun, PLAYED_MAX)
        return True

    def cleared(self, open_accounts: list[Account], now_s: float) -> None:
        """The carrier was told to throw its buffer away: no waiting mark counts any more.

        Args:
            open_accounts: Utterances that go on although the buffer is cleared; what lay in it is a hole in them.
            now_s: Now.
        """
        for account in open_accounts:
            low_s = self.heard(account, now_s).low_s
            if low_s < account.written_s - 1e-6:
                self._caps[account.id] = min(low_s, self._caps.get(account.id, low_s))
        _bound(self._caps, PLAYED_MAX)
        self._waiting.clear()

    # -- answers -------------------------------------------------------------------------------------------------------

    @property
    def lag_s(self) -> float:
        """The listener's present lag: the least of the latest marks, `fallback_lag_s` before the first."""
        return min(self._recent) if self._recent else self.config.fallback_lag_s

    def figures(self) -> LagFigures:
        """Give the measured lag of the call so far."""
        if not self._lags:
            return LagFigures(0)
        ordered = sorted(self._lags)
        p95 = ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))]
        return LagFigures(len(ordered), median(ordered), p95, ordered[0])

    def heard(self, account: Account, now_s: float) -> Heard:
        """Say how much of an utterance was played; see `Playout`."""
        written_s = account.written_s
        played_s = min(self._played.get(account.id, 0.0), written_s)
        first = next((m for m in self._waiting.values() if m.utterance_id == account.id), None)
        lost = first is not None and now_s - first.sent_s > self.lag_s + self.config.lost_after_s
        lag_s = max(self._recent) if lost and self._recent else self.lag_s
        low_s, high_s = account.written_at(now_s - lag_s), written_s
        if not lost:
            if first is not None:
                low_s = min(low_s, max(first.position_s, played_s) + self.config.return_s)
            if account.id in self._begun:  # sound plays no faster than time passes
                since_s = now_s - self._begun[account.id]
                low_s = min(low_s, since_s)
                high_s = min(high_s, since_s + self._spread_s)
            elif self._recent:
                high_s = min(high_s, low_s + self.config.return_s)
        low_s = min(written_s, max(played_s, low_s))
        high_s = min(written_s, max(high_s, low_s))
        cap_s = self._caps.get(account.id)
        if cap_s is not None:
            low_s, high_s = min(low_s, cap_s), min(high_s, cap_s)
        drained_s = account.written_done_s
        waited = drained_s is not None and now_s >= drained_s + lag_s + self.config.lost_after_s
        final = waited or (drained_s is not None and (played_s >= written_s - 1e-6 or cap_s is not None))
        return Heard(low_s, high_s, final=final)


def _bound(table: OrderedDict[str, float], most: int) -> None:
    while len(table) > most:
        table.popitem(last=False)
