"""A developer's own pipeline on the simulator's line: `--bot module:factory`."""

from __future__ import annotations

import pytest

from benchmarks.cells import Arm
from benchmarks.errors import BadOption
from benchmarks.judges.checks import check_trial
from benchmarks.simulator import AgentTurn, TrialLog
from benchmarks.simulator.build import Models, make_agent, make_system
from benchmarks.simulator.live.bot import load_factory
from benchmarks.simulator.plan import Plan
from benchmarks.simulator.runner import Fault, run_chunk
from benchmarks.simulator.system import CallBounds

pytestmark = pytest.mark.pipeline

BOTS = "tests.benchmarks.own_bots"


def play(factory: str) -> TrialLog:
    """One interrupted trial of the provision cell on a bot."""
    bot = f"{BOTS}:{factory}"
    plan = Plan(
        cells=["P-competitive"],
        arms=[Arm.INTERRUPT],
        agents=[bot],
        systems=["bot"],
        level="text",
        prompts=None,
        trials=1,
        seed=3,
    )
    [log] = run_chunk(plan.planned(), Models(bot=bot), CallBounds(), 1)
    assert isinstance(log, TrialLog)
    return log


def test_a_plain_bot_is_cut_and_its_history_is_compared_with_the_ear() -> None:
    """What was heard comes from the listener; what the model remembers is a claim."""
    log = play("plain")

    cut = log.turns[log.interrupted_on[0]]
    assert isinstance(cut, AgentTurn)
    assert cut.was_cut
    assert cut.claimed_delivered is not None
    assert ("bot", f"{BOTS}:plain") == (log.system, log.agent)
    assert None is log.claims.closed


def test_a_bot_with_the_kit_is_checked_by_its_own_ledger() -> None:
    """Its record and hand-off stand beside the truth, and agree with it."""
    log = play("with_kit")

    assert log.claims.closed is not None
    assert "light.escalation" in log.claims.closed
    assert [] == check_trial(log)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("my_bot", "expected module:factory"),
        ("no_such_module_here:make", "cannot import no_such_module_here"),
        (f"{BOTS}:missing", "there is no missing in"),
        (f"{BOTS}:not_callable", "must be a plain function"),
        (f"{BOTS}:coroutine", "must be a plain function"),
    ],
)
def test_a_name_that_leads_to_no_factory_is_one_clear_line(name: str, says: str) -> None:
    """It says what was expected, before any call is made."""
    with pytest.raises(BadOption, match=says):
        load_factory(name)


@pytest.mark.parametrize(
    ("factory", "says"), [("without_voice", "edges.tts stands 0 times"), ("no_pipeline", "got str")]
)
def test_a_factory_that_gives_no_whole_pipeline_is_told_so(factory: str, says: str) -> None:
    """A missing end of the line is named."""
    with pytest.raises(BadOption, match=says):
        play(factory)


def test_a_bot_whose_own_part_fails_is_told_by_a_check() -> None:
    """Its call has nothing to cut; without the check it would pass for one without an opportunity."""
    log = play("breaks")

    assert not log.eligible
    [finding] = check_trial(log)
    assert finding.check == "pipeline-without-errors"
    assert finding.detail.startswith("pipeline errors: ")
    assert "RuntimeError" in finding.detail
    assert "told by the patient" not in finding.detail


def test_a_bot_whose_call_never_ends_is_a_fault_and_not_a_crash() -> None:
    """The other trials of a sweep go on; the command still ends with an error, because the call hangs."""
    bot = f"{BOTS}:never_ends"
    plan = Plan(
        cells=["P-competitive"],
        arms=[Arm.BASELINE],
        agents=[bot],
        systems=["bot"],
        level="text",
        prompts=None,
        trials=1,
        seed=3,
    )

    [fault] = run_chunk(plan.planned(), Models(bot=bot), CallBounds(call_s_max=20.0), 1)

    assert isinstance(fault, Fault)
    assert "the call never ended" in fault.reason
    assert "P-competitive/baseline" in fault.reason


async def test_the_agent_inside_a_bot_is_never_asked_from_outside() -> None:
    """It has a name for the record and nothing else."""
    agent = make_agent("my_bot:make", Models(bot="my_bot:make"))

    assert "my_bot:make" == agent.name
    with pytest.raises(BadOption, match="lives inside the bot"):
        await agent.complete([], seed=0)


def test_the_system_bot_needs_a_factory() -> None:
    """Without --bot there is nothing to run."""
    with pytest.raises(BadOption, match="needs --bot"):
        make_system("bot", "text")
