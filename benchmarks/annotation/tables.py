"""Agreement and realism tables: annotators against each other, and the judge against what they resolved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from benchmarks.annotation.read import Annotation
from benchmarks.judges.protocol import Outcome, StoredVerdict
from benchmarks.stats import Agreement, agreement


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """One comparison of two raters.

    Parameters:
        first: One rater.
        second: The other.
        agreement: Kappa, its interval and the raw agreement, over the dialogues both rated.
        left_out: Dialogues the judge left unscored, or one of them did not rate.
    """

    first: str
    second: str
    agreement: Agreement
    left_out: int


@dataclass(frozen=True, slots=True)
class RealismRow:
    """How real the interruptions looked to one pair of annotators.

    Parameters:
        dimension: "placement_realism" or "content_realism".
        real: Interrupted dialogues that all annotators called real.
        n: Interrupted dialogues that all rated.
        agreed: Dialogues on which all said the same.
        agreement: Their kappa; None with other than two annotators.
    """

    dimension: str
    real: int
    n: int
    agreed: int
    agreement: Agreement | None


def resolved(
    annotators: Mapping[str, Sequence[Annotation]], resolution: Sequence[Annotation] | None = None
) -> dict[str, str]:
    """Give the resolved verdicts: the reconciled pack where there is one, else those on which all agree."""
    if resolution is not None:
        return {a.trial_id: a.verdict for a in resolution}
    given = [{a.trial_id: a.verdict for a in labels} for labels in annotators.values()]
    shared = set.intersection(*(set(labels) for labels in given))
    return {t: given[0][t] for t in sorted(shared) if len({labels[t] for labels in given}) == 1}


def _row(first: str, one: Mapping[str, str], second: str, other: Mapping[str, str]) -> AgreementRow | None:
    shared = sorted(set(one) & set(other))
    if not shared:
        return None
    left_out = len(set(one) ^ set(other))
    return AgreementRow(first, second, agreement([one[t] for t in shared], [other[t] for t in shared]), left_out)


def agreement_rows(
    annotators: Mapping[str, Sequence[Annotation]],
    verdicts: Sequence[StoredVerdict],
    resolution: Sequence[Annotation] | None = None,
) -> list[AgreementRow]:
    """Compare annotators pairwise, and the judge with each and with the resolution; unscored verdicts are left out."""
    labels = {name: {a.trial_id: str(a.verdict) for a in given} for name, given in annotators.items()}
    wanted = {trial for given in labels.values() for trial in given}
    judged = {
        v.trial_id: v.outcome.value for v in verdicts if v.trial_id in wanted and v.outcome is not Outcome.UNSCORED
    }
    pairs = [(a, labels[a], b, labels[b]) for a, b in combinations(labels, 2)]
    pairs += [("judge", judged, name, given) for name, given in labels.items()]
    pairs.append(("judge", judged, "resolved", resolved(annotators, resolution)))
    return [row for row in (_row(*pair) for pair in pairs) if row is not None]


def realism_rows(annotators: Mapping[str, Sequence[Annotation]]) -> list[RealismRow]:
    """Count realism over the dialogues in which something was interrupted."""
    rows: list[RealismRow] = []
    for dimension in ("placement_realism", "content_realism"):
        given = [
            {a.trial_id: getattr(a, dimension) for a in labels if getattr(a, dimension) is not None}
            for labels in annotators.values()
        ]
        shared = sorted(set.intersection(*(set(labels) for labels in given)))
        if not shared:
            continue
        said = [[labels[t] for labels in given] for t in shared]
        kappa = agreement([s[0] for s in said], [s[1] for s in said]) if len(given) == 2 else None
        real = sum(set(s) == {"yes"} for s in said)
        rows.append(RealismRow(dimension, real, len(shared), sum(len(set(s)) == 1 for s in said), kappa))
    return rows
