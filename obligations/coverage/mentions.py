"""What a text mentions: concepts with their places, each stated or not, each negated or not, and its amounts.

Owns the reading of one text into mentions. Never compares it with a point.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from obligations.coverage.force import Force, Segment, segments
from obligations.coverage.hearing import as_meant
from obligations.coverage.lexicon.concepts import Lexicon, Phrase, lexicon_for, token_stem
from obligations.coverage.lexicon.function_words import GAPPED
from obligations.coverage.lexicon.polarity import PolarityWords, polarity_words
from obligations.coverage.quantities import Amount, amounts
from obligations.coverage.stems import stem
from obligations.coverage.text import Token, TokenText, base_language, tokenise

TOKENS_MAX = 600
"""Longest text, in tokens, that is read; what lies beyond conveys nothing."""
GAP_WORDS_MAX = 4
"""Most words between a verb and the rest of its phrase ("keep the leg up")."""
POSED_REACH = 2
"""So many sentences behind a question the instruction may stand that makes a condition of it."""
NEGATION_REACH = 14
SHORT_REACH = 7
EMERGENCY_DIGITS = 3


@dataclass(frozen=True, slots=True)
class Mention:
    """One concept or word of a text.

    Parameters:
        concepts: What it may mean; a word outside the lexicon means only itself, as ``w:stem``.
        first: Index of its first token. last: index of its last.
        negators: Indices of the negating tokens that reach it.
        stated: Whether its sentence states it to the listener.
        light: Whether it carries no meaning of its own.
        gapped: Whether other words stand inside it ("keep the cast dry").
        asked: Whether its sentence only asks and an answerless statement follows ("Is it red? Ring us").
    """

    concepts: frozenset[str]
    first: int
    last: int
    negators: tuple[int, ...]
    stated: bool
    light: bool
    gapped: bool = False
    asked: bool = False

    @property
    def negated(self) -> bool:
        """Whether an odd number of negations reach it."""
        return len(self.negators) % 2 == 1


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as mentions.

    Parameters:
        source: The tokens.
        mentions: Every mention, longer and shorter ones side by side, in order of place.
        chosen: The longest ones only, not overlapping: the reading a point is made of.
        amounts: Its amounts.
        sentence: For each token the number of its sentence.
        stated: For each token whether its sentence is stated.
        reach: For each token the indices of the negating tokens that reach it.
        questioned: For each token whether its sentence, though it states a condition, carries a question mark.
        asked: For each token whether its sentence asks and a stated one follows: it can then only set a condition.
    """

    source: TokenText
    mentions: tuple[Mention, ...]
    chosen: tuple[Mention, ...]
    amounts: tuple[Amount, ...]
    sentence: tuple[int, ...]
    stated: tuple[bool, ...]
    reach: tuple[tuple[int, ...], ...]
    questioned: tuple[bool, ...]
    asked: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class _Item:
    """One token of the matching stream."""

    stem: str
    index: int
    negator: bool
    breaks: bool
    determiner: bool


@lru_cache(maxsize=2048)
def read_text(text: str, language: str) -> Reading | None:
    """Read a text into mentions; None in a language without a lexicon."""
    lexicon, words = lexicon_for(language), polarity_words(language)
    if lexicon is None or words is None:
        return None
    lang = base_language(language)
    source = as_meant(tokenise(text, language))
    tokens = source.tokens[:TOKENS_MAX]
    sentence, stated, questioned, asked = _sentences(text, language, tokens)
    stream = [
        _Item(
            token_stem(t, lang),
            i,
            t.norm in words.negators or stem(t.norm, lang) in words.avoiders,
            t.opens_clause,
            t.norm in words.determiners and t.lower != "é",
        )
        for i, t in enumerate(tokens)
    ]
    hits = _phrase_hits(stream, lexicon, GAPPED[lang])
    found = amounts(tokens, language)
    reach = _reach(tokens, lang, words, hits, {a.negator for a in found})
    mentions = [_mention(hit, reach, stated, asked, lexicon) for hit in hits]
    chosen = [_mention(hit, reach, stated, asked, lexicon) for hit in _longest(hits)]
    return Reading(source, tuple(mentions), tuple(chosen), found, sentence, stated, reach, questioned, asked)


