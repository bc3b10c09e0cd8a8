"""Where a call's services come from: models on this machine, Deepgram, OpenAI and what is compatible with it."""

from pipecat_interrupt.serve.banks.configured import ConfiguredBank

__all__ = ["ConfiguredBank"]
