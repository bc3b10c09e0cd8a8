"""What the judgement needs of a transcript frame: its language, unfinished words made final, a request to stop."""

from __future__ import annotations

from loguru import logger
from pipecat.frames.frames import InterimTranscriptionFrame, TranscriptionFrame

from pipecat_interrupt.overlap.evidence import Evidence, TextStatus, Verdict, words_of
from pipecat_interrupt.overlap.judge import OverlapJudge
from pipecat_interrupt.overlap.protocols import FloorContext


def as_final(frame: InterimTranscriptionFrame) -> TranscriptionFrame:
    """The last unfinished words, made a transcript, when the recogniser gave up on them; marks on them stay."""
    final = TranscriptionFrame(frame.text, frame.user_id, frame.timestamp, frame.language, frame.result, True)
    final.interruptible = False
    final.metadata.update(frame.metadata)
    return final


def language_of(frame: TranscriptionFrame | InterimTranscriptionFrame, of_call: str | None) -> str | None:
    """The language of a transcript.

    A recogniser that knows no regions ("pt") does not overrule the call's tag ("pt-BR").
    """
    heard = str(frame.language) if frame.language else None
    if heard is None or (of_call is not None and of_call.lower().split("-")[0] == heard.lower()):
        return of_call
    return heard


def asks_to_stop(
    judge: OverlapJudge, frame: TranscriptionFrame | InterimTranscriptionFrame, floor: FloorContext
) -> bool:
    """Say whether a text, taken alone, asks the agent to stop; one that cannot be judged does."""
    try:
        evidence = Evidence(words_of(frame.text), TextStatus.FINAL, language=language_of(frame, floor.language()))
        return judge.judge(evidence).verdict is Verdict.STOP_REQUEST
    except Exception as error:
        logger.warning("a text could not be judged: {}", type(error).__name__)
        return True
