"""A recording on which a person works through the pathway: how their questions are found and their answers taken.

Owns what differs from a voice agent, which speaks the pathway's wording and waits for one reply at a time. Moves no
ledger by itself: it tells the tracker which questions were asked, and the reader what the asker made of a reply.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from obligations.answers.protocol import AnswerKind, AnswerReader
from obligations.ledger.events import WordingSpan
from obligations.pathway.models import Pathway
from obligations.pathway.words import words_of
from obligations.tracker import Reply, ReplyOutcome, Tracker
from pipecat_interrupt.replay.asked import AskedByAPerson
from pipecat_interrupt.replay.taken import (
    NOT_TAKEN,
    Receipt,
    TakenReader,
    asks_again,
    asks_rest,
    asks_well,
    denies,
    receipt_of,
    received,
)
from pipecat_interrupt.replay.utterances import Spoken

THIRD_TURN_S = 20.0
"""What the asker says later than this after a reply is no word on it; own choice, longer than a listener's story."""

REMARK_WORDS = 4
"""An utterance of more words, or one that asks, is where the asker goes on."""

_SENTENCE_ENDS = re.compile(r"[.!?…]")


class PersonSide:
    """The agent's side of one recording, where it is a person's.

    Args:
        pathway: What they work through.
        language: BCP 47 tag of its wordings.
        reader: Reads replies by their words.
    """

    def __init__(self, pathway: Pathway, language: str, reader: AnswerReader) -> None:
        self._pathway, self._language = pathway, language
        self.reader = TakenReader(reader, pathway, language)
        self._asked = AskedByAPerson(pathway, language)
        self._listed: tuple[tuple[str, str, str, int], ...] = ()

    def asked(self, text: str, tracker: Tracker) -> tuple[WordingSpan, ...]:
        """The pathway's questions in an utterance; one that only wants the answer again asks what was asked before.

        Who asks for "any other" when they have been told of one asks for the rest, and takes nothing back.
        """
        items, waits = tracker.ledger.items, tracker.ledger.call.pending_question
        found = self._asked.find(text)
        if not found and waits is not None and asks_again(text, self._language):
            words = words_of(text)
            return (WordingSpan(id=waits, start=0, end=words[-1].end, need_end=words[-1].end, own=False),)
        told = {span.id for span in found if items[span.id].answer is not None}
        if len(told) < len(found):  # who asks about two things at once asks for what they have not been told
            return tuple(span for span in found if span.id not in told)
        return tuple(span for span in found if not asks_rest(text[span.start : span.end], self._language))

    def hear(self, reply: Reply, began_s: float, spoken: Sequence[Spoken], tracker: Tracker) -> Reply:
        """Give a reply as it counts, and tell the reader what the asker made of it.

        Args:
            reply: As for a voice agent.
            began_s: When it began.
            spoken: All utterances of the recording, in order.
            tracker: The ledger before the reply.
        """
        reply = self._to_what_it_names(_to_what_was_heard(reply, tracker), tracker)
        question = _put(reply, tracker)
        self._listed = self._in_one_list(reply, question, tracker)
        if question is None:
            self.reader.to("", NOT_TAKEN)
        else:
            receipt = self._receipt(question, reply, began_s, spoken)
            wording = self._pathway.questions[question].wording[self._language]
            self.reader.to(wording, receipt, _words_asked(reply, question, tracker))
        return reply

    def to_the_whole_list(
        self, reply: Reply, outcome: ReplyOutcome, began_s: float, spoken: Sequence[Spoken]
    ) -> Iterator[Reply]:
        """Put a no that answered the last question of a list to the others of it.

        "Any fever, any cough?" "No." Only a plain no that names none of them, and that the asker does not ask for
        again; only questions that a receipt may close.

        Args:
            reply: As `hear` gave it.
            outcome: What it did.
            began_s: When it began.
            spoken: All utterances of the recording, in order.
        """
        reading = outcome.reading
        if reading is None or reading.kind is not AnswerKind.NO or not reading.certain:
            return
        for question, utterance, words, heard_chars in self._listed:
            receipt = self._receipt(question, reply, began_s, spoken)
            if receipt.went_on and receipt.says != "yes":
                self.reader.to(self._pathway.questions[question].wording[self._language], receipt, words)
                yield replace(reply, onset_during=utterance, heard_chars_at_onset=heard_chars)

    def _in_one_list(
        self, reply: Reply, question: str | None, tracker: Tracker
    ) -> tuple[tuple[str, str, str, int], ...]:
        """The other questions a no may answer: each with its utterance, its words and where the next one begins."""
        call = tracker.ledger.call
        utterance = call.utterances.get(reply.onset_during or call.pending_utterance or "")
        if utterance is None or question is None or not denies(reply.text, self._language):
            return ()
        spans = [span for span in utterance.spans if span.id in self._pathway.questions]
        last = max((k for k, span in enumerate(spans) if span.id == question), default=0)
        found: list[tuple[str, str, str, int]] = []
        first = last
        while first > 0 and not _SENTENCE_ENDS.search(utterance.text[spans[first - 1].start : spans[first].need_end]):
            first -= 1
        for span, following in zip(spans[first:last], spans[first + 1 : last + 1], strict=True):
            words, record = utterance.text[span.start : span.end], tracker.ledger.items[span.id]
            if record.answer is None and not record.closed and self._may_be_denied(span.id, words):
                found.append((span.id, utterance.id, words, following.start))
        put = utterance.text[spans[last].start : spans[last].end]
        of_one_kind = found and self._may_be_denied(question, put)
        named = any(self._asked.names(span.id, reply.text) for span in spans[first : last + 1])
        return tuple(found) if of_one_kind and not named else ()

    def _may_be_denied(self, question_id: str, words: str) -> bool:
        question = self._pathway.questions[question_id]
        wording = question.wording[self._language]
        well = asks_well(words, self._language) or asks_well(wording, self._language)
        return question.value_type == "yes_no" and self.reader.may_take(wording) and not well

    def _to_what_it_names(self, reply: Reply, tracker: Tracker) -> Reply:
        """Of several questions put at once, a reply that names an earlier one, and not the last, answers that one."""
        call = tracker.ledger.call
        if reply.onset_during is not None or call.pending_utterance is None:
            return reply
        utterance = call.utterances[call.pending_utterance]
        put = [s for s in utterance.spans if s.id in tracker.pathway.questions and s.need_end <= utterance.heard_chars]
        if len(put) < 2 or self._asked.names(put[-1].id, reply.text):
            return reply
        for earlier, following in zip(put[-2::-1], put[:0:-1], strict=True):
            if self._asked.names(earlier.id, reply.text) and earlier.need_end <= following.start:
                return replace(reply, onset_during=utterance.id, heard_chars_at_onset=following.start)
        return reply

    def _receipt(self, question: str, reply: Reply, began_s: float, spoken: Sequence[Spoken]) -> Receipt:
        turns: list[str] = []
        for utterance in spoken:
            if not began_s < utterance.start_s <= reply.now_s + THIRD_TURN_S:
                continue
            text = utterance.intended[: utterance.said_chars]
            asks = any(span.id == question for span in self._asked.find(text))
            if asks and not received(text, self._language):
                return NOT_TAKEN  # "OK. So no allergies?" has the answer; "Any allergies?" has not
            turns.append(text)
            if "?" in text or len(text.split()) > REMARK_WORDS:
                break
        return receipt_of(turns, reply.text, self._language)


