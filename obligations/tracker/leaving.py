"""A sentence that takes leave, without the leave: "Yes, it hurts, got to go, bye" tells of something first.

Owns where the words of leaving begin and end. What is left is a reply like any other.
"""

from __future__ import annotations

import re

from obligations.ledger.records import CallRecord
from obligations.pathway.words import words_of
from obligations.tracker.language import LanguageTable, plain

_PARTS = re.compile(r"[^,;:–—]+")


def takes_leave(sentence: str, table: LanguageTable) -> bool:
    """Say whether any part of a sentence takes leave."""
    return any(table.leaves.search(plain(part)) for part in _parts(sentence))


def before_leaving(sentence: str, table: LanguageTable) -> str:
    """Give what a sentence says besides taking leave; "" when nothing but courtesy is left."""
    kept = [_without(part, table) for part in _parts(sentence)]
    told = [part for part in kept if part and not table.courtesy.fullmatch(plain(part))]
    return ", ".join(told)


def said_back(call: CallRecord, table: LanguageTable) -> bool:
    """Say whether the patient's last goodbye only returns the agent's: whoever is sent off has not asked to leave."""
    goodbyes = [reply for reply in call.replies.values() if "goodbye" in reply.intents]
    if not goodbyes:
        return False
    reply = goodbyes[-1]
    during = call.utterances.get(reply.onset_during or "")
    if during is not None:  # both spoke at once: only what had sounded when the patient began can have been returned
        heard = during.heard if reply.heard_chars_at_onset is None else during.text[: reply.heard_chars_at_onset]
        return takes_leave(heard, table)
    before = [u for u in call.utterances.values() if u.intended_at_s < reply.at_s and u.heard_chars > 0]
    return bool(before) and takes_leave(before[-1].heard, table)


def _parts(sentence: str) -> list[str]:
    return [part for part in (m[0].strip() for m in _PARTS.finditer(sentence)) if plain(part)]


def _without(part: str, table: LanguageTable) -> str:
    said = plain(part)
    leave = table.leaves.search(said)
    if leave is None:
        return part
    before = len(said[: leave.start()].split())
    return part[: words_of(part)[before].start].strip()
