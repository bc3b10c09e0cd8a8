"""The simulated carrier by itself: what it plays, when marks come back, and what it makes of a webhook's answer."""

from __future__ import annotations

import numpy as np
import pytest

from pipecat_interrupt.carrier import PlivoMarks, TelnyxMarks, TwilioMarks
from pipecat_interrupt.testing.carrier import WIRES, Busy, CallIds, Playout, Refused, from_ulaw, to_ulaw
from pipecat_interrupt.testing.carrier.caller import read_line
from pipecat_interrupt.testing.carrier.ringing import stream_address
from pipecat_interrupt.testing.carrier.wire import ClearBuffer, Play, SetMark

pytestmark = pytest.mark.unit

SECOND = b"\x10" * 8000
"""A second of sound that is not silence."""


def test_a_mark_comes_back_when_the_sound_before_it_has_been_played() -> None:
    """Not a moment sooner, whatever the bot hopes."""
    playout = Playout()
    playout.add(SECOND, 0.0)
    playout.mark("a", 0.0)
    playout.add(SECOND, 0.0)
    playout.mark("b", 0.0)

    assert [playout.advance(t) for t in (0.9, 1.0, 1.9, 2.0)] == [[], ["a"], [], ["b"]]
    assert not playout.playing


def test_a_mark_with_nothing_before_it_comes_back_at_once() -> None:
    """As carriers document."""
    playout = Playout()
    playout.mark("a", 3.0)

    assert playout.advance(3.0) == ["a"]


def test_the_buffer_delays_sound_after_a_silence_only() -> None:
    """What follows on plays on without a gap."""
    playout = Playout(buffer_s=0.5)
    playout.add(SECOND, 0.0)
    playout.add(SECOND, 0.4)
    playout.mark("a", 0.4)

    assert playout.advance(2.49) == []
    assert playout.advance(2.5) == ["a"]
    heard = playout.channel(0.0, 3.0)
    assert (heard[:4000] == 0).all()
    assert (heard[4000:20_000] != 0).all()
    assert (heard[20_000:] == 0).all()


@pytest.mark.parametrize(("returns", "back"), [(True, ["a", "b"]), (False, ["a"])], ids=["Twilio", "Plivo"])
def test_a_clear_throws_the_rest_away_to_the_sample(returns: bool, back: list[str]) -> None:
    """Half a second was heard of the second stretch; waiting marks come back where the carrier does so."""
    playout = Playout(returns_cleared_marks=returns)
    playout.add(SECOND, 0.0)
    playout.mark("a", 0.0)
    playout.add(SECOND, 0.0)
    playout.mark("b", 0.0)

    assert playout.clear(1.5) == back
    assert (playout.channel(0.0, 3.0) != 0).sum() == 12_000
    assert playout.cleared_samples == 4000
    playout.add(SECOND, 2.0)
    playout.advance(3.0)
    assert (playout.channel(0.0, 3.0) != 0).sum() == 20_000


def test_telephone_sound_comes_through_recognisably() -> None:
    """A tone at 16 kHz, over mu-law and back: within the codec's noise."""
    tone = (8000 * np.sin(2 * np.pi * 440 * np.arange(16_000) / 16_000)).astype(np.int16)

    back = from_ulaw(to_ulaw(tone, 16_000)).astype(float)

    expected = 8000 * np.sin(2 * np.pi * 440 * np.arange(8000) / 8000)
    noise = back[200:-200] - expected[200:-200]
    assert np.sqrt(np.mean(noise**2)) < 0.03 * 8000


@pytest.mark.parametrize("provider", list(WIRES))
def test_what_our_marks_write_the_carrier_reads_and_the_other_way_round(provider: str) -> None:
    """The two sides were written from the carriers' pages, not from each other."""
    ids, wire = CallIds(), WIRES[provider]
    ours = {"twilio": TwilioMarks(ids.stream), "telnyx": TelnyxMarks(), "plivo": PlivoMarks(ids.stream)}[provider]

    assert wire.read(ours.write("u1:200")) == SetMark("u1:200")
    assert ours.read(wire.mark_back(ids, "u1:200")) == "u1:200"
    assert ours.read(wire.media(ids, b"\xff", 1, 20)) is None


@pytest.mark.parametrize(
    ("provider", "message", "command"),
    [
        ("twilio", {"event": "media", "media": {"payload": "AAA="}}, Play(b"\x00\x00")),
        ("twilio", {"event": "clear", "streamSid": "s"}, ClearBuffer()),
        ("telnyx", {"event": "clear"}, ClearBuffer()),
        ("plivo", {"event": "playAudio", "media": {"payload": "AAA="}}, Play(b"\x00\x00")),
        ("plivo", {"event": "clearAudio", "streamId": "s"}, ClearBuffer()),
        ("twilio", {"event": "media", "media": {"payload": "%"}}, None),
        ("twilio", {"event": "media", "media": None}, None),
        ("plivo", {"event": "media"}, None),
        ("twilio", [], None),
    ],
)
def test_a_bots_messages_are_read(provider: str, message: object, command: object) -> None:
    """And what is none of the carrier's business is left alone."""
    assert WIRES[provider].read(message) == command


@pytest.mark.parametrize(
    ("xml", "outcome"),
    [
        ('<Response><Connect><Stream url="wss://x/y"/></Connect></Response>', "wss://x/y"),
        ('<Response><Stream bidirectional="true">wss://x/y</Stream></Response>', "wss://x/y"),
        ('<Response><Reject reason="busy"/></Response>', Busy),
        ('<Response><Hangup reason="busy"/></Response>', Busy),
        ("<Response/>", Refused),
        ("hello", Refused),
    ],
)
def test_an_answer_opens_a_stream_or_says_why_not(xml: str, outcome: str | type[Exception]) -> None:
    """As a carrier would take it."""
    if isinstance(outcome, str):
        assert stream_address(xml) == outcome
    else:
        with pytest.raises(outcome):
            stream_address(xml)


@pytest.mark.parametrize("spec", ["absent.wav", "absent.wav@1.0"])
def test_a_line_that_cannot_be_read_is_named(spec: str) -> None:
    """The file, in one line."""
    with pytest.raises(ValueError, match=r"absent\.wav"):
        read_line(spec)
