"""One call from its files to its results: read, recognise where needed, replay.

Owns the order of these steps, and what becomes of a recording that has a transcript beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from obligations.handoff import Handoff
from obligations.pathway import Pathway
from pipecat_interrupt.journal import JournalEntry
from pipecat_interrupt.journal.entries import CallStarted
from pipecat_interrupt.replay.again import replay_journal
from pipecat_interrupt.replay.channels import fit_clock, one_voice_each, voice_stretches
from pipecat_interrupt.replay.engine import FarLine, Replayed, replay_timeline
from pipecat_interrupt.replay.errors import RecordingRefused
from pipecat_interrupt.replay.found import handoff_of, result_again, result_of
from pipecat_interrupt.replay.inputs import CallInput
from pipecat_interrupt.replay.readers import read_text, text_form
from pipecat_interrupt.replay.readers.journal import read_journal, timeline_of
from pipecat_interrupt.replay.recognise import Recogniser, sides_by_wording, transcribe
from pipecat_interrupt.replay.result import CallResult
from pipecat_interrupt.replay.settings import ReplaySettings
from pipecat_interrupt.replay.sound import Sound, read_sound
from pipecat_interrupt.replay.values import Note, Timeline
from speaker_gate import CallGate

GateMaker = Callable[[str], CallGate]
"""Makes a gate for one call, by its id."""


@dataclass(frozen=True, slots=True)
class ReplayedCall:
    """Everything a replay leaves of one call.

    Parameters:
        timeline: Who said what when.
        result: The document.
        handoff: What became of every obligation; None without a pathway.
        lines: The far end's words for the page.
        replayed: The facts; None for a journal.
    """

    timeline: Timeline
    result: CallResult
    handoff: Handoff | None
    lines: tuple[FarLine, ...]
    replayed: Replayed | None = None


def replay_files(
    call: CallInput,
    pathway: Pathway | None,
    settings: ReplaySettings | None = None,
    *,
    recogniser: Callable[[], Recogniser] | None = None,
    gate: GateMaker | None = None,
) -> ReplayedCall:
    """Replay the files of one call.

    Args:
        call: Its files.
        pathway: What the call must cover; None for overlaps and heard-truth alone.
        settings: Everything that has a default.
        recogniser: Gives the recogniser; asked only when a recording has no transcript.
        gate: Makes the call's speaker gate; used only where there is sound of the far end on a channel of its own.

    Raises:
        RecordingRefused: What is wrong with which file.
        MissingExtra: A package for this form of input is not installed.
    """
    settings = settings or ReplaySettings()
    if call.is_journal:
        return _journal(call, pathway, settings)
    sound = read_sound(call.sound) if call.sound is not None else None
    timeline, heard_by = _timeline(call, sound, pathway, settings, recogniser)
    made = gate(timeline.call_id) if gate is not None and timeline.far_audio is not None else None
    replayed = replay_timeline(timeline, pathway, settings, gate=made)
    names = tuple(path.name for path in call.files)
    result = result_of(replayed, sources=names, recogniser=heard_by, settings=settings.digest)
    return ReplayedCall(timeline, result, handoff_of(replayed), tuple(replayed.lines), replayed)


def _timeline(
    call: CallInput,
    sound: Sound | None,
    pathway: Pathway | None,
    settings: ReplaySettings,
    recogniser: Callable[[], Recogniser] | None,
) -> tuple[Timeline, str]:
    if sound is not None and call.texts and _no_transcript(call.texts[0]):
        note = Note("not_a_transcript", f"{call.texts[0].name} beside the recording is no transcript, and was not read")
        timeline, heard_by = _timeline(replace(call, texts=()), sound, pathway, settings, recogniser)
        return timeline.noted(note), heard_by
    if call.texts:
        timeline = replace(read_text(call.texts, settings, call.call_id), call_id=call.call_id)
        timeline = sides_by_wording(timeline, pathway, settings)
        return (timeline if sound is None else _with_sound(timeline, sound, settings)), ""
    if sound is None or call.sound is None:
        raise RecordingRefused("empty", call.call_id, "neither a recording nor a transcript")
    if recogniser is None:
        raise RecordingRefused(
            "no_voices",
            call.sound.name,
            "a recording without a transcript, and no recogniser: put a transcript beside it, or do not pass --no-stt",
        )
    ear = recogniser()
    return transcribe(sound, call.call_id, call.sound.name, ear, pathway, settings), ear.name


def _no_transcript(path: Path) -> bool:
    """Whether a file beside a recording is sound JSON of somebody else's, such as a carrier's record of the call."""
    try:
        text_form(path)
    except RecordingRefused as refusal:
        return refusal.code == "unknown_form"
    return False


def _with_sound(timeline: Timeline, sound: Sound, settings: ReplaySettings) -> Timeline:
    """Lay a transcript over its recording: which channel is whose, and whether both run by one clock."""
    apart, notes = one_voice_each(sound)
    timeline = replace(timeline, duration_s=max(timeline.duration_s, sound.duration_s)).noted(*sound.notes, *notes)
    if not apart:
        return timeline
    heard = [voice_stretches(channel) for channel in sound.channels]
    agent = 0 if settings.agent_channel == "left" else 1
    if settings.agent_channel == "auto":
        agent = max((0, 1), key=lambda i: _meeting(timeline, heard[i], heard[1 - i]))
    offset_s, rate, note = fit_clock(timeline.far, heard[1 - agent])
    if note is not None:
        timeline = timeline.noted(note)
    return replace(
        timeline,
        agent=tuple(piece.moved(offset_s, rate) for piece in timeline.agent),
        far=tuple(piece.moved(offset_s, rate) for piece in timeline.far),
        far_audio=sound.channels[1 - agent],
        agent_audio=sound.channels[agent],
    )


def _meeting(timeline: Timeline, agent_heard: list, far_heard: list) -> float:  # pyright: ignore[reportMissingTypeArgument, reportUnknownParameterType] - stretches
    """Seconds of words that lie where their own side sounds, were the channels so."""
    return sum(
        max(0.0, min(word.end_s, stretch.end_s) - max(word.start_s, stretch.start_s))
        for pieces, heard in ((timeline.agent, agent_heard), (timeline.far, far_heard))
        for piece in pieces
        for word in piece.words
        for stretch in heard
        if stretch.start_s < word.end_s and word.start_s < stretch.end_s
    )


def _journal(call: CallInput, pathway: Pathway | None, settings: ReplaySettings) -> ReplayedCall:
    path = call.texts[0]
    entries = read_journal(path)
    again = replay_journal(entries, pathway, licences=settings.licences)
    timeline = timeline_of(entries)
    note = _pathway_note(entries, pathway)
    timeline = timeline.noted(note) if note is not None else timeline
    result = result_again(again, timeline, sources=(path.name,), settings=settings.digest)
    handoff = again.tracker.handoff("", 0.0) if again.tracker is not None and again.tracker.ended else None
    verdicts = {fact.utterance_id: fact.verdict for fact in again.overlaps if fact.utterance_id}
    lines = [
        FarLine(at_s, turn.text, turn.speaker, verdicts.get(turn.onset_utterance_id or "", ""))
        for at_s, turn in again.turns
    ]
    lines += [
        FarLine(fact.onset_s, fact.words, fact.speaker, fact.verdict, counted=False)
        for fact in again.overlaps
        if fact.words and fact.verdict in ("backchannel", "noise", "echo", "third_party")
    ]
    return ReplayedCall(timeline, result, handoff, tuple(sorted(lines, key=lambda line: line.at_s)))


def _pathway_note(entries: Sequence[JournalEntry], pathway: Pathway | None) -> Note | None:
    """Say so when a journal is not replayed with the pathway its call was made with: then no ledger can be the same."""
    started = entries[0].data
    assert isinstance(started, CallStarted)
    made = f"{started.pathway} {started.pathway_version}" if started.pathway is not None else None
    given = f"{pathway.id} {pathway.version}" if pathway is not None else None
    if made == given:
        return None
    if made is None:
        return Note("another_pathway", f"the call was made without a pathway, so {given} is not laid over it")
    if given is None:
        told = f"the call was made with {made}: its ledger is replayed with --pathway {started.pathway} alone"
        return Note("another_pathway", told)
    return Note(
        "another_pathway", f"the call was made with {made} and is replayed with {given}: its ledger must differ"
    )
