"""A change of voice inside one turn: found where it is, not found where there is none, followed as the turn grows."""

from __future__ import annotations

import numpy as np
import pytest

from speaker_gate.change import CLOSE_LOOKS_MAX, ChangeSearch, Enrolled
from speaker_gate.decision import KnownVoices
from speaker_gate.embedders import Embedding, Samples
from speaker_gate.facts import TurnVerdict, Voice, Why
from speaker_gate.testing import FAKE_EMBEDDER, FakeEmbedder, FakeSegmenter, fake_ears, fake_record, quiet, say
from speaker_gate.turn import STRETCHES_MAX, TurnTracker

pytestmark = pytest.mark.unit


class Parts:
    """Placed vectors of parts of one sound, counted."""

    def __init__(self, sound: Samples) -> None:
        self.sound, self.embedder = sound, FakeEmbedder()

    def __call__(self, start_s: float, end_s: float) -> np.ndarray | None:
        vector = self.embedder.embed(self.sound[int(start_s * 16_000) : int(end_s * 16_000)])
        return None if vector is None else fake_record().place(vector, narrow=False)


def patient() -> KnownVoices:
    vector = FakeEmbedder().embed(say("patient", 5.0))
    assert vector is not None
    return KnownVoices(primary=(Embedding(vector, FAKE_EMBEDDER, 5.0, False),))


def follow(tracker: TurnTracker, known: KnownVoices, *parts: Samples) -> TurnVerdict:
    for part in parts:
        for at in range(0, len(part), 4_000):
            tracker.hear(part[at : at + 4_000])
            tracker.update(known)
    return tracker.update(known, final=True)


def test_a_change_is_found_within_a_quarter_second() -> None:
    """Two seconds of one voice and two of another split where they meet."""
    sound = np.concatenate([say("patient", 2.0), say("daughter", 2.0)])
    search = ChangeSearch(fake_record().change(False), Parts(sound))

    split = search.best(0.0, 4.0)

    assert split is not None
    assert abs(split.at_s - 2.0) <= 0.25
    assert search.declares(split, enrolled=False)


@pytest.mark.parametrize("voice", ["patient", "daughter"])
def test_one_voice_all_through_is_not_a_change_with_or_without_enrolment(voice: str) -> None:
    """The twin: whoever speaks, alone, does not change; not even somebody who is not the patient."""
    parts = Parts(say(voice, 4.0))
    search = ChangeSearch(fake_record().change(False), parts)
    enrolled = Enrolled(fake_record().place(FakeEmbedder().embed(say("patient", 5.0)), narrow=False), 5.0)

    for voice_known in (None, enrolled):
        split = search.best(0.0, 4.0, voice_known)
        assert split is None or not search.declares(split, enrolled=voice_known is not None)


@pytest.mark.parametrize("order", [("patient", "daughter"), ("daughter", "patient")])
def test_an_enrolment_helps_in_both_directions(order: tuple[str, str]) -> None:
    """From the patient to somebody else and back, evidence grows with an enrolment."""
    parts = Parts(np.concatenate([say(order[0], 2.0), say(order[1], 2.0)]))
    search = ChangeSearch(fake_record().change(False), parts)
    enrolled = Enrolled(fake_record().place(FakeEmbedder().embed(say("patient", 5.0)), narrow=False), 5.0)

    without, with_it = search.best(0.0, 4.0), search.best(0.0, 4.0, enrolled)

    assert without is not None
    assert with_it is not None
    assert with_it.evidence > without.evidence


def test_a_stretch_too_short_to_split_is_left_alone() -> None:
    """Under a second and a half there is no place for two sides."""
    search = ChangeSearch(fake_record().change(False), Parts(say("patient", 1.4)))

    assert search.best(0.0, 1.4) is None


def test_a_search_costs_a_bounded_number_of_vectors_and_a_growing_turn_only_what_is_new() -> None:
    """One vector a half second for the windows, one at each end, two a close look; windows are never made twice."""
    parts = Parts(np.concatenate([say("patient", 4.0), say("daughter", 4.0)]))
    search = ChangeSearch(fake_record().change(False), parts)

    search.best(0.0, 8.0)
    first = parts.embedder.calls
    search.best(0.0, 8.0)

    assert first <= 15 + 2 + 2 * CLOSE_LOOKS_MAX
    assert parts.embedder.calls - first <= 2 + 2 * CLOSE_LOOKS_MAX


def test_words_after_the_change_belong_to_the_other_voice() -> None:
    """A turn of patient then daughter ends as two stretches with the time between them."""
    verdict = follow(TurnTracker(fake_ears(), narrow=False), patient(), say("patient", 2.5), say("daughter", 2.0))

    assert [Voice.PRIMARY, Voice.THIRD_PARTY] == [stretch.decision.voice for stretch in verdict.stretches]
    assert abs(verdict.change_times_s[0] - 2.5) <= 0.25
    assert Voice.PRIMARY is verdict.at(1.0).decision.voice
    assert Voice.THIRD_PARTY is verdict.at(3.5).decision.voice
    assert Voice.THIRD_PARTY is verdict.at(99.0).decision.voice


def test_a_third_voice_in_between_is_followed_there_and_back() -> None:
    """Patient, somebody, patient: three stretches."""
    verdict = follow(
        TurnTracker(fake_ears(), narrow=False),
        patient(),
        say("patient", 2.0),
        say("daughter", 2.0),
        say("patient", 2.0),
    )

    assert [Voice.PRIMARY, Voice.THIRD_PARTY, Voice.PRIMARY] == [s.decision.voice for s in verdict.stretches]


