"""Reading a recording: bounded, checked against its own header, resampled, and looked at for what is odd.

Owns the opening of sound files. A file that is not what its header says is refused before anything of it is decoded.
Needs soundfile and soxr (extra `replay`).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipecat_interrupt.errors import MissingExtra
from pipecat_interrupt.replay.errors import RecordingRefused
from pipecat_interrupt.replay.settings import CALL_S_MAX, FILE_BYTES_MAX, RATE_HZ_MAX, RATE_HZ_MIN
from pipecat_interrupt.replay.values import RATE_HZ, Note, Samples

SOUND_SUFFIXES = (".wav", ".flac", ".ogg", ".opus", ".mp3")
CHANNELS_MAX = 2
BLOCK_S = 30.0
CHUNKS_MAX = 64
"""Most chunks of a RIFF file that are looked at before its sound."""

GAP_S_MIN = 0.5
"""Shortest stretch of pure zeros on every channel that is reported as a gap."""

DIGITAL_SILENCE_SHARE = 0.5
"""From this share of pure zeros in what is no speech, and of still pauses, on, that is how this recording is quiet."""

STILL_SHARE = 0.5
"""A pause is still when so much of it is pure zeros; the rest is how a voice dies away."""

PAUSE_S_MIN = 0.2
"""Shortest stretch without speech that counts as a pause."""

BELOW_SPEECH_DB = 25.0
"""A frame this much below the loud ones (90th percentile) holds no speech."""

CLIPPED_SHARE = 0.001
_FRAME_S = 0.010
_MAGIC = {b"RIFF": "wav", b"fLaC": "flac", b"OggS": "ogg", b"ID3": "mp3"}


@dataclass(frozen=True, slots=True)
class Sound:
    """A recording in memory.

    Parameters:
        channels: One or two, int16 at `RATE_HZ`, equally long.
        source_rate_hz: The rate it was recorded at.
        notes: What is odd about the sound.
    """

    channels: tuple[Samples, ...]
    source_rate_hz: int
    notes: tuple[Note, ...] = ()

    @property
    def duration_s(self) -> float:
        """Its length."""
        return len(self.channels[0]) / RATE_HZ


def read_sound(path: Path) -> Sound:
    """Read a recording.

    Raises:
        RecordingRefused: Too large or long, truncated, a broken or hostile header, too many channels, no samples.
        MissingExtra: soundfile or soxr is not installed.
    """
    soundfile, soxr = _libraries()
    size = path.stat().st_size
    if size > FILE_BYTES_MAX:
        raise RecordingRefused("too_large", path.name, f"{size} bytes; a recording has at most {FILE_BYTES_MAX}")
    _check_container(path, size)
    try:
        with soundfile.SoundFile(str(path)) as file:
            rate, count, frames = int(file.samplerate), int(file.channels), int(file.frames)
            _check_shape(path.name, rate, count, frames)
            return _decode(path.name, file, soxr, rate, count, frames)
    except soundfile.LibsndfileError as error:
        raise RecordingRefused("bad_audio", path.name, f"the sound cannot be decoded ({error.error_string})") from error


def _libraries() -> tuple[Any, Any]:
    try:
        import soundfile
        import soxr
    except ModuleNotFoundError as error:
        raise MissingExtra("reading recordings", 'pip install "pipecat-interrupt[replay]"') from error
    return soundfile, soxr


def _check_container(path: Path, size: int) -> None:
    with path.open("rb") as file:
        head = file.read(12)
    if not head:
        raise RecordingRefused("empty", path.name, "0 bytes; the recorder wrote nothing, or the copy is incomplete")
    form = next((form for magic, form in _MAGIC.items() if head.startswith(magic)), None)
    if form is None and not (head[:1] == b"\xff" and len(head) > 1 and head[1] & 0xE0 == 0xE0):
        raise RecordingRefused("bad_header", path.name, "neither WAV, FLAC, Ogg nor MP3 by its first bytes")
    if form == "wav":
        _check_riff(path, size)


def _check_riff(path: Path, size: int) -> None:
    """Walk the chunks of a WAV file up to its samples: what they claim must lie inside the file."""
    fix = (
        "the recorder was stopped or the copy is incomplete; write the header anew (sox --ignore-length) or copy again"
    )
    with path.open("rb") as file:
        if file.read(12)[8:] != b"WAVE":
            raise RecordingRefused("bad_header", path.name, "a RIFF file, but no WAVE")
        for _ in range(CHUNKS_MAX):
            chunk = file.read(8)
            if len(chunk) < 8:
                raise RecordingRefused("truncated", path.name, f"it ends before its samples begin; {fix}")
            name, length = chunk[:4], struct.unpack("<I", chunk[4:])[0]
            left = size - file.tell()
            if name == b"data":
                if length > left:
                    raise RecordingRefused(
                        "truncated", path.name, f"its header promises {length} bytes of sound, {left} are there; {fix}"
                    )
                if length == 0:
                    raise RecordingRefused("empty", path.name, f"its header promises no sound; {fix}")
                return
            if length > left:
                raise RecordingRefused("bad_header", path.name, f"a chunk of {length} bytes in {left} bytes of file")
            file.seek(length + (length & 1), 1)
    raise RecordingRefused("bad_header", path.name, f"no samples among its first {CHUNKS_MAX} chunks")


def _check_shape(name: str, rate: int, count: int, frames: int) -> None:
    if not 1 <= count <= CHANNELS_MAX:
        raise RecordingRefused("channels", name, f"{count} channels; one or two are read")
    if not RATE_HZ_MIN <= rate <= RATE_HZ_MAX:
        raise RecordingRefused("bad_header", name, f"a rate of {rate} Hz; {RATE_HZ_MIN} to {RATE_HZ_MAX} are read")
    if frames <= 0:
        raise RecordingRefused("empty", name, "it holds no samples")
    if frames / rate > CALL_S_MAX:
        raise RecordingRefused("too_long", name, f"{frames / rate:.0f} s; a call has at most {CALL_S_MAX:.0f} s")


def _decode(name: str, file: Any, soxr: Any, rate: int, count: int, frames: int) -> Sound:
    """Decode block by block, so that a file that holds more than it says is stopped at the bound."""
    stream = soxr.ResampleStream(rate, RATE_HZ, count, dtype="float32") if rate != RATE_HZ else None
    blocks: list[Samples] = []
    levels: list[NDArray[np.float64]] = []
    read, clipped = 0, 0
    while True:
        block = file.read(int(BLOCK_S * rate), dtype="float32", always_2d=True)
        if not len(block):
            break
        read += len(block)
        if read > frames or read / rate > CALL_S_MAX:
            raise RecordingRefused("bad_header", name, "it holds more samples than its header says")
        block = np.nan_to_num(block, nan=0.0, posinf=1.0, neginf=-1.0)
        clipped += int(np.sum(np.abs(block) >= 0.999))
        levels.append(_levels(block, rate))
        blocks.append(_to_int16(stream.resample_chunk(block) if stream is not None else block))
    if read < frames:
        raise RecordingRefused("truncated", name, f"its header promises {frames} samples, {read} can be decoded")
    if stream is not None:
        blocks.append(_to_int16(stream.resample_chunk(np.zeros((0, count), dtype=np.float32), last=True)))
    samples = np.concatenate(blocks)
    notes = [*_gaps(np.concatenate(levels))]
    if clipped > CLIPPED_SHARE * read * count:
        notes.append(Note("clipped", f"{100 * clipped / (read * count):.1f} % of the samples are at full scale"))
    if rate != RATE_HZ:
        notes.append(Note("resampled", f"recorded at {rate} Hz, read at {RATE_HZ} Hz"))
    return Sound(tuple(np.ascontiguousarray(samples[:, i]) for i in range(count)), rate, tuple(notes))


def _to_int16(block: NDArray[np.float32]) -> Samples:
    return np.clip(np.rint(block * 32768.0), -32768, 32767).astype(np.int16)


def _levels(block: NDArray[np.float32], rate: int) -> NDArray[np.float64]:
    """Level of each 10 ms frame, the loudest channel's, dBFS; -inf for pure zeros."""
    size = max(1, int(rate * _FRAME_S))
    frames = block[: len(block) // size * size].reshape(-1, size, block.shape[1]).astype(np.float64)
    power = np.max(np.mean(frames**2, axis=1), axis=1) if len(frames) else np.zeros(0)
    with np.errstate(divide="ignore"):
        return 10.0 * np.log10(power)


def _runs(true: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Half-open ranges of frames for which something is true."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], true.astype(np.int8), [0]))))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def _gaps(levels: NDArray[np.float64]) -> list[Note]:
    """Stretches in which nothing at all was recorded, in a recording that is otherwise never that quiet."""
    zero = np.isneginf(levels)
    if not len(levels) or bool(np.all(zero)):
        return []
    quiet = levels < float(np.percentile(levels[~zero], 90)) - BELOW_SPEECH_DB
    runs = _runs(zero)
    # Counted by length and by pauses: a gap of half a minute is still one pause among many that hum.
    pauses = [(a, b) for a, b in _runs(quiet) if (b - a) * _FRAME_S >= PAUSE_S_MIN]
    still = sum(float(np.mean(zero[a:b])) >= STILL_SHARE for a, b in pauses)
    mostly = int(np.sum(zero)) > DIGITAL_SILENCE_SHARE * int(np.sum(quiet))
    if mostly and still > DIGITAL_SILENCE_SHARE * len(pauses):
        return []
    return [
        Note("gap", f"{(b - a) * _FRAME_S:.1f} s without any signal: sound was lost here", a * _FRAME_S)
        for a, b in runs
        if (b - a) * _FRAME_S >= GAP_S_MIN
    ]
