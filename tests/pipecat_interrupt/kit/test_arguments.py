"""What a kit is given by mistake is refused while the bot is put together, by name and with what to write instead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pipecat_interrupt.errors import PipelineError
from pipecat_interrupt.gate import SpeakerGateProcessor
from pipecat_interrupt.journal import read_jsonl, verify_chain
from pipecat_interrupt.kit import InterruptKit
from pipecat_interrupt.kit.settings import KitSettings
from speaker_gate.errors import CallerError
from speaker_gate.gate import CallGate

pytestmark = pytest.mark.unit


def test_a_journal_of_another_call_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    """Two chains in one file could be read by no command; the same call goes on in it."""
    journal = tmp_path / "42.jsonl"
    first = InterruptKit(journal=journal, call_id="42")
    first.journal.close()
    before = journal.read_bytes()

    for call_id in (None, "43"):
        with pytest.raises(PipelineError, match=r"holds another call already.*call_id.*\.jsonl"):
            InterruptKit(journal=journal, call_id=call_id)
    assert before == journal.read_bytes()

    InterruptKit(journal=str(journal), call_id="42").journal.close()
    entries = read_jsonl(journal)
    assert len(entries) == verify_chain(entries) and len(entries) > before.count(b"\n")


def test_a_file_that_is_no_journal_is_refused_and_a_torn_or_empty_one_is_taken(tmp_path: Path) -> None:
    """Notes are not appended to; what a killed process left behind is gone on from."""
    notes, torn, empty = (tmp_path / name for name in ("notes.txt", "torn.jsonl", "empty.jsonl"))
    notes.write_text("call her back\n", encoding="utf-8")
    empty.touch()
    InterruptKit(journal=torn, call_id="42").journal.close()
    torn.write_bytes(torn.read_bytes() + b'{"seq":')

    with pytest.raises(PipelineError, match="no journal"):
        InterruptKit(journal=notes)
    for path in (torn, empty):
        InterruptKit(journal=path, call_id="42").journal.close()
        assert verify_chain(read_jsonl(path)) > 0
    assert notes.read_text(encoding="utf-8") == "call her back\n"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"pathway": 7}, "pathway: is int"),
        ({"journal": 7}, "journal: is int"),
        ({"journal": Path()}, "is a folder"),
        ({"call_id": 42}, "call_id: is int"),
        ({"settings": {"language": "en"}}, r"settings: is dict; give KitSettings"),
        ({"settings": KitSettings}, r"settings: is the class KitSettings"),
        ({"policy": object()}, "policy: is object"),
        ({"reader": object()}, "reader: is object"),
        ({"acknowledger": object()}, "acknowledger: is object"),
        ({"gate": object()}, r"gate: is object; give SpeakerGateProcessor\(CallGate"),
        ({"carrier": object()}, "carrier: is object"),
        ({"frame": object()}, "frame: is object"),
        ({"sinks": object()}, "sinks: is object"),
        ({"sinks": [object()]}, "sinks: is list"),
        ({"spill": object()}, "spill: is object"),
        ({"spill": __file__}, "is a file"),
        ({"rtvi": object()}, "rtvi: is object"),
        ({"spans": object()}, "spans: is object"),
        ({"on_handoff": "print"}, "on_handoff: is str"),
    ],
)
def test_an_argument_of_the_wrong_kind_is_named(given: dict[str, Any], says: str) -> None:
    """Before anything is made of it."""
    with pytest.raises(PipelineError, match=says):
        InterruptKit(**given)


@pytest.mark.parametrize(
    ("processors", "says"), [(None, "not NoneType"), ("bot", "not str"), ([object()], "position 0 .* is object")]
)
def test_what_is_no_list_of_processors_is_refused(processors: Any, says: str) -> None:
    """The message says what the list holds."""
    with pytest.raises(PipelineError, match=says):
        InterruptKit().instrument(processors)


def test_a_call_begins_in_its_event_loop_only() -> None:
    """The message says where."""
    with pytest.raises(PipelineError, match="on_client_connected"):
        InterruptKit("cataract-followup").begin()


def test_a_gate_without_its_ears_is_refused() -> None:
    """At building, not with the first frame of a call."""
    with pytest.raises(CallerError, match="ears"):
        CallGate(None)  # type: ignore[arg-type]
    with pytest.raises(PipelineError, match="CallGate"):
        SpeakerGateProcessor(None)  # type: ignore[arg-type]
