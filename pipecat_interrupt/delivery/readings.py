"""How written figures are said: numbers, doses, money, dates, times, abbreviations, spelled words.

Owns the spoken forms of English and European Portuguese. A reading is a list of folded words; a token with readings is
heard only when one of them is complete, or when a later word of the text has been heard. It must never be used to
decide what was said: only to find the place in the written text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from num2words import num2words

Reading = tuple[str, ...]

READINGS_MAX = 24
"""More ways than these to say one token are not kept."""

_NUMBER = re.compile(r"^[+\-−]?\d[\d.,'\u00a0]*\d$|^[+\-−]?\d$|^[.,]\d+$")
_CORE = re.compile(r"^[^\w$€£%°+\-−.,]*(.*?)[^\w$€£%°]*$", re.DOTALL)
_MONEY = re.compile(r"^([$€£])\s?(\d[\d.,]*)$|^(\d[\d.,]*)([$€£])$")
_PERCENT = re.compile(r"^([+\-−]?\d[\d.,]*)%$")
_ISO_DATE = re.compile(r"^(\d{4})-(\d{2})-(\d{2})$")
_SLASH_DATE = re.compile(r"^(\d{1,2})[/.](\d{1,2})[/.](\d{2,4})$")
_TIME = re.compile(r"^(\d{1,2})[:h](\d{2})$")
_QUANTITY = re.compile(r"^([+\-−]?\d[\d.,]*)([a-zA-Zµμ°]{1,6}(?:/[a-zA-Z]{1,4})?)$")
_ORDINAL = re.compile(r"^(\d{1,3})(st|nd|rd|th|º|ª|o|a)$")
_FRACTION = re.compile(r"^(\d{1,2})/(\d{1,2})$")
_RANGE = re.compile(r"^(\d+)[\-–](\d+)$")
_ACRONYM = re.compile(r"^(?:[A-Z]{2,6}|(?:[A-Za-z]\.){2,6})s?$")

_UNITS: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {
        "mg": ("milligrams", "milligram"),
        "mcg": ("micrograms", "microgram"),
        "µg": ("micrograms", "microgram"),
        "μg": ("micrograms", "microgram"),
        "g": ("grams", "gram"),
        "kg": ("kilograms", "kilogram", "kilos", "kilo"),
        "ml": ("millilitres", "milliliters", "millilitre", "milliliter", "mils"),
        "l": ("litres", "liters", "litre", "liter"),
        "cm": ("centimetres", "centimeters", "centimetre", "centimeter"),
        "mm": ("millimetres", "millimeters", "millimetre", "millimeter"),
        "km": ("kilometres", "kilometers"),
        "h": ("hours", "hour"),
        "min": ("minutes", "minute"),
        "mmhg": ("millimetres of mercury", "millimeters of mercury"),
        "mmol/l": ("millimoles per litre", "millimoles per liter"),
        "iu": ("international units", "i u"),
        "%": ("percent", "per cent"),
        "°c": ("degrees celsius", "degrees"),
        "°": ("degrees", "degree"),
    },
    "pt": {
        "mg": ("miligramas", "miligrama"),
        "mcg": ("microgramas", "micrograma"),
        "µg": ("microgramas", "micrograma"),
        "g": ("gramas", "grama"),
        "kg": ("quilogramas", "quilograma", "quilos", "quilo"),
        "ml": ("mililitros", "mililitro"),
        "l": ("litros", "litro"),
        "cm": ("centimetros", "centimetro"),
        "mm": ("milimetros", "milimetro"),
        "km": ("quilometros", "quilometro"),
        "h": ("horas", "hora"),
        "min": ("minutos", "minuto"),
        "%": ("por cento",),
        "°c": ("graus celsius", "graus"),
        "°": ("graus", "grau"),
    },
}
_ABBREVIATIONS: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {
        "dr": ("doctor",),
        "mr": ("mister",),
        "mrs": ("missus", "misses"),
        "ms": ("miz", "miss"),
        "st": ("saint", "street"),
        "vs": ("versus",),
        "etc": ("et cetera",),
        "approx": ("approximately",),
        "appt": ("appointment",),
        "tel": ("telephone",),
        "eg": ("for example",),
        "ie": ("that is",),
        "&": ("and",),
        "+": ("plus",),
        "=": ("equals", "is", "is equal to"),
        "@": ("at",),
        "a.m": ("a m",),
        "p.m": ("p m",),
    },
    "pt": {
        "dr": ("doutor",),
        "dra": ("doutora",),
        "sr": ("senhor",),
        "sra": ("senhora",),
        "prof": ("professor",),
        "av": ("avenida",),
        "tel": ("telefone",),
        "n.º": ("numero",),
        "nº": ("numero",),
        "etc": ("et cetera",),
        "ex": ("exemplo",),
        "&": ("e",),
        "+": ("mais",),
        "=": ("igual a", "e igual a"),
    },
}
_MONEY_WORDS = {
    "en": {
        "$": (("dollars", "dollar"), ("cents", "cent")),
        "€": (("euros", "euro"), ("cents", "cent")),
        "£": (("pounds", "pound"), ("pence", "p")),
    },
    "pt": {
        "$": (("dolares", "dolar"), ("centimos", "centimo", "centavos")),
        "€": (("euros", "euro"), ("centimos", "centimo")),
        "£": (("libras", "libra"), ("pence",)),
    },
}
_MONTHS = {
    "en": "january february march april may june july august september october november december".split(),
    "pt": "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro".split(),
}
_POINT = {"en": ("point",), "pt": ("virgula", "ponto")}
_AND = {"en": "and", "pt": "e"}
_GLUE = {
    "en": frozenset("and of the a oh o clock point minus hundred thousand to past half quarter dash slash".split()),
    "pt": frozenset("e de do da o a virgula ponto menos cento cem mil as horas meia traco barra".split()),
}


def base_language(tag: str) -> str:
    """Give the language whose readings apply; what has none of its own reads like English figures."""
    base = tag.casefold().replace("_", "-").split("-")[0]
    return base if base in _MONTHS else "en"


def spoken_words(text: str) -> tuple[str, ...]:
    """Fold a spoken stretch into words: case, accents and punctuation off, hyphens split."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    return tuple(re.findall(r"[^\W_]+", plain.replace("'", "").replace("’", "")))


