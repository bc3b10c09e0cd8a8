"""What a language's table of call requests looks like.

Owns the form. Patterns are matched against a sentence in plain form: lower case, no accents, no punctuation, one
blank between words.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from obligations.pathway.words import forms_of

NEVER = re.compile(r"(?!)")
ALWAYS = re.compile("")


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Bring a sentence to the form the patterns are written in."""
    joined = " ".join(forms_of(text))
    decomposed = unicodedata.normalize("NFD", joined)
    return "".join(sign for sign in decomposed if not unicodedata.combining(sign))


@dataclass(frozen=True, slots=True)
class LanguageTable:
    """How requests about the call itself sound in one language.

    Parameters:
        intents: Intent name to pattern; the pattern is searched in a plain sentence.
        question_start: Matches the beginning of a sentence that asks.
        question_inside: Matches anywhere in a sentence that asks, however it is punctuated.
        tag_question: Matches a whole sentence that only looks like a question ("right?").
        but: Matches the word that joins an answer and a question in one sentence.
        agrees: Matches words that confirm what somebody else said.
        negates: Matches words that deny.
        own_voice: What a third party says of the patient, to what the patient would say: pattern and replacement.
        stop_words: Words that say nothing about a topic, plain form.
        consents: Matches a whole sentence that agrees to a request ("sure").
        yes: What "this is she" says to whoever asks for her, for a reader.
        is_it_you: The right-party question without a word of its own, for a reader: "the patient is my mother" names
            what the pathway's wording asks for, and is no yes to it.
        joints: Matches what may stand between two questions in a sentence ("and", "or", a comma); casefolded.
        leaves: Matches the words of leaving at the end of a part of a sentence (between commas).
        asks_leave: Matches a whole sentence that asks whether the call may end ("can we stop now?").
        courtesy: Matches a whole part that says nothing besides ("okay, thanks").
        either: Matches the word between two names of one thing ("or").
        supposes: Matches words that only suppose ("if").
    """

    intents: dict[str, re.Pattern[str]]
    question_start: re.Pattern[str]
    question_inside: re.Pattern[str]
    tag_question: re.Pattern[str]
    but: re.Pattern[str]
    agrees: re.Pattern[str]
    negates: re.Pattern[str]
    own_voice: tuple[tuple[re.Pattern[str], str], ...]
    stop_words: frozenset[str]
    consents: re.Pattern[str]
    yes: str = ""
    is_it_you: str = ""
    joints: re.Pattern[str] = NEVER
    leading_polar: re.Pattern[str] = NEVER
    leading_yes: re.Pattern[str] = NEVER
    names_nothing: frozenset[str] = frozenset()
    earlier: re.Pattern[str] = NEVER
    corrects: re.Pattern[str] = NEVER
    leaves: re.Pattern[str] = NEVER
    asks_leave: re.Pattern[str] = NEVER
    courtesy: re.Pattern[str] = NEVER
    either: re.Pattern[str] = NEVER
    supposes: re.Pattern[str] = NEVER


def opening(*words: str) -> re.Pattern[str]:
    """Match a run of words, in any case, at the beginning of a text as it was written."""
    return re.compile(rf"^(?:\W*(?:{'|'.join(words)})\b)+\W*", re.IGNORECASE)


def alternatives(*patterns: str) -> re.Pattern[str]:
    """Join patterns into one."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))
