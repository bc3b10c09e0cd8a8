"""A reply or question as flat clauses: folded words, contractions opened, cut at punctuation and at "but".

Owns only the cutting. Never decides what a clause means.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from obligations.answers.idioms.model import Idioms
from obligations.coverage.flat import flat_words
from obligations.coverage.text import Token, base_language, raw_tokens

CLAUSES_MAX = 40

_MARKS = ",.;:?!…—–"
_TRAILS_OFF = "..."


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

    for i, (token, word) in enumerate(zip(tokens, words, strict=True)):
        mark = next((c for c in reversed(token.before) if c in _MARKS), "")
        if _TRAILS_OFF in token.before:
            mark = "…"
        if "?" in token.before:
            mark = "?"
        if mark and current:
            close(mark)
        elif current and (idioms.splitters.fullmatch(word) or _parts_here(current, _ahead(tokens, words, i), idioms)):
            close(",")
        current.append(word)
    tail = text[tokens[-1].end :] if tokens else ""
    close("?" if "?" in tail else "…" if _TRAILS_OFF in tail else tail.strip()[:1])
    return tuple(out[:CLAUSES_MAX])


def with_topic(clauses: Sequence[Clause], names_focus: Callable[[str], bool], idioms: Idioms) -> list[Clause]:
    """Join a topic set before its own yes or no: "Dizzy, no." denies dizziness and affirms none.

    Args:
        clauses: The reply, cut.
        names_focus: Says whether a flat clause names what is asked.
        idioms: Those of the language.
    """
    out: list[Clause] = []
    for clause in clauses:
        before = out[-1] if out else None
        if (
            before is not None
            and before.mark == ","
            and len(before.words) <= _TOPIC_WORDS_MAX
            and not any(word in idioms.negators or word in idioms.heads for word in before.words)
            and len(clause.words) <= _ITS_ANSWER_WORDS_MAX
            and (idioms.no.match(clause.flat) or clause.flat in idioms.heads)
            and names_focus(before.flat)
        ):
            out[-1] = Clause(f"{before.flat} {clause.flat}", clause.mark)
        else:
            out.append(clause)
    return out


_TOPIC_WORDS_MAX = 3
_ITS_ANSWER_WORDS_MAX = 2


def _ahead(tokens: Sequence[Token], words: Sequence[str], i: int) -> list[str]:
    """The word at `i` and those behind it up to the next mark, as many as are looked at."""
    end = min(i + AFFIRMED_WORDS_MIN, len(words))
    marked = next((k for k in range(i + 1, end) if any(c in _MARKS for c in tokens[k].before)), end)
    return list(words[i:marked])


def _parts_here(before: list[str], ahead: Sequence[str], idioms: Idioms) -> bool:
    """Read "no pain | and no swelling" and "no pain | and I am breathless".

    A second denial does not take back the first, and what is affirmed beside a denial is not denied by it. Where an
    article may open either, only a noun that more is said of is affirmed: "e a tosse | continua", not "e a tosse".

    Args:
        before: The words of the clause so far.
        ahead: The word in question and those behind it, up to the next mark.
        idioms: Those of the language.
    """
    word, following = ahead[0], ahead[1] if len(ahead) > 1 else ""
    if not any(w in idioms.negators for w in before):
        return False
    if word in idioms.second_denials:
        return True
    affirms = following in idioms.beginning or (following in idioms.definite and len(ahead) >= AFFIRMED_WORDS_MIN)
    return word in idioms.joining and (following in idioms.denies_next or affirms)


AFFIRMED_WORDS_MIN = 4
"""The joint, an article, its noun, and a word that says something of it."""


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
