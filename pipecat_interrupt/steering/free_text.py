"""Checks what a model wrote freely before it is spoken: no reassurance, no advice, no answer beyond the pathway.

Owns the refusal, never a rewrite: text that fails is replaced by an approved line. The lists err towards refusing,
since the refused text is only an acknowledgement and an approved one stands ready. Why: small models wrote "I'm sure
you'll be fine tomorrow" and "it's not a big deal" to patients after surgery (docs/local-models.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

ACKNOWLEDGEMENT_WORDS_MAX = 18


class Hazard(StrEnum):
    """Why a free text must not be spoken."""

    REASSURES = "reassures"
    ADVISES = "advises"
    CLAIMS = "claims_a_fact"
    ASKS = "asks_a_question"
    TOO_LONG = "too_long"
    LANGUAGE = "unchecked_language"


_PATTERNS: dict[str, dict[Hazard, tuple[str, ...]]] = {
    "en": {
        Hazard.REASSURES: (
            r"\b(fine|normal|nothing serious|no(t a)? big deal|all right|alright|okay|ok) (soon|tomorrow|again|now)\b",
            r"\b(you('| wi)ll|will|should|going to|gonna) (soon )?(be|feel|get|heal|recover)\b",
            r"\b(don'?t|do not|no need to|needn'?t|shouldn'?t) (worry|be (worried|concerned|alarmed)|panic)\b",
            r"\bnot(hing)? (a )?(big deal|problem|serious|to worry|dangerous|a concern|an issue)\b",
            r"\b(perfectly|completely|totally|quite|very|pretty|probably|absolutely) (normal|safe|fine|common|harmless)\b",
            r"\b(it|that|this)('s| is| sounds| seems| looks) (completely |perfectly |quite |very )?(normal|safe|fine|common|harmless|expected|okay|ok|good news)\b",
            r"\bi'?m (sure|certain|confident)\b",
            r"\beverything (is|will|looks|sounds|'s)\b",
            r"\b(heal|healing|recover|recovering) (well|nicely|fine)\b",
        ),
        Hazard.ADVISES: (
            r"\b(you|we) (should|must|need to|have to|ought to|could|can|may|might want to)\b",
            r"\b(try|avoid|stop|start|keep|take|use|wear|rest|drink|apply|call|contact|see|ask|visit|go to|make sure|remember to) "
            r"(to|taking|using|doing|the|your|a|an|it|some|plenty|wearing|resting|doctor|gp|hospital|clinic|sunglasses)\b",
            r"\b(recommend|suggest|advise|advice)\b",
            r"\b(paracetamol|ibuprofen|aspirin|tablets?|dose|mg|milligrams?|drops? (a|per|every))\b",
        ),
        Hazard.CLAIMS: (
            r"\b(because|caused by|due to|means that|is a sign|symptom of|side effect)\b",
            r"\b\d+\b",
            r"\b(the|your) (doctor|nurse|surgeon|gp) (will|said|says|thinks|can)\b",
        ),
        Hazard.ASKS: (r"\?",),
    },
    "pt": {
        Hazard.REASSURES: (
            r"\b(não se preocupe|nada de grave|não é nada|vai (ficar|correr|passar|melhorar)|tudo (bem|vai|está)|é (perfeitamente |muito |bastante )?(normal|seguro|comum))\b",
            r"\b(tenho a certeza|de certeza|certamente|sem problema)\b",
        ),
        Hazard.ADVISES: (
            r"\b(deve|devia|tem de|tem que|precisa de|pode|evite|tome|use|descanse|beba|ligue|contacte|experimente|continue a|pare de)\b",
            r"\b(recomendo|sugiro|aconselho|comprimidos?|gotas|paracetamol|ibuprofeno|miligramas?)\b",
        ),
        Hazard.CLAIMS: (r"\b(porque|devido a|significa que|é sinal de|sintoma de|efeito secundário)\b", r"\b\d+\b"),
        Hazard.ASKS: (r"\?",),
    },
}
_COMPILED = {
    language: {hazard: tuple(re.compile(p, re.IGNORECASE) for p in patterns) for hazard, patterns in table.items()}
    for language, table in _PATTERNS.items()
}


def _folded(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s]", " ", text.lower()).split())


def hazards_of(
    text: str, language: str, approved: Iterable[str] = (), words_max: int = ACKNOWLEDGEMENT_WORDS_MAX
) -> tuple[Hazard, ...]:
    """Say why a free acknowledgement must not be spoken.

    Args:
        text: What the model wrote.
        language: BCP 47 tag; only its primary subtag chooses the list. A language without a list refuses everything.
        approved: Texts that are always allowed, such as the pathway's own wording.
        words_max: Longest allowed text, in words.

    Returns:
        The hazards found, in a fixed order; empty when the text may be spoken.

    Source: the tables are ours, written from lines that small models produced; what they miss is not measured yet.
    """
    if _folded(text) in {_folded(a) for a in approved}:
        return ()
    table = _COMPILED.get(language.split("-")[0].lower())
    if table is None:
        return (Hazard.LANGUAGE,)
    plain = text.replace("\u2019", "'")
    found = [hazard for hazard, patterns in table.items() if any(p.search(plain) for p in patterns)]
    if len(text.split()) > words_max:
        found.append(Hazard.TOO_LONG)
    return tuple(found)