@lru_cache(maxsize=2048)
def readings_of(written: str, language: str) -> tuple[Reading, ...]:
    """List the ways to say a written token; empty for a plain word that is said as it is written.

    Args:
        written: One token without markup, such as "0.5", "$37.20," or "Dr.".
        language: BCP 47 tag.
    """
    lang = base_language(language)
    bare = written.strip("\"'“”‘’«»()[]{}!?;:…")
    seen: dict[Reading, None] = {}
    for candidate in dict.fromkeys((bare, bare.rstrip(".,"), bare.lstrip("-–"))):
        for phrase in _phrases(candidate, lang):
            words = spoken_words(phrase)
            if words:
                seen.setdefault(words)
                without_and = tuple(w for w in words if w != _AND[lang])
                if without_and:
                    seen.setdefault(without_and)
            if len(seen) >= READINGS_MAX:
                return tuple(seen)[:READINGS_MAX]
    return tuple(seen)


@lru_cache(maxsize=8)
def figure_words(language: str) -> frozenset[str]:
    """Give the words that figures are made of; an elastic token takes them up while no later word fits better."""
    lang = base_language(language)
    words: set[str] = set()
    words.update(_GLUE[lang], _MONTHS[lang])
    for value in (*range(0, 32), *range(40, 100, 10), 100, 200, 500, 1000, 10**6):
        words.update(spoken_words(_cardinal(value, lang)))
        words.update(spoken_words(_ordinal(value, lang)) if value else ())
    for names in _MONEY_WORDS[lang].values():
        words.update(w for group in names for w in group)
    for names in _UNITS[lang].values():
        words.update(w for name in names for w in name.split())
    return frozenset(words)


