"""The delivery recorder: three taps in a pipeline, one record an utterance, live answers to "what was heard so far".

Owns the shell around `DeliveryBook`: listeners, clock, timer, and the promise that nothing of ours stops a call.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol, runtime_checkable

from loguru import logger

from pipecat_interrupt.delivery.book import DeliveryBook
from pipecat_interrupt.delivery.config import DeliveryConfig
from pipecat_interrupt.delivery.playout import Playout
from pipecat_interrupt.delivery.position import Position
from pipecat_interrupt.delivery.taps import DeliveredTap, GeneratedTap, IntendedTap
from pipecat_interrupt.facts import OverlapFact, UtteranceRecord

TICK_S = 0.05
"""How often open ends are looked at while the listener catches up with the output."""

RECORDS_MAX = 10_000
"""Records kept in memory; a listener that wants all of a longer call keeps them itself."""


@runtime_checkable
class StartListener(Protocol):
    """Wants to know when an utterance becomes audible."""

    def on_started(self, utterance_id: str, intended: str) -> None:
        """The first audio of an utterance was written; `intended` may still grow while the model writes."""
        ...


@runtime_checkable
class RecordListener(Protocol):
    """Wants every record."""

    def on_record(self, record: UtteranceRecord) -> None:
        """An utterance is settled."""
        ...


class DeliveryRecorder:
    """Accounts for what the agent meant to say, what reached the ear and where it was cut.

    Place its taps in any pipeline, with nothing between a tap and its neighbour::

        Pipeline([..., llm, recorder.intended_tap(), tts, recorder.generated_tap(), ...,
                  transport.output(), recorder.delivered_tap(), assistant_aggregator])

    Args:
        playout_lag_s: Seconds from "written to the output" to "heard", in [0, 10]; see `DeliveryConfig`.
        language: BCP 47 tag of what the agent says.
        agent_id: Goes into every record.
        model_id: Goes into the records of the model's replies.
        configuration_hash: Goes into every record.
        playout: A better answer to "heard so far" than a fixed lag, such as a carrier's marks.
        utterances_before: Utterances of this call that another worker spoke; numbering goes on behind them.

    Promises: one record an utterance, never two, never none once the pipeline ended; `delivered` is always a prefix of
    `intended`; no exception reaches the pipeline; every call is synchronous and safe on the pipeline's loop.
    """

    def __init__(
        self,
        playout_lag_s: float = 0.0,
        *,
        language: str = "en",
        agent_id: str = "agent",
        model_id: str = "",
        configuration_hash: str = "",
        playout: Playout | None = None,
        utterances_before: int = 0,
    ) -> None:
        config = DeliveryConfig(
            playout_lag_s=playout_lag_s,
            language=language,
            agent_id=agent_id,
            model_id=model_id,
            configuration_hash=configuration_hash,
            utterances_before=utterances_before,
        )
        self.book = DeliveryBook(
            config,
            on_started=self._started,
            on_record=self._recorded,
            on_trouble=self._trouble,
            playout=playout,
        )
        self.records: list[UtteranceRecord] = []
        self.overlap_source: Callable[[], OverlapFact | None] | None = None
        self.trouble_sink: Callable[[str, Exception], None] | None = None
        self._listeners: list[object] = []
        self._taps: tuple[IntendedTap, GeneratedTap, DeliveredTap] = (
            IntendedTap(self),
            GeneratedTap(self),
            DeliveredTap(self),
        )
        self._clock_ns: Callable[[], int] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._ended = False

    # -- placing -------------------------------------------------------------------------------------------------

    def intended_tap(self) -> IntendedTap:
        """Give the tap that goes directly before the voice (TTS)."""
        return self._taps[0]

    def generated_tap(self) -> GeneratedTap:
        """Give the tap that goes directly behind the voice."""
        return self._taps[1]

    def delivered_tap(self) -> DeliveredTap:
        """Give the tap that goes directly behind `transport.output()`."""
        return self._taps[2]

    def add_listener(self, listener: object) -> None:
        """Tell an object of starts and records: `on_started(utterance_id, intended)`, `on_record(record)`, or both.

        Raises:
            TypeError: The object has neither method.
        """
        if not isinstance(listener, StartListener | RecordListener):
            raise TypeError(f"{type(listener).__name__} has neither on_started nor on_record")
        self._listeners.append(listener)

    # -- questions -----------------------------------------------------------------------------------------------

    @property
    def is_audible(self) -> bool:
        """Whether an utterance of the agent is being heard on the default destination."""
        return self.book.audible() is not None

    @property
    def now_s(self) -> float:
        """Seconds on the pipeline's clock; 0 before it started."""
        return self._clock_ns() / 1e9 if self._clock_ns is not None else 0.0

    def position(self, destination: str | None = None) -> Position | None:
        """Say how far the utterance being heard has got (id, characters, words, ms); None when the agent is silent."""
        try:
            return self.book.position(self.now_s, destination)
        except Exception as error:  # noqa: BLE001  # a question never stops a call
            self._trouble("position", error)
            return None

    def heard_and_rest(self, destination: str | None = None) -> tuple[str, str]:
        """Give the text of the current utterance heard so far, and the rest of it; both "" when the agent is silent."""
        position = self.position(destination)
        if position is None:
            return "", ""
        text = self.book.intended(position.utterance_id)
        return text[: position.chars], text[position.chars :]

    # -- from the taps -------------------------------------------------------------------------------------------

    def attach_clock(self, clock_ns: Callable[[], int]) -> None:
        """Take the pipeline's clock; called by the taps when the pipeline starts."""
        self._clock_ns = clock_ns

    def after_frame(self) -> None:
        """Look again soon when only time can settle something."""
        if self._timer is None and not self._ended and self.book.waits:
            self._timer = asyncio.get_running_loop().call_later(TICK_S, self._tick)

    def look_again(self) -> None:
        """Something new is known about what was played: settle what that settles."""
        if self._ended:
            return
        try:
            self.book.settle_heard(self.now_s)
        except Exception as error:  # noqa: BLE001  # a mark of a carrier never stops a call
            self._trouble("playback", error)

    def end(self, reason: str) -> None:
        """The pipeline ends: settle all that is open, once."""
        if self._ended:
            return
        self._ended = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self.book.ending("end" if reason == "end" else "hang_up", self.now_s)

    def report(self, where: str, error: Exception) -> None:
        """Note an error of ours; the call goes on."""
        self._trouble(where, error)

    # -- inside --------------------------------------------------------------------------------------------------

    def _tick(self) -> None:
        self._timer = None
        if self._ended:
            return
        try:
            self.book.settle_heard(self.now_s)
        except Exception as error:  # noqa: BLE001  # a timer of ours never stops a call
            self._trouble("tick", error)
        self.after_frame()

    def _started(self, utterance_id: str, intended: str) -> None:
        for listener in list(self._listeners):
            if isinstance(listener, StartListener):
                try:
                    listener.on_started(utterance_id, intended)
                except Exception as error:  # noqa: BLE001  # a listener's fault is not the call's
                    self._trouble("listener", error)

    def _recorded(self, record: UtteranceRecord) -> None:
        if record.end_reason == "interruption" and self.overlap_source is not None:
            try:
                record = record.with_overlap(self.overlap_source())
            except Exception as error:  # noqa: BLE001  # the record is worth more than who cut it
                self._trouble("overlap", error)
        if len(self.records) < RECORDS_MAX:
            self.records.append(record)
        for listener in list(self._listeners):
            if isinstance(listener, RecordListener):
                try:
                    listener.on_record(record)
                except Exception as error:  # noqa: BLE001  # a listener's fault is not the call's
                    self._trouble("listener", error)

    def _trouble(self, where: str, error: Exception) -> None:
        logger.opt(exception=error).error("delivery recorder: {} failed; the account errs short", where)
        if self.trouble_sink is not None:
            try:
                self.trouble_sink(where, error)
            except Exception as second:  # noqa: BLE001  # nothing is left to tell it to
                logger.opt(exception=second).error("delivery recorder: the trouble sink failed")
