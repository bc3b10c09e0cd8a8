"""European Portuguese idioms of answering, as patterns over flat clauses (no accents; "é" is written "eh")."""

from __future__ import annotations

import re

from obligations.answers.idioms.model import Idioms
from obligations.coverage.flat import inside, whole

_AMP = (
    r"(?: (?:sim|senhor|senhora|doutor|doutora|menina|obrigado|obrigada|claro|mesmo|de facto|realmente|ja|"
    r"ainda|sempre|tambem|por acaso|infelizmente|felizmente|gracas a deus|hoje|ontem|agora|esta manha|"
    r"esta noite|as vezes|todos os dias|todas as noites|de vez em quando|com certeza|muito|bastante|"
    r"um pouco|um bocado|um bocadinho|filho|filha|tudo|todos|todas))*"
)
_NAMP = (
    r"(?: (?:nao|senhor|senhora|doutor|doutora|menina|obrigado|obrigada|mesmo|de todo|nada|nenhum|nenhuma|"
    r"nenhuns|nenhumas|por acaso|felizmente|gracas a deus|hoje|ontem|agora|ainda|ate agora|ate ao momento|"
    r"disso|tambem|tido|sentido|notado|reparado|dado por nada|dado por isso|visto|filho|filha|"
    r"que eu saiba|isso|la))*"
)
_V1 = (
    r"(?:tenho|tive|tinha|estou|estive|estava|esta|estao|sinto|senti|sentia|noto|notei|vejo|vi|consigo|"
    r"consegui|posso|pude|tomo|tomei|fiz|faco|fui|vou|uso|usei|ponho|pus|como|comi|bebo|bebi|durmo|dormi|"
    r"lembro|lembro me|lembrei me|preciso|quero|quis|recebi|percebi|entendi|compreendi|medi|meco|pesei|"
    r"peso|peso me|pesei me|ando|andei|fumo|fumei|ha|houve|havia|eh|foi|era|sou|doi|doeu|doem|incha|"
    r"inchou|sangra|sangrou|deita|deitou|caiu|cai|vomitei|tem|teve|ficou|fiquei|sofro|sofri|moro|vivo|"
    r"continuo|cumpri|cumpro|acabei|aceito|autorizo|concordo|deixo|passei|passo|dei|dou|trago|levei|levo|"
    r"comprei|falei|liguei)"
)

