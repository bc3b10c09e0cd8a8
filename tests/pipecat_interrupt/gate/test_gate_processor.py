"""The gate in a pipeline: sound passes, transcripts wait and are re-typed, nothing is lost when it fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from pipecat.frames.frames import (
    Frame,
    InputAudioRawFrame,
    InterimTranscriptionFrame,
    LLMMessagesAppendFrame,
    TranscriptionFrame,
    VADUserStartedSpeakingFrame,
    VADUserStoppedSpeakingFrame,
)
from pipecat.tests.utils import SleepFrame, run_test
from typer.testing import CliRunner

from pipecat_interrupt.cli.gate import app
from pipecat_interrupt.gate import (
    SPEAKER_KEY,
    GateFact,
    GatePipelineSettings,
    RulingFact,
    SpeakerGateProcessor,
    ThirdPartySpeechFrame,
    TurnVoiceFact,
)
from pipecat_interrupt.gate.words import read_words
from pipecat_interrupt.overlap.evidence import Speaker
from pipecat_interrupt.testing import run_virtual
from speaker_gate import CallGate, GateSettings
from speaker_gate.embedders import Samples
from speaker_gate.testing import FakeEmbedder, fake_ears, quiet, say

pytestmark = pytest.mark.pipeline


class Facts:
    """Keeps what the gate told."""

    def __init__(self) -> None:
        self.told: list[GateFact] = []

    def on_gate(self, fact: GateFact) -> None:
        self.told.append(fact)


def enrolled(embedder: FakeEmbedder | None = None) -> CallGate:
    gate = CallGate(fake_ears(embedder), settings=GateSettings(check_rate=False))
    for at_s in (-20.0, -10.0):
        gate.begin_turn(at_s, 16_000)
        gate.hear(say("patient", 3.0))
        gate.end_turn(at_s + 3.0)
    return gate


def stranger() -> CallGate:
    return CallGate(fake_ears(), settings=GateSettings(check_rate=False))


def sound(samples: Samples) -> list[Frame]:
    pcm = (samples * 32_767).astype(np.int16)
    return [InputAudioRawFrame(pcm[at : at + 320].tobytes(), 16_000, 1) for at in range(0, len(pcm), 320)]


def turn(voice: str, seconds: float, text: str) -> list[Frame]:
    return [
        *sound(quiet(0.2)),
        VADUserStartedSpeakingFrame(),
        *sound(say(voice, seconds)),
        VADUserStoppedSpeakingFrame(),
        TranscriptionFrame(text, "caller", "now"),
        SleepFrame(sleep=0.3),
    ]


def through(gate: SpeakerGateProcessor, frames: Sequence[Frame]) -> list[Frame]:
    """What comes out, in virtual time: on a busy machine the gate would give up waiting for its own worker."""

    async def main() -> list[Frame]:
        down, _ = await run_test(gate, frames_to_send=list(frames))
        return list(down)

    return run_virtual(main)


def of(frames: Sequence[Frame], kind: type[Frame]) -> list[Frame]:
    return [frame for frame in frames if isinstance(frame, kind)]


def test_the_patients_words_pass_marked_as_theirs() -> None:
    """One transcript in, the same out, with whose it is; every sound frame passes."""
    facts = Facts()
    frames = turn("patient", 2.0, "I had a fever.")

    down = through(SpeakerGateProcessor(enrolled(), listeners=[facts]), frames)

    passed = of(down, TranscriptionFrame)
    assert ["I had a fever."] == [frame.text for frame in passed]
    assert "primary" == passed[0].metadata[SPEAKER_KEY]
    assert len(of(frames, InputAudioRawFrame)) == len(of(down, InputAudioRawFrame))
    assert [] == of(down, ThirdPartySpeechFrame)
    assert ["primary"] == [fact.voices[-1] for fact in facts.told if isinstance(fact, TurnVoiceFact)]


def test_ignorable_third_party_words_never_pass_as_a_transcript() -> None:
    """The television's words are re-typed and reach no aggregator; the model is told nothing."""
    facts = Facts()

    down = through(
        SpeakerGateProcessor(enrolled(), listeners=[facts]), turn("television", 2.0, "yes I would like that")
    )

    assert [] == of(down, TranscriptionFrame)
    assert [] == of(down, LLMMessagesAppendFrame)
    assert [("ignore", "yes I would like that")] == [(f.action, f.text) for f in of(down, ThirdPartySpeechFrame)]
    assert ["ignore"] == [fact.action for fact in facts.told if isinstance(fact, RulingFact)]


def test_useful_third_party_words_reach_the_model_attributed_only() -> None:
    """A correction comes as a developer note that says who did not say it; no transcript."""
    down = through(
        SpeakerGateProcessor(enrolled()), turn("daughter", 2.0, "No, she takes it at night, not in the morning.")
    )

    assert [] == of(down, TranscriptionFrame)
    notes = of(down, LLMMessagesAppendFrame)
    assert 1 == len(notes)
    assert "developer" == notes[0].messages[0]["role"]
    assert "Someone with the patient said" in notes[0].messages[0]["content"]
    assert not notes[0].run_llm


