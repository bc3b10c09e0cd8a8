"""Steering: what to say next, what to tell a model, and whether the call may end."""

from obligations.steering.agenda import Agenda
from obligations.steering.flow import Flow
from obligations.steering.guard import Guard
from obligations.steering.moves import End, EndReason, Listen, Move, Purpose, PutThrough, Release, Speak
from obligations.steering.policy import STOCK, SteeringPolicy
from obligations.steering.reminder import Reminder
from obligations.steering.script import Script

__all__ = [
    "STOCK",
    "Agenda",
    "End",
    "EndReason",
    "Flow",
    "Guard",
    "Listen",
    "Move",
    "Purpose",
    "PutThrough",
    "Release",
    "Reminder",
    "Script",
    "Speak",
    "SteeringPolicy",
]
