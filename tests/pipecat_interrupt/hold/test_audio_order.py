"""The queue that puts words, markers and audio into the order of their sound; pure, no clock."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pipecat.frames.frames import (
    AggregatedTextFrame,
    LLMAssistantPushAggregationFrame,
    LLMFullResponseEndFrame,
    TTSAudioRawFrame,
    TTSStoppedFrame,
    TTSTextFrame,
)
from pipecat.utils.text.base_text_aggregator import TextType

from pipecat_interrupt.hold import AudioOrder
from pipecat_interrupt.hold.frames import ProtectedEndFrame

pytestmark = pytest.mark.unit

RATE = 16000
CHUNK = 640
NOW_NS = 5_000_000_000


def audio(seconds, context_id="c", *, protected=False, first=1):
    n = round(seconds * RATE)
    frame = TTSAudioRawFrame(b"".join(((first + i) % 30000).to_bytes(2, "little") for i in range(n)), RATE, 1)
    frame.context_id = context_id
    frame.interruptible = not protected
    return frame


def word(text, at_s=None, context_id="c", *, protected=False):
    frame = TTSTextFrame(text, TextType.WORD)
    frame.context_id = context_id
    frame.pts = None if at_s is None else NOW_NS + round(at_s * 1e9)
    frame.interruptible = not protected
    return frame


def drained(order):
    """Take everything out: audio as its length in ms, text as itself, other frames by class."""
    seen = []
    while order.head is not None:
        frame = order.pop().frame
        if isinstance(frame, TTSAudioRawFrame):
            seen.append(round(1000 * frame.num_frames / RATE))
        elif isinstance(frame, TTSTextFrame):
            seen.append(frame.text)
        else:
            seen.append(type(frame).__name__)
    return seen


def test_audio_is_cut_into_the_transports_chunks_and_filled_up_at_the_end():
    """0.1 s become two chunks and a padded one, then the stop frame."""
    order = AudioOrder()
    order.add(audio(0.1), NOW_NS)
    order.add(TTSStoppedFrame(context_id="c"), NOW_NS)

    assert drained(order) == [40, 40, 40, "TTSStoppedFrame"]


def test_a_run_of_audio_leaves_as_one_frame_up_to_the_next_word():
    """To the sample and in whole chunks; words, another context and protected speech end the run."""
    order = AudioOrder()
    order.chunk_s = 0.04
    order.add(word("Take", 0.0), NOW_NS)
    order.add(word("one", 0.1), NOW_NS)
    order.add(word("tablet", 0.2), NOW_NS)
    sound = audio(0.32)
    order.add(sound, NOW_NS)
    order.add(audio(0.08, "d"), NOW_NS)
    order.add(audio(0.08, "d", protected=True), NOW_NS)

    seen = []
    while order.head is not None:
        seen.append(order.pop_run().frame)

    assert [f.text if isinstance(f, TTSTextFrame) else round(1000 * f.num_frames / RATE) for f in seen] == [
        120,
        "Take",
        80,
        "one",
        120,
        80,
        80,
    ]
    assert b"".join(f.audio for f in seen if isinstance(f, TTSAudioRawFrame) and f.context_id == "c") == sound.audio
    assert [f.interruptible for f in seen[-2:]] == [True, False]
    assert order.queued_audio_s == pytest.approx(0.0)


def test_a_timed_word_follows_the_chunk_that_holds_its_end():
    """Its end is the next word's start; the last word follows the last chunk."""
    order = AudioOrder()
    order.add(word("Take", 0.0), NOW_NS)
    order.add(word("one", 0.1), NOW_NS)
    order.add(audio(0.2), NOW_NS)
    order.add(TTSStoppedFrame(context_id="c"), NOW_NS)

    assert drained(order) == [40, 40, 40, "Take", 40, 40, "one", "TTSStoppedFrame"]


def test_times_that_arrive_after_their_audio_has_left_go_out_next_in_order():
    """A provider that sends word times late delays words, never swaps them."""
    order = AudioOrder()
    order.add(audio(0.2), NOW_NS)
    for _ in range(5):
        order.pop()
    for text, at_s in (("a", 0.0), ("b", 0.04), ("c", 0.08)):
        order.add(word(text, at_s), NOW_NS)

    assert drained(order) == ["a", "b"]
    order.add(TTSStoppedFrame(context_id="c"), NOW_NS)
    assert drained(order) == ["c", "TTSStoppedFrame"]


