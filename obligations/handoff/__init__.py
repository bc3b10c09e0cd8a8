"""The hand-off: what became of every obligation, as JSON and as a page."""

from obligations.handoff.build import build_handoff
from obligations.handoff.join import join
from obligations.handoff.markdown import to_markdown
from obligations.handoff.models import (
    AnswerGiven,
    Handoff,
    OpenItem,
    OpenReason,
    PatientQuestion,
    PointDelivered,
    RedFlag,
    SetAside,
    Words,
    handoff_schema,
)

__all__ = [
    "AnswerGiven",
    "Handoff",
    "OpenItem",
    "OpenReason",
    "PatientQuestion",
    "PointDelivered",
    "RedFlag",
    "SetAside",
    "Words",
    "build_handoff",
    "handoff_schema",
    "join",
    "to_markdown",
]
