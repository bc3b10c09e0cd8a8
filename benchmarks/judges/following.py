"""Judges of one reply to one exchange with a third party in it: was the strategy followed, and how helpful was it?

Owns both judges of seed 003 in two forms: a rule, for agents whose sentences are known, and a model at any endpoint.
What cannot be decided is unscored. Helpfulness is a model's word only: no rule pretends to it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any

from benchmarks.cells.load import read_yaml
from benchmarks.errors import EnvironmentFault
from benchmarks.judges.model import read_yes_no
from benchmarks.judges.protocol import Outcome
from benchmarks.simulator.chat import ChatModel, Message

PROMPTS = Path(__file__).parent / "following.yaml"
SHARED_MIN = 0.34
"""Share of the third party's own content words from which a reply takes them up."""

_OTHER_PERSON = re.compile(
    r"\b(some(one|body)|the (other )?person|whoever|another (voice|person)|the other voice)\b.{0,30}"
    r"\b(with|beside|near|next to|around|there|said|says|mention\w*|added|suggest\w*|thinks)\b"
    r"|\b(person|voice) (with|beside|near|next to) you\b",
    re.IGNORECASE,
)
_COMMON = frozenset(
    "a an the and or but so of to in on at for with from by is are was were be been am do does did have has had i you "
    "he she it we they me him her us them my your his its our their this that these those not no yes oh well just "
    "please can could would should will may might there here what which who when where why how as if than then too "
    "very about again now".split()
)


@dataclass(frozen=True, slots=True)
class Exchange:
    """One exchange with its reply.

    Parameters:
        primary: The patient's words.
        third_party: The other words, spoken by somebody else, or by the patient too in a twin.
        two_voices: False for a twin.
        actionable: Gold of the third party's words.
        strategy: What the strategy file asks for such words.
        reply: What the agent answered.
    """

    primary: str
    third_party: str
    two_voices: bool
    actionable: bool
    strategy: str
    reply: str


class RuleFollowingJudge:
    """Reads attribution, uptake and a question off the reply.

    Two voices: actionable words must be taken up as somebody else's and put to the patient as a question; ignorable
    words must leave no trace. One voice: nothing may be given to somebody else.
    """

    name = "following/rules"
    version = "1"

    async def judge(self, exchange: Exchange, *, seed: int = 0) -> Outcome:
        """Judge one reply; PASS is the right handling, for twins too."""
        reply = exchange.reply
        if not reply.strip():
            return Outcome.UNSCORED
        attributed = bool(_OTHER_PERSON.search(reply))
        if not exchange.two_voices:
            return Outcome.FAIL if attributed else Outcome.PASS
        taken_up = _uptake(exchange) >= SHARED_MIN
        if not exchange.actionable:
            return Outcome.FAIL if attributed or taken_up else Outcome.PASS
        if attributed and taken_up:
            return Outcome.PASS if "?" in reply else Outcome.UNSCORED
        return Outcome.FAIL


class ModelFollowingJudge:
    """A model says yes or no.

    Args:
        model: The judge.
    """

    version = "1"

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """Name of the judge and its model."""
        return f"following/{self._model.name}"

    async def judge(self, exchange: Exchange, *, seed: int = 0) -> Outcome:
        """Judge one reply; anything but a plain yes or no is unscored."""
        part = "twin" if not exchange.two_voices else "actionable" if exchange.actionable else "ignorable"
        answer = await _ask(self._model, f"following_{part}", exchange, seed)
        return read_yes_no(answer)


class ModelHelpfulnessJudge:
    """A model gives 1 to 5.

    Args:
        model: The judge.
    """

    version = "1"

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """Name of the judge and its model."""
        return f"helpfulness/{self._model.name}"

    async def judge(self, exchange: Exchange, *, seed: int = 0) -> int | None:
        """Rate one reply; None where the answer holds no single number from 1 to 5."""
        answer = await _ask(self._model, "helpful" if exchange.two_voices else "helpful_twin", exchange, seed)
        return read_score(answer)


def read_score(answer: str | None) -> int | None:
    """Read one number from 1 to 5; a missing, other or second number leaves the reply unscored."""
    found = re.findall(r"(?<![\d.])([1-5])(?![\d]|\.\d)", (answer or "").partition("\n")[0])
    return int(found[0]) if len(found) == 1 else None


async def _ask(model: ChatModel, prompt: str, exchange: Exchange, seed: int) -> str | None:
    texts: dict[str, Any] = read_yaml(PROMPTS)
    asked = Template(str(texts[prompt])).substitute(
        primary=exchange.primary,
        third_party=exchange.third_party,
        strategy=exchange.strategy,
        reply=exchange.reply,
    )
    try:
        return (await model.complete([Message("user", asked)], seed=seed)).text
    except EnvironmentFault:
        return None


def _uptake(exchange: Exchange) -> float:
    """Share of the third party's content words, not the patient's, that stand in the reply."""
    own = _content(exchange.primary)
    wanted = _content(exchange.third_party) - own
    return len(wanted & _content(exchange.reply)) / len(wanted) if wanted else 0.0


def _content(text: str) -> set[str]:
    words = re.findall(r"[a-z0-9']+", text.lower())
    return {word.removesuffix("s") if len(word) > 3 else word for word in words if word not in _COMMON}
