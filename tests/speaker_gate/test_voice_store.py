"""The optional voice store: sealed, limited in time, only with consent, and gone when told."""

from __future__ import annotations

import hashlib
import math
import traceback
from pathlib import Path

import numpy as np
import pytest

from speaker_gate.adapters.voice_store import VoiceStore, new_key
from speaker_gate.consent import Consent, ConsentScope
from speaker_gate.embedders import Embedding
from speaker_gate.errors import ConsentMissing, StoreMisused, StoreUnreadable, StoreUnwritable

pytestmark = pytest.mark.unit
pytest.importorskip("cryptography", reason="the voice store needs cryptography (pip install cryptography)")
from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: E402 - behind the skip

VOICE = (Embedding(np.arange(6, dtype=np.float32), "fake-tones", 5.0, False),)
STORED = Consent(scope=ConsentScope.STORED, given_at_s=1.0, basis="form-7")


def test_a_voice_comes_back_as_it_was_stored(tmp_path: Path) -> None:
    """Vector, embedder, seconds and band survive."""
    store = VoiceStore(tmp_path, new_key())

    store.save("patient-1", VOICE, STORED, now_s=100.0)
    found = store.load("patient-1", now_s=101.0)

    assert found is not None
    assert VOICE[0].vector.tolist() == found[0].vector.tolist()
    assert ("fake-tones", 5.0, False) == (found[0].embedder, found[0].seconds, found[0].narrow)
    assert store.load("patient-2", now_s=101.0) is None


@pytest.mark.parametrize(
    "consent", [None, *(Consent(scope=s, given_at_s=1.0) for s in (ConsentScope.NONE, ConsentScope.THIS_CALL))]
)
def test_without_consent_to_storage_nothing_is_written(tmp_path: Path, consent: Consent | None) -> None:
    """The refusal leaves the folder empty."""
    store = VoiceStore(tmp_path, new_key())

    with pytest.raises(ConsentMissing):
        store.save("patient-1", VOICE, consent, now_s=1.0)

    assert [] == list(tmp_path.iterdir())


def test_a_voice_expires_and_is_deleted_when_it_does(tmp_path: Path) -> None:
    """At its limit it is gone, file and all."""
    store = VoiceStore(tmp_path, new_key(), ttl_s=10.0)
    store.save("patient-1", VOICE, STORED, now_s=100.0)

    assert store.load("patient-1", now_s=109.9) is not None
    assert store.load("patient-1", now_s=110.0) is None
    assert [] == list(tmp_path.iterdir())


def test_neither_the_name_nor_the_vector_nor_the_subject_can_be_read_from_the_folder(tmp_path: Path) -> None:
    """Names are keyed hashes, contents sealed."""
    store = VoiceStore(tmp_path, new_key())
    store.save("patient-1", VOICE, STORED, now_s=1.0)
    path = next(tmp_path.iterdir())

    assert "patient" not in path.name
    for word in (b"fake-tones", b"vector", b"form-7", b"patient"):
        assert word not in path.read_bytes()


def test_another_key_and_a_changed_file_are_refused(tmp_path: Path) -> None:
    """What cannot be opened is an error, not a voice."""
    key = new_key()
    store = VoiceStore(tmp_path, key)
    store.save("patient-1", VOICE, STORED, now_s=1.0)
    path = next(tmp_path.iterdir())

    for ask in (lambda store: store.load("patient-1", now_s=2.0), lambda store: store.delete("patient-1")):
        with pytest.raises(StoreUnreadable, match="this key"):
            ask(VoiceStore(tmp_path, new_key()))
    assert path.is_file()
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    with pytest.raises(StoreUnreadable):
        VoiceStore(tmp_path, key).load("patient-1", now_s=2.0)


def test_a_file_moved_to_another_persons_name_does_not_become_theirs(tmp_path: Path) -> None:
    """The seal covers the name."""
    store = VoiceStore(tmp_path, new_key())
    store.save("patient-1", VOICE, STORED, now_s=1.0)
    first = next(tmp_path.iterdir())
    store.save("patient-2", VOICE, STORED, now_s=1.0)
    second = next(path for path in tmp_path.iterdir() if path != first)
    second.write_bytes(first.read_bytes())

    with pytest.raises(StoreUnreadable):
        store.load("patient-2", now_s=2.0)


def test_deleting_one_all_and_what_has_expired(tmp_path: Path) -> None:
    """Each way of forgetting says how much it forgot; all can be deleted without the key."""
    store = VoiceStore(tmp_path, new_key(), ttl_s=10.0)
    for number in range(4):
        store.save(f"patient-{number}", VOICE, STORED, now_s=float(number))

    assert store.delete("patient-0")
    assert not store.delete("patient-0")
    assert 1 == store.purge(now_s=11.5)
    assert 2 == VoiceStore(tmp_path, new_key()).delete_all()
    assert [] == list(tmp_path.iterdir())


