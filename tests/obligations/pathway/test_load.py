"""A pathway file that does not hold together is refused whole, with file, line, field and fix."""

# ruff: noqa: E501 - one fault, one row

from __future__ import annotations

from pathlib import Path

import pytest

from obligations import load_pathway, parse_pathway, pathway_schema
from obligations.errors import PathwayError, Problem, UnknownLanguage, UnknownPathway
from obligations.pathway import matches_any
from obligations.pathway.load import FILE_BYTES_MAX

pytestmark = pytest.mark.unit

GOOD = """\
schema_version: 1
id: small
version: "1.0"
title: {en: "Small"}
languages: [en]
review: not_clinically_reviewed
sources:
  - {id: book, citation: "A book."}
phrases:
  en: {greeting: "Hello.", goodbye: "Goodbye."}
groups:
  - id: main
    trigger: {on: phase, phase: main}
    items:
      - kind: question
        id: pain
        critical: true
        red_flag_answers: ["yes"]
        source: [book]
        wording: {en: "Do you have any pain?"}
        focus: {en: "any pain"}
      - kind: point
        id: rest
        wording: {en: "Rest when you are tired."}
  - id: follow
    trigger: {on: answer, question: pain, values: ["yes"]}
    items:
      - kind: point
        id: ring
        wording: {en: "Ring us if it gets worse."}
  - id: faq
    trigger: {on: faq, examples: {en: ["Can I drive?"]}}
    items:
      - kind: point
        id: drive
        wording: {en: "Do not drive yet, please."}
"""


def problems(text: str) -> tuple[Problem, ...]:
    with pytest.raises(PathwayError) as caught:
        parse_pathway(text, "small.yaml")
    assert caught.value.problems
    return caught.value.problems


def line_of(text: str, part: str) -> int:
    return next(i for i, line in enumerate(text.splitlines(), 1) if part in line)


def test_a_good_file_is_read_with_its_default_phrases() -> None:
    """Phrases the file leaves out come from the bundled ones of its language."""
    pathway = parse_pathway(GOOD)

    assert ["pain", "rest", "ring", "drive"] == list(pathway.items)
    assert "Let me finish what I was saying." == pathway.phrases["en"].return_point
    assert "Hello." == pathway.phrases["en"].greeting


@pytest.mark.parametrize(
    ("old", "new", "field", "what", "fix"),
    [
        ('version: "1.0"', "version: 1.0", "version", "1.0 is not text", "Put it in quotes"),
        ("review: not_clinically_reviewed", "review: fine", "review", "'fine' is not allowed", "Use one of"),
        ("    id: pain\n", "    idd: pain\n", "groups.0.items.0.idd", "no field is called 'idd'", "Did you mean `id`?"),
        ("    critical: true", "    criticall: true", "groups.0.items.0.criticall", "no field is called", "Did you mean `critical`?"),
        ("- kind: point\n        id: rest", "- kind: pont\n        id: rest", "groups.0.items.1", "does not say which kind", "'question', 'point'"),
        ("on: phase, phase: main", "on: phaze, phase: main", "groups.0.trigger", "does not say which kind", "'phase', 'faq', 'answer'"),
        ('        focus: {en: "any pain"}\n', "", "groups.0.items.0.focus", "the field is missing", "Add `focus:`"),
        ('focus: {en: "any pain"}', 'focus: {en: "much pain"}', "groups.0.items.0.focus.en", "the focus 'much pain' is not in the wording", "Copy the focus"),
        ("source: [book]", "source: [boook]", "groups.0.items.0.source.0", "no source has the id 'boook'", "Add it to `sources`"),
        ("id: rest", "id: pain", "groups.0.items.1.id", "the id 'pain' is used twice", "Give each its own id"),
        ("question: pain, values", "question: pane, values", "groups.1.trigger.question", "no question has the id 'pane'", "Name a question"),
        ('values: ["yes"]', 'values: ["maybe"]', "groups.1.trigger.values.0", "'maybe' can never be an answer", 'Write "yes" or "no"'),
        ('red_flag_answers: ["yes"]', 'red_flag_answers: [">=7"]', "groups.0.items.0.red_flag_answers.0", "can never be an answer", 'Write "yes" or "no"'),
        ("languages: [en]", "languages: [en, pt-PT]", "title", "nothing is given for 'pt-PT'", "Add `pt-PT:`"),
        ('title: {en: "Small"}', 'title: {en: "Small", fr: "Petit"}', "title.fr", "'fr' is not one of the pathway's languages", "Remove it"),
        ("    trigger: {on: phase, phase: main}", "    trigger: {on: phase, phase: main}\n    due: {by: at_once, turns: 2}", "groups.0.due", "`turns` goes with", "Write `by: within_turns`"),
        ('"Rest when you are tired."', f'"{"Rest " * 31}."', "groups.0.items.1.wording.en", "more than 30 words", "Split it"),
        ("languages: [en]", "languages: [en, en]", "languages", "a language is listed twice", "List each language once"),
        ("groups:\n", "preconditions:\n  - {id: who, question: nobody, otherwise: wrong_person}\ngroups:\n", "preconditions.0.question", "no question has the id 'nobody'", "Name a question"),
        ("question: pain, values", "question: ring, values", "groups.1.trigger.question", "no question has the id 'ring'", "Name a question"),
        ('red_flag_answers: ["yes"]', 'red_flag_answers: [" "]\n        value_type: number', "groups.0.items.0.red_flag_answers.0", "can never be an answer", 'a bound such as ">=7"'),
        ('red_flag_answers: ["yes"]', 'red_flag_answers: [">=7"]\n        value_type: text', "groups.0.items.0.red_flag_answers.0", "can never be an answer", 'a bound such as ">=7"'),
        ("phrases:\n  en: {", "phrases:\n  xx: {greeting: a, goodbye: b}\n  en: {", "phrases.xx.acknowledgements", "the field is missing", "Add `acknowledgements:`"),
        ("phrases:\n  en: {greeting: \"Hello.\", goodbye: \"Goodbye.\"}", "phrases: none", "phrases", "should be a valid dictionary", "Give a value of that form"),
        ("id: small", "id: Small Pathway", "id", "String should match pattern", "Give a value of that form"),
    ],
)  # fmt: skip
def test_a_fault_names_its_line_field_and_fix(old: str, new: str, field: str, what: str, fix: str) -> None:
    """One change, one fault, at its line."""
    assert old in GOOD
    text = GOOD.replace(old, new, 1)

    found = next(problem for problem in problems(text) if problem.field == field)

    assert what in found.what
    assert fix in found.fix
    assert "small.yaml" == found.file
    pairs = enumerate(zip(text.splitlines(), GOOD.splitlines(), strict=False), 1)
    first_changed = next(line for line, (here, good) in pairs if here != good)
    assert abs(found.line - first_changed) <= 8


