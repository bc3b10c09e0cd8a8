"""Settings of overlap judgement, with where each default comes from."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Seconds = Annotated[float, Field(gt=0.0, le=30.0)]


class OverlapConfig(BaseModel):
    """Settings of the judge and of the live part.

    Parameters:
        language: BCP 47 tag used when a transcript carries none; None = unknown, then only language-free evidence
            counts.
        extra_backchannels: Further listening phrases of a deployment; blank and wordless entries are ignored.
        floor_threshold: Score from which the trained model says that the floor is taken; None = the model's own
            operating point (docs/overlap-model-card.md). Lower yields more readily.
        use_model: Whether the trained model is asked at all, for languages that have one.
        speech_s_to_yield: Voice that goes on this long after the hold is an interruption without any text (0.8 s parted
            backchannels from sentences in live calls; see docs/metrics/overlaps.md for the share of each).
        primary_speech_s_to_yield: The same once a speaker gate has said that it is the primary speaker, where that is
            sooner; never used without a gate.
        listening_s_to_yield: The same while the words so far only listen ("yeah, makes sense, yeah"); own choice, twice
            the other.
        provisional_voice_s_max: Shorter speech lets the agent go on at the end of the voice, before the text is
            known; a longer stretch is held on (0.6 s: a pause in "Wait, sorry, ..." came after 1 s).
        words_wait_s: How long after such short speech a recogniser that streams is given to name it first: its words
            are on their way ("Wait," and a pause is no backchannel). Not waited for where a recogniser has shown that
            it gives no unfinished words; 0 never waits. Own choice: the detector's 0.2 s of silence and this reach 0.35
            s behind a word, and a listening word is let go the moment it is known.
        linger_s: How long the hold goes on after speech too long for a provisional resume, waiting for more voice or
            text.
        text_wait_s: Longest wait for the text of an overlap after its voice ended (Whisper on two cores: 0.6-1.1 s).
        open_question_wait_s: The same while a question is open: then nothing but the text tells "no" from "mm-hmm".
        echo_window_s: How long after the agent fell silent its own words may still come back as text.
        late_piece_s: How long after a turn's end a text without new voice still belongs to that turn.
        unknown_language_words_max: Without a language table: most words of a backchannel.
        unknown_language_voice_s_max: Without a language table: longest voice of a backchannel.
        merge_late_pieces: Whether a late piece is joined to the turn it belongs to in the model's context.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    language: str | None = "en"
    extra_backchannels: tuple[str, ...] = ()
    floor_threshold: Annotated[float, Field(gt=0.0, lt=1.0)] | None = None
    use_model: bool = True
    speech_s_to_yield: Seconds = 0.8
    primary_speech_s_to_yield: Seconds = 0.8
    listening_s_to_yield: Seconds = 1.6
    provisional_voice_s_max: Seconds = 0.6
    words_wait_s: Annotated[float, Field(ge=0.0, le=1.0)] = 0.15
    linger_s: Seconds = 0.5
    text_wait_s: Seconds = 2.0
    open_question_wait_s: Seconds = 2.4
    echo_window_s: Seconds = 3.0
    late_piece_s: Seconds = 2.0
    unknown_language_words_max: Annotated[int, Field(ge=0, le=5)] = 1
    unknown_language_voice_s_max: Seconds = 0.6
    merge_late_pieces: bool = True
