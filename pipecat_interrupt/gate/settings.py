"""Settings of the gate in a pipeline; what a voice may do is `speaker_gate.GateSettings`."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Seconds = Annotated[float, Field(gt=0.0, le=10.0)]


class GatePipelineSettings(BaseModel):
    """When the gate listens and how long others wait for it.

    Parameters:
        step_s: How often a growing turn is judged while it matters; each judgement may run the model.
        pre_roll_s: Sound from before voice detection that belongs to the turn (detection comes late).
        verdict_wait_s: Longest a final transcript waits for the verdict of its turn; then it passes by what is known.
        interim_wait_s: Longest unfinished transcripts wait, from the onset of a voice, while nothing is decided and the
            agent can be heard; as long as `InterruptKit` waits for a voice that nobody knows.
        only_while_agent_active: Judge growing turns only while the agent speaks or thinks; other turns are judged
            once, at their end.
        active_after_agent_s: How long after the agent fell silent it still counts as active.
        silence_others: Replace the sound of a decided third party by silence for what comes after the gate. Off by
            default: voice detection behind the gate then sees the end of their speech early.
        attributed_run_delay_s: After a third party's useful words, with nobody else speaking, the model is asked to
            respond after this long.
        transcripts_max: Most transcripts waiting at once; one more passes at once.
        agent_text_s: How long the agent's words may come back as an echo.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    step_s: Seconds = 0.25
    pre_roll_s: Seconds = 0.4
    verdict_wait_s: Seconds = 1.0
    interim_wait_s: Seconds = 2.2
    only_while_agent_active: bool = True
    active_after_agent_s: Annotated[float, Field(ge=0.0, le=10.0)] = 1.0
    silence_others: bool = False
    attributed_run_delay_s: Seconds = 1.5
    transcripts_max: Annotated[int, Field(ge=1, le=256)] = 32
    agent_text_s: Seconds = 8.0
