"""One live call in real time: real ear, voice and language model, a patient who listens and cuts in.

Owns the wiring of the demo call. The outcome is computed from the audio: the patient reacts to what was heard, the
ledger moves on what was delivered. `stock` is the same pipeline without return-to-item and guard.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from loguru import logger
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair, LLMUserAggregatorParams
from pipecat.workers.runner import WorkerRunner

from obligations.steering import STOCK, SteeringPolicy
from pipecat_interrupt.demo.clips import clips
from pipecat_interrupt.demo.lag import LoopLag
from pipecat_interrupt.demo.models import DemoModels
from pipecat_interrupt.demo.patient import DEMO_CUES, PatientCue, ReactivePatient
from pipecat_interrupt.errors import EnvironmentProblem
from pipecat_interrupt.kit import InterruptKit, caller_vad
from pipecat_interrupt.kit.settings import KitSettings
from pipecat_interrupt.local.live import LiveOutput, PatientInput
from pipecat_interrupt.local.service import ClosingOpenAILLMService
from pipecat_interrupt.local.stt import TunedWhisperSTT
from pipecat_interrupt.local.tts import TimedPiperTTS
from pipecat_interrupt.steering import Acknowledger, ServiceAcknowledger, WritingAcknowledger, service_writer
from pipecat_interrupt.testing.voice import Speech

RATE_HZ = 16_000
CALL_S_MAX = 150.0
WARM_S_MAX = 30.0
SETTLE_S = 0.5
"""Quiet on the line before the agent speaks, so that the recording begins with silence on both sides."""

SystemName = Literal["ours", "stock"]
Watch = Callable[[InterruptKit, float], None]
"""Told the kit and the call's time while the call runs."""


@dataclass(slots=True)
class LiveCall:
    """What came of a live call.

    Parameters:
        kit: Records, ledger, journal, hand-off.
        stereo: int16, shape (samples, 2), 16 kHz: patient left, agent as heard right; sample 0 is the call's time 0.0.
        seconds: Length of the call.
        late_frames: Input frames that came more than 20 ms late.
        worst_late_ms: The latest of them, ms.
        underruns: Unexplained silences in the agent's speech.
        lag: Event-loop lag during the call.
        interrupted: The user stopped the call (Ctrl-C).
    """

    kit: InterruptKit
    stereo: np.ndarray[Any, np.dtype[np.int16]]
    seconds: float
    late_frames: int
    worst_late_ms: float
    underruns: int
    lag: LoopLag
    interrupted: bool = False


