"""Pins and search order of model weights, without any model."""

from __future__ import annotations

from pathlib import Path

import pytest

from speaker_gate.adapters import weights
from speaker_gate.adapters.onnx_export import checked, manifest_of, name_of
from speaker_gate.adapters.segmenters import POWERSET, activity_of
from speaker_gate.errors import CallerError, EnvironmentFault, ExtraMissing, WeightsMissing, WeightsUntrusted

pytestmark = pytest.mark.unit


def test_a_file_is_trusted_only_by_its_pin(tmp_path: Path) -> None:
    """The right hash passes; none, another and no file each have an error of their own."""
    file = tmp_path / "model.bin"
    file.write_bytes(b"weights")
    pin = weights.sha256_of(file)

    assert file == weights.verified(file, pin.upper())
    with pytest.raises(WeightsUntrusted, match=pin):
        weights.verified(file, None)
    with pytest.raises(WeightsUntrusted, match="pinned is"):
        weights.verified(file, "0" * 64)
    with pytest.raises(WeightsMissing):
        weights.verified(tmp_path / "absent", pin)


def test_an_export_without_a_manifest_is_named_by_its_hash(tmp_path: Path) -> None:
    """Only the manifest of a known source gives the known name."""
    file = tmp_path / "mine.onnx"
    file.write_bytes(b"graph")

    assert {} == manifest_of(file)
    assert file == checked(file, None)
    assert f"mine@{weights.sha256_of(file)[:8]}" == name_of(file)
    file.with_suffix(".json").write_text("not json", encoding="utf-8")
    assert {} == manifest_of(file)


def test_the_powerset_of_the_segmenter_is_three_voices_two_at_once() -> None:
    """Seven classes read as who is active."""
    import numpy as np

    activity = activity_of(np.eye(7))

    assert [list(voices) for voices in POWERSET] == [list(np.flatnonzero(row)) for row in activity.active]
    assert 2 == max(len(voices) for voices in POWERSET)
    assert activity.overlapped(4 * activity.step_s, 7 * activity.step_s)
    assert not activity.overlapped(0.0, 4 * activity.step_s)


def test_errors_say_whose_fault_they_are() -> None:
    """Three families; a missing extra carries its install line."""
    assert issubclass(WeightsMissing, EnvironmentFault)
    assert not issubclass(WeightsMissing, CallerError)
    assert "pip install thing" in str(ExtraMissing("thing", "pip install thing"))
