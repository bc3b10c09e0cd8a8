"""Learns the patient's voice from the call itself, quietly, and refuses what does not fit. Pure, memory only.

Owns the quality gates. The person who picks up may not be the patient: an enrolment is *provisional* until the flow
says who is speaking, and a reset turns it into a known other voice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from speaker_gate.audio import MODEL_RATE_HZ, clipped_share, level_dbfs, over_telephone, snr_db, to_model_rate
from speaker_gate.calibration import BandPair, CalibrationRecord
from speaker_gate.change import ChangeSearch, Placed
from speaker_gate.decision import KnownVoices, best_score, by_threshold
from speaker_gate.embedders import Embedder, Embedding, Samples, checked_voice
from speaker_gate.facts import Voice
from speaker_gate.scoring import Score, cosine, score

WINDOW_S = 1.0

AGREEMENT_SECONDS_MIN = 1.5
"""Speech of a new stretch, and half of what was collected before it, from which their likeness says something."""

REFERENCE_SECONDS_MAX = 20.0
"""Speech of a recording made elsewhere that is searched for a second voice."""


class EnrolmentStatus(StrEnum):
    """How far the enrolment is."""

    DECLINED = "declined"
    COLLECTING = "collecting"
    PROVISIONAL = "provisional"
    CONFIRMED = "confirmed"
    GIVEN_UP = "given_up"


class Refusal(StrEnum):
    """Why a stretch was not taken for enrolment."""

    TOO_SHORT = "too_short"
    TOO_QUIET = "too_quiet"
    CLIPPED = "clipped"
    NOISY = "noisy"
    TWO_VOICES = "two_voices"
    NOT_THE_SAME_VOICE = "not_the_same_voice"
    AGENT_ECHO = "agent_echo"
    KNOWN_OTHER = "known_other"
    NOT_EMBEDDABLE = "not_embeddable"
    IMPLAUSIBLE_RATE = "implausible_rate"
    OTHER_CHANNEL = "other_channel"
    DECLINED = "declined"


class EnrolmentSettings(BaseModel):
    """Quality gates of the enrolment.

    Parameters:
        seconds: Speech wanted; from then on the enrolment stands.
        seconds_min: Speech with which it may stand when the caller says little.
        stretch_seconds_min: Shortest stretch that is taken at all.
        level_dbfs_min: Least speech level.
        clipped_share_max: Most samples at full scale (0..1).
        snr_db_min: Least estimated speech-to-noise ratio.
        second_voice_s_max: Most seconds of a second voice by the segmenter.
        attempts_max: Stretches refused before enrolment is given up (and the gate stays open).
        update_lead: Score above the accept threshold that a turn needs to refresh the enrolment.
        update_weight: Share (0..1) of the new voice in a refreshed enrolment.
        updates_max: Refreshes in one call.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    seconds: float = Field(default=5.0, ge=3.0, le=10.0)
    seconds_min: float = Field(default=3.0, ge=2.0, le=10.0)
    stretch_seconds_min: float = Field(default=0.8, ge=0.5, le=3.0)
    level_dbfs_min: float = Field(default=-48.0, ge=-80.0, le=0.0)
    clipped_share_max: float = Field(default=0.02, ge=0.0, le=1.0)
    snr_db_min: float = Field(default=6.0, ge=0.0, le=40.0)
    second_voice_s_max: float = Field(default=0.3, ge=0.0, le=2.0)
    attempts_max: int = Field(default=8, ge=1, le=50)
    update_lead: float = Field(default=0.1, ge=0.0, le=1.0)
    update_weight: float = Field(default=0.15, gt=0.0, le=0.5)
    updates_max: int = Field(default=20, ge=0, le=200)


@dataclass(frozen=True, slots=True)
class EnrolmentStep:
    """What became of one stretch.

    Parameters:
        taken: True when it was added or used to refresh.
        refusal: Why not; None when taken.
        status: The enrolment afterwards.
        seconds: Seconds of speech enrolled or collected so far.
    """

    taken: bool
    refusal: Refusal | None
    status: EnrolmentStatus
    seconds: float


@dataclass(frozen=True, slots=True, eq=False)
class Offer:
    """One stretch offered for enrolment.

    Parameters:
        speech: Speech only, float32, 16 kHz, one stretch of one turn.
        audio: The same stretch with its pauses, for the noise estimate.
        narrow: True for telephone-band sound.
        second_voice_s: Seconds of a second voice by a segmenter; None without one.
        echo: True when the echo detector took it for the agent's own sound.
        rate_plausible: False when the sound does not fit its declared rate.
    """

    speech: Samples
    audio: Samples
    narrow: bool
    second_voice_s: float | None = None
    echo: bool = False
    rate_plausible: bool = True


