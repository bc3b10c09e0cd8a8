"""The worker and the kit: each finding beside a call that shows the setting doing nothing."""

from __future__ import annotations

import pytest
from pipecat.frames.frames import HeartbeatFrame, MetricsFrame
from pipecat.metrics.metrics import TTFBMetricsData
from pipecat.pipeline.worker import PipelineParams

from obligations.steering import SteeringPolicy
from pipecat_interrupt.carrier import CarrierPlayback
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.kit.settings import KitSettings
from pipecat_interrupt.live import RtviFacts
from pipecat_interrupt.testing import FrameLog, ScriptedCall
from pipecat_interrupt.testing.call import CallParts

from .bots import Run, run

pytestmark = pytest.mark.pipeline


def _with(params: PipelineParams | None = None, log: FrameLog | None = None, **worker: object) -> Run:
    options = {**worker, **({"params": params} if params is not None else {})}
    around = (lambda p, c: [*c, log]) if log is not None else None
    return run(worker_options=options, around=around)


def test_tracing_without_turn_tracking() -> None:
    """Tracing is on and nothing makes spans."""
    found = _with(enable_tracing=True, enable_turn_tracking=False)

    assert found.result.parts.worker.turn_trace_observer is None
    assert "tracing-without-turn-tracking" in found.codes


def test_span_settings_unused() -> None:
    """A conversation id for spans that nobody makes."""
    found = _with(conversation_id="c-7")

    assert found.result.parts.worker.turn_trace_observer is None
    assert "span-settings-unused" in found.codes


@pytest.mark.parametrize("enabled", [False, True])
def test_metrics_settings_unused(enabled: bool) -> None:
    """Only the first byte time is to be reported; without metrics nothing is."""
    log = FrameLog("metrics", kinds=MetricsFrame)
    params = PipelineParams(enable_metrics=enabled, report_only_initial_ttfb=True, audio_out_sample_rate=16000)

    found = _with(params, log)

    times = [d for e in log.entries for d in e.frame.data if isinstance(d, TTFBMetricsData)]  # type: ignore[attr-defined]
    assert bool(times) == enabled
    assert ("metrics-settings-unused" in found.codes) == (not enabled)


@pytest.mark.parametrize("enabled", [False, True])
def test_heartbeat_settings_unused(enabled: bool) -> None:
    """A heartbeat every half second is asked for and none comes."""
    log = FrameLog("beats", kinds=HeartbeatFrame)
    params = PipelineParams(enable_heartbeats=enabled, heartbeats_period_secs=0.5, audio_out_sample_rate=16000)

    found = _with(params, log)

    assert bool(log.entries) == enabled
    assert ("heartbeat-settings-unused" in found.codes) == (not enabled)


@pytest.mark.parametrize(("idle_s", "ends"), [(1.0, True), (60.0, False)])
def test_idle_timeout_inside_a_hold(idle_s: float, ends: bool) -> None:
    """The agent is held for its full budget, nothing is said or heard, and the worker ends the call."""

    async def hold(parts: CallParts) -> None:
        assert kits[0].hold is not None
        kits[0].hold.controller.hold("test")

    kits: list[InterruptKit] = []

    def kit() -> InterruptKit:
        kits.append(InterruptKit())
        return kits[0]

    options = {"idle_timeout_secs": idle_s, "cancel_on_idle_timeout": True}
    found = run(ScriptedCall(12.0).do(hold, at_s=2.0), kit=kit, worker_options=options)

    assert (found.result.ended_itself and found.was_cut) == ends
    assert ("idle-timeout-inside-a-hold" in found.codes) == ends


def test_rtvi_facts_without_rtvi() -> None:
    """The kit would tell clients, and the worker has no way to."""
    found = run(kit=lambda: InterruptKit(rtvi=RtviFacts()), worker_options={"enable_rtvi": False})

    assert found.result.parts.output.messages == []
    assert "rtvi-facts-without-rtvi" in found.codes
    assert run(kit=lambda: InterruptKit(rtvi=RtviFacts()), worker_options={"enable_rtvi": True}).codes == set()


def test_kit_arguments_need_a_pathway() -> None:
    """A policy and a consumer of the hand-off: neither is ever used."""
    given: list[object] = []

    found = run(kit=lambda: InterruptKit(policy=SteeringPolicy(), on_handoff=given.append))

    assert given == []
    (finding,) = [f for f in found.findings if f.code == "kit-arguments-need-a-pathway"]
    assert "policy, on_handoff" in finding.what


def test_playout_lag_beside_carrier() -> None:
    """Two seconds of lag change nothing where the carrier's marks tell."""
    call = ScriptedCall(9.0).patient("please stop now", at_s=2.0)

    def delivered(lag_s: float) -> tuple[list[str], set[str]]:
        def kit() -> InterruptKit:
            return InterruptKit(carrier=CarrierPlayback(), settings=KitSettings(playout_lag_s=lag_s))

        found = run(call, kit=kit)
        assert found.kit is not None
        return [r.delivered for r in found.kit.scribe.records], found.codes

    (with_lag, codes), (without, clean) = delivered(2.0), delivered(0.0)

    assert with_lag == without
    assert "playout-lag-beside-carrier" in codes
    assert "playout-lag-beside-carrier" not in clean
