"""Which voice is the agent's: by its label, else not at all. Owns that one decision for all text readers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pipecat_interrupt.replay.errors import RecordingRefused
from pipecat_interrupt.replay.settings import ReplaySettings
from pipecat_interrupt.replay.values import Note, Piece, Timeline


def named(label: str, names: Sequence[str]) -> bool:
    """Say whether a label is one of the names, or ends with one ("day1_consultation02_doctor")."""
    plain = label.strip().lower()
    return any(plain == name or plain.endswith((f"_{name}", f"-{name}", f" {name}")) for name in names)


def by_label(
    call_id: str,
    name: str,
    voices: Mapping[str, Sequence[Piece]],
    settings: ReplaySettings,
    *,
    language: str | None = None,
    notes: Sequence[Note] = (),
    duration_s: float = 0.0,
) -> Timeline:
    """Make a timeline of labelled voices.

    Args:
        call_id: The call's name.
        name: The file's name, for refusals.
        voices: Pieces by label.
        settings: Labels of either side.
        language: BCP 47 tag, where the source gives one.
        notes: What the reader found odd.
        duration_s: Length the source states; the end of the last word counts when it is later.

    Raises:
        RecordingRefused: No label tells the agent, or nothing was said.
    """
    filled = {label: list(pieces) for label, pieces in voices.items() if pieces}
    if not filled:
        raise RecordingRefused("empty", name, "nobody says anything in it")
    agent = [label for label in filled if named(label, settings.agent_labels)]
    far = [label for label in filled if named(label, settings.far_labels)]
    if not agent and len(filled) - len(far) == 1:
        agent = [label for label in filled if label not in far]
    if not agent and not far:
        raise RecordingRefused(
            "no_voices",
            name,
            f"no voice is named as the agent's (the file names {len(filled)}); pass --agent-label NAME",
        )
    agent_pieces = _ordered(piece for label in agent for piece in filled[label])
    far_pieces = _ordered(piece for label in filled if label not in agent for piece in filled[label])
    last_s = max(piece.end_s for piece in (*agent_pieces, *far_pieces))
    silent = [side for side, pieces in (("agent", agent_pieces), ("far end", far_pieces)) if not pieces]
    found = [*notes, *(Note("silent_side", f"the {side} says nothing") for side in silent)]
    if any(not piece.exact for piece in (*agent_pieces, *far_pieces)):
        found.append(Note("times_spread", "the source times stretches, not words: word times are spread by letters"))
    person = bool(agent) and all(named(label, settings.person_labels) for label in agent)
    others = [label for label in filled if label not in agent]
    return Timeline(
        call_id,
        agent_pieces,
        far_pieces,
        max(last_s, duration_s),
        language,
        tuple(found),
        by_person=person,
        patient_named=bool(others) and all(named(label, settings.patient_labels) for label in others),
    )


def _ordered(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    return tuple(sorted(pieces, key=lambda piece: (piece.start_s, piece.end_s)))
