"""How one overlap is opened, held, let go, refused and yielded: the moves of the session's state machine.

Owns the state and the actions each move answers with; when to move is `session`'s.
"""

from __future__ import annotations

from dataclasses import replace

from pipecat_interrupt.overlap.actions import (
    Action,
    DropAudio,
    Forward,
    HoldAudio,
    Refuse,
    Report,
    ResumeAudio,
    StartTurn,
    Text,
)
from pipecat_interrupt.overlap.evidence import AgentFloor, Judgement, TextStatus, Verdict
from pipecat_interrupt.overlap.judge import OverlapJudge
from pipecat_interrupt.overlap.state import CallMemory, OpenOverlap, evidence_of, judged_report, onset_report
from pipecat_interrupt.overlap.unfinished import Unfinished

HOLDS_MAX = 2
"""Most holds in one overlap: one stutter."""

HOLD_S_MAX = 2.4
"""Longest hold the session asks for; just below the budget of the hold itself."""

LATE_TEXT_S_MAX = 6.0
"""How long the text of an overlap that was let go may still come and be judged as belonging to it."""

MERGE_S_MAX = 1.5
"""Longest silence after which a new stretch of voice still belongs to the overlap before it."""


class OverlapMoves:
    """State and moves of a session."""

    def __init__(self, judge: OverlapJudge | None = None) -> None:
        """Make a session around a judge (the default one when None)."""
        self.judge = judge or OverlapJudge()
        self.turn_open = False
        self._config = self.judge.config
        self._lap: OpenOverlap | None = None
        self._yielded: OpenOverlap | None = None
        self._count = 0
        self._memory = CallMemory()
        self._unfinished = Unfinished()

    def agent_heard(self, now_s: float, audible: bool = True) -> None:
        """The agent can be heard now."""
        if audible:
            self._memory.agent_heard_s = now_s

    def final_on_its_way(self) -> None:
        """The words told so far have become final and wait at the speaker gate: nobody else is to keep them.

        Kept on, the unfinished words of somebody else would pass at last as words that were never confirmed.
        """
        self._unfinished.gone()
        if self._lap is not None:
            self._lap.interim = None

    def end(self, now_s: float) -> list[Action]:
        """The call ends: report what is open; texts held back go on, so that no word of the caller's is lost."""
        lap, begun = self._lap, self._unfinished.text
        rest: list[Action] = [] if begun is None else [Forward(begun)]
        if lap is None:
            return rest
        texts, self._lap = list(lap.texts), None
        if lap.interim is not None:
            lap.texts.append(replace(lap.interim, low_certainty=True))
            lap.interim = None
        told = verdict_of(lap) is not Verdict.UNDECIDED
        judged = Judgement(Verdict.UNDECIDED, False, True, "call ended")
        return [*([] if told else self._report(now_s, lap, judged)), *(Forward(text) for text in texts), *rest]

    def _open(
        self, now_s: float, onset_s: float, floor: AgentFloor, utterance_id: str | None, *, voice: bool = True
    ) -> list[Action]:
        self._count += 1
        lap = OpenOverlap(self._count, onset_s, floor, utterance_id, voice, now_s)
        self._lap = lap
        lap.before = self._memory.before(onset_s)
        lap.report = onset_report(lap, self.judge.table(None))
        lap.deadline_s = now_s + (self._config.speech_s_to_yield if voice else LATE_TEXT_S_MAX)
        return [Report(lap.report), *(self._hold(now_s, lap, "overlap") if voice else [])]

    def _hold(self, now_s: float, lap: OpenOverlap, reason: str) -> list[Action]:
        if lap.held_since_s is not None or lap.holds >= HOLDS_MAX:
            return []
        lap.holds, lap.held_since_s = lap.holds + 1, now_s
        return [HoldAudio(reason)]

    def _resume(self, lap: OpenOverlap, reason: str) -> list[Action]:
        held, lap.held_since_s = lap.held_since_s, None
        return [] if held is None else [ResumeAudio(str(reason))]

    def _let_go(self, now_s: float, lap: OpenOverlap, reason: str) -> list[Action]:
        """Let the agent go on while the text may still come."""
        lap.deadline_s = now_s + LATE_TEXT_S_MAX
        return self._resume(lap, reason)

    def _lapse(self, now_s: float) -> list[Action]:
        """Nothing came that could name the overlap: close it, undecided, the agent going on."""
        lap = self._lap
        if lap is None:
            return []
        self._lap = None
        self._memory.note(lap, now_s)
        refused = [Refuse(text, Verdict.UNDECIDED) for text in lap.texts]
        reported = lap.report is not None and lap.report.revision > 0
        judged = Judgement(Verdict.UNDECIDED, False, True, "no text")
        return [*self._resume(lap, "no text"), *([] if reported else self._report(now_s, lap, judged)), *refused]

    def _over(self, now_s: float) -> list[Action]:
        """Nothing more is waited for: the words there are are judged, and without any the overlap lapses.

        Words that a recogniser began to tell and never made final are words of the caller all the same.
        """
        lap = self._lap
        if lap is not None and lap.interim is not None and not lap.set_aside:
            lap.texts.append(replace(lap.interim, final=True, low_certainty=True))
            lap.interim = None
            self._unfinished.kept(given_up_s=now_s)
        return self._judge_whole(now_s, lap) if lap and lap.texts and not lap.set_aside else self._lapse(now_s)

    def _judge_whole(self, now_s: float, lap: OpenOverlap) -> list[Action]:
        """Nothing more has come in time: the final words there are, are all of them."""
        judged = self.judge.judge(evidence_of(lap, now_s, TextStatus.FINAL))
        return self._yield(now_s, judged.reason, judged) if judged.takes_floor else self._refuse(now_s, lap, judged)

    def _rest_wait_s(self, lap: OpenOverlap) -> float:
        """How long more words are waited for, behind words that do more than listen.

        A recogniser that streams gives one final text for two stretches of voice ("No," a pause, "nothing"): behind
        that one the text of the other is not waited for as long.
        """
        streams = self._memory.segmented is False and lap.interim is None and bool(lap.texts)
        return self._config.linger_s if streams else self._config.text_wait_s

    def _refuse(self, now_s: float, lap: OpenOverlap, judged: Judgement) -> list[Action]:
        self._lap = None
        self._memory.note(lap, now_s)
        refused = [Refuse(text, judged.verdict) for text in lap.texts]
        return [*self._resume(lap, judged.verdict), *self._report(now_s, lap, judged), *refused]

    def _yield(self, now_s: float, reason: str, judged: Judgement | None = None, *, start: bool = True) -> list[Action]:
        """Open the user's turn and let everything through."""
        actions: list[Action] = []
        if judged is None and self._lap is not None and self._lap.set_aside:
            actions = self._lapse(now_s)  # somebody else's: the turn that begins now is not its continuation
        lap, self._lap, self.turn_open = self._lap, None, True
        self._yielded = lap if lap is not None and not lap.texts else None
        stop = False
        texts: list[Text] = []
        if lap is not None:
            self._memory.note(lap, now_s)
            texts = list(lap.texts)
            if lap.held_since_s is not None and not start:
                actions.append(DropAudio(reason))
            lap.held_since_s = None
            judged = judged or Judgement(Verdict.UNDECIDED, True, True, reason)
            stop = judged.verdict is Verdict.STOP_REQUEST
            actions += self._report(now_s, lap, judged)
        if start:
            actions.append(StartTurn(reason, by_stop_request=stop))
        return [*actions, *(Forward(text) for text in texts)]

    def _report(self, now_s: float, lap: OpenOverlap, judged: Judgement) -> list[Action]:
        language = lap.texts[-1].language if lap.texts else None
        lap.report = judged_report(lap, now_s, judged, self.judge.table(language))
        return [Report(lap.report)]


def verdict_of(lap: OpenOverlap) -> Verdict:
    """The verdict last reported."""
    return Verdict.UNDECIDED if lap.report is None else Verdict(lap.report.fact.verdict)
