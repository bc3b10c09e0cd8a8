"""From spoken words back to a prefix of the written text.

Owns the walk along the written tokens while spoken words come in. It only ever moves forward, never past what the
spoken words account for, and never leaves the written text: a figure of which only a part was spoken stays uncovered.
"""

from __future__ import annotations

from rapidfuzz.fuzz import ratio

from pipecat_interrupt.delivery.readings import Reading, figure_words, spoken_words
from pipecat_interrupt.delivery.written import Token, fold, tokenise

LOOKAHEAD_TOKENS = 6
"""How far ahead a spoken word may be found when the words before it were never reported."""

FUZZY_RATIO_MIN = 80.0
FUZZY_LETTERS_MIN = 4
MERGE_TOKENS_MAX = 8
HINT_GAP_CHARS_MAX = 60


class SpokenAligner:
    """Walks along a written text as its spoken words are reported.

    Args:
        text: The written text.
        language: BCP 47 tag for figures and abbreviations.

    Promises: `chars` never shrinks; it ends at the end of a token, and everything before it was covered by spoken
    words, or lies between words that were.
    """

    def __init__(self, text: str, language: str = "en") -> None:
        self._text = text
        self._tokens = tokenise(text, language)
        self._figures = figure_words(language)
        self._index = 0
        self._letters = ""
        self._said: list[str] = []
        self._extensions: list[Reading] = []
        self._jump: int | None = None
        self._hint = ""
        self.chars = 0

    @property
    def partial_text(self) -> str:
        """The written token that was begun and not finished, or ""."""
        token = self._current()
        return self._text[token.start : token.end] if token is not None and self._said else ""

    @property
    def partial_spoken(self) -> str:
        """What was spoken of `partial_text`."""
        return " ".join(self._said)

    def feed(self, spoken: str, *, written: str | None = None, inside: bool = False) -> int:
        """Take up one reported word.

        Args:
            spoken: The word as the voice reported it; more than one word is allowed.
            written: The written text it stands for, where the framework knows it. Pipecat may name it with the first
                word of a rewritten stretch, so a text that is said differently counts only when the stretch is over.
            inside: The word belongs to a rewritten stretch that is not finished.

        Returns:
            Characters of the written text covered so far.
        """
        if not inside and self._hint:
            hint, self._hint = self._hint, ""
            self._take_hint(hint)
        named = written.strip() if written else ""
        if named and fold(named) == fold(spoken) and self._take_hint(named):
            return self.chars
        for word in spoken_words(spoken):
            self._take(fold(word))
        self._hint = named or self._hint
        return self.chars

    def finish(self) -> int:
        """The whole text was spoken: cover all of it."""
        self._index, self.chars = len(self._tokens), len(self._text)
        self._clear()
        return self.chars

    # -- one word ------------------------------------------------------------------------------------------------

    def _take(self, word: str) -> None:
        if not word:
            return
        if self._jump is not None and self._confirm_jump(word):
            return
        token = self._current()
        if token is None:
            return
        if self._continue_reading(word):
            return
        if self._match_readings(token, word) or self._match_letters(token, word):
            return
        if self._look_ahead(token, word):
            return
        if token.elastic and (self._said or word in self._figures or not token.letters):
            self._said.append(word)

    def _continue_reading(self, word: str) -> bool:
        """Swallow words that only lengthen the token just covered ("eight" ... "o'clock")."""
        if not self._extensions:
            return False
        kept = [rest[1:] for rest in self._extensions if rest and rest[0] == word]
        token = self._current()
        fits_next = token is not None and not self._said and self._starts(token, word)
        self._extensions = [rest for rest in kept if rest]
        return bool(kept) and not fits_next

    def _match_readings(self, token: Token, word: str) -> bool:
        candidate = (*self._said, word)
        size = len(candidate)
        fitting = [r for r in token.readings if r[:size] == candidate]
        if not fitting:
            return False
        if candidate in token.readings:
            self._cover(self._index)
            self._extensions = [r[size:] for r in fitting if len(r) > size]
        else:
            self._said.append(word)
        return True

    def _match_letters(self, token: Token, word: str) -> bool:
        """Match by letters: a word as written, in pieces, or several written words reported as one."""
        if not token.letters:
            return False
        joined = self._letters + word
        if token.letters == joined:
            self._cover(self._index)
            return True
        if token.letters.startswith(joined):
            self._letters = joined
            self._said.append(word)
            return True
        if joined.startswith(token.letters) and (last := self._merged(joined)) is not None:
            self._cover(last)
            return True
        if not token.elastic and len(word) >= FUZZY_LETTERS_MIN and ratio(token.letters, word) >= FUZZY_RATIO_MIN:
            self._cover(self._index)
            return True
        return False

    def _merged(self, letters: str) -> int | None:
        """Find the token at which the letters of consecutive tokens add up to `letters`, or None."""
        total = ""
        for index in range(self._index, min(len(self._tokens), self._index + MERGE_TOKENS_MAX)):
            total += self._tokens[index].letters
            if total == letters:
                return index
            if not letters.startswith(total):
                return None
        return None

    def _look_ahead(self, token: Token, word: str) -> bool:
        """Find the word further on: at once past figures, past plain words only when the next word agrees."""
        skipped_plain = not token.elastic
        for index in range(self._index + 1, min(len(self._tokens), self._index + 1 + LOOKAHEAD_TOKENS)):
            later = self._tokens[index]
            if later.silent:
                continue
            if self._starts(later, word):
                if skipped_plain:
                    self._jump = index
                    return True
                self._advance_to(index)
                self._take(word)
                return True
            skipped_plain = skipped_plain or not later.elastic
        return False

    def _confirm_jump(self, word: str) -> bool:
        index, self._jump = self._jump, None
        if index is None:
            return False
        following = next((t for t in self._tokens[index + 1 :] if not t.silent), None)
        if following is None or not self._starts(following, word):
            return False
        self._cover(index)
        self._take(word)
        return True

    @staticmethod
    def _starts(token: Token, word: str) -> bool:
        return token.letters == word or any(r[0] == word for r in token.readings)

    # -- moving --------------------------------------------------------------------------------------------------

    def _take_hint(self, written: str) -> bool:
        """Follow the framework's own word for what a spoken word stands for."""
        at = self._text.find(written, self.chars)
        if at < 0 or at - self.chars > HINT_GAP_CHARS_MAX:
            return False
        end = at + len(written)
        covered = self._index
        while covered < len(self._tokens):
            token = self._tokens[covered]
            if token.end <= end or (token.start < end and not fold(self._text[end : token.end])):
                covered += 1
                continue
            break
        if covered > self._index:
            self._cover(covered - 1)
        if covered < len(self._tokens) and self._tokens[covered].start < end:
            self._letters = fold(self._text[self._tokens[covered].start : end])
            self._said = [self._letters]
        return True

    def _current(self) -> Token | None:
        """Step over what is never spoken and give the token that waits to be spoken; None past the end."""
        while self._index < len(self._tokens) and self._tokens[self._index].silent:
            self._index += 1
        return self._tokens[self._index] if self._index < len(self._tokens) else None

    def _cover(self, index: int) -> None:
        self._index = index + 1
        self.chars = self._tokens[index].end
        self._clear()

    def _advance_to(self, index: int) -> None:
        """A later word was heard, so what stands before it was too."""
        before = [t for t in self._tokens[self._index : index] if not t.silent]
        if before:
            self.chars = before[-1].end
        self._index = index
        self._clear()

    def _clear(self) -> None:
        self._letters = ""
        self._said = []
        self._extensions = []
        self._jump = None
