"""What each clause of a reply does, by itself: answer, hedge, refuse, ask, hold the floor, or nothing.

Owns the reading of one clause against one question. Never weighs clauses against each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from obligations.answers.clauses import Clause
from obligations.answers.idioms.model import Idioms
from obligations.answers.question import Question, QuestionForm, same_meaning
from obligations.answers.subject import (
    SUBJECT_WORDS,
    names_another,
    names_focus,
    of_another_person,
    of_another_thing,
    tells,
)
from obligations.coverage.text import tokenise


class Cue(StrEnum):
    """What one clause does."""

    YES = "yes"
    NO = "no"
    UNSURE = "unsure"
    REFUSE = "refuse"
    ACK = "ack"
    CONSENT = "consent"
    AGREE = "agree"
    MURMUR = "murmur"
    HOLD = "hold"
    GO_ON = "go_on"
    HEARING = "hearing"
    ASKS = "asks"
    CORRECT = "correct"
    CONDITION = "condition"
    SHIFT = "shift"
    RELAY = "relay"
    FILLER = "filler"
    ABOUT = "about"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Signal:
    """One clause's cue.

    Parameters:
        cue: What it does.
        plain: Whether it is a plain yes or no, without a hedge or an inference.
        bare: Whether it is only a yes or no word, which a negative question makes ambiguous.
        names_focus: Whether it names what the question asks about.
        third: Whether its subject is somebody else ("he has").
        corrects: Whether it opens with a correction and so replaces what came before.
        affirms: Whether it is an affirmative of something else; after a correction it reverses a "no".
    """

    cue: Cue
    plain: bool = False
    bare: bool = False
    names_focus: bool = False
    third: bool = False
    corrects: bool = False
    affirms: bool = False


def read_clauses(clauses: Sequence[Clause], question: Question, idioms: Idioms) -> list[tuple[Clause, Signal]]:
    """Read each clause; one that only underlines a double negative ("never not had it, not once") says nothing."""
    out: list[tuple[Clause, Signal]] = []
    for clause in clauses:
        doubled = bool(out) and idioms.double_negative.search(out[-1][0].flat) is not None
        underlines = doubled and idioms.strengthens.match(clause.flat) is not None
        out.append((clause, Signal(Cue.FILLER) if underlines else read_clause(clause, question, idioms)))
    return out


def read_clause(clause: Clause, question: Question, idioms: Idioms) -> Signal:
    """Read one clause against a yes/no question."""
    flat = clause.flat
    sound = (
        idioms.murmur_yes.match(flat)
        or idioms.murmur.match(flat)
        or idioms.no.match(flat)
        or idioms.unsure.fullmatch(flat)
    )
    if idioms.fillers.match(flat) and not sound:
        return Signal(Cue.FILLER)
    if _broken_off(clause, question, idioms) or idioms.vouching.match(flat):
        return Signal(Cue.FILLER)
    if clause.mark == "?" and flat in idioms.calls:
        return Signal(Cue.HEARING)
    if clause.mark == "?" or (len(clause.words) > 1 and clause.words[-1] in idioms.asking_last):
        return Signal(Cue.ASKS, names_focus=names_focus(flat, question, idioms))
    if not idioms.dialect_denial.search(flat) and (negated := idioms.double_negative.search(flat)) is not None:
        return _double_negative(flat, negated.group(), question, idioms)
    whole = _whole_idiom(flat, question, idioms)
    if whole is not None:
        return whole
    floor = _floor_idiom(flat, question, idioms)
    if floor is not None:
        return floor
    return _content(flat, question, idioms)


def _broken_off(clause: Clause, question: Question, idioms: Idioms) -> bool:
    """Read "I... it's..." as words that were left in the air: an auxiliary at such an end answers nothing.

    Nor does the thing asked, said over and not gone on with ("Chest pain...").
    """
    repeats = set(clause.words) <= set(question.flat.split())
    return clause.mark == "…" and (repeats or clause.words[-1] in idioms.open_ends)


def _whole_idiom(flat: str, question: Question, idioms: Idioms) -> Signal | None:
    permission = question.form in {QuestionForm.PERMISSION, QuestionForm.MIND}
    if permission and idioms.hold.match(flat):
        return Signal(Cue.HOLD)
    if idioms.correct.fullmatch(flat):
        return Signal(Cue.CORRECT)
    if question.today and not question.asks_support and _of_another_day(flat, idioms):
        return Signal(Cue.ABOUT) if not _negations(flat, idioms) and not idioms.correct.match(flat) else None
    if idioms.murmur_yes.match(flat):
        return Signal(Cue.YES, bare=True)
    if idioms.murmur.match(flat):
        return Signal(Cue.MURMUR)
    if permission and idioms.objects.search(flat):
        return Signal(Cue.REFUSE)
    if permission and idioms.consent.match(flat):
        return Signal(Cue.CONSENT, plain=True)
    if idioms.shift.fullmatch(flat):
        return Signal(Cue.SHIFT)
    if idioms.soft_no.match(flat):
        return Signal(Cue.NO)
    if idioms.soft_yes.match(flat):
        return Signal(Cue.UNSURE if question.every else Cue.YES)
    if flat.isdecimal() or (len(tokens := tokenise(flat, idioms.language).tokens) == 1 and tokens[0].value is not None):
        counted = idioms.any_asked.match(question.flat) is not None
        return Signal(Cue.YES if counted and not flat.startswith("0") else Cue.UNSURE)
    if idioms.unsure.fullmatch(flat) and not idioms.some.match(flat):
        return Signal(Cue.UNSURE)
    bare = len(flat.split()) <= 2
    if idioms.any_of.search(question.flat) and idioms.elliptic.match(flat):
        return Signal(Cue.YES, names_focus=True)
    if idioms.telling & set(flat.split()) and names_another(flat, question, idioms):
        return None  # "Mas dói" is no yes to "any redness?", though its verb answers another question
    if idioms.no.match(flat):
        return _echo(flat, idioms) or Signal(Cue.NO, plain=True, bare=bare)
    if idioms.yes.match(flat):
        return _echo(flat, idioms) or Signal(Cue.YES, plain=True, bare=bare)
    if idioms.unsure.fullmatch(flat):
        return Signal(Cue.UNSURE)
    if idioms.some.match(flat) and not idioms.same.search(flat):
        return Signal(Cue.UNSURE if question.every else Cue.YES)
    if idioms.ack.match(flat):
        return Signal(Cue.ACK)
    if idioms.agree.match(flat):
        return Signal(Cue.AGREE)
    return _echo(flat, idioms) or _verb_echo(flat, question, idioms)


def _verb_echo(flat: str, question: Question, idioms: Idioms) -> Signal | None:
    """Read a Portuguese answer that repeats the question's verb in the first person ("Fica com ...?" "Fico.")."""
    if not idioms.first_person:
        return None
    verbs = {own for word in question.flat.split()[:4] for own in _first_person(word, idioms)}
    words = flat.split()
    if len(words) > 4 or not any(w in verbs for w in words) or not all(w in verbs | idioms.echo_frame for w in words):
        return None
    denied = _negations(flat, idioms) % 2 == 1
    return Signal(Cue.NO if denied else Cue.YES, plain=True)


