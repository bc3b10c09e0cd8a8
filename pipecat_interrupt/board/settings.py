"""Settings of the live board: every bound. The access token is a secret and stands in the environment, never here."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class BoardSettings(BaseModel):
    """Every bound of the board; the defaults are our choice for a ward's screen and a few colleagues.

    Parameters:
        refresh_s: How often a watcher is told of changes; changes between two tellings are told as one.
        ping_s: How often a quiet stream sends a comment, so that a dead line is noticed.
        send_timeout_s: A watcher that takes nothing for this long is let go.
        watchers_max: Streams at once; one more is told to come back later.
        inbox_max: Journal entries waiting to be folded; beyond it the oldest are dropped and counted.
        calls_max: Calls on the board; for one more the longest-ended goes, and where none has ended it is not shown.
        keep_ended_s: How long an ended call stays.
        silent_s: A call without any news for this long is taken off, though it never ended.
        lines_max: Lines kept of each sort (said, decided) of one call.
        card_lines: Lines shown of each call on the board.
        call_lines: Lines shown on a call's own live page.
        session_s: How long a login lasts.
        insecure_cookie: Let the login cookie travel over plain HTTP; only for a machine of one's own.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    refresh_s: Annotated[float, Field(ge=0.02, le=10)] = 0.5
    ping_s: Annotated[float, Field(ge=1, le=60)] = 15.0
    send_timeout_s: Annotated[float, Field(ge=1, le=120)] = 10.0
    watchers_max: Annotated[int, Field(ge=1, le=1000)] = 32
    inbox_max: Annotated[int, Field(ge=100, le=1_000_000)] = 50_000
    calls_max: Annotated[int, Field(ge=1, le=10_000)] = 200
    keep_ended_s: Annotated[float, Field(ge=0, le=86_400)] = 600.0
    silent_s: Annotated[float, Field(ge=1, le=86_400)] = 3600.0
    lines_max: Annotated[int, Field(ge=10, le=100_000)] = 1000
    card_lines: Annotated[int, Field(ge=1, le=100)] = 6
    call_lines: Annotated[int, Field(ge=1, le=2000)] = 200
    session_s: Annotated[int, Field(ge=60, le=604_800)] = 43_200
    insecure_cookie: bool = False
