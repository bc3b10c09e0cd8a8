"""Words that loosen an advice without denying it: less of it, later, when one likes, or only this once.

Owns the words only, as flat text (see `coverage.flat`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from obligations.coverage.flat import inside
from obligations.coverage.text import base_language


@dataclass(frozen=True, slots=True, kw_only=True)
class LoosenedWords:
    """One language's words of loosening.

    Parameters:
        same: Other words for an act, each with the word it stands for ("take the car").
        spares: Right before words that loosen: they are not said of this listener ("I hope you will not need").
        whose: Right before an act: somebody else's.
        under: Begins what an advice is for ("if you lose vision").
        clears: A condition that leaves it to those who gave the advice ("once your team says so").
        mild: Something slighter than what the advice is about.
        relief: Opens an answer to good news; then what the advice is for is not there.
        let: Lets what it stands beside be done, whichever side it is on.
        begins: May stand before an act at the head of a clause that asks for it ("then just").
        free: A permission that names nothing, at the end of a clause.
        awaited: What a permission is waited for by: freed of this, the listener need not wait.
        easy: Plays down a forbidden act ("do not worry about the driving").
        lax: Not to be kept strictly.
        less: Another amount, another time, or as one likes.
        drops_it: Ends, by a pronoun or nothing, what was asked for.
        indifferent: Not doing it does no harm.
        delays: Later than at once, or something else first.
        later_call: Those who should be told at once are told some other time.
        plays_down: What the advice is for is called nothing.
        in_place: Puts another in the place of what stands behind it.
        elsewhere: The sentence is about this call, or about something else than the advice.
        urgent: In an advice: it is not to be left for later.
        allows: Begins an advice that allows something.
        machine: In an advice: the speaker is none of the living. alive: the speaker is.
        short: A question that leaves its act out ("even to the shops?").
        asked: Turns the listener's question into the statement that "yes" makes of it, rule by rule.
        doubted: Turns a question whether something is needed into the statement that "no" makes of it.
        affirms: At the head of an answer: yes. denies: no.
    """

    same: tuple[tuple[re.Pattern[str], str], ...]
    spares: re.Pattern[str]
    whose: re.Pattern[str]
    under: re.Pattern[str]
    clears: re.Pattern[str]
    mild: re.Pattern[str]
    relief: re.Pattern[str]
    let: re.Pattern[str]
    begins: re.Pattern[str]
    free: re.Pattern[str]
    awaited: frozenset[str]
    easy: re.Pattern[str]
    lax: re.Pattern[str]
    less: re.Pattern[str]
    drops_it: re.Pattern[str]
    indifferent: re.Pattern[str]
    delays: re.Pattern[str]
    later_call: re.Pattern[str]
    plays_down: re.Pattern[str]
    in_place: re.Pattern[str]
    elsewhere: re.Pattern[str]
    urgent: re.Pattern[str]
    allows: re.Pattern[str]
    machine: re.Pattern[str]
    alive: re.Pattern[str]
    short: re.Pattern[str]
    asked: tuple[tuple[re.Pattern[str], str], ...]
    doubted: tuple[tuple[re.Pattern[str], str], ...]
    affirms: re.Pattern[str]
    denies: re.Pattern[str]


_FINE = r"(?:fine|ok|okay|safe|allowed|permitted|harmless|all right|alright|no problem|usual|normal|not a problem)"
_SOME = r"(?:a|an|another|one|two|three|four|some|few|a few|a couple of|several)"
_EN = LoosenedWords(
    same=(
        (inside(r"(?:take|use|drive|go in) (?:the|your|a) car|(?:get |be |sit )?behind the wheel"), "drive"),
        (inside(r"(?:short|quick|little) (?:trips?|journeys?|distances?|hops?)"), "drive"),
        (inside(r"get(?:s|ting)? (?:\w+ )?wet"), "not dry"),
        (inside("tablets?", "pills?"), "medicines"),
        (inside(r"nothing is (?:kept|saved|stored|taped)"), "nothing is recorded"),
    ),
    spares=inside(r"(?:i|we) (?:\w+ )?(?:hope|trust)(?: that)?(?: you)?", r"easy to|no reason to|even"),
    whose=inside(
        r"(?:your|my|his|her) (?!eye|team|doctor)\w+|(?:he|she|they|someone|somebody|who|(?:a|another) (?:friend|"
        r"neighbour|"
        r"person|taxi))(?: (?:can|will|could|may))?"
    ),
    under=inside("if", "for", "when", "in case", "should"),
    clears=inside(
        r"(?:until|till|once|when|after|before|unless|if|only|as soon as|except|provided)(?: \w+){0,3} (?:hospital|"
        r"team|doctor|surgeon|ward|clinic|nurse|specialist|they)(?: \w+){0,3} (?:say|says|said|so|tell|tells|told|"
        r"clear|clears|cleared|agree|agrees|allow|allows|allowed|confirms?|decides?|lets?|ok|happy|checked)(?: \w+)*",
        r"(?:as|than|what|how) (?:\w+ ){0,3}(?:hospital|team|doctor|ward|clinic|nurse) (?:has |have )?(?:told|"
        r"said|says|"
        r"asked|gave|wrote)(?: \w+)*|(?:without|before) (?:\w+ )?(?:asking|checking|speaking|talking)(?: \w+)*",
    ),
    mild=inside(r"mild|slight|some|little|light|weak|only a bit"),
    relief=re.compile(
        r"(?:oh |well |that is |very |then )*(?:good|great|glad|lovely|wonderful|excellent|perfect)(?!\S)"
    ),
    let=inside(
        r"(?:is|are|was|be) (?:(?!not )\w+ )?" + _FINE,
        r"(?:does|do|will|would|should|could|can|need) not (?:really |even )?(?:hurt|harm|matter)|"
        r"(?:will |would |does )?(?:do |does )?no harm",
        r"no problem|no reason not to|(?:does|do|will|would) not mind|welcome to|good to|you will be|(?:try|risk|do) "
        r"(?:a|one)(?: (?:short|quick|little|small))?|(?:long|soon|early) enough",
        r"(?:when|whenever|as much as|as often as|whatever|however) you (?:like|want|please|wish|feel (?:\w+ )?\w+)",
    ),
    begins=re.compile(
        r"(?:(?:well|then|so|ok|okay|yes|sure|and|or|but|just|simply|please|you could|better|only|no|actually|"
        r"scrap|go|on|try|"
        r"that|now|maybe|perhaps|instead|sometimes|gently|softly|i would) )*\Z"
    ),
    free=re.compile(r"(?:.* )?(?:go ahead|feel free|by all means|why not|be my guest)\Z"),
    awaited=frozenset({"wait", "permission", "approval", "clearance", "say", "ok", "team", "ask", "check"}),
    easy=inside(
        r"(?:do not|no need to|you need not) (?:worry|fret|be concerned|be (?:\w+ )?strict) (?:about|with|over)"
    ),
    lax=inside(r"not be (?:\w+ )?strict|not (?:take|follow) (?:\w+ ){1,3}(?:too|so) (?:seriously|strictly)"),
    less=inside(
        r"(?:is|are|will be|should be|would be) (?:quite |really |usually |more than |perfectly )?(?:enough|plenty|"
        r"sufficient)|(?:once|twice|times|days?|weeks?|half) (?:\w+ ){0,2}will do|"
        r"(?:only )?when(?:ever)? you (?:\w+ )?(?:need|like|want|feel|remember|please|wish)\w*",
        r"as (?:often|much|many|long|little) as you (?:like|want|need|feel|please|wish)|what(?:ever)? you (?:want|"
        r"like)",
        r"fewer|less often|(?:in )?half|half (?:of )?(?:the|your|as)|twice as (?:many|much|often)|doubl(?:e|ing)|"
        r"halv(?:e|ing)|cut(?:ting)? (?:down|back)|(?:you (?:can|could|may|might)|just|then|simply) (?:cut|reduce|"
        r"increase|lower|raise|split|change|swap)|instead(?! of)|now and then|every other day|every second day|"
        r"once in a while|more often|from time to time",
    ),
    drops_it=inside(
        r"(?:leav(?:e|ing)|put(?:ting)?|tak(?:e|ing)) (?:them|it)(?: \w+)? (?:out|off|away|for|until|till|today)|"
        r"leave (?:them|it) be|(?:do|manage|go|live) without(?: them| it)?|(?:take|have) a (?:break|rest|"
        r"pause)(?: from)?|give (?:\w+ ){1,3}a (?:break|rest)|"
        r""
        r"(?:done|finish|finished|through|stop|over) with(?: them| it)?|(?:stop|miss|skip|pause|quit|forget) "
        r"(?:using |taking )?(?:them|it|those)|no need to (?:get|buy|order|fetch) (?:any )?more|"
        r"not bother(?: \w+){0,2}|you are done"
    ),
    indifferent=inside(
        r"(?:it |that )?(?:does|do|will|would) not (?:really )?(?:matter|hurt|harm) (?:if|when|whether|how|to)|"
        r"nothing (?:bad )?(?:happens|happened|will happen)|makes no difference|no harm (?:in|if|to)",
        r"(?:fine|ok|okay|all right|alright|safe|harmless) (?:to|if you) (?:\w+ )?(?:miss|skip|stop|leave|forget|"
        r"wait|"
        r"not|drop|pause|end)|(?:fine|ok|okay) without",
    ),
    delays=inside(
        r"wait(?:ing)? (?:it out|until|till|for (?:the|your) (?:next|\w+day)|" + _SOME + r" (?:\w+ )?(?:hour|day|"
        r"night|"
        r"week)s?)",
        r"(?:can|could|will|may|might) wait|so wait|(?:give|leave) (?:it|that|them) (?:(?:for|to|until|till) )?"
        r"(?:a|an|another|some|one|two|three|the|your|next)|"
        r"see (?:how|if|whether) (?:it|that|they|things) \w+|sleep on it|wait and see|(?:day|tomorrow|morning|"
        r"week|appointment) (?:is|will be|would be) (?:\w+ )?(?:fine|ok|enough|"
        r"okay|early enough|soon enough|all right)|in the next (?:few |couple of )?(?:days|weeks)|(?:take|"
        r"have) a (?:painkiller|paracetamol|nap|rest|"
        r"break)|stay (?:at home|in bed|home)|(?:lie|sit) down|no (?:rush|hurry)|not (?:at once|urgent|straight away|"
        r"immediately|right away)|is closed|within (?:a|the|two|three|a few) (?:week|weeks|days)|keep an eye on it",
    ),
    later_call=inside(
        r"(?:mention|tell|say|raise|bring|ring|call|contact|phone|ask|speak|talk|report|have|see|go)(?: \w+){0,5} "
        r"(?:tomorrow|in the morning|next (?:\w+day|week|month|appointment|visit|check|time)|"
        r"(?:at|on) (?:\w+ )?(?:next )?(?:monday|appointment|visit|check up)|later|some time)"
    ),
    plays_down=inside(
        r"(?:is|are|be) (?:\w+ )?(?:normal|harmless|common|fine|usual|nothing|expected|ok|okay|no problem)|"
        r"nothing to worry|not (?:serious|dangerous|worrying|an emergency)"
    ),
    in_place=inside(
        r"(?:instead of|rather than)(?: (?:using|taking|going to|calling|ringing))?(?: (?:the|your|"
        r"an?))?"
    ),
    elsewhere=inside(
        r"(?:this|the|my) (?:call|question|questions|button|phone|line|nurse|bus|taxi|shade)|calls?|me|questions?|"
        r"appointments? for|repeat|clinic|a moment|ask|answer|note|noted|write"
    ),
    urgent=inside(r"at once|today|same day|straight away|ambulance|contact|call|ring"),
    allows=re.compile(r"you (?:can|may)(?!\S)"),
    machine=inside(r"automated|machine|robot"),
    alive=inside(
        r"(?:i am|this is|you are (?:talking|speaking) (?:to|with)) (?:a|an|the|your) (?:\w+ ){0,2}(?:person|human|"
        r"nurse|doctor|woman|man|human being)"
    ),
    short=re.compile(
        r"(?:but |and |so |then )*(?:not )?(?:even|what about|how about|only|just|and|for|to|in|on|"
        r"at)\b"
    ),
    asked=(
        (inside(r"(?:can|could|may|might) i"), "you can"),
        (inside(r"i (?:can|could|may)"), "you can"),
        (inside(r"(?:am i|i am) allowed to"), "you can"),
        (inside(r"is it (?:really )?(?:fine|ok|okay|safe|all right|alright) (?:to|if i|for me to)"), "you can"),
        (inside(r"(?:do|should|must) i not|i do not"), "you do not"),
        (inside(r"should i|shall i"), "please"),
    ),
    doubted=(
        (inside(r"do i (?:\w+ )?(?:need|have)"), "you do not need"),
        (inside(r"i (?:still )?(?:need|have) to"), "you do not need to"),
        (inside(r"(?:must|should) i(?: \w+ly| still)?"), "you do not have to"),
        (inside(r"(?:is|are) (\w+ \w+) (?:\w+ )?necessary"), r"\1 are not necessary"),
    ),
    affirms=re.compile(
        r"(?:(?:oh|well|i think|i guess|i suppose|why|so) )*(?:yes|yeah|sure|of course|absolutely|certainly|"
        r"definitely|"
        r"no problem|go ahead|i do not see why not|you can|you may|that is (?:fine|ok|okay|all right|alright)|"
        r"that (?:will|should|would) be|correct|right|exactly)(?!\S)"
    ),
    denies=re.compile(r"(?:(?:oh|well|actually) )*(?:no|not really|not any more|nope|not necessarily)(?!\S)"),
)
_BOM = r"(?:seguro|bem|permitido|inofensivo|normal|habitual)"
_PT = LoosenedWords(
    same=(
        (
            inside(
                r"(?:pegar|pegue) no (?:seu )?carro|(?:ir|va|sair|andar|ande) (?:de|no) carro|guiar|guie|"
                r"(?:usar|use|levar|leve) o carro|(?:ir )?ao volante"
            ),
            "conduzir",
        ),
        (inside("comprimidos?", "remedios?"), "medicamentos"),
        (inside("cocar", "coce"), "esfregar"),
        (inside(r"(?:molh\w+|apanh\w+ agua)"), "nao seco"),
    ),
    spares=inside(r"espero que|mesmo|eh facil|eh normal|(?:nao ha|sem) (?:razao|motivo) para"),
    whose=inside(
        r"(?:o|a) (?:seu|sua|meu|minha) \w+|(?:ele|ela|alguem|quem|um amigo|uma amiga|outra pessoa|filh[oa]|"
        r"mulher|marido)"
        r"(?: (?:pode|podia))?"
    ),
    under=inside(r"se (?:tiver|perder|for|ficar|algum|nao|houver|sentir|a|o)", "quando", "em caso"),
    clears=inside(
        r"(?:ate|quando|depois|antes|se|so|assim que|logo que|a menos|exceto)(?: \w+){0,4} (?:hospital|equipa|"
        r"medic[oa]|"
        r"enfermaria|enfermeir[oa]|clinica)(?: \w+){0,3} (?:disser|dizer|diz|disse|autorizar|deixar|mandar|confirmar|"
        r"concordar|permitir)(?: \w+)*",
        r"(?:como|que|o que) (?:\w+ )?(?:hospital|equipa|medic[oa]|enfermaria) (?:lhe )?(?:disse|mandou|indicou|"
        r"deu)(?: \w+)*|"
        r"sem (?:falar|perguntar|avisar)(?: \w+)*",
    ),
    mild=inside(r"ligeir[oa]s?|pouc[oa]|leves?|alguma?|frac[oa]"),
    relief=re.compile(
        r"(?:ah |pois |que |muito |entao |ainda )*(?:bom|boa|otimo|otima|bem|excelente|perfeito|fico contente)(?!\S)"
    ),
    let=inside(
        r"(?:eh|esta|fica|sao) (?:\w+ )?" + _BOM,
        r"nao (?:faz|fazem|tem|fara|ha de fazer) (?:mal|problema)|nao ha (?:problema|mal|perigo)|sem problema|"
        r"nao se importa",
        r"(?:quando|sempre que|quanto|como|o que) (?:\w+ )?(?:quiser|lhe apetecer|entender|preferir)|"
        r"quando se sentir \w+",
    ),
    begins=re.compile(
        r"(?:(?:bem|entao|sim|e|ou|mas|so|simplesmente|por favor|claro|nao|afinal|agora|talvez|as vezes|antes|"
        r"ora) )*\Z"
    ),
    free=re.compile(r"(?:.* )?(?:esteja a vontade|avance|va em frente|porque nao|a vontade)\Z"),
    awaited=frozenset({"esperar", "autorizacao", "licenca", "equipa", "perguntar", "aguardar"}),
    easy=inside(r"nao se (?:preocupe|rale) com"),
    lax=inside(r"nao (?:\w+ ){0,2}(?:rigoros[oa]|a risca|tao a serio)"),
    less=inside(
        r"(?:eh|sao|ja eh|ja) (?:\w+ )?(?:suficientes?|bastantes?)|chega|chegam|basta|bastam|"
        r"(?:so )?(?:quando|sempre que) (?:quiser|precisar|lhe apetecer|se lembrar|puder|sentir)\w*",
        r"(?:quanto|quantas|o que|tudo o que|as vezes que|como) (?:quiser|lhe apetecer|entender|precisar)|"
        r"menos (?:vezes|"
        r"gotas|comprimidos)|metade|o dobro|a dobrar|(?:(?<!equipa )(?<!hospital )pode|entao|basta|so) (?:reduzir|"
        r"diminuir|aumentar|cortar|"
        r"trocar|"
        r"mudar)|(?:reduza|diminua|corte|aumente|duplique|troque)|em vez disso|de vez em quando|dia sim dia nao",
    ),
    drops_it=inside(
        r"(?:deixe|deixa|tire|largue|pare|esqueca|interrompa)(?: l?[ao]s?| isso| de \w+)?(?: \w+)? (?:por hoje|"
        r"hoje|fora|uns "
        r"dias|por uns dias|por agora|ate)|deixe (?:as|os|a|o)(?: \w+)?|(?:passar|passe|viver|ficar) sem (?:elas|"
        r"eles|isso)|"
        r"(?:fazer|faca) uma (?:pausa|interrupcao)|(?:parar|pare) (?:com|de)?(?: \w+)?|nao compre mais|"
        r"nao (?:precisa|eh preciso)(?: de)? (?:comprar|arranjar) mais|acabou(?: com)?"
    ),
    indifferent=inside(
        r"nao (?:faz mal|ha problema|tem mal|ha mal|tem problema)(?: em| se)? (?:\w+ )?(?:falhar|saltar|parar|deixar|"
        r"esquecer|esperar|nao|molhar|seco|suspender|interromper|falhe|salte|pare|esqueca)|nao acontece nada|"
        r"tanto faz|nao importa (?:se|quando|como)"
    ),
    delays=inside(
        r"esper(?:ar|e|ava|aria) (?:ate|pel[ao]|por|uns|um|uma|dois|duas|mais|algum\w*)|pode (?:\w+ )?(?:esperar|"
        r"ficar para)|"
        r"(?:ver|veja|vamos ver) (?:como|se)|de manha logo|tome um (?:comprimido|paracetamol|analgesico)|"
        r"(?:fique|ficar|descanse|deite se|sente se) (?:\w+ )?(?:em casa|na cama|primeiro|uns dias|um pouco|"
        r"um bocado)|"
        r"nao (?:eh urgente|ha pressa|eh preciso ir logo|eh logo)|esta fechado|(?:segunda|amanha|semana|"
        r"consulta)(?: feira)? (?:ainda )?(?:chega|serve|vai a tempo|esta bem)|dentro de uma semana|"
        r"de um dia para o outro",
    ),
    later_call=inside(
        r"(?:fale|falar|diga|dizer|mencione|conte|ligue|ligar|telefone|contacte|contactar|pergunte|"
        r"refira)(?: \w+){0,4} "
        r"(?:amanha|de manha|na proxima (?:consulta|vez|semana)|na segunda|na consulta|mais tarde|depois)"
    ),
    plays_down=inside(
        r"(?:eh|sao|esta) (?:\w+ )?(?:normal|normais|inofensiv[oa]|habitual|natural)|nao (?:eh|sao|"
        r"tem) (?:\w+ )?(?:nada|grave|"
        r"perig\w+|serio|importancia|problema)"
    ),
    in_place=inside(r"em vez (?:de|do|da|dos|das)(?: (?:ir ao|ligar ao|usar|tomar))?(?: [oa]s?)?"),
    elsewhere=inside(
        r"(?:esta|a|nesta) (?:chamada|pergunta|enfermeira|linha)|chamadas?|perguntas?|telefone|autocarro|taxi|"
        r"clinica|"
        r"um momento|responder|repetir|escrever|apontar|me|perguntar"
    ),
    urgent=inside(r"logo|hoje|proprio dia|ambulancia|contacte|chame|ligue"),
    allows=re.compile(r"pode(?!\S)"),
    machine=inside(r"automatic[oa]|maquina|robo"),
    alive=inside(
        r"(?:sou|fala|esta a falar com) (?:um|uma|a|o) (?:\w+ )?(?:pessoa|human[oa]|enfermeir[oa]|medic[oa]|"
        r"senhora|senhor)(?: \w+)?"
    ),
    short=re.compile(r"(?:mas |e |entao )*(?:nem|so|mesmo|e|para|ate|ao|a|no|na)\b"),
    asked=(
        (inside(r"(?:ja )?posso|poderei|podia"), "pode"),
        (inside(r"(?:eh seguro|faz mal|ha problema em)"), "eh seguro"),
    ),
    doubted=(
        (inside(r"(?:ainda |mesmo )?(?:preciso|precisarei)"), "nao precisa"),
        (inside(r"(?:ainda )?(?:tenho|devo)(?: mesmo)?(?: (?:de|que))?"), "nao tem de"),
        (inside(r"(?:eh|sao) (?:mesmo )?(?:precis[oa]s?|necessari[oa]s?)"), "nao precisa de"),
    ),
    affirms=re.compile(
        r"(?:(?:ah|bem|acho que|penso que|pois) )*(?:sim|claro|com certeza|certamente|pode|sem problema|esta bem|"
        r"tudo bem|"
        r"nao ha problema|nao faz mal|exato|isso mesmo|a vontade|pois pode)(?!\S)"
    ),
    denies=re.compile(r"(?:(?:ah|bem|afinal) )*(?:nao|ja nao|nem por isso)(?!\S)"),
)
_BY_LANGUAGE: Mapping[str, LoosenedWords] = {"en": _EN, "pt": _PT}


def loosened_words(language: str) -> LoosenedWords | None:
    """Give a language's words of loosening; None when we have none for it."""
    return _BY_LANGUAGE.get(base_language(language))
