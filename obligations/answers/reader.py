"""The local answer reader: rules and idioms of the call's own language, no model, no network.

Owns weighing the clauses of a reply against the question that was heard. Anything it cannot read is UNCLEAR; a third
party never answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from obligations.answers.beside import is_courtesy
from obligations.answers.clauses import Clause, split_clauses
from obligations.answers.cues import Cue, Signal, read_clause
from obligations.answers.doubt import UNREAD_WORDS_MIN, doubtful, doubtful_number, over_the_stretch
from obligations.answers.idioms import idioms_for
from obligations.answers.idioms.model import Idioms
from obligations.answers.protocol import AnswerKind, AnswerReading, QuestionText, ReplySpeaker
from obligations.answers.question import VALUE_FORMS, Heard, Question, QuestionForm, analyse, same_meaning
from obligations.answers.second_look import second_look, set_apart
from obligations.answers.values import read_value
from obligations.coverage.flat import flatten
from obligations.coverage.text import tokenise

REPLY_CHARS_MAX = 2000

_POLAR = frozenset({Cue.YES, Cue.NO, Cue.CONSENT})
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
        return "7"

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
        speaks_to_it = any(s.cue in _POLAR | {Cue.ABOUT, Cue.UNSURE, Cue.RELAY} or s.names_focus for s in signals)
        valued = (
            asked.form in VALUE_FORMS and read_value(reply, asked, idioms, question.language, question.text) is not None
        )
        only_asks = bool(clauses) and all(c.mark == "?" for c in clauses)
        room = idioms.room.search(flat) is not None
        polar = any(s.cue in _POLAR for s in signals)
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
        told = [(c, read_clause(c, asked, idioms)) for c in clauses]
        signals = [s for _, s in told if s.cue is not Cue.FILLER]
        unread = any(s.cue is Cue.OTHER and len(c.words) >= UNREAD_WORDS_MIN for c, s in told)
        if asked.form in VALUE_FORMS:
            return self._value(question, reply, asked, signals, idioms)
        if not signals:
            return self._reading(AnswerKind.NOT_AN_ANSWER, "only hesitation")
        reading = self._yes_no(asked, signals)
        if reading.kind is AnswerKind.NO and asked.axis <= 0 and _denies_a_part(asked, clauses, idioms):
            reading = replace(reading, certain=False, why="denies one of several things asked")
        flat = flatten(reply, question.language)
        worth = over_the_stretch(asked, reading.kind, flat, idioms)
        if worth is not reading.kind:
            reading = self._reading(worth, "a no for now only, where more was asked")
        if reading.certain and doubtful(asked, reading.kind, flat, idioms, unread=unread):
            reading = replace(reading, certain=False, why="something beside the answer limits it or was not read")
        if reading.kind is AnswerKind.YES and asked.flat in idioms.is_it_you and idioms.kin.search(flat):
            reading = self._reading(AnswerKind.UNCLEAR, "says yes and names somebody else")
        return self._as_heard(reading, asked, signals)

    def _as_heard(self, reading: AnswerReading, asked: Question, signals: Sequence[Signal]) -> AnswerReading:
        """Hold a reading against what was heard: words never heard cannot have been answered."""
        if asked.heard in {Heard.WHOLE, Heard.FOCUS}:
            return reading if asked.heard is Heard.WHOLE else replace(reading, certain=False)
        named = any(s.names_focus for s in signals)
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
            not asked.about_other
            and any(s.third for s in signals)
            and not any(s.cue in _POLAR and not s.third and not s.bare for s in signals)
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
        live, corrected = _after_correction(signals)
        reversed_kind = _reversed(signals, live)
        if reversed_kind is not None:
            return self._reading(reversed_kind, "corrected by what follows")
        polar = [s for s in live if s.cue in _POLAR]
        cues = [s.cue for s in live]
        if not polar:
            return self._without_polarity(asked, live, cues, permission, corrected=corrected)
        if Cue.UNSURE in cues and _last_index(cues, {Cue.UNSURE}) > _last_index(cues, _POLAR):
            return self._reading(AnswerKind.UNCLEAR, "a doubt follows the answer")
        if Cue.HOLD in cues and _last_index(cues, {Cue.HOLD}) > _last_index(cues, _POLAR):
            return self._reading(AnswerKind.UNCLEAR, "asks for time after the answer")
        if Cue.RELAY in cues and all(not s.plain for s in polar):
            return self._reading(AnswerKind.UNCLEAR, "passes on what another says")
        kinds = [_kind(s) for s in polar]
        if len(set(kinds)) > 1:
            return self._contradiction(asked, polar, kinds)
        soft = corrected or Cue.UNSURE in cues or Cue.ASKS in cues
        return self._settle(asked, polar, kinds[-1], soft)

    def _contradiction(self, asked: Question, polar: Sequence[Signal], kinds: Sequence[AnswerKind]) -> AnswerReading:
        """Yes and no in one reply, no correction between: the fuller one only where it is the careful side."""
        last = polar[-1]
        fuller = not last.bare and all(s.bare for s in polar[:-1])
        if fuller and kinds[-1] is AnswerKind.YES:
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
        if Cue.HOLD in cues or Cue.ASKS in cues or shifted:
            return self._reading(AnswerKind.NOT_AN_ANSWER, "no value yet")
        if (
            Cue.UNSURE in cues
            or idioms.vague.search(flat)
            or idioms.lacks.search(flat)
            or _has_digit_word(reply, question.language)
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


def _denies_a_part(asked: Question, clauses: Sequence[Clause], idioms: Idioms) -> bool:
    """Read "No pain" to "any pain or swelling?": what it says of the swelling, nobody knows.

    Nor what "no pain and swelling" says of it: only what stands beside its own denial is denied.
    """
    denying = idioms.negators | idioms.second_denials
    named, denied = [False] * len(asked.parts), [False] * len(asked.parts)
    for clause in clauses:
        for piece in _at_joints(clause.flat.split(), idioms):
            denies = any(word in denying for word in piece)
            for i, part in enumerate(asked.parts):
                if any(same_meaning(word, part, idioms) for word in piece):
                    named[i], denied[i] = True, denied[i] or denies
    return any(named) and not all(denied)


def _at_joints(words: Sequence[str], idioms: Idioms) -> list[list[str]]:
    pieces: list[list[str]] = [[]]
    for word in words:
        if word in idioms.joining:
            pieces.append([])
        else:
            pieces[-1].append(word)
    return pieces


def _has_digit_word(reply: str, language: str) -> bool:
    return any(t.value is not None and t.value != 1 for t in tokenise(reply, language).tokens)


def _kind(signal: Signal) -> AnswerKind:
    return AnswerKind.NO if signal.cue is Cue.NO else AnswerKind.YES


def _last_index(cues: Sequence[Cue], wanted: frozenset[Cue] | set[Cue]) -> int:
    return max((i for i, c in enumerate(cues) if c in wanted), default=-1)


def _reversed(signals: Sequence[Signal], live: Sequence[Signal]) -> AnswerKind | None:
    """Read "No. Wait, I did trip": after a correction an affirmative of something else takes a bare no back."""
    if len(live) == len(signals) or any(s.cue in _POLAR for s in live):
        return None
    before = [s for s in signals if s.cue in _POLAR]
    if before and before[-1].cue is Cue.NO and any(s.affirms for s in live):
        return AnswerKind.YES
    return None


def _after_correction(signals: Sequence[Signal]) -> tuple[list[Signal], bool]:
    """Drop what a correction replaced; a correction word with nothing after it only takes back."""
    signals = _without_tail(signals)
    last = max((i for i, s in enumerate(signals) if s.cue is Cue.CORRECT or s.corrects), default=-1)
    if last < 0:
        return list(signals), False
    return [s for s in signals[last:] if s.cue is not Cue.CORRECT], any(s.cue in _POLAR for s in signals[:last])


def _without_tail(signals: Sequence[Signal]) -> Sequence[Signal]:
    """Drop a correction word at the very end that only explains an earlier correction ("no, that was yesterday")."""
    marks = [i for i, s in enumerate(signals) if s.cue is Cue.CORRECT or s.corrects]
    if len(marks) > 1 and marks[-1] == len(signals) - 1 and any(s.cue in _POLAR for s in signals[marks[-2] : -1]):
        return signals[:-1]
    return signals
