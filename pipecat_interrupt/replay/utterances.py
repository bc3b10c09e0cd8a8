"""From pieces of speech to agent utterances: joined, aligned with what was meant, completed where the pathway tells.

Owns the text side of "intended and delivered" for a recording. Pure.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from statistics import median

from rapidfuzz.distance import Indel

from obligations.pathway.models import Pathway, Question
from obligations.pathway.words import forms_of, words_of
from pipecat_interrupt.replay.settings import ReplaySettings
from pipecat_interrupt.replay.values import Piece, Word, spread

CONTINUES_S_MAX = 3.0
"""Longest pause over which an agent's piece continues the wording it broke off in: just above the longest hold."""

PREFIX_WORDS_MIN = 3
"""Fewest words of a wording that tell which wording was begun."""

ALIKE_MIN = 0.8
"""Least likeness, 0..1, of a misheard word to the pathway's (own choice: "floeters" is, "blindness" for "redness" is
not)."""

MISHEARD_CHARS_MIN = 5
"""Shorter words are never forgiven: "in" is not "pain", and most words that turn a meaning are short."""

MISHEARD_OF = 5
"""One word in this many may be misheard, and one in any question."""

GUESS_WINDOW_S = 0.8
"""A far end that came in no earlier than this before the agent's last word ended may have cut it short."""

WHOLE_WORD_MIN = 0.85
"""A last word shorter than this share of its length at the utterance's own pace was not said whole."""

SENTENCE_END = re.compile(r"[.?!…。？！][\"'»”)]*$")
BROKEN_OFF = re.compile(r"(-|\.\.\.|…|–|—)[\"'»”)]*$")


@dataclass(frozen=True, slots=True)
class Spoken:
    """One agent utterance on the recording.

    Parameters:
        id: "u1", "u2", ... in order.
        intended: What was meant, as far as it is known; begins with what was said.
        ends: For each word said: (characters of `intended` up to its end, when it ended), both non-decreasing.
        start_s: When it begins.
        end_s: When its last word ends.
        exact: Whether the words' times were measured.
        inferred: Whether the end of `intended` was taken from the pathway.
        rest_unknown: It was broken off, and nothing tells what was to come.
        margin_chars: Characters at the end of what was said that are no evidence of having been heard.
        guessed: Whether a recogniser made the words and nobody knows what was meant: words may be missing or wrong.
    """

    id: str
    intended: str
    ends: tuple[tuple[int, float], ...]
    start_s: float
    end_s: float
    exact: bool = True
    inferred: bool = False
    rest_unknown: bool = False
    margin_chars: int = 0
    guessed: bool = False

    @property
    def said_chars(self) -> int:
        """Characters of `intended` that were said."""
        return self.ends[-1][0] if self.ends else 0

    @property
    def complete(self) -> bool:
        """Whether all that was meant was said, as far as anybody knows."""
        return self.said_chars >= len(self.intended.rstrip()) and not self.rest_unknown

    def chars_at(self, at_s: float) -> int:
        """Characters heard to their word's end at a time; a word counts when it is over."""
        index = bisect_right(self.ends, at_s, key=lambda end: end[1])
        return self.ends[index - 1][0] if index else 0


def utterances_of(
    pieces: Sequence[Piece],
    pathway: Pathway | None,
    language: str,
    settings: ReplaySettings,
    far_onsets_s: Sequence[float] = (),
) -> list[Spoken]:
    """Give the agent's utterances of a call, in order.

    Args:
        pieces: The agent's pieces, in order of time.
        pathway: For completing what was cut; None leaves every text as it was said.
        language: BCP 47 tag of the pathway's wordings.
        settings: Join bounds, and whether to infer.
        far_onsets_s: When the far end's stretches of voice begin.
    """
    wordings = wordings_of(pathway, language) if pathway is not None and settings.infer_intended else ()
    spoken: list[Spoken] = []
    for number, piece in enumerate(_joined(pieces, wordings, settings.join_agent_s), start=1):
        if piece.recognised and pathway is not None and piece.intended is None:
            piece = restored(piece, pathway, language)
        made = _aligned(f"u{number}", piece, piece.intended) if piece.intended else _as_said(f"u{number}", piece)
        if piece.intended is None:
            made = _completed(made, wordings, guess=piece.recognised)
        if piece.recognised and made.complete and _last_word_guessed(piece, far_onsets_s):
            made = replace(made, ends=made.ends[:-1], inferred=True)
        spoken.append(replace(made, guessed=piece.recognised and piece.intended is None))
    return spoken


