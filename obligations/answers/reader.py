"""The local answer reader: rules and idioms of the call's own language, no model, no network.

Owns weighing the clauses of a reply against the question that was heard. Anything it cannot read is UNCLEAR; a third
party never answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from obligations.answers.beside import is_courtesy
from obligations.answers.clauses import Clause, split_clauses, with_topic
from obligations.answers.cues import Cue, Signal, read_clause, read_clauses
from obligations.answers.doubt import UNREAD_WORDS_MIN, doubtful, doubtful_number, over_the_stretch
from obligations.answers.idioms import idioms_for
from obligations.answers.idioms.model import Idioms
from obligations.answers.protocol import AnswerKind, AnswerReading, QuestionText, ReplySpeaker
from obligations.answers.question import VALUE_FORMS, Heard, Question, QuestionForm, analyse
from obligations.answers.second_look import second_look, set_apart
from obligations.answers.subject import names_focus, names_the_asked
from obligations.answers.values import holds_a_number, read_value
from obligations.answers.weighing import POLAR, after_correction, denies_a_part, kind_of, last_index, reversed_by
from obligations.coverage.flat import flatten

REPLY_CHARS_MAX = 2000

_VERBS_AT_WORD_MAX = 3
_LEAVE = frozenset({Cue.YES, Cue.NO, Cue.CONSENT, Cue.ACK})
_ANSWERING = frozenset({AnswerKind.YES, AnswerKind.NO, AnswerKind.VALUE})


class LocalAnswerReader:
    """Reads replies in English and European Portuguese by rules; every other language is UNCLEAR.

    Promises: pure and total (never raises on any text), no clock, no network, bounded by `REPLY_CHARS_MAX`.
    """

    @property
    def name(self) -> str:
        """The stable name."""
        return "local-rules"

    @property
    def version(self) -> str:
        """Changes whenever any reading could change."""
        return "9"

    def read(self, question: QuestionText, reply: str, speaker: ReplySpeaker) -> AnswerReading:
        """Read one reply against one question, as heard.

        Args:
            question: The pending question and the part of it that was heard.
            reply: The reply's words, as recognised.
            speaker: Whose voice it is attributed to.

        Returns:
            The reading; `certain` only for a plain reply of the primary (or inferred primary) speaker to a question
            heard whole.
        """
        idioms = idioms_for(question.language)
        if idioms is None:
            return self._reading(AnswerKind.UNCLEAR, "no idioms for this language")
        reply = set_apart(reply[:REPLY_CHARS_MAX])
        asked = analyse(question, idioms)
        clauses = split_clauses(reply, idioms, question.language)
        if speaker is ReplySpeaker.THIRD_PARTY:
            return self._third_party(question, reply, asked, clauses, idioms)
        flat = flatten(reply, question.language)
        if idioms.carer.search(flat) and not idioms.for_self.match(flat):
            return self._reading(AnswerKind.REPORTED_BY_THIRD_PARTY, "the speaker answers for somebody else")
        reading = self._own(question, reply, asked, clauses, idioms)
        reading = second_look(question, reply, asked, clauses, idioms, reading)
        if speaker is ReplySpeaker.UNSURE:
            return replace(reading, certain=False)
        return reading

    def _reading(self, kind: AnswerKind, why: str, *, value: str | None = None, certain: bool = False) -> AnswerReading:
        return AnswerReading(kind=kind, reader=f"{self.name}@{self.version}", value=value, certain=certain, why=why)

    def _third_party(
        self, question: QuestionText, reply: str, asked: Question, clauses: Sequence[Clause], idioms: Idioms
    ) -> AnswerReading:
        flat = flatten(reply, question.language)
        signals = [read_clause(c, asked, idioms) for c in clauses]
        speaks_to_it = any(s.cue in POLAR | {Cue.ABOUT, Cue.UNSURE, Cue.RELAY} or s.names_focus for s in signals)
        valued = (
            asked.form in VALUE_FORMS and read_value(reply, asked, idioms, question.language, question.text) is not None
        )
        verbs = set(asked.flat.split()[:_VERBS_AT_WORD_MAX])
        speaks_to_it = speaks_to_it or any(set(c.words[:2]) & verbs & idioms.light for c in clauses if c.mark != "?")
        only_asks = bool(clauses) and all(c.mark == "?" for c in clauses)
        room = idioms.room.search(flat) is not None
        polar = any(s.cue in POLAR for s in signals)
        if asked.heard is not Heard.NOTHING and not only_asks and (speaks_to_it or valued) and (polar or not room):
            return self._reading(AnswerKind.REPORTED_BY_THIRD_PARTY, "a third party speaks to the question")
        if idioms.third_subject.search(flat) and not room and not only_asks:
            return self._reading(AnswerKind.REPORTED_BY_THIRD_PARTY, "a third party speaks of the patient")
        return self._reading(AnswerKind.NOT_AN_ANSWER, "a third party, about something else")

    def _own(
        self, question: QuestionText, reply: str, asked: Question, clauses: Sequence[Clause], idioms: Idioms
    ) -> AnswerReading:
        if not clauses:
            return self._reading(AnswerKind.NOT_AN_ANSWER, "no words")
        while len(clauses) > 1 and clauses[-1].flat in idioms.polite:
            clauses = clauses[:-1]
        clauses = [c for c in clauses if not is_courtesy(c.flat, question.language)] or clauses
        clauses = with_topic(clauses, lambda flat: names_focus(flat, asked, idioms), idioms)
        told = read_clauses(clauses, asked, idioms)
        signals = [s for _, s in told if s.cue is not Cue.FILLER]
        unread = any(s.cue is Cue.OTHER and len(c.words) >= UNREAD_WORDS_MIN for c, s in told)
        if asked.form in VALUE_FORMS:
            return self._value(question, reply, asked, signals, idioms)
        if not signals:
            hums = len(clauses) == 1 and idioms.hum.match(clauses[0].flat) is not None and asked.heard is Heard.WHOLE
            kind = AnswerKind.UNCLEAR if hums else AnswerKind.NOT_AN_ANSWER
            return self._reading(kind, "only hesitation")
        reading = self._yes_no(asked, signals)
        if reading.kind is AnswerKind.NO and asked.axis <= 0 and denies_a_part(asked, clauses, idioms):
            reading = replace(reading, certain=False, why="denies one of several things asked")
        flat = flatten(reply, question.language)
        worth = over_the_stretch(asked, reading.kind, flat, idioms)
        if worth is not reading.kind:
            reading = self._reading(worth, "a no for now only, where more was asked")
        if reading.certain and doubtful(asked, reading.kind, flat, idioms, unread=unread):
            reading = replace(reading, certain=False, why="something beside the answer limits it or was not read")
        if reading.kind is AnswerKind.YES and asked.flat in idioms.is_it_you and idioms.kin.search(flat):
            reading = self._reading(AnswerKind.UNCLEAR, "says yes and names somebody else")
        named = any(names_the_asked(c.flat, asked, idioms) for c in clauses)
        all_denied = bool(asked.alternative or asked.parts) and not denies_a_part(asked, clauses, idioms)
        bare = sum(s.cue in POLAR for s in signals) == 1 and all(s.bare for s in signals if s.cue in POLAR)
        return self._as_heard(reading, asked, named=named, bare=bare, all_denied=all_denied)

    def _as_heard(
        self, reading: AnswerReading, asked: Question, *, named: bool, bare: bool, all_denied: bool
    ) -> AnswerReading:
        """Hold a reading against what was heard: words never heard cannot have been answered."""
        if asked.choice_open and reading.kind is AnswerKind.NO and not (named and all_denied):
            return self._reading(AnswerKind.UNCLEAR, "a no to a list or choice that was cut")
        if (
            asked.choice_open
            and reading.kind in {AnswerKind.YES, AnswerKind.NO}
            and not (asked.alternative and not named)
        ):
            return replace(reading, certain=False)
        if asked.heard is Heard.FOCUS and not asked.alternative and bare and reading.kind is AnswerKind.NO:
            return self._reading(AnswerKind.UNCLEAR, "a bare no before the question's end")
        if asked.heard in {Heard.WHOLE, Heard.FOCUS}:
            return reading if asked.heard is Heard.WHOLE else replace(reading, certain=False)
        if reading.kind is AnswerKind.DECLINED and asked.heard is Heard.PART:
            return replace(reading, certain=False)
        if reading.kind not in _ANSWERING:
            return (
                self._reading(AnswerKind.NOT_AN_ANSWER, "the question was not heard")
                if asked.heard is Heard.NOTHING
                else reading
            )
        if named:
            return replace(reading, certain=False)
        if asked.heard is Heard.NOTHING:
            return self._reading(AnswerKind.NOT_AN_ANSWER, "what is asked was not heard")
        return self._reading(AnswerKind.UNCLEAR, "part of what is asked was not heard")

    def _yes_no(self, asked: Question, signals: Sequence[Signal]) -> AnswerReading:
        cues = [s.cue for s in signals]
        permission = asked.form in {QuestionForm.PERMISSION, QuestionForm.MIND}
        if Cue.HEARING in cues:
            return self._reading(AnswerKind.NOT_AN_ANSWER, "speaks of the line")
        if Cue.GO_ON in cues and not (permission and not asked.form == QuestionForm.MIND and Cue.NO not in cues):
            return self._reading(AnswerKind.NOT_AN_ANSWER, "invites the question")
        if Cue.REFUSE in cues:
            return self._refused(permission, cues)
        if (
            not (asked.about_other or asked.asks_support or asked.anyone)
            and any(s.third for s in signals)
            and not any(s.cue in POLAR and not s.third and not s.bare for s in signals)
        ):
            return self._reading(AnswerKind.REPORTED_BY_THIRD_PARTY, "speaks of the patient in the third person")
        if permission and (Cue.CONDITION in cues or Cue.HOLD in cues or (Cue.ASKS in cues and set(cues) & _LEAVE)):
            return self._reading(AnswerKind.UNCLEAR, "leave is taken back or made to depend")
        return self._weigh(asked, signals, permission)

    def _refused(self, permission: bool, cues: Sequence[Cue]) -> AnswerReading:
        if permission:
            return self._reading(AnswerKind.NO, "leave is refused", certain=Cue.NO in cues)
        return self._reading(AnswerKind.DECLINED, "the question is refused", certain=True)

    def _weigh(self, asked: Question, signals: Sequence[Signal], permission: bool) -> AnswerReading:
        """Weigh what was said in order: a correction replaces, a contradiction without one stays open."""
        live, corrected = after_correction(signals)
        reversed_kind = reversed_by(signals, live)
        if reversed_kind is not None and asked.axis > 0:
            return self._reading(AnswerKind.UNCLEAR, "taken back by words nobody could read")
        if reversed_kind is not None:
            return self._reading(reversed_kind, "corrected by what follows")
        polar = [s for s in live if s.cue in POLAR]
        cues = [s.cue for s in live]
        if not polar:
            return self._without_polarity(asked, live, cues, permission, corrected=corrected)
        if Cue.UNSURE in cues and last_index(cues, {Cue.UNSURE}) > last_index(cues, POLAR):
            return self._reading(AnswerKind.UNCLEAR, "a doubt follows the answer")
        if Cue.HOLD in cues and last_index(cues, {Cue.HOLD}) > last_index(cues, POLAR):
            return self._reading(AnswerKind.UNCLEAR, "asks for time after the answer")
        if Cue.RELAY in cues and all(not s.plain for s in polar):
            return self._reading(AnswerKind.UNCLEAR, "passes on what another says")
        if cues[0] is Cue.SHIFT and not any(s.names_focus or (s.plain and not s.bare) for s in polar):
            return self._reading(AnswerKind.NOT_AN_ANSWER, "speaks of another topic")
        kinds = [kind_of(s) for s in polar]
        if len(set(kinds)) > 1:
            return self._contradiction(asked, polar, kinds)
        soft = corrected or Cue.UNSURE in cues or Cue.ASKS in cues
        return self._settle(asked, polar, kinds[-1], soft)

    def _contradiction(self, asked: Question, polar: Sequence[Signal], kinds: Sequence[AnswerKind]) -> AnswerReading:
        """Yes and no in one reply, no correction between: the fuller one only where it is the careful side."""
        last = polar[-1]
        fuller = (
            not last.bare
            and polar[0].bare
            and all(
                s.bare or (k is kinds[-1] and kinds[0] is not k) for s, k in zip(polar[:-1], kinds[:-1], strict=True)
            )
        )
        turned = [k for k in kinds if k is not kinds[0]]
        if polar[0].bare and len(turned) == len(kinds) - 1 and len(turned) > 1 and kinds[-1] is AnswerKind.NO:
            return self._reading(AnswerKind.NO, "a yes taken back twice")
        gives_in = asked.form is QuestionForm.PERMISSION and kinds[-2:] == [AnswerKind.YES, AnswerKind.YES]
        if (
            gives_in
            and kinds[0] is AnswerKind.NO
            and kinds.count(AnswerKind.YES) >= len(kinds) - kinds.index(AnswerKind.YES)
        ):
            return self._reading(AnswerKind.YES, "gives leave in the end")
        said = any(s.plain and k is AnswerKind.YES for s, k in zip(polar, kinds, strict=True))
        if fuller and kinds[-1] is AnswerKind.YES and (asked.axis <= 0 or last.names_focus or said):
            return self._reading(AnswerKind.YES, "a no that what follows takes back")
        if fuller and last.names_focus and last.plain and asked.form is not QuestionForm.PERMISSION:
            return (
                self._reading(AnswerKind.NO, "names what is denied")
                if asked.axis > 0
                else self._reading(AnswerKind.UNCLEAR, "yes and no")
            )
        first_names = polar[0].names_focus or polar[0].plain
        if first_names and all(not s.names_focus and not s.plain for s in polar[1:]):
            return self._reading(kinds[0], "answered first, then something else")
        return self._reading(AnswerKind.UNCLEAR, "yes and no in one reply")

    def _settle(self, asked: Question, polar: Sequence[Signal], kind: AnswerKind, soft: bool) -> AnswerReading:
        plain = any(s.plain for s in polar) and not soft
        only_bare = all(s.bare for s in polar)
        if asked.form is QuestionForm.ALTERNATIVE and only_bare:
            return self._reading(AnswerKind.UNCLEAR, "a bare yes or no to two alternatives")
        if asked.form in {QuestionForm.TAG_AFTER_NEGATIVE, QuestionForm.NEGATIVE} and only_bare:
            if kind is AnswerKind.YES or asked.absence:
                return self._reading(AnswerKind.UNCLEAR, "a bare yes or no to a negative question")
            return self._reading(AnswerKind.NO, "agrees with the negative")
        if asked.form is QuestionForm.MIND and any(s.cue is Cue.CONSENT for s in polar):
            return self._reading(AnswerKind.NO, "does not mind")
        if asked.form is QuestionForm.MIND and kind is AnswerKind.YES and only_bare:
            return self._reading(AnswerKind.UNCLEAR, "a bare yes to whether one minds")
        return self._reading(
            kind, "a plain answer" if plain else "an answer with a hedge or by inference", certain=plain
        )

    def _without_polarity(
        self, asked: Question, live: Sequence[Signal], cues: Sequence[Cue], permission: bool, *, corrected: bool
    ) -> AnswerReading:
        if Cue.UNSURE in cues or Cue.RELAY in cues:
            return self._reading(AnswerKind.UNCLEAR, "does not know or does not settle it")
        if Cue.ACK in cues and asked.agreement:
            return self._reading(AnswerKind.YES, "agrees to the statement")
        if Cue.AGREE in cues:
            return self._agreed(asked)
        if Cue.GO_ON in cues and permission:
            return self._reading(AnswerKind.YES, "leave given")
        if permission and Cue.ACK in cues and Cue.ASKS not in cues:
            return self._reading(AnswerKind.YES, "leave given")
        if Cue.ABOUT in cues or any(s.names_focus and s.cue is not Cue.ASKS for s in live):
            return self._reading(AnswerKind.UNCLEAR, "about it, but neither yes nor no")
        if Cue.MURMUR in cues and set(cues) <= {Cue.MURMUR}:
            return self._reading(AnswerKind.UNCLEAR, "a sound that could be anything")
        if not live and corrected:
            return self._reading(AnswerKind.UNCLEAR, "the answer was taken back")
        return self._reading(AnswerKind.NOT_AN_ANSWER, "speaks of something else, asks back or listens")

    def _agreed(self, asked: Question) -> AnswerReading:
        if asked.form is QuestionForm.TAG_AFTER_NEGATIVE:
            return self._reading(AnswerKind.NO, "agrees with the negative statement")
        if asked.form in {QuestionForm.NEGATIVE, QuestionForm.ALTERNATIVE}:
            return self._reading(AnswerKind.UNCLEAR, "agrees, with two readings")
        return self._reading(AnswerKind.YES, "agrees")

    def _value(
        self, question: QuestionText, reply: str, asked: Question, signals: Sequence[Signal], idioms: Idioms
    ) -> AnswerReading:
        if asked.heard is Heard.NOTHING:
            return self._reading(AnswerKind.NOT_AN_ANSWER, "the question was not heard")
        cues = [s.cue for s in signals]
        flat = flatten(reply, question.language)
        if Cue.REFUSE in cues or idioms.refuse_act.search(flat):
            return self._reading(AnswerKind.DECLINED, "the value is refused", certain=True)
        shifted = Cue.SHIFT in cues or (idioms.relative.match(flat) is not None and not asked.about_other)
        value = None if shifted else read_value(reply, asked, idioms, question.language, question.text)
        if value is not None:
            heard_whole = asked.heard in {Heard.WHOLE, Heard.FOCUS}
            if not heard_whole:
                return self._reading(AnswerKind.UNCLEAR, "a value for a question not wholly heard")
            certain = value.certain and not doubtful_number(question, asked, reply, idioms)
            return self._reading(AnswerKind.VALUE, "a value", value=value.text, certain=certain)
        if not signals or set(cues) <= {
            Cue.HOLD,
            Cue.ASKS,
            Cue.SHIFT,
            Cue.ACK,
            Cue.GO_ON,
            Cue.HEARING,
            Cue.MURMUR,
            Cue.CORRECT,
        }:
            return self._reading(AnswerKind.NOT_AN_ANSWER, "no value")
        if idioms.either.search(flat) and not shifted:
            return self._reading(AnswerKind.UNCLEAR, "one of two amounts")
        if Cue.HOLD in cues or Cue.ASKS in cues or shifted:
            return self._reading(AnswerKind.NOT_AN_ANSWER, "no value yet")
        if (
            Cue.UNSURE in cues
            or idioms.vague.search(flat)
            or idioms.lacks.search(flat)
            or holds_a_number(reply, asked, idioms, question.language, question.text)
        ):
            return self._reading(AnswerKind.UNCLEAR, "no single value")
        if asked.form in {QuestionForm.TEXT, QuestionForm.DATE} or (
            asked.form is QuestionForm.CHOICE and not asked.options
        ):
            return self._free_value(asked, reply, cues)
        return self._reading(
            AnswerKind.UNCLEAR if set(cues) & {Cue.YES, Cue.NO} else AnswerKind.NOT_AN_ANSWER, "no value"
        )

    def _free_value(self, asked: Question, reply: str, cues: Sequence[Cue]) -> AnswerReading:
        if asked.heard is Heard.PART or set(cues) <= {Cue.YES, Cue.NO}:
            return self._reading(AnswerKind.UNCLEAR, "no words that could be the value")
        return self._reading(AnswerKind.VALUE, "the reply's own words", value=reply.strip(" .,!"))
