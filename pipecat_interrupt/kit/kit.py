"""`InterruptKit`: makes all parts of one call, places them in a pipeline, and gives the results.

Owns the wiring and nothing else. One kit serves one call; make a new one for the next.
"""

from __future__ import annotations

import sys
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from loguru import logger
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.turns.user_stop import BaseUserTurnStopStrategy, SpeechTimeoutUserTurnStopStrategy
from pipecat.turns.user_turn_strategies import UserTurnStrategies

from obligations.answers.protocol import AnswerReader
from obligations.answers.reader import LocalAnswerReader
from obligations.handoff import Handoff, to_markdown
from obligations.pathway import Pathway
from obligations.steering import SteeringPolicy
from obligations.stores import StoreAlarm
from pipecat_interrupt.delivery import ContextRepair, DeliveryRecorder, ToolCallRepair
from pipecat_interrupt.errors import PipelineError
from pipecat_interrupt.gate import SpeakerGateProcessor
from pipecat_interrupt.hold import HoldParts, build_hold
from pipecat_interrupt.hold.reference import EchoReference
from pipecat_interrupt.journal import JournalSink, MemorySink
from pipecat_interrupt.journal.entries import CallStarted, Trouble
from pipecat_interrupt.kit.arguments import check_arguments, check_loop
from pipecat_interrupt.kit.closing import CallClosing
from pipecat_interrupt.kit.floor import KitFloor
from pipecat_interrupt.kit.gate_items import GateItems
from pipecat_interrupt.kit.gate_party import GateParty
from pipecat_interrupt.kit.history import talk_so_far
from pipecat_interrupt.kit.journalling import open_journal
from pipecat_interrupt.kit.keeping import CallKeeping, make_tracker
from pipecat_interrupt.kit.placement import PartList, find_anchors, place
from pipecat_interrupt.kit.recogniser import acquaint, words_on_their_way
from pipecat_interrupt.kit.scribe import Scribe
from pipecat_interrupt.kit.settings import KitSettings
from pipecat_interrupt.kit.summarise import summarise
from pipecat_interrupt.kit.unread import end_unread
from pipecat_interrupt.lint import Finding, lint
from pipecat_interrupt.live import RtviFacts, SpanExport
from pipecat_interrupt.overlap.config import OverlapConfig
from pipecat_interrupt.overlap.judge import OverlapJudge
from pipecat_interrupt.overlap.processor import OverlapProcessor
from pipecat_interrupt.steering import (
    Acknowledger,
    CallClock,
    CallCloser,
    CallFrame,
    Conductor,
    PathwayAcknowledger,
    SteeringProcessor,
    WordsTap,
    end_door,
    frame_notices,
    join_frame,
    lint_transfer,
    model_taps,
    policy_for,
)
from pipecat_interrupt.summary import CallSummary

if TYPE_CHECKING:
    from pipecat_interrupt.carrier import CarrierPlayback

GATED_SPEECH_S_TO_YIELD = 2.2
"""With a gate, a voice that nobody knows yet yields later: a third party is told by 2.0 (16 kHz) to 2.2 s (telephone)
after the onset in 95 of 100 (docs/metrics/speaker_gate.md), which is up to 2.0 s after detection. A voice known as the
primary speaker's yields as soon as without a gate, and the agent is held silent from the start either way."""


