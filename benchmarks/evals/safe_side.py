"""Safe side: what do the word rules raise, what the trained model beside them, what both, and how often needlessly?

Owns the figures of ``eval safe-side``. Rows: kind, lang, label, text, advice. A folder of consultation TextGrids
instead of rows measures real talk: shares of the patients' turns and of the doctors' turns that are raised. Patients of
consultations are ill, so that not everything raised there is a false alarm.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from benchmarks.errors import CallerError
from benchmarks.figures import EvalOptions, Figure, rate
from benchmarks.rows import read_rows
from benchmarks.training.safe_side.data import SafeSideRow, pathway_of, point_of
from obligations.answers.reader import LocalAnswerReader
from obligations.coverage.later import Later
from obligations.coverage.retraction import free_sentences
from obligations.pathway import Pathway, list_pathways, load_pathway
from obligations.pathway.emergencies import emergencies
from obligations.safe_side import KINDS, Kind, SafeSideModel, load_model
from obligations.steering import SteeringPolicy
from obligations.testing import ScriptedCall
from obligations.tracker import Tracker
from obligations.tracker.spans import WordingIndex

KIND = "safe-side"
NEEDS_DATA = True
DATA_HELP = "rows as JSONL (kind, lang, label, text, advice), or a folder of consultation TextGrids"
OPTIONS = ("kind",)
PACKAGES = ("scikit-learn", "scipy")
SOMEBODY_ELSE = "someone_else"
# Any pathway without a right-party check: behind one the patient has said who they are, and the model is not asked.
PATHWAY = "cataract-followup"


@dataclass(frozen=True, slots=True)
class Raised:
    """What raised one text."""

    rules: bool
    model: bool

    @property
    def both(self) -> bool:
        """What a call does."""
        return self.rules or self.model


READERS: dict[str, Callable[[Raised], bool]] = {
    "rules": lambda raised: raised.rules,
    "model": lambda raised: raised.model,
    "both": lambda raised: raised.both,
}


def run(options: EvalOptions) -> list[Figure]:
    """Read every row, or every turn of a folder, count, and time the model."""
    assert options.data is not None
    if options.data.is_dir():
        return _consultations(options.data)
    rows = [row for row in read_rows(options.data, SafeSideRow) if row.kind != "talk"]
    wanted = options.extra.get("kind")
    judged = [(row, judge(row)) for row in rows if wanted in (None, row.kind)]
    if not judged:
        raise CallerError(f"--option kind={wanted}: expected one of {', '.join(KINDS)}")
    return [*figures(judged), *_cost([row for row, _ in judged])]


def judge(row: SafeSideRow) -> Raised:
    """Read one row by the rules, and by the model where there is one."""
    model = load_model(row.lang)
    if row.kind == "loosened":
        return _loosened(row, model)
    if row.kind == "introduction":
        return introduced(row.text, row.lang, model)
    return Raised(bool(emergencies(row.lang).told(row.text)), model is not None and model.tells_danger(row.text))


def figures(judged: Sequence[tuple[SafeSideRow, Raised]]) -> list[Figure]:
    """Give recall and false alarms by kind, language and reader."""
    out = list[Figure]()
    for kind in KINDS:
        for lang in sorted({row.lang for row, _ in judged}):
            mine = [(row, raised) for row, raised in judged if (row.kind, row.lang) == (kind, lang)]
            if mine:
                for name, reads in READERS.items():
                    group = {"kind": kind, "lang": lang, "reader": name}
                    hits = {label: [reads(raised) for row, raised in mine if row.label == label] for label in (0, 1)}
                    out.append(rate("recall", sum(hits[1]), len(hits[1]), group))
                    out.append(rate("false_alarm_rate", sum(hits[0]), len(hits[0]), group))
    return out


def _cost(rows: Sequence[SafeSideRow]) -> list[Figure]:
    """CPU time of one reading by the model, of words it has read before and not, as in a call."""
    out = list[Figure]()
    for kind in KINDS:
        spent = list[float]()
        for row in rows:
            model, point = load_model(row.lang), point_of(row)
            if row.kind == kind and model is not None:
                began_ns = time.thread_time_ns()
                if point is not None:
                    model.loosens(row.text, point)
                else:
                    model.score(kind, row.text)
                spent.append((time.thread_time_ns() - began_ns) / 1e6)
        if spent:
            spent.sort()
            for name, share in (("model_cpu_ms_median", 0.5), ("model_cpu_ms_p95", 0.95)):
                value = spent[min(len(spent) - 1, int(share * len(spent)))]
                out.append(Figure(name=name, value=value, n=len(spent), group={"kind": kind}))
    return out


@cache
def _pathway() -> Pathway:
    return load_pathway(PATHWAY)


def introduced(text: str, lang: str, model: SafeSideModel | None) -> Raised:
    """Hear a reply in a call of the rules alone, and ask the model beside it."""
    pathway, reader = _pathway(), LocalAnswerReader()
    policy = SteeringPolicy(safe_side_model=False)
    call = ScriptedCall(Tracker(pathway, call_id="c", language=lang, reader=reader, policy=policy))
    call.until_listening()
    call.hear(text)
    rules = SOMEBODY_ELSE in call.tracker.ledger.call.standing
    return Raised(rules, model is not None and model.introduces(text))


def _loosened(row: SafeSideRow, model: SafeSideModel | None) -> Raised:
    later, ids = pathway_of(row.advice, row.lang), ("advice",)
    return _turned(later, row.text, row.lang, ids, ids, model)


def _turned(
    later: Later, text: str, lang: str, told: Sequence[str], last: Sequence[str], model: SafeSideModel | None
) -> Raised:
    sentences = free_sentences(text, lang, ())
    rules = bool(later.turned(text, sentences, told, told=told, last=last, answered=True))
    if model is None:
        return Raised(rules, False)
    found = any(
        model.loosens(text[sentence.start : sentence.end], later.points[item_id])
        for sentence in sentences
        for item_id in later.meant(sentence, told, last)
    )
    return Raised(rules, found)


def _consultations(folder: Path) -> list[Figure]:
    from benchmarks.replayed.consultations import read_consultations

    model, calls = load_model("en"), read_consultations(folder)
    replies = [piece.text for call in calls for piece in call.far]
    table = emergencies("en")
    raised: dict[Kind, list[Raised]] = {
        "emergency": [Raised(bool(table.told(t)), model is not None and model.tells_danger(t)) for t in replies],
        "introduction": [introduced(text, "en", model) for text in replies],
        "loosened": list(_said_by_doctors([piece.text for call in calls for piece in call.agent], model)),
    }
    return [
        rate("raised_rate", sum(map(reads, found)), len(found), {"kind": kind, "reader": name})
        for kind, found in raised.items()
        for name, reads in READERS.items()
    ]


def _said_by_doctors(turns: Sequence[str], model: SafeSideModel | None) -> Iterator[Raised]:
    """Read every doctor's turn as if it came behind a bundled pathway's advice: all told, one group just now."""
    pathways = [load_pathway(name) for name in list_pathways()]
    ready = [(WordingIndex(pathway, "en").later, pathway, _groups(pathway)) for pathway in pathways]
    for at, text in enumerate(turns):
        later, pathway, groups = ready[at % len(ready)]
        last = groups[at // len(ready) % len(groups)]
        yield _turned(later, text, "en", tuple(pathway.points), last, model)


def _groups(pathway: Pathway) -> list[tuple[str, ...]]:
    points = set(pathway.points)
    found = [tuple(item.id for item in group.items if item.id in points) for group in pathway.groups]
    return [ids for ids in found if ids]
