"""The four cells of seed 000 as data: what is interrupted, how, and what must survive.

Owns the YAML under ``data`` and ``prompts`` and the models that validate it. Never runs anything.
"""

from benchmarks.cells.load import (
    agent_prompt,
    cell_ids,
    is_bundled,
    keep_cell,
    load_cell,
    load_cells,
    load_overlap_types,
    load_references,
    prompt_name,
)
from benchmarks.cells.models import (
    PROMPT_NAME,
    Arm,
    ArmPlan,
    Cell,
    ContentPoint,
    FaqReference,
    OverlapKind,
    OverlapType,
    Phase,
    PromptVariant,
    QuestionReference,
    References,
    TurnMode,
    TurnPlan,
)

__all__ = [
    "PROMPT_NAME",
    "Arm",
    "ArmPlan",
    "Cell",
    "ContentPoint",
    "FaqReference",
    "OverlapKind",
    "OverlapType",
    "Phase",
    "PromptVariant",
    "QuestionReference",
    "References",
    "TurnMode",
    "TurnPlan",
    "agent_prompt",
    "cell_ids",
    "is_bundled",
    "keep_cell",
    "load_cell",
    "load_cells",
    "load_overlap_types",
    "load_references",
    "prompt_name",
]
