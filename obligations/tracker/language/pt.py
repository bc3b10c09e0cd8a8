"""European Portuguese: how requests about the call itself sound, in plain form (see `table`): "não" is "nao"."""

# ruff: noqa: E501 - one pattern, one line

from __future__ import annotations

from obligations.tracker.language.table import LanguageTable, alternatives, opening

_LEAD = r"^(?:(?:ok|okay|bem|bom|ah|oh|sim|nao|pronto|entao|pois|olhe|desculpe|obrigad[oa]|muito obrigad[oa]|esta bem|ta bem|por favor|va) )*"
_FAMILY = (
    r"(?:filh[oa]|mulher|marido|mae|pai|irma|irmao|cuidador|cuidadora|net[oa]|nora|genro|vizinh[oa]|amig[oa]|espos[oa])"
)

# A wish to leave, by groups of words in their forms: a farewell; going; the line put down; no more now; no time.
# "Agora não" and "não posso" alone are answers; "boa noite" greets as well.
_BEFORE = r"(?:\b(?:e|mas|entao|olhe|desculpe|eu|agora|ja|pois|bem|pronto) )*"
_TAIL = r"(?: (?:entao|agora|ja|obrigad[oa]|muito obrigad[oa]|adeus|por favor|por hoje|embora|querida|querido|menina|filha|doutora|boa tarde|bom dia|boa noite|e|mesmo))*$"
LEAVING = (
    rf"{_LEAD}(?:adeus|adeusinho|xau|tchau|chau|tchauzinho|xauzinho|ate (?:logo|a vista|a proxima|breve|amanha|mais|depois|ja|outro dia|qualquer dia)|passe bem|fique bem|com licenca|beijinhos)(?: (?:xau|tchau|adeus|adeusinho))*{_TAIL}",
    rf"{_BEFORE}(?<!nao )\b(?:tenho|preciso|vou ter|temos)(?: mesmo)? (?:de|que) (?:ir|sair|desligar|terminar|acabar a chamada|me despachar|despachar me)(?: (?:me|andando))*{_TAIL}",
    rf"{_LEAD}(?:vou|tenho de|vou ter de|vamos|quero|deixe me)(?: ja| so| agora| me)* (?:desligar|embora|pousar o telefone|ficar por aqui)(?: (?:a|esta) chamada)?{_TAIL}",
    rf"{_LEAD}(?:agora|hoje|neste momento) nao (?:posso|consigo|me da jeito|da|da jeito)(?: (?:falar|conversar|atender|responder|para falar))*{_TAIL}",
    rf"{_LEAD}nao (?:posso|consigo) (?:falar|conversar|atender|continuar) (?:agora|hoje|neste momento|muito){_TAIL}",
    rf"{_LEAD}nao tenho (?:tempo|vagar|paciencia)(?: (?:para isto|agora|para falar|para mais))*{_TAIL}",
    rf"{_LEAD}(?:ja )?(?:chega|basta)(?: (?:disto|de perguntas|por hoje|disso))*{_TAIL}",
    rf"{_LEAD}(?:agora nao )?estou (?:com (?:muita )?pressa|a conduzir|atrasad[oa]|ocupad[oa]|de saida|no trabalho|numa reuniao|no banho){_TAIL}",
)
_ASKS_LEAVE = rf"{_LEAD}(?:podemos|podiamos|vamos|importa se que) (?:parar|terminar|acabar|desligar|ficar)(?: (?:por aqui|aqui|isto|com isto|a chamada))*{_TAIL}"

