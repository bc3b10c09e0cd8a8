"""One call in a room with somebody else in it: the kit with the real gate in a live pipeline, on virtual time.

Owns one trial: real voices from a built set in the caller's channel, Silero, the gate's own models, and what came of
the other person's words. The words are the set's own (no recogniser); what a decision costs is a set delay.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pipecat.frames.frames import InterruptionFrame
from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregatorParams
from rapidfuzz.distance import LCSseq

from obligations.pathway import Pathway, load_pathway
from pipecat_interrupt.gate import SpeakerGateProcessor
from pipecat_interrupt.journal.entries import GateVoice, GateWords, PatientTurn
from pipecat_interrupt.kit import InterruptKit, caller_vad
from pipecat_interrupt.testing import ScriptedCall, ScriptedSTT, VirtualDelay, run_virtual
from pipecat_interrupt.testing.call import CallParts, CallResult, play_call
from pipecat_interrupt.testing.voice import Speech, SpokenWord
from speaker_gate.audio import over_telephone
from speaker_gate.gate import CallGate, GateSettings
from speaker_gate.turn import Ears

PATHWAY = Path(__file__).resolve().parents[1] / "two_voice" / "room_pathway.yaml"
POINT, QUESTION = "shield", "pain"
RATES_HZ = {"16k": 16_000, "mulaw8k": 8_000}
Moment = Literal["over_agent", "after_question"]
SECONDS_OVER, SECONDS_AFTER = 20.0, 24.0
AFTER_QUESTION_S = 0.5
INTERRUPTED_S_MAX = 2.0
"""After the sound's end, within which an interruption still belongs to it: text and verdict are late."""


