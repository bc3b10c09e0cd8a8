"""Settings of delivery accounting."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from pipecat_interrupt.delivery.playout import LAG_S_MAX


class DeliveryConfig(BaseModel):
    """Who speaks and how far behind the listener is.

    Parameters:
        playout_lag_s: Seconds from "written to the output" to "heard", in [0, 10]. 0 for transports that write as
            they play (websockets without a far buffer, SmallWebRTC); 1.0 for LiveKit's default queue. A carrier's
            playback marks replace it. Source: docs/metrics/delivery.md.
        language: BCP 47 tag of what the agent says; decides how figures and abbreviations are spoken.
        agent_id: Goes into every record.
        model_id: Goes into the record of every reply of the model.
        configuration_hash: Goes into every record.
        utterances_before: Utterances of this call spoken before, by another worker; numbering goes on behind them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    playout_lag_s: float = Field(default=0.0, ge=0.0, le=LAG_S_MAX)
    language: str = "en"
    agent_id: str = "agent"
    model_id: str = ""
    configuration_hash: str = ""
    utterances_before: int = Field(default=0, ge=0)
