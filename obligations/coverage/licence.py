"""The licence of a matcher or answer reader: on what data, and how surely, it never closes wrongly.

Owns the certificate's form, its signature and its fit to a matcher. Never measures: the evaluation commands make it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import math
from datetime import date
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from obligations.errors import CallerError

SCHEMA_VERSION = 1
ELIGIBLE_MIN = 30
"""Fewest eligible rows (items that must stay open) a certificate may rest on; fewer say nothing about a rate."""
_Z_95 = 1.959963984540054


class CertificateError(CallerError):
    """A certificate cannot be read, was changed after signing, or belongs to another matcher."""


class Certificate(BaseModel):
    """What was measured about one matcher or reader, signed over its content.

    Parameters:
        schema_version: Version of this form.
        seam: "coverage" or "answers".
        matcher: ``name@version`` of what was measured.
        languages: BCP 47 tags that were measured; it licenses no other.
        model: Model behind it, "" for rules.
        prompt_sha256: Digest of the judge's prompt, "" for rules.
        data_name: Name of the data.
        data_sha256: Digest of the data's bytes.
        made: The day it was measured.
        eligible: Critical rows that had to stay open.
        wrongly_closed: How many of those it closed.
        upper: Upper end of the Wilson 95 % interval of wrongly_closed / eligible, 0..1.
        signed_with: "sha256" shows accidental change only; "hmac-sha256" also shows who signed.
        signature: Hex digest over everything else.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    schema_version: Literal[1] = SCHEMA_VERSION
    seam: Literal["coverage", "answers"]
    matcher: str = Field(pattern=r"^[^@\s]+@[^@\s]+$")
    languages: tuple[str, ...] = Field(min_length=1)
    model: str = ""
    prompt_sha256: str = ""
    data_name: str
    data_sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    made: date
    eligible: int = Field(ge=0)
    wrongly_closed: int = Field(ge=0)
    upper: float = Field(ge=0.0, le=1.0)
    signed_with: Literal["sha256", "hmac-sha256"] = "sha256"
    signature: str = ""

    @model_validator(mode="after")
    def _counts_agree(self) -> Self:
        if self.wrongly_closed > self.eligible:
            raise ValueError("wrongly_closed cannot exceed eligible")
        if abs(self.upper - wilson_upper(self.wrongly_closed, self.eligible)) > 1e-6:
            raise ValueError("upper is not the Wilson bound of wrongly_closed / eligible")
        return self

    def content(self) -> bytes:
        """Give the bytes that are signed: every field but the signature, in one canonical order."""
        fields = self.model_dump(mode="json", exclude={"signature"})
        return json.dumps(fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()

    def signed(self, key: bytes | None = None) -> Certificate:
        """Give the same certificate with its signature.

        Args:
            key: Secret to sign with; None signs with a plain digest, which shows accidental change only.
        """
        method: Literal["sha256", "hmac-sha256"] = "sha256" if key is None else "hmac-sha256"
        bare = self.model_copy(update={"signed_with": method, "signature": ""})
        return bare.model_copy(update={"signature": _digest(bare.content(), key)})

    def intact(self, key: bytes | None = None) -> bool:
        """Say whether the signature fits the content and, with a key, the signer."""
        if (key is None) != (self.signed_with == "sha256"):
            return False
        return hmac.compare_digest(self.signature, _digest(self.content(), key))

    def fits(self, matcher: str, language: str) -> bool:
        """Say whether it licenses this ``name@version`` in this language."""
        return self.matcher == matcher and language in self.languages

    def may_close_critical(self, limit: float) -> bool:
        """Say whether the measured bound lies at or below the pathway's limit.

        Args:
            limit: Highest wrongly-closed rate the pathway accepts, 0..1.
        """
        return self.eligible >= ELIGIBLE_MIN and self.upper <= limit


def wilson_upper(hits: int, n: int) -> float:
    """Give the upper end of the Wilson 95 % interval; 1.0 when nothing was measured."""
    if n == 0:
        return 1.0
    share, z2 = hits / n, _Z_95 * _Z_95
    centre = share + z2 / (2 * n)
    spread = _Z_95 * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return min(1.0, (centre + spread) / (1 + z2 / n))


def _digest(content: bytes, key: bytes | None) -> str:
    return hashlib.sha256(content).hexdigest() if key is None else hmac.new(key, content, hashlib.sha256).hexdigest()


def load_certificate(path: Path, *, matcher: str, key: bytes | None = None) -> Certificate:
    """Read a certificate and hold it against the matcher it is to license.

    Args:
        path: The certificate file.
        matcher: ``name@version`` that is about to be used.
        key: The secret it was signed with, when it was.

    Raises:
        CertificateError: It cannot be read, was changed after signing, or is another matcher's.
    """
    try:
        certificate = Certificate.model_validate_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CertificateError(f"cannot read {path}: {error.strerror or error}") from error
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in problem["loc"])
        raise CertificateError(f"{path}: not a certificate: {where or 'content'}: {problem['msg']}") from error
    if not certificate.intact(key):
        raise CertificateError(f"{path}: the signature does not fit the content")
    if certificate.matcher != matcher:
        raise CertificateError(f"{path}: certifies {certificate.matcher}, not {matcher}")
    return certificate


def write_certificate(path: Path, certificate: Certificate) -> None:
    """Write a signed certificate; makes the folder when it is not there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(certificate.model_dump_json(indent=2) + "\n", encoding="utf-8")
