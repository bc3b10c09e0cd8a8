"""Settings of a replay, with where each default comes from, and the bounds that no input may pass."""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from pipecat_interrupt.overlap.config import OverlapConfig

FILE_BYTES_MAX = 2 * 1024**3
"""Largest recording that is opened."""

TEXT_BYTES_MAX = 64 * 1024**2
"""Largest transcript or journal that is opened."""

CALL_S_MAX = 3 * 3600.0
"""Longest call: three hours of both channels are 0.35 GB of samples."""

WORDS_MAX = 200_000
"""Most words of one call: 18 words a second for three hours."""

RATE_HZ_MIN, RATE_HZ_MAX = 4_000, 192_000
"""Rates a recording may have."""

Seconds = Annotated[float, Field(ge=0.0, le=10.0)]


class ReplaySettings(BaseModel):
    """Settings of a replay.

    Parameters:
        language: BCP 47 tag of the call; None takes what the source says, else the pathway's first language.
        agent_channel: Which channel of a recording is the agent's; "auto" tells it by the pathway's wording and falls
            back on this project's own convention (caller left, agent right), with a note.
        agent_labels: Names of the agent's voice in transcripts, lower case; a tier, speaker or cue so named is the
            agent's.
        patient_labels: Names by which a transcript says that the far end's voice is the patient's own.
        person_labels: Names by which a transcript says that a person works through the pathway.
        agent_is: Whether software or a person does; "auto" takes a person where the transcript says so, else software.
        far_labels: Names of the far end's voice; when one side is named and there are two voices the other is the rest.
        voice_start_s: Speech after which a live voice detector reports a voice (Silero's default in Pipecat).
        voice_stop_s: Silence after which it reports its end (the same).
        text_delay_s: From that end to the text. Own choice between a streaming recogniser and Whisper on two cores.
        turn_gap_s: Silence after which a turn of the patient is over (the kit's `user_speech_timeout_s`).
        join_agent_s: Pause up to which two pieces of the agent are one utterance; own choice, a breath.
        split_far_s: Pause from which the far end's words are two stretches of voice: start and stop of the detector.
        matcher: "ensemble" reads content points in free wording as well (critical ones close only with a licence);
            "own-wording" reads the pathway's own wording alone.
        licences: ``name@version`` of matchers and readers that may close critical items.
        infer_intended: Whether an agent utterance that ends in the middle of the pathway's own wording counts as
            meant to say that wording.
        overlap: Settings of overlap judgement.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    language: str | None = None
    agent_channel: Literal["auto", "left", "right"] = "auto"
    agent_labels: tuple[str, ...] = ("agent", "bot", "assistant", "doctor", "nurse", "clinician", "agt", "cli")
    patient_labels: tuple[str, ...] = ("patient", "pat")
    person_labels: tuple[str, ...] = ("doctor", "nurse", "clinician", "cli")
    agent_is: Literal["auto", "software", "person"] = "auto"
    far_labels: tuple[str, ...] = ("patient", "caller", "user", "customer", "far", "pat")
    voice_start_s: Seconds = 0.2
    voice_stop_s: Seconds = 0.2
    text_delay_s: Seconds = 0.3
    turn_gap_s: Seconds = 0.4
    join_agent_s: Seconds = 0.5
    split_far_s: Seconds = 0.4
    matcher: Literal["ensemble", "own-wording"] = "ensemble"
    licences: tuple[str, ...] = ()
    infer_intended: bool = True
    overlap: OverlapConfig = OverlapConfig()

    @cached_property
    def digest(self) -> str:
        """SHA-256 over all settings, 16 hex digits: two replays with one digest ran by the same settings."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:16]
