"""The shipped English model: what it is made of, and what it must say whatever it was trained on."""

from __future__ import annotations

import json
from importlib import resources

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipecat_interrupt.overlap.config import OverlapConfig
from pipecat_interrupt.overlap.evidence import (
    AgentFloor,
    CallerBefore,
    Evidence,
    Judgement,
    Speaker,
    TextStatus,
    TimedWord,
    Verdict,
    words_of,
)
from pipecat_interrupt.overlap.judge import OverlapJudge
from pipecat_interrupt.overlap.model import load_floor_model
from pipecat_interrupt.overlap.model.features import FloorView, canonical, canonical_words, features, listens_only

pytestmark = pytest.mark.unit

JUDGE = OverlapJudge()
SAYING = AgentFloor(delivered_text="Take one tablet each", remaining_text="morning with a full glass of water.")


def final(text: str, floor: AgentFloor = SAYING, voiced_s: float | None = 0.5) -> Judgement:
    """Judge a closed segment with the shipped model."""
    return JUDGE.judge(Evidence(words=words_of(text), status=TextStatus.FINAL, voiced_s=voiced_s, floor=floor))


def test_the_weights_are_small_plain_json() -> None:
    """Under a megabyte, numbers by name, nothing that could run."""
    body = resources.files("pipecat_interrupt.overlap.model").joinpath("floor_en.json").read_bytes()
    content = json.loads(body)

    assert len(body) < 1_000_000
    assert {"early", "whole", "features_version", "language"} == set(content)
    assert all(isinstance(w, float | int) for head in ("early", "whole") for w in content[head]["weights"].values())


@pytest.mark.parametrize(
    "text",
    [
        "Mm-hmm.",
        "uh-huh, okay, yeah",
        "Thank you.",
        "got it",
        "Makes sense, yeah",
        "Okay.",
        "Mhm.",
        "Yes.",
        "Yeah.",
        "MMMHUM",
        "M.M.H.",
        "Right.",
        "Oh, okay.",
        "I see.",
        "of course",
        "that's right",
        "Okay, thanks.",
        "Yea.",
    ],
)
def test_everyday_listening_words_leave_the_floor_with_the_shipped_model(text: str) -> None:
    """D09, D21, D22 with the model in force."""
    assert (text, False) == (text, final(text).takes_floor)


@pytest.mark.parametrize(
    "text",
    [
        "stop",
        "no, wait",
        "hm—what?",
        "listen to me",
        "okay, but I am pregnant",
        "right… no",
        "chest pain",
        "penicillin",
        "I'm bleeding",
        "my daughter",
        "Porto",
        "it hurts",
        "two tablets",
        "warfarin",
        "call me back",
        "Can you repeat that?",
        "actually it was Tuesday",
        "one question",
        "Mum!",
        "no",
    ],
)
def test_content_the_model_never_saw_takes_the_floor(text: str) -> None:
    """Meetings hold no medicines; unknown words count as content."""
    assert (text, True) == (text, final(text).takes_floor)


def test_under_an_open_question_the_rules_alone_decide() -> None:
    """The model was trained on statements; a "yes" that answers is not its business."""
    asked = AgentFloor(delivered_text="Any pain today?", question_open=True, focus_heard=True)

    got = final("Yeah.", asked)

    assert (Verdict.ANSWER, True) == (got.verdict, got.takes_floor)


def test_a_stop_yields_whatever_threshold_a_deployment_sets() -> None:
    """The highest threshold silences the model, not the patient."""
    judge = OverlapJudge(OverlapConfig(floor_threshold=0.999))

    stop = judge.judge(Evidence(words=words_of("stop"), status=TextStatus.FINAL, floor=SAYING))
    early = judge.judge(Evidence(words=words_of("stop"), status=TextStatus.INTERIM, floor=SAYING))
    denial = judge.judge(Evidence(words=words_of("no"), status=TextStatus.FINAL, floor=SAYING))

    assert (True, True, True) == (stop.takes_floor, early.takes_floor, denial.takes_floor)


def test_a_lower_threshold_yields_more_readily() -> None:
    """The operating point is the deployment's."""
    ready = OverlapJudge(OverlapConfig(floor_threshold=0.01))

    assert ready.judge(Evidence(words=words_of("Right."), status=TextStatus.FINAL, floor=SAYING)).takes_floor
    assert not final("Right.").takes_floor


