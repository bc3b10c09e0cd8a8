"""Cells of one's own in this process: read from a file, or kept in the store that holds their trials.

Owns one register, so that a cell is found by its id wherever a bundled one is, and its references are judged like the
bundled ones. Two different cells never share an id.
"""

from __future__ import annotations

from benchmarks.cells.models import Cell, Phase, References
from benchmarks.errors import CallerError

_cells: dict[str, Cell] = {}
_merged: list[References] = []  # At most one: the bundled references with those of the cells above.


def own_cell(cell_id: str) -> Cell | None:
    """Give a remembered cell."""
    return _cells.get(cell_id)


def remember(cell: Cell, bundled: References) -> Cell:
    """Make a cell known by its id, and its references with it.

    Args:
        cell: The cell; known already, it changes nothing.
        bundled: The bundled references, whose ids are taken.

    Raises:
        CallerError: Another cell has this id, or one of its references has an id that is taken.
    """
    known = _cells.get(cell.id)
    if known == cell:
        return cell
    if known is not None:
        raise CallerError(f"two different cells are called {cell.id!r}; give each an id of its own")
    taken = with_own(bundled).ids() & (cell.references.ids() if cell.references is not None else set())
    if taken:
        raise CallerError(f"cell {cell.id}: the reference id {min(taken)!r} is taken; give yours another")
    _cells[cell.id] = cell
    _merged.clear()
    return cell


def with_own(bundled: References) -> References:
    """Give the bundled references with those of every remembered cell; the same object until a cell is added."""
    own = [cell.references for cell in _cells.values() if cell.references is not None]
    if not own:
        return bundled
    if not _merged:
        every = [bundled, *own]
        _merged.append(
            References(
                questions={name: q for r in every for name, q in r.questions.items()},
                faqs={name: f for r in every for name, f in r.faqs.items()},
                neutral=tuple(sentence for r in every for sentence in r.neutral),
            )
        )
    return _merged[0]


def forget() -> None:
    """Forget every cell of one's own: one command begins with none."""
    _cells.clear()
    _merged.clear()


def fits_its_references(cell: Cell, references: References) -> bool:
    """Say whether the cell's reference is there, among the questions or the FAQs as its phase asks."""
    return cell.reference in (references.questions if cell.phase is Phase.GATHERING else references.faqs)