class LiveRun:
    """Builds and runs one call.

    Args:
        system: "ours" or "stock".
        models: The loaded models.
        journal: Where the journal goes.
        pathway: Bundled name or file.
        cues: What the patient reacts to.
    """

    def __init__(
        self,
        system: SystemName,
        models: DemoModels,
        journal: Path,
        pathway: str = "cataract-followup",
        cues: Sequence[PatientCue] = DEMO_CUES,
    ) -> None:
        self.system, self._models = system, models
        self._llm = ClosingOpenAILLMService(
            api_key=models.api_key,
            base_url=models.base_url,
            settings=ClosingOpenAILLMService.Settings(model=models.model_id, temperature=0.0),
        )
        self.refused: list[tuple[str, ...]] = []
        self.kit = InterruptKit(
            pathway,
            journal=journal,
            call_id=f"demo-{system}",
            settings=KitSettings(system=system, agent_id="piper-joe", model_id=models.model_id),
            policy=STOCK if system == "stock" else SteeringPolicy(),
            acknowledger=self._acknowledger(),
        )
        self._input, self._output = PatientInput(sample_rate_hz=RATE_HZ), LiveOutput(sample_rate_hz=RATE_HZ)
        self._worker = self._build()
        self._patient = ReactivePatient(cues, self._say, lambda: self.kit.recorder.heard_and_rest()[0])
        self.kit.recorder.add_listener(self._patient)

    async def run(self, watch: Watch | None = None) -> LiveCall:
        """Run the call to its end: goodbye, `CALL_S_MAX`, or Ctrl-C; the hand-off is complete in every case."""
        loop = asyncio.get_running_loop()
        started = asyncio.Event()

        @self._worker.event_handler("on_pipeline_started")
        async def _(_worker: PipelineWorker, _frame: object) -> None:
            started.set()

        await self._warm()
        runner = WorkerRunner(handle_sigint=False)
        await runner.add_workers(self._worker)
        pipeline = asyncio.ensure_future(runner.run())
        await asyncio.wait([pipeline, asyncio.ensure_future(started.wait())], return_when=asyncio.FIRST_COMPLETED)
        await asyncio.sleep(SETTLE_S)
        self._input.restart_statistics()
        lag = LoopLag()
        beside = [asyncio.ensure_future(c) for c in (self._patient.listen(), lag.measure(), self._watching(watch))]
        stopped = asyncio.Event()
        loop.add_signal_handler(signal.SIGINT, stopped.set)
        begun_s = loop.time()
        self.kit.begin()
        try:
            stop = asyncio.ensure_future(stopped.wait())
            await asyncio.wait([pipeline, stop], timeout=CALL_S_MAX, return_when=asyncio.FIRST_COMPLETED)
            stop.cancel()
            if not pipeline.done():
                await self._worker.cancel()
            await asyncio.wait([pipeline], timeout=10.0)
        finally:
            loop.remove_signal_handler(signal.SIGINT)
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)
        return self._result(begun_s, loop.time(), lag, stopped.is_set())

    def _build(self) -> PipelineWorker:
        kit, models = self.kit, self._models
        pair = LLMContextAggregatorPair(
            LLMContext(),
            user_params=LLMUserAggregatorParams(
                vad_analyzer=caller_vad(), user_turn_strategies=kit.turn_strategies(), empty_user_turn=None
            ),
        )
        stt, tts = TunedWhisperSTT(ear=models.ear), TimedPiperTTS(engine=models.voice)
        chain = [self._input, stt, pair.user(), self._llm, tts, self._output, pair.assistant()]
        return PipelineWorker(
            Pipeline(kit.instrument(chain)),
            params=PipelineParams(audio_in_sample_rate=RATE_HZ, audio_out_sample_rate=RATE_HZ),
            cancel_on_idle_timeout=False,
            enable_rtvi=False,
        )

    def _acknowledger(self) -> Acknowledger:
        if self._models.choice.writes:
            return WritingAcknowledger(service_writer(self._llm), self.refused.append)
        return ServiceAcknowledger(self._llm)

    async def _warm(self) -> None:
        """One reaction before the call, so that the first one in it is not the slow one.

        Raises:
            EnvironmentProblem: The model's server does not answer.
        """
        lines = self.kit.approved_reactions()
        try:
            async with asyncio.timeout(WARM_S_MAX):
                await self.kit.acknowledger.acknowledge("Yes, that is fine.", lines[0], lines, self.kit.language)
        except Exception as error:
            where = f"{self._models.base_url} (model {self._models.model_id!r})"
            raise EnvironmentProblem(
                f"the language model at {where} does not answer: {type(error).__name__}. Check address, model and key,"
                " or leave --llm-base-url out to use the local model"
            ) from error

    def _say(self, clip_id: str) -> float:
        clip = clips()[clip_id]
        self._input.say(Speech(clip.text, clip.samples(), RATE_HZ, ()))
        return clip.seconds

    async def _watching(self, watch: Watch | None) -> None:
        while watch is not None:
            try:
                watch(self.kit, self.kit.clock.now_s())
            except Exception as error:
                logger.warning("the progress display failed: {}", type(error).__name__)
            await asyncio.sleep(0.25)

    def _result(self, begun_s: float, ended_s: float, lag: LoopLag, interrupted: bool) -> LiveCall:
        zero_s = self.kit.clock.zero_loop_s
        left, right = self._input.heard(zero_s, ended_s), self._output.heard(zero_s, ended_s)
        n = min(len(left), len(right))
        return LiveCall(
            kit=self.kit,
            stereo=np.stack([left[:n], right[:n]], axis=1),
            seconds=ended_s - begun_s,
            late_frames=len(self._input.late),
            worst_late_ms=1000 * self._input.worst_late_s,
            underruns=len(self._output.underruns(_holds(self.kit))),
            lag=lag,
            interrupted=interrupted,
        )


def _holds(kit: InterruptKit) -> list[tuple[float, float]]:
    """Loop times between which the agent's audio was held."""
    spans: list[tuple[float, float]] = []
    since_s: float | None = None
    for event in kit.hold.controller.log if kit.hold is not None else ():
        if event.action == "hold":
            since_s = event.at_s
        elif event.action in ("resume", "drop") and since_s is not None:
            spans.append((since_s, event.at_s))
            since_s = None
    return spans
