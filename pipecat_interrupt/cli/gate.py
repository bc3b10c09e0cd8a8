"""The gate's commands: `calibrate` fits a record to an embedder, `export` writes the torch-free models.

Owns the command line only; the work is `speaker_gate.calibrate` and `speaker_gate.adapters`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from speaker_gate import SpeakerGateError
from speaker_gate.calibrate import Fit, FitSettings, fit_record
from speaker_gate.calibration import shipped_record
from speaker_gate.embedders import Embedder
from speaker_gate.errors import BadAudio, CallerError, ExtraMissing, NoCalibration
from speaker_gate.fitting.comparing import differences
from speaker_gate.spoil import FIT_ROOM_S, FIT_SNR_DB, fit_spoilers

app = typer.Typer(help="Speaker gate: calibration and model export.", no_args_is_help=True)


@app.command("calibrate")
def calibrate(
    data: Annotated[Path, typer.Option(help="Folder of speakers: <speaker>/* or files named <speaker>-...")],
    out: Annotated[Path, typer.Option(help="Folder the record is written to.")] = Path("calibration"),
    embedder: Annotated[str, typer.Option(help="onnx, or a pyannote source: hub id, directory, file.")] = "onnx",
    sha256: Annotated[str | None, typer.Option(help="Pin of a checkpoint named by --embedder.")] = None,
    split: Annotated[
        Path | None, typer.Option(help='JSON with "fit_speakers" (and "fit_noise"): fit on these, keep the rest apart.')
    ] = None,
    noise: Annotated[Path | None, typer.Option(help="Folder of noises the own voice is spoiled with.")] = None,
    room_s: Annotated[float, typer.Option(min=0.0, max=2.0, help="Room it is spoiled with; 0: none.")] = FIT_ROOM_S,
    composites: Annotated[
        int, typer.Option(min=0, help="Two-voice turns for the change thresholds; 0 keeps defaults.")
    ] = FitSettings().composites,
    plots: Annotated[bool, typer.Option(help="Draw det.png and scores.png beside the record.")] = True,
) -> None:
    """Fit a calibration record, print its thresholds, error rates and distance from the shipped one, draw plots.

    The shipped record is made again from a clone with the data it was fitted on: `--split
    benchmarks/training/voices/split.json --noise FOLDER`.
    """
    try:
        from speaker_gate.adapters.fit_split import chosen, read_noise, read_split
        from speaker_gate.adapters.voice_folder import read_speakers, speaker_files

        if out.exists() and not out.is_dir():  # found out now, not behind an hour of fitting
            raise CallerError(f"--out {out}: it is a file, and a folder is needed; name another")
        kept_apart = read_split(split) if split is not None else None
        files = speaker_files(data)
        names = chosen(kept_apart, files, split) if kept_apart is not None and split is not None else list(files)
        spoilers = fit_spoilers(read_noise(noise, kept_apart) if noise is not None else None, room_s)
        typer.echo(f"fitted on {len(names)} speakers, {len(files) - len(names)} kept apart")
        fit = fit_record(
            _embedder(embedder, sha256),
            read_speakers(files, only=names, left_out=_left_out),
            settings=FitSettings(composites=composites),
            spoilers=spoilers,
            made_from=_made_from(data, len(names), split, noise, room_s) | {"composites": composites},
            progress=typer.echo,
        )
        path = fit.record.save(out)
        compared = _compared(out, fit)
        drawn = _draw(out, fit) if plots else ""
    except SpeakerGateError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error
    _tell_fit(fit)
    for line in (f"record: {path}", compared, drawn):
        if line:
            typer.echo(line)


@app.command("export")
def export() -> None:
    """Write the packaged embedder and segmenter as ONNX into the cache folder, for workers without torch."""
    try:
        from speaker_gate.adapters.onnx_export import export_embedder, export_segmenter

        for path in (export_embedder(), export_segmenter()):
            typer.echo(str(path))
    except SpeakerGateError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error


def _tell_fit(fit: Fit) -> None:
    for (pair, seconds), scores in sorted(fit.scores.items()):
        band = fit.record.pair(pair)
        typer.echo(
            f"{pair.value:15s} {seconds:.1f} s  EER {100 * scores.eer:5.2f} % ({len(scores.primary)} own trials)  "
            f"reject below {band.reject_below.at(seconds):.3f}, accept above {band.accept_above.at(seconds):.3f}"
        )


def _made_from(
    data: Path, speakers: int, split: Path | None, noise: Path | None, room_s: float
) -> dict[str, str | int | float]:
    spoiled = f"noise at {FIT_SNR_DB} dB of {noise.name}, " if noise is not None else ""
    return {
        "data": data.name,
        "speakers": speakers,
        "split": split.name if split is not None else "none: all speakers",
        "spoiled": f"{spoiled}room of {room_s} s",
        "seed": FitSettings().seed,
    }


def _compared(out: Path, fit: Fit) -> str:
    """How far the fit lies from the shipped record, also as comparison.json; "" where none ships."""
    try:
        shipped = shipped_record(fit.record.embedder)
    except NoCalibration:
        return ""
    found = differences(fit.record, shipped)
    (out / "comparison.json").write_text(json.dumps(found.plain(), indent=1) + "\n", encoding="utf-8")
    says = "the same thresholds as" if found.same else "other thresholds than"
    return (
        f"{says} the shipped record: reject and accept differ by at most {found.thresholds:.4f}, change by "
        f"{found.change:.4f}, arrays by {100 * found.arrays:.2f} % of their largest entry"
    )


def _draw(out: Path, fit: Fit) -> str:
    """Draw, where matplotlib is there; the record stands either way."""
    from speaker_gate.adapters.score_plots import draw

    cells = {
        (pair.value, seconds): scores
        for (pair, seconds), scores in fit.scores.items()
        if len(scores.primary) and len(scores.others)
    }
    try:
        return "plots: " + ", ".join(str(path) for path in draw(out, cells))
    except ExtraMissing as error:
        return f"no plots: {error}"


def _left_out(path: Path, error: BadAudio) -> None:
    typer.echo(f"left out: {path.parent.name}/{error}", err=True)


def _embedder(source: str, sha256: str | None) -> Embedder:
    if source == "onnx":
        from speaker_gate.adapters.onnx_embedder import OnnxEmbedder

        return OnnxEmbedder()
    from speaker_gate.adapters.pyannote_embedder import PyannoteEmbedder

    return PyannoteEmbedder(None if source == "pyannote" else source, sha256=sha256)
