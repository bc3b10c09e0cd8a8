"""Stores: where a call's events outlive its worker, and how its one hand-off leaves.

The seams, the store in memory, the wrapper that survives an outage, and the call that keeps itself. Stores on SQLite
and Redis, FHIR and the webhook are in `obligations.adapters`.
"""

from obligations.stores.errors import (
    CallClosed,
    Conflict,
    HandoffNotSent,
    StaleToken,
    StoreRolledBack,
    StoreUnavailable,
)
from obligations.stores.memory import MemoryStore
from obligations.stores.protocol import FencingToken, HandoffSink, LedgerStore, StoreErasure

__all__ = [
    "CallClosed",
    "Conflict",
    "FencingToken",
    "HandoffNotSent",
    "HandoffSink",
    "LedgerStore",
    "MemoryStore",
    "StaleToken",
    "StoreErasure",
    "StoreRolledBack",
    "StoreUnavailable",
]
