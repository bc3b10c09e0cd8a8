"""What the odds around a patient's usual score make of real voices over the agent: figures of ``eval voices``.

The gate calls a voice over the agent likely, or surely, another's by `speaker_gate.usual`. Here each speaker's usual
score is learned from one clean window, and the speaker's other windows and everybody else's are judged by it: with
noise in the test speech, that is a line that turned bad in mid-call.
"""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.evals.voice_scores import NARROW, WIDE, Tested
from benchmarks.figures import Figure, GroupValue, rate
from speaker_gate.decision import by_threshold
from speaker_gate.embedders import Embedding
from speaker_gate.facts import Voice, VoiceDecision
from speaker_gate.scoring import score
from speaker_gate.turn import Ears
from speaker_gate.usual import UsualScore, likely_other, surely_other

Judged = tuple[Voice, bool, bool]
"""(what the thresholds say, likely another's, surely another's) of one window."""


def odds_figures(
    ears: Ears, clean: dict[str, Tested], tested: dict[str, Tested], seconds: float, group: dict[str, GroupValue]
) -> list[Figure]:
    """Judge windows over the agent, by band.

    Args:
        ears: Models and record.
        clean: The speakers with clean windows; the first of `seconds` of each teaches the usual score.
        tested: The same speakers' windows to judge; the first one is left out.
        seconds: Length of the windows.
        group: Group of the figures; the band is added.

    Returns:
        Per band: *primary_likely_other_rate* and *primary_surely_other_rate* of the speaker's own windows,
        *third_party_surely_other_rate* and, of others' windows accepted and not likely another's,
        *third_party_as_patient_rate*.
    """
    figures: list[Figure] = []
    for band, narrow in ((WIDE, False), (NARROW, True)):
        own: list[Judged] = []
        others: list[Judged] = []
        for speaker in clean.values():
            judge = _judge(ears, speaker, band, narrow, seconds)
            if judge is None:
                continue
            for other in tested.values():
                windows = other.windows.get((narrow, seconds), [])
                same = other.name == speaker.name
                (own if same else others).extend(judge(window) for window in (windows[1:] if same else windows))
        place: dict[str, GroupValue] = {**group, "band": band, "seconds": seconds, "moment": "over_agent"}
        if own and others:
            figures += [
                rate("primary_likely_other_rate", sum(likely for _, likely, _ in own), len(own), place),
                rate("primary_surely_other_rate", sum(surely for _, _, surely in own), len(own), place),
                rate("third_party_surely_other_rate", sum(map(_out, others)), len(others), place),
                rate("third_party_as_patient_rate", sum(map(_passes, others)), len(others), place),
            ]
    return figures


def _judge(
    ears: Ears, speaker: Tested, band: str, narrow: bool, seconds: float
) -> Callable[[Embedding], Judged] | None:
    enrolment = speaker.enrolments.get(band)
    windows = speaker.windows.get((narrow, seconds), [])
    if enrolment is None or not windows:
        return None
    usual = UsualScore(ears.record, lambda: None)

    def decided(window: Embedding) -> VoiceDecision:
        return by_threshold(score(window, enrolment, ears.record), ears.record)

    usual.learn(decided(windows[0]), narrow)

    def judge(window: Embedding) -> Judged:
        decision = decided(window)
        odds, known = usual.odds_of_another(decision, narrow), usual.known(narrow)
        likely = likely_other(decision, odds, usual_known=known)
        return decision.voice, likely, surely_other(decision, odds, usual_known=known)

    return judge


def _out(judged: Judged) -> bool:
    return judged[0] is Voice.THIRD_PARTY or judged[2]


def _passes(judged: Judged) -> bool:
    return judged[0] is Voice.PRIMARY and not judged[1]
