"""Words that alignment may drop, and words it must never mistake: numbers aside, those that turn a meaning round.

Owns the light and the guarded words of each language, and pairs of long words that differ in a letter and mean the
opposite.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from obligations.coverage.lexicon.names import MEDICINES
from obligations.coverage.text import base_language

_OPPOSED_PREFIXES = (
    ("hyper", "hypo"),
    ("in", "de"),
    ("in", "ex"),
    ("un", ""),
    ("in", ""),
    ("im", ""),
    ("dis", ""),
    ("non", ""),
    ("pre", "post"),
    ("hiper", "hipo"),
    ("des", ""),
    ("inter", "intra"),
    ("macro", "micro"),
    ("brady", "tachy"),
    ("bradi", "taqui"),
    ("anti", ""),
    ("over", "under"),
)


@dataclass(frozen=True, slots=True)
class Guarded:
    """One language's light and guarded words, folded.

    Parameters:
        fillers: Hesitations, dropped before aligning.
        light: Words whose loss or gain changes nothing that matters.
        exact: Words that must be there as they are, or not at all.
        negators: The exact words that negate.
        same: Words that may stand for each other.
        names: Medicine names; one is never a misrecognised other.
        pairs: Long words that look alike and must not be confused.
        language: Base language; "" for one we have no words for.
    """

    fillers: frozenset[str]
    light: frozenset[str]
    exact: frozenset[str]
    negators: frozenset[str]
    same: tuple[frozenset[str], ...]
    names: frozenset[str]
    pairs: tuple[frozenset[str], ...]
    language: str = ""

    def equal(self, a: str, b: str) -> bool:
        """Say whether two words may stand for each other."""
        return any(a in group and b in group for group in self.same)

    def opposed(self, a: str, b: str) -> bool:
        """Say whether two like words mean different things: a known pair, or a prefix that turns one round."""
        if any(a in pair and b in pair for pair in self.pairs):
            return True
        for x, y in _OPPOSED_PREFIXES:
            for p, q in ((x, y), (y, x)):
                if a.startswith(p) and b.startswith(q) and a[len(p) :] == b[len(q) :] and a != b:
                    return True
        return False


_EN = Guarded(
    language="en",
    fillers=frozenset("um uh uhm umm erm er err ah oh hmm hm mm eh like".split()),
    light=frozenset(
        "a an the of to in on at for with by as and that this these those it is are was be been being am "
        "s do does did have has had "
        "will would shall should can could may might must you your i we us our me my they them their "
        "please so just then there here "
        "also too well now really very quite some any if or about up out over off into from who which "
        "what when where how okay ok "
        "right yes sure actually basically".split()
    ),
    exact=frozenset(
        "not no never none nothing without nor neither cannot unless until till before after during "
        "within under over more less fewer least most "
        "only except every each both either all left right top bottom upper lower high low hot cold up "
        "down in out stop start "
        "once twice daily weekly hourly monthly morning evening night noon midday afternoon today "
        "tomorrow yesterday am pm same "
        "increase decrease raise reduce double half wet dry open closed empty full with".split()
    )
    - frozenset("up down in out over right with".split()),
    negators=frozenset("not no never none nothing without nor neither unless".split()),
    same=(
        frozenset({"metre", "meter"}),
        frozenset({"ok", "okay"}),
        frozenset({"gp", "doctor"}),
        frozenset({"color", "colour"}),
        frozenset({"till", "until"}),
        frozenset({"grey", "gray"}),
        frozenset({"program", "programme"}),
        frozenset({"anaesthetic", "anesthetic"}),
        frozenset({"do", "please"}),
        frozenset({"a&e", "ae"}),
    ),
    names=MEDICINES,
    pairs=(
        frozenset({"prescribe", "proscribe"}),
        frozenset({"inhale", "exhale"}),
        frozenset({"ileum", "ilium"}),
        frozenset({"diary", "dairy"}),
        frozenset({"abduct", "adduct"}),
        frozenset({"palpation", "palpitation"}),
        frozenset({"dilated", "diluted"}),
        frozenset({"patient", "patience"}),
        frozenset({"breath", "breast"}),
        frozenset({"tablet", "table"}),
        frozenset({"lotion", "potion"}),
        frozenset({"friday", "monday"}),
        frozenset({"tuesday", "thursday"}),
        frozenset({"sunday", "monday"}),
        frozenset({"saturday", "sunday"}),
        frozenset({"thirst", "first"}),
        frozenset({"swallow", "shallow"}),
        frozenset({"lighter", "tighter"}),
        frozenset({"harder", "warder"}),
        frozenset({"looser", "closer"}),
        frozenset({"stronger", "strange"}),
        frozenset({"slower", "lower"}),
        frozenset({"higher", "hire"}),
        frozenset({"water", "later"}),
        frozenset({"fasting", "lasting"}),
        frozenset({"feeding", "bleeding"}),
        frozenset({"hearing", "healing"}),
        frozenset({"eating", "heating"}),
        frozenset({"doctor", "daughter"}),
        frozenset({"mouth", "month"}),
        frozenset({"morning", "mourning"}),
        frozenset({"clinic", "critic"}),
    ),
)
_PT = Guarded(
    language="pt",
    fillers=frozenset("hum hmm hm ah eh er mm aham uhm pronto pronto".split()),
    light=frozenset(
        "o a os as um uma uns umas de do da dos das em no na nos nas por pelo pela pelos pelas para ao "
        "aos que se e eh lhe lhes me te "
        "isto isso esse essa este esta estes estas aquele aquela seu sua seus suas meu minha ja la ca ai "
        "entao tambem muito bem "
        "pode deve tem ter ser estar esta sao foi ir vai vou faz favor por isso assim ou como quando "
        "onde qual olhe ora ha ate".split()
    )
    - frozenset({"sem", "ate"}),
    exact=frozenset(
        "nao nunca nem nenhum nenhuma nada sem ate antes depois durante mais menos so apenas exceto "
        "excepto cada todos todas "
        "esquerdo esquerda direito direita alto baixo alta baixa quente frio fria manha tarde noite hoje "
        "amanha ontem mesmo proprio "
        "metade dobro seco molhado vazio cheio aumentar diminuir parar comecar".split()
    ),
    negators=frozenset("nao nunca nem nenhum nenhuma nada sem".split()),
    same=(
        frozenset({"telefonar", "ligar"}),
        frozenset({"telefone", "ligue"}),
        frozenset({"tomar", "tome"}),
        frozenset({"voce", "senhor"}),
    ),
    names=MEDICINES,
    pairs=(
        frozenset({"inspirar", "expirar"}),
        frozenset({"segunda", "quarta"}),
        frozenset({"quarta", "quinta"}),
        frozenset({"sexta", "sesta"}),
        frozenset({"junho", "julho"}),
        frozenset({"manha", "amanha"}),
        frozenset({"direito", "direita"}),
        frozenset({"aumentar", "alimentar"}),
        frozenset({"pesado", "passado"}),
        frozenset({"inchado", "fechado"}),
        frozenset({"molhado", "olhado"}),
        frozenset({"ferida", "bebida"}),
    ),
)
_NONE = Guarded(frozenset(), frozenset(), frozenset(), frozenset(), (), MEDICINES, ())
_BY_LANGUAGE: Mapping[str, Guarded] = {"en": _EN, "pt": _PT}


def guarded_for(language: str) -> Guarded:
    """Give a language's light and guarded words; a language we have none for gets none, so only exact words align."""
    return _BY_LANGUAGE.get(base_language(language), _NONE)
