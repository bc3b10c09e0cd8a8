"""Writes annotation packs: what a person sees of a trial, and where the label goes.

Owns the blinding. A pack shows the dialogue and, for realism, the cut; never the agent's name, the system, the arm's
name, the judge's verdict or another annotator's label. The key that leads back to the trials is a file of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.cells import Phase, load_cell, load_overlap_types, load_references
from benchmarks.errors import CallerError
from benchmarks.files import make_folder, read_text, write_text
from benchmarks.simulator.seeds import stream
from benchmarks.simulator.transcript import AgentTurn, HeardTurn, heard_transcript, write_transcript
from benchmarks.simulator.trial_log import TrialLog

BLOCK_START = "```yaml"
BLOCK_END = "```"
KEY = "key.json"


@dataclass(frozen=True, slots=True)
class PackItem:
    """One dialogue of a pack.

    Parameters:
        number: Its number in the pack, from 1.
        trial: The trial behind it; not shown.
    """

    number: int
    trial: TrialLog


def make_pack(trials: Sequence[TrialLog], phase: Phase, size: int, seed: int) -> list[PackItem]:
    """Draw a pack of one phase: half baseline, half interrupted where there are enough, spread over agents, shuffled.

    Args:
        trials: Trials to draw from.
        phase: The phase; a pack has one question only.
        size: Dialogues wanted; fewer when there are fewer.
        seed: Seed of draw and order.

    Raises:
        CallerError: The trials of the phase are about different references.
    """
    draw = stream(seed, "pack", phase)
    eligible = [t for t in trials if t.phase is phase and t.eligible]
    asked = sorted({load_cell(trial.cell).reference for trial in eligible})
    if len(asked) > 1:
        raise CallerError(
            f"a pack asks one question, and the {phase.value} trials are about {', '.join(asked)}; use a store of one"
        )
    chosen: list[TrialLog] = []
    for interrupted, wanted in ((False, size // 2), (True, size - size // 2)):
        groups: dict[tuple[str, str, str], list[TrialLog]] = {}
        for trial in eligible:
            if trial.arm.interrupts is interrupted:
                groups.setdefault((trial.system, trial.agent, trial.cell + trial.arm.value), []).append(trial)
        queues = [draw.sample(group, len(group)) for _, group in sorted(groups.items())]
        draw.shuffle(queues)
        taken: list[TrialLog] = []
        while len(taken) < wanted and any(queues):
            for queue in queues:
                if queue and len(taken) < wanted:
                    taken.append(queue.pop())
        chosen += taken
    draw.shuffle(chosen)
    return [PackItem(number, trial) for number, trial in enumerate(chosen, start=1)]


def question_of(phase: Phase, reference: str) -> str:
    """Give the question a pack asks of every dialogue."""
    references = load_references()
    if phase is Phase.GATHERING:
        asked = references.questions[reference].ask
        return (
            f"Did the agent ask {asked}, or did the patient tell it unasked? Other words are fine if they ask the same."
            " A question that breaks off before it is complete has not been asked. `pass` if so, else `fail`."
        )
    points = "\n".join(f"- {point.convey}" for point in references.faqs[reference].points.values())
    return (
        "Did the agent convey all of these points somewhere in the call? Other words are fine if they mean the same."
        " Do not judge why a point is missing. `pass` if all were conveyed, else `fail`.\n\n" + points
    )


def _realism(trial: TrialLog) -> str:
    cell = load_cell(trial.cell)
    shown: list[str] = []
    for place in trial.interrupted_on:
        turn = trial.turns[place]
        if isinstance(turn, AgentTurn) and turn.planned_cut_chars is not None:
            cut = turn.planned_cut_chars
            shown.append(f"> Agent, in full: {turn.intended[:cut]} **|** {turn.intended[cut:].strip()}")
    kind = load_overlap_types()[cell.overlap]
    parts = [
        *shown,
        "",
        f"The bar marks where the patient began. Meant kind of overlap: {kind.definition} Placement: {kind.placement}",
        "`placement_realism`: is that a believable place? `content_realism`: do the patient's words fit the kind?"
        " yes or no.",
    ]
    return "\n".join(parts)


def block(*, realism: bool) -> str:
    """Give the empty block of one dialogue; `realism` asks how believable the interruption is as well."""
    lines = ["verdict:  # pass or fail", "reasoning:  # one or two sentences, may stay empty"]
    if realism:
        lines += ["placement_realism:  # yes or no", "content_realism:  # yes or no"]
    return "\n".join([BLOCK_START, *lines, BLOCK_END])


def opening_of(phase: Phase, reference: str) -> list[str]:
    """Give what stands above the dialogues of a pack."""
    return [
        f"# Annotation pack: {phase.value}",
        "Label every dialogue by yourself; do not talk about it before both of you are done. Fill in the block under"
        " each dialogue and change nothing else.",
        "## The question",
        question_of(phase, reference),
    ]


def shown(transcript: Sequence[HeardTurn]) -> str:
    """Write a patient-side transcript, one paragraph a turn."""
    return write_transcript(transcript).replace("\n", "\n\n")


def _page(items: Sequence[PackItem], phase: Phase) -> str:
    parts = opening_of(phase, load_cell(items[0].trial.cell).reference)
    for item in items:
        parts += [
            f"## Dialogue {item.number}",
            shown(heard_transcript(item.trial.turns)),
        ]
        if item.trial.arm.interrupts:
            parts.append(_realism(item.trial))
        parts.append(block(realism=item.trial.arm.interrupts))
    return "\n\n".join(parts) + "\n"


def write_pack(folder: Path, items: Sequence[PackItem], phase: Phase, annotators: Sequence[str]) -> list[Path]:
    """Write one copy an annotator and the key.

    Raises:
        ValueError: The pack is empty.
    """
    if not items:
        raise ValueError("there is no trial to annotate")
    return write_copies(
        folder, phase.value, _page(items, phase), {str(i.number): i.trial.trial_id for i in items}, annotators
    )


def _plain(annotator: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}", annotator):
        raise CallerError(f"annotator {annotator!r}: name annotators with letters, digits, '.', '-' and '_'")
    return annotator


def write_copies(folder: Path, name: str, page: str, key: Mapping[str, str], annotators: Sequence[str]) -> list[Path]:
    """Write a page once an annotator, and the key that leads from its numbers back.

    Raises:
        CallerError: An annotator's name cannot be part of a file's, or a copy with labels or of another pack is there.
    """
    copies = [folder / f"{name}-{_plain(annotator)}.md" for annotator in dict.fromkeys(annotators)]
    for path in copies:
        if path.exists() and read_text(path, "an annotator's copy of a pack") != page:
            raise CallerError(f"{path} holds labels, or another pack; write to another folder, or move it away")
    make_folder(folder)
    written = [write_text(path, page) for path in copies]
    return [*written, write_text(folder / f"{name}-{KEY}", json.dumps(dict(key), indent=1) + "\n")]