def test_without_the_model_the_rules_stand_alone() -> None:
    """`use_model=False` asks nothing trained."""
    judge = OverlapJudge(OverlapConfig(use_model=False))

    assert judge.judge(Evidence(words=words_of("Okay."), status=TextStatus.FINAL)).floor_score is None


def test_no_other_language_asks_the_english_model() -> None:
    """A Portuguese word in Portuguese gets no English score."""
    judge = OverlapJudge(OverlapConfig(language="pt-PT"))

    assert judge.judge(Evidence(words=words_of("Pois."), status=TextStatus.FINAL)).floor_score is None


def test_a_recogniser_at_work_without_words_leaves_the_timing_to_the_model() -> None:
    """Voice that goes on without a recognised word is likelier a turn than a voice that has ended."""
    model = load_floor_model()
    on = model.score(Evidence(status=TextStatus.INTERIM, since_onset_s=0.7, voiced_s=0.7, speech_active=True))
    off = model.score(Evidence(status=TextStatus.INTERIM, since_onset_s=0.7, voiced_s=0.3, speech_active=False))

    assert on is not None and off is not None and on > off


def test_nothing_said_and_no_recogniser_at_work_gives_no_score() -> None:
    """Without words the model speaks only beside a streaming recogniser."""
    model = load_floor_model()

    assert model.score(Evidence(status=TextStatus.NONE, voiced_s=0.5, speech_active=True)) is None
    assert model.score(Evidence(status=TextStatus.EMPTY)) is None


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("MMMHUM", ("<mhm>",)),
        ("M.M.H.", ("<mhm>",)),
        ("uh-huh", ("<mhm>",)),
        ("mmm", ("<hm>",)),
        ("O.K.", ("okay",)),
        ("o_k", ("okay",)),
        ("Mum", ("mum",)),
        ("um", ("um",)),
        ("ye-", ("ye-",)),
        ("<yeah>", ("yeah",)),
        ("Yup.", ("yep",)),
    ],
)
def test_one_spelling_for_what_recognisers_spell_freely(word: str, expected: tuple[str, ...]) -> None:
    """The model sees sounds, not spellings."""
    assert expected == canonical(word)


def test_letters_spelt_apart_are_one_hum() -> None:
    """Whisper's "M M H H M"."""
    assert ("<mhm>",) == canonical_words("M M H H M".split())
    assert listens_only(["M.M.H.", "yeah"]) and not listens_only(["yeah", "but"]) and not listens_only([])


def test_word_times_and_history_become_features_and_their_absence_does_not() -> None:
    """A recogniser without times, a first overlap: fewer features, no guess."""
    timed = features(
        FloorView(("yeah",), first_word_s=0.2, last_word_s=0.2, voice_on=False, before=CallerBefore(1, True))
    )
    bare = features(FloorView(("yeah",)))

    assert "d1" in timed and any(name.startswith("before=") for name in timed)
    assert not any(name.startswith(("d1", "dl", "before", "voiced", "on=")) for name in bare)


WORDS = st.lists(
    st.tuples(st.text(alphabet="abcmhu' -.", min_size=1, max_size=8), st.floats(0, 3), st.floats(0, 1)), max_size=8
)


@settings(max_examples=150, deadline=None)
@given(
    WORDS,
    st.booleans(),
    st.sampled_from(list(TextStatus)),
    st.floats(0, 5),
    st.none() | st.floats(0, 5),
    st.sampled_from([None, *Speaker]),
    st.sampled_from(["en", "pt-PT", "de", None]),
    st.booleans(),
)
def test_no_evidence_breaks_the_judge(
    words: list[tuple[str, float, float]],
    on: bool,
    status: TextStatus,
    since_s: float,
    voiced_s: float | None,
    speaker: Speaker | None,
    language: str | None,
    asked: bool,
) -> None:
    """Any words, any times: a verdict, a score in [0, 1] or none, and never a floor taken by echo or a third party."""
    evidence = Evidence(
        words=tuple(TimedWord(text, start, start + length) for text, start, length in words),
        status=status,
        since_onset_s=since_s,
        voiced_s=voiced_s,
        speech_active=on,
        speaker=speaker,
        language=language,
        floor=AgentFloor(delivered_text="Do you", remaining_text="smoke?", question_open=asked),
    )

    got = JUDGE.judge(evidence)

    assert got.floor_score is None or 0.0 <= got.floor_score <= 1.0
    assert not (speaker in (Speaker.THIRD_PARTY, Speaker.AGENT_ECHO) and got.takes_floor)
    assert got == JUDGE.judge(evidence)