def _sentences(
    text: str, language: str, tokens: Sequence[Token]
) -> tuple[tuple[int, ...], tuple[bool, ...], tuple[bool, ...], tuple[bool, ...]]:
    """For each token its sentence's number, and whether that states, sets a condition by asking, or only asks."""
    cut = segments(text, language)
    number: list[int] = []
    k = 0
    for token in tokens:
        while k + 1 < len(cut) and token.start >= cut[k].end:
            k += 1
        number.append(k)
    if not cut:
        plain = tuple(False for _ in tokens)
        return tuple(number), tuple(True for _ in tokens), plain, plain
    stated = tuple(cut[k].force in {Force.STATED, Force.CONDITION} for k in number)
    posed = [_posed(cut, k) for k in range(len(cut))]
    questioned = tuple(cut[k].force is Force.CONDITION for k in number)
    return tuple(number), stated, questioned, tuple(posed[k] for k in number)


def _posed(cut: Sequence[Segment], k: int) -> bool:
    """Whether a sentence asks and, before anybody could answer, a stated one follows."""
    if cut[k].force is not Force.ASKED:
        return False
    behind = [s.force for s in cut[k + 1 : k + 1 + POSED_REACH]]
    return any(f is Force.STATED for f in behind)


@dataclass(frozen=True, slots=True)
class _Hit:
    """A phrase found in the stream, or a single unknown word."""

    concepts: frozenset[str]
    first: int
    last: int
    negated_phrase: bool
    gapped: bool = False


def _phrase_hits(stream: Sequence[_Item], lexicon: Lexicon, holding: Set[str]) -> list[_Hit]:
    """Find every phrase: exact ones on all words, negated ones without determiners, the rest without negators too.

    A phrase that begins with a verb of `holding` may hold its object inside.
    """
    weighty = [item for item in stream if not item.determiner]
    plain = [item for item in weighty if not item.negator]
    hits: list[_Hit] = []
    for items, negated, exact in ((stream, None, True), (weighty, True, False), (plain, False, False)):
        for at in range(len(items)):
            for phrase in lexicon.by_first.get(items[at].stem, ()):
                if phrase.exact is not exact or negated not in {None, phrase.negated}:
                    continue
                gapped = not exact and len(phrase.stems) > 1 and phrase.stems[0] in holding
                end = _end_of(phrase, items, at, gapped)
                if end is not None and not _frame_over_negation(
                    phrase, items[at].index, items[end].index, stream, lexicon
                ):
                    open_phrase = end - at >= len(phrase.stems)
                    hits.append(
                        _Hit(_with_word(phrase), items[at].index, items[end].index, phrase.negated, open_phrase)
                    )
    covered = {h.first for h in hits if h.first == h.last}
    hits.extend(
        _Hit(frozenset({f"w:{item.stem}"}), item.index, item.index, negated_phrase=False)
        for item in plain
        if item.index not in covered
    )
    hits = [h for h in hits if not ("SAY_NO" in h.concepts and h.negated_phrase and _of_listener(h.last + 1, stream))]
    swallowed = [h for h in hits if h.negated_phrase and not h.gapped]
    kept = [h for h in hits if h in swallowed or not any(s.first <= h.first and h.last <= s.last for s in swallowed)]
    return sorted(kept, key=lambda h: (h.first, -h.last))


def _of_listener(at: int, stream: Sequence[_Item]) -> bool:
    """Whether the listener stands behind "we do not want": then it forbids, and refuses nothing."""
    return at < len(stream) and stream[at].stem == "you" and not stream[at].breaks


def _with_word(phrase: Phrase) -> frozenset[str]:
    return phrase.concepts | {f"w:{phrase.stems[0]}"} if len(phrase.stems) == 1 else phrase.concepts


def _end_of(phrase: Phrase, items: Sequence[_Item], at: int, gapped: bool) -> int | None:
    """Where a phrase that begins at `at` ends, or None; a gapped one may hold its object after the verb."""
    k = at
    for n, wanted in enumerate(phrase.stems):
        if n == 1 and gapped:
            k = _over_gap(items, k, wanted)
        if k >= len(items) or items[k].stem != wanted or (n > 0 and items[k].breaks):
            return None
        k += 1
    return k - 1


