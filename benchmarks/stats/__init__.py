"""Statistics of the benchmarks: intervals, paired tests, agreement and censored latencies.

Pure functions over numbers; docs/metrics/statistics.md says which is used where and what each is checked against.
"""

from benchmarks.stats.agreement import Agreement, agreement, cohen_kappa
from benchmarks.stats.intervals import Difference, Interval, newcombe_difference, wilson
from benchmarks.stats.latency import CutIn, CutInKind, LatencySummary, classify_cut_in, summarise_latencies
from benchmarks.stats.paired import PairedTest, mcnemar, wilcoxon_signed_rank

__all__ = [
    "Agreement",
    "CutIn",
    "CutInKind",
    "Difference",
    "Interval",
    "LatencySummary",
    "PairedTest",
    "agreement",
    "classify_cut_in",
    "cohen_kappa",
    "mcnemar",
    "newcombe_difference",
    "summarise_latencies",
    "wilcoxon_signed_rank",
    "wilson",
]
