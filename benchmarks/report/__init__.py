"""Reports of simulator runs: rates per cell, deltas, gates and one self-contained HTML page. Never one pooled score."""

from benchmarks.report.gate import Gate, failed_gates, parse_gate
from benchmarks.report.rates import CellRate, Delta, RateKey, arm_deltas, cell_rates, figures_of, system_deltas

__all__ = [
    "CellRate",
    "Delta",
    "Gate",
    "RateKey",
    "arm_deltas",
    "cell_rates",
    "failed_gates",
    "figures_of",
    "parse_gate",
    "system_deltas",
]
