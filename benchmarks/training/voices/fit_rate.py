"""Fits the wrong-rate check: `python -m benchmarks.training.voices.fit_rate --data DIR [--write]`.

Right-speed speech (16 kHz, telephone, noisy) against the same clips twice too fast (8 kHz bytes taken for 16 kHz) and
twice too slow (16 kHz bytes taken for 8 kHz). Fit and test speakers by the committed split.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from benchmarks.training.voices.split import is_fit_speaker, split
from speaker_gate.adapters.voice_folder import read_clip, read_speakers, speaker_files
from speaker_gate.audio import over_telephone, resample, to_model_rate
from speaker_gate.embedders import Samples
from speaker_gate.rate_check import rate_features
from speaker_gate.spoil import joined, with_noise

TARGET = Path(__file__).resolve().parents[3] / "speaker_gate" / "data" / "rate_check.npz"
FALSE_DOUBT_MARGIN = 1.2
STRETCH_S = 3.0


def variants(clip: Samples, noise: Samples) -> dict[str, list[Samples]]:
    """One clip at the right speed, too fast and too slow, each in the ways it could happen."""
    phone_8k, plain_8k = over_telephone(clip), resample(clip, 16_000, 8_000)
    noisy = with_noise(clip, noise, 10.0, seed=len(clip))
    return {
        "right": [clip, to_model_rate(phone_8k, 8_000), to_model_rate(plain_8k, 8_000), noisy],
        "fast": [phone_8k, plain_8k, over_telephone(noisy)],  # 8 kHz samples read as if they were 16 kHz
        "slow": [to_model_rate(clip, 8_000), to_model_rate(noisy, 8_000)],  # 16 kHz samples read as 8 kHz
    }


def stretches(samples: Samples) -> list[Samples]:
    """Cut into 3 s pieces."""
    size = int(STRETCH_S * 16_000)
    return [samples[at : at + size] for at in range(0, max(1, len(samples) - size + 1), size)]


def main() -> None:
    """Fit on the fit speakers, say the test speakers' figures, and with --write replace the shipped file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--every", type=int, default=1, help="use every n-th speaker")
    options = parser.parse_args()
    voices = options.data / "voices"
    speakers = read_speakers(speaker_files(voices / "librispeech_train_clean"))[:: options.every]
    speakers += read_speakers(speaker_files(voices / "librispeech_test_other"))
    noises = {name: read_clip(options.data / "noise" / f"{name}.flac")[0] for name in split()["fit_noise"]}
    noise = joined(list(noises.values()))
    rows: dict[tuple[str, bool], list[NDArray[np.float32]]] = {}
    for speaker in speakers:
        for clip in speaker.clips[:3]:
            for kind, made in variants(clip, noise).items():
                found = [rate_features(part) for one in made for part in stretches(one)]
                rows.setdefault((kind, is_fit_speaker(speaker.name)), []).extend(f for f in found if f is not None)
    fit = {kind: np.stack(rows[kind, True]) for kind in ("right", "fast", "slow")}
    test = {kind: np.stack(rows[kind, False]) for kind in ("right", "fast", "slow")}
    everything = np.concatenate(list(fit.values()))
    mean, scale = everything.mean(axis=0), everything.std(axis=0) + 1e-3
    weights: dict[str, NDArray[np.float32]] = {}
    worst = -np.inf
    for kind in ("fast", "slow"):
        x = (np.concatenate([fit["right"], fit[kind]]) - mean) / scale
        y = np.r_[np.zeros(len(fit["right"])), np.ones(len(fit[kind]))]
        model = LogisticRegression(C=0.05, max_iter=2000, class_weight="balanced").fit(x, y)
        weights[kind] = np.r_[model.coef_[0], model.intercept_].astype(np.float32)
        worst = max(worst, float(np.quantile(x[y == 0] @ weights[kind][:-1] + weights[kind][-1], 0.999)))
    threshold = max(0.0, worst) + FALSE_DOUBT_MARGIN
    for name, part in (("fit", fit), ("test", test)):
        for kind in ("fast", "slow"):
            odds = {of: ((part[of] - mean) / scale) @ weights[kind][:-1] + weights[kind][-1] for of in ("right", kind)}
            print(
                f"{name} {kind}: doubted {np.mean(odds[kind] > threshold):.4f} of {len(odds[kind])}, "
                f"right speed doubted {np.mean(odds['right'] > threshold):.4f} of {len(odds['right'])} "
                f"(threshold {threshold:.2f}, right max {odds['right'].max():.2f}, "
                f"{kind} 1 % {np.quantile(odds[kind], 0.01):.2f})"
            )
    if options.write:
        np.savez_compressed(
            TARGET,
            mean=mean.astype(np.float16),
            scale=scale.astype(np.float16),
            fast=weights["fast"].astype(np.float16),
            slow=weights["slow"].astype(np.float16),
            threshold=np.float32(threshold),
        )
        print(TARGET)


if __name__ == "__main__":
    main()
