"""Light stems, so that a word and its inflections meet; made for matching, never for reading.

Owns English and Portuguese suffixes and irregular forms. A stem never crosses from one language to the other.
"""

from __future__ import annotations

from functools import lru_cache

_EN_IRREGULAR_LINES = """
be is are was were been being am
have has had having
do does did done doing
go goes went gone going
take takes took taken taking
get gets got gotten getting
come comes came coming
ring rings rang rung ringing
feel feels felt feeling
keep keeps kept keeping
eat eats ate eaten eating
drink drinks drank drunk drinking
drive drives drove driven driving
see sees saw seen seeing
say says said saying
tell tells told telling
give gives gave given giving
make makes made making
sit sits sat sitting
stand stands stood standing
lie lies lay lain lying
rise rises rose risen rising
fall falls fell fallen falling
bleed bleeds bled bleeding
speak speaks spoke spoken speaking
break breaks broke broken breaking
wake wakes woke woken waking
wear wears wore worn wearing
put puts putting
cut cuts cutting
hurt hurts hurting
swell swells swelled swollen swelling
lose loses lost losing
leave leaves leaving
bring brings brought bringing
think thinks thought thinking
forget forgets forgot forgotten forgetting
begin begins began begun beginning
stop stops stopped stopping
become becomes became becoming
hold holds held holding
write writes wrote written writing
sleep sleeps slept sleeping
find finds found finding
run runs ran running
let lets letting
hear hears heard hearing
throw throws threw thrown throwing
grow grows grew grown growing
shake shakes shook shaken shaking
bite bites bitten biting
foot feet
tooth teeth
child children
woman women
man men
calf calves
leaf leaves
worse worst
dose doses
tie ties tied tying
use uses used using
cause causes caused causing
rinse rinses rinsed rinsing
nurse nurses
die dies died dying
early earlier
send sends sent sending
spend spends spent spending
buy buys bought buying
catch catches caught catching
meet meets met meeting
pay pays paid paying
sell sells sold
stick sticks stuck sticking
swim swims swam swum swimming
blow blows blew blown blowing
fly flies flew flown flying
know knows knew known knowing
show shows showed shown showing
choose chooses chose chosen
tear tears tore torn
bend bends bent bending
hide hides hid hidden
read reads reading
feed feeds fed feeding
learn learns learnt learned learning
burn burns burnt burned burning
build builds built building
rub rubs rubbed rubbing
heavy heavier
dry dries dried drying
itchy itching itch itches
dizzy dizziness
"""
_EN_IRREGULAR = {form: line.split()[0] for line in _EN_IRREGULAR_LINES.strip().splitlines() for form in line.split()}
_EN_KEEP = frozenset(
    (
        "quite caring spine earring earrings this his is us was as has does yes less unless always perhaps "
        "news plus gas bus pus diabetes rabies series ambulance across address access illness process pass "
        "class glass mass press stress dress loss abscess during anything nothing something everything "
        "morning evening spring string thing wing king bring sing need feed bleed speed seed bed red hundred "
        "asthma once twice thermos sepsis thrombosis diagnosis"
    ).split()
)
_PT_SUFFIXES = (
    "amentos",
    "imentos",
    "amento",
    "imento",
    "adamente",
    "idamente",
    "mente",
    "acoes",
    "icoes",
    "acao",
    "icao",
    "aremos",
    "eremos",
    "iremos",
    "assemos",
    "ariam",
    "eriam",
    "iriam",
    "avamos",
    "asse",
    "esse",
    "isse",
    "ando",
    "endo",
    "indo",
    "adas",
    "idas",
    "ados",
    "idos",
    "ada",
    "ida",
    "ado",
    "ido",
    "amos",
    "emos",
    "imos",
    "aram",
    "eram",
    "iram",
    "aria",
    "eria",
    "iria",
    "arei",
    "erei",
    "irei",
    "ares",
    "eres",
    "ires",
    "arem",
    "erem",
    "irem",
    "ava",
    "avam",
    "iam",
    "ara",
    "era",
    "ira",
    "ou",
    "eu",
    "iu",
    "ei",
    "ar",
    "er",
    "ir",
    "am",
    "em",
    "as",
    "es",
    "os",
    "is",
    "ia",
    "a",
    "e",
    "o",
    "i",
    "s",
)
_PT_IRREGULAR_LINES = """
ser eh e sou somos sao foi foram era eram seja sejam sido for
estar esta estao estou esteja estejam estava esteve estiver estado
ter tem tenho teem tenha tenham teve tinha tiver tido
ir vai vou vao va vamos
fazer faz faco faca facam fez fizer feito fazem
por poe ponho ponha ponham pos puser posto poem
ver veja vejam vejo ve viu vir visto
dar da de deem deu der dado
dizer diz diga digam digo disse disser dito
poder pode posso possa possam podem pude puder
querer quer quero queira quis quiser
trazer traz traga tragam trouxe trouxer
doer doi doem doa doeu doerem doendo
sentir sinta sinto sente sintam sentiu
pedir peca peco pede pecam pediu
medir meca meco mede mecam mediu
perder perca perco perde perdeu
dormir durma durmo dorme
vestir veste vestido
conduzir conduza conduz conduzam conduzo
seguir siga sigo segue sigam
subir suba sobe subo subiu
cobrir cubra cobre
ligar ligue ligo liga liguem ligamos ligar-lhe
comecar comece comeca comecou comecarem
ficar fique fica ficou fiquem ficarem
marcar marque
tocar toque
trocar troque troca
secar seque
picar pique
descansar descanse
pagar pague
carregar carregue
beber beba bebe bebam bebo
comer coma come comam
mao maos
dor dores
pe pes
medico medica medicos medicas
enfermeiro enfermeira enfermeiros enfermeiras
pele peles
nadar
gravida gravidas
coracao coracoes
coco
sentidos
volante
solar
penso pensos
pensamento pensamentos
qualquer quaisquer
marco
boca bocas
bocado bocados bocadinho bocadinhos
cama camas
camara
copia copias
sal
sala salas
quarto quartos
quarta
corte cortes
parte partes
partos
pesado pesada pesados pesadas
custo custos
aplicacao
gelo
movimento movimentos
algo
alguem
privado privada
relacao
relacoes
ver veja vejam vejo ve viu vir visto vista-se
nota notas
fala
braco bracos
perna pernas
joelho joelhos
hospital
mes meses
olho olhos
comprimido comprimidos
gravar grava gravada gravado gravadas gravados gravamos gravacao gravacoes grave-se
comida comidas
dormente dormentes
parar pare parem parou parado parada parei
ponto pontos
peso pesos
logo
lado lados
casa casas
haver ha houver haja houve havia
vier vem venha
tirar tira tire tiram tirem tirou
baixo
sangue
sentado sentada
cabeca cabecas
consulta consultas
vista vistas
"""
_PT_IRREGULAR = {form: line.split()[0] for line in _PT_IRREGULAR_LINES.strip().splitlines() for form in line.split()}
_PT_STEM_MIN = 3
_PT_NEVER = frozenset(
    "com par sem ate nos por ser ter tem sob mas dos das ess est tud tod ant dur qual quand cad".split()
)
"""Stems that would be function words or nothing in particular; the word stays whole instead."""


