"""Short and unsure replies, recogniser labels, and words given to voices."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from speaker_gate.consent import Consent, ConsentScope, allows_enrolment, allows_storage, declined, in_call_only
from speaker_gate.facts import Stretch, TurnVerdict, Voice, VoiceDecision, Why, Word
from speaker_gate.labels import LABELS_MAX, LabelBook
from speaker_gate.replies import ReplyContext, Standing, standing_of
from speaker_gate.words import attribute_words, spread_words

pytestmark = pytest.mark.unit

PATIENT = VoiceDecision(Voice.PRIMARY, Why.ABOVE_ACCEPT, 0.9, 2.5)
OTHER = VoiceDecision(Voice.THIRD_PARTY, Why.BELOW_REJECT, 0.1, 2.5)
SHORT = VoiceDecision(Voice.UNSURE, Why.TOO_SHORT, None, 0.4)
ECHO = VoiceDecision(Voice.AGENT_ECHO, Why.AGENT_VOICE, 0.9, 2.0)
BETWEEN = VoiceDecision(Voice.UNSURE, Why.BETWEEN_THRESHOLDS, 0.3, 1.5)
FIRST = VoiceDecision(Voice.PRIMARY, Why.FIRST_VOICE, None, 2.0)

P, T = Voice.PRIMARY, Voice.THIRD_PARTY


@pytest.mark.parametrize(
    ("decision", "context", "standing"),
    [
        (PATIENT, ReplyContext(None, True), Standing.PRIMARY),
        (OTHER, ReplyContext(P, True), Standing.THIRD_PARTY),
        (ECHO, ReplyContext(P, True), Standing.AGENT_ECHO),
        (FIRST, ReplyContext(None, False), Standing.ASSUMED),
        (SHORT, ReplyContext(P, True), Standing.INFERRED),
        (SHORT, ReplyContext(None, False), Standing.ASSUMED),
        (SHORT, ReplyContext(T, True), Standing.CONFIRM),
        (SHORT, ReplyContext(None, True), Standing.CONFIRM),
        (SHORT, ReplyContext(T, True, confirmation_asked=True), Standing.UNSURE),
        (SHORT, ReplyContext(P, True, label_for_another=True), Standing.CONFIRM),
        (SHORT, ReplyContext(P, True, second_voice_s=0.25), Standing.CONFIRM),
        (SHORT, ReplyContext(P, True, second_voice_s=0.24), Standing.INFERRED),
        (SHORT, ReplyContext(P, True, level_jump_db=-10.0), Standing.CONFIRM),
        (SHORT, ReplyContext(P, True, level_jump_db=9.9), Standing.INFERRED),
        (SHORT, ReplyContext(P, True, others_heard=True), Standing.CONFIRM),
        (SHORT, ReplyContext(P, True, leans_to_another=True), Standing.CONFIRM),
        (SHORT, ReplyContext(P, True, others_heard=True, confirmation_asked=True), Standing.UNSURE),
        (SHORT, ReplyContext(None, False, label_for_another=True), Standing.CONFIRM),
        (BETWEEN, ReplyContext(P, True, leans_to_another=True, likely_other=True, aside=True), Standing.LIKELY_OTHER),
        (BETWEEN, ReplyContext(P, True, leans_to_another=True, likely_other=True), Standing.CONFIRM),
        (BETWEEN, ReplyContext(P, True, leans_to_another=True, aside=True), Standing.CONFIRM),
        (BETWEEN, ReplyContext(P, True, aside=True), Standing.INFERRED),
        (PATIENT, ReplyContext(P, True, likely_other=True, aside=True), Standing.LIKELY_OTHER),
        (PATIENT, ReplyContext(P, True, likely_other=True), Standing.PRIMARY),
        (PATIENT, ReplyContext(P, True, aside=True), Standing.PRIMARY),
        (OTHER, ReplyContext(P, True, likely_other=True, aside=True), Standing.THIRD_PARTY),
        (ECHO, ReplyContext(P, True, likely_other=True, aside=True), Standing.AGENT_ECHO),
        (SHORT, ReplyContext(P, True, aside=True), Standing.INFERRED),
    ],
)
def test_how_a_reply_counts(decision: VoiceDecision, context: ReplyContext, standing: Standing) -> None:
    """The rule for short and unsure replies, row by row."""
    assert standing is standing_of(decision, context)


@settings(max_examples=60, deadline=None)
@given(
    last=st.sampled_from([None, P, T]),
    enrolled=st.booleans(),
    label=st.booleans(),
    second=st.floats(0, 2),
    heard=st.booleans(),
    leans=st.booleans(),
)
def test_a_speaker_is_asked_for_once_and_never_twice(
    last: Voice | None, enrolled: bool, label: bool, second: float, heard: bool, leans: bool
) -> None:
    """Whatever is known, an asked question is not asked again, and nothing is inferred against evidence."""
    context = ReplyContext(last, enrolled, label, second, None, heard, leans, confirmation_asked=True)

    standing = standing_of(SHORT, context)

    assert standing is not Standing.CONFIRM
    assert not (standing is Standing.INFERRED and context.speaks_for_another)


def test_a_label_means_nothing_until_it_has_earned_it() -> None:
    """Two seconds of consistent speech give a label its voice; another ground or a mixture gives nothing."""
    book = LabelBook()
    book.note({"1"}, SHORT)
    book.note({"1", "2"}, OTHER)
    before = book.meaning("1")
    book.note({"1"}, OTHER)

    assert before is None
    assert Voice.THIRD_PARTY is book.meaning("1")
    assert Voice.THIRD_PARTY is book.help(SHORT, {"1"}).voice
    assert SHORT is book.help(SHORT, {"1", "2"})
    assert PATIENT is book.help(PATIENT, {"1"})


def test_a_label_that_contradicts_itself_loses_its_meaning() -> None:
    """Recognisers swap labels; half and half is no evidence."""
    book = LabelBook()
    book.note({"0"}, PATIENT)
    book.note({"0"}, OTHER)

    assert book.meaning("0") is None
    assert SHORT is book.help(SHORT, {"0"})


def test_a_new_label_beside_a_known_patient_speaks_for_another() -> None:
    """Once the patient has a label, another label is probably another person."""
    book = LabelBook()
    fresh = book.speaks_for_another({"1"})
    book.note({"0"}, PATIENT)

    assert not fresh
    assert not book.speaks_for_another({"0"})
    assert book.speaks_for_another({"1"})
    book.forget()
    assert not book.speaks_for_another({"1"})


def test_the_labels_followed_are_bounded() -> None:
    """A recogniser that makes up labels fills no memory."""
    book = LabelBook()
    for number in range(LABELS_MAX + 1):
        book.note({str(number)}, OTHER)

    assert Voice.THIRD_PARTY is book.meaning(str(LABELS_MAX - 1))
    assert book.meaning(str(LABELS_MAX)) is None


TWO = TurnVerdict((Stretch(0.0, 2.0, PATIENT), Stretch(2.0, 4.0, OTHER, after_change=True)), 4.0)
ONE = TurnVerdict((Stretch(0.0, 4.0, PATIENT),), 4.0)


@pytest.mark.parametrize(
    ("start_s", "parts"),
    [(1.5, ["a", "b c"]), (1.9, ["a", "b c"]), (1.0, ["a b", "c"]), (0.1, ["a b", "c"])],
)
def test_a_word_over_the_change_goes_to_the_voice_that_said_most_of_it(start_s: float, parts: list[str]) -> None:
    """The middle of the word decides."""
    words = [Word("a", 0.0, 0.1), Word("b", start_s, start_s + 1.2), Word("c", 3.2, 3.4)]

    assert parts == [part.text for part in attribute_words(words, TWO)]


def test_a_turn_of_one_voice_is_one_part_with_its_labels() -> None:
    """Nothing is split where nothing changed."""
    part = attribute_words([Word("a", 0.0, 0.5, "0"), Word("b", 3.0, 3.5)], ONE)[0]

    assert ("a b", frozenset({"0"}), PATIENT) == (part.text, part.labels, part.decision)


def test_words_without_times_are_spread_and_cut_at_the_nearest_clause_end() -> None:
    """The estimate alone would cut inside the answer; the full stop is near and wins."""
    text = "I take it in the evening. No mum, you take that one"

    parts = attribute_words(spread_words(text, TWO), TWO, estimated=True)

    assert ["I take it in the evening.", "No mum, you take that one"] == [part.text for part in parts]


def test_between_two_clause_ends_as_near_the_patients_words_are_not_left_out() -> None:
    """Six words of the patient's and a comma among them: the later end is taken."""
    decisions = (VoiceDecision(Voice.PRIMARY, Why.ABOVE_ACCEPT), VoiceDecision(Voice.THIRD_PARTY, Why.BELOW_REJECT))
    verdict = TurnVerdict((Stretch(0.0, 1.16, decisions[0]), Stretch(1.16, 4.0, decisions[1], after_change=True)), 4.0)
    text = "Wait, I will write that one down. you seen my reading glasses anywhere?"

    parts = attribute_words(spread_words(text, verdict), verdict, estimated=True)

    assert ["Wait, I will write that one down.", "you seen my reading glasses anywhere?"] == [p.text for p in parts]


