"""Keeps a patient's voice between calls, encrypted, for a limited time, only with consent. Off unless made.

Owns the files. A voice print is biometric data: one file a person, its name a keyed hash, its content sealed with
AES-256-GCM; other people's voices are never stored. Needs the `cryptography` package.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import importlib
import math
import os
import secrets
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from speaker_gate.consent import Consent, allows_storage
from speaker_gate.embedders import Embedding
from speaker_gate.errors import ConsentMissing, ExtraMissing, StoreMisused, StoreUnreadable, StoreUnwritable

KEY_BYTES = 32
NONCE_BYTES = 12
SUFFIX = ".voice"
TTL_S = 90 * 24 * 3600.0
"""Longest a voice is kept unless another limit is given: 90 days."""

VOICES_MAX = 100_000
FILE_BYTES_MAX = 64 * 1024
EMBEDDINGS_MAX = 4
"""Embeddings of one person: one a band, and as many again."""

KEY_TRIES = 3
"""Files of other people that are tried before a key is called wrong."""


class _StoredEmbedding(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    vector: tuple[float, ...]
    embedder: str
    seconds: float
    narrow: bool


class _StoredVoice(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int = 1
    voice: tuple[_StoredEmbedding, ...] = Field(max_length=EMBEDDINGS_MAX)
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
        StoreMisused: The key is not 32 bytes, or the limit is not a number of seconds above 0.
        StoreUnwritable: The folder cannot be made.
    """

    def __init__(self, folder: Path, key: bytes, *, ttl_s: float = TTL_S) -> None:
        if not isinstance(key, bytes) or len(key) != KEY_BYTES:  # pyright: ignore[reportUnnecessaryIsInstance] - untyped callers
            size = f"{len(key)} bytes" if isinstance(key, bytes) else type(key).__name__  # pyright: ignore[reportUnnecessaryIsInstance]
            raise StoreMisused(f"the key must be {KEY_BYTES} bytes, not {size}; make one with new_key()")
        if not math.isfinite(ttl_s) or ttl_s <= 0.0:
            raise StoreMisused(f"ttl_s must be a number of seconds above 0, not {ttl_s}")
        try:
            ciphers: Any = importlib.import_module("cryptography.hazmat.primitives.ciphers.aead")
        except ModuleNotFoundError as error:
            raise ExtraMissing("cryptography", "pip install cryptography") from error
        self._cipher: Any = ciphers.AESGCM(hashlib.sha256(b"voice-content" + key).digest())
        self._name_key = hashlib.sha256(b"voice-name" + key).digest()
        self._folder = folder
        self._ttl_s = ttl_s
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise StoreUnwritable(f"the folder {folder} for stored voices cannot be made: {error.strerror}") from error

    def save(self, subject: str, voice: tuple[Embedding, ...], consent: Consent | None, now_s: float) -> None:
        """Store a person's voice, replacing an older one.

        Args:
            subject: Id of the person in the deployment; only its keyed hash is written.
            voice: The enrolled embeddings.
            consent: Must have scope STORED.
            now_s: Epoch seconds.

        Raises:
            ConsentMissing: No consent to storage.
            StoreMisused: No embedding, more than four, one that is not finite or too long, no id, or no time.
            StoreUnwritable: The folder cannot be written; an older voice stands as it was.
        """
        if consent is None or not allows_storage(consent):
            raise ConsentMissing("storing a voice needs a consent with scope 'stored'")
        if not 0 < len(voice) <= EMBEDDINGS_MAX or not all(np.isfinite(one.vector).all() for one in voice):
            raise StoreMisused(f"a stored voice is 1 to {EMBEDDINGS_MAX} finite embeddings; {len(voice)} given")
        _checked_time(now_s)
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
        if len(sealed) > FILE_BYTES_MAX:
            raise StoreMisused(f"a stored voice takes at most {FILE_BYTES_MAX} bytes; this one takes {len(sealed)}")
        draft = path.with_suffix(".draft")
        try:
            draft.touch(mode=0o600)
            draft.write_bytes(sealed)
            os.replace(draft, path)
        except OSError as error:
            with contextlib.suppress(OSError):
                draft.unlink(missing_ok=True)
            raise StoreUnwritable(f"a voice cannot be stored: {error.strerror}") from error

    def load(self, subject: str, now_s: float) -> tuple[Embedding, ...] | None:
        """Give a person's voice; None when there is none, or when it has expired (it is then deleted).

        Raises:
            StoreUnreadable: The file was changed; or there is none for this person, and nobody's opens with this key.
            StoreMisused: No id, or no time.
        """
        _checked_time(now_s)
        path = self._path(subject)
        if not path.is_file():
            self._doubt_key()
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
        """Delete one person's voice; False when there was none.

        Raises:
            StoreUnwritable: It is still there.
            StoreUnreadable: There is none of that name, and nobody's opens with this key: it may be there all the same.
        """
        path = self._path(subject)
        had = path.is_file()
        if not had:
            self._doubt_key()
        if had and not _unlinked(path):
            raise StoreUnwritable("a stored voice could not be deleted; check the folder's rights")
        return had

    def delete_all(self) -> int:
        """Delete every voice; returns how many there were. Works without the right key.

        Raises:
            StoreUnwritable: Some could not be deleted; all others are gone. Says how many are left.
        """
        paths = [*self._files(), *self._folder.glob("*.draft")]
        left = [path for path in paths if not _unlinked(path)]
        if left:
            raise StoreUnwritable(f"{len(left)} of {len(paths)} stored voices could not be deleted; check the folder")
        return sum(path.suffix == SUFFIX for path in paths)

    def purge(self, now_s: float) -> int:
        """Delete what has expired, and what cannot be read any more; returns how many.

        Raises:
            StoreMisused: No time.
        """
        _checked_time(now_s)
        gone = 0
        for path in self._files()[:VOICES_MAX]:
            try:
                keep = self._open(path).expires_at_s > now_s
            except StoreUnreadable:
                keep = False
            gone += not keep and _unlinked(path)
        return gone

    def _files(self) -> list[Path]:
        return sorted(path for path in self._folder.glob(f"*{SUFFIX}") if not path.is_dir())

    def _path(self, subject: str) -> Path:
        if not isinstance(subject, str) or not subject:  # pyright: ignore[reportUnnecessaryIsInstance] - untyped callers
            raise StoreMisused("subject: give the person's id in the deployment, a text that is not empty")
        name = hmac.new(self._name_key, subject.encode(), hashlib.sha256).hexdigest()
        return self._folder / f"{name}{SUFFIX}"

    def _doubt_key(self) -> None:
        """With another key every name is another, so that everybody would silently be unknown: say so instead."""
        tried = self._files()[:KEY_TRIES]
        for path in tried:
            with contextlib.suppress(StoreUnreadable):
                self._open(path)
                return
        if tried:
            raise StoreUnreadable("no voice in this folder opens with this key; give the key they were stored with")

    def _open(self, path: Path) -> _StoredVoice:
        try:
            with path.open("rb") as file:
                sealed = file.read(FILE_BYTES_MAX)
        except OSError as error:
            raise StoreUnreadable(f"a stored voice cannot be read: {error.strerror}") from error
        try:
            plain = self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], path.name.encode())
            return _StoredVoice.model_validate_json(plain)
        except ValidationError:  # not chained: it quotes what was stored, and that is a voice
            raise StoreUnreadable("a stored voice has another form than this version reads") from None
        except Exception as error:  # the cipher's own error type belongs to the vendor
            raise StoreUnreadable("a stored voice cannot be opened: wrong key, or the file was changed") from error


def _checked_time(now_s: float) -> None:
    if not math.isfinite(now_s):
        raise StoreMisused(f"now_s must be epoch seconds, not {now_s}")


def _unlinked(path: Path) -> bool:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return False
    return True
