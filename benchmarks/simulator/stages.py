"""The three stages of an interruption, each as a rule and as a model: fire, place, speak.

Owns what each stage may see: the first two see the intended utterance, the third only what was delivered.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from string import Template
from typing import Protocol

from benchmarks.cells import Cell, Phase, TurnMode, TurnPlan, load_overlap_types
from benchmarks.cells.load import load_references, prompt_text
from benchmarks.simulator.chat import ChatModel, Message, Usage
from benchmarks.simulator.placement import Cut, match_literal_prefix, rule_cut, rule_cuts, sentences
from benchmarks.simulator.transcript import HeardTurn, Speaker

PLACEMENT_ATTEMPTS = 2
PATIENCE_REPEATS = 4  # The scripted patient hangs up on an agent that says the same thing this often in a row.


class FireStage(Protocol):
    """Stage one: does this agent utterance get interrupted?"""

    async def fires(self, cell: Cell, intended: str, seed: int) -> tuple[bool, Usage]:
        """Decide on one utterance."""
        ...


class PlacementStage(Protocol):
    """Stage two: after which word? Promises a literal word-boundary prefix, or None."""

    async def place(self, cell: Cell, intended: str, seed: int) -> tuple[Cut | None, Usage]:
        """Choose the cut."""
        ...


class TurnStage(Protocol):
    """Stage three, and every normal patient turn: what does the patient say?"""

    async def interrupt(self, cell: Cell, plan: TurnPlan, heard: Sequence[HeardTurn], seed: int) -> tuple[str, Usage]:
        """Write the interrupting turn; the last heard turn is the fragment."""
        ...

    async def normal(self, cell: Cell, heard: Sequence[HeardTurn], seed: int) -> tuple[str, Usage]:
        """Write a cooperative turn."""
        ...


@dataclass(frozen=True, slots=True)
class Stages:
    """The three stages a run uses."""

    fire: FireStage
    placement: PlacementStage
    turn: TurnStage


class RuleFire:
    """Fires on an utterance that holds the cell's cue and hosts the cell's overlap."""

    async def fires(self, cell: Cell, intended: str, seed: int) -> tuple[bool, Usage]:
        """Fire on the cell's target: for a question, the cue must stand in a sentence that asks."""
        del seed
        spans = [intended[a:b] for a, b in sentences(intended)]
        if cell.phase is Phase.GATHERING:
            spans = [span for span in spans if span.endswith("?")]
        on_target = any(re.search(cue, span, flags=re.IGNORECASE) for cue in cell.fire.cues for span in spans)
        return on_target and bool(rule_cuts(cell, intended)), Usage()


class ModelFire:
    """A model reads the utterance and the cell's description of the target."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    async def fires(self, cell: Cell, intended: str, seed: int) -> tuple[bool, Usage]:
        """Fire when the model answers yes; any other answer does not fire."""
        prompt = Template(prompt_text("patient", "fire")).substitute(target=cell.fire.target, intended=intended)
        done = await self._model.complete([Message("user", prompt)], seed=seed)
        return bool(re.match(r"\W*yes\b", done.text, flags=re.IGNORECASE)), done.usage


class RulePlacement:
    """Draws one of the cuts the cell's rules allow."""

    async def place(self, cell: Cell, intended: str, seed: int) -> tuple[Cut | None, Usage]:
        """Draw with equal chance."""
        return rule_cut(cell, intended, random.Random(seed)), Usage()


class ModelPlacement:
    """A model copies the utterance up to the cut; an answer that is no literal prefix is asked again, then ruled."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    async def place(self, cell: Cell, intended: str, seed: int) -> tuple[Cut | None, Usage]:
        """Ask at most twice, then fall back on the rule and say so in the cut's source."""
        prompt = Template(prompt_text("patient", "placement")).substitute(
            placement=load_overlap_types()[cell.overlap].placement,
            directive=cell.placement.directive or "no more is asked of you than that.",
            intended=intended,
        )
        usage = Usage()
        for attempt in range(PLACEMENT_ATTEMPTS):
            done = await self._model.complete([Message("user", prompt)], seed=seed + attempt)
            usage = usage + done.usage
            chars = match_literal_prefix(done.text, intended)
            if chars is not None:
                return Cut(chars, "model"), usage
        return rule_cut(cell, intended, random.Random(seed), "fallback"), usage


