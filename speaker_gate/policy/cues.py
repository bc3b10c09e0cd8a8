"""Cues in third-party speech, by language: patterns with a name. The weights are fitted; these are only eyes."""

from __future__ import annotations

import re
from functools import lru_cache

CUES_EN: dict[str, str] = {
    "no_first": r"^(oh |wait |hold on |hang on )?(no|nope|no way|don'?t|stop|not)\b",
    "wait_first": r"^(whoa |oh )?(wait|hold on|hang on|hold up|stop)\b",
    "actually": r"\b(actually|instead|rather|better)\b",
    "not_but": (
        r"\b(it'?s|it was|that'?s|is|was) not\b|, not \w+|\bnot the\b|\bisn'?t (the right|a|right)\b"
        r"|\bwrong\b"
    ),
    "you_mean": r"\byou mean(t)?\b|\b(she|he|they) means?\b",
    "gives_answer": r"^(oh,? )?(that|it|those|this|he|she|they)('s| was| were| is| are|'re)\b",
    "called": r"\b(it'?s|it was|is|was) called\b|\bhis name\b|\bher name\b",
    "and_first": r"^(yeah |oh )?(and|also|plus|but only|with|near)\b",
    "make_it": r"\bmake (it|sure|that)\b|\binclude\b|\bmention\b|\bwhile you'?re at it\b|\bas well\b|\btoo\b",
    "tell_it": r"\b(tell|ask|say|search|look up|use|try|get|take|show|give|tag|label|compare)\b",
    "just_ask": r"^(oh |no |well )*(just|simply|better to|try) \w+|\bwhy not\b",
    "lets": r"\blet'?s\b|\blet (me|us)\b|\bmaybe we should\b|\bshould we\b",
    "check_first": r"\b(check|compare|see|look at|talk|find out|ask)\b.*\b(first|before|if|whether|other)\b",
    "must": r"\b(have to|has to|need to|needs? the|got to|gotta|you'?ve got|supposed|meant to|must|should)\b",
    "cannot": r"\b(can'?t|cannot|couldn'?t|won'?t|not allowed|mustn'?t|shouldn'?t|only)\b",
    "remember_that": r"\bremember\b|\bdid you forget\b|\bdidn'?t you\b|\bweren'?t (you|we)\b|\bwe (agreed|said)\b",
    "already": r"\balready\b|\bi just (did|bought|wrote)\b|\bdon'?t need to\b|\bstill have\b|\bcame round\b",
    "third_person_want": r"\b(he|she|they)('s|'re| is| are)? (wants?|asking|trying|after|needs?|wanting)\b",
    "third_person_fact": (
        r"\b(he|she|they) (has|have|had|takes?|took|is|was|feels?|wakes?|sleeps?|says?|said|never)\b"
    ),
    "number": r"\d|\b(one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|hundred|thousand|half)\b",
    "faster": r"\b(quicker|faster|closer|easier|cheaper)\b",
    "danger": r"\b(dangerous|poison\w*|risky|illegal)\b",
    "reminds": r"\b(reminds? me|makes? me (think|wonder)|speaking of|takes me back|that'?s like)\b",
    "by_the_way": (
        r"\bby the way\b|\bguess what\b|\bdid i tell you\b|\byou know what\b|\bhave you seen\b"
        r"|\bdid you see\b"
    ),
    "praise": (
        r"\b(good|great|nice|lovely|perfect|excellent|fun|brilliant|sensible) (question|one|choice"
        r"|idea|thinking|call|point|timing)\b|\bmakes sense\b"
    ),
    "same": (
        r"\b(same|exact same) (thing|here)\b|\bthinking (of|about) (the|that|those|them)\b"
        r"|\bwondering\b|\bwords? out of my mouth\b|\bread my mind\b|\babout to (ask|say)\b"
        r"|\bask that (myself|too)\b|\bsay that myself\b"
    ),
    "because_first": r"^(yes|yeah|right|sure|good|exactly)[, ].*\b(because|since|otherwise|or we|can'?t be)\b",
    "opinion": (
        r"\b(honestly|boring|overrated|rubbish|junk|whiny|ugh|who (even |actually )?cares|come on"
        r"|everyone knows|basic|super|love|hate|catchy)\b"
    ),
    "i_past": (
        r"\b(i|we|my \w+) (tried|read|saw|had|went|flew|bought|did|got|once|heard|watched|lost|laughed"
        r"|never)\b"
    ),
    "time_past": (
        r"\b(last (week|month|year|night|time)|years ago|the other day|that time|at school|high school"
        r"|long time)\b"
    ),
    "why_you": (
        r"\bwhy (are|do|would|on earth)\b|^(wait |oh )?why\b|\bwhat (is it )?for\b|\bplanning to\b"
        r"|\btrying to do\b"
    ),
    "which_what": r"^(wait |sorry |hang on |oh )*(which|what|who|call who|where)\b.*\?",
    "did_you_say": r"\bdid you (just |really )*(say|ask)\b|\breally\?",
    "do_you_want": r"\b(do|are|were|shall|should|can) (you|we|i) .*\?|\bor (something|just|for)\b.*\?",
    "echo_question": r"^\w+( \w+){0,2}\? ",
    "know_this": r"\bi know (this|that)\b|\bthat'?s easy\b|\bit'?s like\b|\byou know\b",
    "domestic": (
        r"\b(dinner|lunch|dishes|kids|children|milk|shops?|telly|tv|programme|keys|dog|postman|laundry"
        r"|train|leaving|picking up)\b"
    ),
    "broadcast": r"\b(welcome back|weather|our next guest|only this weekend|buy one|two nil|goal|coming up next)\b",
    "first_person_want": r"\bi (would|'d) like\b|\bi want\b",
    "health": (
        r"\b(pain|fever|tablets?|dose|milligrams?|wound|dressing|bleeding|dizzy|doctor|nurse|surgeon"
        r"|allergic|swallow|warfarin|aspirin|insulin|dialysis|frame)\b"
    ),
    "negated_do": r"\bdon'?t (stop|cancel|take|give|look|mix)\b",
    "superlative": (
        r"\b(most|least|worst|best|\w{3,}est|only) (\w+ ){0,3}(i|we|you|they)('ve| have| had)? ever\b"
        r"|\bever (seen|had|tasted|heard|been|met|known)\b|\b(on earth|in the world)\b"
    ),
    "tag_question": (
        r",? (is|was|does|do|are|did|has|have|wo|would|ca)n'?t (it|he|she|they|you|we|there|i)\??$"
        r"|\bdon'?t you think\b|, (is|was|are|did) (it|they|he|she|you)\?$"
    ),
    "kin": (
        r"\bmy (old )?(uncle|aunt|cousin|neighbou?r|brother|sister|mother|father|grand\w+|friend|mate"
        r"|colleague|boss|husband|wife|mum|dad|niece|nephew)('s)?\b"
    ),
    "long_ago": (
        r"\bfor (\w+ )?(years|decades|ages)\b|\byears ago\b|\bonce\b|\bthat (summer|winter|year|time)\b"
        r"|\bused to\b|\bwhen i was\b|\bin (my|those) days\b"
    ),
    "evaluates": (
        r"\b(dreadful|awful|terribl[ey]|horribl[ey]|ugl(y|iest)|filthy|disgusting|disgrace|ridiculous"
        r"|silly|stupid|lovely|gorgeous|beautiful|delicious|tasty|pretty|sweet|boring|depressing|funny"
        r"|rude|pompous|lazy|slow(est)?|stuffy|tiny|overpriced|waste of|what an? \w+)\b"
    ),
    "agrees": (
        r"^(oh |ah |mm+ |ooh |well )*(good|great|nice|lovely|perfect|excellent|fine|wise|sensible"
        r"|understandable|true|right|exactly|indeed|naturally|of course|fair enough|well done"
        r"|that figures|makes sense|yes|yeah|sure|very)\b"
    ),
    "why_so": r"\b(because|since|as) (nobody|everybody|everyone|no one|they|it|he|she|we|these|those|the|that|there)\b",
    "forget": r"\b(forget|forgot|forgotten)\b",
    "weekday": r"\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b",
    "duty": (
        r"\byou(r| are| were|'re)? (\w+ )?(have|had|promised|told|supposed|meant|allergic|diabetic)\b"
        r"|\b(allerg\w+|diabetic|pregnant|pacemaker|dialysis|plaster|blood thinners)\b"
    ),
    "must_not": (
        r"\b(mustn'?t|must not|not allowed|no \w+ing|certainly not|absolutely not|not until|only (the"
        r"|a) \w+ (may|can|should))\b"
    ),
    "day_talk": (
        r"\b(weather|sunset|sunny|rain(ing)?|evening|morning|garden|outside|cold today|hot today|birthday"
        r"|holiday)\b"
    ),
}

