"""What the judgement needs to know of a transcript frame: its language, and how unfinished words become final ones."""

from __future__ import annotations

from pipecat.frames.frames import InterimTranscriptionFrame, TranscriptionFrame


def as_final(frame: InterimTranscriptionFrame) -> TranscriptionFrame:
    """The last unfinished words, made a transcript, when the recogniser gave up on them."""
    final = TranscriptionFrame(frame.text, frame.user_id, frame.timestamp, frame.language, frame.result, True)
    final.interruptible = False
    return final


def language_of(frame: TranscriptionFrame | InterimTranscriptionFrame, of_call: str | None) -> str | None:
    """The language of a transcript.

    A recogniser that knows no regions ("pt") does not overrule the call's tag ("pt-BR").
    """
    heard = str(frame.language) if frame.language else None
    if heard is None or (of_call is not None and of_call.lower().split("-")[0] == heard.lower()):
        return of_call
    return heard
