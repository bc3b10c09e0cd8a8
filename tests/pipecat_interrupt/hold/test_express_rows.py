"""The short way past a row of parts: who looks, who is asked, where it ends, and when that is found out anew."""

from __future__ import annotations

from itertools import pairwise

import pytest
from pipecat.frames.frames import (
    BotStartedSpeakingFrame,
    BotStoppedSpeakingFrame,
    CancelFrame,
    InputAudioRawFrame,
    TextFrame,
    TTSTextFrame,
    UserSpeakingFrame,
)
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor
from pipecat.tests.utils import run_test
from pipecat.utils.text.base_text_aggregator import TextType

from pipecat_interrupt.hold import ExpressAudio
from pipecat_interrupt.hold.express import CALLER_AUDIO, TALK_FRAMES

pytestmark = pytest.mark.pipeline


async def test_the_callers_audio_takes_the_short_way_in_order():
    """An express part never sees it, and what comes after it does not overtake it."""
    seen: list[str] = []

    class Part(ExpressAudio):
        async def process_frame(self, frame, direction):
            await super().process_frame(frame, direction)
            seen.append(type(frame).__name__)
            await self.push_frame(frame, direction)

    audio, text = InputAudioRawFrame(bytes(640), 16000, 1), TextFrame("after")
    down, _ = await run_test(
        Part(enable_direct_mode=True),
        frames_to_send=[audio, text],
        expected_down_frames=[InputAudioRawFrame, TextFrame],
    )

    assert "InputAudioRawFrame" not in seen and "TextFrame" in seen
    assert down[0] is audio and down[1] is text


class Recorded(FrameProcessor):
    """Direct; remembers the classes it was given."""

    def __init__(self):
        super().__init__(enable_direct_mode=True)
        self.given = []

    async def queue_frame(self, frame, direction=FrameDirection.DOWNSTREAM, callback=None):
        self.given.append(type(frame).__name__)


class Glancer(ExpressAudio):
    """Looks at the caller's audio only; may ask to take frames in."""

    glanced_frames = CALLER_AUDIO

    def __init__(self):
        super().__init__(enable_direct_mode=True)
        self.glanced = []

    def glance(self, frame, direction):
        self.glanced.append(type(frame).__name__)


def linked(*parts):
    for one, next_one in pairwise(parts):
        one.link(next_one)


async def test_a_remembered_row_is_walked_again_when_parts_are_linked_anew():
    """Frames reach who stands there now, past those who stand on the way now, both ways."""
    one, two, late, end, head = Glancer(), Glancer(), Glancer(), Recorded(), Recorded()
    linked(head, one, two, end)
    sound = InputAudioRawFrame(bytes(640), 16000, 1)
    await one.queue_frame(sound)
    await two.queue_frame(sound, FrameDirection.UPSTREAM)
    linked(two, late, end)
    other = Recorded()
    other.link(one)  # a processor of others': no part of ours hears of it
    await one.queue_frame(sound)
    await two.queue_frame(sound, FrameDirection.UPSTREAM)

    assert end.given == ["InputAudioRawFrame"] * 2
    assert late.glanced == ["InputAudioRawFrame"]
    assert head.given == other.given == ["InputAudioRawFrame"]
    assert len(two.glanced) == 4


async def test_a_part_glances_at_the_classes_it_names_only():
    """A heartbeat goes past it unseen."""
    part, end = Glancer(), Recorded()
    linked(Recorded(), part, end)

    await part.queue_frame(InputAudioRawFrame(bytes(640), 16000, 1))
    await part.queue_frame(UserSpeakingFrame())

    assert part.glanced == ["InputAudioRawFrame"]
    assert end.given == ["InputAudioRawFrame", "UserSpeakingFrame"]


async def test_a_part_that_asks_ends_the_row_before_it():
    """It is asked at every frame, and takes in what it wants."""

    class Asks(Glancer):
        wants = False

        def takes_short_way(self, frame):
            return super().takes_short_way(frame) and not self.wants

        async def process_frame(self, frame, direction):
            taken.append(type(frame).__name__)

    taken = []
    first, asks, end = Glancer(), Asks(), Recorded()
    linked(Recorded(), first, asks, end)
    sound = InputAudioRawFrame(bytes(640), 16000, 1)
    await first.queue_frame(sound)
    asks.wants = True
    await first.queue_frame(sound)
    asks.wants = False
    await first.queue_frame(sound)

    assert end.given == ["InputAudioRawFrame"] * 2
    assert taken == ["InputAudioRawFrame"]
    assert len(first.glanced) == 3 and len(asks.glanced) == 2


async def test_a_cancelled_row_lets_nothing_more_by():
    """What comes after a cancel is dropped at the first cancelled part, as everywhere in Pipecat."""
    heard = []

    class End(FrameProcessor):
        async def process_frame(self, frame, direction):
            await super().process_frame(frame, direction)
            heard.append(type(frame).__name__)

    one, two, end = Glancer(), Glancer(), End(enable_direct_mode=True)
    linked(one, two, end)
    sound = InputAudioRawFrame(bytes(640), 16000, 1)
    await one.queue_frame(sound)
    await two.queue_frame(CancelFrame())
    await one.queue_frame(sound)

    assert heard.count("InputAudioRawFrame") == 1
    assert len(one.glanced) == 2 and len(two.glanced) == 1


async def test_news_of_a_turn_goes_past_parts_that_do_not_act_on_it():
    """One that acts on the end of a turn takes that in, and the row before it goes on to it."""

    class Waits(ExpressAudio):
        express_frames = TALK_FRAMES

    class Acts(ExpressAudio):
        express_frames = TALK_FRAMES - {BotStoppedSpeakingFrame}

        async def process_frame(self, frame, direction):
            taken.append(type(frame).__name__)

    taken = []
    first, acts, last, end = Waits(), Acts(enable_direct_mode=True), Waits(), Recorded()
    linked(Recorded(), first, acts, last, end)
    await first.queue_frame(BotStartedSpeakingFrame())
    await first.queue_frame(BotStoppedSpeakingFrame())
    await first.queue_frame(TTSTextFrame("one", TextType.WORD))

    assert end.given == ["BotStartedSpeakingFrame", "TTSTextFrame"]
    assert taken == ["BotStoppedSpeakingFrame"]
