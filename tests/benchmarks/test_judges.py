"""Judges, canaries, checks, signatures, and the bugs they must catch."""

import json
from pathlib import Path

import pytest

from benchmarks.cells import Arm, Phase, load_cell, load_cells
from benchmarks.cli.scoring import PlantedBugs
from benchmarks.errors import EnvironmentFault, UnknownName
from benchmarks.judges import Outcome, RuleCoverageJudge, RuleTargetQuestionJudge, Verdict
from benchmarks.judges.canaries import failed_canaries, load_canaries
from benchmarks.judges.checks import CHECKS, check_trial
from benchmarks.judges.model import ModelCoverageJudge, ModelTargetQuestionJudge, read_numbered, read_yes_no
from benchmarks.judges.planted import (
    JUDGE_BUGS,
    TRIAL_BUGS,
    Part,
    Recall,
    false_alarms,
    judge_bug_recall,
    trial_bug_recall,
)
from benchmarks.judges.rules import RuleItems
from benchmarks.judges.score import Judges, rule_judges, score_trials
from benchmarks.judges.validate import load_labelled, validate, validate_both
from benchmarks.simulator import (
    Completion,
    HeardTurn,
    Policy,
    ReplicaSystem,
    Speaker,
    TrialLog,
    run_trial,
    scripted_agent,
    trial_seed,
)

pytestmark = pytest.mark.unit

SIGNATURES = Path(__file__).parent / "judge_signatures.json"


class Answers:
    """A judge model with one answer."""

    name = "answers"

    def __init__(self, text: str | None) -> None:
        self.text = text
        self.asked = ""

    async def complete(self, messages, *, seed: int) -> Completion:
        self.asked = messages[0].content
        if self.text is None:
            raise EnvironmentFault("down")
        return Completion(self.text)


def agent(*texts: str) -> list[HeardTurn]:
    """A transcript of agent turns."""
    return [HeardTurn(speaker=Speaker.AGENT, text=text) for text in texts]


async def trials(per_arm: int) -> list[TrialLog]:
    """Scripted trials of every cell, arm and agent."""
    return [
        await run_trial(cell, arm, scripted_agent(policy), ReplicaSystem(), trial_seed(1, cell.id, i), index=i)
        for cell in load_cells()
        for arm in cell.arms
        for policy in Policy
        for i in range(per_arm)
    ]


@pytest.mark.parametrize("canary", load_canaries(), ids=lambda c: c.name)
async def test_every_canary_gets_its_known_verdict(canary):
    """One row a canary: the rubric of appendix B.3, case by case."""
    [verdict] = await score_trials([canary.trial], rule_judges())

    assert canary.gold == verdict.outcome


async def test_scripted_agents_reproduce_the_studys_loss():
    """Deaf: every interrupted trial fails. Cooperative: none does. No baseline fails, and nothing is left unscored."""
    logs = await trials(2)

    verdicts = await score_trials(logs, rule_judges())

    for log, verdict in zip(logs, verdicts, strict=True):
        fails = log.agent == "deaf" and log.arm.interrupts
        assert verdict.outcome is (Outcome.FAIL if fails else Outcome.PASS), log.trial_id


async def test_signatures_are_pinned_to_versions():
    """A judge that changes without a new version fails here: raise its version, then write both into the file."""
    judges = [
        RuleTargetQuestionJudge(),
        RuleCoverageJudge(),
        ModelTargetQuestionJudge(Answers("")),
        ModelCoverageJudge(Answers("")),
    ]

    now = {judge.name: {"version": judge.version, "signature": judge.signature} for judge in judges}

    assert json.loads(SIGNATURES.read_text()) == now


def test_a_signature_follows_code_and_references_but_not_comments():
    """References count; the docstrings of the module do not stand in the hash."""
    from benchmarks.cells import load_references
    from benchmarks.judges import rules
    from benchmarks.judges.signatures import code_digest, signature

    shorter = load_references().model_copy(update={"neutral": ()})

    assert RuleCoverageJudge().signature != RuleCoverageJudge(shorter).signature
    assert code_digest(rules) == code_digest(rules)
    assert signature("a", "b") != signature("ab")


