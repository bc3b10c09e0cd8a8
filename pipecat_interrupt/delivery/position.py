"""Where in an utterance the listener is: the value every question about "heard so far" is answered with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pipecat_interrupt.facts import Exactness


@dataclass(frozen=True, slots=True)
class Position:
    """A place in an utterance.

    Parameters:
        utterance_id: Whose place.
        chars: Delivered characters of the intended text.
        words: Delivered words.
        ms: Audio heard, ms.
        exactness: What the place rests on.
        bound_words: How many more words may have been heard at most.
        complete: Whether all of the utterance was heard.
        extent: "unknown" when nothing tells the place; `chars` is 0 then.
        partial_text: The written token begun and not finished, or "".
        partial_spoken: What was spoken of it.
    """

    utterance_id: str
    chars: int
    words: int
    ms: float
    exactness: Exactness
    bound_words: int = 0
    complete: bool = False
    extent: Literal["known", "unknown"] = "known"
    partial_text: str = ""
    partial_spoken: str = ""
