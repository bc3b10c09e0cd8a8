"""The last look at a reading: a no beside words nobody knows, yes and no in one breath, a number of something else.

Owns when a reading is held for one confirmation and when words hold a red flag although the reading is open. It never
closes anything, and never turns a yes into a no.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from obligations.answers.beside import Beside, beside_of
from obligations.answers.clauses import Clause
from obligations.answers.cues import Cue, Signal, read_clause
from obligations.answers.idioms.model import Idioms
from obligations.answers.protocol import AnswerKind, AnswerReading, QuestionText
from obligations.answers.question import Heard, Question, QuestionForm, same_meaning
from obligations.answers.reaching import reaching
from obligations.coverage.flat import flatten
from obligations.coverage.text import UNITS, Token, tokenise

_DENIED_WITHIN_WORDS = 4
_UNKNOWN = "qqq"
_TAG = re.compile(
    r"^(\s*(?:no|not|não|nao|sem|nem)\s[^,.;:!?]*\w)(?<!\bque)(?<!\bsay)(?<!\ba)\s+(no|não|nao)(?=\s*(?:[.!?…]|$))",
    re.IGNORECASE,
)
_NO_THANKS = re.compile(r"^(?:no|nope|nah) (?:thanks|thank you|thank u|ta|cheers)\b|^nao (?:muito )?obrigad[oa]\b")
_SENTENCE = re.compile(r"[^.!?…]+[.!?…]*")


_LEFT_IN_THE_AIR = re.compile(
    r"\b(?:it|that|there|they|we|i|you|he|she|what|who)['’](?:s|ve|re|m|ll|d)(?=\s*(?:[,…—]|\.\.|-\s|$))", re.IGNORECASE
)
"""A contraction answers nothing where a clause ends: "yes, it is", never "yes, it's"."""


def set_apart(reply: str) -> str:
    """Drop contractions left in the air, and part a no that only repeats the denial before it ("No pain no.").

    Such a no is no double negative.
    """
    reply = _LEFT_IN_THE_AIR.sub(" … ", reply)
    return "".join(_TAG.sub(r"\1, \2", sentence) for sentence in _SENTENCE.findall(reply)) or reply


def second_look(
    question: QuestionText,
    reply: str,
    asked: Question,
    clauses: Sequence[Clause],
    idioms: Idioms,
    reading: AnswerReading,
) -> AnswerReading:
    """Hold a reading against all that was said.

    Args:
        question: The question as heard.
        reply: The reply's words.
        asked: The question, analysed.
        clauses: The reply, cut.
        idioms: Those of the call's language.
        reading: What was read.

    Returns:
        The same reading, or one that closes less: not certain, or open with what it may hold in `suspects`.
    """
    table = beside_of(question.language)
    if table is None or asked.heard is Heard.NOTHING:
        return reading
    if asked.form is QuestionForm.NUMBER and question.value_type == "scale":
        return reaching(question, reply, table, idioms, _grade(question, reply, table, reading))
    if reading.kind not in {AnswerKind.YES, AnswerKind.NO, AnswerKind.UNCLEAR, AnswerKind.NOT_AN_ANSWER}:
        return reading
    if question.value_type != "yes_no" or not question.red_flag_answers:
        return reading
    reading = _repair(clauses, idioms, table, reading)
    read = [(clause, read_clause(clause, asked, idioms)) for clause in clauses]
    cues = {signal.cue for _, signal in read}
    reading = _leaning(question, read, asked, table, idioms, reading)
    reading = _both(question, asked, clauses, table, idioms, reading, contradicts={Cue.YES, Cue.NO} <= cues)
    flag = "yes" if "yes" in question.red_flag_answers else "no"
    if reading.kind.value != flag and any(idioms.dialect_denial.search(clause.flat) for clause in clauses):
        return replace(reading, certain=False, suspects=flag)  # "I don't have no pain" denies as often as it affirms
    if reading.kind is AnswerKind.YES and reading.certain and table.elsewhere.search(_flat(clauses)):
        return replace(reading, certain=False, why="says yes of another place")
    if reading.kind is not AnswerKind.NO or flag == "no":
        return reading
    if _turns_down(read):
        return replace(reading, certain=False, unsettled=True, why="thanks that may turn the question down")
    unknown = _unknown(reply, asked, clauses, idioms, table)
    if unknown and reading.certain and asked.axis <= 0:
        return replace(
            reading, certain=False, unsettled=True, why="a no beside words that are not known to be harmless"
        )
    return replace(reading, unsettled=unknown and not reading.certain)


def _flat(clauses: Sequence[Clause]) -> str:
    return " ".join(clause.flat for clause in clauses)


def _turns_down(read: Sequence[tuple[Clause, Signal]]) -> bool:
    """Read "No thanks", in one breath, as what also turns an offer down; "No, thank you" answers and then thanks."""
    denied = [clause for clause, signal in read if signal.cue is Cue.NO]
    return bool(denied) and all(_NO_THANKS.match(clause.flat) for clause in denied)


def _repair(clauses: Sequence[Clause], idioms: Idioms, table: Beside, reading: AnswerReading) -> AnswerReading:
    """Read "No, can you repeat?" as wanting the question again: what the no denies was perhaps not understood."""
    asks = any(idioms.repeat.search(clause.flat) for clause in clauses)
    bare = all(idioms.repeat.search(c.flat) or idioms.fillers.match(c.flat) or c.flat in table.no for c in clauses)
    if asks and bare and reading.kind is AnswerKind.NO:
        return replace(reading, kind=AnswerKind.NOT_AN_ANSWER, certain=False, why="asks to hear the question again")
    return reading


def _leaning(
    question: QuestionText,
    read: Sequence[tuple[Clause, Signal]],
    asked: Question,
    table: Beside,
    idioms: Idioms,
    reading: AnswerReading,
) -> AnswerReading:
    """Suspect the flag where words lean to it: "maybe", "no, once", "when I rub it", "is it normal that it is red?"."""
    flag = "yes" if "yes" in question.red_flag_answers else "no"
    if reading.kind.value == flag:
        return reading
    said = [clause.flat for clause, _ in read if clause.mark != "?"]
    leans = any(table.halfway.search(flat) for flat in said)
    if flag == "yes":
        some = any(table.amounts.search(flat) or idioms.occasion.match(flat) for flat in said)
        leans = leans or some or any(_takes_for_granted(c, s, asked, table, idioms) for c, s in read)
    return replace(reading, certain=False, suspects=flag) if leans else reading


def _takes_for_granted(clause: Clause, signal: Signal, asked: Question, table: Beside, idioms: Idioms) -> bool:
    """Read "Is it normal that it is so red?" as telling of redness; "What redness?" tells of none."""
    asks = clause.mark == "?" or signal.cue is Cue.ASKS
    named = any(same_meaning(word, asked.focus, idioms) for word in clause.words)
    denied = any(word in idioms.negators for word in clause.words)
    return asks and named and not denied and table.judging.search(clause.flat) is not None


def _both(
    question: QuestionText,
    asked: Question,
    clauses: Sequence[Clause],
    table: Beside,
    idioms: Idioms,
    reading: AnswerReading,
    *,
    contradicts: bool,
) -> AnswerReading:
    """Where a yes and a no stand in one reply, or a yes nobody denied, the red flag is suspected whatever was read."""
    told = [clause for clause in clauses if clause.mark != "?" or len(clauses) > 1 and len(clause.words) == 1]
    yes = any(_says_yes(clause.words, table, idioms) for clause in told)
    no = any(word in table.no for clause in told for word in clause.words)
    flag = "yes" if "yes" in question.red_flag_answers else "no"
    bare = all(word in table.yes | table.no for clause in told for word in clause.words)
    if yes and no and bare and reading.kind in {AnswerKind.YES, AnswerKind.NO}:
        reading = replace(reading, kind=AnswerKind.UNCLEAR, certain=False, why="yes and no in one reply")
    if reading.kind.value == flag:
        return replace(reading, certain=False) if yes and no else reading
    unread = any(
        _says_yes(c.words, table, idioms) and read_clause(c, asked, idioms).cue is Cue.OTHER for c in told
    )  # "Yes lots since yesterday": what stands behind the yes was not read, and may be how much of it there is
    invited = reading.kind is AnswerKind.NOT_AN_ANSWER and not no and not unread
    if (yes and no) or (contradicts and reading.kind is AnswerKind.UNCLEAR) or (yes and flag == "yes" and not invited):
        return replace(reading, certain=False, suspects=flag)
    return reading


def _says_yes(words: Sequence[str], table: Beside, idioms: Idioms) -> bool:
    """Say whether a clause holds a yes that it does not deny; a no right before one contradicts it."""
    words = [word for word in words if word not in idioms.joining]
    for i, word in enumerate(words):
        if word not in table.yes:
            continue
        before = list(words[max(0, i - _DENIED_WITHIN_WORDS) : i])
        if before and before[-1] in table.no:
            return True
        if not any(w in table.denying for w in before):
            return True
    return False


def _unknown(reply: str, asked: Question, clauses: Sequence[Clause], idioms: Idioms, table: Beside) -> bool:
    limited = any(word in table.limiting for word in flatten(reply, idioms.language).split())
    return limited or any(_unknown_in(clause, asked, idioms, table) for clause in clauses)


def _unknown_in(clause: Clause, asked: Question, idioms: Idioms, table: Beside) -> bool:
    """Say whether a clause holds a word that is neither the question's own, nor harmless, nor part of a known idiom."""
    flat = clause.flat
    if idioms.fillers.match(flat) or flat in idioms.polite:
        return False
    own = set(asked.flat.split())
    about_sight = bool(own & table.sight)
    own |= table.clear if about_sight else frozenset[str]()
    # What a wildcard of an idiom would take in whatever it is ("not since ...") is vouched for by nothing.
    masked = " ".join(word if word in own | table.harmless else _UNKNOWN for word in clause.words)
    for pattern in (idioms.no, idioms.soft_no):
        wild = masked != flat and pattern.match(masked)
        if pattern.match(flat) and not wild and not set(clause.words) & table.yes:
            return False
    denies = any(word in idioms.negators for word in clause.words)
    named = any(same_meaning(word, asked.focus, idioms) for word in clause.words)
    if not named and _denies_topic(clause.words, idioms):
        return True
    denied = table.harmless_denied | (frozenset[str]() if about_sight else table.seeing)
    return any(
        (
            word not in own
            and word not in table.harmless
            and not (denies and (word in denied or same_meaning(word, asked.focus, idioms)))
        )
        or (about_sight and word in table.seeing)
        for word in clause.words
    )


