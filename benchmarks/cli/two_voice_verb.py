"""``python -m benchmarks two-voice``: build a set of two-voice clips, twins and hard negatives from a strategy file."""

from __future__ import annotations

import hashlib
from math import isfinite
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.errors import BadOption
from benchmarks.files import output_folder
from benchmarks.two_voice.likeness import Likeness
from benchmarks.two_voice.mix import GAP_MEAN_S, GAP_SD_S
from benchmarks.two_voice.strategy import load_strategy, shipped_strategies

SEED = 20260525


def two_voice_command(
    strategy: Annotated[str, typer.Argument(help="Strategy file, or the name of a shipped one.")] = "reference_en",
    out: Annotated[Path, typer.Option(callback=output_folder, help="Folder of the set.")] = Path("out/two_voice"),
    kokoro: Annotated[Path | None, typer.Option(help="Folder with Kokoro's voices (*.bin).")] = None,
    voice: Annotated[list[str] | None, typer.Option(help="Kokoro voice; repeatable; default: 16.")] = None,
    piper: Annotated[list[Path] | None, typer.Option(help="Piper voice file (*.onnx); repeatable.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of voices and overlaps.")] = SEED,
    gap_mean_s: Annotated[float, typer.Option(help="Mean gap between the voices; negative: overlap.")] = GAP_MEAN_S,
    gap_sd_s: Annotated[float, typer.Option(min=0.0, help="Its standard deviation.")] = GAP_SD_S,
    wer_max: Annotated[float, typer.Option(min=0.0, max=1.0, help="Worst word error rate of a line.")] = 0.25,
    ear: Annotated[str, typer.Option(help="Weights of the recogniser that checks; none: no check.")] = "whisper-base",
    limit: Annotated[int, typer.Option(min=0, help="Most cases; 0: all.")] = 0,
    any_pair: Annotated[bool, typer.Option("--any-pair", help="Also pair voices liker than two people's.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Read the strategy file and build nothing.")] = False,
) -> None:
    """Render every case by two voices, by one, and a hard negative; check the words; write manifest.json."""
    loaded = load_strategy(strategy)
    path = Path(strategy) if Path(strategy).is_file() else shipped_strategies()[strategy]
    if check:
        actionable = sum(loaded.kinds[case.kind].actionable for _, _, case in loaded.cases())
        total = len(loaded.cases())
        print(f"{loaded.name}: {len(loaded.scenarios)} scenarios, {total} cases, {actionable} of them actionable")
        return
    from benchmarks.two_voice.build import Builder, BuildSettings
    from benchmarks.two_voice.checking import WhisperCheck
    from benchmarks.two_voice.voices import KOKORO_ENGLISH, KokoroVoices, PiperVoices

    if not (isfinite(gap_mean_s) and isfinite(gap_sd_s)):
        raise BadOption("--gap-mean-s and --gap-sd-s are seconds, not nan or inf")
    if (kokoro is None) == (not piper):
        raise BadOption("name either --kokoro FOLDER or two or more --piper FILE")
    speaks = KokoroVoices(kokoro, tuple(voice or KOKORO_ENGLISH)) if kokoro is not None else PiperVoices(piper or [])
    builder = Builder(
        loaded,
        hashlib.sha256(path.read_bytes()).hexdigest(),
        speaks,
        None if ear == "none" else WhisperCheck(ear),
        out,
        BuildSettings(seed, gap_mean_s, gap_sd_s, wer_max, limit),
        tell=print,
        likeness=None if any_pair else _likeness(),
    )
    made = builder.build()
    print(f"{len(made.clips)} clips and manifest.json in {out}; {len(made.rejected)} cases left out")


def _likeness() -> Likeness:
    from benchmarks.evals.voice_scores import ears_of
    from benchmarks.two_voice.likeness import GateLikeness

    return GateLikeness(ears_of({}))