PT = Idioms(
    fillers=whole(
        r"(?:hum|hmm|hm|mm|ah|eh|ai|oh|ora|bem|bom|pronto|prontos|olhe|olha|pois|portanto|entao|deixe ver|"
        r"ora bem|ora deixe ver|enfim|digamos|sei la|tipo|quer dizer|sabe|esta a ver|percebe|doutor|doutora|"
        r"menina|senhora|senhor|filho|filha|por favor|obrigado|obrigada|boa pergunta|como direi|ora essa|e|"
        r"mas)(?: (?:hum|ah|eh|bem|ora|pronto|bom))*"
    ),
    leading=inside(
        r"hum|hmm|hm|ah|eh|ai|oh|ora|bem|bom|pronto|olhe|olha|portanto|entao|mas|e|enfim|digamos|sabe|"
        r"por acaso|ate|realmente|de facto"
    ),
    yes=whole(
        (
            r"(?:ai |ah |ora |pois )?(?:sim|claro|claro que sim|com certeza|certamente|evidentemente|obvio|"
            r"obviamente|exatamente sim|exacto sim|sem duvida|pois sim|pois claro|isso sim|ja|tudo|todos|todas|"
            r"sempre|muito|muita|muitas|bastante|imenso|todos os dias|todas as noites|as vezes sim|que sim|"
            r"eh verdade|eh isso|eh sim|eh|infelizmente sim|por acaso sim|felizmente sim|sim sim|ja sim|cumpri|"
            r"a risca|religiosamente|sem falta|sem falhar|mais do que nunca|cada vez mais|um bocado|um bocadinho|"
            r"um pouco|um pouquinho|alguma|algum|algumas|alguns|ate demais|la isso sim)"
        )
        + _AMP,
        (
            r"(?:sim |pois |ja |ainda |la |claro que |que |ate |sempre |eu |olhe que |ontem |hoje |as vezes |"
            r"a noite |esta noite |de manha |esta manha |de noite |la isso |agora )*"
        )
        + _V1
        + (
            r"(?: (?:sim|tenho|tomei|esta|estou|ja|sempre|tudo|todos|todas|um pouco|um bocado|um bocadinho|alguma|"
            r"algumas|algum|alguns|muito|muita|muitas|bastante|as vezes|hoje|ontem|esta manha|de manha|"
            r"todos os dias|ainda|mais|pois|claro|senhor|senhora|doutor|doutora|menina))*"
        ),
        (
            r"(?:todos|todas)(?: (?:os dias|as manhas|as noites|eles|elas))?|a risca|direitinho|tudo direitinho|"
            r"sem falhar (?:um|uma|nenhum|nenhuma)|como (?:manda|mandou|mandaram) o? ?(?:medico|doutor|doutora|"
            r"figurino)?"
        ),
    ),
    no=whole(
        (
            r"(?:ai |ah |ora |pois )?(?:nao|nunca|jamais|nada|nenhum|nenhuma|nenhuns|nenhumas|ninguem|nem um|"
            r"nem uma|claro que nao|de maneira nenhuma|de modo nenhum|de forma nenhuma|de todo|nem pensar|"
            r"ainda nao|agora nao|hoje nao|ja nao|ate agora nao|ate agora nada|nada disso|nada de nada|"
            r"nada de especial|nada de novo|nada que se note|que nao|isso nao|com certeza que nao|"
            r"certamente que nao|felizmente nao|infelizmente nao|por acaso nao|gracas a deus nao|eu nao|"
            r"tambem nao|nunca na vida|nem por sombras|nem sinal|nem pitada|nem um bocadinho|nem uma gota|nem uma|"
            r"nem uma vez|nao nao|la isso nao|deus me livre|longe disso|antes pelo contrario|pelo contrario)"
        )
        + _NAMP,
        r"(?:eu |ja |ainda |nao |pois |olhe que )*(?:nao|nunca)(?: (?:me|o|a|os|as|lhe|se|ha|tenho|ando))? "
        + _V1
        + (
            r"(?: (?:nao|nada|nenhum|nenhuma|nenhuns|nenhumas|ainda|disso|tido|sentido|notado|nunca|mesmo|isso|"
            r"hoje|ontem|esta manha|de todo|ninguem|qualquer|coisa|ate agora|senhor|senhora|doutor|doutora|menina|"
            r"obrigado|obrigada))*"
        ),
        (
            r"(?:nao )?que eu (?:saiba|tenha reparado|tenha notado|tenha dado por isso|tenha visto|me lembre|veja|"
            r"note|repare|sinta)(?: nao)?|nao (?:que|dei|tenho dado) (?:eu )?(?:saiba|tenha reparado|tenha notado|"
            r"por nada|por isso|note|veja)|nao (?:notei|reparei|senti|vi|dei por) (?:em )?(?:nada|nenhuma|"
            r"nenhum)(?: \w+){0,2}|nada a (?:assinalar|declarar|registar|apontar)|sem novidade|quem me dera|"
            r"tomara eu"
        ),
        (
            r"(?:nao )?(?:prefiro|preferia|gostava|queria) que nao(?: .*)?|(?:nao )?nao (?:quero|autorizo|aceito|"
            r"deixo|consinto|concordo|permito)(?: (?:que|ser|isso|nada|com|gravacoes|nenhuma)(?: .*)?)?"
        ),
    ),
    soft_yes=whole(
        r"(?:eu )?(?:acho|penso|creio|julgo|suponho|parece me|diria|imagino|calculo|presumo|espero|"
        r"parece) que sim|(?:provavelmente|possivelmente sim|em principio|quase sempre|geralmente|normalmente|"
        r"habitualmente|em geral|a maior parte (?:das vezes|dos dias)|quase todos os dias|quase tudo|"
        r"quase todos|quase todas|mais ou menos sim)(?: sim)?|sim (?:acho eu|penso eu|julgo eu|creio eu)|"
        r"acho eu que sim"
    ),
    soft_no=whole(
        r"(?:eu )?(?:acho|penso|creio|julgo|suponho|parece me|diria|imagino|calculo|presumo|espero|"
        r"parece) que nao|nao (?:me parece|acho|penso|creio|julgo)(?: que sim| nada)?|nem por isso|"
        r"provavelmente nao|em principio nao|nao propriamente|nao especialmente|nao por ai alem|"
        r"nada por ai alem|nao (?:acho eu|penso eu)|normalmente nao|geralmente nao"
    ),
    some=whole(
        (
            r"(?:sim |bem )?(?:so|apenas|principalmente|sobretudo|mais|especialmente|somente) (?:quando|se|a|ao|"
            r"as|aos|de|da|do|na|no|nas|nos|em|depois|antes|durante|com|ligeiramente|um|uma|as vezes|alguma|algum|"
            r"por)\b.*"
        ),
        (
            r"(?:vai e vem|vem e vai|as vezes|de vez em quando|volta e meia|de quando em quando|por vezes|"
            r"alguns dias|certos dias|ha dias|dias sim dias nao|uma vez ou outra|uma ou outra vez|"
            r"uma ou duas vezes|de tempos a tempos|uma vez por outra|la de vez em quando)(?: .*)?"
        ),
        (
            r"(?:sim )?(?:tenho |sinto |esta |noto |ainda |eh |so )*(?:um pouco|um bocado|um bocadinho|"
            r"um pouquinho|um tanto|alguma coisa|qualquer coisa|uma pontada|umas pontadas|ligeiramente|"
            r"ligeiramente sim|alguma|algumas|mais do que o costume|mais que o normal|pior|cada vez pior|"
            r"ainda pior|esta pior|a piorar)(?: (?:de .*|as vezes|a noite|de manha|hoje|ontem|quando .*|desde .*|"
            r"ao .*|vermelho|inchado|inchada|turvo|turva|dorido|dorida))?"
        ),
        (
            r"(?:sim )?(?:ja )?desde (?:que|a|o|ontem|anteontem|segunda|terca|quarta|quinta|sexta|sabado|domingo|"
            r"ha|as|os|ai)\b.*"
        ),
        (
            r"(?:sim )?(?:ha|faz) (?:ja |uns |umas |cerca de |mais de |quase |para ai |um |uma |dois |duas |tres |"
            r"[0-9.]+ ?)+(?:dias?|semanas?|meses|mes|horas?|noites?)"
        ),
    ),
    murmur_yes=whole(
        r"(?:hum hum|humhum|uhum|um hum|hu hum|mm hmm|mhm|hm hm|ha ha|aham|ahan|hummhum)(?: (?:hum hum|sim))*"
    ),
    murmur=whole(r"(?:h?u?m+|mm+|hm+|pois|pois pois|pois eh|ah pois|pois pois pois|pois eh pois eh|pois bem|la)"),
    ack=whole(
        r"(?:ok|okay|oquei|esta bem|esta bom|ta bem|ta bom|ta|certo|muito bem|tudo bem|bem|bom|percebo|"
        r"percebi|estou a perceber|compreendo|entendi|entendo|de acordo|combinado|otimo|optimo|perfeito|"
        r"excelente|fixe|boa|obrigado|obrigada|muito obrigado|muito obrigada|sim senhor|sim senhora|"
        r"certissimo|ja percebi|ja sei|estou a ver|ah|ah bom|ah esta bem|ah sim|ola|bom dia|boa tarde|"
        r"boa noite|estou sim|nao ha problema|sem problema|como queira|fica registado)(?: (?:ok|okay|certo|"
        r"obrigado|obrigada|doutor|doutora|menina|sim|entao|esta bem|senhor|senhora))*"
    ),
    consent=whole(
        r"(?:ok|okay|esta bem|ta bem|esta bom|certo|muito bem|tudo bem|claro|claro que sim|com certeza|pode|"
        r"pode ser|pode sim|podem|podem sim|faca favor|faz favor|a vontade|esteja a vontade|por mim|"
        r"por mim tudo bem|por mim pode|de acordo|nao me importo|nao me importo nada|nao vejo inconveniente|"
        r"sem problema|nao ha problema|nenhum problema|concordo|autorizo|aceito|forca|avance|va|seja|otimo|"
        r"perfeito|se quiser|se for preciso|se tiver de ser|se faz favor|deixo|nao tenho nada contra|"
        r"estou de acordo|como queira|diga|esteja a vontade sim)(?: (?:sim|por mim|obrigado|obrigada|claro|"
        r"doutor|doutora|menina|entao|tudo bem|sem problema|pode|pode gravar|nenhum|nada))*"
    ),
    agree=whole(
        r"(?:exato|exatamente|exacto|exactamente|isso|isso mesmo|eh isso|eh isso mesmo|certo|correto|correcto|"
        r"eh verdade|verdade|tal e qual|pois eh|tem razao|justamente|precisamente)(?: (?:sim|nao|isso|mesmo|"
        r"doutor|doutora|menina))*"
    ),
    unsure=inside(
        r"so um bocadinho(?: por favor)?|nao (?:sei|faco ideia|tenho a certeza|tenho certeza|estou certo|"
        r"estou certa|me lembro|me recordo|consigo dizer|consigo ver|lhe sei dizer|sei dizer|sei ao certo|"
        r"reparei bem|reparei|olhei|vi ainda|lhe posso dizer)(?! (?:em )?(?:nada|nenhum|nenhuma))|sei la|"
        r"talvez|se calhar|eh capaz|eh possivel|pode ser que|quem sabe|depende|mais ou menos|assim assim|nim|"
        r"sim e nao|nao percebo bem|dificil (?:de )?dizer|tenho duvidas|ja nao (?:sei|me lembro)|"
        r"quase nenhuma|quase nenhum|(?:eh melhor |tem de |teria de |so )?(?:perguntar|pergunte|"
        r"perguntem) (?:a|ao|as|aos|ah)|a minha (?:mulher|filha) eh que sabe|o meu (?:marido|"
        r"filho) eh que sabe|nem sei|sei eu la|deve ser|(?:nao|nem) (?:muito|sempre|tudo|todos|todas|"
        r"exatamente|propriamente)|pouco|muito pouco|pouca coisa|quase (?:nada|nunca)|raramente|dificilmente"
    ),
    refuse=inside(
        r"prefiro nao(?! que)|preferia nao(?! que)|prefiro (?:guardar|ficar calado|ficar calada)|"
        r"nao (?:lhe )?(?:quero|vou|tenciono|estou para|me apetece|gosto de|desejo|pretendo) (?:falar|"
        r"responder|dizer|contar|comentar|discutir|entrar|abordar)|nao (?:lhe )?(?:digo|conto|respondo|"
        r"falo disso|comento)|isso eh (?:ca )?(?:comigo|pessoal|privado|particular|da minha vida|assunto meu|"
        r"um assunto meu|la comigo)|eh (?:ca comigo|pessoal|privado|da minha conta)|nao (?:eh|"
        r"tem) (?:nada )?(?:da sua conta|a ver com isso|com isso)|nao eh da sua conta|"
        r"nao tem nada a ver com isso|nao lhe diz respeito|isso nao lhe diz|passe? (?:a frente|adiante|isso)|"
        r"passemos a frente|salte? (?:isso|essa)|proxima pergunta|proxima|outra pergunta|pergunte outra coisa|"
        r"meta se na sua vida|recuso me|recuso responder|deixe (?:isso|la isso)|"
        r"nao tenho de (?:lhe )?(?:dizer|responder)|nao falo (?:disso|nisso)|com uma (?:maquina|gravacao)|"
        r"a uma (?:maquina|gravacao)|com um (?:robo|computador)|a um (?:robo|computador)|sem comentarios|"
        r"fica comigo|guardo isso para mim|mude de assunto|mudemos de assunto"
    ),
    refuse_act=inside(
        r"nem (?:pensar|que me paguem|morto|morta)|nao (?:me )?(?:vou|peso|meco|ponho|tomo|subo) (?:para|a|em|"
        r"nem|por|pesar|medir|subir|tirar|nenhum|nenhuma)\b.*|por ninguem|para ninguem|recuso me|"
        r"nao estou para (?:isso|ai virado|ai virada)|era so o que faltava"
    ),
    go_on=inside(
        r"(?:pode )?(?:continuar|continue|prossiga|avance|avancar|seguir)|diga(?: la)?|diga diga|faca favor|"
        r"pergunte(?! (?:a|ao))|pode perguntar|estou a ouvir|estou a ouvi lo|estou a ouvi la|sou todo ouvidos|"
        r"sou toda ouvidos|va (?:la|dizendo)|qual eh a pergunta|o que eh que (?:quer saber|queria saber|"
        r"ia perguntar|ia dizer)|que pergunta|forca|estava a dizer|pode dizer"
    ),
    hold=inside(
        r"(?:espere|aguarde|espera)(?: (?:ai|la|um|so))?|so um (?:momento|momentinho|minuto|segundo|instante)|"
        r"um (?:momento|momentinho|segundo|instante|minuto)(?: so)?(?: por favor)?|deixe (?:me )?(?:ver|"
        r"pensar|ir|buscar|procurar|por|pegar|perguntar|so|me)|tenho de (?:ir )?(?:buscar|ver|procurar)|"
        r"vou (?:buscar|ver|procurar|so)|nao desligue|ja lhe digo|calma|onde (?:estao|esta|pus) (?:os|as|o|"
        r"a) meus?"
    ),
    hearing=inside(
        r"estou a ouvir|oico(?: bem| perfeitamente| mal)?|nao (?:o |a )?oico|ouve se (?:bem|mal)|"
        r"estou (?:aqui|ca)|estou sim|esta (?:la|a ouvir me)|a chamada|a ligacao|esta a cortar|esta a falhar"
    ),
    repeat=inside(
        r"como|como disse|desculpe|perdao|pode repetir|repita|importa se de repetir|o que|que disse|"
        r"o que disse|o que foi que disse|nao (?:percebi|ouvi|entendi|compreendi)(?: bem| nada| a pergunta|"
        r" o que disse)?|diga outra vez|outra vez|mais devagar|fale mais alto|que quer dizer|o que quer dizer|"
        r"como assim"
    ),
    correct=inside(
        r"minto|quer dizer|alias|afinal|nao espere|espere|desculpe|perdao|enganei me|estou enganado|"
        r"estou enganada|ou melhor|ou antes|corrijo|pensando bem|na verdade|a bem dizer|ai nao|ah nao|digo|"
        r"isso foi ontem|estou a confundir|por acaso|alias sim|alias nao|melhor dizendo"
    ),
    shift=inside(
        r"antes que me esqueca|ja agora|a proposito|outra coisa|mudando de assunto|por falar nisso|"
        r"eu queria (?:era )?(?:saber|perguntar|falar)|queria (?:saber|perguntar|falar)|o que (?:me preocupa|"
        r"eu queria|eu quero)|posso (?:so )?(?:perguntar|fazer)|sabe (?:o que|quem|que)|a receita|"
        r"a minha consulta|a minha (?:vizinha|prima|amiga|cunhada|sobrinha)|o meu (?:vizinho|primo|amigo|"
        r"cunhado|sobrinho)|estou (?:mais )?preocupad[oa] (?:eh )?com|o que interessa|quando (?:eh|sera|vou|"
        r"posso|tenho)|onde (?:eh|fica|posso|vou)"
    ),
    condition=inside(
        r"espere|mas (?:nao|so|quem|o que|como|porque|quando|onde|para que|ele|ela|antes|primeiro)|so se|"
        r"a menos que|desde que|depende|se for|primeiro|ainda nao|agora nao|exceto|excepto|menos"
    ),
    echo=whole(
        r"(?:ja |sim |pois |ainda |eu |ah |claro que )*(?P<neg>nao |nunca )?(?:me |o |a |os |as )?"
        + _V1
        + r"(?: (?:sim|nao|pois|ja|mesmo|claro))*",
    ),
    negators=frozenset("nao nunca jamais nem nada nenhum nenhuma nenhuns nenhumas ninguem sem".split()),
    concord=frozenset("nada nenhum nenhuma nenhuns nenhumas ninguem nunca nem jamais".split()),
    double_negative=inside(
        r"nao (?:posso|poderia|consigo|sou capaz de|vou|quero|diria) ?(?:dizer|negar|"
        r"afirmar)? ?(?:que )(?:nao|nunca|nada)|nao posso negar|nao nego|nao eh que (?:eu )?(?:nao|nunca|"
        r"nada)|(?:nao ha|nao houve|nao passa|nao passou|nunca houve|nunca ha|nem ha) (?:um |uma |um so |"
        r"uma so )?(?:dia|manha|noite|vez|hora|semana|dose|minuto)s? (?:em )?(?:que|sem) ?(?:eu )?(?:nao|o|a|"
        r"os|as)?|nao (?:estou|fico|fiquei|passo|passei|ando|vivo|saio|vou) (?:\w+ )?sem|nunca (?:deixei|"
        r"deixo|falhei|falho|me esqueci|me esqueco|esqueci|fico sem|fiquei sem|passei sem|passo sem|nao)|"
        r"nao (?:deixei|deixo|falhei|falho|me esqueci|me esqueco) de|nao (?:deixei|falhei|me esqueci)|"
        r"nao digo que nao|nem (?:um )?dia sem|mentiria se dissesse que nao|nao que nao"
    ),
    good=inside(
        r"(?:esta|estao|estou|anda|ando|tem estado|tenho estado|sinto me|ficou|parece|vai|vao|correu|corre|"
        r"tudo|eh|encontra se)(?: (?:tudo|todo|toda|muito|bastante|perfeitamente|completamente|bem|otimo|ja|"
        r"mais|a ficar|cada vez))* (?:bem|bom|boa|otimo|otima|optimo|normal|normais|melhor|limpo|limpa|seco|"
        r"seca|sequinho|sequinha|fechado|fechada|cicatrizado|cicatrizada|fresco|fresca|confortavel|curado|"
        r"curada|calmo|calma|impecavel|perfeito|perfeita|claro|branco|direitinho|como novo|como nova|"
        r"cinco estrelas|desinchado|desinchada|5 estrelas|sem nada)|(?:vejo|ouco|oico|respiro|durmo|como|ando|"
        r"sinto me|consigo (?:ver|ouvir|respirar|dormir|comer|andar)|leio|mexo me) (?:muito |tudo |"
        r"bastante )?(?:bem|perfeitamente|melhor|normalmente|sem problemas|sem dificuldade|lindamente|"
        r"as mil maravilhas)|como novo|como nova|nunca estive melhor|sem (?:problema|problemas|queixas|"
        r"dificuldade|dificuldades|novidade|dor|dores|febre)(?: nenhum| nenhuma| nenhuns| nenhumas)?|"
        r"nao me (?:queixo|posso queixar)|(?:ja )?(?:passou|passaram|desapareceu|secou|fechou|desinchou|"
        r"sarou)|durmo (?:bem|como uma pedra|como um anjo|a noite toda)|tudo (?:normal|bem|otimo|impecavel)|"
        r"a risca|todos os dias|sem falta|sem falhar|nunca falho|nunca falhei|nunca me esqueci|tomei (?:tudo|"
        r"todos|todas|os|as)|como (?:manda|mandou|mandaram)|religiosamente|ao pequeno almoco|"
        r"com o pequeno almoco"
    ),
    bad=inside(
        r"(?:esta|estao|anda|tem estado|ficou|parece)(?: (?:tudo|todo|toda|muito|bastante|cada vez|"
        r"horrivelmente|um horror|que))* (?:mal|mau|ma|pior|pessimo|pessima|horrivel|terrivel|uma desgraca|"
        r"um horror|como um tomate|que nem um tomate|como um pimentao|como uma bola|que nem uma bola|um balao|"
        r"em brasa|a arder|a doer|a latejar|em ferida|a deitar|que nao posso|insuportavel|do dobro)|"
        r"que nem um (?:tomate|pimentao|balao)|que nem uma (?:bola|batata)|como um (?:tomate|pimentao|balao|"
        r"trambolho)|por causa (?:disso|dela|dele|delas|deles)|nao (?:me deixa|deixa|consigo) (?:dormir|andar|"
        r"descansar|calcar|ler|ver|pregar olho)|nao (?:prego|preguei) olho|(?:acordo|acordei|"
        r"acorda me) (?:com|de noite|a meio)|mata me|da cabo de mim|nao aguento|esqueci me(?: .*)?|"
        r"esqueceu se(?: .*)?|passou me(?: .*)?|falhei(?: .*)?|deixei de (?:tomar|por|fazer)|"
        r"acabaram se(?: .*)?|ja nao (?:tenho|tomo|ponho)|parei(?: .*)?|saltei(?: .*)?|(?:os sapatos|o sapato|"
        r"os chinelos|o anel|as calcas|as meias) (?:ja )?nao|nao me (?:servem|serve|cabem|cabe|entram|entra)|"
        r"doi(?: me)?(?: .*)?|arde(?: me)?|nao (?:para|passa|vai embora)|cada vez pior"
    ),
    supports=inside(
        r"(?:o meu|a minha|os meus|as minhas|o|a|meu|minha|uma|um) (?:marido|mulher|esposa|companheiro|"
        r"companheira|filha|filho|irma|irmao|mae|pai|sobrinha|sobrinho|vizinha|vizinho|amiga|amigo|cuidadora|"
        r"nora|genro|neta|neto|familia|filhos|netos|senhora)(?: \w+){0,3} (?:esta|estao|vive|vivem|mora|moram|"
        r"veio|vem|vai|ficou|fica|ficam|ajuda|ajudam|trata|cuida|comigo|aqui|ca|mudou se|passa|passam|cozinha|"
        r"faz)|(?:vivo|moro|estou) com|tenho (?:ca |aqui )?(?:o meu|a minha|os meus|as minhas|uma|um|quem|a|"
        r"o) (?:marido|mulher|filha|filho|irma|irmao|mae|nora|vizinha|cuidadora|familia|senhora|me ajude|"
        r"ajude)|tenho quem"
    ),
    alone=inside(
        r"(?:vivo|moro|estou|sou|fico|ca|aqui) (?:so|sozinho|sozinha)|sozinho|sozinha|so eu|nao tenho (?:ca |"
        r"aqui )?(?:ninguem|quem)|nao ha (?:ca |aqui )?ninguem|sou (?:viuvo|viuva)|estao (?:todos )?(?:longe|"
        r"fora|no estrangeiro)|nem vivalma"
    ),
    support_question=inside(
        r"(?:alguem|quem|pessoa|familiar|familia|cuidador|cuidadora) (?:\w+ )*(?:casa|ajudar|ajude|consigo|"
        r"acompanhe|acompanhar|fique|ficar|buscar|noite)|vive (?:so|sozinho|sozinha)|mora (?:so|sozinho|"
        r"sozinha)|vive com alguem|tem quem"
    ),
    permission=inside(
        r"posso|podemos|podiamos|poderia eu|pode ser|da me licenca|da licenca|da (?:nos )?autorizacao|"
        r"autoriza|concorda|esta de acordo|consente|aceita|tem algum problema (?:em|que)|ha algum problema se|"
        r"permite|eh boa altura|tem (?:um minuto|disponibilidade)|esta bem se|gostaria de|podemos comecar|"
        r"deixa(?: que| me)"
    ),
    mind=inside(r"importa se|tem alguma objecao|opoe se|ve algum inconveniente"),
    question_start=whole(
        r"(?:(?:e|mas|entao|ora|agora|muito|bem|olhe|desculpe) )*(?:quanto|quantos|quantas|quando|onde|quem|"
        r"qual|quais|que (?:comprimidos|gotas|remedios|medicamentos|olho|perna|dia|hora)|porque|porque eh|"
        r"o que|como (?:eh|eh que|assim|se)|para que|sera que)\b.*"
    ),
    tag_after_negative=whole(r"(?:.* )?(?:pois nao|pois|certo|verdade|nao eh assim)"),
    tag_after_positive=whole(
        r"(?:.* )?(?:nao eh|nao eh verdade|nao esta|nao tem|nao tomou|nao foi|pois eh|certo|nao eh assim|pois)"
    ),
    negative_question=inside(
        r"nao (?:tem|teve|sente|sentiu|esta|estao|ha|houve|tomou|notou|nota|costuma|consegue|falhou|anda|"
        r"ficou|foi|se esqueceu|eh|lhe|voltou|precisa|pos|fez|ve|dormiu|dorme|come|bebeu|deixou|viu|reparou)|"
        r"sem (?:dores|dor|febre|nauseas|tonturas)|nenhuma (?:dor|febre|queixa|tontura)|entao nada de"
    ),
    alternative=inside(r"ou (?:esta|tem|sente|sente se|acha|estao|anda|parece|ja|tudo)\b.*"),
    how_many=inside(
        r"quant[oa]s?(?! tempo)|qual (?:eh|foi|era) (?:o|a) (?:seu |sua |valor|peso|temperatura|tensao|dose|"
        r"idade|glicemia)|que (?:peso|temperatura|tensao|valor|idade|dose)|de (?:zero|0|um|1) a (?:dez|cinco|"
        r"10|5)|numa escala|entre (?:zero|0) e (?:dez|10)|o que (?:marcou|deu|dizia|marca) a balanca|"
        r"quanto (?:pesa|pesou|mede|marcou|deu)"
    ),
    how_often=inside(
        r"com que frequencia|quantas vezes por|como (?:classifica|descreve|avalia|esta|tem|se sente)|"
        r"ate que ponto"
    ),
    when=inside(
        r"quando|em que (?:dia|data|mes|ano)|que dia|ha quanto tempo|desde quando|a que horas|"
        r"data de nascimento"
    ),
    how_long=inside(
        r"(?:durante |por )?quanto tempo|quantos (?:dias|meses|anos|minutos)|quantas (?:semanas|horas|noites)"
    ),
    open_value=inside(r"qual|quais|que|o que|onde|quem|porque|diga me|pode dizer me|o seu nome|confirme"),
    stop=frozenset(
        (
            "o a os as um uma uns umas de do da dos das no na nos nas em por para com sem que se e ou mas ao aos "
            "ah lhe me te nos vos se seu sua seus suas meu minha este esta estes estas esse essa isso isto "
            "aquele aquela eh esta estao estou ter tem teve tido tenho tinha ha houve haver ser foi era sido "
            "fazer fez feito estar estado sente sentir sentiu sentido nota notar notou notado ultimas ultimos "
            "ultima ultimo semanas semana dias dia hoje ontem manha noite tarde agora ja ainda nunca nao sim "
            "mais menos muito pouco algum alguma alguns algumas qualquer coisa desde depois antes durante "
            "operacao cirurgia vacina alta quando como qual quanto quantos quantas pergunta perguntas vou lhe "
            "umas sobre pode posso costuma anda andar ficou ficar ver vez vezes ate entre seguir parte voce "
            "senhor senhora pois nao apos"
        ).split()
    ),
    topics=frozenset(
        (
            "olho olhos perna pernas barriga pe pes tornozelo tornozelos joelho joelhos anca braco bracos peito "
            "estomago costas cabeca pescoco ombro mao maos ferida cicatriz penso pele garganta ouvido boca zona "
            "local lado corpo peso visao vista"
        ).split()
    ),
    other_day=inside(
        r"ontem|anteontem|amanha|(?:na )?(?:segunda|terca|quarta|quinta|sexta|sabado|domingo)(?: feira)?|"
        r"(?:na )?semana passada|ha (?:dois|tres|quatro|uns|2|3|4) dias|no outro dia|a noite passada"
    ),
    this_day=inside(r"hoje|esta (?:manha|tarde|noite)|agora|neste momento"),
    future=inside(
        r"vou (?:tomar|por|fazer|pesar|medir|ja)|logo(?: a noite| a tarde| mais)?|mais (?:logo|tarde)|"
        r"daqui a (?:pouco|bocado|nada)|depois (?:do|de) (?:almoco|jantar|almocar|jantar)|hei de"
    ),
    comparative=inside(
        r"mais \w+(?: do)? que|mais (?:inchad|vermelh|cansad|turv)\w*|pior|melhor|piorou|melhorou|mudou|"
        r"diferente"
    ),
    same=inside(
        r"igual|na mesma|o mesmo|a mesma|como (?:sempre|antes|dantes|o costume)|do costume|nao mudou|"
        r"sem alteracao|sem diferenca"
    ),
    half_negated=inside(
        r"(?:nao|nem|nunca) (?:muito|tanto|assim tanto|sempre|todos|todas|tudo|exatamente|propriamente|so|"
        r"eh muito|esta muito|doi muito|tenho muita|tenho muito|tenho tanta|tenho tido muita)"
    ),
    none_words=frozenset("nenhum nenhuma nenhuns nenhumas zero".split()),
    vague=inside(
        r"alguns|algumas|uns|umas|varios|varias|muitos|muitas|poucos|poucas|bastantes|o (?:normal|costume|"
        r"habitual)|os do costume|nem muitos nem poucos"
    ),
    not_a_number=inside(r"(?:nem|cada|algum|qualquer|um|uma) 1|1 (?:vez que|momento|bocadinho|bocado|pouco|minuto)"),
    approx=inside(
        r"cerca de|mais ou menos|para ai|a volta de|perto de|quase|uns|umas|acho que|penso que|talvez|"
        r"deve ser|aproximadamente"
    ),
    bound=inside(r"(?:mais|menos) (?:de|do que)|pelo menos|no maximo|no minimo|ate|entre|acima de|abaixo de"),
    option_or="ou",
    heads=frozenset("sim nao pois claro ok nunca ja".split()),
    after_head=re.compile(
        r"(?:sim|nao|nunca|nada|nenhum|nenhuma|ja|ainda|eu|tenho|tive|estou|esta|estao|sinto|tomei|tomo|eh|a|"
        r"o|as|os|que|quando|onde|quem|como|espere|desculpe|pode|continue|diga|so|um|uma|desde|obrigado|"
        r"obrigada|mas|claro|todos|todas|as|de|em|estas|ele|ela|isso|fiz|consigo|durmo|me)\b"
    ),
    polite=frozenset("desculpe perdao por acaso afinal alias".split()) | {"por acaso"},
    inverse=frozenset(
        "falhou falhar falhei falho esqueceu esquecer esqueci esqueceu-se deixou parou saltou falta".split()
    ),
    good_asked=inside(
        r"confortavel|melhor|bem|consegue|tomou|tomar|toma|tomado|pos|posto|usa|usou|usado|fez|feito|mediu|"
        r"pesou|come|dorme|dormir|comer|beber|bebe|andar|exercicios|alguem|ajuda|ajudar|percebeu|entendeu|"
        r"seguro|segura|cicatriz\w*|sarou|limp\w+|sec\w+|recebeu|levantou|tem os|tem as|cumpriu|continua a"
    ),
    antonyms=(
        (
            frozenset("deitar deita deitou pus liquido corrimento humida molhada sangrar sangra".split()),
            frozenset("seca seco sequinha sequinho limpa limpo fechada".split()),
        ),
        (frozenset("vermelho vermelha vermelhos vermelhidao".split()), frozenset("branco branca normal claro".split())),
        (
            frozenset("turva turvo desfocada desfocado enevoada nublada".split()),
            frozenset("nitida nitido clara claro limpa boa".split()),
        ),
        (
            frozenset("inchado inchada inchados inchadas inchaco inchar".split()),
            frozenset("normal normais desinchado desinchada desinchados".split()),
        ),
        (frozenset("dor dores doer doi dorido dorida".split()), frozenset("confortavel bem".split())),
        (frozenset("febre temperatura".split()), frozenset("fresco fresca normal".split())),
    ),
    third_subject=inside(
        r"(?:ele|ela|eles|elas) (?:\w+)|(?:dele|dela)|(?:a|o) (?:minha|meu) (?:mae|pai|mulher|marido|avo|"
        r"filha|filho|sogra|sogro) (?:esta|tem|teve|tomou|nao|ja|foi|disse|diz|sente|queixa)|a mae|o pai|"
        r"a avo|o avo|a senhora|esqueceu se|queixou se|coitad[oa]"
    ),
    carer=inside(
        r"(?:sou|daqui fala|fala|eh|aqui eh) (?:o|a) (?:marido|mulher|esposa|filha|filho|irma|irmao|mae|pai|"
        r"cuidadora|cuidador|neta|neto|nora|genro|vizinha|vizinho|enfermeira|sobrinha|sobrinho)(?: (?:dele|"
        r"dela|do|da))?|(?:respondo|falo) (?:por (?:ele|ela)|em nome)|(?:ele|ela) (?:esta a dormir|"
        r"esta na cama|nao pode|nao ouve|esta a descansar|nao esta|pediu me)|eu (?:dei|dou|ponho|pus) lhe|"
        r"dei lhe|ponho lhe|trato (?:dele|dela)"
    ),
    relay=inside(
        r"(?:a minha (?:mulher|filha|mae|irma|vizinha)|o meu (?:marido|filho|pai|irmao|vizinho)|a enfermeira|"
        r"o medico|ele|ela) (?:diz|disse|acha|achou|notou|reparou|pensa|esta sempre a dizer)"
    ),
    room=inside(
        r"queres|vais|queres que|o jantar|o almoco|a televisao|a porta|o cao|o gato|quem eh|com quem (?:estas|"
        r"esta) a falar|eh (?:do hospital|o medico|a enfermeira)|desliga|anda ca|vem ca|da me|passa me|"
        r"vou (?:sair|a rua|as compras)|ate logo|um chazinho|fecha|apaga|poe a|liga a"
    ),
    splitters=inside(r"mas|porem|embora|so que|contudo"),
    synonyms=(
        frozenset("dor dores doi doem doer doeu dorido dorida doloroso dolorosa pontada pontadas moinha".split()),
        frozenset("inchado inchada inchados inchadas inchaco inchacos inchou incha inchar".split()),
        frozenset("vermelho vermelha vermelhos vermelhas vermelhidao encarnado encarnada raiado".split()),
        frozenset("turva turvo turvas desfocada desfocado enevoada nublada baca".split()),
        frozenset("febre febril temperatura quente".split()),
        frozenset("deitar deita deitou pus liquido corrimento escorrer escorre".split()),
        frozenset("sangue sangrar sangra sangrou sangramento hemorragia sangrado".split()),
        frozenset("falta ar respirar respiracao folego cansaco cansado cansada ofegante".split()),
        frozenset("enjoo enjoos enjoado enjoada nauseas nausea vomitar vomitou vomitei vomitos".split()),
        frozenset("tontura tonturas tonto tonta".split()),
        frozenset("comprimido comprimidos medicamento medicamentos remedio remedios medicacao capsula".split()),
        frozenset("gota gotas colirio".split()),
        frozenset("queda quedas caiu cair cai tombo".split()),
        frozenset("dormir dorme durmo dormi dormido sono".split()),
        frozenset("comer come como comi comido apetite".split()),
        frozenset("tomar toma tomou tomo tomei tomado tomados".split()),
        frozenset("falhar falhou falhei esquecer esqueceu esqueci saltou saltei".split()),
        frozenset("visao vista ver vejo".split()),
        frozenset("comichao comichoes cocar coceira prurido".split()),
        frozenset("tosse tossir tosso tossido".split()),
        frozenset("peso pesar pesou pesei pesa".split()),
        frozenset("fumar fuma fumo fumei fumou cigarros tabaco".split()),
        frozenset("pe pes tornozelo tornozelos".split()),
        frozenset("gravar grave gravada gravacao".split()),
    ),
    first_person={
        "tem": "tenho",
        "teve": "tive",
        "esta": "estou",
        "esteve": "estive",
        "sente": "sinto",
        "sentiu": "senti",
        "toma": "tomo",
        "tomou": "tomei",
        "faz": "faco",
        "fez": "fiz",
        "vai": "vou",
        "foi": "fui",
        "ve": "vejo",
        "viu": "vi",
        "consegue": "consigo",
        "pode": "posso",
        "pos": "pus",
        "poe": "ponho",
        "come": "como",
        "comeu": "comi",
        "bebe": "bebo",
        "bebeu": "bebi",
        "dorme": "durmo",
        "dormiu": "dormi",
        "falhou": "falhei",
        "mediu": "medi",
        "mede": "meco",
        "pesou": "pesei",
        "usa": "uso",
        "usou": "usei",
        "caiu": "cai",
        "notou": "notei",
        "precisa": "preciso",
        "recebeu": "recebi",
        "percebeu": "percebi",
        "lembra": "lembro",
        "quer": "quero",
        "fuma": "fumo",
        "anda": "ando",
    },
)
