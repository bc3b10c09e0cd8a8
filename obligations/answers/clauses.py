"""A reply or question as flat clauses: folded words, contractions opened, cut at punctuation and at "but".

Owns only the cutting. Never decides what a clause means.
"""

from __future__ import annotations

from dataclasses import dataclass

from obligations.answers.idioms.model import Idioms
from obligations.coverage.flat import flat_words
from obligations.coverage.text import base_language, raw_tokens

CLAUSES_MAX = 40

_MARKS = ",.;:?!…—–"


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of a reply.

    Parameters:
        flat: Its words, folded, one blank between.
        mark: The punctuation that closes it, "" where none survived.
    """

    flat: str
    mark: str

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the flat form."""
        return tuple(self.flat.split())


def split_clauses(text: str, idioms: Idioms, language: str) -> tuple[Clause, ...]:
    """Cut a reply into clauses at punctuation, at "but" words, and after a leading yes or no.

    Returns:
        At most `CLAUSES_MAX` clauses; what lies beyond is dropped, so a very long reply is read by its beginning.
    """
    tokens = raw_tokens(text, language)
    words = flat_words(tokens, base_language(language))
    out: list[Clause] = []
    current: list[str] = []

    def close(mark: str) -> None:
        flat = _strip_leading(" ".join(current), idioms)
        current.clear()
        if flat:
            out.extend(_split_head(flat, mark, idioms))

    for token, word, following in zip(tokens, words, [*words[1:], *words[:1]], strict=True):
        mark = next((c for c in reversed(token.before) if c in _MARKS), "")
        if "?" in token.before:
            mark = "?"
        if mark and current:
            close(mark)
        elif current and (idioms.splitters.fullmatch(word) or _parts_here(current, word, following, idioms)):
            close(",")
        current.append(word)
    tail = text[tokens[-1].end :] if tokens else ""
    close("?" if "?" in tail else tail.strip()[:1])
    return tuple(out[:CLAUSES_MAX])


def _parts_here(before: list[str], word: str, following: str, idioms: Idioms) -> bool:
    """Read "no pain | and no swelling" and "no pain | and I am breathless".

    A second denial does not take back the first, and what is affirmed beside a denial is not denied by it.
    """
    if not any(w in idioms.negators for w in before):
        return False
    return word in SECOND_DENIALS or (word in JOINING and (following in _DENYING or following in _BEGINNING))


SECOND_DENIALS = frozenset({"nor", "nem"})
"""A denial beside one that went before."""

JOINING = frozenset({"and", "or", "e", "ou"})
"""What joins two things said."""

_DENYING = frozenset({"no", "not", "nem", "sem", "nao", "never", "nunca"})
_BEGINNING = frozenset(
    "i it my there the she he they we now today yesterday sometimes also then just still lots some a quite very "
    "tenho estou sinto ando fico tive senti fiquei falta custa doi esta ha as tambem so ainda agora hoje ontem muito "
    "bastante alguma algum uma um eu".split()
)


def _strip_leading(flat: str, idioms: Idioms) -> str:
    while True:
        match = idioms.leading.match(flat)
        if match is None or match.end() == len(flat):
            return flat
        if idioms.whole_idiom(flat):
            return flat
        flat = flat[match.end() :].strip()


def _split_head(flat: str, mark: str, idioms: Idioms) -> list[Clause]:
    """Part a leading "yes" or "no" from what follows it when the recogniser gave no comma."""
    head, _, rest = flat.partition(" ")
    if not rest or head not in idioms.heads or idioms.whole_idiom(flat):
        return [Clause(flat, mark)]
    if not idioms.after_head.match(flat, len(head) + 1):  # matched in place, so that it may look back at the head
        return [Clause(flat, mark)]
    rest = _strip_leading(rest, idioms)
    return [Clause(head, ","), *_split_head(rest, mark, idioms)]
