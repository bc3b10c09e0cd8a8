"""A call as one HTML page: what was heard, what was not, what is still owed.

Draw it from a journal (`view_of`, then `render_page`) or from a `CallSummary` (`render_call_page`).
"""

from pipecat_interrupt.page.fold import CallFold, view_of
from pipecat_interrupt.page.render import render_call_page, render_page
from pipecat_interrupt.page.sound import Recording, VoiceSegment, pack, read_wav
from pipecat_interrupt.page.view import CallView, PatientLine

__all__ = [
    "CallFold",
    "CallView",
    "PatientLine",
    "Recording",
    "VoiceSegment",
    "pack",
    "read_wav",
    "render_call_page",
    "render_page",
    "view_of",
]
