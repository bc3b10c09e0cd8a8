"""Four agents that need no model: how they treat a cut utterance is their only difference.

- cooperative: goes back to what was cut, at most twice an item, after answering the patient.
- deaf: never notices a cut; what it began counts as said. It reproduces the loss that seed 000 found.
- looping: goes back to the cut utterance and never leaves it.
- over-resuming: goes back three times, whether or not it was heard by then, and leaves the patient's words unanswered.

Each is an ordinary `ChatModel`: it knows nothing but the messages it is given.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.cells.load import read_yaml
from benchmarks.errors import UnknownName
from benchmarks.simulator.chat import Completion, Message
from benchmarks.simulator.words import bare_words, find_run

STARTED_WORDS_MIN = 2
COOPERATIVE_RETURNS_MAX = 2
OVER_RESUMES = 3


class Policy(StrEnum):
    """How an agent treats a cut utterance."""

    COOPERATIVE = "cooperative"
    DEAF = "deaf"
    LOOPING = "looping"
    OVER_RESUMING = "over-resuming"


@dataclass(frozen=True, slots=True)
class Faq:
    """One FAQ of the script: how it is recognised and how it is answered."""

    asked: str
    answer: str


@dataclass(frozen=True, slots=True)
class Script:
    """Everything a scripted agent can say.

    Parameters:
        items: Text by item id, in the order of the call: greeting, questions, invitation, goodbye.
        faqs: FAQs by id.
        phrases: Short replies and the words of a return.
    """

    items: dict[str, str]
    faqs: dict[str, Faq]
    phrases: dict[str, str]

    @property
    def texts(self) -> dict[str, str]:
        """Every item's text, FAQ answers included."""
        return {**self.items, **{name: faq.answer for name, faq in self.faqs.items()}}


@cache
def load_script() -> Script:
    """Read the bundled script."""
    raw: dict[str, Any] = read_yaml(Path(__file__).parent / "data" / "script.yaml")
    items = {
        "greeting": raw["greeting"],
        **raw["questions"],
        "invitation": raw["invitation"],
        "goodbye": raw["goodbye"],
    }
    faqs = {name: Faq(faq["asked"], faq["answer"]) for name, faq in raw["faqs"].items()}
    phrases = {name: raw[name] for name in ("unknown_question", "symptom_reply", "plain_reply", "resume")}
    return Script(items, faqs, phrases)


def read_history(said: Sequence[list[str]], items: dict[str, list[str]]) -> dict[str, bool]:
    """Find which items the agent has begun in its messages, and whether each was finished.

    Reads from left to right and takes the longest match at each place. Items that share their first words are told
    apart by what follows; where a cut leaves only shared words, the first unfinished item in the script's order is
    meant.

    Args:
        said: The agent's messages as bare words.
        items: Bare words of every item, in the script's order.

    Returns:
        True for finished, False for begun; items never begun are absent.
    """
    found: dict[str, bool] = {}
    for message in said:
        at = 0
        while at < len(message):
            lengths = {name: _common(words, message[at:]) for name, words in items.items()}
            longest = max(lengths.values())
            if longest < STARTED_WORDS_MIN and longest < min(map(len, items.values())):
                at += 1
                continue
            tied = [name for name, length in lengths.items() if length == longest]
            name = next((n for n in tied if not found.get(n, False)), tied[0])
            found[name] = found.get(name, False) or longest == len(items[name])
            at += longest
    return found


def _common(words: list[str], rest: list[str]) -> int:
    length = 0
    while length < min(len(words), len(rest)) and words[length] == rest[length]:
        length += 1
    return length


