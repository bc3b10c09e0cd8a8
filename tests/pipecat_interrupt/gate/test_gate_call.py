"""Whole calls through the kit with the gate: who may stop the agent, and what reaches the model."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from pipecat.processors.aggregators.llm_response_universal import LLMUserAggregatorParams

from pipecat_interrupt.gate import SpeakerGateProcessor
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.testing.call import CallParts, CallResult, ScriptedCall, play_call
from pipecat_interrupt.testing.stt import ScriptedSTT, STTMode
from pipecat_interrupt.testing.virtual_time import VirtualDelay, run_virtual
from pipecat_interrupt.testing.voice import Speech, SpokenWord
from speaker_gate import CallGate, GateSettings
from speaker_gate.testing import fake_ears, say

pytestmark = pytest.mark.pipeline

SENTENCE = "Please keep the eye shield on every night for the whole of the first week after your operation."


def tone(voice: str, text: str, seconds: float) -> Callable[[int], Speech]:
    def make(rate: int) -> Speech:
        samples = (say(voice, seconds) * 32_767).astype(np.int16)
        words = text.split()
        step = seconds / len(words)
        return Speech(text, samples, rate, tuple(SpokenWord(w, i * step, (i + 1) * step) for i, w in enumerate(words)))

    return make


def enrolled() -> CallGate:
    gate = CallGate(fake_ears(), settings=GateSettings(check_rate=False))
    for at_s in (-20.0, -10.0):
        gate.begin_turn(at_s, 16_000)
        gate.hear(say("patient", 3.0))
        gate.end_turn(at_s + 3.0)
    return gate


def played(voice: str, text: str, seconds: float = 2.0) -> CallResult:
    return play(tone(voice, text, seconds))


def play(
    make: Callable[[int], Speech],
    call_gate: CallGate | None = None,
    *,
    at_s: float = 2.5,
    stt: STTMode = "segmented",
    then: Callable[[int], Speech] | None = None,
    then_s: float = 0.0,
) -> CallResult:
    """Let something sound over the agent's sentence; the gate takes as long as a real one."""

    async def main() -> CallResult:
        gate = SpeakerGateProcessor(call_gate or enrolled(), executor=VirtualDelay(0.06))
        kit = InterruptKit(gate=gate)

        def params(_: CallParts) -> LLMUserAggregatorParams:
            return LLMUserAggregatorParams(user_turn_strategies=kit.turn_strategies())

        call = ScriptedCall(16.0).sound(make=make, user_id="caller", at_s=at_s)
        if then is not None:
            call.sound(make=then, user_id="caller", at_s=then_s)
        return await play_call(
            call,
            replies=[SENTENCE, "Understood."],
            tts="words",
            stt=ScriptedSTT(stt, delay_s=0.3),
            vad="energy",
            user_params=params,
            instrument=kit.instrument,
        )

    return run_virtual(main)


def told(result: CallResult) -> str:
    return " ".join(str(message.get("content")) for message in result.messages)


def test_the_television_neither_stops_the_agent_nor_reaches_the_model() -> None:
    """Ignorable speech over the agent: the sentence is heard to its end and the model never sees the words."""
    result = played("television", "and now the weather for tomorrow in the north")

    assert "your operation." in " ".join(context.text for context in result.heard)
    assert "weather" not in told(result)


def test_the_television_does_not_stop_the_agent_by_its_first_words_either() -> None:
    """A streaming recogniser tells them before anybody can know the voice: they wait for it."""
    result = play(tone("television", "and now the weather for tomorrow in the north", 2.5), stt="streaming")

    assert "your operation." in " ".join(context.text for context in result.heard)
    assert "weather" not in told(result)


def test_a_soft_no_that_voice_detection_missed_is_kept_although_the_television_spoke_last() -> None:
    """A streaming recogniser hears it: no turn is seen, and the verdict on the television is not its own."""
    television = tone("television", "and now the weather for tomorrow", 2.5)

    result = play(television, stt="streaming", then=tone("patient", "no", 0.1), then_s=11.5)

    assert "no" in [str(m.get("content")) for m in result.messages if m.get("role") == "user"]
    assert "weather" not in told(result)


def test_the_patient_stops_the_agent_and_is_heard() -> None:
    """The same moment, the patient's voice: the agent yields and the words are the patient's."""
    result = played("patient", "wait please stop I have a question about that")

    assert "I have a question" in told(result)
    assert "Understood." in " ".join(context.text for context in result.heard)


def test_a_carers_correction_reaches_the_model_only_as_somebody_elses() -> None:
    """Actionable words over the agent: attributed, the sentence goes on to its end."""
    result = played("daughter", "no it is the left eye not the right eye", 2.5)

    assert "Someone with the patient said" in told(result)
    users = [m for m in result.messages if m.get("role") == "user"]
    assert not any("left eye" in str(message.get("content")) for message in users)


def mixed(parts: list[tuple[str, str, float]]) -> Callable[[int], Speech]:
    """Several voices without a pause between them: one stretch for any voice detector."""

    def make(rate: int) -> Speech:
        samples, words, at_s = [], [], 0.0
        for voice, text, seconds in parts:
            samples.append((say(voice, seconds) * 32_767).astype(np.int16))
            step = seconds / len(text.split())
            words += [SpokenWord(w, at_s + i * step, at_s + (i + 1) * step) for i, w in enumerate(text.split())]
            at_s += seconds
        return Speech(" ".join(text for _, text, _ in parts), np.concatenate(samples), rate, tuple(words))

    return make


