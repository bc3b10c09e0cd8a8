"""A call over a real socket, end to end: webhook, stream, marks, words, hand-off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipecat_interrupt.journal import read_jsonl, verify_chain
from pipecat_interrupt.serve import Provider
from pipecat_interrupt.testing.carrier import LineConditions
from tests.pipecat_interrupt.serve.phone import serving

pytestmark = [pytest.mark.contract, pytest.mark.enable_socket]


@pytest.mark.parametrize("provider", list(Provider))
async def test_a_call_is_heard_measured_and_handed_off(provider: Provider, tmp_path: Path) -> None:
    """The agent's first words reach the ear, marks come back for them, and the hang-up leaves journal and hand-off."""
    async with serving(tmp_path, pathway="cataract-followup", provider=provider) as phone:
        line = await phone.call(conditions=LineConditions(buffer_s=0.1, jitter_s=0.02))
        assert await line.agent_speaks()
        assert await line.until(lambda: line.marks_back >= 2, 20)
        await line.hang_up()

        call = await phone.over(line.ids.call)
        folder = tmp_path / call.id

    assert call.reason == "hang_up"
    handoff = json.loads((folder / "handoff.json").read_text(encoding="utf-8"))
    assert handoff["open_items"]
    assert (folder / "handoff.md").read_text(encoding="utf-8").startswith("#")
    entries = read_jsonl(folder / "journal.jsonl")
    verify_chain(entries)
    assert [entries[0].data.kind, entries[-1].data.kind] == ["call_started", "call_ended"]
    stereo = line.recording()
    assert abs(stereo[:, 1]).max() > 1000
    assert call.summary is not None
    assert call.summary.utterances[0].delivered
    assert call.kit is None
