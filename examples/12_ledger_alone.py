"""Only the ledger: what a call must cover and whether it has. No Pipecat is imported.

Run it: ``python examples/12_ledger_alone.py``. Any framework can drive it: tell it what was meant to be said, how much
of it was heard, and what came back; ask it for the next move, and for the hand-off at the end.
"""

from __future__ import annotations

import sys

from obligations import Delivery, Reply, Speak, Tracker, load_pathway, to_markdown
from obligations.answers.reader import LocalAnswerReader


def main() -> None:
    """Cut the first question, answer it when it comes again, then let the line drop."""
    tracker = Tracker(load_pathway("cataract-followup"), call_id="42", reader=LocalAnswerReader())
    heard_share, now_s = {2: 0.5}, 0.0  # the second utterance is cut in its middle
    replies = {1: "All right, go on.", 2: "Sorry?", 3: "No, none at all."}

    for count in range(1, 4):
        move = tracker.next_move(now_s)
        while not isinstance(move, Speak):  # nothing to say yet: let time pass
            now_s += 1.0
            move = tracker.next_move(now_s)
        said, utterance_id = move.text, f"u{count}"
        chars = int(len(said) * heard_share.get(count, 1.0))
        tracker.intended(utterance_id, said, now_s)
        tracker.started(utterance_id, now_s)
        now_s += 4.0
        whole = chars == len(said)
        heard = Delivery(utterance_id=utterance_id, delivered_chars=chars, complete=whole, interrupted=not whole)
        tracker.delivered(heard, now_s)
        print(f"{utterance_id}: {said[:chars]}{'' if whole else ' [cut]'}")
        tracker.reply(Reply(text=replies[count], now_s=now_s + 1.0))
        print(f"    {replies[count]}")
        now_s += 2.0

    handoff = tracker.handoff("hang_up", now_s)
    print(f"\nanswered: {[(a.item_id, a.value) for a in handoff.answers]}")
    print(f"open: {[(i.item_id, i.reason) for i in handoff.open_items]}")
    print(to_markdown(handoff).splitlines()[0])
    print(f"Pipecat loaded: {'pipecat' in sys.modules}")


if __name__ == "__main__":
    main()
