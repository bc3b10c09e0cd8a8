"""What may stand beside a yes or no: words known to change nothing, yes and no words, other places, other tongues.

Owns these tables, one a language, over flat words (folded, contractions opened, Portuguese "é" written "eh"). Never
decides what a reply means.
"""

# ruff: noqa: E501 - tables of words, one kind a block

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from obligations.coverage.flat import inside
from obligations.coverage.text import base_language


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """One language's words beside an answer.

    Parameters:
        yes: Words that say yes wherever they stand.
        no: Words that say no by themselves.
        denying: Words that deny a yes-word some words later ("I can't say yes").
        harmless: Words that change nothing about a no, wherever they stand.
        harmless_denied: Words that change nothing about a no where their own clause denies them ("not a bit").
        limiting: Words that let something in beside a no, though a clause drops them at its beginning ("No, just them").
        seeing: Words of seeing, harmless like those, but not where the question is about sight ("I don't see anything").
        sight: Words by which a question is about sight.
        clear: Words of good sight, harmless where the question is about sight ("it's clear").
        courtesies: Whole clauses that say nothing beside an answer.
        elsewhere: Names a place that is not the one asked about ("the other eye").
        halfway: What leans to the thing asked without saying it, in a clause that does not ask ("maybe", "sort of").
        amounts: Amounts and times of it that nothing denies ("once", "a little"); beside a no they take it back.
        judging: What a question asks of a thing that it takes for granted ("is it normal that it is so red?").
        counted: Nouns that are counted and are no grade on a scale ("tablets").
        graded: Words that may follow a grade on a scale ("out of").
        tongue: Words by which the language is known, as written, lower case; none is a word of another one here.
    """

    yes: frozenset[str]
    no: frozenset[str]
    denying: frozenset[str]
    harmless: frozenset[str]
    harmless_denied: frozenset[str]
    limiting: frozenset[str]
    seeing: frozenset[str]
    sight: frozenset[str]
    clear: frozenset[str]
    courtesies: frozenset[str]
    elsewhere: re.Pattern[str]
    halfway: re.Pattern[str]
    amounts: re.Pattern[str]
    judging: re.Pattern[str]
    counted: frozenset[str]
    graded: frozenset[str]
    tongue: frozenset[str]


def _words(*lines: str) -> frozenset[str]:
    return frozenset(" ".join(lines).split())


