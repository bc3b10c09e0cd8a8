"""A call's life on the line: talk, keys, bad lines, a failing neighbour, and a server that is told to stop."""

from __future__ import annotations

import asyncio
import io
import json
import signal
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest
from loguru import logger
from pipecat.frames.frames import EndFrame, Frame
from pipecat.processors.frame_processor import FrameDirection

from pipecat_interrupt.serve import Limits
from pipecat_interrupt.serve.logs import WITHHELD, use_json_logs
from pipecat_interrupt.serve.registry import PhoneCall
from pipecat_interrupt.serve.services import CallServices
from pipecat_interrupt.testing import ScriptedSTT
from pipecat_interrupt.testing.carrier import Busy, CallIds, LineConditions, write_stereo
from tests.pipecat_interrupt.serve.phone import Phone, ScriptedBank, serving

pytestmark = [pytest.mark.contract, pytest.mark.enable_socket]

TINY = Path(__file__).with_name("tiny.yaml")
CATARACT = "cataract-followup"


async def handoff(phone: Phone, carrier_id: str) -> dict:
    """Wait for a call's end; give its hand-off as written."""
    over = await phone.over(carrier_id, within_s=20)
    await asyncio.sleep(0)
    return json.loads((phone.config.out / over.id / "handoff.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "conditions",
    [LineConditions(), LineConditions(jitter_s=0.06, lost_frames=0.02, lost_marks=0.3, buffer_s=0.2, seed=4)],
    ids=["good line", "bad line"],
)
async def test_a_question_is_asked_answered_and_the_call_ends_by_itself(
    conditions: LineConditions, tmp_path: Path
) -> None:
    """Over a good line and a bad one: greeting, question, "No.", goodbye, and the bot hangs up."""
    async with serving(tmp_path / "calls", pathway=TINY) as phone:
        line = await phone.call(conditions=conditions)
        while len(line.playout.played) == 0 or not await line.quiet(0.4):
            await line.wait(0.1)
        phone.say(line, "No.")
        await asyncio.wait_for(line.closed.wait(), 20)
        over = await phone.over(line.ids.call)

    write_stereo(tmp_path / "call.wav", line.recording())
    assert over.reason == "end"
    assert over.handoff is not None
    assert [answer.item_id for answer in over.handoff.answers] == ["ask.pain"]
    assert over.handoff.open_items == ()
    assert (tmp_path / "call.wav").stat().st_size > 20_000


async def test_a_cut_line_is_handed_off_without_a_goodbye(tmp_path: Path) -> None:
    """No stop message, no closing handshake: the socket is just gone, and keys were pressed before."""
    async with serving(tmp_path, pathway=CATARACT) as phone:
        line = await phone.call()
        await line.agent_speaks()
        await line.press("12#")
        await line.wait(0.2)
        await line.drop()
        written = await handoff(phone, line.ids.call)

    assert written["end_reason"] == "hang_up"
    assert written["open_items"]


async def test_a_call_whose_services_fail_is_handed_off_and_its_neighbour_goes_on(tmp_path: Path) -> None:
    """One vendor's fault in one call is one call's."""

    def spoil(call: PhoneCall) -> None:
        if call.carrier_id == "CA-bad":
            raise RuntimeError("the vendor says no")

    async with serving(tmp_path, pathway=CATARACT, bank=ScriptedBank(spoil=spoil)) as phone:
        good = await phone.call(CallIds(call="CA-good"))
        bad = await phone.call(CallIds(call="CA-bad"))
        await asyncio.wait_for(bad.closed.wait(), 10)
        written = await handoff(phone, "CA-bad")
        assert await good.agent_speaks()
        async with aiohttp.ClientSession() as session, session.get(f"{phone.http}/metrics") as answer:
            figures = await answer.text()
        await good.hang_up()

    assert all(item["critical"] is not None for item in written["open_items"])
    assert 'pipecat_interrupt_calls_total{reason="failed"} 1.0' in figures
    assert "pipecat_interrupt_calls_active 1.0" in figures
    assert 'pipecat_interrupt_handoffs_total{critical="open"} 1.0' in figures


async def test_a_pipeline_that_is_stuck_is_handed_off_and_leaves_the_other_speaking(tmp_path: Path) -> None:
    """A dead part passes neither sound nor the end of the call on; the server closes the call beside it."""
    bank = ScriptedBank()
    async with serving(tmp_path, pathway=CATARACT, bank=bank, limits=Limits(cancel_s=1.5)) as phone:
        good = await phone.call(CallIds(call="CA-good"))
        bad = await phone.call(CallIds(call="CA-bad"))
        await bad.agent_speaks()
        await bank.made["CA-bad"].tts.cleanup()
        await good.agent_speaks()
        played = len(good.playout.channel(0.0, good.now_s).nonzero()[0])
        await good.wait(0.3)

        assert len(good.playout.channel(0.0, good.now_s).nonzero()[0]) > played
        await bad.hang_up()
        written = phone.folder("CA-bad") / "handoff.json"
        async with asyncio.timeout(3):
            while not written.exists():
                await good.wait(0.05)
        assert [call.carrier_id for call in phone.registry.calls] == ["CA-good", "CA-bad"]
        await good.hang_up()
        assert (await phone.over("CA-bad", within_s=15)).reason == "hang_up"


class EndlessSTT(ScriptedSTT):
    """A recogniser that never comes to its end, as one whose vendor does not close the line."""

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        if isinstance(frame, EndFrame):
            return
        await super().process_frame(frame, direction)


class EndlessBank(ScriptedBank):
    """Services of which one is stuck at the end."""

    async def services(self, call: PhoneCall) -> CallServices:
        made = await super().services(call)
        self.made[call.carrier_id] = made = replace(made, stt=EndlessSTT(delay_s=0.05))
        return made


async def test_a_call_that_ended_itself_and_does_not_come_down_is_cut_as_it_ended(tmp_path: Path) -> None:
    """The agent has said goodbye and a part is stuck: the line is let go, the hand-off is right, nothing is left."""
    async with serving(tmp_path, pathway=TINY, bank=EndlessBank(), limits=Limits(guard_s=0.5, cancel_s=1.0)) as phone:
        line = await phone.call()
        while len(line.playout.played) == 0 or not await line.quiet(0.4):
            await line.wait(0.1)
        phone.say(line, "No.")
        await asyncio.wait_for(line.closed.wait(), 20)
        over = await phone.over(line.ids.call)
        written = await handoff(phone, line.ids.call)
        left = [task.get_name() for task in asyncio.all_tasks() if "PipelineWorker" in task.get_name()]

    assert over.reason == "end"
    assert left == []
    assert (written["end_reason"], written["open_items"]) == ("completed", [])
    assert [answer["item_id"] for answer in written["answers"]] == ["ask.pain"]


async def test_a_call_that_lasts_too_long_is_ended_and_handed_off(tmp_path: Path) -> None:
    """It is told to end, and cut where it does not."""
    limits = Limits(call_s_max=0.6, guard_s=0.3)
    async with serving(tmp_path, pathway=CATARACT, limits=limits) as phone:
        line = await phone.call()
        over = await phone.over(line.ids.call, within_s=15)
        written = await handoff(phone, line.ids.call)

    assert (over.reason, written["end_reason"]) == ("too_long", "too_long")
    assert "the call ended: it had reached its longest time" in written["open_items"][0]["detail"]


async def test_a_stopping_server_takes_no_calls_and_lets_the_running_one_finish(tmp_path: Path) -> None:
    """SIGTERM: busy for the next caller, not ready for the balancer, and the patient on the line hears the rest."""
    async with serving(tmp_path, pathway=TINY) as phone:
        line = await phone.call()
        await line.agent_speaks()

        phone.server.handle_exit(signal.SIGTERM, None)
        await asyncio.sleep(0.05)

        with pytest.raises(Busy):
            await phone.stream_url(CallIds(call="CA-next"))
        async with aiohttp.ClientSession() as session, session.get(f"{phone.http}/readyz") as ready:
            assert (ready.status, (await ready.json())["status"]) == (503, "draining")
        assert await line.quiet(0.4)
        phone.say(line, "No.")
        over = await phone.over(line.ids.call, within_s=20)
        await phone.server.stop()
        assert phone.server.should_exit

    assert over.reason == "end"
    assert phone.bank.stopped == 1


async def test_a_call_that_does_not_finish_in_time_is_cut_and_handed_off(tmp_path: Path) -> None:
    """A drain has an end; nobody's obligations are lost by it."""
    limits = Limits(drain_s=0.2, guard_s=0.2)
    async with serving(tmp_path, pathway=CATARACT, limits=limits) as phone:
        line = await phone.call()
        await line.agent_speaks()
        await phone.server.stop()
        written = await handoff(phone, line.ids.call)

    assert (phone.registry.finished[-1].reason, phone.registry.calls) == ("drained", ())
    assert written["end_reason"] == "drained"
    assert "the call ended: the server was stopping" in written["open_items"][-1]["detail"]


def _journal_says(phone: Phone, word: str) -> bool:
    """Whether the running call's record holds a word: the recogniser has given it and the kit has taken it."""
    kit = phone.registry.calls[0].kit
    return kit is not None and any(word in entry.model_dump_json() for entry in kit.memory.entries)


async def test_logs_are_json_and_hold_no_word_of_the_call(tmp_path: Path) -> None:
    """Ids and numbers of ours; of others the place only, for their messages quote what was said."""
    lines = io.StringIO()
    use_json_logs("DEBUG", lines)
    try:
        async with serving(tmp_path, pathway=TINY) as phone:
            line = await phone.call()
            while len(line.playout.played) == 0 or not await line.quiet(0.4):
                await line.wait(0.1)
            phone.say(line, "No zebra pyjamas.")
            assert await line.until(lambda: _journal_says(phone, "zebra"), 20)
            await line.hang_up()
            over = await phone.over(line.ids.call)
    finally:
        logger.remove()

    records = [json.loads(text) for text in lines.getvalue().splitlines()]
    ours = [r for r in records if r.get("call_id") == over.id]
    assert {"call promised", "call began"} <= {r["message"] for r in ours}
    assert any(r["message"] == WITHHELD for r in records)
    assert not {"zebra", "pyjamas", "pain?"} & set(lines.getvalue().lower().replace('"', " ").split())
