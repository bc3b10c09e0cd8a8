"""Checks of a trial's own record: does what the system claims agree with what the patient heard?

Each check reads one stored trial and names what is wrong with it. They are what catches a broken ledger, a broken
delivery record or an agent that does not yield; docs/metrics/seed000.md reports how well they catch planted bugs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from benchmarks.cells import Cell, OverlapKind, TurnMode, load_cell
from benchmarks.judges.items import known_items
from benchmarks.judges.protocol import Outcome
from benchmarks.simulator.placement import is_word_prefix
from benchmarks.simulator.transcript import AgentTurn, PatientTurn
from benchmarks.simulator.trial_log import PIPELINE_ERRORS, TrialLog
from benchmarks.simulator.words import bare_words

WORDS_AFTER_CUT_MAX = {"transcript": 0}
WORDS_AFTER_CUT_MAX_LIVE = 6  # 2 s window (seed 002) at three words a second.
WORDS_LEFT_MIN = 3  # An utterance with fewer words left may well be over before anyone could yield.
CLAIM_SHORT_WORDS_MAX = 4
CLAIM_EMPTY_WORDS_MAX = 3
YIELD_WINDOW_S = 2.0


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong in one trial.

    Parameters:
        check: The check that found it.
        trial_id: The trial.
        detail: Where, without transcript text.
    """

    check: str
    trial_id: str
    detail: str


def _agent_turns(trial: TrialLog) -> Iterator[tuple[int, AgentTurn]]:
    return ((i, turn) for i, turn in enumerate(trial.turns) if isinstance(turn, AgentTurn))


def delivered_is_a_prefix(trial: TrialLog) -> Iterator[str]:
    """Delivered text is a literal word-boundary prefix of what was intended."""
    for i, turn in _agent_turns(trial):
        if not is_word_prefix(turn.delivered, turn.intended):
            yield f"turn {i}"


def cut_fields_agree(trial: TrialLog) -> Iterator[str]:
    """A cut stands exactly where less was delivered than intended, with its own counts."""
    for i, turn in _agent_turns(trial):
        if turn.was_cut is not (len(turn.delivered) < len(turn.intended)):
            yield f"turn {i}: cut flag"
        elif turn.was_cut and (turn.cut_chars, turn.cut_words) != (len(turn.delivered), len(turn.delivered.split())):
            yield f"turn {i}: cut counts"


def claim_is_not_beyond_truth(trial: TrialLog) -> Iterator[str]:
    """The system's own record never counts a word the patient did not hear."""
    for i, turn in _agent_turns(trial):
        if turn.claimed_delivered is not None:
            extra = len(bare_words(turn.claimed_delivered)) - len(bare_words(turn.delivered))
            if extra > 0 or not is_word_prefix(turn.claimed_delivered.rstrip(), turn.intended):
                yield f"turn {i}: {extra} words too many" if extra > 0 else f"turn {i}: not a prefix"


def claim_is_not_far_short(trial: TrialLog) -> Iterator[str]:
    """The system's own record misses at most a few words that were heard, and never all of several."""
    for i, turn in _agent_turns(trial):
        if turn.claimed_delivered is not None:
            claimed, heard = len(bare_words(turn.claimed_delivered)), len(bare_words(turn.delivered))
            short = heard - claimed
            if short > CLAIM_SHORT_WORDS_MAX or (claimed == 0 and heard >= CLAIM_EMPTY_WORDS_MAX):
                yield f"turn {i}: {short} words short"


def may_go_on(trial: TrialLog) -> bool:
    """Whether going on is right: the patient only acknowledges (transitional overlap), and the system can hear that."""
    return trial.overlap is OverlapKind.TRANSITIONAL_SUB_UNIT and trial.level != "transcript"


def interruption_was_honoured(trial: TrialLog) -> Iterator[str]:
    """The agent stopped soon after the patient began; it may go on over an acknowledgement."""
    if may_go_on(trial):
        return
    most = WORDS_AFTER_CUT_MAX.get(trial.level, WORDS_AFTER_CUT_MAX_LIVE)
    for i, turn in _agent_turns(trial):
        if turn.planned_cut_chars is None:
            continue
        late = len(turn.delivered.split()) - len(turn.intended[: turn.planned_cut_chars].split())
        whole = len(turn.delivered) == len(turn.intended) and late >= WORDS_LEFT_MIN
        if late > most or whole:
            yield f"turn {i}: {late} words after the patient began"


