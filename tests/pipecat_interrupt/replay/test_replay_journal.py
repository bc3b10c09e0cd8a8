"""A call of our own live pipeline, replayed: from its journal bit for bit, from its sound with the same verdicts."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from pipecat.clocks.base_clock import BaseClock

from obligations.pathway import load_pathway
from pipecat_interrupt.journal import JournalEntry, JournalWriter, MemorySink
from pipecat_interrupt.journal.entries import CallEnded, CallStarted, LedgerMoved, OverlapJudged, PatientTurn
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.kit.scribe import Scribe
from pipecat_interrupt.overlap.config import OverlapConfig
from pipecat_interrupt.overlap.evidence import AgentFloor, TextStatus
from pipecat_interrupt.overlap.judge import OverlapJudge
from pipecat_interrupt.overlap.state import OpenOverlap, evidence_of, judged_report, onset_report
from pipecat_interrupt.replay.again import replay_journal
from pipecat_interrupt.replay.calls import replay_files
from pipecat_interrupt.replay.errors import RecordingRefused
from pipecat_interrupt.replay.found import obligation_rows
from pipecat_interrupt.replay.inputs import CallInput
from pipecat_interrupt.replay.values import RATE_HZ, Word
from pipecat_interrupt.steering.clock import CallClock
from pipecat_interrupt.testing.call import CallResult

from ..kit.calls import scripted_demo  # noqa: TID252 - the demo's call is those tests'

pytestmark = pytest.mark.pipeline

soundfile = pytest.importorskip("soundfile")
pytest.importorskip("soxr")


@cache
def _played() -> tuple[InterruptKit, CallResult]:
    return scripted_demo("ours")


def _entries() -> list[JournalEntry]:
    return list(_played()[0].memory.entries)


def _write(path: Path, entries: Sequence[JournalEntry]) -> CallInput:
    path.write_text("".join(e.model_dump_json() + "\n" for e in entries), encoding="utf-8")
    return CallInput("c1", None, (path,))


def test_every_derived_fact_comes_out_bit_for_bit() -> None:
    """Ledger events, hand-off digest, overlap verdicts and moves: computed again, and none differs."""
    again = replay_journal(_entries(), load_pathway("cataract-followup"))

    assert again.differences == []
    assert again.compared["ledger"] == sum(isinstance(e.data, LedgerMoved) for e in _entries())
    assert again.compared["handoff"] == 3
    assert again.compared["overlap"] == 5 * sum(isinstance(e.data, OverlapJudged) for e in _entries())


def test_a_call_that_was_replayed_again_ends_with_the_same_ledger() -> None:
    """Not only equal events: the ledger they fold to."""
    kit, _ = _played()
    assert kit.tracker is not None

    again = replay_journal(_entries(), load_pathway("cataract-followup"))

    assert again.tracker is not None
    assert again.tracker.ledger.digest() == kit.tracker.ledger.digest()


def test_a_difference_is_listed_and_not_hidden() -> None:
    """Another reply in the journal gives other steps of the ledger, and each is named without words of the call."""
    entries = _entries()
    index = next(i for i, e in enumerate(entries) if isinstance(e.data, PatientTurn))
    turn = entries[index].data
    assert isinstance(turn, PatientTurn)
    entries[index] = entries[index].model_copy(update={"data": turn.model_copy(update={"text": "Secretword, yes."})})

    again = replay_journal(entries, load_pathway("cataract-followup"))

    assert {d.what for d in again.differences} >= {"ledger", "handoff"}
    assert "Secretword" not in "".join(d.live + d.again for d in again.differences)


def test_another_verdict_in_the_journal_is_found() -> None:
    """A verdict that the judge would not give is a difference."""
    entries = _entries()
    index = next(i for i, e in enumerate(entries) if isinstance(e.data, OverlapJudged) and e.data.overlap.decided_s)
    data = entries[index].data
    assert isinstance(data, OverlapJudged)
    other = data.overlap.model_copy(update={"verdict": "noise", "kind": None})
    entries[index] = entries[index].model_copy(update={"data": OverlapJudged(overlap=other)})

    again = replay_journal(entries, load_pathway("cataract-followup"))

    assert {d.where.split(" at ")[0] for d in again.differences if d.what == "overlap"} >= {"verdict"}


@pytest.mark.parametrize(
    ("pathway", "said"),
    [
        ("cataract-followup", None),
        (None, "--pathway cataract-followup"),
        ("hip-knee-after-surgery", "is replayed with hip-knee-after-surgery"),
    ],
)
def test_a_journal_replayed_without_its_own_pathway_says_which_it_is(
    tmp_path: Path, pathway: str | None, said: str | None
) -> None:
    """Its ledger cannot come out the same then, and the reader is told why and what to give."""
    done = replay_files(_write(tmp_path / "c.jsonl", _entries()), load_pathway(pathway) if pathway else None)

    told = [note.text for note in done.result.notes if note.code == "another_pathway"]
    assert (len(told) == 1 and said in told[0]) if said is not None else told == []


def test_an_altered_journal_file_is_refused(tmp_path: Path) -> None:
    """A broken chain is no evidence; the entry is named."""
    entries = _entries()
    entries[3] = entries[3].model_copy(update={"at_s": entries[3].at_s + 1.0})

    with pytest.raises(RecordingRefused) as refused:
        replay_files(_write(tmp_path / "c.jsonl", entries), None)

    assert refused.value.code == "broken_journal"


def test_a_journal_from_before_a_field_existed_still_holds(tmp_path: Path) -> None:
    """Optional fields are added over time; an older journal's chain is neither broken nor rewritten by that."""
    lines: list[str] = []
    previous = "0" * 64
    for entry in _entries():
        body = json.loads(entry.model_dump_json())
        body["data"].pop("notices", None)
        body["previous"] = previous
        del body["digest"]
        text = json.dumps(body, separators=(",", ":"), ensure_ascii=False)
        previous = hashlib.sha256(text.encode()).hexdigest()
        lines.append(text[:-1] + f',"digest":"{previous}"}}\n')
    path = tmp_path / "old.jsonl"
    path.write_text("".join(lines), encoding="utf-8")

    done = replay_files(CallInput("c1", None, (path,)), load_pathway("cataract-followup"))
    path.write_text("".join(lines).replace("redness", "sadness", 1), encoding="utf-8")

    assert done.result.differences == ()
    with pytest.raises(RecordingRefused):
        replay_files(CallInput("c1", None, (path,)), load_pathway("cataract-followup"))


