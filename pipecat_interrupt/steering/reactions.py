"""The reaction a wording begins with: the pathway's line, or what the acknowledger makes of it.

Owns which lines an acknowledger may choose from, and when it is not asked at all.
"""

from __future__ import annotations

from collections.abc import Callable

from obligations.steering import End, Listen, PutThrough, Release, Speak
from obligations.tracker import Tracker
from pipecat_interrupt.steering.acknowledge import Acknowledger, acknowledged

CHOICE_WORDS_MIN = 3
"""A reply of fewer words says too little for a model to choose a reaction by; the pathway's line comes at once."""


def closes(move: Speak | Listen | PutThrough | End | Release | None) -> bool:
    """Whether a move is the agent's leave: nothing may be on its way from the patient when it is made."""
    return isinstance(move, End | Release) or (isinstance(move, Speak) and move.purpose == "goodbye")


def waits_for_words(move: Speak | Listen | PutThrough | End | Release | None, owed: Callable[[bool], bool]) -> bool:
    """Whether a move waits for words still with the recogniser: a leave always, speech where it is known to be slow."""
    return owed(True) if closes(move) else isinstance(move, Speak) and owed(False)


def spoken_at(age_s: float | None, now_s: float) -> float | None:
    """When the voice of the words at hand had ended; None where the recogniser does not tell."""
    return None if age_s is None else max(0.0, now_s - age_s)


def approved_reactions(tracker: Tracker) -> tuple[str, ...]:
    """The reactions a model may choose from, the neutral one first.

    "I can help with that" is not among them: it promises an answer and is said before one, by rule.
    """
    lines = tracker.pathway.phrases[tracker.language].acknowledgements
    every = (lines.neutral, lines.after_yes, lines.after_no, lines.after_interruption)
    return tuple(dict.fromkeys(line for line in every if line))


async def with_reaction(move: Speak, tracker: Tracker, acknowledger: Acknowledger, reply: str) -> str:
    """Give a move's text with the reaction chosen for the last reply; bounded as `acknowledged` is."""
    if not move.acknowledge:
        return move.text
    lines = tracker.pathway.phrases[tracker.language].acknowledgements
    every = sorted({line for line in lines.model_dump().values() if line}, key=len, reverse=True)
    default = next((line for line in every if move.text.startswith(line)), "")
    by_rule = default == lines.after_question or len(reply.split()) < CHOICE_WORDS_MIN
    approved = (default,) if by_rule else approved_reactions(tracker)
    chosen = await acknowledged(acknowledger, reply, default, approved, tracker.language)
    return chosen + move.text[len(default) :]
