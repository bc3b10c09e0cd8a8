"""The call that the page's tests and the pictures in the docs are drawn from, and its sound.

The journal was written by the real pipeline in virtual time (fake voices, scripted services): make it again with
``python -m tests.pipecat_interrupt.page.recorded`` from the root of the checkout. Its sound is made from it.
"""

from __future__ import annotations

import asyncio
import wave
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregatorParams

from obligations.steering import STOCK
from pipecat_interrupt.gate import GatePipelineSettings, SpeakerGateProcessor
from pipecat_interrupt.journal import JournalEntry, read_jsonl
from pipecat_interrupt.journal.entries import GENESIS, GateVoice, UtteranceEnded
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.kit.settings import KitSettings
from pipecat_interrupt.testing import AGENT, PATIENT, ScriptedCall, run_virtual, speech
from pipecat_interrupt.testing.call import CallParts, play_call
from pipecat_interrupt.testing.voice import Speech, SpokenWord
from speaker_gate import CallGate, GateSettings
from speaker_gate.testing import fake_ears, say

JOURNAL = Path(__file__).parent / "calls" / "gated.jsonl"
RATE_HZ = 8000


def entries() -> list[JournalEntry]:
    """The journal of a call in which the patient, a sister and a television speak, and critical advice is lost."""
    return read_jsonl(JOURNAL)


def write_journal(path: Path) -> Path:
    """Write that journal with the chain that today's entries have."""
    previous, lines = GENESIS, list[str]()
    for old in entries():
        entry = JournalEntry.sealed(seq=old.seq, at_s=old.at_s, call_id=old.call_id, data=old.data, previous=previous)
        previous = entry.digest
        lines.append(entry.model_dump_json() + "\n")
    path.write_text("".join(lines), encoding="utf-8")
    return path


def sound(journal: list[JournalEntry]) -> NDArray[np.int16]:
    """Both channels of a call, made from its journal: int16, shape (n, 2), `RATE_HZ`."""
    stereo = np.zeros((int((journal[-1].at_s + 1) * RATE_HZ), 2), dtype=np.int16)
    for entry in journal:
        if isinstance(entry.data, UtteranceEnded) and entry.data.record.delivered:
            record = entry.data.record
            _lay(
                stereo[:, 1], speech(record.delivered, AGENT, RATE_HZ).samples, record.started_s or 0.0, record.ended_s
            )
        elif isinstance(entry.data, GateVoice):
            voice = speech("one two three four five six seven eight nine ten", PATIENT, RATE_HZ)
            _lay(stereo[:, 0], voice.samples, entry.data.onset_s, entry.data.ended_s)
    return stereo


def write_wav(path: Path, samples: NDArray[np.int16], rate_hz: int = RATE_HZ) -> Path:
    """Write a 16-bit WAV file."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(samples.shape[1])
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(samples.astype("<i2").tobytes())
    return path


def _lay(channel: NDArray[np.int16], samples: NDArray[np.int16], start_s: float, end_s: float | None) -> None:
    first = int(start_s * RATE_HZ)
    last = min(len(channel), first + len(samples), int((end_s if end_s is not None else 1e9) * RATE_HZ))
    channel[first:last] = samples[: last - first]


class _Inline(Executor):
    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def _voice(name: str, text: str, seconds: float) -> Callable[[int], Speech]:
    def make(rate: int) -> Speech:
        samples = (say(name, seconds) * 32_767).astype(np.int16)
        words = text.split()
        step = seconds / len(words)
        return Speech(text, samples, rate, tuple(SpokenWord(w, i * step, (i + 1) * step) for i, w in enumerate(words)))

    return make


def _enrolled() -> CallGate:
    gate = CallGate(fake_ears(), settings=GateSettings(check_rate=False))
    for at_s in (-20.0, -10.0):
        gate.begin_turn(at_s, 16_000)
        gate.hear(say("patient", 3.0))
        gate.end_turn(at_s + 3.0)
    return gate


SAID: tuple[tuple[str, str, float, dict[str, Any]], ...] = (
    ("television", "and now the weather for tomorrow in the north", 2.0, {"on_heard": "recorded"}),
    ("patient", "No, it isn't red. But is it normal that bright light bothers me?", 4.0, {"on_heard": "eye", "nth": 2}),
    ("sister", "no it is the left eye not the right eye", 2.5, {"on_heard": "everything"}),
    ("patient", "Sorry, wait, when can I drive again?", 2.4, {"on_heard": "severe"}),
    ("patient", "No, no pain.", 1.2, {"on_heard": "eye", "nth": 4, "delay_s": 0.6}),
    ("patient", "No, it's clear.", 1.2, {"on_heard": "worse", "delay_s": 0.6}),
    ("patient", "No.", 0.6, {"on_heard": "dots"}),
    ("patient", "Yes, since this morning.", 1.4, {"on_heard": "lights", "delay_s": 0.6}),
)


async def _play() -> InterruptKit:
    settings = GatePipelineSettings(only_while_agent_active=False)
    gate = SpeakerGateProcessor(_enrolled(), settings=settings, executor=_Inline())
    kit = InterruptKit(
        "cataract-followup", call_id="page-example", settings=KitSettings(system="stock"), policy=STOCK, gate=gate
    )

    async def begin(_: CallParts) -> None:
        kit.begin()

    call = ScriptedCall(110.0).do(begin, at_s=0.0)
    for who, text, seconds, when in SAID:
        call.sound(make=_voice(who, text, seconds), user_id=who, **when)

    def params(_: CallParts) -> LLMUserAggregatorParams:
        return LLMUserAggregatorParams(user_turn_strategies=kit.turn_strategies(), empty_user_turn=None)

    await play_call(call, tts="words", vad="energy", user_params=params, instrument=kit.instrument, opening=None)
    await asyncio.sleep(0)
    return kit


def main() -> None:
    """Play the call again and write its journal."""
    kit = run_virtual(_play)
    JOURNAL.parent.mkdir(exist_ok=True)
    JOURNAL.write_text("".join(e.model_dump_json() + "\n" for e in kit.memory.entries), encoding="utf-8")


if __name__ == "__main__":
    main()
