"""What a span looks like: one for the call, one an utterance, overlap and hold, and points for everything else.

Owns names, attributes, times and parents. Runs on `SpanExport`'s thread, in the order of the journal. Only
opentelemetry's API is used, inside functions, so importing this loads nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pipecat_interrupt.journal.entries import CallEnded, HandoffMade, HoldChanged
from pipecat_interrupt.live import messages as m

NAME = "pipecat_interrupt"
NS_PER_S = 1_000_000_000
OPEN_UTTERANCES_MAX = 64
OVERLAP_OPEN_S_MAX = 10.0
"""A decided overlap may still be named better by late words; after this long its span ends."""

RESUMING = frozenset({"resume", "drop"})


@dataclass(frozen=True, slots=True)
class ToldAt:
    """A fact, when it was told, and Pipecat's spans at that moment.

    Parameters:
        message: The fact.
        wall_ns: Wall clock, nanoseconds since 1970.
        turn: OpenTelemetry context of Pipecat's turn span; None where there is none.
        conversation: The same of its conversation span.
    """

    message: m.LiveMessage
    wall_ns: int
    turn: Any = None
    conversation: Any = None

    def ns(self, at_s: float) -> int:
        """Turn a time of the call into wall-clock nanoseconds."""
        return self.wall_ns - round((self.message.at_s - at_s) * NS_PER_S)


@dataclass(slots=True)
class _Open:
    """A span that has begun: its parent and start, and the newest time known to belong to it."""

    parent: Any
    start_ns: int
    end_ns: int
    attributes: dict[str, Any]


class SpanMaker:
    """Makes one call's spans.

    Args:
        tracer: An OpenTelemetry tracer.
    """

    def __init__(self, tracer: Any) -> None:
        self._tracer = tracer
        self._opened: ToldAt | None = None
        self._call: Any = None
        self._utterances: dict[str, _Open] = {}
        self._overlap: tuple[float, _Open] | None = None
        self._hold: _Open | None = None

    def take(self, told: ToldAt) -> None:
        """Make a fact into a span, or into a part of one."""
        data = told.message.data
        if isinstance(data, m.CallOpened):
            self._opened = told  # the call's span waits for the next fact: Pipecat's conversation begins after us
            return
        call = self._call_span(told)
        self._end_old_overlap(told)
        if isinstance(data, m.UtteranceBegun):
            self._utterance_begun(told, data)
        elif isinstance(data, m.UtteranceSettled):
            self._utterance_settled(told, data)
        elif isinstance(data, m.OverlapTold):
            self._overlap_told(told, data)
        elif isinstance(data, HoldChanged):
            self._hold_changed(told, data)
        elif isinstance(data, HandoffMade | CallEnded):
            call.set_attributes(_attributes(data, data.kind))
            if isinstance(data, CallEnded):
                self._finish_parts()
                self._end_call(told.ns(told.message.at_s))
        else:
            at_ns = told.ns(told.message.at_s)
            self._span(data.kind, self._parent(told), at_ns, at_ns, _attributes(data))

    def finish(self, now_ns: int, lost: int) -> None:
        """The call is over without a word: end what is open."""
        self._finish_parts()
        if self._call is not None:
            self._call.set_attribute(f"{NAME}.lost_facts", lost)
            self._end_call(now_ns)

    # ---- the call

    def _call_span(self, told: ToldAt) -> Any:
        if self._call is None:
            first = self._opened.message if self._opened is not None else told.message
            attributes = _attributes(first.data) if self._opened is not None else {}
            self._call = self._tracer.start_span(
                f"{NAME}.call",
                context=told.conversation,
                start_time=told.ns(0.0),
                attributes={f"{NAME}.call_id": first.call_id, **attributes},
            )
        return self._call

    def _end_call(self, at_ns: int) -> None:
        if self._call is not None and self._call.is_recording():
            self._call.end(end_time=at_ns)

    def _parent(self, told: ToldAt) -> Any:
        """Pipecat's turn, else its conversation, else our own call span."""
        if told.turn is not None or told.conversation is not None:
            return told.turn or told.conversation
        from opentelemetry.trace import set_span_in_context

        return set_span_in_context(self._call)

    # ---- what lasts

    def _utterance_begun(self, told: ToldAt, data: m.UtteranceBegun) -> None:
        at_ns = told.ns(told.message.at_s)
        if len(self._utterances) >= OPEN_UTTERANCES_MAX:  # none is lost: a record without a start makes its own span
            self._utterances.pop(next(iter(self._utterances)))
        self._utterances[data.utterance_id] = _Open(self._parent(told), at_ns, at_ns, {})

    def _utterance_settled(self, told: ToldAt, data: m.UtteranceSettled) -> None:
        begun = self._utterances.pop(data.utterance_id, None)
        parent = begun.parent if begun is not None else self._parent(told)
        now_ns = told.ns(told.message.at_s)
        start_ns = told.ns(data.started_s) if data.started_s is not None else begun.start_ns if begun else now_ns
        self._span("utterance", parent, start_ns, now_ns, _attributes(data))

    def _overlap_told(self, told: ToldAt, data: m.OverlapTold) -> None:
        latest_s = max(s for s in (data.onset_s, data.ended_s, data.decided_s) if s is not None)
        if self._overlap is not None and self._overlap[0] != data.onset_s:
            self._end_overlap()
        if self._overlap is None:
            onset_ns = told.ns(data.onset_s)
            self._overlap = data.onset_s, _Open(self._parent(told), onset_ns, onset_ns, {})
        span = self._overlap[1]
        span.attributes.update(_attributes(data))
        span.end_ns = max(span.end_ns, told.ns(latest_s))

    def _end_old_overlap(self, told: ToldAt) -> None:
        if self._overlap is not None and told.wall_ns - self._overlap[1].end_ns > OVERLAP_OPEN_S_MAX * NS_PER_S:
            self._end_overlap()

    def _end_overlap(self) -> None:
        if self._overlap is not None:
            span, self._overlap = self._overlap[1], None
            self._span("overlap", span.parent, span.start_ns, span.end_ns, span.attributes)

    def _hold_changed(self, told: ToldAt, data: HoldChanged) -> None:
        at_ns = told.ns(told.message.at_s)
        if data.action == "hold":
            self._hold = _Open(self._parent(told), at_ns, at_ns, _attributes(data))
        elif data.action in RESUMING and self._hold is not None:
            held, self._hold = self._hold, None
            said = {f"{NAME}.ended_by": data.action, f"{NAME}.ended_reason": data.reason}
            self._span("hold", held.parent, held.start_ns, at_ns, {**held.attributes, **said})
        else:
            self._span("hold", self._parent(told), at_ns, at_ns, _attributes(data))

    def _finish_parts(self) -> None:
        self._end_overlap()
        if self._hold is not None:
            held, self._hold = self._hold, None
            self._span("hold", held.parent, held.start_ns, held.end_ns, held.attributes)

    def _span(self, name: str, parent: Any, start_ns: int, end_ns: int, attributes: dict[str, Any]) -> None:
        span = self._tracer.start_span(f"{NAME}.{name}", context=parent, start_time=start_ns, attributes=attributes)
        span.end(end_time=max(start_ns, end_ns))


def _attributes(data: Any, group: str | None = None) -> dict[str, Any]:
    """Flatten a fact: plain values as they are, ids as lists, the ids of nested obligations."""
    found: dict[str, Any] = {}
    prefix = f"{NAME}.{group}" if group is not None else NAME
    for name, value in data.model_dump(mode="json", exclude={"kind"}, exclude_none=True).items():
        if isinstance(value, list):
            value = [v["item_id"] if isinstance(v, dict) else v for v in value]
            if len({type(v) for v in value}) > 1:  # an attribute list holds one type only, and no None
                value = [str(v) for v in value]
        found[f"{prefix}.{name}"] = value
    return found