@lru_cache(maxsize=65536)
def stem(word: str, language: str) -> str:
    """Give the stem of a folded word in a base language; the word itself in any other language."""
    if not word or word[0].isdigit():
        return word
    if language == "en":
        return _stem_en(word)
    if language == "pt":
        return _stem_pt(word)
    return word


def _stem_en(word: str) -> str:
    if word in _EN_IRREGULAR:
        return _EN_IRREGULAR[word]
    if word in _EN_KEEP or len(word) < 4:
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("ing") and len(word) > 5:
        return _undouble(word[:-3])
    if word.endswith("ed") and len(word) > 4:
        return _undouble(word[:-2])
    if word.endswith("ly") and len(word) > 5:
        return word[:-2]
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return word[:-1] if word.endswith("e") and len(word) > 4 else word


def _undouble(base: str) -> str:
    if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz":
        return base[:-1]
    if base.endswith("i"):
        return base[:-1] + "y"
    return base


def _stem_pt(word: str) -> str:
    if word in _PT_IRREGULAR:
        return _PT_IRREGULAR[word]
    for suffix in _PT_SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _PT_STEM_MIN:
            base = word[: -len(suffix)]
            if base in _PT_NEVER:
                return word
            return base.replace("qu", "c").replace("gu", "g") if base.endswith(("qu", "gu")) else base
    return word
