"""Only the recorder, in an otherwise stock bot: no kit, no judgement, no ledger.

Run it: ``python examples/10_heard_truth_alone.py``. Three taps give one record an utterance; Pipecat's own strategies
decide who speaks. Its history and ours are printed beside each other.
"""

from __future__ import annotations

import sys
from typing import Any

from loguru import logger

from pipecat_interrupt.delivery import DeliveryRecorder
from pipecat_interrupt.testing import CallParts, ScriptedCall, run_call

logger.configure(handlers=[{"sink": sys.stderr, "level": "WARNING"}])  # Pipecat's own log would bury the output

ADVICE = "Take one tablet every morning with water. Do not drink alcohol while you take it."


def main() -> None:
    """Let the patient cut the agent off in the first sentence, with a voice that gives no word times."""
    recorder = DeliveryRecorder()

    def build(parts: CallParts) -> list[Any]:
        voice = [recorder.intended_tap(), parts.tts, recorder.generated_tap()]
        out = [parts.output, recorder.delivered_tap()]
        return [parts.input, parts.stt, parts.pair.user(), parts.llm, *voice, *out, parts.pair.assistant()]

    call = ScriptedCall(8.0).patient("Sorry, how big are they?", on_heard="morning")
    result = run_call(call, replies=[ADVICE, "About a centimetre."], tts="streaming", vad="energy", build=build)

    cut = recorder.records[0]
    said = next(str(m["content"]) for m in result.messages if m.get("role") == "assistant")
    print(f"stock history: {said}")
    print(f"delivered:     {cut.delivered}")
    print(f"undelivered:   {cut.undelivered.strip()}")
    assert cut.cut is not None
    print(f"cut:           {cut.cut.exactness}, at most {cut.cut.bound_words} words more were heard")


if __name__ == "__main__":
    main()
