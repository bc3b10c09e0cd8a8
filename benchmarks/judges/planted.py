"""Bugs planted on purpose, to measure whether the benchmark would notice them.

Each bug breaks one part (ledger, delivery record, yield, judge) of trials that are right; a detector must say so.
A bug is planted only where it has an opportunity: where the broken trial says something else than what happened.
Recall is caught over planted; findings on the untouched trials are false alarms. Docs: docs/metrics/seed000.md.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from benchmarks.cells import load_cell
from benchmarks.judges.canaries import Scorer, failed_canaries
from benchmarks.judges.checks import CLAIM_EMPTY_WORDS_MAX, WORDS_LEFT_MIN, check_trial, heard_items, may_go_on
from benchmarks.judges.protocol import Outcome, StoredVerdict, Verdict
from benchmarks.judges.score import Judges, rule_judges, score_trial
from benchmarks.simulator.transcript import AgentTurn, HeardTurn, Turn
from benchmarks.simulator.trial_log import StoredClaims, TrialLog
from benchmarks.simulator.words import bare_words


class Part(StrEnum):
    """The part a bug breaks."""

    LEDGER = "ledger"
    DELIVERY = "delivery record"
    YIELD = "yield"
    JUDGE = "judge"


Mutation = Callable[[TrialLog], TrialLog | None]


def _change_cut_turn(
    trial: TrialLog, change: Callable[[AgentTurn], Turn], fits: Callable[[AgentTurn], bool] = lambda _: True
) -> TrialLog | None:
    """Change the first cut turn that fits; None when there is none, so that nothing can be planted."""
    for i, turn in enumerate(trial.turns):
        if isinstance(turn, AgentTurn) and turn.was_cut and fits(turn):
            return trial.model_copy(update={"turns": (*trial.turns[:i], change(turn), *trial.turns[i + 1 :])})
    return None


def with_true_claims(trial: TrialLog) -> TrialLog:
    """Give a trial the claims of a faultless system: heard items closed, the others open and handed off."""
    items = heard_items(load_cell(trial.cell), trial)
    closed = tuple(name for name, outcome in items.items() if outcome is Outcome.PASS)
    still_open = tuple(name for name in items if name not in closed)
    turns = tuple(
        turn.model_copy(update={"claimed_delivered": turn.delivered}) if isinstance(turn, AgentTurn) else turn
        for turn in trial.turns
    )
    claims = StoredClaims(closed=closed, open=still_open, handed_off=still_open)
    return trial.model_copy(update={"claims": claims, "turns": turns})


def _lost(trial: TrialLog) -> tuple[str, ...]:
    """The open items a ledger can be wrong about: an interruption happened, and they were certainly not heard."""
    if not (trial.arm.interrupts and trial.eligible):
        return ()
    heard = heard_items(load_cell(trial.cell), trial)
    return tuple(item for item in trial.claims.open or () if heard.get(item) is Outcome.FAIL)


def _with_claims(trial: TrialLog, **changed: tuple[str, ...]) -> TrialLog:
    return trial.model_copy(update={"claims": trial.claims.model_copy(update=changed)})


def closes_on_intended(trial: TrialLog) -> TrialLog | None:
    """The ledger closes what was meant to be said."""
    if not _lost(trial):
        return None
    closed = (*(trial.claims.closed or ()), *(trial.claims.open or ()))
    return _with_claims(trial, closed=closed, open=(), handed_off=())


def forgets_an_open_item(trial: TrialLog) -> TrialLog | None:
    """The ledger loses an open item: neither closed nor open."""
    lost = _lost(trial)
    if not lost:
        return None
    rest = tuple(item for item in trial.claims.open or () if item != lost[0])
    return _with_claims(trial, open=rest, handed_off=rest)


def hands_off_nothing(trial: TrialLog) -> TrialLog | None:
    """Open items are known and yet missing from the hand-off."""
    return _with_claims(trial, handed_off=()) if _lost(trial) else None


def claims_the_whole_turn(trial: TrialLog) -> TrialLog | None:
    """The delivery record counts the undelivered tail as heard."""
    return _change_cut_turn(
        trial,
        lambda turn: turn.model_copy(update={"claimed_delivered": turn.intended}),
        lambda turn: bool(bare_words(turn.intended[len(turn.delivered) :])),
    )


def claims_one_word_more(trial: TrialLog) -> TrialLog | None:
    """The delivery record counts one word too many."""

    def change(turn: AgentTurn) -> Turn:
        word = turn.intended[len(turn.delivered) :].split()[0]
        return turn.model_copy(update={"claimed_delivered": f"{turn.delivered} {word}".strip()})

    return _change_cut_turn(trial, change, lambda turn: bool(bare_words(turn.intended[len(turn.delivered) :])))


def claims_nothing(trial: TrialLog) -> TrialLog | None:
    """The delivery record drops what was heard before the cut.

    Not planted where fewer words were heard than a check may forgive.
    """
    return _change_cut_turn(
        trial,
        lambda turn: turn.model_copy(update={"claimed_delivered": ""}),
        lambda turn: len(bare_words(turn.delivered)) >= CLAIM_EMPTY_WORDS_MAX,
    )


def cuts_inside_a_word(trial: TrialLog) -> TrialLog | None:
    """Delivered text ends inside a word."""

    def change(turn: AgentTurn) -> Turn:
        shorter = turn.delivered[:-2]
        counts = {"delivered": shorter, "cut_chars": len(shorter), "cut_words": len(shorter.split())}
        return turn.model_copy(update=counts)

    return _change_cut_turn(trial, change, lambda turn: len(turn.delivered.rpartition(" ")[2]) > len("xx"))


def never_yields(trial: TrialLog) -> TrialLog | None:
    """The agent plays its whole turn over the patient.

    Not planted where going on is right, nor where so few words were left that nobody could have yielded in time.
    """
    if may_go_on(trial):
        return None

    def change(turn: AgentTurn) -> Turn:
        uncut = {"delivered": turn.intended, "cut_chars": None, "cut_words": None, "claimed_delivered": turn.intended}
        return turn.model_copy(update=uncut)

    def could_yield(turn: AgentTurn) -> bool:
        cut = turn.planned_cut_chars
        return cut is not None and len(turn.intended.split()) - len(turn.intended[:cut].split()) >= WORDS_LEFT_MIN

    return _change_cut_turn(trial, change, could_yield)


def negative_latency(trial: TrialLog) -> TrialLog | None:
    """The yield is logged before the patient began."""
    return _change_cut_turn(trial, lambda turn: turn.model_copy(update={"yield_latency_s": -0.4}))


def late_yield_as_success(trial: TrialLog) -> TrialLog | None:
    """A yield after the window is logged as one within it."""
    return _change_cut_turn(trial, lambda turn: turn.model_copy(update={"yield_latency_s": 2.7}))


TRIAL_BUGS: dict[str, tuple[Part, Mutation]] = {
    "closes-on-intended": (Part.LEDGER, closes_on_intended),
    "forgets-an-open-item": (Part.LEDGER, forgets_an_open_item),
    "hands-off-nothing": (Part.LEDGER, hands_off_nothing),
    "claims-the-whole-turn": (Part.DELIVERY, claims_the_whole_turn),
    "claims-one-word-more": (Part.DELIVERY, claims_one_word_more),
    "claims-nothing": (Part.DELIVERY, claims_nothing),
    "cuts-inside-a-word": (Part.DELIVERY, cuts_inside_a_word),
    "never-yields": (Part.YIELD, never_yields),
    "negative-latency": (Part.YIELD, negative_latency),
    "late-yield-as-success": (Part.YIELD, late_yield_as_success),
}


class _ConstantJudge:
    """A judge that always says the same."""

    version = "1"
    signature = "planted"

    def __init__(self, outcome: Outcome) -> None:
        self.name = f"planted/always-{outcome}"
        self._outcome = outcome

    async def judge(self, reference: str, transcript: Sequence[HeardTurn], *, seed: int = 0) -> Verdict:
        """Say it again."""
        del transcript, seed
        return Verdict(self._outcome, "planted", {reference: self._outcome})


async def score_intended(trial: TrialLog, judges: Judges) -> StoredVerdict:
    """Score what was intended instead of what was heard."""
    turns = [t.model_copy(update={"delivered": t.intended}) if isinstance(t, AgentTurn) else t for t in trial.turns]
    return await score_trial(trial.model_copy(update={"turns": tuple(turns)}), judges)


async def score_swapped(trial: TrialLog, judges: Judges) -> StoredVerdict:
    """Report a pass as a fail and a fail as a pass."""
    right = await score_trial(trial, judges)
    swapped = {Outcome.PASS: Outcome.FAIL, Outcome.FAIL: Outcome.PASS, Outcome.UNSCORED: Outcome.UNSCORED}
    return right.model_copy(update={"outcome": swapped[right.outcome]})


async def score_unscored_as_pass(trial: TrialLog, judges: Judges) -> StoredVerdict:
    """Count what could not be decided as a pass."""
    right = await score_trial(trial, judges)
    return right.model_copy(update={"outcome": Outcome.PASS}) if right.outcome is Outcome.UNSCORED else right


async def score_last_turn_only(trial: TrialLog, judges: Judges) -> StoredVerdict:
    """Judge the end of the call alone."""
    return await score_trial(trial.model_copy(update={"turns": trial.turns[-1:]}), judges)


JUDGE_BUGS: dict[str, tuple[Callable[[], Judges], Callable[[TrialLog, Judges], Awaitable[StoredVerdict]]]] = {
    "always-pass": (lambda: Judges(_ConstantJudge(Outcome.PASS), _ConstantJudge(Outcome.PASS)), score_trial),
    "always-fail": (lambda: Judges(_ConstantJudge(Outcome.FAIL), _ConstantJudge(Outcome.FAIL)), score_trial),
    "judges-intended": (rule_judges, score_intended),
    "verdict-swapped": (rule_judges, score_swapped),
    "unscored-as-pass": (rule_judges, score_unscored_as_pass),
    "last-turn-only": (rule_judges, score_last_turn_only),
}


@dataclass(frozen=True, slots=True)
class Recall:
    """How often one planted bug was caught.

    Parameters:
        bug: The bug.
        part: The part it breaks.
        planted: Times it was planted; 0 when no trial had an opportunity for it.
        caught: Times at least one check named it.
        by: The checks that did.
    """

    bug: str
    part: Part
    planted: int
    caught: int
    by: tuple[str, ...]


def trial_bug_recall(trials: Sequence[TrialLog], most: int | None = None) -> list[Recall]:
    """Plant every trial bug where it has an opportunity, and count how often it is caught.

    Args:
        trials: The trials, in the order in which they are tried.
        most: Each bug is planted in the first so many trials that can carry it; None plants it in all of them.
    """
    sound = _Kept(with_true_claims, trials)
    recalls: list[Recall] = []
    for name, (part, mutate) in TRIAL_BUGS.items():
        broken = list(islice((b for b in map(mutate, sound) if b is not None), most))
        found = [[finding.check for finding in check_trial(trial)] for trial in broken]
        by = tuple(sorted({check for checks in found for check in checks}))
        recalls.append(Recall(name, part, len(broken), sum(bool(checks) for checks in found), by))
    return recalls


class _Kept:
    """A function's results over some trials, each made when it is first asked for."""

    def __init__(self, make: Callable[[TrialLog], TrialLog], trials: Sequence[TrialLog]) -> None:
        self._make, self._trials = make, trials
        self._made: list[TrialLog] = []

    def __iter__(self) -> Iterator[TrialLog]:
        for place, trial in enumerate(self._trials):
            if place == len(self._made):
                self._made.append(self._make(trial))
            yield self._made[place]


def false_alarms(trials: Sequence[TrialLog]) -> int:
    """Count the sound trials on which a check speaks up."""
    return sum(bool(check_trial(with_true_claims(trial))) for trial in trials)


async def judge_bug_recall() -> list[Recall]:
    """Plant every judge bug and see whether the canaries die."""
    recalls: list[Recall] = []
    for name, (judges, score) in JUDGE_BUGS.items():
        scorer: Scorer = score
        dead = await failed_canaries(judges(), scorer)
        recalls.append(Recall(name, Part.JUDGE, 1, int(bool(dead)), (f"canaries ({len(dead)} dead)",) if dead else ()))
    return recalls
