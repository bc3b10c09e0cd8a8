"""The ear of scripted calls: every word that sounded, and none that did not, whatever the transport leaves out."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from pipecat.frames.frames import TTSSpeakFrame

from pipecat_interrupt.testing import ScriptedCall, heard_contexts, run_call
from pipecat_interrupt.testing.transports import HeardPiece
from pipecat_interrupt.testing.tts import SpokenContext, marked
from pipecat_interrupt.testing.voice import SpokenWord

pytestmark = pytest.mark.pipeline

RATE = 16000
CHUNK = 640


def spoken(seed: int, *words: tuple[str, float, float], seconds: float) -> SpokenContext:
    """A context whose words are noise of their own and whose pauses are silent."""
    samples = np.zeros(round(seconds * RATE), np.int16)
    random = np.random.default_rng(seed)
    for _, start_s, end_s in words:
        first, last = round(start_s * RATE), round(end_s * RATE)
        samples[first:last] = random.integers(1000, 9000, last - first)
    return SpokenContext(f"c{seed}", [SpokenWord(*w) for w in words], [samples], complete=True)


def listen(stream: np.ndarray, *contexts: SpokenContext):
    """What the ear makes of a stream, written chunk by chunk from second 100 on."""
    pieces = [
        HeardPiece(100 + i / RATE, 100 + i / RATE, 100 + (i + CHUNK) / RATE, stream[i : i + CHUNK], "TTS", None)
        for i in range(0, len(stream), CHUNK)
    ]
    return heard_contexts(SimpleNamespace(pieces=pieces, sample_rate=RATE), SimpleNamespace(contexts=list(contexts)))


ONE = spoken(1, ("Take", 0.0, 0.3), ("one", 0.33, 0.6), ("tablet.", 0.9, 1.2), seconds=1.4)
TWO = spoken(2, ("Thank", 0.0, 0.3), ("you.", 0.33, 0.7), seconds=1.0)


@pytest.mark.parametrize("hole", [1, 160, 480, 639])
@pytest.mark.parametrize("at", [1600, 6400, 9280, 12800, 16000])
def test_the_ear_goes_on_behind_what_the_transport_swallowed(at, hole):
    """A hole in a word, at its edge or in a pause: all words are heard, at the times they sounded, in both contexts."""
    sound = ONE.samples
    heard = listen(np.concatenate([sound[:at], sound[at + hole :], TWO.samples]), ONE, TWO)

    assert [c.text for c in heard] == ["Take one tablet.", "Thank you."]
    assert not heard[0].whole and heard[0].heard_samples == len(sound) - hole
    assert sum(length for _, length in heard[0].holes) == hole
    assert heard[0].words[-1].end_s == pytest.approx(100 + 1.2 - hole / RATE, abs=1e-4)
    assert heard[1].whole and heard[1].begin == len(sound) - hole


def test_a_context_that_was_cut_is_not_joined_to_silence_or_to_the_next_one():
    """The word cut short of the pause stays cut, though silence follows there as well."""
    cut = ONE.samples[: round(0.58 * RATE)]
    silence = np.zeros(8000, np.int16)

    one, two = listen(np.concatenate([cut, silence, TWO.samples]), ONE, TWO)

    assert (one.text, one.cut_word, one.holes) == ("Take", "one", ())
    assert two.whole


def test_what_is_longer_than_a_chunk_is_not_a_hole():
    """Then the context was left there, and the ear says so."""
    sound = ONE.samples
    (one,) = listen(np.concatenate([sound[:1600], sound[1600 + 4 * CHUNK :]]), ONE)

    assert (one.text, one.cut_word) == ("", "Take")


def said_again(sound: np.ndarray, *words: tuple[str, float, float], number: int) -> SpokenContext:
    """The same sound as another context, as the voice marks it."""
    return SpokenContext(f"c{number}", [SpokenWord(*w) for w in words], [marked(sound, number, 0)], complete=True)


ONE_WORDS = (("Take", 0.0, 0.3), ("one", 0.33, 0.6), ("tablet.", 0.9, 1.2))


def test_the_same_words_said_twice_and_heard_once_belong_to_the_one_that_sounded():
    """Whichever of the two it was: the mark in the sound tells them apart."""
    first, second = (said_again(ONE.samples, *ONE_WORDS, number=n) for n in (1, 2))

    assert [c.text for c in listen(second.samples, first, second)] == ["", "Take one tablet."]
    assert [c.text for c in listen(first.samples, first, second)] == ["Take one tablet.", ""]


def test_a_cut_context_does_not_take_the_next_one_that_says_its_rest():
    """Cut behind "one"; the next context opens with the same "tablet." as the rest: both keep what is theirs."""
    first = said_again(ONE.samples, *ONE_WORDS, number=1)
    rest = np.concatenate([ONE.samples[round(0.6 * RATE) :], TWO.samples])
    second = said_again(rest, ("tablet.", 0.3, 0.6), ("Thank", 0.8, 1.1), ("you.", 1.13, 1.5), number=2)
    third = said_again(TWO.samples, ("Thank", 0.0, 0.3), ("you.", 0.33, 0.7), number=3)
    heard = np.concatenate([first.samples[: round(0.6 * RATE)], second.samples, third.samples])

    assert [c.text for c in listen(heard, first, second, third)] == ["Take one", "tablet. Thank you.", "Thank you."]


def test_the_mark_is_in_the_lowest_bit_and_leaves_silence_alone():
    """Nobody hears it; the same context is marked alike in every run."""
    sound = marked(ONE.samples, 4, 0)

    assert np.abs(sound.astype(int) - ONE.samples).max() == 1
    assert not sound[ONE.samples == 0].any()
    assert (sound == marked(ONE.samples, 4, 0)).all()
    assert (sound != marked(ONE.samples, 5, 0)).any()


def test_audio_made_while_the_wording_before_it_ends_loses_less_than_a_chunk_in_stock_pipecat():
    """The end of a context empties the transport's part-chunk, though it may hold the next one's sound by then."""
    texts = ("Take one tablet each morning.", "Use 0.5 mg at 8 a.m. Then rest, please.", "This call is recorded.")
    call = ScriptedCall(12.0)
    for text, at_s in zip(texts, (0.2, 1.3, 2.38), strict=True):
        call.push(lambda text=text: TTSSpeakFrame(text), at_s=at_s)
    result = run_call(call, opening=None, tts="tokens", vad="text")

    assert [c.text for c in result.heard] == list(texts)
    assert [bool(c.holes) for c in result.heard] == [False, False, True]
    assert all(length < CHUNK for c in result.heard for _, length in c.holes)
