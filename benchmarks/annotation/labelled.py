"""Packs of the bundled labelled dialogues, so that somebody who has not seen the authors' labels can label them too.

Owns the blinding: order is drawn anew, and no label is shown. Read back with `read_pack`, like every pack.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.annotation.pack import KEY, block, opening_of, shown, write_copies
from benchmarks.annotation.read import read_pack
from benchmarks.cells import Phase
from benchmarks.judges.protocol import Outcome
from benchmarks.judges.validate import load_labelled
from benchmarks.simulator.seeds import stream

PREFIX = "labelled"


def name_of(phase: Phase) -> str:
    """Give the first part of a pack's file names."""
    return f"{PREFIX}-{phase.value}"


def dialogue_id(phase: Phase, place: int) -> str:
    """Name a labelled dialogue by its place in the bundled file, from 0."""
    return f"{PREFIX}/{phase.value}/{place}"


def write_labelled_pack(folder: Path, phase: Phase, annotators: Sequence[str], seed: int) -> list[Path]:
    """Write one copy an annotator, and the key.

    Args:
        folder: Where to.
        phase: Which judge's dialogues.
        annotators: Names for the copies.
        seed: Seed of the order.
    """
    reference, dialogues = load_labelled(phase)
    order = stream(seed, "labelled", phase).sample(range(len(dialogues)), len(dialogues))
    parts = opening_of(phase, reference)
    for number, place in enumerate(order, start=1):
        parts += [f"## Dialogue {number}", shown(dialogues[place].transcript), block(realism=False)]
    key = {str(number): dialogue_id(phase, place) for number, place in enumerate(order, start=1)}
    return write_copies(folder, name_of(phase), "\n\n".join(parts) + "\n", key, annotators)


def read_labelled_pack(folder: Path, phase: Phase, annotator: str) -> dict[int, Outcome]:
    """Read one annotator's labels back, by the dialogue's place in the bundled file.

    Raises:
        MissingData: The copy or its key is not there.
        UnreadableRow: A block is missing, empty or wrong; names file and line.
    """
    name = name_of(phase)
    labels = read_pack(folder / f"{name}-{annotator}.md", folder / f"{name}-{KEY}")
    return {int(label.trial_id.rpartition("/")[2]): Outcome(label.verdict) for label in labels}
