"""`--engine ray`: the same trials, byte for byte, whatever maps them; skips where Ray is not installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.cells import Arm
from benchmarks.simulator.build import Models
from benchmarks.simulator.plan import Plan
from benchmarks.simulator.runner import run_plan
from benchmarks.simulator.store import TrialStore

pytest.importorskip("ray", reason="Ray is not installed")

pytestmark = [pytest.mark.live, pytest.mark.enable_socket, pytest.mark.timeout(300)]


@pytest.mark.parametrize("level", ["transcript", "text"])
def test_trials_mapped_by_ray_are_byte_for_byte_those_of_this_process(level: str, tmp_path: Path) -> None:
    """Same plan, both engines: equal stores but for the order in which trials came in."""
    plan = Plan(
        cells=["G-competitive", "P-competitive"],
        arms=[Arm.INTERRUPT],
        agents=["deaf"],
        systems=["replica"] if level == "transcript" else ["stock", "ours"],
        level=level,
        prompts=None,
        trials=2,
        seed=20260525,
    )

    for engine in ("local", "ray"):
        outcome = run_plan(plan.planned(), TrialStore(tmp_path / engine), Models(), use_ray=engine == "ray")
        assert [] == outcome.faults

    local, ray = (sorted((tmp_path / engine / "trials.jsonl").read_bytes().splitlines()) for engine in ("local", "ray"))
    assert local == ray
    assert len(plan.planned()) == len(local)
