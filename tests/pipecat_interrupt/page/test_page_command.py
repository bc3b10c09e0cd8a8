"""`pipecat-interrupt page`: a journal and what lies beside it become one file."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from pipecat_interrupt.cli.page import page_command
from pipecat_interrupt.errors import SettingsError
from pipecat_interrupt.journal import ChainError

from .recorded import entries, sound, write_journal, write_wav

pytestmark = pytest.mark.unit

app = typer.Typer()
app.command()(page_command)


def _made(*arguments: str | Path) -> str:
    result = CliRunner().invoke(app, [str(a) for a in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return write_journal(tmp_path / "journal.jsonl")


def test_what_lies_beside_the_journal_is_taken_along(journal: Path) -> None:
    """Recording and hand-off need no option when they have the names the demo gives them."""
    write_wav(journal.with_name("call.wav"), sound(entries()))
    journal.with_name("handoff.md").write_text("# Hand-off of this call\n", encoding="utf-8")

    told = _made(journal)

    page = journal.with_name("call.html").read_text(encoding="utf-8")
    assert "with sound" in told
    assert "data:audio/flac;base64," in page
    assert "# Hand-off of this call" in page
    assert 'class="p band"' in page  # the patient's stretches, found in the recording


def test_without_sound_there_is_no_player_and_no_button_that_would_need_it(journal: Path, tmp_path: Path) -> None:
    """The page stays whole: times are text."""
    write_wav(journal.with_name("call.wav"), sound(entries()))

    _made(journal, "--no-audio", "--out", tmp_path / "quiet.html")

    page = (tmp_path / "quiet.html").read_text(encoding="utf-8")
    assert "<audio" not in page
    assert "data-go" not in page.split("<script>")[0]


def test_an_altered_journal_makes_no_page(journal: Path) -> None:
    """A page is evidence: what does not verify is not drawn."""
    journal.write_text(journal.read_text(encoding="utf-8").replace("No, no pain.", "Yes, a lot."), encoding="utf-8")

    with pytest.raises(ChainError):
        _made(journal)

    assert not journal.with_name("call.html").exists()


def test_an_empty_journal_and_the_journal_as_target_are_refused(journal: Path) -> None:
    """Each with its own message; the journal is left as it was."""
    before = journal.read_bytes()

    with pytest.raises(SettingsError, match="file itself that is read"):
        _made(journal, "--out", journal)
    assert journal.read_bytes() == before

    journal.write_text("", encoding="utf-8")
    with pytest.raises(SettingsError, match="empty"):
        _made(journal)


def test_two_journals_of_one_folder_have_a_page_each_and_their_own_sound(tmp_path: Path) -> None:
    """Neither replaces the other's page, and a recording of nobody's name is given to neither."""
    write_wav(tmp_path / "call.wav", sound(entries()))
    write_wav(tmp_path / "b.wav", sound(entries()))
    told = [_made(write_journal(tmp_path / name)) for name in ("a.jsonl", "b.jsonl")]
    told += [_made(tmp_path / "a.jsonl")]

    assert {"a.html", "b.html"} == {path.name for path in tmp_path.glob("*.html")}
    assert ["with", "with", "without"] == ["without" if "without sound" in text else "with" for text in told]


def test_a_page_is_written_into_no_folder_that_is_missing(journal: Path, tmp_path: Path) -> None:
    """Named, and not made."""
    with pytest.raises(SettingsError, match="no folder"):
        _made(journal, "--out", tmp_path / "none" / "page.html")
    assert not (tmp_path / "none").exists()