def test_text_that_comes_before_its_audio_waits_for_the_end():
    """Streaming services without word times send text first: it counts only when all is said."""
    order = AudioOrder()
    order.add(word("Take one tablet."), NOW_NS)
    order.add(audio(0.08), NOW_NS)
    order.add(TTSStoppedFrame(context_id="c"), NOW_NS)

    assert drained(order) == [40, 40, "Take one tablet.", "TTSStoppedFrame"]


def test_text_that_follows_its_audio_keeps_its_place_behind_the_last_sample():
    """Inline services send a sentence after its audio; what is left of a chunk goes first."""
    order = AudioOrder()
    order.add(audio(0.5), NOW_NS)
    order.add(word("Take one."), NOW_NS)
    order.add(audio(0.1), NOW_NS)
    order.add(TTSStoppedFrame(context_id="c"), NOW_NS)

    assert drained(order)[:14] == [40] * 13 + ["Take one."]


def test_an_announcement_does_not_start_the_word_clock():
    """The announcement of a sentence is stamped before its audio exists; words are timed from the audio."""
    order = AudioOrder()
    announced = AggregatedTextFrame("Take one.", TextType.SENTENCE)
    announced.context_id, announced.pts = "c", NOW_NS
    later = NOW_NS + 200_000_000
    order.add(announced, NOW_NS)
    order.add(audio(0.2), later)
    for text, at_s in (("Take", 0.2), ("one.", 0.28)):
        order.add(word(text, at_s), later)

    assert drained(order) == ["AggregatedTextFrame", 40, 40, "Take", 40, 40, 40]


def test_the_end_of_an_aggregation_follows_the_words_still_waiting():
    """Pipecat pushes it before the stop frame; the last word must not come after it."""
    order = AudioOrder()
    order.add(word("Take", 0.0), NOW_NS)
    order.add(audio(0.04), NOW_NS)
    order.add(LLMAssistantPushAggregationFrame(), NOW_NS)
    order.add(TTSStoppedFrame(context_id="c"), NOW_NS)

    assert drained(order) == [40, "Take", "LLMAssistantPushAggregationFrame", "TTSStoppedFrame"]


def test_no_frame_leaves_with_a_time_stamp():
    """Nothing may end up in the transport's clock queue."""
    order = AudioOrder()
    end = LLMFullResponseEndFrame()
    end.pts = NOW_NS + 1
    for frame in (word("Take", 0.0), audio(0.04), TTSStoppedFrame(context_id="c"), end):
        order.add(frame, NOW_NS)

    stamps = []
    while order.head is not None:
        stamps.append(order.pop().frame.pts)
    assert stamps == [None, None, None, None]


def test_an_interruption_keeps_protected_sound_and_words():
    """Everything else is forgotten, queued and still to be cut."""
    order = AudioOrder()
    order.add(audio(0.1, "a"), NOW_NS)
    order.add(audio(0.08, "p", protected=True), NOW_NS)
    order.add(word("kept", context_id="p", protected=True), NOW_NS)
    order.interrupt()
    order.add(TTSStoppedFrame(context_id="p"), NOW_NS)

    assert drained(order) == [40, 40, "kept", "TTSStoppedFrame", "ProtectedEndFrame"]


def test_stragglers_of_an_interrupted_context_are_not_new_speech():
    """What a TTS still sends of it after the interruption is dropped; its stop frame passes."""
    order = AudioOrder()
    order.add(audio(0.1, "a"), NOW_NS)
    order.interrupt()
    order.add(audio(0.1, "a"), NOW_NS)
    order.add(TTSStoppedFrame(context_id="a"), NOW_NS)

    assert drained(order) == ["TTSStoppedFrame"]


