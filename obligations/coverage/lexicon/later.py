"""Words by which a later utterance turns an advice that was told before, in each language.

Owns the words only, as flat text (see `coverage.flat`). A later utterance may be about anything, so these are narrower
than the words of `retraction`, which are read in the sentences right beside an advice.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from obligations.coverage.flat import inside
from obligations.coverage.lexicon.retraction import (
    RELEASES_EN,
    RELEASES_PT,
    UNTRUE_EN,
    UNTRUE_PT,
    WITHDRAWS_EN,
    WITHDRAWS_PT,
)
from obligations.coverage.text import base_language


def _start(*alternatives: str) -> re.Pattern[str]:
    return re.compile(r"(?:" + "|".join(alternatives) + r")(?!\S)")


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterWords:
    """One language's words of a later utterance.

    Parameters:
        withdraws: A speaker drops words of their own, whenever they were said.
        stands_by: Denies that words are withdrawn ("I was not joking").
        releases: What was said last need not be done.
        stops: Ends what the utterance before asked for, pointed at only ("you can stop them").
        sweeping: Beside words that withdraw: all that was said, not one thing.
        untrue: In the sentence before an advice said again: it is called untrue.
        telling: Words of talking, which name no advice ("what I said about the drops").
        under: Begins an advice's condition at its head ("for chest pain, call ...").
        states: Begins an advice that says how it is, and asks for nothing.
        forbids: Negations that forbid.
        tells_state: Ends before a negation that says how it is ("so you do not use them").
        refuses: Forbids an act by the verb that does it, whatever the advice's own verb is.
        undoes: Acts of not doing that hold what they undo ("leave the drops out"), beside those of `retraction`.
        lifts: Frees the listener of something, beside the words of `retraction`.
        lead: What stands between words that lift and the act they lift.
        comforts: Right behind words that lift: what nobody advises to do ("no need to worry about the drops").
        permits: Lets the listener do what stands right behind it, over no more than `adverbs`.
        hangs: Ends before a permission that hangs on something ("when you can drive"), or is another's.
        permitted: Right behind an act: it is let.
        adverbs: Words that may stand between a permission and its act.
        people: Others who do it, right before the act.
    """

    withdraws: re.Pattern[str]
    stands_by: re.Pattern[str]
    releases: re.Pattern[str]
    stops: re.Pattern[str]
    sweeping: re.Pattern[str]
    untrue: re.Pattern[str]
    telling: frozenset[str]
    under: re.Pattern[str]
    states: re.Pattern[str]
    forbids: frozenset[str]
    tells_state: re.Pattern[str]
    refuses: re.Pattern[str]
    undoes: re.Pattern[str]
    lifts: re.Pattern[str]
    lead: re.Pattern[str]
    comforts: re.Pattern[str]
    permits: re.Pattern[str]
    hangs: re.Pattern[str]
    permitted: re.Pattern[str]
    adverbs: re.Pattern[str]
    people: re.Pattern[str]


_EN = LaterWords(
    withdraws=inside(
        *WITHDRAWS_EN,
        r"(?<!not )(?<!never )(?:forget|ignore|disregard|scratch|strike) (?:about )?the (?:part|bit|thing|point|advice|"
        r"rule|instruction)(?: \w+)*",
        r"(?:that|this|it) (?:was|is) (?:\w+ )?(?:meant )?for (?:another|somebody else|someone else|other) ?\w*",
        r"(?:i|we) (?:have )?made a mistake(?: \w+)*",
        r"(?:what|everything|all|anything) (?:that )?(?:i|we) (?:\w+ )?(?:said|told you|gave you)(?: \w+){0,4} "
        r"(?:is|was) (?:\w+ ){0,2}(?:wrong|nonsense|rubbish|untrue|false|a mistake|a joke|incorrect|outdated|not "
        r"(?:true|right|correct))",
    ),
    stands_by=inside(
        r"(?:i|we) (?:was|am|were|are|did|do) (?:not|never) (?:\w+ )?(?:wrong|mistaken|joking|kidding|lie)"
    ),
    releases=inside(
        *RELEASES_EN,
        r"(?:not|never) take (?:that|this|it) (?:too |so |that )?(?:seriously|literally|strictly)",
    ),
    stops=inside(r"(?:stop|skip|quit|drop)(?:ping)?(?: taking| using| doing)? (?:them|it|those|these)"),
    sweeping=inside(r"everything|all (?:of )?(?:that|this|it|what|i|we)|anything|whatever (?:i|we)|the whole \w+"),
    untrue=inside(*UNTRUE_EN),
    telling=frozenset(
        "say says said tell tells told telling talk talked talking mention mentioned explain explained ask asked "
        "asking advice rule rules point thing things instructions exactly please want time times day days today".split()
    ),
    under=_start("for", "in case of", "with"),
    states=_start("this", "that", "it", "i", "we", "some", "the", "a", "an", "there"),
    forbids=frozenset({"not", "never"}),
    tells_state=re.compile(
        r"(?:you|he|she|they|i|we|that|it|this|who|which|patients|people) (?:do|does|did|have|has|had|are|is|was|"
        r"were)\Z"
    ),
    refuses=inside(
        r"(?:(?<!you )(?<!they )(?<!we )(?<!i )do not|never|no longer|(?:must|should|need) not) (?:use|take|put|apply|"
        r"follow|continue|go on with|call|ring|phone|telephone|contact|bother|trouble)"
    ),
    undoes=inside(
        r"leav(?:e|ing) (?:\w+ ){1,3}(?:out|off|away)|throw(?:ing)? (?:\w+ ){1,3}away|put(?:ting)? (?:\w+ ){1,3}off|"
        r"com(?:e|ing) off (?:\w+ ?){1,3}|discontinu(?:e|ing) (?:\w+ ?){1,3}"
    ),
    lifts=inside(
        r"(?:is|are) (?:pointless|useless|voluntary)|not (?:really|actually|strictly|absolutely|always) (?:necessary|"
        r"needed|required)"
    ),
    lead=_start("for you to", "to", "of"),
    comforts=_start(
        "worry",
        "panic",
        "be",
        "apologi[sz]e",
        "thank",
        "hurry",
        "rush",
        "shout",
        "answer",
        "tell",
        "explain",
        "repeat",
        "spell",
        "say",
        "talk",
        "write",
        "note",
        "decide",
        "remember",
        "mention",
        "go into",
        "discuss",
        "ask",
    ),
    permits=inside(
        r"you (?:can|could|may|might)|feel free to|go ahead and|carry on|why not|no problem(?: with)?|"
        r"(?:fine|ok|okay|safe|all right|alright|harmless|allowed|free) (?:to|for you to|if you)|nothing wrong with|"
        r"no harm in"
    ),
    hangs=inside("when", "if", "whether", "once", "until", "till", "as soon as", "unless"),
    permitted=_start(
        r"(?:\w+ ){0,3}(?:is|are|would be|will be) (?:\w+ ){0,2}(?:fine|ok|okay|safe|allowed|permitted|harmless|"
        r"all right|alright|no problem)"
    ),
    adverbs=re.compile(
        r"(?:already|just|well|of|course|still|also|then|now|even|start|begin|get|go|back|to|again|simply|actually|really|"
        r"keep|\w+ly)"
    ),
    people=inside(
        r"(?:(?:most|many|some|other|lots of|plenty of) )?(?:people|patients|others)|everybody|everyone|"
        r"(?:i|we) would"
    ),
)
_PT = LaterWords(
    withdraws=inside(
        *WITHDRAWS_PT,
        r"(?:isso|isto) (?:era|eh) para outr[oa] \w+|(?:eu )?cometi um erro(?: \w+)*",
        r"(?:tudo )?o que (?:eu )?(?:lhe )?disse(?: \w+){0,4} (?:eh|era|foi|estava|esta) (?:\w+ )?(?:errad[oa]|mentira|"
        r"disparate|asneira|engano|fals[oa]|(?:um )?erro|antiquado)",
    ),
    stands_by=inside(r"nao (?:me enganei|estava (?:a brincar|enganad[oa])|estou (?:a brincar|enganad[oa])|menti)"),
    releases=inside(*RELEASES_PT),
    stops=inside(r"(?:parar|pare|deixar|deixe) (?:com|de (?:por|tomar|usar|fazer)) (?:isso|isto|elas|eles)"),
    sweeping=inside(r"tudo|todo o que|qualquer coisa que"),
    untrue=inside(*UNTRUE_PT),
    telling=frozenset(
        "disse dizer diga diz disseram falei falar fala mencionei explicar expliquei perguntar pergunta perguntou "
        "conselho regra coisa coisas ponto exatamente favor quiser quer hora horas dia dias vez vezes "
        "momento hoje".split()
    ),
    under=_start("para", "em caso de", "com", "por"),
    states=_start("esta", "este", "isto", "isso", "sou", "estou", "algum", "alguma", "um", "uma", "o", "a", "ha", "eh"),
    forbids=frozenset({"nao", "nunca", "jamais"}),
    tells_state=re.compile(r"(?:o senhor|a senhora|voce|eu|ele|ela|nos|isso|isto|que|quem|ja)\Z"),
    refuses=inside(
        r"(?:nao|nunca) (?:mais )?(?:ponha|use|utilize|tome|aplique|meta|siga|continue|chame|ligue|telefone|contacte|"
        r"incomode)"
    ),
    undoes=inside(r"p(?:onha|or) (?:\w+ ){1,3}de lado|deix(?:e|ar) (?:\w+ ){1,3}de lado"),
    lifts=inside(
        r"nao (?:sao|estao|eh) (?:\w+ )?(?:necessari[oa]s?|precis[oa]s?|obrigatori[oa]s?)|(?:sao|eh) (?:inutei?s|"
        r"opciona(?:l|is)|desnecessari[oa]s?)"
    ),
    lead=_start("de", "que", "para"),
    comforts=_start(
        "(?:se )?preocupar",
        "(?:se )?apressar",
        "ter",
        "estar",
        "ficar",
        "pedir",
        "agradecer",
        "responder",
        "dizer",
        "explicar",
        "repetir",
        "falar",
        "escrever",
        "anotar",
        "apontar",
        "decidir",
        "perguntar",
    ),
    permits=inside(
        r"pode|podia|podem|esteja a vontade para|nao (?:faz mal|ha problema)(?: em)?|sem problema|"
        r"(?:eh seguro|nao ha perigo em|tudo bem)"
    ),
    hangs=inside(
        "quando",
        "se",
        "ate",
        "assim que",
        "logo que",
        "a nao ser que",
        "eh que",
        r"filh[oa]|marido|mulher|esposa|alguem|ele|ela|irma|irmao|vizinh[oa]|famili\w+|amig[oa]|quem",
    ),
    permitted=_start(
        r"(?:\w+ ){0,3}(?:eh|esta|fica) (?:\w+ ){0,2}(?:seguro|bem|permitido|inofensivo)",
        r"(?:\w+ ){0,3}nao (?:faz mal|tem mal|ha problema|tem problema)",
    ),
    adverbs=re.compile(r"(?:ja|so|claro|ainda|tambem|entao|agora|ate|mesmo|comecar|voltar|a|de|novo|\w+mente)"),
    people=inside(
        r"(?:a maioria|a maior parte)(?: d[aoe]s? \w+)?|(?:muita|toda a) gente|(?:muitas|algumas|outras|as) pessoas|"
        r"(?:muitos|alguns|outros|os) doentes"
    ),
)
_BY_LANGUAGE: Mapping[str, LaterWords] = {"en": _EN, "pt": _PT}


def later_words(language: str) -> LaterWords | None:
    """Give a language's words of a later utterance; None when we have none for it."""
    return _BY_LANGUAGE.get(base_language(language))
