"""A second voice inside one utterance: is the change heard, is its twin left alone, and what is done with the words."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.errors import MissingData
from benchmarks.evals.change_trials import gate_for, stream
from benchmarks.evals.voice_scores import NARROW, WIDE, ears_of
from benchmarks.figures import EvalOptions, Figure, GroupValue, rate
from benchmarks.training.voices.scenarios import kind_of, scenario_in
from benchmarks.two_voice.manifest import FILE as MANIFEST
from benchmarks.two_voice.manifest import read_manifest
from speaker_gate.adapters.voice_folder import AUDIO_SUFFIXES, read_clip
from speaker_gate.facts import Voice
from speaker_gate.policy.actions import Action
from speaker_gate.policy.reader import CueRelevanceReader
from speaker_gate.ruling import Ruling, WordsHeard
from speaker_gate.turn import Ears

KIND = "third-party"
NEEDS_DATA = True
DATA_HELP = "a folder with two_voice/<category>/<scenario>/*.flac+.txt and twins/{actionable,ignorable}/{eval,janus}/"
OPTIONS = frozenset({"embedder", "record", "segmenter", "clips", "language"})
PACKAGES = ("onnxruntime", "kaldi-native-fbank", "numpy", "pyannote.audio", "torch")

HANDLED = frozenset({Action.ATTRIBUTE, Action.ALERT})
_LINES = re.compile(
    r"First Speaker:\s*(?P<first>.*?)\s*(?:Second Speaker|Interrupt[eo]r)s?:\s*(?P<second>.*)", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Clip:
    """One clip of the folder.

    Parameters:
        path: The sound.
        two_voices: False for a twin spoken by one voice.
        actionable: Gold: True when the second voice's words should reach the model; None when nobody says.
        category: Category of the scenario, from the folder or the name.
        twin: True for clips under `twins`.
        first: First speaker's words; empty without a text.
        second: Second speaker's words.
    """

    path: Path
    two_voices: bool
    actionable: bool | None
    category: str
    twin: bool
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Seen:
    """What the gate made of one clip in one band."""

    clip: Clip
    band: str
    heard_other: bool
    action_right: bool | None


def run(options: EvalOptions) -> list[Figure]:
    """Measure; each clip is streamed through a fresh gate that knows nobody, so the first voice is the patient's.

    Options:
        embedder: onnx (default) or pyannote.
        record: A calibration record to use instead of the shipped one.
        segmenter: true adds segmentation-3.0.
        clips: Most clips of each of two_voice and twins (default all).
        language: Language of the texts (default en).
    """
    extra = options.extra
    ears = ears_of(extra)
    clips = find_clips(options.data or Path(), options.whole("clips", 0, least=0))
    language = str(extra.get("language", "en"))
    seen = [_look(ears, clip, band, language) for clip in clips for band in (WIDE, NARROW)]
    figures = _figures(seen, {}, lambda one: True)
    for band in (WIDE, NARROW):
        figures += _figures(seen, {"band": band}, lambda one, band=band: one.band == band)
        figures += _figures(
            seen, {"band": band, "set": "twins"}, lambda one, band=band: one.band == band and one.clip.twin
        )
    for category in sorted({clip.category for clip in clips}):
        for band in (WIDE, NARROW):
            figures += _figures(
                seen,
                {"band": band, "category": category},
                lambda one, band=band, category=category: one.band == band and one.clip.category == category,
            )
    return figures + _policy_figures(clips, language)


def find_clips(folder: Path, most: int = 0) -> list[Clip]:
    """List the clips of a folder.

    Raises:
        MissingData: Neither `two_voice` nor `twins` holds a clip.
    """
    found: list[Clip] = []
    labels = _labels(folder)
    for part in ("two_voice", "twins", "hard_negatives"):
        paths = [path for path in sorted((folder / part).rglob("*")) if path.suffix.lower() in AUDIO_SUFFIXES]
        chosen = paths[:: max(1, len(paths) // most)][:most] if most else paths
        made = [_clip(path, part == "twins") for path in chosen]
        if part == "hard_negatives":  # one person alone, in words that sound like two
            made = [replace(clip, two_voices=False, category=part) for clip in made]
        found += [replace(c, actionable=labels.get(c.path.relative_to(folder).as_posix(), c.actionable)) for c in made]
    if not found:
        raise MissingData(f"no clips under {folder}/two_voice or {folder}/twins")
    return found


def _labels(folder: Path) -> dict[str, bool]:
    """What a built set's manifest says of its clips; a set of another make has none."""
    if not (folder / MANIFEST).is_file():
        return {}
    clips = read_manifest(folder).clips
    return {clip.path: clip.actionable for clip in clips if clip.actionable is not None}


