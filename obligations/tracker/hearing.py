"""A reply, taken apart: requests about the call, questions of the patient, and what may be an answer.

Owns that division, sentence by sentence. Whether the rest answers the pending question is the answer reader's
business.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from obligations.pathway.models import OnFaq, Pathway
from obligations.tracker.facts import Heard
from obligations.tracker.language import plain, table_of
from obligations.tracker.leaving import before_leaving, takes_leave

_SENTENCE = re.compile(r"[^.!?…]+[.!?…]*")
# Requests whose sentence cannot also be an answer. "refuse" is left to the reader: it may decline the pending
# question.
_NO_ANSWER = frozenset(
    {
        "repeat",
        "stop",
        "end_call",
        "goodbye",
        "person",
        "wrong_person",
        "object",
        "go_on",
        "hello",
        "who",
        "delegate",
        "offers",
    }
)
# "When do I have to go?" is no goodbye.
_NEVER_ASKED = frozenset({"goodbye", "end_call", "stop"})
# How alike a question and an example must be: shared topic words over the example's topic words. Our choice.
EXAMPLE_LIKENESS_MIN = 0.67
# Fewer words than this ask only where they name a topic ("posso conduzir") or are plainly put as a question ("Posso
# viajar?"); a single word ("Redness?") never does.
QUESTION_WORDS_MIN = 3
TOPIC_QUESTION_WORDS_MIN = 2


@dataclass(frozen=True, slots=True)
class _Topic:
    group_id: str
    keywords: tuple[frozenset[str], ...]
    examples: tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What one sentence asks about and tells: FAQ groups, what may be an answer, questions of no group."""

    faq: list[str] = field(default_factory=list[str])
    told: list[str] = field(default_factory=list[str])
    unmatched: list[str] = field(default_factory=list[str])


