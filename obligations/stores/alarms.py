"""What a person on duty must know of a store: one small value, passed to a callback.

Owns the kinds of alarm and what happens where nobody listens (a log line with ids only).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from loguru import logger

AlarmKind = Literal[
    "store_away",
    "store_back",
    "spill_failed",
    "taken_over",
    "diverged",
    "second_handoff",
    "store_refused",
    "handoff_not_sent",
    "handoff_withheld",
    "begun_blind",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreAlarm:
    """Something about a store that a person must know.

    Parameters:
        kind: *store_away*: it fails, calls are kept here. *store_back*: all of it is in the store again.
            *spill_failed*: the local disk fails too, the call is kept in memory only. *taken_over*: another worker owns
            the call; this one stopped writing. *diverged*: what was kept here does not fit what the store holds; it
            stays in its file. *second_handoff*: another worker had finished the call already. *store_refused*: the
            store refused for another reason. *handoff_not_sent*: a sink did not take the hand-off; it is kept.
            *handoff_withheld*: this worker's hand-off was not given, because another worker owned or had finished the
            call; what only this worker knew stands in its journal. *begun_blind*: the store could not be asked whether
            another worker had begun the call; it was begun as new.
        call_id: The call; "" when it is about all.
        detail: A fixed text or an error's name; never words of the call.
    """

    kind: AlarmKind
    call_id: str = ""
    detail: str = ""


Alarm = Callable[[StoreAlarm], None]


def log_alarm(alarm: StoreAlarm) -> None:
    """Write an alarm to the log."""
    logger.warning("ledger store: {} (call {}) {}", alarm.kind, alarm.call_id or "-", alarm.detail)


def raise_alarm(listener: Alarm, alarm: StoreAlarm) -> None:
    """Tell a listener; its own failure is logged and goes no further."""
    try:
        listener(alarm)
    except Exception:
        logger.exception("a listener of store alarms failed")
