"""Finds a pathway's own wording in a text, whole or cut, in any spoken or written form, and gives the characters of it.

Owns alignment of known words. Needs no model and is fast; never accepts a changed number, a changed negation, or
another
word of meaning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import Indel

from obligations.coverage.beside import changed_beside
from obligations.coverage.flat import flatten
from obligations.coverage.force import Force, closing_tag, segments, unstated_around
from obligations.coverage.lexicon.beside import BesideWords, beside_words
from obligations.coverage.lexicon.concepts import lexicon_for
from obligations.coverage.lexicon.guarded import Guarded, guarded_for
from obligations.coverage.protocol import Coverage, CoverageVerdict, PointText, Span
from obligations.coverage.retraction import taken_back
from obligations.coverage.sounds import sound_key
from obligations.coverage.stems import stem
from obligations.coverage.text import UNITS, Token, TokenText, tokenise

WORDS_MAX = 600
"""Longest text, in words, that is searched; what lies beyond is not read and so conveys nothing."""
NOISE_RATIO_MIN = 0.62
"""Lowest likeness (0..1) of a misrecognised word to the word of the wording, when the words around it fit."""
LONG_CHARS = 5
NOISE_SHARE_MAX = 0.25
"""Largest share of a wording's content words that may be misrecognised ones."""
HEARD_SHARE_MIN = 0.4
"""Smallest share of the wording's content words that makes a partial find."""

_GAP, _LIGHT, _FUZZY, _WRONG = 1.0, 0.35, 0.4, 9.0
_INSERT_CONTENT, _INSERT_LIGHT = 0.8, 0.25


@dataclass(frozen=True, slots=True)
class Found:
    """Where a wording stands in a text.

    Parameters:
        span: From the first to the last character of it.
        share: Share of its content words found, 0..1.
        whole: Whether nothing of weight is missing.
        noisy: How many words were accepted as misrecognised.
        changed: Whether a number, a negation or another exact word is missing from the midst of it.
    """

    span: Span
    share: float
    whole: bool
    noisy: int
    changed: bool


class OwnWordingMatcher:
    """Matches the pathway's own wording; needs no certificate, since its spans are known words.

    Promises: no model, no network; CONVEYED only when every content word, number and negation of the wording stands in
    one stated stretch of the text.
    """

    def __init__(self, *, noise: bool = True) -> None:
        """Make the matcher.

        Args:
            noise: Accept likely recogniser errors in long words. Turn off where the text is the intended one, not a
                transcript.
        """
        self._noise = noise

    @property
    def name(self) -> str:
        """The stable name."""
        return "own-wording"

    @property
    def version(self) -> str:
        """Changes whenever any verdict could change."""
        return "4" if self._noise else "4-exact"

    async def match(self, point: PointText, text: str) -> Coverage:
        """Judge one text against one point by the point's own wording."""
        return self.judge(point, text)

    def judge(self, point: PointText, text: str) -> Coverage:
        """Judge at once; the same as `match`, without awaiting."""
        found = find_wording(point.wording, text, point.language, noise=self._noise) if point.wording else None
        if found is None:
            return self._coverage(CoverageVerdict.UNDECIDED, "its own wording does not occur")
        unstated = unstated_reason(text, point.language, found.span)
        if unstated is not None:
            return self._coverage(CoverageVerdict.NOT_CONVEYED, unstated)
        if found.whole:
            beside = changed_beside(text, point.language, found.span.start, found.span.end)
            if beside is not None:
                return self._coverage(CoverageVerdict.UNDECIDED, beside)
            if taken_back(text, point.language, found.span.start, found.span.end) is not None:
                return self._coverage(CoverageVerdict.UNDECIDED, "a sentence around it takes it back or only quotes it")
            return self._coverage(CoverageVerdict.CONVEYED, "its own wording", found)
        if found.changed:
            return self._coverage(CoverageVerdict.UNDECIDED, "a number, a negation or a word of weight differs")
        return self._coverage(CoverageVerdict.PARTIAL, "part of its own wording", found)

    def _coverage(self, verdict: CoverageVerdict, why: str, found: Found | None = None) -> Coverage:
        spans = () if found is None else (found.span,)
        score = 0.0 if found is None else found.share
        return Coverage(verdict=verdict, matcher=f"{self.name}@{self.version}", spans=spans, score=score, why=why)


