"""The patient on a telephone line: understands the bot as it speaks, cuts in, answers, loses patience, hangs up.

Owns the patient's timeline. What the bot means to say is unknown here, so the simulator's plan is asked of what has
been heard so far: the cut falls where the target has been understood, later than a plan made of the whole sentence.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.simulator.patient import Patient
from benchmarks.simulator.replica import closes_call
from benchmarks.simulator.system import CallBounds, EndReason
from benchmarks.simulator.transcript import AgentTurn, HeardTurn, PatientTurn, Turn, heard_transcript
from benchmarks.simulator.wire.hearing import Listener
from benchmarks.yielding.audio import END_GAP_S
from pipecat_interrupt.testing import Speech
from pipecat_interrupt.testing.carrier import LineLost, SimulatedCall

RATE_HZ = 16_000
POLL_S = 0.05
HEAR_EVERY_S = 0.6
QUIET_S = 1.2
"""Silence after which the bot has finished; shorter ones are between its sentences."""

PATIENCE_S = 10.0
QUESTIONS_MAX = 2
GOODBYES_MAX = 4
GOODBYE_WAIT_S = 4.0
SOURCE = "heard"


@dataclass(slots=True)
class HeardUtterance:
    """What was heard of one utterance of the bot.

    Parameters:
        start_s: When it began.
        end_s: When it ended.
        text: Its words, as an ear understood them.
        onset_s: When the patient cut in; None where nobody did.
        planned_chars: What had been understood when the patient cut in, characters.
    """

    start_s: float
    end_s: float
    text: str
    onset_s: float | None = None
    planned_chars: int | None = None

    @property
    def yielded_s(self) -> float | None:
        """Seconds from the cut to the last of the sound; None where nobody cut in."""
        return None if self.onset_s is None else max(0.0, self.end_s - self.onset_s)


class WirePatient:
    """Plays the patient of one call.

    Args:
        call: An open call.
        listener: Hears the bot.
        patient: Decides what to say and where to cut in.
        speak: The patient's voice, called in a thread.
        bounds: Where the call is ended by force.
    """

    def __init__(
        self,
        call: SimulatedCall,
        listener: Listener,
        patient: Patient,
        speak: Callable[[str, int], Speech],
        bounds: CallBounds,
    ) -> None:
        self._call, self._listener, self._patient = call, listener, patient
        self._speak, self._bounds = speak, bounds
        self.heard: list[HeardUtterance] = []
        self.said: list[tuple[float, PatientTurn]] = []
        self.end: EndReason | None = None
        self._from_s = 0.0
        self._questions = self._goodbyes = 0

    async def live(self) -> None:
        """Stay on the line until it is dead."""
        try:
            while self.end is None:
                if self._call.closed.is_set():
                    self.end = EndReason.AGENT_CLOSED
                elif self._call.now_s > self._bounds.call_s_max:
                    await self._hang_up(EndReason.TIME_LIMIT)
                elif not await self._listen():
                    await self._lose_patience()
        except LineLost:
            self.end = EndReason.AGENT_CLOSED

    def turns(self) -> list[Turn]:
        """Give the turns in the order in which they began; the bot's own wording is not known here."""
        placed: list[tuple[float, int, Turn]] = [(u.start_s, 0, agent_turn(u, u.text, u.text)) for u in self.heard]
        placed += [(start_s, 1, turn) for start_s, turn in self.said]
        return [turn for _, _, turn in sorted(placed, key=lambda entry: entry[:2])]

    async def _listen(self) -> bool:
        """Follow what the bot says until it falls silent, and answer; False when it said nothing."""
        asked_s = 0.0
        while not self._call.closed.is_set():
            now_s = self._call.now_s
            sound = self._listener.sound(self._from_s, now_s)
            if sound is None:
                if now_s - self._from_s > self._waiting_s():
                    return False
            elif now_s - sound.end_s >= QUIET_S:
                await self._understood(sound.start_s, sound.end_s)
                await self._answer()
                return True
            elif now_s - max(asked_s, sound.start_s) >= HEAR_EVERY_S:
                if await self._cut_in(sound.start_s, now_s):
                    return True
                asked_s = self._call.now_s
            if now_s > self._bounds.call_s_max:
                return True
            await asyncio.sleep(POLL_S / self._call.conditions.speed)
        sound = self._listener.sound(self._from_s, self._call.now_s)
        if sound is not None:
            await self._understood(sound.start_s, sound.end_s)
        return True

    async def _cut_in(self, start_s: float, now_s: float) -> bool:
        """Start to speak when what has been heard hosts the cut, and follow the bot until it stops."""
        text = await self._listener.words(start_s, now_s)
        cut = await self._patient.plan_cut(text) if text else None
        if cut is None:
            return False
        turn = await self._patient.reply([*heard_transcript(self.turns()), _agent(text)])
        onset_s, ends_s = await self._say(turn)
        await self._call.wait(ends_s - self._call.now_s)
        stop_s = await self._stopped(onset_s)
        await self._understood(start_s, stop_s, onset_s, cut.chars)
        self._from_s = stop_s
        return True

    async def _stopped(self, onset_s: float) -> float:
        """Say when the utterance that was going on at the onset ended: 300 ms of silence follow it."""
        while True:
            now_s = self._call.now_s
            run = next((r for r in self._listener.runs(self._from_s, now_s) if r.end_s > onset_s), None)
            if run is None:
                return onset_s
            if now_s - run.end_s >= END_GAP_S or self._call.closed.is_set() or now_s > self._bounds.call_s_max:
                return run.end_s
            await asyncio.sleep(POLL_S / self._call.conditions.speed)

    async def _understood(
        self, start_s: float, end_s: float, onset_s: float | None = None, planned: int | None = None
    ) -> None:
        text = await self._listener.words(start_s, end_s)
        if text:
            self.heard.append(HeardUtterance(start_s, end_s, text, onset_s, planned))
        self._from_s = max(self._from_s, end_s)

    async def _answer(self) -> None:
        if len(self.heard) > self._bounds.agent_turns_max:
            await self._hang_up(EndReason.TURN_LIMIT)
            return
        self._questions = 0
        turn = await self._patient.reply(heard_transcript(self.turns()))
        _, ends_s = await self._say(turn)
        self._goodbyes += turn.hangs_up
        self._from_s = self._call.now_s
        await self._call.wait(ends_s - self._call.now_s)

    def _waiting_s(self) -> float:
        goodbye = bool(self.said) and self.said[-1][1].hangs_up
        return GOODBYE_WAIT_S if goodbye else PATIENCE_S

    async def _lose_patience(self) -> None:
        """Ask into a silence; hang up when it stays silent or all goodbyes are said."""
        said_goodbye = bool(self.said) and self.said[-1][1].hangs_up
        if said_goodbye or self._goodbyes > GOODBYES_MAX or self._questions >= QUESTIONS_MAX:
            await self._hang_up(EndReason.PATIENT_HUNG_UP)
            return
        self._questions += 1
        await self._say(PatientTurn(text="Hello? Are you there?"))
        self._from_s = self._call.now_s

    async def _say(self, turn: PatientTurn) -> tuple[float, float]:
        """Say a turn; when it began and will end, seconds of the line."""
        clip = await asyncio.to_thread(self._speak, turn.text, RATE_HZ)
        ends_s = self._call.say(clip.samples, clip.sample_rate_hz)
        start_s = max(0.0, ends_s - clip.duration_s)
        self.said.append((start_s, turn))
        return start_s, ends_s

    async def _hang_up(self, why: EndReason) -> None:
        self.end = why
        await self._call.hang_up()


def agent_turn(utterance: HeardUtterance, intended: str, delivered: str) -> AgentTurn:
    """Make the turn of an utterance; `delivered` is what was heard of `intended`, or all that is known of it."""
    cut = utterance.onset_s is not None or delivered != intended
    return AgentTurn(
        intended=intended,
        delivered=delivered,
        cut_chars=len(delivered) if cut else None,
        cut_words=len(delivered.split()) if cut else None,
        planned_cut_chars=utterance.planned_chars,
        placement_source=SOURCE if utterance.onset_s is not None else "",
        yield_latency_s=None if utterance.yielded_s is None else round(utterance.yielded_s, 4),
        closes_call=not cut and closes_call(delivered),
    )


def _agent(text: str) -> HeardTurn:
    return HeardTurn(speaker=AgentTurn(intended=text, delivered=text).speaker, text=text)
