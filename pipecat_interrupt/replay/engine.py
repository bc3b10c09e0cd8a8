"""The replay itself: a recorded call goes through the live parts' own state machines, in its own order of time.

Owns the translation from a timeline to the calls that the live pipeline would make on `OverlapSession` and `Tracker`.
Pure: no clock, no file, no task. The verdicts are the session's and the judge's, the steps of the ledger the tracker's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from obligations.answers.protocol import AnswerReader, ReplySpeaker
from obligations.answers.reader import LocalAnswerReader
from obligations.pathway.models import Pathway
from obligations.tracker import Reply, Tracker
from pipecat_interrupt.facts import OverlapFact, UtteranceRecord
from pipecat_interrupt.kit.kit import GATED_SPEECH_S_TO_YIELD
from pipecat_interrupt.overlap.actions import Action, Forward, Refuse, Report, Text
from pipecat_interrupt.overlap.evidence import Speaker
from pipecat_interrupt.overlap.facts import OverlapReport
from pipecat_interrupt.overlap.judge import OverlapJudge
from pipecat_interrupt.overlap.moves import LATE_TEXT_S_MAX
from pipecat_interrupt.overlap.session import OverlapSession
from pipecat_interrupt.replay.floor import RecordingFloor
from pipecat_interrupt.replay.gating import RecordingGate, Ruled
from pipecat_interrupt.replay.ledgering import AgentSide
from pipecat_interrupt.replay.moments import Moment, Moments, What
from pipecat_interrupt.replay.person import PersonSide
from pipecat_interrupt.replay.settings import ReplaySettings
from pipecat_interrupt.replay.unclear import Garbled, garbled_in
from pipecat_interrupt.replay.utterances import Spoken, utterances_of
from pipecat_interrupt.replay.values import Note, Timeline, Word, split_at_pauses
from speaker_gate import CallGate


@dataclass(frozen=True, slots=True)
class FarLine:
    """Words of the far end, and what was made of them.

    Parameters:
        at_s: When they began.
        text: The words.
        speaker: Whose they were held to be.
        verdict: Of the overlap they came in; "" when the agent was silent.
        counted: Whether they went on as a turn; False for a listening sound, noise or another's voice.
    """

    at_s: float
    text: str
    speaker: str
    verdict: str = ""
    counted: bool = True


@dataclass(slots=True)
class Replayed:
    """What a replay found.

    Parameters:
        timeline: The call.
        language: Language it was read in.
        spoken: The agent's utterances with what was meant.
        records: The same as utterance records: intended, delivered, cut.
        reports: Every overlap of the far end over the agent, last report each, in order.
        lines: The far end's words.
        tracker: The ledger at the end; None without a pathway.
        notes: What a reader must know of the file.
        garbled: Items of which nothing was shown because the recogniser's words tell too little, and where to listen.
    """

    timeline: Timeline
    language: str
    spoken: list[Spoken]
    records: list[UtteranceRecord] = field(default_factory=list)
    reports: list[OverlapReport] = field(default_factory=list)
    lines: list[FarLine] = field(default_factory=list)
    tracker: Tracker | None = None
    notes: tuple[Note, ...] = ()
    garbled: Mapping[str, Garbled] = field(default_factory=dict[str, Garbled])

    @property
    def overlaps(self) -> tuple[OverlapFact, ...]:
        """The facts of all overlaps, in order of onset."""
        return tuple(report.fact for report in self.reports)


def replay_timeline(
    timeline: Timeline,
    pathway: Pathway | None,
    settings: ReplaySettings | None = None,
    *,
    reader: AnswerReader | None = None,
    gate: CallGate | None = None,
) -> Replayed:
    """Replay one call.

    Args:
        timeline: Who said what when.
        pathway: What the call must cover; None for overlaps and heard-truth alone.
        settings: Everything that has a default.
        reader: Reads replies; the local rules when None.
        gate: A gate made for this call; used when the timeline holds the far end's sound.

    Promises: deterministic; the same timeline, pathway and settings give the same result on every machine.

    Raises:
        UnknownLanguage: The pathway has no wording in the call's language.
    """
    settings = settings or ReplaySettings()
    return _Engine(timeline, pathway, settings, reader or LocalAnswerReader(), gate).run()


class _Engine:
    def __init__(
        self,
        timeline: Timeline,
        pathway: Pathway | None,
        settings: ReplaySettings,
        reader: AnswerReader,
        gate: CallGate | None,
    ) -> None:
        self._timeline, self._settings = timeline, settings
        wanted = settings.language or timeline.language
        self._person = self._person_side(pathway, wanted, reader)
        self.tracker = self._tracker(pathway, wanted, self._person.reader if self._person is not None else reader)
        language = self.tracker.language if self.tracker is not None else wanted or "en"
        self.language = language
        self._gate = self._recording_gate(gate)
        changed: dict[str, object] = {"language": language}
        if self._gate is not None and "speech_s_to_yield" not in settings.overlap.model_fields_set:
            changed["speech_s_to_yield"] = GATED_SPEECH_S_TO_YIELD
        self.session = OverlapSession(OverlapJudge(settings.overlap.model_copy(update=changed)))
        self.stretches = _stretches(timeline, settings.split_far_s)
        onsets_s = [words[0].start_s for words in self.stretches]
        spoken = utterances_of(timeline.agent, pathway, language, settings, onsets_s)
        self.agent = AgentSide(spoken, self.tracker, settings, self._person)
        self.floor = RecordingFloor(spoken, self.tracker)
        self._moments = Moments()
        self._reports: dict[int, OverlapReport] = {}
        self._lines: list[FarLine] = []
        self._turn: list[tuple[int, str, ReplySpeaker]] = []
        self._turns = 0
        self._onset: tuple[str | None, int | None] = (None, None)
        self._sounding: int | None = None
        self._lap_of: dict[int, int] = {}
        self._ruled: dict[int, Ruled] = {}

    def run(self) -> Replayed:
        self._fill()
        while (moment := self._moments.pop()) is not None:
            if moment.done:
                continue
            self._ticks(moment.at_s)
            self._take(moment)
        end_s = max([self._timeline.duration_s, *(spoken.end_s for spoken in self.agent.spoken)])
        self._ticks(end_s + LATE_TEXT_S_MAX)  # nothing more comes: what waits for a late text need not wait
        self._do(self.session.end(end_s))
        self._end_turn(end_s)
        self.agent.name_cuts(self.reported_cut)
        if self._gate is not None:
            self._gate.close()
        if self.tracker is not None:
            self.tracker.handoff(self._timeline.ended, end_s)
        return Replayed(
            timeline=self._timeline,
            language=self.language,
            spoken=self.agent.spoken,
            records=self.agent.records,
            reports=[self._reports[number] for number in sorted(self._reports)],
            lines=sorted(self._lines, key=lambda line: line.at_s),
            tracker=self.tracker,
            notes=(*self._timeline.notes, *self.agent.notes(), *self._gate_notes()),
            garbled=garbled_in(self._timeline, self.agent.spoken, self.tracker),
        )

    # ---- the order of things

    def _fill(self) -> None:
        for index, utterance in enumerate(self.agent.spoken):
            self._moments.add(utterance.start_s, What.AGENT_STARTS, index)
            self._moments.add(utterance.end_s, What.AGENT_ENDS, index)
        stop_s = self._settings.voice_stop_s
        for index, words in enumerate(self.stretches):
            onset_s, end_s = words[0].start_s, words[-1].end_s
            self._moments.add(onset_s, What.VOICE_STARTS, index)
            self._moments.add(end_s + stop_s, What.VOICE_STOPS, index)
            self._moments.add(end_s + stop_s + self._settings.text_delay_s, What.TEXT, index)

    def _take(self, moment: Moment) -> None:
        at_s, index = moment.at_s, moment.index
        if moment.what is What.AGENT_STARTS:
            self._agent_starts(index, at_s)
        elif moment.what is What.AGENT_ENDS:
            self.agent.ends(index, at_s, self.reported_cut)
        elif moment.what is What.VOICE_STARTS:
            self._voice_starts(index, at_s)
        elif moment.what is What.VOICE_STOPS:
            self._voice_stops(index, at_s)
        elif moment.what is What.TEXT:
            self._text(index, at_s)
        elif index == self._turns:
            self._end_turn(at_s)

    def _ticks(self, until_s: float) -> None:
        while (due_s := self.session.deadline_s) is not None and due_s <= until_s:
            self._do(self.session.tick(due_s))
            if self.session.deadline_s == due_s:
                return

    # ---- what happens

    def _agent_starts(self, index: int, at_s: float) -> None:
        """The agent takes the floor: what the far end had said before is over, and its text counts from here."""
        self._settle(at_s)
        if self._sounding is None:
            self._end_turn(at_s)
        self.agent.starts(index, at_s)
        self.session.agent_heard(at_s)

    def _settle(self, at_s: float) -> None:
        """Bring forward the ends and texts of stretches that are really over."""
        for waiting in self._moments.waiting(What.VOICE_STOPS, What.TEXT):
            if self.stretches[waiting.index][-1].end_s <= at_s:
                waiting.done = True
                self._take(Moment(at_s, waiting.what, waiting.index))

    def _voice_starts(self, index: int, at_s: float) -> None:
        floor, utterance_id = self.floor.at(at_s)
        if floor.audible and self.session.turn_open and self._sounding is None:
            self._settle(at_s)
            self._end_turn(at_s)  # a voice over the agent is an overlap of its own, never the rest of an old turn
        self._turns += 1
        self._sounding = index
        detected_s = min(at_s + self._settings.voice_start_s, max(at_s, self.stretches[index][-1].end_s))
        before = len(self._reports)
        self._do(self.session.voice_started(detected_s, at_s, floor, utterance_id))
        if len(self._reports) > before or self.session.open_overlap:
            self._lap_of[index] = max(self._reports)
        self._attribute(index, detected_s, floor.recent_text)

    def _attribute(self, index: int, detected_s: float, agent_said: str) -> None:
        """Ask the gate; it hears the whole stretch at once, so it never lets another's voice hold the floor a while."""
        if self._gate is None:
            return
        words = self.stretches[index]
        ruled = self._gate.rule(words, words[-1].end_s, agent_said, self._agent_during(words))
        self._ruled[index] = ruled
        if ruled.voice is not None:
            self._do(self.session.attributed(detected_s, ruled.voice))

    def _voice_stops(self, index: int, at_s: float) -> None:
        if self._sounding == index:
            self._sounding = None
        floor, _ = self.floor.at(at_s)
        self._do(self.session.voice_stopped(at_s, floor))

    def _text(self, index: int, at_s: float) -> None:
        words = self.stretches[index]
        floor, utterance_id = self.floor.at(at_s)
        text, says = " ".join(word.text for word in words), None
        if index in self._ruled:
            ruled = self._ruled[index]
            says, text = ruled.voice, ruled.passed
            self._reported_words(words[0].start_s, ruled, at_s)
        if text:
            self._do(self.session.text(at_s, Text(index, text), floor, utterance_id, says))
        else:
            self._do(self.session.segment_empty(at_s, floor))
        self._moments.add(at_s + max(0.0, self._settings.turn_gap_s), What.TURN_ENDS, self._turns)

    def _agent_during(self, words: tuple[Word, ...]) -> bool:
        return any(self.floor.utterance_at(t) is not None for w in words for t in (w.start_s, w.end_s))

    def _reported_words(self, at_s: float, ruled: Ruled, now_s: float) -> None:
        for text in ruled.reports:
            self._lines.append(FarLine(at_s, text, "third_party", counted=False))
            if self.tracker is not None:
                reply = Reply(text=text, now_s=now_s, speaker=ReplySpeaker.THIRD_PARTY, label="third party")
                self.tracker.reply(reply)

    # ---- what the session answers

    def _do(self, actions: list[Action]) -> None:
        for action in actions:
            if isinstance(action, Report):
                self._report(action.report)
            elif isinstance(action, Forward):
                self._forward(action.text)
            elif isinstance(action, Refuse):
                self._refuse(action)

    def _report(self, report: OverlapReport) -> None:
        self._reports[report.overlap_id] = report
        if report.takes_floor and report.revision > 0:
            self._onset = (report.fact.utterance_id, report.fact.heard_chars_at_onset)

    def _forward(self, text: Text) -> None:
        ruled = self._ruled.get(text.number)
        speaker = ruled.speaker if ruled is not None else ReplySpeaker.PRIMARY
        self._turn.append((text.number, text.text, speaker))

    def _refuse(self, action: Refuse) -> None:
        number = action.text.number
        self._lines.append(
            FarLine(
                self.stretches[number][0].start_s,
                action.text.text,
                _voice_name(self._ruled.get(number)),
                action.verdict.value,
                counted=False,
            )
        )

    def _end_turn(self, at_s: float) -> None:
        """The far end's turn is over: what it said is a reply."""
        turn, self._turn = self._turn, []
        onset, self._onset = self._onset, (None, None)
        if self.session.turn_open:
            self.session.turn_stopped(at_s)
        if not turn:
            return
        speakers = [speaker for _, _, speaker in turn]
        speaker = ReplySpeaker.UNSURE if ReplySpeaker.UNSURE in speakers else speakers[0]
        text = " ".join(said for _, said, _ in turn)
        verdict = self._verdict_of(turn[0][0]) if onset[0] is not None else ""
        self._lines.append(FarLine(self.stretches[turn[0][0]][0].start_s, text, speaker.value, verdict))
        if self.tracker is not None:
            reply = Reply(
                text=text,
                now_s=at_s,
                speaker=speaker,
                onset_during=onset[0],
                heard_chars_at_onset=onset[1],
                by_voice=self._timeline.patient_named and speaker is ReplySpeaker.PRIMARY,
            )
            if self._person is None:
                self.tracker.reply(reply)
                return
            began_s, spoken = self.stretches[turn[0][0]][0].start_s, self.agent.spoken
            reply = self._person.hear(reply, began_s, spoken, self.tracker)
            outcome = self.tracker.reply(reply)
            for more in self._person.to_the_whole_list(reply, outcome, began_s, spoken):
                self.tracker.reply(more)

    def _verdict_of(self, stretch: int) -> str:
        report = self._reports.get(self._lap_of.get(stretch, 0))
        return report.fact.verdict if report is not None else ""

    def reported_cut(self, utterance: Spoken) -> OverlapFact | None:
        """The overlap that took the floor from an utterance; None when none did."""
        taking = [
            report.fact
            for report in self._reports.values()
            if report.fact.utterance_id == utterance.id and report.takes_floor is not False
        ]
        return taking[-1] if taking else None

    # ---- beginnings

    def _tracker(self, pathway: Pathway | None, language: str | None, reader: AnswerReader) -> Tracker | None:
        if pathway is None:
            return None
        return Tracker(
            pathway,
            call_id=self._timeline.call_id,
            reader=reader,
            language=language,
            licences=self._settings.licences,
        )

    def _person_side(self, pathway: Pathway | None, language: str | None, reader: AnswerReader) -> PersonSide | None:
        kind = self._settings.agent_is
        if pathway is None or kind == "software" or (kind == "auto" and not self._timeline.by_person):
            return None
        return PersonSide(pathway, pathway.resolve_language(language), reader)

    def _recording_gate(self, gate: CallGate | None) -> RecordingGate | None:
        if gate is None or self._timeline.far_audio is None:
            return None
        return RecordingGate(gate, self._timeline.far_audio, self._timeline.agent_audio)

    def _gate_notes(self) -> tuple[Note, ...]:
        if self._gate is None or not self._gate.faults:
            return ()
        return (Note("gate_failed", f"the speaker gate failed on {self._gate.faults} stretches; their words passed"),)


def _stretches(timeline: Timeline, pause_s: float) -> list[tuple[Word, ...]]:
    """The far end's stretches of voice: words with no pause of a voice detector's length between them."""
    words = sorted(
        (word for piece in timeline.far for word in piece.words), key=lambda word: (word.start_s, word.end_s)
    )
    return split_at_pauses(words, pause_s)


def _voice_name(ruled: Ruled | None) -> str:
    voice = ruled.voice if ruled is not None else None
    return (voice or Speaker.PRIMARY).value if ruled is None or voice is not None else "unsure"
