"""Keeps a patient's voice between calls, encrypted, for a limited time, only with consent. Off unless made.

Owns the files. A voice print is biometric data: one file a person, its name a keyed hash, its content sealed with
AES-256-GCM; other people's voices are never stored. Needs the `cryptography` package.
"""

from __future__ import annotations

import hashlib
import hmac
import importlib
import os
import secrets
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from speaker_gate.consent import Consent, allows_storage
from speaker_gate.embedders import Embedding
from speaker_gate.errors import ConsentMissing, ExtraMissing, StoreUnreadable

KEY_BYTES = 32
NONCE_BYTES = 12
SUFFIX = ".voice"
TTL_S = 90 * 24 * 3600.0
"""Longest a voice is kept unless another limit is given: 90 days."""

VOICES_MAX = 100_000
FILE_BYTES_MAX = 64 * 1024


class _StoredEmbedding(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    vector: tuple[float, ...]
    embedder: str
    seconds: float
    narrow: bool


class _StoredVoice(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int = 1
    voice: tuple[_StoredEmbedding, ...] = Field(max_length=4)
    consent: Consent
    stored_at_s: float
    expires_at_s: float


def new_key() -> bytes:
    """Make a key; keep it in the deployment's secret store, never beside the files."""
    return secrets.token_bytes(KEY_BYTES)


class VoiceStore:
    """Voices of consenting people in a folder.

    Args:
        folder: Made if needed, readable by its owner only.
        key: 32 secret bytes; without it nothing can be read again.
        ttl_s: How long a voice is kept, at most.

    Raises:
        ExtraMissing: `cryptography` is not installed.
        ValueError: The key has another length.
    """

    def __init__(self, folder: Path, key: bytes, *, ttl_s: float = TTL_S) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError(f"the key must have {KEY_BYTES} bytes, not {len(key)}")
        try:
            ciphers: Any = importlib.import_module("cryptography.hazmat.primitives.ciphers.aead")
        except ModuleNotFoundError as error:
            raise ExtraMissing("cryptography", "pip install cryptography") from error
        self._cipher: Any = ciphers.AESGCM(hashlib.sha256(b"voice-content" + key).digest())
        self._name_key = hashlib.sha256(b"voice-name" + key).digest()
        self._folder = folder
        self._ttl_s = ttl_s
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def save(self, subject: str, voice: tuple[Embedding, ...], consent: Consent | None, now_s: float) -> None:
        """Store a person's voice, replacing an older one.

        Args:
            subject: Id of the person in the deployment; only its keyed hash is written.
            voice: The enrolled embeddings.
            consent: Must have scope STORED.
            now_s: Epoch seconds.

        Raises:
            ConsentMissing: No consent to storage.
        """
        if consent is None or not allows_storage(consent):
            raise ConsentMissing("storing a voice needs a consent with scope 'stored'")
        stored = _StoredVoice(
            voice=tuple(
                _StoredEmbedding(
                    vector=tuple(float(value) for value in one.vector),
                    embedder=one.embedder,
                    seconds=one.seconds,
                    narrow=one.narrow,
                )
                for one in voice
            ),
            consent=consent,
            stored_at_s=now_s,
            expires_at_s=now_s + self._ttl_s,
        )
        path = self._path(subject)
        nonce = secrets.token_bytes(NONCE_BYTES)
        sealed = nonce + self._cipher.encrypt(nonce, stored.model_dump_json().encode(), path.name.encode())
        draft = path.with_suffix(".draft")
        draft.touch(mode=0o600)
        draft.write_bytes(sealed)
        os.replace(draft, path)

    def load(self, subject: str, now_s: float) -> tuple[Embedding, ...] | None:
        """Give a person's voice; None when there is none, or when it has expired (it is then deleted).

        Raises:
            StoreUnreadable: Wrong key, or the file was changed.
        """
        path = self._path(subject)
        if not path.is_file():
            return None
        stored = self._open(path)
        if stored.expires_at_s <= now_s:
            path.unlink(missing_ok=True)
            return None
        return tuple(
            Embedding(np.asarray(one.vector, dtype=np.float32), one.embedder, one.seconds, one.narrow)
            for one in stored.voice
        )

    def delete(self, subject: str) -> bool:
        """Delete one person's voice; False when there was none."""
        path = self._path(subject)
        had = path.is_file()
        path.unlink(missing_ok=True)
        return had

    def delete_all(self) -> int:
        """Delete every voice; returns how many there were. Works without the right key."""
        paths = [*self._folder.glob(f"*{SUFFIX}"), *self._folder.glob("*.draft")]
        for path in paths:
            path.unlink(missing_ok=True)
        return sum(path.suffix == SUFFIX for path in paths)

    def purge(self, now_s: float) -> int:
        """Delete what has expired, and what cannot be read any more; returns how many."""
        gone = 0
        for path in sorted(self._folder.glob(f"*{SUFFIX}"))[:VOICES_MAX]:
            try:
                keep = self._open(path).expires_at_s > now_s
            except StoreUnreadable:
                keep = False
            if not keep:
                path.unlink(missing_ok=True)
                gone += 1
        return gone

    def _path(self, subject: str) -> Path:
        name = hmac.new(self._name_key, subject.encode(), hashlib.sha256).hexdigest()
        return self._folder / f"{name}{SUFFIX}"

    def _open(self, path: Path) -> _StoredVoice:
        sealed = path.read_bytes()[:FILE_BYTES_MAX]
        try:
            plain = self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], path.name.encode())
            return _StoredVoice.model_validate_json(plain)
        except ValidationError as error:
            raise StoreUnreadable("a stored voice has another form than this version reads") from error
        except Exception as error:  # the cipher's own error type belongs to the vendor
            raise StoreUnreadable("a stored voice cannot be opened: wrong key, or the file was changed") from error
