"""The gate's ear on one call: sound in, verdicts out, the model off the event loop. No frames.

Owns the ring of sound before a turn, the turn that is open, and the one judgement that may run at a time.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, replace

import numpy as np
from loguru import logger

from pipecat_interrupt.errors import PipelineError
from pipecat_interrupt.gate.settings import GatePipelineSettings
from speaker_gate import CallGate, TurnVerdict, Voice, Why
from speaker_gate.gate import OpenTurn

END_JUDGEMENT_S_MAX = 5.0
"""Longest the last judgement of a turn may take; after that its verdict is what was known."""

TURNS_KEPT = 8
"""Turns remembered for texts that come late."""


TEXT_AFTER_S_MIN = 0.7
"""A text that comes sooner than this after a turn opened is the text of the turn before: none is recognised so fast."""

SAME_BREATH_S_MAX = 0.8
"""A turn that opens this soon after another closed goes on with it, as far as anyone can tell: voice detection reports
the end of a voice and its new beginning each about 0.2 s late."""


KNOWN_AFTER_S_MAX = 2.0
"""By then a voice that can be told has been told, in 95 of 100 (docs/metrics/speaker_gate.md)."""


BREATHS_S_MAX = 5.0
"""Longest another person's words wait for the rest of what they say."""

TEXT_S_MAX = 1.5
"""Longest after the end of a turn that its text is waited for."""

LOOK_BACK_S = 3.0
"""Sound kept from before a turn, for words that the recogniser heard and voice detection did not: a soft "yes" over the
telephone; the words come about a second after it."""

MORE_TEXT_S_MAX = 3.0
"""A turn that has had a text has had all of them this long after its end."""

FIRST_TEXT_S_MAX = 12.0
"""And one that has had none gets none any more: as long as a slow recogniser is waited for, and a little longer."""


@dataclass(slots=True, eq=False)
class HeardTurn:
    """One turn of the caller, for the texts that belong to it.

    Parameters:
        handle: The gate's own handle.
        opened_s: When voice detection reported it, event loop time.
        start_s: Time of its first sample, pre-roll included.
        heard_start_s: The same in seconds of sound heard since the call began.
        verdict: The latest verdict on it.
        closed_s: When voice detection reported its end; None while it is open.
        closing: The last judgement of it.
        over_agent: Whether the agent was speaking when it opened.
        texts: How many transcripts it has had; a segment that was reported to have none counts as one.
        heard_end_s: Its end in seconds of sound heard since the call began.
        proposed: Opened by a recogniser with turn detection of its own, which tells no pause: a text closes it.
    """

    handle: OpenTurn
    opened_s: float
    start_s: float
    heard_start_s: float
    verdict: TurnVerdict | None = None
    closed_s: float | None = None
    closing: asyncio.Task[TurnVerdict] | None = None
    over_agent: bool = False
    texts: int = 0
    heard_end_s: float = math.inf
    proposed: bool = False

    @property
    def settled(self) -> bool:
        """True when no judgement of it is under way or due."""
        return self.closing is not None and self.closing.done()


