"""How hard the middleware steers: one frozen set of numbers, each with its reason.

Owns the defaults. Nothing here depends on a call in progress.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class SteeringPolicy(BaseModel):
    """What the flow, the reminders and the guard may do.

    Parameters:
        return_to_items: Go back to what was cut, unanswered or doubtful. False is what stock bots do: an item counts
            as done once intended.
        guard: Hold the end of the call while a critical item is open.
        reply_wait_s: Silence after a question before it is asked again. Our choice; telephone checks rarely need
            longer.
        cut_wait_s: Silence after a cut before the agent goes back by itself (a cough, not a reply). Our choice.
        silent_prompts_max: Prompts in a row without any reply before the call is ended. Our choice.
        return_within_turns: Agent turns a model may take before the middleware speaks a cut item itself. Our choice.
        stalled_turns: Agent turns with nothing of the pathway in them before the middleware goes on itself, though
            nothing is overdue yet. Our choice: room for an answer and some small talk.
        guard_tries_max: Times the guard speaks one item.
        guard_holds_max: Times the guard holds one call, whatever it holds it for.
        goodbye_offer_s_max: Longest speech offered on the patient's goodbye, seconds (design: at most 15 s).
        speech_chars_per_s: Characters spoken per second, for that estimate. Our choice, on the slow side so that the
            estimate errs long.
        repeats_max: Repetitions on request in one call.
        phrase_tries_max: Times a closing phrase is tried when it is cut.
        intents_per_attempt_max: Times words are handed to the voice for every attempt allowed, so that a dead voice
            cannot loop.
        fetch_wait_s: How long somebody may take to bring the patient to the telephone. Our choice: a walk through a
            house.
        quiet_wait_s: Silence before the frame asks "are you still there?" in a call that a model leads; None:
            `reply_wait_s` where the pathway has preconditions, else never.
        transfer: The carrier can put the call through to a person.
        stuck_after_s: An utterance whose end is never reported is given up after this.
        note_chars_max: Longest developer note to a model.
        safe_side_model: Let the shipped trained model read beside the word rules where a reading only raises
            (docs/safe-side-model-card.md). False leaves the rules alone.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    return_to_items: bool = True
    guard: bool = True
    reply_wait_s: float = Field(default=8.0, gt=0, le=120)
    cut_wait_s: float = Field(default=3.0, ge=0, le=120)
    silent_prompts_max: int = Field(default=3, ge=1, le=20)
    return_within_turns: int = Field(default=1, ge=0, le=20)
    stalled_turns: int = Field(default=3, ge=1, le=50)
    guard_tries_max: int = Field(default=2, ge=1, le=10)
    guard_holds_max: int = Field(default=16, ge=1, le=50)
    goodbye_offer_s_max: float = Field(default=15.0, gt=0, le=60)
    speech_chars_per_s: float = Field(default=12.0, gt=0, le=40)
    repeats_max: int = Field(default=5, ge=0, le=50)
    phrase_tries_max: int = Field(default=2, ge=1, le=10)
    intents_per_attempt_max: int = Field(default=3, ge=1, le=20)
    fetch_wait_s: float = Field(default=60.0, gt=0, le=600)
    quiet_wait_s: float | None = Field(default=None, gt=0, le=120)
    transfer: bool = False
    stuck_after_s: float = Field(default=60.0, gt=0, le=600)
    note_chars_max: int = Field(default=1200, ge=200, le=8000)
    safe_side_model: bool = True


STOCK = SteeringPolicy(return_to_items=False, guard=False)
