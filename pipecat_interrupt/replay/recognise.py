"""A recording without a transcript: a recogniser gives words with times, and the wording tells who is the agent.

Owns what is sent to the recogniser and what of its answer is believed: words outside any sound are dropped. The Whisper
adapter loads faster-whisper when it is made (extra `replay`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from obligations.pathway.models import Pathway
from obligations.pathway.words import forms_of
from pipecat_interrupt.demo.measure import Stretch
from pipecat_interrupt.errors import MissingExtra
from pipecat_interrupt.replay.channels import one_voice_each, silent, voice_stretches
from pipecat_interrupt.replay.errors import RecordingRefused
from pipecat_interrupt.replay.settings import ReplaySettings
from pipecat_interrupt.replay.sound import Sound
from pipecat_interrupt.replay.utterances import wordings_of
from pipecat_interrupt.replay.values import RATE_HZ, Note, Piece, Samples, Timeline, Word, split_at_pauses

WINDOW_S_MAX = 25.0
"""Longest piece of sound given to the recogniser at once; Whisper's own window is 30 s."""

WINDOW_GAP_S_MAX = 1.5
"""Longest silence inside such a piece."""

PAD_S = 0.2
OUTSIDE_S_MAX = 0.35
"""A word whose middle lies further than this from any sound is an invention of the recogniser."""

SNAP_S_MAX = 0.6
"""How far a recogniser's first or last word may lie from where its stretch of sound begins or ends."""

PIECE_PAUSE_S = 0.8
GRAM = 3
AGENT_SHARE_MIN = 0.3
"""Share of the pathway's three-word runs in a piece from which, in one channel, it is held to be the agent's."""

CLEAR_RATIO = 2.0
CLEAR_GRAMS_MIN = 4


class Recogniser(Protocol):
    """Gives words with times.

    Promises: deterministic for the same samples; times in seconds from the first sample; no text for silence.
    """

    @property
    def name(self) -> str:
        """What it is, for the results."""
        ...

    def hear(self, samples: NDArray[np.float32], language: str | None) -> Sequence[Word]:
        """Recognise float32 samples in [-1, 1] at `RATE_HZ`, at most `WINDOW_S_MAX` + 2 `PAD_S` long."""
        ...


class WhisperRecogniser:
    """faster-whisper with word times, greedy at temperature 0.

    Args:
        model: Folder of a CTranslate2 Whisper model; None: the local profile's, from the weights store.
        threads: Threads of one decode, >= 1.

    Raises:
        MissingExtra: faster-whisper is not installed.
        WeightsError: The default model is asked for and not ready.
    """

    def __init__(self, model: Path | None = None, threads: int = 1) -> None:
        try:
            from faster_whisper import WhisperModel
        except ModuleNotFoundError as error:
            raise MissingExtra("transcribing recordings", 'pip install "pipecat-interrupt[replay]"') from error
        if model is None:
            from pipecat_interrupt.weights import ensure

            model = ensure("whisper-base")
        self._name = model.name
        self._model: Any = WhisperModel(str(model), device="cpu", compute_type="int8", cpu_threads=max(1, threads))

    @property
    def name(self) -> str:
        """The model's name."""
        return self._name

    def hear(self, samples: NDArray[np.float32], language: str | None) -> Sequence[Word]:
        """Recognise one window."""
        segments, _ = self._model.transcribe(
            samples,
            language=language.split("-")[0] if language else None,
            beam_size=1,
            temperature=0.0,
            condition_on_previous_text=False,
            word_timestamps=True,
        )
        return [Word(w.word.strip(), w.start, max(w.start, w.end)) for s in segments for w in s.words or ()]


