"""Where a cut may fall: literal word-boundary prefixes, and the rules that choose one without a model.

Pure. Owns the promise that a delivered turn is a real cut of the intended one, never a paraphrase.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from benchmarks.cells.models import Cell, OverlapKind, PlacementPlan

_WORD = re.compile(r"\S+")
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)]*(?=\s|$)")
_SOFT_END = re.compile(r"[,;:–—-]$")


@dataclass(frozen=True, slots=True)
class Cut:
    """A cut inside an intended utterance.

    Parameters:
        chars: Characters delivered: ``intended[:chars]`` ends after a whole word, no trailing space.
        source: "model", "rule", or "fallback" (a rule after a model gave no literal prefix).
    """

    chars: int
    source: str


def word_ends(text: str) -> list[int]:
    """Give the end offset of every word, punctuation included."""
    return [match.end() for match in _WORD.finditer(text)]


def is_word_prefix(delivered: str, intended: str) -> bool:
    """Say whether `delivered` is a literal prefix of `intended` that ends at a word's end (or is empty)."""
    return intended.startswith(delivered) and (not delivered or len(delivered) in word_ends(intended))


def snap_to_words(text: str, chars: int) -> int:
    """Give the last word end at or before `chars`; 0 when the first word is not complete."""
    return max((end for end in word_ends(text) if end <= chars), default=0)


def sentences(text: str) -> list[tuple[int, int]]:
    """Give each sentence's half-open range, outer spaces left out; the last one may lack its full stop."""
    found: list[tuple[int, int]] = []
    start = 0
    for match in [*_SENTENCE_END.finditer(text), None]:
        end = match.end() if match else len(text)
        first = start + len(text[start:end]) - len(text[start:end].lstrip())
        last = first + len(text[first:end].rstrip())
        if last > first:
            found.append((first, last))
        start = end
    return found


def ends_a_unit(text: str, chars: int) -> bool:
    """Say whether a cut there falls at a possible end: after a full stop, question mark, comma or dash."""
    delivered = text[:chars]
    return bool(_SENTENCE_END.search(delivered[-2:]) or _SOFT_END.search(delivered))


def match_literal_prefix(proposal: str, intended: str) -> int | None:
    """Find the cut that a model's answer stands for.

    Accepts the prefix itself with outer quotes, spaces and a closing ellipsis; then, word by word, the same words with
    other case or punctuation. Never accepts the whole utterance, an empty one, or words that are not there.

    Returns:
        Characters delivered, at a word's end; None when the answer is no prefix.
    """
    cleaned = proposal.strip().strip("\"'“”‘’`").rstrip("….").strip()
    said = [_bare(word) for word in cleaned.split()]
    words = list(_WORD.finditer(intended))
    if not said or len(said) >= len(words):
        return None
    if said != [_bare(match.group()) for match in words[: len(said)]]:
        return None
    return words[len(said) - 1].end()


def _bare(word: str) -> str:
    return re.sub(r"[^\w']", "", word).casefold()


def scope_of(plan: PlacementPlan, cues: tuple[str, ...], intended: str) -> tuple[int, int]:
    """Give the half-open range the cut may fall in."""
    if plan.scope == "turn":
        return 0, len(intended)
    for start, end in sentences(intended):
        if any(re.search(cue, intended[start:end], flags=re.IGNORECASE) for cue in cues):
            return start, end
    return 0, len(intended)


def rule_cuts(cell: Cell, intended: str) -> list[int]:
    """Give every cut the cell's rules allow, in order; empty when the utterance hosts none."""
    plan, cues = cell.placement, cell.fire.cues
    start, end = scope_of(plan, cues, intended)
    ends = [e for e in word_ends(intended) if start < e <= end]
    if cell.overlap is OverlapKind.TRANSITIONAL_SUB_UNIT:
        return _transitional(intended, ends, plan)
    last_words = max(plan.words_min, int(len(ends) * plan.share_max))
    allowed = ends[plan.words_min - 1 : min(last_words, len(ends) - 1)]
    if plan.before_cue:
        found = [m.start() for cue in cues if (m := re.search(cue, intended[start:end], flags=re.IGNORECASE))]
        if found:
            allowed = [e for e in allowed if e <= start + min(found)]
    if cell.overlap is OverlapKind.COMPETITIVE:
        allowed = [e for e in allowed if not ends_a_unit(intended, e)]
    return allowed


def _transitional(intended: str, ends: list[int], plan: PlacementPlan) -> list[int]:
    units = sentences(intended)
    if len(units) < 2:
        return []
    cuts: list[int] = []
    for _, unit_end in units[:-1]:
        after = [e for e in ends if e >= unit_end][: plan.overlap_words_max + 1]
        before = [e for e in ends if e <= unit_end]
        if len(before) >= plan.words_min:
            cuts += [e for e in after if e not in {end for _, end in units[1:]}]
            break
    return cuts


def rule_cut(cell: Cell, intended: str, draw: random.Random, source: str = "rule") -> Cut | None:
    """Choose one of the allowed cuts with equal chance; None when there is none."""
    allowed = rule_cuts(cell, intended)
    return Cut(draw.choice(allowed), source) if allowed else None
