"""What the overlap judgement is told of the recogniser when the bot is put together."""

from __future__ import annotations

import pytest

from pipecat_interrupt.kit.recogniser import acquaint
from pipecat_interrupt.overlap.evidence import AgentFloor
from pipecat_interrupt.overlap.processor import OverlapProcessor
from pipecat_interrupt.testing import ScriptedSTT

pytestmark = pytest.mark.pipeline

SPEAKING = AgentFloor(delivered_text="Take one tablet each", remaining_text="morning with water.")


class ReportingSTT(ScriptedSTT):
    """A recogniser that can report segments without words."""

    on_segment = None


def _overlap() -> OverlapProcessor:
    return OverlapProcessor()


@pytest.mark.parametrize(("stt", "waits"), [(ScriptedSTT("segmented"), False), (ScriptedSTT("streaming"), True)])
async def test_only_a_stream_is_waited_for_behind_a_short_voice(stt: ScriptedSTT, waits: bool) -> None:
    """From the first overlap of the call on, before the recogniser has said a word."""
    overlap = _overlap()
    acquaint(overlap, stt)

    overlap.session.voice_started(1.0, 0.8, SPEAKING)
    actions = overlap.session.voice_stopped(1.4, SPEAKING)

    assert waits is (actions == [])


async def test_a_recogniser_that_reports_segments_is_given_the_callback() -> None:
    """One that has its own already keeps it."""
    overlap, free, taken = _overlap(), ReportingSTT(), ReportingSTT()
    taken.on_segment = print  # type: ignore[assignment]

    acquaint(overlap, free)
    acquaint(overlap, taken)

    assert overlap.on_segment == free.on_segment
    assert print is taken.on_segment
