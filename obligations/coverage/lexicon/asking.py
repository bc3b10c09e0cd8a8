"""Words that bend a question of known wording into another one, in each language.

Owns the words only, as flat text (see `coverage.flat`). What is wrongly called bent costs one confirmation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from obligations.coverage.flat import inside
from obligations.coverage.text import base_language


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingWords:
    """One language's words around a question.

    Parameters:
        conditions: In its sentence before it: a condition, another time, an exception.
        reports: Before it, in its sentence or the one before: it is only told that it was asked, or played.
        harmless: Behind it, in its sentence: words that ask the same ("at all", "today").
        asks_same: A further question that only asks for the answer ("Yes or no?").
    """

    conditions: re.Pattern[str]
    reports: re.Pattern[str]
    harmless: re.Pattern[str]
    asks_same: re.Pattern[str]


_EN = AskingWords(
    conditions=inside(
        r"if(?! (?:i|we) (?:may|might|can|could)| you (?:do not mind|are ready|can tell|could tell)|"
        r" that is (?:ok|okay|all right|alright|fine))",
        r"when|whenever|unless|while|whilst|apart from|besides|other than|except|rather than|instead of|assuming|"
        r"provided|until|till|in case",
        r"before(?! (?:we|i|you go|you hang|that|this|going on|moving on)(?!\S))|after(?! (?:that|this|all)(?!\S))|"
        r"during|yesterday|last (?:year|time|summer|winter)|years ago|back then|in the past|as a child",
    ),
    reports=inside(
        r"(?:was|were|been|be|is|are|get|got) (?:\w+ )?asked|used to|not (?:ask|asking|going to ask|have to answer|"
        r"answer)|never (?:ask|asked)|instead of asking|(?:the|their|his|her|my|that|a) (?:\w+ )?question "
        r"(?:was|used to be)",
        r"(?:they|people|he|she|nurses?|doctors?|surgeons?|others?|form|letter|leaflet|patients|colleagues?|somebody|"
        r"someone|everybody|everyone|some|most|many|mother|father|neighbour|friend)(?: \w+){0,2} (?:ask|asks|asked|"
        r"say|says|said|wonder\w*|want\w*)",
        r"imagine|suppose|supposing|pretend|let us say|think(?:ing)? back|remember (?:when|the|how)|hypothetically|"
        r"(?:before|after|at|during) (?:the|your) (?:operation|surgery) (?:you|they|we|i)|(?:only|just) joking|"
        r"for example|for instance|ignore|forget|next time|later (?:i|we)|(?:i|we) will (?:\w+ )?ask|"
        r"(?:you|the patient) (?:will|would) (?:be|get) asked",
    ),
    harmless=re.compile(
        r"(?:(?:at all|today|now|right now|just now|at the moment|at present|currently|please|then|lately|recently|"
        r"since (?:the|your) (?:operation|surgery)|since (?:then|we (?:last )?spoke|you (?:came|went|got) home)|"
        r"(?:in|over) the (?:last|past) (?:few )?(?:days?|weeks?)|these days|by any chance|or not|yes or no|"
        r"can you tell me|could you tell me|would you say|tell me|(?:mrs|mr|ms|miss|dr) \w+|madam|sir|or anything "
        r"like that|even a little|even slightly|again|so far|still|yet|thank you|thanks|um|uh|er)(?:\s+|\Z))*\Z"
    ),
    asks_same=re.compile(
        r"(?:(?:and|so|or|well|just) )*(?:yes or no|yes|no|any|anything|any at all|at all|anything at all|"
        r"anything like "
        r"that|even a little|even slightly|is that so|is there any|has there been any|have you|do you|did you|has it|"
        r"(?:can|could|would|will) you (?:please )?(?:tell me|let me know|say|answer)(?: \w+){0,4}|"
        r"what (?:do you think|would you say)|how (?:is it|are things)|okay|ok|right|hm|are you there|hello)\Z"
    ),
)
_PT = AskingWords(
    conditions=inside(
        r"se(?! (?:me permite|nao se importa|faz favor|puder dizer|pode dizer))|quando|sempre que|enquanto|caso|"
        r"a nao ser|exceto|excepto|salvo|alem d[eoa]s?|para la d[eoa]s?|em vez d[eoa]s?|ate",
        r"antes(?! de (?:continuar|terminar|acabar|desligar|avancar|mais))|depois(?! disso)|durante|ontem|"
        r"no ano passado|da ultima vez|ha (?:muitos )?anos|antigamente|dantes|no passado|em crianca",
    ),
    reports=inside(
        r"(?:perguntaram|perguntavam|perguntou|perguntava|pergunta|perguntam|costumam perguntar|foi lhe perguntado|"
        r"questionaram)(?: lhe)?|nao (?:pergunto|vou perguntar|precisa de responder|responda)|"
        r"a pergunta (?:era|foi)",
        r"(?:eles|elas|pessoas|gente|enfermeir[oa]s?|medic[oa]s?|outros|doentes|colegas?|alguem|todos|folheto|carta|"
        r"questionario|vizinh[oa]|amig[oa])(?: \w+){0,2} (?:pergunta|perguntam|perguntou|diz|dizem|disse|quer|querem)",
        r"imagine|suponha|supondo|faca de conta|por exemplo|lembra se|a brincar|ignore|esqueca|da proxima vez|"
        r"(?:vao|irao|vou) (?:lhe )?perguntar",
    ),
    harmless=re.compile(
        r"(?:(?:de todo|hoje|agora|neste momento|por favor|se faz favor|entao|ultimamente|recentemente|"
        r"desde (?:a|que) (?:operacao|cirurgia|falamos|entao)|desde entao|nos ultimos (?:dias|tempos)|por acaso|ou nao|"
        r"sim ou nao|pode dizer me|diga me|(?:senhor|senhora|dona|sr|sra) \w+|mesmo (?:so )?um pouco|outra vez|"
        r"ate agora|ainda|ou algo assim|obrigad[oa]|hum)(?:\s+|\Z))*\Z"
    ),
    asks_same=re.compile(
        r"(?:(?:e|entao|ou|bem) )*(?:sim ou nao|sim|nao|alguma|algum|alguma coisa|nada|de todo|mesmo um pouco|tem|teve|"
        r"notou|sente|(?:pode|podia|consegue) (?:dizer me|responder|dizer)(?: \w+){0,4}|o que (?:acha|me diz)|certo|"
        r"esta bem|esta ai|estou|como esta)\Z"
    ),
)
_BY_LANGUAGE: Mapping[str, AskingWords] = {"en": _EN, "pt": _PT}


def asking_words(language: str) -> AskingWords | None:
    """Give a language's words around a question; None when we have none for it."""
    return _BY_LANGUAGE.get(base_language(language))