def _last_word_guessed(piece: Piece, far_onsets_s: Sequence[float]) -> bool:
    """Whether a recogniser may have made the last word whole: the far end came in, and its sound is cut short."""
    last = piece.words[-1]
    if not any(last.end_s - GUESS_WINDOW_S <= onset_s < last.end_s for onset_s in far_onsets_s):
        return False
    paces = [(w.end_s - w.start_s) / len(w.text) for w in piece.words[:-1] if w.end_s > w.start_s]
    return bool(paces) and last.end_s - last.start_s < WHOLE_WORD_MIN * median(paces) * len(last.text)


@dataclass(frozen=True, slots=True)
class Wording:
    """One wording of a pathway: its text and the plain forms of its words."""

    text: str
    forms: tuple[str, ...]


def wordings_of(pathway: Pathway, language: str) -> tuple[Wording, ...]:
    """Every text of a pathway's items in one language, the longest first."""
    texts: list[str] = []
    for item in pathway.items.values():
        texts.append(item.wording[language])
        if isinstance(item, Question):
            texts += [t for t in (item.reask.get(language), item.confirm.get(language)) if t]
            texts += item.variants.get(language, ())
    made = [Wording(text, forms_of(text)) for text in dict.fromkeys(texts)]
    return tuple(sorted(made, key=lambda wording: -len(wording.forms)))


