"""Two-voice sets: the strategy file, the mixing, the builder, and that the evaluations read what was built."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from benchmarks.cli import app
from benchmarks.errors import CallerError, MissingData, UnreadableRow
from benchmarks.evals import third_party, third_party_live, third_party_replies
from benchmarks.figures import EvalOptions, Figure
from benchmarks.training.voices.scenarios import SCENARIOS, kind_of
from benchmarks.two_voice import Role, load_strategy, read_manifest
from benchmarks.two_voice.build import Builder, BuildSettings
from benchmarks.two_voice.checking import word_error_rate
from benchmarks.two_voice.likeness import GateLikeness
from benchmarks.two_voice.mix import RATE_HZ, Samples, draw_gap_s, levelled, one_voice, two_voices
from benchmarks.two_voice.strategy import Timing
from speaker_gate.testing import fake_ears, say

pytestmark = pytest.mark.unit
soundfile = pytest.importorskip("soundfile", reason="sets are written with soundfile")

SECONDS_A_WORD = 0.4


class ToneVoices:
    """Speaks every line as a tone of its voice, as long as its words."""

    name = "tones"
    voices = ("patient", "daughter", "television")

    def say(self, text: str, voice: str) -> Samples:
        return say(voice, max(1, len(text.split())) * SECONDS_A_WORD)


class ListeningEar:
    """Hears a given text for a given voice, by its pitch."""

    name = "told"

    def __init__(self, text: str | None) -> None:
        self.text = text

    def hear(self, samples: Samples, language: str) -> str | None:
        return self.text


def build(out: Path, *, limit: int = 4, ear: ListeningEar | None = None) -> Builder:
    strategy = load_strategy("reference_en")
    return Builder(strategy, "0" * 64, ToneVoices(), ear, out, BuildSettings(limit=limit))


def test_the_shipped_strategy_has_every_scenario_of_the_study_at_both_timings() -> None:
    """26 scenarios, two cases each, one within a sentence and one after it; kinds as our reading of the study says."""
    strategy = load_strategy("reference_en")

    assert set(SCENARIOS) == {scenario.id for scenario in strategy.scenarios}
    for scenario in strategy.scenarios:
        assert set(Timing) == {case.timing for case in scenario.cases}
        assert {kind_of(scenario.id).value} == {case.kind for case in scenario.cases}
        assert strategy.kinds[scenario.cases[0].kind].actionable is kind_of(scenario.id).actionable


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("kind: ignorable, timing: after_completion", "kind: nonsense, timing: after_completion", "names kind"),
        ("- id: alignment", "- id: endorsement", "stands twice"),
        ("timing: within_sentence", "timing: after_completion", "ends with '...'"),
        ("version: 1", "version: 2", "version"),
    ],
)
def test_a_wrong_strategy_file_is_refused_with_file_and_reason(
    tmp_path: Path, old: str, new: str, complaint: str
) -> None:
    """One line that a person can act on."""
    source = Path(__file__).parents[2] / "benchmarks/two_voice/strategies/reference_en.yaml"
    mine = tmp_path / "mine.yaml"
    mine.write_text(source.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")

    with pytest.raises(CallerError, match=complaint) as caught:
        load_strategy(mine)
    assert "mine.yaml" in str(caught.value)


def test_the_second_voice_comes_in_as_drawn_and_never_covers_the_first_whole() -> None:
    """Half a second of overlap where that was drawn; a bound where a line is short."""
    first, second = say("patient", 2.0), say("daughter", 1.5)

    mixed = two_voices(first, second, -0.5)
    short = two_voices(say("patient", 0.5), second, -0.9)

    assert mixed.overlap_s == pytest.approx(0.5, abs=0.001)
    assert mixed.onset_s == pytest.approx(1.5, abs=0.001)
    assert len(mixed.samples) == round(3.0 * RATE_HZ)
    assert short.overlap_s == pytest.approx(0.3, abs=0.001)


def test_the_gap_is_drawn_from_the_studys_distribution() -> None:
    """Mean and deviation of many draws are those of N(-0.5, 0.1)."""
    rng = np.random.default_rng(1)
    drawn = [draw_gap_s(rng) for _ in range(4000)]

    assert (float(np.mean(drawn)), float(np.std(drawn))) == pytest.approx((-0.5, 0.1), abs=0.006)


def test_a_twin_says_both_lines_one_behind_the_other() -> None:
    """Nobody overlaps with themselves."""
    twin = one_voice(say("patient", 1.0), say("patient", 1.0))

    assert twin.overlap_s == 0.0
    assert twin.onset_s > twin.first_end_s


def test_a_line_is_levelled_and_its_silence_cut() -> None:
    """Minus 22 dBFS; nothing at all stays nothing."""
    padded = np.pad(say("patient", 1.0, -35.0), RATE_HZ)

    made = levelled(padded)

    assert 20 * np.log10(np.sqrt(np.mean(made**2))) == pytest.approx(-22.0, abs=0.7)
    assert len(made) < 1.2 * RATE_HZ
    assert len(levelled(np.zeros(100, np.float32))) == 0


@pytest.mark.parametrize(
    ("text", "heard", "rate"),
    [
        ("It's four times, Dr. Lee.", "its 4 times doctor lee", 0.0),
        ("one two three four", "one two four", 0.25),
        ("one", None, None),
        ("one two", "", 1.0),
    ],
)
def test_words_are_compared_without_case_marks_and_number_forms(
    text: str, heard: str | None, rate: float | None
) -> None:
    """A recogniser's spelling is no error."""
    assert word_error_rate(text, heard) == rate