def _to_what_was_heard(reply: Reply, tracker: Tracker) -> Reply:
    """Who speaks up before a second question has said what it asks, answers the first."""
    utterance = tracker.ledger.call.utterances.get(reply.onset_during or "")
    chars = reply.heard_chars_at_onset
    if utterance is None or chars is None:
        return reply
    begun = [s for s in utterance.spans if s.id in tracker.pathway.questions and s.start < chars]
    if len(begun) > 1 and begun[-1].need_end > chars and begun[-2].need_end <= begun[-1].start:
        return replace(reply, heard_chars_at_onset=begun[-1].start)
    return reply


def _words_asked(reply: Reply, question: str, tracker: Tracker) -> str:
    call = tracker.ledger.call
    utterance = call.utterances.get(reply.onset_during or call.pending_utterance or "")
    spans = [s for s in utterance.spans if s.id == question] if utterance is not None else []
    return utterance.text[spans[-1].start : spans[-1].end] if utterance is not None and spans else ""


def _put(reply: Reply, tracker: Tracker) -> str | None:
    """The question a reply may answer."""
    call = tracker.ledger.call
    if reply.onset_during is None:
        return call.pending_question
    utterance = call.utterances.get(reply.onset_during)
    chars = reply.heard_chars_at_onset
    if utterance is None:
        return None
    chars = utterance.heard_chars if chars is None else chars
    begun = [s.id for s in utterance.spans if s.id in tracker.pathway.questions and s.start < chars]
    return begun[-1] if begun else None
