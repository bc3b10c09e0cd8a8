"""Transports, recognisers and voices: each finding beside a call that shows the setting doing nothing."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import pytest
from pipecat.frames.frames import (
    ErrorFrame,
    Frame,
    InputAudioRawFrame,
    VADUserStartedSpeakingFrame,
)
from pipecat.services.settings import STTSettings
from pipecat.services.stt_service import SegmentedSTTService

from pipecat_interrupt.hold import build_hold
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.testing import FrameLog, ListenerOutput, ScriptedCall, ScriptedSTT, ScriptedTTS
from pipecat_interrupt.testing.call import CallParts

from .bots import LINE, run

pytestmark = pytest.mark.pipeline

PATIENT = ScriptedCall(3.0).patient("How do I take these?", at_s=0.5)


def _set(side: str, **params: Any) -> Any:
    """Change a transport's parameters before the pipeline is made."""

    def around(parts: CallParts, chain: list[Any]) -> list[Any]:
        for name, value in params.items():
            setattr(getattr(parts, side)._params, name, value)
        return chain

    return around


def test_audio_in_disabled() -> None:
    """The patient speaks and no sound gets in."""
    log = FrameLog("in", kinds=InputAudioRawFrame)
    disable = _set("input", audio_in_enabled=False)

    found = run(PATIENT, around=lambda p, c: [c[0], log, *disable(p, c)[1:]], opening=None)

    assert log.entries == []
    assert "audio-in-disabled" in found.codes


def test_audio_out_disabled() -> None:
    """The voice speaks, nobody hears it, and no error says so."""
    found = run(around=_set("output", audio_out_enabled=False))

    assert found.result.parts.tts.contexts != []
    assert found.result.parts.output.pieces == []
    assert found.result.parts.after.of(ErrorFrame) == []
    assert "audio-out-disabled" in found.codes


def test_destination_not_registered() -> None:
    """The voice speaks to a destination the transport does not have."""
    found = run(tts=ScriptedTTS("inline", transport_destination="room"))

    assert found.result.parts.tts.contexts != []
    assert found.result.parts.output.pieces == []
    assert "destination-not-registered" in found.codes


def test_sample_rate_overruled() -> None:
    """The pipeline's rate reaches the recogniser and not the transport: sound at 8 kHz is taken for 16 kHz."""

    def slower(parts: CallParts, chain: list[Any]) -> list[Any]:
        parts.input._params.audio_in_sample_rate = 8000
        return chain

    found = run(around=slower, opening=None)

    assert (found.result.parts.input.sample_rate, found.result.parts.stt.sample_rate) == (8000, 16000)
    assert "sample-rate-overruled" in found.codes


@pytest.mark.parametrize("blocked", ["transport", "recogniser"])
def test_vad_hears_nothing(blocked: str) -> None:
    """The aggregator has a detector, and a patient who speaks is never detected."""
    options: dict[str, Any] = {"around": _set("input", audio_in_passthrough=False)}
    if blocked == "recogniser":
        options = {"stt": ScriptedSTT("streaming", audio_passthrough=False)}

    found = run(PATIENT, opening=None, **options)

    assert found.result.parts.after.of(VADUserStartedSpeakingFrame) == []
    assert "vad-hears-nothing" in found.codes
    heard = run(PATIENT, opening=None)
    assert heard.result.parts.after.of(VADUserStartedSpeakingFrame) != []
    assert "vad-hears-nothing" not in heard.codes


class _Segments(SegmentedSTTService):
    """Counts the segments it is given."""

    def __init__(self) -> None:
        super().__init__(settings=STTSettings(model="none", language=None), ttfs_p99_latency=1.0)
        self.segments = 0

    async def run_stt(self, audio: bytes) -> AsyncGenerator[Frame | None, None]:
        """Count."""
        self.segments += 1
        yield None


@pytest.mark.parametrize(("vad", "segments"), [("text", 0), ("energy", 1)])
def test_segments_without_vad(vad: str, segments: int) -> None:
    """A segmented recogniser without voice detection transcribes nothing, ever."""
    stt = _Segments()

    def swap(parts: CallParts, chain: list[Any]) -> list[Any]:
        parts.input._silent = False
        return [stt if p is parts.stt else p for p in chain]

    found = run(PATIENT, around=swap, opening=None, vad=vad, stt=ScriptedSTT("segmented"))

    assert stt.segments == segments
    assert ("segments-without-vad" in found.codes) == (segments == 0)


class _Asked(ScriptedTTS):
    """Keeps the texts it is asked for."""

    def __init__(self, shape: Any, **kwargs: Any) -> None:
        super().__init__(shape, **kwargs)
        self.texts: list[str] = []

    async def run_tts(self, text: str, context_id: str) -> AsyncGenerator[Frame | None, None]:
        """Keep the text, then speak."""
        self.texts.append(text)
        async for frame in super().run_tts(text, context_id):
            yield frame


@pytest.mark.parametrize(("shape", "appended"), [("tokens", False), ("streaming", True)])
def test_trailing_space_in_token_mode(shape: str, appended: bool) -> None:
    """The last text of a reply gets its space in sentence mode only."""
    tts = _Asked(shape, append_trailing_space=True)

    found = run(tts=tts, replies=["Good morning."])

    assert tts.texts[-1].endswith(" ") == appended
    assert ("trailing-space-in-token-mode" in found.codes) == (not appended)


def test_silence_time_unused() -> None:
    """Five seconds of silence are asked for, and not one more sample is written."""
    plain, asked = (run(ScriptedCall(9.0), tts=ScriptedTTS("inline", **kw)) for kw in ({}, {"silence_time_s": 5.0}))

    assert len(asked.result.parts.output.stream()) == len(plain.result.parts.output.stream())
    assert "silence-time-unused" in asked.codes
    assert "silence-time-unused" not in plain.codes


def test_skip_text_types_unused() -> None:
    """Code is to be left out, and is read aloud: nothing in the pipeline tells code from text."""
    found = run(tts=ScriptedTTS("inline", skip_text_types=["code"]), replies=["Type <code>remove all</code> now."])

    assert "remove all" in found.heard
    assert "skip-text-types-unused" in found.codes


def test_voice_is_resampled() -> None:
    """A voice with a rate of its own makes the kit resample each of its frames."""
    made: list[InterruptKit] = []

    def kit() -> InterruptKit:
        made.append(InterruptKit())
        return made[0]

    found = run(kit=kit, tts=ScriptedTTS("inline", sample_rate_hz=22050))

    assert made[0].hold is not None
    assert made[0].hold.before_output.resampled_rates == {22050}
    assert "voice-is-resampled" in found.codes


def test_holds_that_do_not_fit_their_transport() -> None:
    """A filter in front of a buffer holds too late, and further destinations are not held: both are named."""
    output = ListenerOutput(ahead_s=1.0, destinations=["room"])
    kits: list[InterruptKit] = []

    def kit() -> InterruptKit:
        kits.append(InterruptKit())
        return kits[0]

    def forced(parts: CallParts, chain: list[Any]) -> list[Any]:
        return chain

    found = run(kit=kit, around=forced, output=output)
    assert not {"hold-does-not-fit", "hold-misses-destinations"} & found.codes  # the kit chooses the gate here

    kits[0].hold = build_hold(ListenerOutput(), backend="filter")
    codes = {f.code for f in kits[0].lint([output, ScriptedTTS()], sources=())}
    assert {"hold-does-not-fit", "hold-misses-destinations"} <= codes


def test_a_line_of_the_agent_is_heard_whole_by_default() -> None:
    """What the other tests compare with."""
    assert run(ScriptedCall(9.0)).heard == LINE
