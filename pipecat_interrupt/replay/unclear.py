"""Says of an obligation that was not shown whether it was lost, or whether the words are too unclear to tell.

Owns the third outcome, *unclear*: most of what an item must say is found, in order, in one stretch of the agent's
recognised words, and the voice went on over the rest. Where a number or a negation is other than in the wording, as
written they may say the opposite: recognisers drop such short words, so that only a listener can tell. Pure. It closes
nothing and moves no ledger; it only says where a person has to listen.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from rapidfuzz.distance import Indel, LCSseq

from obligations.coverage.lexicon.guarded import Guarded, guarded_for
from obligations.coverage.text import Token, tokenise
from obligations.ledger.states import State
from obligations.pathway.models import Item, Pathway, Question
from obligations.tracker import Tracker
from pipecat_interrupt.demo.measure import Stretch
from pipecat_interrupt.replay.channels import voice_stretches
from pipecat_interrupt.replay.utterances import ALIKE_MIN, MISHEARD_CHARS_MIN, Spoken
from pipecat_interrupt.replay.values import Timeline

CONTENT_SHARE_MIN = 0.5
"""Least share of an item's words of meaning that are found in order."""

WORD_SHARE_MIN = 0.4
"""Least share of all its words that are found in order, small ones too: the frame tells one wording from another."""

TAKEN_SHARE_MAX = 0.5
"""A stretch of which more than this share was taken by an item it fits better is no evidence."""

SLACK_WORDS = 4
"""Words a recogniser may have put in between before two sayings are taken for one."""

OVERLAP_BEFORE_S = 0.3
"""A far end that came in this much before the last sure word ended may have cut what followed it."""

CUT_REACTION_S_MAX = 1.0
"""Whoever is cut stops within this of the other's onset; a voice that goes on for longer was not cut by it."""

ROOM_CONTENT_MIN, ROOM_WORDS_MIN = 0.2, 0.2
"""Least shares where the sound has room for all of a wording and nothing else was recognised in it."""

ROOM_VOICED_MIN = 0.85
"""Least share of that room in which the agent's channel sounds."""

ROOM_OTHER_MAX = 0.35
"""Greatest share of other words among those recognised in that room."""

CUT_TOLERANCE_S = 0.15
"""Sound that ends this much before a wording would have, at the pace of its own words, was cut inside it."""


@dataclass(frozen=True, slots=True)
class Garbled:
    """Where an item was spoken about in words that tell too little.

    Parameters:
        utterance_id: The agent's utterance.
        at_s: Where to listen from, seconds on the recording.
        until_s: Where its words end.
        share: Share of the item's words of meaning found there, 0..1.
        turned: A number or a negation is missing or was put in: as written, the words may say the opposite.
    """

    utterance_id: str
    at_s: float
    until_s: float
    share: float
    turned: bool = False

    @property
    def why(self) -> str:
        """For a reader: what is wrong, and what to do."""
        what = "may say the opposite, as they were recognised" if self.turned else "are too unclear to tell"
        return f"the recording's words {what}: listen at {clock(self.at_s)}"


def clock(at_s: float) -> str:
    """A moment as a player shows it: minutes and seconds."""
    return f"{int(at_s) // 60}:{int(at_s) % 60:02d}"


@dataclass(frozen=True, slots=True)
class _Heard:
    """An utterance's words as heard, with the time each ended."""

    spoken: Spoken
    tokens: tuple[Token, ...]
    ends_s: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Fit:
    """The best place of one item in one utterance: pairs of (word of the wording, word heard)."""

    item_id: str
    needles: tuple[Token, ...]
    needed: int
    heard: _Heard
    pairs: Sequence[tuple[int, int]]
    content_share: float
    word_share: float
    weight: float


def garbled_in(timeline: Timeline, spoken: Iterable[Spoken], tracker: Tracker | None) -> Mapping[str, Garbled]:
    """Find the items of a replayed call that nothing was shown of because the words are too unclear to tell.

    Only words that a recogniser made, and of which nobody knows what was meant, can be unclear: a transcript or a
    journal says what was said.
    """
    guessed = [one for one in spoken if one.guessed]
    owed = unshown(tracker) if tracker is not None else ()
    if tracker is None or not guessed or not owed:
        return {}
    sounding = voice_stretches(timeline.agent_audio) if timeline.agent_audio is not None else ()
    onsets_s = [piece.start_s for piece in timeline.far]
    return garbled_items(guessed, tracker.pathway, tracker.language, owed, sounding, onsets_s)


def unshown(tracker: Tracker) -> tuple[str, ...]:
    """Items that are owed and whose words were not shown to have reached the ear whole."""
    passed = (State.DORMANT, State.ASKED)
    return tuple(r.id for r in tracker.ledger.items.values() if not r.closed and r.state not in passed)


