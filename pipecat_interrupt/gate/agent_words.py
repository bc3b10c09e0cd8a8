"""The agent's own words of the last seconds, to recognise them when they come back over the line. Pure."""

from __future__ import annotations

from collections import deque

TEXTS_MAX = 32


class AgentWords:
    """Remembers what the agent said.

    Args:
        keep_s: How long its words may come back.
    """

    def __init__(self, keep_s: float) -> None:
        self._keep_s = keep_s
        self._said: deque[tuple[float, str]] = deque(maxlen=TEXTS_MAX)

    def note(self, now_s: float, text: str) -> None:
        """The agent says something."""
        self._said.append((now_s, text))

    def recent(self, now_s: float) -> str:
        """The words that may still come back; "" when there are none."""
        return " ".join(text for at_s, text in self._said if at_s >= now_s - self._keep_s)
