"""What may stand beside an advice without changing it, and what always changes it, in each language.

Owns the words only, as flat text (see `coverage.flat`). What is not named harmless here counts as a change: an advice
that is left open is spoken again, one wrongly taken for told is lost.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from obligations.coverage.flat import inside
from obligations.coverage.text import base_language


def _start(*alternatives: str) -> re.Pattern[str]:
    return re.compile(r"(?:" + "|".join(alternatives) + r")(?!\S)")


@dataclass(frozen=True, slots=True, kw_only=True)
class BesideWords:
    """One language's words around an advice.

    Parameters:
        harmless: Begins what follows and says nothing of the advice ("please", "okay", "Mrs Reed").
        reason: Begins a clause that only says why.
        joins: Words that join a further clause.
        opens: Words that begin a clause of its own behind a comma or a joining word.
        opens_talk: Words that begin a new sentence where no punctuation survived.
        changes: Anywhere in what follows: alternatives, exceptions, restrictions, acts of not doing.
        limits: Anywhere in what precedes, in the same clause: conditions, options, times, amounts, denials.
        attaches: Begins a next sentence that still belongs to the advice ("Or wait.", "Unless you feel fine.").
        undoes: Acts of not doing ("cancel", "wait"). option: leaves it to the listener ("if you like").
        added: In the sentences of freely worded advice: alternatives, another pace, amount or time of day.
        told: Tells the listener's state as a fact ("and you have").
        turning: Words that change a wording when they are put into it or missing from it.
        swaps: Pairs of light words of which one in place of the other changes a wording.
    """

    harmless: re.Pattern[str]
    reason: re.Pattern[str]
    joins: frozenset[str]
    opens: frozenset[str]
    opens_talk: frozenset[str]
    changes: re.Pattern[str]
    limits: re.Pattern[str]
    attaches: re.Pattern[str]
    undoes: re.Pattern[str]
    option: re.Pattern[str]
    added: re.Pattern[str]
    told: re.Pattern[str]
    turning: frozenset[str]
    swaps: tuple[frozenset[str], ...]


_EN_LEAVES = (
    r"(?:cancel(?:l?ing)?|skip(?:ping)?|forget(?:ting)?|ignor(?:e|ing)|wait(?:ing)?|delay(?:ing)?|postpon(?:e|ing)|"
    r"refus(?:e|ing)|declin(?:e|ing)|neglect(?:ing)?|omit(?:ting)?|quit(?:ting)?|dispens(?:e|ing) with|"
    r"giv(?:e|ing) up|call(?:ing)? (?:it |that |them )?off|put(?:ting)? (?:it |that |them )?off|"
    r"hold(?:ing)? (?:off|back)|leav(?:e|ing) (?:it|them|that)|sleep(?:ing)? on it|see(?:ing)? how (?:you|it))"
)
_EN_OPTION = (
    r"if (?:you |it |that )?(?:like|want|wish|prefer|must|can|fancy|possible|need be|needed|necessary|necessarily|"
    r"in doubt|feel(?:s)? (?:like it|fine|well|up to it|better|ok|okay|all right|alright|good|right)|"
    r"(?:are|is) (?:fine|well|better|up to it)|have (?:the )?time|get (?:the|a) chance)"
)

_EN = BesideWords(
    harmless=_start(
        r"please|okay|ok|all right|alright|right|thank you|thanks|yes|yeah|too|as well|also|then|you know|you see|"
        r"so to speak|as (?:i|we) (?:said|say|mentioned|told you)|as (?:i|we) was saying|as (?:always|usual)|"
        r"(?:mrs|mr|ms|miss|dr) \w+|madam|sir|remember|at all|really|um|uh|er|erm|well|anyway|is that clear|"
        r"do you understand|at (?:the )?very least|under any circumstances|whatever happens|without fail|"
        r"i am afraid|by the way|obviously|of course"
    ),
    reason=_start(
        r"because|so that|so (?:you|we|it|they|the|your|i)|since (?:you|it|the|your|this|that|we)|"
        r"as (?:you|it|the|your|this|that|we|they)|which|that is (?:why|because|how|to|so)|in order to|"
        r"to (?:help|protect|keep|prevent|make|let|allow|give|reduce|lower|avoid|stop|be|ensure)"
    ),
    joins=frozenset({"and"}),
    opens=frozenset(
        "i we you he she it they there this that these those the your my our let please if how what when where who "
        "why do does did is are can could will would shall should have has remember make tell call ring phone contact "
        "ask keep use take try go come bring write read drink eat rest wash clean wear check one another".split()
    ),
    opens_talk=frozenset(
        "i we you he she it they there this that these those the your my our let all right okay ok now right so "
        "do does did is are can could will would shall should have has how what where who why and thank thanks "
        "please well anyway next".split()
    ),
    changes=inside(
        _EN_LEAVES,
        _EN_OPTION,
        r"unless|except|excepting|otherwise|instead|apart from|other than|rather than|or (?:not|else|rather|just|only|"
        r"perhaps|maybe|stop|leave|stay|take nothing)|but|though|although|however|only|provided|as long as|so long as|"
        r"until|till|half|double|twice|optional|up to you|no need|not (?:need|have|necessary|required|bother|do "
        r"(?:that|it|so))(?: to)?|need not|you (?:may|might|can|could) (?:also |just |simply )?(?:stop|not)|then stop|"
        r"and stop|either|whichever|alternatively|at your (?:own )?(?:discretion|leisure)|in case you (?:like|want)",
    ),
    limits=inside(
        _EN_LEAVES,
        r"(?:do|does|did|need|should|must|will|would|can|could|may|might) not|cancel|stop|avoid|never|not|no|nobody|"
        r"none|nothing|without|nor|neither|hardly|rarely|instead of|rather than",
        r"if|unless|when|whenever|once|until|till|while|whilst|as (?:long|soon) as|so long as|in case|provided|only|"
        r"except|should you|either|or|otherwise|apart from|other than|whether",
        r"before (?!we |i |you go|you hang)\w+|after (?!that|this|all)\w+|during|tomorrow|yesterday|tonight|"
        r"at (?:night|noon|midday|weekends?|bedtime|times)|in the (?:morning|evening|afternoon|night)|"
        r"(?:for|just|only|not) (?:today|now|tonight)|(?:every|each|most|some) (?:\w+)|next (?:week|month|time|year)|"
        r"(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?|later|eventually|first|half|double|twice|up to|at most|"
        r"maybe|perhaps|possibly|might|may|could|would|sometimes|usually|normally|generally|mostly|often|occasionally|"
        r"ideally|preferably|in theory|optionally|consider|feel free|try to|try and|think about|thinking about|"
        r"(?:people|patients|others|someone|somebody|anyone|anybody|they|he|she)(?: \w+)?|you (?:can|do) (?:also )?",
    ),
    attaches=_start(
        r"or|unless|except|but (?:only|not|if|when|wait|you (?:can|may|do not|need not))|only|not (?:if|when|at|on|in)|"
        r"and only|otherwise you (?:can|may)|instead|rather|at least if|as long as|provided|"
        r"if (?:you )?(?:like|want|wish|prefer|feel like it|possible)|well (?:only|unless|not)|though (?:not|only)|"
        r"(?:or|and) (?:you (?:can|could|may|might) )?(?:just )?" + _EN_LEAVES + r"|" + _EN_LEAVES + r"|half|double|"
        r"(?:just|only) (?:if|when|at|on|in|for)|when you (?:like|want|feel)|whenever"
    ),
    undoes=inside(_EN_LEAVES),
    option=inside(
        r"(?<!even )(?!if (?:you |it )?can not)" + _EN_OPTION,
        r"(?:so|and|then|now|please) you (?:might|may)",
        r"you might (?!need|feel|notice|have|see|get|find|be|think|want)\w+",
    ),
    added=inside(
        r"tomorrow|next week|either|alternatively|half|double|fast|faster|slow|slower|slowly|quickly|eventually|"
        r"(?:but |and |only |just )*(?:at (?:night|noon|midday|weekends?|bedtime)|in the (?:morning|evening|"
        r"afternoon|night)s?)|(?:only|just) (?:at|on|in|if|when|for) \w+|up to",
    ),
    told=inside(r"(?:and|so|now|then) you (?:have|are|feel|get|had|were)"),
    turning=frozenset(
        "or if when unless up down out off over under but can could may might would some few almost about only they he "
        "she them him her into while because".split()
    ),
    swaps=(
        frozenset({"or", "and"}),
        frozenset({"in", "out"}),
        frozenset({"on", "off"}),
        frozenset({"to", "from"}),
        frozenset({"up", "down"}),
        frozenset({"over", "under"}),
        frozenset({"with", "without"}),
        frozenset({"before", "after"}),
    ),
)

_PT_LEAVES = (
    r"(?:cancel(?:e|ar|a)|salt(?:e|ar)|esquec(?:a|er)|ignor(?:e|ar)|esper(?:e|ar|a)|aguard(?:e|ar)|adi(?:e|ar)|"
    r"recus(?:e|ar)|dispens(?:e|ar)|omit(?:a|ir)|desist(?:a|ir)|deix(?:e|ar) (?:estar|andar|passar|para)|"
    r"nao (?:fazer|faca) nada|ficar a espera|ver se passa|veja se passa)"
)
_PT_OPTION = (
    r"se (?:quiser|preferir|puder|possivel|necessario|preciso|for preciso|for necessario|for possivel|lhe apetecer|"
    r"tiver (?:tempo|vontade|jeito)|der|lhe der jeito|achar (?:bem|melhor|que sim)|entender|"
    r"(?:se )?(?:sentir|sentir se) (?:bem|melhor)|estiver (?:bem|melhor))"
)

_PT = BesideWords(
    harmless=_start(
        r"por favor|se faz favor|faz favor|esta bem|ta bem|pode ser|ok|certo|sim|obrigad[oa]|tambem|entao|sabe|"
        r"percebe|como (?:lhe )?(?:disse|digo|dizia)|(?:senhor|senhora|dona|sr|sra) \w+|de todo|hum|ah|eh|pronto|"
        r"bem|claro|nao se esqueca|aconteca o que acontecer|sem falta"
    ),
    reason=_start(
        r"porque|pois|ja que|visto que|uma vez que|para (?:que|nao|poder|podermos|ajudar|proteger|evitar|prevenir|"
        r"manter|reduzir|o|a|se)|por isso|de modo a|assim (?:o|a|nao|podemos|fica)|que eh"
    ),
    joins=frozenset({"e"}),
    opens=frozenset(
        "eu nos o a os as isto isso este esta ele ela se como quando onde que quem porque por vou vamos pode posso tem "
        "temos ha eh esta diga ligue telefone fale contacte tome use mantenha beba coma descanse lave limpe venha "
        "traga leia escreva lembre pergunte seu sua".split()
    ),
    opens_talk=frozenset(
        "eu nos o a os as isto isso este esta ele ela como onde quem vou vamos pode posso tem temos ha eh diga e "
        "obrigado obrigada bem muito agora entao ora ok certo mais voltando".split()
    ),
    changes=inside(
        _PT_LEAVES,
        _PT_OPTION,
        r"a menos que|a nao ser(?: que)?|exceto|excepto|salvo|senao|caso contrario|em vez|em alternativa|"
        r"ou (?:nao|entao|so|apenas|talvez|pare|fique|deixe)|mas|embora|porem|contudo|so (?:se|quando)|apenas|somente|"
        r"desde que|ate|metade|dobro|duas vezes|opcional|como (?:quiser|preferir)|nao (?:eh )?(?:preciso|necessario|"
        r"precisa|tem de|tem que)|escusa|pode (?:parar|nao)|e pare|quando (?:quiser|puder|lhe apetecer)",
    ),
    limits=inside(
        _PT_LEAVES,
        r"nao|nunca|jamais|nem|nada|ninguem|nenhum|nenhuma|sem|evite|pare|deixe de|em vez de",
        r"se|caso|quando|sempre que|ate|enquanto|assim que|logo que|a menos que|a nao ser que|exceto|excepto|salvo|"
        r"so|apenas|somente|desde que|ou|senao",
        r"antes de (?!desligar|terminar|acabar)\w+|depois (?:de|da|do) \w+|durante|amanha|ontem|logo|"
        r"(?:a|de|da) (?:noite|manha|tarde)|(?:por|so) (?:hoje|agora)|(?:todos|todas|cada|alguns|algumas) \w+|"
        r"(?:segunda|terca|quarta|quinta|sexta)(?: feira)?|sabado|domingo|mais tarde|eventualmente|primeiro|metade|"
        r"dobro|no maximo|talvez|se calhar|possivelmente|podia|poderia|pode|as vezes|normalmente|geralmente|"
        r"habitualmente|idealmente|de preferencia|em teoria|tente|pense em|considere|"
        r"(?:pessoas|doentes|outros|alguem|eles|elas|ele|ela)(?: \w+)?",
    ),
    attaches=_start(
        r"ou|a menos que|a nao ser|exceto|excepto|salvo|mas (?:so|nao|se|quando|pode|espere)|so (?:se|quando|a|de)|"
        r"apenas|somente|nao (?:se(?! (?:esqueca|preocupe|assuste))|quando|a|de)|senao pode|em vez|desde que|"
        r"se (?:quiser|preferir|puder|lhe apetecer|for possivel)|" + _PT_LEAVES + r"|(?:ou|e) " + _PT_LEAVES + r"|"
        r"metade|dobro|quando (?:quiser|puder)"
    ),
    undoes=inside(_PT_LEAVES),
    option=inside(r"(?<!mesmo )(?!se der (?:uma?|com) )" + _PT_OPTION),
    added=inside(
        r"amanha|para a semana|em alternativa|metade|dobro|depressa|devagar|rapido|eventualmente|"
        r"(?:a|de) noite|(?:de|pela|da) (?:manha|tarde)|(?:so|apenas) (?:a|de|em|no|na|se|quando|por) \w+",
    ),
    told=inside(r"e (?:agora )?(?:tem|esta|sente(?: se)?|teve)"),
    turning=frozenset(
        "ou se quando pode podem podia poderia talvez so fora dentro cima baixo acima abaixo mas alguns algumas quase "
        "cerca eles elas ele ela sob sobre enquanto".split()
    ),
    swaps=(
        frozenset({"ou", "e"}),
        frozenset({"dentro", "fora"}),
        frozenset({"cima", "baixo"}),
        frozenset({"acima", "abaixo"}),
        frozenset({"sob", "sobre"}),
        frozenset({"com", "sem"}),
        frozenset({"antes", "depois"}),
    ),
)
_BY_LANGUAGE: Mapping[str, BesideWords] = {"en": _EN, "pt": _PT}


def beside_words(language: str) -> BesideWords | None:
    """Give a language's words around an advice; None when we have none for it."""
    return _BY_LANGUAGE.get(base_language(language))