def transcribe(
    sound: Sound, call_id: str, name: str, recogniser: Recogniser, pathway: Pathway | None, settings: ReplaySettings
) -> Timeline:
    """Turn a recording into a timeline.

    Args:
        sound: The recording.
        call_id: The call's name.
        name: The file's name, for refusals.
        recogniser: Gives the words.
        pathway: Its wording tells the agent; None: the channels' convention or setting alone.
        settings: Language and channels.

    Raises:
        RecordingRefused: Nothing is heard, or one channel and no pathway to tell the voices by.
    """
    language = settings.language or (pathway.languages[0] if pathway is not None else None)
    apart, notes = one_voice_each(sound)
    found = [*sound.notes, *notes]
    if not apart:
        return _one_channel(sound, call_id, name, recogniser, pathway, language, found)
    heard = [hear_channel(channel, recogniser, language) for channel in sound.channels]
    if not any(heard):
        raise RecordingRefused("empty", name, "no words are heard on either channel")
    agent, more = agent_channel(heard, pathway, language or "en", settings)
    found += more
    for index, pieces in enumerate(heard):
        if not pieces or silent(sound.channels[index]):
            found.append(Note("silent_side", f"the {'agent' if index == agent else 'far end'} says nothing"))
    return Timeline(
        call_id,
        tuple(heard[agent]),
        tuple(heard[1 - agent]),
        sound.duration_s,
        language,
        tuple(found),
        far_audio=sound.channels[1 - agent],
        agent_audio=sound.channels[agent],
    )


def hear_channel(channel: Samples, recogniser: Recogniser, language: str | None) -> list[Piece]:
    """Give the pieces of speech on one channel."""
    sounding = voice_stretches(channel)
    words: list[Word] = []
    for window in _windows(sounding):
        low = max(0, round((window.start_s - PAD_S) * RATE_HZ))
        cut = channel[low : round((window.end_s + PAD_S) * RATE_HZ)].astype(np.float32) / 32768.0
        at_s = low / RATE_HZ
        words += [Word(w.text, at_s + w.start_s, at_s + w.end_s) for w in recogniser.hear(cut, language) if w.text]
    believed = _snapped(sorted((w for w in words if _sounds(w, sounding)), key=lambda w: w.start_s), sounding)
    return [Piece(part, recognised=True) for part in split_at_pauses(believed, PIECE_PAUSE_S)]


def agent_channel(
    heard: Sequence[Sequence[Piece]], pathway: Pathway | None, language: str, settings: ReplaySettings
) -> tuple[int, tuple[Note, ...]]:
    """Say which of two channels is the agent's, and what a reader must know of it."""
    if settings.agent_channel != "auto":
        return (0 if settings.agent_channel == "left" else 1), ()
    convention = Note("channels_by_convention", "nothing tells the agent: the right channel is taken for it")
    if pathway is None:
        return 1, (convention,)
    grams = _grams_of(pathway, language)
    left, right = (sum(_own(piece, grams)[0] for piece in pieces) for pieces in heard)
    if right >= CLEAR_GRAMS_MIN and right >= CLEAR_RATIO * left:
        return 1, ()
    if left >= CLEAR_GRAMS_MIN and left >= CLEAR_RATIO * right:
        return 0, (Note("channels_swapped", "the pathway's wording is on the left channel: it is the agent's"),)
    return 1, (convention,)


def sides_by_wording(timeline: Timeline, pathway: Pathway | None, settings: ReplaySettings) -> Timeline:
    """Turn the sides of a transcript whose channels were only told by convention, where the wording says otherwise."""
    if pathway is None or all(note.code != "channels_by_convention" for note in timeline.notes):
        return timeline
    language = pathway.resolve_language(settings.language or timeline.language)
    agent, more = agent_channel([timeline.far, timeline.agent], pathway, language, settings)
    notes = tuple(note for note in timeline.notes if note.code != "channels_by_convention")
    kept = timeline.notes if any(note.code == "channels_by_convention" for note in more) else (*notes, *more)
    if agent == 1:
        return replace(timeline, notes=kept)
    turned = (_of_the_other_side(note) if note.code == "silent_side" else note for note in kept)
    return replace(timeline, agent=timeline.far, far=timeline.agent, notes=tuple(turned))


def _of_the_other_side(note: Note) -> Note:
    told = "far end" if "agent" in note.text else "agent"
    return replace(note, text=f"the {told} says nothing")