def _first_person(word: str, idioms: Idioms) -> set[str]:
    """The first-person forms of a verb asked in the third; a rule for regular verbs, a table for the others."""
    out = {idioms.first_person[word]} if word in idioms.first_person else set[str]()
    for ending, own in (("ou", "ei"), ("eu", "i"), ("iu", "i"), ("a", "o"), ("e", "o")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            out.add(word[: -len(ending)] + own)
            break
    return out


def _of_another_day(flat: str, idioms: Idioms) -> bool:
    ceased = idioms.ceased.match(flat) is not None
    return idioms.other_day.search(flat) is not None and idioms.this_day.search(flat) is None and not ceased


def _echo(flat: str, idioms: Idioms) -> Signal | None:
    match = idioms.echo.match(flat)
    if match is None:
        return None
    negated = any(match.groupdict().get(name) for name in ("neg", "neg2"))
    return Signal(Cue.NO if negated else Cue.YES, plain=True, third=_third(flat, idioms))


def _third(flat: str, idioms: Idioms) -> bool:
    return bool(idioms.third & set(flat.split()[:SUBJECT_WORDS]))


def _floor_idiom(flat: str, question: Question, idioms: Idioms) -> Signal | None:
    permission = question.form in {QuestionForm.PERMISSION, QuestionForm.MIND}
    if idioms.refuse.search(flat) or (permission and idioms.objects.search(flat)):
        return Signal(Cue.REFUSE)
    if idioms.hold.fullmatch(flat) and not idioms.correct.fullmatch(flat):
        return Signal(Cue.HOLD)
    for pattern, cue in (
        (idioms.hearing, Cue.HEARING),
        (idioms.repeat, Cue.ASKS),
        (idioms.go_on, Cue.GO_ON),
        (idioms.correct, Cue.CORRECT),
        (idioms.hold, Cue.HOLD),
    ):
        found = pattern.match(flat) if cue in {Cue.CORRECT, Cue.HEARING, Cue.GO_ON} else pattern.search(flat)
        if found is None or (cue is Cue.ASKS and found.group() != flat and found.start() > 0):
            continue
        if cue is Cue.CORRECT and found.end() < len(flat):
            return _after_correction(flat[found.end() :].strip(), question, idioms)
        return Signal(cue)
    if permission and idioms.condition.match(flat):
        return Signal(Cue.CONDITION)
    if idioms.question_start.match(flat) and not idioms.echo.match(flat) and _asks(flat, idioms):
        return Signal(Cue.ASKS)
    return None


def _after_correction(rest: str, question: Question, idioms: Idioms) -> Signal:
    signal = read_clause(Clause(rest, ""), question, idioms)
    return replace(signal, corrects=True) if signal.cue is not Cue.FILLER else Signal(Cue.CORRECT)


def _asks(flat: str, idioms: Idioms) -> bool:
    """A question without its mark: it opens like one, and not like another topic."""
    return not idioms.shift.match(flat)


def _double_negative(flat: str, matched: str, question: Question, idioms: Idioms) -> Signal:
    """Cancelled negations assert what they negate; "never missed one" asserts the good act."""
    words = set(flat.split())
    if words & idioms.inverse:
        return Signal(Cue.YES if question.axis >= 0 and not question.inverse else Cue.NO, names_focus=True)
    symptom = any(same_meaning(w, question.focus, idioms) for w in words)
    del matched
    return Signal(Cue.YES, names_focus=symptom)


def _negations(flat: str, idioms: Idioms) -> int:
    count = 0
    if idioms.dialect_denial.search(flat):
        return 1
    for word in flat.split():
        if word in idioms.negators and not (count and word in idioms.concord):
            count += 1
    return count


def _content(flat: str, question: Question, idioms: Idioms) -> Signal:
    if idioms.relay.match(flat):
        return Signal(Cue.RELAY)
    if question.asks_support:
        if idioms.alone.search(flat):
            alone_asked = idioms.alone_asked.search(question.flat) is not None or question.axis < 0
            denied = _negations(flat, idioms) % 2 == 1 and idioms.no_one.search(flat) is None
            return Signal(Cue.YES if alone_asked is not denied else Cue.NO, names_focus=True)
        if idioms.supports.search(flat) and not _negations(flat, idioms):
            alone_asked = idioms.alone_asked.search(question.flat) is not None
            return Signal(Cue.NO if alone_asked or question.axis < 0 else Cue.YES, names_focus=True)
    if question.anyone:
        if idioms.nobody_did.search(flat):
            return Signal(Cue.NO, names_focus=True)
        if idioms.someone_did.match(flat) and not _negations(flat, idioms):
            return Signal(Cue.YES, names_focus=True)
    if of_another_person(flat, question, idioms):
        return Signal(Cue.SHIFT)
    if idioms.unable.match(flat) and question.axis > 0:
        return Signal(Cue.NO, names_focus=True)
    if idioms.ceased.match(flat) and not question.asks_support:
        negated = _negations(flat, idioms) % 2 == 1
        return Signal(Cue.YES if negated is not question.inverse else Cue.NO, names_focus=True)
    third = _third(flat, idioms)
    if (without := idioms.mild.sub("", flat).strip()) != flat and without and not idioms.unsure.search(without):
        mild = _content(without, question, idioms)
        return replace(mild, plain=False) if mild.cue in {Cue.YES, Cue.NO} else Signal(Cue.UNSURE)
    if idioms.unsure.search(flat) and not idioms.soft_no.match(flat):
        return Signal(Cue.UNSURE)
    if idioms.shift.match(flat):
        return Signal(Cue.SHIFT)
    so = tells(flat, question, idioms)
    about = _about(flat, question, idioms, so)
    if about is not None and about.cue is not Cue.ABOUT:
        return Signal(about.cue, about.plain, about.bare, about.names_focus, third)
    if so is not None:
        return Signal(Cue.YES if so else Cue.NO, names_focus=True, third=third)
    if about is not None:
        return Signal(about.cue, about.plain, about.bare, about.names_focus, third)
    if idioms.shift.search(flat):
        return Signal(Cue.SHIFT)
    if question.axis < 0 and not question.today and idioms.circumstance.match(flat) and not _negations(flat, idioms):
        return Signal(Cue.YES)
    state = _state(flat, question, idioms)
    if state is not None:
        return Signal(state, third=third)
    return Signal(
        Cue.OTHER, third=third, affirms=idioms.affirms.match(flat) is not None and not _negations(flat, idioms)
    )


def _about(flat: str, question: Question, idioms: Idioms, so: bool | None) -> Signal | None:
    """A clause that names the thing asked for, its opposite, or the question's alternative."""
    words = flat.split()
    negations = _negations(flat, idioms)
    if question.comparative and idioms.same.search(flat):
        return Signal(Cue.NO, names_focus=True)
    if question.alternative and any(same_meaning(w, question.alternative, idioms) for w in words):
        return Signal(Cue.YES if negations % 2 else Cue.NO, plain=not negations, names_focus=True)
    if question.axis < 0 and idioms.breath_gone.search(flat) and _asks_breath(question, idioms):
        return Signal(Cue.YES, plain=True, names_focus=True)  # "I can't breathe" denies nothing that was asked
    if question.axis < 0 and idioms.ill_seen.search(flat) and idioms.sight & set(question.flat.split()):
        return Signal(Cue.YES, plain=True, names_focus=True)  # "vejo mal" to "is your vision blurred?"
    if idioms.cleft.match(flat) is not None and of_another_thing(flat, question, idioms):
        return None
    if not names_focus(flat, question, idioms):
        # "hot and cold all night" tells of a fever, though "cold" by itself is the opposite of one.
        return _antonym(words, negations, question, idioms) if so is None else None
    if any(p.search(flat) for p in (idioms.half_negated, idioms.shift, idioms.long_ago)):
        return Signal(Cue.ABOUT, names_focus=True)
    if question.today and _of_another_day(flat, idioms):
        return Signal(Cue.ABOUT, names_focus=True)
    if idioms.future.search(flat) and question.axis > 0:
        return Signal(Cue.NO, names_focus=True)
    positive = negations % 2 == 0
    if not question.inverse and set(words) & idioms.inverse:
        positive = not positive
    doubled = (positive and negations > 0) or idioms.dialect_denial.search(flat) is not None
    return Signal(Cue.YES if positive else Cue.NO, plain=not doubled, names_focus=True)


def _asks_breath(question: Question, idioms: Idioms) -> bool:
    return any(same_meaning(word, question.focus, idioms) for word in idioms.breath)


def _antonym(words: list[str], negations: int, question: Question, idioms: Idioms) -> Signal | None:
    for one, other in idioms.antonyms:
        for ours, theirs in ((one, other), (other, one)):
            if question.focus & ours and set(words) & theirs:
                return Signal(Cue.YES if negations % 2 else Cue.NO, names_focus=True)
    return None


def _state(flat: str, question: Question, idioms: Idioms) -> Cue | None:
    """A clause that says how things are, good or bad, on the question's own axis."""
    if question.axis == 0 or question.form in {QuestionForm.PERMISSION, QuestionForm.MIND}:
        return None
    if of_another_thing(flat, question, idioms):
        return None
    bad = idioms.bad.search(flat) is not None and not names_another(flat, question, idioms)
    good = not bad and idioms.good.search(flat) is not None
    if not bad and not good:
        return Cue.NO if question.axis > 0 and idioms.future.search(flat) else None
    if good and _negations(flat, idioms) % 2 and not idioms.good.match(flat):
        return None
    return Cue.YES if (1 if good else -1) == question.axis else Cue.NO
