"""Writes the certificate that licenses a matcher or reader, from what an evaluation counted.

Owns only the filling of the form; the form and its signature belong to ``obligations.coverage.licence``.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from obligations.coverage.licence import Certificate, wilson_upper, write_certificate

KEY_VARIABLE = "PIPECAT_INTERRUPT_CERTIFICATE_KEY"
"""Environment variable with the secret certificates are signed with; without it they carry a plain digest."""


@dataclass(frozen=True, slots=True)
class CertificateFacts:
    """What an evaluation found out about one matcher or reader.

    Parameters:
        seam: "coverage" or "answers".
        matcher: ``name@version``.
        languages: Tags of the rows measured.
        eligible: Rows that had to stay open.
        wrong: How many of those were closed.
        model: Model behind it, "" for rules.
        prompt_sha256: Digest of its prompt, "" for rules.
    """

    seam: Literal["coverage", "answers"]
    matcher: str
    languages: tuple[str, ...]
    eligible: int
    wrong: int
    model: str = ""
    prompt_sha256: str = ""


def certify(path: Path, data: Path, facts: CertificateFacts) -> Certificate:
    """Write a signed certificate for what was measured on `data` today."""
    secret = os.environ.get(KEY_VARIABLE)
    certificate = Certificate(
        seam=facts.seam,
        matcher=facts.matcher,
        languages=facts.languages,
        model=facts.model,
        prompt_sha256=facts.prompt_sha256,
        data_name=data.name,
        data_sha256=hashlib.sha256(data.read_bytes()).hexdigest(),
        made=datetime.now(UTC).date(),
        eligible=facts.eligible,
        wrongly_closed=facts.wrong,
        upper=wilson_upper(facts.wrong, facts.eligible),
    ).signed(secret.encode() if secret else None)
    write_certificate(path, certificate)
    return certificate