def test_a_journal_that_breaks_off_still_gives_a_hand_off(tmp_path: Path) -> None:
    """After a crash what stands open is told, with the reason "lost"."""
    cut = next(i for i, e in enumerate(_entries()) if isinstance(e.data, PatientTurn)) + 1
    entries = _entries()[:cut]
    assert not any(isinstance(e.data, CallEnded) for e in entries)

    done = replay_files(_write(tmp_path / "c.jsonl", entries), load_pathway("cataract-followup"))

    assert done.handoff is not None
    assert done.handoff.end_reason == "lost"
    assert {"pain", "floaters"} <= {item.item_id for item in done.handoff.open_items}


class CallEar:
    """A fake recogniser that knows what was said on a virtual call, on either channel, at which sample."""

    name = "truth"

    def __init__(self, channels: Sequence[np.ndarray], words: Sequence[Sequence[Word]]) -> None:
        self._channels, self._words = channels, words

    def hear(self, samples: np.ndarray, language: str | None) -> Sequence[Word]:
        """Find the samples on a channel, and give the words that lie there, on their own clock."""
        for channel, words in zip(self._channels, self._words, strict=True):
            at = _found_at(channel, samples)
            if at is not None:
                low_s, high_s = at / RATE_HZ, (at + len(samples)) / RATE_HZ
                inside = [w for w in words if low_s <= (w.start_s + w.end_s) / 2 < high_s]
                return [Word(w.text, max(0.0, w.start_s - low_s), w.end_s - low_s) for w in inside]
        return []


