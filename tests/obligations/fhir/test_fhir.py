"""The FHIR bundle validates, says no more than is known, and never looks complete while something is open."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from obligations import Handoff, ReplySpeaker, Speak, Tracker, list_pathways, load_pathway
from obligations.adapters.fhir import CALL_SYSTEM, to_fhir
from obligations.answers.reader import LocalAnswerReader
from obligations.errors import CallerError, MissingExtra
from obligations.testing import PlainReader, ScriptedCall, a_pathway, a_point, a_question

pytestmark = pytest.mark.contract

pytest.importorskip("fhir.resources", reason="the fhir extra is not installed")

CATARACT = load_pathway("cataract-followup")


def a_call(pathway: Any = CATARACT, language: str | None = None) -> ScriptedCall:
    return ScriptedCall(Tracker(pathway, call_id="call-7", reader=LocalAnswerReader(), language=language))


def a_troubled_call() -> ScriptedCall:
    """A red flag, a declined question, a third party's report, a cut point, a question nobody could answer."""
    call = a_call()
    call.speak()
    call.speak()
    call.hear("Yes, it is very red.")
    call.speak()
    call.hear("I'd rather not say.")
    call.speak()
    call.hear("No, she has no pain.", speaker=ReplySpeaker.THIRD_PARTY, label="S")
    call.speak()
    call.hear("No, I don't. But is it normal that bright light hurts?")
    move = call.move()
    assert isinstance(move, Speak)
    call.say(move.text, until="after a cataract operation. If you have")
    call.hear("What is my blood group?", onset_during=f"u{call._count}", heard_chars_at_onset=90)
    return call


