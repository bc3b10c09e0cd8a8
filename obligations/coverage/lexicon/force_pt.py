"""European Portuguese speech-act phrases."""

from __future__ import annotations

import re

from obligations.coverage.flat import inside
from obligations.coverage.lexicon.force_model import ForceTable

_TELL = (
    r"(?:dizer|digo|direi|explicar|explico|explicarei|falar|falo|falamos|falaremos|contar|conto|ver|vemos|"
    r"veremos|tratar|tratamos|dar|dou|ler|leio|mostrar|lembrar|indicar|indico|abordar|abordamos|"
    r"esclarecer|informar|avisar|passar)"
)
_THEY = (
    r"(?:o senhor|a senhora|voce|ele|ela|eles|elas|(?:o|a) (?:seu|sua) (?:\w+ )?(?:mulher|marido|filha|"
    r"filho|mae|pai|medico|medica|enfermeira|enfermeiro|farmaceutico|farmaceutica|fisioterapeuta|vizinha|"
    r"vizinho|amiga|amigo|parteira|dentista)|"
    r"(?:o|a) (?:medico|medica|enfermeira|enfermeiro|farmaceutico|farmaceutica|fisioterapeuta|cirurgiao|"
    r"cirurgia|folheto|internet|hospital|doente|colega)|alguem|as pessoas|toda a gente|uma amiga|um amigo)"
)