def _found_at(channel: np.ndarray, samples: np.ndarray) -> int | None:
    """Where these very samples stand on a channel; None when they do not."""
    wanted = np.rint(samples * 32768.0).astype(np.int32)
    peak = int(np.argmax(np.abs(wanted)))
    for hit in np.flatnonzero(channel == wanted[peak]):
        low = int(hit) - peak
        if low >= 0 and np.array_equal(channel[low : low + len(wanted)], wanted):
            return low
    return None


def _recorded(tmp_path: Path) -> tuple[CallInput, CallEar]:
    _, result = _played()
    stereo = result.stereo()
    soundfile.write(tmp_path / "c1.wav", stereo, RATE_HZ, subtype="PCM_16")
    begun_s = result.started_at_s
    agent = [Word(w.text, w.start_s - begun_s, w.end_s - begun_s) for heard in result.heard for w in heard.words]
    far = [
        Word(w.text, s.start_s - begun_s + w.start_s, s.start_s - begun_s + w.end_s)
        for s in result.parts.input.clips
        for w in s.speech.words
    ]
    channels = [stereo[:, 0].astype(np.int32), stereo[:, 1].astype(np.int32)]
    return CallInput("c1", tmp_path / "c1.wav"), CallEar(channels, (far, agent))


def test_the_sound_of_a_live_call_gives_the_same_verdicts_and_the_same_ledger(tmp_path: Path) -> None:
    """From samples alone: every overlap with live's kind and verdict, every obligation as live left it."""
    kit, _ = _played()
    call, ear = _recorded(tmp_path)

    done = replay_files(call, load_pathway("cataract-followup"), recogniser=lambda: ear)

    live = {o.utterance_id: (o.kind, o.verdict) for o in kit.scribe.overlaps}
    assert [(row.kind, row.verdict) for row in done.result.overlaps] == list(live.values())
    assert {r.id: (r.state, r.value) for r in done.result.obligations} == {
        r.id: (r.state, r.value) for r in obligation_rows(kit.tracker)
    }
    cuts = [u for u in done.result.summary.utterances if u.cut is not None]
    assert [u.intended.split()[0] for u in cuts] == [
        u.intended.split()[0] for u in kit.summary().utterances if u.cut is not None
    ]


class SetClock(BaseClock):
    """A clock that stands where it is set."""

    now_ns = 0

    def get_time(self) -> int:
        return self.now_ns

    def start(self) -> None:
        """It never moves by itself."""


def test_a_verdict_by_duration_comes_out_again_although_the_loop_was_busy_when_it_was_written_down() -> None:
    """The entry of an onset bears the moment its voice was reported: from there the 0.8 s count, live and again."""
    memory = MemorySink()
    journal, clock, pipeline = JournalWriter("c1", (memory,)), CallClock(), SetClock()
    scribe, judge = Scribe(journal, clock), OverlapJudge(OverlapConfig(language="en"))
    floor = AgentFloor(True, "Please use", " the drops.", False, False)
    journal.write(CallStarted(system="ours", language="en"), 0.0)
    scribe.on_started("u1", "Please use the drops.")

    async def live() -> None:
        pipeline.now_ns = 5_000_000_000
        clock.start(pipeline)
        begun_s = clock.zero_loop_s + 5.0
        lap = OpenOverlap(1, begun_s - 0.2, floor, "u1", True, begun_s)
        lap.report = onset_report(lap, judge.table(None))
        pipeline.now_ns = 5_090_000_000  # the loop was busy
        scribe.on_overlap(lap.report)
        judged = judge.judge(evidence_of(lap, begun_s + 0.8, TextStatus.NONE))
        scribe.on_overlap(judged_report(lap, begun_s + 0.8, judged, judge.table(None)))

    asyncio.run(live())
    onset, verdict = memory.entries[-2:]

    assert isinstance(verdict.data, OverlapJudged) and "voice goes on" == verdict.data.overlap.reason
    assert 5.0 == onset.at_s
    assert [] == replay_journal(list(memory.entries), None).differences
