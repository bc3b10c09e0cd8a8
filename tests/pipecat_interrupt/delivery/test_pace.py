"""Placing speech without word timings: pauses as anchors, errors on the short side, a stated bound."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipecat_interrupt.delivery.anchors import Matcher
from pipecat_interrupt.delivery.loudness import SILENCES_MAX, Envelope, Silence
from pipecat_interrupt.delivery.pace import Rate, estimate, spoken_rate, word_seconds
from pipecat_interrupt.delivery.written import tokenise
from pipecat_interrupt.testing import AGENT, Speech, speech

pytestmark = pytest.mark.unit

TEXT = (
    "Take one tablet every morning with water, and do not drink grapefruit juice during the treatment. "
    "If you feel dizzy, call us at once. Your next visit is on Monday at nine; please bring your card."
)
RATE_HZ = 8000


def envelope(clip: Speech) -> Envelope:
    made = Envelope()
    for at in range(0, len(clip.pcm), 640):
        made.add(clip.pcm[at : at + 640], clip.sample_rate_hz)
    return made


def tone(seconds: float, level: int = 8000) -> bytes:
    t = np.arange(round(seconds * RATE_HZ))
    return (level * np.sin(t * 0.6)).astype("<i2").tobytes()


def quiet(seconds: float) -> bytes:
    return bytes(2 * round(seconds * RATE_HZ))


def test_pauses_are_found_where_they_are() -> None:
    """Quiet of 80 ms and more is a pause, to 10 ms."""
    made = Envelope()
    made.add(quiet(0.1) + tone(0.5) + quiet(0.2) + tone(0.4) + quiet(0.05) + tone(0.3) + quiet(0.3), RATE_HZ)

    found = [(round(s.start_s, 2), round(s.end_s, 2)) for s in made.silences()]

    assert found == [(0.0, 0.1), (0.6, 0.8), (1.55, 1.85)]
    assert made.speech_end_s(1.85) == pytest.approx(1.55)


def test_audio_in_odd_pieces_gives_the_same_pauses() -> None:
    """Chunks need not be multiples of 10 ms."""
    pcm = tone(0.33) + quiet(0.2) + tone(0.3)
    whole, pieces = Envelope(), Envelope()
    whole.add(pcm, RATE_HZ)
    for at in range(0, len(pcm), 254):
        pieces.add(pcm[at : at + 254], RATE_HZ)

    assert whole.silences() == pieces.silences()


def test_only_so_many_pauses_are_kept() -> None:
    """A stutter cannot make the matching slow: the longest pauses stay."""
    made = Envelope()
    for _ in range(SILENCES_MAX + 20):
        made.add(tone(0.05) + quiet(0.1), RATE_HZ)

    assert len(made.silences()) <= SILENCES_MAX


def test_no_audio_has_no_pauses() -> None:
    """Nothing said, nothing found; a rate of 0 is ignored."""
    made = Envelope()
    made.add(tone(0.1), 0)

    assert made.silences() == ()
    assert made.speech_end_s(1.0) == 1.0


def test_punctuation_is_matched_with_pauses_in_order() -> None:
    """A pause inside a phrase is passed over, a comma without a pause too."""
    tokens = tokenise("One two three, four. Five six seven eight.")
    pauses = [Silence(0.55, 0.65), Silence(1.4, 1.8)]

    anchors, _ = Matcher(tokens, [0.3] * len(tokens), pauses, 0.0, 3.2).match()

    assert [(a.token, a.pause.start_s) for a in anchors] == [(3, 1.4)]


@pytest.mark.parametrize("done", [True, False])
def test_an_estimate_counts_few_words_too_many_and_few_too_few(done: bool) -> None:
    """Over a sweep of cuts in a scripted voice: at most 1 % of the counted words unheard, at most 3 % missed."""
    clip = speech(TEXT, AGENT, 16000)
    tokens, pauses = tokenise(TEXT), envelope(clip).silences()
    over = missed = heard = 0
    for at_s in np.arange(0.3, clip.duration_s, 0.07):
        truth = sum(w.end_s <= at_s for w in clip.words)
        found = estimate(tokens, pauses, float(at_s), clip.duration_s, done=done, rate=Rate(1.0, known=True))
        over += max(0, found.tokens - truth)
        missed += max(0, truth - found.tokens)
        heard += truth
        assert truth <= found.tokens_max

    assert over <= 0.01 * heard
    assert missed <= 0.03 * heard


def test_a_voice_never_heard_before_is_estimated_on_the_slow_side() -> None:
    """Without any measured rate the estimate errs short, never over by more than a word."""
    clip = speech(TEXT, AGENT, 16000)
    tokens = tokenise(TEXT)
    made = envelope(clip)
    for at_s in np.arange(0.5, 9.0, 0.31):
        produced = min(clip.duration_s, float(at_s) + 1.0)
        pauses = [Silence(s.start_s, min(s.end_s, produced)) for s in made.silences() if s.start_s < produced]
        truth = sum(w.end_s <= at_s for w in clip.words)

        found = estimate(tokens, pauses, float(at_s), produced, done=False)

        assert found.tokens <= truth + 1


def test_a_token_cannot_be_heard_before_the_voice_was_given_it() -> None:
    """Audio that existed before a sentence was sent cannot contain it."""
    tokens = tokenise("One two three four five six")

    found = estimate(tokens, [], 1.2, 2.0, done=False, rate=Rate(1.0, known=True), not_before=[(2, 1.9)])

    assert found.tokens <= 2


def test_nothing_heard_is_no_token() -> None:
    """At zero seconds nothing was said; without text nothing can be."""
    assert estimate(tokenise("One two."), [], 0.0, 1.0, done=True).tokens == 0
    assert estimate((), [], 1.0, 1.0, done=True).tokens == 0


def test_the_rate_of_a_voice_is_measured_on_speech_alone() -> None:
    """Pauses do not slow a voice down; a word is too short to tell."""
    tokens = tokenise(TEXT)
    predicted = sum(word_seconds(t) for t in tokens)

    assert spoken_rate(tokens, [Silence(1.0, 2.0)], predicted * 0.8 + 1.0) == pytest.approx(0.8)
    assert spoken_rate(tokenise("No."), [], 0.5) is None


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["one", "tablet,", "morning.", "and", "24", "请"]), min_size=1, max_size=15).map(" ".join),
    st.lists(st.tuples(st.floats(0, 6), st.floats(0.08, 0.6)), max_size=6),
    st.lists(st.floats(0, 8), min_size=2, max_size=6),
    st.booleans(),
)
def test_more_audio_never_means_fewer_words(
    text: str, gaps: list[tuple[float, float]], times: list[float], done: bool
) -> None:
    """The place grows with the audio heard and stays within the text."""
    tokens = tokenise(text)
    pauses: list[Silence] = []
    for start_s, length_s in sorted(gaps):
        if not pauses or start_s > pauses[-1].end_s + 0.01:
            pauses.append(Silence(start_s, start_s + length_s))
    audio_s = max(8.0, pauses[-1].end_s if pauses else 0.0)

    found = [estimate(tokens, pauses, t, audio_s, done=done) for t in sorted(times)]

    assert [f.tokens for f in found] == sorted(f.tokens for f in found)
    assert all(0 <= f.tokens <= f.tokens_max <= len(tokens) for f in found)
