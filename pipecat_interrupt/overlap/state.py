"""An overlap that is not over yet, and what can be read off it. Values and pure functions; `session` moves them on."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace

from pipecat_interrupt.facts import OverlapFact, SpeakerName
from pipecat_interrupt.overlap.actions import Text
from pipecat_interrupt.overlap.evidence import (
    AgentFloor,
    CallerBefore,
    Evidence,
    Judgement,
    Speaker,
    TextStatus,
    TimedWord,
    words_of,
)
from pipecat_interrupt.overlap.facts import OverlapReport
from pipecat_interrupt.overlap.kinds import kind_at_onset, kind_of, place_of
from pipecat_interrupt.overlap.languages import LanguageTable
from pipecat_interrupt.overlap.model.features import listens_only

OVERLAPS_KEPT = 8
"""Onsets remembered: the model counts no further than four."""

SEGMENT_WORDS_MIN = 3
"""Words of a final text from which a recogniser that streams would have told some before; a word or two it may not."""

ECHO_TAIL_S = 0.4
"""A voice that begins this long after the agent fell silent can still be its echo (path delay plus room)."""


@dataclass(slots=True)
class OpenOverlap:
    """An overlap that waits for its verdict or its text.

    Parameters:
        number: Counts from 1.
        onset_s: Back-dated onset.
        floor: Where the agent was at the onset.
        utterance_id: Its utterance.
        voice_on: Whether the voice goes on.
        voice_started_s: When its latest stretch was reported.
        voiced_s: Length of the latest finished stretch, as voice detection saw it.
        awaiting: Stretches whose text has not come.
        early_text: A text came while its stretch was still spoken (streaming recognisers do that).
        texts: Final texts held back, in order.
        interim: The newest unfinished text.
        held_since_s: When the running hold began; None when the agent is not held.
        holds: Holds so far.
        speaker: What the gate last said.
        focus_heard: Whether the open question's focus had been heard when the voice ended.
        set_aside: Refused for its voice: its texts are refused as they come.
        proposed: Opened by a service's proposal, with no voice detector of our own behind it.
        on_sound: Held because the line is loud, with no voice detected yet.
        deadline_s: When to look again.
        before: The caller's overlap before this one.
        report: What was last reported.
        ended_s: When its voice ended.
    """

    number: int
    onset_s: float
    floor: AgentFloor
    utterance_id: str | None
    voice_on: bool
    voice_started_s: float
    voiced_s: float = 0.0
    awaiting: int = 0
    early_text: bool = False
    texts: list[Text] = field(default_factory=list)
    interim: Text | None = None
    held_since_s: float | None = None
    holds: int = 0
    speaker: Speaker | None = None
    focus_heard: bool = False
    set_aside: bool = False
    proposed: bool = False
    on_sound: bool = False
    deadline_s: float | None = None
    before: CallerBefore | None = None
    report: OverlapReport | None = None
    ended_s: float | None = None

    @property
    def asked(self) -> bool:
        """Whether an answer may be what is being said."""
        return self.floor.question_open

    @property
    def heard_text(self) -> str:
        """All words so far."""
        parts = [text.text for text in self.texts]
        if self.interim is not None:
            parts.append(self.interim.text)
        return " ".join(part.strip() for part in parts if part.strip())


@dataclass(slots=True)
class CallMemory:
    """What a session remembers between overlaps.

    Parameters:
        turn_closed_s: When the last user turn ended.
        voice_since_turn: Whether a voice has been reported since.
        voice_onset_s: Onset of the last voice.
        agent_heard_s: When the agent was last known to be heard.
        overlap_ended_s: When the caller's last overlap ended.
        overlap_listened: Whether its words did nothing but listen.
        overlap_onsets_s: Onsets of the caller's last overlaps.
        segmented: Whether the recogniser has shown that it gives no unfinished words; None while that is not known.
    """

    turn_closed_s: float | None = None
    voice_since_turn: bool = False
    voice_onset_s: float | None = None
    agent_heard_s: float | None = None
    overlap_ended_s: float | None = None
    overlap_listened: bool = False
    overlap_onsets_s: deque[float] = field(default_factory=lambda: deque(maxlen=OVERLAPS_KEPT))
    segmented: bool | None = None

    def read_recogniser(self, final: str, *, unfinished_before: bool) -> None:
        """Learn from a final text: several words with none of them told before come from a segmented recogniser."""
        if self.segmented is None and not unfinished_before and len(final.split()) >= SEGMENT_WORDS_MIN:
            self.segmented = True

    def note(self, lap: OpenOverlap, now_s: float) -> None:
        """Remember an overlap that is over."""
        self.overlap_ended_s = lap.ended_s if lap.ended_s is not None else now_s
        self.overlap_listened = listens_only(lap.heard_text.split())
        self.overlap_onsets_s.append(lap.onset_s)

    def before(self, onset_s: float) -> CallerBefore | None:
        """The caller's overlap before one that begins at `onset_s`."""
        if self.overlap_ended_s is None:
            return None
        recent = sum(onset_s - earlier < CallerBefore.WINDOW_S for earlier in self.overlap_onsets_s)
        return CallerBefore(max(0.0, onset_s - self.overlap_ended_s), self.overlap_listened, recent)

    def late_piece(self, now_s: float, late_piece_s: float) -> bool:
        """Whether a text that comes now, with no new voice, still belongs to the turn that was closed."""
        closed = self.turn_closed_s
        return closed is not None and not self.voice_since_turn and now_s - closed <= late_piece_s

    def may_be_echo(self, now_s: float, window_s: float) -> bool:
        """Whether the voice behind a text began while the agent could be heard, as far as anyone knows."""
        heard = self.agent_heard_s
        if heard is None or now_s - heard > window_s:
            return False
        onset = self.voice_onset_s
        return not self.voice_since_turn or onset is None or onset <= heard + ECHO_TAIL_S


