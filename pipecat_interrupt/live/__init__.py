"""What a call knows, told while it runs: messages for RTVI clients and spans for OpenTelemetry.

Owns two exits of the journal's facts. Both are bounded, tell no word of the call unless asked to, and never hold a call
up; what they lose they count. opentelemetry is loaded only when a `SpanExport` is made.
"""

from pipecat_interrupt.live.messages import LiveMessage, LiveText, live_message_schema
from pipecat_interrupt.live.rtvi import RtviFacts
from pipecat_interrupt.live.spans import SpanExport
from pipecat_interrupt.live.translate import LiveTranslator

__all__ = ["LiveMessage", "LiveText", "LiveTranslator", "RtviFacts", "SpanExport", "live_message_schema"]
