"""Word starts from a voice's durations, with a double that spells instead of speaking."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pipecat_interrupt.local.piper_voice import CACHED_WORDS_MAX, UNSPEAKABLE_SILENCE_S, PiperVoiceWithTimes

pytestmark = pytest.mark.unit

RATE_HZ = 1000
SAMPLES_A_PHONEME = 50  # 25 for the sound, 25 for the pad behind it


class SpellingVoice:
    """Every letter is a phoneme of 50 ms; `unknown` letters have no id; "#" and CJK are not spoken at all."""

    def __init__(self, *, durations: bool = True, unknown: str = "") -> None:
        letters = "abcdefghijklmnopqrstuvwxyz .?,"
        ids = {"_": [0], "^": [1], "$": [2], **{c: [i + 3] for i, c in enumerate(letters)}}
        self.config = SimpleNamespace(
            sample_rate=RATE_HZ, phoneme_id_map={c: i for c, i in ids.items() if c not in unknown}
        )
        self.durations = durations

    def phonemize(self, text: str) -> list[list[str]]:
        sentences = re.findall(r"[^.?]+[.?]?", text.lower())
        return [list(s.strip()) for raw in sentences if (s := re.sub(r"[^a-z .?,]", "", raw)).strip(" .?,")]

    def synthesize(self, text: str, include_alignments: bool) -> Iterator[Any]:
        assert include_alignments
        id_map = self.config.phoneme_id_map
        for phonemes in self.phonemize(text):
            ids = [1, 0]
            for phoneme in phonemes:
                if phoneme in id_map:
                    ids += [*id_map[phoneme], 0]
            ids.append(2)
            samples = np.full(len(ids), SAMPLES_A_PHONEME // 2)
            yield SimpleNamespace(
                sample_rate=RATE_HZ,
                phonemes=phonemes,
                phoneme_ids=ids,
                phoneme_id_samples=samples if self.durations else None,
                audio_int16_array=np.zeros(int(samples.sum()), np.int16),
            )


def speak(text: str, **options: Any) -> list[Any]:
    voice = PiperVoiceWithTimes(Path("unused"), loaded=SpellingVoice(**options))
    return list(voice.speak(text, RATE_HZ))


def test_a_word_starts_where_its_first_phoneme_starts() -> None:
    """Begin mark 50 ms, then 50 ms a letter, spaces included."""
    (sentence,) = speak("no pain now.")

    assert sentence.words == (("no", 0.05), ("pain", pytest.approx(0.2)), ("now.", pytest.approx(0.45)))
    assert sentence.seconds == pytest.approx(0.05 + 12 * 0.05 + 0.025)
    assert sentence.exact


def test_each_sentence_has_its_own_words_and_clock() -> None:
    """Times start anew with each sentence; the service adds them up."""
    first, second = speak("call us. do not wait.")

    assert [w for w, _ in first.words] == ["call", "us."]
    assert [w for w, _ in second.words] == ["do", "not", "wait."]
    assert second.words[0][1] == 0.05


def test_an_abbreviation_that_ends_a_sentence_for_the_voice_only_is_no_trouble() -> None:
    """The voice decides where sentences end; the words follow it."""
    sentences = speak("see dr. smith now.")

    assert [[w for w, _ in s.words] for s in sentences] == [["see", "dr."], ["smith", "now."]]


def test_a_phoneme_the_voice_does_not_know_takes_no_time() -> None:
    """It is left out of the voice's input, and the words behind it stay in place."""
    (sentence,) = speak("no pain now.", unknown="p")

    assert sentence.words[2] == ("now.", pytest.approx(0.4))
    assert sentence.exact


def test_an_unspoken_sign_begins_with_the_next_word() -> None:
    """The sign has no sound, so the word before it lasts until the word behind it."""
    (sentence,) = speak("ab # cd")

    starts = dict(sentence.words)
    assert starts["#"] == starts["cd"]


def test_without_durations_times_follow_the_letters_and_say_so() -> None:
    """A voice file that exposes no durations still works; `exact` is False."""
    (sentence,) = speak("no pain", durations=False)

    assert [w for w, _ in sentence.words] == ["no", "pain"]
    assert 0 < sentence.words[1][1] < sentence.seconds
    assert not sentence.exact


def test_text_without_any_sound_is_a_short_silence() -> None:
    """Pipecat counts a context without audio as a failure, and three of them end the service."""
    (sentence,) = speak("你好 ###")

    assert sentence.seconds == UNSPEAKABLE_SILENCE_S
    assert len(sentence.pcm) == 2 * int(RATE_HZ * UNSPEAKABLE_SILENCE_S)
    assert sentence.words == (("你好", 0.0), ("###", 0.0))


def test_empty_text_is_nothing() -> None:
    """No words, no sound."""
    assert speak("  \n ") == []


def test_audio_is_resampled_to_the_asked_rate() -> None:
    """The same seconds at twice the rate."""
    voice = PiperVoiceWithTimes(Path("unused"), loaded=SpellingVoice())

    (sentence,) = voice.speak("no pain now.", 2 * RATE_HZ)

    assert len(sentence.pcm) == 2 * round(sentence.seconds * 2 * RATE_HZ)
    assert sentence.seconds == pytest.approx(0.675)


def test_the_cache_of_spoken_words_is_bounded() -> None:
    """A long-lived process that says many names does not grow."""
    voice = PiperVoiceWithTimes(Path("unused"), loaded=SpellingVoice())
    for i in range(CACHED_WORDS_MAX + 5):
        voice._alone(f"w{i}")

    assert len(voice._alone_cache) == 5