def _phrases(token: str, lang: str) -> Iterator[str]:
    if not token:
        return
    lower = token.casefold()
    if m := _MONEY.match(token):
        yield from _money(m.group(1) or m.group(4), m.group(2) or m.group(3), lang)
    elif m := _ISO_DATE.match(token):
        yield from _date(int(m.group(3)), int(m.group(2)), int(m.group(1)), lang)
    elif m := _SLASH_DATE.match(token):
        first, second, year = int(m.group(1)), int(m.group(2)), int(m.group(3))
        yield from _date(first, second, year, lang)
        if lang == "en":
            yield from _date(second, first, year, lang)
    elif m := _TIME.match(token):
        yield from _time(int(m.group(1)), int(m.group(2)), lang)
    elif m := _PERCENT.match(token):
        yield from (f"{n} {unit}" for n in _number(m.group(1), lang) for unit in _UNITS[lang]["%"])
    elif m := _FRACTION.match(token):
        yield from _fraction(int(m.group(1)), int(m.group(2)), lang)
    elif m := _RANGE.match(token):
        joiners = ("to", "dash", "") if lang == "en" else ("a", "e", "ate", "")
        yield from (f"{_cardinal(int(m.group(1)), lang)} {j} {_cardinal(int(m.group(2)), lang)}" for j in joiners)
    elif _NUMBER.match(token):
        yield from _number(token, lang)
    elif m := _ORDINAL.match(token):
        yield _ordinal(int(m.group(1)), lang)
    elif (m := _QUANTITY.match(token)) and (units := _unit(m.group(2), lang)):
        yield from (f"{n} {unit}" for n in _number(m.group(1), lang) for unit in units)
    else:
        yield from _name(token, lower, lang)


def _name(token: str, lower: str, lang: str) -> Iterator[str]:
    """Units, abbreviations, acronyms and symbols standing alone."""
    yield from _unit(token, lang)
    key = lower.rstrip(".")
    for known in (key, key.replace(".", "")):
        yield from _ABBREVIATIONS[lang].get(known, ())
    if _ACRONYM.match(token):
        yield " ".join(c for c in token if c.isalnum())
    if re.search(r"\d", token) and re.search(r"[A-Za-z]", token):  # "B12", "COVID-19"
        parts = re.findall(r"[A-Za-z]+|\d+", token)
        yield " ".join(p if p.isalpha() else _cardinal(int(p), lang) for p in parts)
        yield " ".join(" ".join(p) if p.isalpha() else _cardinal(int(p), lang) for p in parts)


def _unit(token: str, lang: str) -> tuple[str, ...]:
    return _UNITS[lang].get(token.rstrip(".").casefold(), ())


def _number(token: str, lang: str) -> Iterator[str]:
    minus = "minus " if token[0] in "-−" and lang == "en" else "menos " if token[0] in "-−" else ""
    digits = token.lstrip("+-−")
    whole, decimals = _split_number(digits, lang)
    if decimals:
        heads = [_cardinal(int(whole), lang)] if whole else [""]
        if int(whole or 0) == 0:
            heads += ["", "oh"] if lang == "en" else [""]
        for head in dict.fromkeys(heads):
            for point in _POINT[lang]:
                yield f"{minus}{head} {point} {_digits(decimals, lang)}"
                yield f"{minus}{head} {point} {_cardinal(int(decimals), lang)}"
        return
    value = int(whole)
    yield f"{minus}{_cardinal(value, lang)}"
    if len(whole) > 1:
        yield _digits(whole, lang)
        if lang == "en":
            yield _digits(whole, lang).replace("zero", "oh")
    if len(whole) == 4 and lang == "en":
        yield _year(value)
    if value == 100 and lang == "en":
        yield "a hundred"
    if value == 1:
        yield "uma" if lang == "pt" else "a"
    if value == 2 and lang == "pt":
        yield "duas"


