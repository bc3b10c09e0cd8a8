"""The simulator against real Pipecat pipelines on virtual time: stock and ours, text level."""

import asyncio
import hashlib
import wave

import numpy as np
import pytest

from benchmarks.cells import Arm, load_cell
from benchmarks.judges import Outcome
from benchmarks.judges.checks import check_trial
from benchmarks.judges.score import rule_judges, score_trials
from benchmarks.simulator import AgentTurn, EndReason, PatientTurn, TrialLog, run_trial, scripted_agent, trial_seed
from benchmarks.simulator.build import loop_runner, quiet_pipelines
from benchmarks.simulator.live import make_live_system
from benchmarks.simulator.live.claims import with_history, with_recorded
from benchmarks.simulator.live.ear import assign, unclaimed
from benchmarks.simulator.live.intents import Utterance
from benchmarks.simulator.live.study_pathway import bundled_pathway, study_pathway
from benchmarks.simulator.live.systems import OursSystem
from benchmarks.simulator.live.timing import Delays
from pipecat_interrupt.facts import Cut, UtteranceRecord
from pipecat_interrupt.testing import HeardContext, HeardWordAt

pytestmark = pytest.mark.pipeline


def play(system: str, cell: str, arm: Arm, agent: str, index: int = 0) -> TrialLog:
    """One trial on its own virtual loop."""
    quiet_pipelines()
    seed = trial_seed(1, cell, index)
    return loop_runner("text")(
        run_trial(load_cell(cell), arm, scripted_agent(agent), make_live_system(system, "text"), seed, index=index)
    )


def play_late(cell: str, words_s: float) -> TrialLog:
    """One trial of ours with a recogniser whose words come so much later."""
    quiet_pipelines()
    seed = trial_seed(1, cell, 0)
    system = OursSystem("text", delays=Delays(words_s=words_s))
    return loop_runner("text")(run_trial(load_cell(cell), Arm.INTERRUPT, scripted_agent("deaf"), system, seed))


def outcome(log: TrialLog) -> Outcome:
    """The rule judge's verdict."""
    [verdict] = asyncio.run(score_trials([log], rule_judges()))
    return verdict.outcome


def cut_turn(log: TrialLog) -> AgentTurn:
    """The interrupted agent turn."""
    turn = log.turns[log.interrupted_on[0]]
    assert isinstance(turn, AgentTurn)
    return turn


def test_stock_loses_the_answer_after_a_topic_shift():
    """The study's loss on the pipeline bots run: the deaf agent never says the rest."""
    log = play("stock", "P-competitive", Arm.INTERRUPT, "deaf")

    assert outcome(log) is Outcome.FAIL
    assert cut_turn(log).was_cut
    assert log.end is EndReason.AGENT_CLOSED
    assert log.notes == ()


def test_ours_asks_the_lost_question_before_the_call_ends():
    """The same agent, deaf to its interruption: the kit asks what was cut."""
    log = play("ours", "G-recognitional", Arm.INTERRUPT, "deaf")

    assert outcome(log) is Outcome.PASS
    assert check_trial(log) == []
    assert log.claims.closed is not None


@pytest.mark.parametrize("cell", ["G-competitive", "P-transitional"])
def test_words_that_come_two_seconds_late_cost_nothing(cell: str):
    """As on a machine with other work: what was cut is still said."""
    log = play_late(cell, 2.0)

    assert (Outcome.PASS, []) == (outcome(log), check_trial(log))


def test_what_is_lost_by_words_that_come_too_late_stands_in_the_hand_off():
    """Four seconds late, the patient has said goodbye and hung up before the words are there: lost, not in silence."""
    log = play_late("P-transitional", 4.0)

    assert (Outcome.FAIL, EndReason.PATIENT_HUNG_UP) == (outcome(log), log.end)
    assert ("light.escalation", "light.mild-advice") == log.claims.open == log.claims.handed_off
    assert [] == check_trial(log)