def _frame_over_negation(phrase: Phrase, first: int, last: int, stream: Sequence[_Item], lexicon: Lexicon) -> bool:
    """Whether a phrase without weight would swallow a negation ("have nothing to eat" is no "have to")."""
    inside = any(item.negator for item in stream[first : last + 1])
    return inside and not phrase.negated and phrase.concepts <= lexicon.light


def _over_gap(items: Sequence[_Item], at: int, wanted: str) -> int:
    """The next place of a stem, at most so many words on and within the clause; `at` where it is not there."""
    for k in range(at, min(len(items), at + GAP_WORDS_MAX + 1)):
        if items[k].breaks or items[k].negator:
            break
        if items[k].stem == wanted:
            return k
    return at


def _longest(hits: Sequence[_Hit]) -> list[_Hit]:
    out: list[_Hit] = []
    end = -1
    for hit in sorted((h for h in hits if not h.gapped), key=lambda h: (h.first, -(h.last - h.first))):
        if hit.first > end:
            out.append(hit)
            end = hit.last
        elif out and hit.first == out[-1].first and hit.last == out[-1].last:
            previous = out[-1]
            out[-1] = _Hit(previous.concepts | hit.concepts, hit.first, hit.last, previous.negated_phrase)
    return out


def _mention(
    hit: _Hit, reach: Sequence[tuple[int, ...]], stated: Sequence[bool], asked: Sequence[bool], lexicon: Lexicon
) -> Mention:
    named = {c for c in hit.concepts if not c.startswith("w:")}
    light = bool(named) and (named <= lexicon.light or (hit.first == hit.last and bool(named & lexicon.light)))
    reaching = {n for k in (hit.first, hit.last) for n in reach[k]}
    negators = tuple(sorted(n for n in reaching if not (hit.negated_phrase and hit.first <= n <= hit.last)))
    return Mention(
        hit.concepts,
        hit.first,
        hit.last,
        negators,
        stated[hit.first] and stated[hit.last],
        light,
        hit.gapped,
        asked[hit.first] and asked[hit.last],
    )


def _reach(
    tokens: Sequence[Token], lang: str, words: PolarityWords, hits: Sequence[_Hit], spent: Set[int]
) -> tuple[tuple[int, ...], ...]:
    """For each token the negators that reach it."""
    inner = {k for h in hits if h.negated_phrase for k in range(h.first, h.last + 1)}
    harmless = _masked(tokens, words) | inner | spent | _cancelled(tokens, words)
    forbidding = _forbidding(hits, inner)
    reach: list[list[int]] = [[] for _ in tokens]
    open_negation = -1
    for i, token in enumerate(tokens):
        if token.opens_clause:
            open_negation = -1
        negates = token.norm in words.negators or stem(token.norm, lang) in words.avoiders
        if i in forbidding and not negates:
            _extend(reach, tokens, forbidding[i], i, words)
            _extend_back(reach, tokens, forbidding[i], words)
            denial = _denial_before(tokens, forbidding[i], words)
            if denial >= 0 and denial not in inner:
                _extend_back(reach, tokens, denial, words)
            continue
        if i in harmless or not negates:
            continue
        if token.norm in words.concord and open_negation >= 0 and i - open_negation <= NEGATION_REACH:
            _extend(reach, tokens, open_negation, i, words)
            continue
        open_negation = i
        _extend(reach, tokens, i, i, words)
    return tuple(tuple(r) for r in reach)


def _forbidding(hits: Sequence[_Hit], inner: Set[int]) -> dict[int, int]:
    """Where an act of avoiding ends ("steer clear of"), with the token that stands for it as a negator."""
    own = {h.last: h.first for h in hits if "AVOID" in h.concepts and h.negated_phrase}
    return own | {
        h.last: h.first for h in hits if "AVOID" in h.concepts and not h.negated_phrase and h.last not in inner
    }


