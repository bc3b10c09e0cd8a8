"""Words that negate, lift or restrict, and where their reach ends."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from obligations.coverage.flat import inside
from obligations.coverage.text import base_language


@dataclass(frozen=True, slots=True, kw_only=True)
class PolarityWords:
    """One language's words of negation and their reach, over token norms.

    Parameters:
        negators: Words that negate what follows in their clause.
        avoiders: Stems of acts that forbid what follows ("avoid").
        concord: Negators that only repeat an earlier one.
        short_reach: Negators of a noun, whose reach is a few words.
        stops: Words at which a negation's reach ends.
        harmless: Negated phrases that negate nothing of the advice ("don't worry").
        lifts: Phrases that lift an instruction; they negate what follows.
        weak: Phrases that make an instruction optional.
        doubtful: Phrases by which the speaker does not stand behind it.
        restricts: Words that make a rule hold only sometimes.
        determiners: Words without a meaning of their own, skipped in phrases.
        permits: Words by which a point itself is a permission.
        condition: Words that open a condition.
        opposites: Pairs of opposed relations ("before" and "after").
        past: A verb in the past. subjects: pronouns that may stand before it.
        listener: Words for the listener. relatives: words that open a clause beside the main one.
        without: Words that negate what is missing. and_words: words that join. be: forms of "be".
        heads_end: Words at which the things a point forbids end; what follows only says how or when.
        positive_until: Phrases that mean "until" although they hold a negation.
        adverbs: Words that may stand between a subject and its verb. tells_when: words behind which a past is no tale.
        subordinate: Words that open a clause of time, which neither gives nor forbids.
        ordinals: Words that count in order. relations: every word that sets a thing before, after, with or without.
        list_ends: Words before the last thing of a list.
        reasons: Words behind which only the reason of an advice stands.
        portions: Words that, behind "and", end a denial ("no rubbing and some pressing").
        delays: Phrases that put off what is to be done at once.
        comparatives: Pairs of words that turn a comparison.
        points: Words that point to what is named next.
        until: Words that say until when.
        dials: Verbs of dialling a number. leads_on: words that join such a verb to what stands before it.
    """

    negators: frozenset[str]
    avoiders: frozenset[str]
    concord: frozenset[str]
    short_reach: frozenset[str]
    stops: frozenset[str]
    harmless: re.Pattern[str]
    lifts: re.Pattern[str]
    weak: re.Pattern[str]
    doubtful: re.Pattern[str]
    restricts: re.Pattern[str]
    determiners: frozenset[str]
    permits: re.Pattern[str]
    condition: frozenset[str]
    opposites: tuple[tuple[frozenset[str], frozenset[str]], ...]
    positive_until: re.Pattern[str]
    heads_end: frozenset[str]
    without: frozenset[str]
    and_words: frozenset[str]
    be: frozenset[str]
    past: re.Pattern[str]
    subjects: frozenset[str]
    listener: frozenset[str]
    relatives: frozenset[str]
    adverbs: frozenset[str]
    tells_when: frozenset[str]
    subordinate: frozenset[str]
    ordinals: frozenset[str]
    relations: frozenset[str]
    list_ends: frozenset[str]
    reasons: frozenset[str]
    portions: frozenset[str]
    delays: re.Pattern[str]
    comparatives: tuple[frozenset[str], frozenset[str]]
    points: frozenset[str]
    until: frozenset[str]
    dials: frozenset[str]
    leads_on: frozenset[str]


_EN = PolarityWords(
    negators=frozenset("not no never none nothing nobody nor neither without hardly rarely refuse".split()),
    avoiders=frozenset("avoid refrain abstain forbid ban".split()),
    concord=frozenset({"nor"}),
    short_reach=frozenset({"without", "no", "none", "nothing"}),
    stops=frozenset(
        "but if when until till during unless even because so although though then while whereas before "
        "after once otherwise instead "
        "unles as".split()
    ),
    harmless=inside(
        r"(?:do|need|should) not (?:be )?(?:worry|worried|panic|panicking|hesitate|be shy|be afraid|"
        r"be frightened|be alarmed|"
        r"feel silly|feel bad|fret|ever feel|mind)(?: about it| about that| to| if)?|"
        r"no (?:problem|problems|trouble|matter|doubt|worries|surprise|messing(?: about)?|harm|fuss|"
        r"question(?: about it)?|"
        r"exceptions?|excuses?|ifs|buts|ifs or buts|two ways(?: about it)?|2 ways(?: about it)?|"
        r"later than|longer than|sooner than)|"
        r"(?:if|when) (?:you|it|they|he|she|that) (?:are|is|am|does|do|did|have|has) not(?: \w+)?|"
        r"not (?:only|just|even|to mention|least|forgetting)|"
        r"no (?:more|less|fewer|greater|higher|lower) than|not (?:more|less|fewer|exceed|exceeding|"
        r"over|above) (?:than)?|"
        r"never (?:more|fewer|less|over|above|exceed) ?(?:than)?|not until|why not|whether or not|"
        r"(?:it|that|this) (?:will|would|does|is) not (?:hurt|take|be) (?:long|you|a|any|much)|not (?:sure|certain)|"
        r"not to (?:worry|panic)|never mind|not matter|not at all|(?:no|not) sooner|"
        r"not the end of the world|nothing (?:else|fancy)|"
        r"not (?:ring|call|phone|dial|contact|use|drink|take)(?: any(?:thing|one|body)?)?(?: number)? (?:but|except|"
        r"other than)"
    ),
    lifts=inside(
        r"(?:do|does|did|need|would|will|should|must) not (?:really |actually |necessarily |"
        r"even )?(?:need|have|got|"
        r"required|bother|expected|feel you have|think you (?:need|have))(?: to| with| about)?|"
        r"(?:no|not any|without any|without) (?:need|reason|point|call|obligation|requirement)(?: (?:to|for|in))?|"
        r"(?:are|is) not (?:required|necessary|needed|essential|obliged|expected|important|supposed)(?: to)?|"
        r"nothing to (?:ring|call|phone|see|bother|contact)|no longer(?: need| have)?(?: to)?|"
        r"needless to|not necessary(?: to)?|"
        r"can (?:now )?(?:stop|skip|forget|ignore|leave out|drop)(?: worrying about| about)?|"
        r"(?:free|okay|fine|safe|all right|ok) to (?:stop|skip|ignore)"
    ),
    weak=inside(
        r"if you (?:like|want|prefer|fancy|feel like it|wish|can be bothered|feel up to it|get (?:a|"
        r"the) chance|have (?:a|the) (?:chance|time|moment))|"
        r"you (?:could|might|may) (?:want to|like to|wish to|consider|think about|perhaps|maybe|"
        r"even|possibly)|(?:might|may|could) be (?:an idea|worth|good|sensible|wise|nice)|"
        r"up to you|(?:it is )?optional|your choice|not essential|not vital|no rush|no hurry|"
        r"at some (?:stage|point)|some ?time|whenever (?:suits|you (?:can|get|have))|"
        r"when you (?:get|have) (?:a|the|some) (?:chance|moment|minute|time)|"
        r"when(?:ever)? it suits|one of these days|i suppose|ideally|in theory|some (?:people|"
        r"patients|doctors) (?:\w+ )?|perhaps|maybe|possibly|think about|consider|try to|it might|"
        r"you could|from time to time|now and (?:then|again)|every so often|every now and then|occasionally|"
        r"once in a while|on and off|most (?:days|nights|mornings|of the time)|when you (?:remember|think) to"
    ),
    doubtful=inside(
        r"perhaps|maybe|possibly|i suppose|in theory|supposedly|might be (?:an idea|worth|good|"
        r"nice)|could be (?:an idea|worth)"
    ),
    restricts=inside(
        r"only (?:if|when|for|on|in|after|before|at|with)|unless|except(?: if| when| for| that)?|"
        r"apart from|other than|as long as|provided(?: that)?|not if|not when|but not"
    ),
    determiners=frozenset(
        "the a an s your my his her our their its this these those very really quite please "
        "just so such that it of "
        "rather fairly pretty too um er erm uh".split()
    ),
    permits=inside(
        r"you (?:can|may|could|are allowed to|are free to|have the right to|do not have to|"
        r"need not)|feel free|it is (?:ok|okay|fine|safe|all right) to|is (?:ok|okay|fine|safe|"
        r"normal|common|expected)"
    ),
    condition=frozenset("if when should once whenever unless".split()),
    opposites=(
        (frozenset({"before"}), frozenset({"after", "following"})),
        (frozenset({"with"}), frozenset({"without"})),
        (frozenset({"until", "till"}), frozenset({"after", "from", "since"})),
    ),
    positive_until=inside(r"not until"),
    without=frozenset({"without"}),
    and_words=frozenset("and or nor but".split()),
    be=frozenset("is are be being s".split()),
    past=re.compile(
        r"(?!need|compar|bleed|feed|exceed|proceed|succeed|speed|seed|shed|bed|red)[a-z]{2,}ed|went|took|"
        r"had|did|rang|came|got|felt|"
        r"fell|ate|drank|drove|saw|kept|left|lost|found|forgot|began|gave|held|slept|woke|wore|ran|"
        r"broke|bled|brought|made|"
        r"spoke|told|said|rose|swelled|threw|stood|sat|bought|paid|wrote|sent"
    ),
    subjects=frozenset("you he she they we i".split()),
    listener=frozenset({"you"}),
    adverbs=frozenset("then also just already always never only still".split()),
    tells_when=frozenset({"after", "before", "that"}),
    subordinate=frozenset({"before", "until", "till"}),
    ordinals=frozenset("first second third fourth fifth last".split()),
    relations=frozenset("before after following with without until till from since".split()),
    list_ends=frozenset({"or", "nor"}),
    reasons=frozenset({"because", "otherwise", "else"}),
    portions=frozenset("some plenty lots".split()),
    delays=inside(
        r"(?:wait(?:ing)?|leave it|leaving it|hang(?:ing)? on|hold(?:ing)? on|hold(?:ing)? off|put it off) "
        r"(?:until|till|for your|for the next|to the next)|(?:sleep|sit) on it|leave it (?:a|for a|a few)"
    ),
    comparatives=(frozenset({"more"}), frozenset({"less", "fewer"})),
    points=frozenset({"that", "it", "those", "namely"}),
    until=frozenset({"until", "till"}),
    dials=frozenset("call ring dial phone".split()),
    leads_on=frozenset("to and or nor not never just even".split()),
    relatives=frozenset("since as that which where after before because than how what like where the".split()),
    heads_end=frozenset(
        "during for with within past from at on in until till after before while over above beyond "
        "by near under than through "
        "when if unless because to into onto".split()
    ),
)
_PT = PolarityWords(
    negators=frozenset("nao nunca jamais nem nada nenhum nenhuma nenhuns nenhumas ninguem sem".split()),
    avoiders=frozenset("evit abster proib".split()),
    concord=frozenset("nem nada nenhum nenhuma nenhuns nenhumas ninguem nunca jamais".split()),
    short_reach=frozenset({"sem", "nenhum", "nenhuma", "nada"}),
    stops=frozenset(
        "mas se quando ate durante enquanto porque embora mesmo senao entao depois antes pois caso assim "
        "logo ainda como".split()
    ),
    harmless=inside(
        r"nao (?:se preocupe|se assuste|hesite|tenha (?:medo|receio|vergonha)|"
        r"fique (?:preocupad[oa]|assustad[oa])|faz mal|ha (?:problema|duvida|mal)|tem (?:problema|"
        r"mal)|importa|se aflija|se esqueca(?: de)?)|"
        r"sem (?:falta|falhar|problema|problemas|duvida|medo|receio|hesitar|demora|excecao|excecoes|"
        r"compromisso)|se nao (?:tiver|estiver|souber|conseguir|tem|for|quiser)(?: \w+)?|nao so|"
        r"nem (?:que|sequer)|"
        r"nao (?:mais|menos) (?:de|do que)|nunca mais de|nada (?:de grave|mais)|"
        r"quer queira quer nao|nao eh(?: \w+)? (?:preciso )?(?:dizer|mentira)"
    ),
    lifts=inside(
        r"nao (?:eh )?(?:preciso|necessario|obrigatorio|importante)(?: de)?|nao (?:precisa|tem|"
        r"necessita) (?:de|que)|nao ha (?:necessidade|razao|motivo|obrigacao)(?: de| para)?|"
        r"escusa de|dispensa se?|sem necessidade de|nao vale a pena|nao eh caso para|nao adianta|"
        r"ja nao (?:precisa|tem|eh preciso)(?: de)?|"
        r"pode (?:ja )?(?:parar|deixar|largar|suspender|esquecer|ignorar|saltar)(?: de| com)?"
    ),
    weak=inside(
        r"se (?:quiser|preferir|lhe apetecer|puder|tiver tempo|lhe der jeito|tiver vontade|"
        r"achar melhor)|quando (?:puder|tiver tempo|lhe der jeito|calhar)|pode ser (?:boa ideia|"
        r"que)|talvez|se calhar|"
        r"eh opcional|facultativo|como quiser|como preferir|nao eh (?:essencial|urgente)|sem pressa|"
        r"um dia destes|qualquer dia|em teoria|idealmente|podia|poderia|eh consigo|"
        r"fica ao seu criterio|mais tarde ou mais cedo|de vez em quando|(?:por|as) vezes|quase sempre|"
        r"na maioria d[oa]s (?:dias|noites|vezes)|ocasionalmente|uma vez por outra"
    ),
    doubtful=inside(r"talvez|se calhar|porventura|em teoria|supostamente|quem sabe|pode ser boa ideia"),
    restricts=inside(
        r"(?:so|apenas|somente) (?:se|quando|para|em|depois|antes|nos|nas|no|na|com|a|ao)|"
        r"a menos que|a nao ser que|exceto|excepto|salvo|desde que|mas nao|senao"
    ),
    determiners=frozenset(
        "o a os as um uma uns umas seu sua seus suas meu minha este esta estes estas esse essa "
        "esses essas isso isto aquele muito muita "
        "favor por de do da dos das se me que la las lo los ai ca bastante mesmo hum para no na "
        "nos nas ao aos".split()
    ),
    permits=inside(
        r"pode|podem|tem (?:o )?direito|nao tem de|eh (?:normal|comum|habitual|seguro)|"
        r"esta a vontade|nao precisa de"
    ),
    condition=frozenset("se quando caso sempre".split()),
    opposites=(
        (frozenset({"antes"}), frozenset({"depois", "apos", "seguir"})),
        (frozenset({"com"}), frozenset({"sem"})),
        (frozenset({"ate"}), frozenset({"depois", "desde", "apos"})),
    ),
    positive_until=inside(r"enquanto nao|antes que nao"),
    without=frozenset({"sem"}),
    and_words=frozenset("e ou nem mas".split()),
    be=frozenset("eh e sao esta estao ser".split()),
    past=re.compile(
        r"(?!meu|seu|teu|vou|sou|dou|estou)[a-z]{2,}(?:ou|eu|iu|ava|aram|eram)|foi|fez|teve|esteve|"
        r"disse|pos|quis|veio"
    ),
    subjects=frozenset("senhor senhora voce ele ela eles elas ja".split()),
    listener=frozenset("senhor senhora voce".split()),
    adverbs=frozenset("ja tambem logo sempre nunca ainda".split()),
    tells_when=frozenset({"depois", "antes", "que"}),
    subordinate=frozenset({"antes", "ate"}),
    ordinals=frozenset("primeiro primeira primeiros primeiras segundo segunda terceiro terceira ultimo ultima".split()),
    relations=frozenset("antes depois apos seguir com sem ate desde".split()),
    list_ends=frozenset({"ou", "nem"}),
    reasons=frozenset({"porque", "senao", "pois"}),
    portions=frozenset({"algum", "alguma", "bastante"}),
    delays=inside(
        r"(?:espere|aguarde|esperar|aguardar) (?:ate|pel[oa])|deix(?:e|ar)(?: isso)? para "
        r"(?:amanha|depois|o dia|a)|adie"
    ),
    comparatives=(frozenset({"mais"}), frozenset({"menos"})),
    points=frozenset({"isso", "esse", "essa", "esses"}),
    until=frozenset({"ate"}),
    dials=frozenset("ligue ligar telefone marque".split()),
    leads_on=frozenset("a de e ou nem nao nunca".split()),
    relatives=frozenset("desde como que onde depois antes porque".split()),
    heads_end=frozenset(
        "durante com para em no na nos nas ate depois antes por pelo pela desde apos enquanto "
        "quando se alem acima sob sobre sem mais".split()
    ),
)
_BY_LANGUAGE: Mapping[str, PolarityWords] = {"en": _EN, "pt": _PT}


def polarity_words(language: str) -> PolarityWords | None:
    """Give a language's words of negation; None when we have none for it."""
    return _BY_LANGUAGE.get(base_language(language))
