"""One-word answers and voice detection: what is counted, on sounds made here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.evals.short_answers import SETTINGS, run, voices_detected
from benchmarks.figures import EvalOptions
from pipecat_interrupt.testing.voice import PATIENT, speech

pytestmark = pytest.mark.pipeline


def written(folder: Path, name: str, samples: np.ndarray, rate_hz: int) -> None:
    soundfile = pytest.importorskip("soundfile")
    folder.mkdir(parents=True, exist_ok=True)
    soundfile.write(folder / name, samples.astype(np.int16), rate_hz)


def test_a_voice_is_counted_and_silence_is_not() -> None:
    """Both settings, at a usual level."""
    word = speech("no no no", PATIENT, 8_000).samples
    line = np.concatenate([np.zeros(4_000), word, np.zeros(4_000)]).astype(np.int16)

    assert [1, 1] == [voices_detected(line, 8_000, params) for params in SETTINGS.values()]
    assert [0, 0] == [voices_detected(np.zeros_like(line), 8_000, params) for params in SETTINGS.values()]


def test_telephone_recordings_are_counted_on_the_telephone_band_alone(tmp_path: Path) -> None:
    """There is nothing above 4 kHz in them; noises are counted apart."""
    written(tmp_path / "words", "no.wav", speech("no no", PATIENT, 8_000).samples, 8_000)
    written(tmp_path / "noise", "horn.wav", np.zeros(8_000), 8_000)
    options = EvalOptions(data=tmp_path / "words", extra={"phases": 1, "noise": str(tmp_path / "noise")})

    figures = run(options)

    assert {"mulaw8k"} == {figure.group["band"] for figure in figures if "band" in figure.group}
    assert [0.0, 0.0] == [figure.value for figure in figures if figure.name == "noise_taken_for_voice_rate"]
