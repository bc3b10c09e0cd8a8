"""A failure inside the frame's rules: nothing is said to whoever is on the line, and the call can still end."""

from __future__ import annotations

import pytest

from obligations import Tracker, load_pathway
from obligations.answers.reader import LocalAnswerReader
from pipecat_interrupt.journal import JournalWriter, MemorySink
from pipecat_interrupt.journal.entries import Trouble
from pipecat_interrupt.steering import Conductor, SteeringSettings

pytestmark = pytest.mark.unit


class BrokenFrame(Tracker):
    """A tracker whose frame cannot be asked."""

    def frame_leads(self, now_s: float) -> bool:
        """Fail."""
        raise RuntimeError("frame")


class BrokenAnswered:
    """A watch on the line that cannot be asked."""

    def heard(self) -> None:
        """Fail."""
        raise RuntimeError("line")

    open = heard


async def test_a_detector_that_fails_stops_neither_voice_nor_call() -> None:
    """The far end's sounds go on being followed; the failure is journalled."""
    sink = MemorySink()
    tracker = Tracker(load_pathway("heart-failure-discharge"), call_id="c", reader=LocalAnswerReader())
    conductor = Conductor(tracker, JournalWriter("c", (sink,)), lambda: 1.0)
    conductor.answered = BrokenAnswered()  # type: ignore[assignment] - an honest fake of what fails

    conductor.open_line()
    conductor.voice(True)

    assert ["voicemail"] * 2 == [e.data.where for e in sink.entries if isinstance(e.data, Trouble)]


def test_a_frame_that_fails_leaves_the_model_unasked() -> None:
    """The safe side is silence: the failure is journalled and the model gets no turn."""
    sink = MemorySink()
    tracker = BrokenFrame(load_pathway("heart-failure-discharge"), call_id="c", reader=LocalAnswerReader())
    conductor = Conductor(tracker, JournalWriter("c", (sink,)), lambda: 1.0, settings=SteeringSettings(leads=False))

    assert conductor.leads_now
    assert ["frame"] == [e.data.where for e in sink.entries if isinstance(e.data, Trouble)]
