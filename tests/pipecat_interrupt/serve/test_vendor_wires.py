"""The Deepgram and OpenAI paths over their own wires, against servers on this machine, in a real phone call."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pipecat.frames.frames import TranscriptionFrame

from pipecat_interrupt.errors import SettingsError
from pipecat_interrupt.gate import SpeakerGateProcessor
from pipecat_interrupt.gate.words import read_words
from pipecat_interrupt.serve.banks import ConfiguredBank
from pipecat_interrupt.serve.config import ServeConfig, Speech
from pipecat_interrupt.serve.registry import PhoneCall
from pipecat_interrupt.serve.secrets import Secrets
from pipecat_interrupt.serve.services import CallServices
from pipecat_interrupt.testing import EnergyVAD, speech
from speaker_gate import CallGate, GateSettings, Word
from speaker_gate.testing import fake_ears
from tests.pipecat_interrupt.serve.phone import serving
from tests.pipecat_interrupt.serve.vendors import KEY, Heard, Vendors, vendors

pytest.importorskip("deepgram", reason="the extra deepgram is not installed")
pytestmark = [
    pytest.mark.contract,
    pytest.mark.enable_socket,
    # Deepgram's package asks the websockets package for a name that is on its way out.
    pytest.mark.filterwarnings("ignore:websockets.exceptions.InvalidStatusCode:DeprecationWarning"),
]

TINY = Path(__file__).with_name("tiny.yaml")


class VendorBank(ConfiguredBank):
    """The configured bank, with a voice detection that needs no model and a gate that writes down what it reads."""

    def __init__(self, there: Vendors, leads: bool = True) -> None:
        base = f"127.0.0.1:{there.port}"
        self.config = ServeConfig(
            leads=leads,
            speech=Speech(
                stt="deepgram",
                llm="openai",
                tts="deepgram",
                stt_base_url=f"ws://{base}",
                llm_base_url=f"http://{base}/v1",
                tts_base_url=f"ws://{base}",
                llm_model="gpt-4.1-mini",
            ),
        )
        secrets = Secrets.from_environment({"DEEPGRAM_API_KEY": KEY, "OPENAI_API_KEY": KEY})
        super().__init__(self.config, secrets)
        self.words: list[Word] = []

    async def services(self, call: PhoneCall) -> CallServices:
        made = await super().services(call)
        gate = SpeakerGateProcessor(CallGate(fake_ears(), settings=GateSettings(check_rate=False)), read=self._read)
        return replace(made, vad=EnergyVAD(), gate=gate)

    def _read(self, frame: TranscriptionFrame, turn_start_s: float) -> Any:
        words = read_words(frame, turn_start_s)
        self.words += words
        return words


async def test_a_call_on_deepgram_and_openai_is_asked_answered_and_labelled(tmp_path: Path) -> None:
    """Interim and final transcripts with two speakers' labels; the labels reach the gate; the reply closes the item."""
    found = Heard((("No,", 0), ("none.", 0), ("Dinner!", 1)))
    async with vendors(heard=[found]) as there:
        bank = VendorBank(there)
        async with serving(tmp_path, pathway=TINY, bank=bank, speech=bank.config.speech) as phone:
            line = await phone.call()
            assert await line.agent_speaks()
            assert await line.quiet(0.5)
            clip = speech("No, none. Dinner!")
            line.say(clip.samples, clip.sample_rate_hz)
            over = await phone.over(line.ids.call, within_s=25)

    assert over.reason == "end"
    assert over.handoff is not None
    assert [answer.item_id for answer in over.handoff.answers] == ["ask.pain"]
    assert there.listen_queries[0]["diarize"] == "true"
    assert there.listen_queries[0]["interim_results"] == "true"
    assert {"Finalize", "CloseStream"} <= set(there.control)
    assert [(word.text, word.label) for word in bank.words][:3] == [("No,", "0"), ("none.", "0"), ("Dinner!", "1")]
    assert there.spoken[0].startswith("Hello.")
    assert all(chat["model"] == "gpt-4.1-mini" for chat in there.chats)
    assert there.refused == 0


async def test_a_model_that_leads_streams_its_words_into_the_call(tmp_path: Path) -> None:
    """Server-sent events, token by token, reach the ear as one utterance."""
    async with vendors(heard=[Heard((("Hello?", 0),))], lines=["Good morning, how is your eye?"]) as there:
        bank = VendorBank(there, leads=False)
        async with serving(tmp_path, bank=bank, speech=bank.config.speech, leads=False) as phone:
            line = await phone.call()
            clip = speech("Hello?")
            line.say(clip.samples, clip.sample_rate_hz)
            assert await line.agent_speaks()
            assert await line.quiet(0.4)
            await line.hang_up()
            over = await phone.over(line.ids.call)

    assert over.summary is not None
    assert [u.delivered for u in over.summary.utterances] == ["Good morning, how is your eye?"]
    assert there.chats[0]["stream"] is True
    assert there.chats[0]["messages"][-1]["content"] == "Hello?"


async def test_a_key_the_vendor_refuses_ends_no_other_call_and_leaves_a_hand_off(tmp_path: Path) -> None:
    """The recogniser cannot be reached; the call still runs to its hang-up and its hand-off."""
    async with vendors() as there:
        bank = VendorBank(there)
        bank._secrets = Secrets.from_environment({"DEEPGRAM_API_KEY": "wrong", "OPENAI_API_KEY": KEY})
        async with serving(tmp_path, pathway=TINY, bank=bank, speech=bank.config.speech) as phone:
            line = await phone.call()
            assert await line.until(lambda: there.refused >= 1, 20)
            await line.hang_up()
            over = await phone.over(line.ids.call, within_s=20)

    assert over.handoff is not None
    assert [item.item_id for item in over.handoff.open_items] == ["ask.pain"]


@pytest.mark.parametrize(
    ("speech_settings", "named"),
    [(Speech(stt="deepgram"), "DEEPGRAM_API_KEY"), (Speech(llm="openai"), "OPENAI_API_KEY")],
    ids=["deepgram", "openai"],
)
async def test_a_missing_key_is_named_before_the_first_call(speech_settings: Speech, named: str) -> None:
    """And no model was loaded for nothing."""
    with pytest.raises(SettingsError, match=named):
        await ConfiguredBank(ServeConfig(speech=speech_settings), Secrets()).start()
    await asyncio.sleep(0)
