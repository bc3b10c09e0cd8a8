"""The study's cells as scenario files for `pipecat eval`: the same calls, driven by Pipecat's own tool.

Owns the translation. Pipecat places a cut by a delay after the agent began to speak, not at a word, and a script cannot
answer what it does not expect: both are coarser than the simulator, which stays the measure (docs/benchmarks.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import yaml

from benchmarks.cells import Arm, Cell, Phase, load_cell, load_references
from benchmarks.cells.models import TurnPlan
from benchmarks.files import write_text

Modality = Literal["audio", "text"]
CUT_AFTER_MS = {Phase.GATHERING: 1200, Phase.PROVISION: 2500}
"""From the agent's first sound to the cut: inside the question's stem, inside the answer's first half."""

CONSENT = "Yes, that's fine."
NOTHING = "No, nothing like that."
CLOSING = "No, that's all, thank you. Goodbye."
FOLLOWING_ANSWERS = 5  # As many as the pathway has questions.

BLOCKS: dict[Modality, dict[str, dict[str, Any]]] = {
    "audio": {
        "user": {"modality": "audio", "speech": {"service": "kokoro", "voice": "af_heart"}},
        "judge": {"modality": "audio", "transcription": {"service": "moonshine"}},
    },
    "text": {"user": {"modality": "text"}, "judge": {"modality": "text"}},
}


def criterion(cell: Cell) -> str:
    """Say what must have been asked or conveyed by the end; Pipecat's judge reads the conversation so far."""
    references = load_references()
    if cell.phase is Phase.GATHERING:
        wanted = f"has asked {references.questions[cell.reference].ask}, in a question that was not broken off,"
    else:
        points = references.faqs[cell.reference].points.values()
        listed = " ".join(f"({number}) {point.convey}" for number, point in enumerate(points, start=1))
        wanted = f"has conveyed each of these points, none of them broken off: {listed} It has done so"
    return (
        f"Taking this reply together with everything the assistant said before it: the assistant {wanted} somewhere in"
        " the conversation. Judge the content alone, not whether this reply is polite or ends the call."
    )


def scenario(cell: Cell, arm: Arm, modality: Modality) -> dict[str, Any]:
    """Give one arm of a cell as a scripted scenario."""
    question = load_references().faqs[cell.reference].question if cell.phase is Phase.PROVISION else None
    plan = cell.arms[arm].turn
    begun = "bot_started_speaking" if modality == "audio" else "llm_started"
    # A turn that is cut into is met by its beginning: after its whole reply there is nothing left to cut.
    target = _says(question or CONSENT, "response" if plan is None else begun)
    opening: list[dict[str, Any]] = [{"expect": [{"event": "response"}]}, target]
    cut = [] if plan is None else [_cut(cell, plan, begun)]
    following = NOTHING if question is None else "Okay, thank you."
    answers = [_says(following) for _ in range(FOLLOWING_ANSWERS if question is None else 1)]
    closing = {"user": CLOSING, "expect": [{"event": "response", "eval": criterion(cell)}]}
    return {"name": arm.value, "turns": [*opening, *cut, *answers, closing]}


def scenario_file(cell: Cell, arms: Sequence[Arm], modality: Modality) -> str:
    """Write one cell as a scenario file.

    Args:
        cell: The cell.
        arms: The arms to write, those the cell has.
        modality: How the turns are delivered and judged; a cut needs "audio" to mean anything at the ear.
    """
    body = {
        "name": cell.id.lower().replace("-", "_"),
        "stop_on_failure": False,
        **BLOCKS[modality],
        "scenarios": [scenario(cell, arm, modality) for arm in arms if arm in cell.arms],
    }
    head = f"# {cell.title}. Made from the cell {cell.id}; change the cell and make it again.\n"
    return head + yaml.safe_dump(body, sort_keys=False, allow_unicode=True, width=120)


def write_scenarios(folder: Path, cells: Sequence[str], arms: Sequence[Arm], modality: Modality) -> list[Path]:
    """Write a file a cell.

    Raises:
        UnknownName: There is no such cell; nothing was written.
    """
    loaded = [load_cell(name) for name in cells]
    return [
        write_text(folder / f"{cell.id.lower().replace('-', '_')}.yaml", scenario_file(cell, arms, modality))
        for cell in loaded
    ]


def _says(text: str, met_by: str = "response") -> dict[str, Any]:
    return {"user": text, "expect": [{"event": met_by}]}


def _cut(cell: Cell, plan: TurnPlan, begun: str) -> dict[str, Any]:
    """The interrupting turn: sent while the agent speaks; the reply to it is part of what is expected."""
    return {
        "user": plan.utterance or plan.examples[0],
        "send_after": {"event": begun, "delay_ms": CUT_AFTER_MS[cell.phase]},
        "expect": [{"event": "response"}],
    }
