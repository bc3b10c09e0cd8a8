"""Obligations: what a call must cover, whether it has, and what to say next.

Pure: no Pipecat, no network, no clock (time enters as ``now_s``). These are the names other rooms use; the seams are in
`obligations.coverage` and `obligations.answers`, the fakes in `obligations.testing`.
"""

from obligations.answers.protocol import AnswerKind, AnswerReader, AnswerReading, QuestionText, ReplySpeaker
from obligations.coverage.protocol import Coverage, CoverageMatcher, CoverageVerdict, PointText, Span
from obligations.handoff import Handoff, OpenItem, build_handoff, handoff_schema, to_markdown
from obligations.ledger import Event, Ledger, State, from_json, to_json
from obligations.pathway import Pathway, list_pathways, load_pathway, parse_pathway, pathway_schema
from obligations.steering import STOCK, End, EndReason, Listen, Move, PutThrough, Release, Speak, SteeringPolicy
from obligations.tracker import Delivery, Reply, ReplyOutcome, Tracker

__all__ = [
    "STOCK",
    "AnswerKind",
    "AnswerReader",
    "AnswerReading",
    "Coverage",
    "CoverageMatcher",
    "CoverageVerdict",
    "Delivery",
    "End",
    "EndReason",
    "Event",
    "Handoff",
    "Ledger",
    "Listen",
    "Move",
    "OpenItem",
    "Pathway",
    "PointText",
    "PutThrough",
    "QuestionText",
    "Release",
    "Reply",
    "ReplyOutcome",
    "ReplySpeaker",
    "Span",
    "Speak",
    "State",
    "SteeringPolicy",
    "Tracker",
    "build_handoff",
    "from_json",
    "handoff_schema",
    "list_pathways",
    "load_pathway",
    "parse_pathway",
    "pathway_schema",
    "to_json",
    "to_markdown",
]
