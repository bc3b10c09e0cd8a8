"""Puts every frame of the agent's speech into the order of its sound.

Owns the queue between TTS and transport. Pipecat releases timed words by the clock; here a word lies behind the chunk
in which it *ends*, so a hold needs no re-stamping, an interruption drops words with their sound, and a reply ends after
its last sample. It reads no clock and pushes nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeGuard, TypeVar

from pipecat.frames.frames import (
    AggregatedTextFrame,
    Frame,
    LLMAssistantPushAggregationFrame,
    TTSAudioRawFrame,
    TTSStoppedFrame,
    TTSTextFrame,
)

from pipecat_interrupt.hold.frames import ProtectedEndFrame

F = TypeVar("F", bound=Frame)

BYTES_PER_SAMPLE = 2
LATE_TEXT_S_PER_CHAR = 0.02
"""Text that follows less audio than this per character came ahead of its own audio (speech takes about 0.065)."""

DEAD_CONTEXTS_MAX = 256
"""How many interrupted contexts are remembered, so that stragglers of theirs are not taken for new speech."""

EDGE_S = 0.001
"""Tolerance of comparisons between word times and chunk edges."""


@dataclass(slots=True)
class Slot:
    """One place in the queue: a frame, and for audio the frames that must follow it.

    Parameters:
        frame: The frame; where `audio` is set, the one its sound was cut from.
        audio: Sound cut out of `frame`. A frame of its own is made of it when it leaves, not before: most chunks leave
            joined to their neighbours.
        duration_s: Length of the audio, 0 for other frames.
    """

    frame: Frame
    context_id: str | None
    end_s: float
    behind: list[Frame] = field(default_factory=list)
    audio: bytes | None = None
    is_audio: bool = field(init=False)
    duration_s: float = field(init=False)

    def __post_init__(self) -> None:
        frame = self.frame
        if isinstance(frame, TTSAudioRawFrame):
            self.is_audio, self.duration_s = True, _samples(self, frame) / frame.sample_rate
        else:
            self.is_audio, self.duration_s = False, 0.0


@dataclass(slots=True)
class _Context:
    """What is known of one TTS context while it is open."""

    base_ns: int | None = None
    position_s: float = 0.0
    rest: bytearray = field(default_factory=bytearray)
    after_rest: list[Frame] = field(default_factory=list)
    pattern: TTSAudioRawFrame | None = None
    timed: deque[tuple[float, list[Frame]]] = field(default_factory=deque)
    late: list[Frame] = field(default_factory=list)
    since_text_s: float = 0.0
    protected: bool = False


class AudioOrder:
    """The queue.

    Args:
        chunk_s: Length of the chunks audio is cut into: the transport's own, so that nothing waits inside it.

    Promises: audio leaves in the order and to the sample as it came, only cut anew and filled up with silence to a
    whole chunk at the end of a context, as the transport would. A word of a timed context leaves after the chunk that
    holds its end, text without times after its audio, and nothing of a context after its stop frame.
    """

    def __init__(self, chunk_s: float = 0.04) -> None:
        self.chunk_s = chunk_s
        self.queued_audio_s = 0.0
        self._slots: deque[Slot] = deque()
        self._open: dict[str, _Context] = {}
        self._last_pts = 0
        self._protected_last_pts = 0
        self._cut: set[str] = set()
        self._dead: deque[str] = deque(maxlen=DEAD_CONTEXTS_MAX)

    def __len__(self) -> int:
        return len(self._slots)

    def __iter__(self) -> Iterator[Slot]:
        return iter(self._slots)

    @property
    def head(self) -> Slot | None:
        """The next slot, None when nothing waits."""
        return self._slots[0] if self._slots else None

    @property
    def open_ids(self) -> set[str]:
        """Contexts whose stop frame has not come yet."""
        return set(self._open)

    def first_audio(self) -> Slot | None:
        """Return the first audio that waits, None when there is none."""
        return next((slot for slot in self._slots if slot.is_audio), None)

    def pop(self) -> Slot:
        """Take the next slot out; what lies behind an audio chunk takes its place at the head."""
        slot = self._take()
        if slot.audio is not None and isinstance(slot.frame, TTSAudioRawFrame):
            slot.frame, slot.audio = _like(slot.frame, slot.audio), None
        return slot

    def pop_run(self) -> Slot:
        """Take the next slot out, and with audio all that follows it directly: a transport cuts it anew by itself."""
        first, pieces, slot = self.head, list[bytes](), None
        while (after := self.head) is not None and first is not None and _goes_with(after.frame, first.frame):
            slot = self._take()
            pieces.append(after.audio if after.audio is not None else after.frame.audio)
        if slot is None or first is None or not isinstance(first.frame, TTSAudioRawFrame):
            return self.pop()
        if len(pieces) == 1 and slot.audio is None:
            return slot
        return Slot(_like(first.frame, b"".join(pieces)), slot.context_id, slot.end_s)

    def add(self, frame: Frame, now_ns: int) -> None:
        """Queue a downstream data or control frame.

        Args:
            frame: The frame; its pts is taken away.
            now_ns: Pipecat's clock, for the first timed frame of a context.
        """
        context_id: str | None = getattr(frame, "context_id", None)
        if (context_id in self._cut or context_id in self._dead) and not isinstance(frame, TTSStoppedFrame):
            return
        context = self._open.get(context_id) if context_id else None
        if isinstance(frame, TTSAudioRawFrame):
            self._audio(frame, context_id, now_ns)
        elif isinstance(frame, TTSStoppedFrame):
            self._stopped(frame, context_id)
        elif context_id is None and isinstance(frame, LLMAssistantPushAggregationFrame):
            self._aggregation_end(frame)
        elif context_id and frame.pts and not _announces(frame):
            self._timed(frame, context_id, now_ns)
        elif context_id and isinstance(frame, TTSTextFrame) and _comes_early(frame, context):
            self._of(context_id, frame).late.append(_unstamped(frame))
        elif context is not None and context.timed:
            context.timed[-1][1].append(_unstamped(frame))
        else:
            self._plain(frame, context_id, context)

    def interrupt(self) -> None:
        """Forget everything an interruption may drop; protected contexts keep their sound and their words."""
        kept = deque(slot for slot in self._slots if not slot.frame.interruptible)
        for slot in kept:
            slot.behind = [frame for frame in slot.behind if not frame.interruptible]
        self._slots = kept
        self._dead.extend(name for name, context in self._open.items() if not context.protected)
        self._open = {name: context for name, context in self._open.items() if context.protected}
        self._last_pts = self._protected_last_pts
        self._count()

    def cut(self, context_id: str) -> bool:
        """Throw one protected context away, queued or still to come.

        Returns:
            True when its stop frame had not left yet: the caller must end it downstream.
        """
        stop_waits = any(slot.context_id == context_id and isinstance(slot.frame, TTSStoppedFrame) for slot in self)
        unfinished = context_id in self._open
        self._slots = deque(slot for slot in self._slots if slot.context_id != context_id)
        if unfinished:
            del self._open[context_id]
            self._cut.add(context_id)
        self._count()
        return unfinished or stop_waits

    # ---- kinds of frames

    def _audio(self, frame: TTSAudioRawFrame, context_id: str | None, now_ns: int) -> None:
        if not context_id or type(frame) is not TTSAudioRawFrame:
            self._flush_rests()
            self._append(Slot(_unstamped(frame), context_id, 0.0))
            return
        context = self._of(context_id, frame)
        self._set_base(context, now_ns)
        if context.pattern is not None and context.pattern.sample_rate != frame.sample_rate:
            self._flush(context_id, context)
        context.pattern = frame
        context.rest.extend(frame.audio)
        context.since_text_s += frame.num_frames / frame.sample_rate
        size = self._chunk_bytes(frame)
        whole = len(context.rest) // size * size
        if whole:
            audio = bytes(memoryview(context.rest)[:whole])
            del context.rest[:whole]
            for start in range(0, whole, size):
                self._chunk(context_id, context, audio[start : start + size])

    def _timed(self, frame: Frame, context_id: str, now_ns: int) -> None:
        context = self._of(context_id, frame)
        self._set_base(context, now_ns)
        pts = frame.pts or 0
        start_s = (pts - (context.base_ns or 0)) / 1e9
        self._last_pts = max(self._last_pts, pts)
        if not frame.interruptible:
            self._protected_last_pts = max(self._protected_last_pts, pts)
        if context.timed and abs(context.timed[-1][0] - start_s) < EDGE_S:
            context.timed[-1][1].append(_unstamped(frame))
        else:
            context.timed.append((start_s, [_unstamped(frame)]))
        self._place(context_id, context)

    def _stopped(self, frame: TTSStoppedFrame, context_id: str | None) -> None:
        if context_id in self._cut:
            self._cut.discard(context_id)
            return
        context = self._open.pop(context_id, None) if context_id else None
        if context is not None and context_id:
            self._flush(context_id, context)
            waiting = [frame for _, frames in context.timed for frame in frames] + context.late
            for behind in waiting:
                self._append(Slot(behind, context_id, context.position_s))
        self._append(Slot(_unstamped(frame), context_id, 0.0))
        if context is not None and context_id and context.protected:
            self._append(Slot(ProtectedEndFrame(context_id), context_id, 0.0))

    def _aggregation_end(self, frame: Frame) -> None:
        """The end of a spoken text: behind the words still to be placed, though it comes before the stop frame."""
        waiting = next((c for c in self._open.values() if c.timed or c.late or c.after_rest), None)
        if waiting is None:
            self._append(Slot(_unstamped(frame), None, 0.0))
        else:
            waiting.late.append(_unstamped(frame))

    def _plain(self, frame: Frame, context_id: str | None, context: _Context | None) -> None:
        if context is not None and isinstance(frame, TTSTextFrame):
            context.since_text_s = 0.0
        if context is not None and (context.after_rest or (context.rest and isinstance(frame, TTSTextFrame))):
            context.after_rest.append(_unstamped(frame))
        else:
            self._append(Slot(_unstamped(frame), context_id, context.position_s if context else 0.0))

    # ---- helpers

    def _of(self, context_id: str, frame: Frame) -> _Context:
        context = self._open.setdefault(context_id, _Context())
        context.protected = context.protected or not frame.interruptible
        return context

    def _set_base(self, context: _Context, now_ns: int) -> None:
        """Same rule and instant as Pipecat's own word clock: the first timed frame or audio of the context."""
        if context.base_ns is None:
            context.base_ns = max(self._last_pts, now_ns)

    def _chunk_bytes(self, frame: TTSAudioRawFrame) -> int:
        return round(frame.sample_rate * self.chunk_s) * frame.num_channels * BYTES_PER_SAMPLE

    def _take(self) -> Slot:
        """Take the next slot out as it is queued."""
        slot = self._slots.popleft()
        self.queued_audio_s = max(0.0, self.queued_audio_s - slot.duration_s)
        if slot.behind:
            self._slots.extendleft(Slot(frame, slot.context_id, slot.end_s) for frame in reversed(slot.behind))
            slot.behind = []
        return slot

    def _chunk(self, context_id: str, context: _Context, audio: bytes) -> None:
        if context.pattern is None:
            return
        slot = Slot(context.pattern, context_id, 0.0, context.after_rest, audio)
        context.position_s += slot.duration_s
        slot.end_s = context.position_s
        context.after_rest = []
        self._append(slot)
        self._place(context_id, context)

    def _flush(self, context_id: str, context: _Context) -> None:
        """Queue what is left of a context's audio, filled up with silence to a whole chunk as the transport would."""
        if not context.rest or context.pattern is None:
            return
        size = self._chunk_bytes(context.pattern)
        audio = bytes(context.rest) + bytes(max(0, size - len(context.rest)))
        context.rest.clear()
        self._chunk(context_id, context, audio)

    def _flush_rests(self) -> None:
        for context_id, context in self._open.items():
            self._flush(context_id, context)

    def _place(self, context_id: str, context: _Context) -> None:
        """Put every word whose end (the next word's start) is covered by audio behind the covering chunk."""
        while len(context.timed) > 1 and context.timed[1][0] <= context.position_s + EDGE_S:
            frames = context.timed.popleft()[1]
            end_s = context.timed[0][0]
            covering = self._covering(context_id, end_s)
            if covering is not None:
                covering.behind += frames
            else:
                self._put_first(frames, context_id, end_s)

    def _covering(self, context_id: str, end_s: float) -> Slot | None:
        for slot in self._slots:
            if slot.context_id == context_id and slot.is_audio and slot.end_s >= end_s - EDGE_S:
                return slot
        return None

    def _put_first(self, frames: list[Frame], context_id: str, end_s: float) -> None:
        """Their chunk has left already: they go next, behind earlier words in the same position."""
        index = 0
        while index < len(self._slots) and not self._slots[index].is_audio:
            if self._slots[index].context_id != context_id:
                break
            index += 1
        for offset, frame in enumerate(frames):
            self._slots.insert(index + offset, Slot(frame, context_id, end_s))

    def _append(self, slot: Slot) -> None:
        self._slots.append(slot)
        self.queued_audio_s += slot.duration_s

    def _count(self) -> None:
        self.queued_audio_s = sum(slot.duration_s for slot in self._slots)


