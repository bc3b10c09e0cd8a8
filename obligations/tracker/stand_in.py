"""Whose words a reply is when somebody on the line has said that they are not the patient.

Owns that attribution, by words alone and behind the right-party check, which `party` owns while it is open. From "this
is his wife", or an answer in the third person ("he has no pain"), on every reply is hers, a report and never an answer,
until words, the speaker gate or the question whether the patient is on the line now say that the patient has come.
Where the words say nothing of it, the safe-side model may take the reply for somebody else's, by whom the patient is
then asked for once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from obligations.answers.protocol import AnswerKind, AnswerReader, QuestionText, ReplySpeaker
from obligations.ledger import events as ev
from obligations.ledger.events import WORD_RULES
from obligations.ledger.items import MAY_ANSWER
from obligations.ledger.ledger import Ledger
from obligations.ledger.states import Step
from obligations.safe_side import SafeSideModel
from obligations.tracker.facts import Heard, Reply
from obligations.tracker.language import plain, table_of
from obligations.tracker.language.stand_in import stand_in_table
from obligations.tracker.writer import Writer

LABEL = "somebody else on the line"
SOMEBODY_ELSE = "someone_else"
FETCHING = "fetching"
NEW_VOICE = "hello"
"""What somebody says who has only now taken the telephone."""

_SENTENCE = re.compile(r"[^.!?…]+[.!?…]*")
_PART = re.compile(r"[^,;:–—]+")
# So many words beside "this is his wife" say nothing of their own ("here").
BESIDE_WORDS_MAX = 1
# Whoever asks for one of these while the patient is fetched is still the one who went.
_OF_WHOEVER_FETCHES = frozenset({"wrong_person", "callback", "person", "object", "end_call", "stop", "goodbye"})


@dataclass(frozen=True, slots=True)
class Attributed:
    """A reply with the speaker its words give it.

    Parameters:
        reply: The reply.
        heard: The same, taken apart; its intents say who is on the line.
        on_line: Whoever speaks holds the telephone: what they ask of the call counts, whoever they are.
        came: The patient has come and says this.
        comes: The patient speaks next.
        by: What told that somebody else speaks; "" where nothing of this reply did.
    """

    reply: Reply
    heard: Heard
    on_line: bool = True
    came: bool = False
    comes: bool = False
    by: str = ""


class StandIn:
    """Attributes replies in one language.

    Args:
        writer: Writes that the patient has come.
        language: Tag of the call.
        reader: Reads the reply to "am I speaking with the patient now?".
        model: Reads introductions in other words; None: the table alone.
    """

    def __init__(self, writer: Writer, language: str, reader: AnswerReader, model: SafeSideModel | None = None) -> None:
        self._write, self._language, self._reader, self._model = writer, language, reader, model
        self._table = stand_in_table(language)

    @property
    def _ledger(self) -> Ledger:
        return self._write.ledger

    def attribute(self, reply: Reply, heard: Heard, *, checking: bool) -> Attributed:
        """Say whose reply it is.

        Args:
            reply: The reply, with the speaker its voice was given.
            heard: The same, taken apart.
            checking: The right-party check leads: whoever is on the line is told nothing.
        """
        if reply.speaker not in MAY_ANSWER:
            return Attributed(reply, heard, on_line=reply.speaker is not ReplySpeaker.THIRD_PARTY)
        if checking:
            return Attributed(self._theirs(reply) if self._checked else reply, heard)
        standing = self._ledger.call.standing
        sentences = [plain(m[0]) for m in _SENTENCE.finditer(reply.text)]
        away = self._says_away(sentences)
        if away or self._introduces(reply.text, sentences):
            heard = self._no_wrong_number(heard, sentences)
            return self._by_another(reply, heard, () if away else sentences, WORD_RULES)
        if SOMEBODY_ELSE not in standing:
            return self._first_signs(reply, heard, sentences)
        if self._came(reply, heard, sentences):
            if reply.unconfirmed:  # and asks again who is on the line
                heard = replace(heard, intents=tuple(dict.fromkeys((*heard.intents, NEW_VOICE))))
                return self._by_another(reply, heard, sentences)
            return Attributed(reply, heard, came=True)
        if reply.by_voice:  # the gate knows the patient's voice, and this is it
            return Attributed(reply, heard, comes=True)
        return self._by_another(reply, heard, sentences)

    def _introduces(self, text: str, sentences: list[str]) -> bool:
        """Whether somebody says who they are: in a sentence, or in a part of one ("wife speaking, no")."""
        if _any(self._table.of_self, sentences):
            return False
        return _any(self._table.introduces, [*sentences, *_parts(text)])

    def _first_signs(self, reply: Reply, heard: Heard, sentences: list[str]) -> Attributed:
        """Take who hands the telephone on, and who answers in the third person where "you" was asked.

        A patient may speak so of somebody else: the question who is on the line is asked of them, once, and once they
        have said that they are the patient, to it or to a right-party check, only "this is his wife" moves the call
        away from them.
        """
        if _any(self._table.hands_over, sentences):
            intents = tuple(dict.fromkeys((*heard.intents, SOMEBODY_ELSE)))
            told = self._before_handing_over(heard.answer_text)
            return Attributed(reply, replace(heard, intents=intents, holding=False, answer_text=told), by=WORD_RULES)
        known = reply.by_voice or self._ledger.call.party_changes or self._ledger.pathway.right_party is not None
        by = "" if known else self._sign(reply.text, sentences)
        return self._by_another(reply, heard, sentences, by) if by else Attributed(reply, heard)

    def _sign(self, text: str, sentences: list[str]) -> str:
        """Name what reads an answer for another, or other words of who speaks, out of a reply; "" for nothing."""
        if _any(self._table.of_self, sentences):
            return ""
        if self._answers_for_another(text, sentences):
            return WORD_RULES
        if self._model is not None and self._model.introduces(text):
            return self._model.name
        return ""

    def _answers_for_another(self, text: str, sentences: list[str]) -> bool:
        table = self._table
        said = [*sentences, *_parts(text)]
        named = _any(table.own_kin, sentences) or _any(table.others, sentences)
        return _any(table.of_kin, said) or (not named and _any(table.of_them, said))

    def _before_handing_over(self, text: str) -> str:
        sentences = (m[0].strip() for m in _SENTENCE.finditer(text))
        return " ".join(s for s in sentences if not self._table.hands_over.search(plain(s)))

    def _no_wrong_number(self, heard: Heard, sentences: list[str]) -> Heard:
        """Take "I'm not him" for no wrong number: it is asked whether the patient is there."""
        wrong = table_of(self._language).intents.get("wrong_person")
        if wrong is not None and _any(wrong, sentences):
            return heard
        return replace(heard, intents=tuple(name for name in heard.intents if name != "wrong_person"))

    def patient_came(self, reply: ev.Replied) -> None:
        """Begin anew with the patient: what the opening told somebody else counts for nobody."""
        self._write(ev.PartyChanged, reply.at_s, reply_id=reply.reply_id)
        for item_id in self._ledger.pathway.opening:
            self._write.step(item_id, Step.RENEWED, reply.at_s, why="the patient came to the telephone")

    def _by_another(self, reply: Reply, heard: Heard, sentences: Sequence[str], by: str = "") -> Attributed:
        introduced = (SOMEBODY_ELSE,) if by else ()
        here = any(self._table.is_here.search(s) for s in sentences)
        comes = here and not reply.unconfirmed
        fetches = not here and any(self._table.fetches.search(s) for s in sentences)
        asks = (NEW_VOICE,) if here and not comes else ()
        intents = tuple(dict.fromkeys((*heard.intents, *introduced, *((FETCHING,) if fetches else ()), *asks)))
        heard = replace(heard, intents=intents, holding=False, answer_text=self._besides(heard.answer_text))
        return Attributed(self._theirs(reply), heard, comes=comes, by=by)

    def _besides(self, text: str) -> str:
        """What a reply says besides who speaks and where the patient is: that is what a reader can read."""
        sentences = [[p[0] for p in _PART.finditer(s[0])] for s in _SENTENCE.finditer(text)]
        kept = [",".join(p for p in parts if not self._only_presents(plain(p))).strip() for parts in sentences]
        return " ".join(part for part in kept if plain(part))

    def _only_presents(self, part: str) -> bool:
        found = self._table.introduces.search(part) or self._table.not_here.search(part)
        return found is not None and len(part.split()) - len(found[0].split()) <= BESIDE_WORDS_MAX

    def _says_away(self, sentences: list[str]) -> bool:
        own = any(self._table.own_kin.search(s) for s in sentences)
        return not own and any(self._table.not_here.search(s) for s in sentences)

    def _came(self, reply: Reply, heard: Heard, sentences: list[str]) -> bool:
        call = self._ledger.call
        said = [*sentences, *_parts(reply.text)]
        if _any(self._table.is_patient, said) or _any(self._table.of_self, sentences) or self._named(sentences):
            return True
        if self._confirms(heard, sentences):
            return True
        if FETCHING not in call.standing or heard.holding or _OF_WHOEVER_FETCHES & set(heard.intents):
            return False
        return not any(self._table.fetches.search(s) for s in sentences)

    def _named(self, sentences: list[str]) -> bool:
        """Take "this is Mr Brown" for the patient where "his wife" spoke before."""
        replies = self._ledger.call.replies.values()
        told = " ".join(plain(r.text) for r in replies if SOMEBODY_ELSE in r.intents)
        of = [title for pronoun, title in self._table.titles if pronoun.search(told)]
        return len(of) == 1 and any(of[0].search(s) for s in sentences)

    def _confirms(self, heard: Heard, sentences: list[str]) -> bool:
        """Whether this says yes to the question whether the patient is on the line now."""
        call = self._ledger.call
        last = call.utterances.get(call.last_heard or "")
        asked = last is not None and any(span.id == "phrase:patient_now" for span in last.spans)
        if not asked or not sentences:
            return False
        if self._table.affirms.search(" ".join(sentences)):
            return True
        text = table_of(self._language).is_it_you
        if not text or not heard.answer_text:
            return False
        question = QuestionText(text=text, heard=text, language=self._language)
        reading = self._reader.read(question, heard.answer_text, ReplySpeaker.PRIMARY)
        return reading.kind is AnswerKind.YES and reading.certain

    @property
    def _checked(self) -> bool:
        """Somebody else took the telephone after the patient had been found to be on it."""
        condition = self._ledger.pathway.right_party
        if condition is None or condition.question is None or SOMEBODY_ELSE not in self._ledger.call.standing:
            return False
        return self._ledger.items[condition.question].answer is not None

    @staticmethod
    def _theirs(reply: Reply) -> Reply:
        return replace(reply, speaker=ReplySpeaker.THIRD_PARTY, label=reply.label or LABEL)


def _any(pattern: re.Pattern[str], texts: Sequence[str]) -> bool:
    return any(pattern.search(text) for text in texts)


def _parts(text: str) -> list[str]:
    return [plain(part[0]) for sentence in _SENTENCE.finditer(text) for part in _PART.finditer(sentence[0])]
