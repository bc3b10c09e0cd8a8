"""The tracker: facts of a live call in, events and moves out."""

from obligations.tracker.facts import Delivery, Reply, ReplyOutcome
from obligations.tracker.tracker import Tracker

__all__ = ["Delivery", "Reply", "ReplyOutcome", "Tracker"]
