"""Small words of people who ask and of people who take an answer, a table a language.

Owns the words alone. A language without a table has none, and none are borrowed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from obligations.coverage.text import base_language


@dataclass(frozen=True, slots=True)
class PersonWords:
    """What tells, in one language, that somebody asks, and that they took what was said for an answer.

    Parameters:
        loose: Words that mean a symptom in an answer and something else in a question ("is it cramping, burning?").
        of: Words that hang a thing on another ("allergies to medication"): what follows is not asked by itself.
        tells: Opens a question that stands inside another one ("can you remember when ...").
        well: Asks whether something is as it should be.
        when: Asks for a time, a length, a place, a reason or a number, one pattern each: never for what a yes/no
            question asks, nor one for another.
        how_much: Asks how much, how often, what or which of a thing: about the thing all the same.
        polar: Opens a question with its verb.
        asks: Opens a question that has lost its mark: the verb before its subject, or a bare "any ...".
        hesitates: Sounds and small words that may stand before either.
        receipt: Takes what was said for an answer, at the beginning of what the asker says next.
        received: The short ones of them, which also stand behind what was said back.
        joins_on: Opens what joins on to the speaker's own last words.
        listens: Goes on listening and takes nothing: a receipt only where more follows than this.
        repair: Did not get what was said.
        yes: A receipt that says the answer back as a yes.
        no: A receipt that says it back as a no.
        rest: Asks for what there is beside what was told.
        recalls: Says again what was told before, and asks nothing by it.
        joining: Words that join two sentences, unless they stand alone: "before we start" is no "before".
        joins: What stands behind such a word then.
        helpers: Groups of verbs of which one may stand for another behind "how long".
        dated: A word of a date.
        timed: A word of a length of time.
    """

    loose: frozenset[str]
    of: frozenset[str]
    tells: re.Pattern[str]
    well: re.Pattern[str]
    when: tuple[re.Pattern[str], ...]
    how_much: re.Pattern[str]
    polar: re.Pattern[str]
    asks: re.Pattern[str]
    hesitates: frozenset[str]
    receipt: re.Pattern[str]
    received: frozenset[str]
    joins_on: frozenset[str]
    listens: re.Pattern[str]
    repair: re.Pattern[str]
    yes: re.Pattern[str]
    no: re.Pattern[str]
    rest: re.Pattern[str]
    recalls: re.Pattern[str]
    joining: frozenset[str]
    joins: frozenset[str]
    helpers: tuple[frozenset[str], ...]
    dated: re.Pattern[str]
    timed: re.Pattern[str]


def _re(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


_ENGLISH = PersonWords(
    loose=frozenset("burning nausea nauseous queasy sickness loose runs pink threw".split()),
    of=frozenset("to of for with about regarding".split()),
    tells=_re(r"(?:\w+ )*(?:tell|remind|remember|know|say|recall|ask)\b"),
    well=_re(
        r"\b(?!thats\b)(?:is|are|been|being|feel|feeling|working|doing|all|\w+s|\w+re) "
        r"(?:(?:all|quite|otherwise|still) )?"
        r"(?:ok|okay|fine|all right|alright|normal|well|good)\b"
    ),
    when=(
        _re(r"\b(?:when|how long ago|what time)\b"),
        _re(r"\bhow long\b"),
        _re(r"\bwhere(?:abouts)?\b"),
        _re(r"\b(?:why|how come)\b"),
        _re(r"\bhow (?:many|old|far)\b"),
    ),
    how_much=_re(r"\b(?:what|which|who|how (?:much|often|is|are|about))\b"),
    polar=_re(r"(?:is|are|was|were|do|does|did|have|has|had|can|could|will|would|any)\b"),
    asks=_re(
        r"(?:(?:is|are|was|were|do|does|did|have|has|had|can|could|will|would) "
        r"(?:you|your|there|it|this|that|the|anyone|anybody|any)\b|have (?:not )?you\b|any\b|and any\b|no\b.* or\b"
        r"|(?:what|which|who|when|where|how)\b (?:\w+ ){0,2}(?:is|are|was|were|do|does|did|have|has|had|can|could)\b"
        r"|what about\b|how about\b|tell me\b|can i (?:just )?(?:ask|check|confirm)\b)"
    ),
    hesitates=frozenset(
        "um uh uhm er erm ah oh ohh ohhh mm hmm so and but well now ok okay right alright then just also like".split()
    ),
    receipt=_re(
        r"(?:ok|okay|right|all right|alright|fine|good|great|perfect|brilliant|excellent|lovely|wonderful|sure|super"
        r"|fair enough|i see|got it|gotcha|understood|i understand|of course|no problem|no worries|fantastic"
        r"|thats (?:fine|ok|okay|good|great|perfect|alright|all right|helpful|understandable)"
        r"|thank you|thanks|(?:im |i am )?(?:really |so |very )?sorry to hear|yes|yeah|yep|no|nope)\b"
    ),
    received=frozenset("ok okay right alright fine".split()),
    joins_on=frozenset("but and because so which".split()),
    listens=_re(r"(?:(?:mm|mhm|hmm|uhhuh|yeah|yes|yep|and|um|uh)\s*)*$"),
    repair=_re(
        r"\b(?:pardon|sorry\?|say (?:that|it) again|what was that|repeat (?:that|it)|did not (?:catch|hear|get)"
        r"|didnt (?:catch|hear|get)|can you hear me|are you (?:still )?there|you broke up|breaking up"
        r"|what do you mean|do you mean)"
    ),
    yes=_re(r"(?:yes|yeah|yep)\b"),
    no=_re(r"(?:no|nope)\b(?! (?:no|problem|problems|worries|need|thats|its|i|but)\b)|(?:none|nothing|never)\b"),
    rest=_re(r"\b(?:other|others|else|apart from|besides)\b"),
    recalls=_re(r"\byou(?: have|ve)?(?: just| also)? (?:mentioned|said|told|described|were saying)\b"),
    joining=frozenset("before after since".split()),
    joins=frozenset("i you we he she they it the your my this that these those".split()),
    helpers=(frozenset("have has had".split()), frozenset("do does did".split()), frozenset("is are was were".split())),
    dated=_re(
        r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday"
        r"|wednesday|thursday|friday|saturday|sunday|today|tonight|yesterday|ago|last|since|christmas|summer|winter"
        r"|spring|autumn)\b"
    ),
    timed=_re(
        r"\b(?:(?:second|minute|hour|day|night|week|month|year)s?|ago|since|always|ages|a while|yesterday|today)\b"
    ),
)

_PORTUGUESE = PersonWords(
    loose=frozenset("ardor enjoo náuseas náusea solto".split()),
    of=frozenset("a ao à de da do dos das com sobre para".split()),
    tells=_re(r"(?:\w+ )*(?:diga|dizer|lembra|lembrar|recorda|sabe|perguntar)\b"),
    well=_re(r"\b(?:bem|normal|normais|bom|boa)\b"),
    when=(
        _re(r"\b(?:quando|a que horas)\b"),
        _re(r"\b(?:quanto tempo)\b"),
        _re(r"\b(?:onde|aonde)\b"),
        _re(r"\b(?:porqu[eê]|por que)\b"),
        _re(r"\bquant[oa]s\b"),
    ),
    how_much=_re(r"\b(?:que|qual|quais|quem|quanto|quanta|com que frequ[eê]ncia|como)\b"),
    polar=_re(r"(?:tem|teve|tinha|está|esteve|sente|sentiu|toma|tomou|fuma|bebe|houve|costuma|já|alguma?|alguns)\b"),
    asks=_re(
        r"(?:tem|teve|tinha|est[aá]|esteve|sente|sentiu|toma|tomou|fuma|bebe|h[aá]|houve|costuma|j[aá]|alguma?|alguns"
        r"|quem|qual|quando|onde|como|que|diga-me|posso perguntar)\b"
    ),
    hesitates=frozenset("hum hã ah oh e então mas bem bom pois ora ok olhe".split()),
    receipt=_re(
        r"(?:ok|okay|certo|est[aá] bem|t[aá] bem|muito bem|bem|bom|[oó]timo|perfeito|claro|pronto|exato|percebo|percebi"
        r"|entendo|estou a ver|compreendo|obrigad[oa]|sim|n[aã]o|pois|lamento|com certeza)\b"
    ),
    received=frozenset("ok okay certo bem pronto".split()),
    joins_on=frozenset("mas e porque então que".split()),
    listens=_re(r"(?:(?:hum|hum-hum|mm|sim|pois|e)[ ,.-]*)*$"),
    repair=_re(
        r"\b(?:desculpe\?|como\?|como disse|pode repetir|repita|n[aã]o (?:percebi|ouvi|apanhei)|est[aá] a ouvir-me"
        r"|o que quer dizer|quer dizer que)"
    ),
    yes=_re(r"(?:sim|tem|teve|est[aá])\b"),
    no=_re(r"(?:n[aã]o|nada|nenhuma?|nunca|nem)\b"),
    rest=_re(r"\b(?:outr[oa]s?|mais alg\w+|al[eé]m d\w+)\b"),
    recalls=_re(r"\b(?:disse|mencionou|contou|referiu|dizia)\b"),
    joining=frozenset("antes depois desde".split()),
    joins=frozenset("eu que o a os as de nos nós".split()),
    helpers=(frozenset("tem teve tinha".split()), frozenset("está esteve estava".split())),
    dated=_re(
        r"\b(?:janeiro|fevereiro|mar[cç]o|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|segunda"
        r"|ter[cç]a|quarta|quinta|sexta|s[aá]bado|domingo|hoje|ontem|h[aá]|desde|natal|ver[aã]o|inverno|passad[oa])\b"
    ),
    timed=_re(
        r"\b(?:segundos?|minutos?|horas?|dias?|noites?|semanas?|m[eê]s|meses|anos?|h[aá]|desde|sempre|ontem|hoje)\b"
    ),
)

_BY_LANGUAGE = {"en": _ENGLISH, "pt": _PORTUGUESE}


def person_words(language: str) -> PersonWords | None:
    """Give the table of a language tag; None when we have none for it."""
    return _BY_LANGUAGE.get(base_language(language))