def test_what_cannot_be_read_is_purged(tmp_path: Path) -> None:
    """A file sealed with a lost key does not stay for ever."""
    VoiceStore(tmp_path, new_key()).save("patient-1", VOICE, STORED, now_s=1.0)

    assert 1 == VoiceStore(tmp_path, new_key()).purge(now_s=2.0)


@pytest.mark.parametrize("key", [b"short", b"", "x" * 32, None, 7])
def test_another_key_than_32_bytes_is_refused(tmp_path: Path, key: object) -> None:
    """The message says what a key is, and never repeats the one given."""
    with pytest.raises(StoreMisused, match="32 bytes") as caught:
        VoiceStore(tmp_path, key)  # pyright: ignore[reportArgumentType]

    assert "short" not in str(caught.value)


@pytest.mark.parametrize("ttl_s", [0.0, -1.0, math.nan, math.inf])
def test_a_limit_that_never_or_always_passes_is_refused(tmp_path: Path, ttl_s: float) -> None:
    """No voice is kept for ever by a slip."""
    with pytest.raises(StoreMisused, match="ttl_s"):
        VoiceStore(tmp_path, new_key(), ttl_s=ttl_s)


def changed(vector: np.ndarray) -> tuple[Embedding, ...]:
    return (Embedding(vector.astype(np.float32), "fake-tones", 5.0, False),)


@pytest.mark.parametrize(
    ("subject", "voice", "now_s"),
    [
        ("patient-1", (), 1.0),
        ("patient-1", VOICE * 5, 1.0),
        ("patient-1", changed(np.full(6, np.nan)), 1.0),
        ("patient-1", changed(np.linspace(0.0, 1.0, 5_000)), 1.0),
        ("", VOICE, 1.0),
        (None, VOICE, 1.0),
        ("patient-1", VOICE, math.nan),
    ],
)
def test_what_could_not_be_read_again_is_not_written(
    tmp_path: Path, subject: str, voice: tuple[Embedding, ...], now_s: float
) -> None:
    """No voice, too many, not finite, too long, no id, no time: refused, and the older voice stands."""
    store = VoiceStore(tmp_path, new_key())
    store.save("patient-1", VOICE, STORED, now_s=1.0)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    with pytest.raises(StoreMisused):
        store.save(subject, voice, STORED, now_s=now_s)

    assert before == {path.name: path.read_bytes() for path in tmp_path.iterdir()}


def test_a_clock_that_is_no_number_neither_expires_nor_revives_a_voice(tmp_path: Path) -> None:
    """Not a time: an error, and the file stays."""
    store = VoiceStore(tmp_path, new_key())
    store.save("patient-1", VOICE, STORED, now_s=1.0)

    for ask in (store.purge, lambda now_s: store.load("patient-1", now_s)):
        with pytest.raises(StoreMisused, match="now_s"):
            ask(math.nan)

    assert 1 == len(list(tmp_path.iterdir()))


def test_a_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    """The environment's fault, with the path."""
    (tmp_path / "taken").write_text("x")

    with pytest.raises(StoreUnwritable, match="taken"):
        VoiceStore(tmp_path / "taken", new_key())


def test_a_folder_where_a_voice_should_lie_stops_nobody_else(tmp_path: Path) -> None:
    """Odd things in the folder are no voices: nothing raises, the real ones are still deleted."""
    store = VoiceStore(tmp_path, new_key())
    store.save("patient-1", VOICE, STORED, now_s=1.0)
    (tmp_path / "odd.voice").mkdir()

    assert store.load("patient-1", now_s=2.0) is not None
    assert 0 == store.purge(now_s=2.0)
    assert 1 == store.delete_all()
    assert ["odd.voice"] == [path.name for path in tmp_path.iterdir()]


def test_no_error_and_no_repr_shows_a_voice(tmp_path: Path) -> None:
    """A form of another version holds a vector: the error's whole chain does not; nor does the value's own repr."""
    key = new_key()
    store = VoiceStore(tmp_path, key)
    store.save("patient-1", VOICE, STORED, now_s=1.0)
    path = next(tmp_path.iterdir())
    nonce = bytes(12)
    cipher = AESGCM(hashlib.sha256(b"voice-content" + key).digest())
    path.write_bytes(nonce + cipher.encrypt(nonce, b'{"version": 9, "vector": [0.123456]}', path.name.encode()))

    with pytest.raises(StoreUnreadable) as caught:
        store.load("patient-1", now_s=2.0)

    assert "0.123456" not in "".join(traceback.format_exception(caught.value))
    assert "array" not in repr(VOICE)
