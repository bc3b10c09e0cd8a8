"""From scores to voices: thresholds, lengths, bands, the agent's voice, other known voices, and bad numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speaker_gate.calibration import BandPair, pair_of
from speaker_gate.decision import KnownVoices, after_change, by_threshold, decide, in_one_breath
from speaker_gate.embedders import Embedding, Samples
from speaker_gate.errors import EmbedderMismatch
from speaker_gate.facts import Voice, VoiceDecision, Why
from speaker_gate.scoring import Score, same_voice_log_odds, score
from speaker_gate.testing import FAKE_EMBEDDER, FakeEmbedder, fake_record, say

pytestmark = pytest.mark.unit

RECORD = fake_record()


def heard(samples: Samples, narrow: bool = False) -> Embedding:
    vector = FakeEmbedder().embed(samples)
    assert vector is not None
    return Embedding(vector, FAKE_EMBEDDER, len(samples) / 16_000, narrow)


def known(**voices: str) -> KnownVoices:
    return KnownVoices(**{role: (heard(say(name, 4.0)),) for role, name in voices.items()})


@pytest.mark.parametrize(
    ("value", "seconds", "voice", "why"),
    [
        (0.71, 2.0, Voice.PRIMARY, Why.ABOVE_ACCEPT),
        (0.70, 2.0, Voice.UNSURE, Why.BETWEEN_THRESHOLDS),
        (0.40, 2.0, Voice.UNSURE, Why.BETWEEN_THRESHOLDS),
        (0.39, 2.0, Voice.THIRD_PARTY, Why.BELOW_REJECT),
        (0.95, 0.99, Voice.UNSURE, Why.TOO_SHORT),
        (0.10, 0.99, Voice.UNSURE, Why.TOO_SHORT),
        (0.95, 1.00, Voice.PRIMARY, Why.ABOVE_ACCEPT),
        (float("nan"), 2.0, Voice.UNSURE, Why.NOT_EMBEDDABLE),
    ],
)
def test_a_score_and_a_length_give_one_voice(value: float, seconds: float, voice: Voice, why: Why) -> None:
    """Reject below 0.4, accept above 0.7, nothing under a second, nothing on a bad number."""
    decision = by_threshold(Score(value, BandPair.WIDE, seconds), RECORD)

    assert (voice, why) == (decision.voice, decision.why)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(-1.0, 1.0), min_size=2, max_size=8))
def test_a_higher_score_never_moves_away_from_the_patient(values: list[float]) -> None:
    """The decision is monotone in the score: third party, then unsure, then primary."""
    order = [Voice.THIRD_PARTY, Voice.UNSURE, Voice.PRIMARY]

    ranks = [order.index(by_threshold(Score(v, BandPair.NARROW, 2.0), RECORD).voice) for v in sorted(values)]

    assert sorted(ranks) == ranks


def test_the_patient_is_told_from_the_television() -> None:
    """The same enrolment accepts one voice and rejects the other."""
    voices = known(primary="patient")

    assert Voice.PRIMARY is decide(heard(say("patient", 2.0)), voices, RECORD, seconds=2.0).voice
    assert Voice.THIRD_PARTY is decide(heard(say("television", 2.0)), voices, RECORD, seconds=2.0).voice


def test_without_enrolment_or_vector_the_answer_is_unsure() -> None:
    """No voice to compare with, or no vector, is never a coin toss."""
    assert Why.NO_ENROLMENT is decide(heard(say("patient", 2.0)), KnownVoices(), RECORD, seconds=2.0).why
    assert Why.NOT_EMBEDDABLE is decide(None, known(primary="patient"), RECORD, seconds=2.0).why


def test_the_agents_own_voice_is_its_echo_with_or_without_an_enrolment() -> None:
    """The agent's voice print makes it a known non-patient."""
    for voices in (known(agent="agent"), known(agent="agent", primary="patient")):
        decision = decide(heard(say("agent", 2.0)), voices, RECORD, seconds=2.0)
        assert (Voice.AGENT_ECHO, Why.AGENT_VOICE) == (decision.voice, decision.why)

    assert (
        Voice.PRIMARY
        is decide(heard(say("patient", 2.0)), known(agent="agent", primary="patient"), RECORD, seconds=2.0).voice
    )


def test_an_undecided_voice_known_as_somebody_elses_is_theirs() -> None:
    """A mixture that leans to the daughter is the daughter once she was heard, and unsure before."""
    mixture = heard(0.55 * say("patient", 2.0) + say("daughter", 2.0))

    before = decide(mixture, known(primary="patient"), RECORD, seconds=2.0)
    after = decide(mixture, known(primary="patient", others="daughter"), RECORD, seconds=2.0)

    assert Voice.UNSURE is before.voice
    assert (Voice.THIRD_PARTY, Why.KNOWN_OTHER) == (after.voice, after.why)


def test_a_carer_allowed_to_speak_is_named_as_such() -> None:
    """The voice the patient handed the call to is a third party with a ground of its own."""
    decision = decide(heard(say("daughter", 2.0)), known(primary="patient", allowed="daughter"), RECORD, seconds=2.0)

    assert (Voice.THIRD_PARTY, Why.ALLOWED_SPEAKER) == (decision.voice, decision.why)


