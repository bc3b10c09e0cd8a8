"""The patient on the line: listens, answers, cuts in at the planned word, asks whether anybody is there, hangs up.

Owns the trial's timeline on the patient's side. It acts only on what the patient could hear, and on the simulator's
plan of where to cut in.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.simulator.live.ear import Ear, HeardUtterance, assign, unclaimed
from benchmarks.simulator.live.intents import IntentTap, Utterance
from benchmarks.simulator.live.timing import Timing
from benchmarks.simulator.patient import Patient
from benchmarks.simulator.system import CallBounds, EndReason
from benchmarks.simulator.transcript import AgentTurn, PatientTurn, Turn, heard_transcript
from pipecat_interrupt.testing import PATIENT, CallParts, Speech, speech

POLL_S = 0.04
QUESTIONS_MAX = 2  # "Hello? Are you there?", then the patient hangs up.
GOODBYES_MAX = 4  # Times a patient who has said goodbye still answers.
END_OF_UTTERANCE_S = 0.3  # Seed 002: a gap counts as an end when at least this much silence follows.


@dataclass(frozen=True, slots=True)
class Spoken:
    """One patient turn on the line; loop times."""

    turn: PatientTurn
    start_s: float
    end_s: float


class PatientLine:
    """Plays the patient of one call.

    Args:
        parts: The doubles of the call.
        tap: What the agent is about to say.
        patient: Decides what to say and where to cut in.
        timing: The trial's times.
        bounds: Where the call is ended by force.
        speak: The patient's voice, called in a thread of its own; None is the built-in sound.
    """

    def __init__(
        self,
        parts: CallParts,
        tap: IntentTap,
        patient: Patient,
        timing: Timing,
        bounds: CallBounds,
        speak: Callable[[str, int], Speech] | None = None,
    ) -> None:
        self._parts, self._tap, self._patient, self._speak = parts, tap, patient, speak
        self._timing, self._bounds = timing, bounds
        self._ear = Ear(parts.output, parts.tts)
        self.spoken: list[Spoken] = []
        self.end: EndReason | None = None
        self.onsets: dict[int, float] = {}
        self._free_from_s = 0.0
        self._questions = 0
        self._goodbyes = 0

    @property
    def _now_s(self) -> float:
        return asyncio.get_running_loop().time()

    async def live(self) -> None:
        """Stay on the line until it is dead."""
        self._free_from_s = self._now_s
        while self.end is None:
            await asyncio.sleep(max(POLL_S, self._free_from_s - self._now_s, self._until_silence_s()))
            if self._now_s < self._free_from_s:
                continue
            if await self._cut_in() or await self._answer():
                continue
            await self._lose_patience()

    def _until_silence_s(self) -> float:
        """How long nothing can be due for: the agent sounds on for so long, and no cut into it is planned."""
        utterances = self._tap.utterances
        if utterances and utterances[-1].cut is not None and not utterances[-1].cut_done:
            return 0.0
        left_s = self._ear_end_s() - self._now_s
        return left_s + self._timing.reply_gap_s if left_s > 0 else 0.0

    # ---- what the patient heard

    def heard(self, until_s: float | None = None) -> list[HeardUtterance]:
        """Say what was heard of every utterance so far."""
        return assign(self._tap.utterances, self._ear.contexts(until_s))

    def ear_agrees(self) -> bool:
        """Whether listening along and matching the whole recording afresh give the same words."""
        again = assign(self._tap.utterances, self._ear.whole())
        return [h.delivered for h in again] == [h.delivered for h in self.heard()]

    def sounds_unasked(self) -> int:
        """Count the pieces of speech that were heard and that nothing before the voice accounts for."""
        return unclaimed(self._tap.utterances, self._ear.contexts())

    def context_ids(self) -> list[frozenset[str]]:
        """Give for every agent turn, in the order of `turns`, the synthesis ids it was given."""
        opened = self._parts.tts.opened
        return [
            frozenset(key for key, frame in opened.items() if frame == utterance.opened_by)
            for utterance in self._tap.utterances
        ]

    def turns(self, until_s: float | None = None) -> list[Turn]:
        """Give the turns in the order in which they began; an utterance never heard stands where it was meant.

        The agent's own turns keep the order in which they were meant, so that its record can be laid beside them.
        """
        placed: list[tuple[float, int, Turn]] = []
        heard = self.heard(until_s)
        begun = 0.0
        for number, (utterance, got) in enumerate(zip(self._tap.utterances, heard, strict=True)):
            begun = max(begun, got.started_s if got.started_s is not None else utterance.at_s)
            placed.append((begun, 0, self._agent_turn(number, utterance, got)))
        placed += [(s.start_s, 1, s.turn) for s in self.spoken if until_s is None or s.start_s < until_s]
        return [turn for _, _, turn in sorted(placed, key=lambda entry: entry[:2])]

    def _agent_turn(self, number: int, utterance: Utterance, got: HeardUtterance) -> AgentTurn:
        whole = got.delivered == utterance.text
        onset = self.onsets.get(number)
        stopped = None if onset is None else self._parts.output.silent_from(onset, for_s=END_OF_UTTERANCE_S)
        return AgentTurn(
            intended=utterance.text,
            delivered=got.delivered,
            cut_chars=None if whole else len(got.delivered),
            cut_words=None if whole else len(got.delivered.split()),
            planned_cut_chars=utterance.cut.chars if utterance.cut and onset is not None else None,
            placement_source=utterance.cut.source if utterance.cut and onset is not None else "",
            yield_latency_s=None if whole or onset is None or stopped is None else round(stopped - onset, 4),
            closes_call=whole and utterance.closes,
        )

    def _ear_end_s(self) -> float:
        """Loop time up to which the agent has been or will be heard, as things stand."""
        return max((piece.end_s for piece in self._parts.output.pieces[-3:]), default=0.0)

    def _agent_spoke(self) -> bool:
        """Whether the agent has said something that the patient has not answered."""
        return self._ear_end_s() > self._free_from_s

    # ---- what the patient does

    async def _cut_in(self) -> bool:
        """Start to speak when the planned word has just been heard."""
        number = len(self._tap.utterances) - 1
        if number < 0:
            return False
        utterance = self._tap.utterances[number]
        if utterance.cut is None or utterance.cut_done:
            return False
        words = len(utterance.text[: utterance.cut.chars].split())
        due_s = self._ear.word_time_s(utterance, words)
        if due_s is None or due_s > self._now_s:
            if due_s is not None:
                await asyncio.sleep(due_s - self._now_s)
            return not self._fell_silent(utterance)
        if len(self.heard(self._now_s)[number].word_times_s) < words:  # Something held it up.
            return not self._fell_silent(utterance)
        utterance.cut_done = True
        self.onsets[number] = self._now_s
        await self._say(await self._patient.reply(heard_transcript(self.turns(self._now_s))))
        if self._speak is not None:  # a real voice takes its time; the onset is what sounded
            self.onsets[number] = self.spoken[-1].start_s
        return True

    def _fell_silent(self, utterance: Utterance) -> bool:
        """Whether the agent stopped by itself before the planned word: then there is nothing left to cut."""
        sounded = self._ear_end_s() > utterance.at_s
        silent = sounded and self._now_s - self._ear_end_s() > self._timing.reply_gap_s
        utterance.cut_done = utterance.cut_done or silent
        return silent

    async def _answer(self) -> bool:
        """Answer when the agent has been silent for the patient's reaction time."""
        if not self._agent_spoke() or self._now_s - self._ear_end_s() < self._timing.reply_gap_s:
            return self._agent_spoke()
        if len(self._tap.utterances) > self._bounds.agent_turns_max:
            await self._hang_up(EndReason.TURN_LIMIT)
            return True
        turn = await self._patient.reply(heard_transcript(self.turns()))
        self._ear.settle()
        self._questions = 0
        await self._say(turn)
        if turn.hangs_up:
            self._goodbyes += 1
        return True

    async def _lose_patience(self) -> None:
        """Ask into a silence, and hang up when it stays silent or all goodbyes are said."""
        silent_s = self._now_s - max(self._free_from_s, self._ear_end_s())
        said_goodbye = bool(self.spoken) and self.spoken[-1].turn.hangs_up
        if said_goodbye and (silent_s > self._timing.goodbye_wait_s or self._goodbyes > GOODBYES_MAX):
            await self._hang_up(EndReason.PATIENT_HUNG_UP)
        elif silent_s > self._timing.patience_s:
            if self._questions >= QUESTIONS_MAX:
                await self._hang_up(EndReason.PATIENT_HUNG_UP)
                return
            self._questions += 1
            await self._say(PatientTurn(text="Hello? Are you there?"))

    async def _say(self, turn: PatientTurn) -> None:
        rate_hz = self._parts.input.sample_rate or 16000
        if self._speak is None:
            clip = speech(turn.text, PATIENT, rate_hz)
        else:
            clip = await asyncio.to_thread(self._speak, turn.text, rate_hz)
        start_s = self._parts.input.say(clip)
        self._parts.stt.hear(clip, at_s=start_s, user_id="patient")
        self.spoken.append(Spoken(turn, start_s, start_s + clip.duration_s))
        self._free_from_s = start_s + clip.duration_s

    async def _hang_up(self, why: EndReason) -> None:
        self.end = why
        await self._parts.worker.cancel()
