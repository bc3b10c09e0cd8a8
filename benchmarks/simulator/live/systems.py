"""Stock Pipecat and ours as systems under test: the same bot, the same doubles, the same patient; ours with the kit.

Owns what differs between the two, and nothing else may differ.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipecat.frames.frames import EndFrame, Frame, LLMRunFrame
from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregatorParams
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.turns.user_start import TranscriptionUserTurnStartStrategy, VADUserTurnStartStrategy
from pipecat.turns.user_stop import SpeechTimeoutUserTurnStopStrategy
from pipecat.turns.user_turn_strategies import UserTurnStrategies

from benchmarks.errors import UnknownName
from benchmarks.simulator.chat import Message, Usage
from benchmarks.simulator.live.claims import kit_claims, with_history, with_recorded
from benchmarks.simulator.live.intents import IntentTap
from benchmarks.simulator.live.line import PatientLine
from benchmarks.simulator.live.local_voices import local_voices
from benchmarks.simulator.live.study_pathway import bundled_pathway, study_pathway
from benchmarks.simulator.live.timing import Delays, Timing, draw_timing
from benchmarks.simulator.seeds import derive_seed
from benchmarks.simulator.system import Call, CallRecord, Claims, EndReason, System
from benchmarks.simulator.transcript import Turn
from obligations.pathway import Pathway
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.kit.settings import KitSettings
from pipecat_interrupt.steering.settings import SteeringSettings
from pipecat_interrupt.testing import (
    CallParts,
    CallResult,
    ListenerOutput,
    ScriptedCall,
    ScriptedLLM,
    ScriptedSTT,
    ScriptedTTS,
    TTSShape,
    play_call,
)
from pipecat_interrupt.testing.call import VADChoice
from pipecat_interrupt.testing.carrier.sound import write_stereo

TURN_END_S = 0.4  # Silence that ends a patient turn, for both systems.
REALTIME = "realtime"
REALTIME_TEXT_S_MAX = 8.0  # A bound, not a wait: a turn ends with its words, however late a busy machine gives them.
REALTIME_DELAYS = Delays(reply_s=0.9, patience_s=7.0)
"""With real models a sentence can come late: a patient does not speak into every gap, nor hang up on every wait. What
is measured is whether required content survives a cut, and not how fast the machine is."""

CHUNK_10MS = {"text": 20, "audio": 4, REALTIME: 4}  # Text level: 0.1 s steps, for speed; else Pipecat's own 40 ms.
SAMPLE_RATE_HZ = {"text": 8000, "audio": 16000, REALTIME: 16000}
VAD_OF_LEVEL: dict[str, VADChoice] = {"text": "text", "audio": "silero", REALTIME: "silero"}


@dataclass(slots=True)
class _Agent:
    """The agent under test as a script of the model double: asks the simulator's `ChatModel`, counts what it costs."""

    call: Call
    usage: Usage = field(default_factory=Usage)

    async def __call__(self, messages: list[dict[str, Any]]) -> str:
        chat = [Message(str(m.get("role")), _text(m.get("content"))) for m in messages]
        seed = derive_seed(self.call.seed, "agent", self.usage.calls)
        outside = getattr(asyncio.get_running_loop(), "external", nullcontext)
        with outside():
            done = await self.call.agent.complete(chat, seed=seed)
        self.usage = self.usage + done.usage
        return done.text


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return " ".join(str(part.get("text", "")) for part in content or [] if isinstance(part, dict))