def unstated_reason(text: str, language: str, span: Span) -> str | None:
    """Say why the words at a span are not stated to the listener, or None when they are.

    Only what stands around the span is read, so that a wording's own "if" or "will tell" is not held against it.
    """
    cut = segments(text, language)
    first = next((i for i, s in enumerate(cut) if s.end > span.start), None)
    last = next((i for i in range(len(cut) - 1, -1, -1) if cut[i].start < span.end), None)
    if first is None or last is None:
        return None
    before = flatten(text[cut[first].start : max(cut[first].start, span.start)], language)
    after = flatten(text[span.end : max(cut[last].end, span.end)], language)
    following = cut[last + 1].flat if last + 1 < len(cut) else ""
    asked = cut[last].mark == "?" and not _only_tag(after, language)
    force = unstated_around(before, after, following, language, asked=asked)
    if force is None and not before and first > 0 and cut[first - 1].mark == ":":
        force = cut[first].force if cut[first].force not in {Force.STATED, Force.CONDITION} else None
    if force is None and asked and not before and cut[first].force in {Force.ASKED, Force.CONDITION}:
        force = Force.ASKED
    return None if force is None else f"only {force.value}"


def _only_tag(after: str, language: str) -> bool:
    """Whether what follows the wording in its sentence is nothing, or a closing "okay?"."""
    return bool(after) and closing_tag(after, language)


@lru_cache(maxsize=2048)
def find_wording(wording: str, text: str, language: str, *, noise: bool = True) -> Found | None:
    """Find a wording in a text.

    Args:
        wording: The words to find.
        text: The text to search; the span refers to it.
        language: BCP 47 tag of both.
        noise: Accept likely recogniser errors in long words.

    Returns:
        The best find, whole or partial; None when less than `HEARD_SHARE_MIN` of its content words stand there in
        order.
    """
    wanted, heard = tokenise(wording, language), tokenise(text, language)
    guarded = guarded_for(language)
    needles = [t for t in wanted.tokens if t.norm not in guarded.fillers]
    hay = _without_fillers(heard, guarded)[:WORDS_MAX]
    if not needles or not hay:
        return None
    steps = _exact(needles, hay)
    if steps is None:
        if not noise and not _enough_in_common(needles, hay):
            return None
        steps = _align(needles, hay, guarded, noise)
    return _found(needles, hay, steps, guarded)


def _exact(needles: Sequence[Token], hay: Sequence[Token]) -> list[_Step | None] | None:
    """Find the needles word for word in one run, the common case, without aligning."""
    for at in range(len(hay) - len(needles) + 1):
        if all(_same(needle, hay[at + k]) for k, needle in enumerate(needles)):
            return [_Step(at + k, at + k, noisy=False) for k in range(len(needles))]
    return None


def _enough_in_common(needles: Sequence[Token], hay: Sequence[Token]) -> bool:
    words = {t.norm for t in hay}
    return sum(t.norm in words for t in needles) >= HEARD_SHARE_MIN * len(needles)


def _without_fillers(heard: TokenText, guarded: Guarded) -> list[Token]:
    """Drop fillers and immediate repetitions, which mean nothing and are spoken often."""
    out: list[Token] = []
    for token in heard.tokens:
        if token.norm in guarded.fillers and not (token.value is not None and heard.language == "pt"):
            continue
        if out and out[-1].norm == token.norm:
            out[-1] = token
            continue
        out.append(token)
    return out


@dataclass(frozen=True, slots=True)
class _Step:
    """One aligned word: hay words `first`..`last` stand for one or two needles; noisy when not the same word."""

    first: int
    last: int
    noisy: bool


def _same(a: Token, b: Token) -> bool:
    if a.value is not None or b.value is not None:
        return a.value == b.value and a.is_time == b.is_time
    return a.norm == b.norm


def _broken_off(needle: Token, heard: Token, is_last: bool) -> bool:
    """Whether the text's last word is the beginning of the needle: cut there, not misheard."""
    return is_last and len(heard.norm) < len(needle.norm) and needle.norm.startswith(heard.norm)


