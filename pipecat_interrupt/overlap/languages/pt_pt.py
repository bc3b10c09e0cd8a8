"""European Portuguese: what its words do in an overlap. Not reviewed by a native speaker yet (`reviewed=False`).

Own lists from everyday phrases and the drafts of seed 002 ("Pois.", "Para, por favor.", "Afinal, queria dizer Porto.").
No data was at hand to train or measure on: every row wants native review before it is relied on.
"""

from __future__ import annotations

from pipecat_interrupt.overlap.languages.table import HumRule, LanguageTable
from pipecat_interrupt.overlap.tokens import phrases

EUROPEAN_PORTUGUESE = LanguageTable(
    code="pt-PT",
    accepts=frozenset({"pt", "pt-pt"}),
    hums=HumRule(
        letters=frozenset("mhuãaé"),
        needs=frozenset("mhã"),
        # "um" is a number and an article here, never a sound of hesitation.
        never=frozenset(
            {"um", "uma", "uhm", "ah", "eh", "ha", "há", "hum", "ama", "mau", "mãe", "má", "mã", "hã", "h", "m"}
        ),
    ),
    affirming_hums=phrases("hum-hum, hm-hm, mm-hm, mhm, uhum, aham, ahã, hã-hã"),
    continuers=phrases(
        """pois, pois é, pois pois, hum, hm, mm, ah, ah pois, estou a ver, tou a ver, ah sim, ah ok, a sério, ai é, ai
        sim, já percebi, percebi, percebo, entendo, compreendo, entendi, m, h"""
    ),
    polite=phrases(
        """obrigado, obrigada, muito obrigado, muito obrigada, obrigadinho, obrigadinha, faz sentido, está bem, tá bem,
        está bom, muito bem, ótimo, óptimo, perfeito, excelente, certo, certinho, claro, claro que sim, com certeza,
        exato, exatamente, exacto, exactamente, de acordo, combinado, tudo bem, que bom, ainda bem, sem problema, não
        faz mal, fica combinado, isso mesmo, é isso, isso"""
    ),
    yes=phrases("sim, sim sim, ok, okay, é, é sim, tá, está, sim senhor, sim senhora"),
    no=phrases("não, não não, nada, nunca, de todo, nem por isso, não senhor, não senhora"),
    fillers=phrases("hã, eh, é pá, epá, deixe ver, deixa ver"),
    openers=phrases("bem, então, portanto, ora, quer dizer, tipo, e, ou, porque"),
    assents=phrases("""claro, claro que sim, com certeza, exato, exatamente, exacto, exactamente, isso, isso mesmo"""),
    # "para" is "stop" and "for" as well.
    weak_stop=phrases("para"),
    stop=phrases(
        """pare, pára, para por favor, pare por favor, pára por favor, espera, espere, espere aí, espera aí, um momento,
        só um momento, um minuto, só um minuto, um segundo, um bocadinho, calma, com licença, desculpe interromper,
        chega, basta, cale-se, cala-te, ouça, oiça, ouve, escute, escuta, deixe-me falar, deixa-me falar, deixe-me
        acabar, posso falar, não espere, não espera, alto, aguarde, peço desculpa, mais devagar"""
    ),
    repair=phrases(
        """o quê, como, como disse, como é, desculpe não percebi, não percebi, não ouvi, não entendi, diga, pode
        repetir, pode repetir por favor, repita, repita por favor, outra vez, pode dizer outra vez, quê, não estou a
        ouvir, não consigo ouvir, não compreendi, o que disse, o que é que disse, quem, quando, onde, quanto,
        quantos, quantas"""
    ),
    corrections=phrases(
        """afinal, aliás, queria dizer, quero dizer, eu queria dizer, está errado, não é isso, não é assim, isso não
        está certo, enganei-me, corrijo, não foi isso que eu disse, eu disse, na verdade, errado"""
    ),
    shifts=phrases("a propósito, já agora, outra coisa, só mais uma coisa, olhe, olha, podemos avançar"),
    contrast=phrases("mas, porém, só que, no entanto, contudo"),
    question_openers=frozenset(
        """quem quando onde como porque porquê qual quais quanto quantos quantas posso devo será""".split()
    ),
    unfinished=frozenset(
        """de do da que o a os as e ou mas se com por em no na um uma eu me para porque quando ao à""".split()
    ),
    conjunctions=frozenset("""e mas ou porque se embora então""".split()),
    hallucinated=phrases("""legendas pela comunidade amara org, obrigado por assistir, inscreva-se no canal, tchau"""),
    reviewed=False,
)
