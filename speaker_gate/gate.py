"""One call's speaker gate: audio and words in, rulings out. The object the Pipecat side drives.

Owns the order of evidence: played audio (echo), voice, recogniser's labels, words, and the rule for short replies.
Never raises while a call is live: what goes wrong is counted and answered with *unsure*. Reads no clock. The heavy
methods (`update`, `end_turn`) run a model and belong in an executor; all methods take the call's own lock.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from speaker_gate.audio import as_mono, is_narrow
from speaker_gate.consent import Consent, ConsentHook, allows_enrolment, in_call_only
from speaker_gate.echo import DELAY_S_MAX, find_echo
from speaker_gate.embedders import MODEL_RATE_HZ
from speaker_gate.enrolment import Enroller, EnrolmentSettings, EnrolmentStatus, EnrolmentStep, Offer
from speaker_gate.facts import SpokenPart, Stretch, TurnVerdict, Voice, VoiceDecision, Why
from speaker_gate.policy.actions import choose
from speaker_gate.policy.kinds import RelevanceReader
from speaker_gate.policy.reader import CueRelevanceReader
from speaker_gate.rate_check import Rate, RateWatch
from speaker_gate.replies import Standing
from speaker_gate.resampler import StreamResampler
from speaker_gate.ruling import Ruling, WordDesk, WordsHeard
from speaker_gate.tape import PlayedTape
from speaker_gate.turn import Ears, TurnTracker
from speaker_gate.voices import AGENT_SECONDS, CallVoices

FAULTS_KEPT = 20
ECHO_SECONDS = 3.0


class GateSettings(BaseModel):
    """How one call's gate behaves.

    Parameters:
        language: Language of the call (en, pt-PT).
        before_enrolment: "open" lets every voice pass as assumed until somebody is enrolled; "first_voice" also takes
            the first voice of such a turn for the patient's, so that a second voice in it is attributed.
        learn_others: Remember other people's voices inside the call.
        check_rate: Watch for sound declared at the wrong rate.
        enrolment: Quality gates of the enrolment.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    language: str = "en"
    before_enrolment: Literal["open", "first_voice"] = "open"
    learn_others: bool = True
    check_rate: bool = True
    enrolment: EnrolmentSettings = Field(default_factory=EnrolmentSettings)


