"""What a ledger store may raise; part of the tree in `obligations.errors`.

::

    CallerError
    |-- Conflict                the store holds other events than the caller thinks; nothing was written
    |-- StaleToken              another worker has claimed the call since; nothing was written
    `-- CallClosed              the call was finished or erased; nothing was written
    EnvironmentFault
    |-- StoreUnavailable        the store cannot be reached, or did not answer in time
    |   `-- StoreRolledBack     the store answers but has lost what it had confirmed
    |-- HandoffNotSent          a sink could not pass a hand-off on
    `-- FileInUse               somebody is writing the file; nothing was touched
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from obligations.errors import CallerError, EnvironmentFault


class Conflict(CallerError):
    """The store holds other events than the caller thinks; nothing was written."""

    def __init__(self, expected_seq: int, stored_seq: int) -> None:
        super().__init__(f"append at {expected_seq} refused: the store's next event is {stored_seq}")
        self.expected_seq = expected_seq
        self.stored_seq = stored_seq


class StaleToken(CallerError):
    """Another worker has claimed the call since; nothing was written."""

    def __init__(self, token: int, current: int) -> None:
        super().__init__(f"token {token} is stale: the call is held with {current}")
        self.token = token
        self.current = current


class CallClosed(CallerError):
    """The call was finished or erased; nothing was written."""

    def __init__(self, how: Literal["finished", "erased", "not finished"]) -> None:
        super().__init__(f"the call was {how}")
        self.how = how


class StoreUnavailable(EnvironmentFault):
    """The store cannot be reached, or did not answer in time; whether it wrote anything is not known."""


class StoreRolledBack(StoreUnavailable):
    """The store answers but has lost what it had confirmed, as a server does that restarts without its data."""


class HandoffNotSent(EnvironmentFault):
    """A sink could not pass a hand-off on; it stays in the store and can be offered again.

    Parameters:
        refused: The receiver understood and refused; offering the same again will not help.
    """

    def __init__(self, why: str, *, refused: bool = False) -> None:
        super().__init__(why)
        self.refused = refused


class FileInUse(EnvironmentFault):
    """Somebody is writing the file; nothing was touched.

    Parameters:
        path: The file.
        holder: The process that writes it; None where the system does not tell.
    """

    def __init__(self, path: Path, holder: int | None) -> None:
        self.path, self.holder = path, holder
        super().__init__(f"{path}: is being written by {self.who}")

    @property
    def who(self) -> str:
        """Who writes it, in words."""
        if self.holder is None:
            return "another writer"
        return "another writer in this process" if self.holder == os.getpid() else f"process {self.holder}"
