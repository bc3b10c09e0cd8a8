"""The three-stage simulator, its scripted agents and the study's transcript setting."""

import json
from collections.abc import Sequence

import pytest

from benchmarks.cells import Arm, TurnMode, load_cell, load_overlap_types
from benchmarks.cells.models import TurnPlan
from benchmarks.errors import UnknownName
from benchmarks.simulator import (
    AgentTurn,
    CallBounds,
    Completion,
    EndReason,
    HeardTurn,
    Message,
    PatientTurn,
    ReplicaSystem,
    SimulatedPatient,
    Speaker,
    TrialLog,
    model_stages,
    run_trial,
    scripted_agent,
    scripted_stages,
    trial_seed,
)
from benchmarks.simulator.replica import closes_call
from benchmarks.simulator.stages import ModelFire, ModelPlacement

pytestmark = pytest.mark.unit

QUESTION = "Have you noticed any redness in your eye?"


class Says:
    """A model that says one thing after the other and keeps what it was asked."""

    def __init__(self, *texts: str) -> None:
        self.name = "says"
        self.texts = list(texts)
        self.asked: list[str] = []

    async def complete(self, messages: Sequence[Message], *, seed: int) -> Completion:
        self.asked.append("\n".join(m.content for m in messages))
        return Completion(self.texts.pop(0) if len(self.texts) > 1 else self.texts[0])


class Keeps:
    """A model that says one thing and keeps the messages themselves."""

    def __init__(self, text: str = "My sight's all blurry.") -> None:
        self.name = "keeps"
        self.text = text
        self.asked: list[list[Message]] = []

    async def complete(self, messages: Sequence[Message], *, seed: int) -> Completion:
        self.asked.append(list(messages))
        return Completion(self.text)


async def trial(cell: str, arm: Arm, agent: str, index: int = 0, **more) -> TrialLog:
    """One scripted trial of the study's setting."""
    return await run_trial(
        load_cell(cell), arm, scripted_agent(agent), ReplicaSystem(), trial_seed(1, cell, index), index=index, **more
    )


def agent_texts(log: TrialLog) -> list[str]:
    """What the patient heard of the agent."""
    return [turn.delivered for turn in log.turns if isinstance(turn, AgentTurn)]


async def test_a_trial_logs_intended_delivered_cut_interruption_type_and_agent():
    """The fields of section 3.3."""
    log = await trial("P-competitive", Arm.INTERRUPT, "deaf")

    cut = log.turns[log.interrupted_on[0]]
    after = log.turns[log.interrupted_on[0] + 1]
    assert isinstance(cut, AgentTurn)
    assert cut.intended.startswith(cut.delivered)
    assert (cut.cut_chars, cut.cut_words) == (len(cut.delivered), len(cut.delivered.split()))
    assert len(cut.delivered) < len(cut.intended)
    assert isinstance(after, PatientTurn)
    assert after.interrupts
    assert after.text in load_cell("P-competitive").arms[Arm.INTERRUPT].turn.examples
    assert (log.overlap, log.agent, log.interruptions) == ("competitive", "deaf", 1)


async def test_the_agent_reads_only_what_was_heard():
    """What was removed is seen by neither side."""
    seen: list[str] = []

    class Listening:
        name = "listening"

        async def complete(self, messages: Sequence[Message], *, seed: int) -> Completion:
            seen.append("\n".join(m.content for m in messages))
            return Completion(QUESTION if len(seen) == 1 else "Goodbye.")

    log = await run_trial(load_cell("G-competitive"), Arm.INTERRUPT, Listening(), ReplicaSystem(), 7)

    assert log.interruptions == 1
    assert "in your eye" not in seen[1]
    assert log.turns[0].heard in seen[1]


@pytest.mark.parametrize("agent", ["cooperative", "deaf", "looping", "over-resuming"])
async def test_no_agent_is_interrupted_in_the_baseline(agent: str):
    """The baseline plays out, whatever the agent."""
    log = await trial("G-competitive", Arm.BASELINE, agent)

    assert (log.interruptions, log.interrupted_on, log.overlap, log.end) == (0, (), None, EndReason.AGENT_CLOSED)


async def test_the_deaf_agent_goes_on_as_if_all_had_been_heard():
    """It never says the rest of the answer."""
    log = await trial("P-competitive", Arm.INTERRUPT, "deaf")

    assert not any("sunglasses" in text for text in agent_texts(log))
    assert log.end is EndReason.AGENT_CLOSED