def _alike(needle: str, heard: str, guarded: Guarded, limit: float = NOISE_RATIO_MIN) -> bool:
    """Whether a heard word can be the needle misrecognised: long and like enough, and no other word of meaning."""
    if needle in guarded.exact or heard in guarded.exact or needle in UNITS:
        return False
    if heard in guarded.light and needle not in guarded.light:
        return False  # "in" stands in every sentence; it is nobody's "pain"
    if len(needle) < LONG_CHARS - 1 or needle[0:1].isdecimal() or heard[0:1].isdecimal():
        return False
    if guarded.opposed(needle, heard):
        return False
    if needle in guarded.names and heard in guarded.names:
        return False
    if Indel.normalized_similarity(needle, heard) < limit or _other_word(needle, heard, guarded.language):
        return False
    return sound_key(needle, guarded.language) == sound_key(heard, guarded.language)


def _other_word(needle: str, heard: str, language: str) -> bool:
    """Whether the heard word is a known one of another meaning ("later" for "lighter"), not a misspelt sound."""
    lexicon = lexicon_for(language)
    if lexicon is None:
        return False
    known = lexicon.means(stem(heard, language))
    return bool(known) and not known & lexicon.means(stem(needle, language))


def _align(needles: Sequence[Token], hay: Sequence[Token], guarded: Guarded, noise: bool) -> list[_Step | None]:
    """Align the needles with the best stretch of the hay; semi-global, every needle once, hay ends free."""
    rows, cols = len(needles), len(hay)
    cost = [[0.0] * (cols + 1)] + [[0.0] * (cols + 1) for _ in range(rows)]
    back: list[list[tuple[int, int, bool] | None]] = [[None] * (cols + 1) for _ in range(rows + 1)]
    for i in range(1, rows + 1):
        drop = _LIGHT if needles[i - 1].norm in guarded.light else _GAP
        for j in range(cols + 1):
            best, move = cost[i - 1][j] + drop, (1, 0, False)
            if j > 0:
                for value, candidate in _moves(needles, hay, i, j, cost, guarded, noise):
                    if value < best:
                        best, move = value, candidate
            cost[i][j], back[i][j] = best, move
    end = min(range(cols + 1), key=lambda j: (cost[rows][j], j))
    return _trace(back, rows, end)


def _moves(
    needles: Sequence[Token],
    hay: Sequence[Token],
    i: int,
    j: int,
    cost: list[list[float]],
    guarded: Guarded,
    noise: bool,
) -> list[tuple[float, tuple[int, int, bool]]]:
    needle, word = needles[i - 1], hay[j - 1]
    moves: list[tuple[float, tuple[int, int, bool]]] = []
    insert = _INSERT_LIGHT if word.norm in guarded.light else _INSERT_CONTENT
    if word.norm in guarded.negators:
        insert = _WRONG
    moves.append((cost[i][j - 1] + insert, (0, 1, False)))
    if _same(needle, word):
        moves.append((cost[i - 1][j - 1], (1, 1, False)))
    elif guarded.equal(needle.norm, word.norm):
        moves.append((cost[i - 1][j - 1] + 0.05, (1, 1, False)))
    elif noise and not _broken_off(needle, word, j == len(hay)) and _alike(needle.norm, word.norm, guarded):
        moves.append((cost[i - 1][j - 1] + _FUZZY, (1, 1, True)))
    if needle.value is None:
        for width in (2, 3):
            if j >= width and not any(t.norm in guarded.exact or t.value is not None for t in hay[j - width : j]):
                joined = "".join(t.norm for t in hay[j - width : j])
                if joined == needle.norm:
                    moves.append((cost[i - 1][j - width] + 0.05, (1, width, False)))
                elif noise and len(needle.norm) >= 7 and _alike(needle.norm, joined, guarded, 0.7):
                    moves.append((cost[i - 1][j - width] + _FUZZY + 0.1, (1, width, True)))
    if i >= 2 and needles[i - 2].norm + needle.norm == word.norm:
        moves.append((cost[i - 2][j - 1] + 0.05, (2, 1, False)))
    return moves


