"""One Piper voice that tells when each word is heard. Owns the ONNX session; knows nothing of Pipecat or of time.

Piper (`piper-tts`) is GPL-3.0-or-later and comes only with the `local` extra.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .errors import MissingExtra
from .word_times import BOUNDARY, fill_gaps, place_words, spread_by_letters

CACHED_WORDS_MAX = 4096
UNSPEAKABLE_SILENCE_S = 0.1
# Stress, length and punctuation marks: they take time but name no sound, and change with the sentence around a word.
MARKS = frozenset("ˈˌːˑ.,?!;:'\"()-–—…^$_")


@dataclass(frozen=True, slots=True)
class SpokenSentence:
    """A sentence as it sounds.

    Parameters:
        pcm: 16-bit mono samples at the asked rate.
        seconds: Their length.
        words: (word as written, start in seconds from the beginning of `pcm`), in order.
        exact: Whether the starts come from the voice's own durations; else from letter counts.
    """

    pcm: bytes
    seconds: float
    words: tuple[tuple[str, float], ...]
    exact: bool


class PiperVoiceWithTimes:
    """Speaks text sentence by sentence with word starts.

    Not safe for two threads at once: give it one worker thread.

    Args:
        model: The voice's `.onnx` file; its `.onnx.json` lies beside it.
        threads: Threads of one inference, >= 1. They sleep while idle.
        loaded: A loaded `piper.PiperVoice` (or its double) to use instead of loading `model`.

    Raises:
        MissingExtra: piper-tts, onnx or onnxruntime is not installed.
    """

    def __init__(self, model: Path, threads: int = 1, *, loaded: Any = None) -> None:
        self._voice = _load(model, threads) if loaded is None else loaded
        self._alone_cache: dict[str, tuple[str, ...]] = {}

    @property
    def native_rate_hz(self) -> int:
        """The voice's own sample rate."""
        return int(self._voice.config.sample_rate)

    def warm_up(self) -> None:
        """Run one short inference, so that the first sentence of a call does not pay for it."""
        for _ in self.speak("Hello there.", self.native_rate_hz):
            pass

    def speak(self, text: str, rate_hz: int) -> Iterator[SpokenSentence]:
        """Synthesise `text`, one sentence at a time.

        Args:
            text: What to say; any script, numbers and abbreviations included.
            rate_hz: Sample rate of the result; the whole sentence is resampled at once.

        Yields:
            Sentences in order. Their words, concatenated, are `text.split()`. Text without any sound (an emoji) gives
            one short silence, so that its words are still accounted for.
        """
        import soxr

        words = text.split()
        sentences = [s for s in self._voice.phonemize(text) if s]
        places = self._places(words, sentences)
        said = 0
        for number, chunk in enumerate(self._voice.synthesize(text, include_alignments=True)):
            last = number == len(sentences) - 1
            mine = [i for i in range(said, len(words)) if last or places[i][0] <= number]
            said += len(mine)
            audio = chunk.audio_int16_array
            seconds_native = len(audio) / chunk.sample_rate
            silent = [not self._alone(words[i]) for i in mine]
            starts = self._starts(chunk, [places[i][1] for i in mine], silent, seconds_native)
            exact = starts is not None
            if starts is None:
                starts = spread_by_letters([words[i] for i in mine], seconds_native)
            pcm = soxr.resample(audio, chunk.sample_rate, rate_hz) if rate_hz != chunk.sample_rate else audio
            timed = tuple((words[i], start) for i, start in zip(mine, starts, strict=True))
            yield SpokenSentence(pcm.astype(np.int16).tobytes(), len(pcm) / rate_hz, timed, exact)
        if not sentences and words:
            silence = bytes(2 * int(rate_hz * UNSPEAKABLE_SILENCE_S))
            yield SpokenSentence(silence, UNSPEAKABLE_SILENCE_S, tuple((w, 0.0) for w in words), exact=False)

    def _places(self, words: list[str], sentences: list[list[str]]) -> list[tuple[int, int | None]]:
        """(sentence, index of the first phoneme in it or None) of each word; sentences non-decreasing."""
        heard: list[str] = []
        origin: list[tuple[int, int]] = []
        for number, phonemes in enumerate(sentences):
            if heard:
                heard.append(BOUNDARY)
                origin.append((number, 0))
            for index, phoneme in enumerate(phonemes):
                if phoneme not in MARKS:
                    heard.append(phoneme)
                    origin.append((number, index))
        placed = place_words([self._alone(w) for w in words], heard)
        result: list[tuple[int, int | None]] = []
        for word, at in zip(words, placed, strict=True):
            if at is not None:
                result.append(origin[at])
                continue
            # Unplaced: with its predecessor, unless that one closed a sentence.
            before = result[-1][0] if result else 0
            closed = bool(result) and words[len(result) - 1][-1] in ".?!" and any(ch.isalnum() for ch in word)
            following = next((origin[p][0] for p in placed[len(result) :] if p is not None), before)
            result.append((min(before + 1, following) if closed else before, None))
        return result

    def _starts(self, chunk: Any, indices: list[int | None], silent: list[bool], seconds: float) -> list[float] | None:
        """Starts in seconds of the words that begin at these phonemes; None where the voice tells no durations."""
        samples = chunk.phoneme_id_samples
        if samples is None or len(samples) != len(chunk.phoneme_ids):
            return None
        id_map = self._voice.config.phoneme_id_map
        pad = len(id_map["_"])
        position = len(id_map["^"]) + pad
        elapsed = int(np.sum(samples[:position]))
        begins: list[float] = []
        for phoneme in chunk.phonemes:
            begins.append(elapsed / chunk.sample_rate)
            if phoneme in id_map:  # a symbol the voice does not know is left out of its input
                width = len(id_map[phoneme]) + pad
                elapsed += int(np.sum(samples[position : position + width]))
                position += width
        return fill_gaps([None if i is None else begins[i] for i in indices], seconds, silent)

    def _alone(self, word: str) -> tuple[str, ...]:
        """Phonemes of a word spoken alone, without marks."""
        if word not in self._alone_cache:
            if len(self._alone_cache) >= CACHED_WORDS_MAX:
                self._alone_cache.clear()
            spoken = BOUNDARY.join("".join(s) for s in self._voice.phonemize(word)) if word.strip() else ""
            self._alone_cache[word] = tuple(p for p in spoken.strip() if p not in MARKS)
        return self._alone_cache[word]


def _load(model: Path, threads: int) -> Any:
    """Load the voice with its durations exposed and a session that never spins."""
    import json

    try:
        import onnx
        import onnxruntime
        from piper import PiperVoice
        from piper.config import PiperConfig
        from piper.patch_voice_with_alignment import add_alignment_output
    except ModuleNotFoundError as error:
        raise MissingExtra(error.name or "piper-tts") from error
    graph = onnx.load(str(model))
    try:
        add_alignment_output(graph)
    except ValueError:  # the file exposes its durations already, or has none: `_starts` copes with both
        pass
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = max(1, threads)
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(
        graph.SerializeToString(), sess_options=options, providers=["CPUExecutionProvider"]
    )
    config = json.loads(Path(f"{model}.json").read_text(encoding="utf-8"))
    return PiperVoice(session=session, config=PiperConfig.from_dict(config))
