"""The speaker gate on a recording: whose voice a stretch is, and what becomes of its words.

Owns the hand-over of sound from the recording to one call's `CallGate`. The decisions are the gate's. A gate that fails
lets the words through, as it does live.
"""

from __future__ import annotations

from dataclasses import dataclass

from loguru import logger

from obligations.answers.protocol import ReplySpeaker
from pipecat_interrupt.overlap.evidence import Speaker
from pipecat_interrupt.replay.values import RATE_HZ, Samples, Word
from pipecat_interrupt.steering.taps import REPORTING_ACTIONS
from speaker_gate import Action, CallGate, Standing, Voice, WordsHeard
from speaker_gate.facts import Word as GateWord

PRE_ROLL_S = 0.2
FEED_S = 1.0

_VOICES = {
    Voice.PRIMARY: Speaker.PRIMARY,
    Voice.THIRD_PARTY: Speaker.THIRD_PARTY,
    Voice.AGENT_ECHO: Speaker.AGENT_ECHO,
    Voice.UNSURE: Speaker.UNSURE,
}
_STANDINGS = {
    Standing.INFERRED: ReplySpeaker.INFERRED,
    Standing.ASSUMED: ReplySpeaker.INFERRED,
    Standing.UNSURE: ReplySpeaker.UNSURE,
    Standing.CONFIRM: ReplySpeaker.UNSURE,
}
_PASSES = frozenset({Action.PASS, Action.PASS_MARKED, Action.ASK_WHO})


@dataclass(frozen=True, slots=True)
class Ruled:
    """What the gate says of one stretch.

    Parameters:
        voice: Whose voice overlap judgement is told; None when the gate did not decide.
        passed: Words that count as the patient's; "" when none do.
        speaker: How those words count.
        reports: Useful words of a third party.
        score: Score against the enrolment, in [-1, 1]; None where nothing was scored.
    """

    voice: Speaker | None
    passed: str
    speaker: ReplySpeaker
    reports: tuple[str, ...] = ()
    score: float | None = None


class RecordingGate:
    """One call's gate, fed from a recording.

    Args:
        gate: Made for this call alone.
        far: The far end's sound, int16 mono at `RATE_HZ`, sample 0 at time 0.0.
        agent: The agent's sound, likewise; None when it is unknown.
    """

    def __init__(self, gate: CallGate, far: Samples, agent: Samples | None) -> None:
        self._gate, self._far, self._agent = gate, far, agent
        self._fed_s = 0.0
        self._before = ""
        self.faults = 0

    def rule(self, words: tuple[Word, ...], now_s: float, agent_said: str, agent_speaking: bool) -> Ruled:
        """Judge one stretch of the far end's voice and its words.

        Args:
            words: Its words with times.
            now_s: When the stretch was over.
            agent_said: The agent's words of the last seconds.
            agent_speaking: Whether the agent was heard during it.
        """
        text = " ".join(word.text for word in words)
        try:
            return self._rule(words, text, now_s, agent_said, agent_speaking)
        except Exception as error:
            self.faults += 1
            logger.warning("speaker gate failed on a recording, the words pass: {}", type(error).__name__)
            return Ruled(None, text, ReplySpeaker.UNSURE)

    def close(self) -> None:
        """The call is over: drop every voice."""
        self._gate.close()

    def _rule(self, words: tuple[Word, ...], text: str, now_s: float, agent_said: str, agent_speaking: bool) -> Ruled:
        self._feed_agent(now_s)
        start_s = max(0.0, words[0].start_s - PRE_ROLL_S)
        turn = self._gate.begin_turn(start_s, RATE_HZ, agent_speaking=agent_speaking)
        self._gate.hear(self._far[round(start_s * RATE_HZ) : round(now_s * RATE_HZ)], agent_speaking=agent_speaking)
        verdict = self._gate.end_turn(now_s, turn)
        timed = tuple(GateWord(w.text, w.start_s - start_s, w.end_s - start_s) for w in words)
        heard = WordsHeard(text=text, now_s=now_s, words=timed, before=self._before, agent_said=agent_said)
        passed: list[str] = []
        reports: list[str] = []
        speaker = ReplySpeaker.PRIMARY
        for ruling in self._gate.rule(heard, verdict):
            if ruling.choice.action in _PASSES:
                passed.append(ruling.part.text)
                speaker = _least_certain(speaker, _STANDINGS.get(ruling.standing, ReplySpeaker.PRIMARY))
            elif ruling.choice.action.value in REPORTING_ACTIONS:
                reports.append(ruling.part.text)
        self._before = text
        decided = _VOICES[verdict.voice] if verdict.decision.decided else None
        return Ruled(decided, " ".join(passed), speaker, tuple(reports), verdict.decision.score)

    def _feed_agent(self, until_s: float) -> None:
        if self._agent is None:
            return
        while self._fed_s < until_s:
            end_s = min(until_s, self._fed_s + FEED_S)
            block = self._agent[round(self._fed_s * RATE_HZ) : round(end_s * RATE_HZ)]
            if block.any():
                self._gate.agent_played(self._fed_s, block, RATE_HZ)
            self._fed_s = end_s


def _least_certain(a: ReplySpeaker, b: ReplySpeaker) -> ReplySpeaker:
    order = (ReplySpeaker.PRIMARY, ReplySpeaker.INFERRED, ReplySpeaker.UNSURE)
    return max(a, b, key=order.index)
