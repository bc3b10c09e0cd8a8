"""Sounds, conditions and planned trials that the tests of the yield protocol share."""

import numpy as np

from benchmarks.yielding import (
    Conditions,
    PlannedYieldTrial,
    Scenario,
    ScenarioClass,
    load_scenarios,
)

RATE = 8000


def noise(seconds: float, seed: int = 0) -> np.ndarray:
    """Loud noise that is like no other seed's."""
    return np.random.default_rng(seed).normal(0, 0.1, round(seconds * RATE))


def silence(seconds: float) -> np.ndarray:
    """Digital silence."""
    return np.zeros(round(seconds * RATE))


def conditions(system: str = "stock") -> Conditions:
    """Every field that section 4 asks for."""
    return Conditions(
        system=system,
        system_version="0",
        model="scripted",
        prompt_hash="p",
        configuration_hash="c",
        vad="silero",
        playback_buffer_ms=0.0,
        codec="pcm16",
        device="headless",
        operating_system="linux",
        transport="loopback",
        region="none",
        sample_rate_hz=RATE,
        channel_layout="user left, agent right",
        clock_sync="one clock",
        measured_at="listener",
        noise="none",
        network="none",
    )


def scenario(scenario_id: str) -> Scenario:
    """A bundled scenario."""
    language = "en" if scenario_id.startswith("en") else "pt-PT"
    return next(s for s in load_scenarios(language).scenarios if s.id == scenario_id)


def planned(scenario_id: str, pause_s: float | None = None) -> PlannedYieldTrial:
    """A planned trial of a scenario with an onset 2 s after playback onset."""
    s = scenario(scenario_id)
    return PlannedYieldTrial(
        trial_id=f"stock/{scenario_id}/0",
        order=0,
        system="stock",
        language="en",
        scenario=scenario_id,
        kind=s.kind,
        run=0,
        speaker="synthetic-primary",
        intended_action=s.intended_action,
        seed=1,
        planned_onset_s=0.6 if s.kind is ScenarioClass.HESITATION else 2.0,
        planned_pause_s=pause_s,
    )
