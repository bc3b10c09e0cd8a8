"""Renders the demo's patient and third-party clips once, and writes down what Whisper hears in each.

Not part of any product path. Run from a clone: `python -m benchmarks.rendering.render_clips --voices DIR`, where DIR is
`package/voices` of the npm package kokoro-js 1.2.1 (`npm pack kokoro-js@1.2.1`, unpacked), with the extra `local`,
`kokoro-onnx` and the weights `kokoro` and `whisper-base` installed.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from benchmarks.rendering.clip_texts import LINES, Line
from pipecat_interrupt.local.whisper_ear import EarSettings, WhisperEar
from pipecat_interrupt.weights import ensure

RATE_HZ = 16_000
PHONE_RATE_HZ = 8_000
LEVEL_DBFS = -22.0
TRIM_RATIO = 0.02  # of the peak: what is quieter at both ends is cut
LEAD_S, TAIL_S = 0.02, 0.05
EAR_LEAD_S, EAR_TAIL_S = 1.0, 0.5  # what Pipecat's segmented services put around a segment
STYLE_SHAPE = (-1, 1, 256)
DEFAULT_OUT = Path(__file__).resolve().parents[2] / "pipecat_interrupt" / "demo" / "clips"


def load_kokoro(voices_folder: Path, names: set[str]) -> Any:
    """Load Kokoro with the named voices.

    Args:
        voices_folder: Folder of `<voice>.bin` style vectors (float32).
        names: Voices to load.
    """
    from kokoro_onnx import Kokoro  # pyright: ignore[reportMissingImports] - only whoever renders clips installs it

    with tempfile.NamedTemporaryFile(suffix=".npz") as voices:
        styles = {n: np.fromfile(voices_folder / f"{n}.bin", np.float32).reshape(STYLE_SHAPE) for n in sorted(names)}
        np.savez(voices, allow_pickle=False, **styles)
        voices.flush()
        return Kokoro(str(ensure("kokoro")), voices.name)


def render(kokoro: Any, line: Line) -> np.ndarray:
    """Say one line.

    Returns:
        int16 samples at 16 kHz, trimmed, at -22 dBFS RMS; peaks are limited, not wrapped.
    """
    import soxr

    audio, rate_hz = kokoro.create(line.text, voice=line.voice, lang=line.accent.lower(), speed=line.speed)
    audio = soxr.resample(np.asarray(audio, np.float32), rate_hz, RATE_HZ)
    loud = np.nonzero(np.abs(audio) > TRIM_RATIO * np.abs(audio).max())[0]
    audio = audio[max(0, loud[0] - int(LEAD_S * RATE_HZ)) : loud[-1] + int(TAIL_S * RATE_HZ)]
    audio = audio / np.sqrt(np.mean(audio**2)) * 10 ** (LEVEL_DBFS / 20)
    return (np.clip(audio, -1.0, 1.0) * 32767).astype(np.int16)


def over_the_phone(samples: np.ndarray) -> np.ndarray:
    """The clip as a carrier passes it on: 8 kHz, 8-bit mu-law, and back to 16 kHz int16."""
    import soxr

    narrow = soxr.resample(samples, RATE_HZ, PHONE_RATE_HZ).astype(np.float64) / 32768
    companded = np.sign(narrow) * np.log1p(255 * np.abs(narrow)) / np.log(256)
    coded = np.round((companded + 1) * 127.5) / 127.5 - 1
    heard = np.sign(coded) * np.expm1(np.abs(coded) * np.log(256)) / 255
    return soxr.resample((heard * 32767).astype(np.int16), PHONE_RATE_HZ, RATE_HZ)


def hear(ear: WhisperEar, samples: np.ndarray) -> str | None:
    """What the default ear makes of a clip, in the silence a live segment has around it."""
    padded = np.pad(samples.astype(np.float32) / 32768, (int(EAR_LEAD_S * RATE_HZ), int(EAR_TAIL_S * RATE_HZ)))
    return ear.hear(padded, "en")


def main(
    voices: Annotated[Path, typer.Option(help="Folder with the Kokoro voices (*.bin).")],
    out: Annotated[Path, typer.Option(help="Where the clips go.")] = DEFAULT_OUT,
) -> None:
    """Render every line, check it, and write clips.json."""
    import soundfile

    kokoro = load_kokoro(voices, {line.voice for line in LINES})
    ear = WhisperEar(ensure("whisper-base"), EarSettings())
    out.mkdir(parents=True, exist_ok=True)
    entries: list[dict[str, Any]] = []
    for line in LINES:
        samples = render(kokoro, line)
        path = out / f"{line.id}.flac"
        soundfile.write(path, samples, RATE_HZ, subtype="PCM_16")
        entry = {
            "id": line.id,
            "text": line.text,
            "speaker": line.speaker,
            "voice": line.voice,
            "language": line.accent,
            "seconds": round(len(samples) / RATE_HZ, 3),
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            "whisper_base": hear(ear, samples),
            "whisper_base_phone": hear(ear, over_the_phone(samples)),
        }
        entries.append(entry)
        heard = f"{entry['whisper_base']!r}, {entry['whisper_base_phone']!r}"
        print(f"{line.id:14} {entry['seconds']:5.2f} s  {line.text!r} -> {heard}")
    (out / "clips.json").write_text(json.dumps(entries, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    typer.run(main)