def latency_is_possible(trial: TrialLog) -> Iterator[str]:
    """A yield latency is never negative, never past the window, and only where there was an interruption."""
    for i, turn in _agent_turns(trial):
        latency = turn.yield_latency_s
        if latency is not None and (not 0 <= latency <= YIELD_WINDOW_S or turn.planned_cut_chars is None):
            yield f"turn {i}: {latency:.3f} s"


def interruptions_fit_the_arm(trial: TrialLog) -> Iterator[str]:
    """The baseline is never interrupted; elsewhere each interruption follows a planned cut and says the arm's words."""
    cell = load_cell(trial.cell)
    plan = cell.arms[trial.arm].turn
    made = [turn for turn in trial.turns if isinstance(turn, PatientTurn) and turn.interrupts]
    if len(made) != trial.interruptions or len(trial.interrupted_on) != len(made):
        yield f"{len(made)} interrupting turns, {trial.interruptions} counted, {len(trial.interrupted_on)} planned"
    if plan is None and made:
        yield "the baseline was interrupted"
    if plan is not None and plan.mode is TurnMode.HARD_CODED and any(t.text != plan.utterance for t in made):
        yield "other words than the arm's fixed utterance"


def heard_items(cell: Cell, trial: TrialLog) -> dict[str, Outcome]:
    """Say for each item of the cell's reference whether it was heard; only FAIL is certain that it was not."""
    return known_items().outcomes(cell.phase, cell.reference, [turn.delivered for _, turn in _agent_turns(trial)])


def nothing_closed_unheard(trial: TrialLog) -> Iterator[str]:
    """The ledger closes no item of the reference whose words the patient did not hear."""
    if trial.claims.closed is None:
        return
    heard = heard_items(load_cell(trial.cell), trial)
    for item in trial.claims.closed:
        if heard.get(item) is Outcome.FAIL:
            yield item


def nothing_lost_in_silence(trial: TrialLog) -> Iterator[str]:
    """Every item of the reference that was not heard stands open in the ledger and in the hand-off.

    An item that was dormant to the end (its FAQ was never asked) is in neither, so only interrupted items count.
    """
    if trial.claims.open is None or not trial.eligible or not trial.arm.interrupts:
        return
    handed_off = trial.claims.handed_off if trial.claims.handed_off is not None else trial.claims.open
    for item, outcome in heard_items(load_cell(trial.cell), trial).items():
        if outcome is Outcome.FAIL and (item not in trial.claims.open or item not in handed_off):
            yield item


def pipeline_reported_nothing(trial: TrialLog) -> Iterator[str]:
    """The bot's own pipeline reported no error: a bot that fails is no measure of anything."""
    yield from (note for note in trial.notes if note.startswith(PIPELINE_ERRORS))


Check = Callable[[TrialLog], Iterator[str]]

CHECKS: dict[str, Check] = {
    "delivered-is-a-prefix": delivered_is_a_prefix,
    "cut-fields-agree": cut_fields_agree,
    "claim-not-beyond-truth": claim_is_not_beyond_truth,
    "claim-not-far-short": claim_is_not_far_short,
    "interruption-honoured": interruption_was_honoured,
    "latency-possible": latency_is_possible,
    "interruptions-fit-the-arm": interruptions_fit_the_arm,
    "nothing-closed-unheard": nothing_closed_unheard,
    "nothing-lost-in-silence": nothing_lost_in_silence,
    "pipeline-without-errors": pipeline_reported_nothing,
}


def check_trial(trial: TrialLog) -> list[Finding]:
    """Run every check on one trial."""
    return [Finding(name, trial.trial_id, detail) for name, check in CHECKS.items() for detail in check(trial)]


def check_trials(trials: Sequence[TrialLog]) -> list[Finding]:
    """Run every check on every trial."""
    return [finding for trial in trials for finding in check_trial(trial)]
