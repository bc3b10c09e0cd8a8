"""What is kept of annotated packs: figures for a results file, and every label as a line of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.annotation.read import Annotation
from benchmarks.annotation.tables import AgreementRow, RealismRow
from benchmarks.cells import Phase
from benchmarks.figures import Figure, rate
from benchmarks.files import write_text
from benchmarks.judges.protocol import StoredVerdict


def annotation_figures(phase: Phase, rows: Sequence[AgreementRow], realism: Sequence[RealismRow]) -> list[Figure]:
    """Give kappa and agreement a pair of raters, and realism, as figures."""
    figures: list[Figure] = []
    for row in rows:
        a, group = row.agreement, {"phase": phase.value, "raters": f"{row.first}, {row.second}"}
        figures += [
            Figure(name="kappa", value=a.kappa, low=a.low, high=a.high, n=a.n, group=dict(group)),
            rate("agreement_rate", a.agreed, a.n, dict(group)),
            Figure(name="left_out", value=row.left_out, low=None, high=None, n=a.n + row.left_out, group=dict(group)),
        ]
    return figures + [rate(f"{r.dimension}_rate", r.real, r.n, {"phase": phase.value}) for r in realism]


def write_labels(path: Path, annotators: Mapping[str, Sequence[Annotation]], verdicts: Sequence[StoredVerdict]) -> None:
    """Write one line a label, with the judge's outcome beside it; no reasoning, no dialogue."""
    judged = {verdict.trial_id: verdict.outcome.value for verdict in verdicts}
    lines = [
        json.dumps(
            {
                "trial_id": label.trial_id,
                "annotator": name,
                "verdict": label.verdict,
                "judge": judged.get(label.trial_id),
                "placement_realism": label.placement_realism,
                "content_realism": label.content_realism,
            }
        )
        for name, labels in annotators.items()
        for label in labels
    ]
    write_text(path, "\n".join(lines) + "\n")