class StockSystem:
    """Pipecat as it comes: a turn starts on voice or words and cuts the agent off; the history is the aggregator's.

    Args:
        level: "text" (VAD frames by script, no audio in), "audio" (Silero on samples), or "realtime" (the machine's
            clock, a real voice on both sides, a real recogniser).
        tts: The voice's shape.
        delays: Added to the trial's times; None is the level's own.

    `recordings` names a folder for the call's two channels on one clock, caller left, agent as heard right; None keeps
    no sound.
    """

    name = "stock"
    recordings: Path | None = None

    def __init__(self, level: str, tts: TTSShape = "words", delays: Delays | None = None) -> None:
        self.level = level
        self._tts: TTSShape = tts
        self._delays = delays or (REALTIME_DELAYS if level == REALTIME else Delays())

    async def converse(self, call: Call) -> CallRecord:
        """Conduct one call on the running (virtual) loop."""
        timing = draw_timing(call.seed, self._delays)
        held: list[PatientLine] = []
        agent = _Agent(call)
        result = await play_call(
            ScriptedCall(call.bounds.call_s_max).do(lambda _: self._begin(held[0]), at_s=0.0),
            llm=ScriptedLLM(agent, first_token_s=timing.model_delay_s, system_instruction=call.agent_prompt),
            stt=_stt(timing, self.level),
            tts=_tts(self._tts, self.level),
            vad=VAD_OF_LEVEL[self.level],
            output=ListenerOutput(chunk_10ms=CHUNK_10MS[self.level], bot_speaking_frames=self.level != "text"),
            sample_rate_hz=SAMPLE_RATE_HZ[self.level],
            user_params=self._user_params(),
            build=lambda parts: self._build(parts, call, timing, held),
            instrument=self._instrument,
            opening=self._opening,
        )
        line = held[0]
        end = line.end or (EndReason.AGENT_CLOSED if result.ended_itself else EndReason.TIME_LIMIT)
        return CallRecord(
            turns=self._claimed(line, result.messages),
            end=end,
            claims=self._claims(),
            usage=agent.usage,
            duration_s=round(result.duration_s, 3),
            notes=(*self._notes(), *_models(self.level), *_doubts(line), *self._record(result, call.seed)),
        )

    def _record(self, result: CallResult, seed: int) -> tuple[str, ...]:
        if self.recordings is None:
            return ()
        stereo = result.stereo()
        digest = hashlib.sha256(stereo.tobytes()).hexdigest()
        write_stereo(self.recordings / f"{seed:016x}-{digest[:12]}.wav", stereo, SAMPLE_RATE_HZ[self.level])
        return (f"recording sha256:{digest}",)

    @property
    def _opening(self) -> Callable[[], Frame] | None:
        """The frame that starts the call: the model is asked to speak."""
        return LLMRunFrame

    def _build(self, parts: CallParts, call: Call, timing: Timing, held: list[PatientLine]) -> list[FrameProcessor]:
        return _chain(parts, call, timing, held, self.level)

    async def _begin(self, line: PatientLine) -> None:
        await line.live()

    def _user_params(self) -> LLMUserAggregatorParams:
        strategies = UserTurnStrategies(
            start=[VADUserTurnStartStrategy(), TranscriptionUserTurnStartStrategy()],
            stop=[SpeechTimeoutUserTurnStopStrategy(user_speech_timeout=TURN_END_S)],
        )
        return LLMUserAggregatorParams(user_turn_strategies=strategies)

    def _instrument(self, chain: list[FrameProcessor]) -> Sequence[FrameProcessor]:
        return chain

    def _claimed(self, line: PatientLine, messages: list[dict[str, Any]]) -> tuple[Turn, ...]:
        return with_history(line.turns(), messages)

    def _claims(self) -> Claims:
        return Claims()

    def _notes(self) -> tuple[str, ...]:
        return ()


class OursSystem(StockSystem):
    """The same bot with `InterruptKit` around it: the agent under test talks, and the kit speaks where it must.

    One object serves one call. The study's references are critical in its pathway.

    Args:
        level: As for stock.
        tts: As for stock.
        delays: As for stock.
    """

    name = "ours"
    leads = False

    def __init__(self, level: str, tts: TTSShape = "words", delays: Delays | None = None) -> None:
        super().__init__(level, tts, delays)
        self._kit = InterruptKit(
            self._pathway(),
            call_id="trial",
            settings=KitSettings(user_speech_timeout_s=TURN_END_S, steering=SteeringSettings(leads=self.leads)),
        )

    def _pathway(self) -> Pathway:
        return study_pathway()

    def _user_params(self) -> LLMUserAggregatorParams:
        return LLMUserAggregatorParams(user_turn_strategies=self._kit.turn_strategies())

    def _instrument(self, chain: list[FrameProcessor]) -> Sequence[FrameProcessor]:
        return self._kit.instrument(chain)

    def _claimed(self, line: PatientLine, messages: list[dict[str, Any]]) -> tuple[Turn, ...]:
        return with_recorded(line.turns(), self._kit.scribe.records, line.context_ids())

    def _claims(self) -> Claims:
        return kit_claims(self._kit)

    def _notes(self) -> tuple[str, ...]:
        troubles = sum(getattr(entry, "type", "") == "trouble" for entry in self._kit.memory.entries)
        return (f"troubles journalled: {troubles}",) if troubles else ()


