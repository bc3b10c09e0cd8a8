"""Learning the patient's voice from the call: what is taken, what is refused and why, and who it may turn out to be."""

from __future__ import annotations

import numpy as np
import pytest

from speaker_gate import CallGate
from speaker_gate.decision import KnownVoices
from speaker_gate.embedders import Embedding, Samples
from speaker_gate.enrolment import Enroller, EnrolmentSettings, EnrolmentStatus, EnrolmentStep, Offer, Refusal
from speaker_gate.errors import EmbedderMismatch
from speaker_gate.testing import FAKE_EMBEDDER, FakeEmbedder, FakeSegmenter, fake_ears, fake_record, quiet, say
from speaker_gate.voices import OTHERS_MAX, CallVoices

pytestmark = pytest.mark.unit

NOBODY = KnownVoices()


def enroller(**settings: float) -> Enroller:
    return Enroller(FakeEmbedder(), fake_record(), EnrolmentSettings.model_validate(settings))


def offer(speech: Samples, **other: object) -> Offer:
    return Offer(**({"speech": speech, "audio": speech, "narrow": False} | other))


def voice_of(name: str) -> Embedding:
    vector = FakeEmbedder().embed(say(name, 4.0))
    assert vector is not None
    return Embedding(vector, FAKE_EMBEDDER, 4.0, False)


def test_five_seconds_over_two_turns_make_an_enrolment_in_both_bands() -> None:
    """Passively, from wide-band speech, the voice stands in its own band and in the telephone band."""
    learning = enroller()

    first = learning.offer(offer(say("patient", 3.0)), NOBODY)
    second = learning.offer(offer(say("patient", 2.5)), NOBODY)

    assert EnrolmentStep(True, None, EnrolmentStatus.COLLECTING, 3.0) == first
    assert EnrolmentStatus.PROVISIONAL is second.status
    assert [False, True] == [voice.narrow for voice in learning.voice]
    assert learning.stands


def test_telephone_speech_enrols_the_telephone_band_only() -> None:
    """What a telephone line took cannot be put back."""
    learning = enroller()

    learning.offer(offer(say("patient", 5.5), narrow=True), NOBODY)

    assert [True] == [voice.narrow for voice in learning.voice]


@pytest.mark.parametrize(
    ("made", "refusal"),
    [
        (offer(say("patient", 0.5)), Refusal.TOO_SHORT),
        (offer(say("patient", 2.0), rate_plausible=False), Refusal.IMPLAUSIBLE_RATE),
        (offer(say("patient", 2.0), echo=True), Refusal.AGENT_ECHO),
        (offer(say("patient", 2.0, -60.0)), Refusal.TOO_QUIET),
        (offer(np.clip(50 * say("patient", 2.0), -1, 1)), Refusal.CLIPPED),
        (
            offer(say("patient", 2.0), audio=np.full(32_000, 0.1, np.float32) * np.sign(np.sin(np.arange(32_000)))),
            Refusal.NOISY,
        ),
        (offer(say("patient", 2.0), second_voice_s=0.5), Refusal.TWO_VOICES),
        (offer(np.concatenate([say("patient", 2.0), say("daughter", 2.0)])), Refusal.TWO_VOICES),
    ],
)
def test_a_stretch_that_does_not_fit_is_refused_with_its_reason_and_nothing_is_kept(
    made: Offer, refusal: Refusal
) -> None:
    """Each quality gate has a reason of its own and leaves the enrolment as it was."""
    learning = enroller()

    step = learning.offer(made, NOBODY)

    assert (False, refusal, EnrolmentStatus.COLLECTING, 0.0) == (step.taken, step.refusal, step.status, step.seconds)


@pytest.mark.parametrize(
    ("known", "voice", "refusal"),
    [
        (KnownVoices(agent=(voice_of("agent"),)), "agent", Refusal.AGENT_ECHO),
        (KnownVoices(others=(voice_of("daughter"),)), "daughter", Refusal.KNOWN_OTHER),
    ],
)
def test_voices_already_known_are_never_enrolled(known: KnownVoices, voice: str, refusal: Refusal) -> None:
    """Neither the agent's echo nor somebody already heard becomes the patient."""
    assert refusal is enroller().offer(offer(say(voice, 3.0)), known).refusal


def test_another_voice_while_collecting_starts_the_collection_again() -> None:
    """Husband then patient: the mean is never of two people, and the newer voice is what is collected."""
    learning = enroller()
    learning.offer(offer(say("stranger", 3.0)), NOBODY)

    step = learning.offer(offer(say("patient", 3.0)), NOBODY)
    learning.offer(offer(say("patient", 3.0)), NOBODY)

    assert Refusal.NOT_THE_SAME_VOICE is step.refusal
    assert learning.stands
    assert float(learning.voice[0].vector @ voice_of("patient").vector) > 0.99


