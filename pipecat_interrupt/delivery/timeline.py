"""The reported words of one utterance on the time axis of its audio.

Owns when each reported word ends and how much of the written text it brings. Pure; aligns each word once.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pipecat_interrupt.delivery.alignment import SpokenAligner
from pipecat_interrupt.delivery.loudness import Silence
from pipecat_interrupt.delivery.written import tokenise

WORDS_MAX = 4096
ROUNDING_S = 0.002
"""A word counts as heard when no more of its end is missing than rounding makes."""

WORD_SLACK_S = 0.02
"""Two places in the audio this close are one: the loudness curve has steps of half of it."""

ONSET_S = 0.05
GAP_S = 0.06
"""A pause belongs behind a word when it begins ONSET_S after the word and ends at most GAP_S before the next one."""


@dataclass(slots=True)
class TimedWord:
    """A reported word and the time its audio begins.

    Parameters:
        text: As the voice reported it.
        start_s: Seconds from the start of the utterance's audio.
        written: The written text it stands for, where the framework knows it.
        inside: It belongs to a rewritten stretch that is not finished.
        untimed: Nobody timed it: it came with the end of the utterance.
    """

    text: str
    start_s: float
    written: str | None = None
    inside: bool = False
    untimed: bool = False


@dataclass(frozen=True, slots=True)
class WordPlace:
    """A place among the words: characters covered, and the written token begun but not finished."""

    chars: int
    partial_text: str = ""
    partial_spoken: str = ""


@dataclass(slots=True)
class WordTimeline:
    """All reported words of one utterance, in order."""

    language: str = "en"
    words: list[TimedWord] = field(default_factory=list[TimedWord])
    _text: str = ""
    _aligner: SpokenAligner | None = None
    _places: list[WordPlace] = field(default_factory=list[WordPlace])

    @property
    def timed(self) -> bool:
        """Whether any word has a time."""
        return any(not w.untimed for w in self.words)

    def add(self, word: TimedWord) -> None:
        """The voice reported a word."""
        if len(self.words) < WORDS_MAX:
            self.words.append(word)

    def place(self, intended: str, heard_s: float, silences: tuple[Silence, ...], speech_end_s: float) -> WordPlace:
        """Say what had been heard.

        Args:
            intended: The written text.
            heard_s: Audio heard.
            silences: Pauses in the audio.
            speech_end_s: When the sound ends; infinity while more may come.
        """
        places = self._aligned(intended)
        index = self._heard(silences, speech_end_s, heard_s + ROUNDING_S)
        place = places[index - 1] if index else WordPlace(0)
        if place.partial_text or index >= len(self.words) or self.words[index].start_s >= heard_s:
            return place
        tokens = tokenise(intended, self.language)
        following = next((t for t in tokens if t.end > place.chars and not t.silent), None)
        return WordPlace(place.chars, intended[following.start : following.end] if following else "")

    def _aligned(self, intended: str) -> list[WordPlace]:
        """Align the words that are new; all of them when the written text has grown."""
        if self._aligner is None or self._text != intended:
            self._aligner, self._text, self._places = SpokenAligner(intended, self.language), intended, []
        for word in self.words[len(self._places) :]:
            self._aligner.feed(word.text, written=word.written, inside=word.inside)
            partial = self._aligner.partial_text
            self._places.append(
                WordPlace(self._aligner.chars, partial, self._aligner.partial_spoken if partial else "")
            )
        return self._places

    def _heard(self, silences: tuple[Silence, ...], speech_end_s: float, heard_s: float) -> int:
        """How many words had ended by then, up to the first that had not."""
        for index, word in enumerate(self.words):
            following = self.words[index + 1].start_s if index + 1 < len(self.words) else speech_end_s
            if word.untimed:
                if speech_end_s > heard_s:
                    return index
            elif following > heard_s and _sound_end(word.start_s, following, silences) > heard_s:
                return index  # what is followed by a word that has begun has ended: no pause needs to be looked for
        return len(self.words)


def _sound_end(start_s: float, next_s: float, silences: tuple[Silence, ...]) -> float:
    """When a word's sound ends: at the pause that leads up to the next word, else where the next word begins."""
    for silence in silences:
        if start_s + ONSET_S < silence.start_s < next_s <= silence.end_s + GAP_S:
            return silence.start_s
        if silence.start_s >= next_s:
            break
    return next_s
