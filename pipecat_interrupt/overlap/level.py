"""What the line's level tells of an open overlap before voice detection does.

Voice detection wants 0.2 s of voice before it says that one begins. For the sound that opens an overlap that is right:
a level cannot tell a voice. Just after a voice was let go, its next word ("No, ... that is wrong") can be taken from
the level, and given back when the line falls quiet with no voice detected.

The end of a voice is left to voice detection. Taken from the level as well, every pause inside an interruption let the
agent sound again, and a backchannel's gap was hardly shorter: not worth it.
"""

from __future__ import annotations

from pipecat_interrupt.overlap.actions import Action
from pipecat_interrupt.overlap.onset import OnsetFinder
from pipecat_interrupt.overlap.session import OverlapSession

SOUND_AGAIN_S = 0.1
"""A line loud for so long just after a voice is its next word and no click."""

LOUD_SHARE_MIN = 0.9
"""How much of it must be loud."""

SOUND_OVER_S = 0.15
"""Silence that ends a sound; stop consonants are shorter."""


def listen_on(session: OverlapSession, finder: OnsetFinder, now_s: float) -> list[Action]:
    """Tell the session of the next word of a voice that was let go, or of the end of a sound that holds the agent."""
    if session.expects_more(now_s):
        loud = finder.loud_share(now_s, SOUND_AGAIN_S) >= LOUD_SHARE_MIN
        return session.sounds_again(now_s) if loud else []
    if session.held_on_sound and finder.loud_share(now_s, SOUND_OVER_S) == 0.0:
        return session.sound_over(now_s)
    return []
