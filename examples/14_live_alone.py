"""Only the journal and its live exit: an application's own facts, chained in SQLite and told to an RTVI client.

Run it: ``python examples/14_live_alone.py``. No kit: a `JournalWriter`, a sink, a spill folder and one processor.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from loguru import logger

from pipecat_interrupt.journal import JournalWriter, SpillSink, verify_chain
from pipecat_interrupt.journal.databases import SqliteSink
from pipecat_interrupt.journal.entries import CallStarted, MoveMade, PatientTurn
from pipecat_interrupt.live import RtviFacts
from pipecat_interrupt.testing import CallParts, ScriptedCall, play_call, run_virtual

logger.configure(handlers=[{"sink": sys.stderr, "level": "WARNING"}])  # Pipecat's own log would bury the output


async def call(folder: Path) -> list[dict[str, Any]]:
    """Write three facts during a call; give what the client got."""
    facts = RtviFacts()  # text="off": no words of the call leave it
    journal = JournalWriter("42", (SqliteSink(folder / "journal.db"),), spill=SpillSink(folder / "spill"))
    journal.add_listener(facts.on_entry)

    async def begin(_: CallParts) -> None:
        journal.write(CallStarted(agent_id="mine"), 0.0)

    async def patient(_: CallParts) -> None:
        journal.write(PatientTurn(text="My grandson drives me.", speaker="primary"), 1.0)
        journal.write(MoveMade(purpose="ask", item_ids=("transport",)), 1.5)

    result = await play_call(
        ScriptedCall(2.0).do(begin, at_s=0.5).do(patient, at_s=1.0),
        vad="text",
        opening=None,
        build=lambda parts: [*parts.chain, facts.outlet()],
        worker_options={"enable_rtvi": True},
    )
    journal.close()
    return [m["data"] for m in result.parts.output.messages if m.get("type") == "server-message"]


def main() -> None:
    """Play the call, print what the client got and what the journal holds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for message in run_virtual(lambda: call(folder)):
            print(f"client: {message['n']} {message['data']}")
        kept = SqliteSink(folder / "journal.db")
        entries = kept.read("42")
        kept.close()
        print(f"journal: {verify_chain(entries)} entries, chain intact; spilled: {(folder / 'spill').exists()}")


if __name__ == "__main__":
    main()
