"""Put a call through to a person by Twilio's REST API: on request, and for a red flag the pathway wants a person for.

Which number an escalation rings is yours. In a bot: `InterruptKit(..., frame=CallFrame(transfer=...))`.
Give the serializer `auto_hang_up=False`: it hangs up when the agent leaves, and with it the person the call was put
through to (the kit warns of it). Run it: ``python examples/06_transfer.py`` (no keys; a server here is the carrier).
"""

import asyncio
from collections.abc import Mapping
from xml.sax.saxutils import escape

import aiohttp
from aiohttp import web

from pipecat_interrupt.steering import TransferFailed, TransferRequest


class TwilioTransfer:
    """Redirects a live call with new TwiML.

    Args:
        account_sid, auth_token, call_sid: As Twilio gave them; `call_sid` comes with the stream's start message.
        numbers: Where each escalation is answered, E.164 or ``sip:...``; `None` is the number for everybody else.
        api: Root of the REST API.
    """

    def __init__(
        self,
        account_sid: str,
        auth_token: str,
        call_sid: str,
        numbers: Mapping[str | None, str],
        api: str = "https://api.twilio.com",
    ) -> None:
        self._url = f"{api}/2010-04-01/Accounts/{account_sid}/Calls/{call_sid}.json"
        self._auth = aiohttp.BasicAuth(account_sid, auth_token)
        self._numbers = numbers

    async def __call__(self, request: TransferRequest) -> None:
        """Dial the number of the escalation; anything but a 200 is a failed transfer."""
        number = self._numbers.get(request.escalation) or self._numbers.get(None)
        if number is None:
            raise TransferFailed(f"no number for {request.escalation or 'the team'}")
        to = f"<Sip>{escape(number)}</Sip>" if number.startswith("sip:") else f"<Number>{escape(number)}</Number>"
        twiml = f"<Response><Dial>{to}</Dial></Response>"
        async with aiohttp.ClientSession(auth=self._auth) as session:
            async with session.post(self._url, data={"Twiml": twiml}) as answer:
                if answer.status != 200:
                    raise TransferFailed(f"the carrier answered {answer.status}")


async def main() -> None:
    """Transfer one call at a carrier that runs here, and one that the carrier does not know."""

    async def calls(request: web.Request) -> web.Response:
        form = await request.post()
        print(f"carrier got: POST {request.path} {form['Twiml']}")
        known = request.match_info["call"] == "CA1.json"
        return web.json_response({"sid": "CA1"} if known else {"code": 20404}, status=200 if known else 404)

    app = web.Application()
    app.router.add_post("/2010-04-01/Accounts/AC1/Calls/{call}", calls)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    api = f"http://127.0.0.1:{runner.addresses[0][1]}"
    numbers = {None: "+15005550006", "emergency": "sip:emergency@hospital.example"}
    for call_sid in ("CA1", "CA2"):
        try:
            wanted = TransferRequest("c1", "red_flag", "emergency")
            await TwilioTransfer("AC1", "token", call_sid, numbers, api)(wanted)
            print(f"{call_sid}: put through")
        except TransferFailed as failed:
            print(f"{call_sid}: {failed}; the patient is told, and the call goes on")
    await runner.cleanup()


if __name__ == "__main__":
    asyncio.run(main())
