"""Rules on the words of a turn: whose they are, how they count, what is done with them, what the model is told.

Owns what a call remembers for that: the last decided voice, the patient's usual level, the recogniser's labels, and
who may speak. Runs no model and reads no clock.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from speaker_gate.calibration import CalibrationRecord
from speaker_gate.echo import text_is_echo
from speaker_gate.enrolment import EnrolmentStatus
from speaker_gate.facts import SpokenPart, TurnVerdict, Voice, VoiceDecision, Why, Word
from speaker_gate.labels import LabelBook
from speaker_gate.policy.actions import PolicyChoice, choose
from speaker_gate.policy.handover import Handover, HandoverEvent, somebody_else_answered
from speaker_gate.policy.kinds import Relevance, RelevanceReader
from speaker_gate.policy.wording import note_for_model
from speaker_gate.replies import ReplyContext, Standing, standing_of
from speaker_gate.usual import UsualScore, likely_other, passed_by_luck, surely_other
from speaker_gate.voices import CallVoices
from speaker_gate.words import attribute_words, spread_words

LEVEL_SMOOTHING = 0.3


@dataclass(frozen=True, slots=True)
class Ruling:
    """What becomes of one voice's words in a turn.

    Parameters:
        part: The words and their voice.
        standing: How they count.
        choice: What is done with them.
        note: What the model is told instead of the bare words; None where they pass as they are or not at all.
        handover: What the words changed about who may speak.
    """

    part: SpokenPart
    standing: Standing
    choice: PolicyChoice
    note: str | None = None
    handover: HandoverEvent | None = None

    @property
    def decided_other(self) -> bool:
        """True when the words count as another person's."""
        return self.standing is Standing.THIRD_PARTY


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsHeard:
    """The words of one turn as the recogniser gave them.

    Parameters:
        text: The transcript.
        now_s: The call's time.
        words: Words with times in the turn's audio (and labels), where the recogniser gives them.
        before: What was said just before, by patient or agent: context for reading third-party words.
        agent_said: The agent's words of the last seconds, to recognise them coming back.
        confirmation_asked: True when the speaker of this reply was already asked for once.
        aside: True for words over the agent's own speech that ask it for nothing it must stop for.
    """

    text: str
    now_s: float
    words: Sequence[Word] = ()
    before: str = ""
    agent_said: str = ""
    confirmation_asked: bool = False
    aside: bool = False


