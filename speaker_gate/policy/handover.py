"""Handing the call to a carer: only on the patient's word, recorded, and taken back as easily. Pure.

Owns the patterns (English, European Portuguese) and the small state of who may speak.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from speaker_gate.policy.cues import base_language, normalised
from speaker_gate.replies import Standing

_RELATIVES_EN = (
    r"(daughter|son|wife|husband|partner|mum|mother|dad|father|sister|brother|carer|caregiver|nurse|niece|nephew|"
    r"granddaughter|grandson|friend|neighbour|girlfriend|boyfriend|interpreter|him|her|them)"
)
_RELATIVES_PT = (
    r"(filha|filho|mulher|marido|esposa|esposo|companheir[oa]|mãe|pai|irmã|irmão|cuidador[a]?"
    r"|enfermeira|sobrinh[oa]|"
    r"net[oa]|amig[oa]|vizinh[oa]|intérprete|nora|genro|ele|ela)"
)

_GIVES = {
    "en": re.compile(
        rf"\b(talk|speak|ask|listen) (to|with)?\s*(my |the )?{_RELATIVES_EN}\b"
        rf"|\b(my |the )?{_RELATIVES_EN} (can|will|may|should|could) (answer|talk|speak|tell|help|explain|do it)\b"
        rf"|\b(i('ll| will)?|let me) (hand|pass|give|put) (you|the phone|this)?.*\b(to|over to|on to"
        rf"|on)?\s*(my )?{_RELATIVES_EN}\b"
        rf"|\blet (my )?{_RELATIVES_EN} (answer|talk|speak|do)\b"
    ),
    "pt": re.compile(
        rf"\b(fale|falem|fala|pergunte|pergunta) (antes )?(com|à|ao|a) (a |o )?(minha |meu )?{_RELATIVES_PT}\b"
        rf"|\b(a |o )?(minha |meu )?{_RELATIVES_PT} (pode|vai|é que) (responder|responde|falar|fala"
        rf"|dizer|explicar|sabe)\b"
        rf"|\b(vou passar|passo|dou)( o telefone| a chamada)? (à|ao|a) (minha |meu )?{_RELATIVES_PT}\b"
    ),
}

_TAKES_BACK = {
    "en": re.compile(
        r"\b(i('ll| will| can| want to| would like to)? (answer|speak|talk) (for )?myself"
        r"|talk to me|ask me|let me (answer|speak|talk)|i can answer)\b"
    ),
    "pt": re.compile(
        r"\b((eu )?(respondo|falo) eu|eu (próprio|própria) (respondo|falo)|(fale|pergunte|fala"
        r"|pergunta) (comigo|-?me a mim)"
        r"|deixe-me (responder|falar)|eu posso responder|eu respondo)\b"
    ),
}

_OFFERS = {
    "en": re.compile(
        rf"\bi('m| am)( \w+)? (his|her|their|the) {_RELATIVES_EN}\b|\bthis is (his|her|their|the) {_RELATIVES_EN}\b"
        r"|\b(i('ll| will| can)|let me) (answer|speak|talk|do the talking) for (her|him|them|my \w+)\b"
        r"|\byou can (talk|speak) to me\b|\b(i'm|i am|this is) \w+('s| s) "
        rf"{_RELATIVES_EN}\b"
    ),
    "pt": re.compile(
        rf"\b(sou|fala|aqui é) (a |o )?{_RELATIVES_PT}\b|\beu (respondo|falo) por (ela|ele)\b"
        r"|\bpode falar comigo\b|\bpergunte-me a mim\b"
    ),
}

_ANOTHER_ANSWERED = {
    "en": re.compile(
        r"\b(i'?ll (get|fetch|call) (her|him|them|my)|(she|he)'?s (not here|in the|out|asleep|upstairs"
        r"|just coming|coming)"
        r"|hold on,? i'?ll (get|pass)|one moment,? i'?ll|you want my (mum|mother|dad|father|wife|husband))\b"
        r"|\b(speaking for|on behalf of)\b"
    ),
    "pt": re.compile(
        r"\b(vou (chamar|buscar|passar)|(ela|ele) (não está|está (no|na|a)|já vem|vem já)|só um momento,? vou"
        r"|quer falar com (a minha|o meu))\b"
    ),
}


def gives_the_call(text: str, language: str) -> bool:
    """Say whether the patient's words hand the call to somebody else ("please talk to my daughter")."""
    return bool(_GIVES[base_language(language)].search(normalised(text)))


def takes_the_call_back(text: str, language: str) -> bool:
    """Say whether the patient's words take the call back ("I can answer myself")."""
    return bool(_TAKES_BACK[base_language(language)].search(normalised(text)))


def offers_to_speak(text: str, language: str) -> bool:
    """Say whether words offer to speak for the patient ("I am her daughter, I will answer for her")."""
    return bool(_OFFERS[base_language(language)].search(normalised(text)))


def somebody_else_answered(text: str, language: str) -> bool:
    """Say whether the person on the line says that they are not the patient ("I'll get her")."""
    plain, base = normalised(text), base_language(language)
    return bool(_ANOTHER_ANSWERED[base].search(plain)) or offers_to_speak(text, language)


class HandoverEvent(StrEnum):
    """What happened to the right to speak."""

    OFFERED = "offered"
    GRANTED = "granted"
    TAKEN_BACK = "taken_back"


@dataclass(frozen=True, slots=True)
class HandoverRecord:
    """One step, for the journal.

    Parameters:
        event: What happened.
        at_s: When, seconds of the call's clock.
        by: Who spoke: only the patient grants or takes back.
        standing: How sure it was that the patient spoke.
    """

    event: HandoverEvent
    at_s: float
    by: str
    standing: Standing


HANDOVERS_MAX = 20
"""Steps kept of one call; a call that goes back and forth more often stays as it is."""

MAY_GRANT = frozenset({Standing.PRIMARY, Standing.INFERRED})
"""Who may grant or take back. A voice that is merely assumed or unsure must be confirmed first."""


class Handover:
    """Who may speak for the patient in this call. Starts with nobody."""

    def __init__(self) -> None:
        self._records: list[HandoverRecord] = []
        self._granted = False

    @property
    def granted(self) -> bool:
        """True while somebody with the patient may answer."""
        return self._granted

    @property
    def records(self) -> tuple[HandoverRecord, ...]:
        """Everything that happened, in order."""
        return tuple(self._records)

    def hear_primary(self, text: str, standing: Standing, language: str, now_s: float) -> HandoverEvent | None:
        """Take in the patient's words; returns what they changed."""
        if standing not in MAY_GRANT:
            return None
        if self._granted and takes_the_call_back(text, language):
            self._granted = False
            return self._note(HandoverEvent.TAKEN_BACK, now_s, "patient", standing)
        if not self._granted and gives_the_call(text, language):
            self._granted = True
            return self._note(HandoverEvent.GRANTED, now_s, "patient", standing)
        return None

    def hear_other(self, text: str, language: str, now_s: float) -> HandoverEvent | None:
        """Take in another person's words; an offer is noted, it grants nothing."""
        if self._granted or not offers_to_speak(text, language):
            return None
        return self._note(HandoverEvent.OFFERED, now_s, "third_party", Standing.THIRD_PARTY)

    def _note(self, event: HandoverEvent, now_s: float, by: str, standing: Standing) -> HandoverEvent:
        if len(self._records) < HANDOVERS_MAX:
            self._records.append(HandoverRecord(event, now_s, by, standing))
        return event
