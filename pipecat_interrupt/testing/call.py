"""One scripted call from timeline to result: who says what when, and what came of it.

Owns the wiring of the doubles into a pipeline. `run_call` is for plain test functions, `play_call` for code that
already runs in a loop, virtual or real.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.audio.vad.vad_analyzer import VADAnalyzer
from pipecat.frames.frames import Frame, LLMRunFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineParams, PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair, LLMUserAggregatorParams
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.turns.user_start import VADUserTurnStartStrategy
from pipecat.turns.user_stop import SpeechTimeoutUserTurnStopStrategy
from pipecat.turns.user_turn_strategies import UserTurnStrategies
from pipecat.workers.runner import WorkerRunner

from pipecat_interrupt.testing.heard import HeardContext, heard_contexts
from pipecat_interrupt.testing.llm import Reply, Script, ScriptedLLM
from pipecat_interrupt.testing.log import FrameLog
from pipecat_interrupt.testing.stt import ScriptedSTT, STTMode
from pipecat_interrupt.testing.transports import ListenerOutput, ScriptedInput
from pipecat_interrupt.testing.tts import ScriptedTTS, TTSShape
from pipecat_interrupt.testing.vad import EnergyVAD
from pipecat_interrupt.testing.virtual_time import LoopClock, run_virtual
from pipecat_interrupt.testing.voice import PATIENT, THIRD_PARTY, Samples, Speech, Voice, cough, speech

VADChoice = Literal["silero", "energy", "text"]
"""silero: the model in Pipecat's wheel on the samples. energy: loudness. text: no audio in, VAD frames by script."""

POLL_S = 0.01
"""How often a cue that waits for heard words looks."""


@dataclass(slots=True)
class CallParts:
    """The doubles of one call, ready to be put into a pipeline."""

    input: ScriptedInput
    stt: ScriptedSTT
    llm: ScriptedLLM
    tts: ScriptedTTS
    output: ListenerOutput
    context: LLMContext
    before: FrameLog
    after: FrameLog
    pair: LLMContextAggregatorPair = field(init=False)
    worker: PipelineWorker = field(init=False)
    started_at_s: float = 0.0

    @property
    def chain(self) -> list[FrameProcessor]:
        """The usual pipeline, in order; the taps `before` and `after` stand behind the recogniser and the transport."""
        head = [self.input, self.stt, self.before, self.pair.user(), self.llm, self.tts]
        return [*head, self.output, self.after, self.pair.assistant()]

    @property
    def now_s(self) -> float:
        """Seconds since the call began."""
        return asyncio.get_running_loop().time() - self.started_at_s


@dataclass(frozen=True, slots=True)
class Cue:
    """One thing that happens in a call.

    Parameters:
        do: What happens; gets the parts.
        at_s: Call time; None waits for `on_heard` only.
        on_heard: Wait until the listener has heard this word (its own text, punctuation ignored) to its end.
        nth: Which occurrence of that word.
        delay_s: Wait this long after it.
    """

    do: Callable[[CallParts], Awaitable[None]]
    at_s: float | None = None
    on_heard: str | None = None
    nth: int = 1
    delay_s: float = 0.0


class ScriptedCall:
    """The timeline of a call. All methods return the call, so they can be chained.

    Args:
        duration_s: How long the call lasts; the pipeline is cancelled then unless it has ended itself.
    """

    def __init__(self, duration_s: float = 20.0) -> None:
        self.duration_s = duration_s
        self.cues: list[Cue] = []

    def patient(self, text: str, *, heard_as: str | None = None, voice: Voice = PATIENT, **when: Any) -> ScriptedCall:
        """Let the patient speak.

        Args:
            text: The words.
            heard_as: What the recogniser makes of them; None is the words themselves.
            voice: How it sounds.
            when: `at_s`, or `on_heard` with `nth` and `delay_s`; see `Cue`.
        """
        return self.sound(text=text, heard_as=heard_as, voice=voice, user_id="patient", **when)

    def third_party(self, text: str, *, voice: Voice = THIRD_PARTY, **when: Any) -> ScriptedCall:
        """Let somebody else in the room speak."""
        return self.sound(text=text, voice=voice, user_id="third-party", **when)

    def cough(self, *, seed: int = 0, heard_as: str | None = None, **when: Any) -> ScriptedCall:
        """Let the patient cough; `heard_as` is what a recogniser might hallucinate."""
        return self.sound(make=lambda rate: cough(rate, seed=seed), heard_as=heard_as, user_id="patient", **when)

    def sound(
        self,
        *,
        text: str = "",
        make: Callable[[int], Speech] | None = None,
        heard_as: str | None = None,
        voice: Voice = PATIENT,
        user_id: str = "user",
        **when: Any,
    ) -> ScriptedCall:
        """Place any sound: `make` gets the input's sample rate and returns the clip."""

        async def do(parts: CallParts) -> None:
            rate = parts.input.sample_rate or 16000
            clip = make(rate) if make else speech(text, voice, rate)
            start_s = parts.input.say(clip)
            parts.stt.hear(clip, at_s=start_s, user_id=user_id, text=heard_as)

        return self.do(do, **when)

    def push(self, frame: Callable[[], Frame], **when: Any) -> ScriptedCall:
        """Queue a frame into the pipeline (`frame` makes a fresh one)."""

        async def do(parts: CallParts) -> None:
            await parts.worker.queue_frame(frame())

        return self.do(do, **when)

    def do(self, action: Callable[[CallParts], Awaitable[None]], **when: Any) -> ScriptedCall:
        """Do anything at a moment of the call."""
        self.cues.append(Cue(action, **when))
        return self


