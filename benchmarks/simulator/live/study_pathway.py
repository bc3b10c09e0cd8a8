"""The bundled cataract pathway with the study's references marked as critical.

The study counts an answer as lost when any one of its three content points is missing. The bundled pathway marks only
the escalation criteria as critical, and the end-of-call guard speaks critical items alone; to measure the study's
claim, what the study requires must be required here too. docs/benchmarks.md reports both.
"""

from __future__ import annotations

from functools import cache

from benchmarks.simulator.live.claims import item_ids
from obligations.pathway import Pathway, load_pathway

PATHWAY = "cataract-followup"


@cache
def study_pathway() -> Pathway:
    """Give the pathway in which every item that a cell may be about is critical."""
    pathway = load_pathway(PATHWAY)
    required = item_ids()
    groups = tuple(
        group.model_copy(
            update={
                "items": tuple(
                    item.model_copy(update={"critical": True}) if item.id in required else item for item in group.items
                )
            }
        )
        for group in pathway.groups
    )
    return pathway.model_copy(update={"groups": groups})


@cache
def bundled_pathway() -> Pathway:
    """Give the pathway as it is bundled."""
    return load_pathway(PATHWAY)
