"""The yield protocol on real Pipecat with Silero, at audio level in virtual time."""

import hashlib
import re
from pathlib import Path

import numpy as np
import pytest
import soundfile

from benchmarks.cli import main
from benchmarks.errors import CallerError, UnknownName
from benchmarks.simulator.build import quiet_pipelines
from benchmarks.yielding import Outcome, YieldResult, freeze, write_manifest
from benchmarks.yielding.runner import SYSTEMS, PlayedTrial, conditions, play_trial, recording_name, run_manifest

pytestmark = pytest.mark.pipeline


def play(system: str, scenario: str) -> PlayedTrial:
    """Play a trial of the frozen plan on its own virtual loop."""
    quiet_pipelines()
    plan = freeze(["en"], [conditions(name) for name in SYSTEMS], seed=20260525).plan
    return play_trial(next(t for t in plan if (t.system, t.scenario, t.run) == (system, scenario, 0)))


def test_stock_yields_to_a_stop_request_within_the_window():
    """Onset as planned to a tenth of a second, a latency of a few tenths, and both channels recorded."""
    played = play("stock", "en-stop-1")

    assert played.result.outcome is Outcome.YIELDED
    assert played.result.yield_latency_s is not None
    assert 0.1 < played.result.yield_latency_s < 0.8
    assert abs(played.result.onset_deviation_s or 0.0) <= 0.1
    assert played.stereo.shape[1] == 2
    assert np.abs(played.stereo).max(axis=0).min() > 0


def test_ours_goes_on_over_an_acknowledgement_and_does_so_again_bit_for_bit():
    """Held, judged, continued from the same sample; the same plan gives the same recording, hash and all."""
    first = play("ours", "en-backchannel-1").result

    assert first.outcome is Outcome.CONTINUED
    assert play("ours", "en-backchannel-1").result == first


def test_a_manifest_is_gone_on_with_where_it_stopped():
    """Trials with a result are not run again."""
    whole = freeze(["en"], [conditions("stock")], seed=1, runs=1)
    done = run_manifest(whole.model_copy(update={"plan": whole.plan[:1]}))

    again = run_manifest(done)

    assert len(done.results) == 1
    assert again.results[0] is done.results[0]


def test_both_channels_of_a_trial_can_be_kept_and_are_what_was_hashed(tmp_path: Path):
    """User left, agent right; the file's samples give the manifest's hash again."""
    whole = freeze(["en"], [conditions("stock")], seed=1, runs=1)

    [result] = run_manifest(whole.model_copy(update={"plan": whole.plan[:1]}), recordings=tmp_path).results

    [path] = tmp_path.iterdir()
    assert recording_name(result) == path.name
    samples, rate_hz = soundfile.read(path, dtype="int16", always_2d=True)
    assert (rate_hz, samples.shape[1]) == (16000, 2)
    assert result.recording_hash == f"sha256:{hashlib.sha256(samples.tobytes()).hexdigest()}"


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (("--language", "pt-PT"), "with language en, not pt-PT"),
        (("--system", "ours"), "with system stock, not ours"),
        (("--runs", "3"), "with runs 1, not 3"),
        (("--seed", "0"), "with seed 7, not 0"),
    ],
)
def test_a_frozen_manifest_is_not_gone_on_with_under_another_plan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], asked: tuple[str, ...], says: str
):
    """The options would be passed over in silence."""
    out = tmp_path / "manifest.json"
    write_manifest(out, freeze(["en"], [conditions("stock")], seed=7, runs=1))
    frozen = out.read_bytes()

    with pytest.raises(SystemExit) as left:
        main(["yield", "--out", str(out), *asked])

    assert left.value.code == 2
    assert says in capsys.readouterr().err
    assert frozen == out.read_bytes()


def test_a_frozen_manifest_is_gone_on_with_when_the_same_is_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Its own command is the way to go on with it, and a gate reads its figures."""
    out = tmp_path / "manifest.json"
    plan = freeze(["en"], [conditions("stock")], seed=7, runs=1)
    done = tuple(YieldResult(trial_id=t.trial_id, outcome=Outcome.SETUP_FAILURE) for t in plan.plan)
    write_manifest(out, plan.model_copy(update={"results": done}))

    with pytest.raises(SystemExit) as left:
        main(["yield", "--out", str(out), "--seed", "7", "--gate", "setup_failures.value<=0"])

    assert left.value.code == 1
    assert "gate broken: setup_failures.value<=0: value is 12" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"prompt_hash": "sha256:other"}, "frozen with prompt_hash sha256:other of stock"),
        ({"system_version": "pipecat-ai 0.1"}, "frozen with system_version pipecat-ai 0.1 of stock"),
        ({"configuration_hash": "sha256:x"}, "configuration_hash"),
    ],
)
def test_what_was_frozen_is_not_gone_on_with_by_something_else(change: dict[str, str], says: str):
    """The plan names scenarios alone: their words, the settings and the versions are held by hash."""
    whole = freeze(["en"], [conditions("stock").model_copy(update=change)], seed=1, runs=1)

    with pytest.raises(CallerError, match=says):
        run_manifest(whole)


def test_the_prompt_hash_is_of_the_scripts():
    """Both languages', so that a changed line is noticed."""
    assert conditions("stock").prompt_hash == conditions("ours").prompt_hash
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", conditions("ours").prompt_hash)
    assert conditions("stock").configuration_hash.startswith("sha256:")


def test_an_unknown_system_is_named():
    """With the known ones."""
    with pytest.raises(UnknownName, match="unknown system 'theirs'; known: ours, stock"):
        conditions("theirs")
