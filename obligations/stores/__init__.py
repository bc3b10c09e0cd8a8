"""Stores: where a call's events outlive its worker, and how its one hand-off leaves.

The seams, the store in memory, the wrapper that survives an outage, and the call that keeps itself. Stores on SQLite
and Redis, FHIR and the webhook are in `obligations.adapters`.
"""

from obligations.stores.alarms import Alarm, StoreAlarm, log_alarm
from obligations.stores.erasure import Erasure, erase_call
from obligations.stores.errors import (
    CallClosed,
    Conflict,
    HandoffNotSent,
    StaleToken,
    StoreRolledBack,
    StoreUnavailable,
)
from obligations.stores.kept_call import KeptCall, finish_lost, send_all, send_unsent
from obligations.stores.memory import MemoryStore
from obligations.stores.outage import ResilienceConfig
from obligations.stores.protocol import FencingToken, HandoffSink, LedgerStore, StoreErasure
from obligations.stores.resilient import ResilientStore
from obligations.stores.retention import Retired, erase_older

__all__ = [
    "Alarm",
    "CallClosed",
    "Conflict",
    "Erasure",
    "FencingToken",
    "HandoffNotSent",
    "HandoffSink",
    "KeptCall",
    "LedgerStore",
    "MemoryStore",
    "ResilienceConfig",
    "ResilientStore",
    "Retired",
    "StaleToken",
    "StoreAlarm",
    "StoreErasure",
    "StoreRolledBack",
    "StoreUnavailable",
    "erase_call",
    "erase_older",
    "finish_lost",
    "log_alarm",
    "send_all",
    "send_unsent",
]
