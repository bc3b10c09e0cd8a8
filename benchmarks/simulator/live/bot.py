"""The developer's own pipeline as the system under test: `python -m benchmarks run --bot module:factory`.

Owns what a factory is given and what it must give back. The simulator plays the ends of the line (caller's audio,
recogniser, voice, listener); prompt, model, aggregators, turn strategies and kit are the bot's own.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from pipecat.frames.frames import EndFrame, ErrorFrame, Frame, LLMRunFrame
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.frame_processor import FrameProcessor

from benchmarks.errors import BadOption, BenchmarkError
from benchmarks.provenance import ROOT
from benchmarks.simulator.live.claims import kit_claims, with_history, with_recorded
from benchmarks.simulator.live.intents import IntentTap
from benchmarks.simulator.live.line import PatientLine
from benchmarks.simulator.live.systems import StockSystem
from benchmarks.simulator.live.timing import Timing
from benchmarks.simulator.system import Call, Claims
from benchmarks.simulator.transcript import Turn
from benchmarks.simulator.trial_log import PIPELINE_ERRORS
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.testing import CallParts, VirtualTimeError


@dataclass(frozen=True, slots=True)
class BotEdges:
    """The ends of the line, played by the simulator; each must stand in the factory's list once.

    Parameters:
        input: In place of `transport.input()`.
        stt: In place of the recogniser. At text level it brings the VAD's frames as well: give the user aggregator no
            `vad_analyzer` there.
        tts: In place of the voice.
        output: In place of `transport.output()`.
        level: "text" or "audio".
        seed: The trial's seed, for what the bot draws itself.
    """

    input: FrameProcessor
    stt: FrameProcessor
    tts: FrameProcessor
    output: FrameProcessor
    level: str
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BotUnderTest:
    """One bot for one call.

    Parameters:
        processors: The list for `Pipeline(...)`, with every edge in it; instrumented already when a kit is used.
        opening: The frame that starts the call; None when `begin` does.
        begin: Called when the line is open, such as `kit.begin`; None when `opening` does.
        context: The model's context: lets the report show where the history and the ear differ; None leaves it out.
        kit: The kit, when there is one: its record and hand-off are compared with what the patient heard.
        hangs_up_on_goodbye: The simulator ends the call behind a reply that says goodbye; False when the bot ends its
            calls itself. A patient who has said goodbye hangs up in any case.
    """

    processors: Sequence[FrameProcessor]
    opening: Callable[[], Frame] | None = LLMRunFrame
    begin: Callable[[], None] | None = None
    context: LLMContext | None = None
    kit: InterruptKit | None = None
    hangs_up_on_goodbye: bool = True


BotFactory = Callable[[BotEdges], BotUnderTest | Sequence[FrameProcessor]]


def load_factory(name: str) -> BotFactory:
    """Find ``module:factory``; the working directory is searched first, as `python -m` does.

    Raises:
        BadOption: The name has another form, or nothing callable is there.
    """
    module, colon, attribute = name.partition(":")
    if not colon or not module or not attribute:
        raise BadOption(f"--bot {name!r}: expected module:factory, such as my_bot:make_bot")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        factory = getattr(importlib.import_module(module), attribute, None)
    except Exception as error:  # whatever a module of somebody else's does when it is imported
        raise BadOption(f"--bot {name}: cannot import {module}: {_first_line(error)}") from error
    if factory is None:
        raise BadOption(f"--bot {name}: there is no {attribute} in {module}")
    if not callable(factory) or inspect.iscoroutinefunction(factory):
        raise BadOption(f"--bot {name}: {attribute} must be a plain function of one BotEdges; see docs/benchmarks.md")
    return cast(BotFactory, factory)


def make_bot(name: str, edges: BotEdges) -> BotUnderTest:
    """Make the bot of one call and check what came back.

    Raises:
        BadOption: The factory gave something else than a bot, or left an edge out.
    """
    factory = load_factory(name)
    try:
        made: Any = factory(edges)
    except (BenchmarkError, VirtualTimeError):
        raise
    except Exception as error:  # the developer's code: their traceback is kept, this line says whose it is
        raise BadOption(f"--bot {name}: the factory raised {_first_line(error)}{_where(error)}") from error
    bot = made if isinstance(made, BotUnderTest) else BotUnderTest(processors=_listed(name, made))
    for edge in ("input", "stt", "tts", "output"):
        times = sum(processor is getattr(edges, edge) for processor in bot.processors)
        if times != 1:
            raise BadOption(f"--bot {name}: edges.{edge} stands {times} times in the pipeline; put it in once")
    return bot


def _first_line(error: Exception) -> str:
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}".removesuffix(": ")


def _where(error: Exception) -> str:
    """Where in the developer's own files it was raised: the innermost place that is neither ours nor installed."""
    here = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if "site-packages" not in frame.filename and not Path(frame.filename).is_relative_to(ROOT / "benchmarks")
    ]
    return f", at {Path(here[-1].filename).name}:{here[-1].lineno}" if here else ""