CUES_PT: dict[str, str] = {
    "no_first": r"^(ai |espera |calma )?(não|nem pensar|para|nada disso)\b",
    "wait_first": r"^(espera|calma|alto|aguarda|ainda não)\b",
    "actually": r"\b(afinal|antes|por acaso|em vez|melhor)\b",
    "not_but": r"\bnão (é|foi|era|no|na|o|a)\b|, não \w+|\berrado\b",
    "you_mean": r"\b(queres|quer|querem) dizer\b",
    "gives_answer": r"^(ah,? |olha,? )?(é|foi|era|chama-se|são|eram)\b",
    "called": r"\bchama-se\b",
    "and_first": r"^(e|mas só|também|com)\b",
    "make_it": r"\b(faz isso|inclui|diz-lhe|diz isso|também)\b",
    "tell_it": r"\b(pergunta|pede|pedires|diz|procura|usa|toma|mostra|dá)\b",
    "lets": r"\b(vamos|deixa-me|é melhor|talvez)\b",
    "check_first": r"\b(ver|falar|perguntar|saber)\b.*\b(primeiro|antes|se)\b",
    "must": r"\b(tens de|tem de|temos de|precisa\w*|é preciso|deves?)\b",
    "cannot": r"\bnão (pod\w+|consegu\w+|dev\w+)\b|\bsó\b",
    "remember_that": r"\blembras-te\b|\besqueceste-te\b|\bdisse(ram)? (para|que)\b",
    "already": r"\bjá (cheg\w+|veio|cá|comprei|fiz|comprou)\b|\beu já\b",
    "third_person_want": r"\b(ele|ela) quer\b|\bquer é\b",
    "third_person_fact": r"\b(ele|ela) (tem|teve|toma|tomou|é|está|ficou|acorda|dorme|disse|não tem|não toma)\b",
    "number": r"\d|\b(um|uma|dois|duas|três|quatro|cinco|seis|sete|oito|nove|dez|vinte|trinta|meio|mil)\b",
    "faster": r"\b(mais (perto|rápido|fácil|barato))\b",
    "danger": r"\b(perig\w+|venen\w+)\b",
    "reminds": r"\b(faz-me lembrar|lembra-me|isso lembra)\b",
    "by_the_way": r"\b(já agora|viste|sabes o que)\b",
    "praise": (
        r"\b(boa|bom|grande|que boa|excelente|ótima) (ideia|escolha|pergunta|hora)\b|\bmuito bem\b"
        r"|\bfaz sentido\b|\bexcelente\b"
    ),
    "same": r"\b(a pensar nisso|ia (dizer|perguntar)|as palavras da boca)\b",
    "because_first": r"^(sim|pois|claro|ainda bem)[, ].*\b(porque|senão|que)\b",
    "opinion": r"\b(sinceramente|seca|tristeza|detesta|adoro|giro|graça)\b",
    "i_past": r"\b(comprei|vi|li|fui|fomos|perdemos|deram-me|experimentei)\b",
    "time_past": r"\b((o |a )?(mês|semana|ano) passad[oa]|há anos|há quanto tempo|no outro dia)\b",
    "why_you": r"\b(porquê|porque é que|para que é que|para quê)\b",
    "which_what": r"^(mas )?(qual|quais|quem|que|onde)\b.*\?",
    "did_you_say": r"\bdisseste\b|\ba sério\b",
    "do_you_want": r"\b(queres|precisas|usamos|ponho|vais)\b.*\?|\bou\b.*\?",
    "echo_question": r"^\w+( \w+){0,2}\? ",
    "domestic": r"\b(jantar|almoço|miúdos|leite|compras|novela|chaves|cão|carteiro|batatas|comboio|roupa)\b",
    "broadcast": r"\b(meteorologia|golo|leve dois|só este fim|bem-vindos)\b",
    "first_person_want": r"\beu gostava\b|\beu quero\b",
    "health": (
        r"\b(dor|dores|febre|comprimidos?|dose|miligramas?|ferida|penso|sangue|tonturas?|médico"
        r"|enfermeira|cirurgião|alérgic[oa]|engolir|varfarina|aspirina|insulina|diálise|andarilho)\b"
    ),
    "negated_do": r"\bnão (canceles|pares|tomes|mistures)\b",
}