class CallGate:
    """The speaker gate of one call.

    Args:
        ears: Shared models.
        call_id: Id of the call, for the consent hook.
        settings: Behaviour.
        consent: Asked once, at the start; None or scope NONE means no voice print is ever made in this call.
        reader: Reads third-party words; None means the shipped one.
    """

    def __init__(
        self,
        ears: Ears,
        *,
        call_id: str = "",
        settings: GateSettings | None = None,
        consent: ConsentHook | None = None,
        reader: RelevanceReader | None = None,
    ) -> None:
        self._ears = ears
        self._settings = settings or GateSettings()
        self._lock = threading.RLock()
        self.consent: Consent | None = (consent or in_call_only)(call_id)
        declined = not allows_enrolment(self.consent)
        enroller = Enroller(ears.embedder, ears.record, self._settings.enrolment, declined=declined)
        self.voices = CallVoices(ears.embedder, ears.record, enroller)
        reads = reader or CueRelevanceReader()
        self.desk = WordDesk(self._settings.language, reads, self.voices, ears.record)
        self._tape = PlayedTape()
        self._agent_stream: tuple[int, StreamResampler] | None = None
        self._rate = RateWatch() if self._settings.check_rate else None
        self._turn: TurnTracker | None = None
        self._stream: StreamResampler | None = None
        self._turn_start_s = 0.0
        self._source_rate_hz = MODEL_RATE_HZ
        self._agent_speaking = False
        self._verdict: TurnVerdict | None = None
        self._faults: list[str] = []
        self.last_enrolment: EnrolmentStep | None = None

    @property
    def status(self) -> EnrolmentStatus:
        """How far the patient's enrolment is."""
        return self.voices.enroller.status

    @property
    def faults(self) -> tuple[str, ...]:
        """Kinds of error met (at most 20 kept), newest last; never any content."""
        return tuple(self._faults)

    @property
    def last_decided(self) -> Voice | None:
        """The last voice decided in this call."""
        return self.desk.last_decided

    @property
    def verdict(self) -> TurnVerdict | None:
        """The verdict of the turn that is open or ended last."""
        return self._verdict

    def begin_turn(self, now_s: float, rate_hz: int, *, agent_speaking: bool = False) -> None:
        """Open a turn at `now_s`, the time of the first sample that will be heard (pre-roll included)."""
        with self._lock:
            self._turn = None
            self._verdict = None
            self._turn_start_s, self._source_rate_hz, self._agent_speaking = now_s, rate_hz, agent_speaking
            try:
                self._stream = StreamResampler(rate_hz)
            except Exception as error:
                self._fault(error)
                self._stream = None

    def hear(self, samples: NDArray[Any], *, agent_speaking: bool = False) -> None:
        """Add caller's sound at the turn's rate (int16 or float); cheap. Ignored outside a turn."""
        with self._lock:
            if self._stream is None:
                return
            try:
                self._agent_speaking = self._agent_speaking or agent_speaking
                self._add(self._stream.feed(as_mono(samples)))
            except Exception as error:
                self._fault(error)

    def agent_played(self, now_s: float, samples: NDArray[Any], rate_hz: int) -> None:
        """Note what the agent played from `now_s` on; cheap. Its voice is learned in `update`."""
        with self._lock:
            try:
                if self._agent_stream is None or self._agent_stream[0] != rate_hz:
                    self._agent_stream = (rate_hz, StreamResampler(rate_hz))
                self._tape.add(now_s, self._agent_stream[1].feed(as_mono(samples)))
            except Exception as error:
                self._fault(error)

    def update(self) -> TurnVerdict:
        """Say whose voice the open turn is so far; runs the model. Outside a turn: *unsure*."""
        return self._judge(final=False)

    def end_turn(self, now_s: float) -> TurnVerdict:
        """Close the turn, decide what is left, and let a fitting turn teach the enrolment; runs the model."""
        with self._lock:
            if self._stream is not None:
                try:
                    self._add(self._stream.feed(np.zeros(0, dtype=np.float32), last=True))
                except Exception as error:
                    self._fault(error)
            verdict = self._judge(final=True)
            try:
                self._learn(verdict)
            except Exception as error:
                self._fault(error)
            self._stream = None
            del now_s
            return verdict

    def rule(self, heard: WordsHeard, verdict: TurnVerdict | None = None) -> tuple[Ruling, ...]:
        """Rule on the words of a turn; see `speaker_gate.ruling.WordDesk.rule`. Cheap, no model.

        Args:
            heard: The words.
            verdict: The turn's verdict; None means the latest.
        """
        with self._lock:
            found = verdict or self._verdict or self._unknown(Why.NO_ENROLMENT)
            try:
                return self.desk.rule(heard, found, narrow=self._turn is not None and self._turn.narrow)
            except Exception as error:
                self._fault(error)
                part = SpokenPart(heard.text, VoiceDecision(Voice.UNSURE, Why.GATE_FAULT), 0.0, 0.0)
                return (Ruling(part, Standing.UNSURE, choose(Standing.UNSURE, None)),)

    def confirm_primary(self) -> None:
        """The flow has checked that the enrolled person is the patient."""
        with self._lock:
            self.voices.enroller.confirm()

    def reset_primary(self) -> None:
        """The person enrolled is not the patient."""
        with self._lock:
            self.voices.somebody_else_answered()
            self.desk.last_decided = None

    def withdraw_consent(self) -> None:
        """Forget every voice and never make a voice print again in this call."""
        with self._lock:
            self.voices.forget()
            self.consent = None

    def close(self) -> None:
        """Hang-up: drop voices and sound."""
        with self._lock:
            self.voices.forget()
            self._turn, self._stream, self._tape = None, None, PlayedTape()

    # -- inside -------------------------------------------------------------------------------------------------

    def _add(self, samples: NDArray[np.float32]) -> None:
        if self._turn is None:
            self._turn = TurnTracker(
                self._ears,
                narrow=self._source_rate_hz <= 11_025,
                first_voice_is_primary=self._settings.before_enrolment == "first_voice",
            )
        self._turn.hear(samples)

    def _judge(self, *, final: bool) -> TurnVerdict:
        with self._lock:
            turn = self._turn
            if turn is None:
                self._verdict = replace(self._unknown(Why.TOO_SHORT), final=final)
                return self._verdict
            try:
                if self.status in (EnrolmentStatus.DECLINED, EnrolmentStatus.GIVEN_UP):
                    verdict = turn.listen(final=final)
                else:
                    self._know_agent()
                    turn.settle_band(lambda audio: is_narrow(audio, self._source_rate_hz))
                    verdict = turn.update(self.voices.known, final=final)
                verdict = self._doubt_rate(self._hear_echo(verdict, turn))
            except Exception as error:
                self._fault(error)
                verdict = replace(self._unknown(Why.GATE_FAULT), final=final)
            self._verdict = verdict
            self.desk.note_decision(verdict.decision)
            if final:
                self.desk.note_turn(verdict)
            return verdict

    def _know_agent(self) -> None:
        if not self.voices.knows_agent:
            played = self._tape.latest(2 * AGENT_SECONDS)
            if len(played) >= AGENT_SECONDS * MODEL_RATE_HZ:
                self.voices.learn_agent(played)

    def _hear_echo(self, verdict: TurnVerdict, turn: TurnTracker) -> TurnVerdict:
        """Compare the end of the turn with what the agent played; played sound beats any voice print."""
        heard = turn.audio[-int(ECHO_SECONDS * MODEL_RATE_HZ) :]
        end_s = self._turn_start_s + len(turn.audio) / MODEL_RATE_HZ
        start_s = end_s - len(heard) / MODEL_RATE_HZ - DELAY_S_MAX
        if not len(heard) or not self._tape.played_in(start_s, end_s):
            return verdict
        if not find_echo(heard, self._tape.between(start_s, end_s)).is_echo:
            return verdict
        decision = replace(verdict.decision, voice=Voice.AGENT_ECHO, why=Why.ECHO_OF_AGENT_AUDIO)
        return replace(verdict, stretches=(*verdict.stretches[:-1], replace(verdict.stretches[-1], decision=decision)))

    def _doubt_rate(self, verdict: TurnVerdict) -> TurnVerdict:
        if self._rate is None or self._turn is None:
            return verdict
        if verdict.final:
            self._rate.hear(self._turn.audio)
        if self._rate.rate is Rate.PLAUSIBLE:
            return verdict
        doubted = tuple(
            replace(part, decision=replace(part.decision, voice=Voice.UNSURE, why=Why.IMPLAUSIBLE_RATE))
            for part in verdict.stretches
        )
        return replace(verdict, stretches=doubted)

    def _learn(self, verdict: TurnVerdict) -> None:
        turn = self._turn
        if turn is None or verdict.voice is Voice.AGENT_ECHO:
            return
        if self._settings.learn_others:
            for start_s, end_s, stretch in turn.spans():
                if stretch.decision.why is Why.BELOW_REJECT:
                    self.voices.learn_other(turn.embedding(start_s, end_s))
        if verdict.changed or verdict.voice is Voice.THIRD_PARTY or self._agent_speaking:
            return
        offer = Offer(
            speech=turn.speech(),
            audio=turn.audio,
            narrow=turn.narrow,
            second_voice_s=verdict.second_voice_s,
            rate_plausible=self._rate is None or self._rate.rate is Rate.PLAUSIBLE,
        )
        self.last_enrolment = self.voices.enroller.offer(offer, self.voices.known)

    def _unknown(self, why: Why) -> TurnVerdict:
        return TurnVerdict((Stretch(0.0, 0.0, VoiceDecision(Voice.UNSURE, why)),), 0.0)

    def _fault(self, error: Exception) -> None:
        self._faults.append(type(error).__name__)
        del self._faults[:-FAULTS_KEPT]
