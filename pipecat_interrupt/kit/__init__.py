"""One call that places everything: `InterruptKit`."""

from pipecat_interrupt.kit.kit import InterruptKit
from pipecat_interrupt.lint import lint

__all__ = ["InterruptKit", "lint"]
