"""What an utterance, once it is over, does against the points: tells one otherwise, or takes one back that was told.

Owns the look at the words that were heard and are not the pathway's own. A point that was met is owed again
(`retracted`); one that is owed stays so, with the words that stood in its place (`mistold`). Words nobody heard do
neither, and a false find costs one more telling. An utterance that tells a point and turns it behind does as the next
one would.

What the safe-side model alone finds does the first only, and once to a point: another telling is all that it may cost.
That a point still owed was told otherwise would stand in the hand-off as a fact about the agent; the model says none.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from obligations.coverage.retraction import Sentence
from obligations.ledger.events import WORD_RULES, Evidence
from obligations.ledger.ledger import Ledger
from obligations.ledger.records import ItemRecord, UtteranceRecord
from obligations.ledger.states import State, Step
from obligations.safe_side import SafeSideModel
from obligations.tracker.spans import Turned, WordingIndex
from obligations.tracker.verdicts import StepWanted, cut_quote, item_spans
from obligations.tracker.writer import Writer


class Mistelling:
    """Looks at every ended utterance of one call; without a `model` by the lists of words alone."""

    def __init__(self, write: Writer, index: WordingIndex, model: SafeSideModel | None = None) -> None:
        self._write, self._index, self._model = write, index, model
        self._points = tuple(write.ledger.pathway.points)

    @property
    def _ledger(self) -> Ledger:
        return self._write.ledger

    def look(self, utterance: UtteranceRecord, at_s: float, *, only: Collection[str] | None = None) -> None:
        """Write what an ended utterance does against the points; `only` these where given."""
        if not utterance.heard_chars or not self._points:
            return
        turned, free = self._index.look(utterance.heard)
        told = self._told_in(utterance)
        ids = [i for i in (self._points if only is None else only) if i not in told]
        for one in turned:
            if one.id in ids:
                self._own_wording(one, utterance, at_s)
                ids.remove(one.id)
        if not utterance.complete:
            self._cut_short(utterance, ids, at_s)
        live = [i for i in ids if self._ledger.items[i].state is not State.DORMANT]
        met = [i for i in live if self._ledger.items[i].state is State.MET]
        before, reply = self._before(utterance)
        answered = reply is not None
        last = [i for i in met if before is not None and _told(self._ledger.items[i], before)]
        # Behind an item's own words "forget that" means those, not what the utterance before told.
        first = min([span.start for span in item_spans(utterance)] + [t.start for t in turned], default=None)
        ahead = [s for s in free if first is None or s.start < first]
        later, rest = self._index.later, free[len(ahead) :]
        found = later.turned(utterance.heard, rest, live, told=met, last=(), answered=answered)
        found |= later.turned(utterance.heard, ahead, live, told=met, last=last, answered=answered, reply=reply or "")
        for item_id in live:
            if item_id in found:
                self._step(self._ledger.items[item_id], utterance, found[item_id].start, found[item_id].end, at_s)
        unread = [i for i in met if i not in found]
        self._by_model(utterance, ahead, [i for i in last if i in unread], unread, reply or "", at_s)
        self._by_model(utterance, rest, [], unread, "", at_s)
        self._same_breath(utterance, free, told if only is None else told & set(only), at_s)

    def _same_breath(
        self, utterance: UtteranceRecord, free: Sequence[Sentence], told: Collection[str], at_s: float
    ) -> None:
        """Owe again what this utterance itself tells and then turns; unnamed, only up to the next item's words."""
        later, items, heard = self._index.later, self._ledger.items, utterance.heard
        starts = [span.start for span in item_spans(utterance)]
        for item_id in (i for i in self._points if i in told):
            end = _end_of(items[item_id], utterance)
            if items[item_id].state is not State.MET or end is None:
                continue
            next_item = min((start for start in starts if start >= end), default=len(heard))
            behind = [s for s in free if s.start >= end]
            near, far = ([s for s in behind if (s.start < next_item) is is_near] for is_near in (True, False))
            ids = [item_id]
            found = later.turned(heard, near, ids, told=ids, last=ids, answered=False)
            found = found or later.turned(heard, far, ids, told=ids, last=(), answered=False)
            if item_id in found:
                self._step(items[item_id], utterance, found[item_id].start, found[item_id].end, at_s)
                continue
            self._by_model(utterance, near, ids, ids, "", at_s)
            self._by_model(utterance, far, [], ids, "", at_s)

    def _by_model(
        self,
        utterance: UtteranceRecord,
        sentences: Collection[Sentence],
        last: Collection[str],
        met: Collection[str],
        reply: str,
        at_s: float,
    ) -> None:
        """Owe again what the model finds loosened and the words do not, each point once in a call."""
        if self._model is None:
            return
        by, items, later = self._model.name, self._ledger.items, self._index.later
        heard = len(utterance.heard.rstrip())
        for sentence in sentences:
            if not utterance.complete and sentence.end >= heard:
                continue  # cut: what it was to say is not known
            for item_id in later.meant(sentence, met, last, reply):
                record, text = items[item_id], utterance.text[sentence.start : sentence.end]
                if record.state is not State.MET or any(piece.by == by for piece in record.mistold):
                    continue
                if self._model.loosens(text, later.points[item_id]):
                    self._step(record, utterance, sentence.start, sentence.end, at_s, by)

    def look_behind(self, utterance: UtteranceRecord, item_id: str, at_s: float) -> None:
        """Look again at `utterance`, which proves only now to have told a point, and at what was said since."""
        self.look(utterance, at_s, only=(item_id,))
        spoken = list(self._ledger.call.utterances.values())
        for later in spoken[spoken.index(utterance) + 1 :]:
            if later.ended:
                self.look(later, at_s, only=(item_id,))

    def _own_wording(self, found: Turned, utterance: UtteranceRecord, at_s: float) -> None:
        record = self._ledger.items[found.id]
        if record.closed and not found.hard:
            return
        self._step(record, utterance, found.start, found.end, at_s)

    def _cut_short(self, utterance: UtteranceRecord, ids: Collection[str], at_s: float) -> None:
        """Note a cut in or behind an advice before the words that were to turn it: nothing is heard against it."""
        heard = utterance.heard_chars
        for found in self._index.look(utterance.text)[0]:
            if found.id in ids and found.start < heard and self._ledger.items[found.id].owed:
                self._write.heard(found.id, StepWanted(Step.CUT, (), cut_quote(utterance)), utterance, at_s)

    def _step(
        self,
        record: ItemRecord,
        utterance: UtteranceRecord,
        start: int,
        end: int,
        at_s: float,
        by: str = WORD_RULES,
    ) -> None:
        quote = utterance.text[start:end]
        evidence = Evidence(utterance_id=utterance.id, start=start, end=end, quote=quote, by=by)
        step = Step.RETRACTED if record.state is State.MET else Step.MISTOLD
        self._write.heard(record.id, StepWanted(step, (evidence,), by=by), utterance, at_s)

    def _told_in(self, utterance: UtteranceRecord) -> set[str]:
        """The points that this utterance tells as they are to be told, as far as it was heard."""
        spans = {span.id for span in utterance.spans if span.need_end <= utterance.heard_chars}
        items = self._ledger.items
        return spans | {i for i in self._points if _told(items[i], utterance)}

    def _before(self, utterance: UtteranceRecord) -> tuple[UtteranceRecord | None, str | None]:
        """The last utterance before this one of which a word was heard, and what was said in between, if anything."""
        call = self._ledger.call
        passed, earlier = False, None
        for spoken in reversed(call.utterances.values()):
            if passed and spoken.heard_chars:
                earlier = spoken
                break
            passed = passed or spoken is utterance
        if earlier is None:
            return None, None
        said = (r for r in reversed(call.replies.values()) if not r.backchannel and r.onset_during != utterance.id)
        last = next(said, None)
        return earlier, last.text if last is not None and last.at_s > earlier.intended_at_s else None


def _end_of(record: ItemRecord, utterance: UtteranceRecord) -> int | None:
    """One past the last character with which an utterance tells a point."""
    ends = [piece.end for piece in record.evidence if piece.utterance_id == utterance.id]
    return max([*ends, *(span.end for span in utterance.spans if span.id == record.id)], default=None)


def _told(record: ItemRecord, utterance: UtteranceRecord) -> bool:
    return any(piece.utterance_id == utterance.id for piece in record.evidence)
