"""The finished call as one HTML page: what was heard, what was not, what is still owed."""

from pipecat_interrupt.page.render import PatientLine, VoiceSegment, render_call_page

__all__ = ["PatientLine", "VoiceSegment", "render_call_page"]
