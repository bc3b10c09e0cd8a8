"""Cost: how much CPU our parts add to a scripted 16 kHz call with Silero, beside stock, and to every frame.

Owns the figures of ``eval cost``; explained in docs/metrics/cost.md. No data is needed.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipecat.frames.frames import InputAudioRawFrame
from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregatorParams
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.turns.user_start import TranscriptionUserTurnStartStrategy, VADUserTurnStartStrategy
from pipecat.turns.user_stop import SpeechTimeoutUserTurnStopStrategy
from pipecat.turns.user_turn_strategies import UserTurnStrategies

from benchmarks.errors import BadOption
from benchmarks.evals.cost_frames import Hop, measure_hops, measure_output_parts
from benchmarks.figures import EvalOptions, Figure, GroupValue
from benchmarks.quiet import quiet
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.testing import CallParts, CallResult, FrameLog, ScriptedCall, run_call

KIND = "cost"
NEEDS_DATA = False
OPTIONS = ("pairs", "frames", "repeats")
PACKAGES = ("numpy", "onnxruntime")

PAIRS = 5
FRAMES = 2000
REPEATS = 5
CALL_S = 60.0

REPLIES = (
    "Good morning. I have three questions about your medicines. Do you take one tablet every morning with water?",
    "Thank you. Do not drink grapefruit juice with this medicine, because it makes the tablet stronger. "
    "Do you feel dizzy when you stand up?",
    "I understand. Stand up slowly, drink water, and call us if you faint. "
    "Do you have any other question for us today?",
    "Thank you for your time. Goodbye.",
)
"""Own wording, not clinically reviewed."""


Call = Callable[[str], tuple[float, int]]
"""Plays the call of a system; gives its CPU seconds and the number of audio frames that came in."""


@dataclass(frozen=True, slots=True)
class Pair:
    """CPU seconds of one call, stock and ours, run one right after the other; and audio frames in."""

    stock_s: float
    ours_s: float
    frames: int

    @property
    def ratio(self) -> float:
        """Ours over stock."""
        return self.ours_s / self.stock_s


@quiet()
def run(options: EvalOptions) -> list[Figure]:
    """Measure interleaved pairs of calls, then frames.

    Args:
        options: `pairs` of calls, `frames` and `repeats` of the frame-by-frame part; 0 pairs or 0 frames leaves that
            part out.

    Raises:
        BadOption: A number is out of range, or both parts are left out.
    """
    pairs = options.whole("pairs", PAIRS, least=0)
    frames = options.whole("frames", FRAMES, least=0)
    repeats = options.whole("repeats", REPEATS)
    if not pairs and not frames:
        raise BadOption("--option pairs=0 --option frames=0: leaves nothing to measure; give one of them 1 or more")
    return measure(pairs, frames, repeats)


def measure(pairs: int, frames: int, repeats: int, call: Call | None = None) -> list[Figure]:
    """Measure what is asked for; 0 leaves a part out. `call` plays a call of a system, another one in tests."""
    call = call or _call
    figures: list[Figure] = []
    if pairs:
        call("stock")  # warm: imports, the model, the synthesised words
        call("ours")
        figures += figures_of_pairs([_pair(number, call) for number in range(pairs)])
    if frames:
        figures += figures_of_frames(measure_hops(frames, repeats), measure_output_parts(frames, repeats), frames)
    return figures


def _pair(number: int, call: Call) -> Pair:
    """Run one pair; the order alternates, so that warming and throttling favour neither."""
    order = ("stock", "ours") if number % 2 == 0 else ("ours", "stock")
    taken = {system: call(system) for system in order}
    return Pair(taken["stock"][0], taken["ours"][0], taken["stock"][1])


def _call(system: str) -> tuple[float, int]:
    """Play the call; return its CPU seconds and the number of audio frames that came in."""
    script = (
        ScriptedCall(CALL_S)
        .patient("Yes, I take it every morning.", at_s=9.0)
        .patient("Wait, what was that about juice?", on_heard="grapefruit")
        .patient("No, I am not dizzy.", at_s=31.0)
        .patient("Nothing else, thank you.", at_s=44.0)
    )
    kits: list[InterruptKit] = []
    counter = FrameLog("input", kinds=InputAudioRawFrame)

    def user_params(_: CallParts) -> LLMUserAggregatorParams:
        stop = SpeechTimeoutUserTurnStopStrategy(user_speech_timeout=0.4)
        if system == "ours":
            kits.append(InterruptKit())
            return LLMUserAggregatorParams(user_turn_strategies=kits[0].turn_strategies())
        start = [VADUserTurnStartStrategy(), TranscriptionUserTurnStartStrategy()]
        return LLMUserAggregatorParams(user_turn_strategies=UserTurnStrategies(start=start, stop=[stop]))

    def build(parts: CallParts) -> Sequence[FrameProcessor]:
        plain = [p for p in parts.chain if p not in (parts.before, parts.after)]
        return [plain[0], counter, *plain[1:]]

    def instrument(chain: list[FrameProcessor]) -> Sequence[FrameProcessor]:
        return kits[0].instrument(chain) if kits else chain

    cpu_s = time.process_time()
    result: CallResult = run_call(
        script, replies=REPLIES, tts="words", user_params=user_params, build=build, instrument=instrument
    )
    cpu_s = time.process_time() - cpu_s
    if len(result.heard) < len(REPLIES):
        raise RuntimeError(f"the scripted call went astray: {len(result.heard)} utterances with {system}")
    return cpu_s, len(counter.entries)


def figures_of_pairs(pairs: Sequence[Pair]) -> list[Figure]:
    """Median and range over pairs; `low` and `high` are the range here, not an interval."""
    frames = pairs[0].frames
    ours: dict[str, GroupValue] = {"system": "ours"}
    return [
        _ranged("cpu_ratio_median", [p.ratio for p in pairs], {}, 3),
        _ranged("cpu_s_per_call_median", [p.ours_s for p in pairs], ours, 3),
        _ranged("cpu_s_per_call_median", [p.stock_s for p in pairs], {"system": "stock"}, 3),
        _ranged("cpu_us_per_input_frame_added", [1e6 * (p.ours_s - p.stock_s) / frames for p in pairs], ours, 1),
    ]


def figures_of_frames(hops: Sequence[Hop], parts: dict[str, float], frames: int) -> list[Figure]:
    """Frame-by-frame figures: medians over repeats."""
    figures: list[Figure] = []
    for hop in hops:
        group: dict[str, GroupValue] = {"mode": hop.mode, "frame": hop.frame}
        figures.append(Figure(name="cpu_us_per_hop", value=round(hop.cpu_us, 1), n=frames, group=group))
        figures.append(Figure(name="latency_us_per_hop", value=round(hop.latency_us, 1), n=frames, group=group))
    for name, cpu_us in parts.items():
        figures.append(Figure(name="cpu_us_per_tts_frame", value=round(cpu_us, 1), n=frames, group={"chain": name}))
    return figures


def _ranged(name: str, values: Sequence[float], group: dict[str, GroupValue], digits: int) -> Figure:
    return Figure(
        name=name,
        value=round(statistics.median(values), digits),
        low=round(min(values), digits),
        high=round(max(values), digits),
        n=len(values),
        group=group,
    )
