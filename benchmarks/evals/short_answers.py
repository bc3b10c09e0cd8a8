"""One-word answers at the door: does voice detection hear them at all, how soft may they be, and what does noise cost?

Owns the figures of ``eval short-answers``; explained in docs/metrics/third_party.md. A segmented recogniser gives no
text where voice detection saw no voice, so a word missed here is lost to everything behind.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from pipecat.audio.vad.silero import SileroVADAnalyzer
from pipecat.audio.vad.vad_analyzer import VADParams, VADState

from benchmarks.errors import MissingData
from benchmarks.figures import EvalOptions, Figure, GroupValue, rate
from benchmarks.quiet import quiet
from benchmarks.two_voice.manifest import FILE, Role, read_manifest
from benchmarks.two_voice.mix import levelled
from pipecat_interrupt.kit.voice_detection import CALLER_VOICE
from speaker_gate.adapters.voice_folder import AUDIO_SUFFIXES, read_clip
from speaker_gate.audio import over_telephone
from speaker_gate.embedders import Samples

KIND = "short-answers"
NEEDS_DATA = True
DATA_HELP = "a folder of one-word recordings, or a set built by `python -m benchmarks two-voice`"
OPTIONS = frozenset({"noise", "phases", "clips"})
PACKAGES = ("onnxruntime", "numpy")

RATES_HZ = {"16k": 16_000, "mulaw8k": 8_000}
GAINS_DB = (0.0, -6.0, -12.0)
NOISE_LEVELS_DBFS = (-25.0, -35.0, -45.0)
NOISE_SECONDS = 20.0
SETTINGS = {"pipecat default": VADParams(), "caller_vad": CALLER_VOICE}
STEP_S = 0.02


@quiet()
def run(options: EvalOptions) -> list[Figure]:
    """Play one-word answers, alone on a silent line, to Silero.

    Options:
        noise: Folder of noises; adds how often each setting takes them for a voice.
        phases: Places against the detector's windows of each clip (default 3).
        clips: Most clips (default: all).
    """
    paths = _clips(options.data or Path())
    most = options.whole("clips", 0, least=0)
    figures = _answers(paths[: most or len(paths)], options.whole("phases", 3, least=1))
    noise = options.extra.get("noise")
    return figures + (_noises(Path(str(noise))) if noise is not None else [])


def _clips(folder: Path) -> list[Path]:
    if (folder / FILE).is_file():
        return [folder / c.path for c in read_manifest(folder).of(Role.SHORT) if not c.path.endswith("stop.flac")]
    found = [path for path in sorted(folder.rglob("*")) if path.suffix.lower() in AUDIO_SUFFIXES]
    if not found:
        raise MissingData(f"no recordings (flac, wav or ogg) under {folder}")
    return found


def _answers(paths: Sequence[Path], phases: int) -> list[Figure]:
    missed: dict[tuple[str, str, float], list[bool]] = {}
    for path in paths:
        samples, source_hz = read_clip(path)
        for gain_db in GAINS_DB:
            for band, rate_hz in RATES_HZ.items():
                if source_hz < rate_hz:
                    continue
                for sound in _placed(levelled(samples) * 10 ** (gain_db / 20), band, rate_hz, phases):
                    for name, params in SETTINGS.items():
                        found = missed.setdefault((name, band, gain_db), [])
                        found.append(voices_detected(sound, rate_hz, params) == 0)
    figures: list[Figure] = []
    for name in SETTINGS:
        every = [hit for (setting, _, _), hits in missed.items() if setting == name for hit in hits]
        figures.append(rate("answer_missed_rate", sum(every), len(every), {"vad": name}))
    for (name, band, gain_db), hits in missed.items():
        place: dict[str, GroupValue] = {"vad": name, "band": band, "gain_db": gain_db}
        figures.append(rate("answer_missed_rate", sum(hits), len(hits), place))
    return figures


def _placed(samples: Samples, band: str, rate_hz: int, phases: int) -> Iterator[np.ndarray]:
    clip = over_telephone(samples) if band == "mulaw8k" else samples
    ints = clip if clip.dtype == np.int16 else (np.clip(clip, -1, 1) * 32_767).astype(np.int16)
    for phase in range(phases):
        before = np.zeros(int(rate_hz * (0.5 + 0.032 * phase / phases)), np.int16)
        yield np.concatenate([before, ints, np.zeros(rate_hz // 2, np.int16)])


def _noises(folder: Path) -> list[Figure]:
    files = [path for path in sorted(folder.glob("*")) if path.suffix.lower() in AUDIO_SUFFIXES]
    if not files:
        raise MissingData(f"no recordings (flac, wav or ogg) in {folder}")
    figures: list[Figure] = []
    for name, params in SETTINGS.items():
        for people in (False, True):
            some = [path for path in files if ("people" in path.stem) is people]
            taken = [_noise_taken(path, level, params) for path in some for level in NOISE_LEVELS_DBFS]
            place: dict[str, GroupValue] = {"vad": name, "noise": "people talking" if people else "others"}
            if taken:
                figures.append(rate("noise_taken_for_voice_rate", sum(taken), len(taken), place))
    return figures


def _noise_taken(path: Path, level_dbfs: float, params: VADParams) -> bool:
    samples = read_clip(path, NOISE_SECONDS)[0]
    rms = max(1e-9, float(np.sqrt(np.mean(samples**2))))
    sound = over_telephone((samples * 10 ** (level_dbfs / 20) / rms).astype(np.float32))
    return voices_detected(sound, 8_000, params) > 0


def voices_detected(sound: np.ndarray, rate_hz: int, params: VADParams) -> int:
    """Count the stretches of voice that Silero reports in a sound (16-bit)."""
    analyser = SileroVADAnalyzer(sample_rate=rate_hz, params=params)
    analyser.set_sample_rate(rate_hz)
    pcm = sound if sound.dtype == np.int16 else (np.clip(sound, -1, 1) * 32_767).astype(np.int16)
    step = int(STEP_S * rate_hz)

    async def count() -> int:
        found, before = 0, VADState.QUIET
        for at in range(0, len(pcm) - step + 1, step):
            now = await analyser.analyze_audio(pcm[at : at + step].tobytes())
            found += now is VADState.SPEAKING and before in (VADState.QUIET, VADState.STARTING)
            before = now
        await analyser.cleanup()
        return found

    return asyncio.run(count())
