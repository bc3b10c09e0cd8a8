"""Own wording in disturbed surroundings, and changed: what the coverage evaluation makes of each point.

Owns the generator. Every case says whether the whole wording is still there, so both recall and false finds can be
counted.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from num2words import num2words

from obligations.coverage.protocol import PointText
from obligations.coverage.text import base_language, tokenise

CASES_PER_DISTURBANCE = 4
WORD_ERROR_RATE = 0.08
"""Share of the words a simulated recogniser mishears; the local recogniser measured 1.4 to 11 % on clean speech."""

_AROUND: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "en": (
        (
            "",
            "Right. ",
            "One more thing for the next few weeks: ",
            "Thanks for telling me that, it helps. ",
            "Now, this is the important part. ",
            "So, coming back to what I was saying: ",
            "I'm glad you're on the mend. The main thing is this: ",
        ),
        (
            "",
            " All right?",
            " I'll pop that in the letter as well.",
            " Do you have a pen handy?",
            " Shall we go on?",
            " And how are you sleeping?",
            " The nurse will go through the rest.",
        ),
    ),
    "pt": (
        (
            "",
            "Muito bem. ",
            "Mais uma coisa para as próximas semanas: ",
            "Obrigado por me dizer, ajuda muito. ",
            "Agora a parte importante. ",
            "Voltando ao que eu dizia: ",
            "Ainda bem que está melhor. O principal é isto: ",
        ),
        (
            "",
            " Está bem?",
            " Isto também vai na carta.",
            " Tem uma caneta à mão?",
            " Vamos continuar?",
            " E como tem dormido?",
            " O resto é com a enfermeira.",
        ),
    ),
}
_FILLERS: Mapping[str, tuple[str, ...]] = {"en": ("um", "er", "uh", "erm"), "pt": ("hum", "ah", "eh")}
_MISHEARD: Mapping[str, tuple[tuple[str, str], ...]] = {
    "en": (
        ("ough", "uff"),
        ("tion", "shun"),
        ("ph", "f"),
        ("ight", "ite"),
        ("ck", "k"),
        ("ea", "ee"),
        ("ll", "l"),
        ("ss", "s"),
        ("ie", "y"),
        ("our", "or"),
        ("th", "f"),
        ("ing", "in"),
        ("le", "el"),
        ("ou", "ow"),
        ("ai", "ay"),
        ("c", "k"),
        ("s", "z"),
        ("e", "i"),
    ),
    "pt": (
        ("ção", "são"),
        ("ss", "s"),
        ("ç", "s"),
        ("lh", "l"),
        ("nh", "n"),
        ("ch", "x"),
        ("rr", "r"),
        ("qu", "k"),
        ("ei", "e"),
        ("ou", "o"),
        ("z", "s"),
        ("e", "i"),
        ("o", "u"),
    ),
}
_LIGHT: Mapping[str, frozenset[str]] = {
    "en": frozenset("the a an of to in your you it that is are for and be".split()),
    "pt": frozenset("o a os as de do da um uma e que em no na".split()),
}
_NEGATIONS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "en": (
        ("do not ", ""),
        ("never ", "always "),
        ("Do not ", ""),
        ("no more than", "more than"),
        ("no ", "some "),
        (" can ", " can not "),
        (" will be ", " will not be "),
        (" is being ", " is not being "),
        (" is normal", " is not normal"),
        (" are normal", " are not normal"),
    ),
    "pt": (
        ("Não ", ""),
        ("não ", ""),
        ("nunca ", "sempre "),
        ("É normal", "Não é normal"),
        ("Pode ", "Não pode "),
        (" pode ", " não pode "),
    ),
}
_LIFTS: Mapping[str, tuple[str, ...]] = {
    "en": (
        "There is no need to do the following: ",
        "You told me somebody said: ",
        "I'll tell you later what to do, but not yet: ",
        "It is not true that ",
    ),
    "pt": ("Não é preciso ", "O senhor disse-me que ", "Daqui a pouco digo-lhe porquê: ", "Não é verdade que "),
}


@dataclass(frozen=True, slots=True)
class Disturbed:
    """One text with a wording in it, whole or changed.

    Parameters:
        text: The text.
        disturbance: How it was made.
        lang: Language tag of the point.
        whole: Whether the wording is still whole in it and stated, so that a matcher should find it.
    """

    text: str
    disturbance: str
    lang: str
    whole: bool


def disturbed_wordings(point: PointText, seed: int) -> Iterator[Disturbed]:
    """Make every case for one point; the same seed makes the same cases."""
    lang = base_language(point.language)
    if lang not in _AROUND:
        return
    rng = random.Random(f"{seed}:{point.language}:{point.wording}")
    for _ in range(CASES_PER_DISTURBANCE):
        yield _case(_around(point.wording, lang, rng), "surroundings", point)
        yield _case(_around(_cut_after(point.wording, lang, rng), lang, rng, after=False), "cut_after", point)
        yield _case(_around(_disfluent(point.wording, lang, rng), lang, rng), "disfluency", point)
        yield _case(_transcript(_around(_spoken(point.wording, lang), lang, rng)), "spoken_numbers", point)
        yield _case(_transcript(_around(_noisy(point.wording, lang, rng), lang, rng)), "recogniser_noise", point)
    yield from _changed(point, lang, rng)


def _case(text: str, disturbance: str, point: PointText, *, whole: bool = True) -> Disturbed:
    return Disturbed(text, disturbance, point.language, whole)


def _changed(point: PointText, lang: str, rng: random.Random) -> Iterator[Disturbed]:
    """Texts in which the wording is no longer what it was, or is not stated."""
    words = point.wording.split()
    keep = rng.randint(len(words) // 2, max(len(words) // 2, len(words) - 3))
    yield _case(_around(" ".join(words[:keep]), lang, rng, after=False), "cut_inside", point, whole=False)
    for old, new in _NEGATIONS[lang]:
        if old in point.wording:
            yield _case(_around(point.wording.replace(old, new, 1), lang, rng), "negation_changed", point, whole=False)
            break
    number = _number_changed(point.wording, lang)
    if number is not None:
        yield _case(_around(number, lang, rng), "number_changed", point, whole=False)
    yield _case(
        _around(rng.choice(_LIFTS[lang]) + _lower_first(point.wording), lang, rng), "not_stated", point, whole=False
    )


def _around(wording: str, lang: str, rng: random.Random, *, after: bool = True) -> str:
    before, behind = _AROUND[lang]
    return rng.choice(before) + wording + (rng.choice(behind) if after else "")


def _cut_after(wording: str, lang: str, rng: random.Random) -> str:
    tails = {
        "en": (" And if you are", " because sometimes it", " so that we can"),
        "pt": (" E se por acaso", " porque às vezes isto", " para podermos"),
    }
    return wording.rstrip(".") + rng.choice(tails[lang])


def _disfluent(wording: str, lang: str, rng: random.Random) -> str:
    words = wording.split()
    for _ in range(2):
        at = rng.randrange(1, len(words))
        words.insert(at, rng.choice(_FILLERS[lang]) if rng.random() < 0.5 else words[at].rstrip(",.;"))
    return " ".join(words)


def _spoken(wording: str, lang: str) -> str:
    """Write every number of digits in words, as a voice says it."""

    def say(match: re.Match[str]) -> str:
        raw = match.group()
        if raw in {"999", "112", "911", "111"}:
            return (
                " ".join(num2words(int(d), lang=lang) for d in raw) if lang == "en" else num2words(int(raw), lang="pt")
            )
        return str(num2words(float(raw.replace(",", ".")) if re.search(r"[.,]", raw) else int(raw), lang=lang))

    return re.sub(
        r"\d+(?:[.,]\d+)?",
        say,
        wording.replace("A&E", "A and E").replace(" mg", " milligrams" if lang == "en" else " miligramas"),
    )


def _noisy(wording: str, lang: str, rng: random.Random) -> str:
    """Mishear words as a recogniser does: sounds alike, split in two, joined, a small word lost or added."""
    out: list[str] = []
    for word in _spoken(wording, lang).split():
        bare = word.strip(",.;").lower()
        if rng.random() >= WORD_ERROR_RATE or any(t.value is not None for t in tokenise(bare, lang).tokens):
            out.append(word)
            continue
        if bare in _LIGHT[lang]:
            if rng.random() < 0.5:
                continue
            out.append(rng.choice(sorted(_LIGHT[lang])))
        elif len(bare) >= 8 and rng.random() < 0.4:
            cut = len(bare) // 2
            out += [bare[:cut], bare[cut:]]
        elif len(bare) >= 5:
            out.append(_sounds_like(bare, lang, rng))
        else:
            out.append(word)
    return " ".join(out)


def _sounds_like(word: str, lang: str, rng: random.Random) -> str:
    fitting = [(old, new) for old, new in _MISHEARD[lang] if old in word]
    if not fitting:
        return word
    old, new = rng.choice(fitting)
    return word.replace(old, new, 1)


def _transcript(text: str) -> str:
    """Drop case and punctuation, as a plain transcript does."""
    return re.sub(r"[.,;:?!]", "", text).lower()


def _number_changed(wording: str, lang: str) -> str | None:
    """Put another number, or another unit, in the place of the first one."""
    digits = re.search(r"\d+", wording)
    if digits:
        return wording[: digits.start()] + str(int(digits.group()) + 2) + wording[digits.end() :]
    swaps = {
        "en": (
            ("fifteen", "fifty"),
            ("twenty-four", "forty-eight"),
            ("twenty", "two"),
            ("twelve", "two"),
            ("eight", "eighteen"),
            ("four weeks", "four days"),
            ("two days", "ten days"),
            ("two kilos", "twelve kilos"),
            ("ten times", "two times"),
            ("three days", "three weeks"),
            ("every hour", "every day"),
        ),
        "pt": (
            ("quinze", "cinquenta"),
            ("vinte", "dois"),
            ("quatro semanas", "quatro dias"),
            ("dois dias", "dez dias"),
            ("dois quilos", "doze quilos"),
            ("oito", "dezoito"),
            ("três dias", "três semanas"),
            ("dez", "duas"),
        ),
    }
    for old, new in swaps[lang]:
        if re.search(rf"\b{old}\b", wording):
            return re.sub(rf"\b{old}\b", new, wording, count=1)
    return None


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]