_TABLES: Mapping[str, Beside] = {
    "en": Beside(
        yes=_words("yes yeah yep yup yea yah aye"),
        no=_words("no nope nah"),
        denying=_words("not never cannot neither without"),
        harmless=_words(
            "no nope nah na not never none nothing nobody nowhere neither nor negative nil zero",
            "a an the this that these those it its there here of to for in on at with by from and or so as than then",
            "is are was were be been am do does did done has have had can could will would should",
            "i me my mine we us our you your they them one any anything anyone anybody anywhere all every everything",
            "whatsoever whatever ever even either too also really actually honestly certainly definitely absolutely",
            "truly quite very far yet already still always again before after since lately recently today now",
            "tonight yesterday morning afternoon evening night day days week weeks month months time times moment",
            "present operation surgery thanks thank please doctor nurse sir madam miss love dear darling mate sorry oh",
            "ah um uh er erm hm hmm well okay ok right alright fine good great perfect lovely wonderful brilliant",
            "excellent normal sure course god goodness heavens thankfully luckily fortunately glad afraid happy pleased",
            "say think know aware remember recall knowledge tell see told said like honest course correct true indeed",
            "question next go ahead carry continue touch wood lucky hope",
        ),
        harmless_denied=_words(
            "problem problems trouble issue issues complaint complaints worry worries sign signs trace hint twinge jot",
            "symptom symptoms bit little slightest least single once thing felt feel noticed notice had got",
            "experienced experiencing find found change changes changed different difference usual unusual special",
            "new much way chance kind sort drop more remotely believe suppose report speak note whit",
        ),
        limiting=_words("just only merely apart except"),
        seeing=_words("see seen saw look looked"),
        clear=_words("clear"),
        sight=_words("sight vision eyesight see"),
        courtesies=frozenset(
            ("thank god", "thank goodness", "touch wood", "thank you doctor", "thank you nurse", "thank you very much")
        ),
        elsewhere=inside(
            r"(?:the |my )?(?:other|wrong|good|healthy|unoperated|non operated) (?:eye|leg|foot|knee|hip|arm|hand|side|one)",
            r"not (?:in |on )?(?:the|my|that|this) (?:operated|bad|right|left|same)? ?(?:eye|leg|foot|knee|hip|side|one)",
            r"(?:somewhere|someplace) else|elsewhere",
        ),
        halfway=inside(
            r"maybe|perhaps|possibly|conceivably|potentially|(?:sort|kind) of|sorta|kinda|so so|yes and no|ish",
            r"(?:in a|more or less|a manner of speaking)(?: way)?|to (?:some|a certain) extent|up to a point|if anything",
            r"(?:it|there|they|that|i|we) (?:may|might|could)(?: well| just)?(?: have| be)?(?! (?:not|be (?:worse|better)))",
            r"(?<!it )(?:may|might|could) (?:well )?(?:be|have been)(?! (?:worse|better|wrong|not))|could do",
            r"(?:hardly|barely|scarcely|rarely|seldom)(?: (?:any|ever|anything|noticeable|there))?|next to (?:nothing|none)",
            r"(?:not|never) (?:much|so much|very much|often|very|always|usually|quite|entirely|completely|exactly|all that)",
            r"(?<!not )(?:i )?(?:wonder|suspect|fancy)(?: if| whether)?",
        ),
        amounts=inside(
            r"(?<!not )(?<!even )(?<!never )(?<!at )(?:once|twice)(?: or twice)?",
            r"(?<!not )(?<!even )(?<!never )(?:just |only |maybe |perhaps )?a (?:wee |tiny |little |small )?(?:bit|little|touch|tad|few|couple|trace|spot|tinge|smidgen|fraction)",
            r"slightly|somewhat|sometimes|occasionally|at times|now and (?:then|again)|on and off|off and on|the odd \w+",
            r"(?:every|once in a) (?:now and (?:then|again)|while|so often)|some (?:days|nights|mornings|times|of the time)",
        ),
        judging=inside(
            r"normal|usual|common|natural|expected|ok|okay|all right|alright|fine|safe|bad|serious|dangerous|worrying|wrong",
            r"(?:supposed|meant) to|a (?:problem|worry|concern|bad sign|good sign)|(?:should|ought) (?:i|it|my|they|we|that)",
            r"why|how come|how long|(?:would|do|can) you (?:call|say|count)|(?:does|do|would|will) \w+(?: \w+){0,4} (?:count|matter|go away|go)|matters?",
        ),
        counted=_words(
            "tablet tablets pill pills drop drops dose doses capsule capsules spoon spoons spoonful spoonfuls puff puffs",
            "hour hours minute minutes second seconds day days week weeks month months year years night nights morning",
            "mornings time times kilo kilos kg gram grams milligram milligrams mg litre litres ml glass glasses cup cups",
            "pillow pillows step steps stairs metre metres mile miles degree degrees percent people star stars euro euros",
            "pound pounds eye eyes leg legs child children grandchild grandchildren person nurse nurses doctor doctors",
        ),
        graded=_words("out of on over to or maybe perhaps point points ten zero one in at the and but"),
        tongue=_words(
            "yes yeah the my is it not have has hurts hurt very much what you your this that there can't don't i'm it's",
            "i've are was with and eye pain vision see nothing thank thanks please speak english hello",
        ),
    ),
    "pt": Beside(
        yes=_words("sim"),
        no=_words("nao"),
        denying=_words("nao nunca nem sem"),
        harmless=_words(
            "nao nem nada nenhum nenhuma nenhuns nenhumas nunca ninguem sem jamais zero negativo",
            "a o as os um uma uns umas de do da dos das em no na nos nas num numa para pra por ao aos com e ou que como",
            "isso isto esse essa este esta estes estas aquilo nisso disso eu me mim meu minha lhe voce se tudo todo toda",
            "eh foi ser ha houve ai la ca aqui assim alguma algum alguns algumas qualquer coisa coisas tipo genero",
            "mesmo realmente sinceramente absolutamente absoluta certamente certeza claro certo felizmente gracas deus",
            "ainda ate agora hoje ontem desde depois antes sempre ja tambem operacao cirurgia semana semanas dia dias",
            "noite manha tarde mes meses vez vezes momento altura obrigado obrigada muito doutor doutora senhor senhora",
            "enfermeira enfermeiro menina menino filha filho querida querido favor por desculpe pois ora olhe ah oh hum eh",
            "pronto ok bem otimo otima bom boa normal perfeito impecavel espetaculo estou esta acho creio penso digo sei",
            "saiba lembro lembre diga verdade espero pergunta seguinte continue avance sorte contrario pelo",
        ),
        harmless_denied=_words(
            "problema problemas queixa queixas sinal sinais vestigio sintoma sintomas sinto senti sentido notei noto",
            "notado reparei reparo tenho tem tive teve tinha tido tem-me dei conta dou mais diferente",
            "diferenca mudou especial estranho novo novidade pouco bocado bocadinho minimo sombra nadinha parece",
        ),
        limiting=_words("so apenas somente exceto excepto"),
        seeing=_words("vejo vi visto ver reparado"),
        clear=_words("clara nitida"),
        sight=_words("visao vista ve ver"),
        courtesies=frozenset(
            ("gracas a deus", "senhora doutora", "senhor doutor", "senhora enfermeira", "senhor enfermeiro")
            + ("muito obrigado", "muito obrigada", "se deus quiser", "minha senhora", "meu senhor")
        ),
        elsewhere=inside(
            r"(?:o |a |no |na |do |da )?(?:outro|outra) (?:olho|perna|pe|joelho|anca|braco|mao|lado|vista)",
            r"(?:o |no |do )?olho (?:bom|sao|que nao foi operado|nao operado)",
            r"nao (?:eh )?(?:nesse|neste|no) (?:olho|lado|joelho|pe)",
            r"noutro (?:olho|lado|sitio)|noutra (?:perna|vista)",
        ),
        halfway=inside(
            r"talvez|se calhar|porventura|possivelmente|eh (?:capaz|possivel)|quem sabe|pode ser|podera|mais ou menos",
            r"assim assim|nim|sim e nao|de certa (?:forma|maneira)|de certo modo|ate certo ponto|uma especie|por assim dizer",
            r"quase (?:nada|nenhum|nenhuma|nunca)|(?:muito )?pouc[oa](?: coisa)?|pouquinho|raramente|mal se (?:nota|ve|sente)",
            r"(?:nao|nem) (?:muito|muita|tanto|tanta|sempre|propriamente|exatamente|completamente)|nem por isso enfim",
            r"desconfio|suspeito|da me a ideia|tenho a impressao",
        ),
        amounts=inside(
            r"(?<!nem )(?<!nao )(?:um|uma|umas|uns) (?:pouco|pouquinho|bocado|bocadinho|nadinha|coisinha|vez|vezes|tanto|pouca)",
            r"ligeiramente|as vezes|por vezes|de vez em quando|volta e meia|de quando em quando|(?:algumas|umas|poucas) vezes",
        ),
        judging=inside(
            r"normal|habitual|costume|natural|mau|ma|grave|perigos[oa]|preocupante|suposto|seguro|problema|faz mal|bom sinal",
            r"porque|por que|devia|deve|devo|conta(?: como)?|chama|considera|diria|quanto tempo|passa",
        ),
        counted=_words(
            "comprimido comprimidos gota gotas dose doses capsula capsulas colher colheres hora horas minuto minutos",
            "segundo segundos dia dias semana semanas mes meses ano anos noite noites manha manhas vez vezes quilo quilos",
            "kg grama gramas miligramas mg litro litros ml copo copos almofada almofadas degrau degraus metro metros",
            "grau graus pessoa pessoas estrela estrelas euro euros olho olhos perna pernas filho filhos neto netos",
        ),
        graded=_words("em de numa ou talvez ponto pontos dez zero um no na para a e mas"),
        tongue=_words(
            "sim não nao dói doi olho olhos muito muita tenho está estou uma com minha meu vista vejo nada dor dores sinto",
            "vermelho vermelha português falo falar obrigado obrigada senhora senhor também já eu isso percebo inglês",
            "piorou turva visto luzes vermelhidão é são notei tem ficou",
        ),
    ),
}
LANGUAGES = tuple(_TABLES)
"""Base languages that have a table."""


def beside_of(language: str) -> Beside | None:
    """Give the table of a language tag; None when there is none."""
    return _TABLES.get(base_language(language))


def spoken_instead(text: str, language: str, others: Iterable[str]) -> str | None:
    """Say which other language a text is in, where it holds words of that one and none of the call's own.

    Args:
        text: What was said, as recognised.
        language: BCP 47 tag of the call.
        others: Tags to choose from, such as the pathway's languages.

    Returns:
        A tag of `others`, or None where the text may be in the call's language or tells too little.
    """
    own = beside_of(language)
    words = {word.strip(".,;:!?…\"'").replace("’", "'") for word in text.casefold().split()}
    if own is None or words & own.tongue:
        return None
    for tag in others:
        table = beside_of(tag)
        if table is not None and table is not own and words & table.tongue:
            return tag
    return None


def is_courtesy(flat: str, language: str) -> bool:
    """Say whether a whole flat clause says nothing beside an answer ("thank God")."""
    table = beside_of(language)
    return table is not None and flat in table.courtesies