def test_an_alert_interrupts_and_runs_the_model_at_once() -> None:
    """Danger does not wait for the agent's sentence."""
    down = through(SpeakerGateProcessor(enrolled()), turn("stranger", 2.0, "She can't breathe!"))

    notes = of(down, LLMMessagesAppendFrame)
    assert [True] == [note.run_llm for note in notes]
    assert ["alert"] == [frame.action for frame in of(down, ThirdPartySpeechFrame)]


def test_a_short_no_of_the_patient_is_kept_and_marked_inferred() -> None:
    """One-word answers are never lost."""
    frames = [*turn("patient", 2.0, "Go on."), *turn("patient", 0.4, "No.")]

    passed = of(through(SpeakerGateProcessor(enrolled()), frames), TranscriptionFrame)

    assert [("Go on.", "primary"), ("No.", "inferred")] == [(f.text, f.metadata[SPEAKER_KEY]) for f in passed]


def test_a_broken_model_lets_every_transcript_pass() -> None:
    """The safe side: words go on, marked; no error leaves the gate."""
    gate = CallGate(fake_ears(FakeEmbedder(fail=True)), settings=GateSettings(check_rate=False))

    passed = of(through(SpeakerGateProcessor(gate), turn("patient", 2.0, "Hello.")), TranscriptionFrame)

    assert ["Hello."] == [frame.text for frame in passed]


def test_before_enrolment_nothing_waits_and_everything_passes() -> None:
    """A gate that knows nobody is open, for unfinished words too."""
    gate = CallGate(fake_ears(), settings=GateSettings(check_rate=False))
    frames = [
        VADUserStartedSpeakingFrame(),
        InterimTranscriptionFrame("hel", "caller", "now"),
        *turn("patient", 1.0, "hello"),
    ]

    down = through(SpeakerGateProcessor(gate), frames)

    assert 1 == len(of(down, InterimTranscriptionFrame))
    assert ["assumed"] == [frame.metadata[SPEAKER_KEY] for frame in of(down, TranscriptionFrame)]


@pytest.mark.parametrize(
    ("voice", "gate", "whose"),
    [
        ("patient", enrolled, ["unsure", "primary"]),
        ("daughter", enrolled, ["unsure"]),
        ("patient", stranger, ["assumed"] * 2),
    ],
)
def test_unfinished_words_say_whose_they_are(voice: str, gate: Callable[[], CallGate], whose: list[str]) -> None:
    """Should they never become final, nobody rules on them: the patient's are those of a known voice alone."""
    frames = [
        *sound(quiet(0.2)),
        VADUserStartedSpeakingFrame(),
        InterimTranscriptionFrame("no", "caller", "now"),
        *sound(say(voice, 2.0)),
        VADUserStoppedSpeakingFrame(),
        SleepFrame(sleep=0.3),
        InterimTranscriptionFrame("no she is", "caller", "now"),
    ]

    down = through(SpeakerGateProcessor(gate()), frames)

    assert whose == [frame.metadata[SPEAKER_KEY] for frame in of(down, InterimTranscriptionFrame)]


def test_overlap_judgement_is_told_nothing_before_and_the_voice_after() -> None:
    """None from the onset of a voice until it was scored."""
    processor = SpeakerGateProcessor(enrolled())
    before = processor.attribution()

    through(processor, turn("television", 2.0, "and now the weather"))

    assert before is None
    assert Speaker.THIRD_PARTY is processor.attribution()


def test_another_voice_can_be_replaced_by_silence_and_never_by_nothing() -> None:
    """With `silence_others` as many frames pass, the decided ones empty of sound."""
    settings = GatePipelineSettings(silence_others=True, only_while_agent_active=False)
    frames: list[Frame] = [*sound(quiet(0.2)), VADUserStartedSpeakingFrame(), *sound(say("television", 2.0))]
    frames += [SleepFrame(sleep=0.3), *sound(say("television", 0.5)), VADUserStoppedSpeakingFrame()]

    down = of(through(SpeakerGateProcessor(enrolled(), settings=settings), frames), InputAudioRawFrame)

    assert len(of(frames, InputAudioRawFrame)) == len(down)
    assert not any(down[-1].audio)


def test_words_with_times_and_labels_are_read_from_a_deepgram_like_result() -> None:
    """Times count from the start of the turn; another shape gives no words."""
    words = [{"word": "no", "start": 10.5, "end": 10.9, "speaker": 1}]
    frame = TranscriptionFrame("no", "caller", "now", None, {"channel": {"alternatives": [{"words": words}]}})

    read = read_words(frame, 10.0)

    assert [("no", 0.5, "1")] == [(word.text, word.start_s, word.label) for word in read]
    assert () == tuple(read_words(TranscriptionFrame("no", "caller", "now"), 10.0))
    broken = TranscriptionFrame("no", "caller", "now", None, {"words": [{"word": 3}]})
    assert () == tuple(read_words(broken, 0.0))


def test_calibrating_on_an_empty_folder_is_one_line_and_exit_code_two(tmp_path) -> None:
    """The command line says what is missing."""
    result = CliRunner().invoke(app, ["calibrate", "--data", str(tmp_path)])

    assert 2 == result.exit_code
    assert "no recordings" in result.output