def resources(bundle: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [e["resource"] for e in bundle["entry"] if e["resource"]["resourceType"] == kind]


def walk(value: Any) -> Iterator[tuple[str, Any]]:
    """Every key and value of a document."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key, inner
            yield from walk(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from walk(inner)


def check_codes(bundle: dict[str, Any]) -> None:
    """The library does not enforce required codes: compare each with the values it lists."""
    from fhir.resources import get_fhir_model_class

    for entry in bundle["entry"]:
        resource = entry["resource"]
        for name, field in get_fhir_model_class(resource["resourceType"]).model_fields.items():
            allowed = (field.json_schema_extra or {}).get("enum_values")  # type: ignore[union-attr]  # a mapping here
            if allowed and "+" not in allowed and (field.alias or name) in resource:
                assert resource[field.alias or name] in allowed


def check_links(bundle: dict[str, Any]) -> None:
    """Every reference leads to an entry, every entry is there once."""
    urls = [entry["fullUrl"] for entry in bundle["entry"]]
    assert len(urls) == len(set(urls))
    assert {value for key, value in walk(bundle) if key == "reference"} <= set(urls)


def test_a_troubled_call_is_mapped_as_it_happened() -> None:
    """Each list of the hand-off stands in its resource."""
    handoff = a_troubled_call().tracker.handoff("hangup", 60.0)

    bundle = to_fhir(handoff)

    (response,) = resources(bundle, "QuestionnaireResponse")
    assert "stopped" == response["status"]
    items = {item["linkId"]: item for item in response["item"]}
    assert items["redness"]["answer"][0]["valueBoolean"] is True
    assert "asked-declined" == items["redness.worse"]["extension"][0]["valueCode"]
    assert all("answer" not in items[o.item_id] for o in handoff.open_items if o.kind == "question")
    (flag,) = resources(bundle, "Flag")
    assert ("active", True) == (flag["status"], flag["code"]["text"].endswith("yes"))
    tasks = {t["focus"]["identifier"]["value"]: t for t in resources(bundle, "Task") if "focus" in t}
    assert {item.item_id for item in handoff.open_items} == set(tasks)
    assert "urgent" == tasks["light.escalation"]["priority"]
    reasons = {item_id: task["reason"][0]["concept"]["coding"][0]["code"] for item_id, task in tasks.items()}
    assert {item.item_id: item.reason for item in handoff.open_items} == reasons
    questions = [t["note"][0]["text"] for t in resources(bundle, "Task") if "note" in t]
    assert ["What is my blood group?"] == questions


def test_a_communication_holds_the_heard_words_and_no_others() -> None:
    """The payload is the evidence, not the pathway's text; a part that was heard is marked as stopped at its cut."""
    handoff = a_troubled_call().tracker.handoff("hangup", 60.0)

    communications = resources(to_fhir(handoff), "Communication")

    whole = [c["payload"][0]["contentCodeableConcept"]["text"] for c in communications if c["status"] == "completed"]
    assert [point.evidence[0].quote for point in handoff.delivered] == whole
    cut = [c for c in communications if c["status"] == "stopped"]
    assert all(c["statusReason"]["text"] for c in cut)
    assert len(cut) == sum(item.kind == "point" and bool(item.heard) for item in handoff.open_items)


def test_the_agent_is_a_device_and_the_author_of_everything() -> None:
    """Nobody can take it for a person's record."""
    bundle = to_fhir(a_troubled_call().tracker.handoff("hangup", 60.0), agent_name="Ward agent", agent_version="1.2")

    (device,) = resources(bundle, "Device")

    assert ("Ward agent", "1.2") == (device["displayName"], device["version"][0]["value"])
    agent = f"urn:uuid:{device['id']}"
    for kind, field in (
        ("QuestionnaireResponse", "author"),
        ("Flag", "author"),
        ("Communication", "sender"),
        ("Task", "requester"),
    ):
        assert all(agent == resource[field]["reference"] for resource in resources(bundle, kind))


def test_the_patient_is_the_call_and_nothing_else() -> None:
    """No Patient resource; every identifier is the call's or the pathway's."""
    bundle = to_fhir(a_troubled_call().tracker.handoff("hangup", 60.0))

    assert [] == resources(bundle, "Patient") == resources(bundle, "RelatedPerson")
    subjects = [value for key, value in walk(bundle) if key in ("subject", "for", "patient")]
    assert subjects and all(
        {"type": "Patient", "identifier": {"system": CALL_SYSTEM, "value": "call-7"}} == s for s in subjects
    )
    systems = {v["system"] for k, v in walk(bundle) if k == "identifier" and isinstance(v, dict)}
    assert {CALL_SYSTEM, "urn:pipecat-interrupt:pathway:cataract-followup"} == systems


@pytest.mark.parametrize("name", [entry.id if hasattr(entry, "id") else entry for entry in list_pathways()])
@pytest.mark.parametrize("how", ["nothing was said", "half", "to the end"])
def test_every_bundled_pathway_validates_in_every_language(name: str, how: str) -> None:
    """An empty call, half a call and a whole one."""
    pathway = load_pathway(name)
    for language in pathway.languages:
        call = a_call(pathway, language)
        if how == "half":
            for _ in range(4):
                if isinstance(call.move(), Speak):
                    call.speak()
                else:
                    call.hear("Não." if language.startswith("pt") else "No.")
        elif how == "to the end":
            reply = "Não, nada." if language.startswith("pt") else "No, nothing."
            call.run(lambda move, reply=reply: reply)
        handoff = call.tracker.handoff("hangup", 60.0)

        bundle = to_fhir(handoff, pathway=pathway, ended_at=datetime(2026, 5, 25, 9, 30, tzinfo=UTC))

        check_codes(bundle)
        check_links(bundle)
        (response,) = resources(bundle, "QuestionnaireResponse")
        assert ("completed" == response["status"]) is handoff.complete
        assert len(handoff.open_items) == sum("focus" in task for task in resources(bundle, "Task"))
        assert json.loads(json.dumps(bundle)) == bundle


@pytest.mark.parametrize(
    ("end_reason", "expected"),
    [("hangup", "stopped"), ("crash", "stopped"), ("callback_requested", "in-progress"), ("not_ended", "in-progress")],
)
def test_a_call_to_be_continued_is_in_progress_and_never_completed(end_reason: str, expected: str) -> None:
    """One open item is enough."""
    handoff = a_call().tracker.handoff(end_reason, 1.0)

    (response,) = resources(to_fhir(handoff), "QuestionnaireResponse")

    assert expected == response["status"]


def test_a_hand_off_that_calls_itself_complete_with_an_open_item_is_not_believed() -> None:
    """The list counts, not the mark."""
    handoff = a_call().tracker.handoff("hangup", 1.0).model_copy(update={"complete": True})

    (response,) = resources(to_fhir(handoff), "QuestionnaireResponse")

    assert "stopped" == response["status"]


def test_numbers_and_dates_are_typed_where_the_pathway_says_so() -> None:
    """Text that is no number stays text; without a pathway everything is text."""
    pathway = a_pathway(
        a_question("weight", "What is your weight?", "weight", value_type="number"),
        a_question("since", "Since when?", "Since when", value_type="date"),
        a_point("bye", "Drink water."),
    )
    call = ScriptedCall(Tracker(pathway, call_id="c", reader=PlainReader()))
    call.until_listening()
    call.hear("72")
    call.until_listening()
    call.hear("2026-05-20")
    handoff = call.tracker.handoff("hangup", 9.0)

    typed = resources(to_fhir(handoff, pathway=pathway), "QuestionnaireResponse")[0]["item"]
    plain = resources(to_fhir(handoff), "QuestionnaireResponse")[0]["item"]

    assert 72 == float(typed[0]["answer"][0]["valueDecimal"])
    assert "2026-05-20" == typed[1]["answer"][0]["valueDate"]
    assert ["72", "2026-05-20"] == [item["answer"][0]["valueString"] for item in plain]


def test_the_same_hand_off_gives_the_same_ids() -> None:
    """Sending it twice makes nothing twice; another call's ids are others."""
    handoff = a_call().tracker.handoff("hangup", 1.0)
    other = handoff.model_copy(update={"call_id": "call-8"})

    assert to_fhir(handoff) == to_fhir(handoff)
    urls = [{e["fullUrl"] for e in to_fhir(h)["entry"]} for h in (handoff, other)]
    assert set() == urls[0] & urls[1]


@given(st.text(st.characters(), max_size=40), st.text(max_size=40))
@settings(max_examples=60, deadline=None)
def test_no_words_of_a_call_can_break_the_bundle(words: str, call_id: str) -> None:
    """Control characters, nothing at all, half a surrogate: it still validates."""
    plain = a_call().tracker.handoff("hangup", 1.0)
    item = plain.open_items[0].model_copy(update={"text": words, "detail": words, "escalation": words})
    handoff = Handoff.model_construct(**{**dict(plain), "call_id": call_id, "open_items": (item,)})

    bundle = to_fhir(handoff)

    assert 1 == sum("focus" in task for task in resources(bundle, "Task"))


def test_a_time_without_a_zone_is_refused() -> None:
    """A clock time alone says nothing in a record."""
    with pytest.raises(CallerError):
        to_fhir(a_call().tracker.handoff("hangup", 1.0), ended_at=datetime(2026, 5, 25))  # noqa: DTZ001 - the fault


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message is an install line."""
    monkeypatch.setitem(sys.modules, "fhir.resources.bundle", None)

    with pytest.raises(MissingExtra, match=r"pipecat-interrupt\[fhir\]"):
        to_fhir(a_call().tracker.handoff("hangup", 1.0))


def test_words_against_a_point_stand_as_notes() -> None:
    """Open, the task quotes what the patient was told; put right, the communication says what came before."""
    back = "Forget what I said about the drops, you can stop them."
    drops = CATARACT.points["drops.continue"].wording["en"]
    left, mended = a_call(), a_call()
    for call, texts in ((left, (drops, back)), (mended, (drops, back, drops))):
        for text in texts:
            call.say(text)

    tasks = resources(to_fhir(left.tracker.handoff("completed", 9.0)), "Task")
    told = resources(to_fhir(mended.tracker.handoff("completed", 9.0)), "Communication")

    (task,) = [t for t in tasks if t.get("focus", {}).get("identifier", {}).get("value") == "drops.continue"]
    assert [f"The patient was told: {back}"] == [note["text"] for note in task["note"]]
    assert "not_as_required" == task["reason"][0]["concept"]["coding"][0]["code"]
    assert [[f"Told otherwise before: {back}"]] == [[n["text"] for n in t["note"]] for t in told if "note" in t]


def test_a_joined_hand_off_replaces_the_first_under_a_higher_version() -> None:
    """The same resources by id; the bundle tells the hand-off's version."""
    handoff = a_troubled_call().tracker.handoff("hangup", 60.0)
    first, later = (to_fhir(handoff.model_copy(update={"version": version})) for version in (1, 1_796_034_866_526))

    assert "1796034866526" == later["meta"]["versionId"]
    assert "meta" not in to_fhir(handoff)
    assert [entry["fullUrl"] for entry in first["entry"]] == [entry["fullUrl"] for entry in later["entry"]]
