"""Words by which a speaker takes an advice back, denies it, relativises it, or only quotes it, in each language.

Owns the words only, as flat text (see `coverage.flat`). They are read in the sentences around an advice, never in the
advice itself; what they wrongly find costs one more telling.
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
class RetractionWords:
    """One language's words around a told advice.

    Parameters:
        takes_back: In a later sentence, whatever it is about: the speaker no longer stands behind what was said.
        contrast: Begins a sentence that goes another way. soft: what, behind such a beginning, relativises.
        denies: In the sentence before: a denial, hearsay, another place, another time, a game.
        refers_back: Begins a sentence before that denies what was said earlier, not what comes.
        allows: Lets the listener do something. lifts: frees the listener of something. undoes: acts of not doing.
        negates: Turns the words behind it. prohibits: begins an advice that forbids.
        condition: Words behind which a permission only holds under the advice's own condition.
    """

    takes_back: re.Pattern[str]
    contrast: re.Pattern[str]
    soft: re.Pattern[str]
    denies: re.Pattern[str]
    refers_back: re.Pattern[str]
    allows: re.Pattern[str]
    lifts: re.Pattern[str]
    undoes: re.Pattern[str]
    negates: frozenset[str]
    prohibits: re.Pattern[str]
    condition: re.Pattern[str]


_EN_BAD = (
    r"(?:nonsense|rubbish|wrong|untrue|false|a lie|lies|a joke|a myth|silly|stupid|outdated|out of date|old advice|"
    r"incorrect|a mistake|exaggerated|overcautious|overkill|superstition|hearsay|old fashioned|an exaggeration|"
    r"an old wives \w+|not (?:true|right|correct|so|accurate|valid|the case)|no longer \w+|a rumou?r|ridiculous|"
    r"meant for (?:other|another|somebody|someone)\b.*|for (?:other|another|somebody|someone)\b.*)"
)
WITHDRAWS_EN = (
    r"(?<!not )(?<!never )(?:forget|ignore|disregard|scratch|strike|discard) (?:about )?(?:all )?"
    r"(?:that|this|it|them|what|everything|anything|the last|my|whatever)(?: \w+)*",
    r"(?:i|we) (?:take|took) (?:that|it|this|everything|all of \w+) back",
    r"(?:i|we) (?:was|am|were|are|got|had|have been) (?:\w+ )?(?:wrong|mistaken|joking|kidding|exaggerating)",
    r"(?:only|just) (?:joking|kidding|teasing)|(?:i|we) (?:misspoke|made (?:that|it) up|did not mean (?:that|"
    r"it|what))",
    r"my mistake|correction|(?:i|we) (?:told|gave) you (?:\w+ )?wrong\w*",
)
"""A speaker drops words of their own."""
RELEASES_EN = (
    r"(?:that|this|it|which|the (?:rule|advice|warning)|what i said) (?:does|do|did|would|will|need) not "
    r"(?:really |actually |necessarily )?(?:apply|count|hold|matter|concern you|affect you|go for you|mean you)",
    r"so it does not apply|(?:that|this|it|which) no longer (?:applies|counts|holds)",
    r"(?:that|this|it|which) (?:only |just )?(?:applies|goes|counts) (?:only |just )?(?:for|to|in) (?:other|"
    r"another|"
    r"somebody|someone|people|patients|those|them|him|her)\b.*",
    r"(?:that|this|it|which) is (?:not|hardly|never) (?:\w+ )?(?:necessary|needed|required|compulsory|mandatory|"
    r"binding|strict)",
    r"you (?:do not|need not|never|should not)(?: really| actually)? (?:(?:have|need|ought) to )?(?:do|follow|"
    r"listen to|stick to|obey|care about|bother with|take) (?:that|this|it|them|any of)(?: \w+)*",
    r"(?:nobody|no one|hardly anybody|hardly anyone) (?:really |actually |ever )*(?:does|follows|checks|cares|"
    r"listens|bothers|takes|sticks)(?: \w+)*",
    r"(?:i|we) (?:would|do) not (?:really |actually )?(?:bother|listen|believe|follow|mean|agree|"
    r"think so)(?: \w+)*",
)
"""What was said need not be done, or is not for this listener."""
UNTRUE_EN = (
    r"myths?|rumou?rs?|nonsense|rubbish|silly|superstitions?|misconceptions?|misunderstandings?|old wives|fake|"
    r"legends?|fairy tales?|wrong|false|untrue|lies?|jokes?|joking|outdated|not true|old (?:advice|rules?|leaflet|"
    r"days)|used to|formerly|in the past|years ago|back then|once upon|imagine|suppose|pretend|hypothetically|"
    r"in theory|contrary to|the opposite of|no need to (?:do|follow)|not (?:have|need) to (?:do|follow)|"
    r"never (?:do|follow|say)|not (?:do|follow|believe|listen|say|tell you|mean)",
)
"""Calls what comes untrue, or of another time."""
_EN = RetractionWords(
    takes_back=inside(
        *WITHDRAWS_EN,
        *RELEASES_EN,
        r"(?:that|this|it|which) is (?:not|hardly|never) (?:\w+ )?(?:serious|important|urgent)",
        r"never mind(?! (?:the|your|my) (?:time|weather))",
        r"(?:that|this|it|which|all of (?:that|this|it)|(?:what|everything) (?:i|we) (?:\w+ )?(?:said|told you)|"
        r"the (?:rule|advice|warning)) (?:is|was|sounds|seems) "
        r"(?:(?:just|only|all|of course|really|complete|completely|total|totally|quite|a bit|actually|simply|pure|"
        r"plain|obviously|utter|utterly|probably|perhaps|maybe|so|very) )*" + _EN_BAD,
        r"(?:up to you|your (?:own )?(?:choice|decision)|as you (?:like|please|wish|prefer)|whatever you (?:like|"
        r"prefer|"
        r"want|feel)|optional|(?:just|only|merely) (?:a|an|for) (?:formality|recommendation|guideline|suggestion|"
        r"precaution|show|opinion|idea|form)|do as you (?:like|please|want)|suit yourself)",
        r"do not (?:believe|listen to|follow|take|trust|do) (?:that|this|it|them|a word|any of|what)(?: \w+)*",
        r"(?:or |at least )?(?:so|as|or so|that is what) (?:they|people|some|the \w+|my \w+) (?:say|says|said|"
        r"claim\w*)",
        r"supposedly|allegedly|rumou?r has it|who knows whether|the opposite is (?:true|right|the case)|"
        r"do the opposite|not any ?more",
        r"(?:just|simply|better|rather|instead|you (?:can|could|may|might)|let us)(?: also| just| simply)* "
        r"(?:wait|leave it|skip|cancel|ignore|forget|delay|postpone|sit it out|sleep on it|hold off|see how)(?: \w+)*",
    ),
    contrast=_start(
        r"(?:(?:and|well|oh|so|hm|okay|ok|right|yes|now) )*(?:but|however|although|though|still|yet|actually|honestly|"
        r"frankly|to be (?:honest|frank|fair)|having said that|that said|then again|on the other hand|mind you|"
        r"in (?:practice|reality|fact|truth)|realistically|personally|between (?:you and me|us|ourselves)|"
        r"the truth is|truth be told|in my (?:own )?(?:view|opinion|experience)|nevertheless|of course|wait|no|sorry|"
        r"hang on|anyway|if you ask me)"
    ),
    soft=inside(
        r"(?:most|many|some|lots of|plenty of|other|few) (?:people|patients|of us|folk)|everybody|everyone|nobody|"
        r"no one|"
        r"people|others",
        r"(?:is|are|be|was) (?:\w+ ){0,2}(?:fine|ok|okay|all right|alright|safe|harmless|no problem|unlikely)",
        r"you (?:can|could|may|might)(?: \w+){0,2} (?:it|that|them|so|anyway|today|tomorrow|tonight|now|already|soon)",
        r"you (?:need not|do not (?:have|need) to)|no (?:need|rush|hurry)(?! to worry)|not (?:that|so|really|very|too|"
        r"terribly|all that) \w+|exaggerat\w+|strict|sooner|earlier|a few days|whenever",
        r"i (?:would|do) not|if you (?:like|want|wish|prefer|feel (?:fine|well|ok|okay|up to it))",
    ),
    denies=inside(
        *UNTRUE_EN,
        r"(?:they|people|patients|doctors|nurses|somebody|someone|everybody|everyone|colleagues?|neighbours?|friends?|"
        r"mother|father|sister|brother|internet|website|facebook|google|newspapers?|books?|films?|another \w+|"
        r"others?|she|he)(?: \w+){0,2} (?:say|says|said|tell|tells|told|claim|claims|claimed|think|thinks|thought|"
        r"believe|believes|believed|write|writes|wrote|read|reads|hear|heard|recommend|recommends|recommended)",
        r"(?:tell|tells|telling|told) (?:people|patients|everybody|everyone|others)|"
        r"(?:i|we|you) (?:once |have |may have |might have |had |have once )*(?:heard|read|seen)(?: \w+)*",
        r"in (?:other|some|certain|another|many) (?:countr(?:y|ies)|hospitals?|clinics?|places?|cases?|states?)|abroad|"
        r"elsewhere|in (?:germany|france|spain|italy|england|scotland|ireland|portugal|america|brazil|china|india|"
        r"japan|"
        r"poland|austria|switzerland|sweden|norway|denmark|holland|belgium|greece|turkey|russia|canada|australia|"
        r"europe|africa|asia|the (?:us|usa|uk|states|netherlands))",
        r"for (?:other|another) \w+|not for you|not you|somebody else|someone else|other patients|a film|a book",
    ),
    refers_back=_start(
        r"(?:(?:no|oh|well|i see|sorry|actually|yes|but|i am afraid|ah) )*(?:that|it|this) (?:is|was|sounds|would be)"
        r"(?! (?:\w+ ){0,3}what (?!you))|(?:(?:no|oh|well|sorry|actually|i am sorry) )*(?:(?:i|we) (?:was|were|am|got|"
        r"gave|told|said)|(?:please )?(?:forget|ignore|disregard) what (?:i|we))",
        r"(?:(?:no|oh|well|sorry|so|yes) )*you (?:asked|wanted|were asking|are asking|wondered)",
    ),
    allows=inside(
        r"you (?:can|could|may|might)|fine|ok|okay|safe|all right|alright|no problem|go ahead|feel free|allowed|"
        r"(?:most |many |some |other )?(?:people|patients)|everybody|everyone|harmless|nothing wrong|carry on|why not"
    ),
    lifts=inside(
        r"no (?:need|point|reason|rush|hurry)|(?:do|does|need|will|would) not (?:have|need)(?: to)?|need not|"
        r"not (?:necessary|needed|required|important|worth|bother)|unnecessary|optional|pointless|useless|waste of"
    ),
    undoes=inside(
        r"cancel(?:l?ing)?|skip(?:ping)?|forget(?:ting)?|ignor(?:e|ing)|stop(?:ping)?|quit(?:ting)?|postpon(?:e|ing)|"
        r"leav(?:e|ing) (?:out|off|away)|giv(?:e|ing) up|put(?:ting)? off|throw(?:ing)? away|do(?:ing)? without|"
        r"manage without|dispens(?:e|ing) with|wait with"
    ),
    negates=frozenset("not never nothing nobody no none without hardly cannot".split()),
    prohibits=re.compile(
        r"(?:please )?(?:you )?(?:(?:must|should|can|may|do) )?(?:not|never|avoid|stop|no|refrain)(?!\S)"
    ),
    condition=inside(r"(?:until|till|once|when|after|before|unless|if|only|as soon as|except)"),
)

_PT_BAD = (
    r"(?:um disparate|disparate|uma asneira|asneira|errad[oa]|mentira|fals[oa]|um mito|uma parvoice|parvoice|tolice|"
    r"uma tolice|uma piada|um engano|um erro|exagerad[oa]|um exagero|exagero|antiquad[oa]|ultrapassad[oa]|boato|"
    r"um boato|ridicul[oa]|para outr[oa]s?\b.*)"
)
WITHDRAWS_PT = (
    r"(?<!nao se )(?<!nao )(?<!nunca )(?:esqueca|esquece|ignore|risque|desconsidere|apague)(?: \w+)*",
    r"(?:retiro|retira se) (?:tudo )?(?:isso|o que)(?: \w+)*|dou o dito por nao dito",
    r"(?:eu )?(?:enganei me|estava enganad[oa]|estou enganad[oa]|estava a (?:brincar|exagerar)|"
    r"estou a (?:brincar|exagerar)|expliquei me mal|disse mal|inventei)|(?:era |foi )?so (?:a brincar|brincadeira)",
)
RELEASES_PT = (
    r"(?:isso |isto )?(?:ja )?nao eh (?:\w+ )?(?:preciso|necessario|obrigatorio|rigoroso)"
    r"(?! (?:preocupar|agradecer|apontar|escrever))",
    r"nao (?:precisa|tem|necessita) (?:de |que )?(?:fazer|seguir|ligar a|respeitar|cumprir|ouvir) (?:isso|isto|"
    r"nada)",
    r"ninguem (?:faz|cumpre|segue|liga|respeita|verifica|se importa)(?: \w+)*",
    r"(?:eu )?nao (?:ligava|ligaria|acreditava|acredito|concordo|me preocupava)(?: \w+)*",
)
UNTRUE_PT = (
    r"mitos?|boatos?|disparates?|asneiras?|parvoices?|tolices?|superstic\w+|mentiras?|falso|falsa|errad[oa]|piada|"
    r"a brincar|antigamente|dantes|no passado|ha anos|imagine|suponha|faca de conta|em teoria|ao contrario|"
    r"o contrario|nao eh verdade|conselhos? antigos?|regras? antigas?|crenca|lenda|nao (?:faca|siga|acredite|"
    r"ligue)",
)
_PT = RetractionWords(
    takes_back=inside(
        *WITHDRAWS_PT,
        *RELEASES_PT,
        r"(?:isso |isto )?(?:ja )?nao eh (?:\w+ )?(?:importante|urgente|grave|serio)"
        r"(?! (?:preocupar|agradecer|apontar|escrever))",
        r"(?:isso|isto|tudo isso|aquilo|o que (?:eu )?(?:lhe )?disse|essa regra|esse conselho) (?:eh|era|foi|esta|"
        r"parece)"
        r"(?: (?:so|apenas|claro|mesmo|tudo|um bocado|completamente|puro|simplesmente|obviamente|provavelmente))* "
        + _PT_BAD,
        r"(?:claro que )?(?:isso |isto |o que disse )?nao (?:eh (?:verdade|bem assim|assim|para si|o seu caso|certo)|"
        r"se aplica(?: \w+)*|conta|vale|interessa|esta certo)",
        r"(?:isso|isto) (?:so )?(?:vale|aplica se|eh) (?:so )?(?:para|a|em) (?:outr[oa]s?|quem|pessoas|doentes)\b.*",
        r"(?:fica |eh )?ao seu criterio|como (?:quiser|preferir|lhe apetecer|achar melhor)|a escolha eh sua|"
        r"(?:a )?decisao eh sua|opcional|facultativ[oa]|(?:so|apenas|mera?) (?:uma? )?(?:formalidade|recomendacao|"
        r"sugestao|precaucao|orientacao|conselho)|faca (?:como|o que) (?:quiser|entender|lhe apetecer)",
        r"nao (?:acredite|ligue|faca caso|de ouvidos|siga|faca)(?: \w+)? (?:isso|isto|nada|disso|nisso|a isso)",
        r"(?:pelo menos )?(?:eh o que|ou assim|assim) (?:dizem|se diz|diz o povo)|dizem|supostamente|alegadamente|"
        r"(?:eh )?o contrario(?: eh)?(?: \w+)?|faca o contrario|deixe (?:la )?isso|deixe estar|deixe la",
        r"(?:antes|simplesmente|basta|melhor|pode|podia|vamos|so) (?:\w+ )?(?:esperar|espere|aguardar|aguarde|"
        r"ignorar|esquecer|cancelar|adiar|saltar)(?: \w+)*",
    ),
    contrast=_start(
        r"(?:(?:e|bem|ah|pois|ora|ok|sim|agora) )*(?:mas|porem|contudo|no entanto|todavia|embora|alias|afinal|"
        r"na verdade|na realidade|na pratica|sinceramente|honestamente|francamente|para ser (?:sincer[oa]|franc[oa]|"
        r"honest[oa])|por outro lado|dito isto|pessoalmente|aqui entre nos|entre nos|a verdade eh que|na minha "
        r"(?:opiniao|experiencia)|claro que|desculpe|espere|nao|ca para mim|se quer que lhe diga)"
    ),
    soft=inside(
        r"(?:a )?(?:maioria|maior parte)(?: \w+)*|(?:muita|alguma|toda a) gente|(?:muitas|algumas|outras|as) pessoas|"
        r"(?:muitos|alguns|outros|os) doentes|ninguem|todos|toda a gente|outros",
        r"nao (?:faz mal|ha problema|ha perigo|tem mal|ha pressa|ha necessidade)|sem problema|corre bem|esta bem|"
        r"eh seguro|tudo bem",
        r"pode (?:\w+ ){0,2}(?:ja|isso|hoje|amanha|agora|na mesma|mesmo|assim|antes)|"
        r"nao (?:precisa|tem de|tem que)|nao eh (?:tao|assim tao|muito|bem)(?: \w+)*|exager\w+|mais cedo|"
        r"uns dias|se (?:quiser|preferir|puder|se sentir bem)",
    ),
    denies=inside(
        *UNTRUE_PT,
        r"(?:dizem|dizia se|diz se|ha quem (?:diga|ache|pense)|ouve se|ouvi dizer|le se|consta|costumam dizer|"
        r"costuma dizer se|conta se)(?: \w+)*",
        r"(?:pessoas|gente|doentes|medicos|enfermeiros|alguem|todos|colega|colegas|vizinh[oa]s?|amig[oa]s?|mae|pai|"
        r"irma|"
        r"irmao|internet|facebook|google|jornal|jornais|livros?|outr[oa]s?|povo)(?: \w+){0,2} (?:diz|dizem|disse|"
        r"disseram|conta|contam|acha|acham|pensa|pensam|acredita|acreditam|escreve|escreveu|le|leu|recomenda|"
        r"recomendam|aconselha|aconselham)",
        r"(?:n?outros|n?outras|n?alguns|n?algumas|n?outro|n?outra) (?:paises|pais|hospitais|hospital|sitios|clinicas|"
        r"casos|lugares)|no estrangeiro|(?:na|no|em|nos) (?:alemanha|franca|espanha|italia|inglaterra|escocia|irlanda|"
        r"brasil|china|india|japao|polonia|austria|suica|suecia|noruega|dinamarca|holanda|belgica|grecia|turquia|"
        r"russia|canada|australia|europa|africa|asia|estados unidos|reino unido|portugal|angola|mocambique)",
        r"para outr[oa]s? \w+|nao (?:eh )?para si|outr[oa]s? doentes?|outra pessoa|um filme|um livro",
    ),
    refers_back=_start(
        r"(?:(?:nao|ah|bem|pois|desculpe|mas|sim|ora) )*(?:isso|isto) (?:nao )?(?:eh|era|foi|esta)(?! o que)|"
        r"(?:(?:ah|bem|desculpe) )*(?:enganei me|estava enganad[oa]|esqueca o que)",
        r"(?:(?:nao|ah|bem|entao|desculpe|sim) )*(?:perguntou|queria saber|quer saber)",
    ),
    allows=inside(
        r"pode|podia|podem|nao faz mal|nao ha problema|sem problema|a vontade|permitido|"
        r"(?:a maioria|a maior parte|muita gente|as pessoas|toda a gente|muitos|alguns)|eh seguro|esteja a vontade"
    ),
    lifts=inside(
        r"nao (?:eh |ha |vale )?(?:preciso|necessario|necessidade|pressa|razao|motivo|a pena|importante|obrigatorio)|"
        r"nao (?:precisa|necessita|tem (?:de|que))|escusa|opcional|inutil|desnecessari[oa]|perda de tempo"
    ),
    undoes=inside(
        r"cancel(?:e|ar)|salt(?:e|ar)|esquec(?:a|er)|ignor(?:e|ar)|par(?:e|ar)|adi(?:e|ar)|deix(?:e|ar) de|"
        r"suspend(?:a|er)|"
        r"deit(?:e|ar) fora|interromp(?:a|er)|largu?(?:e|ar)|dispens(?:e|ar)|passar sem"
    ),
    negates=frozenset("nao nunca nem nada ninguem nenhum nenhuma sem jamais".split()),
    prohibits=re.compile(r"(?:por favor )?(?:nao|nunca|evite|pare|jamais)(?!\S)"),
    condition=inside(r"(?:ate|quando|depois|antes|se|so|assim que|logo que|a menos|exceto|apenas)"),
)
_BY_LANGUAGE: Mapping[str, RetractionWords] = {"en": _EN, "pt": _PT}


def retraction_words(language: str) -> RetractionWords | None:
    """Give a language's words of taking back; None when we have none for it."""
    return _BY_LANGUAGE.get(base_language(language))
