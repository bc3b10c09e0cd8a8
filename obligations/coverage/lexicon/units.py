"""Units of measure: every spelling of a language brought to one.

Owns the spellings. What a unit measures and how it converts belongs to `obligations.coverage.quantities`.
"""

from __future__ import annotations

SPELLINGS: dict[str, dict[str, str]] = {
    "en": {
        "mg": "mg milligram milligrams milligramme milligrammes mgs",
        "mcg": "mcg microgram micrograms µg μg ug",
        "g": "g gram grams gramme grammes",
        "kg": "kg kgs kilo kilos kilogram kilograms",
        "ml": "ml millilitre millilitres milliliter milliliters mil mils",
        "l": "l litre litres liter liters",
        "cm": "cm centimetre centimetres centimeter centimeters",
        "mm": "mm millimetre millimetres millimeter millimeters",
        "m": "m metre metres meter meters",
        "km": "km kilometre kilometres kilometer kilometers",
        "sec": "second seconds sec secs",
        "min": "min mins minute minutes",
        "hour": "hour hours hr hrs",
        "day": "day days",
        "week": "week weeks wk wks",
        "month": "month months",
        "year": "year years yr yrs",
        "%": "% percent",
        "degree": "degree degrees °",
        "unit": "unit units",
        "mmhg": "mmhg",
        "mmol": "mmol millimole millimoles",
    },
    "pt": {
        "mg": "mg miligrama miligramas",
        "mcg": "mcg micrograma microgramas µg μg",
        "g": "g grama gramas",
        "kg": "kg kgs quilo quilos kilo kilos quilograma quilogramas",
        "ml": "ml mililitro mililitros",
        "l": "l litro litros",
        "cm": "cm centimetro centimetros",
        "mm": "mm milimetro milimetros",
        "m": "m metro metros",
        "km": "km quilometro quilometros",
        "sec": "segundo segundos",
        "min": "min minuto minutos",
        "hour": "hora horas h",
        "day": "dia dias",
        "week": "semana semanas",
        "month": "mes meses",
        "year": "ano anos",
        "%": "% porcento",
        "degree": "grau graus °",
        "unit": "unidade unidades",
        "mmhg": "mmhg",
        "mmol": "mmol",
    },
}
UNIT_OF = {lang: {w: unit for unit, words in table.items() for w in words.split()} for lang, table in SPELLINGS.items()}
UNITS = frozenset(SPELLINGS["en"])
"""The one spelling of every unit, the same in all languages."""
ONLY_AFTER_NUMBER = frozenset("g l m h sec min mil mils ug second segundo".split())
"""Spellings that are a unit only after a number."""