def restored(piece: Piece, pathway: Pathway, language: str) -> Piece:
    """Write a question of the pathway as the pathway writes it, where a recogniser misheard a long word or two of it.

    Word by word and strict: every word stands in its place, and none but long words may differ, by a few letters.
    Content points need no such help: the own-wording matcher reads them in place.
    """
    for question in pathway.questions.values():
        wording = question.wording[language]
        wanted = forms_of(wording)
        said = [(form, index) for index, word in enumerate(piece.words) for form in forms_of(word.text)]
        for at in range(len(said) - len(wanted) + 1):
            window = said[at : at + len(wanted)]
            misheard = [(a, b) for a, (b, _) in zip(wanted, window, strict=True) if a != b]
            few = 0 < len(misheard) <= max(1, len(wanted) // MISHEARD_OF)
            if few and all(_misheard(a, b) for a, b in misheard):
                piece = _rewritten(piece, window[0][1], window[-1][1], wording)
                break
    return piece


def _misheard(wanted: str, heard: str) -> bool:
    long = min(len(wanted), len(heard)) >= MISHEARD_CHARS_MIN and not (wanted + heard).isdigit()
    return long and Indel.normalized_similarity(wanted, heard) >= ALIKE_MIN


def _rewritten(piece: Piece, first: int, last: int, wording: str) -> Piece:
    inside = spread(wording, piece.words[first].start_s, piece.words[last].end_s)
    return replace(piece, words=(*piece.words[:first], *inside, *piece.words[last + 1 :]))


def _joined(pieces: Sequence[Piece], wordings: Sequence[Wording], pause_s: float) -> list[Piece]:
    """Pieces of one breath, and pieces of one wording, become one."""
    joined: list[Piece] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if last is not None and last.intended is None and piece.intended is None:
            gap_s = piece.start_s - last.end_s
            if gap_s <= pause_s or (gap_s <= CONTINUES_S_MAX and _continues(last.text, piece.text, wordings)):
                joined[-1] = replace(
                    last,
                    words=last.words + piece.words,
                    exact=last.exact and piece.exact,
                    recognised=last.recognised or piece.recognised,
                )
                continue
        joined.append(piece)
    return joined


def _continues(before: str, after: str, wordings: Sequence[Wording]) -> bool:
    begun = _begun(forms_of(before), wordings)
    follows = forms_of(after)[:2]
    return begun is not None and begun[0].forms[begun[1] : begun[1] + len(follows)] == follows and bool(follows)


def _begun(forms: tuple[str, ...], wordings: Sequence[Wording]) -> tuple[Wording, int] | None:
    """The wording in whose middle these words end, and how many of its words they hold."""
    best: tuple[Wording, int] | None = None
    for wording in wordings:
        for length in range(min(len(forms), len(wording.forms) - 1), PREFIX_WORDS_MIN - 1, -1):
            if forms[-length:] == wording.forms[:length]:
                if best is None or length > best[1]:
                    best = (wording, length)
                break
    return best


def _as_said(utterance_id: str, piece: Piece) -> Spoken:
    ends: list[tuple[int, float]] = []
    chars, latest_s = 0, piece.start_s
    for word in piece.words:
        chars += len(word.text) + (1 if chars else 0)
        latest_s = max(latest_s, word.end_s)
        ends.append((chars, latest_s))
    text = piece.text
    return Spoken(
        id=utterance_id,
        intended=text,
        ends=tuple(ends),
        start_s=piece.start_s,
        end_s=latest_s,
        exact=piece.exact,
        rest_unknown=bool(BROKEN_OFF.search(text)),
    )


def _completed(made: Spoken, wordings: Sequence[Wording], *, guess: bool) -> Spoken:
    """Complete what broke off in the middle of a wording; a recogniser's last word may be half a word made whole."""
    forms = forms_of(made.intended)
    if not wordings or BROKEN_OFF.search(made.intended) is None and _whole_at_end(forms, wordings):
        return made
    for dropped in (0, 1):
        kept = forms[: len(forms) - dropped]
        begun = _begun(kept, wordings)
        if begun is not None and len(kept) >= PREFIX_WORDS_MIN:
            return _with_rest(made, begun[0], begun[1], dropped, guess)
    return made


def _whole_at_end(forms: tuple[str, ...], wordings: Sequence[Wording]) -> bool:
    return any(wording.forms and forms[-len(wording.forms) :] == wording.forms for wording in wordings)


def _with_rest(made: Spoken, wording: Wording, length: int, dropped: int, guess: bool) -> Spoken:
    """Put the unsaid rest of a wording behind what was said of it."""
    said = words_of(made.intended)
    last_end = said[len(said) - 1 - dropped].end
    rest_from = words_of(wording.text)[length].start
    intended = made.intended[:last_end].rstrip(" .,;:-–—…") + " " + wording.text[rest_from:]
    ends = tuple((min(chars, last_end), at_s) for chars, at_s in made.ends)
    margin = said[len(said) - 1 - dropped].end - said[len(said) - 1 - dropped].start if guess and not dropped else 0
    return replace(made, intended=intended, ends=ends, inferred=True, rest_unknown=False, margin_chars=margin)


def _aligned(utterance_id: str, piece: Piece, intended: str) -> Spoken:
    """Find what was said inside what was meant, word by word; what was not said at the end stays undelivered."""
    meant = words_of(intended)
    said = [(form, word) for word in piece.words for form in forms_of(word.text)]
    blocks = SequenceMatcher(None, [w.form for w in meant], [form for form, _ in said], autojunk=False)
    times: dict[int, Word] = {}
    for block in blocks.get_matching_blocks():
        for step in range(block.size):
            times[block.a + step] = said[block.b + step][1]
    ends: list[tuple[int, float]] = []
    latest_s = piece.start_s
    last = max(times, default=-1)
    for index in range(last + 1):
        if index in times:
            latest_s = max(latest_s, times[index].end_s)
        ends.append((meant[index].end, latest_s))
    if last == len(meant) - 1 and ends:
        ends[-1] = (len(intended.rstrip()), ends[-1][1])
    guess = piece.recognised and 0 <= last < len(meant) - 1
    return Spoken(
        id=utterance_id,
        intended=intended,
        ends=tuple(ends),
        start_s=piece.start_s,
        end_s=max(latest_s, piece.end_s),
        exact=piece.exact,
        margin_chars=meant[last].end - meant[last].start if guess else 0,
    )
