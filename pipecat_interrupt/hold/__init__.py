"""Hold and resume of the agent's audio: stop at a sample, go on from the same sample, or drop the rest."""

from pipecat_interrupt.hold.protocol import HOLD_BUDGET_S_MAX, PRIMARY_STOP, Hold

__all__ = ["HOLD_BUDGET_S_MAX", "PRIMARY_STOP", "Hold"]