def test_a_cut_context_is_swallowed_to_its_end():
    """Queued or still to come: nothing of it leaves, and the caller is told to end it."""
    order = AudioOrder()
    order.add(audio(0.08, "p", protected=True), NOW_NS)

    assert order.cut("p") is True
    order.add(audio(0.08, "p", protected=True), NOW_NS)
    order.add(word("late", context_id="p", protected=True), NOW_NS)
    order.add(TTSStoppedFrame(context_id="p"), NOW_NS)
    assert drained(order) == []
    order.add(audio(0.04, "next"), NOW_NS)
    assert drained(order) == [40]


def test_cutting_a_context_whose_end_has_left_changes_nothing_downstream():
    """Its stop frame is in the transport already."""
    order = AudioOrder()
    order.add(audio(0.04, "p", protected=True), NOW_NS)
    order.add(TTSStoppedFrame(context_id="p"), NOW_NS)
    drained(order)

    assert order.cut("p") is False


def test_audio_without_a_context_flushes_what_is_left_of_the_one_before():
    """Silence pushed after a stop must not overtake the last words."""
    order = AudioOrder()
    order.add(audio(0.06), NOW_NS)
    order.add(audio(0.1, None), NOW_NS)

    assert drained(order) == [40, 40, 100]


def test_audio_of_a_subclass_passes_whole():
    """Its class means something to somebody; it is not cut anew."""

    class Marked(TTSAudioRawFrame):
        pass

    order = AudioOrder()
    marked = Marked(bytes(3200), RATE, 1)
    marked.context_id = "c"
    order.add(marked, NOW_NS)

    assert order.pop().frame is marked


def test_a_protected_end_follows_protected_speech_only():
    """The marker is for the tap behind the transport; plain speech has none."""
    order = AudioOrder()
    order.add(audio(0.04, "a"), NOW_NS)
    order.add(TTSStoppedFrame(context_id="a"), NOW_NS)
    order.add(audio(0.04, "p", protected=True), NOW_NS)
    order.add(TTSStoppedFrame(context_id="p"), NOW_NS)

    assert drained(order) == [40, "TTSStoppedFrame", 40, "TTSStoppedFrame", "ProtectedEndFrame"]
    assert ProtectedEndFrame("p").interruptible is False


@settings(max_examples=60, deadline=None)
@given(
    lengths=st.lists(st.integers(1, 4000), min_size=1, max_size=12),
    words=st.lists(st.integers(0, 3000), max_size=10),
    pops=st.lists(st.booleans(), max_size=60),
    chunk_ms=st.sampled_from([10, 20, 40, 100]),
)
def test_whatever_the_schedule_audio_is_whole_and_words_are_in_order_behind_their_sound(lengths, words, pops, chunk_ms):
    """All samples leave in order with less than a chunk of silence added; words leave in order, after their ends."""
    order = AudioOrder(chunk_ms / 1000)
    starts_s = sorted(w / 1000 for w in words)
    frames = [word(f"w{i}", at_s) for i, at_s in enumerate(starts_s)]
    sent, out, heard_s, position = bytearray(), bytearray(), {}, 0

    def take():
        frame = order.pop().frame
        if isinstance(frame, TTSAudioRawFrame):
            out.extend(frame.audio)
        elif isinstance(frame, TTSTextFrame):
            heard_s[frame.text] = len(out) / 2 / RATE

    schedule = iter(pops)
    for n in lengths:
        if frames:
            order.add(frames.pop(0), NOW_NS)
        piece = audio(n / RATE, first=position + 1)
        position += n
        sent += piece.audio
        order.add(piece, NOW_NS)
        if next(schedule, False) and order.head is not None:
            take()
    for frame in frames:
        order.add(frame, NOW_NS)
    order.add(TTSStoppedFrame(context_id="c"), NOW_NS)
    while order.head is not None:
        take()

    assert out[: len(sent)] == sent
    assert not any(out[len(sent) :]) and len(out) - len(sent) < 2 * RATE * chunk_ms / 1000
    assert list(heard_s) == [f"w{i}" for i in range(len(starts_s))]
    total_s = len(sent) / 2 / RATE
    for i in range(len(starts_s) - 1):
        assert heard_s[f"w{i}"] >= min(starts_s[i + 1], total_s) - 0.0021