def test_the_patient_who_takes_over_from_the_television_in_one_breath_is_heard() -> None:
    """The verdict turns inside one stretch of voice: the first words stay out, the agent yields to the patient's."""
    parts = [
        ("television", "and now the weather for tomorrow in the north", 2.5),
        ("patient", "wait please stop I have a question about the shield", 3.0),
    ]

    result = play(mixed(parts))

    assert "weather" not in told(result)
    assert "I have a question" in told(result)
    assert "Understood." in " ".join(context.text for context in result.heard)


def test_d15_a_voice_nobody_could_decide_on_is_put_to_the_model_as_a_question() -> None:
    """Undecided speech is kept, and the model is asked to find out who spoke: never silently the patient's."""
    gate = enrolled()
    gate.begin_turn(-6.0, 16_000)
    gate.hear(say("television", 2.5))
    gate.end_turn(-3.5)

    result = play(tone("stranger", "yes please", 0.5), gate)

    assert "it is not certain that the patient said it" in told(result)


def test_d16_a_short_no_behind_the_agents_sentence_is_kept() -> None:
    """Four tenths of a second are too little for a voice print: the answer is the model's to see."""
    result = play(tone("patient", "no", 0.45), at_s=9.5)

    assert "no" in [str(m.get("content")) for m in result.messages if m.get("role") == "user"]


def with_pause(parts: list[tuple[str, str, float]], pause_s: float) -> Callable[[int], Speech]:
    """Lines with a pause between them that any voice detector takes for an end."""

    def make(rate: int) -> Speech:
        samples, words, at_s = [], [], 0.0
        for voice, text, seconds in parts:
            clip = tone(voice, text, seconds)(rate)
            samples += [clip.samples, np.zeros(int(pause_s * rate), np.int16)]
            words += [SpokenWord(w.text, at_s + w.start_s, at_s + w.end_s) for w in clip.words]
            at_s += seconds + pause_s
        return Speech(" ".join(text for _, text, _ in parts), np.concatenate(samples), rate, tuple(words))

    return make


def test_a_third_party_who_takes_a_breath_after_two_words_is_still_a_third_party() -> None:
    """The first words are too few to decide on; what goes on half a second later says whose they were."""
    parts = [("television", "good evening", 0.7), ("television", "and now the weather for tomorrow in the north", 2.5)]

    result = play(with_pause(parts, 0.5))

    assert "your operation." in " ".join(context.text for context in result.heard)
    assert "good evening" not in told(result)
    assert "weather" not in told(result)


def test_the_patients_first_words_before_a_breath_are_kept() -> None:
    """The same pause, the patient's voice: nothing is lost and the agent yields."""
    parts = [("patient", "wait please", 0.7), ("patient", "I have a question about that shield you mean", 2.5)]

    result = play(with_pause(parts, 0.5))

    assert "wait please" in told(result)
    assert "I have a question" in told(result)


def test_a_third_partys_sentence_with_a_breath_in_it_is_read_as_one() -> None:
    """Half a sentence is easily read for what the whole is not: one note quotes all of it."""
    parts = [("daughter", "no it is the left eye", 1.8), ("daughter", "not the right one she means", 1.8)]

    result = play(with_pause(parts, 0.5))

    notes = [str(m.get("content")) for m in result.messages if "Someone with the patient" in str(m.get("content"))]
    assert 1 == len(notes)
    assert "no it is the left eye not the right one she means" in notes[0]
    assert "your operation." in " ".join(context.text for context in result.heard)


def between(text: str, seconds: float = 2.4, stranger: float = 1.7) -> Callable[[int], Speech]:
    """A voice between the patient's and another's: undecided, and likelier somebody else's the more of it there is."""

    def make(rate: int) -> Speech:
        clip = tone("patient", text, seconds)(rate)
        both = say("patient", seconds) + stranger * say("stranger", seconds)
        return Speech(text, (both / np.abs(both).max() * 20_000).astype(np.int16), rate, clip.words)

    return make


def test_a_voice_that_is_likely_somebody_elses_is_told_as_likely_and_leaves_the_agent_the_floor() -> None:
    """Undecided over the agent: never left out, never taken for the patient's, and the sentence is heard to its end."""
    result = play(between("she takes the drops at night"))

    assert "not certain" in told(result)
    assert not any("drops" in str(m.get("content")) for m in result.messages if m.get("role") == "user")
    assert "your operation." in " ".join(context.text for context in result.heard)


def test_small_talk_in_a_voice_a_thousand_times_likelier_anothers_stays_out() -> None:
    """Between the record's thresholds, but this patient never sounded so: ignorable words do not pass."""
    result = play(between("oh that was such a lovely film last week", stranger=2.1))

    assert "lovely film" not in told(result)
    assert "your operation." in " ".join(context.text for context in result.heard)


def test_a_stop_from_a_voice_a_thousand_times_likelier_anothers_is_obeyed() -> None:
    """Even then the patient is not locked out: words that ask the agent to stop are no aside."""
    result = play(between("stop please stop", stranger=2.1))

    assert "stop please stop" in [str(m.get("content")) for m in result.messages if m.get("role") == "user"]
    assert "your operation." not in result.heard[0].text


def test_a_stop_from_a_voice_that_is_likely_somebody_elses_is_obeyed() -> None:
    """It may be the patient after all: words that ask the agent to stop take the floor."""
    result = play(between("stop please stop"))

    assert "stop please stop" in [str(m.get("content")) for m in result.messages if m.get("role") == "user"]
    assert "your operation." not in result.heard[0].text
