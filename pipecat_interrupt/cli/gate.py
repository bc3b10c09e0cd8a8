"""The gate's commands: `calibrate` fits a record to an embedder, `export` writes the torch-free models.

Owns the command line only; the work is `speaker_gate.calibrate` and `speaker_gate.adapters`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from speaker_gate import SpeakerGateError
from speaker_gate.calibrate import Fit, FitSettings, fit_record
from speaker_gate.embedders import Embedder
from speaker_gate.errors import BadAudio, CallerError, ExtraMissing

app = typer.Typer(help="Speaker gate: calibration and model export.", no_args_is_help=True)


@app.command("calibrate")
def calibrate(
    data: Annotated[Path, typer.Option(help="Folder of speakers: <speaker>/* or files named <speaker>-...")],
    out: Annotated[Path, typer.Option(help="Folder the record is written to.")] = Path("calibration"),
    embedder: Annotated[str, typer.Option(help="onnx, or a pyannote source: hub id, directory, file.")] = "onnx",
    sha256: Annotated[str | None, typer.Option(help="Pin of a checkpoint named by --embedder.")] = None,
    composites: Annotated[int, typer.Option(help="Two-voice turns for the change thresholds; 0 keeps defaults.")] = 60,
    plots: Annotated[bool, typer.Option(help="Draw det.png and scores.png beside the record.")] = True,
) -> None:
    """Fit a calibration record, print its thresholds and error rates, and draw DET curves and score histograms."""
    try:
        from speaker_gate.adapters.voice_folder import read_speakers, speaker_files

        if out.exists() and not out.is_dir():  # found out now, not behind an hour of fitting
            raise CallerError(f"--out {out}: it is a file, and a folder is needed; name another")
        speakers = read_speakers(speaker_files(data), left_out=_left_out)
        fit = fit_record(
            _embedder(embedder, sha256),
            speakers,
            settings=FitSettings(composites=composites),
            made_from={"data": data.name, "speakers": len(speakers)},
            progress=typer.echo,
        )
        path = fit.record.save(out)
        drawn = _draw(out, fit) if plots else ""
    except SpeakerGateError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from error
    for (pair, seconds), scores in sorted(fit.scores.items()):
        band = fit.record.pair(pair)
        typer.echo(
            f"{pair.value:15s} {seconds:.1f} s  EER {100 * scores.eer:5.2f} % ({len(scores.primary)} own trials)  "
            f"reject below {band.reject_below.at(seconds):.3f}, accept above {band.accept_above.at(seconds):.3f}"
        )
    typer.echo(f"record: {path}")
    if drawn:
        typer.echo(drawn)


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
