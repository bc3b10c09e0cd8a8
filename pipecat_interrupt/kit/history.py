"""The talk so far, from the ledger, as messages for a language model: what was heard and what was replied.

Owns that reading. For a call that another worker began: its model knew the talk, this one's context is empty.
"""

from __future__ import annotations

from obligations.answers.protocol import ReplySpeaker
from obligations.tracker import Tracker

MESSAGES_MAX = 200


def talk_so_far(tracker: Tracker) -> list[dict[str, str]]:
    """Give what was delivered and what the patient said, in order; the last `MESSAGES_MAX` messages.

    Text that was not heard is left out, and so are a third party's words: what they reported stands in the note.
    """
    utterances = tracker.ledger.call.utterances
    found: list[dict[str, str]] = []
    for event in tracker.events:
        role, text = "", ""
        if event.kind == "delivered":
            role, text = "assistant", utterances[event.utterance_id].text[: event.delivered_chars]
        elif event.kind == "replied" and event.speaker is not ReplySpeaker.THIRD_PARTY:
            role, text = "user", event.text
        if not text.strip():
            continue
        if found and found[-1]["role"] == role:
            found[-1] = {"role": role, "content": f"{found[-1]['content']} {text.strip()}"}
        else:
            found.append({"role": role, "content": text.strip()})
    return found[-MESSAGES_MAX:]