TABLES = {"en": CUES_EN, "pt": CUES_PT}


def base_language(language: str) -> str:
    """The table to read with: "pt" for any Portuguese, else "en"."""
    return "pt" if language.lower().startswith("pt") else "en"


@lru_cache(maxsize=4)
def compiled(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The cues of a base language, ready to match lower-case text."""
    return tuple((name, re.compile(pattern)) for name, pattern in TABLES[language].items())


_NO_APOSTROPHE = re.compile(
    r"\b(don|doesn|didn|isn|aren|wasn|weren|won|can|couldn|shouldn|wouldn|haven|hasn|hadn|mustn)t\b"
)
_BARE = re.compile(
    r"\b(it|that|he|she|there|what|who|where|let|here)s\b|\b(they|you|we)re\b|\b(i|they|you|we)ve\b|\bim\b"
)


def normalised(text: str) -> str:
    """Lower case, plain apostrophes (put back where a recogniser left them out), single spaces; punctuation stays."""
    plain = " ".join(text.lower().replace("’", "'").replace("…", " ").replace("...", " ").split())
    plain = _NO_APOSTROPHE.sub(lambda found: f"{found[1]}'t", plain)
    return _BARE.sub(lambda found: _with_apostrophe(found[0]), plain)


def _with_apostrophe(word: str) -> str:
    cut = 2 if word.endswith(("re", "ve")) else 1
    return f"{word[:-cut]}'{word[-cut:]}"


def words_of(text: str) -> list[str]:
    """Words of normalised text, without punctuation."""
    return re.findall(r"[^\W\d_]+(?:['-][^\W\d_]+)*|\d+", normalised(text))


def features_of(text: str, before: str, language: str) -> set[str]:
    """Everything the weights may look at: cues, words, word pairs, length, and what is shared with what came before."""
    base, plain = base_language(language), normalised(text)
    words = words_of(text)
    found = {f"cue:{name}" for name, pattern in compiled(base) if pattern.search(plain)}
    found |= {f"w:{word}" for word in words}
    found |= {f"p:{first} {second}" for first, second in zip(["^", *words], words, strict=False)}
    found.add(f"length:{min(len(words) // 4, 5)}")
    if "?" in text:
        found.add("cue:question")
    if text.rstrip().endswith("?"):
        found.add("cue:ends_in_question")
    shared = {word for word in words if len(word) > 3} & {word for word in words_of(before) if len(word) > 3}
    if shared:
        found.add("cue:shares_words")
    return found
