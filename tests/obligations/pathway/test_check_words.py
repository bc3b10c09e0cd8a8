"""What a pathway is refused for: unspeakable or hidden signs, questions that deny, flags that never fire."""

# ruff: noqa: E501 - one fault, one row

from __future__ import annotations

import pytest

from obligations import parse_pathway
from obligations.errors import PathwayError, Problem
from obligations.pathway.answers import is_answer_pattern

pytestmark = pytest.mark.unit

GOOD = """\
schema_version: 1
id: small
version: "1.0"
title: {en: "Small", pt-PT: "Pequeno"}
languages: [en, pt-PT]
review: not_clinically_reviewed
phrases:
  en: {greeting: "Hello.", goodbye: "Goodbye."}
  pt-PT: {greeting: "Bom dia.", goodbye: "Adeus."}
groups:
  - id: main
    trigger: {on: phase, phase: main}
    items:
      - kind: question
        id: pain
        red_flag_answers: ["yes"]
        wording: {en: "Do you have any pain?", pt-PT: "Tem alguma dor?"}
        focus: {en: "any pain", pt-PT: "alguma dor"}
        variants: {en: ["Is there any pain at all?"]}
        reask: {en: "I could not hear you. Do you have any pain?"}
        confirm: {en: "Is there any pain, yes or no?", pt-PT: "Tem alguma dor, sim ou não?"}
      - kind: question
        id: score
        value_type: scale
        red_flag_answers: [">=7"]
        wording: {en: "From nought to ten, how bad is it?", pt-PT: "De zero a dez, como está?"}
        focus: {en: "how bad", pt-PT: "como está"}
      - kind: point
        id: rest
        wording: {en: "Do not lift anything heavy.", pt-PT: "Não levante pesos."}
"""


def problems(old: str, new: str) -> tuple[Problem, ...]:
    assert old in GOOD
    with pytest.raises(PathwayError) as caught:
        parse_pathway(GOOD.replace(old, new, 1), "small.yaml")
    return caught.value.problems


def line_of(part: str) -> int:
    return next(i for i, line in enumerate(GOOD.splitlines(), 1) if part in line)


def test_the_good_one_is_good() -> None:
    """A point may deny, "yes or no" denies nothing, and a sentence before the question may say what was not heard."""
    assert ["pain", "score", "rest"] == list(parse_pathway(GOOD).items)


@pytest.mark.parametrize(
    ("field", "old"),
    [
        ("phrases.en.greeting", "Hello."),
        ("groups.0.items.0.wording.en", "Do you have any pain?"),
        ("groups.0.items.0.variants.en.0", "Is there any pain at all?"),
        ("groups.0.items.0.reask.en", "I could not hear you. Do you have any pain?"),
        ("groups.0.items.0.confirm.pt-PT", "Tem alguma dor, sim ou não?"),
        ("groups.0.items.2.wording.en", "Do not lift anything heavy."),
    ],
)
@pytest.mark.parametrize(
    ("sign", "what"),
    [
        ("<speak>", "mark-up"),
        ("<break time='1s'/>", "mark-up"),
        ("**", "mark-up"),
        ("[name]", "mark-up"),
        ("{name}", "mark-up"),
        ("&amp;", "mark-up"),
        ("https://example.org", "mark-up"),
        ("\\u202e", "nobody sees"),
        ("\\u2066", "nobody sees"),
        ("\\u200f", "nobody sees"),
        ("\\u200b", "nobody sees"),
        ("\\ufeff", "nobody sees"),
        ("\\t", "nobody sees"),
        ("\\a", "nobody sees"),
        ("\\n", "line break"),
        ("\\r\\n", "line break"),
        ("\\u2028", "line break"),
        ("\\x85", "line break"),
    ],
)
def test_what_a_voice_cannot_speak_is_refused_at_its_line(field: str, old: str, sign: str, what: str) -> None:
    """In every field that is spoken; the sign itself is named by its number, so that the message is safe to show."""
    found = next(p for p in problems(f'"{old}"', f'"{old} {sign}"') if p.field == field)

    assert what in found.what
    assert found.fix
    assert (found.file, found.line) == ("small.yaml", line_of(old))
    assert str(found).isprintable()


def test_hidden_signs_are_refused_everywhere_and_joiners_nowhere() -> None:
    """A title is read by people; some scripts are not written right without their joiners."""
    (found,) = problems('{en: "Small"', '{en: "Sm\\u202eall"')
    assert "title.en" == found.field
    assert parse_pathway(GOOD.replace('"Small"', '"Sm\\u200call"'))


