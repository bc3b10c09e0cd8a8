"""Timing of steering and who leads the talk, with where each default comes from."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

END_GAP_S = 0.3
"""Wait before the guard speaks: a reply the model was asked for just before the end is said first (Flows does so)."""


class SteeringSettings(BaseModel):
    """How the middleware leads.

    Parameters:
        leads: True: the pathway decides what is said and the model only reacts. False: the model talks, and the
            middleware speaks when an item is overdue or the call is about to end.
        frames: The frame around the content leads where it must, also when a model leads the rest: nothing is asked of
            the model before the preconditions hold, nor once somebody wants out.
        turn_gap_s: Silence after an agent utterance before the agent goes on by itself (0.7 s in live calls, long
            enough for a patient to begin).
        cut_gap_s: The same after an utterance that was cut: the patient's words come first.
        lost_gap_s: Wait after an utterance whose sound never came, so that a dead voice is not tried every moment.
        empty_turn_gap_s: Wait after a turn of the patient that brought no words.
        model_wait_s: Longest wait for a model to begin its reply; then it is interrupted and the pathway speaks in its
            place. Our choice: as long as a question waits for its reply. A look-up of the model's is not counted.
        note_chars_max: Longest developer note to the model, in characters.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    leads: bool = True
    frames: bool = True
    turn_gap_s: float = Field(default=0.7, ge=0.0, le=5.0)
    cut_gap_s: float = Field(default=2.0, ge=0.0, le=10.0)
    lost_gap_s: float = Field(default=3.0, ge=0.0, le=30.0)
    empty_turn_gap_s: float = Field(default=2.0, ge=0.0, le=10.0)
    model_wait_s: float = Field(default=8.0, ge=0.5, le=60.0)
    note_chars_max: int = Field(default=1200, ge=200, le=8000)