def test_after_eight_refusals_the_enrolment_is_given_up_and_the_gate_stays_open() -> None:
    """The number of tries is bounded; short stretches do not count as tries."""
    learning = enroller()
    for _ in range(20):
        learning.offer(offer(say("patient", 0.3)), NOBODY)
    before = learning.status
    for _ in range(8):
        step = learning.offer(offer(say("patient", 2.0), second_voice_s=1.0), NOBODY)

    assert EnrolmentStatus.COLLECTING is before
    assert EnrolmentStatus.GIVEN_UP is step.status
    assert Refusal.DECLINED is learning.offer(offer(say("patient", 3.0)), NOBODY).refusal
    assert not learning.stands


def test_a_caller_of_few_words_can_be_settled_with_three_seconds() -> None:
    """Three seconds are enough when the flow wants a decision now; two are not."""
    short, enough = enroller(), enroller()
    short.offer(offer(say("patient", 2.0)), NOBODY)
    enough.offer(offer(say("patient", 3.2)), NOBODY)

    assert not short.settle().taken
    assert enough.settle().taken
    assert EnrolmentStatus.PROVISIONAL is enough.status


def test_only_the_flow_confirms_who_is_enrolled() -> None:
    """A provisional voice is the patient's once the flow has checked; without a voice nothing is confirmed."""
    empty, learning = enroller(), enroller()
    learning.offer(offer(say("patient", 5.5)), NOBODY)

    empty.confirm()
    learning.confirm()

    assert EnrolmentStatus.COLLECTING is empty.status
    assert EnrolmentStatus.CONFIRMED is learning.status


def test_when_somebody_else_had_answered_their_voice_becomes_a_known_other() -> None:
    """On "I'll get her", what was enrolled is not the patient, and is recognised afterwards."""
    learning = enroller()
    voices = CallVoices(FakeEmbedder(), fake_record(), learning)
    learning.offer(offer(say("stranger", 5.5)), NOBODY)

    voices.somebody_else_answered()

    assert EnrolmentStatus.COLLECTING is learning.status
    assert not learning.stands
    assert Refusal.KNOWN_OTHER is learning.offer(offer(say("stranger", 3.0)), voices.known).refusal
    assert learning.offer(offer(say("patient", 3.0)), voices.known).taken


def test_declining_forgets_everything_and_never_embeds_again() -> None:
    """A person who declines has no voice print, before or after."""
    embedder = FakeEmbedder()
    learning = Enroller(embedder, fake_record(), declined=True)

    step = learning.offer(offer(say("patient", 5.5)), NOBODY)

    assert (Refusal.DECLINED, EnrolmentStatus.DECLINED, 0) == (step.refusal, step.status, embedder.calls)
    later = enroller()
    later.offer(offer(say("patient", 5.5)), NOBODY)
    later.decline()
    assert (EnrolmentStatus.DECLINED, ()) == (later.status, later.voice)
    assert Refusal.DECLINED is later.enrol_reference(say("patient", 5.0), False, False).refusal


def test_the_enrolment_is_refreshed_only_by_speech_that_is_surely_its_own() -> None:
    """Above accept plus a lead it moves a little; between the thresholds, or below, it does not move at all."""
    learning = enroller(updates_max=1)
    learning.offer(offer(say("patient", 5.5)), NOBODY)
    before = learning.voice[0].vector.copy()

    undecided = learning.offer(offer(say("patient", 2.0) + 0.9 * say("daughter", 2.0)), NOBODY)
    other = learning.offer(offer(say("daughter", 2.0)), NOBODY)
    assert np.array_equal(before, learning.voice[0].vector)
    own = learning.offer(offer(say("patient", 2.0) + 0.2 * say("daughter", 2.0)), NOBODY)
    past_the_bound = learning.offer(offer(say("patient", 2.0)), NOBODY)

    assert (False, False, True, False) == (undecided.taken, other.taken, own.taken, past_the_bound.taken)
    assert 0.9 < float(before @ learning.voice[0].vector) < 0.9999


def test_a_wide_reference_is_brought_to_the_telephone_and_a_telephone_one_cannot_be_brought_back() -> None:
    """The channel of a reference recording is checked against the call's."""
    wide_for_phone, phone_for_wide, short = enroller(), enroller(), enroller()

    assert wide_for_phone.enrol_reference(say("patient", 5.0), narrow=False, call_narrow=True).taken
    assert True in [voice.narrow for voice in wide_for_phone.voice]
    assert Refusal.OTHER_CHANNEL is phone_for_wide.enrol_reference(say("patient", 5.0), True, False).refusal
    assert Refusal.TOO_SHORT is short.enrol_reference(say("patient", 1.0), False, False).refusal
    assert Refusal.NOT_EMBEDDABLE is enroller().enrol_reference(quiet(5.0), False, False).refusal


