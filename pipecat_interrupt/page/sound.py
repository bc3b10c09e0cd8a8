"""The recording on a page: its outline for the timeline, and itself inside the file.

Owns reading a call's recording and packing it. One page is one file, so the sound stands in it as a data address: FLAC
where `soundfile` is there (lossless, exact positions, every current browser), else the recording as it is. Bounded: a
recording that would make the page too large to open is refused with a message, never silently left out.
"""

from __future__ import annotations

import base64
import importlib.util
import wave
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pipecat_interrupt.errors import EnvironmentProblem, SettingsError
from pipecat_interrupt.page.view import CallView, Line, PatientLine

if TYPE_CHECKING:
    from numpy.typing import NDArray

READ_BYTES_MAX = 1 << 30
"""Largest recording that is read: two hours of stereo at 48 kHz stay below it."""

TORN_BYTES_MAX = 4096
"""How much less than its header promises a WAV may hold: a last write that was cut off."""
UNKNOWN_BYTES_MIN = 0x7FFF_0000
"""From here on a header's length means "not known", as a recorder writes that cannot go back."""
PACKED_BYTES_MAX = 64 << 20
"""Largest sound put into a page; browsers open data addresses of this size (Chromium's bound is 512 MB)."""

OUTLINE_PER_S = 10
"""Points of the outline a second."""


@dataclass(frozen=True, slots=True)
class VoiceSegment:
    """A stretch of sound on the far end, for the timeline; seconds on the call's clock."""

    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class Recording:
    """A call's recording, ready for a page.

    Parameters:
        source: Data address of the sound.
        seconds: Its length.
        patient: Peak of the far end, 0..1, `OUTLINE_PER_S` a second; () for a recording of one channel.
        agent: Peak of the agent (or of the mixture), same form.
    """

    source: str
    seconds: float
    patient: tuple[float, ...] = ()
    agent: tuple[float, ...] = ()


def read_wav(path: Path) -> tuple[NDArray[np.int16], int]:
    """Read a 16-bit WAV file.

    Returns:
        int16, shape (samples, channels), and the rate in Hz. Two channels: far end left, agent as heard right.

    Raises:
        SettingsError: Not a WAV of 16-bit samples in one or two channels, or larger than `READ_BYTES_MAX`.
        OSError: The file cannot be read.
    """
    if path.stat().st_size > READ_BYTES_MAX:
        raise SettingsError(f"{path.name}: larger than {READ_BYTES_MAX >> 20} MB; cut the recording first")
    try:
        with wave.open(str(path), "rb") as file:
            width, channels, rate_hz = file.getsampwidth(), file.getnchannels(), file.getframerate()
            promised = file.getnframes() * width * channels
            data = file.readframes(file.getnframes())
    except (wave.Error, EOFError) as error:
        why = str(error) or "it is empty, or ends in its header"
        raise SettingsError(f"{path.name}: not a WAV file ({why}); give 16-bit PCM WAV") from error
    if not data:
        raise SettingsError(f"{path.name}: holds no sound; give the call's recording")
    if len(data) + TORN_BYTES_MAX < promised < UNKNOWN_BYTES_MIN:
        raise SettingsError(
            f"{path.name}: its header promises {promised} bytes of sound and {len(data)} are there: it was cut off;"
            " copy it again, or repair its header"
        )
    if width != 2 or channels not in (1, 2) or rate_hz < 1:
        raise SettingsError(f"{path.name}: {8 * width} bit, {channels} channels; give 16-bit WAV, one or two channels")
    whole = len(data) // (2 * channels) * 2 * channels  # a torn last frame is no frame
    return np.frombuffer(data[:whole], dtype="<i2").reshape(-1, channels), rate_hz


def pack(samples: NDArray[np.int16], rate_hz: int, bytes_max: int = PACKED_BYTES_MAX) -> Recording:
    """Make a recording ready for a page.

    Args:
        samples: int16, shape (n, 1) or (n, 2): far end left, agent as heard right; sample 0 is the call's time 0.0.
        rate_hz: Sample rate.
        bytes_max: Largest packed sound.

    Raises:
        EnvironmentProblem: The packed sound is larger than `bytes_max`.
    """
    kind, packed = _flac(samples, rate_hz) if importlib.util.find_spec("soundfile") else _wav(samples, rate_hz)
    if len(packed) > bytes_max:
        raise EnvironmentProblem(
            f"the recording packs to {len(packed) >> 20} MB and a page holds at most {bytes_max >> 20} MB;"
            " resample it to 8 kHz, or make the page without sound"
        )
    outlines = [_outline(samples[:, channel], rate_hz) for channel in range(samples.shape[1])]
    return Recording(
        source=f"data:audio/{kind};base64,{base64.b64encode(packed).decode('ascii')}",
        seconds=len(samples) / rate_hz,
        patient=outlines[0] if len(outlines) == 2 else (),
        agent=outlines[-1],
    )


def place_lines(view: CallView, segments: Sequence[VoiceSegment]) -> CallView:
    """Give the patient's lines the start of the sound they came from, where nothing better is known."""
    placed: list[Line] = []
    last_s = -1.0
    for line in view.lines:
        if isinstance(line, PatientLine):
            if line.start_s is None:
                begun = [s.start_s for s in segments if last_s < s.start_s < line.at_s]
                line = replace(line, start_s=begun[0]) if begun else line
            last_s = line.at_s
        placed.append(line)
    return replace(view, lines=tuple(placed))


def _outline(channel: NDArray[np.int16], rate_hz: int) -> tuple[float, ...]:
    step = max(1, rate_hz // OUTLINE_PER_S)
    whole = channel[: len(channel) // step * step].reshape(-1, step).astype(np.int32)
    return tuple(round(float(x), 2) for x in np.abs(whole).max(axis=1) / 32768) if len(whole) else ()


def _flac(samples: NDArray[np.int16], rate_hz: int) -> tuple[str, bytes]:
    import soundfile

    memory = BytesIO()
    writer: Any = soundfile
    writer.write(memory, samples, rate_hz, format="FLAC", subtype="PCM_16")
    return "flac", memory.getvalue()


def _wav(samples: NDArray[np.int16], rate_hz: int) -> tuple[str, bytes]:
    memory = BytesIO()
    with wave.open(memory, "wb") as file:
        file.setnchannels(samples.shape[1])
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(np.ascontiguousarray(samples, dtype="<i2").tobytes())
    return "wav", memory.getvalue()
