"""Taking words out of a journal: for people who may not read what was said.

Owns which fields hold words of the call and whose they are. A redacted journal is a copy with its own chain; it says so
in its first entry.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pipecat_interrupt.errors import SettingsError
from pipecat_interrupt.journal.entries import GENESIS, CallStarted, JournalEntry

RedactionPolicy = Literal["patient_words", "all_words"]
WORD_FIELDS = frozenset(
    {"text", "words", "quote", "intended", "delivered", "undelivered", "partial_text", "partial_spoken", "cut_at"}
)
"""Fields that hold words of the call, wherever they stand in an entry."""

PATIENT_KINDS = frozenset({"patient_turn", "overlap", "gate_words"})
"""Kinds whose words come from the far end, whoever spoke there."""

PATIENT_LEDGER_KINDS = frozenset({"replied", "question_noted", "words_left"})
PLAIN_VALUES = frozenset({"yes", "no"})
"""Answers that stay: rates are computed from them. Every other value may hold the patient's own words."""


def redacted(entries: Sequence[JournalEntry], policy: RedactionPolicy = "patient_words") -> list[JournalEntry]:
    """Take words out of a journal: the patient's, or everybody's.

    Each letter becomes an "x", white space stays. Positions, lengths,
    verdicts, states and times stay, so rates can still be computed and records still hold their promises.

    Args:
        entries: A whole journal, in order.
        policy: Whose words go.

    Returns:
        New entries with a chain of their own; the first one carries the notice "redacted: POLICY".

    Raises:
        SettingsError: Unknown policy.
    """
    if policy not in ("patient_words", "all_words"):
        raise SettingsError(f"redaction policy {policy!r} is unknown; use 'patient_words' or 'all_words'")
    found: list[JournalEntry] = []
    previous = GENESIS
    for entry in entries:
        entry = without_words(entry, policy)
        entry = JournalEntry.model_validate({**entry.model_dump(mode="json"), "previous": previous, "digest": ""})
        entry = entry.model_copy(update={"digest": entry.computed_digest()})
        previous = entry.digest
        found.append(entry)
    return found


def without_words(entry: JournalEntry, policy: RedactionPolicy) -> JournalEntry:
    """Give one entry with the words masked; its digest no longer fits, so it is for showing, not for keeping."""
    data = entry.data.model_dump(mode="json")
    if isinstance(entry.data, CallStarted):
        data["notices"] = [*data["notices"], f"redacted: {policy}"]
    elif policy == "all_words" or _by_patient(data):
        data = _blank(data)
    elif data["kind"] == "utterance" and (data["record"].get("overlap") or {}).get("words"):
        data["record"]["overlap"] = _blank(data["record"]["overlap"])
    if data["kind"] == "ledger" and data["event"].get("value") not in (None, *PLAIN_VALUES):
        data["event"] = {**data["event"], "value": _mask(str(data["event"]["value"]))}
    return JournalEntry.model_validate({**entry.model_dump(mode="json"), "data": data})


def _by_patient(data: dict[str, Any]) -> bool:
    return data["kind"] in PATIENT_KINDS or (
        data["kind"] == "ledger" and data["event"].get("kind") in PATIENT_LEDGER_KINDS
    )


def _blank(value: Any) -> Any:
    """Replace the words in every field that holds some; texts that split another keep their lengths."""
    if isinstance(value, dict):
        return {k: _mask(v) if k in WORD_FIELDS and isinstance(v, str) else _blank(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_blank(v) for v in value]
    return value


def _mask(text: str) -> str:
    """One "x" a character, white space kept: lengths and word counts stay true, so records still validate."""
    return "".join(c if c.isspace() else "x" for c in text)