async def test_the_cooperative_agent_answers_and_goes_back():
    """It answers the new question and says the whole cut answer in the same turn."""
    log = await trial("P-competitive", Arm.INTERRUPT, "cooperative")

    back = agent_texts(log)[log.interrupted_on[0] // 2 + 1]
    assert "I had not finished." in back
    assert back.endswith("avoid bright direct light.")


async def test_the_looping_agent_never_leaves_the_cut_question():
    """The patient hangs up on it; the later questions are never asked."""
    log = await trial("G-recognitional", Arm.INTERRUPT, "looping")

    assert log.end is EndReason.PATIENT_HUNG_UP
    assert not any("flashing lights" in text for text in agent_texts(log))


async def test_the_over_resuming_agent_goes_back_three_times_and_answers_nothing():
    """Three returns, and the patient's question stays unanswered."""
    log = await trial("P-competitive", Arm.MARKER_ABSENT, "over-resuming")

    texts = agent_texts(log)
    assert sum("I had not finished." in text for text in texts) == 3
    assert not any("A little blurriness" in text for text in texts)


@pytest.mark.parametrize("cell", ["G-recognitional", "G-competitive", "P-competitive", "P-transitional"])
async def test_the_same_seed_gives_the_same_trial(cell: str):
    """Bit for bit, in whatever order trials run."""
    await trial(cell, Arm.INTERRUPT, "cooperative", 5)

    assert await trial(cell, Arm.INTERRUPT, "deaf", 3) == await trial(cell, Arm.INTERRUPT, "deaf", 3)


async def test_other_seeds_cut_elsewhere():
    """Over twenty seeds there is more than one cut."""
    cuts = {(await trial("P-competitive", Arm.INTERRUPT, "deaf", i)).turns[14].heard for i in range(20)}

    assert len(cuts) > 3


async def test_marker_arms_cut_at_the_same_word():
    """Present and absent differ in the words alone: every other draw is equal."""
    present = await trial("G-competitive", Arm.MARKER_PRESENT, "deaf", 4)
    absent = await trial("G-competitive", Arm.MARKER_ABSENT, "deaf", 4)

    at = present.interrupted_on[0]
    assert present.turns[at] == absent.turns[at]
    assert present.turns[at + 1].heard == "Sorry to interrupt, but I'm having blurry vision"
    assert absent.turns[at + 1].heard == "I'm having blurry vision"


async def test_a_trial_in_which_nothing_was_cut_is_not_eligible():
    """The yield filter: the agent never attempted the target question."""
    log = await run_trial(load_cell("G-competitive"), Arm.INTERRUPT, Says("Hello. Goodbye."), ReplicaSystem(), 1)

    assert (log.interruptions, log.eligible) == (0, False)


async def test_a_call_that_does_not_end_is_ended():
    """The bound on agent turns holds."""
    log = await run_trial(
        load_cell("G-competitive"),
        Arm.BASELINE,
        Says("Go on.", "And then?", "Go on.", "And then?", "Go on.", "Well."),
        ReplicaSystem(),
        1,
        bounds=CallBounds(agent_turns_max=4),
    )

    assert log.end is EndReason.TURN_LIMIT
    assert len(agent_texts(log)) == 4


async def test_an_arm_the_cell_lacks_is_refused():
    """There is no marker arm in the recognitional cell."""
    with pytest.raises(UnknownName, match="arm of cell G-recognitional"):
        await trial("G-recognitional", Arm.MARKER_PRESENT, "deaf")


async def test_a_stored_trial_comes_back_as_it_was():
    """JSON and back, turns with their kinds."""
    log = await trial("P-transitional", Arm.INTERRUPT, "over-resuming")

    assert TrialLog.model_validate_json(log.model_dump_json()) == log
    assert json.loads(log.model_dump_json())["turns"][1]["speaker"] == "patient"


@pytest.mark.parametrize(
    ("text", "closes"),
    [
        ("Thank you for your time. Goodbye.", True),
        ("Good bye!", True),
        ("Before I say goodbye, have you noticed any redness?", False),
        ("Hello.", False),
    ],
)
def test_a_call_is_closed_by_a_goodbye_that_asks_nothing_more(text: str, closes: bool):
    """A question after the goodbye keeps the line open."""
    assert closes_call(text) is closes


class TestModelStages:
    """Stages on models, with scripted answers."""

    @pytest.mark.parametrize(
        ("answer", "fires"), [("Yes.", True), ("yes, it is", True), ("No", False), ("Perhaps", False), ("", False)]
    )
    async def test_the_classifier_fires_on_yes_alone(self, answer: str, fires: bool):
        """Anything but yes does not interrupt."""
        model = Says(answer)

        assert (await ModelFire(model).fires(load_cell("G-competitive"), QUESTION, 1))[0] is fires
        assert QUESTION in model.asked[0]
        assert "redness of the eye" in model.asked[0]

    async def test_a_paraphrase_is_asked_again_and_then_ruled(self):
        """Two answers that are no prefix: the rule places the cut, and the log says so."""
        model = Says("Did you see redness", "Is your eye red")

        cut, usage = await ModelPlacement(model).place(load_cell("G-competitive"), QUESTION, 1)

        assert cut is not None
        assert cut.source == "fallback"
        assert usage.calls == 2

    async def test_a_literal_prefix_is_taken(self):
        """The cut is the model's."""
        cut, _ = await ModelPlacement(Says('"Have you noticed any"')).place(load_cell("G-competitive"), QUESTION, 1)

        assert cut is not None
        assert (QUESTION[: cut.chars], cut.source) == ("Have you noticed any", "model")

    async def test_a_hard_coded_utterance_never_reaches_the_model(self):
        """The marker arms are fixed to the letter."""
        model = Says("something else")
        cell = load_cell("G-competitive")

        text, usage = await model_stages(model, model, model).turn.interrupt(
            cell, cell.arms[Arm.MARKER_ABSENT].turn, [], 1
        )

        assert text == "I'm having blurry vision"
        assert model.asked == []
        assert usage.calls == 0

    async def test_the_patient_model_sees_the_fragment_and_not_the_rest(self):
        """The third stage knows what was delivered."""
        model = Says("My sight's all blurry.")
        cell = load_cell("G-competitive")
        heard = [HeardTurn(speaker=Speaker.AGENT, text="Have you noticed")]

        await model_stages(model, model, model).turn.interrupt(cell, cell.arms[Arm.INTERRUPT].turn, heard, 1)

        assert '"Have you noticed"' in model.asked[0]
        assert "in your eye" not in model.asked[0]

    @pytest.mark.parametrize(("arm", "own"), [(Arm.INTERRUPT, "Bring up blurry vision"), (None, "")])
    async def test_the_third_stage_changes_the_patients_system_prompt_and_nothing_else(self, arm: Arm | None, own: str):
        """By directive or freely, with the overlap type's definition to the letter; the conversation stays as heard."""
        cell = load_cell("G-competitive")
        plan = TurnPlan(mode=TurnMode.FREE) if arm is None else cell.arms[arm].turn
        assert plan is not None
        heard = [HeardTurn(speaker=Speaker.AGENT, text="Have you noticed")]
        model = Keeps()

        await model_stages(model, model, model).turn.interrupt(cell, plan, heard, 1)

        [messages] = model.asked
        assert ["system", "user"] == [message.role for message in messages]
        assert "Have you noticed" == messages[1].content
        assert load_overlap_types()[cell.overlap].definition in messages[0].content
        assert own in messages[0].content
        assert ("What you say:" in messages[0].content) is (arm is not None)

    async def test_a_cell_may_leave_the_placement_to_its_overlap_type(self):
        """The directive of a cell narrows the type's own placement, and is optional."""
        cell = load_cell("G-competitive")
        bare = cell.model_copy(update={"placement": cell.placement.model_copy(update={"directive": None})})
        model = Keeps('"Have you noticed any"')

        cut, _ = await ModelPlacement(model).place(bare, QUESTION, 1)

        assert cut is not None
        assert load_overlap_types()[cell.overlap].placement in model.asked[0][0].content
        assert "None" not in model.asked[0][0].content

    async def test_a_whole_trial_runs_on_models(self):
        """Agent, three stages and patient from one fake model family."""
        agent = Says(QUESTION, "Goodbye.")
        stages = model_stages(Says("yes"), Says("Have you noticed any"), Says("It's blurry."))

        log = await run_trial(load_cell("G-competitive"), Arm.INTERRUPT, agent, ReplicaSystem(), 1, stages=stages)

        assert [turn.heard for turn in log.turns] == ["Have you noticed any", "It's blurry.", "Goodbye."]


async def test_a_patient_interrupts_at_most_once():
    """A resumed question is not cut again."""
    cell = load_cell("G-competitive")
    patient = SimulatedPatient(cell, Arm.INTERRUPT, scripted_stages(), 1)

    assert await patient.plan_cut(QUESTION) is not None
    await patient.reply([HeardTurn(speaker=Speaker.AGENT, text="Have you")])
    assert await patient.plan_cut(QUESTION) is None
