"""Recogniser noise for overlaps: words lost, changed and added as a real recogniser did, and Whisper's spellings.

Owns two perturbations, both seeded. Rates and confusions are learned from pairs of a recogniser's transcript and a
golden one (`asr_errors`: Deepgram on mock consultations); nothing of them is stored here.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.training.overlaps.data import OverlapRow, Word

SMOOTHING = 4.0
"""Pseudo-count that pulls a rare word's own rates towards the general ones."""

WHISPER_SPELLINGS: dict[str, tuple[str, ...]] = {
    "mm-hmm": ("Mm-hmm.", "MMMHUM", "M.M.H.", "MMHM", "mm hum", "Mm-hum.", "Mhm.", "M M H H M"),
    "uh-huh": ("Uh-huh.", "Uh huh.", "uh-huh"),
    "mmm": ("Mmm.", "Mm.", "Hmm.", "mm"),
    "hmm": ("Hmm.", "Hm.", "Mmm."),
    "o_k": ("Okay.", "OK.", "OK", "O.K.", "okay"),
    "yeah": ("Yeah.", "Yeah,", "yeah", "Yea."),
    "yep": ("Yep.", "Yup."),
    "cuz": ("'Cause", "because"),
}
"""How Whisper base and tiny wrote these sounds in live calls and on clips; "um" and "uh" it mostly leaves out."""

FILLER_KEPT_RATE = 0.3
"""Share of fillers that Whisper writes at all: own estimate, no measurement."""


@dataclass(frozen=True, slots=True)
class RecogniserNoise:
    """Rates learned from transcript pairs.

    Parameters:
        lost_rate: General rate at which a word is missing.
        changed_rate: General rate at which it becomes another.
        added_rate: Rate at which a word is added behind one.
        lost: Own rate of words seen often.
        changed: What a word became, with counts.
        pool: Words that replaced others, for words with no own confusions.
        added: Words that were added.
    """

    lost_rate: float
    changed_rate: float
    added_rate: float
    lost: dict[str, float] = field(default_factory=dict)
    changed: dict[str, tuple[str, ...]] = field(default_factory=dict)
    pool: tuple[str, ...] = ()
    added: tuple[str, ...] = ()

    def perturb(self, words: tuple[Word, ...], rng: random.Random) -> tuple[Word, ...]:
        """Give what the recogniser might have made of these words; times stay."""
        out: list[Word] = []
        for start, end, word in words:
            plain = "ok" if word == "o_k" else word.strip("<>")
            if rng.random() < self.lost.get(plain, self.lost_rate):
                continue
            if rng.random() < self.changed_rate:
                options = self.changed.get(plain) or self.pool
                word = rng.choice(options) if options else word
            out.append((start, end, word))
            if self.added and rng.random() < self.added_rate:
                out.append((end, end, rng.choice(self.added)))
        return tuple(out)


def learn_noise(folder: Path) -> RecogniserNoise:
    """Learn rates and confusions from a folder of ``golden_*.json`` and ``patient_*_deepgram.json`` pairs.

    Raises:
        FileNotFoundError: The folder holds no such pair.
    """
    from rapidfuzz.distance import Levenshtein

    seen: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    changed: defaultdict[str, list[str]] = defaultdict(list)
    added: list[str] = []
    for golden in sorted(folder.glob("golden_day*.json")):
        name = golden.name.removeprefix("golden_").removesuffix(".json")
        told = folder / f"patient_{name}_deepgram.json"
        if not told.is_file():
            continue
        said = _patient_words(json.loads(golden.read_text(encoding="utf-8"))["transcript_golden_anonymized"])
        heard = [w for part in json.loads(told.read_text(encoding="utf-8")) for w in _words(part["text"])]
        seen.update(said)
        for op in Levenshtein.opcodes(said, heard):
            before, after = said[op.src_start : op.src_end], heard[op.dest_start : op.dest_end]
            if op.tag == "delete":
                lost.update(before)
            elif op.tag == "insert":
                added.extend(after)
            elif op.tag == "replace":
                for a, b in zip(before, after, strict=True):
                    changed[a].append(b)
    total = sum(seen.values())
    if total == 0:
        raise FileNotFoundError(f"no transcript pairs in {folder.name}")
    lost_rate, changes = sum(lost.values()) / total, sum(len(v) for v in changed.values())
    own = {w: (lost[w] + SMOOTHING * lost_rate) / (n + SMOOTHING) for w, n in seen.items()}
    return RecogniserNoise(
        lost_rate,
        changes / total,
        len(added) / total,
        own,
        {w: tuple(v) for w, v in changed.items()},
        tuple(sorted(b for v in changed.values() for b in v)),
        tuple(sorted(added)),
    )


def whisper_spelling(words: tuple[Word, ...], rng: random.Random) -> tuple[Word, ...]:
    """Write the words as Whisper would: its spellings of hums, no fragments, few fillers, a capital at the start."""
    out: list[Word] = []
    for start, end, word in words:
        plain = word.strip("<>")
        if plain.endswith("-") or (plain in {"um", "uh"} and rng.random() > FILLER_KEPT_RATE):
            continue
        spelt = rng.choice(WHISPER_SPELLINGS.get(plain, (plain,)))
        spelt = re.sub(r"_(?=\w)|_$", "", spelt)
        out.append((start, end, spelt.capitalize() if not out and spelt.islower() else spelt))
    return tuple(out)


def noisy(row: OverlapRow, words: tuple[Word, ...]) -> OverlapRow:
    """The row with other words; when the sound was made stays."""
    return replace(row, words=words)


def _patient_words(transcript: str) -> list[str]:
    lines = [line for line in transcript.splitlines() if "Patient:" in line]
    return [word for line in lines for word in _words(line.split("Patient:", 1)[1])]


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z']+", text.lower())
