"""The ledger's theory, as data.

An item is *dormant* until something makes it owed, then *open*, and ends *closed* or stays open for the hand-off.
What happens to it is one of fourteen steps. A step is legal only where the table has a row for it; the row says where
it leads. Two families of rows:

- content points: dormant -> open -> partial -> met | waived. `part_heard` says that some of the words were heard;
  `heard` that all were; `mistold` that something else than the point was heard in its place.
- questions: dormant -> open -> asked -> answered | declined | waived. `cut` (before the focus was heard) leads from
  open back to open; `heard` means that the focus was heard. A report by a third party and a doubtful answer change no
  state: they are attributes.

Closed states have no way back, so nothing that was heard can be un-heard. Two exceptions stay closed: a correction
replaces the value of an answered question, and a patient who declined may answer after all. Others do open again: an
answer that the patient takes back is doubted, a point that the agent takes back within earshot is `retracted`, and
when another person comes to the telephone, what the opening told the one before counts for nobody (`renewed`; the
ledger takes it for items of the opening alone, and only behind a `party_changed`).

Owns every transition. No other module may decide a state; `diagram` draws the documentation from this table.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

ItemKind = Literal["question", "point"]


class State(StrEnum):
    """Where an item stands."""

    DORMANT = "dormant"
    OPEN = "open"
    PARTIAL = "partial"
    MET = "met"
    ASKED = "asked"
    ANSWERED = "answered"
    DECLINED = "declined"
    WAIVED = "waived"


class Step(StrEnum):
    """What can happen to an item."""

    OPENED = "opened"
    HEARD = "heard"
    PART_HEARD = "part_heard"
    MISTOLD = "mistold"
    RETRACTED = "retracted"
    CUT = "cut"
    DOUBTED = "doubted"
    REPORTED = "reported"
    UNANSWERED = "unanswered"
    ANSWERED = "answered"
    DECLINED = "declined"
    REFUSED = "refused"
    WAIVED = "waived"
    RENEWED = "renewed"


CLOSED = frozenset({State.MET, State.ANSWERED, State.DECLINED, State.WAIVED})

_POINT: dict[Step, dict[State, State]] = {
    Step.OPENED: {State.DORMANT: State.OPEN},
    Step.PART_HEARD: {State.OPEN: State.PARTIAL, State.PARTIAL: State.PARTIAL},
    Step.CUT: {State.OPEN: State.OPEN, State.PARTIAL: State.PARTIAL},
    Step.HEARD: {State.OPEN: State.MET, State.PARTIAL: State.MET},
    Step.MISTOLD: {State.OPEN: State.OPEN, State.PARTIAL: State.PARTIAL},
    Step.RETRACTED: {State.MET: State.OPEN},
    Step.REFUSED: {State.OPEN: State.OPEN, State.PARTIAL: State.PARTIAL},
    Step.WAIVED: {State.DORMANT: State.WAIVED, State.OPEN: State.WAIVED, State.PARTIAL: State.WAIVED},
    Step.RENEWED: {State.OPEN: State.OPEN, State.PARTIAL: State.OPEN, State.MET: State.OPEN},
}

_QUESTION: dict[Step, dict[State, State]] = {
    Step.OPENED: {State.DORMANT: State.OPEN},
    Step.CUT: {State.OPEN: State.OPEN, State.ASKED: State.ASKED},
    Step.HEARD: {State.OPEN: State.ASKED, State.ASKED: State.ASKED},
    Step.DOUBTED: {State.ASKED: State.ASKED, State.ANSWERED: State.ASKED, State.DECLINED: State.ASKED},
    Step.REPORTED: {State.OPEN: State.OPEN, State.ASKED: State.ASKED},
    Step.UNANSWERED: {State.ASKED: State.ASKED},
    Step.ANSWERED: {State.ASKED: State.ANSWERED, State.ANSWERED: State.ANSWERED, State.DECLINED: State.ANSWERED},
    Step.DECLINED: {State.OPEN: State.DECLINED, State.ASKED: State.DECLINED},
    Step.REFUSED: {State.OPEN: State.OPEN, State.ASKED: State.ASKED},
    Step.WAIVED: {State.DORMANT: State.WAIVED, State.OPEN: State.WAIVED, State.ASKED: State.WAIVED},
    Step.RENEWED: {
        State.OPEN: State.OPEN,
        State.ASKED: State.OPEN,
        State.ANSWERED: State.OPEN,
        State.DECLINED: State.OPEN,
    },
}

TRANSITIONS: dict[ItemKind, dict[Step, dict[State, State]]] = {"point": _POINT, "question": _QUESTION}


def next_state(kind: ItemKind, state: State, step: Step) -> State | None:
    """Look a step up: where it leads from `state`, or None when the table has no such row."""
    return TRANSITIONS[kind].get(step, {}).get(state)
