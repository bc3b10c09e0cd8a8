"""One call's speaker gate: audio and words in, rulings out. The object the Pipecat side drives.

Owns the order of evidence: played audio (echo), voice, recogniser's labels, words, and the rule for short replies.
Never raises while a call is live: what goes wrong is counted and answered with *unsure*. Reads no clock.

Two kinds of method: the heavy ones (`update`, `end_turn`) run a model, belong in an executor and exclude each other;
all others are cheap and never wait for a heavy one, so they may be called on the event loop at any time.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from speaker_gate.audio import NARROW_RATE_HZ_MAX, as_mono, checked_recording, is_narrow, speech_of
from speaker_gate.consent import Consent, ConsentHook, allows_enrolment, asked, in_call_only
from speaker_gate.decision import BREATH_SECONDS_MIN, KnownVoices, in_one_breath
from speaker_gate.echo import DELAY_S_MAX, find_echo
from speaker_gate.embedders import MODEL_RATE_HZ
from speaker_gate.enrolment import Enroller, EnrolmentStatus, EnrolmentStep, Offer, Refusal
from speaker_gate.facts import SpokenPart, TurnVerdict, Voice, VoiceDecision, Why, unknown
from speaker_gate.open_turn import OpenTurn
from speaker_gate.policy.actions import choose
from speaker_gate.policy.kinds import Relevance, RelevanceReader
from speaker_gate.policy.reader import CueRelevanceReader
from speaker_gate.rate_check import Rate, RateWatch
from speaker_gate.replies import Standing
from speaker_gate.resampler import StreamResampler
from speaker_gate.ruling import Ruling, WordDesk, WordsHeard
from speaker_gate.settings import GateSettings, checked_settings
from speaker_gate.tape import PlayedTape
from speaker_gate.turn import POOL_SECONDS_MAX, SEGMENTER_SECONDS, Ears, TurnTracker, checked_ears
from speaker_gate.voices import AGENT_SECONDS, CallVoices

FAULTS_KEPT = 20
ECHO_SECONDS = 3.0


class CallGate:
    """The speaker gate of one call.

    Args:
        ears: Shared models.
        call_id: Id of the call, for the consent hook.
        settings: Behaviour.
        consent: Asked once, at the start; None, scope NONE or a hook that fails means no voice print is ever made in
            this call.
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
        self._ears, self._settings = checked_ears(ears), checked_settings(settings)
        self._faults: deque[str] = deque(maxlen=FAULTS_KEPT)
        self._model_lock = threading.RLock()
        self._words_lock = threading.RLock()
        self._tape_lock = threading.Lock()
        self._deferred: deque[Callable[[], None]] = deque()
        self.consent: Consent | None = None
        try:
            self.consent = asked(consent or in_call_only, call_id)
        except Exception as error:  # a hook that fails has not said yes
            self._fault(error)
        declined = not allows_enrolment(self.consent)
        enroller = Enroller(ears.embedder, ears.record, self._settings.enrolment, declined=declined)
        self.voices = CallVoices(ears.embedder, ears.record, enroller)
        reads = reader or CueRelevanceReader()
        self.desk = WordDesk(self._settings.language, reads, self.voices, ears.record, defer=self._soon)
        self._tape = PlayedTape()
        self._agent_stream: tuple[int, StreamResampler] | None = None
        self._rate: RateWatch | None = None
        self._turn: OpenTurn | None = None
        self._last: OpenTurn | None = None
        self.last_enrolment: EnrolmentStep | None = None
        if self._settings.check_rate:
            try:
                self._rate = RateWatch()
            except Exception as error:
                self._fault(error)

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
        """The verdict of the turn that began last."""
        return self._last.verdict if self._last is not None else None

    # -- cheap ------------------------------------------------------------------------------------------------------

    def begin_turn(
        self, now_s: float, rate_hz: int, *, agent_speaking: bool = False, follows: OpenTurn | None = None
    ) -> OpenTurn:
        """Open a turn at `now_s`, the time of the first sample that will be heard (pre-roll included).

        Args:
            now_s: The call's time.
            rate_hz: Rate of the sound to come.
            agent_speaking: Whether the agent can be heard.
            follows: The turn that ended no more than a breath ago: whoever spoke in it may be going on.

        Returns:
            A handle for `update` and `end_turn`, needed where the next turn may begin before this one is judged.
        """
        turn = OpenTurn(now_s, rate_hz, agent_speaking, follows=follows)
        try:
            turn.stream = StreamResampler(rate_hz)
            turn.tracker = TurnTracker(
                self._ears,
                narrow=rate_hz <= NARROW_RATE_HZ_MAX,
                first_voice_is_primary=self._settings.before_enrolment == "first_voice",
            )
        except Exception as error:
            self._fault(error)
        self._turn = self._last = turn
        return turn

    def hear(self, samples: NDArray[Any], *, agent_speaking: bool = False) -> None:
        """Add caller's sound at the open turn's rate (int16 or float). Ignored outside a turn."""
        turn = self._turn
        if turn is not None and turn.tracker is not None:
            turn.incoming.append(samples)
            turn.agent_speaking = turn.agent_speaking or agent_speaking

    def agent_played(self, now_s: float, samples: NDArray[Any], rate_hz: int) -> None:
        """Note what the agent played from `now_s` on. Its voice is learned in `update`."""
        try:
            if self._agent_stream is None or self._agent_stream[0] != rate_hz:
                self._agent_stream = (rate_hz, StreamResampler(rate_hz))
            played = self._agent_stream[1].feed(as_mono(samples))
            with self._tape_lock:
                self._tape.add(now_s, played)
        except Exception as error:
            self._fault(error)

    def rule(self, heard: WordsHeard, verdict: TurnVerdict | None = None) -> tuple[Ruling, ...]:
        """Rule on the words of a turn; see `speaker_gate.ruling.WordDesk.rule`.

        Args:
            heard: The words.
            verdict: The turn's verdict; None means the latest.
        """
        last = self._last
        found = verdict or self.verdict or unknown(Why.NO_ENROLMENT)
        narrow = last is not None and last.tracker is not None and last.tracker.narrow
        with self._words_lock:
            try:
                return self.desk.rule(heard, found, narrow=narrow)
            except Exception as error:
                self._fault(error)
                part = SpokenPart(heard.text, VoiceDecision(Voice.UNSURE, Why.GATE_FAULT), 0.0, 0.0)
                return (Ruling(part, Standing.UNSURE, choose(Standing.UNSURE, None)),)

    def likely_other(self, verdict: TurnVerdict | None) -> bool:
        """True where nobody is sure of the voice that speaks and it is likelier somebody else's than the patient's."""
        tracker = self._last.tracker if self._last is not None else None
        if verdict is None or tracker is None:
            return False
        return self.desk.likely_other(verdict.decision, tracker.narrow)

    def alarms(self, text: str) -> bool:
        """True for words that must get through at once, whoever says them."""
        try:
            return self.desk.read(text, "") is Relevance.URGENT
        except Exception as error:
            self._fault(error)
            return False

    def confirm_primary(self) -> None:
        """The flow has checked that the enrolled person is the patient."""
        self._soon(self.voices.enroller.confirm)

    def reset_primary(self) -> None:
        """The person enrolled is not the patient."""
        self.desk.forget_patient()
        self._soon(self.voices.somebody_else_answered)

    def withdraw_consent(self) -> None:
        """Forget every voice and never make a voice print again in this call."""
        self.consent = None
        self.desk.usual.forget()
        self._soon(self.voices.forget)

    def close(self) -> None:
        """Hang-up: drop voices and sound."""
        self._turn = self._last = None
        with self._tape_lock:
            self._tape = PlayedTape()
        self._soon(self.voices.forget)

    # -- heavy ------------------------------------------------------------------------------------------------------

    def update(self, turn: OpenTurn | None = None) -> TurnVerdict:
        """Say whose voice a turn is so far (None: the open one); runs the model. Outside a turn: *unsure*."""
        with self._model_lock:
            return self._judge(turn or self._turn, final=False)

    def end_turn(self, now_s: float, turn: OpenTurn | None = None) -> TurnVerdict:
        """Close a turn, decide what is left, and let a fitting turn teach the enrolment; runs the model."""
        ended = turn or self._turn
        if ended is self._turn:
            self._turn = None
        with self._model_lock:
            verdict = self._judge(ended, final=True)
            if ended is not None and ended.tracker is not None:
                try:
                    self._learn(verdict, ended, ended.tracker)
                except Exception as error:
                    self._fault(error)
            self._settle_deferred()
        del now_s
        return verdict

    def enrol_reference(self, samples: NDArray[np.float32], source_rate_hz: int, *, call_rate_hz: int) -> EnrolmentStep:
        """Enrol from a recording made elsewhere, such as `read_clip(path)` gives; runs the model.

        Args:
            samples: float32, shape (n,), 16 kHz; silence in it is left out.
            source_rate_hz: Rate the recording had; tells with its own sound whether it is telephone band.
            call_rate_hz: Rate of this call. A wide recording is brought to a telephone call's band; a telephone
                recording for a wide call is refused (`other_channel`).

        Returns:
            The step, with the reason where it was refused (`two_voices` where more than one person speaks in the
            recording, `not_embeddable` where it is no sound of that rate, counted in `faults`); refused too where
            consent was declined.
        """
        enroller = self.voices.enroller
        with self._model_lock:
            self._settle_deferred()
            try:
                sound, narrow = checked_recording(samples, source_rate_hz, call_rate_hz)
                second_s = self._ears.second_voice_s(sound[: int(SEGMENTER_SECONDS * MODEL_RATE_HZ)])
                self.last_enrolment = enroller.enrol_reference(
                    speech_of(sound).samples, narrow, call_rate_hz <= NARROW_RATE_HZ_MAX, second_voice_s=second_s
                )
            except Exception as error:
                self._fault(error)
                self.last_enrolment = EnrolmentStep(False, Refusal.NOT_EMBEDDABLE, enroller.status, enroller.seconds)
            return self.last_enrolment

    # -- inside -----------------------------------------------------------------------------------------------------

    def _judge(self, turn: OpenTurn | None, *, final: bool) -> TurnVerdict:
        self._settle_deferred()
        if turn is None or turn.tracker is None or turn.stream is None:
            verdict = replace(unknown(Why.TOO_SHORT), final=final)
            if turn is not None:
                turn.verdict = verdict
            return verdict
        try:
            turn.take_in(final, self._fault)
            verdict = self._listen(turn, turn.tracker, final)
            if final:
                verdict = self.desk.second_thought(verdict, turn.tracker.narrow)
        except Exception as error:
            self._fault(error)
            verdict = replace(unknown(Why.GATE_FAULT), final=final)
        turn.verdict = verdict
        if final:
            turn.follows = None  # a chain of breaths keeps no more than one turn back
        with self._words_lock:
            self.desk.note_decision(verdict.decision)
            if final:
                self.desk.note_turn(verdict, narrow=turn.tracker.narrow, over_agent=turn.agent_speaking)
        return verdict

    def _listen(self, turn: OpenTurn, tracker: TurnTracker, final: bool) -> TurnVerdict:
        if self.status in (EnrolmentStatus.DECLINED, EnrolmentStatus.GIVEN_UP):
            verdict = tracker.listen(final=final)
        else:
            self._know_agent()
            tracker.settle_band(lambda audio: is_narrow(audio, turn.rate_hz))
            known = self.voices.known
            verdict = self._go_on(tracker.update(known, final=final), turn, tracker, known)
            if final and verdict.voice is Voice.THIRD_PARTY:
                turn.other = tracker.embedding(*tracker.spans()[-1][:2])
        return self._doubt_rate(self._hear_echo(verdict, turn, tracker), tracker)

    def _go_on(self, verdict: TurnVerdict, turn: OpenTurn, tracker: TurnTracker, known: KnownVoices) -> TurnVerdict:
        """Let another person's voice from a breath ago speak for the first words after it."""
        before = turn.follows.other if turn.follows is not None else None
        first = verdict.stretches[0]
        if before is None or first.decision.voice in (Voice.THIRD_PARTY, Voice.AGENT_ECHO):
            return verdict
        start_s, end_s, _ = tracker.spans()[0]
        if end_s - start_s < BREATH_SECONDS_MIN:
            return verdict
        window = tracker.embedding(max(start_s, end_s - POOL_SECONDS_MAX), end_s)
        decision = in_one_breath(first.decision, window, before, known, self._ears.record)
        return replace(verdict, stretches=(replace(first, decision=decision), *verdict.stretches[1:]))

    def _know_agent(self) -> None:
        if not self.voices.knows_agent:
            with self._tape_lock:
                played = self._tape.latest(2 * AGENT_SECONDS)
            if len(played) >= AGENT_SECONDS * MODEL_RATE_HZ:
                self.voices.learn_agent(played)

    def _hear_echo(self, verdict: TurnVerdict, turn: OpenTurn, tracker: TurnTracker) -> TurnVerdict:
        """Compare the end of the turn with what the agent played; played sound beats any voice print."""
        heard = tracker.audio[-int(ECHO_SECONDS * MODEL_RATE_HZ) :]
        end_s = turn.start_s + len(tracker.audio) / MODEL_RATE_HZ
        start_s = end_s - len(heard) / MODEL_RATE_HZ - DELAY_S_MAX
        with self._tape_lock:
            if not len(heard) or not self._tape.played_in(start_s, end_s):
                return verdict
            played = self._tape.between(start_s, end_s)
        if not find_echo(heard, played).is_echo:
            return verdict
        decision = replace(verdict.decision, voice=Voice.AGENT_ECHO, why=Why.ECHO_OF_AGENT_AUDIO)
        return replace(verdict, stretches=(*verdict.stretches[:-1], replace(verdict.stretches[-1], decision=decision)))

    def _doubt_rate(self, verdict: TurnVerdict, tracker: TurnTracker) -> TurnVerdict:
        if self._rate is None:
            return verdict
        if verdict.final:
            self._rate.hear(tracker.audio)
        if self._rate.rate is Rate.PLAUSIBLE:
            return verdict
        return verdict.undecided(Why.IMPLAUSIBLE_RATE)

    def _learn(self, verdict: TurnVerdict, turn: OpenTurn, tracker: TurnTracker) -> None:
        if verdict.voice is Voice.AGENT_ECHO or verdict.decision.why is Why.GATE_FAULT:
            return
        if self._settings.learn_others:
            for start_s, end_s, stretch in tracker.spans():
                if stretch.decision.why is Why.BELOW_REJECT:
                    self.voices.learn_other(tracker.embedding(start_s, end_s))
        if verdict.changed or verdict.voice is Voice.THIRD_PARTY or turn.agent_speaking:
            return
        offer = Offer(
            speech=tracker.speech(),
            audio=tracker.audio,
            narrow=tracker.narrow,
            second_voice_s=verdict.second_voice_s,
            rate_plausible=self._rate is None or self._rate.rate is Rate.PLAUSIBLE,
        )
        self.last_enrolment = self.voices.enroller.offer(offer, self.voices.known)

    def _soon(self, action: Callable[[], None]) -> None:
        """Change the voices now, or right after the model if it is running: a cheap method never waits for it."""
        self._deferred.append(action)
        if self._model_lock.acquire(blocking=False):
            try:
                self._settle_deferred()
            finally:
                self._model_lock.release()

    def _settle_deferred(self) -> None:
        while self._deferred:
            try:
                self._deferred.popleft()()
            except Exception as error:
                self._fault(error)

    def _fault(self, error: Exception) -> None:
        self._faults.append(type(error).__name__)
