"""Names to objects: agents, systems and simulator stages, and the loop each level runs on.

Owns which names exist. Heavy parts (a Pipecat pipeline) are imported when their level is asked for.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.errors import BadOption, UnknownName
from benchmarks.judges.model import ModelCoverageJudge, ModelTargetQuestionJudge
from benchmarks.judges.score import Judges, rule_judges
from benchmarks.simulator.chat import ChatModel, Completion, Message
from benchmarks.simulator.endpoint import BACKOFF_S, EndpointModel, EndpointSettings
from benchmarks.simulator.replica import ReplicaSystem
from benchmarks.simulator.scripted_agent import Policy, scripted_agent
from benchmarks.simulator.stages import Stages, model_stages, scripted_stages
from benchmarks.simulator.system import System
from benchmarks.simulator.wire.settings import WireSettings

Result = TypeVar("Result")
LIVE = ("stock", "ours", "ours-bundled", "ours-led")
BOT = "bot"  # The developer's own pipeline; as agent and as system.
REALTIME = "realtime"
WIRE = "wire"
WITH_SOUND = ("audio", REALTIME)
REAL_CLOCK = ("transcript", REALTIME, WIRE)
LEVELS = {"transcript": ("replica",), "text": (*LIVE, BOT), "audio": (*LIVE, BOT), REALTIME: LIVE, WIRE: (BOT,)}
COMPARED = {
    "transcript": ("replica",),
    "text": ("stock", "ours"),
    "audio": ("stock", "ours"),
    REALTIME: ("stock", "ours"),
    WIRE: (BOT,),
}
VIRTUAL_S_MAX = 3 * 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """Which models a run uses; everything None runs offline.

    Parameters:
        base_url: Endpoint of every model that is not scripted.
        key_env: Environment variable with its key.
        agent_temperature: Temperature of agents; the study used 0.7.
        patient: Model that plays the patient; None uses the scripted patient.
        fire: Model of stage one; None uses `patient`.
        placement: Model of stage two; None uses `patient`.
        judge: Model of both judges; None uses the rule-based judges.
        agent_body: Further request fields of agents, such as {"reasoning": {"effort": "none"}}.
        backoff_s: Mean wait before a second attempt at the endpoint.
        bot: ``module:factory`` of a developer's own pipeline; None runs ours.
        real_time: Run pipelines on the machine's clock, which a bot with services of its own needs.
        wire: A running bot behind a carrier websocket; None runs bots in this process.
        recordings: Folder for each call's two channels, at levels with sound; None keeps none.
    """

    base_url: str | None = None
    key_env: str = "OPENAI_API_KEY"
    agent_temperature: float = 0.7
    patient: str | None = None
    fire: str | None = None
    placement: str | None = None
    judge: str | None = None
    agent_body: dict[str, Any] | None = None
    backoff_s: float = BACKOFF_S
    bot: str | None = None
    real_time: bool = False
    wire: WireSettings | None = None
    recordings: Path | None = None

    def settings(self, model: str, temperature: float) -> EndpointSettings:
        """Give the endpoint settings of one model.

        Raises:
            BadOption: No endpoint was named.
        """
        if self.base_url is None:
            raise BadOption(f"model {model!r} needs --base-url; without a model, scripted agents are: {names(Policy)}")
        return EndpointSettings(
            base_url=self.base_url,
            model=model,
            temperature=temperature,
            key_env=self.key_env,
            backoff_s=self.backoff_s,
        )

    @property
    def simulator_label(self) -> str:
        """Name the three stages for the record."""
        if self.patient is None:
            return "rules"
        return f"fire={self.fire or self.patient} placement={self.placement or self.patient} patient={self.patient}"

    def settings_told(self, turns_max: int) -> dict[str, str]:
        """Name what trials depend on and their ids do not tell; endpoints are left out, for one run may use several."""
        return {
            "simulator": self.simulator_label,
            "temperature": f"{self.agent_temperature:g}",
            "agent-body": json.dumps(self.agent_body, sort_keys=True) if self.agent_body else "none",
            "agent-turns-max": str(turns_max),
        }


def names(known: Any) -> str:
    """Write known names on one line."""
    return ", ".join(str(name) for name in known)


def make_agent(name: str, models: Models) -> ChatModel:
    """Give an agent: one of the scripted ones, or a model at the endpoint."""
    if name in list(Policy):
        return scripted_agent(name)
    if models.bot is not None or models.wire is not None:
        return BotsOwn(name)
    settings = replace(models.settings(name, models.agent_temperature), body=models.agent_body)
    return EndpointModel(settings)


@dataclass(frozen=True, slots=True)
class BotsOwn:
    """Stands for the agent inside a developer's bot: it has a name, and the simulator never asks it anything."""

    name: str

    async def complete(self, messages: Sequence[Message], *, seed: int) -> Completion:
        """Refuse: the bot asks its own model."""
        raise BadOption(f"agent {self.name!r} lives inside the bot and cannot be asked from outside")


