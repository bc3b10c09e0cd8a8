"""Readers: one module a form of input; each gives a `Timeline` or refuses with a clear reason.

`read_text(paths, settings)` picks the reader by what the files hold, not by their names alone.
"""

from pipecat_interrupt.replay.readers.pick import FORMS, read_text, text_form

__all__ = ["FORMS", "read_text", "text_form"]