def garbled_items(
    spoken: Iterable[Spoken],
    pathway: Pathway,
    language: str,
    owed: Iterable[str],
    sounding: Sequence[Stretch] = (),
    onsets_s: Sequence[float] = (),
) -> Mapping[str, Garbled]:
    """Find the items whose words were heard in part and were not cut.

    Args:
        spoken: The agent's utterances whose words a recogniser made.
        pathway: Whose items compete for every stretch: one place speaks of one item.
        language: BCP 47 tag of its wordings.
        owed: Items of which nothing was shown.
        sounding: Stretches of sound on the agent's channel; () where there is none, then the words' own times count.
        onsets_s: When the far end began to speak.

    Returns:
        Item id -> where to listen; items that are plainly not there are left out.
    """
    guarded = guarded_for(language)
    heard = [_heard(one, language) for one in spoken]
    fits: list[_Fit] = []
    for item_id, item in pathway.items.items():
        needles = tokenise(item.wording[language], language).tokens
        needed = _needed(item, needles, language)
        fits += [fit for one in heard if (fit := _fit(item_id, needles, needed, one, guarded)) is not None]
    wanted = set(owed)
    found: dict[str, Garbled] = {}
    pace = median([p for p in map(_pace, heard) if p] or [0.0])
    for fit in _each_place_once(fits):
        if fit.item_id in wanted and fit.item_id not in found and _unclear(fit, sounding, onsets_s, pace):
            found[fit.item_id] = _garbled(fit, guarded)
    return found


def _heard(spoken: Spoken, language: str) -> _Heard:
    sure = max(0, spoken.said_chars - spoken.margin_chars)  # the rest may be half a word, made whole
    tokens = tokenise(spoken.intended[:sure], language).tokens
    chars = [end for end, _ in spoken.ends]
    ends_s = tuple(spoken.ends[min(bisect_left(chars, t.end), len(chars) - 1)][1] for t in tokens)
    return _Heard(spoken, tokens, ends_s)


def _fit(item_id: str, needles: tuple[Token, ...], needed: int, heard: _Heard, guarded: Guarded) -> _Fit | None:
    wanted = [t.norm for t in needles]
    said = [_as_wanted(t.norm, wanted, guarded) for t in heard.tokens]
    content = {k for k, t in enumerate(needles) if _weighs(t, guarded)} or set(range(len(needles)))
    best: _Fit | None = None
    for at in (j for j, word in enumerate(said) if word in wanted):
        window = said[at : at + len(wanted) - wanted.index(said[at]) + SLACK_WORDS]
        pairs = tuple(
            (block.a + k, at + block.b + k)
            for block in LCSseq.opcodes(wanted, window).as_matching_blocks()
            for k in range(block.size)
        )
        met = sum(a in content for a, _ in pairs)
        weight = met + 0.35 * (len(pairs) - met)
        if met and (best is None or weight > best.weight):
            shares = [_shares(pairs, content, upto) for upto in (len(needles), needed)]
            best = _Fit(item_id, needles, needed, heard, pairs, *max(shares), weight)
    return best


def _as_wanted(said: str, wanted: Sequence[str], guarded: Guarded) -> str:
    """The word of the wording that a heard word is or may be, misheard by a few letters; else the word itself."""
    if said in wanted or len(said) < MISHEARD_CHARS_MIN or said in guarded.exact:
        return said
    for word in wanted:
        long = len(word) >= MISHEARD_CHARS_MIN and word not in guarded.exact
        if long and Indel.normalized_similarity(word, said) >= ALIKE_MIN and not guarded.opposed(word, said):
            return word
    return said


def _weighs(token: Token, guarded: Guarded) -> bool:
    return token.norm not in guarded.light or token.norm in guarded.exact or token.value is not None


def _each_place_once(fits: Sequence[_Fit]) -> list[_Fit]:
    """Give each stretch of words to the item it fits best; a fit that lives on another's words is dropped."""
    taken: dict[str, set[int]] = {}
    kept: list[_Fit] = []
    for fit in sorted(fits, key=lambda f: (-f.weight, -f.word_share, f.item_id, f.heard.spoken.start_s)):
        used = taken.setdefault(fit.heard.spoken.id, set())
        own = {b for _, b in fit.pairs}
        if len(own & used) > TAKEN_SHARE_MAX * len(own):
            continue
        used |= own
        kept.append(fit)
    return kept


def _shares(pairs: Sequence[tuple[int, int]], content: Collection[int], upto: int) -> tuple[float, float]:
    """Shares of words of meaning, and of all words, found among the first `upto` words of a wording."""
    own = [k for k in content if k < upto]
    met = [a for a, _ in pairs if a < upto]
    return sum(a in content for a in met) / max(1, len(own)), len(met) / upto


