"""Words of a point that need no counterpart in a text, in each language. Owns the words only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from obligations.coverage.text import base_language


@dataclass(frozen=True, slots=True, kw_only=True)
class SparedWords:
    """One language's words, over token norms.

    Parameters:
        perceives: Verbs of noticing. for_example: words that open an example. portions: parts of a medicine.
        of: The word between a portion and its thing. each: words before such a portion.
        materials: What a thing is made of. places: place words before a part of the body.
        lines: Words for the line that is spoken on. only: words that narrow an amount.
    """

    perceives: frozenset[str]
    for_example: frozenset[tuple[str, ...]]
    portions: frozenset[str]
    of: frozenset[str]
    each: frozenset[str]
    materials: frozenset[str]
    places: frozenset[str]
    lines: frozenset[str]
    only: frozenset[str]


_EN = SparedWords(
    perceives=frozenset("see sees saw notice notices spot spots observe find feel feels have get gets".split()),
    for_example=frozenset({("such", "as"), ("like",), ("for", "example"), ("eg",)}),
    portions=frozenset("dose doses puff use go".split()),
    of=frozenset({"of"}),
    each=frozenset("every each a the any".split()),
    materials=frozenset("plastic metal rubber cotton paper clear transparent firm gentle dark".split()),
    places=frozenset({"over", "on", "in", "onto"}),
    lines=frozenset("line call service number phone".split()),
    only=frozenset({"only"}),
)
_PT = SparedWords(
    perceives=frozenset("vir ver vires notar encontrar reparar sentir tiver aparecer chegar".split()),
    for_example=frozenset({("por", "exemplo"), ("como",), ("tal", "como")}),
    portions=frozenset("dose doses toma tomas utilizacao puff".split()),
    of=frozenset("de do da dos das".split()),
    each=frozenset("cada uma a qualquer".split()),
    materials=frozenset("plastico metal borracha algodao papel transparente firme escura escuro".split()),
    places=frozenset("sobre em no na".split()),
    lines=frozenset("linha chamada servico numero telefone".split()),
    only=frozenset("so apenas somente".split()),
)
_BY_LANGUAGE: Mapping[str, SparedWords] = {"en": _EN, "pt": _PT}


def spared_words(language: str) -> SparedWords | None:
    """Give a language's spared words; None when we have none for it."""
    return _BY_LANGUAGE.get(base_language(language))