def _trace(back: list[list[tuple[int, int, bool] | None]], rows: int, end: int) -> list[_Step | None]:
    steps: list[_Step | None] = [None] * rows
    i, j = rows, end
    while i > 0:
        move = back[i][j]
        if move is None:
            break
        di, dj, noisy = move
        if di and dj:
            for k in range(di):
                steps[i - 1 - k] = _Step(j - dj, j - 1, noisy)
        i, j = i - di, j - dj
    return steps


def _found(
    needles: Sequence[Token], hay: Sequence[Token], steps: Sequence[_Step | None], guarded: Guarded
) -> Found | None:
    weights = [not (t.norm in guarded.light and t.norm not in guarded.exact) for t in needles]
    content = [i for i, heavy in enumerate(weights) if heavy]
    if not content:
        content = list(range(len(needles)))
    met = [i for i in content if steps[i] is not None]
    share = len(met) / len(content)
    if share < HEARD_SHARE_MIN or not met:
        return None
    noisy = sum(1 for i in content if (s := steps[i]) is not None and s.noisy)
    placed = [s for s in steps if s is not None]
    first, last = min(s.first for s in placed), max(s.last for s in placed)
    span = Span(hay[first].start, hay[last].end)
    words = beside_words(guarded.language)
    turned = _turned(needles, hay, steps, words)
    whole = (
        share == 1.0
        and noisy <= max(1, NOISE_SHARE_MAX * len(content))
        and _tight(hay, steps, first, last, guarded)
        and not turned
        and not _cut_short(needles, steps, words)
    )
    return Found(span, share, whole, noisy, turned or _changed(needles, steps, guarded))


def _changed(needles: Sequence[Token], steps: Sequence[_Step | None], guarded: Guarded) -> bool:
    """Whether a word that turns the meaning is missing while words after it were found."""
    last = max((i for i, s in enumerate(steps) if s is not None), default=-1)
    return any(
        step is None and (needle.value is not None or needle.norm in guarded.exact)
        for needle, step in zip(needles[:last], steps[:last], strict=True)
    )


def _tight(hay: Sequence[Token], steps: Sequence[_Step | None], first: int, last: int, guarded: Guarded) -> bool:
    """Whether nothing of weight was put between the words: no number, no negation, no further content word."""
    extra = _extra(hay, steps, first, last)
    if any(t.norm in guarded.exact or (t.value is not None and t.norm not in guarded.light) for t in extra):
        return False
    return all(t.norm in guarded.light for t in extra)


def _extra(hay: Sequence[Token], steps: Sequence[_Step | None], first: int, last: int) -> list[Token]:
    used = {k for s in steps if s is not None for k in range(s.first, s.last + 1)}
    return [hay[k] for k in range(first, last + 1) if k not in used]


def _turned(
    needles: Sequence[Token], hay: Sequence[Token], steps: Sequence[_Step | None], words: BesideWords | None
) -> bool:
    """Whether a small word that turns the advice was put in, left out or swapped ("or" for "and", "up" for "down")."""
    if words is None:
        return False
    placed = [s for s in steps if s is not None]
    extra = {t.norm for t in _extra(hay, steps, min(s.first for s in placed), max(s.last for s in placed))}
    missing = _missing(needles, steps, slice(0, _last_met(steps)))
    swapped = any(pair & extra and (pair - extra) & missing for pair in words.swaps)
    return swapped or bool((extra | missing) & words.turning)


def _cut_short(needles: Sequence[Token], steps: Sequence[_Step | None], words: BesideWords | None) -> bool:
    """Whether only small words are missing at the end, and one of them turns the advice ("keep it up")."""
    return words is not None and bool(_missing(needles, steps, slice(_last_met(steps), None)) & words.turning)


def _last_met(steps: Sequence[_Step | None]) -> int:
    return max((i for i, s in enumerate(steps) if s is not None), default=-1) + 1


def _missing(needles: Sequence[Token], steps: Sequence[_Step | None], part: slice) -> set[str]:
    return {n.norm for n, s in zip(needles[part], steps[part], strict=True) if s is None}
