"""A patient who listens and reacts: what is said depends only on what the ear has heard.

Owns the cues of the demo call. The patient knows nothing of items, moves or states: a phrase heard in the agent's
current utterance, or a phrase in an utterance heard to its end, makes the patient say a clip.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from pipecat_interrupt.facts import UtteranceRecord

POLL_S = 0.02
"""How often the patient listens to what has been heard so far: one input frame."""


@dataclass(frozen=True, slots=True)
class PatientCue:
    """One reaction.

    Parameters:
        hears: Words that must have been heard, in this order, punctuation and case apart.
        clip: What the patient says then; a clip's id.
        when: "during": as soon as the words were heard. "after": when the utterance was heard to its end.
        delay_s: Wait after that.
        times: How often the cue may fire.
    """

    hears: str
    clip: str
    when: Literal["during", "after"] = "after"
    delay_s: float = 0.5
    times: int = 3


# Redness first, with the patient's own question; the answer is cut before its escalation advice by another question; a
# symptom question is answered over its last words; everything else is answered plainly.
DEMO_CUES = (
    PatientCue("redness in your eye", "red_no_light"),
    PatientCue("operation if you have severe", "cut_driving", when="during", delay_s=0.0, times=1),
    PatientCue("pain in your eye", "pain_no"),
    PatientCue("blurry or got worse", "blurry_no"),
    PatientCue("new floaters such", "floaters_no", when="during", delay_s=0.0, times=1),
    PatientCue("such as dots or threads", "floaters_no"),
    PatientCue("flashing lights", "flashes_no"),
)


class ReactivePatient:
    """Plays cues.

    Args:
        cues: The reactions, first match first.
        say: Starts a clip; returns its length in seconds.
        heard_now: Gives the words of the agent's current utterance heard so far; "" while the agent is silent.
    """

    def __init__(self, cues: Sequence[PatientCue], say: Callable[[str], float], heard_now: Callable[[], str]) -> None:
        self._cues, self._say, self._heard_now = tuple(cues), say, heard_now
        self._fired: dict[int, int] = {}
        self._busy_until_s = 0.0
        self._tasks: set[asyncio.Task[None]] = set()
        self.said: list[tuple[float, str]] = []

    async def listen(self) -> None:
        """React to what is being heard, until cancelled."""
        while True:
            words = plain(self._heard_now())
            if words:
                self._react(words, "during")
            await asyncio.sleep(POLL_S)

    def on_record(self, record: UtteranceRecord) -> None:
        """React to an utterance that was heard to its end."""
        if record.cut is None:
            self._react(plain(record.delivered), "after")

    def _react(self, words: str, when: str) -> None:
        for index, cue in enumerate(self._cues):
            if cue.when == when and self._fired.get(index, 0) < cue.times and f" {plain(cue.hears)} " in f" {words} ":
                now_s = asyncio.get_running_loop().time()
                if now_s < self._busy_until_s:
                    return
                self._fired[index] = self._fired.get(index, 0) + 1
                self._busy_until_s = now_s + cue.delay_s + 0.1
                task = asyncio.get_running_loop().create_task(self._speak(cue))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)
                return

    async def _speak(self, cue: PatientCue) -> None:
        await asyncio.sleep(cue.delay_s)
        now_s = asyncio.get_running_loop().time()
        self.said.append((now_s, cue.clip))
        self._busy_until_s = now_s + self._say(cue.clip)


def plain(text: str) -> str:
    """Fold a text to its bare words, lower case, single blanks."""
    return " ".join(re.findall(r"[\w']+", text.lower()))