class Enroller:
    """Collects one voice from stretches of a call.

    Args:
        embedder: Shared embedder.
        record: Its calibration.
        settings: Quality gates.
        declined: True when the person does not want a voice print: nothing is ever embedded for enrolment.
    """

    def __init__(
        self,
        embedder: Embedder,
        record: CalibrationRecord,
        settings: EnrolmentSettings | None = None,
        *,
        declined: bool = False,
    ) -> None:
        self._embedder = embedder
        self._record = record
        self._settings = settings or EnrolmentSettings()
        self._status = EnrolmentStatus.DECLINED if declined else EnrolmentStatus.COLLECTING
        self._stretches: list[Samples] = []
        self._placed: list[np.ndarray[tuple[int], np.dtype[np.float32]]] = []
        self._narrow: bool | None = None
        self._voice: tuple[Embedding, ...] = ()
        self._refused = 0
        self._updates = 0
        self._confirmed = False
        self._agreement: Score | None = None

    @property
    def status(self) -> EnrolmentStatus:
        """How far the enrolment is."""
        return self._status

    @property
    def voice(self) -> tuple[Embedding, ...]:
        """The enrolled voice, one embedding a band; empty until it stands."""
        return self._voice

    @property
    def agreement(self) -> Score | None:
        """How alike the last stretch collected is to those before it; None on too little speech."""
        return self._agreement

    @property
    def seconds(self) -> float:
        """Seconds of speech enrolled or collected."""
        if self._voice:
            return self._voice[0].seconds
        return sum(len(part) for part in self._stretches) / MODEL_RATE_HZ

    @property
    def stands(self) -> bool:
        """True when there is an enrolment to compare with."""
        return bool(self._voice)

    def offer(self, offer: Offer, known: KnownVoices) -> EnrolmentStep:
        """Offer a stretch of speech; it is added, used to refresh, or refused with a reason.

        Args:
            offer: The stretch.
            known: The call's other voices: the agent's and those of other people are never enrolled.
        """
        if self._status in (EnrolmentStatus.DECLINED, EnrolmentStatus.GIVEN_UP):
            return self._step(Refusal.DECLINED)
        refusal = self._quality(offer)
        if refusal is None:
            refusal = self._refresh(offer) if self.stands else self._collect(offer, known)
        if refusal is not None and refusal is not Refusal.TOO_SHORT and not self.stands:
            self._refused += 1
            if self._refused >= self._settings.attempts_max:
                self._give_up_or_settle()
        return self._step(refusal)

    def settle(self) -> EnrolmentStep:
        """Let the enrolment stand with what there is, if that is enough (`seconds_min`)."""
        if not self.stands and self.seconds >= self._settings.seconds_min:
            self._stand()
        return self._step(None if self.stands else Refusal.TOO_SHORT)

    def confirm(self) -> None:
        """Say that whoever speaks is the patient: the flow has checked it. Holds for a voice still collected, too."""
        self._confirmed = self._status is not EnrolmentStatus.DECLINED
        if self.stands:
            self._status = EnrolmentStatus.CONFIRMED

    def reset(self) -> tuple[Embedding, ...]:
        """Forget the voice (somebody else had answered) and start again; returns it as a known other voice."""
        old = self._voice or self._rough()
        self._stretches, self._placed, self._voice, self._narrow = [], [], (), None
        self._refused, self._updates, self._confirmed, self._agreement = 0, 0, False, None
        if self._status is not EnrolmentStatus.DECLINED:
            self._status = EnrolmentStatus.COLLECTING
        return old

    def decline(self) -> None:
        """The person withdraws consent: forget everything and never enrol in this call."""
        self.reset()
        self._status = EnrolmentStatus.DECLINED

    def enrol_reference(
        self, speech: Samples, narrow: bool, call_narrow: bool, *, second_voice_s: float | None = None
    ) -> EnrolmentStep:
        """Enrol from a recording made elsewhere (speech only, 16 kHz), brought to the call's band first.

        One voice must speak all through: windows of it must be alike, no change of voice may be found in it, and the
        segmenter, where there is one, must hear no second voice for longer than in a stretch of the call.

        A wide recording for a telephone call is passed through a telephone line in software, so that like is compared
        with like. A telephone recording for a wide call cannot be repaired and is refused.
        """
        if self._status is EnrolmentStatus.DECLINED:
            return self._step(Refusal.DECLINED)
        if narrow and not call_narrow:
            return self._step(Refusal.OTHER_CHANNEL)
        if len(speech) < self._settings.seconds_min * MODEL_RATE_HZ:
            return self._step(Refusal.TOO_SHORT)
        if (second_voice_s or 0.0) > self._settings.second_voice_s_max or self._two_voices(speech, narrow):
            return self._step(Refusal.TWO_VOICES)
        self._stretches, self._narrow = [speech[: int(self._settings.seconds * 2 * MODEL_RATE_HZ)]], narrow
        self._stand()
        return self._step(None if self.stands else Refusal.NOT_EMBEDDABLE)

    def _two_voices(self, speech: Samples, narrow: bool) -> bool:
        whole = speech[: int(REFERENCE_SECONDS_MAX * MODEL_RATE_HZ)]
        windows = self._windows(Offer(speech=whole, audio=whole, narrow=narrow))
        if not self._consistent(windows, narrow):
            return True

        def embed(start_s: float, end_s: float) -> Placed | None:
            vector = self._embedder.embed(whole[int(start_s * MODEL_RATE_HZ) : int(end_s * MODEL_RATE_HZ)])
            return None if vector is None else self._record.place(vector, narrow)

        search = ChangeSearch(self._record.change(narrow), embed)
        split = search.best(0.0, len(whole) / MODEL_RATE_HZ)
        return split is not None and search.declares(split, enrolled=False)

    def restore(self, voice: tuple[Embedding, ...]) -> None:
        """Take a stored voice (see `speaker_gate.adapters.voice_store`); it is provisional until confirmed.

        Raises:
            EmbedderMismatch: It was made with another embedder, or cannot be a vector of this one.
        """
        for embedding in voice:
            checked_voice(embedding, self._embedder)
        if self._status is not EnrolmentStatus.DECLINED and voice:
            self._voice, self._status = voice, EnrolmentStatus.PROVISIONAL

    def _quality(self, offer: Offer) -> Refusal | None:
        settings, seconds = self._settings, len(offer.speech) / MODEL_RATE_HZ
        checks: tuple[tuple[Callable[[], bool], Refusal], ...] = (
            (lambda: seconds < settings.stretch_seconds_min, Refusal.TOO_SHORT),
            (lambda: not offer.rate_plausible, Refusal.IMPLAUSIBLE_RATE),
            (lambda: offer.echo, Refusal.AGENT_ECHO),
            (lambda: level_dbfs(offer.speech) < settings.level_dbfs_min, Refusal.TOO_QUIET),
            (lambda: clipped_share(offer.speech) > settings.clipped_share_max, Refusal.CLIPPED),
            (lambda: snr_db(offer.audio) < settings.snr_db_min, Refusal.NOISY),
            (lambda: (offer.second_voice_s or 0.0) > settings.second_voice_s_max, Refusal.TWO_VOICES),
        )
        return next((refusal for failed, refusal in checks if failed()), None)

    def _collect(self, offer: Offer, known: KnownVoices) -> Refusal | None:
        if self._narrow is not None and self._narrow != offer.narrow:
            self._stretches, self._placed = [], []
        self._narrow = offer.narrow
        whole = self._embedding(offer.speech, offer.narrow)
        if whole is None:
            return Refusal.NOT_EMBEDDABLE
        if (refusal := self._is_known(whole, known)) is not None:
            return refusal
        windows = self._windows(offer)
        if not self._consistent(windows, offer.narrow):
            return Refusal.TWO_VOICES
        if self._placed and not self._fits_collected(whole):
            self._stretches, self._placed = [], []  # the newer voice may be the patient's: start again from it
            self._add(offer, windows)
            return Refusal.NOT_THE_SAME_VOICE
        self._agreement = self._agrees(whole)
        self._add(offer, windows)
        if self.seconds >= self._settings.seconds:
            self._stand()
        return None

    def _add(self, offer: Offer, windows: list[np.ndarray[tuple[int], np.dtype[np.float32]]]) -> None:
        self._stretches.append(offer.speech)
        self._placed.extend(windows)

    def _agrees(self, whole: Embedding) -> Score | None:
        if whole.seconds < AGREEMENT_SECONDS_MIN or self.seconds < 2 * AGREEMENT_SECONDS_MIN:
            return None
        kept = self._embedding(np.concatenate(self._stretches), whole.narrow)
        return None if kept is None else score(whole, kept, self._record)

    def _is_known(self, voice: Embedding, known: KnownVoices) -> Refusal | None:
        for voices, refusal in ((known.agent, Refusal.AGENT_ECHO), (known.others, Refusal.KNOWN_OTHER)):
            found = best_score(voice, voices, self._record)
            if found is not None and by_threshold(found, self._record).voice is Voice.PRIMARY:
                return refusal
        return None

    def _windows(self, offer: Offer) -> list[np.ndarray[tuple[int], np.dtype[np.float32]]]:
        size = int(WINDOW_S * MODEL_RATE_HZ)
        parts = [offer.speech[at : at + size] for at in range(0, len(offer.speech) - size + 1, size)]
        found = [self._embedder.embed(part) for part in parts or [offer.speech]]
        return [self._record.place(vector, offer.narrow) for vector in found if vector is not None]

    def _consistent(self, windows: list[np.ndarray[tuple[int], np.dtype[np.float32]]], narrow: bool) -> bool:
        if len(windows) < 2:
            return True
        table = np.stack(windows) @ np.stack(windows).T
        means = (table.sum(axis=1) - 1) / (len(windows) - 1)
        return bool(means.min() >= self._record.consistent_above(narrow, WINDOW_S))

    def _fits_collected(self, voice: Embedding) -> bool:
        centre = np.mean(self._placed, axis=0)
        centre = centre / max(float(np.linalg.norm(centre)), 1e-8)
        alike = cosine(self._record.place(voice.vector, voice.narrow), centre.astype(np.float32))
        band = self._record.pair(BandPair.NARROW if voice.narrow else BandPair.WIDE)
        return alike >= band.reject_below.at(min(voice.seconds, WINDOW_S))

    def _refresh(self, offer: Offer) -> Refusal | None:
        """Move the enrolment a little towards a turn that is surely its own voice."""
        voice = self._embedding(offer.speech, offer.narrow)
        same_band = [kept for kept in self._voice if kept.narrow == offer.narrow]
        if voice is None or not same_band or self._updates >= self._settings.updates_max:
            return Refusal.NOT_EMBEDDABLE if voice is None else Refusal.OTHER_CHANNEL
        found = best_score(voice, tuple(same_band), self._record)
        band = self._record.pair(BandPair.NARROW if offer.narrow else BandPair.WIDE)
        if found is None or found.seconds < band.min_seconds:
            return Refusal.TOO_SHORT
        if found.value <= band.accept_above.at(found.seconds) + self._settings.update_lead:
            return Refusal.NOT_THE_SAME_VOICE
        share = self._settings.update_weight
        mixed = (1 - share) * same_band[0].vector + share * voice.vector
        fresh = replace(same_band[0], vector=(mixed / np.linalg.norm(mixed)).astype(np.float32))
        self._voice = tuple(fresh if kept is same_band[0] else kept for kept in self._voice)
        self._updates += 1
        return None

    def _give_up_or_settle(self) -> None:
        if self.seconds >= self._settings.seconds_min:
            self._stand()
        if not self.stands:
            self._status = EnrolmentStatus.GIVEN_UP
            self._stretches, self._placed = [], []

    def _stand(self) -> None:
        voice = self._rough()
        if voice:
            self._voice = voice
            self._status = EnrolmentStatus.CONFIRMED if self._confirmed else EnrolmentStatus.PROVISIONAL
            self._stretches, self._placed = [], []

    def _rough(self) -> tuple[Embedding, ...]:
        """Embed what was collected, in its own band and, from wide speech, in the telephone band too."""
        if not self._stretches or self._narrow is None:
            return ()
        made = [self._embedding(speech := np.concatenate(self._stretches), self._narrow)]
        if not self._narrow:
            made.append(self._embedding(to_model_rate(over_telephone(speech), 8_000), True))
        return tuple(embedding for embedding in made if embedding is not None)

    def _embedding(self, speech: Samples, narrow: bool) -> Embedding | None:
        vector = self._embedder.embed(speech)
        return None if vector is None else Embedding(vector, self._embedder.name, len(speech) / MODEL_RATE_HZ, narrow)

    def _step(self, refusal: Refusal | None) -> EnrolmentStep:
        return EnrolmentStep(refusal is None, refusal, self._status, self.seconds)