@pytest.mark.parametrize("system", ["stock", "ours"])
def test_the_patient_cuts_in_at_the_planned_word(system: str):
    """The agent stops soon after: at most a few words later, with a latency inside the window."""
    turn = cut_turn(play(system, "P-competitive", Arm.INTERRUPT, "deaf", 3))

    assert turn.planned_cut_chars is not None
    assert turn.intended[: turn.planned_cut_chars] == turn.delivered[: turn.planned_cut_chars]
    assert len(turn.delivered.split()) - len(turn.intended[: turn.planned_cut_chars].split()) <= 3
    assert turn.yield_latency_s is not None
    assert 0 < turn.yield_latency_s <= 2.0


def test_a_baseline_call_plays_out_on_the_pipeline():
    """Every question is asked and heard; nobody is cut."""
    log = play("stock", "G-competitive", Arm.BASELINE, "deaf")

    assert log.interruptions == 0
    assert not any(isinstance(turn, AgentTurn) and turn.was_cut for turn in log.turns)
    assert outcome(log) is Outcome.PASS


def test_the_same_seed_gives_the_same_call():
    """Bit for bit, with every time in it."""
    assert play("ours", "G-competitive", Arm.MARKER_PRESENT, "deaf") == play(
        "ours", "G-competitive", Arm.MARKER_PRESENT, "deaf"
    )


def test_a_patient_who_is_asked_the_same_thing_hangs_up():
    """The looping agent is left; the call ends on the patient's side."""
    log = play("stock", "G-recognitional", Arm.INTERRUPT, "looping")

    assert log.end is EndReason.PATIENT_HUNG_UP
    assert [t.text for t in log.turns if isinstance(t, PatientTurn)][-1] == "I have to go now. Goodbye."


def test_the_study_pathway_differs_in_criticality_alone():
    """What the study requires is critical; wordings and order are the bundled ones."""
    changed = {
        a.id
        for g, h in zip(bundled_pathway().groups, study_pathway().groups, strict=True)
        for a, b in zip(g.items, h.items, strict=True)
        if a != b
    }

    assert changed == {"light.reassurance", "light.mild-advice"}


class TestEar:
    """Heard words find the utterance they belong to."""

    @staticmethod
    def context(text: str, heard: int, opened_by: int = 1) -> HeardContext:
        """A context of which so many words were heard, one a second."""
        words = tuple(HeardWordAt(w, float(i), i + 0.9) for i, w in enumerate(text.split()[:heard]))
        return HeardContext(
            context_id="c",
            intended=text,
            words=words,
            cut_word=None,
            begin=0,
            heard_samples=heard,
            total_samples=len(text.split()),
            opened_by=opened_by,
        )

    def test_one_utterance_in_two_contexts_is_joined(self):
        """Sentence by sentence is one utterance."""
        utterances = [Utterance("One two. Three four.", "model", 0.0, opened_by=1)]

        [heard] = assign(utterances, [self.context("One two.", 2), self.context("Three four.", 1)])

        assert heard.delivered == "One two. Three"

    def test_words_after_an_unheard_word_do_not_count(self):
        """Delivered text is a prefix, whatever sounded later."""
        utterances = [Utterance("One two. Three four.", "model", 0.0, opened_by=1)]

        [heard] = assign(utterances, [self.context("One two.", 1), self.context("Three four.", 2)])

        assert heard.delivered == "One"

    def test_an_utterance_that_never_sounded_has_nothing_delivered(self):
        """It stands in the log as intended."""
        utterances = [
            Utterance("Never said.", "model", 0.0, opened_by=1),
            Utterance("Said.", "speak", 1.0, opened_by=2),
        ]

        never, said = assign(utterances, [self.context("Said.", 1, 2)])

        assert (never.delivered, never.started_s) == ("", None)
        assert said.delivered == "Said."

    def test_the_same_words_meant_twice_belong_to_the_one_that_sounded(self):
        """Whose sound it is says the frame that asked for it, not the words."""
        utterances = [Utterance("Before you go.", "speak", at_s, opened_by=n) for n, at_s in ((1, 0.0), (2, 1.0))]
        contexts = [self.context("Before you go.", 3, 2)]

        assert [h.delivered for h in assign(utterances, contexts)] == ["", "Before you go."]
        assert unclaimed(utterances, contexts) == 0

    def test_speech_that_nothing_before_the_voice_asked_for_is_counted(self):
        """It is in no transcript, so the trial says so; what did not sound does not count."""
        contexts = [self.context("Who said this?", 3, 7), self.context("Nobody heard.", 0, 8)]

        assert unclaimed([Utterance("Hello.", "model", 0.0, opened_by=1)], contexts) == 1


