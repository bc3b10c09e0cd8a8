"""Coverage: does a matcher say "conveyed" only where the point was conveyed?

Owns the figures of ``eval coverage``. Rows: point, text, label, critical, lang, kind. With own wording it also measures
how
often the wording is found in disturbed surroundings (`benchmarks.evals.disturbances`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from benchmarks.errors import BadOption, UnknownName
from benchmarks.evals.certifying import CertificateFacts, certify
from benchmarks.evals.disturbances import Disturbed, disturbed_wordings
from benchmarks.figures import EvalOptions, Figure, GroupValue, rate
from benchmarks.rows import read_rows
from obligations.coverage.ensemble import EnsembleMatcher
from obligations.coverage.lexical import LexicalMatcher
from obligations.coverage.own_wording import OwnWordingMatcher
from obligations.coverage.protocol import Coverage, CoverageMatcher, CoverageVerdict, PointText
from obligations.coverage.slot_matcher import SlotMatcher

KIND = "coverage"
NEEDS_DATA = True
DATA_HELP = "JSONL: point, text, label, critical, lang, kind"
OPTIONS = ("matcher", "certify", "url", "model", "api_key", "low", "high", "timeout_s")
PACKAGES = ("rapidfuzz", "openai")
DEFAULT_MATCHER = "ensemble"

_LOCAL: Mapping[str, Callable[[], CoverageMatcher]] = {
    "own-wording": OwnWordingMatcher,
    "lexical": LexicalMatcher,
    "slots": SlotMatcher,
    "ensemble": EnsembleMatcher,
}
_JUDGED = ("llm-judge", "ensemble-judge")


class CoverageRow(BaseModel):
    """One labelled pair of a point and a delivered text."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str = ""
    lang: str
    point_id: str = ""
    point: str
    critical: bool
    text: str
    label: CoverageVerdict
    kind: str


@dataclass(frozen=True, slots=True)
class Judged:
    """One row with its verdict."""

    row: CoverageRow
    coverage: Coverage

    @property
    def said_conveyed(self) -> bool:
        """Whether the matcher said conveyed."""
        return self.coverage.verdict is CoverageVerdict.CONVEYED

    @property
    def is_conveyed(self) -> bool:
        """Whether it was labelled conveyed."""
        return self.row.label is CoverageVerdict.CONVEYED


async def run(options: EvalOptions) -> list[Figure]:
    """Judge every row and count; writes a certificate when asked to."""
    if options.data is None:
        raise ValueError("eval coverage needs --data PATH")
    matcher = make_matcher(options.extra)
    rows = read_rows(options.data, CoverageRow)
    judged = [Judged(row, await matcher.match(point_of(row), row.text)) for row in rows]
    if "certify" in options.extra:
        _certify(Path(str(options.extra["certify"])), options.data, matcher, judged, options.extra)
    out = figures(judged)
    if matcher.name in {"own-wording", "ensemble"}:
        out += await wording_figures(matcher, rows, options.seed)
    return out


def make_matcher(extra: Mapping[str, Any]) -> CoverageMatcher:
    """Make the matcher the options name.

    Raises:
        UnknownName: There is no such matcher.
        BadOption: A judge was asked for without ``url`` and ``model``.
    """
    name = str(extra.get("matcher", DEFAULT_MATCHER))
    if name in _LOCAL:
        return _LOCAL[name]()
    if name not in _JUDGED:
        raise UnknownName("coverage matcher", name, (*_LOCAL, *_JUDGED))
    if "url" not in extra or "model" not in extra:
        raise BadOption(f"matcher {name} needs --option url=http://host:port/v1 --option model=NAME")
    from obligations.adapters.llm_judge import JudgeConfig, LLMJudge

    settings = {
        "base_url": str(extra["url"]),
        "model": str(extra["model"]),
        "api_key": str(extra.get("api_key", "local")),
        "timeout_s": EvalOptions(extra=dict(extra)).number("timeout_s", 60.0),
    }
    band = {
        f"undecided_{end}": EvalOptions(extra=dict(extra)).number(end, 0.0) for end in ("low", "high") if end in extra
    }
    judge = LLMJudge(JudgeConfig.model_validate({**settings, **band}))
    return judge if name == "llm-judge" else EnsembleMatcher(judge)


def point_of(row: CoverageRow) -> PointText:
    """Give the point of a row as a matcher sees it: its statement is all that is known of it."""
    return PointText(id=row.point_id or row.id, wording=row.point, language=row.lang, critical=row.critical)


