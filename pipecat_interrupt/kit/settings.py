"""Everything about one call that has a default, in one frozen value with a digest."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from pydantic import BaseModel, ConfigDict, Field

from pipecat_interrupt.overlap.config import OverlapConfig
from pipecat_interrupt.steering.settings import SteeringSettings


class KitSettings(BaseModel):
    """Settings of a kit.

    Parameters:
        language: BCP 47 tag of the call.
        system: A name for what runs: "ours", "stock", or your own.
        agent_id: Goes into every record.
        model_id: Goes into every record of the model's replies.
        playout_lag_s: Seconds from "written to the output" to "heard", in [0, 10]; see docs/metrics/delivery.md.
        user_speech_timeout_s: Silence after which a turn of the patient is over (0.4 s: docs/local-models.md).
        repair_context: Make the model's history say what was heard.
        licences: ``name@version`` of matchers and readers whose certificate allows them to close critical items.
        overlap: Settings of overlap judgement.
        steering: Timing of steering and who leads.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    language: str = "en"
    system: str = "ours"
    agent_id: str = "agent"
    model_id: str = ""
    playout_lag_s: float = Field(default=0.0, ge=0.0, le=10.0)
    user_speech_timeout_s: float = Field(default=0.4, gt=0.0, le=5.0)
    repair_context: bool = True
    licences: tuple[str, ...] = ()
    overlap: OverlapConfig = OverlapConfig()
    steering: SteeringSettings = SteeringSettings()

    @property
    def digest(self) -> str:
        """SHA-256 over all settings, 16 hex digits: two calls with one digest ran by the same settings."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:16]

    @staticmethod
    def versions() -> dict[str, str]:
        """Versions of what decides the outcome of a call."""
        return {"python": platform.python_version(), **{p: _version(p) for p in ("pipecat-ai", "pipecat-interrupt")}}


@cache
def _version(package: str) -> str:
    """Read a package's version once: it takes milliseconds, and every call asks."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
