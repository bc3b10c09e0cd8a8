"""The command line: one file a verb; nothing heavy is imported before a verb needs it."""

from pipecat_interrupt.cli.app import main

__all__ = ["main"]
