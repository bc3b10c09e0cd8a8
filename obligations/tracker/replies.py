"""Taking a reply: what it is written down as, and in which order it is put to use.

Owns that order: the words, then the pending question, then volunteered symptoms, then the patient's own questions, then
refusals. What each means is `hearing` and `answering`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from obligations.answers.protocol import AnswerReader, AnswerReading, ReplySpeaker
from obligations.ledger import events as ev
from obligations.ledger.ledger import Ledger
from obligations.ledger.records import UtteranceRecord
from obligations.ledger.states import State, Step
from obligations.safe_side import SafeSideModel
from obligations.tracker.answering import Answering, doubtful
from obligations.tracker.beside import Beside
from obligations.tracker.correcting import Corrections
from obligations.tracker.facts import Heard, Reply, ReplyOutcome
from obligations.tracker.hearing import Hearing
from obligations.tracker.language import plain, table_of
from obligations.tracker.other_tongue import OtherTongue
from obligations.tracker.party import Party
from obligations.tracker.stand_in import Attributed, StandIn
from obligations.tracker.unasked import Unasked
from obligations.tracker.verdicts import Pending, item_spans, step_of_span
from obligations.tracker.writer import Writer

REPLY_CHARS_MAX = 8000
ONE_THOUGHT_S = 12.0
"""A question may be about the reply before it when it follows that soon; our choice, longer than a slow recogniser."""


class Replies:
    """Takes the replies of one call."""

    def __init__(
        self,
        writer: Writer,
        language: str,
        reader: AnswerReader,
        licensed: Callable[[str], bool],
        model: SafeSideModel | None = None,
    ) -> None:
        self._write = writer
        self._hearing = Hearing(writer.ledger.pathway, language)
        self._answering = Answering(writer, language, reader, self._hearing, licensed)
        self._tongue = OtherTongue(writer.ledger, language, reader, self._answering)
        self._corrections = Corrections(writer.ledger, language, reader)
        self._beside, self._reader = Beside(writer.ledger, language), reader
        self._party = Party(writer, language, reader, table_of(language))
        self._stand_in = StandIn(writer, language, reader, model)
        self._unasked = Unasked(writer, language, self._answering.told_unasked, model)

    @property
    def _ledger(self) -> Ledger:
        return self._write.ledger

    def take(self, reply: Reply) -> ReplyOutcome:
        """Write one reply and everything it does."""
        begin = self._ledger.next_seq
        onset = reply.onset_during if reply.onset_during in self._ledger.call.utterances else None
        at_onset = self._heard_at_onset(onset, reply.heard_chars_at_onset)
        if reply.is_backchannel:
            self._replied(Attributed(reply, Heard()), onset, at_onset)
            return ReplyOutcome(events=self._ledger.events_since(begin))
        elsewhere = self._party.somebody_else
        checking = self._party.asked_for
        taken = self._hearing.take_apart(reply.text, self._said_before(reply))
        heard = self._party.settle(taken, reply)
        whose = self._stand_in.attribute(reply, heard, checking=checking)
        heard = whose.heard
        pending = self._answering.pending(onset, at_onset, reply.spoken_s)
        replied = self._replied(whose, onset, at_onset)
        if whose.came:
            self._stand_in.patient_came(replied)
            asked = pending if pending is not None and pending.focus_heard else None
            self._answering.begun(replied, heard.answer_text, asked)
        if whose.came or self._party.came(replied, heard, elsewhere):
            self._unasked.take(replied)
            return ReplyOutcome(events=self._ledger.events_since(begin), intents=replied.intents)
        if whose.comes and whose.reply.by_voice:
            self._stand_in.patient_came(replied)
        reading = None if heard.holding else self._answer(replied, heard, pending)
        self._unasked.take(replied)
        self._questions(replied, whose, answered=reading is not None and reading.certain)
        first_hand = replied.speaker is not ReplySpeaker.THIRD_PARTY and not replied.unconfirmed
        if first_hand and "refuse" in replied.intents and (pending is None or not pending.focus_heard):
            self._refuse(replied, onset)
        if whose.comes and not whose.reply.by_voice:
            self._stand_in.patient_came(replied)
        return ReplyOutcome(
            events=self._ledger.events_since(begin),
            question_id=pending.record.id if pending is not None else None,
            reading=reading,
            intents=replied.intents,
            matched_faq=heard.faq if whose.on_line else (),
            unanswerable_question=heard.unanswerable,
            holding=heard.holding,
        )

    def _said_before(self, reply: Reply) -> str:
        """The last reply, while a question may still be about it: a pause makes two replies of one thought.

        Not one that asked something itself: what is asked behind its answer is about the answer.
        """
        call = self._ledger.call
        last = next(reversed(call.replies.values()), None)
        if last is None or last.reply_id in call.faq_replies or last.speaker != reply.speaker:
            return ""
        return last.text if reply.now_s - last.at_s <= ONE_THOUGHT_S else ""

    def broke_off(self, text: str, speaker: ReplySpeaker, now_s: float) -> None:
        """Keep words that the end of the call cut off, and flag what they begin to say; they close nothing."""
        pending = self._answering.pending(None, None)
        asked = pending if pending is not None and pending.focus_heard and pending.record.owed else None
        question_id = asked.record.id if asked is not None else None
        self._write(ev.WordsLeft, now_s, text=text, speaker=speaker, question_id=question_id)
        begun = ev.Replied(seq=self._ledger.next_seq, at_s=now_s, reply_id="", text=text, speaker=speaker)
        self._answering.begun(begun, self._hearing.take_apart(text).answer_text, asked)
        self._unasked.take(begun)

    def read_again(self, utterance: UtteranceRecord, now_s: float) -> None:
        """Take back answers to questions that prove not to have been heard when they were answered."""
        unheard = {span.id for span in item_spans(utterance) if span.need_end > utterance.heard_chars}
        for item_id in unheard:
            answer = self._ledger.items[item_id].answer
            reply = self._ledger.call.replies.get(answer.reply_id) if answer is not None else None
            if answer is not None and reply is not None and reply.onset_during == utterance.id:
                fields = {"value": answer.value, "speaker": answer.speaker, "label": answer.label, "by": answer.by}
                self._write.step(item_id, Step.DOUBTED, now_s, reply_id=answer.reply_id, **fields)

    def _replied(self, whose: Attributed, onset: str | None, at_onset: int | None) -> ev.Replied:
        reply, heard = whose.reply, whose.heard
        return self._write(
            ev.Replied,
            reply.now_s,
            reply_id=f"r{len(self._ledger.call.replies) + 1}",
            text=reply.text[:REPLY_CHARS_MAX],
            speaker=reply.speaker,
            label=reply.label,
            onset_during=onset,
            heard_chars_at_onset=at_onset,
            backchannel=reply.is_backchannel,
            holding=heard.holding,
            intents=heard.intents if whose.on_line else (),
            told=bool(heard.answer_text),
            whose_by=whose.by,
            unconfirmed=reply.unconfirmed,
        )

    def _heard_at_onset(self, onset: str | None, given: int | None) -> int | None:
        if onset is None or given is None:
            return None
        utterance = self._ledger.call.utterances[onset]
        limit = utterance.heard_chars if utterance.ended else len(utterance.text)
        return max(0, min(given, limit))

    def _answer(self, replied: ev.Replied, heard: Heard, pending: Pending | None) -> AnswerReading | None:
        reading: AnswerReading | None = None
        if pending is not None and pending.focus_heard:
            pending = self._asked(pending, replied.at_s)
        heard = self._corrected(replied, heard, pending)
        if pending is not None:
            reading = self._answering.take(replied, heard, pending)
        self._answering.volunteered(replied, heard.answer_text, pending)
        if pending is not None and pending.focus_heard:
            put = self._ledger.items[pending.record.id]
            own = replied.speaker is not ReplySpeaker.THIRD_PARTY
            if own and self._beside.gainsaid(heard.answer_text, put, self._reader):
                self._answering.told_unasked(replied, put.id)
        self._tongue.look(replied, pending)
        return reading

    def _corrected(self, replied: ev.Replied, heard: Heard, pending: Pending | None) -> Heard:
        """Take what corrects an earlier answer out of a reply, and give what is left for the question that was put."""
        if replied.speaker is ReplySpeaker.THIRD_PARTY or not heard.answer_text:
            return heard
        put = pending.record if pending is not None and pending.focus_heard else None
        found, rest = self._corrections.find(
            heard.answer_text, put, replied.speaker, running=replied.onset_during is not None
        )
        taken = [self._answering.correct(replied, c.record, doubtful(c.reading, replied), named=c.named) for c in found]
        if not any(taken):
            return heard
        for correction in found:
            if pending is not None and put is not None and not correction.named:
                self._answering.may_mean(replied, pending, correction.reading)
        return replace(heard, answer_text=rest)

    def _asked(self, pending: Pending, now_s: float) -> Pending:
        """The focus was heard when the reply began, though the utterance may not have ended: the question was asked."""
        record, utterance = pending.record, pending.utterance
        if utterance.ended or record.state is State.ASKED:
            return pending
        self._write.heard(record.id, step_of_span(record, pending.span, utterance), utterance, now_s)
        return Pending(self._ledger.items[record.id], utterance, pending.span, pending.heard_chars)

    def _questions(self, replied: ev.Replied, whose: Attributed, *, answered: bool) -> None:
        """Make owed what whoever is on the line asked about; keep every other question for the team."""
        heard = whose.heard
        if whose.on_line:
            for group_id in heard.faq:
                self._write(ev.FaqAsked, replied.at_s, group_id=group_id, reply_id=replied.reply_id)
                self._write.open_group(self._ledger.pathway.group(group_id), replied.at_s, "asked by the patient")
        apart = not answered or bool(heard.faq)  # a lone "question" that answers was none; one of several is
        if heard.unanswerable is not None and apart and not self._noted(heard.unanswerable):
            self._write(
                ev.QuestionNoted,
                replied.at_s,
                text=heard.unanswerable,
                reply_id=replied.reply_id,
                speaker=replied.speaker,
            )

    def _noted(self, question: str) -> bool:
        """Whether the patient was told already that this very question cannot be answered here."""
        told = "unanswerable" in self._ledger.call.phrases_heard
        return told and any(plain(noted.text) == plain(question) for noted in self._ledger.call.noted)

    def _refuse(self, replied: ev.Replied, onset: str | None) -> None:
        """The patient does not want what the agent was saying: it is not said again, and stands in the hand-off."""
        utterance: UtteranceRecord | None = self._ledger.call.utterances.get(
            onset or self._ledger.call.last_utterance or ""
        )
        for span in item_spans(utterance) if utterance is not None else ():
            self._write.step(span.id, Step.REFUSED, replied.at_s, reply_id=replied.reply_id)