@dataclass(slots=True)
class CallResult:
    """What came of a call. Times are call time in seconds.

    Parameters:
        parts: The doubles, with their records in loop time.
        started_at_s: Loop time at which the call began.
        duration_s: How long it lasted.
        ended_itself: Whether the pipeline ended before the timeline did.
    """

    parts: CallParts
    started_at_s: float
    duration_s: float
    ended_itself: bool

    @property
    def heard(self) -> list[HeardContext]:
        """What the listener heard, context by context."""
        return heard_contexts(self.parts.output, self.parts.tts)

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The model's history at the end."""
        return [dict(m) for m in self.parts.context.get_messages() if isinstance(m, dict)]

    def gaps(self, shortest_s: float = 0.015) -> list[tuple[float, float]]:
        """Silences inside the agent's audio: (call time, length)."""
        return [(g.start_s - self.started_at_s, g.length_s) for g in self.parts.output.gaps(shortest_s)]

    def silent_after(self, at_s: float, *, for_s: float = 0.3) -> float:
        """Seconds from a call time until the listener's ear falls silent for at least `for_s`."""
        loop_s = at_s + self.started_at_s
        return self.parts.output.silent_from(loop_s, for_s=for_s) - loop_s

    def golden(self) -> str:
        """A hash over all logged frames and both channels: equal for equal runs."""
        logs = self.parts.before.golden(self.started_at_s), self.parts.after.golden(self.started_at_s)
        return "-".join(logs) + f"-{int(self.parts.output.stream().astype(np.int64).sum()):x}"

    def stereo(self) -> Samples:
        """Both channels side by side, int16, shape (n, 2): caller left, agent as heard right."""
        end_s = self.started_at_s + self.duration_s
        left = self.parts.input.heard(self.started_at_s, end_s)
        right = self.parts.output.heard(self.started_at_s, end_s)
        n = min(len(left), len(right))
        return np.stack([left[:n], right[:n]], axis=1)


UserParams = LLMUserAggregatorParams | Callable[[CallParts], LLMUserAggregatorParams]


async def play_call(
    call: ScriptedCall,
    *,
    replies: Sequence[str | Reply] | Script = (),
    tts: ScriptedTTS | TTSShape = "inline",
    stt: ScriptedSTT | STTMode = "segmented",
    vad: VADChoice = "silero",
    output: ListenerOutput | None = None,
    llm: ScriptedLLM | None = None,
    user_params: UserParams | None = None,
    build: Callable[[CallParts], Sequence[FrameProcessor]] | None = None,
    instrument: Callable[[list[FrameProcessor]], Sequence[FrameProcessor]] | None = None,
    opening: Callable[[], Frame] | None = LLMRunFrame,
    sample_rate_hz: int = 16000,
    observers: Sequence[Any] = (),
    worker_options: Mapping[str, Any] | None = None,
) -> CallResult:
    """Play a call on the running loop.

    Args:
        call: The timeline.
        replies: What the agent says; see `ScriptedLLM`.
        tts: A shape, or your own double.
        stt: A mode, or your own double.
        vad: Who finds the speech; see `VADChoice`.
        output: The listener; None is a websocket-like one.
        llm: Your own double instead of `replies`.
        user_params: Parameters of the user aggregator, or a function of the parts that makes them; None is VAD start,
            0.6 s speech timeout stop. `vad_analyzer` is filled in where it is missing.
        build: Makes the pipeline from the parts; None is `parts.chain`.
        instrument: Applied to that list, for example `InterruptKit.instrument`.
        opening: Makes the frame queued when the pipeline has started; None waits for the timeline.
        sample_rate_hz: Rate of both directions.
        observers: Pipecat observers.
        worker_options: Further arguments of `PipelineWorker`, such as `enable_rtvi` (off here by default).

    Returns:
        The result; the pipeline has ended.
    """
    parts = CallParts(
        input=ScriptedInput(silent=vad == "text"),
        stt=stt if isinstance(stt, ScriptedSTT) else ScriptedSTT(stt, emit_vad=vad == "text"),
        llm=llm or ScriptedLLM(replies),
        tts=tts if isinstance(tts, ScriptedTTS) else ScriptedTTS(tts),
        output=output or ListenerOutput(),
        context=LLMContext(),
        before=FrameLog("before"),
        after=FrameLog("after"),
    )
    parts.pair = LLMContextAggregatorPair(parts.context, user_params=_user_params(user_params, parts, vad))
    chain = list(build(parts) if build else parts.chain)
    chain = list(instrument(chain) if instrument else chain)
    parts.worker = _worker(chain, sample_rate_hz, observers, worker_options or {})
    pipeline = await _started(parts.worker)
    parts.started_at_s = asyncio.get_running_loop().time()
    if opening is not None:
        await parts.worker.queue_frame(opening())
    ended = await _follow(call, parts, pipeline)
    return CallResult(parts, parts.started_at_s, parts.now_s, ended)


