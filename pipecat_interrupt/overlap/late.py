"""A last piece of a sentence that comes after its turn was closed is joined to that turn again.

Owns the two frames that do it, and what transcripts are marked with; no state.
"""

from __future__ import annotations

from typing import Any

from pipecat.frames.frames import Frame, InterimTranscriptionFrame, LLMMessagesTransformFrame, TranscriptionFrame

AGAIN_KEY = "pipecat_interrupt.again"
"""Frame metadata of a text that is given to the aggregator a second time: it was said once."""

LOW_CERTAINTY_KEY = "pipecat_interrupt.low_certainty"
"""Frame metadata of a transcript that is to be confirmed before use: the recogniser never confirmed its words, or they
are of sound that came late, so that nobody knows which question they answer."""


def merge_late_piece(turn_text: str, piece: TranscriptionFrame | InterimTranscriptionFrame) -> list[Frame]:
    """Frames to send before a late piece, so that the model's context holds one user message in the end.

    The message of the closed turn is taken out of the context, if it is still the last one, and its text is given to
    the aggregator again. When the agent has spoken since, nothing is joined: what was heard in between stays in
    between.

    Args:
        turn_text: What the aggregator wrote for the closed turn; "" when unknown.
        piece: The late piece.
    """
    if not turn_text:
        return []
    again = TranscriptionFrame(turn_text, piece.user_id, piece.timestamp, piece.language)
    again.interruptible = False
    again.metadata[AGAIN_KEY] = True

    def transform(messages: list[Any]) -> list[Any]:
        last = messages[-1] if messages else None
        if isinstance(last, dict) and last.get("role") == "user" and last.get("content") == turn_text:
            return messages[:-1]
        again.text = ""
        return messages

    take_out = LLMMessagesTransformFrame(transform=transform, run_llm=False)
    take_out.interruptible = False
    return [take_out, again]
