"""The shape of a language's table and how a text is read with it.

Owns matching; the words themselves stand in one module a language (`en`, `pt_pt`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from pipecat_interrupt.overlap.tokens import parse_phrases, phrase_set, tokens

READ_WORDS_MAX = 80
"""Words of a text that are read phrase by phrase; what comes behind them is content whatever it is."""

Phrases = frozenset[tuple[str, ...]]


class Part(StrEnum):
    """What one stretch of words does."""

    HUM = "hum"
    CONTINUER = "continuer"
    POLITE = "polite"
    YES = "yes"
    NO = "no"
    FILLER = "filler"
    OPENER = "opener"
    STOP = "stop"
    REPAIR = "repair"
    CORRECTION = "correction"
    SHIFT = "shift"
    CONTRAST = "contrast"
    CONTENT = "content"


LISTENING = frozenset({Part.HUM, Part.CONTINUER, Part.POLITE, Part.YES, Part.FILLER})
"""Parts that a listener can say without wanting the floor."""


@dataclass(frozen=True, slots=True)
class HumRule:
    """A hum is spelt freely ("MMMHUM", "M.M.H.", "mm hum"): told by its letters, not by a list.

    Parameters:
        letters: Letters a hum may be made of.
        needs: Letters of which at least one must be there.
        never: Words of those letters that mean something in this language.
    """

    letters: frozenset[str]
    needs: frozenset[str]
    never: frozenset[str]

    def matches(self, word: str) -> bool:
        """Say whether one word is a hum."""
        bare = word.rstrip("-")
        return bool(bare) and bare not in self.never and set(bare) <= self.letters and bool(set(bare) & self.needs)


@dataclass(frozen=True, slots=True)
class LanguageTable:
    """What the words of one language do in an overlap.

    Parameters:
        code: BCP 47 tag this table is for.
        accepts: Lower-case tags it serves; a bare language tag only if listed.
        hums: How hums are spelt.
        affirming_hums: Hums that say yes to an open question.
        continuers: Listening sounds and words ("right", "I see") that are no answer by themselves.
        polite: Phrases of thanks and assent that close nothing ("thank you", "makes sense").
        yes: Words that affirm; a listening word unless a question is open.
        no: Words that deny; they take the floor always.
        fillers: Sounds of one who looks for words.
        openers: Words that announce more ("well"): whoever says one wants to speak.
        assents: Polite phrases that answer an open question as well ("of course").
        stop: Requests to yield.
        weak_stop: Requests to yield that are common words as well: they count only when nothing else is said.
        repair: Requests to say it again.
        corrections: Openings of a correction.
        shifts: Openings of a change of topic.
        contrast: Words that turn an assent round ("but").
        question_openers: Words a question begins with.
        unfinished: Words no utterance ends with.
        conjunctions: Words that begin a new unit after a comma.
        hallucinated: Whole texts that recognisers write on silence.
        reviewed: Whether a native speaker has reviewed the table.
    """

    code: str
    accepts: frozenset[str]
    hums: HumRule
    affirming_hums: Phrases
    continuers: Phrases
    polite: Phrases
    yes: Phrases
    no: Phrases
    fillers: Phrases
    openers: Phrases
    assents: Phrases
    stop: Phrases
    weak_stop: Phrases
    repair: Phrases
    corrections: Phrases
    shifts: Phrases
    contrast: Phrases
    question_openers: frozenset[str]
    unfinished: frozenset[str]
    conjunctions: frozenset[str]
    hallucinated: Phrases
    reviewed: bool

    def with_backchannels(self, extra: tuple[str, ...]) -> LanguageTable:
        """Add a deployment's own listening phrases; blank and wordless entries are ignored."""
        return replace(self, polite=self.polite | phrase_set(*extra))


@dataclass(frozen=True, slots=True)
class Reading:
    """A text, read with one table.

    Parameters:
        words: The plain words.
        parts: What each stretch does, in order, with its length in words.
        broken_off: Whether the last word is a fragment ("ye-").
    """

    words: tuple[str, ...]
    parts: tuple[tuple[Part, int], ...] = field(default=())
    broken_off: bool = False

    @property
    def kinds(self) -> frozenset[Part]:
        """The parts that occur."""
        return frozenset(part for part, _ in self.parts)

    def first_words(self, part: Part) -> int | None:
        """Number of words before the first stretch of this kind; None when it does not occur."""
        at = 0
        for found, length in self.parts:
            if found is part:
                return at
            at += length
        return None

    def count(self, part: Part) -> int:
        """Number of words of this kind."""
        return sum(length for found, length in self.parts if found is part)


def read(table: LanguageTable, text: str) -> Reading:
    """Read a text stretch by stretch, the longest phrase first; what no list knows is content."""
    words = tokens(text)
    until = min(len(words), READ_WORDS_MAX)
    order = (
        (Part.STOP, table.stop),
        (Part.REPAIR, table.repair),
        (Part.CORRECTION, table.corrections),
        (Part.SHIFT, table.shifts),
        (Part.POLITE, table.polite),
        (Part.CONTINUER, table.continuers),
        (Part.HUM, table.affirming_hums),
        (Part.YES, table.yes),
        (Part.NO, table.no),
        (Part.CONTRAST, table.contrast),
        (Part.FILLER, table.fillers),
        (Part.OPENER, table.openers),
    )
    parts: list[tuple[Part, int]] = []
    at = 0
    while at < until:
        best, kind = 0, Part.CONTENT
        for part, phrases in order:
            length = parse_phrases(phrases, words, at)
            if length > best:
                best, kind = length, part
        if best == 0:
            best, kind = 1, Part.HUM if table.hums.matches(words[at]) else Part.CONTENT
        parts.append((kind, best))
        at += best
    if at < len(words):
        parts.append((Part.CONTENT, len(words) - at))
    return Reading(words, tuple(parts), bool(words) and words[-1].endswith("-"))


def may_become_listening(table: LanguageTable, reading: Reading) -> bool:
    """Whether an unfinished text listens so far, but for last words that begin a listening phrase ("makes", "I")."""
    at = 0
    for part, length in reading.parts:
        if part not in LISTENING:
            tail = reading.words[at:]
            return any(
                phrase[: len(tail)] == tail
                for phrases in (table.polite, table.continuers, table.yes)
                for phrase in phrases
            )
        at += length
    return False


def table_for(language: str | None) -> LanguageTable | None:
    """The table of a language tag, or None: then only language-free evidence counts.

    "en" and every "en-XX" use the English table; "pt" and "pt-PT" the European Portuguese one; "pt-BR" and every other
    tag have none.
    """
    from pipecat_interrupt.overlap.languages.en import ENGLISH
    from pipecat_interrupt.overlap.languages.pt_pt import EUROPEAN_PORTUGUESE

    if not language:
        return None
    tag = str(language).lower().replace("_", "-")
    for table in (ENGLISH, EUROPEAN_PORTUGUESE):
        if tag in table.accepts:
            return table
    if tag.startswith("en-"):
        return ENGLISH
    return None
