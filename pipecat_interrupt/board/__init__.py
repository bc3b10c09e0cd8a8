"""The live board: the calls in progress on one page, for people with the access token.

Needs the extra `board`. Mount it with `mount_board(app, board, token)`, or run `pipecat-interrupt board FOLDER`.
"""

from pipecat_interrupt.errors import MissingExtra

try:
    import fastapi  # noqa: F401
    import itsdangerous  # noqa: F401
    import sse_starlette  # noqa: F401
except ModuleNotFoundError as error:
    raise MissingExtra("the live board", "pip install 'pipecat-interrupt[board]'") from error

from pipecat_interrupt.board.access import TOKEN_ENV, BoardToken
from pipecat_interrupt.board.feeds import FolderFeed, RegistryFeed
from pipecat_interrupt.board.hub import Board
from pipecat_interrupt.board.redis_feed import RedisFeed
from pipecat_interrupt.board.routes import mount_board
from pipecat_interrupt.board.settings import BoardSettings

__all__ = [
    "TOKEN_ENV",
    "Board",
    "BoardSettings",
    "BoardToken",
    "FolderFeed",
    "RedisFeed",
    "RegistryFeed",
    "mount_board",
]
