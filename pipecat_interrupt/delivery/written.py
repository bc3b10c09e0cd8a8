"""The written text as a list of tokens that are heard whole or not at all.

Owns where a token begins and ends, which tokens are never spoken (markup, tags, lone symbols) and how many words a
prefix has. It must never change the text: every position is an index into the string it was given.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from pipecat_interrupt.delivery.readings import Reading, readings_of

# Han, Hiragana, Katakana and their extensions: written without blanks, one token a character.
_CJK = "\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d"
_CJK_CHAR = re.compile(f"[{_CJK}]")
_CJK_FOLLOWER = re.compile(r"[\u3000-\u303f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\u30fb\u30fc]+")
_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,200}>")
_LINK = re.compile(r"\[([^\]\n]{1,200})\]\([^)\s]{1,500}\)")
_LATIN = re.compile(rf"[^\s<{_CJK}]+")
_MARKDOWN = re.compile(r"[*_`~#|>]+")

PHRASE_END = re.compile(r"[,;:.!?…。，、；：！？)\]]+[\"'”’»)*_`]*$|\u2014$|--$")
"""Ends a phrase: a voice is likely to pause here."""


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of written text that is heard whole or not at all.

    Parameters:
        start: First character in the text.
        end: One past the last; punctuation that clings to the word is inside.
        letters: What is left of it for comparison: folded letters and digits; "" when it is never spoken.
        readings: Ways to say it in words, for what is not said as written (numbers, units, dates, abbreviations);
            empty for a plain word.
        pause: The punctuation after it, "" inside a phrase.
    """

    start: int
    end: int
    letters: str
    readings: tuple[Reading, ...] = ()
    pause: str = ""

    @property
    def silent(self) -> bool:
        """Whether it is never spoken."""
        return not self.letters and not self.readings

    @property
    def elastic(self) -> bool:
        """Whether its spoken form may differ from its letters."""
        return bool(self.readings)


def fold(text: str) -> str:
    """Reduce text to comparable letters and digits: no case, no accents, no punctuation, no blanks."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in folded if c.isalnum())


@lru_cache(maxsize=256)
def tokenise(text: str, language: str = "en") -> tuple[Token, ...]:
    """Split a written text into tokens, in order, never overlapping.

    Args:
        text: As the model wrote it, markup and tags included.
        language: BCP 47 tag; decides how numbers, dates and abbreviations are said.

    Returns:
        Tokens; what lies between them is white space.
    """
    tokens: list[Token] = []
    position = 0
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        end = _chunk_end(text, position)
        tokens.extend(_tokens_of(text, position, end, language))
        position = end
    return tuple(tokens)


def count_words(text: str, language: str = "en") -> int:
    """Count the words of a text; a character of Chinese or Japanese counts as one, markup as none."""
    return sum(1 for token in tokenise(text, language) if not token.silent)


def ends_with_cjk(text: str) -> bool:
    """Whether the text ends in a script written without blanks."""
    stripped = _CJK_FOLLOWER.sub("", text[-8:])
    return bool(stripped) and _CJK_CHAR.match(stripped[-1]) is not None


def _chunk_end(text: str, position: int) -> int:
    """Find where the chunk that starts here ends: a tag, a link, one CJK character, or everything up to a blank."""
    for pattern in (_TAG, _LINK):
        if found := pattern.match(text, position):
            return found.end()
    if _CJK_CHAR.match(text, position):
        end = position + 1
        if follower := _CJK_FOLLOWER.match(text, end):
            end = follower.end()
        return end
    if follower := _CJK_FOLLOWER.match(text, position):
        return follower.end()
    if found := _LATIN.match(text, position):
        end = found.end()
        while tag := _TAG.match(text, end):  # "<b>word</b>.": the closing tag and what clings to it belong to the word
            end = tag.end()
            if rest := _LATIN.match(text, end):
                end = rest.end()
        return end
    return position + 1


def _tokens_of(text: str, start: int, end: int, language: str) -> list[Token]:
    chunk = text[start:end]
    said = _LINK.sub(r"\1", _TAG.sub("", chunk))
    said = _MARKDOWN.sub("", said)
    found = PHRASE_END.search(said)
    pause = found.group(0) if found else ""
    if "\n" in text[end : end + 2]:
        pause = pause or "\n"
    letters = fold(said)
    readings = readings_of(said, language)
    return [Token(start, end, letters, readings, pause)]
