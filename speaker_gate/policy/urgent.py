"""Words that must get through whoever says them: danger to life, in English and European Portuguese. Pure.

Errs towards alarm: a denied danger ("she is not bleeding") is still passed on, as an ordinary statement. Not
clinically reviewed.
"""

from __future__ import annotations

import re

from speaker_gate.policy.cues import base_language, normalised

URGENT_EN = (
    r"\b(can'?t|cannot|can not|isn'?t|not|stopped|struggling to|hard to) (breathe|breathing|breath)\b",
    r"\b(collapsed|unconscious|passed out|fainted|blacked out|having a (fit|seizure|stroke"
    r"|heart attack)|seizure|fitting)\b",
    r"\b(not|isn'?t|won'?t|stopped) (answering|responding|waking( up)?|wake up|moving)\b",
    r"\b(chest pain|pain in (her|his|my|the) chest|heart attack|stroke|choking|overdose[ds]?)\b",
    r"\bblood (is )?(coming|pouring|everywhere|all over|through)\b|\bbleed(s|ing)?\b",
    r"\b(gone|turned|going) (very |all |really )?(white|pale|blue|grey|cold)\b",
    r"\b(face|mouth) is (drooping|crooked|hanging)\b|\bface (has )?drop(ped|s)?\b|\bslurr(ed|ing)\b",
    r"\b(fell|fallen|tripped)\b.*\b(head|stairs|floor|hip|get up)\b|\bhit (her|his|my) head\b",
    r"\b(want(s)? to die|kill (herself|himself|myself|themselves)|doesn'?t want to live|end (her|his|my) life)\b",
    r"\b(took|taken|swallowed) (all|the whole|too many|a lot of)\b.*\b(tablets|pills|box|packet|medicine)\b",
    r"\b(call|get|phone|ring) (an |the )?(ambulance|999|911|112|doctor now)\b|\bemergency\b",
    r"\b(fire|smoke|gas leak|smell(s)? (of )?gas|burning)\b",
    r"\b(stove|oven|hob|cooker|gas|iron|candle)('?s)?\b.*\b(on|off|leaking|burning)\b"
    r"|\bturn(ed)? (off )?the (stove|oven|hob|gas|iron)\b",
    r"\bhelp( me| him| her| us)?( please)?[!]|\bplease help\b|\bsomeone help\b",
    r"\b(allergic reaction|throat (is )?(closing|swelling)|lips (are )?(blue|swelling))\b",
)

URGENT_PT = (
    r"\bnão (consegue|consigo|está a) respirar\b|\bfalta de ar\b|\bcusta(-lhe)? (a )?respirar\b"
    r"|\bsufoc\w+\b|\bengasg\w+\b",
    r"\b(desmai\w+|inconsciente|convuls\w+|perdeu os sentidos|ataque)\b",
    r"\bnão (me )?(responde|acorda|reage|se mexe)\b",
    r"\bdor(es)? no peito\b|\baperto no peito\b|\benfarte\b|\bavc\b",
    r"\b(sai(r)?|deita(r)?|perde(r)?|muito|há) (muito )?sangue\b|\bsangue (a sair|por todo|no penso|vivo)\b"
    r"|\ba sangrar\b|\bsangra\b|\bhemorragia\b",
    r"\bficou (muito )?(branc[oa]|pálid[oa]|rox[oa]|azul|cinzent[oa]|fri[oa])\b",
    r"\b(cara|boca) (ao lado|torta|descaída)\b|\bfala (arrastada|entaramelada)\b",
    r"\b(caiu|caí|tombou)\b.*\b(escada|cabeça|chão|anca|levantar)\b|\bbateu com a cabeça\b",
    r"\bquer morrer\b|\bmatar-se\b|\bnão quer viver\b|\bacabar com a vida\b|\bsuicíd\w+\b",
    r"\btomou (a caixa|os comprimidos|o frasco)\b.*|\bdemasiados comprimidos\b|\boverdose\b",
    r"\b(chame|chamem|chama|ligue|liguem|liga)\b.*\b(ambulância|112|inem|médico)\b|\bemergência\b|\burgente\b",
    r"\b(fogo|incêndio|fumo|cheir\w+ a gás|fuga de gás|a arder)\b",
    r"\b(fogão|forno|gás|ferro|vela)\b.*\b(ligad[oa]|aces[oa]|deslig\w+)\b|\bdesligaste o (gás"
    r"|fogão|forno|ferro)\b",
    r"\b(ajud(em|a|e)|socorro)\b",
    r"\breação alérgica\b|\bgarganta (a fechar|inchada)\b",
)

DENIED_EN = (
    r"\b(no|not|n'?t|never|without)\b(?: \w+){0,2} (bleeding|chest pain|fire|smoke|seizure|stroke"
    r"|emergency|blood)\b"
)
DENIED_PT = (
    r"\b(não|nunca|sem|nem)\b(?: \w+){0,3} (sangue|sangrar|dor no peito|dores no peito|fumo|fogo"
    r"|convulsões|emergência)\b"
)

_TABLES = {"en": (URGENT_EN, DENIED_EN), "pt": (URGENT_PT, DENIED_PT)}
_COMPILED = {
    language: (tuple(re.compile(one) for one in patterns), re.compile(denied))
    for language, (patterns, denied) in _TABLES.items()
}


def is_urgent(text: str, language: str) -> bool:
    """Say whether words tell of danger to life or of fire.

    Args:
        text: What was said, by anybody.
        language: BCP 47 tag; anything but Portuguese is read as English.
    """
    patterns, denied = _COMPILED[base_language(language)]
    plain = normalised(text)
    remaining = denied.sub(" ", plain)
    return any(pattern.search(remaining) for pattern in patterns)
