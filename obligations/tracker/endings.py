"""The end of an utterance, item by item: own wording, matchers' verdicts, and what was said against a point.

Owns the order of these looks, and the verdicts that wait for their utterance to end.
"""

from __future__ import annotations

from collections.abc import Callable

from obligations.coverage.protocol import Coverage
from obligations.ledger.records import UtteranceRecord
from obligations.ledger.states import State
from obligations.safe_side import SafeSideModel
from obligations.tracker.mistelling import Mistelling
from obligations.tracker.spans import WordingIndex
from obligations.tracker.verdicts import item_spans, step_of_coverage, step_of_span
from obligations.tracker.writer import Writer

OWN_WORDING = "own-wording"


class Endings:
    """Takes the ends of one call's utterances."""

    def __init__(
        self,
        write: Writer,
        index: WordingIndex,
        licensed: Callable[[str], bool],
        model: SafeSideModel | None = None,
    ) -> None:
        self._write, self._licensed = write, licensed
        self._mistelling = Mistelling(write, index, model)
        self._waiting: dict[str, dict[str, list[Coverage]]] = {}

    def take(self, utterance: UtteranceRecord, now_s: float) -> None:
        """Write what the end of an utterance does to every item."""
        items = self._write.ledger.items
        for span in item_spans(utterance):
            self._write.heard(span.id, step_of_span(items[span.id], span, utterance), utterance, now_s)
        for point_id, verdicts in self._waiting.pop(utterance.id, {}).items():
            for coverage in verdicts:
                self._cover(utterance, point_id, coverage, now_s)
        self._mistelling.look(utterance, now_s)

    def judged(self, utterance: UtteranceRecord, point_id: str, coverage: Coverage, now_s: float | None) -> None:
        """Take a matcher's verdict, at once where its utterance has ended."""
        if not utterance.ended:
            self._waiting.setdefault(utterance.id, {}).setdefault(point_id, []).append(coverage)
            return
        at_s = now_s if now_s is not None else utterance.ended_at_s or 0.0
        was = self._write.ledger.items[point_id].state
        self._cover(utterance, point_id, coverage, at_s)
        if was is not State.MET and self._write.ledger.items[point_id].state is State.MET:
            self._mistelling.look_behind(utterance, point_id, at_s)

    def _cover(self, utterance: UtteranceRecord, point_id: str, coverage: Coverage, now_s: float) -> None:
        own = coverage.matcher.split("@")[0] == OWN_WORDING
        if self._write.ledger.pathway.points[point_id].verbatim and not own:
            return  # only the exact wording conveys it
        licensed = own or self._licensed(coverage.matcher)
        wanted = step_of_coverage(self._write.ledger.items[point_id], coverage, utterance, licensed=licensed)
        self._write.heard(point_id, wanted, utterance, now_s)
