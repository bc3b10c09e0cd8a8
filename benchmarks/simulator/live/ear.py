"""What the patient's ear got of each utterance: the truth of a live trial.

Owns the assignment of heard words to intended utterances. It reads the listener's samples and the voice's word table
(through `heard_contexts`), never a frame, a counter or the system's own record.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.simulator.live.intents import Utterance
from benchmarks.simulator.placement import word_ends
from pipecat_interrupt.testing import HeardContext, HeardPiece, ListenerOutput, ScriptedTTS, heard_contexts


@dataclass(frozen=True, slots=True)
class HeardUtterance:
    """What was heard of one utterance.

    Parameters:
        delivered: Literal prefix of the intended text, whole words.
        started_s: Loop time at which its first word sounded; None when none did.
        ended_s: Loop time at which its last heard word ended.
        word_times_s: Loop time at which each heard word ended.
    """

    delivered: str
    started_s: float | None
    ended_s: float | None
    word_times_s: tuple[float, ...]


def assign(utterances: Sequence[Utterance], contexts: Sequence[HeardContext]) -> list[HeardUtterance]:
    """Say for every utterance what was heard of it.

    Contexts come in the order of synthesis; one utterance may have several. Whose a context is says the frame that
    asked for it, never its words: the same sentence may be meant twice and sound once. Words after a word that was not
    heard do not count, and neither does a context with other words than its utterance's.
    """
    place_of = {utterance.opened_by: place for place, utterance in enumerate(utterances)}
    heard: list[list[tuple[float, float]]] = [[] for _ in utterances]
    taken = [0] * len(utterances)
    broken = [False] * len(utterances)
    for context in contexts:
        tokens = context.intended.split()
        place = place_of.get(context.opened_by)
        if place is None or not _fits(utterances[place].text, taken[place], tokens):
            continue
        if not broken[place]:
            heard[place] += [(word.start_s, word.end_s) for word in context.words]
        broken[place] = broken[place] or len(context.words) < len(tokens)
        taken[place] += len(tokens)
    return [_heard(utterance.text, times) for utterance, times in zip(utterances, heard, strict=True)]


def unclaimed(utterances: Sequence[Utterance], contexts: Sequence[HeardContext]) -> int:
    """Count the contexts that sounded and that no utterance asked for: speech the transcript would lack."""
    asked = {utterance.opened_by for utterance in utterances}
    return sum(bool(context.words) and context.opened_by not in asked for context in contexts)


def _fits(text: str, taken: int, tokens: Sequence[str]) -> bool:
    rest = text.split()[taken:]
    return bool(tokens) and len(tokens) <= len(rest) and rest[: len(tokens)] == list(tokens)


def _heard(text: str, times: Sequence[tuple[float, float]]) -> HeardUtterance:
    ends = word_ends(text)
    count = min(len(times), len(ends))
    if not count:
        return HeardUtterance("", None, None, ())
    return HeardUtterance(text[: ends[count - 1]], times[0][0], times[count - 1][1], tuple(t for _, t in times[:count]))


@dataclass(slots=True)
class _Slice:
    """The part of the recording that is still open, in the two forms `heard_contexts` reads."""

    pieces: list[HeardPiece]
    contexts: list[Any]
    sample_rate: int
    buffers_ahead_s: float = 0.0


@dataclass(slots=True)
class Ear:
    """Listens along with a call without matching all of it again at every question.

    What lies before a checkpoint is matched once. `settle` sets one; `whole` matches everything afresh, so that the two
    can be compared at the end.

    Parameters:
        output: The listener.
        tts: The voice.
    """

    output: ListenerOutput
    tts: ScriptedTTS
    _settled: list[HeardContext] = field(default_factory=list)
    _piece: int = 0

    def contexts(self, until_s: float | None = None) -> list[HeardContext]:
        """Say what was heard, context by context."""
        pieces = self.output.pieces[self._piece :]
        rest = self.tts.contexts[len(self._settled) :]
        open_part: Any = _Slice(pieces, rest, self.output.sample_rate)
        return [*self._settled, *heard_contexts(open_part, open_part, until_s=until_s)]

    def settle(self) -> None:
        """Set a checkpoint: the agent is silent, and nothing that has begun to sound will sound on.

        What is synthesised and has not begun to sound stays open.
        """
        contexts = self.contexts()
        begun = max((i for i, context in enumerate(contexts) if context.heard_samples), default=-1)
        self._settled = contexts[: begun + 1]
        self._piece = len(self.output.pieces)

    def whole(self) -> list[HeardContext]:
        """Match everything afresh."""
        return heard_contexts(self.output, self.tts)

    def word_time_s(self, utterance: Utterance, word: int) -> float | None:
        """Foretell when a word of the utterance now sounding will have been heard, if nothing holds it up.

        Args:
            utterance: The utterance.
            word: Which of its words, from 1.

        Returns:
            Loop time; None while its audio has not begun or its word is not synthesised yet.
        """
        first = next(
            (p for p in self.output.pieces[self._piece :] if p.start_s >= utterance.at_s and len(p.audio)), None
        )
        contexts = self.tts.contexts[len(self._settled) :]
        spoken = next((c for c in contexts if c.opened_by == utterance.opened_by and c.words), None)
        if first is None or spoken is None or len(spoken.words) < word:
            return None
        return first.start_s + spoken.words[word - 1].end_s
