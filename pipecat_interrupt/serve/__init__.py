"""The phone bot as a web service: a carrier's webhook and media stream in, one pipeline a call, hand-offs out.

Needs the extra `serve`. Start with `create_app(ServeConfig(...))`, or `pipecat-interrupt serve` on the command line.
"""

from pipecat_interrupt.errors import MissingExtra

try:
    import fastapi  # noqa: F401
    import prometheus_client  # noqa: F401
except ModuleNotFoundError as error:
    raise MissingExtra("the phone server", "pip install 'pipecat-interrupt[serve]'") from error

from pipecat_interrupt.serve.app import create_app
from pipecat_interrupt.serve.config import Limits, Provider, ServeConfig
from pipecat_interrupt.serve.registry import CallEvent, CallPhase, CallRegistry, PhoneCall, Subscription

__all__ = [
    "CallEvent",
    "CallPhase",
    "CallRegistry",
    "Limits",
    "PhoneCall",
    "Provider",
    "ServeConfig",
    "Subscription",
    "create_app",
]
