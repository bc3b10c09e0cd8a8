"""The judgement of items over the bundled references, made once: checks and planted bugs ask it thousands of times."""

from __future__ import annotations

from functools import cache

from benchmarks.judges.rules import RuleItems


@cache
def bundled_items() -> RuleItems:
    """Give it."""
    return RuleItems()
