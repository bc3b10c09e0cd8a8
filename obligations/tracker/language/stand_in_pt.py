"""How somebody says in European Portuguese that they are not the patient, and that the patient has come; plain form.

Owns these patterns. Each is searched in one plain sentence, or one part of it between commas (see `table`).
"""

# ruff: noqa: E501 - one pattern, one line

from __future__ import annotations

import re

from obligations.tracker.language.stand_in_table import StandInTable
from obligations.tracker.language.table import alternatives

_PARENTE = r"(?:filh[oa]|filhot[ea]|mulher|marido|espos[oa]|mae|pai|mama|papa|avo|irma|irmao|cuidadora?|net[oa]|nora|genro|vizinh[oa]|amig[oa]|sobrinh[oa]|companheir[oa]|namorad[oa]|enfermeir[oa]|empregad[oa]|cunhad[oa]|sogr[oa]|primo|prima|tio|tia|interprete|tradutora?|madrasta|padrasto|entead[oa]|afilhad[oa]|madrinha|padrinho|auxiliar|acompanhante|familiar|tutora?|parente)"
# Who only helps, and is mentioned by patients: "it is my nurse".
_PROXIMO = r"(?!(?:cuidador|enfermeir|empregad|vizinh|amig|auxiliar|acompanhante|interprete|tradutor))" + _PARENTE
_OLA = r"^(?:(?:nao|sim|ola|ah|bem|bom|bom dia|boa tarde|boa noite|desculpe|olhe|pois|mas|ainda|entao|estou|esta|la|espere|um momento|e que) )*"
_DELE = r"(?:dele|dela|do doente|da doente|do senhor|da senhora|(?:do|da|de) (?:dona |senhora? )?(?!(?:que|meu|minha|lado|casa)\b)[a-z]+)"
_MEU = r"(?:(?:a|o) )?(?:minha|meu|nossa|nosso)"
_SO = r"(?:so |apenas |aqui |mesmo |agora |ainda |eu )*"
_ELE = r"(?:ela|ele|o doente|a doente)"
_SENHOR = r"(?:o doente|a doente|o senhor|a senhora|o sr|a sra|a dona|a d)(?: [a-z]+)?"
_MUITO = r"(?:ainda |agora |neste momento |ja |um pouco |um bocado |muito |bastante |meio |mesmo |completamente )*"
_LONGE = r"(?:a dormir|a descansar|a trabalhar|a tomar (?:banho|duche|o pequeno almoco)|a (?:comer|almocar|jantar|lanchar|vestir se|lavar se|passear|ver televisao|repousar|(?!(?:acompanhar|seguir|tratar|ajudar|pensar|sarar|cicatrizar|melhorar|piorar|demorar|doer|ver)\b)[a-z]+[aei]r)(?! me\b)|deitad[oa]|na cama|no (?:banho|duche|hospital|quarto|trabalho|jardim|quintal|lar)|na (?:casa de banho|cozinha|rua|sanita)|internad[oa]|acamad[oa]|surd[oa]|confus[oa]|doente|cansad[oa]|fora|ocupad[oa]|indisponivel|la em (?:cima|baixo))"
_SEM = r"(?:saiu|foi (?:a|ao|para|dormir|deitar)|(?:nao|mal) (?:se encontra|(?:pode|consegue|quer|sabe) (?:agora )?(?:vir|falar|atender|ouvir|responder|usar|mexer)|ouve|fala|percebe|entende|compreende)|e (?:muito |um pouco |bastante |meio )*(?:surd[oa]|mud[oa])|tem (?:demencia|alzheimer|parkinson)|teve um avc|sofre de|perdeu (?:a voz|a fala|a audicao)|esta sem voz)"
_TEM = r"(?:(?:ja )?nao (?:tem|teve|sente|sentiu|ve|viu|notou|reparou|se queixa|se queixou|esta com|anda com|lhe doi|houve)|nunca (?:teve|se queixou|sentiu)|tem tido (?:nada|dores)|(?:tem|teve|sente|esta com|queixa se|anda com) (?:de )?(?:muitas? |umas? |algumas? |um pouco de )?(?:dor|dores|vermelhidao|manchas|o olho))"
_BEM = r"(?:ve|dorme|come|caminha|respira|esta|anda|sente se|tem andado|tem estado) (?:muito |tudo |ja |bastante )*(?:bem|otim[oa]|melhor|mal|pior|com dores)(?! disposta)"
_DIZ = r"(?:diz|disse|esta a dizer|responde)(?: me)? (?:que )?(?:sim|nao|nada|esta bem|tem dores|doi)(?! (?:posso|podia|devo|devia|precisava|preciso|ha problema|era nada|faz mal))"
_SOU = r"(?:sou|sou eu|fala|quem fala e|quem esta a falar e|quem atende e|daqui e|daqui fala|aqui e|aqui fala|(?:esta|esteve) a falar com|ligou para|quem responde e)"

