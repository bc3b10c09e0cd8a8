"""The whole idea on one screen: an agent is cut off, and the record says what reached the ear.

Run it: ``python examples/01_journal.py`` (no keys, no network, no models; a scripted call in virtual time).
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from loguru import logger
from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregatorParams

from pipecat_interrupt.journal import read_jsonl, verify_chain
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.testing import ScriptedCall, play_call, run_virtual

logger.configure(handlers=[{"sink": sys.stderr, "level": "WARNING"}])  # Pipecat's own log would bury the output

ANSWER = "Take one tablet every morning with water. Do not drink alcohol while you take it."


async def call(journal: Path) -> InterruptKit:
    """Let a patient ask, and cut the agent off at the word "water"."""
    kit = InterruptKit(journal=journal)
    script = (
        ScriptedCall(12.0)
        .patient("How do I take these?", at_s=0.5)
        .patient("Sorry, wait, how big are they?", on_heard="water")
    )
    await play_call(
        script,
        replies=[ANSWER, "About a centimetre."],
        tts="words",
        opening=None,
        user_params=lambda _: LLMUserAggregatorParams(user_turn_strategies=kit.turn_strategies()),
        instrument=kit.instrument,
    )
    return kit


def main() -> None:
    """Play the call and print every agent utterance as it was heard."""
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "journal.jsonl"
        kit = run_virtual(lambda: call(journal))
        entries = read_jsonl(journal)
        print(f"journal: {verify_chain(entries)} entries, chain intact")
    for record in kit.scribe.records:
        print(f"\nintended:    {record.intended}")
        print(f"delivered:   {record.delivered}")
        print(f"undelivered: {record.undelivered}")
        if record.cut is not None:
            print(f"cut:         after {record.cut.words} words, {record.cut.ms:.0f} ms ({record.cut.exactness})")
        if record.overlap is not None:
            o = record.overlap
            print(f'by:          {o.speaker} voice at {o.onset_s:.2f} s, {o.kind}, {o.verdict}: "{o.words}"')


if __name__ == "__main__":
    main()
