"""Live systems: each trial drives a real Pipecat pipeline on virtual time, with the patient simulator on the line.

Owns the line between the simulator and the pipeline: when the patient speaks, what the patient's ear got, and what the
system claims. The doubles (voice, recogniser, transports) are `pipecat_interrupt.testing`'s.
"""

from benchmarks.simulator.live.systems import LIVE_SYSTEMS, make_live_system

__all__ = ["LIVE_SYSTEMS", "make_live_system"]