class TestModelJudges:
    """The LLM judges, with a fake model."""

    @pytest.mark.parametrize(
        ("answer", "outcome"),
        [
            ("yes", "pass"),
            ("No.", "fail"),
            ("**Yes**", "pass"),
            ("I think so", "unscored"),
            ("", "unscored"),
            (None, "unscored"),
        ],
    )
    async def test_a_plain_answer_decides_and_any_other_leaves_it_unscored(self, answer: str | None, outcome: str):
        """Unparseable and unreachable are neither a pass nor a fail."""
        verdict = await ModelTargetQuestionJudge(Answers(answer)).judge("redness", agent("Hello."))

        assert verdict.outcome == outcome

    async def test_the_judge_gets_the_patient_side_transcript_and_the_requirement(self):
        """Nothing else, and no word about interruptions."""
        model = Answers("yes")

        await ModelTargetQuestionJudge(model).judge("redness", agent("Have you noticed any"))

        assert "Agent: Have you noticed any" in model.asked
        assert "redness in the operated eye" in model.asked
        assert "interrupt" not in model.asked

    @pytest.mark.parametrize(
        ("answer", "outcome"),
        [
            ("1: yes\n2: yes\n3: yes", "pass"),
            ("1: yes\n2: no\n3: yes", "fail"),
            ("1: yes\n2: yes", "unscored"),
            ("1: no\n2: maybe\n3: yes", "fail"),
            ("1: yes\n2: yes\n3: yes\n2: no", "unscored"),
            ("yes to all", "unscored"),
        ],
    )
    async def test_coverage_is_read_point_by_point(self, answer: str, outcome: str):
        """One missing point fails; one unreadable line leaves the whole unscored unless another fails."""
        verdict = await ModelCoverageJudge(Answers(answer)).judge("light-sensitivity", agent("Hello."))

        assert verdict.outcome == outcome

    def test_lines_may_be_written_in_many_ways(self):
        """Dots, brackets and bold are read."""
        assert list(read_numbered("1. Yes\n**2)** no\n3 - yes", ["a", "b", "c"]).values()) == ["pass", "fail", "pass"]
        assert read_yes_no("nope") is Outcome.UNSCORED

    async def test_an_unknown_reference_is_refused(self):
        """A judge never makes up a question."""
        for judge in (ModelTargetQuestionJudge(Answers("yes")), RuleTargetQuestionJudge()):
            with pytest.raises(UnknownName, match="question 'itching'"):
                await judge.judge("itching", [])
        for judge in (ModelCoverageJudge(Answers("yes")), RuleCoverageJudge()):
            with pytest.raises(UnknownName, match="FAQ 'itching'"):
                await judge.judge("itching", [])


async def test_every_planted_bug_is_caught_and_no_sound_trial_is_accused():
    """Recall 1 on every bug that can be planted in a transcript; no false alarm."""
    logs = await trials(1)

    recalls = [*trial_bug_recall(logs), *(await judge_bug_recall())]

    assert {r.bug for r in recalls} == {*TRIAL_BUGS, *JUDGE_BUGS}
    assert [(r.bug, r.caught) for r in recalls] == [(r.bug, r.planted) for r in recalls]
    assert all(r.planted > 0 for r in recalls)
    assert false_alarms(logs) == 0


async def test_a_bug_is_planted_only_where_it_has_an_opportunity():
    """Nothing was cut, or nothing was lost: no ledger can be wrong about it, so the trial is not in the recall."""
    logs = [log for log in await trials(1) if log.arm.interrupts]
    spared = [log.model_copy(update={"interruptions": 0}) for log in logs]
    ledger = {"closes-on-intended", "forgets-an-open-item", "hands-off-nothing"}

    planted = {r.bug: r.planted for r in trial_bug_recall(logs)}
    assert all(planted[bug] > 0 for bug in ledger)
    assert all(r.planted == 0 for r in trial_bug_recall(spared) if r.bug in ledger)
    assert [r.planted for r in trial_bug_recall(logs, 1)] == [1] * len(TRIAL_BUGS)


def test_an_uncaught_bug_and_an_accused_trial_are_broken_gates():
    """Recall below 1 is said in words; a bug that could not be planted is none."""
    rows = [Recall("a", Part.LEDGER, 5, 4, ()), Recall("b", Part.YIELD, 0, 0, ()), Recall("c", Part.JUDGE, 1, 1, ())]

    assert PlantedBugs(tuple(rows), 0, 9).missed() == ["planted bug a (ledger): caught 4 of 5"]
    assert PlantedBugs((), 2, 9).missed() == ["sound trials accused: 2 of 9"]