def _needed(item: Item, needles: Sequence[Token], language: str) -> int:
    """How many of its first words must be heard: of a question those to the end of its focus, of a point all."""
    if not isinstance(item, Question):
        return len(needles)
    at = item.wording[language].lower().find(item.focus[language].lower())
    end = at + len(item.focus[language])
    return sum(token.start < end for token in needles) if at >= 0 else len(needles)


def _unclear(fit: _Fit, sounding: Sequence[Stretch], onsets_s: Sequence[float], pace: float) -> bool:
    enough = fit.content_share >= CONTENT_SHARE_MIN and fit.word_share >= WORD_SHARE_MIN
    return (enough or _has_room(fit, sounding, pace)) and not _cut_inside(fit, sounding, onsets_s, pace)


def _has_room(fit: _Fit, sounding: Sequence[Stretch], pace: float) -> bool:
    """Whether the voice sounded for as long as the whole wording takes, and little else was recognised meanwhile.

    Args:
        fit: The best place of an item.
        sounding: Stretches of sound on the agent's channel; without them nothing tells.
        pace: Seconds a character, of this agent in this call.
    """
    if fit.content_share < ROOM_CONTENT_MIN or fit.word_share < ROOM_WORDS_MIN or not pace:
        return False
    first, last = fit.pairs[0], fit.pairs[-1]
    ends_s = fit.heard.ends_s
    begins_s = ends_s[first[1]] - pace * (fit.needles[first[0]].end - fit.needles[0].start)
    until_s = ends_s[last[1]] + pace * (fit.needles[fit.needed - 1].end - fit.needles[last[0]].end)
    voiced_s = sum(max(0.0, min(s.end_s, until_s) - max(s.start_s, begins_s)) for s in sounding)
    inside = sum(begins_s + CUT_TOLERANCE_S < at_s < until_s + CUT_TOLERANCE_S for at_s in ends_s)
    other = inside - len(fit.pairs)
    return voiced_s >= ROOM_VOICED_MIN * (until_s - begins_s) and other <= ROOM_OTHER_MAX * max(1, inside)


def _turned(fit: _Fit, guarded: Guarded) -> bool:
    """Whether a number or a negation is missing, or another was put in."""
    met, used = {a for a, _ in fit.pairs}, {b for _, b in fit.pairs}
    first, last = fit.pairs[0][1], fit.pairs[-1][1]
    missing = [t for k, t in enumerate(fit.needles[: fit.needed]) if k not in met]
    added = [t for k, t in enumerate(fit.heard.tokens[first : last + 1], start=first) if k not in used]
    return any(t.norm in guarded.negators or t.value is not None for t in (*missing, *added))


def _cut_inside(fit: _Fit, sounding: Sequence[Stretch], onsets_s: Sequence[float], pace: float) -> bool:
    """Whether the agent's voice ended before the wording would have, at the pace of its words or of all, the faster.

    The last word before a silence is no clock: its end is drawn to the end of the sound, whatever was said there. Where
    the far end came in over the missing end of a wording, it is a cut, whatever the times say.
    """
    last_needle, last_heard = fit.pairs[-1]
    if last_needle >= fit.needed - 1:
        return False
    at_end = last_heard == len(fit.heard.tokens) - 1
    clock = fit.pairs[-2] if at_end and len(fit.pairs) > 1 else fit.pairs[-1]
    at_s, end_s = fit.heard.ends_s[clock[1]], fit.heard.spoken.end_s
    voice_s = max((s.end_s for s in sounding if s.start_s <= at_s), default=0.0)
    cut = (onset_s for onset_s in onsets_s if at_s - OVERLAP_BEFORE_S < onset_s <= end_s)
    if at_end and any(voice_s - onset_s <= CUT_REACTION_S_MAX for onset_s in cut):
        return True
    rest_chars = fit.needles[fit.needed - 1].end - fit.needles[clock[0]].end
    due_s = at_s + rest_chars * min(pace, _pace(fit.heard)) - CUT_TOLERANCE_S
    return max(end_s, voice_s) < due_s


def _pace(heard: _Heard) -> float:
    """Seconds a character, from word to word; a word left out between two makes it slower, never faster."""
    ends = list(zip((token.end for token in heard.tokens), heard.ends_s, strict=True))
    paces = [(b_s - a_s) / (b - a) for (a, a_s), (b, b_s) in pairwise(ends) if b > a and b_s > a_s]
    return median(paces) if paces else 0.0


def _garbled(fit: _Fit, guarded: Guarded) -> Garbled:
    first, last = fit.pairs[0][1], fit.pairs[-1][1]
    before_s = fit.heard.ends_s[first - 1] if first else fit.heard.spoken.start_s
    return Garbled(fit.heard.spoken.id, before_s, fit.heard.ends_s[last], fit.content_share, _turned(fit, guarded))
