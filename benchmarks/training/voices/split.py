"""Which speakers and clips the shipped records were fitted on: fixed, so that a test never meets a fitted voice.

Owns the split file. Speakers not named in it (other people's data) are test speakers.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

SPLIT_FILE = Path(__file__).with_name("split.json")
FIT_SHARE = 0.6


@lru_cache(maxsize=1)
def split() -> dict[str, list[str]]:
    """The committed split: "fit_speakers", "fit_noise", "fit_third_party"."""
    return json.loads(SPLIT_FILE.read_text(encoding="utf-8"))


def is_fit_speaker(name: str) -> bool:
    """Say whether the shipped record was fitted on this speaker."""
    return name in split()["fit_speakers"]


def is_fit_clip(stem: str) -> bool:
    """Say whether a third-party clip was looked at while choosing anything."""
    return stem in split()["fit_third_party"]


def make(speakers: list[str], noises: list[str], clips: list[str]) -> dict[str, list[str]]:
    """Make the split: every five sorted speakers give three to the fit; every second noise and clip.

    The speakers of the second set (several clips each) are test speakers, all of them.
    """
    fit = [name for index, name in enumerate(sorted(speakers)) if index % 5 in (0, 2, 4)]
    return {
        "fit_speakers": fit,
        "fit_noise": sorted(noises)[0::2],
        "fit_third_party": sorted(clips)[0::2],
    }
