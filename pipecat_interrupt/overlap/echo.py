"""Is this the agent's own voice, come back through a loudspeaker? The text side of the question.

Owns one measure and its threshold. Voice evidence (a speaker gate that knows the agent's voice) goes before it.
"""

from __future__ import annotations

import re

from pipecat_interrupt.overlap.tokens import tokens

ECHO_WORDS_MIN = 4
"""Fewest words that text alone may call an echo: a few words of the agent's are said by patients all the time."""

ECHO_WORDS_MIN_SOUNDING = 2
"""Fewest words that make an echo when the line has just carried the agent's own sound; all of them must then follow
the agent's. One word is never enough: "stop" is among the agent's own words too."""

ECHO_SIMILARITY_MIN = 0.85
"""Least share of the words that must follow the agent's own in one run (own choice, shown by field case D17)."""

QUESTION_SHARE_MIN = 0.6
"""Least share of an open question that its echo must cover: an answer takes up a piece of it ("two tablets at
night")."""

RECENT_WORDS_MAX = 60
"""How far back the agent's own words are compared."""


def echo_similarity(text: str, agent_recent: str) -> float:
    """Say how far a transcript is one run of the agent's own recent words.

    Words must come in the agent's order; a recogniser may lose or change some on the way. A patient who takes words
    up and puts them into their own sentence ("pain when I breathe, yes") breaks the run.

    Args:
        text: The transcript.
        agent_recent: What the agent said lately.

    Returns:
        Share of the transcript's words in [0, 1] that align with one contiguous stretch of the agent's words, less the
        agent's words skipped inside that stretch. 0.0 when either side is empty.
    """
    heard = tokens(text)
    own = tokens(agent_recent)[-RECENT_WORDS_MAX:]
    if not heard or not own:
        return 0.0
    # Cheapest edit of `heard` against any stretch of `own` (the stretch may begin and end anywhere).
    row = [0] * (len(own) + 1)
    for i, word in enumerate(heard, start=1):
        previous, row[0] = row[0], i
        for j, mine in enumerate(own, start=1):
            keep = previous + (word != mine)
            previous, row[j] = row[j], min(keep, row[j] + 1, row[j - 1] + 1)
    return max(0.0, 1.0 - min(row) / len(heard))


def is_echo(text: str, agent_recent: str, question_open: bool = False, *, sounding: bool = False) -> bool:
    """Say whether the words make this the agent's echo.

    While a question is open an answer may take up its words in one run, so an echo must then cover most of the
    question.

    Args:
        text: The transcript.
        agent_recent: What the agent said lately.
        question_open: Whether the agent waits for an answer.
        sounding: Whether the line was just found to carry the agent's own sound.
    """
    heard = tokens(text)
    if sounding and not question_open and len(heard) >= ECHO_WORDS_MIN_SOUNDING:
        return echo_similarity(text, agent_recent) >= (1.0 if len(heard) < ECHO_WORDS_MIN else ECHO_SIMILARITY_MIN)
    if len(heard) < ECHO_WORDS_MIN or echo_similarity(text, agent_recent) < ECHO_SIMILARITY_MIN:
        return False
    if not question_open:
        return True
    question = re.split(r"(?<=[.!?])\s+", agent_recent.strip())[-1]
    return len(heard) >= QUESTION_SHARE_MIN * max(1, len(tokens(question)))
