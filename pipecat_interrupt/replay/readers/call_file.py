"""This project's own call file: words with times for both sides, with what was intended where it is known.

Owns that form (version 1): `{"form": "pipecat-interrupt-call", "version": 1, "agent": [...], "far": [...]}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pipecat_interrupt.replay.errors import RecordingRefused
from pipecat_interrupt.replay.readers.files import bounded, checked_word, json_of
from pipecat_interrupt.replay.settings import CALL_S_MAX, WORDS_MAX
from pipecat_interrupt.replay.values import Note, Piece, Timeline, Word

CALL_FORM = "pipecat-interrupt-call"
TimeS = Annotated[float, Field(ge=0.0, le=CALL_S_MAX, allow_inf_nan=False)]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class CallWord(_Model):
    """One word; times in seconds from the start of the recording."""

    text: Annotated[str, Field(min_length=1, max_length=200)]
    start_s: TimeS
    end_s: TimeS


class CallPiece(_Model):
    """One stretch of speech.

    Parameters:
        words: What was said; at least one word.
        intended: What the agent meant to say, where it is known; None otherwise, and always None for the far end.
        label: A name of the voice.
        recognised: Whether a recogniser made the words.
        timed: Whether the words' times were measured, not spread over the stretch.
    """

    words: Annotated[tuple[CallWord, ...], Field(min_length=1)]
    intended: str | None = None
    label: str = ""
    recognised: bool = False
    timed: bool = True


class CallFile(_Model):
    """A call as words with times.

    Parameters:
        call_id: The call's name; the file's own name when None.
        language: BCP 47 tag, None when unknown.
        duration_s: Length of the recording; the last word's end when None.
        ended: How the call ended, if known.
        agent: The agent's stretches of speech.
        far: The far end's.
    """

    form: Literal["pipecat-interrupt-call"] = CALL_FORM
    version: Literal[1] = 1
    call_id: str | None = None
    language: str | None = None
    duration_s: TimeS | None = None
    ended: str = "recording_ended"
    agent: tuple[CallPiece, ...] = ()
    far: tuple[CallPiece, ...] = ()


def is_call_file(data: object) -> bool:
    """Say whether parsed JSON claims this form."""
    return isinstance(data, Mapping) and data.get("form") == CALL_FORM


def read_call_file(path: Path, call_id: str) -> Timeline:
    """Read one call file.

    Raises:
        RecordingRefused: A field is missing or wrong; the first one is named.
    """
    try:
        call = CallFile.model_validate(json_of(path))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(step) for step in first["loc"])
        raise RecordingRefused("bad_text", path.name, f"{where}: {first['msg']}") from error
    agent, far = _pieces(path.name, call.agent), _pieces(path.name, call.far)
    if not agent and not far:
        raise RecordingRefused("empty", path.name, "nobody says anything in it")
    last_s = max(piece.end_s for piece in (*agent, *far))
    notes = () if agent and far else (Note("silent_side", f"the {'far end' if agent else 'agent'} says nothing"),)
    length_s = max(last_s, call.duration_s or 0.0)
    return Timeline(call.call_id or call_id, agent, far, length_s, call.language, notes, ended=call.ended)


def to_call_file(timeline: Timeline) -> CallFile:
    """Write a timeline in this form, such as what a recogniser made of a recording."""
    return CallFile(
        call_id=timeline.call_id,
        language=timeline.language,
        duration_s=timeline.duration_s,
        ended=timeline.ended,
        agent=tuple(_to_piece(piece) for piece in timeline.agent),
        far=tuple(_to_piece(piece) for piece in timeline.far),
    )


def _to_piece(piece: Piece) -> CallPiece:
    words = tuple(CallWord(text=w.text, start_s=round(w.start_s, 3), end_s=round(w.end_s, 3)) for w in piece.words)
    return CallPiece(
        words=words, intended=piece.intended, label=piece.label, recognised=piece.recognised, timed=piece.exact
    )


def _pieces(name: str, given: tuple[CallPiece, ...]) -> tuple[Piece, ...]:
    if sum(len(piece.words) for piece in given) > WORDS_MAX:
        raise RecordingRefused("too_large", name, f"more than {WORDS_MAX} words")
    pieces: list[Piece] = []
    for piece in given:
        made = (checked_word(name, w.text, w.start_s, w.end_s) for w in piece.words)
        words: list[Word] = bounded(name, (word for word in made if word is not None))
        if words:
            words.sort(key=lambda word: word.start_s)
            pieces.append(Piece(tuple(words), piece.intended, piece.timed, piece.recognised, piece.label))
    return tuple(sorted(pieces, key=lambda piece: piece.start_s))


def call_schema() -> dict[str, Any]:
    """Give the JSON Schema of a call file."""
    return CallFile.model_json_schema()
