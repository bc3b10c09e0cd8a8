"""Races under hypothesis-made schedules: whole pipelines, any order of wordings, replies and interruptions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pipecat.frames.frames import Frame, InterruptionFrame, LLMRunFrame, LLMTextFrame, TTSSpeakFrame
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor

from pipecat_interrupt.delivery import INTERRUPTED, ContextRepair, DeliveryRecorder
from pipecat_interrupt.testing import TTS_SHAPES, CallParts, ScriptedCall, TTSShape, run_call

pytestmark = pytest.mark.pipeline

TEXTS = (
    "Take one tablet each morning.",
    "Use 0.5 mg at 8 a.m. Then rest, please.",
    "This call is recorded.",
    "Do not drink. Ring us if you feel dizzy.",
    "Thank you.",
    "Weigh yourself before breakfast.",
    "Bring your card and the letter.",
    "Sorry, go on.",
    "Keep the eye dry for 7 days.",
)
"""All different from their first sound on: the ear tells them apart by their samples."""


@dataclass(frozen=True)
class Act:
    """One thing that happens: what, when (in 20 ms steps, so that acts can fall on one moment), and how."""

    kind: str
    step: int
    protected: bool
    append: bool


ACTS = st.builds(
    Act,
    st.sampled_from(["speak", "speak", "reply", "cut", "cut", "cut-below"]),
    st.integers(0, 200),
    st.booleans(),
    st.booleans(),
)


class Door(FrameProcessor):
    """Stands before the intended tap and notes what passes: an interruption may drop frames before it, unseen."""

    def __init__(self) -> None:
        super().__init__(enable_direct_mode=True)
        self.wordings: list[str] = []
        self.reply_words: list[str] = []

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        if isinstance(frame, TTSSpeakFrame):
            self.wordings.append(frame.text)
        elif isinstance(frame, LLMTextFrame):
            self.reply_words += frame.text.split()
        await self.push_frame(frame, direction)


class Below(FrameProcessor):
    """Stands behind the output and can interrupt from there."""

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        await self.push_frame(frame, direction)


def play(acts: list[Act], shape: TTSShape) -> tuple[DeliveryRecorder, list[str], Door, list[str]]:
    recorder, below, door = DeliveryRecorder(), Below(), Door()
    call = ScriptedCall(16.0)
    replies: list[str] = []
    for number, act in enumerate(sorted(acts, key=lambda a: a.step)):
        text = TEXTS[number % len(TEXTS)]
        at_s = act.step * 0.02
        if act.kind == "speak":

            def make(text: str = text, act: Act = act) -> Frame:
                frame = TTSSpeakFrame(text, append_to_context=act.append)
                frame.interruptible = not act.protected
                return frame

            call.push(make, at_s=at_s)
        elif act.kind == "reply":
            replies.append(text)
            call.push(LLMRunFrame, at_s=at_s)
        elif act.kind == "cut":
            call.push(InterruptionFrame, at_s=at_s)
        else:

            async def cut(_: CallParts) -> None:
                await below.broadcast_interruption()

            call.do(cut, at_s=at_s)

    def build(parts: CallParts) -> list[FrameProcessor]:
        voice = [parts.llm, door, recorder.intended_tap(), parts.tts, recorder.generated_tap()]
        out = [parts.output, recorder.delivered_tap(), ContextRepair(recorder), below, parts.pair.assistant()]
        return [parts.input, parts.pair.user(), *voice, *out]

    result = run_call(call, opening=None, replies=replies, tts=shape, vad="text", build=build)
    history = [str(m["content"]) for m in result.messages if m["role"] == "assistant"]
    return recorder, history, door, [w.text for c in result.heard for w in c.words]


@example(
    acts=[
        Act("speak", 16, protected=False, append=False),
        Act("speak", 16, protected=True, append=False),
        Act("cut-below", 21, protected=False, append=False),
    ],
    shape="inline",
)
@example(
    acts=[
        Act("speak", 10, protected=True, append=True),
        Act("speak", 65, protected=False, append=False),
        Act("speak", 119, protected=False, append=True),
        Act("speak", 162, protected=False, append=True),
    ],
    shape="tokens",
)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(ACTS, min_size=1, max_size=9), st.sampled_from(TTS_SHAPES))
def test_any_schedule_gives_one_record_an_utterance_and_an_honest_history(acts: list[Act], shape: TTSShape) -> None:
    """Every utterance exactly one record; delivered is a prefix; the history holds delivered text and nothing else."""
    recorder, history, door, heard = play(acts, shape)
    records = recorder.records

    assert len({r.id for r in records}) == len(records)
    assert Counter(r.intended for r in records if r.source == "speak") == Counter(door.wordings)
    reply_words = [w for r in records if r.source == "llm" for w in r.intended.split()]
    assert Counter(reply_words) == Counter(door.reply_words), "every word of a reply stands in exactly one record"

    remembered = " ".join(history).replace(f" {INTERRUPTED}", "").replace(INTERRUPTED, "").split()
    delivered = Counter(w for r in records if r.append_to_context for w in r.delivered.split())
    assert Counter(remembered) == delivered

    # An interruption from below reaches the output before the voice: what the voice sends in between is heard in
    # pieces, and the ear's own truth cannot be told.
    if not any(act.kind == "cut-below" for act in acts):
        slack = len(records) if shape == "tokens" else 0
        assert sum(len(r.delivered.split()) for r in records) <= len(heard) + slack
