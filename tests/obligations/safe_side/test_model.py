"""The safe-side model: what it reads, within which bounds, and what is left when its weights cannot be had."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loguru import logger

from obligations.coverage.later import Later
from obligations.safe_side import KINDS, Head, SafeSideModel, load_from, load_model, read_model
from obligations.safe_side.features import advice_features, spoken_features, units_of

pytestmark = pytest.mark.unit

WORDS_MAX = 30


@pytest.fixture
def logged() -> Iterator[list[str]]:
    """What is logged while a test runs."""
    lines = list[str]()
    sink = logger.add(lambda message: lines.append(str(message)), level="WARNING")
    yield lines
    logger.remove(sink)


def a_file(folder: Path, **changes: object) -> Path:
    """Write a weights file of one word."""
    head = {"bias": -1.0, "threshold": 0.0, "weights": {"zebra": 150}}
    content = {"language": "en", "version": "7", "features_version": 1, "heads": dict.fromkeys(KINDS, head)}
    path = folder / "en.json"
    path.write_text(json.dumps(content | changes), encoding="utf-8")
    return path


def point(advice: str, language: str = "en"):
    """One advice, as the looks at later words see it."""
    return Later({"x": advice}, {"x": "x"}, language, ()).points["x"]


def test_a_text_is_raised_from_the_threshold_on(tmp_path: Path) -> None:
    """Bias and weights add up; nothing else counts."""
    model = read_model(a_file(tmp_path))

    assert "safe-side@7" == model.name
    assert model.tells_danger("there is a zebra")
    assert not model.tells_danger("there is a horse")
    assert 0.5 == pytest.approx(model.score("introduction", "there is a zebra"))


@pytest.mark.parametrize("language", ["en", "en-GB", "pt", "pt-PT"])
def test_every_language_with_rules_has_a_model(language: str) -> None:
    """One file a base language, with every kind."""
    model = load_model(language)

    assert model is not None
    assert set(KINDS) == set(model.heads)


def test_a_language_without_rows_has_none() -> None:
    """Weights of another language are never borrowed."""
    assert load_model("de") is None


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.unlink(),
        lambda path: path.write_text("{", encoding="utf-8"),
        lambda path: path.write_text("[]", encoding="utf-8"),
        lambda path: path.write_bytes(b"\xff\xfe"),
    ],
    ids=["missing", "cut", "no object", "no text"],
)
def test_without_readable_weights_there_is_no_model_and_the_log_says_so_once(
    tmp_path: Path, spoil, logged: list[str]
) -> None:
    """The rules read alone; nothing raises into a call."""
    spoil(a_file(tmp_path))

    assert load_from(tmp_path, "en") is None
    assert 1 == len(logged)
    assert "the word rules read alone" in logged[0]


def test_weights_for_other_features_are_refused_by_name(tmp_path: Path) -> None:
    """Old weights under new names would mean anything."""
    path = a_file(tmp_path, features_version=999)

    with pytest.raises(ValueError, match=r"en\.json.*features version 999"):
        read_model(path)


def test_weights_without_a_kind_are_refused(tmp_path: Path) -> None:
    """Half a file is no file."""
    with pytest.raises(ValueError, match=r"en\.json"):
        read_model(a_file(tmp_path, heads={}))


def test_a_long_reply_is_read_in_pieces_that_cover_every_word() -> None:
    """What matters does not drown, and no reading is longer than the bound."""
    words = [f"w{i}" for i in range(95)]

    units = units_of(" ".join(words))

    assert all(len(unit.split()) <= WORDS_MAX for unit in units)
    assert set(words) == {word for unit in units for word in unit.split()}


def test_a_short_reply_is_read_whole_and_by_its_sentences() -> None:
    """Two short sentences may mean something only together."""
    assert (
        "He is here. Shall I fetch him?",
        "He is here.",
        "Shall I fetch him?",
    ) == units_of("He is here. Shall I fetch him?")


@pytest.mark.parametrize("text", ["", "   ", "...", "No.", "Yes, please"])
def test_a_word_or_two_is_not_read(text: str) -> None:
    """Too little to tell by; the rules know the short cries."""
    model = load_model("en")

    assert model is not None
    assert not model.tells_danger(text)
    assert not model.introduces(text)


@given(st.text(max_size=400), st.sampled_from(["en", "pt-PT"]))
def test_any_text_is_read_and_always_alike(text: str, language: str) -> None:
    """Nothing that a recogniser may write breaks a call, and the same words score the same."""
    model = load_model(language)
    assert model is not None

    first = [model.score("emergency", text), model.score("introduction", text)]
    model.loosens(text, point("Do not drive.", language))

    assert first == [model.score("emergency", text), model.score("introduction", text)]


def test_words_said_twice_and_hums_do_not_count() -> None:
    """A stutter means what the word means."""
    plain = spoken_features("I can not feel my arm", "en", pieces=True)

    assert plain == spoken_features("um I I can not uh feel feel my arm", "en", pieces=True)


def test_what_a_denial_reaches_is_marked() -> None:
    """Without it "no pain" would look like "pain"."""
    assert "!pain" in spoken_features("no pain at all", "en", pieces=False)
    assert "!pain" not in spoken_features("pain at all", "en", pieces=False)


def test_words_of_an_advice_are_seen_as_such_whatever_the_advice() -> None:
    """What is learnt of drops holds for driving."""
    drops = advice_features("you may drive on Sunday", point("Do not drive."), "en")
    weights = advice_features("you may swim on Sunday", point("Do not swim."), "en")

    assert "may <verb>" in drops
    assert "may <verb>" in weights
    assert "P|may" in drops
    assert "D|may" in advice_features("you may swim on Sunday", point("Use the drops."), "en")


def test_a_score_does_not_depend_on_the_order_of_features() -> None:
    """Sums of the same numbers are taken in one order: the same call gives the same facts on every machine."""
    head = Head(0.1, 0.0, {f"w{i}": 0.01 * i for i in range(50)})
    model = SafeSideModel("en", "t", dict.fromkeys(KINDS, head))

    assert model.score("emergency", " ".join(f"w{i}" for i in range(20))) == head.score(
        f"w{i}" for i in range(19, -1, -1)
    )