def test_a_folded_text_is_one_line_and_a_kept_break_is_not() -> None:
    """What YAML makes of several lines decides."""
    text = '{en: "Do not lift anything heavy.", pt-PT: "Não levante pesos."}'
    block = (
        "\n          en: {}\n            Do not lift\n            anything heavy.\n          pt-PT: Não levante pesos."
    )

    assert (
        parse_pathway(GOOD.replace(text, block.format(">-"))).points["rest"].wording["en"].endswith("anything heavy.")
    )
    for kept in ("|", "|-", ">"):
        (found,) = problems(text, block.format(kept))
        assert "line break" in found.what


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('wording: {en: "Do you have any pain?"', 'wording: {en: "You do not have any pain?"'),
        ('wording: {en: "Do you have any pain?"', 'wording: {en: "Don\\u2019t you have any pain?"'),
        ('wording: {en: "Do you have any pain?"', 'wording: {en: "You never have any pain, do you?"'),
        ('wording: {en: "Do you have any pain?"', 'wording: {en: "You have any pain, don\'t you?"'),
        ('variants: {en: ["Is there any pain at all?"]', 'variants: {en: ["So you are without any pain?"]'),
        ("Is there any pain, yes or no?", "So there is not any pain?"),
        ("I could not hear you. Do you have any pain?", "So there isn't any pain?"),
        ("I could not hear you. Do you have any pain?", "Do you have any pain? Isn't it so?"),
        ('"Tem alguma dor?"', '"Não tem alguma dor?"'),
        ('"Tem alguma dor?"', '"Nunca tem alguma dor?"'),
        ("Tem alguma dor, sim ou não?", "Está sem alguma dor?"),
    ],
)  # fmt: skip
def test_a_question_that_denies_is_refused(old: str, new: str) -> None:
    """Whoever answers "no" to it may mean either."""
    quoted = new.replace("\\u2019", "\u2019")
    found = next(p for p in problems(old, quoted) if "denial" in p.what)

    assert "Ask whether it is so" in found.fix
    assert found.line == line_of(old)


@pytest.mark.parametrize(
    ("pattern", "value_type", "good"),
    [(">=7", kind, True) for kind in ("scale", "number", "duration")]
    + [(bad, kind, False) for kind in ("scale", "number", "duration") for bad in ("=>7", "=7", ">", ">= seven", "7+", "≥7", "~7", "yes", "", ">=7 <9")]
    + [(never, "scale", False) for never in (">=11", ">10", "<0", "<=-1", "11", "-1", ">=10.5")]
    + [(edge, "scale", True) for edge in (">=10", "<=0", "<1", ">9.5", "10", "0", "7,5")]
    + [(never, "duration", False) for never in ("<0", "<=-1", "-3")]
    + [("<0", "number", True), ("-3", "number", True)]
    + [(bad, kind, False) for kind in ("text", "date") for bad in (">=7", "=>7", " ", "≥2026")]
    + [("clinic", "text", True)]
    + [(bad, "yes_no", False) for bad in ("yess", "Yes", "true", ">=7", "")],
)  # fmt: skip
def test_a_flag_that_cannot_be_read_or_never_fires_is_refused(pattern: str, value_type: str, good: bool) -> None:
    """The author believes a patient is watched over by it."""
    assert is_answer_pattern(pattern, value_type) is good


@pytest.mark.parametrize("pattern", ["=>7", ">=11", "seven"])
def test_a_dead_flag_names_its_line_and_fix(pattern: str) -> None:
    """So does one of a follow-up, which would never be asked."""
    (found,) = problems('">=7"', f'"{pattern}"')

    assert ("groups.0.items.1.red_flag_answers.0", line_of(">=7")) == (found.field, found.line)
    assert "from 0 to 10" in found.fix


@pytest.mark.parametrize(
    ("old", "new", "field", "what"),
    [
        ("        wording: {en: \"Do you", '        emergencies: [loss-of-hat]\n        wording: {en: "Do you', "groups.0.items.0.emergencies.0", "no kind of emergency"),
        ("        wording: {en: \"Do you", '        told_as: {en: ["(hurts"]}\n        wording: {en: "Do you', "groups.0.items.0.told_as.en.0", "no row of words"),
        ('red_flag_answers: ["yes"]', 'emergencies: [stroke]', "groups.0.items.0.emergencies", "could raise no flag"),
        ("id: rest", "id: emergency", "groups.0.items.2.id", "is kept for"),
    ],
)  # fmt: skip
def test_words_told_unasked_are_checked(old: str, new: str, field: str, what: str) -> None:
    """A kind that does not exist, words that match nothing, a flag that no yes raises."""
    found = next(p for p in problems(old, new) if p.field == field)

    assert what.replace("no row", "not a row") in found.what
