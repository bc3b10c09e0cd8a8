"""Which back-end fits a transport, what is wrong with it, and how the parts are put together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from pipecat.processors.frame_processor import FrameProcessor
from pipecat.services.tts_service import TTSService
from pipecat.transports.base_output import BaseOutputTransport

from pipecat_interrupt.errors import PipelineError
from pipecat_interrupt.hold.ack import AckTap
from pipecat_interrupt.hold.controller import HoldController
from pipecat_interrupt.hold.filter import HoldFilter
from pipecat_interrupt.hold.gate import HoldGate
from pipecat_interrupt.hold.pacing import LEAD_S, ClockPacer, CreditPacer, NoPacer, Pacer
from pipecat_interrupt.hold.protocol import HOLD_BUDGET_S_MAX

BackendName = Literal["filter", "gate"]

PACED_TRANSPORTS = frozenset(
    {
        "FastAPIWebsocketOutputTransport",
        "SingleClientWebsocketServerOutputTransport",
        "WebsocketServerOutputTransport",
        "WebsocketClientOutputTransport",
        "SmallWebRTCOutputTransport",
        "LocalAudioOutputTransport",
        "TkOutputTransport",
    }
)
"""Pipecat transports whose write takes as long as the sound: their queue is the only buffer on our side."""


@dataclass(frozen=True, slots=True)
class BackendChoice:
    """The back-end for a transport.

    Parameters:
        backend: "filter" stops inside the transport, "gate" before it.
        clock_paced: Gate only: pace by the clock instead of by credit.
        reason: Why, in one sentence.
    """

    backend: BackendName
    clock_paced: bool
    reason: str


def choose_backend(output: BaseOutputTransport) -> BackendChoice:
    """Choose the back-end for a transport.

    The filter stops soonest but cannot reach audio that has left the transport; the gate bounds how much has. A
    transport nobody has measured counts as one that buffers.

    Args:
        output: The output transport, before or after set-up.
    """
    params = output._params
    if params.audio_out_mixer:
        return BackendChoice("gate", True, "a mixer runs in the transport's audio task; a filter would silence it too")
    ahead_s = _buffers_ahead_s(output)
    if ahead_s:
        return BackendChoice(
            "gate", True, f"the transport takes up to {1000 * ahead_s:.0f} ms of audio before it sounds"
        )
    names = {cls.__name__ for cls in type(output).__mro__}
    if ahead_s is None and not names & PACED_TRANSPORTS:
        return BackendChoice("gate", True, f"{type(output).__name__} is not known to write at the pace of the sound")
    return BackendChoice("filter", False, "the transport writes at the pace of the sound")


def _buffers_ahead_s(output: BaseOutputTransport) -> float | None:
    """Seconds a transport says it runs ahead of the sound; None when it says nothing."""
    own = getattr(output, "buffers_ahead_s", None)
    if isinstance(own, (int, float)):
        return float(own)
    queue_ms = getattr(output._params, "audio_out_queue_size_ms", None)
    return queue_ms / 1000 if isinstance(queue_ms, (int, float)) else None


@dataclass(frozen=True, slots=True)
class HoldParts:
    """The parts of one hold, ready to be placed.

    Parameters:
        controller: What start strategies use; fits the `Hold` protocol.
        before_output: Goes directly before the output transport.
        after_output: Goes directly behind it.
        choice: The back-end and why.
    """

    controller: HoldController
    before_output: HoldGate
    after_output: AckTap
    choice: BackendChoice

    def place(self, processors: list[FrameProcessor], output: BaseOutputTransport) -> list[FrameProcessor]:
        """Return the pipeline with the parts around the transport.

        Raises:
            PipelineError: The transport is not in the list.
        """
        if output not in processors:
            raise PipelineError("the output transport of this hold is not in the pipeline; build the hold from it")
        at = processors.index(output)
        return [*processors[:at], self.before_output, output, self.after_output, *processors[at + 1 :]]


def build_hold(
    output: BaseOutputTransport,
    *,
    backend: BackendName | None = None,
    lead_s: float = LEAD_S,
    clock_paced: bool | None = None,
    budget_s: float = HOLD_BUDGET_S_MAX,
) -> HoldParts:
    """Build the hold for a transport; call it before the pipeline is set up.

    Args:
        output: The output transport. With the filter back-end its `audio_out_filter` becomes a `HoldFilter` around the
            filter that was there.
        backend: None chooses by `choose_backend`.
        lead_s: Gate: how far audio may run ahead of the ear, seconds.
        clock_paced: Gate: pace by the clock; None as chosen.
        budget_s: Longest hold, in (0, 2.5] seconds.

    Raises:
        PipelineError: The transport has been set up already, so its filter can no longer be changed.
        ValueError: `budget_s` out of range.
    """
    choice = choose_backend(output)
    if backend is not None and (backend, clock_paced) != (choice.backend, None):
        paced = backend == "gate" and (choice.clock_paced if clock_paced is None else clock_paced)
        choice = BackendChoice(backend, paced, "asked for")
    hold_filter: HoldFilter | None = None
    pacer: Pacer = NoPacer()
    if choice.backend == "filter":
        hold_filter = _into_slot(output)
    else:
        chunk_s = 0.01 * output._params.audio_out_10ms_chunks
        pacer = ClockPacer(lead_s, chunk_s) if choice.clock_paced else CreditPacer(lead_s, chunk_s)
    gate = HoldGate(pacer=pacer, output=output)
    controller = HoldController(gate, output_filter=hold_filter, budget_s=budget_s)
    if hold_filter is not None:
        controller.attach(output)
    return HoldParts(controller, gate, AckTap(gate, watcher=controller), choice)


def _into_slot(output: BaseOutputTransport) -> HoldFilter:
    present = output._params.audio_out_filter
    if isinstance(present, HoldFilter):
        return present
    if output.sample_rate:
        raise PipelineError("the transport has been set up already; build the hold before the pipeline runs")
    hold_filter = HoldFilter(inner=present)
    output._params.audio_out_filter = hold_filter
    return hold_filter


class HoldRemark(NamedTuple):
    """Something that makes holds worse than they need be: a stable code, what it is, and what to do."""

    code: str
    what: str
    fix: str


def hold_remarks(output: BaseOutputTransport, tts: TTSService, hold: HoldParts | None = None) -> list[HoldRemark]:
    """Name what makes holds worse than they need be; empty when nothing does.

    Args:
        output: The output transport.
        tts: The voice.
        hold: The hold, to compare its back-end with the transport.
    """
    found: list[HoldRemark] = []
    tts_rate = tts._init_sample_rate or tts.sample_rate
    output_rate = output._params.audio_out_sample_rate or output.sample_rate
    if tts_rate and output_rate and tts_rate != output_rate:
        what = f"the TTS speaks at {tts_rate} Hz and the transport writes {output_rate} Hz: each frame is resampled"
        found.append(HoldRemark("voice-is-resampled", what, "give the TTS no sample_rate of its own"))
    if hold is not None and hold.choice.backend == "filter":
        choice = choose_backend(output)
        if choice.backend == "gate":
            what = f"the filter back-end does not fit this transport: {choice.reason}"
            found.append(HoldRemark("hold-does-not-fit", what, "let build_hold choose, or ask for the gate"))
        if output._params.audio_out_destinations:
            what = "the filter back-end holds the default destination only; further destinations keep sounding"
            found.append(HoldRemark("hold-misses-destinations", what, "speak on the default destination"))
    return found


def lint_hold(output: BaseOutputTransport, tts: TTSService, hold: HoldParts | None = None) -> list[str]:
    """Say `hold_remarks` in one line each."""
    return [f"{remark.what}; {remark.fix}" for remark in hold_remarks(output, tts, hold)]
