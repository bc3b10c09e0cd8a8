"""How somebody says on the telephone that they are not the patient, and that the patient has come; plain form.

Owns these patterns of every language. Each is searched in one plain sentence (see `table`).
"""

# ruff: noqa: E501 - one pattern, one line

from __future__ import annotations

import re
from dataclasses import dataclass

from obligations.tracker.language.table import NEVER, alternatives

_KIN = r"(?:daughter|son|wife|husband|mother|father|mum|mom|dad|sister|brother|carer|caregiver|partner|nurse|neighbour|neighbor|friend|grandson|granddaughter|niece|nephew|flatmate|roommate|caretaker|girlfriend|boyfriend|fiancee?|aunt|uncle|cousin|daughter in law|son in law|mother in law|father in law|helper|assistant|interpreter)"
_AM = r"(?:im|i am|this is|its me|it is me|youre (?:speaking|talking) (?:to|with)|you are (?:speaking|talking) (?:to|with))"
_JUST = r"(?:only |just |actually |still |in fact |now )*"
_HELLO = r"^(?:(?:no|yes|yeah|hello|hi|hey|sorry|oh|well|um|uh|er|good morning|good afternoon|actually|but|and|still|im afraid|i am afraid) )*"
_AWAY = r"(?:here|in|home|at home|available|around|up to it|well enough|awake)"

_PARENTE = r"(?:filh[oa]|mulher|marido|espos[oa]|mae|pai|irma|irmao|cuidadora?|net[oa]|nora|genro|vizinh[oa]|amig[oa]|sobrinh[oa]|companheir[oa]|namorad[oa]|enfermeir[oa]|empregad[oa]|cunhad[oa]|sogr[oa]|primo|prima|tio|tia|interprete)"
_OLA = r"^(?:(?:nao|sim|ola|ah|bem|bom|bom dia|boa tarde|desculpe|olhe|pois|mas|ainda) )*"
_DELE = r"(?:dele|dela|do doente|da doente|do senhor|da senhora)"


@dataclass(frozen=True, slots=True)
class StandInTable:
    """How it sounds in one language.

    Parameters:
        introduces: "This is his wife", "I will answer for her".
        not_here: "He's asleep", said of nobody the reply has named as the speaker's own.
        own_kin: "My husband": then "he" is not the patient.
        is_patient: "It's me, I'm awake now".
        is_here: "He's here now", "I'll put him on": what comes next is the patient's.
        fetches: "I'll get him": the patient is waited for.
        affirms: A whole reply that says yes to "am I speaking with the patient now?".
        titles: Of whom somebody speaks ("his"), and the title that is then the patient's own ("this is Mr").
    """

    introduces: re.Pattern[str] = NEVER
    not_here: re.Pattern[str] = NEVER
    own_kin: re.Pattern[str] = NEVER
    is_patient: re.Pattern[str] = NEVER
    is_here: re.Pattern[str] = NEVER
    fetches: re.Pattern[str] = NEVER
    affirms: re.Pattern[str] = NEVER
    titles: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = ()


_EN = StandInTable(
    introduces=alternatives(
        rf"\b{_AM} {_JUST}(?:her|his|their|the patients) (?:\w+ )?{_KIN}\b",
        rf"\b{_AM} {_JUST}the {_KIN}\b",
        rf"\b{_AM} {_JUST}(?:(?:mr|mrs|ms|miss|dr) )?(?!(?:always|as|this|was|is|its)\b)[a-z]+s {_KIN}\b",
        rf"{_HELLO}(?:its |it is )?{_JUST}(?:her|his|their|the patients) {_KIN}(?: (?:here|speaking|again|talking|answering))*$",
        rf"{_HELLO}{_KIN} (?:here|speaking)$",
        rf"\b(?:ill|i will|i can|let me|i shall|im|i am) (?:answer|speak|talk|answering|speaking|talking) (?:for|on behalf of) (?:her|him|them|my {_KIN})\b",
        rf"\bon (?:her|his|their|my {_KIN}s) behalf\b",
    ),
    not_here=alternatives(
        rf"{_HELLO}(?:she|he)(?:s| is) (?:still |just |currently |fast |already )*(?:asleep|sleeping|out|away|at work|busy|resting|lying down|in bed|in the (?:bath|shower|garden|hospital|other room|toilet|bathroom)|in hospital|upstairs|downstairs|not (?:here|in|at home|available|around|up to it|well enough|awake))\b",
        rf"{_HELLO}(?:she|he) (?:isnt|is not|wasnt) {_AWAY}\b",
        rf"{_HELLO}(?:she|he) (?:cant|cannot|can not|wont|will not|doesnt want to|does not want to) (?:come|talk|speak|get up|get to the phone)\b",
    ),
    own_kin=alternatives(rf"\bmy (?:\w+ )?{_KIN}\b"),
    is_patient=alternatives(
        r"\b(?:its|it is|this is) me\b",
        r"\b(?:im|i am) (?:awake|up) now\b",
        rf"\b(?:im|i am|this is|its|it is|youre (?:speaking|talking) (?:to|with)) {_JUST}(?:myself )?the patient\b(?! {_KIN})",
        rf"{_HELLO}(?:the )?patient (?:here|speaking)$",
        rf"{_HELLO}(?:speaking|thats me|that is me|this is (?:she|he|him|her)|youre (?:speaking|talking) (?:to|with) (?:him|her|me)|you are (?:speaking|talking) (?:to|with) (?:him|her|me)|(?:im|i am) (?:she|he|him|her))(?: now| speaking| myself)*$",
    ),
    is_here=alternatives(
        r"\b(?:she|he)(?:s| is) (?:right |just |back |already )*(?:here|on|awake|up|with you|on the (?:phone|line)|at the phone)(?: (?:now|again))+\b",
        r"\b(?:she|he)(?:s| is) (?:right )?here$",
        rf"\bhere (?:she|he) (?:is|comes)\b|\bheres? (?:is )?(?:my {_KIN}|the patient)\b",
        r"\b(?:ill|i will|let me|im|i am|ill just|i can) (?:just |now |quickly )*(?:put|putting) (?:her|him|them|you) (?:on|through)\b",
        rf"\b(?:ill|i will|let me|im|i am|i can) (?:just |now |quickly )*(?:pass|passing|hand|handing|give|giving) (?:(?:you|the phone|it|her|him|this) )+(?:over |on |across |back )*(?:to (?:her|him|them|my {_KIN})|the phone|over|now)\b",
        r"\bover to (?:her|him)\b",
    ),
    fetches=alternatives(
        rf"\b(?:ill|i will|let me|im going to|i am going to|shall i|i can|im just|ill just) (?:just |quickly |go and |go |try and |try to )*(?:get|getting|fetch|fetching|find|grab|call|wake) (?:her|him|them|my {_KIN}|the patient)\b",
        r"\b(?:she|he)(?:s| is) (?:just |already |nearly |on (?:her|his) way )*coming\b",
    ),
    affirms=alternatives(
        r"^(?:(?:yes|yeah|yep|hello|hi|sure|of course|certainly|you are|i am|it is|speaking|this is|thats right|now|indeed|correct|absolutely|yes you are) ?)+$"
    ),
    titles=(
        (re.compile(r"\b(?:his|he|hes|him)\b"), re.compile(r"\b(?:this is|its|it is|im|i am) mr\b")),
        (re.compile(r"\b(?:her|she|shes)\b"), re.compile(r"\b(?:this is|its|it is|im|i am) (?:mrs|ms|miss)\b")),
    ),
)

