"""Fits the shipped calibration record: `python -m benchmarks.training.voices.fit --data DIR [--write]`.

DIR is the evaluation data folder (voices/, noise/, third_party/). Needs the speaker models; one thread.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from benchmarks.training.voices import split as splits
from speaker_gate.adapters.fit_split import read_noise, read_split
from speaker_gate.adapters.onnx_embedder import OnnxEmbedder
from speaker_gate.adapters.voice_folder import read_speakers, speaker_files
from speaker_gate.calibrate import FitSettings, fit_record
from speaker_gate.spoil import FIT_ROOM_S, FIT_SNR_DB, fit_spoilers

RECORDS = Path(__file__).resolve().parents[3] / "speaker_gate" / "data"


def make_split(data: Path) -> None:
    """Write the split from the names in the data folder."""
    speakers = list(speaker_files(data / "voices" / "librispeech_train_clean"))
    noises = [path.stem for path in (data / "noise").glob("*.flac")]
    clips = [path.stem for path in (data / "third_party" / "two_voice").rglob("*.flac")]
    made = splits.make(speakers, noises, clips)
    splits.SPLIT_FILE.write_text(json.dumps(made, indent=0) + "\n", encoding="utf-8")


def main() -> None:
    """Fit, say what came out, and with --write replace the shipped record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", action="store_true", help="replace the record in speaker_gate/data")
    parser.add_argument("--split", action="store_true", help="make the split anew first")
    parser.add_argument("--speakers", type=int, default=0, help="use only so many fit speakers (a quick look)")
    parser.add_argument("--composites", type=int, default=FitSettings().composites)
    options = parser.parse_args()
    if options.split:
        make_split(options.data)
    names = splits.split()["fit_speakers"][: options.speakers or None]
    files = speaker_files(options.data / "voices" / "librispeech_train_clean")
    started = time.perf_counter()
    fit = fit_record(
        OnnxEmbedder(),
        read_speakers(files, only=names),
        settings=FitSettings(composites=options.composites),
        spoilers=fit_spoilers(read_noise(options.data / "noise", read_split(splits.SPLIT_FILE))),
        made_from={
            "data": "LibriSpeech train-clean-100, one clip a speaker (CC BY 4.0)",
            "split": "benchmarks/training/voices/split.json",
            "speakers": len(names),
            "spoiled": f"noise at {FIT_SNR_DB} dB, room of {FIT_ROOM_S} s",
            "seed": FitSettings().seed,
            "composites": options.composites,
        },
        progress=print,
    )
    for (pair, seconds), scores in sorted(fit.scores.items()):
        band = fit.record.pair(pair)
        print(
            f"{pair.value:15s} {seconds:.1f} s  EER {100 * scores.eer:5.2f} %  "
            f"reject {band.reject_below.at(seconds):.3f} accept {band.accept_above.at(seconds):.3f}"
        )
    print(fit.record.settings.model_dump_json(include={"change", "enrolment"}, indent=1))
    print(f"{time.perf_counter() - started:.0f} s")
    if options.write:
        print(fit.record.save(RECORDS))


if __name__ == "__main__":
    main()
