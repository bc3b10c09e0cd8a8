"""`pipecat-interrupt page JOURNAL`: a finished call as one HTML file, with its recording where there is one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipecat_interrupt.cli.targets import check_target

if TYPE_CHECKING:
    from pipecat_interrupt.journal import JournalEntry

OWN_FOLDER = "journal.jsonl"
"""A journal of this name has its folder to itself; what the call left beside it has fixed names."""


def page_command(
    journal: Annotated[Path, typer.Argument(help="A call's JSONL journal.", exists=True, dir_okay=False)],
    audio: Annotated[
        Path | None,
        typer.Option(
            help="16-bit WAV, far end left, agent right; NAME.wav or call.wav beside the journal when left out."
        ),
    ] = None,
    no_audio: Annotated[bool, typer.Option("--no-audio", help="Leave the recording out.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(help="File to write; when left out NAME.html beside NAME.jsonl, call.html beside journal.jsonl."),
    ] = None,
) -> None:
    """Draw a call's journal as one HTML file that opens anywhere, without a server and without the network.

    The page holds the patient's words, and their voice when a recording is there: keep it like the recording itself.
    """
    from pipecat_interrupt.errors import SettingsError
    from pipecat_interrupt.journal import read_jsonl, verify_chain

    if audio is not None and audio.exists() and not audio.is_file():
        raise SettingsError(f"--audio {audio}: not a file, but a pipe, a device or a folder; name a WAV file")
    entries = read_jsonl(journal)
    if not entries:
        raise SettingsError(f"{journal}: empty; a journal begins with call_started")
    verify_chain(entries, journal.name)
    sound = None if no_audio else audio or _beside(journal, f"{journal.stem}.wav", "call.wav")
    handoff = _beside(journal, f"{journal.stem}.md", "handoff.md")
    target = out or journal.with_name(_page_name(journal))
    check_target(target, journal, *(path for path in (sound, handoff) if path is not None), earlier=_is_page)
    text = handoff.read_text(encoding="utf-8") if handoff is not None else ""
    target.write_text(_drawn(entries, sound, text), encoding="utf-8")
    typer.echo(f"{target}: {len(entries)} entries, {'with' if sound else 'without'} sound")


def _is_page(head: bytes) -> bool:
    return b'<meta name="pipecat-interrupt-call"' in head


def _page_name(journal: Path) -> str:
    """A page a journal: two of one folder must not replace each other's."""
    return "call.html" if journal.name == OWN_FOLDER else f"{journal.stem}.html"


def _drawn(entries: list[JournalEntry], sound: Path | None, handoff: str) -> str:
    from pipecat_interrupt.demo.measure import stretches
    from pipecat_interrupt.page import VoiceSegment, pack, read_wav, render_page, view_of

    view = view_of(entries)
    if sound is None:
        return render_page(view, handoff_markdown=handoff)
    samples, rate_hz = read_wav(sound)
    patient = stretches(samples[:, 0], rate_hz) if samples.shape[1] == 2 else []
    segments = [VoiceSegment(s.start_s, s.end_s) for s in patient]
    return render_page(view, segments=segments, handoff_markdown=handoff, recording=pack(samples, rate_hz))


def _beside(journal: Path, own: str, folders: str) -> Path | None:
    """The file named as the journal; else the folder's, where no other journal of the folder may be meant by it."""
    path = journal.with_name(own)
    if path.is_file():
        return path
    others = [p for p in journal.parent.iterdir() if p.suffix.lower() == ".jsonl" and p.name != journal.name]
    path = journal.with_name(folders)
    return path if path.is_file() and (journal.name == OWN_FOLDER or not others) else None
