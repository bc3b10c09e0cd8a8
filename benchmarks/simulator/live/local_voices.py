"""The local voice and ear of a call on the machine's clock: Piper speaks for both sides, Whisper listens.

Owns the two loaded models of a process, and what has been spoken already: the same text sounds the same within a
process, and costs nothing the second time.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

import numpy as np

from benchmarks.errors import CallerError, MissingExtra
from benchmarks.simulator.placement import sentences
from benchmarks.simulator.transcript import AgentTurn, Turn
from pipecat_interrupt.testing import Speech
from pipecat_interrupt.testing.voice import Samples, SpokenWord

PATIENT_PITCH = 1.1  # The patient speaks with the agent's voice, raised and as much faster: two voices from one model.
CLIPS_MAX = 512
DRAWS_MAX = 6
HEARD_SHARE_MIN = 0.97  # "Bright light bothers" heard as "right like bothers" is 0.87 of a sentence.
SENTENCE_GAP_S = 0.1
SILENCE_SHARE = 0.01  # Of the loudest sample: 40 dB below it, where a voice has ended.
RATE_HZ = 16_000
EARS = ("whisper-tiny.en", "whisper-base")  # The first that is ready: a call in real time has two cores for everything.
VOICE = "piper-joe"


class LocalVoices:
    """Speaks and listens with local models; safe for several threads, one inference at a time.

    Raises:
        CallerError: Weights are not ready; the line says how to get them.
        MissingExtra: A package of the local profile is not installed.
    """

    def __init__(self, voice: Any = None, ear: Any = None) -> None:
        self._voice = voice or _voice()
        self.ear_name, self.ear = ("given", ear) if ear is not None else _ear()
        self._lock = threading.Lock()
        self._clips: OrderedDict[tuple[str, int, float], Speech] = OrderedDict()

    def agent(self, text: str, rate_hz: int) -> Speech:
        """Speak as the agent; int16 samples at `rate_hz` with word times."""
        return self._speak(text, rate_hz, 1.0)

    def patient(self, text: str, rate_hz: int) -> Speech:
        """Speak as the patient."""
        return self._speak(text, rate_hz, PATIENT_PITCH)

    def rehearse(self, turns: Sequence[Turn]) -> None:
        """Speak a call's turns once, so that none of them has to wait for the voice when the call is played.

        The patient's are drawn anew for each call: one mumbled sentence must not stand in every call of a process.
        """
        with self._lock:
            for key in [key for key in self._clips if key[2] == PATIENT_PITCH]:
                del self._clips[key]
        for text in dict.fromkeys(turn.text for turn in turns if not isinstance(turn, AgentTurn)):
            self._speak_plainly(text)
        for turn in turns:
            if isinstance(turn, AgentTurn):
                self.agent(turn.intended, RATE_HZ)

    def _speak_plainly(self, text: str) -> None:
        """Draw each sentence of the patient's anew until the ear makes most of its words out of it; keep the best.

        The voice draws every sentence by chance, and some draws no recogniser understands. What a trial is about is
        the interruption: a patient who mumbles the one question of the cell gives a trial without an opportunity.
        """
        for start, end in sentences(text) or [(0, len(text))]:
            sentence = " ".join(text[start:end].split())
            key = (sentence, RATE_HZ, PATIENT_PITCH)
            if key in self._clips:
                continue
            best, best_share = None, -1.0
            for _ in range(DRAWS_MAX):
                self._clips.pop(key, None)
                clip = self._sentence(sentence, RATE_HZ, PATIENT_PITCH)
                share = self._share_heard(clip)
                if share > best_share:
                    best, best_share = clip, share
                if best_share >= HEARD_SHARE_MIN:
                    break
            if best is not None:
                self._clips[key] = best

    def _share_heard(self, clip: Speech) -> float:
        """How like what the ear hears is to what was said, letters only; 1.0 the same, 0.0 nothing of it."""
        pad = np.zeros(RATE_HZ // 4, np.float32)
        samples = np.concatenate([pad, clip.samples.astype(np.float32) / 32768, pad])
        with self._lock:
            heard = self.ear.hear(samples, "en") or ""
        return SequenceMatcher(None, _letters(clip.text), _letters(heard), autojunk=False).ratio()

    def _speak(self, text: str, rate_hz: int, pitch: float) -> Speech:
        parts = [text[start:end] for start, end in sentences(text)] or [text]
        return _joined(text, [self._sentence(" ".join(part.split()), rate_hz, pitch) for part in parts], rate_hz)

    def _sentence(self, text: str, rate_hz: int, pitch: float) -> Speech:
        with self._lock:
            known = self._clips.get((text, rate_hz, pitch))
            if known is None:
                spoken = list(self._voice.speak(text, round(rate_hz / pitch)))
                known = self._clips[text, rate_hz, pitch] = _clip(text, spoken, rate_hz, pitch)
                if len(self._clips) > CLIPS_MAX:
                    self._clips.popitem(last=False)
            return known


def _letters(text: str) -> str:
    return "".join(ch for ch in text.casefold() if ch.isalnum())


def _clip(text: str, spoken: Sequence[Any], rate_hz: int, pitch: float) -> Speech:
    """What the voice made of a text; raised in pitch by playing it so much faster."""
    parts: list[Samples] = [np.zeros(0, np.int16)]
    words: list[SpokenWord] = []
    length_s = 0.0
    for sentence in spoken:
        samples = np.frombuffer(sentence.pcm, "<i2").astype(np.int16)
        starts = [start_s / pitch for _, start_s in sentence.words]
        ends = _sound_ends(samples, starts, rate_hz)
        words += [
            SpokenWord(word, length_s + start_s, length_s + max(start_s, end_s))
            for (word, _), start_s, end_s in zip(sentence.words, starts, ends, strict=True)
        ]
        parts.append(samples)
        length_s += len(samples) / rate_hz
    return Speech(text, np.concatenate(parts), rate_hz, tuple(words))


def _sound_ends(samples: Samples, starts_s: Sequence[float], rate_hz: int) -> list[float]:
    """Where each word of a sentence falls silent, seconds.

    The voice counts a pause behind a word, at a comma or at the end, as the word's; a listener who misses it misses no
    word.
    """
    sizes = np.abs(samples.astype(np.int32))
    loud = np.flatnonzero(sizes > SILENCE_SHARE * sizes.max(initial=0))
    edges = [round(start_s * rate_hz) for start_s in [*starts_s[1:], len(samples) / rate_hz]]
    ends: list[float] = []
    for start_s, edge in zip(starts_s, edges, strict=True):
        before = loud[: np.searchsorted(loud, edge)]
        sounds = len(before) and before[-1] >= round(start_s * rate_hz)
        ends.append(((int(before[-1]) + 1) if sounds else edge) / rate_hz)
    return ends


def _joined(text: str, clips: Sequence[Speech], rate_hz: int) -> Speech:
    pause = np.zeros(round(SENTENCE_GAP_S * rate_hz), np.int16)
    parts: list[Samples] = []
    words: list[SpokenWord] = []
    at = 0
    for clip in clips:
        if parts:
            parts.append(pause)
            at += len(pause)
        words += [SpokenWord(w.text, w.start_s + at / rate_hz, w.end_s + at / rate_hz) for w in clip.words]
        parts.append(clip.samples)
        at += len(clip.samples)
    return Speech(text, np.concatenate(parts), rate_hz, tuple(words))


@lru_cache(maxsize=1)
def local_voices() -> LocalVoices:
    """Give this process's voice and ear, loaded at the first call."""
    return LocalVoices()


