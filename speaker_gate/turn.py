"""Follows one turn: gathers its speech, decides as it grows, finds a change of voice and splits there.

Owns when something is embedded (the cost of the gate) and when a decision may switch. Runs a model, so it is called
off the event loop; keeps no state beyond its turn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from speaker_gate.calibration import BandPair, CalibrationRecord
from speaker_gate.change import AFTER_S_MIN, BEFORE_S_MIN, ChangeSearch, Enrolled, Placed
from speaker_gate.decision import KnownVoices, after_change, decide
from speaker_gate.embedders import Embedder, Embedding, Samples, Segmenter, Vector
from speaker_gate.errors import CallerError
from speaker_gate.facts import Stretch, TurnVerdict, Voice, VoiceDecision, Why
from speaker_gate.gatherer import SpeechGatherer

POOL_SECONDS_MAX = 4.0
"""Speech embedded at once for a decision; of a longer stretch its latest part."""

CHANGE_CHECK_STEP_S = 0.5
"""A growing turn is searched for a change each time this much speech was added."""

STRETCHES_MAX = 6
"""Voices followed in one turn; further changes are no longer looked for."""

SOLE_WINDOW_S = 1.5
"""A decision for somebody else on less speech than this needs a second voice by the segmenter or a second look; one for
the patient needs a score that is common for the patient."""

SEGMENTER_SECONDS = 10.0
BAND_SECONDS_MIN = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Ears:
    """What every call of a process shares.

    Parameters:
        embedder: The one embedder.
        record: Its calibration.
        segmenter: Optional further evidence.
    """

    embedder: Embedder
    record: CalibrationRecord
    segmenter: Segmenter | None = None

    def second_voice_s(self, audio: Samples) -> float | None:
        """Seconds of a second voice in some audio; None without a segmenter or where it cannot tell."""
        activity = None if self.segmenter is None else self.segmenter.activity(audio)
        return None if activity is None else activity.second_voice_s()


def checked_ears(ears: object) -> Ears:
    """Give back what it is given.

    Raises:
        CallerError: It is no `Ears`.
    """
    if not isinstance(ears, Ears):
        raise CallerError(f"ears: is {type(ears).__name__}; give Ears(embedder, record), made once a process")
    return ears


@dataclass(slots=True)
class _Open:
    """The stretch that is still growing."""

    start_s: float
    decision: VoiceDecision
    after_change: bool = False
    decided_at_s: float = 0.0
    against_primary: int = 0


class TurnTracker:
    """One turn of the caller's audio.

    Args:
        ears: Shared models.
        narrow: True for telephone-band audio.
        first_voice_is_primary: Without an enrolment, count the turn's first voice as the patient's.
    """

    def __init__(self, ears: Ears, *, narrow: bool, first_voice_is_primary: bool = False) -> None:
        self._ears = ears
        self._narrow = narrow
        self._first_is_primary = first_voice_is_primary
        self._gatherer = SpeechGatherer()
        self._speech = self._gatherer.take_in()
        self._vectors: dict[tuple[int, int], Vector | None] = {}
        self._made = 0
        self._search = ChangeSearch(ears.record.change(narrow), self._placed)
        self._done: list[Stretch] = []
        self._done_spans: list[tuple[float, float]] = []
        self._open = _Open(0.0, VoiceDecision(Voice.UNSURE, Why.TOO_SHORT))
        self._searched_s = 0.0
        self._flips = 0
        self._second_voice_s: float | None = None

    @property
    def narrow(self) -> bool:
        """True for telephone-band audio."""
        return self._narrow

    @property
    def audio(self) -> Samples:
        """All audio of the turn taken in so far, 16 kHz."""
        return self._gatherer.audio

    @property
    def speech_s(self) -> float:
        """Seconds of speech taken in so far."""
        return self._speech.seconds

    def hear(self, samples: Samples) -> None:
        """Add audio (float32, 16 kHz); cheap, safe on the event loop."""
        self._gatherer.hear(samples)

    def settle_band(self, is_narrow: Callable[[Samples], bool]) -> None:
        """Let wide-rate audio prove to be telephone sound, before anything of it is embedded."""
        if self._made == 0 and not self._narrow:
            self._speech = self._gatherer.take_in()
            if self._speech.seconds >= BAND_SECONDS_MIN and is_narrow(self._speech.samples):
                self._narrow = True
                self._search = ChangeSearch(self._ears.record.change(True), self._placed)

    def spans(self) -> list[tuple[float, float, Stretch]]:
        """Each voice's place in the joined speech, with its stretch."""
        edges = [*self._done_spans, (self._open.start_s, self._speech.seconds)]
        return [(start, end, one) for (start, end), one in zip(edges, self._verdict(False).stretches, strict=True)]

    def speech(self) -> Samples:
        """The joined speech so far."""
        return self._speech.samples

    def embedding(self, start_s: float, end_s: float) -> Embedding | None:
        """Embedding of a part of the joined speech; made once."""
        vector = self._vector(start_s, end_s)
        return None if vector is None else Embedding(vector, self._ears.embedder.name, end_s - start_s, self._narrow)

    def listen(self, *, final: bool = False) -> TurnVerdict:
        """Take in what was heard without embedding anything: for calls in which no voice print may be made."""
        self._speech = self._gatherer.take_in(final)
        self._open.decision = VoiceDecision(Voice.UNSURE, Why.NO_ENROLMENT, None, self._speech.seconds)
        return self._verdict(final)

    def update(self, known: KnownVoices, *, final: bool = False) -> TurnVerdict:
        """Take in what was heard and say whose voice it is; runs the model.

        Args:
            known: The voices of the call, as they are now.
            final: True once, at the end of the turn: everything undecided is looked at with all speech there is.
        """
        self._speech = self._gatherer.take_in(final)
        if self._ears.segmenter is not None and (final or self._grew(CHANGE_CHECK_STEP_S)):
            self._second_voice_s = self._ears.second_voice_s(self._gatherer.audio[-int(SEGMENTER_SECONDS * 16_000) :])
        if self._due_for_search(final):
            self._look_for_change(known)
        if self._due_for_decision(final):
            self._decide_open(known, final)
        return self._verdict(final)

    def _grew(self, by_s: float) -> bool:
        return self._speech.seconds - self._searched_s >= by_s

    def _due_for_search(self, final: bool) -> bool:
        if len(self._done) + 1 >= STRETCHES_MAX:
            return False
        if self._speech.seconds - self._open.start_s < BEFORE_S_MIN + AFTER_S_MIN:
            return False
        return self._grew(CHANGE_CHECK_STEP_S) or (final and self._speech.seconds > self._searched_s)

    def _due_for_decision(self, final: bool) -> bool:
        length_s = self._speech.seconds - self._open.start_s
        if final:
            return length_s > self._open.decided_at_s or self._open.decided_at_s == 0.0
        band = self._ears.record.pair(BandPair.NARROW if self._narrow else BandPair.WIDE)
        if length_s < band.min_seconds:
            return False
        step_s = 0.5 if length_s < 2.0 or not self._open.decision.decided else 1.0
        return self._open.decided_at_s == 0.0 or length_s - self._open.decided_at_s >= step_s

    def _look_for_change(self, known: KnownVoices) -> None:
        self._searched_s = self._speech.seconds
        enrolled = self._enrolled(known)
        split = self._search.best(self._open.start_s, self._speech.seconds, enrolled, self._second_voice_s or 0.0)
        if split is None or not self._search.declares(split, enrolled is not None):
            return
        closed = self._decision_for(known, self._open.start_s, split.at_s, final=True)
        closed = self._lean_on_earlier(known, closed, self._open.after_change)
        self._done.append(
            Stretch(self._place_s(self._open.start_s), self._place_s(split.at_s), closed, self._open.after_change)
        )
        self._done_spans.append((self._open.start_s, split.at_s))
        self._open = _Open(split.at_s, VoiceDecision(Voice.UNSURE, Why.TOO_SHORT), after_change=True)
        self._decide_open(known, final=False)

    def _decide_open(self, known: KnownVoices, final: bool) -> None:
        before = self._open.decision
        length_s = self._speech.seconds - self._open.start_s
        made = self._decision_for(known, self._open.start_s, self._speech.seconds, final)
        made = self._hold_back(made, final)
        made = self._lean_on_earlier(known, made, self._open.after_change)
        if before.decided and before.voice is not made.voice and self._open.decided_at_s > 0.0:
            self._flips += 1
        self._open.decision = made
        self._open.decided_at_s = length_s

    def _hold_back(self, made: VoiceDecision, final: bool) -> VoiceDecision:
        """Ask for a second look before anybody is declared on one short window that does not say it plainly."""
        if self._faintly_primary(made, final):
            self._open.against_primary = 0
            return replace(made, voice=Voice.UNSURE, why=Why.ONE_WINDOW_ONLY)
        if made.why is not Why.BELOW_REJECT:
            self._open.against_primary = 0
            return made
        self._open.against_primary += 1
        second_voice = (self._second_voice_s or 0.0) > 0.25
        if final or self._open.against_primary >= 2 or second_voice or made.seconds >= SOLE_WINDOW_S:
            return made
        return replace(made, voice=Voice.UNSURE, why=Why.ONE_WINDOW_ONLY)

    def _faintly_primary(self, made: VoiceDecision, final: bool) -> bool:
        """Over the threshold, but less like the patient than most of the patient's own windows of that length."""
        if made.why is not Why.ABOVE_ACCEPT or final or made.score is None or made.seconds >= SOLE_WINDOW_S:
            return False
        band = self._ears.record.pair(BandPair.NARROW if self._narrow else BandPair.WIDE)
        return made.score < band.primary_mean.at(made.seconds) - band.primary_sd.at(made.seconds)

    def _lean_on_earlier(self, known: KnownVoices, made: VoiceDecision, changed: bool) -> VoiceDecision:
        unenrolled = not known.primary
        if not self._done:
            if unenrolled and self._first_is_primary and made.why is Why.NO_ENROLMENT:
                return replace(made, voice=Voice.PRIMARY, why=Why.FIRST_VOICE)
            return made
        if not changed:
            return made
        return after_change(
            self._done[-1].decision, made, first_voice_is_primary=self._first_is_primary, unenrolled=unenrolled
        )

    def _decision_for(self, known: KnownVoices, start_s: float, end_s: float, final: bool) -> VoiceDecision:
        length_s = end_s - start_s
        if length_s < self._ears.embedder.min_seconds:
            return VoiceDecision(Voice.UNSURE, Why.TOO_SHORT, None, length_s)
        window = self.embedding(max(start_s, end_s - POOL_SECONDS_MAX), end_s)
        return decide(window, known, self._ears.record, seconds=length_s)

    def _enrolled(self, known: KnownVoices) -> Enrolled | None:
        matching = [voice for voice in known.primary if voice.narrow == self._narrow]
        if not matching:
            return None
        return Enrolled(self._ears.record.place(matching[0].vector, self._narrow), matching[0].seconds)

    def _placed(self, start_s: float, end_s: float) -> Placed | None:
        vector = self._vector(start_s, end_s)
        return None if vector is None else self._ears.record.place(vector, self._narrow)

    def _vector(self, start_s: float, end_s: float) -> Vector | None:
        key = (round(start_s * 100), round(end_s * 100))
        if key not in self._vectors:
            samples = self._speech.cut(start_s, end_s)
            self._vectors[key] = self._ears.embedder.embed(np.ascontiguousarray(samples))
            self._made += 1
        return self._vectors[key]

    def _place_s(self, speech_s: float) -> float:
        return self._speech.at(speech_s)

    def _verdict(self, final: bool) -> TurnVerdict:
        end_s = self._gatherer.heard_s
        growing = Stretch(self._place_s(self._open.start_s), end_s, self._open.decision, self._open.after_change)
        return TurnVerdict(
            stretches=(*self._done, growing),
            speech_s=self._speech.seconds,
            flips=self._flips,
            second_voice_s=self._second_voice_s,
            final=final,
            level_dbfs=self._gatherer.level_dbfs(),
            vectors_made=self._made,
        )