class ScriptedTurns:
    """A patient without a model: cooperative, without symptoms; interrupts with the cell's examples.

    Asks the cell's question when invited to, or else when the agent is about to hang up.
    """

    async def interrupt(self, cell: Cell, plan: TurnPlan, heard: Sequence[HeardTurn], seed: int) -> tuple[str, Usage]:
        """Say the fixed utterance, or draw one of the examples."""
        del cell, heard
        if plan.mode is TurnMode.HARD_CODED:
            return str(plan.utterance), Usage()
        if not plan.examples:
            return "Sorry, just a moment.", Usage()
        return random.Random(seed).choice(plan.examples), Usage()

    async def normal(self, cell: Cell, heard: Sequence[HeardTurn], seed: int) -> tuple[str, Usage]:
        """Answer what was heard last."""
        del seed
        agent = _since_last_turn(heard)
        mine = " ".join(t.text for t in heard if t.speaker is Speaker.PATIENT)
        lately = [t.text for t in heard if t.speaker is Speaker.AGENT][-PATIENCE_REPEATS:]
        if len(lately) == PATIENCE_REPEATS and len(set(lately)) == 1:
            return "I have to go now. Goodbye.", Usage()
        faq = load_references().faqs.get(cell.reference)
        asks = faq.question if faq is not None and faq.question not in mine else None
        if re.search(r"\bgood ?bye\b", agent, flags=re.IGNORECASE) and "?" not in agent:
            return asks or "Goodbye.", Usage()
        if re.search(r"\bgood time\b", agent, flags=re.IGNORECASE):
            return "Yes, that's fine.", Usage()
        if re.search(r"\b(ask me|questions?|anything else)\b[^.]*\?", agent, flags=re.IGNORECASE):
            return asks or "No, that's all, thank you.", Usage()
        if "?" in agent:
            said_blurry = re.search(r"blurr", mine, flags=re.IGNORECASE)
            if said_blurry and re.search(r"blurr|vision", agent, flags=re.IGNORECASE):
                return "Yes, it's blurry, as I said.", Usage()
            return "No, nothing like that.", Usage()
        return "Okay, thank you.", Usage()


def _since_last_turn(heard: Sequence[HeardTurn]) -> str:
    """Give all the agent has said since the patient spoke last."""
    said: list[str] = []
    for turn in reversed(heard):
        if turn.speaker is Speaker.PATIENT:
            break
        said.insert(0, turn.text)
    return " ".join(said)


class ModelTurns:
    """A model plays the patient."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    async def interrupt(self, cell: Cell, plan: TurnPlan, heard: Sequence[HeardTurn], seed: int) -> tuple[str, Usage]:
        """Write the turn by the cell's directive; a hard-coded utterance never reaches the model."""
        if plan.mode is TurnMode.HARD_CODED:
            return str(plan.utterance), Usage()
        name = "turn_directive" if plan.mode is TurnMode.DIRECTIVE else "turn_free"
        instruction = Template(prompt_text("patient", name)).substitute(
            definition=load_overlap_types()[cell.overlap].definition,
            directive=plan.directive or "",
            delivered=heard[-1].text if heard else "",
        )
        return await self._say(cell, heard, seed, instruction)

    async def normal(self, cell: Cell, heard: Sequence[HeardTurn], seed: int) -> tuple[str, Usage]:
        """Write a cooperative turn."""
        return await self._say(cell, heard, seed, None)

    async def _say(
        self, cell: Cell, heard: Sequence[HeardTurn], seed: int, instruction: str | None
    ) -> tuple[str, Usage]:
        faq = load_references().faqs.get(cell.reference)
        role = Template(prompt_text("patient", cell.phase)).substitute(question=faq.question if faq else "")
        # As in the study, stage three changes the patient's own system prompt; the conversation stays as it was heard.
        system = [prompt_text("patient", "persona"), role, *([instruction] if instruction is not None else [])]
        messages = [Message("system", "\n".join(system))]
        messages += [Message("user" if t.speaker is Speaker.AGENT else "assistant", t.text) for t in heard]
        done = await self._model.complete(messages, seed=seed)
        return done.text.strip().strip('"') or "Okay.", done.usage


def scripted_stages() -> Stages:
    """Give the three stages as rules: offline, deterministic from the seed."""
    return Stages(RuleFire(), RulePlacement(), ScriptedTurns())


def model_stages(fire: ChatModel, placement: ChatModel, turn: ChatModel) -> Stages:
    """Give the three stages as models, as in the study."""
    return Stages(ModelFire(fire), ModelPlacement(placement), ModelTurns(turn))