@pytest.mark.parametrize(
    ("enrolled", "speech", "pair"),
    [
        (False, False, BandPair.WIDE),
        (True, True, BandPair.NARROW),
        (False, True, BandPair.CROSS),
        (True, False, BandPair.CROSS),
    ],
)
def test_the_band_pair_follows_both_sides(enrolled: bool, speech: bool, pair: BandPair) -> None:
    """Mixed bands have thresholds of their own."""
    assert pair is pair_of(enrolled, speech)


def test_the_enrolment_of_the_same_band_is_preferred() -> None:
    """With enrolments in both bands, telephone speech is compared with the telephone one."""
    voices = KnownVoices(primary=(heard(say("daughter", 4.0), False), heard(say("patient", 4.0), True)))

    assert Voice.PRIMARY is decide(heard(say("patient", 2.0), True), voices, RECORD, seconds=2.0).voice
    assert Voice.PRIMARY is decide(heard(say("daughter", 2.0), False), voices, RECORD, seconds=2.0).voice


def test_vectors_of_another_embedder_are_never_compared() -> None:
    """A stored voice of another model is the caller's fault, not a low score."""
    foreign = Embedding(np.ones(6, np.float32), "another", 2.0, False)

    with pytest.raises(EmbedderMismatch):
        score(heard(say("patient", 2.0)), foreign, RECORD)
    with pytest.raises(EmbedderMismatch):
        RECORD.place(np.ones(5, np.float32), narrow=False)


def test_short_stretches_of_one_voice_may_score_low_and_still_be_one_voice() -> None:
    """The log-odds know how alike two stretches of one voice are at their lengths."""
    band = RECORD.change(False).model_copy(
        update={
            "reliability": RECORD.change(False).reliability.model_copy(
                update={"seconds": (0.5, 4.0), "values": (0.5, 0.9)}
            )
        }
    )

    short, long = same_voice_log_odds(0.3, 0.5, 0.5, band), same_voice_log_odds(0.3, 4.0, 4.0, band)

    assert short > 0 > long
    assert same_voice_log_odds(1.0, 4.0, 4.0, band) >= same_voice_log_odds(0.8, 4.0, 4.0, band) - 1e-9


PATIENT = VoiceDecision(Voice.PRIMARY, Why.ABOVE_ACCEPT, 0.9, 2.0)
FIRST = VoiceDecision(Voice.PRIMARY, Why.FIRST_VOICE, None, 2.0)
OTHER = VoiceDecision(Voice.THIRD_PARTY, Why.BELOW_REJECT, 0.1, 2.0)
SHORT = VoiceDecision(Voice.UNSURE, Why.TOO_SHORT, 0.2, 0.8)
SURE = VoiceDecision(Voice.PRIMARY, Why.ABOVE_ACCEPT, 0.9, 1.5)


@pytest.mark.parametrize(
    ("earlier", "later", "unenrolled", "voice", "why"),
    [
        (PATIENT, SHORT, False, Voice.THIRD_PARTY, Why.CHANGED_FROM_PRIMARY),
        (OTHER, SHORT, False, Voice.UNSURE, Why.TOO_SHORT),
        (PATIENT, SURE, False, Voice.PRIMARY, Why.ABOVE_ACCEPT),
        (FIRST, SHORT, True, Voice.THIRD_PARTY, Why.CHANGED_FROM_FIRST_VOICE),
        (SHORT, SHORT, True, Voice.UNSURE, Why.TOO_SHORT),
    ],
)
def test_a_declared_change_speaks_for_a_short_later_stretch(
    earlier: VoiceDecision, later: VoiceDecision, unenrolled: bool, voice: Voice, why: Why
) -> None:
    """After the patient, a change means somebody else; after somebody else it says nothing; a decision stands."""
    made = after_change(earlier, later, first_voice_is_primary=True, unenrolled=unenrolled)

    assert (voice, why) == (made.voice, made.why)


def embedded(sound: Samples, seconds: float = 2.0) -> Embedding:
    vector = FakeEmbedder().embed(sound)
    assert vector is not None
    return Embedding(vector, FAKE_EMBEDDER, seconds, False)


@pytest.mark.parametrize(
    ("sound", "seconds", "voice", "why"),
    [
        (say("daughter", 2.0), 0.7, Voice.THIRD_PARTY, Why.SAME_BREATH),
        (say("patient", 2.0) + 0.9 * say("daughter", 2.0), 0.7, Voice.PRIMARY, Why.ABOVE_ACCEPT),
        (say("patient", 2.0), 0.7, Voice.PRIMARY, Why.ABOVE_ACCEPT),
        (say("daughter", 2.0), 0.4, Voice.PRIMARY, Why.ABOVE_ACCEPT),
    ],
    ids=["the other goes on", "a mixture keeps what it was", "the patient takes over", "too short to say"],
)
def test_after_a_breath_only_a_plainly_closer_other_voice_takes_the_words(
    sound: Samples, seconds: float, voice: Voice, why: Why
) -> None:
    """The patient's few words after somebody else's sentence stay the patient's."""
    known = KnownVoices(primary=(embedded(say("patient", 5.0)),))
    taken = VoiceDecision(Voice.PRIMARY, Why.ABOVE_ACCEPT, 0.8, seconds)

    decision = in_one_breath(taken, embedded(sound, seconds), embedded(say("daughter", 2.0)), known, fake_record())

    assert (voice, why) == (decision.voice, decision.why)