def figures(judged: Sequence[Judged]) -> list[Figure]:
    """Give the figures over all rows, then by kind and by language, then the confusion."""
    out = _counts(judged, {})
    for key in ("kind", "lang"):
        for value in sorted({str(getattr(j.row, key)) for j in judged}):
            out += _counts([j for j in judged if getattr(j.row, key) == value], {key: value})
    for label in CoverageVerdict:
        labelled = [j for j in judged if j.row.label is label]
        for verdict in CoverageVerdict:
            hits = sum(j.coverage.verdict is verdict for j in labelled)
            if labelled:
                out.append(
                    rate("confusion_rate", hits, len(labelled), {"label": label.value, "judged_as": verdict.value})
                )
    return out


def _counts(judged: Sequence[Judged], group: dict[str, GroupValue]) -> list[Figure]:
    conveyed = [j for j in judged if j.is_conveyed]
    other = [j for j in judged if not j.is_conveyed]
    critical = [j for j in other if j.row.critical]
    critical_conveyed = [j for j in conveyed if j.row.critical]
    undecided = sum(j.coverage.verdict is CoverageVerdict.UNDECIDED for j in judged)
    return [
        rate("critical_false_conveyed_rate", sum(j.said_conveyed for j in critical), len(critical), group),
        rate("false_conveyed_rate", sum(j.said_conveyed for j in other), len(other), group),
        rate("conveyed_recall", sum(j.said_conveyed for j in conveyed), len(conveyed), group),
        rate(
            "critical_conveyed_recall", sum(j.said_conveyed for j in critical_conveyed), len(critical_conveyed), group
        ),
        rate("undecided_rate", undecided, len(judged), group),
        rate("accuracy", sum(j.coverage.verdict is j.row.label for j in judged), len(judged), group),
    ]


async def wording_figures(matcher: CoverageMatcher, rows: Sequence[CoverageRow], seed: int) -> list[Figure]:
    """Measure how surely a point's own wording is found in disturbed surroundings, and never when it was changed."""
    points = {(row.lang, row.point): point_of(row) for row in rows}
    cases = [(point, case) for point in points.values() for case in disturbed_wordings(point, seed)]
    verdicts = [(case, (await matcher.match(point, case.text)).verdict) for point, case in cases]
    out = _wording_counts(verdicts, {})
    for key in ("disturbance", "lang"):
        for value in sorted({getattr(case, key) for case, _ in verdicts}):
            out += _wording_counts([v for v in verdicts if getattr(v[0], key) == value], {key: value})
    return out


def _wording_counts(
    verdicts: Sequence[tuple[Disturbed, CoverageVerdict]], group: dict[str, GroupValue]
) -> list[Figure]:
    whole = [v for case, v in verdicts if case.whole]
    changed = [v for case, v in verdicts if not case.whole]
    out: list[Figure] = []
    if whole:
        hits = sum(v is CoverageVerdict.CONVEYED for v in whole)
        out.append(rate("own_wording_recall", hits, len(whole), group))
    if changed:
        hits = sum(v is CoverageVerdict.CONVEYED for v in changed)
        out.append(rate("changed_wording_conveyed_rate", hits, len(changed), group))
    return out


def _certify(
    path: Path, data: Path, matcher: CoverageMatcher, judged: Sequence[Judged], extra: Mapping[str, Any]
) -> None:
    eligible = [j for j in judged if j.row.critical and not j.is_conveyed]
    prompt = ""
    if "model" in extra:
        from obligations.adapters.llm_judge import prompt_sha256

        prompt = prompt_sha256()
    certify(
        path,
        data,
        CertificateFacts(
            "coverage",
            f"{matcher.name}@{matcher.version}",
            tuple(sorted({j.row.lang for j in judged})),
            eligible=len(eligible),
            wrong=sum(j.said_conveyed for j in eligible),
            model=str(extra.get("model", "")),
            prompt_sha256=prompt,
        ),
    )


def judge_rows(matcher: CoverageMatcher, rows: Sequence[CoverageRow]) -> list[Judged]:
    """Judge rows without an event loop of one's own; for tests and notebooks."""

    async def _all() -> list[Judged]:
        return [Judged(row, await matcher.match(point_of(row), row.text)) for row in rows]

    return asyncio.run(_all())