_PT = StandInTable(
    introduces=alternatives(
        rf"\b(?:sou|sou eu|fala|quem fala e|daqui e|aqui e|esta a falar com) (?:so |apenas |aqui )*(?:a|o) (?:sua |seu )?{_PARENTE}\b",
        rf"\be (?:so )?(?:a|o) {_PARENTE} {_DELE}\b(?! que)",
        rf"{_OLA}(?:e |sou )?(?:a|o) {_PARENTE}(?: {_DELE})?(?: (?:a falar|que fala|aqui))*$",
        r"\b(?:respondo|falo|posso responder|posso falar|vou responder|vou falar) (?:eu )?(?:por (?:ela|ele)|pel[oa] (?:minha|meu|doente))\b",
        r"\bem nome (?:dele|dela|do doente|da doente)\b",
    ),
    not_here=alternatives(
        rf"{_OLA}(?:(?:ela|ele|o doente|a doente) )?(?:ainda |agora |neste momento )*esta (?:ainda |agora )*(?:a dormir|a descansar|a trabalhar|deitad[oa]|na cama|no banho|no hospital|internad[oa]|no quarto)\b",
        rf"{_OLA}(?:ela|ele|o doente|a doente) (?:agora |neste momento )*(?:saiu|esta fora|esta ocupad[oa]|nao (?:esta(?: ca| aqui| em casa| disponivel)?$|se encontra|pode (?:vir|falar|atender)|consegue (?:vir|falar|atender)|quer (?:vir|falar|atender)))",
    ),
    own_kin=alternatives(rf"\b(?:minha|meu) {_PARENTE}\b"),
    is_patient=alternatives(
        r"\bsou eu\b",
        r"\b(?:e|fala|sou|daqui fala) (?:o|a) (?:propri[oa]|doente)\b",
        rf"{_OLA}(?:o propri[o]|a propria|esta a falar com (?:o|a) (?:propri[oa]|doente))(?: agora)*$",
        r"\bja (?:estou|acordei)(?: acordad[oa]| aqui| ao telefone)*\b",
    ),
    is_here=alternatives(
        r"\b(?:ela|ele) (?:ja |agora )*(?:esta|ta) (?:ja |agora |mesmo )*(?:aqui|ca|ao telefone|acordad[oa])(?: agora| ja)*$",
        r"\b(?:aqui|ca) (?:esta|vem|tem) (?:ela|ele|o doente|a doente)\b",
        r"\b(?:passo|vou passar|deixe me passar|vou por|ja passo)\b",
    ),
    fetches=alternatives(
        r"\b(?:vou|deixe me|posso) (?:ja |so |la |eu )*(?:chama|buscar?|acorda)(?:r|l[ao])?\b",
        r"\b(?:ela|ele) (?:ja vem|vem ja|esta a vir|vem a caminho)\b",
    ),
    affirms=alternatives(
        r"^(?:(?:sim|ola|esta|estou|claro|sou|e|exatamente|exato|isso|agora|com certeza|bom dia|boa tarde) ?)+$"
    ),
    titles=(
        (re.compile(r"\b(?:dele|ele)\b"), re.compile(r"\b(?:fala|sou|daqui e|e) o (?:senhor|sr)\b")),
        (re.compile(r"\b(?:dela|ela)\b"), re.compile(r"\b(?:fala|sou|daqui e|e) a (?:senhora|sra|dona)\b")),
    ),
)

_TABLES = {"en": _EN, "pt": _PT}


def stand_in_table(language: str) -> StandInTable:
    """Give the table of a language; one that matches nothing when there is none."""
    return _TABLES.get(language.split("-")[0].casefold(), StandInTable())
