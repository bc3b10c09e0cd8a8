"""Messages: what a client is told, in which words, and that the published schema says so."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel

from obligations.ledger.events import Evidence, ItemStep
from obligations.ledger.states import Step
from obligations.pathway import load_pathway
from pipecat_interrupt.errors import SettingsError
from pipecat_interrupt.facts import Cut, OverlapFact, UtteranceRecord
from pipecat_interrupt.journal import JournalEntry, JournalWriter, MemorySink
from pipecat_interrupt.journal.entries import (
    CallEnded,
    CallStarted,
    GateEnrolment,
    GateVoice,
    GateWords,
    HandoffMade,
    HoldChanged,
    LedgerMoved,
    MoveMade,
    NoteGiven,
    OpenObligation,
    OverlapJudged,
    PatientTurn,
    Trouble,
    UtteranceEnded,
    UtteranceStarted,
)
from pipecat_interrupt.live import LiveText, LiveTranslator, live_message_schema
from pipecat_interrupt.live.messages import CallOpened, ObligationMoved

pytestmark = pytest.mark.unit

PATIENT_WORDS = "my grandson drives me"
AGENT_WORDS = "contact the hospital"
OVERLAP = OverlapFact(onset_s=2.0, verdict="topic_shift", words=PATIENT_WORDS)
RECORD = UtteranceRecord(
    id="u1",
    intended=AGENT_WORDS,
    delivered="contact",
    undelivered=" the hospital",
    cut=Cut(chars=7, words=1, ms=300.0, exactness="exact"),
    overlap=OVERLAP,
    end_reason="interruption",
)
STEP = {"kind": "item_step", "v": 1, "seq": 3, "at_s": 1.0, "item_id": "pain"}
EVERY_KIND: tuple[BaseModel, ...] = (
    CallStarted(pathway="cataract-followup"),
    UtteranceStarted(utterance_id="u1", intended=AGENT_WORDS),
    OverlapJudged(overlap=OVERLAP),
    UtteranceEnded(record=RECORD),
    GateVoice(onset_s=1.0, ended_s=2.0, voices=("primary",), reasons=("above_accept",), scores=(0.7,)),
    GateWords(words=PATIENT_WORDS, standing="primary", action="pass"),
    GateEnrolment(status="confirmed", seconds=12.0),
    PatientTurn(text=PATIENT_WORDS, speaker="primary"),
    LedgerMoved(event={**STEP, "step": "opened"}),
    LedgerMoved(event={**STEP, "step": "heard", "evidence": [{"quote": AGENT_WORDS}]}),
    LedgerMoved(event={**STEP, "step": "answered", "value": PATIENT_WORDS, "speaker": "primary"}),
    LedgerMoved(event={**STEP, "kind": "red_flag_raised", "value": "yes", "speaker": "primary", "certain": True}),
    LedgerMoved(event={"kind": "replied", "text": PATIENT_WORDS}),
    MoveMade(purpose="return", item_ids=("pain",), text=AGENT_WORDS),
    NoteGiven(text=AGENT_WORDS),
    HoldChanged(action="hold", reason="overlap"),
    Trouble(where="tick", error="ValueError", safe_side="errs short"),
    HandoffMade(
        end_reason="hang_up",
        complete=False,
        open_items=(OpenObligation(item_id="pain", kind="question", critical=True, reason="hang_up"),),
    ),
    CallEnded(reason="hang_up", open_items=("pain",)),
)


def _entries(payloads: Iterable[BaseModel] = EVERY_KIND) -> list[JournalEntry]:
    memory = MemorySink()
    writer = JournalWriter("c1", (memory,))
    for payload in payloads:
        writer.write(payload, 1.0)
    return memory.entries


def _told(text: LiveText, *, pathway: bool = True) -> list[dict]:  # type: ignore[type-arg]  # plain JSON
    translator = LiveTranslator(text, load_pathway("cataract-followup") if pathway else None)
    messages = [translator.message(entry) for entry in _entries()]
    return [message.as_json() for message in messages if message is not None]


def test_no_word_of_the_call_goes_out_unless_asked() -> None:
    """By default a message says how much, where and who, never what."""
    text = str(_told("off"))

    assert not any(word in text for word in ("grandson", "drives", "contact", "hospital"))
    assert "'delivered_chars': 7" in text
    assert "'verdict': 'topic_shift'" in text


@pytest.mark.parametrize(
    ("text", "patient", "agent"),
    [("full", True, True), ("patient_words", False, True), ("all_words", False, False)],
)
def test_words_go_out_as_the_journals_redaction_policy_says(text: LiveText, patient: bool, agent: bool) -> None:
    """Masked texts keep their length; with "full" the client sees what the journal holds."""
    said = str(_told(text))

    assert (PATIENT_WORDS in said, AGENT_WORDS in said) == (patient, agent)
    assert ("xx xxxxxxxx xxxxxx xx" in said) == (not patient)


@pytest.mark.parametrize("text", ["off", "all_words", "patient_words", "full"])
def test_every_message_fits_the_published_schema(text: LiveText) -> None:
    """A client in another language can rely on docs/schemas/live-message.json."""
    published = Draft202012Validator(live_message_schema())

    assert [e.message for message in _told(text) for e in published.iter_errors(message)] == []


def test_messages_are_counted_without_gaps_and_name_their_journal_entry() -> None:
    """Notes to the model and ledger events that repeat another message are not sent, and leave no gap in `n`."""
    told = _told("off")

    assert [message["n"] for message in told] == list(range(len(told)))
    assert len(told) == len(EVERY_KIND) - 2
    kinds = {entry.seq: entry.data.kind for entry in _entries()}
    assert all(kinds[m["seq"]] in (m["data"]["kind"], "ledger") for m in told)


def test_an_obligation_comes_with_the_state_the_ledger_gives_it() -> None:
    """The exporter folds steps by the ledger's own table."""
    moved = [m["data"] for m in _told("off") if m["data"]["kind"] == "obligation"]

    assert [(d["before"], d["step"], d["state"], d["closed"]) for d in moved] == [
        ("dormant", "opened", "open", False),
        ("open", "heard", "asked", False),
        ("asked", "answered", "answered", True),
    ]
    assert "value" not in moved[2]


