"""What a kit is given for the frame around the content: who finds machines, who puts calls through.

Owns the wiring of Pipecat's `VoicemailDetector` to the pathway's signal. The detector's own gate behind the voice is
not used: nothing is handed to the voice before the verdict, and that gate would stay shut for ever on a person who
picks up and says nothing (docs/decisions/0010).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipecat.processors.frame_processor import FrameProcessor
from pipecat.transports.base_output import BaseOutputTransport

from obligations.steering import SteeringPolicy
from obligations.tracker import Tracker
from pipecat_interrupt.errors import PipelineError
from pipecat_interrupt.steering.transfer import Transfer

if TYPE_CHECKING:
    from pipecat.extensions.voicemail.voicemail_detector import VoicemailDetector

    from pipecat_interrupt.steering.conductor import Conductor

ANSWER_WAIT_S = 5.0
"""Silence after the line opened before the agent speaks first. Our choice: people who wait for the caller wait less."""

VERDICT_WAIT_S = 20.0
"""Longest wait for a verdict after sound was heard. Our choice: the detector decides a second after its last word."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFrame:
    """The parts around one call.

    Parameters:
        voicemail: Finds machines; one a call. The pathway needs a precondition without a question, and right-party
            check behind it, because the detector can be wrong.
        transfer: Puts the call through to a person; None: nobody is promised one at once.
        answer_wait_s: Silence after the line opened before the agent speaks all the same.
        verdict_wait_s: Longest wait for a verdict after sound was heard.
    """

    voicemail: VoicemailDetector | None = None
    transfer: Transfer | None = None
    answer_wait_s: float = ANSWER_WAIT_S
    verdict_wait_s: float = VERDICT_WAIT_S

    def detector(self) -> tuple[FrameProcessor, ...]:
        """Place this behind the recogniser and before everything that keeps words from it; () without a detector."""
        return (self.voicemail.detector(),) if self.voicemail is not None else ()


class Answered:
    """Keeps the agent silent until it is known who has answered.

    Args:
        tracker: Holds the pathway's signal.
        frame: The detector and its times.
        now_s: The call's clock.

    Raises:
        PipelineError: The pathway has no precondition that a detector could decide.
    """

    def __init__(self, tracker: Tracker, frame: CallFrame, now_s: Callable[[], float]) -> None:
        signals = [p.id for p in tracker.pathway.preconditions if p.question is None]
        if not signals:
            raise PipelineError(
                f"pathway {tracker.pathway.id} has no precondition that a voicemail detector could decide;"
                " add `- {id: human-answered, otherwise: voicemail}` to its preconditions"
            )
        self._tracker, self._frame, self._now_s, self._signal = tracker, frame, now_s, signals[0]
        self._opened = False

    def open(self) -> None:
        """The line is open; again changes nothing."""
        if not self._opened:
            self._opened = True
            self._wait(self._frame.answer_wait_s)

    def heard(self) -> None:
        """The far end made a sound: the verdict is worth a longer wait, when one is waited for."""
        if self._tracker.ledger.call.awaited and self._signal not in self._tracker.ledger.call.signals:
            self._wait(self._frame.verdict_wait_s)

    def decided(self, person: bool) -> None:
        """The detector has decided; a second verdict is not taken."""
        if self._signal not in self._tracker.ledger.call.signals:
            self._tracker.signal(self._signal, person, self._now_s())

    def _wait(self, wait_s: float) -> None:
        now_s = self._now_s()
        self._tracker.await_signal(self._signal, now_s + wait_s, now_s)


def policy_for(frame: CallFrame, policy: SteeringPolicy | None) -> SteeringPolicy | None:
    """Give the policy of a call, which may promise a person only where the carrier can bring one."""
    if frame.transfer is None:
        return policy
    return (policy or SteeringPolicy()).model_copy(update={"transfer": True})


def join_frame(conductor: Conductor, frame: CallFrame) -> None:
    """Give a conductor the parts of its frame.

    Raises:
        PipelineError: They do not fit the pathway or the policy of its call.
    """
    tracker = conductor.tracker
    if frame.transfer is not None and not tracker.policy.transfer:
        raise PipelineError(
            "this call is kept with a policy that promises nobody a transfer, and the frame has one;"
            " keep the call with SteeringPolicy(transfer=True)"
        )
    conductor.transfer = frame.transfer
    if frame.voicemail is None:
        return
    conductor.answered = Answered(tracker, frame, conductor.now_s)

    @frame.voicemail.event_handler("on_conversation_detected")
    async def _(_: object) -> None:
        conductor.answered_by(person=True)

    @frame.voicemail.event_handler("on_voicemail_detected")
    async def _(_: object) -> None:
        conductor.answered_by(person=False)


def frame_notices(tracker: Tracker, frame: CallFrame) -> list[str]:
    """Say what a reader of the call's results must know of its frame."""
    found: list[str] = []
    if tracker.pathway.right_party is None:
        found.append("the pathway has no right-party check: whoever answers is told")
    if frame.voicemail is None:
        found.append("no voicemail detector: a machine is greeted like a person")
    return found


def lint_transfer(output: BaseOutputTransport, frame: CallFrame) -> list[str]:
    """Name a serializer that would hang up on the person a call was put through to."""
    serializer = getattr(getattr(output, "_params", None), "serializer", None)
    if frame.transfer is None or serializer is None:
        return []
    if getattr(getattr(serializer, "_params", None), "auto_hang_up", False):
        name = type(serializer).__name__
        return [
            f"{name} hangs up when the agent leaves, and with it the person the call was put through to:"
            " give it auto_hang_up=False and end calls that were not transferred yourself"
        ]
    return []
