"""Deepgram's pre-recorded answer: `results.channels[].alternatives[].words[]`, with speakers where it diarised.

Owns that form alone. Two channels: which one is the agent's is a setting, as with sound. One channel: its speakers are
voices labelled "0", "1", ...
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from pipecat_interrupt.replay.errors import RecordingRefused
from pipecat_interrupt.replay.readers.files import bounded, checked_word, json_of
from pipecat_interrupt.replay.readers.sides import by_label
from pipecat_interrupt.replay.settings import ReplaySettings
from pipecat_interrupt.replay.values import Note, Piece, Timeline, Word, split_at_pauses

PIECE_PAUSE_S = 0.8
"""A pause from which the words of one voice are two pieces: Deepgram's own default for an utterance."""

CHANNELS_MAX = 2


def is_deepgram(data: object) -> bool:
    """Say whether parsed JSON has this form."""
    results = data.get("results") if isinstance(data, Mapping) else None
    return isinstance(results, Mapping) and isinstance(results.get("channels"), list)


def read_deepgram(path: Path, settings: ReplaySettings, call_id: str) -> Timeline:
    """Read one answer.

    Raises:
        RecordingRefused: It holds no words with times, or nothing tells the agent's voice.
    """
    data = cast(dict[str, Any], json_of(path))
    channels = data["results"]["channels"]
    if not 1 <= len(channels) <= CHANNELS_MAX:
        raise RecordingRefused("channels", path.name, f"{len(channels)} channels; one or two are read")
    words = [_words(path.name, channel) for channel in channels]
    language = _language(channels[0])
    if len(channels) == CHANNELS_MAX:
        left_is_agent = settings.agent_channel == "left"
        sides = {"agent": words[0 if left_is_agent else 1], "far": words[1 if left_is_agent else 0]}
        notes = (
            [Note("channels_by_convention", "channel 0 is taken for the far end, 1 for the agent")]
            if settings.agent_channel == "auto"
            else []
        )
        voices = {side: _pieces([word for _, word in found], side) for side, found in sides.items()}
        return by_label(call_id, path.name, voices, settings, language=language, notes=notes)
    labels = dict.fromkeys(label for label, _ in words[0])
    voices = {label: _pieces([w for own, w in words[0] if own == label], label) for label in labels}
    return by_label(call_id, path.name, voices, settings, language=language)


def _words(name: str, channel: object) -> list[tuple[str, Word]]:
    try:
        alternatives = cast(dict[str, Any], channel)["alternatives"]
        raw = alternatives[0]["words"] if alternatives else []
        labelled: list[tuple[str, Word]] = []
        for item in raw:
            text = item.get("punctuated_word") or item.get("word")
            word = checked_word(name, text, item.get("start"), item.get("end"))
            if word is not None:
                labelled.append((str(item.get("speaker", "0")), word))
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise RecordingRefused("bad_text", name, "not the form of Deepgram's answer: words are missing") from error
    bounded(name, (word for _, word in labelled))
    return sorted(labelled, key=lambda found: found[1].start_s)


def _pieces(words: list[Word], label: str) -> list[Piece]:
    return [Piece(part, recognised=True, label=label) for part in split_at_pauses(words, PIECE_PAUSE_S)]


def _language(channel: object) -> str | None:
    found = channel.get("detected_language") if isinstance(channel, Mapping) else None
    return found if isinstance(found, str) and found else None
