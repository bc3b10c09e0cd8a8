"""Pathways: what a call must cover, read from YAML and checked whole."""

from obligations.pathway.answers import matches_any
from obligations.pathway.load import list_pathways, load_pathway, parse_pathway
from obligations.pathway.models import (
    Due,
    Group,
    Item,
    OnAnswer,
    OnFaq,
    OnPhase,
    Pathway,
    Phase,
    Point,
    Precondition,
    Question,
    Source,
)
from obligations.pathway.phrases import Acknowledgements, Phrases
from obligations.pathway.schema import pathway_schema

__all__ = [
    "Acknowledgements",
    "Due",
    "Group",
    "Item",
    "OnAnswer",
    "OnFaq",
    "OnPhase",
    "Pathway",
    "Phase",
    "Phrases",
    "Point",
    "Precondition",
    "Question",
    "Source",
    "list_pathways",
    "load_pathway",
    "matches_any",
    "parse_pathway",
    "pathway_schema",
]
