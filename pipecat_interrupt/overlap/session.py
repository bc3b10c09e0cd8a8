"""One call's overlaps as a state machine: events in, actions out. No Pipecat, no clock, no task.

The live part (`processor`) tells it what happened and carries out what it answers; a test can replay any schedule.

A life: a voice starts over the audible agent -> hold. Then, whichever comes first:

- text that takes the floor -> the turn starts, all texts held back go on in order;
- text that does not -> the agent goes on, the text is refused;
- `speech_s_to_yield` of voice -> the turn starts without text (a later text names the verdict: revision 2);
- the voice ends early and no question is open -> the agent goes on *provisionally*, after a moment for the words of a
  recogniser that streams; text may still cut it, and the next word on the line holds it again;
- the recogniser closes the segment without text -> noise, the agent goes on.

Promises:
    At most two holds an overlap, so at most one stutter (agent audio between two holds). Texts leave in the order in
    which they came, each exactly once, forwarded or refused. Between `StartTurn` and the end of the turn nothing is
    held back. `deadline_s` names the only moment at which `tick` must be called.
"""

from __future__ import annotations

from dataclasses import replace

from pipecat_interrupt.overlap.actions import Action, Forward, Refuse, Text
from pipecat_interrupt.overlap.echo import is_echo
from pipecat_interrupt.overlap.evidence import AgentFloor, Judgement, Speaker, TextStatus, Verdict
from pipecat_interrupt.overlap.moves import (
    HOLD_S_MAX,
    HOLDS_MAX,
    LATE_TEXT_S_MAX,
    MERGE_S_MAX,
    OverlapMoves,
    verdict_of,
)
from pipecat_interrupt.overlap.state import OpenOverlap, evidence_of

TEXTS_MAX = 64
"""Most texts held back in one overlap; one more settles it towards the caller."""

CONFIRM_S_MAX = 0.8
"""Longest hold on sound alone: voice detection was seen to take 0.7 s over a soft "that is", and the text of the first
word comes within it."""

_NOT_THE_CALLER = (Speaker.THIRD_PARTY, Speaker.AGENT_ECHO)


