"""The voices one call knows: the patient's, the agent's, other people's. In memory, gone at hang-up.

Owns the bounds. Other people have consented to nothing: their voices are never stored, only compared with inside the
call they were heard in.
"""

from __future__ import annotations

from speaker_gate.audio import over_telephone, speech_of, to_model_rate
from speaker_gate.calibration import CalibrationRecord
from speaker_gate.decision import KnownVoices, best_score, by_threshold
from speaker_gate.embedders import MODEL_RATE_HZ, Embedder, Embedding, Samples
from speaker_gate.enrolment import Enroller
from speaker_gate.facts import Voice

OTHERS_MAX = 4
"""Other people followed in one call; the one heard longest ago goes first."""

OTHER_SECONDS_MIN = 1.5
"""Speech of another person before their voice is worth knowing."""

AGENT_SECONDS = 6.0
"""Speech of the agent that its own voice print is made from."""


class CallVoices:
    """Everything one call knows about voices.

    Args:
        embedder: Shared embedder.
        record: Its calibration.
        enroller: The patient's enrolment.
    """

    def __init__(self, embedder: Embedder, record: CalibrationRecord, enroller: Enroller) -> None:
        self._embedder = embedder
        self._record = record
        self.enroller = enroller
        self._agent: tuple[Embedding, ...] = ()
        self._others: list[Embedding] = []
        self._allowed: list[Embedding] = []

    @property
    def known(self) -> KnownVoices:
        """The voices as they are now."""
        return KnownVoices(self.enroller.voice, self._agent, tuple(self._others), tuple(self._allowed))

    @property
    def knows_agent(self) -> bool:
        """True once the agent's own voice is known."""
        return bool(self._agent)

    def learn_agent(self, played: Samples) -> bool:
        """Learn the agent's voice from its own sound (float32, 16 kHz), in both bands, for it may come back in either.

        Returns:
            True once there was enough speech.
        """
        speech = speech_of(played).samples[: int(AGENT_SECONDS * MODEL_RATE_HZ)]
        if len(speech) < AGENT_SECONDS / 2 * MODEL_RATE_HZ:
            return False
        made: list[Embedding] = []
        for narrow, samples in ((False, speech), (True, to_model_rate(over_telephone(speech), 8_000))):
            vector = self._embedder.embed(samples)
            if vector is not None:
                made.append(Embedding(vector, self._embedder.name, len(samples) / MODEL_RATE_HZ, narrow))
        self._agent = tuple(made)
        return bool(made)

    def learn_other(self, voice: Embedding | None) -> None:
        """Remember somebody else's voice for this call; a voice already known is replaced if this is longer."""
        if voice is None or voice.seconds < OTHER_SECONDS_MIN:
            return
        for index, kept in enumerate(self._others):
            found = best_score(voice, (kept,), self._record)
            if found is not None and by_threshold(found, self._record).voice is Voice.PRIMARY:
                longer = voice if voice.seconds > kept.seconds else kept
                del self._others[index]
                self._others.append(longer)
                return
        self._others.append(voice)
        del self._others[:-OTHERS_MAX]

    def allow_latest_other(self) -> None:
        """Let the other person heard last speak for the patient (the patient said so); nobody, if nobody was heard."""
        self._allowed = self._others[-1:]

    def allow_nobody(self) -> None:
        """Take that back."""
        self._allowed = []

    def somebody_else_answered(self) -> None:
        """What was enrolled is not the patient: it becomes another known voice, and enrolment starts again."""
        for voice in self.enroller.reset():
            self.learn_other(voice)

    def forget(self) -> None:
        """Drop every voice, at hang-up or when consent is withdrawn."""
        self.enroller.decline()
        self._agent, self._others, self._allowed = (), [], []