def test_without_a_pathway_steps_are_told_and_states_are_not_guessed() -> None:
    """None where nothing is known."""
    moved = [m["data"] for m in _told("off", pathway=False) if m["data"]["kind"] == "obligation"]

    assert [d["step"] for d in moved] == ["opened", "heard", "answered"]
    assert not any("state" in d or "closed" in d for d in moved)


def test_a_call_taken_up_by_another_worker_goes_on_from_the_states_it_has() -> None:
    """Steps of the worker before are not seen here; the states they led to are given."""
    pathway = load_pathway("cataract-followup")
    asked, opened = LedgerMoved(event={**STEP, "step": "answered", "value": "no"}), CallStarted()
    knows, guesses = LiveTranslator(pathway=pathway), LiveTranslator(pathway=pathway)
    heard = Evidence(utterance_id="u1", start=0, end=4, quote="pain")
    opened_before = ItemStep(seq=1, at_s=0.0, item_id="pain", step=Step.OPENED)
    knows.bind(pathway, [opened_before, ItemStep(seq=2, at_s=1.0, item_id="pain", step=Step.HEARD, evidence=(heard,))])

    def told(translator: LiveTranslator) -> list[BaseModel]:
        messages = [translator.message(entry) for entry in _entries([opened, asked])]
        return [message.data for message in messages if message is not None]

    (first, step), (_, alone) = told(knows), told(guesses)

    assert isinstance(first, CallOpened) and isinstance(step, ObligationMoved) and isinstance(alone, ObligationMoved)
    assert next(o.state for o in first.obligations if o.item_id == "pain") == "asked"
    assert (step.before, step.state) == ("asked", "answered")
    assert (alone.before, alone.state) == (None, None)


def test_a_call_begins_with_the_names_of_what_it_may_come_to_owe() -> None:
    """A client can draw the ledger before anything moved."""
    opened = _told("off")[0]["data"]

    pathway = load_pathway("cataract-followup")
    assert [o["item_id"] for o in opened["obligations"]] == list(pathway.items)


def test_an_unknown_text_policy_is_refused() -> None:
    """A misspelt policy must not quietly send words."""
    with pytest.raises(SettingsError, match="'full'"):
        LiveTranslator("fulll")  # type: ignore[arg-type]  # the point of the test


def test_the_page_for_clients_names_every_kind() -> None:
    """docs/live-clients.md is complete."""
    page = (Path(__file__).resolve().parents[3] / "docs" / "live-clients.md").read_text(encoding="utf-8")
    kinds = {m["data"]["kind"] for m in _told("off")}

    assert {kind for kind in kinds if f"`{kind}`" not in page} == set()