TABLE = LanguageTable(
    intents={
        "repeat": alternatives(
            r"\b(?:pode|podia|poderia|consegue) (?:repetir|dizer outra vez|dizer de novo|voltar a dizer|perguntar outra vez)\b",
            r"\b(?:repita|diga) (?:outra vez|de novo|la isso|por favor|isso|la)\b",
            r"^(?:desculpe |perdao |ah )*(?:o que|que|como|como disse|como e|perdao|diga|hem|hein|o que disse)$",
            r"\bnao (?:ouvi|percebi|entendi|apanhei)(?: (?:bem|nada|isso|a pergunta|o que disse))?$",
            r"\bo que (?:e que )?(?:disse|perguntou)\b",
            r"\bo que quer dizer\b",
            r"^(?:desculpe )?(?:outra vez|mais uma vez|de novo)(?: por favor)?$",
            r"\bqual (?:e |era |foi )(?:mesmo |que era |entao )?(?:a |essa )?(?:sua |ultima )?pergunta(?: mesmo)?$",
            r"\bque pergunta (?:e|era|foi)(?: essa| a sua| mesmo)?$",
            r"\bo que (?:e que )?(?:estava a|queria|quer) (?:perguntar|saber|dizer)$",
            r"\b(?:perdi|esqueci|esqueci me d)e? ?(?:a|da|essa|dessa) pergunta$",
        ),
        "stop": alternatives(
            r"^(?:por favor |nao |olhe )*(?:para|pare|parem|pare com isso|chega|basta|cale se|cala te|silencio)(?: por favor| ja| com isso| la| um bocadinho| para| pare)*$"
        ),
        "end_call": alternatives(
            r"\b(?:pare|parem|deixe|deixem) de (?:me )?(?:ligar|telefonar)\b",
            r"\bnao quero (?:continuar|falar(?: mais| agora| consigo)?|esta chamada)$",
            r"\bnao (?:me )?(?:volte|voltem) a (?:ligar|telefonar)\b",
            r"\bdeixe me em paz\b",
            r"\b(?:terminar|acabar|desligar) (?:a|esta) chamada\b",
            r"\bvou desligar\b",
            r"\bnao estou interessad[oa]\b",
        ),
        "goodbye": alternatives(
            *LEAVING,
            _ASKS_LEAVE,
            rf"{_LEAD}(?:adeus|ate logo|ate a proxima|ate breve|ate amanha|tchau|com licenca)(?: (?:entao|obrigad[oa]|adeus|e obrigad[oa]|boa tarde|bom dia))*$",
            r"\b(?:tenho|preciso) (?:mesmo )?(?:de|que) (?:ir|sair|desligar|ir embora)(?: (?:agora|embora|ja))*$",
        ),
        "person": alternatives(
            r"\b(?:quero|queria|posso|podia|prefiro|preciso|gostava)\b.*\bfalar\b.*(?<!meu )(?<!minha )\b(?:pessoa|humano|alguem|enfermeir[oa]|medic[oa]|doutor[a]?|operador[a]?)\b",
            r"\b(?:quero|queria|passe me|prefiro) (?:a )?(?:uma pessoa|um humano|uma pessoa verdadeira|um operador|uma operadora)(?: por favor)?$",
            r"^(?:uma )?(?:pessoa|operador[a]?)(?: por favor)?$",
        ),
        "wrong_person": alternatives(
            r"\b(?:numero|pessoa) errad[oa]\b",
            r"\benganou se (?:no numero|na pessoa)\b",
            r"\b(?:e|foi) engano\b",
            r"\bnao (?:ha|esta|mora|vive) (?:aqui|ca) (?:ninguem|nenhum[a]?)\b",
        ),
        "not_me": alternatives(
            r"\bnao (?:sou|e|esta a falar com) (?:essa pessoa|a pessoa que procura|eu|ela|ele|(?:o|a) doente|(?:o|a) propri[oa])\b"
        ),
        "someone_else": alternatives(
            rf"\b(?:sou|fala|e) (?:so )?(?:a|o) (?:sua |seu )?{_FAMILY}\b",
            r"\b(?:ela |ele )?esta (?:mesmo )?(?:aqui|ca|em casa|ao meu lado|comigo|no quarto|na sala)\b",
            rf"\b(?:quer|queria|e para) (?:falar )?(?:com )?(?:a minha|o meu) {_FAMILY}\b",
        ),
        "fetching": alternatives(
            r"\b(?:vou|deixe me|posso) (?:ja |so |la )*(?:chamar?|buscar?|passar?)(?: l[ao])?\b",
            r"\b(?:passo|chamo) (?:lhe |ja |a |o |ao )*(?:chamada|telefone|minha|meu|ela|ele|la|lo)?\b",
            r"\b(?:ela|ele) (?:ja vem|vem ja|esta a vir|vem a caminho)\b",
            r"\baqui (?:esta|vem) (?:ela|ele)\b",
        ),
        "absent": alternatives(
            rf"\b(?:ela|ele|(?:a minha|o meu) {_FAMILY}) (?:agora )?(?:nao (?:esta|se encontra|pode (?:vir|falar|atender|agora))|saiu|esta (?:fora|a dormir|a descansar|no banho|internad[oa]|no hospital|a trabalhar|ocupad[oa]))\b",
            r"^(?:nao )?(?:nao (?:esta|se encontra)|saiu)(?: (?:ca|aqui|em casa|agora|neste momento))*$",
        ),
        "bereaved": alternatives(r"\b(?:faleceu|morreu)\b"),
        "self": alternatives(
            r"^(?:(?:sim|ola|ah|bom dia|boa tarde) )*(?:e o proprio|e a propria|sou eu(?: mesm[oa]| propri[oa])?|o proprio|a propria|fala (?:o|a) propri[oa]|sou (?:o|a) doente)$"
        ),
        "object": alternatives(
            r"\bnao (?:quero|aceito|autorizo|concordo|consinto)\b.*\b(?:grav\w+|automatic[oa])\b",
            r"\b(?:pare de gravar|sem gravacao|desligue a gravacao)\b",
            r"\bnao (?:falo|vou falar|quero falar) com (?:uma |um )?(?:maquina|robo|robot|computador)\b",
        ),
        "refuse": alternatives(
            r"\bnao (?:quero|preciso de|preciso) (?:saber|ouvir|discutir)\b",
            r"\bprefiro nao\b",
            r"\bnao e da sua conta\b",
            r"\b(?:eu )?ja sei (?:isso|tudo|disso)\b",
            r"^(?:sim |pronto |ok )*ja sei$",
            r"\b(?:passe|salte) (?:isso|a frente|essa)\b",
            r"\bnao (?:e preciso|vale a pena) (?:dizer|repetir|explicar)\b",
        ),
        "holding": alternatives(
            r"^(?:(?:hm+|hum+|ah+|eh+|uh+|bem|bom|ora|deixe me (?:ver|pensar)|deixa ca ver|deixe ca ver|espere|espera|um momento|um momentinho|um segundo|um bocadinho|so um momento|so um bocadinho|so um segundo|um instante|aguarde|por favor|entao) ?)+$",
            r"\b(?:espere|um momento|um bocadinho|so um momento) (?:deixe me|que vou|enquanto)\b",
        ),
        "go_on": alternatives(
            rf"{_LEAD}(?:continue|pode continuar|diga|prossiga|faca favor|estou a ouvir|pode falar|siga)(?: por favor)*$"
        ),
        "hello": alternatives(
            r"^(?:sim |ah )*(?:ola|estou la|esta la|ta la|bom dia|boa tarde|boa noite|alo)(?: (?:ola|sim|bom dia|boa tarde))*$",
            r"\b(?:consegue|esta a) ouvir me\b",
            r"\besta a me ouvir\b",
            r"\bestou a ouvi l[oa]\b",
            r"\bainda (?:esta|ai esta) (?:ai)?\b",
        ),
        "who": alternatives(
            r"\bquem (?:e|fala|esta a falar|esta)\b",
            r"\bcom quem (?:estou|falo)\b",
            r"\be (?:um |uma )?(?:robo|robot|maquina|computador|pessoa|gravacao|pessoa verdadeira)$",
            r"\bestou a falar com (?:um |uma )?(?:robo|robot|maquina|pessoa)\b",
            r"\bde onde (?:e que )?(?:fala|liga|esta a ligar|telefona)\b",
            r"\bqual (?:e )?o assunto\b",
        ),
        "delegate": alternatives(
            rf"\bfale (?:com|ca com) (?:a minha |o meu |a |o )?{_FAMILY}\b",
            rf"\bpergunte (?:a|ao|a minha|ao meu) (?:minha |meu )?{_FAMILY}\b",
            rf"\b(?:a minha|o meu) {_FAMILY} (?:responde|pode responder|fala por mim|pode falar|explica)\b",
        ),
        "offers": alternatives(
            r"\b(?:eu )?(?:respondo|falo|posso responder|posso falar|vou responder) (?:por (?:ela|ele)|pel[oa] (?:minha|meu))\b"
        ),
        "callback": alternatives(
            r"\b(?:ligue|telefone|ligue me) (?:mais tarde|amanha|noutra altura|depois|outra vez mais tarde|logo)\b",
            r"\bnao (?:e|da|me da) (?:boa altura|jeito|agora)\b",
        ),
    },
    question_start=alternatives(
        r"^(?:(?:e|mas|entao|olhe|ah|nao|sim|bem|ok|desculpe|obrigad[oa]|pois) )*(?:posso|devo|podia|quando|quanto|quantos|quantas|quantas vezes|como|porque|por que|qual|quais|o que|que|onde|sera|e normal|e suposto|e preciso|e seguro|ate quando|ha problema|faz mal)\b"
    ),
    question_inside=alternatives(
        r"\be (?:normal|suposto|perigoso|seguro|grave|mau|permitido)\b",
        r"\b(?:quando|ate quando|quanto tempo|quantas vezes) (?:e que )?(?:posso|devo|tenho|preciso|ponho|volto)\b",
        r"\bposso (?:ja |agora |ainda )?\w+r\b",
        r"\b(?:queria|gostava de) (?:perguntar|saber)\b",
        r"\bfaz mal\b",
    ),
    tag_question=alternatives(
        r"^(?:nao e|pois nao|certo|esta bem|ta bem|percebe|sim|nao|ok|e isso|e assim|pois|esta a ver|nao acha|sabe|hum+|a serio)$"
    ),
    but=alternatives(r"\bmas\b", r"\be\b", r"\bso que\b", r"\bporem\b"),
    joints=alternatives(r"\b(?:mas|e|s[oó] que|por[eé]m|ou|tamb[eé]m|depois)\b", r"[,;]"),
    agrees=alternatives(
        r"(?<!nao )\b(?:e|esta) (?:isso|verdade|certo|correto|correcto)\b",
        r"^(?:sim |pois )*(?:exatamente|exactamente|exato|certo|isso|isso mesmo|correto|verdade|e verdade)$",
        r"\b(?:ela|ele) tem razao\b",
        r"\bcomo (?:ela|ele) (?:diz|disse)\b",
    ),
    negates=alternatives(r"\b(?:não|nao|nem|nunca|nada|nenhum|nenhuma|sem)\b"),
    own_voice=(
        (alternatives(r"\b(?:ela|ele) (?:já )?tem\b"), "tenho novo nova novos novas algum alguma"),
        (alternatives(r"\b(?:ela|ele) não tem\b"), "não tenho"),
        (alternatives(r"\b(?:ela|ele) está\b"), "estou"),
        (alternatives(r"\b(?:ela|ele) toma\b"), "tomo"),
        (alternatives(r"\b(?:a minha mãe|o meu pai|a minha mulher|o meu marido|ela|ele)\b"), ""),
    ),
    stop_words=frozenset(
        "a o as os um uma uns umas eu me meu minha meus minhas tu voce seu sua de do da dos das em no na nos nas por para com e ou mas se"
        " que quando como porque qual onde isto isso este esta esse essa ja ainda agora depois antes nao sim e normal mesmo muito tao tanto"
        " posso devo pode ser estar ter tenho tem ha mais mal bem la ao aos favor acha sobre quero saber preciso".split()
    ),
    consents=alternatives(
        r"^(?:(?:sim|claro|claro que sim|com certeza|esta bem|ta bem|tudo bem|ok|pode ser|sem problema|com todo o gosto|obrigad[oa]|muito bem|pois) ?)+$"
    ),
    yes="Sim.",
    is_it_you="É o próprio?",
    leading_polar=opening("não", "nao", "sim", "desculpe", "mas", "e", "bem", "ah"),
    leading_yes=opening("sim"),
    names_nothing=frozenset("tenho".split()),
    earlier=alternatives(
        r"\b(?:a|na|da|para a|sobre a|quanto a|em relacao a) (?:pergunta )?(?:anterior|de ha (?:pouco|bocado)|passada|ultima|primeira|outra|de antes)(?: pergunta)?\b",
        r"\bpergunta (?:anterior|de antes|de ha (?:pouco|bocado)|passada)\b",
        r"\bvoltando (?:a|ao|aos|as|atras)\b",
        r"\bo que (?:me )?perguntou (?:antes|ha pouco|ha bocado|primeiro)\b",
        r"\b(?:a minha|minha) (?:ultima )?resposta\b",
        r"\b(?:respondi|disse) mal\b",
    ),
    corrects=alternatives(
        r"\b(?:afinal|alias|na verdade|ou melhor|minto|desculpe|perdao|quer dizer|pensando (?:bem|melhor)|agora que penso)\b",
        r"\b(?:enganei me|estava enganad[oa]|esqueci me|queria dizer|devia ter dito|retiro o que disse|deixe me corrigir)\b",
        r"\b(?:sobre|(?:quanto|em relacao|voltando) (?:a|ao|as|aos)|a respeito d[eoa]s?)\b",
        r"^(?:nao |ah |hum )*(?:espere|espera)\b",
        r"\beu disse (?:que )?(?:nao|sim)\b",
    ),
    asks_leave=alternatives(_ASKS_LEAVE, rf"{_LEAD}nao posso (?:falar|conversar|atender|continuar)\b"),
    leaves=alternatives(
        *LEAVING,
        _ASKS_LEAVE,
        r"(?:\b(?:e|mas|entao|bem|pronto|ok|obrigad[oa]|muito obrigad[oa]|olhe|desculpe|eu|pois|va|bom|agora) )*\b(?:adeus|tchau)(?: (?:entao|obrigad[oa]|adeus|e obrigad[oa]|boa tarde|bom dia|boa noite))*$",
        r"^(?:(?:e|mas|entao|bem|pronto|ok|obrigad[oa]|muito|olhe|desculpe|pois|va|bom) )*(?:ate logo|ate a proxima|ate breve|ate amanha|com licenca)(?: (?:entao|obrigad[oa]|adeus|e obrigad[oa]|boa tarde|bom dia))*$",
        r"(?:\b(?:e|mas|entao|olhe|desculpe|eu|agora|ja|pois) )*(?<!nao )\b(?:tenho|preciso|vou ter) (?:mesmo )?(?:de|que) (?:ir|sair|desligar|ir embora)(?: (?:agora|embora|ja|adeus))*$",
    ),
    supposes=alternatives(r"\b(?:se|caso|quando|receio|medo)\b"),
    either=alternatives(r"\bou\b"),
    courtesy=alternatives(
        r"(?:(?:ok|okay|bem|bom|ah|oh|pronto|entao|pois|olhe|desculpe|obrigad[oa]|muito|esta bem|ta bem|por favor|va|e|mas|agora|e tudo|muito bem|certo|ola) ?)+"
    ),
)
