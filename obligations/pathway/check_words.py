"""What the words of a pathway may not hold: signs no voice can speak, hidden signs, questions that deny.

Owns the rules about single texts; what must agree between fields is `check`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from obligations.pathway.models import Pathway, Question
from obligations.pathway.words import contains_words, forms_of

Loc = tuple[str | int, ...]

# Fields of an item that are said aloud.
_SPOKEN = frozenset({"wording", "variants", "reask", "confirm"})
# Written languages of mark-up (SSML, HTML, Markdown, templates): a voice would read the signs out, or obey them.
_MARKUP = re.compile(r"[<>{}\[\]`*_|\\~^]|&#?\w+;|https?://|www\.", re.IGNORECASE)
# Some scripts are not written right without these two.
_JOINERS = "\u200c\u200d"
_SENTENCE = re.compile(r"[^.!?…]+[.!?…]*")
# "Is it so, yes or no?" names both answers and denies nothing.
_BOTH_ANSWERS = {
    "en": re.compile(r"\byes or no\b", re.IGNORECASE),
    "pt": re.compile(r"\bsim ou não\b", re.IGNORECASE),
}
_DENIES = {
    "en": re.compile(
        r"^(?:no|not|never|none|nothing|nobody|neither|nor|without|hardly|barely|cannot|"
        r"(?:do|does|did|is|are|was|were|has|have|had|ca|could|wo|would|should|must|need|ai)nt)$"
    ),
    "pt": re.compile(r"^(?:não|nunca|nem|sem|nenhum|nenhuma|nenhuns|nenhumas|nada|ninguém|jamais)$"),
}


@dataclass(frozen=True, slots=True)
class WordFault:
    """A fault of one text: its place, what is wrong, what to write instead."""

    loc: Loc
    what: str
    fix: str


def check_words(pathway: Pathway) -> Iterator[WordFault]:
    """Find every text that cannot stand in a pathway."""
    for loc, text in _texts((), pathway.model_dump()):
        yield from _signs(loc, text)
    for g, group in enumerate(pathway.groups):
        for i, item in enumerate(group.items):
            if isinstance(item, Question) and item.value_type == "yes_no":
                yield from _denials(item, ("groups", g, "items", i))


def _texts(loc: Loc, value: Any) -> Iterator[tuple[Loc, str]]:
    if isinstance(value, str):
        yield loc, value
    elif isinstance(value, Mapping):
        for key, inner in cast("Mapping[str, Any]", value).items():
            yield from _texts((*loc, key), inner)
    elif isinstance(value, Sequence):
        for place, inner in enumerate(cast("Sequence[Any]", value)):
            yield from _texts((*loc, place), inner)


def _signs(loc: Loc, text: str) -> Iterator[WordFault]:
    hidden = next((sign for sign in text if _is_hidden(sign)), None)
    if hidden in ("\n", "\r", "\u2028", "\u2029", "\v", "\f", "\x85"):
        yield WordFault(loc, "it holds a line break.", "Write it on one line, or fold it with `>-`.")
    elif hidden is not None:
        yield WordFault(
            loc, f"it holds a sign nobody sees (U+{ord(hidden):04X}).", "Delete it, and type the words anew."
        )
    if not _is_spoken(loc):
        return
    markup = _MARKUP.search(text)
    if markup is not None:
        what = f"it holds {markup[0]!r}, which is mark-up and no word to be spoken."
        yield WordFault(loc, what, "Write only what the voice shall say.")
    if not forms_of(text):
        yield WordFault(loc, "it holds no word.", "Write what the voice shall say, or leave the field out.")


def _is_hidden(sign: str) -> bool:
    """Control signs, signs of direction, invisible ones, ends of line; not the joiners of some scripts."""
    return unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp", "Cs", "Co") and sign not in _JOINERS


def _is_spoken(loc: Loc) -> bool:
    return loc[0] == "phrases" or (loc[0] == "groups" and loc[2] == "items" and loc[4] in _SPOKEN)


def _denials(item: Question, loc: Loc) -> Iterator[WordFault]:
    """A question that denies is answered by "no" both when it is so and when it is not."""
    for field in ("wording", "reask", "confirm"):
        given: Mapping[str, str] = getattr(item, field)
        for language, text in given.items():
            yield from _denial(item, (*loc, field, language), language, text)
    for language, texts in item.variants.items():
        for place, text in enumerate(texts):
            yield from _denial(item, (*loc, "variants", language, place), language, text)


def _denial(item: Question, loc: Loc, language: str, text: str) -> Iterator[WordFault]:
    base, focus = language.split("-")[0], item.focus.get(language, "")
    if base not in _DENIES:
        return
    plain = _BOTH_ANSWERS[base].sub(" ", text)
    asking = [s[0] for s in _SENTENCE.finditer(plain) if contains_words(s[0], focus) or s[0].rstrip().endswith("?")]
    word = next((w for s in asking for w in forms_of(s) if _DENIES[base].match(w)), None)
    if word is not None:
        what = f"it asks with a denial ({word!r}), so a plain yes or no to it says two things."
        yield WordFault(loc, what, "Ask whether it is so, not whether it is not.")