class GateEar:
    """Listens to one call.

    Args:
        gate: The call's gate.
        settings: When it listens.
        executor: Where the model runs; None is the loop's own.
        on_verdict: Told of every new verdict of the open turn, and of the final one.
    """

    def __init__(
        self,
        gate: CallGate,
        settings: GatePipelineSettings,
        executor: Executor | None,
        on_verdict: Callable[[TurnVerdict], None],
    ) -> None:
        if not isinstance(gate, CallGate):  # pyright: ignore[reportUnnecessaryIsInstance] - not every caller is typed
            raise PipelineError(f"gate: is {type(gate).__name__}; give CallGate(ears), a new one a call")
        self.gate = gate
        self._settings = settings
        self._executor = executor
        self._on_verdict = on_verdict
        self._ring: deque[bytes] = deque()
        self._ring_bytes = 0
        self._rate_hz = 0
        self._judged_s = 0.0
        self._turn_s = 0.0
        self._heard_s = 0.0
        self._work: asyncio.Task[None] | None = None
        self._turns: deque[HeardTurn] = deque(maxlen=TURNS_KEPT)
        self._detector_heard = False
        self.segmented = False
        """Whether the recogniser hears whole segments: their texts come late."""
        self.in_order = False
        """Whether it also reports those without words: then each turn has one text or none, in their order."""
        self.open = False
        self.verdict: TurnVerdict | None = None

    @property
    def heard_s(self) -> float:
        """Seconds of sound since the call began: the recogniser's own clock."""
        return self._heard_s

    @property
    def turn(self) -> HeardTurn | None:
        """The turn that opened last."""
        return self._turns[-1] if self._turns else None

    @property
    def turn_start_s(self) -> float:
        """Time of the first sample of that turn; 0.0 before any."""
        return self._turns[-1].start_s if self._turns else 0.0

    def turn_of_text(self, now_s: float, begins_s: float | None = None) -> HeardTurn | None:
        """Say which turn a text that comes now belongs to, and count the text.

        Args:
            now_s: Event loop time.
            begins_s: When its first word began by the recogniser's clock (`heard_s`); None where it does not tell. A
                time that cannot be is not looked at: some recognisers begin anew after a reconnection.

        Returns:
            The turn; None where no turn can be its own: nobody was heard to speak then, and the verdict on whoever
            spoke last says nothing about it.
        """
        turn = self._owner(now_s)
        if turn is not None and begins_s is not None and turn.heard_end_s < begins_s <= self._heard_s:
            turn = None
        if turn is not None:
            turn.texts += 1
        return turn

    def no_text(self, now_s: float) -> None:
        """The recogniser has closed a segment without words."""
        if self.in_order:
            self.turn_of_text(now_s)

    def _owner(self, now_s: float) -> HeardTurn | None:
        if self.in_order:
            for turn in self._turns:
                if turn.closed_s is not None and not turn.texts and now_s - turn.closed_s <= FIRST_TEXT_S_MAX:
                    return turn
        last = self.turn
        if last is not None and len(self._turns) > 1:
            before = self._turns[-2]
            if last.opened_s + TEXT_AFTER_S_MIN > now_s and not before.texts:
                last = before
        if last is None or last.closed_s is None:
            return last
        return last if now_s - last.closed_s <= (MORE_TEXT_S_MAX if last.texts else FIRST_TEXT_S_MAX) else None

    def look_back(self, now_s: float, *, over_agent: bool) -> HeardTurn | None:
        """Judge the sound just heard, for words that came although no voice was detected.

        Nothing is learned from it. None where there is nothing to compare it with, or nothing was heard.
        """
        if self.open or not self._ring or not self.gate.voices.enroller.stands:
            return None
        before = b"".join(self._ring)
        start_s = now_s - len(before) / 2 / self._rate_hz
        handle = self.gate.begin_turn(start_s, self._rate_hz, agent_speaking=True)  # as if over the agent: not learned
        turn = HeardTurn(handle, now_s, start_s, self._heard_s - (now_s - start_s), over_agent=over_agent, texts=1)
        self._turns.append(turn)
        self.gate.hear(np.frombuffer(before, dtype=np.int16), agent_speaking=True)
        self._end(now_s, turn)
        return turn

    def age_s(self, turn: HeardTurn | None, now_s: float) -> float | None:
        """Say how long ago the voice of a text had ended; None where the recogniser tells words as they are spoken."""
        return None if turn is None or turn.closed_s is None or not self.segmented else now_s - turn.closed_s

    def goes_on_in(self, turn: HeardTurn) -> HeardTurn | None:
        """The turn in which an ended one goes on after a short pause; None when it does not."""
        later = [one for one in self._turns if one.opened_s > turn.opened_s]
        if not later or turn.closed_s is None or later[0].opened_s - turn.closed_s > SAME_BREATH_S_MAX:
            return None
        return later[0]

    def waits_s(self, turn: HeardTurn, now_s: float) -> float:
        """Say how long an ended turn's words still wait for the voice that may go on with them; 0 when not at all."""
        undecided = turn.verdict is not None and not turn.verdict.decision.decided
        if not turn.settled or turn.closed_s is None or not undecided or not self.gate.voices.enroller.stands:
            return 0.0
        since_s, later = now_s - turn.closed_s, self.goes_on_in(turn)
        if later is None:  # an answer to a question is not kept waiting for a breath
            return SAME_BREATH_S_MAX - since_s if turn.over_agent else 0.0
        known = later.settled or (later.verdict is not None and later.verdict.decision.decided)
        return 0.0 if known else later.opened_s + KNOWN_AFTER_S_MAX - now_s

    def verdict_on(self, turn: HeardTurn | None) -> TurnVerdict | None:
        """Give a text's verdict: its own turn's, or what the voice that went on at once turned out to be."""
        if turn is None or turn.verdict is None:
            return self.verdict
        later = self.goes_on_in(turn)
        return turn.verdict if later is None else going_on(turn.verdict, later.verdict)

    def breath_left_s(self, turn: HeardTurn, now_s: float) -> float:
        """Say how long another person's words still wait for the rest of their sentence; 0 when not at all.

        Only what somebody else says over the agent waits: the agent goes on meanwhile, and half a sentence is easily
        read for what the whole is not.
        """
        if not turn.over_agent or turn.closed_s is None or not others_only(self.verdict_on(turn)):
            return 0.0
        left_s, last = turn.closed_s + BREATHS_S_MAX - now_s, turn
        while (later := self.goes_on_in(last)) is not None:
            known = later.settled or (later.verdict is not None and later.verdict.decision.decided)
            if known and not others_only(self.verdict_on(later)):
                return 0.0
            if later.closed_s is None or not later.settled:
                return left_s
            last = later
        waits_for_text = last is not turn and not last.texts
        over_s = (last.closed_s or now_s) + (TEXT_S_MAX if waits_for_text else SAME_BREATH_S_MAX)
        return min(left_s, over_s - now_s)

    def hear(self, sound: bytes, rate_hz: int, *, agent_active: bool, over_agent: bool = False) -> None:
        """Take sound (16-bit mono); starts a judgement when one is due. Cheap.

        Args:
            sound: The sound.
            rate_hz: Its rate.
            agent_active: Whether it matters at once who speaks.
            over_agent: Whether the agent can be heard in it: such sound is never learned from.
        """
        self._rate_hz = rate_hz
        seconds = len(sound) / 2 / rate_hz
        self._heard_s += seconds
        if not self.open:
            self._keep(sound)
            return
        self.gate.hear(np.frombuffer(sound, dtype=np.int16), agent_speaking=over_agent)
        self._turn_s += seconds
        due = self._turn_s - self._judged_s >= self._settings.step_s
        if due and (agent_active or not self._settings.only_while_agent_active):
            self._judge()

    def start(self, now_s: float, *, over_agent: bool = False, proposed: bool = False) -> None:
        """A voice was detected: open a turn, with the sound from before it.

        Args:
            now_s: Event loop time.
            over_agent: Whether the agent can be heard.
            proposed: The recogniser's own turn detection says so; taken only where no voice detection is heard of.
        """
        self._detector_heard = self._detector_heard or not proposed
        if self.open and not proposed and self.turn is not None:
            self.turn.proposed = False
        if self.open or not self._rate_hz or (proposed and self._detector_heard):
            return
        self.open, self.verdict = True, None
        most = int(self._settings.pre_roll_s * self._rate_hz) * 2
        before = b"".join(self._ring)[-most:]
        self._ring.clear()
        self._ring_bytes = 0
        seconds = len(before) / 2 / self._rate_hz
        self._turn_s = self._judged_s = 0.0
        last = self.turn
        goes_on = last is not None and last.closed_s is not None and now_s - last.closed_s <= SAME_BREATH_S_MAX
        handle = self.gate.begin_turn(
            now_s - seconds,
            self._rate_hz,
            agent_speaking=over_agent,
            follows=last.handle if goes_on and last is not None else None,
        )
        heard_s = self._heard_s - seconds
        self._turns.append(HeardTurn(handle, now_s, now_s - seconds, heard_s, over_agent=over_agent, proposed=proposed))
        if before:
            self.gate.hear(np.frombuffer(before, dtype=np.int16), agent_speaking=over_agent)
            self._turn_s = seconds

    def stop(self, now_s: float, *, proposed: bool = False) -> None:
        """The voice ended: close the turn and judge it for good; a proposed end closes only a proposed turn."""
        if not self.open or not self._turns or (proposed and not self._turns[-1].proposed):
            return
        self.open = False
        self._end(now_s, self._turns[-1])

    def _end(self, now_s: float, turn: HeardTurn) -> None:
        turn.closed_s, turn.heard_end_s = now_s, self._heard_s
        turn.closing = asyncio.get_running_loop().create_task(self._close(now_s, turn))

    async def settle(self, turn: HeardTurn, wait_s: float) -> None:
        """Wait for the last verdict of a turn that has ended, at most `wait_s`."""
        if turn.closing is not None and not turn.closing.done():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(turn.closing), wait_s)

    async def finish(self) -> None:
        """The call is over: stop working and drop every voice."""
        for task in (self._work, *(turn.closing for turn in self._turns)):
            if task is not None and not task.done():
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        self.gate.close()

    def _keep(self, sound: bytes) -> None:
        self._ring.append(sound)
        self._ring_bytes += len(sound)
        most = int(max(LOOK_BACK_S, self._settings.pre_roll_s) * self._rate_hz) * 2
        while self._ring and self._ring_bytes - len(self._ring[0]) >= most:
            self._ring_bytes -= len(self._ring.popleft())

    def _judge(self) -> None:
        if self._work is not None and not self._work.done():
            return
        self._judged_s = self._turn_s
        self._work = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        turn = self.turn
        if turn is None:
            return
        try:
            verdict = await asyncio.get_running_loop().run_in_executor(self._executor, self.gate.update, turn.handle)
        except RuntimeError as error:  # the executor was shut down
            logger.warning("speaker gate could not judge: {}", type(error).__name__)
            return
        if self.open and self.turn is turn:
            self._take(turn, verdict)

    async def _close(self, now_s: float, turn: HeardTurn) -> TurnVerdict:
        loop = asyncio.get_running_loop()
        if self._work is not None and not self._work.done():
            await asyncio.wait({self._work}, timeout=END_JUDGEMENT_S_MAX)
        verdict = await asyncio.wait_for(
            loop.run_in_executor(self._executor, self.gate.end_turn, now_s, turn.handle), END_JUDGEMENT_S_MAX
        )
        turn.verdict = verdict
        if self.turn is turn:
            self._take(turn, verdict)
        return verdict

    def _take(self, turn: HeardTurn, verdict: TurnVerdict) -> None:
        self.verdict = turn.verdict = verdict
        try:
            self._on_verdict(verdict)
        except Exception as error:
            logger.warning("speaker gate listener failed: {}", type(error).__name__)


def is_other(verdict: TurnVerdict | None) -> bool:
    """Say whether the voice that speaks now is surely not the patient's."""
    return verdict is not None and verdict.voice in (Voice.THIRD_PARTY, Voice.AGENT_ECHO)


def others_only(verdict: TurnVerdict | None) -> bool:
    """Say whether nobody but another person spoke in a turn."""
    return verdict is not None and all(one.decision.voice is Voice.THIRD_PARTY for one in verdict.stretches)


def going_on(verdict: TurnVerdict, later: TurnVerdict | None) -> TurnVerdict:
    """Let a third party's verdict speak for the undecided words just before: a short breath is no change of speaker.

    The patient's does not: undecided words are kept either way, and a carer's "yes" just before them is no answer.
    """
    if verdict.decision.decided or later is None or later.stretches[0].decision.voice is not Voice.THIRD_PARTY:
        return verdict
    told = replace(verdict.decision, voice=Voice.THIRD_PARTY, why=Why.SAME_BREATH)
    return replace(verdict, stretches=(*verdict.stretches[:-1], replace(verdict.stretches[-1], decision=told)))