def _denies_topic(words: Sequence[str], idioms: Idioms) -> bool:
    """Read "no vision": what is denied is what the question is about, not what it asks of it."""
    return any(w in idioms.topics and before in idioms.negators for before, w in zip(words, words[1:], strict=False))


def _grade(question: QuestionText, reply: str, table: Beside, reading: AnswerReading) -> AnswerReading:
    """Read a number that counts something, or a fraction alone, as no grade on a scale."""
    if reading.kind is not AnswerKind.VALUE:
        return reading
    tokens = tokenise(reply, question.language).tokens
    numbers = [i for i, token in enumerate(tokens) if token.value is not None]
    counts = any(_counts(tokens, i, table) for i in numbers)
    fraction = any(0 < v < 1 for i in numbers if (v := tokens[i].value) is not None)
    whole = any(v >= 1 for i in numbers if (v := tokens[i].value) is not None)
    if counts or (fraction and not whole):
        return replace(reading, kind=AnswerKind.UNCLEAR, value=None, certain=False, why="a number of something else")
    following = [tokens[i + 1] for i in numbers if i + 1 < len(tokens) and not tokens[i + 1].before.strip()]
    own = {token.norm for token in tokenise(question.text, question.language).tokens}
    odd = [t for t in following if t.value is None and t.norm not in table.graded | table.harmless | own]
    return replace(reading, certain=False, why="a number beside a word nobody read") if odd else reading


def _counts(tokens: Sequence[Token], i: int, table: Beside) -> bool:
    if i + 1 >= len(tokens) or tokens[i + 1].before.strip():
        return False
    following = tokens[i + 1]
    return following.value is None and (following.lower in table.counted or following.norm in table.counted | UNITS)
