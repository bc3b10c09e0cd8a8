"""Counters of the server for Prometheus. Numbers and fixed labels only: no id, no number, no word of a call."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from pipecat_interrupt.serve.registry import CallPhase, CallRegistry, PhoneCall

CALL_S = (5, 15, 30, 60, 120, 240, 480, 900, 1800)
LAG_S = (0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2)


class Metrics:
    """The figures of one application; each has a registry of its own, so that two can live in one process.

    Args:
        calls: Whose calls are counted.
    """

    def __init__(self, calls: CallRegistry) -> None:
        self.registry = CollectorRegistry()
        r = self.registry
        self.webhooks = Counter(
            "pipecat_interrupt_webhooks", "Webhooks by what became of them", ["outcome"], registry=r
        )
        self.streams = Counter(
            "pipecat_interrupt_streams", "Media streams by what became of them", ["outcome"], registry=r
        )
        self.faults = Counter("pipecat_interrupt_stream_faults", "Dropped messages by reason", ["reason"], registry=r)
        self.calls = Counter("pipecat_interrupt_calls", "Finished calls by how they ended", ["reason"], registry=r)
        self.handoffs = Counter("pipecat_interrupt_handoffs", "Hand-offs by what they hold", ["critical"], registry=r)
        self.call_s = Histogram("pipecat_interrupt_call_seconds", "Length of calls", registry=r, buckets=CALL_S)
        self.playout_lag_s = Histogram(
            "pipecat_interrupt_playout_lag_seconds",
            "Median time from audio written to its mark coming back, one value a call",
            registry=r,
            buckets=LAG_S,
        )
        self.loop_lag_s = Histogram(
            "pipecat_interrupt_loop_lag_seconds", "How late the event loop was", registry=r, buckets=LAG_S
        )
        active = Gauge("pipecat_interrupt_calls_active", "Calls with an open media stream", registry=r)
        active.set_function(lambda: sum(call.phase is CallPhase.ACTIVE for call in calls.calls))
        places = Gauge("pipecat_interrupt_calls_max", "Calls this process takes at once", registry=r)
        places.set(calls.limits.calls_max)
        draining = Gauge("pipecat_interrupt_draining", "1 while the server takes no new calls", registry=r)
        draining.set_function(lambda: float(calls.draining))

    def call_over(self, call: PhoneCall, playout_lag_s: float | None) -> None:
        """Count a finished call.

        Args:
            call: The call, after its end.
            playout_lag_s: The median lag of its marks; None without marks.
        """
        self.calls.labels(call.reason).inc()
        if call.began_at is not None and call.ended_at is not None:
            self.call_s.observe((call.ended_at - call.began_at).total_seconds())
        if playout_lag_s is not None:
            self.playout_lag_s.observe(playout_lag_s)
        if call.handoff is not None:
            lost = any(item.critical for item in call.handoff.open_items)
            self.handoffs.labels("open" if lost else "closed").inc()

    def text(self) -> bytes:
        """The figures in Prometheus' text form."""
        return generate_latest(self.registry)
