"""A worker process for the crash tests: holds a call on a real store until it is killed.

Run as ``python -m tests.obligations.stores.worker sqlite PATH|redis URL CALL_ID UTTERANCES``. Prints one line when it
stands in the middle of a sentence, then waits for its end.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from obligations import Speak, load_pathway
from obligations.adapters.redis_store import RedisStore, RedisStoreConfig
from obligations.adapters.sqlite_store import SqliteStore
from obligations.answers.reader import LocalAnswerReader
from obligations.stores import KeptCall, LedgerStore
from obligations.testing import ScriptedCall

PATHWAY = "cataract-followup"


def open_store(kind: str, where: str) -> LedgerStore:
    return SqliteStore(Path(where)) if kind == "sqlite" else RedisStore(RedisStoreConfig(url=where))


async def main(kind: str, where: str, call_id: str, utterances: int) -> None:
    store = open_store(kind, where)
    kept = await KeptCall.open(
        store, load_pathway(PATHWAY), call_id=call_id, worker_id="first", reader=LocalAnswerReader()
    )
    call = ScriptedCall(kept.tracker)
    for _ in range(utterances):
        move = call.move()
        if isinstance(move, Speak):
            call.say(move.text)
        else:
            call.hear("Yes, that is fine.")
        kept.changed()
        await kept.flush()
    kept.tracker.intended("cut-off", "One more thing that nobody will hear the end of.", call.now_s)
    kept.tracker.started("cut-off", call.now_s)
    kept.changed()
    await kept.flush()
    sys.stdout.write("in mid-sentence\n")
    sys.stdout.flush()
    for line in sys.stdin:  # woken again after it was taken for dead: goes on as if nothing had happened
        kept.tracker.hearing(line)
        handoff, first = await kept.finish("hangup", call.now_s)
        sys.stdout.write(f"finished {handoff.end_reason} first={first} lost={kept.lost}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])))