def test_a_built_set_is_repeatable_and_its_manifest_comes_back(tmp_path: Path) -> None:
    """The same seed gives the same files; another seed other overlaps; one more case changes nothing of the others."""
    first = build(tmp_path / "a").build()
    again = build(tmp_path / "b").build()
    whole = build(tmp_path / "c", limit=0).build()

    assert first == again == read_manifest(tmp_path / "a")
    assert {clip.path: clip.sha256 for clip in first.of(Role.TWO_VOICES)}.items() <= {
        clip.path: clip.sha256 for clip in whole.of(Role.TWO_VOICES)
    }.items()
    assert (52, 52, 26) == tuple(len(whole.of(role)) for role in (Role.TWO_VOICES, Role.TWIN, Role.HARD_NEGATIVE))
    two = whole.of(Role.TWO_VOICES)
    assert all(clip.voice != clip.other_voice for clip in two)
    assert np.mean([clip.overlap_s for clip in two]) == pytest.approx(0.5, abs=0.06)


def test_a_case_that_is_heard_wrong_is_left_out_and_named(tmp_path: Path) -> None:
    """Nothing is accepted that nobody can understand; with no case left the build says so."""
    with pytest.raises(CallerError, match="no case was accepted"):
        build(tmp_path, ear=ListeningEar("something else entirely was heard here")).build()


def test_a_missing_or_broken_manifest_is_one_line(tmp_path: Path) -> None:
    """The way to a set is named."""
    with pytest.raises(MissingData, match="two-voice"):
        read_manifest(tmp_path)
    (tmp_path / "manifest.json").write_text("{}", encoding="utf-8")
    with pytest.raises(UnreadableRow):
        read_manifest(tmp_path)


def test_the_command_checks_a_file_and_names_what_it_needs() -> None:
    """--check reads; without voices there is nothing to build with."""
    checked = CliRunner().invoke(app, ["two-voice", "--check"])
    bare = CliRunner().invoke(app, ["two-voice"])

    assert (0, "reference-en: 26 scenarios, 52 cases, 28 of them actionable") == (
        checked.exit_code,
        checked.output.strip(),
    )
    assert bare.exit_code != 0
    assert "--kokoro" in str(bare.exception)


def values(figures: list[Figure], **group: object) -> dict[str, float | None]:
    return {f.name: f.value for f in figures if f.group == group}