STAND_IN_PT = StandInTable(
    introduces=alternatives(
        rf"\b{_SOU} {_SO}(?:a|o|uma|um) (?:sua |seu )?{_PARENTE}\b(?! (?:que|de familia|reformad[oa]|da minha|do meu|deles))",
        rf"\b{_SOU} {_SO}{_PARENTE} {_DELE}\b",
        rf"\b{_SOU} (?:(?!(?:com|que|de|minha|meu)\b)[a-z]+ ){{1,3}}(?:a|o) {_PARENTE}(?: {_DELE})?$",
        rf"\b(?:chamo me|o meu nome e|sou|fala|daqui e|e) (?:(?:a|o) )?[a-z]+ (?:[a-z]+ )?(?:e )?(?:sou )?(?:(?:a|o) )?{_PARENTE} (?:dele|dela|do doente|da doente)\b",
        rf"\be (?:so )?(?:a|o) {_PARENTE} (?:dele|dela|do doente|da doente|do senhor|da senhora)\b(?! que)",
        rf"{_OLA}(?:e |sou )?(?:a|o) {_PARENTE}(?: {_DELE})?(?: (?:a falar|que fala|que esta a falar|aqui|ao telefone))*$",
        rf"{_OLA}(?:e |sou |fala |daqui e )+(?:a|o) {_PARENTE}(?: {_DELE})? (?:nao|sim)\b",
        r"\b(?:sou|estou) (?:casad[oa]|noiv[oa]) com (?:ele|ela)\b",
        r"\b(?:respondo|falo|atendo|posso responder|posso falar|vou responder|vou falar|estou a falar|estou a responder) (?:eu )?(?:por (?:ela|ele)|pel[oa] (?:minha|meu|doente))\b",
        rf"\b(?:ligo|telefono|traduzo|estou a traduzir|falo|respondo|estou a ligar) (?:para|pel[oa]|por) (?:a |o )?(?:ele|ela|(?:meu|minha) {_PROXIMO})\b",
        rf"\bem nome (?:dele|dela|do doente|da doente|d[ao] (?:minha|meu) {_PARENTE})\b",
        r"\b(?:eu )?(?:e que )?(?:tomo conta|cuido|trato|ocupo me) (?:dele|dela|d[oa] (?:doente|senhora?|dona)(?: [a-z]+)?)$",
        r"\b(?:e|daqui e|daqui fala|fala|aqui e|falo|ligo|sou) (?:do|da) (?:lar|residencia|casa de repouso)\b",
        r"\bnao sou (?:eu )?(?:ele|ela|(?:o|a) doente|(?:o|a) propri[oa])\b",
        rf"\bnao (?:sou|fui|e|foi|e comigo|foi comigo)(?: eu)? (?:(?:e|foi|mas) )+(?:com )?{_MEU} {_PROXIMO}\b",
    ),
    not_here=alternatives(
        rf"{_OLA}(?:(?:ela|ele|o doente|a doente) )?(?:ainda |agora |neste momento )*esta (?:ainda |agora )*(?:a dormir|a descansar|a trabalhar|deitad[oa]|na cama|no banho|no hospital|internad[oa]|no quarto)\b",
        rf"{_OLA}(?:ela|ele|o doente|a doente) (?:agora |neste momento )*(?:saiu|esta fora|esta ocupad[oa]|nao (?:esta(?: ca| aqui| em casa| disponivel)?$|se encontra|pode (?:vir|falar|atender)|consegue (?:vir|falar|atender)|quer (?:vir|falar|atender)))",
        rf"{_OLA}{_SENHOR} {_MUITO}(?:esta {_MUITO}{_LONGE}|nao esta(?: ca| aqui| em casa| disponivel)?$|{_SEM})",
    ),
    own_kin=alternatives(rf"\b(?:minha|meu) {_PARENTE}\b"),
    others=alternatives(
        r"\b(?:medic[oa]|doutora?|dra?|cirurgi[aã]o?|enfermeir[oa]|oftalmologista|farmaceutic[oa]|fisioterapeuta|senhora? (?:que|do|da)|rapaz|rapariga|motorista|clinica|gato|cao|alguem)\b"
    ),
    of_them=alternatives(
        rf"{_OLA}{_ELE} {_MUITO}(?:esta {_MUITO}{_LONGE}\b|{_SEM}|{_TEM}\b|{_BEM}\b|{_DIZ}\b)",
        r"^(?:(?:nao|sim|olhe|bem) )*(?:o olho|os olhos|a vista|a visao|o joelho|a perna|a anca|a ferida) (?:dele|dela)\b",
        rf"{_OLA}{_ELE} (?:nao|sim)$",
        r"\b(?:acho|penso|creio|parece me) que (?:ela|ele) (?:nao|sim|tem|esta|nao tem)\b(?! que)",
        r"\b(?:nao|sem) que (?:ela|ele) (?:me )?(?:tenha dito|dissesse|tenha|se queixe)\b",
        r"\b(?:perguntei lhe e|perguntei a (?:ele|ela) e) (?:(?:ela|ele) )?(?:diz|disse)\b",
        r"\b(?:ela|ele) (?:pediu me|pediu) (?:para|que eu) (?:atender|responder|falar|dizer)",
        r"\b(?:fale|pergunte|diga) (?:antes )?(?:comigo|me a mim|a mim)\b",
        r"\b(?:tomo conta|cuido|trato) (?:dele|dela)\b",
    ),
    of_kin=alternatives(
        rf"\b(?:o operado|a operada|quem foi operad[oa]|quem fez a operacao|quem foi a operacao|o doente|a doente|o paciente) (?:e|foi) {_MEU} {_PROXIMO}\b",
        rf"\b(?:e|foi) {_MEU} {_PROXIMO} (?:que|quem) (?:foi operad|fez a oper|e (?:o|a) doente|tem o)",
        rf"\b(?:e|era) (?:para|com) {_MEU} {_PROXIMO}$",
        rf"\b(?:quer|queria|procura) (?:falar com )?{_MEU} {_PROXIMO}\b",
        rf"{_OLA}{_MEU} {_PROXIMO} (?:pediu me|pediu) (?:para|que eu) (?:atender|responder|falar|dizer)",
        rf"{_OLA}(?:{_MEU} {_PROXIMO}) {_MUITO}(?:(?!saiu|foi){_SEM}|{_TEM}\b|{_BEM}(?! tambem)\b)",
        rf"{_OLA}{_MEU} {_PROXIMO} {_MUITO}esta {_MUITO}{_LONGE}\b.* (?:eu )?(?:respondo|posso (?:responder|ajudar|dizer|falar)|digo|falo|atendo)\b",
        rf"{_OLA}(?:ela|ele) e {_MEU} {_PROXIMO}\b",
    ),
    of_self=alternatives(
        r"(?<!nao )\b(?:e|foi) o meu (?:proprio )?olho\b(?! que)",
        r"\b(?:eu|fui eu)(?: e)?(?: que)? (?:sou (?:o|a) doente|fui operad[oa])\b",
    ),
    hands_over=alternatives(
        rf"\b(?:passo|vou passar|deixe me passar|ja passo|vou dar|dou)(?: lhe)?(?: o telefone| o telemovel| a chamada)? (?:a|ao|para a|para o|o) ?(?:minha|meu) {_PARENTE}\b",
        rf"\b(?:vou por|ponho|passo lhe|fica com) (?:aqui )?(?:a minha|o meu|com a minha|com o meu) {_PARENTE}\b",
        rf"\bfale (?:com|ca com) (?:a minha |o meu ){_PARENTE}\b",
        rf"\b(?:a minha|o meu) {_PARENTE} (?:vai|pode|quer) (?:falar|responder|atender)\b",
        rf"\b(?:aqui|ca) (?:esta|tem|vem) (?:a minha|o meu) {_PARENTE}\b",
    ),
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