class InterruptKit:
    """Everything one call needs.

    Args:
        pathway: What the call must cover: a bundled name, a file, or a `Pathway`; a call opened with `keep_call`, whose
            ledger outlives this worker; None for heard-truth and overlap judgement alone.
        journal: JSONL file of the call's journal, gone on with when it holds this call already, refused when it holds
            another; a file of its own where another worker is writing it. None keeps the journal in memory.
        call_id: The call's name in every record; made up when None.
        settings: Everything else that has a default.
        policy: How hard to steer.
        reader: Reads replies; the local rules when None.
        acknowledger: How replies are reacted to when the pathway leads.
        gate: Whose voice speaks and what it may do; None: every voice counts as the primary speaker's, so marked.
        carrier: Playback marks of a telephone carrier; its serializer takes the same object. None: `playout_lag_s`.
        frame: Who finds answering machines and who puts calls through; None: neither.
        sinks: Further journal sinks.
        spill: Folder for entries that a sink could not take; `pipecat-interrupt journal reconcile` brings them home.
        rtvi: Tells RTVI clients what the call knows; one a call.
        spans: Makes OpenTelemetry spans of it; one a call.
        on_handoff: Called once with the hand-off when the call is over, however it ends; not where another worker
            gives it.

    Raises:
        PathwayError: The pathway cannot be read; the message names file, line and field.
        SettingsError, PipelineError: What was given does not fit: a kept call, a kind, another call's journal.
    """

    def __init__(
        self,
        pathway: str | Path | Pathway | CallKeeping | None = None,
        *,
        journal: str | Path | None = None,
        call_id: str | None = None,
        settings: KitSettings | None = None,
        policy: SteeringPolicy | None = None,
        reader: AnswerReader | None = None,
        acknowledger: Acknowledger | None = None,
        gate: SpeakerGateProcessor | None = None,
        carrier: CarrierPlayback | None = None,
        frame: CallFrame | None = None,
        sinks: Sequence[JournalSink] = (),
        spill: str | Path | None = None,
        rtvi: RtviFacts | None = None,
        spans: SpanExport | None = None,
        on_handoff: Callable[[Handoff], None] | None = None,
    ) -> None:
        check_arguments({name: value for name, value in locals().items() if name != "self"})
        kept = self.kept = pathway if isinstance(pathway, CallKeeping) else None
        if kept is not None:
            kept.check(call_id, settings, {"policy": policy, "reader": reader})
        self.settings = settings or (kept.settings if kept is not None else KitSettings())
        self.call_id = kept.call_id if kept is not None else call_id or uuid.uuid4().hex
        needing = {"policy": policy, "reader": reader, "acknowledger": acknowledger, "on_handoff": on_handoff}
        self.unused_without_pathway = tuple(name for name, given in needing.items() if given is not None)
        self.clock = CallClock(kept.call.resumed_at_s if kept is not None else 0.0)
        self.memory = MemorySink()
        opened = open_journal(self.call_id, journal, (self.memory, *sinks), spill)
        self.journal, self._journal_notices = opened.writer, opened.notices
        self._journalled = kept.call.resumed_events if kept is not None and opened.before is not None else 0
        self.rtvi, self.spans = rtvi, spans
        self.carrier, self.frame = carrier, frame or CallFrame()
        self.recorder = self._make_recorder()
        self.scribe = Scribe(self.journal, self.clock)
        policy = policy_for(self.frame, policy)
        self.tracker = make_tracker(pathway, self.call_id, self.settings, reader or LocalAnswerReader(), policy)
        self.floor = KitFloor(self.recorder, self.language, self.tracker)
        self.gate = gate
        self.echo = EchoReference(gate)
        self.overlap = OverlapProcessor(
            judge=OverlapJudge(self._overlap_config()),
            floor=self.floor,
            speaker=self.echo,
            listeners=[self.scribe],
        )
        if gate is not None:
            gate.overlap = self.overlap
            gate.add_listener(self.scribe)
        self.words = WordsTap(self.clock)
        self.acknowledger: Acknowledger = acknowledger or PathwayAcknowledger()
        self.conductor = self._make_conductor()
        self.closing = CallClosing(self.tracker, self.journal, self.clock.now_s, self.words, on_handoff, kept)
        self.hold: HoldParts | None = None
        self._listen()

    @property
    def language(self) -> str:
        """The call's language, as the pathway names it."""
        return self.tracker.language if self.tracker is not None else self.settings.language

    @property
    def resumed(self) -> bool:
        """Whether another worker began this call: it has been greeted already."""
        return self.kept is not None and self.kept.call.resumed

    def talk_so_far(self) -> list[dict[str, str]]:
        """What was heard and replied so far, as messages for the context of a model; [] without a pathway."""
        return talk_so_far(self.tracker) if self.tracker is not None else []

    # ---- placing

    def instrument(self, processors: Sequence[FrameProcessor]) -> list[FrameProcessor]:
        """Place all parts around the processors of a bot.

        Args:
            processors: `[transport.input(), stt, pair.user(), llm, tts, transport.output(), pair.assistant()]`, in this
                order, with anything else between them.

        Returns:
            The list for `Pipeline(...)`.

        Raises:
            PipelineError: A processor is missing or misplaced, or the kit has been used before.
        """
        if self.hold is not None:
            raise PipelineError("this kit is placed already; one kit serves one call, make a new one")
        anchors = find_anchors(processors)
        self.hold = build_hold(anchors.output)
        self.hold.controller.add_listener(self.scribe.on_hold)
        self.echo.attach(self.hold)
        self.overlap.hold = self.hold.controller
        self.floor.hold = self.hold.controller
        acquaint(self.overlap, anchors.stt, self.gate)
        parts = PartList(
            first=(end_door(self.conductor), *((self.spans.tap(),) if self.spans is not None else ())),
            before_user=(*self.frame.detector(), *((self.gate,) if self.gate else ()), self.overlap, self.words),
            after_user=() if self.conductor is None else (SteeringProcessor(self.conductor, self.words),),
            before_tts=(*model_taps(self.conductor), self.recorder.intended_tap()),
            after_tts=(self.recorder.generated_tap(),),
            before_output=(*self._last_word(), self.hold.before_output),
            after_output=(
                self.hold.after_output,
                self.recorder.delivered_tap(),
                *((self.carrier.tap(self.recorder),) if self.carrier is not None else ()),
                *((self.gate.agent_tap(),) if self.gate is not None else ()),
                *((ContextRepair(self.recorder), ToolCallRepair()) if self.settings.repair_context else ()),
                CallCloser(self._over, self.kept.settled if self.kept is not None else None),
                *((self.rtvi.outlet(),) if self.rtvi is not None else ()),
            ),
        )
        placed = end_unread(place(processors, anchors, parts), anchors.user)
        for finding in (*self.lint(placed, sources=()), *lint_transfer(anchors.output, self.frame)):
            logger.warning("pipeline: {}", finding)
        return placed

    def lint(self, pipeline: object, *, sources: Sequence[Path] | None = None) -> list[Finding]:
        """Name what Pipecat or the kit was given and silently ignores; [] when there is nothing.

        Args:
            pipeline: The `PipelineWorker` (says most), a `Pipeline`, or a list of processors.
            sources: Source files to read as well, for arguments that leave no trace in the objects; None reads the
                file this is called from, () none. `instrument()` logs the findings that need no source and no worker.

        Returns:
            Findings with a stable code, where, what and a fix; the table of codes is docs/lint.md.

        Raises:
            TypeError: `pipeline` is none of these.
            SettingsError: A source is not Python.
        """
        if sources is None:
            caller = Path(sys._getframe(1).f_code.co_filename)
            sources = (caller,) if caller.is_file() else ()
        return lint(pipeline, kit=self, sources=sources)

    def turn_strategies(self, stop: Sequence[BaseUserTurnStopStrategy] | None = None) -> UserTurnStrategies:
        """Give the strategies for `LLMUserAggregatorParams(user_turn_strategies=...)`.

        Args:
            stop: When a turn of the patient is over; None waits for `settings.user_speech_timeout_s` of silence.
        """
        timeout_s = self.settings.user_speech_timeout_s
        ends: list[BaseUserTurnStopStrategy] = list(stop or ())
        ends = ends or [SpeechTimeoutUserTurnStopStrategy(user_speech_timeout=timeout_s)]
        return UserTurnStrategies(start=[self.overlap.start_strategy()], stop=ends)

    def begin(self) -> None:
        """The line is open: say the first thing, when the pathway leads. Call it once, when the client is there."""
        check_loop("begin()")
        if self.conductor is not None:
            self.conductor.begin()

    def approved_reactions(self) -> tuple[str, ...]:
        """The reactions a model may choose from, the neutral one first; () without a pathway."""
        return self.conductor.approved_reactions() if self.conductor is not None else ()

    # ---- results

    def summary(self, timings: dict[str, float | int | None] | None = None) -> CallSummary:
        """Give the call so far, or the whole call when it is over."""
        return summarise(
            system=self.settings.system,
            call_id=self.call_id,
            records=self.scribe.records,
            tracker=self.tracker,
            timings=timings,
        )

    @property
    def handoff(self) -> Handoff | None:
        """The hand-off; None before the end, or without a pathway."""
        return self.closing.handoff

    def handoff_markdown(self) -> str:
        """The hand-off as a page for people; "" before the end."""
        return to_markdown(self.handoff) if self.handoff is not None else ""

    # ---- inside

    def _make_recorder(self) -> DeliveryRecorder:
        s = self.settings
        return DeliveryRecorder(
            s.playout_lag_s,
            language=s.language,
            agent_id=s.agent_id,
            model_id=s.model_id,
            configuration_hash=s.digest,
            playout=self.carrier,
            utterances_before=self.kept.utterances_before if self.kept is not None else 0,
        )

    def _overlap_config(self) -> OverlapConfig:
        changed: dict[str, object] = {"language": self.language}
        if self.gate is not None and "speech_s_to_yield" not in self.settings.overlap.model_fields_set:
            changed["speech_s_to_yield"] = GATED_SPEECH_S_TO_YIELD
        return self.settings.overlap.model_copy(update=changed)

    def _make_conductor(self) -> Conductor | None:
        if self.tracker is None:
            return None
        conductor = Conductor(
            self.tracker,
            self.journal,
            self.clock.now_s,
            acknowledger=self.acknowledger,
            settings=self.settings.steering,
            journalled=self._journalled,
        )
        conductor.agent_audible = self.floor.agent_audible
        conductor.words_owed, conductor.words_age_s = words_on_their_way(self.overlap)
        if self.kept is not None:
            conductor.on_moved = self.kept.changed
        join_frame(conductor, self.frame)
        self.scribe.on_floor_taken = conductor.overlap_judged
        late = self.overlap.words_late
        self.words.on_report = lambda text, age_s: conductor.reported(text, age_s, unconfirmed=late())
        return conductor

    def _listen(self) -> None:
        for exporter in (self.rtvi, self.spans):
            if exporter is not None:
                if self.tracker is not None:
                    exporter.bind(self.tracker.pathway, self.tracker.ledger.events[: self._journalled])
                self.journal.add_listener(exporter.on_entry)
        self.recorder.overlap_source = self.scribe.cutting_overlap
        self.recorder.trouble_sink = self.scribe.trouble
        for listener in (self.floor, self.scribe):
            self.recorder.add_listener(listener)
        if self.conductor is not None:
            self.recorder.add_listener(self.conductor)
        if self.gate is not None and self.tracker is not None:  # behind the conductor, which moves the ledger
            self.recorder.add_listener(GateItems(self.gate, self.tracker))
            self.journal.add_listener(GateParty(self.gate, self.tracker.pathway.right_party).on_entry)
        tracker, s = self.tracker, self.settings
        self.journal.write(
            CallStarted(
                pathway=tracker.pathway.id if tracker else None,
                pathway_version=tracker.pathway.version if tracker else None,
                language=self.language,
                system=s.system,
                agent_id=s.agent_id,
                model_id=s.model_id,
                configuration_hash=s.digest,
                versions=s.versions(),
                notices=self.notices(),
                goes_on_from=self.kept.call.resumed_events if self.kept is not None and self.resumed else None,
            ),
            self.clock.now_s(),
        )
        if tracker is not None:
            self.scribe.name_pathway(tracker.pathway, self.language)
        if self.kept is not None:
            self.kept.listen(self._store_alarm)
        if self.conductor is not None and self.resumed:
            self.conductor.write_ledger()

    def notices(self) -> tuple[str, ...]:
        """What a reader of this call's results must know: which permissions are missing."""
        found: list[str] = list(self._journal_notices)
        if self.tracker is not None:
            if not self.settings.licences:
                found.append(
                    "no licensed matcher or reader: critical points close by own wording only, and doubtful replies"
                    " are confirmed once"
                )
            if self.tracker.pathway.review != "clinically_reviewed":
                found.append("the pathway is not clinically reviewed")
            found += frame_notices(self.tracker, self.frame)
        if self.gate is None:
            found.append("no speaker gate: every voice counts as the primary speaker's")
        return tuple(found)

    def _last_word(self) -> tuple[FrameProcessor, ...]:
        def close(detail: str) -> None:
            self.recorder.end("end")  # the books are closed early: every record must stand in the journal before
            self._over("end", detail)

        settled = lambda: not self.recorder.book.open_utterances  # noqa: E731
        return () if self.rtvi is None else (self.rtvi.last_word(settled, close),)

    def _store_alarm(self, alarm: StoreAlarm) -> None:
        where, side = f"ledger store: {alarm.kind}", "the call goes on; docs/stores.md"
        self.journal.write(Trouble(where=where, error=alarm.detail, safe_side=side), self.clock.now_s())

    def _over(self, reason: str, detail: str) -> None:
        if self.conductor is not None:
            self.conductor.close()
        self.closing.over(reason, self.conductor.end_reason if self.conductor is not None else detail)