class Hearing:
    """Takes replies apart in one language."""

    def __init__(self, pathway: Pathway, language: str) -> None:
        self._table = table_of(language)
        self._topics = tuple(
            _Topic(
                group.id,
                tuple(frozenset(plain(entry).split()) for entry in group.trigger.keywords.get(language, ())),
                tuple(self._topic_words(example) for example in group.trigger.examples[language]),
            )
            for group in pathway.groups
            if isinstance(group.trigger, OnFaq)
        )

    def take_apart(self, text: str, before: str = "") -> Heard:
        """Divide a reply.

        Args:
            text: What was said.
            before: What the same side said just before: it may name what "Is that normal?" is about.
        """
        table = self._table
        intents, faq, answer = list[str](), list[str](), list[str]()
        unmatched = list[str]()
        holding = agrees = False
        before, words = "", plain((self._sentences(before) or [""])[-1])
        for sentence in self._sentences(text):
            before, words = words, plain(sentence)
            found = self._requests(sentence, words)
            agrees = agrees or table.agrees.search(words) is not None
            intents += [name for name in found if name != "holding"]
            if "holding" in found:
                holding = True
                continue
            if "goodbye" in found and not (_NO_ANSWER - {"goodbye"}) & set(found):
                sentence = before_leaving(sentence, table)  # "Yes, it hurts, got to go": read what was told first
                words = plain(sentence)
            elif _NO_ANSWER & set(found):
                continue
            if not words:
                continue
            asked = self._asked(sentence, words)
            if asked.faq:
                faq += asked.faq
                answer += asked.told
                unmatched += asked.unmatched
                continue
            if self._asks(sentence, words) and not self._is_tag(words):
                together = self.topics(f"{before} {words}") if before else []
                if together:  # "Bright light bothers me. Is that normal?": the topic stands in the sentence before
                    faq += together
                    if self._topic_words(words):  # "Can I drive? Can I fly?": it names more than what it points to
                        unmatched.append(sentence.strip())
                    continue
                unmatched.append(sentence.strip())
            answer.append(sentence.strip())
        rest = " ".join(answer)
        if "repeat" in intents and self.denies(rest) and self._table.leading_polar.fullmatch(rest):
            rest = ""  # "No. Say that again?": what was denied was not understood
        return Heard(
            answer_text=rest,
            intents=tuple(dict.fromkeys(intents)),
            faq=tuple(dict.fromkeys(faq)),
            unanswerable=" ".join(dict.fromkeys(unmatched)) or None,
            holding=holding and not (rest or intents or faq),
            agrees=agrees,
        )

    def _requests(self, sentence: str, words: str) -> list[str]:
        table = self._table
        found = [name for name, pattern in table.intents.items() if pattern.search(words)]
        if "goodbye" not in found and takes_leave(sentence, table):
            found.append("goodbye")
        asks = "?" in sentence or table.question_start.search(words) is not None
        asks = asks and not table.asks_leave.search(words)  # "Can we stop now?" is a wish, asked politely
        return [name for name in found if not (asks and name in _NEVER_ASKED)]

    def in_own_voice(self, text: str) -> str:
        """Turn what a third party says of the patient into what the patient would say, for a reader ("she takes")."""
        for pattern, replacement in self._table.own_voice:
            text = re.sub(pattern.pattern, replacement, text, flags=re.IGNORECASE)
        return " ".join(text.split())

    def denies(self, text: str) -> bool:
        """Say whether a text holds a word that denies; True when the language is not known."""
        return self._table.negates.search(text.casefold()) is not None

    def _sentences(self, text: str) -> list[str]:
        return [m[0] for m in _SENTENCE.finditer(text) if plain(m[0])]

    def _asked(self, sentence: str, words: str) -> _Asked:
        """Find all that a sentence asks about, and what it tells beside it ("No, but can I drive and can I fly?")."""
        if not self._asks(sentence, words):
            return _Asked()
        faq, told, unmatched = list[str](), list[str](), list[str]()
        *heads, tail = self._parts(sentence)
        asks = False
        for part, is_tail in [*((head, False) for head in heads), (tail, True)]:
            flat = plain(part)
            asks_itself = is_tail or self._asks(part, flat)
            asks = asks or asks_itself
            found = self.topics(flat) if asks else []  # "Can I drive, and the drops, and can I fly?" asks about both
            faq += found
            if not asks_itself:
                told.append(part)
            elif not found and self._topic_words(flat):
                unmatched.append(part)
        if faq:
            return _Asked(faq, told, unmatched)
        return _Asked(self.topics(words), [], unmatched if told else [])

    def _parts(self, sentence: str) -> list[str]:
        """Cut a sentence before each question behind a joint; the last part is the last question."""
        table = self._table
        for joint in table.joints.finditer(sentence.casefold()):
            head, tail = sentence[: joint.start()].strip(" ,;"), sentence[joint.end() :]
            asks = table.question_start.search(plain(tail)) or table.question_inside.search(plain(tail))
            if asks and head and (table.but.fullmatch(plain(joint[0])) or self._asks(head, plain(head))):
                return [head, *self._parts(tail)]
        return [sentence.strip(" ,;")]

    def topics(self, words: str) -> list[str]:
        """Name the FAQ groups a plain sentence is about: all words of a keyword entry, or a near copy of an example."""
        present = frozenset(words.split())
        mine = self._topic_words(words)
        hits: list[tuple[float, str]] = []
        for topic in self._topics:
            keyword = max((len(entry) for entry in topic.keywords if _within(entry, present)), default=0)
            likeness = max((len(mine & e) / len(e) for e in topic.examples if len(e) > 1 or mine == e), default=0.0)
            if keyword or likeness >= EXAMPLE_LIKENESS_MIN:
                hits.append((keyword + likeness, topic.group_id))
        return [group_id for _, group_id in sorted(hits, key=lambda hit: -hit[0])]

    def _topic_words(self, text: str) -> frozenset[str]:
        return frozenset(word for word in plain(text).split() if word not in self._table.stop_words)

    def _asks(self, sentence: str, words: str) -> bool:
        table = self._table
        length, marked = len(words.split()), "?" in sentence
        inside = table.question_inside.search(words) is not None
        if length < TOPIC_QUESTION_WORDS_MIN:
            return False
        if length < QUESTION_WORDS_MIN and not (marked and inside) and not self.topics(words):
            return False
        return marked or inside or table.question_start.search(words) is not None

    def _is_tag(self, words: str) -> bool:
        return self._table.tag_question.search(words) is not None


def _within(entry: frozenset[str], present: frozenset[str]) -> bool:
    """Say whether every word of an entry occurs, as itself or with an ending ("drive" in "driving" is listed apart)."""
    return bool(entry) and all(word in present or f"{word}s" in present for word in entry)