def test_no_words_give_no_parts() -> None:
    """An empty transcript has nobody's words."""
    assert () == spread_words("  ", TWO)
    assert () == attribute_words((), TWO)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text("ab.,?", min_size=1, max_size=5), min_size=1, max_size=12))
def test_no_word_is_lost_or_repeated(tokens: list[str]) -> None:
    """Whatever the words and the change, all come out once and in order."""
    text = " ".join(tokens)

    parts = attribute_words(spread_words(text, TWO), TWO, estimated=True)

    assert text.split() == " ".join(part.text for part in parts).split()


@pytest.mark.parametrize(
    ("consent", "enrol", "store"),
    [
        (None, False, False),
        (Consent(scope=ConsentScope.NONE, given_at_s=1.0), False, False),
        (Consent(scope=ConsentScope.THIS_CALL, given_at_s=1.0), True, False),
        (Consent(scope=ConsentScope.STORED, given_at_s=1.0), True, True),
    ],
)
def test_consent_has_a_scope(consent: Consent | None, enrol: bool, store: bool) -> None:
    """Nothing stored unless said; nothing enrolled when declined."""
    assert (enrol, store) == (allows_enrolment(consent), allows_storage(consent))


def test_the_default_is_in_call_only_and_declining_is_a_hook_too() -> None:
    """Without a hook of their own, deployments store nothing."""
    assert ConsentScope.THIS_CALL is in_call_only("call").scope
    assert declined("call") is None
