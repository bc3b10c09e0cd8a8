"""What the safe-side model sees of a text: named features, each there or not.

Owns the names; the weights belong to these names. Training and live use call the same functions, so a change here
needs a new training (the weights file names the version). Words are those of the rules: what somebody says in the plain
clauses of `obligations.pathway.emergencies`, what the agent says in the flat ones of `obligations.coverage.flat`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib import resources

from obligations.coverage.flat import flatten
from obligations.coverage.loosened import Point
from obligations.coverage.retraction import key_of
from obligations.coverage.text import base_language
from obligations.pathway.emergencies import clauses_of

FEATURES_VERSION = 1
WORDS_FILE = "words.txt"

# A text is read up to here: it keeps the time bounded, and `units_of` gives no longer one.
WORDS_MAX = 60
# Letters of a piece of a word, its ends counted ("~^eyes$"); chosen by cross-validation over authors.
_PIECE_CHARS = (4, 5)
# So many words behind a denial are marked as denied.
_DENIED_WORDS = 5
_LONGER_THAN_WORDS = (4, 8, 14)
# A longer sentence is read in windows: what matters must not drown in what was said around it. Our choice.
_SENTENCE_WORDS_MAX = 30
_WINDOW_WORDS, _WINDOW_STEP_WORDS = 20, 10
# A shorter sentence says too little to be read by itself.
SENTENCE_WORDS_MIN = 3

_SENTENCE = re.compile(r"[^.!?…]+[.!?…]*")
_CLAUSE = re.compile(r"[,;.:!?…–—()\n]+")
_VERB, _TOLD = "<verb>", "<told>"
# Sounds and words that only keep the floor: what somebody means is read without them, and without a word said twice.
_FILLERS = frozenset("um uh er erm hm hmm mm mhm ah oh eh ahm hum ehm bem pronto".split())


def units_of(text: str) -> tuple[str, ...]:
    """Cut a reply into what is read at a time: the whole where it is short, its sentences, windows of a long one."""
    sentences = [m[0].strip() for m in _SENTENCE.finditer(text) if m[0].strip()]
    out = [text.strip()] if SENTENCE_WORDS_MIN <= len(text.split()) <= _SENTENCE_WORDS_MAX else []
    for sentence in sentences if len(sentences) > 1 or not out else ():
        words = sentence.split()
        if len(words) > _SENTENCE_WORDS_MAX:
            starts = range(0, len(words) - _WINDOW_STEP_WORDS, _WINDOW_STEP_WORDS)
            out += [" ".join(words[at : at + _WINDOW_WORDS]) for at in starts]
        elif len(words) >= SENTENCE_WORDS_MIN:
            out.append(sentence)
    return tuple(out)


def spoken_features(text: str, language: str, *, pieces: bool) -> frozenset[str]:
    """Give the features of something somebody said.

    Args:
        text: The words, with or without punctuation.
        language: BCP 47 tag.
        pieces: Pieces of words too, which know other forms of a word.

    Returns:
        Names: ``word``, ``two words``, ``a _ b`` (one between), ``@class``, ``~piece``, ``!denied``, ``#other``.
    """
    clauses = (_fluent(clause.split()) for clause in clauses_of(text))
    return _of_clauses(clauses, base_language(language), pieces=pieces)


def advice_features(text: str, point: Point, language: str) -> frozenset[str]:
    """Give the features of a sentence of the agent's beside an advice it gave before.

    Words of the advice stand there as ``<verb>`` (what is done) or ``<told>``, so that what is learnt of one advice
    holds for another; every word once more by whether the advice forbids.
    """
    known = set[str]()
    clauses = list[list[str]]()
    for clause in _CLAUSE.split(text):
        words = list[str]()
        for word in flatten(clause, language).split():
            key = key_of(word, language)
            known |= {key} & (point.verbs | point.told)
            words.append(_VERB if key in point.verbs else _TOLD if key in point.told else word)
        clauses.append(words)
    plain = _of_clauses(clauses, base_language(language), pieces=True)
    way = "P" if point.prohibits else "D"
    kind = "S" if point.states else "A" if point.allows else "U" if point.urgent else way
    doubled = {f"{way}|{name}" for name in plain if name[0] not in "~#" and " _ " not in name}
    verb = bool(known & point.verbs)
    return plain | doubled | {f"#kind{kind}", f"#known{min(len(known), 3)}", f"#verb{verb:d}{way}"}


def _fluent(words: Sequence[str]) -> list[str]:
    out = list[str]()
    for word in words:
        if word not in _FILLERS and out[-1:] != [word]:
            out.append(word)
    return out


def _of_clauses(clauses: Iterable[Sequence[str]], language: str, *, pieces: bool) -> frozenset[str]:
    out, count = set[str](), 0
    for clause in clauses:
        words = clause[: WORDS_MAX - count]
        if words:
            count += len(words)
            _clause(words, language, out, pieces=pieces)
    out.add(f"#words{sum(count > at for at in _LONGER_THAN_WORDS)}")
    return frozenset(out)


def _clause(words: Sequence[str], language: str, out: set[str], *, pieces: bool) -> None:
    ends = ("^", *words, "$")
    named = [_classes(word, language) for word in ends]
    denied = 0
    for i, word in enumerate(ends):
        if i + 1 < len(ends):
            after, its = ends[i + 1], named[i + 1]
            out.add(f"{word} {after}")
            out.update(f"{name} {after}" for name in named[i])
            out.update(f"{word} {name}" for name in its)
            out.update(f"{one} {other}" for one in named[i] for other in its)
        if i + 2 < len(ends):
            out.add(f"{word} _ {ends[i + 2]}")
        if 0 < i < len(ends) - 1:
            out.update((word, *named[i]))
            if pieces:
                out.update(_pieces(word))
            if denied:
                out.update(f"!{name}" for name in (word, *named[i]))
                denied -= 1
            if "@deny" in named[i]:
                denied = _DENIED_WORDS


@lru_cache(maxsize=16384)
def _pieces(word: str) -> tuple[str, ...]:
    ends = f"^{word}$"
    return tuple({f"~{ends[i : i + size]}" for size in _PIECE_CHARS for i in range(len(ends) - size + 1)})


@lru_cache(maxsize=16384)
def _classes(word: str, language: str) -> tuple[str, ...]:
    whole, begins = _tables(language)
    found = dict.fromkeys(whole.get(word, ()))
    found |= dict.fromkeys(name for begin, name in begins if word.startswith(begin))
    return tuple(found)


@lru_cache
def _tables(language: str) -> tuple[dict[str, tuple[str, ...]], tuple[tuple[str, str], ...]]:
    """The classes of a base language: by whole word, and by its beginning; empty where it has none."""
    text = resources.files("obligations.safe_side").joinpath(WORDS_FILE).read_text(encoding="utf-8")
    whole, begins, section = dict[str, tuple[str, ...]](), list[tuple[str, str]](), ""
    for line in text.splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif section == language and " = " in line:
            name, _, words = line.partition(" = ")
            for word in words.split():
                if word.endswith("*"):
                    begins.append((word[:-1], f"@{name}"))
                else:
                    whole[word] = (*whole.get(word, ()), f"@{name}")
    return whole, tuple(begins)
