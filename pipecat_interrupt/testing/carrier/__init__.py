"""A telephone carrier that calls your bot over a real websocket: Twilio's, Telnyx's or Plivo's media stream.

For testing a phone bot without a carrier, an account or a number. `SimulatedCall` is the call; `ring` asks your webhook
for the stream's address as the carrier would; `python -m pipecat_interrupt.testing.carrier` does both from a shell.
Needs the extra `serve`.
"""

from pipecat_interrupt.testing.carrier.line import LineConditions, LineLost, SimulatedCall
from pipecat_interrupt.testing.carrier.playout import Playout
from pipecat_interrupt.testing.carrier.ringing import AskAgain, Busy, CarrierSecrets, Refused, ring
from pipecat_interrupt.testing.carrier.sound import from_ulaw, is_recording, to_ulaw, write_stereo
from pipecat_interrupt.testing.carrier.wire import WIRES, CallIds, Wire

__all__ = [
    "WIRES",
    "AskAgain",
    "Busy",
    "CallIds",
    "CarrierSecrets",
    "LineConditions",
    "LineLost",
    "Playout",
    "Refused",
    "SimulatedCall",
    "Wire",
    "from_ulaw",
    "is_recording",
    "ring",
    "to_ulaw",
    "write_stereo",
]
