"""The voices of a call in real time: cut into sentences, spoken once, with word times; and one real trial (live)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from benchmarks.cells import Arm
from benchmarks.simulator.build import Models
from benchmarks.simulator.live.local_voices import LocalVoices, _clip
from benchmarks.simulator.plan import Plan
from benchmarks.simulator.runner import run_chunk
from benchmarks.simulator.system import CallBounds
from benchmarks.simulator.transcript import AgentTurn, PatientTurn
from benchmarks.simulator.trial_log import TrialLog
from pipecat_interrupt.local.piper_voice import SpokenSentence

RATE_HZ = 16_000


class TenthOfASecondAWord:
    """A voice double: every word lasts 0.1 s at its own pace; counts what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int]] = []

    def speak(self, text: str, rate_hz: int) -> Iterator[SpokenSentence]:
        """One sentence, its words evenly spaced."""
        self.asked.append((text, rate_hz))
        words = text.split()
        n = round(0.1 * rate_hz) * len(words)
        starts = tuple((word, 0.1 * i) for i, word in enumerate(words))
        yield SpokenSentence(np.ones(n, "<i2").tobytes(), n / rate_hz, starts, True)


@pytest.mark.unit
def test_a_text_is_spoken_sentence_by_sentence_and_each_sentence_once() -> None:
    """Two texts that share a sentence cost three inferences; word times go on over the pause between sentences."""
    voice = TenthOfASecondAWord()
    voices = LocalVoices(voice, ear=object())

    first = voices.agent("All right. Any pain?", RATE_HZ)
    voices.agent("All right. Any redness?", RATE_HZ)

    assert ["All right.", "Any pain?", "Any redness?"] == [text for text, _ in voice.asked]
    assert ["All", "right.", "Any", "pain?"] == [word.text for word in first.words]
    assert [0.0, 0.1, 0.3, 0.4] == [round(word.start_s, 3) for word in first.words]
    assert pytest.approx(0.5) == first.duration_s == first.words[-1].end_s


class EarThatGetsThere:
    """Hears other words at first, then what was said."""

    def __init__(self, *heard: str) -> None:
        self.heard = list(heard)

    def hear(self, samples: np.ndarray, language: str | None) -> str | None:
        """The next of the given texts; the last one for ever."""
        return self.heard.pop(0) if len(self.heard) > 1 else self.heard[0]


@pytest.mark.unit
@pytest.mark.parametrize(
    ("heard", "draws"),
    [
        (("Bright light bothers my eye.",), 1),
        (("Right like fathers might eye.", "bright light bothers my eye"), 2),
        (("something else altogether",), 6),
    ],
)
def test_a_rehearsed_patient_is_drawn_again_until_understood(heard: tuple[str, ...], draws: int) -> None:
    """A sentence the ear makes nothing of is drawn again, a bounded number of times; playing the call costs nothing."""
    voice = TenthOfASecondAWord()
    voices = LocalVoices(voice, ear=EarThatGetsThere(*heard))
    turn = PatientTurn(text="Bright light bothers my eye.", interrupts=False, source="normal")

    voices.rehearse([turn, turn])
    voices.patient(turn.text, RATE_HZ)

    assert draws == len(voice.asked)


class FallsSilent:
    """A voice double: two words of 0.1 s, and 0.2 s of near silence behind them, as real voices have it."""

    def speak(self, text: str, rate_hz: int) -> Iterator[SpokenSentence]:
        """One sentence."""
        sound, rest = np.full(round(0.2 * rate_hz), 3000, "<i2"), np.full(round(0.2 * rate_hz), 3, "<i2")
        yield SpokenSentence(np.concatenate([sound, rest]).tobytes(), 0.4, (("Hello", 0.0), ("there.", 0.1)), True)


@pytest.mark.unit
def test_the_last_word_ends_with_its_sound_and_not_with_the_silence_behind_it() -> None:
    """A listener who misses only that has missed no word."""
    clip = LocalVoices(FallsSilent(), ear=object()).agent("Hello there.", RATE_HZ)

    assert (pytest.approx(0.2), pytest.approx(0.4)) == (clip.words[-1].end_s, clip.duration_s)


@pytest.mark.unit
def test_each_call_has_draws_of_its_own() -> None:
    """The patient's sentences are spoken anew for the next call, the agent's are kept."""
    voice = TenthOfASecondAWord()
    voices = LocalVoices(voice, ear=EarThatGetsThere("No."))
    turns = [AgentTurn(intended="Any pain?", delivered="Any pain?"), PatientTurn(text="No.")]

    voices.rehearse(turns)
    voices.rehearse(turns)

    assert ["No.", "Any pain?", "No."] == [text for text, _ in voice.asked]


@pytest.mark.unit
def test_the_patient_is_the_same_voice_raised_and_as_much_faster() -> None:
    """So that one model makes two voices."""
    voices = LocalVoices(TenthOfASecondAWord(), ear=object())

    clip = voices.patient("No, nothing like that.", RATE_HZ)

    assert 0.4 / 1.1 == pytest.approx(clip.duration_s, abs=0.001)
    assert 0.1 / 1.1 == pytest.approx(clip.words[1].start_s, abs=0.001)


@pytest.mark.unit
def test_a_rehearsed_call_costs_no_inference_when_it_is_played() -> None:
    """Both sides."""
    voice = TenthOfASecondAWord()
    voices = LocalVoices(voice, ear=EarThatGetsThere("No."))
    voices.rehearse([AgentTurn(intended="Any pain? Or redness?", delivered="Any"), PatientTurn(text="No.")])
    asked = len(voice.asked)

    voices.agent("Or redness?", RATE_HZ)
    voices.patient("No.", RATE_HZ)

    assert 3 == asked == len(voice.asked)


@pytest.mark.live
@pytest.mark.enable_socket
@pytest.mark.timeout(600)
def test_a_trial_in_real_time_on_the_local_models() -> None:
    """Real voice, real recogniser, the machine's clock: the call goes to its end and the cut is placed."""
    plan = Plan(
        cells=["P-competitive"],
        arms=[Arm.INTERRUPT],
        agents=["deaf"],
        systems=["ours"],
        level="realtime",
        prompts=None,
        trials=1,
        seed=20260525,
    )

    [log] = run_chunk(plan.planned(), Models(), CallBounds(), 1)

    assert isinstance(log, TrialLog)
    assert "realtime" == log.level
    assert any(note.startswith("ear whisper") for note in log.notes)
    assert sum(isinstance(turn, AgentTurn) and bool(turn.delivered) for turn in log.turns) >= 5


@pytest.mark.unit
def test_a_pause_at_a_comma_is_no_part_of_the_word_before_it() -> None:
    """The voice counts it so; a listener who is cut off in it has heard the word whole."""
    rate_hz = 16_000
    tone = (8000 * np.sin(np.arange(rate_hz // 2))).astype("<i2")
    pcm = np.concatenate([tone, tone, np.zeros(4800, "<i2"), tone, np.zeros(1600, "<i2")]).tobytes()
    spoken = SpokenSentence(pcm, 1.9, (("or", 0.0), ("vision,", 0.5), ("call", 1.3)), True)

    words = _clip("or vision, call", [spoken], rate_hz, 1.0).words

    assert [(w.text, round(w.start_s, 2), round(w.end_s, 2)) for w in words] == [
        ("or", 0.0, 0.5),
        ("vision,", 0.5, 1.0),
        ("call", 1.3, 1.8),
    ]