PT = ForceTable(
    announces=inside(
        r"(?:ja|depois|a seguir|mais a frente|mais tarde|daqui a (?:pouco|bocado|nada|um minuto|um bocadinho)|"
        r"em seguida|no fim|no final|para a proxima|noutra altura|logo|antes de (?:desligar|terminar|"
        r"acabar)(?:mos)?)(?: \w+){0,3} " + _TELL,
        r"(?:vou|vamos|hei de|havemos de|queria|quero|gostava de|preciso de|tenho de|posso|podemos|iremos|"
        r"irei)(?: \w+){0,2} "
        + _TELL
        + r"(?: lhe| nos)?(?: \w+){0,3} (?:sobre|acerca|o que|como|quando|quem|porque|depois|mais|daqui|"
        r"a seguir|no fim)",
        r"(?:digo|explico|direi|explicarei|conto|dou|falamos|vemos|tratamos)(?: lhe)? (?:ja|depois|a seguir|"
        r"mais|daqui|em seguida|no fim|quando|o que|como|sobre|disso|isso)",
        r"(?:ja la vamos|la chegaremos|ja la chegamos|la iremos|lembre me de|nao me deixe esquecer)",
        r"(?:ainda nao|nao) (?:falamos|falei|disse|expliquei|vimos|contei)(?: \w+){0,3}",
        r"(?:vai|ira) (?:ouvir|receber|ser informad[oa]|encontrar) (?:\w+ ){0,3}(?:sobre|folheto|carta|"
        r"instrucoes|indicacoes)",
    ),
    reports=inside(
        r"(?<!eu )(?:(?:como|pois|ja|tambem|entao|entretanto|ah|bem|e) )*(?:"
        + _THEY
        + r" )?(?:me )?(?:disse|dizia|contou|contava|referiu|mencionou|perguntou|achava|acha|pensava|pensa|"
        r"julgava|leu|ouviu|percebeu|explicou|recomendou|aconselhou|escreveu|comentou|relatou|lembrou|"
        r"queixou se|telefonou|ligou|tomou|foi|teve|andou|estava|esteve|parou|deixou|costuma|tem tomado|"
        r"tem estado|tem andado|tem vindo|tem feito|ja sabe|ja sabia|sabia)(?: me)?(?: que| se|(?= \S))",
        r"(?:ouvi|li|vejo|percebo|noto|sei|soube) que (?:\w+ ){0,3}(?:tem|teve|esta|estava|tomou|foi|anda|ja|lhe)",
        r"disseram lhe|foi lhe dito|contaram lhe|segundo (?:o|a|os|as|me)|aparentemente|consta que|"
        r"antigamente|dantes|no passado|(?:ha|alguns|muitos|outros|certos) (?:doentes|medicos|"
        r"pessoas)? ?(?:que|quem) (?:dizem|acham|diga|ache)|muita gente (?:diz|acha|pensa)|alguns doentes|"
        r"ha quem",
        r"\A(?:(?:entao|e|pois|bem|ah|ora|portanto|ontem|anteontem|na semana passada|esta manha|hoje) )*"
        r"(?:(?:o senhor|a senhora|voce) )?(?:ja )?(?!meu|seu|teu|vou|sou|dou|estou|ou|eu|sei|lei|"
        r"rei)\w{2,}(?:ou|eu|iu|ava)(?: se)?(?!\S)",
    ),
    endorses=re.compile(
        r"(?:pois )?(?:sim|exato|exatamente|exacto|exactamente|certo|correto|correcto|isso mesmo|"
        r"eh isso(?: mesmo)?|eh verdade|tem (?:toda a )?razao|esta (?:muito |perfeitamente )?(?:certo|certa|"
        r"correto|bem)|eh mesmo (?:isso|assim)|confirmo|claro(?: que sim)?|com certeza|pode sim|pode\Z|deve\Z|"
        r"deve sim|faca (?:isso|assim|favor)|continue(?: assim)?|siga isso|percebeu bem|perfeito|"
        r"muito bem eh isso|justamente|precisamente)(?!\S)(?! (?:mas|nao))"
    ),
    endorsed_within=inside(
        r"e (?:tem razao|esta certo|esta correto|eh verdade|eh isso mesmo|confirmo|muito bem)|"
        r"o que (?:esta certo|eh verdade|esta correto)|e sim|sim pode|sim deve"
    ),
    doubts=inside(
        r"nao (?:sei|tenho a certeza|tenho certeza|estou (?:muito )?(?:certo|certa|segura|seguro)|"
        r"posso (?:confirmar|garantir|prometer|dizer)|consigo (?:confirmar|ver|dizer)|lhe sei dizer|"
        r"vejo (?:nada|isso)|encontro|acho que (?:seja|isso))|(?:tenho|teria|teremos|temos) de (?:confirmar|"
        r"verificar|perguntar|ver)|vou (?:confirmar|verificar|perguntar|ver|tomar nota|anotar|apontar)|"
        r"deixe me (?:confirmar|verificar|ver|tomar nota|anotar|apontar)|"
        r"(?:isso |tal )?nao (?:eh bem assim|eh verdade|esta certo|se aplica|eh o seu caso)|talvez nao|"
        r"pode nao ser|eh um mito|deve ter sido|se se aplica|nao ha nada (?:sobre|nas)|fica anotado|tomo nota|"
        r"vou registar"
    ),
    others=inside(
        r"\A(?:a |para |em )?(?:alguns|algumas|certos|muitos|outros) (?:doentes|pessoas|casos|sitios)|"
        r"(?:para|com|a) (?:outros|outras|alguns|muitos) (?:doentes|pessoas|casos|medicamentos)|"
        r"outros doentes|outra pessoa|noutros (?:hospitais|paises|casos)|imagine que|suponha que|"
        r"se fosse (?:outro|outra|a|o|um|uma)|a minha (?:mae|irma|vizinha|amiga)|o meu (?:pai|irmao|vizinho|"
        r"amigo)"
    ),
    asks=re.compile(
        r"(?:(?:e|mas|entao|ora|agora|bem|olhe|muito bem|diga me|uma pergunta|ja agora|pronto|"
        r"so mais uma coisa) )*(?:quanto|quantos|quantas|quando|onde|quem|qual|quais|que|porque|o que|como|"
        r"sera|eh que|tem|teve|esta|estao|estava|sente|sentiu|toma|tomou|ja|ainda|alguma|algum|alguem|costuma|"
        r"consegue|pode|podia|da|doi|nota|notou|anda|ha|houve|chegou|voltou|sabe|lembra|lembra se|precisa|"
        r"quer|gostaria|gostava|pesa|pesa se|mede|faz|fez|vai|bebe|come|dorme|usa|falhou|acha|foi|foi lhe|"
        r"ligou|telefonou|conduz|mora|vive|concorda|aceita|importa|deve|devo|posso|podemos|eh|continua|"
        r"prefere|percebeu)(?!\S)"
    ),
    asks_inside=inside(
        r"eh que (?:tem|sente|toma|faz|foi|esta|anda|costuma|ja)|ja (?:tomou|foi|teve|ligou|voltou|fez)|"
        r"quantas vezes|ou nao|ou a outra|tem (?:tido|sentido)|como (?:esta|tem|anda)"
    ),
    asks_strict=re.compile(
        r"(?:(?:e|mas|entao|ora|agora|bem|olhe) )*(?:quanto|quantos|quantas|onde|quem|qual|quais|porque|"
        r"o que eh que|como (?:esta|tem|anda|eh que)|sera que|eh que|ja (?:tomou|foi|teve|ligou|voltou|fez|"
        r"sente)|tem (?:tido|sentido|alguma|algum)|costuma|consegue|sente|sentiu|teve|tomou)(?!\S)"
    ),
    tag=re.compile(
        r" (?:ok|okay|certo|esta bem|sim|pode ser|combinado|de acordo|percebe|percebeu|entendido|entende|"
        r"esta claro|ta bem|ta|nao eh|eh claro|por favor|faz favor|ficou claro|alguma duvida|esta a perceber|"
        r"consegue fazer isso|pois)\Z"
    ),
    answers_yes=re.compile(
        r"(?:pois )?(?:sim|claro(?: que sim)?|com certeza|certamente|pode sim|deve sim|tem sim|"
        r"eh verdade|exato|exatamente|evidentemente)(?! (?:mas|nao|so se))(?!\S)"
    ),
    doubts_following=re.compile(
        r"(?:bem |mas |hum )*(?:(?:tenho|tinha|teria|temos|teriamos) de (?:confirmar|verificar|ver|perguntar)(?: \w+)?|"
        r"nao tenho (?:a )?certeza(?: disso| se eh assim)?|vou (?:confirmar|verificar) isso|"
        r"nao posso confirmar(?: isso)?|"
        r"posso estar enganad[oa]|nao sei se (?:isso|eh assim))(?!\S)"
    ),
    retracts=re.compile(
        r"(?:nao |desculpe |espere |alias |ah )*(?:isso (?:esta|estava) (?:errado|mal)|isso nao (?:esta certo|"
        r"eh verdade|se aplica|eh para si)|esqueca(?: isso| o que disse)?|ignore(?: isso)?|enganei me|"
        r"eu enganei me|estava enganad[oa]|eh (?:o )?contrario|ao contrario|retiro o que disse|"
        r"isso era (?:dantes|antes|para outro|para outra)|isso mudou|ja nao (?:eh|se aplica|eh preciso)|"
        r"era engano)(?!\S)"
    ),
    retracted=inside(
        r"mas nao (?:para si|no seu caso|consigo|eh o seu caso)|(?:eu )?(?:nunca|nao) (?:disse|"
        r"lhe disse|estou a dizer|digo)|ninguem disse|"
        r"(?:eh|era|esta) (?:mentira|falso|um mito|errado|errada|um engano|um disparate)|nao eh verdade que|"
        r"(?:ja )?nao eh (?:preciso|necessario|caso para|motivo para|razao para|importante)|"
        r"nao ha (?:necessidade|razao|motivo)|escusa de|nao (?:precisa|tem|necessita) de (?:ligar|telefonar|"
        r"se preocupar|ir|fazer)|esqueca|ignore|pode ter (?:lido|ouvido)|nao acredite"
    ),
    releases=re.compile(
        r"(?:nao(?: (?:eh|sera|ha|se))?(?: (?:preciso|necessario|necessidade de|obrigatorio|importante|caso para|"
        r"razao para|motivo para|tem de|tem que|precisa de|necessita de|deve|pode|vale a pena|quero que|"
        r"diga que|acho que|deixe de))?|nunca|sem|escusa de|evite|em vez de|ao inves de|deixe de|pare de|"
        r"a menos que|a nao ser que|nem)\Z"
    ),
    echo_yes=re.compile(r"\s*(?:pois )?(?:pode|podem|deve|tem)(?: sim)?\s*(?:[,.!;]|\Z)", re.IGNORECASE),
    marks_all=True,
    later=inside(
        r"depois|mais tarde|daqui a (?:pouco|bocado|nada)|ainda nao|a seguir|no fim|para a proxima|"
        r"noutra altura|logo|"
        r"mais a frente"
    ),
    lifts_following=inside(
        r"(?:nao (?:eh preciso|eh necessario|precisa de|tem de)|escusa de|deixe de|nunca)(?: fazer|"
        r" seguir)? (?:o seguinte|isto|nada disto)|"
        r"nao eh verdade|errado|um mito"
    ),
)