def evidence_of(lap: OpenOverlap, now_s: float, status: TextStatus, with_words: bool = True) -> Evidence:
    """What is known about an open overlap now."""
    sources = [*lap.texts, *([lap.interim] if lap.interim is not None else [])] if with_words else []
    words: list[TimedWord] = []
    for text in sources:
        words.extend(text.words or words_of(text.text))
    voiced = now_s - lap.voice_started_s if lap.voice_on else (lap.voiced_s or None)
    language = next((text.language for text in reversed(sources) if text.language), None)
    return Evidence(
        words=tuple(words),
        status=status,
        since_onset_s=max(0.0, now_s - lap.onset_s),
        voiced_s=voiced,
        speech_active=lap.voice_on,
        floor=replace(lap.floor, focus_heard=lap.floor.focus_heard or lap.focus_heard),
        speaker=lap.speaker,
        language=language,
        before=lap.before,
    )


def onset_report(lap: OpenOverlap, table: LanguageTable | None) -> OverlapReport:
    """The fact as far as the onset tells it."""
    place = place_of(lap.floor, table)
    known = bool(lap.floor.delivered_text or lap.floor.remaining_text)
    kind = kind_at_onset(place, lap.floor)
    fact = OverlapFact(
        onset_s=lap.onset_s,
        kind=None if kind is None else kind.value,
        trp=place.trp if known else None,
        speaker=_speaker(lap.speaker),
        utterance_id=lap.utterance_id,
        heard_chars_at_onset=len(lap.floor.delivered_text) if known else None,
    )
    return OverlapReport(lap.number, 0, fact, attributed=lap.speaker is not None, reported_s=lap.voice_started_s)


def judged_report(lap: OpenOverlap, now_s: float, judged: Judgement, table: LanguageTable | None) -> OverlapReport:
    """The fact with its verdict; a second verdict on the same overlap counts as a revision."""
    before = lap.report or onset_report(lap, table)
    kind = kind_of(place_of(lap.floor, table), judged.verdict, judged.takes_floor)
    fact = before.fact.model_copy(
        update={
            "kind": None if kind is None else kind.value,
            "verdict": judged.verdict.value,
            "speaker": _speaker(lap.speaker),
            "words": lap.heard_text,
            "ended_s": lap.ended_s,
            "decided_s": now_s,
            "reason": judged.reason,
        }
    )
    return OverlapReport(
        lap.number,
        before.revision + 1,
        fact,
        takes_floor=judged.takes_floor,
        attributed=lap.speaker is not None,
        floor_score=judged.floor_score,
        low_certainty=any(text.low_certainty for text in lap.texts),
    )


def _speaker(speaker: Speaker | None) -> SpeakerName:
    """Without a gate speech counts as the primary speaker's; the report's `attributed` says so."""
    return "primary" if speaker is None else speaker.value