async def test_a_judge_that_always_passes_kills_canaries():
    """The canaries are what notices a dead judge."""

    class Passes:
        name, version, signature = "passes", "1", ""

        async def judge(self, reference, transcript, *, seed=0):
            return Verdict(Outcome.PASS, "", {})

    assert len(await failed_canaries(Judges(Passes(), Passes()))) > 5


async def test_checks_name_the_turn_and_no_words():
    """A finding holds numbers and ids, never what was said."""
    log = await run_trial(load_cell("G-competitive"), Arm.INTERRUPT, scripted_agent("deaf"), ReplicaSystem(), 3)
    broken = log.model_copy(update={"interruptions": 2})

    [finding] = check_trial(broken)

    assert finding.check == "interruptions-fit-the-arm"
    assert finding.detail == "1 interrupting turns, 2 counted, 1 planned"
    assert finding.check in CHECKS


class TestValidation:
    """Judges against labelled dialogues."""

    @pytest.mark.parametrize("phase", list(Phase))
    def test_there_are_sixty_labelled_dialogues_a_judge(self, phase: Phase):
        """Both labels occur often enough for a kappa."""
        _, dialogues = load_labelled(phase)

        assert len(dialogues) == 60
        assert 20 <= sum(d.gold is Outcome.FAIL for d in dialogues) <= 40

    async def test_the_rule_judges_are_never_wrong_and_say_when_they_cannot_tell(self):
        """On free text they decide half or more, all of it right; the rest is unscored."""
        for validation in await validate_both(rule_judges()):
            assert (validation.wrong_pass, validation.wrong_fail) == (0, 0), validation
            assert validation.n - validation.unscored >= 25

    async def test_the_second_annotator_is_compared_with_the_judge_and_with_the_authors(self):
        """Over what the judge decided, and over all sixty."""
        for validation in await validate_both(rule_judges()):
            assert validation.with_second is not None and validation.annotators is not None
            assert validation.n - validation.unscored == validation.with_second.n
            assert 60 == validation.annotators.n
            raters = {f.group.get("raters") for f in validation.figures() if f.name == "kappa"}
            assert {None, "judge, second annotator", "authors, second annotator"} == raters

    async def test_another_annotators_labels_take_the_bundled_ones_place(self):
        """One that turns every label round agrees with nobody; one that labelled two dialogues is compared on two."""
        _, dialogues = load_labelled(Phase.GATHERING)
        turned = {i: Outcome.PASS if d.gold is Outcome.FAIL else Outcome.FAIL for i, d in enumerate(dialogues)}

        against = await validate(rule_judges().of(Phase.GATHERING), Phase.GATHERING, turned)
        few = await validate(rule_judges().of(Phase.GATHERING), Phase.GATHERING, {0: Outcome.PASS, 1: Outcome.FAIL})

        assert against.annotators is not None and 0 == against.annotators.agreed
        assert few.annotators is not None and 2 == few.annotators.n

    async def test_a_judge_that_always_passes_has_no_kappa_worth_the_name(self):
        """Its wrong passes are counted."""

        class Passes:
            name, version, signature = "passes", "1", ""

            async def judge(self, reference, transcript, *, seed=0):
                return Verdict(Outcome.PASS, "", {})

        validation = await validate(Passes(), Phase.GATHERING)

        assert validation.wrong_pass == 31
        assert validation.agreement is not None
        assert validation.agreement.kappa == 0.0
        assert {f.name for f in validation.figures()} >= {"kappa", "wrong_pass_rate", "unscored_rate"}


def test_a_whole_sentence_that_begins_like_a_known_one_is_not_a_cut_off_one():
    """With its full stop the sentence may convey the point: unscored. Without, it was cut off: failed."""
    items = RuleItems().outcomes(Phase.PROVISION, "light-sensitivity", ["Some sensitivity to light is normal."])
    cut = RuleItems().outcomes(Phase.PROVISION, "light-sensitivity", ["Some sensitivity to light is normal"])

    assert items["light.reassurance"] is Outcome.UNSCORED
    assert cut["light.reassurance"] is Outcome.FAIL
