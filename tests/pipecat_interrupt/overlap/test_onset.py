"""Back-dating an onset from the levels that have gone by."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.audio.vad.vad_analyzer import VADState

from pipecat_interrupt.overlap.onset import BLOCKS_MAX, OnsetFinder

pytestmark = pytest.mark.unit

RATE_HZ = 16000


def tone(seconds: float, dbfs: float, rate_hz: int = RATE_HZ) -> np.ndarray:
    """A sine of a given RMS level."""
    t = np.arange(int(seconds * rate_hz)) / rate_hz
    return (np.sin(2 * np.pi * 220 * t) * np.sqrt(2) * 10 ** (dbfs / 20) * 32767).astype(np.int16)


def quiet(seconds: float, rate_hz: int = RATE_HZ) -> np.ndarray:
    """A noise floor of about -70 dBFS."""
    return np.random.default_rng(0).normal(0, 10, int(seconds * rate_hz)).astype(np.int16)


def fed(samples: np.ndarray, rate_hz: int = RATE_HZ, block_s: float = 0.02) -> OnsetFinder:
    """A finder that has heard these samples from time 0 in blocks."""
    finder = OnsetFinder()
    size = int(block_s * rate_hz)
    for start in range(0, len(samples), size):
        block = samples[start : start + size]
        finder.push(block.tobytes(), rate_hz, (start + len(block)) / rate_hz)
    return finder


@pytest.mark.parametrize("late_s", [0.2, 0.35, 0.55])
@pytest.mark.parametrize("rate_hz", [8000, 16000])
def test_an_onset_is_found_within_ten_milliseconds_however_late_the_detection(late_s: float, rate_hz: int) -> None:
    """Detection lags by its start window and more; the onset stays where the sound began."""
    samples = np.concatenate([quiet(1.0, rate_hz), tone(0.6, -20, rate_hz)])[: int((1.0 + late_s) * rate_hz)]

    onset_s = fed(samples, rate_hz).onset(1.0 + late_s)

    assert 1.0 == pytest.approx(onset_s, abs=0.0101)


def test_a_click_before_the_voice_is_not_its_onset() -> None:
    """Two active frames alone in silence are no speech."""
    samples = np.concatenate([quiet(0.9), tone(0.02, -20), quiet(0.3), tone(0.25, -20)])

    assert 1.22 == pytest.approx(fed(samples).onset(1.47), abs=0.011)


def test_a_closure_inside_a_word_does_not_move_the_onset() -> None:
    """100 ms of silence inside the first word belongs to it."""
    samples = np.concatenate([quiet(1.0), tone(0.1, -20), quiet(0.1), tone(0.2, -20)])

    assert 1.0 == pytest.approx(fed(samples).onset(1.4), abs=0.011)


def test_without_sound_the_detections_own_window_is_the_onset() -> None:
    """An empty ring says nothing: fall back to what voice detection claims."""
    assert 4.8 == pytest.approx(OnsetFinder().onset(5.0, 0.2))
    assert 0.8 == pytest.approx(fed(quiet(1.0)).onset(1.0, 0.2))


def test_blocks_of_odd_sizes_lose_no_sample() -> None:
    """Frames need not be multiples of 10 ms."""
    samples = np.concatenate([quiet(1.0), tone(0.4, -20)])

    assert 1.0 == pytest.approx(fed(samples, block_s=0.0137).onset(1.3), abs=0.0101)


def test_the_ring_is_bounded() -> None:
    """Ten seconds of audio leave three; blocks whose stamps stand still are bounded by their number."""
    finder = fed(np.tile(quiet(1.0), 10))
    stuck = OnsetFinder()
    for _ in range(3 * BLOCKS_MAX):
        stuck.push(bytes(320), 16000, 1.0)

    assert 3.0 == pytest.approx(sum(len(pcm) / 32000 for pcm, _, _ in finder._blocks), abs=0.1)
    assert BLOCKS_MAX == len(stuck._blocks)


async def detected_s(samples: np.ndarray, rate_hz: int) -> float | None:
    """When Pipecat's own Silero reports speech in these samples, with its default settings."""
    analyser = SileroVADAnalyzer(sample_rate=rate_hz)
    analyser.set_sample_rate(rate_hz)
    size = rate_hz // 50
    for start in range(0, len(samples) - size, size):
        if await analyser.analyze_audio(samples[start : start + size].tobytes()) is VADState.SPEAKING:
            return (start + size) / rate_hz
    return None


@pytest.mark.shared_data
async def test_onsets_of_real_voices_are_found_within_a_hundred_milliseconds(shared_data: Path) -> None:
    """Real speakers, trimmed to their first voice, behind a quiet second; Silero says when it noticed.

    One clip of the fifty begins with a sound of 0.2 s and a longer pause, 0.9 s before Silero notices: out of reach.
    """
    soundfile = pytest.importorskip("soundfile")
    clips = sorted((shared_data / "voices" / "librispeech_test_other").rglob("*.flac"))
    errors: list[float] = []
    for path in clips:
        wave, rate_hz = soundfile.read(path, dtype="int16")
        wave = (wave / max(1, np.abs(wave).max()) * 20000).astype(np.int16)
        frames = wave[: len(wave) // 160 * 160].reshape(-1, 160).astype(float) / 32768
        active = 10 * np.log10(np.maximum((frames**2).mean(axis=1), 1e-12)) > -35
        first = int(np.argmax(np.convolve(active, np.ones(5), "valid") >= 5)) * 160
        samples = np.concatenate([quiet(1.0, rate_hz), wave[first : first + 2 * rate_hz]])
        noticed_s = await detected_s(samples, rate_hz)
        if noticed_s is not None:
            errors.append(abs(fed(samples[: int(noticed_s * rate_hz)], rate_hz).onset(noticed_s) - 1.0))

    assert 50 == len(errors)
    assert 49 == sum(error <= 0.1 for error in errors)