class OursBundledSystem(OursSystem):
    """Ours with the pathway as it is bundled, in which of the study's three content points only one is critical."""

    name = "ours-bundled"

    def _pathway(self) -> Pathway:
        return bundled_pathway()


class OursLedSystem(OursSystem):
    """Ours as it comes: the pathway leads and the agent under test says nothing, whatever it would have said."""

    name = "ours-led"
    leads = True

    @property
    def _opening(self) -> Callable[[], Frame] | None:
        return None

    async def _begin(self, line: PatientLine) -> None:
        self._kit.begin()
        await line.live()


def _stt(timing: Timing, level: str) -> ScriptedSTT:
    if level == REALTIME:
        return ScriptedSTT("segmented")  # stands outside the pipeline: a real recogniser is in it
    return ScriptedSTT(
        "streaming",
        delay_s=timing.transcript_delay_s,
        final_delay_s=timing.final_delay_s,
        emit_vad=level == "text",
        vad_delay_s=timing.vad_delay_s,
    )


def _tts(shape: TTSShape, level: str) -> ScriptedTTS | TTSShape:
    return ScriptedTTS(shape, speak=local_voices().agent) if level == REALTIME else shape


def _models(level: str) -> tuple[str, ...]:
    return (f"ear {local_voices().ear_name}, voice piper",) if level == REALTIME else ()


def _doubts(line: PatientLine) -> tuple[str, ...]:
    """What speaks against the ear's own account of the call."""
    unasked = line.sounds_unasked()
    return (
        *(() if line.ear_agrees() else ("the two ears disagree",)),
        *((f"speech that nothing before the voice accounts for: {unasked}",) if unasked else ()),
    )


def _ear(parts: CallParts, level: str) -> FrameProcessor:
    if level != REALTIME:
        return parts.stt
    from pipecat_interrupt.local.stt import TunedWhisperSTT

    return TunedWhisperSTT(ear=local_voices().ear, ttfs_p99_latency=REALTIME_TEXT_S_MAX)


def _chain(parts: CallParts, call: Call, timing: Timing, held: list[PatientLine], level: str) -> list[FrameProcessor]:
    async def hang_up() -> None:
        await parts.worker.queue_frame(EndFrame())

    loop = asyncio.get_running_loop()
    tap = IntentTap(call.patient.plan_cut, loop.time, hang_up)
    speak = local_voices().patient if level == REALTIME else None
    held.append(PatientLine(parts, tap, call.patient, timing, call.bounds, speak))
    stt = _ear(parts, level)
    return [parts.input, stt, parts.pair.user(), parts.llm, tap, parts.tts, parts.output, parts.pair.assistant()]


MAKERS: dict[str, Callable[[str, TTSShape], StockSystem]] = {
    "stock": StockSystem,
    "ours": OursSystem,
    "ours-bundled": OursBundledSystem,
    "ours-led": OursLedSystem,
}
LIVE_SYSTEMS = tuple(MAKERS)


def make_live_system(name: str, level: str, tts: TTSShape = "words", recordings: Path | None = None) -> System:
    """Give a fresh system for one call; `recordings` keeps its two channels there.

    Raises:
        UnknownName: There is no such system.
    """
    if name not in MAKERS:
        raise UnknownName("live system", name, MAKERS)
    system = MAKERS[name](level, tts)
    system.recordings = recordings
    return system
