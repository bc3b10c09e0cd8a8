"""Who is on the line: what somebody who is not the patient says, and when the patient has come.

Owns the reading of replies while the right-party question is open, before anything else is made of them. Words that
only mean something then ("she's out") mean nothing here later.
"""

from __future__ import annotations

from dataclasses import replace

from obligations.answers.protocol import AnswerKind, AnswerReader, QuestionText
from obligations.ledger.events import PartyChanged, Replied
from obligations.ledger.ledger import Ledger
from obligations.ledger.states import Step
from obligations.tracker.facts import Heard, Reply
from obligations.tracker.language import LanguageTable, plain
from obligations.tracker.writer import Writer

PARTY_INTENTS = frozenset({"not_me", "someone_else", "fetching", "absent", "bereaved", "self"})
# Of these, the words answer nothing for the patient.
_ELSEWHERE = frozenset({"someone_else", "fetching", "absent", "bereaved"})
# Requests that somebody other than the patient may make as well; they bring nobody to the telephone.
_OF_ANYBODY = frozenset(
    {"who", "repeat", "wrong_person", "callback", "person", "object", "end_call", "stop", "goodbye"}
)
_OPEN = frozenset({AnswerKind.UNCLEAR, AnswerKind.NOT_AN_ANSWER, AnswerKind.REPORTED_BY_THIRD_PARTY})


class Party:
    """Reads replies for who speaks them, as the words say it.

    Args:
        writer: Writes what it finds.
        language: Tag of the call.
        reader: Reads the reply to "could you fetch the patient?".
        table: How such words sound in it.
    """

    def __init__(self, writer: Writer, language: str, reader: AnswerReader, table: LanguageTable) -> None:
        self._write, self._language, self._reader, self._table = writer, language, reader, table

    @property
    def _ledger(self) -> Ledger:
        return self._write.ledger

    def settle(self, heard: Heard, reply: Reply) -> Heard:
        """Keep of the requests what counts now: outside the right-party check these words are ordinary ones."""
        intents = heard.intents
        if not self.asked_for:
            kept = tuple("wrong_person" if name == "not_me" else name for name in intents if self._ordinary(name))
            return replace(heard, intents=tuple(dict.fromkeys(kept)))
        intents = tuple("someone_else" if name == "not_me" else name for name in intents)
        if self._elsewhere() and not PARTY_INTENTS & set(intents) and not _OF_ANYBODY & set(intents):
            intents = (*intents, *self._to_fetch(heard, reply))
        heard = replace(heard, intents=tuple(dict.fromkeys(intents)))
        if _ELSEWHERE & set(intents):
            return replace(heard, answer_text="", faq=(), unanswerable=None, holding=False)
        if "self" in intents:
            return replace(heard, answer_text=self._table.yes)
        return heard

    def came(self, reply: Replied, heard: Heard, before: bool) -> bool:
        """Say whether these are the first words of another person, and begin anew with them.

        Args:
            reply: The reply, taken.
            heard: The same, settled.
            before: Whether, before it, somebody else was known to be on the line.
        """
        fetched = "fetching" in self._ledger.call.standing
        # "Who is this?" from somebody who went to fetch the patient is the patient.
        same = _ELSEWHERE | (_OF_ANYBODY - {"who", "repeat"} if fetched else _OF_ANYBODY)
        if not before or not self._awaited or heard.holding or same & set(heard.intents):
            return False
        self._write(PartyChanged, reply.at_s, reply_id=reply.reply_id)
        for item_id in self._ledger.pathway.opening:
            self._write.step(item_id, Step.RENEWED, reply.at_s, why="another person came to the telephone")
        return True

    @property
    def somebody_else(self) -> bool:
        """Whoever is on the line is known not to be the patient."""
        return self.asked_for and self._elsewhere()

    @property
    def _awaited(self) -> bool:
        call = self._ledger.call
        return "fetching" in call.standing or "fetch" in call.phrases_heard

    @property
    def asked_for(self) -> bool:
        """Whether the right-party check is open: nobody has said yes to it, or somebody else has come since."""
        condition = self._ledger.pathway.right_party
        if condition is None or condition.question is None:
            return False
        answer = self._ledger.items[condition.question].answer
        return answer is None or answer.value not in condition.needs or "someone_else" in self._ledger.call.standing

    def _elsewhere(self) -> bool:
        condition = self._ledger.pathway.right_party
        assert condition is not None and condition.question is not None
        said = self._ledger.call.standing & {"someone_else", "fetching"}
        return bool(said) or self._ledger.items[condition.question].answer is not None

    def _ordinary(self, name: str) -> bool:
        return name not in PARTY_INTENTS or name == "not_me"

    def _to_fetch(self, heard: Heard, reply: Reply) -> tuple[str, ...]:
        """Read the reply to "could you fetch the patient?": yes is fetching, no is not there, else it is somebody."""
        call = self._ledger.call
        phrase = self._ledger.pathway.phrases[self._language].fetch
        last = call.utterances.get(call.last_heard or "")
        asked = last is not None and any(span.id == "phrase:fetch" for span in last.spans)
        if phrase is None or not asked:
            return ()
        if heard.holding or self._table.consents.search(plain(heard.answer_text)):
            return ("fetching",)
        question = QuestionText(text=phrase, heard=phrase, language=self._language, value_type="yes_no")
        text = heard.answer_text
        kind = self._reader.read(question, text, reply.speaker).kind if text else AnswerKind.UNCLEAR
        if kind is AnswerKind.YES:
            return ("fetching",)
        return () if kind in _OPEN or reply.unconfirmed else ("absent",)  # no call ends on a doubtful "no"
