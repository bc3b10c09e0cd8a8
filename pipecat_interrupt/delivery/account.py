"""The account of one utterance: what the voice made of the text, how much of its audio was written, how far that got.

Owns the arithmetic of one utterance. It knows no frames, no clock and no other utterance: time and heard seconds are
given to it, and the place in the text comes out.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from dataclasses import dataclass, field, replace
from typing import Literal

from pipecat_interrupt.delivery.alignment import SpokenAligner
from pipecat_interrupt.delivery.loudness import Envelope, Silence
from pipecat_interrupt.delivery.pace import Estimate, Rate, estimate, spoken_rate
from pipecat_interrupt.delivery.position import Position
from pipecat_interrupt.delivery.timeline import ROUNDING_S, WORD_SLACK_S, WORDS_MAX, TimedWord, WordTimeline
from pipecat_interrupt.delivery.written import Token, count_words, ends_with_cjk, tokenise
from pipecat_interrupt.facts import Exactness, TimingShape

TAIL_S = 0.05
"""Audio that may be missing at the end of an utterance that nobody cut and that counts as heard whole: resampling and
chunk padding. What was cut must have sounded to its end."""

INLINE_S_PER_LETTER = 0.02
"""A sentence whose text arrives after at least this much new audio a letter was synthesised in line with its text."""

SEGMENTS_MAX = 512
HISTORY_MAX = 4096


@dataclass(slots=True)
class Segment:
    """A sentence the voice was given.

    Parameters:
        at_s: Audio there was when the voice was given it.
        end_s: Where its audio ends; known only when it was synthesised in line with its text.
        first: Its first token in the intended text.
        last: Its last token.
    """

    id: int
    text: str
    at_s: float
    end_s: float | None = None
    first: int = 0
    last: int = 0


@dataclass(slots=True)
class Account:
    """All that is known of one utterance.

    Parameters:
        id: Utterance id.
        context_id: Pipecat's synthesis id.
        destination: Output it plays on.
        language: BCP 47 tag of its text.
        protected: Whether an interruption spares it.
        append_to_context: Whether it belongs into the model's history.
        source: A reply of the model, or a fixed wording.
        intended: The written text; the book keeps it up to date.
        rate: How fast this voice speaks.
        generated_s: Audio produced.
        written_s: Audio written to the output.
        done: Whether no more audio will be produced.
        started_s: When its first audio was written.
        written_done_s: When its last audio was written.
        cut_by: The interruption that hit it.
        spared_by: The interruption that it was protected from.
        early_audio: Whether audio came before any sentence: the text went to the voice token by token.
    """

    id: str
    context_id: str
    destination: str | None = None
    language: str = "en"
    protected: bool = False
    append_to_context: bool = True
    source: Literal["llm", "speak"] = "llm"
    intended: str = ""
    rate: Rate = field(default_factory=Rate)
    segments: list[Segment] = field(default_factory=list[Segment])
    timeline: WordTimeline = field(init=False)
    envelope: Envelope = field(default_factory=Envelope)
    generated_s: float = 0.0
    written_s: float = 0.0
    done: bool = False
    announces_start: bool = False
    start_came_out: bool = False
    ends_announced: int = 0
    ends_came_out: int = 0
    released: list[str] = field(default_factory=list[str])
    started_s: float | None = None
    written_done_s: float | None = None
    cut_by: object | None = None
    spared_by: object | None = None
    early_audio: bool = False
    history: deque[tuple[float, float]] = field(default_factory=lambda: deque[tuple[float, float]](maxlen=HISTORY_MAX))

    def __post_init__(self) -> None:
        self.timeline = WordTimeline(self.language)

    # -- what the voice made -------------------------------------------------------------------------------------

    def add_segment(self, segment_id: int, text: str) -> None:
        """The voice was given a sentence."""
        if len(self.segments) < SEGMENTS_MAX:
            self.segments.append(Segment(segment_id, text, self.generated_s))

    def end_segment(self, segment_id: int | None) -> None:
        """The sentence's text was released by the voice: its audio is complete if it was synthesised in line."""
        for segment in reversed(self.segments):
            if segment.end_s is None and segment_id in (None, segment.id):
                if self.generated_s - segment.at_s >= INLINE_S_PER_LETTER * len(segment.text) > 0:
                    segment.end_s = self.generated_s
                return

    def add_word(self, word: TimedWord) -> None:
        """The voice reported a word with its time."""
        self.timeline.add(word)

    def add_audio(self, pcm: bytes, sample_rate_hz: int, channels: int = 1) -> None:
        """The voice produced 16-bit audio."""
        if sample_rate_hz <= 0 or channels <= 0:
            return
        if not self.segments:
            self.early_audio = True
        self.envelope.add(pcm, sample_rate_hz, channels)
        self.generated_s += len(pcm) / (2 * channels * sample_rate_hz)

    def reopen(self) -> None:
        """The voice begins the utterance, or goes on with it after a pause."""
        self.announces_start, self.done, self.written_done_s = True, False, None

    def close(self) -> None:
        """The voice is done: no more audio will come."""
        if not self.done:
            self.ends_announced += 1
        self.done = True

    # -- what came out of the output -----------------------------------------------------------------------------

    def end_came_out(self) -> bool:
        """An end of the utterance came out of the output; say whether it is the last one.

        An end the voice never announced was made on the way: somebody threw the rest of the utterance away.
        """
        self.ends_came_out += 1
        return self.ends_came_out > self.ends_announced or (self.done and self.ends_came_out == self.ends_announced)

    def add_written(self, seconds: float, now_s: float) -> None:
        """Audio of this utterance was written to the output; chunk padding at its end does not count."""
        if self.started_s is None:
            self.started_s = now_s
        self.written_s += seconds
        if self.done:
            self.written_s = min(self.written_s, self.generated_s)
        self.history.append((now_s, self.written_s))

    def written_at(self, at_s: float) -> float:
        """Seconds of audio that had been written at a moment of the past; evenly within a chunk, which plays evenly."""
        if not self.history or at_s >= self.history[-1][0]:
            return self.written_s
        index = bisect_right(self.history, (at_s, float("inf")))
        if not index:
            return 0.0
        (then_s, before), (next_s, after) = self.history[index - 1], self.history[index]
        return before + min(after - before, at_s - then_s) if next_s > then_s else before

    def add_released(self, text: str) -> None:
        """The output released a word of this utterance."""
        if len(self.released) < WORDS_MAX:
            self.released.append(text)

    @property
    def exhausted(self) -> bool:
        """Whether everything produced so far has been written."""
        return self.written_s >= self.generated_s - 1e-6

    @property
    def announces_end(self) -> bool:
        """Whether the voice said by itself that the utterance is done."""
        return self.ends_announced > 0

    @property
    def audible(self) -> bool:
        """Whether any of it has come out."""
        return self.written_s > 0 or bool(self.released)

    # -- what that means -----------------------------------------------------------------------------------------

    @property
    def shape(self) -> TimingShape:
        """What the account can rest on."""
        if self.timeline.timed:
            return "word_timings"
        if self.generated_s <= 0:
            return "none"
        if self.segments and self.segments[0].end_s is not None:
            return "inline"
        return "streaming"

    @property
    def spoken_text(self) -> str:
        """The sentences the voice was given, joined as they are written."""
        text = ""
        for segment in self.segments:
            piece = segment.text.strip()
            text += ("" if not text or ends_with_cjk(text) else " ") + piece if piece else ""
        return text

    def audio_whole(self, heard_s: float) -> bool:
        """Whether the voice is done and all of its sound was heard (a silent tail may be missing)."""
        if not self.done or self.generated_s <= 0:
            return False
        return heard_s >= min(self.generated_s - self._tail_s, self.envelope.speech_end_s(self.generated_s))

    @property
    def _tail_s(self) -> float:
        return TAIL_S if self.cut_by is None else ROUNDING_S

    def measured_rate(self) -> float | None:
        """How fast the voice spoke, when the whole utterance is known; None otherwise."""
        if not self.done:
            return None
        return spoken_rate(tokenise(self.intended, self.language), self.envelope.silences(), self.generated_s)

    def position(self, heard_s: float, high_s: float | None = None) -> Position:
        """Place an amount of heard audio in the intended text.

        Args:
            heard_s: Audio of this utterance that was certainly heard, seconds.
            high_s: Audio that may have been heard at most; None when `heard_s` is not a bound but the amount.
        """
        heard_s = max(0.0, min(heard_s, self.written_s, self.generated_s))
        if self.audio_whole(heard_s):
            return self._at(len(self.intended), heard_s, complete=True)
        low = self._place(heard_s)
        if high_s is None or high_s <= heard_s + WORD_SLACK_S:
            return low
        most = self._place(min(high_s, max(self.written_s, heard_s)))
        bound = max(low.bound_words, most.words + most.bound_words - low.words)
        return replace(low, exactness="estimated" if bound else low.exactness, bound_words=bound)

    def _place(self, heard_s: float) -> Position:
        if self.generated_s <= 0:
            return self._without_audio()
        if heard_s <= 0:
            return self._at(0, 0.0)
        if self.shape == "word_timings":
            speech_end_s = self.envelope.speech_end_s(self.generated_s) if self.done else float("inf")
            place = self.timeline.place(self.intended, heard_s, self.envelope.silences(), speech_end_s)
            return self._at(place.chars, heard_s, partial=place.partial_text, spoken=place.partial_spoken)
        return self._by_pace(heard_s)

    def _without_audio(self) -> Position:
        """No audio passes through the pipeline: go by the words the output released, or say that nobody can tell."""
        if not self.released and not self.start_came_out:
            return self._at(0, 0.0)
        aligner = SpokenAligner(self.intended, self.language)
        for word in self.released:
            aligner.feed(word)
        if not aligner.chars and not aligner.partial_text:
            total = count_words(self.intended, self.language)
            return self._at(0, 0.0, exactness="estimated", bound=total, extent="unknown")
        return self._at(aligner.chars, 0.0, partial=aligner.partial_text, spoken=aligner.partial_spoken)

    # -- by pace -------------------------------------------------------------------------------------------------

    def _by_pace(self, heard_s: float) -> Position:
        """Place by the ends of sentences where they are known, and by pace inside a sentence."""
        tokens = tokenise(self.intended, self.language)
        self._locate_segments(tokens)
        known = [s for s in self.segments if s.end_s is not None] if self.shape == "inline" else []
        base, start_s = 0, 0.0
        for segment in known:
            assert segment.end_s is not None
            if heard_s < min(segment.end_s - self._tail_s, self._sound_end_before(segment.end_s, segment.at_s)):
                inside = tokens[segment.first : segment.last + 1]
                found = self._estimate(inside, segment.at_s, segment.end_s, heard_s, done=True)
                return self._from_tokens(tokens, segment.first, found, heard_s)
            base, start_s = segment.last + 1, segment.end_s
        unended = [s for s in self.segments if s.end_s is None]
        if heard_s <= start_s + WORD_SLACK_S or (known and not unended):
            return self._at(tokens[base - 1].end if base else 0, heard_s)
        told = len(tokens) if self.early_audio or not self.segments else max(s.last for s in self.segments) + 1
        late: list[tuple[int, float]] = []
        if not self.early_audio:
            late = [(s.first - base, s.at_s - start_s) for s in unended if s.first > base and s.at_s > start_s]
        found = self._estimate(tokens[base:told], start_s, self.generated_s, heard_s, done=self.done, late=late)
        return self._from_tokens(tokens, base, found, heard_s)

    def _estimate(
        self,
        tokens: tuple[Token, ...],
        start_s: float,
        end_s: float,
        heard_s: float,
        *,
        done: bool,
        late: list[tuple[int, float]] | None = None,
    ) -> Estimate:
        inside = [
            Silence(max(0.0, s.start_s - start_s), min(s.end_s, end_s) - start_s)
            for s in self.envelope.silences()
            if s.end_s > start_s and s.start_s < end_s
        ]
        return estimate(
            tokens, inside, heard_s - start_s, end_s - start_s, done=done, rate=self.rate, not_before=late or ()
        )

    def _from_tokens(self, tokens: tuple[Token, ...], base: int, found: Estimate, heard_s: float) -> Position:
        index = base + found.tokens
        while index > 0 and tokens[index - 1].silent:
            index -= 1
        chars = tokens[index - 1].end if index else 0
        following = next((t for t in tokens[index:] if not t.silent), None)
        partial = self.intended[following.start : following.end] if found.begun and following else ""
        bound = sum(1 for t in tokens[index : base + found.tokens_max] if not t.silent)
        return self._at(chars, heard_s, exactness="estimated", bound=bound, partial=partial)

    def _sound_end_before(self, end_s: float, start_s: float) -> float:
        for silence in reversed(self.envelope.silences()):
            if silence.start_s <= start_s:
                break
            if silence.start_s < end_s <= silence.end_s + WORD_SLACK_S:
                return silence.start_s
        return end_s

    def _locate_segments(self, tokens: tuple[Token, ...]) -> None:
        """Find which tokens of the intended text each sentence is made of."""
        cursor = 0
        for segment in self.segments:
            count = count_words(segment.text, self.language)
            segment.first = cursor
            while count and cursor < len(tokens):
                count -= not tokens[cursor].silent
                cursor += 1
            segment.last = max(segment.first, cursor - 1)

    # -- the answer ----------------------------------------------------------------------------------------------

    def _at(
        self,
        chars: int,
        heard_s: float,
        *,
        exactness: Exactness = "exact",
        bound: int = 0,
        complete: bool = False,
        extent: Literal["known", "unknown"] = "known",
        partial: str = "",
        spoken: str = "",
    ) -> Position:
        return Position(
            utterance_id=self.id,
            chars=chars,
            words=count_words(self.intended[:chars], self.language),
            ms=round(heard_s * 1000, 3),
            exactness=exactness,
            bound_words=bound,
            complete=complete,
            extent=extent,
            partial_text=partial,
            partial_spoken=spoken,
        )