def _voice() -> Any:
    path = _weights(VOICE)
    from pipecat_interrupt.local.errors import MissingExtra as NoPackage
    from pipecat_interrupt.local.piper_voice import PiperVoiceWithTimes

    try:
        voice = PiperVoiceWithTimes(path)
    except NoPackage as error:
        raise MissingExtra("piper-tts", str(error).partition("\n")[0]) from error
    voice.warm_up()
    return voice


def _ear() -> tuple[str, Any]:
    name = next((name for name in EARS if _ready(name)), EARS[-1])
    path = _weights(name)
    from pipecat_interrupt.local.errors import MissingExtra as NoPackage
    from pipecat_interrupt.local.whisper_ear import EarSettings, WhisperEar

    try:
        return name, WhisperEar(path, EarSettings(threads=1))
    except NoPackage as error:
        raise MissingExtra("faster-whisper", str(error).partition("\n")[0]) from error


def _ready(name: str) -> bool:
    from pipecat_interrupt.weights import ensure
    from pipecat_interrupt.weights.errors import WeightsError

    try:
        return ensure(name).exists()
    except WeightsError:
        return False


def _weights(name: str) -> Any:
    from pipecat_interrupt.local.threads import calm_threads
    from pipecat_interrupt.weights import ensure
    from pipecat_interrupt.weights.errors import WeightsError

    calm_threads()
    try:
        return ensure(name)
    except WeightsError as error:
        raise CallerError(str(error).partition("\n")[0]) from error