def _clip(path: Path, twin: bool) -> Clip:
    folders = {parent.name for parent in path.parents}
    text = path.with_suffix(".txt")
    lines = _LINES.search(text.read_text(encoding="utf-8")) if text.is_file() else None
    scenario = scenario_in(path.stem) or next((name for name in folders if scenario_in(name) == name), None)
    actionable: bool | None = None
    if "actionable" in folders or "ignorable" in folders:
        actionable = "actionable" in folders
    elif scenario is not None:
        actionable = kind_of(scenario).actionable
    category = path.parent.parent.name if not twin and path.parent.parent.name != "two_voice" else "twins"
    return Clip(
        path=path,
        two_voices="janus" not in folders,
        actionable=actionable,
        category=category,
        twin=twin,
        first=lines["first"].strip() if lines else "",
        second=lines["second"].strip() if lines else "",
    )


def _look(ears: Ears, clip: Clip, band: str, language: str) -> Seen:
    sound, _ = read_clip(clip.path)
    gate = gate_for(ears, language=language)
    verdict = stream(gate, sound, narrow=band == NARROW)
    voices = [stretch.decision.voice for stretch in verdict.stretches]
    heard_other = verdict.changed and Voice.THIRD_PARTY in voices
    right: bool | None = None
    if clip.second and (clip.actionable is not None or not clip.two_voices):
        text = f"{clip.first} {clip.second}"
        right = _action_right(clip, gate.rule(WordsHeard(text=text, now_s=0.0, before=clip.first)))
    return Seen(clip, band, heard_other, right)


def _action_right(clip: Clip, rulings: tuple[Ruling, ...]) -> bool:
    """One voice: everything passes as the patient's. Two: the other's words are passed attributed, or not at all."""
    others = [ruling.choice.action for ruling in rulings if ruling.decided_other]
    if not clip.two_voices:
        return not others
    if not others:
        return False
    return any(action in HANDLED for action in others) == clip.actionable


def _figures(seen: list[Seen], group: dict[str, GroupValue], chosen: Callable[[Seen], bool]) -> list[Figure]:
    kept = [one for one in seen if chosen(one)]
    two = [one for one in kept if one.clip.two_voices]
    one_voice = [one for one in kept if not one.clip.two_voices]
    acted = [one.action_right for one in kept if one.action_right is not None]
    made: list[Figure] = []
    if two:
        made.append(rate("change_detected_rate", sum(one.heard_other for one in two), len(two), group))
    if one_voice:
        made.append(rate("janus_false_rate", sum(one.heard_other for one in one_voice), len(one_voice), group))
    if acted:
        made.append(rate("action_accuracy", sum(acted), len(acted), group))
    return made


def _policy_figures(clips: list[Clip], language: str) -> list[Figure]:
    """The reading of the second speaker's words alone, as if the change were found and the words cut exactly."""
    reader: Any = CueRelevanceReader()
    rows = [clip for clip in clips if clip.two_voices and clip.second and clip.actionable is not None]
    right = [
        reader.read(c.second, before=c.first, language=language).relevance.actionable == c.actionable for c in rows
    ]
    return [rate("policy_accuracy", sum(right), len(right), {"words": "exact"})] if rows else []