def test_two_items_in_the_same_words_are_refused_at_the_second() -> None:
    """Signs and capitals aside: what is heard would close the first, and the second be asked in vain."""
    text = GOOD.replace('"Ring us if it gets worse."', '"REST, when you are tired!"')

    (found,) = problems(text)

    assert (line_of(text, "REST"), "groups.1.items.0.wording.en") == (found.line, found.field)
    assert "says word for word what 'rest' says (at groups.0.items.1.wording.en)" in found.what
    assert "own words" in found.fix


def test_the_line_is_that_of_the_field() -> None:
    """Not of the group, not of the file."""
    text = GOOD.replace('focus: {en: "any pain"}', 'focus: {en: "much pain"}')

    (found,) = problems(text)

    assert line_of(text, "much pain") == found.line
    assert str(found).startswith(f"small.yaml:{found.line}: groups.0.items.0.focus.en: the focus")


def test_all_faults_of_a_file_are_named_at_once_in_file_order() -> None:
    """An author mends them in one go."""
    text = GOOD.replace("source: [book]", "source: [boook]").replace("question: pain, values", "question: pane, values")

    found = problems(text)

    assert ["groups.0.items.0.source.0", "groups.1.trigger.question"] == [problem.field for problem in found]
    assert [problem.line for problem in found] == sorted(problem.line for problem in found)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "a pathway is a mapping"),
        ("- one\n- two", "a pathway is a mapping"),
        ("a: [1\nb: 2", "not valid YAML"),
        ("id: a\nid: b", 'found duplicate key "id"'),
        ("id: \x00", "not valid YAML"),
        ("a: &x [*x]", "refers to itself"),
        ("[" * 3000, "nested too deeply"),
        ("a: &a [1,1,1,1,1,1,1,1]\n" + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [{','.join(['*' + chr(97 + i)] * 8)}]\n" for i in range(8)), "unfolds to more than"),
        ("!!python/object/apply:os.system ['true']", "not valid YAML"),
    ],
)  # fmt: skip
def test_what_is_no_pathway_file_is_refused_by_name(text: str, what: str) -> None:
    """Broken, hostile or endless YAML is a fault like any other."""
    assert what in problems(text)[0].what


def test_a_file_that_is_not_there_is_unknown() -> None:
    """And so is a bundled name that does not exist; the message says what there is."""
    with pytest.raises(UnknownPathway, match="no pathway file"):
        load_pathway("nowhere/x.yaml")
    with pytest.raises(UnknownPathway, match="there are ai-disclosure, cataract-followup"):
        load_pathway("cataracts")


def test_a_file_is_read_by_path(tmp_path: Path) -> None:
    """Faults name the path as it was given."""
    path = tmp_path / "mine.yaml"
    path.write_text(GOOD.replace("source: [book]", "source: [boook]"), encoding="utf-8")

    with pytest.raises(PathwayError, match="mine.yaml:19"):
        load_pathway(path)


