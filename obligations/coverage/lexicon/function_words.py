"""Words that only hold a sentence together: no slot of their own, and harmless beside a negation."""

from __future__ import annotations

from collections.abc import Mapping

FUNCTION: Mapping[str, frozenset[str]] = {
    "en": frozenset(
        (
            "i you we they he she and or but if when then than as at by for from in into of on onto to with "
            "without until till after before during while within between because since so not no never none nor "
            "neither be is are was were do does did have has had get go got can could will would may might must "
            "should shall that which who what where how there here up down out off over back again more less "
            "most least many much also just yourself yourselves himself themselves themself per each every "
            "both either all about around past s am us me him them once some any it anything something else enough"
        ).split()
    ),
    "pt": frozenset(
        (
            "numa num nuns numas dum duma passado passados passada passadas "
            "eu tu ele ela nos eles elas e ou mas se quando entao que do como a ao aos para por pelo "
            "pela de da do das "
            "dos em no na nos nas com sem ate depois antes durante enquanto entre porque desde nao nunca nem ser eh "
            "esta estar ter tem haver ha ir vai poder pode dever deve mais menos muito tambem ja ainda cada todo "
            "toda todos todas tudo onde qual quem isso isto lhe lhes si mesmo proprio sobre apos sido foi for bem"
        ).split()
    ),
}
"""Words of a point that are never a slot."""

CONNECTING: Mapping[str, frozenset[str]] = {
    "en": frozenset(
        (
            "to you i we be any or and nor either other of ask want let go on with for a drop bit so much as single "
            "kind sort please absolutely ever must should have get them it yourself one more another all at"
        ).split()
    ),
    "pt": frozenset(
        (
            "de a o e ou nem que ande anda andar pode deve voce qualquer mais outro outra outros outras se lhe ser "
            "ir com nenhum nenhuma"
        ).split()
    ),
}
"""Words that may stand between a negation and what it forbids without changing what is forbidden."""

BOUNDS: Mapping[str, frozenset[str]] = {
    "en": frozenset(
        (
            "more fewer than over above no not least most at up to less under below within longer maximum max exceed"
        ).split()
    ),
    "pt": frozenset(
        "mais menos de do que acima abaixo maximo minimo no ate pelo superior inferior nao passar ultrapassar "
        "passados passadas".split()
    ),
}
"""Words of a bound before an amount; no slots of their own there."""

CHANGE_VERBS: Mapping[str, frozenset[str]] = {
    "en": frozenset(
        (
            "drop drops dropped fall falls fell go goes went rise rises rose stay stays is are reach reaches get gets "
            "climb climbs dip dips last lasts for"
        ).split()
    ),
    "pt": frozenset(
        (
            "descer desca desce baixar baixe baixa subir suba sobe estiver passar passe ficar fique durar durarem for"
        ).split()
    ),
}
"""Verbs that only lead to a bound ("drops below four"); the bound says it all."""

GAPPED: Mapping[str, frozenset[str]] = {
    "en": frozenset("keep have take put get bring pick let turn hold leave make".split()),
    "pt": frozenset("trazer ter manter levar por deixar".split()),
}
"""Stems of verbs that hold their object inside a phrase ("keep the cast dry")."""

EVERY: Mapping[str, frozenset[str]] = {
    "en": frozenset({"every", "each"}),
    "pt": frozenset({"todas", "todos", "cada"}),
}
"""Words by which a part of the day is said of each day."""
