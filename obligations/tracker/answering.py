"""What a reply does to the question that was pending when it began.

Owns the rules of attribution: the question *as heard* at the reply's onset, the primary speaker's own word or the
inferred rule, one confirmation and never two, somebody else's report only as a report. Writes steps; reads words only
through the answer reader.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from obligations.answers.protocol import AnswerKind, AnswerReader, AnswerReading, QuestionText, ReplySpeaker
from obligations.ledger.events import RedFlagRaised, Replied
from obligations.ledger.items import MAY_ANSWER
from obligations.ledger.ledger import Ledger
from obligations.ledger.records import ItemRecord, UtteranceRecord
from obligations.ledger.states import State, Step
from obligations.pathway.answers import matches_any
from obligations.tracker.beside import beside_refusal
from obligations.tracker.facts import Heard
from obligations.tracker.hearing import Hearing
from obligations.tracker.language import table_of
from obligations.tracker.naming import Naming, behind_polar
from obligations.tracker.verdicts import Pending
from obligations.tracker.writer import Writer

# A reported answer is quoted when no reader can make a value of it. Our choice: a sentence or two.
REPORT_CHARS_MAX = 200
# Fewer words than these tell of nothing by themselves.
VOLUNTEERED_WORDS_MIN = 3
# So many of a question's own words tell of it, whatever other questions the same words would fit.
_NAMED_WORDS_MIN = 2
# Requests a "no" may be meant for.
_AT_THE_CALL = frozenset({"stop", "end_call", "object", "wrong_person", "callback", "refuse", "person", "go_on"})
# Who read it, where no reader did: the table of emergencies and the pathway's own words; and where the words themselves
# are in doubt.
UNASKED = "told-unasked@1"
UNCONFIRMED = "unconfirmed-words@1"
_VALUED = frozenset({AnswerKind.YES, AnswerKind.NO, AnswerKind.VALUE})


class Answering:
    """Reads replies against the questions of one call."""

    def __init__(
        self, writer: Writer, language: str, reader: AnswerReader, hearing: Hearing, licensed: Callable[[str], bool]
    ) -> None:
        self._write = writer
        self._language = language
        self._reader = reader
        self._hearing = hearing
        self._licensed = licensed
        self._table = table_of(language)
        self._naming = Naming(writer.ledger.pathway, language)

    @property
    def _ledger(self) -> Ledger:
        return self._write.ledger

    def pending(
        self, onset_during: str | None, heard_chars_at_onset: int | None, spoken_s: float | None = None
    ) -> Pending | None:
        """Find the question a reply may answer: the last one that had begun to be heard when it began.

        Words of a late recogniser were spoken before the question that is being put by now: they may answer the one
        before it, and never this one.
        """
        call = self._ledger.call
        utterance_id = onset_during or call.pending_utterance
        if utterance_id is None:
            return None
        if onset_during is None and spoken_s is not None and not _sounding_by(call.utterances[utterance_id], spoken_s):
            return self._put_before(spoken_s)
        utterance = call.utterances[utterance_id]
        heard = utterance.heard_chars
        if onset_during is not None and heard_chars_at_onset is not None:
            heard = heard_chars_at_onset
        questions = self._ledger.pathway.questions
        begun = [span for span in utterance.spans if span.id in questions and span.start < heard]
        if onset_during is None:
            begun = [span for span in begun if span.id == call.pending_question]
        if not begun:
            return None
        if self._ledger.items[begun[-1].id].closed and call.last_heard not in (None, utterance_id):
            return None  # closed, and the agent has spoken since: what is said now is no second thought about it
        return Pending(self._ledger.items[begun[-1].id], utterance, begun[-1], heard)

    def _put_before(self, spoken_s: float) -> Pending | None:
        """The question put last when these words had been spoken, if it is still owed."""
        questions = self._ledger.pathway.questions
        for utterance in reversed(self._ledger.call.utterances.values()):
            if not utterance.heard_chars or not _sounding_by(utterance, spoken_s):
                continue
            put = [span for span in utterance.spans if span.id in questions and span.start < utterance.heard_chars]
            if not put or self._ledger.items[put[-1].id].closed:
                return None
            return Pending(self._ledger.items[put[-1].id], utterance, put[-1], utterance.heard_chars)
        return None

    def take(self, reply: Replied, heard: Heard, pending: Pending) -> AnswerReading | None:
        """Read one reply against the pending question and write what it does; None when there was nothing to read."""
        if not heard.answer_text:
            if pending.focus_heard and not heard.holding:
                self._unanswered(reply, pending)
            return None
        question = self._question(pending)
        reading = doubtful(self._reader.read(question, heard.answer_text, reply.speaker), reply)
        if reading.kind is AnswerKind.NO and _AT_THE_CALL & set(reply.intents):
            reading = replace(reading, certain=False)  # "No! Stop calling me." may deny the call, not what was asked
        if not pending.focus_heard:
            return reading  # a reply to a stem ticks nothing, whatever it says
        if reply.speaker is ReplySpeaker.THIRD_PARTY or reading.kind is AnswerKind.REPORTED_BY_THIRD_PARTY:
            self._report(reply, heard, pending, question, reading)
        elif reading.suspects is not None:
            self._suspected(reply, pending.record, reading.suspects, reading)
        elif reading.kind in _VALUED:
            self._valued(reply, heard, pending, reading)
        elif reading.kind is AnswerKind.DECLINED and (
            told := beside_refusal(self._reader, question, heard.answer_text)
        ):
            self._suspected(reply, pending.record, "yes", told)
        elif reading.kind is AnswerKind.DECLINED and reply.speaker in MAY_ANSWER and not reply.unconfirmed:
            self._step(reply, pending.record, Step.DECLINED, speaker=reply.speaker, by=reading.reader)
        elif not self._agreed(reply, heard, pending, reading):
            self._unanswered(reply, pending)
        return reading

    def correct(self, reply: Replied, earlier: ItemRecord, reading: AnswerReading, *, named: bool) -> bool:
        """Take a second thought about a question answered earlier; False when the words are none.

        A plain one towards the red flag that names what was asked replaces the answer at once; any other takes it back,
        so that the question is owed again and confirmed once.
        """
        given = earlier.answer.value if earlier.answer is not None else None
        value = _value(reading) if reading.kind in _VALUED else given if reading.kind is AnswerKind.UNCLEAR else None
        if value is None:
            return False
        if reading.kind in _VALUED and value == given:
            return True
        flagged = matches_any(value, self._ledger.pathway.questions[earlier.id].red_flag_answers)
        if flagged and named and reading.certain and reply.speaker in MAY_ANSWER:
            self._answer(reply, earlier, value, reading)
            return True
        self._flag(reply, earlier, value, certain=False)
        self._take_back(reply, earlier, value, reading.reader)
        return True

    def may_mean(self, reply: Replied, pending: Pending, reading: AnswerReading) -> None:
        """Flag what a reply would say if it were meant for the question that was put, and close nothing by it."""
        value = reading.suspects or (_value(reading) if reading.kind in _VALUED else None)
        if value is not None:
            self._flag(reply, pending.record, value, certain=False)

    def begun(self, reply: Replied, text: str, pending: Pending | None) -> None:
        """Flag what broken-off words begin to say, to the question that was put and to any other."""
        if pending is not None and text:
            self.may_mean(reply, pending, self._reader.read(self._question(pending), text, reply.speaker))
        self.volunteered(reply, text, pending)

    def suspect(self, reply: Replied, record: ItemRecord, value: str) -> None:
        """Flag what a reply may say, as uncertain, and do nothing else."""
        self._flag(reply, record, value, certain=False)

    def _suspected(self, reply: Replied, record: ItemRecord, value: str, reading: AnswerReading) -> None:
        """Flag what a reply may hold beside its opposite ("No, yes"), and owe the question one confirmation."""
        self._flag(reply, record, value, certain=False)
        if not record.closed or reply.speaker in MAY_ANSWER:
            self._step(
                reply, record, Step.DOUBTED, value=value, speaker=reply.speaker, label=reply.label, by=reading.reader
            )

    def _take_back(self, reply: Replied, record: ItemRecord, value: str, by: str) -> None:
        if reply.speaker in MAY_ANSWER and reply.reply_id:
            self._step(reply, record, Step.DOUBTED, value=value, speaker=reply.speaker, label=reply.label, by=by)

    def volunteered(self, reply: Replied, text: str, pending: Pending | None) -> None:
        """Raise the red flags of questions nobody had asked, when a reply tells of exactly what they ask.

        Closes nothing: the question is still put, sooner. A bare "yes" would fit every question and so tells of none.
        """
        if len(text.split()) < VOLUNTEERED_WORDS_MIN:
            return
        if reply.speaker is ReplySpeaker.THIRD_PARTY:
            text = self._hearing.in_own_voice(text)
        mine = pending.record.id if pending is not None and pending.focus_heard else None
        flags = self._ledger.pathway.questions[mine].red_flag_answers if mine is not None else ()
        if "yes" not in flags or not self._table.leading_yes.match(text):
            text = behind_polar(text, self._table) or text
        # "Bright light bothers me" is not about flashing lights: only the question's own words take its answer back.
        told, silent, asked = list[ItemRecord](), 0, 0
        for question in self._ledger.pathway.questions.values():
            dormant = self._ledger.items[question.id].state is State.DORMANT
            if dormant or question.value_type != "yes_no" or "yes" not in question.red_flag_answers:
                continue
            heard = self._ledger.pathway.question_text(question.id, self._language)
            reading = self._reader.read(heard, text, ReplySpeaker.PRIMARY)
            asked += 1
            silent += reading.kind is AnswerKind.NOT_AN_ANSWER or not reading.certain
            if reading.kind is AnswerKind.YES and reading.certain and question.id != mine:
                told.append(self._ledger.items[question.id])
        if silent < max(1, len(told)):
            # One question has no other to tell it from: there its own words must.
            apart = silent or asked == 1
            told = [record for record in told if apart and self._naming.words_of(record.id, text) >= _NAMED_WORDS_MIN]
        # Mid-call a symptom without a word of the question takes its answer back only where it can mean no other.
        call = self._ledger.call
        leaving = "goodbye" in call.standing or bool({"goodbye", "farewell"} & set(call.phrases_tried))
        plain = leaving or len(told) == 1
        meant = self._naming.meant([record.id for record in told], text)
        for record in told:
            if record.answer is None or record.answer.value != "yes":
                self._flag(reply, record, "yes", certain=False)
                if record.closed and record.id in meant and (plain or self._naming.named(record.id, text)):
                    self._take_back(reply, record, "yes", self._reader.name)

    def told_unasked(self, reply: Replied, question_id: str) -> None:
        """Flag a question whose emergency a reply tells of, and take back an answer that says otherwise."""
        record = self._ledger.items[question_id]
        if record.answer is not None and record.answer.value == "yes":
            return
        self._flag(reply, record, "yes", certain=False)
        if record.closed and reply.reply_id:  # what the line cut off takes nothing back
            self._take_back(reply, record, "yes", UNASKED)

    def _question(self, pending: Pending) -> QuestionText:
        heard = None if pending.focus_heard else pending.utterance.text[pending.span.start : pending.heard_chars]
        question = self._ledger.pathway.question_text(pending.record.id, self._language, heard)
        check, plain = self._ledger.pathway.right_party, self._table.is_it_you
        if check is not None and check.question == pending.record.id and pending.focus_heard and plain:
            return replace(question, text=plain, heard=plain)
        return question

    def _valued(self, reply: Replied, heard: Heard, pending: Pending, reading: AnswerReading) -> None:
        record, value = pending.record, _value(reading)
        flagged = matches_any(value, self._ledger.pathway.questions[record.id].red_flag_answers)
        if record.state is State.ANSWERED and not flagged and not reading.certain:
            return  # a doubtful second thought corrects an answer only towards the red flag
        other = record.critical and pending.bent
        if other and record.answer is not None and record.answer.value == value:
            return
        if record.state is State.ANSWERED and reply.speaker in MAY_ANSWER and not other:
            if not reply.unconfirmed:
                self._answer(reply, record, value, reading)
            elif record.answer is not None and record.answer.value != value:
                self._flag(reply, record, value, certain=False)
                self._take_back(reply, record, value, reading.reader)
            return
        if record.closed and reply.speaker not in MAY_ANSWER:
            self._flag(reply, record, value, certain=False)
            return  # a voice nobody knows takes no answer back
        if record.reported is not None and not record.closed and self._agreed(reply, heard, pending, reading):
            return
        attributed = reply.speaker in MAY_ANSWER
        contradicts = record.reported is not None and record.reported.value != value and record.confirmations == 0
        second = record.doubted is not None and record.confirmations > 0
        confirmed = second and record.doubted is not None and record.doubted.value == value
        plain = (reading.certain or self._licensed(reading.reader)) and not reply.unconfirmed
        confirmed = confirmed and (plain or not reading.unsettled)  # two doubts make no certainty
        own = pending.span.own or not record.critical
        if attributed and not other and (confirmed or (plain and own and not contradicts)):
            self._answer(reply, record, value, reading, confirmed_by=reply.reply_id if confirmed else None)
            return
        self._flag(reply, record, value, certain=False)
        self._step(
            reply, record, Step.DOUBTED, value=value, speaker=reply.speaker, label=reply.label, by=reading.reader
        )

    def _agreed(self, reply: Replied, heard: Heard, pending: Pending, reading: AnswerReading) -> bool:
        """Take the primary speaker's word for somebody else's report; False when this reply is not that."""
        record, report = pending.record, pending.record.reported
        if report is None or record.closed or reply.speaker not in MAY_ANSWER or reply.unconfirmed:
            return False
        value = _value(reading) if reading.kind in _VALUED else None
        same = value == report.value
        says_so = heard.agrees and (value != "no" or report.value == "no")
        unread = report.value not in ("yes", "no") and self._ledger.pathway.questions[record.id].value_type == "yes_no"
        if unread and not self._hearing.denies(report.value):
            # Their words could not be read as yes or no, and deny nothing: a yes to them is a yes to the question.
            same, says_so = value == "yes", says_so and value is None
        elif unread:
            return False
        if not (same or says_so or (value == "yes" and not unread and report.value != "no")):
            return False
        self._answer(
            reply,
            record,
            "yes" if unread else report.value,
            reading,
            confirmed_by=reply.reply_id,
            reported_by=report.label or "a third party",
        )
        return True

    def _report(
        self, reply: Replied, heard: Heard, pending: Pending, question: QuestionText, reading: AnswerReading
    ) -> None:
        """Hold what somebody else said for the patient, as said by them."""
        record = pending.record
        own = self._reader.read(question, self._hearing.in_own_voice(heard.answer_text), ReplySpeaker.PRIMARY)
        plain = doubtful(own, reply)
        told = reading.kind is AnswerKind.REPORTED_BY_THIRD_PARTY
        if plain.kind in _VALUED:
            value = _value(plain)
        elif told and reading.value is not None:
            value = reading.value
        elif told:
            value = heard.answer_text[:REPORT_CHARS_MAX]
        else:
            return  # an aside: neither a report nor an answer
        if record.closed:
            self._flag(reply, record, value, certain=False)
            return
        delegation = self._delegation(reply)
        clear = plain.certain or self._licensed(plain.reader)
        if delegation is not None and plain.kind in _VALUED and clear and not reply.unconfirmed:
            self._answer(reply, record, value, plain, confirmed_by=delegation)
            return
        self._flag(reply, record, value, certain=False)
        self._step(
            reply, record, Step.REPORTED, value=value, speaker=reply.speaker, label=reply.label, by=reading.reader
        )

    def _delegation(self, reply: Replied) -> str | None:
        """The reply in which the primary speaker let this third party answer, if there was one."""
        reply_id = self._ledger.call.intents.get("delegate")
        if reply_id is None or reply.speaker is not ReplySpeaker.THIRD_PARTY:
            return None
        let = self._ledger.call.replies[reply_id]
        return reply_id if let.speaker in MAY_ANSWER and not let.unconfirmed else None

    def _answer(
        self,
        reply: Replied,
        record: ItemRecord,
        value: str,
        reading: AnswerReading,
        *,
        confirmed_by: str | None = None,
        reported_by: str | None = None,
    ) -> None:
        if record.closed and record.answer is not None and record.answer.value == value:
            return
        self._flag(reply, record, value, certain=True)
        self._step(
            reply,
            record,
            Step.ANSWERED,
            value=value,
            speaker=reply.speaker,
            label=reply.label,
            by=reading.reader,
            confirmed_by=confirmed_by,
            reported_by=reported_by,
        )
        if self._ledger.items[record.id].state is State.ANSWERED:
            self._write.open_follow_ups(record.id, value, reply.at_s)

    def _flag(self, reply: Replied, record: ItemRecord, value: str, *, certain: bool) -> None:
        if not matches_any(value, self._ledger.pathway.questions[record.id].red_flag_answers):
            return
        known = any(flag.item_id == record.id and flag.certain >= certain for flag in self._ledger.call.red_flags)
        if not known:
            self._write(
                RedFlagRaised,
                reply.at_s,
                item_id=record.id,
                value=value,
                speaker=reply.speaker,
                label=reply.label,
                reply_id=reply.reply_id,
                certain=certain,
            )

    def _unanswered(self, reply: Replied, pending: Pending) -> None:
        if reply.unconfirmed:
            return  # nobody has plainly evaded it
        self._step(reply, pending.record, Step.UNANSWERED)

    def _step(self, reply: Replied, record: ItemRecord, step: Step, **fields: object) -> None:
        self._write.step(record.id, step, reply.at_s, reply_id=reply.reply_id, **fields)


def doubtful(reading: AnswerReading, reply: Replied) -> AnswerReading:
    """Give what may be made of a reading: where the words are in doubt, no reader's licence makes it plain."""
    return replace(reading, certain=False, reader=UNCONFIRMED, unsettled=True) if reply.unconfirmed else reading


def _value(reading: AnswerReading) -> str:
    if reading.kind is AnswerKind.VALUE:
        return reading.value or ""
    return reading.kind.value


def _sounding_by(utterance: UtteranceRecord, spoken_s: float) -> bool:
    """Whether an utterance had begun to sound when a voice ended; unknown times are no reason to think otherwise."""
    return utterance.started_at_s is None or utterance.started_at_s <= spoken_s
