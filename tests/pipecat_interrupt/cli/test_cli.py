"""The command line: help without heavy imports, clear failures without a traceback."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from pipecat_interrupt.cli.schema import SchemaName, as_text
from pipecat_interrupt.journal import JournalWriter, JsonlSink
from pipecat_interrupt.journal.entries import CallStarted
from pipecat_interrupt.summary import CallSummary, call_summary_schema

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[3]


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    code = "from pipecat_interrupt.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=55, check=False, cwd=ROOT
    )


def test_help_names_every_verb() -> None:
    """A newcomer finds the verbs."""
    done = _run("--help")

    assert done.returncode == 0
    assert all(verb in done.stdout for verb in ("demo", "models", "pathway"))


def test_the_bundled_pathways_are_listed_as_not_reviewed() -> None:
    """Nobody can take a bundled pathway for a reviewed one."""
    done = _run("pathway", "list", "--json")

    rows = json.loads(done.stdout)
    assert "cataract-followup" in {row["id"] for row in rows}
    assert {row["review"] for row in rows} == {"not_clinically_reviewed"}


def test_a_faulty_pathway_is_named_by_file_line_and_field_without_a_traceback(tmp_path: Path) -> None:
    """Exit 1, one message, no Python."""
    source = (ROOT / "obligations" / "pathway" / "data" / "cataract-followup.yaml").read_text(encoding="utf-8")
    faulty = tmp_path / "mine.yaml"
    faulty.write_text(source.replace("kind: question", "kind: qestion", 1), encoding="utf-8")

    done = _run("pathway", "check", str(faulty))

    assert done.returncode == 1
    assert "mine.yaml" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_pathway_is_one_clear_line() -> None:
    """The message names what was asked for."""
    done = _run("pathway", "show", "no-such-pathway")

    assert done.returncode == 1
    assert "no-such-pathway" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("content", [b"", b"hello", b"{}\n", b"\xff\xfe\x00", b"\n\n", b"NaN\n"])
@pytest.mark.parametrize("verb", ["verify", "show"])
def test_what_is_no_journal_is_refused_in_one_line(tmp_path: Path, verb: str, content: bytes) -> None:
    """Garbage, binary and nothing at all: one message, no Python."""
    journal = tmp_path / "j.jsonl"
    journal.write_bytes(content)

    done = _run("journal", verb, str(journal))

    assert "Traceback" not in done.stderr
    assert (done.returncode, "j.jsonl" in done.stderr) == (1, True)


def test_an_export_never_overwrites_the_journal_it_reads(tmp_path: Path) -> None:
    """The journal is evidence."""
    journal = tmp_path / "j.jsonl"
    writer = JournalWriter("c", (JsonlSink(journal),))
    writer.write(CallStarted(), 0.0)
    writer.close()
    before = journal.read_bytes()

    done = _run("journal", "export", str(journal), "--out", str(journal))

    assert done.returncode == 1
    assert journal.read_bytes() == before
    assert "no end of the call" in _run("journal", "verify", str(journal)).stdout


@pytest.mark.parametrize("name", list(SchemaName))
def test_a_published_schema_is_valid_and_fresh(name: SchemaName) -> None:
    """docs/schemas holds what the code says; remake it with `pipecat-interrupt schema NAME`."""
    published = (ROOT / "docs" / "schemas" / f"{name.value}.json").read_text(encoding="utf-8")

    jsonschema.Draft202012Validator.check_schema(json.loads(published))
    assert published == as_text(name)


def test_a_new_pathway_passes_its_own_check_and_is_never_overwritten(tmp_path: Path) -> None:
    """A copy under a new name is sound at once; a second attempt at the same file is refused."""
    mine = tmp_path / "my-clinic.yaml"

    first, checked, second = (
        _run("pathway", "new", str(mine)),
        _run("pathway", "check", str(mine)),
        _run("pathway", "new", str(mine)),
    )

    assert (first.returncode, checked.returncode, second.returncode) == (0, 0, 2)
    assert checked.stdout.startswith("my-clinic ")


def test_the_call_summary_schema_accepts_what_it_describes() -> None:
    """The schema is exported, valid, and fits a summary."""
    schema = call_summary_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    empty = CallSummary(system="ours", call_id="c", utterances=(), obligations=())

    jsonschema.validate(empty.model_dump(mode="json"), schema)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("serve", "--local", "--stt", "deepgram", "--unsigned"), "leave out --stt deepgram"),
        (("serve", "--llm-base-url", "http://127.0.0.1:1/v1", "--unsigned"), "--llm openai"),
        (("serve", "--llm", "openai", "--llm-base-url", "foo", "--unsigned"), "not 'foo'"),
        (("board", "nofolder"), "nofolder: no such folder"),
        (("replay", "nothing.json", "--model", "nomodel"), "--model nomodel"),
    ],
)
def test_what_would_do_nothing_or_cannot_work_is_one_line(arguments: tuple[str, ...], told: str) -> None:
    """Exit 1, the option's name, no Python."""
    done = _run(*arguments)

    assert done.returncode == 1
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_the_version_is_said() -> None:
    """Ours and Pipecat's, for a report."""
    done = _run("--version")

    assert done.returncode == 0
    assert done.stdout.startswith("pipecat-interrupt ")
    assert "pipecat-ai" in done.stdout
