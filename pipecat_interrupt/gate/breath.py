"""Puts the texts of one breath of another person's together: half a sentence is easily read for something else."""

from __future__ import annotations

from collections import deque

from pipecat.frames.frames import TranscriptionFrame

from pipecat_interrupt.gate.listening import GateEar, HeardTurn, others_only

WaitingText = tuple[TranscriptionFrame, HeardTurn | None]
"""A final transcript that waits for its verdict, and the turn it belongs to."""


def join_breath(first: WaitingText, waiting: deque[WaitingText], ear: GateEar) -> TranscriptionFrame:
    """Take from the queue what the same breath of another person's goes on with, and join its words to the first.

    Args:
        first: The text at the head, already taken from the queue.
        waiting: The texts behind it; those that are joined are taken out.
        ear: Knows which turn goes on in which.

    Returns:
        One transcript; the first one itself where nothing was joined. A joined one has no word times.
    """
    frame, turn = first
    if turn is None or not turn.over_agent or not others_only(ear.verdict_on(turn)):
        return frame
    words, last = [frame.text], turn
    while waiting:
        following = waiting[0][1]
        if following is None or following not in (last, ear.goes_on_in(last)):
            break
        if not following.settled or not others_only(ear.verdict_on(following)):
            break
        words.append(waiting.popleft()[0].text)
        last = following
    if len(words) == 1:
        return frame
    joined = TranscriptionFrame(" ".join(words), frame.user_id, frame.timestamp, frame.language)
    joined.interruptible = False
    return joined
