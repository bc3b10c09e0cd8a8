"""An overlap that was set aside as somebody else's is not the beginning of the patient's next turn."""

from __future__ import annotations

import pytest

from pipecat_interrupt.overlap.actions import Report
from pipecat_interrupt.overlap.evidence import Speaker

from .session_script import SILENT, SPEAKING, named, said, session

pytestmark = pytest.mark.unit


def _set_aside(speaker: Speaker):  # noqa: ANN202 - a session
    s = session()
    s.voice_started(1.0, 0.8, SPEAKING, "u1")
    s.attributed(1.6, speaker)
    s.voice_stopped(2.5, SPEAKING)
    return s


@pytest.mark.parametrize("speaker", [Speaker.THIRD_PARTY, Speaker.AGENT_ECHO])
def test_the_patients_answer_after_it_is_the_patients_own(speaker: Speaker) -> None:
    """The gate kept the other voice's words back; what the patient says behind it names nothing but itself."""
    s = _set_aside(speaker)

    at_voice = s.voice_started(4.0, 3.8, SILENT)
    at_text = s.text(5.0, said(1, "No, no pain."), SILENT)

    assert named(at_voice) == ["start turn"]
    assert named(at_text) == ["forward No, no pain."]


def test_a_turn_that_somebody_else_starts_is_not_its_continuation_either() -> None:
    """Nothing more is reported of the overlap that was set aside."""
    s = _set_aside(Speaker.THIRD_PARTY)

    actions = [*s.turn_started(3.0), *s.text(3.5, said(1, "Yes."), SILENT)]

    assert not [a for a in actions if isinstance(a, Report)]
    assert named(actions) == ["forward Yes."]