def test_one_wording_said_twice_and_heard_once_agrees_with_the_record():
    """The guard's words, cut by the patient's goodbye before they sounded, and said again: the checks find nothing."""
    quiet_pipelines()
    seed = trial_seed(20260525, "P-competitive", 2)
    system = make_live_system("ours", "text")
    run = run_trial(load_cell("P-competitive"), Arm.INTERRUPT, scripted_agent("deaf"), system, seed, index=2)
    log = loop_runner("text")(run)
    agents = [turn for turn in log.turns if isinstance(turn, AgentTurn)]
    twice = [t for t in agents if sum(u.intended == t.intended for u in agents) > 1]

    assert [bool(t.delivered) for t in twice] == [False, True]
    assert [t.claimed_delivered for t in twice] == [t.delivered for t in twice]
    assert check_trial(log) == [] and log.notes == ()


def record(number: int, intended: str, delivered: str, context_id: str | None) -> UtteranceRecord:
    """What the recorder says of one utterance, whole or not at all."""
    cut = None if delivered else Cut(chars=0, words=0, ms=0.0, exactness="exact")
    return UtteranceRecord(
        id=f"u{number}",
        intended=intended,
        delivered=delivered,
        undelivered=intended[len(delivered) :],
        cut=cut,
        llm_complete=True,
        end_reason="complete" if delivered else "interruption",
        source="speak",
        shape="word_timings" if delivered else "none",
        context_id=context_id,
    )


def test_a_record_goes_to_the_turn_with_its_synthesis_and_the_rest_by_words():
    """Records are written as utterances end, which need not be the order in which they were meant."""
    turns = [
        AgentTurn(intended="Go now.", delivered="", cut_chars=0, cut_words=0),
        AgentTurn(intended="Go now.", delivered="Go now."),
        AgentTurn(intended="Unrecorded.", delivered="Unrecorded."),
    ]
    records = [record(2, "Go now.", "Go now.", "b"), record(1, "Go now.", "", None)]

    placed = with_recorded(turns, records, [{"a"}, {"b"}, {"c"}])

    assert [t.claimed_delivered for t in placed if isinstance(t, AgentTurn)] == ["", "Go now.", ""]


def test_what_stock_remembers_is_put_beside_what_was_heard():
    """The history's words, in the order of the utterances; an utterance it lacks is claimed as nothing."""
    turns = [
        AgentTurn(intended="One two three.", delivered="One", cut_chars=3, cut_words=1),
        PatientTurn(text="Wait."),
        AgentTurn(intended="Four five.", delivered="Four five."),
    ]

    first, _, last = with_history(
        turns, [{"role": "assistant", "content": "One two"}, {"role": "user", "content": "x"}]
    )

    assert isinstance(first, AgentTurn)
    assert isinstance(last, AgentTurn)
    assert (first.claimed_delivered, last.claimed_delivered) == ("One two", "")


def test_a_call_is_kept_in_two_channels_and_the_trial_names_its_hash(tmp_path):
    """Caller left, agent as heard right, on one clock; the same trial gives the same sound again."""
    quiet_pipelines()
    kept = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        system = make_live_system("stock", "text", recordings=folder)
        seed = trial_seed(1, "P-competitive", 0)
        log = loop_runner("text")(
            run_trial(load_cell("P-competitive"), Arm.INTERRUPT, scripted_agent("deaf"), system, seed)
        )
        [path] = folder.iterdir()
        with wave.open(str(path), "rb") as file:
            shape = (file.getnchannels(), file.getframerate())
            sound = np.frombuffer(file.readframes(file.getnframes()), "<i2").reshape(-1, 2)
        kept.append((path.name, log.notes))

        assert shape == (2, 8000)
        assert len(sound) / 8000 == pytest.approx(log.duration_s, abs=0.01)
        assert all(np.count_nonzero(channel) > 8000 for channel in sound.T)
        assert log.notes == (f"recording sha256:{hashlib.sha256(sound.tobytes()).hexdigest()}",)
        assert path.stem.partition("-")[2] == log.notes[0].partition(":")[2][:12]

    assert kept[0] == kept[1]