def _split_number(digits: str, lang: str) -> tuple[str, str]:
    """Split into whole and decimal digits; the decimal mark is the last of "." and "," unless it groups thousands."""
    plain = digits.replace("'", "").replace("\u00a0", "").rstrip(".,")
    mark = max(plain.rfind("."), plain.rfind(","))
    if mark < 0:
        return plain, ""
    head, tail = plain[:mark], plain[mark + 1 :]
    grouping = "," if lang == "en" else "."
    if plain[mark] == grouping and len(tail) == 3 and head not in ("", "0"):
        return re.sub(r"\D", "", plain), ""
    return re.sub(r"\D", "", head), tail


def _money(symbol: str, amount: str, lang: str) -> Iterator[str]:
    whole, cents = _split_number(amount, lang)
    units, small = _MONEY_WORDS[lang][symbol]
    n = _cardinal(int(whole or 0), lang)
    for unit in units:
        if not cents or int(cents) == 0:
            yield f"{n} {unit}"
            continue
        part = _cardinal(int(cents.ljust(2, "0")[:2]), lang)
        for name in small:
            yield f"{n} {unit} {_AND[lang]} {part} {name}"
        yield f"{n} {unit} {_AND[lang]} {part}"
        for point in _POINT[lang]:
            yield f"{n} {point} {_digits(cents, lang)} {unit}"


def _date(day: int, month: int, year: int, lang: str) -> Iterator[str]:
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return
    name = _MONTHS[lang][month - 1]
    if lang == "pt":
        first = "primeiro" if day == 1 else _cardinal(day, lang)
        for d in dict.fromkeys((_cardinal(day, lang), first)):
            yield f"{d} de {name} de {_cardinal(year, lang)}"
        return
    years = (_year(year), _cardinal(year, lang)) if year >= 1000 else (_cardinal(year, lang), _digits(str(year), lang))
    for y in years:
        yield f"{name} {_ordinal(day, lang)} {y}"
        yield f"{name} {_cardinal(day, lang)} {y}"
        yield f"the {_ordinal(day, lang)} of {name} {y}"
        yield f"{_ordinal(day, lang)} of {name} {y}"
        yield f"{_ordinal(day, lang)} {name} {y}"


def _time(hour: int, minute: int, lang: str) -> Iterator[str]:
    h, m = _cardinal(hour, lang), _cardinal(minute, lang)
    if minute == 0:
        yield from (f"{h} o clock", h) if lang == "en" else (f"{h} horas", h)
        return
    yield f"{h} {m}" if lang == "en" else f"{h} e {m}"
    if minute < 10 and lang == "en":
        yield f"{h} oh {m}"
    if minute == 30:
        yield f"half past {h}" if lang == "en" else f"{h} e meia"
    if minute == 15 and lang == "en":
        yield f"quarter past {h}"


def _fraction(top: int, bottom: int, lang: str) -> Iterator[str]:
    if lang == "en":
        names = {2: "half", 3: "third", 4: "quarter"}
        if bottom in names:
            yield f"{'a' if top == 1 else _cardinal(top, lang)} {names[bottom]}{'s' if top > 1 else ''}"
            yield f"{_cardinal(top, lang)} {names[bottom]}{'s' if top > 1 else ''}"
        yield f"{_cardinal(top, lang)} over {_cardinal(bottom, lang)}"
        yield f"{_cardinal(top, lang)} slash {_cardinal(bottom, lang)}"
    elif (top, bottom) == (1, 2):
        yield from ("meio", "meia", "um meio")


def _digits(digits: Iterable[str], lang: str) -> str:
    return " ".join(_cardinal(int(d), lang) for d in digits if d.isdigit())


def _year(value: int) -> str:
    high, low = divmod(value, 100)
    if low == 0:
        return f"{_cardinal(high, 'en')} hundred"
    return f"{_cardinal(high, 'en')} {'oh ' if low < 10 else ''}{_cardinal(low, 'en')}"


@lru_cache(maxsize=4096)
def _cardinal(value: int, lang: str) -> str:
    if value > 10**12:
        return " ".join(str(num2words(int(d), lang=lang)) for d in str(value))
    return str(num2words(value, lang=lang))


@lru_cache(maxsize=1024)
def _ordinal(value: int, lang: str) -> str:
    return str(num2words(value, to="ordinal", lang=lang))