class WordDesk:
    """Rules on words, turn by turn, with the memory of one call.

    Args:
        language: Language of the call (en, pt-PT).
        reader: Reads third-party words.
        voices: The voices of the call.
        record: Calibration of the embedder.
        defer: Runs a change of the voices when no model is using them; None runs it at once.
    """

    def __init__(
        self,
        language: str,
        reader: RelevanceReader,
        voices: CallVoices,
        record: CalibrationRecord,
        *,
        defer: Callable[[Callable[[], None]], None] | None = None,
    ) -> None:
        self._defer = defer or _at_once
        self._language = language
        self._reader = reader
        self._voices = voices
        self._record = record
        self.labels = LabelBook()
        self.handover = Handover()
        self.usual = UsualScore(record, lambda: voices.enroller.agreement)
        self.last_decided: Voice | None = None
        self._others_since_primary = False
        self._usual_level_dbfs: float | None = None

    def note_decision(self, decision: VoiceDecision) -> None:
        """Remember the last voice that was decided; the agent's echo is nobody."""
        if decision.decided and decision.why is not Why.FIRST_VOICE and decision.voice is not Voice.AGENT_ECHO:
            self.last_decided = decision.voice

    def note_turn(self, verdict: TurnVerdict, *, narrow: bool, over_agent: bool) -> None:
        """Remember what a whole turn says about what comes: other people, the patient's level and usual score."""
        if not over_agent and not verdict.changed and self._voices.enroller.stands:
            self.usual.learn(verdict.decision, narrow)
        if any(stretch.decision.voice is Voice.THIRD_PARTY for stretch in verdict.stretches):
            self._others_since_primary = True
        if verdict.voice is Voice.PRIMARY:
            self._others_since_primary = False
            level, usual = verdict.level_dbfs, self._usual_level_dbfs
            self._usual_level_dbfs = level if usual is None else usual + LEVEL_SMOOTHING * (level - usual)

    def rule(self, heard: WordsHeard, verdict: TurnVerdict, *, narrow: bool) -> tuple[Ruling, ...]:
        """Rule on a turn's words: one ruling a voice, in order; empty for an empty text.

        Args:
            heard: The words.
            verdict: The turn they belong to.
            narrow: True for telephone-band sound.
        """
        placed = tuple(heard.words) or spread_words(heard.text, verdict)
        parts = attribute_words(placed, verdict, estimated=not heard.words)
        return tuple(self._rule_part(part, heard, verdict, narrow) for part in parts)

    def _rule_part(self, part: SpokenPart, heard: WordsHeard, verdict: TurnVerdict, narrow: bool) -> Ruling:
        decision = _echoed_words(part, heard.agent_said, self.labels.help(part.decision, part.labels))
        if heard.aside and self._surely_other(decision, narrow):
            decision = replace(decision, voice=Voice.THIRD_PARTY, why=Why.UNLIKE_USUAL)
        self.labels.note(part.labels, decision)
        standing = standing_of(decision, self._context(part, decision, verdict, heard, narrow))
        relevance: Relevance | None = None
        handover: HandoverEvent | None = None
        if standing in (Standing.THIRD_PARTY, Standing.LIKELY_OTHER):
            relevance = self.read(part.text, heard.before)
        if standing is Standing.THIRD_PARTY:
            handover = self.handover.hear_other(part.text, self._language, heard.now_s)
        elif standing not in (Standing.AGENT_ECHO, Standing.LIKELY_OTHER):
            handover = self.handover.hear_primary(part.text, standing, self._language, heard.now_s)
            self._apply(handover)
            self._check_who_answered(part.text)
        choice = choose(standing, relevance, handover_granted=self.handover.granted)
        note = note_for_model(
            choice.action,
            part.text,
            self._language,
            handed_over=self.handover.granted,
            certain=standing is not Standing.LIKELY_OTHER,
        )
        return Ruling(replace(part, decision=decision), standing, choice, note, handover)

    def forget_patient(self) -> None:
        """The person enrolled is not the patient: nothing that was learned of them holds."""
        self.last_decided = None
        self.usual.forget()

    def read(self, text: str, before: str) -> Relevance:
        """Read what somebody other than the patient said."""
        return self._reader.read(text, before=before, language=self._language).relevance

    def likely_other(self, decision: VoiceDecision, narrow: bool) -> bool:
        """True for a voice that is likelier somebody else's than the patient's, on enough speech to say so."""
        odds = self.usual.odds_of_another(decision, narrow)
        return likely_other(decision, odds, usual_known=self.usual.known(narrow))

    def second_thought(self, verdict: TurnVerdict, narrow: bool) -> TurnVerdict:
        """Take back that few words are the patient's, where they are likelier another's.

        What the same breath goes on with then decides, and without it one question.
        """
        decision = verdict.decision
        odds = self.usual.odds_of_another(decision, narrow)
        if not passed_by_luck(decision, odds, usual_known=self.usual.known(narrow)):
            return verdict
        unsure = replace(decision, voice=Voice.UNSURE, why=Why.ONE_WINDOW_ONLY)
        return replace(verdict, stretches=(*verdict.stretches[:-1], replace(verdict.stretches[-1], decision=unsure)))

    def _surely_other(self, decision: VoiceDecision, narrow: bool) -> bool:
        odds = self.usual.odds_of_another(decision, narrow)
        return surely_other(decision, odds, usual_known=self.usual.known(narrow))

    def _apply(self, handover: HandoverEvent | None) -> None:
        if handover is HandoverEvent.GRANTED:
            self._defer(self._voices.allow_latest_other)
        elif handover is HandoverEvent.TAKEN_BACK:
            self._defer(self._voices.allow_nobody)

    def _check_who_answered(self, text: str) -> None:
        unconfirmed = self._voices.enroller.status in (EnrolmentStatus.COLLECTING, EnrolmentStatus.PROVISIONAL)
        if unconfirmed and somebody_else_answered(text, self._language):
            self._defer(self._voices.somebody_else_answered)
            self.forget_patient()

    def _context(
        self, part: SpokenPart, decision: VoiceDecision, verdict: TurnVerdict, heard: WordsHeard, narrow: bool
    ) -> ReplyContext:
        usual = self._usual_level_dbfs
        odds = self.usual.odds_of_another(decision, narrow)
        return ReplyContext(
            last_decided=self.last_decided,
            enrolled=self._voices.enroller.stands,
            label_for_another=self.labels.speaks_for_another(part.labels),
            second_voice_s=verdict.second_voice_s or 0.0,
            level_jump_db=None if usual is None or not verdict.speech_s else verdict.level_dbfs - usual,
            others_heard=self._others_since_primary,
            leans_to_another=not decision.decided and odds is not None and odds > 0.0,
            likely_other=self.likely_other(decision, narrow),
            aside=heard.aside,
            confirmation_asked=heard.confirmation_asked,
        )


def _at_once(action: Callable[[], None]) -> None:
    action()


def _echoed_words(part: SpokenPart, agent_said: str, decision: VoiceDecision) -> VoiceDecision:
    if decision.why is Why.ABOVE_ACCEPT or not text_is_echo(part.text, agent_said):
        return decision
    return replace(decision, voice=Voice.AGENT_ECHO, why=Why.ECHO_OF_AGENT_WORDS)