def test_a_short_interjection_after_the_patient_is_somebody_elses() -> None:
    """Under a second is too short to decide on in other places; after a declared change it is not the patient's."""
    verdict = follow(TurnTracker(fake_ears(), narrow=False), patient(), say("patient", 2.5), say("daughter", 0.8))

    assert verdict.changed
    assert Voice.THIRD_PARTY is verdict.voice


def test_without_enrolment_the_first_voice_may_count_as_the_patients() -> None:
    """Asked to, a gate that knows nobody takes the first voice for the patient and the second for another."""
    parts = (say("patient", 2.5), say("daughter", 2.0))

    assumed = follow(TurnTracker(fake_ears(), narrow=False, first_voice_is_primary=True), KnownVoices(), *parts)
    open_gate = follow(TurnTracker(fake_ears(), narrow=False), KnownVoices(), *parts)

    assert [Why.FIRST_VOICE, Why.CHANGED_FROM_FIRST_VOICE] == [s.decision.why for s in assumed.stretches]
    assert [Voice.UNSURE, Voice.UNSURE] == [s.decision.voice for s in open_gate.stretches]


def test_one_short_window_alone_does_not_declare_somebody_else() -> None:
    """At 1.0 s a rejection waits for a second look; a second later it stands."""
    tracker = TurnTracker(fake_ears(), narrow=False)
    tracker.hear(say("television", 1.1))

    first = tracker.update(patient())
    tracker.hear(say("television", 1.0))
    second = tracker.update(patient())

    assert (Voice.UNSURE, Why.ONE_WINDOW_ONLY) == (first.decision.voice, first.decision.why)
    assert Voice.THIRD_PARTY is second.decision.voice


def test_a_second_voice_by_the_segmenter_makes_one_window_enough() -> None:
    """One window plus a second voice heard by the segmenter is two witnesses."""
    mixture = np.concatenate([say("patient", 0.4), say("television", 1.0)])
    alone, helped = (TurnTracker(fake_ears(segmenter=segmenter), narrow=False) for segmenter in (None, FakeSegmenter()))
    for tracker in (alone, helped):
        tracker.hear(mixture)
    daughter = KnownVoices(
        primary=tuple(Embedding(FakeEmbedder().embed(say("daughter", 4.0)), FAKE_EMBEDDER, 4.0, False) for _ in "1")
    )

    assert Why.ONE_WINDOW_ONLY is alone.update(daughter).decision.why
    assert Voice.THIRD_PARTY is helped.update(daughter).decision.voice


def test_a_decision_that_turns_inside_one_turn_is_counted_as_a_flip() -> None:
    """Speech first taken for the patient's that turns out otherwise says so."""
    tracker = TurnTracker(fake_ears(), narrow=False)
    known = patient()
    blend = say("patient", 1.2)
    tracker.hear(blend)
    first = tracker.update(known)
    tracker.hear(0.9 * say("patient", 3.0) + 1.6 * say("stranger", 3.0))
    last = tracker.update(known, final=True)

    assert Voice.PRIMARY is first.voice
    assert last.changed or last.flips >= 1


@pytest.mark.parametrize("sound", [quiet(0.0), quiet(0.4), say("patient", 0.15), np.full(8_000, np.nan, np.float32)])
def test_nothing_silence_a_blip_and_nan_are_unsure_and_raise_nothing(sound: Samples) -> None:
    """Too little speech for a voice print is unsure, final or not."""
    tracker = TurnTracker(fake_ears(), narrow=False)
    tracker.hear(sound)

    assert Voice.UNSURE is tracker.update(patient()).voice
    assert Voice.UNSURE is tracker.update(patient(), final=True).voice


def test_the_voices_followed_in_one_turn_are_bounded() -> None:
    """A turn that changes hands all the time ends with at most six stretches."""
    voices = ["patient", "daughter"] * 6

    verdict = follow(TurnTracker(fake_ears(), narrow=False), patient(), *(say(voice, 2.0) for voice in voices))

    assert 2 <= len(verdict.stretches) <= STRETCHES_MAX


def test_telephone_sound_at_a_wide_rate_is_judged_by_the_telephone_thresholds() -> None:
    """Before anything is embedded the band may still be settled; afterwards it stays."""
    tracker = TurnTracker(fake_ears(), narrow=False)
    tracker.hear(say("patient", 1.5))

    tracker.settle_band(lambda sound: True)
    tracker.update(patient(), final=True)

    assert tracker.narrow


def test_a_faint_likeness_on_one_short_window_is_not_yet_the_patient() -> None:
    """Over the threshold, but less like the patient than the patient usually is: a second look decides, or the end."""
    mixed = say("patient", 2.0) + 0.9 * say("daughter", 2.0)
    tracker = TurnTracker(fake_ears(), narrow=False)

    tracker.hear(mixed[:20_000])
    first = tracker.update(patient())
    tracker.hear(mixed[20_000:])
    second = tracker.update(patient())

    assert (Voice.UNSURE, Why.ONE_WINDOW_ONLY) == (first.voice, first.decision.why)
    assert Voice.PRIMARY is second.voice


def test_a_short_turn_with_a_faint_likeness_is_the_patients_at_its_end() -> None:
    """Nothing more is to come: the threshold decides, so that a short answer is not doubted."""
    mixed = say("patient", 1.25) + 0.9 * say("daughter", 1.25)
    tracker = TurnTracker(fake_ears(), narrow=False)

    tracker.hear(mixed)

    assert Voice.PRIMARY is tracker.update(patient(), final=True).voice