def by_wording(pieces: Sequence[Piece], pathway: Pathway, language: str) -> tuple[list[Piece], list[Piece]]:
    """Part the pieces of one channel into the agent's (the pathway's wording) and the far end's (all else)."""
    grams = _grams_of(pathway, language)
    agent: list[Piece] = []
    far: list[Piece] = []
    for piece in pieces:
        hits, count = _own(piece, grams)
        (agent if count and hits >= AGENT_SHARE_MIN * count else far).append(piece)
    return agent, far


def _snapped(words: list[Word], sounding: Sequence[Stretch]) -> list[Word]:
    """Let the first and last word of each stretch of sound begin and end with it.

    Sound tells an onset better than a recogniser does, and a word that was broken off is heard though nobody wrote it.
    """
    out = list(words)
    for stretch in sounding:
        inside = [i for i, w in enumerate(out) if stretch.start_s <= (w.start_s + w.end_s) / 2 <= stretch.end_s]
        if not inside:
            continue
        first, last = inside[0], inside[-1]
        if abs(out[first].start_s - stretch.start_s) <= SNAP_S_MAX:
            out[first] = replace(out[first], start_s=stretch.start_s)
        if abs(out[last].end_s - stretch.end_s) <= SNAP_S_MAX:
            out[last] = replace(out[last], end_s=max(out[last].start_s, stretch.end_s))
    return out


@dataclass(frozen=True, slots=True)
class _Window:
    start_s: float
    end_s: float


def _windows(sounding: Sequence[Stretch]) -> list[_Window]:
    windows: list[_Window] = []
    for stretch in sounding:
        last = windows[-1] if windows else None
        joins = last is not None and stretch.start_s - last.end_s <= WINDOW_GAP_S_MAX
        if last is not None and joins and stretch.end_s - last.start_s <= WINDOW_S_MAX:
            windows[-1] = replace(last, end_s=stretch.end_s)
            continue
        start_s = stretch.start_s
        while stretch.end_s - start_s > WINDOW_S_MAX:
            windows.append(_Window(start_s, start_s + WINDOW_S_MAX))
            start_s += WINDOW_S_MAX
        windows.append(_Window(start_s, stretch.end_s))
    return windows


def _sounds(word: Word, sounding: Sequence[Stretch]) -> bool:
    middle_s = (word.start_s + word.end_s) / 2
    return any(s.start_s - OUTSIDE_S_MAX <= middle_s <= s.end_s + OUTSIDE_S_MAX for s in sounding)


def _one_channel(
    sound: Sound,
    call_id: str,
    name: str,
    recogniser: Recogniser,
    pathway: Pathway | None,
    language: str | None,
    notes: Sequence[Note],
) -> Timeline:
    if pathway is None:
        raise RecordingRefused(
            "channels",
            name,
            "one channel (or the same sound on both) and no pathway: nothing tells the voices apart. Give a stereo"
            " recording, a transcript with speakers, or a pathway",
        )
    pieces = hear_channel(sound.channels[0], recogniser, language)
    if not pieces:
        raise RecordingRefused("empty", name, "no words are heard in it")
    agent, far = by_wording(pieces, pathway, language or pathway.languages[0])
    told = Note("voices_by_wording", "the pathway's wording tells the agent from the far end; check who spoke")
    return Timeline(call_id, tuple(agent), tuple(far), sound.duration_s, language, (*notes, told))


def _grams_of(pathway: Pathway, language: str) -> frozenset[tuple[str, ...]]:
    texts = [wording.forms for wording in wordings_of(pathway, language)]
    phrases = pathway.phrases[language].model_dump()
    texts += [forms_of(text) for text in phrases.values() if isinstance(text, str)]
    return frozenset(forms[i : i + GRAM] for forms in texts for i in range(len(forms) - GRAM + 1))


def _own(piece: Piece, grams: frozenset[tuple[str, ...]]) -> tuple[int, int]:
    forms = forms_of(piece.text)
    runs = [forms[i : i + GRAM] for i in range(len(forms) - GRAM + 1)]
    return sum(run in grams for run in runs), len(runs)