@dataclass(frozen=True, slots=True, eq=False)
class Sound:
    """What sounds in the caller's channel.

    Parameters:
        samples: float32 in [-1, 1], 16 kHz.
        lines: (speaker, words, start_s, end_s) of each line in it; speaker is "patient" or "other".
    """

    samples: np.ndarray
    lines: tuple[tuple[str, str, float, float], ...]

    def said_by(self, speaker: str) -> str:
        """The words of one speaker."""
        return " ".join(words for who, words, _, _ in self.lines if who == speaker)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What stays the same over many trials.

    Parameters:
        stt: How the recogniser tells words: segmented or streaming.
        vad: Who finds the speech: caller (`caller_vad`), silero (with Pipecat's defaults) or energy.
        stt_delay_s: segmented: end of a segment to its text. streaming: end of a word to its text.
        decision_s: What one judgement of the gate takes.
    """

    stt: str = "segmented"
    vad: str = "caller"
    stt_delay_s: float = 0.5
    decision_s: float = 0.06


@dataclass(frozen=True, slots=True)
class RoomTrial:
    """What came of one call.

    Parameters:
        name: What was played.
        arm: Group of the trial.
        band: 16k or mulaw8k.
        stt: How the recogniser tells words.
        other_as_patient: Share of the other person's words that stand in the model's history as the patient's.
        other_attributed: Whether a note to the model quotes the other person's words.
        other_alone: True when the gate gave words to somebody else at all.
        patient_kept: Share of the patient's words in the model's history or the ledger's turns as the patient's.
        finished: Whether the agent's utterance that was spoken over was heard to its end.
        interruptions: `InterruptionFrame`s between the sound's start and the end of that utterance.
        gaps_s: Silences heard inside that utterance, seconds.
        closed_by_other: Items closed on another person's word alone.
        question_state: State of the question at the end of the call.
        actions: What the gate did with words, in order.
        decided_after_s: From the sound's start to the gate's first verdict that was decided; None without one.
    """

    name: str
    arm: str
    band: str
    stt: str
    other_as_patient: float | None
    other_attributed: bool
    other_alone: bool
    patient_kept: float | None
    finished: bool | None
    interruptions: int
    gaps_s: tuple[float, ...]
    closed_by_other: tuple[str, ...]
    question_state: str
    actions: tuple[str, ...]
    decided_after_s: float | None


@cache
def pathway() -> Pathway:
    """The pathway of these calls: one long content point, then one question."""
    return load_pathway(PATHWAY)


def enrolled_gate(ears: Ears, enrolment: Sequence[np.ndarray], band: str, settings: GateSettings) -> CallGate:
    """A gate that has heard the patient's own speech earlier in the call."""
    gate = CallGate(ears, settings=settings)
    for number, samples in enumerate(enrolment):
        at_s = -60.0 + 20.0 * number
        gate.begin_turn(at_s, RATES_HZ[band])
        gate.hear(over_telephone(samples) if band == "mulaw8k" else samples)
        gate.end_turn(at_s + len(samples) / 16_000)
    return gate


def play_trial(
    ears: Ears,
    sound: Sound,
    *,
    name: str,
    arm: str,
    moment: Moment,
    band: str,
    enrolment: Sequence[np.ndarray],
    setting: Setting | None = None,
    phase_s: float = 0.0,
) -> RoomTrial:
    """Play one call and read what came of it.

    Args:
        ears: The gate's models.
        sound: What is said in the room.
        name: For the trial's record.
        arm: For the trial's record.
        moment: Over the agent's content point, or behind its question.
        band: 16k or mulaw8k.
        enrolment: The patient's own speech, 16 kHz.
        setting: Recogniser, voice detection and delays.
        phase_s: Shift of the sound against the detectors' grid.
    """
    how = setting or Setting()

    async def main() -> RoomTrial:
        gate = SpeakerGateProcessor(
            enrolled_gate(ears, enrolment, band, GateSettings(check_rate=False)), executor=VirtualDelay(how.decision_s)
        )
        kit = InterruptKit(pathway(), gate=gate)
        started: list[float] = []

        call = _timeline(sound, moment, band, phase_s, kit, started)
        result = await play_call(
            call,
            tts="words",
            stt=ScriptedSTT("streaming" if how.stt == "streaming" else "segmented", delay_s=how.stt_delay_s),
            vad="energy" if how.vad == "energy" else "silero",
            user_params=lambda _: LLMUserAggregatorParams(
                vad_analyzer=caller_vad() if how.vad == "caller" else None,
                user_turn_strategies=kit.turn_strategies(),
                empty_user_turn=None,
            ),
            instrument=kit.instrument,
            opening=None,
            sample_rate_hz=RATES_HZ[band],
        )
        await asyncio.sleep(0)
        return _read(result, kit, sound, name, arm, moment, band, how.stt, started[0] if started else None)

    return run_virtual(main)


def _timeline(
    sound: Sound, moment: Moment, band: str, phase_s: float, kit: InterruptKit, started: list[float]
) -> ScriptedCall:
    """The call's timeline; notes in `started` when the sound began."""

    async def begin(_: CallParts) -> None:
        kit.begin()

    async def speak(parts: CallParts) -> None:
        await asyncio.sleep(phase_s)
        clip = _clip(sound, band)
        start_s = parts.input.say(clip)
        started.append(start_s)
        parts.stt.hear(clip, at_s=start_s, user_id="caller")

    over = moment == "over_agent"
    call = ScriptedCall(SECONDS_OVER if over else SECONDS_AFTER).do(begin, at_s=0.0)
    cue: dict[str, Any] = {"on_heard": "shield" if over else "eye", "delay_s": 0.0 if over else AFTER_QUESTION_S}
    return call.do(speak, **cue)


def _clip(sound: Sound, band: str) -> Speech:
    samples: np.ndarray = over_telephone(sound.samples) if band == "mulaw8k" else sound.samples
    ints = np.asarray(
        samples if samples.dtype == np.int16 else (np.clip(samples, -1, 1) * 32_767).astype(np.int16), dtype=np.int16
    )
    words: list[SpokenWord] = []
    for _, text, start_s, end_s in sound.lines:
        tokens = text.split()
        each_s = (end_s - start_s) / max(1, len(tokens))
        words += [SpokenWord(t, start_s + i * each_s, start_s + (i + 1) * each_s) for i, t in enumerate(tokens)]
    ordered = tuple(sorted(words, key=lambda word: word.end_s))
    return Speech(" ".join(word.text for word in ordered), ints, RATES_HZ[band], ordered)


def _read(
    result: CallResult,
    kit: InterruptKit,
    sound: Sound,
    name: str,
    arm: str,
    moment: Moment,
    band: str,
    stt: str,
    start_loop_s: float | None,
) -> RoomTrial:
    messages = [(str(m.get("role")), str(m.get("content"))) for m in result.messages]
    as_patients = " ".join(text for role, text in messages if role == "user")
    entries = [entry.data for entry in kit.memory.entries]
    turns = " ".join(e.text for e in entries if isinstance(e, PatientTurn) and e.speaker != "third_party")
    notes = " ".join(text for role, text in messages if role not in ("user", "assistant"))
    rulings = [entry for entry in entries if isinstance(entry, GateWords)]
    other, own = sound.said_by("other"), sound.said_by("patient")
    finished, gaps_s, interruptions = _utterance(result, moment, start_loop_s, len(sound.samples) / 16_000)
    assert kit.tracker is not None
    items = kit.tracker.ledger.items
    return RoomTrial(
        name=name,
        arm=arm,
        band=band,
        stt=stt,
        other_as_patient=_share(other, f"{as_patients} {turns}", own) if other else None,
        other_attributed=bool(other) and _share(other, notes, "") >= 0.5,
        other_alone=any(ruling.standing == "third_party" for ruling in rulings),
        patient_kept=_share(own, f"{as_patients} {turns}", "") if own else None,
        finished=finished,
        interruptions=interruptions,
        gaps_s=gaps_s,
        closed_by_other=_closed_by_other(kit, other, own),
        question_state=str(items[QUESTION].state.value),
        actions=tuple(ruling.action for ruling in rulings),
        decided_after_s=_decided_after_s(kit, start_loop_s),
    )


def _utterance(
    result: CallResult, moment: Moment, start_loop_s: float | None, sound_s: float
) -> tuple[bool | None, tuple[float, ...], int]:
    """Whether the content point was heard whole, its gaps, and the interruptions while it was spoken over."""
    if moment != "over_agent" or start_loop_s is None:
        return None, (), 0
    spoken = next((context for context in result.heard if "shield" in context.intended), None)
    if spoken is None or not spoken.words:
        return False, (), 0
    end_s = spoken.words[-1].end_s
    gaps = [g for g in result.parts.output.gaps() if start_loop_s <= g.start_s and g.start_s + g.length_s < end_s]
    cut = [
        entry
        for entry in result.parts.after.of(InterruptionFrame, direction="DOWNSTREAM")
        if start_loop_s <= entry.at_s <= max(end_s, start_loop_s + sound_s) + INTERRUPTED_S_MAX
    ]
    return spoken.whole, tuple(round(gap.length_s, 3) for gap in gaps), len(cut)


def _closed_by_other(kit: InterruptKit, other: str, own: str) -> tuple[str, ...]:
    """Questions that were answered although the patient said nothing."""
    assert kit.tracker is not None
    if not other or own:
        return ()
    return tuple(i for i, r in kit.tracker.ledger.items.items() if r.closed and i in kit.tracker.pathway.questions)


def _decided_after_s(kit: InterruptKit, start_loop_s: float | None) -> float | None:
    """From the sound's start to the end of the turn's judging; the final verdict stands in the journal."""
    if start_loop_s is None:
        return None
    begun = kit.clock.from_loop_s(start_loop_s)
    times = [
        entry.at_s - begun
        for entry in kit.memory.entries
        if isinstance(entry.data, GateVoice) and entry.at_s >= begun and entry.data.voices[-1] != "unsure"
    ]
    return round(min(times), 3) if times else None


def _share(words: str, text: str, not_of: str) -> float:
    """Share of a speaker's words that stand in a text, in order; words the other speaker also said do not count."""
    wanted, left_out = _plain(words), set(_plain(not_of))
    wanted = [word for word in wanted if word not in left_out] or wanted
    return LCSseq.similarity(wanted, _plain(text)) / max(1, len(wanted))


def _plain(text: str) -> list[str]:
    return re.findall(r"[\w']+", text.lower())
