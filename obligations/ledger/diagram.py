"""The ledger's state diagram, drawn from its table so that the picture cannot go stale."""

from __future__ import annotations

from obligations.ledger.states import CLOSED, TRANSITIONS, ItemKind, State, Step


def state_diagram(kind: ItemKind) -> str:
    """Draw one kind of item as a Mermaid state diagram; several steps between the same two states share an arrow."""
    arrows: dict[tuple[State, State], list[Step]] = {}
    for step, rows in TRANSITIONS[kind].items():
        for before, after in rows.items():
            arrows.setdefault((before, after), []).append(step)
    used = {state for pair in arrows for state in pair}
    order = list(State)
    lines = ["stateDiagram-v2", f"    [*] --> {State.DORMANT}"]
    for before, after in sorted(arrows, key=lambda pair: (order.index(pair[0]), order.index(pair[1]))):
        lines.append(f"    {before} --> {after}: {', '.join(arrows[before, after])}")
    lines += [f"    {state} --> [*]" for state in order if state in CLOSED and state in used]
    return "\n".join(lines)
