"""Calls of a pathway that asks who is on the line, on doubles and in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from pipecat.classifiers.base_classifier import BaseClassifier, ChoiceResult
from pipecat.extensions.voicemail.voicemail_detector import VoicemailDetector
from pipecat.frames.frames import LLMRunFrame
from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregatorParams

from obligations.pathway import Pathway
from obligations.steering import SteeringPolicy
from pipecat_interrupt.demo.patient import PatientCue, ReactivePatient
from pipecat_interrupt.gate import SpeakerGateProcessor
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.kit.settings import KitSettings
from pipecat_interrupt.steering import CallFrame, SteeringSettings
from pipecat_interrupt.testing import ScriptedCall, cooperative, deaf, looping, run_virtual, speech
from pipecat_interrupt.testing.call import CallParts, CallResult, play_call
from pipecat_interrupt.testing.llm import Script
from pipecat_interrupt.testing.voice import Speech

CLINICAL = (
    "Are you more short of breath than when you left hospital?",
    "Have your legs or ankles become more swollen?",
    "Ring the heart failure team if your weight goes up.",
)
"""What a model says that knows the pathway and heeds no rule."""

MODELS: dict[str, Callable[[], Script]] = {
    "cooperative": lambda: cooperative(CLINICAL),
    "deaf": lambda: deaf([*CLINICAL, *["Anything else?"] * 5]),
    "looping": lambda: looping(CLINICAL[0]),
}
WHO = "patient this call is for"


class Verdict(BaseClassifier):
    """A classifier that always says the same, or fails."""

    def __init__(self, choice: str | None) -> None:
        super().__init__()
        self._choice = choice

    async def _ask(self, state: Any, questions: Any, images: Any = ()) -> Any:
        """Answer every question alike."""
        if self._choice is None:
            raise RuntimeError("no classifier today")
        one = ChoiceResult(choice=self._choice, probabilities={self._choice: 1.0}, confidence=1.0)
        return dict.fromkeys(questions, one), None


def a_detector(choice: str | None) -> VoicemailDetector:
    """Make Pipecat's own detector around a verdict."""
    return VoicemailDetector(classifier=Verdict(choice))


async def _far_end(
    parts: CallParts, kit: InterruptKit, cues: Sequence[PatientCue], voice: Callable[[str], Speech]
) -> None:
    def say(text: str) -> float:
        sound = voice(text)
        parts.stt.hear(sound, at_s=parts.input.say(sound), user_id="patient")
        return sound.duration_s

    listener = ReactivePatient(cues, say, lambda: kit.recorder.heard_and_rest()[0])
    kit.recorder.add_listener(listener)
    kit.begin()
    await listener.listen()


def framed_call(
    *cues: PatientCue,
    pathway: str | Pathway = "heart-failure-discharge",
    model: str | None = None,
    says: Sequence[tuple[float, str]] = (),
    frame: Callable[[], CallFrame] | None = None,
    policy: SteeringPolicy | None = None,
    gate: SpeakerGateProcessor | None = None,
    voice: Callable[[str], Speech] = speech,
    duration_s: float = 120.0,
    at: Sequence[tuple[float, Callable[[CallParts, InterruptKit], Awaitable[None]]]] = (),
    **play: Any,
) -> tuple[InterruptKit, CallResult]:
    """Play a call; the pathway leads, or a model of `MODELS`.

    Args:
        cues: What the far end says to what it hears; `clip` is the text itself.
        pathway: The pathway, or its name.
        model: Who leads; None for the pathway.
        says: What the far end says at which second.
        frame: Makes the frame's parts, in the loop.
        policy: How hard to steer.
        gate: The call's speaker gate.
        voice: How a text of the cues sounds.
        duration_s: When the line drops.
        at: Things that happen at a second.
        play: Further options of `play_call`.
    """

    async def main() -> tuple[InterruptKit, CallResult]:
        settings = KitSettings(steering=SteeringSettings(leads=model is None))
        parts: dict[str, Any] = {"policy": policy, "gate": gate, "frame": frame() if frame is not None else None}
        kit = InterruptKit(pathway, call_id="c1", settings=settings, **parts)

        call = ScriptedCall(duration_s).do(lambda parts: _far_end(parts, kit, cues, voice), at_s=0.0)
        for at_s, text in says:
            call.patient(text, at_s=at_s)
        for at_s, action in at:
            call.do(lambda parts, action=action: action(parts, kit), at_s=at_s)
        replies = play.pop("replies", MODELS[model]() if model is not None else ())
        result = await play_call(
            call,
            replies=replies,
            tts="words",
            vad=play.pop("vad", "text"),
            user_params=lambda _: LLMUserAggregatorParams(
                user_turn_strategies=kit.turn_strategies(), empty_user_turn=None
            ),
            instrument=kit.instrument,
            opening=LLMRunFrame if model is not None else None,
            **play,
        )
        await asyncio.sleep(0)
        return kit, result

    return run_virtual(main)


def heard(kit: InterruptKit) -> str:
    """Everything that reached the far end's ear, in order."""
    return " ".join(record.delivered for record in kit.scribe.records)


def clinical(kit: InterruptKit) -> list[str]:
    """The words of the content that reached the ear: own wording, or the model's lines."""
    assert kit.tracker is not None
    pathway, words = kit.tracker.pathway, heard(kit)
    own = [i for i, item in pathway.items.items() if i not in pathway.opening and item.wording["en"][:20] in words]
    return [*own, *(line for line in CLINICAL if line[:20] in words)]
