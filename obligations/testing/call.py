"""A scripted call: drive a tracker as a live pipeline would, sentence by sentence, without one.

Owns the bookkeeping of utterance ids and time. Time is moved only by what is said.
"""

from __future__ import annotations

from collections.abc import Callable

from obligations.answers.protocol import ReplySpeaker
from obligations.steering.moves import End, Listen, Move, Speak
from obligations.tracker.facts import Delivery, Reply, ReplyOutcome
from obligations.tracker.tracker import Tracker

CHARS_PER_S = 15.0
MOVES_MAX = 400


class ScriptedCall:
    """One call on a tracker."""

    def __init__(self, tracker: Tracker) -> None:
        self.tracker = tracker
        self.now_s = 0.0
        self.spoken: list[str] = []
        self._count = 0

    def say(self, text: str, *, until: str | None = None, interrupted: bool = True, margin_chars: int = 0) -> str:
        """Speak a text, whole or until the end of the words `until`, and return the utterance's id.

        Args:
            text: What is intended.
            until: The last words heard; None for all of it, "" for nothing.
            interrupted: A cut was made by a voice.
            margin_chars: As in `Delivery`.

        Raises:
            ValueError: `until` is not in `text`.
        """
        self._count += 1
        utterance_id = f"u{self._count}"
        heard = len(text) if until is None else text.index(until) + len(until) if until else 0
        self.tracker.intended(utterance_id, text, self.now_s)
        if heard:
            self.tracker.started(utterance_id, self.now_s)
        self.now_s += heard / CHARS_PER_S
        delivery = Delivery(
            utterance_id=utterance_id,
            delivered_chars=heard,
            complete=until is None,
            interrupted=until is not None and interrupted,
            margin_chars=margin_chars,
        )
        self.tracker.delivered(delivery, self.now_s)
        self.spoken.append(text[:heard])
        return utterance_id

    def hear(
        self,
        text: str,
        *,
        speaker: ReplySpeaker = ReplySpeaker.PRIMARY,
        label: str = "",
        onset_during: str | None = None,
        heard_chars_at_onset: int | None = None,
        backchannel: bool = False,
        unconfirmed: bool = False,
    ) -> ReplyOutcome:
        """Let somebody say something."""
        self.now_s += 1.0
        return self.tracker.reply(
            Reply(
                text=text,
                now_s=self.now_s,
                speaker=speaker,
                label=label,
                onset_during=onset_during,
                heard_chars_at_onset=heard_chars_at_onset,
                is_backchannel=backchannel,
                unconfirmed=unconfirmed,
            )
        )

    def move(self) -> Move:
        """Ask for the next move."""
        return self.tracker.next_move(self.now_s)

    def speak(self, *, until: str | None = None) -> Speak:
        """Take the next move, which must be to speak, and speak it, whole or until the words `until`.

        Raises:
            AssertionError: The next move is not to speak.
        """
        move = self.move()
        assert isinstance(move, Speak), move
        self.say(move.text, until=until)
        return move

    def until_listening(self) -> list[Speak]:
        """Speak whole every move until the agent listens or ends; the moves spoken.

        Raises:
            AssertionError: It never does.
        """
        spoken: list[Speak] = []
        for _ in range(MOVES_MAX):
            if not isinstance(self.move(), Speak):
                return spoken
            spoken.append(self.speak())
        raise AssertionError("the agent never listens")

    def run(self, patient: Callable[[Speak], str | None]) -> End:
        """Run the call to its end with a patient who answers each utterance, or is silent (None).

        Raises:
            AssertionError: It does not end within `MOVES_MAX` moves.
        """
        last: Speak | None = None
        for _ in range(MOVES_MAX):
            move = self.move()
            if isinstance(move, End):
                return move
            if isinstance(move, Listen):
                reply = patient(last) if last is not None else None
                last = None
                if reply is not None:
                    self.hear(reply)
                elif move.until_s is not None:
                    self.now_s = max(self.now_s, move.until_s)
                continue
            last = self.speak()
        raise AssertionError("the call does not end")