class OverlapSession(OverlapMoves):
    """The overlaps of one call. Make it around a judge; None is the default one."""

    @property
    def deadline_s(self) -> float | None:
        """When `tick` must be called next; None when nothing waits."""
        return self._unfinished.due_s if self._lap is None else self._lap.deadline_s

    @property
    def open_overlap(self) -> bool:
        """Whether an overlap waits for its verdict or its text."""
        return self._lap is not None

    @property
    def texts_held(self) -> int:
        """Final texts held back now."""
        return 0 if self._lap is None else len(self._lap.texts)

    def segmented(self) -> None:
        """The recogniser gives whole segments only: no words are on their way while a voice sounds."""
        self._memory.segmented = True

    # ---- what happened

    def voice_started(
        self, now_s: float, onset_s: float, floor: AgentFloor, utterance_id: str | None = None
    ) -> list[Action]:
        """Voice detection reports speech; `onset_s` is when it really began."""
        self.agent_heard(now_s, floor.audible)
        self._memory.voice_since_turn, self._memory.voice_onset_s = True, onset_s
        self._unfinished.voice_began(onset_s)
        lap = self._lap
        if self.turn_open:
            return []
        if lap is not None and lap.voice_on:
            if lap.proposed:  # a voice detector of our own: from now on its word counts
                lap.proposed, lap.deadline_s = False, now_s + self._config.speech_s_to_yield
            return []
        if not floor.audible:
            return self._yield(now_s, "agent silent")
        if lap is None or lap.set_aside or now_s - (lap.voice_started_s + lap.voiced_s) > MERGE_S_MAX:
            told = self._over(now_s)
            return told if self.turn_open else [*told, *self._open(now_s, onset_s, floor, utterance_id)]
        lap.voice_on, lap.on_sound, lap.voice_started_s = True, False, now_s
        lap.deadline_s = now_s + self._config.speech_s_to_yield
        return self._hold(now_s, lap, "overlap goes on")

    def hold_refused(self) -> None:
        """The hold just asked for was refused (protected speech, nothing to hold): the agent goes on meanwhile."""
        if self._lap is not None:
            self._lap.held_since_s = None

    def expects_more(self, now_s: float) -> bool:
        """Whether a voice was let go so lately that sound on the line is likely its next word."""
        lap = self._lap
        if lap is None or self.turn_open or lap.set_aside or lap.held_since_s is not None:
            return False
        if not 0 < lap.holds < HOLDS_MAX:
            return False
        return not lap.voice_on and lap.ended_s is not None and now_s - lap.ended_s <= MERGE_S_MAX

    @property
    def held_on_sound(self) -> bool:
        """Whether the agent is held because the line is loud, with no voice detected yet."""
        return self._lap is not None and self._lap.on_sound and self._lap.held_since_s is not None

    def sounds_again(self, now_s: float) -> list[Action]:
        """The line is loud while more was expected: hold before voice detection, which needs its time, confirms it."""
        lap = self._lap
        if lap is None or not self.expects_more(now_s):
            return []
        lap.on_sound, lap.deadline_s = True, now_s + CONFIRM_S_MAX
        return self._hold(now_s, lap, "sound again")

    def sound_over(self, now_s: float) -> list[Action]:
        """The line has fallen quiet before any voice was detected: the agent goes on."""
        lap = self._lap
        if lap is None or not self.held_on_sound:
            return []
        lap.on_sound = False
        return self._let_go(now_s, lap, "sound over")

    def voice_stopped(self, now_s: float, floor: AgentFloor) -> list[Action]:
        """Voice detection reports silence."""
        self.agent_heard(now_s, floor.audible)
        self._unfinished.voice_ended(now_s)
        lap = self._lap
        if lap is None or not lap.voice_on:
            return []
        lap.voice_on, lap.voiced_s, lap.ended_s = False, max(0.0, now_s - lap.voice_started_s), now_s
        lap.awaiting, lap.early_text = lap.awaiting + (not lap.early_text), False
        lap.focus_heard = lap.focus_heard or floor.focus_heard
        if lap.set_aside:
            lap.deadline_s = now_s + LATE_TEXT_S_MAX
            return []
        held_to = (now_s if lap.held_since_s is None else lap.held_since_s) + HOLD_S_MAX
        wait = self._config.open_question_wait_s if lap.asked else self._config.text_wait_s
        lap.deadline_s = min(now_s + wait, held_to)
        if lap.texts or lap.interim is not None:
            return self._judge_text(now_s, lap)
        if lap.asked or lap.holds >= HOLDS_MAX:
            return []
        if lap.voiced_s < self._config.provisional_voice_s_max:
            if self._memory.segmented or not self._config.words_wait_s:
                return self._let_go(now_s, lap, "provisional")
            lap.deadline_s = min(now_s + self._config.words_wait_s, held_to)
            return []
        lap.deadline_s = min(now_s + self._config.linger_s, held_to)
        return []

    def text(
        self,
        now_s: float,
        text: Text,
        floor: AgentFloor,
        utterance_id: str | None = None,
        speaker: Speaker | None = None,
    ) -> list[Action]:
        """A transcript, unfinished or final, has come; `speaker` is whose voice sounds now (None: unknown)."""
        self.agent_heard(now_s, floor.audible)
        if not text.final:
            return self._interim_text(now_s, text, floor, utterance_id, speaker)
        if not text.text.strip():
            return self._blank_text(now_s, text, floor, utterance_id)
        self._memory.read_recogniser(text.text, unfinished_before=self._unfinished.text is not None)
        text = self._unfinished.final(now_s, text)
        if self.turn_open:
            return self._text_in_turn(now_s, text, floor)
        lap = self._lap
        if lap is None:
            return self._loose_text(now_s, text, floor, utterance_id, speaker)
        lap.interim = None
        if lap.set_aside:
            lap.awaiting = max(0, lap.awaiting - 1)
            return [Refuse(text, verdict_of(lap))]
        lap.texts.append(text)
        if lap.proposed and lap.voice_on:
            lap.voice_on, lap.voiced_s, lap.ended_s = False, max(0.0, now_s - lap.voice_started_s), now_s
        lap.early_text = lap.voice_on and lap.awaiting == 0
        lap.awaiting = max(0, lap.awaiting - 1)
        if len(lap.texts) > TEXTS_MAX:
            return self._yield(now_s, "too many texts")
        return self._judge_text(now_s, lap)

    def segment_empty(self, now_s: float, floor: AgentFloor) -> list[Action]:
        """The recogniser closed a segment and had no words for it."""
        if self._unfinished.text is not None:
            return self.text(now_s, self._unfinished.kept(), floor)
        lap = self._lap
        if lap is None:
            return []
        lap.awaiting = max(0, lap.awaiting - 1)
        if lap.voice_on or lap.awaiting or lap.texts or lap.set_aside:
            return []
        return self._refuse(now_s, lap, self.judge.judge(evidence_of(lap, now_s, TextStatus.EMPTY)))

    def key(self, now_s: float, key: str, floor: AgentFloor, utterance_id: str | None = None) -> list[Action]:
        """A telephone key was pressed."""
        self.agent_heard(now_s, floor.audible)
        if self.turn_open or not floor.audible:
            return []
        actions = [] if self._lap is not None else self._open(now_s, now_s, floor, utterance_id, voice=False)
        lap = self._lap
        if lap is None:
            return actions
        evidence = replace(evidence_of(lap, now_s, TextStatus.NONE), key_pressed=key)
        return [*actions, *self._yield(now_s, "key press", self.judge.judge(evidence))]

    def attributed(self, now_s: float, speaker: Speaker) -> list[Action]:
        """The gate says whose voice the overlap is; a later word of the gate replaces an earlier one."""
        lap = self._lap
        if lap is None or self.turn_open:
            return []
        lap.speaker = speaker
        if speaker in _NOT_THE_CALLER and not lap.set_aside:
            judged = self.judge.judge(evidence_of(lap, now_s, TextStatus.NONE))
            actions = [*self._resume(lap, judged.verdict), *self._report(now_s, lap, judged)]
            actions += [Refuse(text, judged.verdict) for text in lap.texts]
            lap.texts.clear()
            lap.set_aside, lap.interim = True, None
            self._unfinished.gone()
            lap.deadline_s = None if lap.voice_on else now_s + LATE_TEXT_S_MAX
            return actions
        if speaker not in _NOT_THE_CALLER and lap.set_aside and not lap.voice_on:
            lap.set_aside = False  # its text is still to come, and is judged by its words
            return []
        if speaker not in _NOT_THE_CALLER and lap.set_aside:
            lap.set_aside, lap.voice_started_s = False, now_s
            lap.deadline_s = now_s + self._config.speech_s_to_yield
            return self._hold(now_s, lap, "another voice took over")
        if speaker is Speaker.PRIMARY and lap.voice_on and lap.deadline_s is not None and not lap.proposed:
            known_s = lap.voice_started_s + self._config.primary_speech_s_to_yield
            lap.deadline_s = min(lap.deadline_s, max(now_s, known_s))  # who it is need not be waited for any longer
        return []

    def proposed_start(self, now_s: float, floor: AgentFloor, utterance_id: str | None = None) -> list[Action]:
        """A service with its own turn detection proposes a turn start: judged like a voice, with words to come.

        Such a service proposes on words and tells no pause, so duration counts only from `listening_s_to_yield`, and a
        final text closes the stretch.
        """
        actions = self.voice_started(now_s, now_s, floor, utterance_id)
        if self._lap is not None and actions and not self.turn_open:
            self._lap.proposed = True
            self._lap.deadline_s = now_s + self._config.listening_s_to_yield
        return actions

    def proposed_stop(self, now_s: float, floor: AgentFloor) -> list[Action]:
        """The same service proposes the end of the turn."""
        self._unfinished.voice_ended(now_s)
        return self.voice_stopped(now_s, floor) if self._lap is not None and self._lap.proposed else []

    def turn_started(self, now_s: float) -> list[Action]:
        """A user turn is open, whoever started it: what was held back goes on."""
        return [] if self.turn_open else self._yield(now_s, "turn started elsewhere", start=False)

    def turn_stopped(self, now_s: float) -> None:
        """The user turn is over."""
        self.turn_open, self._yielded = False, None
        self._memory.turn_closed_s, self._memory.voice_since_turn = now_s, False

    def tick(self, now_s: float, floor: AgentFloor | None = None, utterance_id: str | None = None) -> list[Action]:
        """The deadline has come; where the agent is matters to words that no overlap waits for (None: it is silent)."""
        due_s, lap = self.deadline_s, self._lap
        if due_s is None or now_s + 1e-6 < due_s:
            return []
        if lap is None:
            floor, text = floor or AgentFloor(audible=False), self._unfinished.kept(given_up_s=now_s)
            if self._unfinished.may_be_echo and self._is_echo(text, floor):
                return [Refuse(text, Verdict.ECHO)]
            return self.text(now_s, text, floor, utterance_id)
        lap.deadline_s = None
        if lap.voice_on and not lap.set_aside:
            if self._only_listening(lap, now_s):
                lap.deadline_s = lap.voice_started_s + self._config.listening_s_to_yield
                return []
            judged = self.judge.judge(evidence_of(lap, now_s, TextStatus.NONE, with_words=False))
            return self._yield(now_s, judged.reason, judged)
        if lap.texts and lap.interim is None and not lap.set_aside:
            return self._judge_whole(now_s, lap)
        if lap.held_since_s is not None:
            waited = lap.heard_text or lap.asked or lap.voiced_s >= self._config.provisional_voice_s_max
            return self._let_go(now_s, lap, "no text in time" if waited else "provisional")
        return self._over(now_s)

    def _only_listening(self, lap: OpenOverlap, now_s: float) -> bool:
        """Whether the words so far let the voice go on a little longer without being an interruption."""
        if not lap.heard_text or now_s - lap.voice_started_s >= self._config.listening_s_to_yield - 1e-6:
            return False
        judged = self.judge.judge(evidence_of(lap, now_s, TextStatus.INTERIM))
        return judged.verdict is Verdict.BACKCHANNEL and not judged.takes_floor

    # ---- texts

    def _judge_text(self, now_s: float, lap: OpenOverlap) -> list[Action]:
        complete = lap.interim is None and not lap.voice_on and lap.awaiting == 0
        judged = self.judge.judge(evidence_of(lap, now_s, TextStatus.FINAL if complete else TextStatus.INTERIM))
        if judged.takes_floor and judged.settled:
            return self._yield(now_s, judged.reason, judged)
        if complete:
            return self._refuse(now_s, lap, judged)
        listening = judged.verdict is Verdict.BACKCHANNEL and not judged.takes_floor
        if listening and not lap.voice_on and not lap.asked and lap.holds < HOLDS_MAX:
            return self._let_go(now_s, lap, "provisional")
        if lap.held_since_s is not None and not lap.voice_on and not lap.on_sound:
            # Words that do more than listen: the agent waits for the rest of them.
            lap.deadline_s = min(now_s + self._rest_wait_s(lap), lap.held_since_s + HOLD_S_MAX)
        return []

    def _interim_text(
        self, now_s: float, text: Text, floor: AgentFloor, utterance_id: str | None, speaker: Speaker | None
    ) -> list[Action]:
        if not text.text.strip():
            return []
        echo = self._memory.may_be_echo(now_s, self._config.echo_window_s)
        self._unfinished.told(now_s, text, may_be_echo=echo)
        self._memory.segmented = False
        lap = self._lap
        if self.turn_open:
            return [Forward(text)]
        if lap is not None:
            if lap.set_aside:
                return []
            lap.interim = text
            return self._judge_text(now_s, lap)
        if self._memory.late_piece(now_s, self._config.late_piece_s) or (echo and not floor.audible):
            return []
        if not floor.audible:
            return [*self._yield(now_s, "text without voice"), Forward(text)]
        if speaker in _NOT_THE_CALLER:
            # What sounds now need not be what the words are of, so they are not refused: their final text is judged.
            return []
        opened = self._open(now_s, now_s, floor, utterance_id, voice=False)
        lap = self._lap
        if lap is None:
            return opened
        lap.interim = text
        return [*opened, *self._judge_text(now_s, lap)]

    def _blank_text(self, now_s: float, text: Text, floor: AgentFloor, utterance_id: str | None) -> list[Action]:
        if self._unfinished.text is not None:
            return self.text(now_s, self._unfinished.kept(text.number), floor, utterance_id)
        return [Forward(text)] if self.turn_open else self.segment_empty(now_s, floor)

    def _text_in_turn(self, now_s: float, text: Text, floor: AgentFloor) -> list[Action]:
        if self._memory.may_be_echo(now_s, self._config.echo_window_s) and self._is_echo(text, floor):
            return [Refuse(text, Verdict.ECHO)]
        actions: list[Action] = []
        lap, self._yielded = self._yielded, None
        if lap is not None and verdict_of(lap) is Verdict.UNDECIDED:
            lap.texts = [text]
            lap.voice_on = False
            judged = self.judge.judge(evidence_of(lap, now_s, TextStatus.FINAL))
            actions += self._report(now_s, lap, replace(judged, takes_floor=True))
        return [*actions, Forward(text)]

    def _loose_text(
        self, now_s: float, text: Text, floor: AgentFloor, utterance_id: str | None, speaker: Speaker | None
    ) -> list[Action]:
        """A final text that no overlap waits for, while no turn is open."""
        # No voice was detected, so no overlap was attributed: what the line carried last is all the ear has to say.
        sounding = speaker is Speaker.AGENT_ECHO
        if self._memory.may_be_echo(now_s, self._config.echo_window_s) and self._is_echo(text, floor, sounding):
            actions = self._open(now_s, now_s, floor, utterance_id, voice=False)
            lap = self._lap
            if lap is None:
                return actions
            lap.texts.append(text)
            return [*actions, *self._refuse(now_s, lap, Judgement(Verdict.ECHO, False, True, "words of the agent"))]
        if self._memory.late_piece(now_s, self._config.late_piece_s):
            return [*self._yield(now_s, "late piece"), Forward(text, joins_turn=True)]
        if not floor.audible:
            return [*self._yield(now_s, "text without voice"), Forward(text)]
        actions = self._open(now_s, now_s, floor, utterance_id, voice=False)
        lap = self._lap
        if lap is None:
            return actions
        lap.texts.append(text)
        return [*actions, *self._judge_text(now_s, lap)]

    @staticmethod
    def _is_echo(text: Text, floor: AgentFloor, sounding: bool = False) -> bool:
        return is_echo(text.text, floor.recent_text, floor.question_open, sounding=sounding)
