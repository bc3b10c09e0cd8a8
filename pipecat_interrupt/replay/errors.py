"""Why a recording or transcript is not replayed. Each refusal has a short code (for counting) and one clear sentence.

RecordingRefused(InterruptError)   caller's fault or a poisoned file: names the file, what is wrong, and the fix

In a folder a refusal quarantines that file and the rest goes on.
"""

from __future__ import annotations

from typing import Literal

from pipecat_interrupt.errors import InterruptError

RefusalCode = Literal[
    "too_large",
    "too_long",
    "empty",
    "truncated",
    "bad_header",
    "bad_audio",
    "channels",
    "bad_text",
    "bad_times",
    "no_voices",
    "unknown_form",
    "doubled",
    "unreadable",
    "broken_journal",
    "no_pathway_language",
    "failed",
    "worker_died",
]
"""Stable codes: what kind of refusal it was."""


class RecordingRefused(InterruptError):
    """A file is not replayed.

    Args:
        code: What kind of refusal.
        name: The file's name, without its folder.
        why: What is wrong and what would help; never words of a call.
    """

    def __init__(self, code: RefusalCode, name: str, why: str) -> None:
        self.code: RefusalCode = code
        self.name, self.why = name, why
        super().__init__(f"{name}: {why} [{code}]")

    def __reduce__(self) -> tuple[type[RecordingRefused], tuple[RefusalCode, str, str]]:
        """Cross a process boundary whole."""
        return RecordingRefused, (self.code, self.name, self.why)
