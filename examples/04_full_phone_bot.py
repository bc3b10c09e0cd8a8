"""A phone bot behind a carrier: webhook, media stream, playback marks, one pipeline a call, a hand-off for each.

As it is it needs no key: services are scripted, and the carrier simulator calls. With `serve https://calls.example.org`
it takes Twilio's calls at /twilio/voice (TWILIO_AUTH_TOKEN, DEEPGRAM_API_KEY, OPENAI_API_KEY in the environment).
"""

import asyncio
import sys
import tempfile
from pathlib import Path

from loguru import logger

from pipecat_interrupt.serve import ServeConfig, create_app
from pipecat_interrupt.serve.config import Speech
from pipecat_interrupt.serve.logs import use_json_logs
from pipecat_interrupt.serve.registry import PhoneCall
from pipecat_interrupt.serve.server import PhoneServer
from pipecat_interrupt.serve.services import CallServices
from pipecat_interrupt.testing import EnergyVAD, ScriptedLLM, ScriptedSTT, ScriptedTTS, Voice, speech
from pipecat_interrupt.testing.carrier import CallIds, SimulatedCall, ring

OUT = Path(tempfile.gettempdir()) / "phone-bot"


class ScriptedServices:
    """A bank of services without models: your own has the same three methods."""

    def __init__(self) -> None:
        self.stt = ScriptedSTT(delay_s=0.1)

    async def start(self) -> None:
        """Load what all calls share: here nothing."""

    async def stop(self) -> None:
        """Release it."""

    async def services(self, call: PhoneCall) -> CallServices:
        """Make the services of one call."""
        tts = ScriptedTTS("words", voice=Voice(letter_s=0.03))
        return CallServices(stt=self.stt, llm=ScriptedLLM([]), tts=tts, vad=EnergyVAD())


async def call_it() -> None:
    """Start the bot, call it, cut it off in its first words, hang up, and show the hand-off."""
    logger.remove()
    bank = ScriptedServices()
    config = ServeConfig(pathway="cataract-followup", port=0, unsigned=True, out=OUT)
    app = create_app(config, bank)
    server = PhoneServer(app, config)
    serving = asyncio.create_task(server.serve())
    await server.listening()
    base, ids = f"127.0.0.1:{server.port}", CallIds()
    url, patient = await ring(f"http://{base}/twilio/voice", "twilio", ids), SimulatedCall("twilio", ids)
    await patient.open(f"ws://{base}/media/{url.rsplit('/', 1)[1]}")
    await patient.agent_speaks()
    await patient.wait(7.0)
    clip = speech("Stop, who is this?")
    bank.stt.hear(clip, at_s=asyncio.get_running_loop().time())
    patient.say(clip.samples, clip.sample_rate_hz)
    await patient.wait(2.5)
    await patient.hang_up()
    await app.state.registry.wait_until_empty()
    (call,) = app.state.registry.finished
    print((OUT / call.id / "handoff.md").read_text(encoding="utf-8"))
    await asyncio.gather(server.stop(), serving)


async def take_calls(public_url: str) -> None:
    """Take real calls until SIGTERM; running ones are finished first."""
    use_json_logs()
    speech = Speech(stt="deepgram", llm="openai", tts="deepgram")
    config = ServeConfig(pathway="cataract-followup", public_url=public_url, host="0.0.0.0", speech=speech, out=OUT)
    await PhoneServer(create_app(config), config, own_process=True).serve()


if __name__ == "__main__":
    if sys.argv[1:] and (sys.argv[1] != "serve" or len(sys.argv) != 3):
        sys.exit("usage: 04_full_phone_bot.py [serve PUBLIC_URL], such as serve https://bot.example")
    asyncio.run(take_calls(sys.argv[2]) if sys.argv[1:] else call_it())