@dataclass(frozen=True, slots=True)
class _View:
    """The conversation as a scripted agent reads it."""

    script: Script
    said: list[list[str]]
    patient: str
    history: dict[str, bool]

    @classmethod
    def of(cls, messages: Sequence[Message], script: Script) -> _View:
        said = [bare_words(m.content) for m in messages if m.role == "assistant"]
        last = max((i for i, m in enumerate(messages) if m.role == "assistant"), default=-1)
        patient = " ".join(m.content for m in messages[last + 1 :] if m.role == "user")
        items = {name: bare_words(text) for name, text in script.texts.items()}
        return cls(script, said, patient, read_history(said, items))

    def started(self, name: str) -> bool:
        return name in self.history

    def broken(self) -> str | None:
        """The first item that was begun and not finished."""
        return next((n for n in self.script.texts if self.history.get(n) is False), None)

    def returns(self) -> int:
        """How often the agent has gone back so far."""
        mark = bare_words(self.script.phrases["resume"])
        return sum(len(find_run(mark, message)) for message in self.said)

    def resumed_item(self) -> str | None:
        """The item the last return went to, finished or not."""
        mark = bare_words(self.script.phrases["resume"])
        for message in reversed(self.said):
            for start in find_run(mark, message):
                items = {name: bare_words(text) for name, text in self.script.texts.items()}
                return next(iter(read_history([message[start + len(mark) :]], items)), None)
        return None

    def asked_faq(self) -> str | None:
        """The FAQ the patient's last words ask, begun or not."""
        return next(
            (n for n, f in self.script.faqs.items() if re.search(f.asked, self.patient, flags=re.IGNORECASE)), None
        )


class ScriptedAgent:
    """An agent that follows the script under one policy.

    Args:
        policy: How it treats a cut utterance.
        script: What it says; the bundled script by default.
    """

    def __init__(self, policy: Policy | str, script: Script | None = None) -> None:
        self._policy = Policy(policy)
        self._script = script or load_script()

    @property
    def name(self) -> str:
        """The policy's name."""
        return self._policy.value

    async def complete(self, messages: Sequence[Message], *, seed: int) -> Completion:
        """Say the next thing; the seed changes nothing."""
        view = _View.of(messages, self._script)
        if not view.said:
            return Completion(self._script.items["greeting"])
        back = self._return_to(view)
        if back is None:
            return Completion(self._next(view))
        reply = "" if self._policy is Policy.OVER_RESUMING else self._reply(view, skip=back)
        return Completion(f"{reply} {self._script.phrases['resume']} {self._script.texts[back]}".strip())

    def _return_to(self, view: _View) -> str | None:
        """The item to go back to under this policy; None goes on."""
        if self._policy is Policy.DEAF:
            return None
        broken, returns = view.broken(), view.returns()
        if self._policy is Policy.COOPERATIVE:
            return broken if returns < COOPERATIVE_RETURNS_MAX else None
        item = broken or view.resumed_item()
        if self._policy is Policy.LOOPING:
            return item
        return item if item is not None and returns < OVER_RESUMES else None

    def _reply(self, view: _View, skip: str | None = None) -> str:
        """Answer the patient's last words."""
        faq = view.asked_faq()
        if faq is not None and faq != skip:
            return self._script.faqs[faq].answer
        if "?" in view.patient:
            return self._script.phrases["unknown_question"]
        if re.search(r"\b(blurry|pain|hurts|red|see clearly)\b", view.patient, flags=re.IGNORECASE):
            return self._script.phrases["symptom_reply"]
        return self._script.phrases["plain_reply"]

    def _next(self, view: _View) -> str:
        """Go on: an FAQ that was asked, else the next item not yet begun."""
        faq = view.asked_faq()
        if faq is not None and not view.started(faq):
            return self._script.faqs[faq].answer
        following = next((n for n in self._script.items if not view.started(n)), "goodbye")
        return f"{self._reply(view, skip=faq)} {self._script.items[following]}"


def scripted_agent(name: str) -> ScriptedAgent:
    """Give a scripted agent by its policy's name.

    Raises:
        UnknownName: There is no such policy.
    """
    if name not in list(Policy):
        raise UnknownName("scripted agent", name, list(Policy))
    return ScriptedAgent(name)