def _worker(
    chain: list[FrameProcessor], sample_rate_hz: int, observers: Sequence[Any], options: Mapping[str, Any]
) -> PipelineWorker:
    given: dict[str, Any] = {
        "params": PipelineParams(audio_in_sample_rate=sample_rate_hz, audio_out_sample_rate=sample_rate_hz),
        "observers": list(observers),
        "clock": LoopClock(),
        "cancel_on_idle_timeout": False,
        "idle_timeout_secs": None,
        "enable_turn_tracking": bool(options.get("enable_tracing")),  # observers cost a fifth of a call
        "enable_rtvi": False,
    }
    return PipelineWorker(Pipeline(chain), **{**given, **options})


async def _started(worker: PipelineWorker) -> asyncio.Future[None]:
    """Run a worker and return once its pipeline has started, or has ended before it could."""
    started = asyncio.Event()

    @worker.event_handler("on_pipeline_started")
    async def _(_worker: PipelineWorker, _frame: Frame) -> None:
        started.set()

    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    pipeline = asyncio.ensure_future(runner.run())
    waiting = asyncio.ensure_future(started.wait())
    await asyncio.wait([pipeline, waiting], return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    return pipeline


async def _follow(call: ScriptedCall, parts: CallParts, pipeline: asyncio.Future[None]) -> bool:
    """Play the timeline beside the pipeline; say whether the pipeline ended by itself."""
    cues = [asyncio.ensure_future(_play(cue, parts)) for cue in call.cues]
    try:
        done, _ = await asyncio.wait([pipeline], timeout=call.duration_s)
        if not done:
            await parts.worker.cancel()
            await pipeline
        for cue in cues:
            if cue.done() and not cue.cancelled() and (error := cue.exception()):
                raise error
        return bool(done)
    finally:
        for task in cues:
            task.cancel()
        await asyncio.gather(*cues, return_exceptions=True)


async def _play(cue: Cue, parts: CallParts) -> None:
    if cue.at_s is not None:
        await asyncio.sleep(max(0.0, cue.at_s - parts.now_s))
    if cue.on_heard is not None:
        await _until_heard(cue.on_heard, cue.nth, parts)
    await asyncio.sleep(cue.delay_s)
    await cue.do(parts)


async def _until_heard(word: str, nth: int, parts: CallParts) -> None:
    """Wait until the ear has had a word; looks again only when something new has been written."""
    plain, seen = _plain(word), -1
    while True:
        pieces = len(parts.output.pieces)
        spoken = sum(_plain(w.text) == plain for context in parts.tts.contexts for w in context.words)
        if pieces != seen and spoken >= nth:
            seen = pieces
            ends_s = [
                w.end_s for c in heard_contexts(parts.output, parts.tts) for w in c.words if _plain(w.text) == plain
            ]
            if len(ends_s) >= nth:
                await asyncio.sleep(max(0.0, ends_s[nth - 1] - asyncio.get_running_loop().time()))
                return
        await asyncio.sleep(POLL_S)


def _plain(word: str) -> str:
    return "".join(c for c in word.lower() if c.isalnum())


def _user_params(given: UserParams | None, parts: CallParts, vad: VADChoice) -> LLMUserAggregatorParams:
    params = given(parts) if callable(given) else given
    if params is None:
        strategies = UserTurnStrategies(
            start=[VADUserTurnStartStrategy()], stop=[SpeechTimeoutUserTurnStopStrategy(user_speech_timeout=0.6)]
        )
        params = LLMUserAggregatorParams(user_turn_strategies=strategies)
    if params.vad_analyzer is None:
        params.vad_analyzer = _analyzer(vad)
    return params


def _analyzer(vad: VADChoice) -> VADAnalyzer | None:
    return {"silero": SileroVADAnalyzer, "energy": EnergyVAD, "text": lambda: None}[vad]()


def run_call(call: ScriptedCall, *, limit_s: float = 3600.0, inline: bool = True, **options: Any) -> CallResult:
    """Play a call on virtual time; takes the options of `play_call`. Equal arguments give bit-equal results."""
    return run_virtual(lambda: play_call(call, **options), inline=inline, limit_s=limit_s)
