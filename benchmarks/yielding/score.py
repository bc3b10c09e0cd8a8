"""Scores one two-channel trial of the yield protocol; pure.

Owns the protocol's rules: the 300 ms end, the 2 s window with right-censoring, resumed output, false yield, premature
takeover. What audio alone cannot decide becomes NEEDS_REVIEW for the annotators, with the reason.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from benchmarks.stats.latency import WINDOW_S
from benchmarks.yielding.audio import Samples, cut, is_stale, onset_s, sounded, sounding, utterance_at
from benchmarks.yielding.manifest import Outcome, PlannedYieldTrial, YieldResult
from benchmarks.yielding.models import Scenario, ScenarioClass

RESUME_WINDOW_S = 2.0  # Section 5: stale content within two seconds of the end is a resumed-output failure.
TAIL_S = 0.4
END_OF_TURN_S = 0.8
SUBSTANTIVE_S = 0.6  # Shorter agent sounds during a hesitation are annotated apart; a choice of ours.


@dataclass(frozen=True, slots=True)
class Recording:
    """Two synchronised channels of one trial.

    Parameters:
        user: Captured input, shape (n,).
        agent: Audible output at the listener, shape (n,), the same clock.
        rate_hz: Sample rate of both.
        utterance: The agent's utterance as it was meant to sound, shape (m,); None where it is not known.
        response_text: The agent's next response in words, for recovery; None where it is not known.
    """

    user: Samples
    agent: Samples
    rate_hz: int
    utterance: Samples | None = None
    response_text: str | None = None


def score_yield_trial(planned: PlannedYieldTrial, scenario: Scenario, recording: Recording) -> YieldResult:
    """Score one trial by its class."""
    start = onset_s(recording.agent, recording.rate_hz)
    onset = onset_s(recording.user, recording.rate_hz)
    known = YieldResult(trial_id=planned.trial_id, outcome=Outcome.SETUP_FAILURE, playback_onset_s=start, onset_s=onset)
    if start is None:
        return known.model_copy(update={"failure_reason": "the agent never sounded"})
    if onset is None:
        return known.model_copy(update={"failure_reason": "the user never sounded"})
    if planned.kind is ScenarioClass.HESITATION:
        return _score_hesitation(planned, recording, known, onset)
    known = known.model_copy(update={"onset_deviation_s": round(onset - start - planned.planned_onset_s, 4)})
    playing = utterance_at(recording.agent, recording.rate_hz, onset)
    if playing is None:
        return known.model_copy(update={"failure_reason": "the agent was not sounding at the onset"})
    if planned.kind in (ScenarioClass.STOP_REQUEST, ScenarioClass.CORRECTION):
        return _score_requested(scenario, recording, known, onset, playing.end_s)
    return _score_continue(recording, known, onset, playing.end_s)


def _finished(recording: Recording) -> bool | None:
    """Whether the last of the utterance sounded; None where the utterance is not known."""
    if recording.utterance is None:
        return None
    runs = sounding(recording.utterance, recording.rate_hz)
    if not runs:
        return None
    tail = cut(recording.utterance, recording.rate_hz, max(0.0, runs[-1].end_s - TAIL_S), runs[-1].end_s)
    return sounded(tail, recording.agent, recording.rate_hz)


def _score_requested(
    scenario: Scenario, recording: Recording, known: YieldResult, onset: float, end: float
) -> YieldResult:
    """A yield was requested: it succeeds within the window, for good, or is censored at the window."""
    failed = {"outcome": Outcome.NOT_YIELDED, "agent_end_s": end, "censored_at_s": WINDOW_S}
    if end - onset > WINDOW_S:
        return known.model_copy(update={**failed, "failure_reason": "still sounding at the end of the window"})
    after = [run for run in sounding(recording.agent, recording.rate_hz) if end < run.start_s <= end + RESUME_WINDOW_S]
    for run in after:
        stale = _stale(recording, run.start_s, run.end_s)
        if stale is None:
            return known.model_copy(
                update={
                    "outcome": Outcome.NEEDS_REVIEW,
                    "agent_end_s": end,
                    "failure_reason": "new output, not known whether stale",
                }
            )
        if stale:
            reason = f"stale output {run.start_s - end:.2f} s after the end"
            return known.model_copy(update={**failed, "outcome": Outcome.RESUMED_OUTPUT, "failure_reason": reason})
    if _finished(recording):
        left = {**failed, "censored_at_s": end - onset}
        return known.model_copy(update={**left, "failure_reason": "the utterance was finished, not yielded"})
    won = {"outcome": Outcome.YIELDED, "agent_end_s": end, "yield_latency_s": end - onset}
    correct = recovery_correct(scenario, recording.response_text)
    return known.model_copy(update={**won, "recovery_correct": correct})


def _stale(recording: Recording, start: float, end: float) -> bool | None:
    if recording.utterance is None:
        return None
    return is_stale(cut(recording.agent, recording.rate_hz, start, end), recording.utterance, recording.rate_hz)


def _score_continue(recording: Recording, known: YieldResult, onset: float, end: float) -> YieldResult:
    """Continuing was right: the utterance must be finished; a pause inside it is told apart from abandoning it."""
    finished = _finished(recording)
    pause = _longest_pause(recording, onset)
    told = known.model_copy(update={"agent_end_s": end, "audible_pause_s": pause})
    if finished is None:
        if pause is None:
            return told.model_copy(
                update={"outcome": Outcome.NEEDS_REVIEW, "failure_reason": "end natural or abandoned"}
            )
        return told.model_copy(update={"outcome": Outcome.NEEDS_REVIEW, "failure_reason": "pause or abandonment"})
    if finished:
        return told.model_copy(update={"outcome": Outcome.CONTINUED})
    return told.model_copy(
        update={"outcome": Outcome.FALSE_YIELD, "failure_reason": "the utterance was never finished"}
    )


def _longest_pause(recording: Recording, onset: float) -> float | None:
    """Longest gap of 300 ms or more between agent sounds after the onset that the utterance itself does not have."""
    runs = [r for r in sounding(recording.agent, recording.rate_hz) if r.end_s > onset]
    gaps = [b.start_s - a.end_s for a, b in zip(runs, runs[1:], strict=False)]
    own = [] if recording.utterance is None else sounding(recording.utterance, recording.rate_hz)
    natural = max((b.start_s - a.end_s for a, b in zip(own, own[1:], strict=False)), default=0.0)
    longest = max(gaps[:1], default=0.0)
    return round(longest, 4) if longest > natural + 0.05 else None


def _score_hesitation(
    planned: PlannedYieldTrial, recording: Recording, known: YieldResult, onset: float
) -> YieldResult:
    """The user pauses inside a turn: a substantive response before its end is a premature takeover."""
    rate = recording.rate_hz
    before = [run for run in sounding(recording.agent, rate) if run.start_s < onset]
    if not before:
        return known.model_copy(update={"failure_reason": "the agent had asked nothing"})
    if before[-1].end_s > onset:
        return known.model_copy(update={"failure_reason": "the agent was still sounding at the onset"})
    deviation = onset - before[-1].end_s - planned.planned_onset_s
    user = sounding(recording.user, rate, gap_s=max(END_OF_TURN_S, (planned.planned_pause_s or 0.0) + 0.3))
    turn_end = user[0].end_s
    inside = [run for run in sounding(recording.agent, rate) if onset <= run.start_s < turn_end]
    brief = sum(bool(run.length_s < SUBSTANTIVE_S) for run in inside)
    told = known.model_copy(update={"onset_deviation_s": round(deviation, 4), "brief_backchannels": brief})
    taken = next((run for run in inside if run.length_s >= SUBSTANTIVE_S), None)
    if taken is None:
        return told.model_copy(update={"outcome": Outcome.WAITED})
    reason = f"response {turn_end - taken.start_s:.2f} s before the end of the turn"
    return told.model_copy(update={"outcome": Outcome.PREMATURE_TAKEOVER, "failure_reason": reason})


def recovery_correct(scenario: Scenario, response: str | None) -> bool | None:
    """Say whether a response uses the corrected detail; None where none was asked for or no response is known.

    A word list is enough for scripted agents; other responses are for the annotators.
    """
    if not scenario.must_use or response is None:
        return None
    text = response.casefold()
    used = any(re.search(rf"\b{re.escape(word.casefold())}\b", text) for word in scenario.must_use)
    wrong = any(re.search(rf"\b{re.escape(word.casefold())}\b", text) for word in scenario.must_not_use)
    return used and not wrong
