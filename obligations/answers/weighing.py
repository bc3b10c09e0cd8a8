"""Weighing what was said in order: which words a correction replaced, what stands of a yes and a no in one reply.

Owns the order of signals only. Never reads words.
"""

from __future__ import annotations

from collections.abc import Sequence

from obligations.answers.clauses import Clause
from obligations.answers.cues import Cue, Signal
from obligations.answers.idioms.model import Idioms
from obligations.answers.protocol import AnswerKind
from obligations.answers.question import Question, same_meaning

POLAR = frozenset({Cue.YES, Cue.NO, Cue.CONSENT})
"""The cues that say yes or no."""


def kind_of(signal: Signal) -> AnswerKind:
    """YES or NO, for a signal that is one."""
    return AnswerKind.NO if signal.cue is Cue.NO else AnswerKind.YES


def last_index(cues: Sequence[Cue], wanted: frozenset[Cue] | set[Cue]) -> int:
    """Where the last of the wanted cues stands; -1 when there is none."""
    return max((i for i, c in enumerate(cues) if c in wanted), default=-1)


def reversed_by(signals: Sequence[Signal], live: Sequence[Signal]) -> AnswerKind | None:
    """Read "No. Wait, I did trip": after a correction an affirmative of something else takes a bare no back."""
    if len(live) == len(signals) or any(s.cue in POLAR for s in live):
        return None
    before = [s for s in signals if s.cue in POLAR]
    if before and before[-1].cue is Cue.NO and any(s.affirms for s in live):
        return AnswerKind.YES
    return None


def after_correction(signals: Sequence[Signal]) -> tuple[list[Signal], bool]:
    """Drop what a correction replaced; a correction word with nothing after it only takes back."""
    signals = _without_tail(signals)
    last = max((i for i, s in enumerate(signals) if s.cue is Cue.CORRECT or s.corrects), default=-1)
    if last < 0:
        return list(signals), False
    return [s for s in signals[last:] if s.cue is not Cue.CORRECT], any(s.cue in POLAR for s in signals[:last])


def _without_tail(signals: Sequence[Signal]) -> Sequence[Signal]:
    """Drop a correction word at the very end that only explains an earlier correction ("no, that was yesterday")."""
    marks = [i for i, s in enumerate(signals) if s.cue is Cue.CORRECT or s.corrects]
    if len(marks) > 1 and marks[-1] == len(signals) - 1 and any(s.cue in POLAR for s in signals[marks[-2] : -1]):
        return signals[:-1]
    return signals


def denies_a_part(asked: Question, clauses: Sequence[Clause], idioms: Idioms) -> bool:
    """Read "No pain" to "any pain or swelling?": what it says of the swelling, nobody knows.

    Nor what "no pain and swelling" says of it: only what stands beside its own denial is denied.
    """
    denying = idioms.negators | idioms.second_denials
    named, denied = [False] * len(asked.parts), [False] * len(asked.parts)
    for clause in clauses:
        for piece in _at_joints(clause.flat.split(), idioms):
            denies = any(word in denying for word in piece)
            for i, part in enumerate(asked.parts):
                if any(same_meaning(word, part, idioms) for word in piece):
                    named[i], denied[i] = True, denied[i] or denies
    return any(named) and not all(denied)


def _at_joints(words: Sequence[str], idioms: Idioms) -> list[list[str]]:
    pieces: list[list[str]] = [[]]
    for word in words:
        if word in idioms.joining:
            pieces.append([])
        else:
            pieces[-1].append(word)
    return pieces