@pytest.mark.parametrize(("size", "refused"), [(FILE_BYTES_MAX, False), (FILE_BYTES_MAX + 1, True)])
def test_a_file_has_a_largest_size(tmp_path: Path, size: int, refused: bool) -> None:
    """At the limit it is read, one byte past it is not."""
    path = tmp_path / "big.yaml"
    path.write_text(GOOD + "#" * (size - len(GOOD)), encoding="utf-8")

    if refused:
        with pytest.raises(PathwayError, match="larger than 1 MB"):
            load_pathway(path)
    else:
        assert "small" == load_pathway(path).id


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    """The fix says how to save it."""
    path = tmp_path / "latin.yaml"
    path.write_bytes("id: \xe9".encode("latin-1"))

    with pytest.raises(PathwayError, match="not UTF-8"):
        load_pathway(path)


@pytest.mark.parametrize(
    ("asked", "got"), [("en", "en"), ("en-GB", "en"), ("EN_us", "en"), ("pt-PT", "pt-PT"), (None, "en")]
)
def test_a_language_is_found_by_tag_or_by_its_base(asked: str | None, got: str) -> None:
    """Exact first, else the same language without a region."""
    assert got == load_pathway("cataract-followup").resolve_language(asked)


@pytest.mark.parametrize("asked", ["pt-BR", "fr", "e"])
def test_another_language_is_never_passed_off(asked: str) -> None:
    """Brazilian is not European Portuguese; the wrong language is refused, not guessed."""
    with pytest.raises(UnknownLanguage, match="it has en, pt-PT"):
        load_pathway("cataract-followup", asked)


def test_the_schema_accepts_the_bundled_files_and_names_every_field() -> None:
    """An editor can complete a file by it."""
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    schema = pathway_schema()
    validator = jsonschema.Draft202012Validator(schema)

    jsonschema.Draft202012Validator.check_schema(schema)
    validator.validate(load_pathway("cataract-followup").model_dump(mode="json"))
    assert not validator.is_valid({"id": "x"})
    assert {"Question", "Point", "Group", "Phrases", "Precondition"} <= set(schema["$defs"])


def test_the_digest_changes_with_any_word() -> None:
    """Two versions of a text are never taken for one."""
    changed = parse_pathway(GOOD.replace("Rest when", "Sleep when"))

    assert parse_pathway(GOOD).digest == parse_pathway(GOOD + "# a comment\n").digest
    assert parse_pathway(GOOD).digest != changed.digest


def test_a_bundled_phrase_that_came_later_makes_no_other_text() -> None:
    """A call that was kept before goes on behind an upgrade; a clinic's own words for it are another text."""
    now = parse_pathway(GOOD)
    phrases = now.phrases["en"]
    before = now.model_copy(update={"phrases": {"en": phrases.model_copy(update={"correction": None})}})
    own = now.model_copy(update={"phrases": {"en": phrases.model_copy(update={"correction": "Let me mend that."})}})

    assert phrases.correction is not None
    assert now.digest == before.digest
    assert now.digest != own.digest


@pytest.mark.parametrize(
    ("value", "pattern", "matches"),
    [
        ("yes", "yes", True),
        ("Yes ", "yes", True),
        ("no", "yes", False),
        ("7", ">=7", True),
        ("6.9", ">=7", False),
        ("79,1 kilos", ">79", True),
        ("three", ">=2", False),
        ("2", "<2", False),
        ("1", "<=1", True),
    ],
)
def test_an_answer_matches_by_value_or_by_bound(value: str, pattern: str, matches: bool) -> None:
    """A bound compares the first number; words are no numbers."""
    assert matches is matches_any(value, (pattern,))


def test_a_group_cannot_wait_for_its_own_question() -> None:
    """It would never open."""
    text = GOOD.replace("trigger: {on: phase, phase: main}", "trigger: {on: answer, question: pain, values: [yes]}", 1)

    assert "a group cannot wait for an answer to its own question." == problems(text)[0].what


def test_what_a_matcher_and_a_reader_may_know_is_told_by_language() -> None:
    """The texts they judge by come from the pathway."""
    pathway = load_pathway("cataract-followup")

    point = pathway.point_text("light.escalation", "pt-PT")
    question = pathway.question_text("redness", "en", "Have you")

    assert (True, 3, "pt-PT") == (point.critical, len(point.must_convey), point.language)
    assert point.wording.startswith("Se tiver dor forte")
    assert ("Have you noticed any redness in your eye?", "Have you", ("yes",)) == (
        question.text, question.heard, question.red_flag_answers
    )  # fmt: skip
    with pytest.raises(KeyError):
        pathway.group("nothing")