def test_the_third_party_evaluation_reads_a_built_set_with_its_labels(tmp_path: Path) -> None:
    """Changes found, twins and hard negatives left alone, labels from the manifest."""
    build(tmp_path).build()

    clips = third_party.find_clips(tmp_path)
    figures = third_party.run(EvalOptions(data=tmp_path, extra={"ears": fake_ears()}))

    assert {"two_voice", "hard_negatives"} <= {clip.path.relative_to(tmp_path).parts[0] for clip in clips}
    assert all(clip.actionable is not None for clip in clips if clip.two_voices)
    found = values(figures)
    assert (1.0, 0.0) == (found["change_detected_rate"], found["janus_false_rate"])


def test_replies_are_judged_by_rules_and_compared_between_twins(tmp_path: Path) -> None:
    """Stock cannot tell the twins apart, so its replies are equal; ours answers them differently."""
    pytest.importorskip("sacrebleu", reason="likeness of replies needs sacrebleu")
    pytest.importorskip("rouge_score", reason="likeness of replies needs rouge-score")
    build(tmp_path, limit=8).build()
    kept = tmp_path / "replies.jsonl"
    extra = {"ears": fake_ears(), "replies": str(kept)}

    figures = third_party_replies.run(EvalOptions(data=tmp_path, extra=extra))

    stock, ours = values(figures, system="stock"), values(figures, system="ours")
    assert stock["bleu_between_twins"] == pytest.approx(1.0)
    assert (ours["bleu_between_twins"] or 1.0) < 0.95
    followed = [values(figures, system=s, set="two_voices")["strategy_followed_rate"] for s in ("stock", "ours")]
    assert (followed[1] or 0.0) > (followed[0] or 0.0)
    assert values(figures, system="ours", set="twin")["twin_taken_for_two_rate"] == 0.0
    assert "published_rsf_two_voices" in {figure.name for figure in figures}
    assert 2 * 2 * 8 == len([json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()])


def test_a_room_is_played_live_and_every_trial_is_kept(tmp_path: Path) -> None:
    """One case over the agent and one short answer, through the whole pipeline, with tone voices."""
    build(tmp_path, limit=1).build()
    kept = tmp_path / "trials.jsonl"
    extra = {"ears": fake_ears(), "arms": "over_agent,two_voices", "bands": "16k", "trials": str(kept), "vad": "energy"}

    figures = third_party_live.run(EvalOptions(data=tmp_path, extra=extra))

    trials = [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()]
    assert ["over_agent", "two_voices"] == [trial["arm"] for trial in trials]
    assert trials[0]["other_as_patient"] == 0.0
    assert trials[0]["finished"] is True
    assert values(figures, arm="over_agent")["utterance_finished_rate"] == 1.0
    assert values(figures)["ledger_moved_unconfirmed_rate"] == 0.0


class OneFamily:
    """Takes the patient and the daughter for one voice."""

    name = "one family"

    def alike(self, first: str, second: str, speech: Callable[[str], Samples]) -> tuple[float, bool]:
        assert len(speech(first)) > 0
        return 0.9, {first, second} == {"patient", "daughter"}


def test_voices_liker_than_two_people_are_not_paired(tmp_path: Path) -> None:
    """Every case gets another pair, none is lost, and the manifest says what refused them."""
    builder = build(tmp_path, limit=8)
    builder.likeness = OneFamily()

    manifest = builder.build()

    pairs = [{clip.voice, clip.other_voice} for clip in manifest.of(Role.TWO_VOICES)]
    assert 8 == len(pairs)
    assert {"patient", "daughter"} not in pairs
    assert ("one family", {0.9}) == (manifest.likeness, {clip.alike for clip in manifest.of(Role.TWO_VOICES)})


def test_the_gates_own_measure_refuses_a_voice_and_itself() -> None:
    """A tone and itself score 1, two tones 0; the limits are real people's."""
    likeness = GateLikeness(fake_ears())

    def speech(voice: str) -> Samples:
        return say(voice.rstrip("2"), 8.0)

    assert (True, False) == (
        likeness.alike("patient", "patient2", speech)[1],
        likeness.alike("patient", "daughter", speech)[1],
    )