def _cancelled(tokens: Sequence[Token], words: PolarityWords) -> set[int]:
    """Both negations of "never ... without": together they demand what they name."""
    out: set[int] = set()
    for i, token in enumerate(tokens):
        if token.norm not in words.negators or token.norm in words.without:
            continue
        for k in range(i + 1, min(len(tokens), i + 1 + NEGATION_REACH)):
            if tokens[k].opens_clause:
                break
            if tokens[k].norm in words.without:
                out |= {i, k}
                break
    return out


def _extend(reach: list[list[int]], tokens: Sequence[Token], negator: int, start: int, words: PolarityWords) -> None:
    """Let a negator reach from `start` to the end of its clause, at most so many words."""
    limit = SHORT_REACH if tokens[start].norm in words.short_reach else NEGATION_REACH
    for k in range(start + 1, min(len(tokens), start + 1 + limit)):
        token = tokens[k]
        ends = token.opens_clause and not _listed(tokens, k, words) and not _names_it(tokens, k, words)
        if ends or (token.norm in words.stops and not _names_it(tokens, k, words)):
            return
        if k > start + 2 and _dials(tokens, k, words):
            return
        if tokens[k - 1].norm in words.and_words and (token.norm in words.negators or token.norm in words.portions):
            return
        if negator not in reach[k]:
            reach[k].append(negator)


def _names_it(tokens: Sequence[Token], k: int, words: PolarityWords) -> bool:
    """Whether behind a comma it is named what is forbidden ("one tablet to avoid, and that's aspirin")."""
    if tokens[k].before not in {",", "-", "–", ":", "—"}:
        return False
    norms = [t.norm for t in tokens[k : k + 3]]
    at = 1 if norms and norms[0] in words.and_words else 0
    return len(norms) > at + 1 and norms[at] in words.points and norms[at + 1] in words.be


def _dials(tokens: Sequence[Token], k: int, words: PolarityWords) -> bool:
    """Whether an order to dial a number begins there, where a recogniser left out the full stop before it."""
    if k + 1 >= len(tokens) or tokens[k].norm not in words.dials or tokens[k - 1].norm in words.leads_on:
        return False
    return len(tokens[k + 1].norm) == EMERGENCY_DIGITS and tokens[k + 1].norm.isdecimal()


def _denial_before(tokens: Sequence[Token], at: int, words: PolarityWords) -> int:
    """Where an act of avoiding is itself denied ("is not off the menu"), -1 where it is not."""
    for k in range(at - 1, max(-1, at - 3), -1):
        if tokens[k + 1].opens_clause:
            break
        if tokens[k].norm in words.negators:
            return k
    return -1


def _extend_back(reach: list[list[int]], tokens: Sequence[Token], negator: int, words: PolarityWords) -> None:
    """Let "X is off limits" reach back to X, within its clause and only over a form of "be"."""
    be = next((k for k in range(negator - 1, max(-1, negator - 4), -1) if tokens[k].norm in words.be), -1)
    if be < 0:
        return
    for k in range(be - 1, max(-1, be - 1 - SHORT_REACH), -1):
        if negator not in reach[k]:
            reach[k].append(negator)
        if tokens[k].opens_clause:
            return


def _listed(tokens: Sequence[Token], k: int, words: PolarityWords) -> bool:
    """A comma inside a list ("no coffee, tea or wine"): "or" or "nor" follows within a few words of it."""
    if tokens[k].before != ",":
        return False
    ahead = [t.norm for t in tokens[k : k + 4]]
    return any(w in words.list_ends for w in ahead[1:3]) and ahead[0] not in words.stops


def _masked(tokens: Sequence[Token], words: PolarityWords) -> set[int]:
    """The tokens of negated phrases that negate nothing of the advice."""
    starts: list[int] = []
    flat = ""
    for token in tokens:
        starts.append(len(flat))
        flat += token.norm.replace(" ", "_") + " "
    out: set[int] = set()
    for match in (*words.harmless.finditer(flat.rstrip()), *words.positive_until.finditer(flat.rstrip())):
        out.update(i for i, at in enumerate(starts) if match.start() <= at < match.end())
    return out