def _listed(name: str, made: object) -> Sequence[FrameProcessor]:
    if isinstance(made, (list, tuple)) and all(isinstance(part, FrameProcessor) for part in made):
        return made
    raise BadOption(f"--bot {name}: expected a BotUnderTest or a list of processors, got {type(made).__name__}")


class BotSystem(StockSystem):
    """A developer's bot on the simulator's line. One object serves one call.

    Args:
        level: "text" or "audio".
        factory: ``module:factory``.
    """

    name = "bot"

    def __init__(self, level: str, factory: str) -> None:
        super().__init__(level)
        self._factory = factory
        self._bot: BotUnderTest | None = None
        self._errors: list[str] = []

    @property
    def _opening(self) -> Callable[[], Frame] | None:
        return None  # the bot says how it opens, once it is made

    def _build(self, parts: CallParts, call: Call, timing: Timing, held: list[PatientLine]) -> list[FrameProcessor]:
        edges = BotEdges(parts.input, parts.stt, parts.tts, parts.output, self.level, call.seed)
        bot = self._bot = make_bot(self._factory, edges)
        self._parts = parts

        async def hang_up() -> None:
            if bot.hangs_up_on_goodbye:
                await parts.worker.queue_frame(EndFrame())

        tap = IntentTap(call.patient.plan_cut, asyncio.get_running_loop().time, hang_up)
        held.append(PatientLine(parts, tap, call.patient, timing, call.bounds))
        before = [processor is parts.tts for processor in bot.processors].index(True)
        return [*bot.processors[:before], tap, *bot.processors[before:]]

    async def _begin(self, line: PatientLine) -> None:
        bot = self._bot

        @self._parts.worker.event_handler("on_pipeline_error")
        async def _(_: object, frame: ErrorFrame) -> None:
            self._errors.append(type(frame.exception).__name__ if frame.exception is not None else "no exception named")

        if bot is not None and bot.opening is not None:
            await self._parts.worker.queue_frame(bot.opening())
        if bot is not None and bot.begin is not None:
            bot.begin()
        await line.live()

    def _claimed(self, line: PatientLine, messages: list[dict[str, Any]]) -> tuple[Turn, ...]:
        bot = self._bot
        if bot is not None and bot.kit is not None:
            return with_recorded(line.turns(), bot.kit.scribe.records, line.context_ids())
        if bot is not None and bot.context is not None:
            return with_history(line.turns(), [dict(m) for m in bot.context.get_messages() if isinstance(m, dict)])
        return tuple(line.turns())

    def _notes(self) -> tuple[str, ...]:
        """Kinds of errors alone: what a bot writes into them may be what the patient said."""
        kinds = ", ".join(dict.fromkeys(self._errors))
        return (f"{PIPELINE_ERRORS} {len(self._errors)} ({kinds})",) if self._errors else ()

    def _claims(self) -> Claims:
        return kit_claims(self._bot.kit) if self._bot is not None and self._bot.kit is not None else Claims()