def test_a_stored_voice_is_provisional_until_confirmed_and_must_fit_the_embedder() -> None:
    """A restored voice starts like one from the call; one of another model is refused."""
    learning = enroller()

    learning.restore((voice_of("patient"),))

    assert EnrolmentStatus.PROVISIONAL is learning.status
    with pytest.raises(EmbedderMismatch):
        learning.restore((Embedding(np.ones(6, np.float32), "another", 4.0, False),))


def test_the_call_learns_the_agents_voice_in_both_bands_from_enough_of_it() -> None:
    """The agent may come back over a telephone line or over a microphone."""
    voices = CallVoices(FakeEmbedder(), fake_record(), enroller())

    assert not voices.learn_agent(say("agent", 1.0))
    assert voices.learn_agent(say("agent", 8.0))
    assert [False, True] == [voice.narrow for voice in voices.known.agent]


def test_other_voices_of_a_call_are_few_and_each_is_known_once() -> None:
    """A voice heard again replaces its shorter self; a fifth person pushes out the first; short speech is not kept."""
    voices = CallVoices(FakeEmbedder(), fake_record(), enroller())
    voices.learn_other(None)
    voices.learn_other(Embedding(voice_of("patient").vector, FAKE_EMBEDDER, 1.0, False))
    for name in ("daughter", "daughter", "television", "agent", "stranger", "sister"):
        voices.learn_other(voice_of(name))

    assert OTHERS_MAX == len(voices.known.others)
    voices.allow_latest_other()
    assert voices.known.others[-1:] == voices.known.allowed
    voices.allow_nobody()
    assert () == voices.known.allowed
    voices.forget()
    assert ((), (), (), ()) == (voices.known.primary, voices.known.agent, voices.known.others, voices.known.allowed)


def test_a_recording_from_elsewhere_enrols_after_a_channel_check() -> None:
    """A wide recording serves a telephone call; a telephone recording for a wide call is refused with its reason."""
    for_telephone, for_wide = CallGate(fake_ears()), CallGate(fake_ears())

    taken = for_telephone.enrol_reference(say("patient", 5.0), 16_000, call_rate_hz=8_000)
    refused = for_wide.enrol_reference(say("patient", 5.0), 8_000, call_rate_hz=16_000)

    assert (None, True) == (taken.refusal, for_telephone.voices.enroller.stands)
    assert ("other_channel", False) == (str(refused.refusal), for_wide.voices.enroller.stands)


def test_a_recording_is_not_enrolled_against_the_callers_word() -> None:
    """Without consent no recording makes a voice print either."""
    gate = CallGate(fake_ears(), consent=lambda call_id: None)

    step = gate.enrol_reference(say("patient", 5.0), 16_000, call_rate_hz=16_000)

    assert not gate.voices.enroller.stands
    assert step.refusal is not None


def two_people() -> Samples:
    return np.concatenate([say("patient", 4.0), say("daughter", 4.0)])


@pytest.mark.parametrize(
    "recording",
    [two_people(), np.concatenate([say(name, 1.0) for name in ("patient", "daughter") * 4])],
    ids=["one after the other", "in turns"],
)
def test_a_recording_of_two_people_is_refused_with_its_reason(recording: Samples) -> None:
    """Whose voice would it be? Refused by itself, without a segmenter; the gate stays open."""
    gate = CallGate(fake_ears())

    step = gate.enrol_reference(recording, 16_000, call_rate_hz=8_000)

    assert (Refusal.TWO_VOICES, False) == (step.refusal, gate.voices.enroller.stands)


def test_a_recording_in_which_somebody_else_talks_underneath_is_refused_by_the_segmenter() -> None:
    """The loud voice hides the soft one from the embedding, not from segmentation."""
    together = say("patient", 6.0) + 0.5 * say("daughter", 6.0)

    alone = CallGate(fake_ears(segmenter=FakeSegmenter())).enrol_reference(
        say("patient", 6.0), 16_000, call_rate_hz=8_000
    )
    both = CallGate(fake_ears(segmenter=FakeSegmenter())).enrol_reference(together, 16_000, call_rate_hz=8_000)

    assert (None, Refusal.TWO_VOICES) == (alone.refusal, both.refusal)


def test_a_patient_confirmed_before_enough_was_heard_is_confirmed_when_the_voice_stands() -> None:
    """A bare "that is me" is too short to enrol on; a reset takes the word back, for it was about another person."""
    learning, replaced = enroller(), enroller()
    for one in (learning, replaced):
        one.offer(offer(say("patient", 2.0)), NOBODY)
        one.confirm()
    replaced.reset()

    kept = learning.offer(offer(say("patient", 4.0)), NOBODY)
    fresh = replaced.offer(offer(say("daughter", 6.0)), NOBODY)

    assert (EnrolmentStatus.CONFIRMED, EnrolmentStatus.PROVISIONAL) == (kept.status, fresh.status)
