"""One short live call on the real models, in real time: the advice that was cut is recovered, and an ear agrees."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pipecat_interrupt.demo.artefacts import write_artefacts
from pipecat_interrupt.demo.patient import PatientCue
from pipecat_interrupt.errors import InterruptError
from pipecat_interrupt.journal import read_jsonl, verify_chain
from pipecat_interrupt.local.errors import LocalModelError
from pipecat_interrupt.weights import WeightsError

pytestmark = [
    pytest.mark.models,
    pytest.mark.timeout(150),
]

HERE = Path(__file__).parent
CUES = (
    PatientCue("redness in your eye", "red_no_light", delay_s=0.2),
    PatientCue("second sentence holds", "cut_driving", when="during", delay_s=0.0, times=1),
)


async def test_the_cut_sentence_is_recovered_and_an_independent_ear_agrees(tmp_path: Path) -> None:
    """Every critical item closes on real models, and no cut claims words that Whisper does not hear."""
    try:
        from pipecat_interrupt.demo.live import LiveRun
        from pipecat_interrupt.demo.models import DemoModels, ModelChoice

        models = await DemoModels(ModelChoice()).__aenter__()
    except (ImportError, LocalModelError, WeightsError, InterruptError) as error:
        pytest.skip(f"a local model is not there: {error}")
    try:
        journal = tmp_path / "journal.jsonl"
        call = await LiveRun("ours", models, journal, str(HERE / "short.yaml"), CUES).run()
        summary = write_artefacts(call, tmp_path, models.ready_s, lambda x: models.ear.hear(x, "en") or "")
    finally:
        await models.__aexit__(None, None, None)

    assert [o.id for o in summary.obligations if o.critical and not o.closed] == []
    assert {"redness", "light.first", "light.second"} <= {o.id for o in summary.obligations if o.closed}
    cut = [u for u in summary.utterances if u.cut is not None]
    assert cut and "".join(u.undelivered for u in cut)
    assert summary.timings["ear_cuts_n"] == len(cut)
    # The record never claims more than the ear heard; on cut sound Whisper may invent the next words of a phrase.
    assert -1 <= (summary.timings["ear_cut_difference_words_max"] or 0) <= 3
    assert verify_chain(read_jsonl(journal)) > 10
    assert {"call.wav", "handoff.json", "handoff.md", "call.html", "summary.json"} <= set(os.listdir(tmp_path))
