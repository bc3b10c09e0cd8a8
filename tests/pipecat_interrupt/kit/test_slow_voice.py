"""A voice that is too slow or never sounds: nothing it did not say is credited, and the call goes on."""

from __future__ import annotations

import pytest

from pipecat_interrupt.testing import ScriptedTTS

from .calls import scripted_demo

pytestmark = pytest.mark.pipeline


@pytest.mark.parametrize("shape", ["words", "inline", "streaming", "tokens"])
def test_a_voice_that_never_sounds_in_time_closes_nothing(shape: str) -> None:
    """Pipecat gives an utterance up after 3 s and still pushes its text: no word of it was heard, so nothing is met."""
    kit, result = scripted_demo("ours", cues=(), duration_s=25.0, tts=ScriptedTTS(shape, first_audio_s=3.5))

    heard = "".join(context.text for context in result.heard)
    closed = [o.id for o in kit.summary().obligations if o.closed]
    assert sum(len(r.delivered) for r in kit.scribe.records) <= len(heard)
    assert closed == [] or heard
    assert all(r.end_reason != "complete" or r.written_ms > 0 for r in kit.scribe.records)


def test_a_dead_voice_is_not_tried_every_moment() -> None:
    """Between two tries at a voice that gives nothing there is a pause, and the call ends by its own bounds."""
    kit, _ = scripted_demo("ours", cues=(), duration_s=30.0, tts=ScriptedTTS("words", first_audio_s=60.0))

    assert 1 <= len(kit.scribe.records) <= 8
    assert all(r.delivered == "" for r in kit.scribe.records)