def _samples(slot: Slot, frame: TTSAudioRawFrame) -> int:
    """How many samples a channel the sound of a place in the queue has."""
    if slot.audio is None:
        return frame.num_frames
    return len(slot.audio) // (frame.num_channels * BYTES_PER_SAMPLE)


def _like(frame: TTSAudioRawFrame, audio: bytes) -> TTSAudioRawFrame:
    """Other audio of the same context, kind and way."""
    made = TTSAudioRawFrame(audio, frame.sample_rate, frame.num_channels, context_id=frame.context_id)
    made.interruptible = frame.interruptible
    made.transport_destination = frame.transport_destination
    return made


def _goes_with(after: Frame, first: Frame) -> TypeGuard[TTSAudioRawFrame]:
    """Whether the audio of two frames may leave as one; only of exactly this class, for a subclass marks its audio."""
    if type(first) is not TTSAudioRawFrame or not first.context_id:
        return False
    if after is first:  # cut from one frame
        return True
    return type(after) is TTSAudioRawFrame and first.context_id == after.context_id and _shape(first) == _shape(after)


def _shape(frame: TTSAudioRawFrame) -> tuple[int, int, bool, str | None]:
    return frame.sample_rate, frame.num_channels, frame.interruptible, frame.transport_destination


def _announces(frame: Frame) -> bool:
    """Whether the frame announces text that is about to be spoken, rather than reporting it spoken."""
    return isinstance(frame, AggregatedTextFrame) and not isinstance(frame, TTSTextFrame)


def _comes_early(frame: TTSTextFrame, context: _Context | None) -> bool:
    """Whether a text came before its own audio, as streaming services without word times send it."""
    return (context.since_text_s if context else 0.0) < LATE_TEXT_S_PER_CHAR * len(frame.text)


def _unstamped(frame: F) -> F:
    frame.pts = None
    return frame