def make_stages(models: Models) -> Stages:
    """Give the simulator's stages; temperatures are those of the study's Table 9."""
    if models.patient is None:
        return scripted_stages()
    return model_stages(
        fire=EndpointModel(models.settings(models.fire or models.patient, 0.1)),
        placement=EndpointModel(models.settings(models.placement or models.patient, 0.6)),
        turn=EndpointModel(models.settings(models.patient, 0.9)),
    )


def make_judges(models: Models) -> Judges:
    """Give one judge a phase."""
    if models.judge is None:
        return rule_judges()
    model = EndpointModel(models.settings(models.judge, 0.1))
    return Judges(ModelTargetQuestionJudge(model), ModelCoverageJudge(model))


def check_level(level: str, systems: list[str]) -> list[str]:
    """Give the systems of a level, those usually compared when none is named.

    Raises:
        UnknownName: There is no such level, or no such system at it.
    """
    if level not in LEVELS:
        raise UnknownName("level", level, LEVELS)
    for name in systems:
        if name not in LEVELS[level]:
            raise UnknownName(f"system at level {level}", name, LEVELS[level])
    return systems or list(COMPARED[level])


def make_system(
    name: str, level: str, bot: str | None = None, wire: WireSettings | None = None, recordings: Path | None = None
) -> System:
    """Give a system by name and level; `bot` names the factory of the system "bot", `wire` where a running one is.

    `recordings` keeps the two channels of each call of a pipeline with sound.

    Raises:
        UnknownName: There is no such system at this level.
        BadOption: The system is "bot", and no factory was named.
    """
    check_level(level, [name])
    if level == "transcript":
        return ReplicaSystem()
    if level == WIRE:
        from benchmarks.simulator.wire.system import WireSystem

        if wire is None:
            raise BadOption("level 'wire' needs --ws URL")
        return WireSystem(wire)
    if name == BOT:
        from benchmarks.simulator.live.bot import BotSystem

        if bot is None:
            raise BadOption("system 'bot' needs --bot module:factory")
        made = BotSystem(level, bot)
        made.recordings = recordings
        return made
    from benchmarks.simulator.live import make_live_system

    return make_live_system(name, level, recordings=recordings)


def loop_runner(level: str, *, real_time: bool = False) -> Callable[[Coroutine[Any, Any, Result]], Result]:
    """Give what runs a coroutine on the loop a level needs: a real one, or one on virtual time."""
    if level in REAL_CLOCK or real_time:
        return asyncio.run
    from pipecat_interrupt.testing import run_virtual

    return lambda work: run_virtual(lambda: work, limit_s=VIRTUAL_S_MAX)


def quiet_pipelines() -> None:
    """Let Pipecat log errors alone: a sweep of thousands of calls has no use for their debug lines."""
    from loguru import logger

    logger.remove()
    logger.add(sys.stderr, level="ERROR")
