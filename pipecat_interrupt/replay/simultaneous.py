"""Where both sides speak at once, from the times of their words alone: the independent count of overlaps.

Owns geometry, no verdict. It is what the typed overlaps are checked against.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pipecat_interrupt.replay.values import Side


@dataclass(frozen=True, slots=True)
class Together:
    """One stretch in which both sides speak.

    Parameters:
        start_s: Where the second voice came in.
        end_s: Where one of both fell silent.
        second: Which side came in over the other.
        agent_index: Which agent stretch.
        far_index: Which far-end stretch.
    """

    start_s: float
    end_s: float
    second: Side
    agent_index: int
    far_index: int


Interval = tuple[float, float]


def together(agent: Sequence[Interval], far: Sequence[Interval]) -> list[Together]:
    """Find every stretch in which an agent interval and a far-end interval overlap.

    Args:
        agent: (start, end) of the agent's utterances, ordered, not overlapping each other.
        far: The same of the far end.

    Returns:
        One entry a pair, in order of time. Both beginning at the same moment: the far end counts as second.
    """
    found: list[Together] = []
    first = 0
    for far_index, (far_start, far_end) in enumerate(far):
        while first < len(agent) and agent[first][1] <= far_start:
            first += 1
        for agent_index in range(first, len(agent)):
            agent_start, agent_end = agent[agent_index]
            if agent_start >= far_end:
                break
            if min(agent_end, far_end) <= max(agent_start, far_start):
                continue
            second: Literal["agent", "far"] = "far" if far_start >= agent_start else "agent"
            start_s, end_s = max(agent_start, far_start), min(agent_end, far_end)
            found.append(Together(start_s, end_s, second, agent_index, far_index))
    return sorted(found, key=lambda pair: pair.start_s)
