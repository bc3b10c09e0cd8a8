"""The hand-off as a FHIR R5 bundle, checked by `fhir.resources`.

Owns the mapping: answers -> QuestionnaireResponse (never *completed* while anything is open), open item -> Task, heard
point -> Communication whose payload is the heard words, red flag -> Flag, the agent -> Device and author of all of it.
The patient is named by nothing but the call's id: no Patient resource, no demographics, no recording.
"""

from __future__ import annotations

import re
import uuid
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import Any, cast

from pydantic import ValidationError

from obligations.errors import CallerError, MissingExtra
from obligations.handoff.models import AnswerGiven, Handoff, OpenItem, RedFlag, SetAside
from obligations.ledger.events import Evidence
from obligations.pathway.models import Pathway

URN = "urn:pipecat-interrupt"
CALL_SYSTEM = f"{URN}:call"
REASON_SYSTEM = f"{URN}:open-reason"
# Published by HL7 (FHIR R5): data-absent-reason, participation mode, flag category.
ABSENT_URL = "http://hl7.org/fhir/StructureDefinition/data-absent-reason"
MODE_SYSTEM = "http://terminology.hl7.org/CodeSystem/v3-ParticipationMode"
FLAG_CATEGORY_SYSTEM = "http://terminology.hl7.org/CodeSystem/flag-category"

# The call is to be continued: the response is still in progress.
CONTINUED = frozenset({"not_ended", "callback_requested"})
TEXT_CHARS_MAX = 10_000

_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, URN)
_NOT_TEXT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")

Json = dict[str, Any]


def to_fhir(
    handoff: Handoff,
    *,
    pathway: Pathway | None = None,
    ended_at: datetime | None = None,
    agent_name: str = "AI voice agent",
    agent_version: str = "",
) -> Json:
    """Make the bundle.

    Args:
        handoff: What became of every obligation.
        pathway: Its pathway; with it numbers and dates are given as such, without it as text.
        ended_at: When the call ended, with a time zone; left out when None (the hand-off knows only the call's clock).
        agent_name: Name of the Device.
        agent_version: Its version; left out when empty.

    Returns:
        A Bundle of type *collection*, as JSON values. The same hand-off gives the same resource ids, so that sending it
        twice makes nothing twice.

    Raises:
        MissingExtra: The fhir.resources package is not installed.
        CallerError: An argument cannot stand in FHIR, such as a time without a zone.
    """
    try:
        from fhir.resources.bundle import Bundle
    except ImportError:
        raise MissingExtra("fhir.resources", "fhir") from None
    if ended_at is not None and ended_at.tzinfo is None:
        raise CallerError("ended_at needs a time zone")
    plain = _Bundle(handoff, pathway, ended_at).make(agent_name, agent_version)
    try:
        checked = cast(Any, Bundle).model_validate(plain)
    except ValidationError as error:
        raise CallerError(f"no FHIR bundle: {error.error_count()} field(s) do not fit") from error
    return cast(Json, checked.model_dump(mode="json"))


class _Bundle:
    """Builds the entries of one bundle as plain values."""

    def __init__(self, handoff: Handoff, pathway: Pathway | None, ended_at: datetime | None) -> None:
        self.handoff, self.pathway = handoff, pathway
        self.when = ended_at.isoformat() if ended_at is not None else None
        self.patient: Json = {"type": "Patient", "identifier": {"system": CALL_SYSTEM, "value": _text(handoff.call_id)}}
        self.agent: Json = {"reference": self._url("agent")}
        self.response: Json = {"reference": self._url("answers")}

    def make(self, agent_name: str, agent_version: str) -> Json:
        handoff = self.handoff
        entries = [
            self._entry("agent", self._device(agent_name, agent_version)),
            self._entry("answers", self._questionnaire_response()),
        ]
        entries += [self._entry(f"flag:{flag.item_id}", self._flag(flag)) for flag in handoff.red_flags]
        entries += [self._entry(f"open:{item.item_id}", self._task(item)) for item in handoff.open_items]
        entries += [
            self._entry(
                f"heard:{point.item_id}",
                self._heard(point.text, point.evidence, exact=point.exactness, otherwise=point.mistold),
            )
            for point in handoff.delivered
        ]
        entries += [
            self._entry(f"part:{item.item_id}", self._heard(item.text, item.heard, stopped=item.detail))
            for item in handoff.open_items
            if item.kind == "point" and item.heard
        ]
        for number, question in enumerate(handoff.patient_questions):
            task = self._request("patient-question", "Answer the patient's question", question.text)
            entries.append(self._entry(f"question:{number}", task))
        for name in handoff.requests:
            task = self._request(f"request-{name.replace('_', '-')}", f"Patient's request: {name.replace('_', ' ')}")
            entries.append(self._entry(f"request:{name}", task))
        bundle: Json = {
            "resourceType": "Bundle",
            "id": self._id("bundle"),
            "type": "collection",
            "identifier": {"system": CALL_SYSTEM, "value": _text(handoff.call_id)},
            "entry": entries,
        }
        if handoff.version:
            bundle["meta"] = {"versionId": str(handoff.version)}
        return bundle | ({"timestamp": self.when} if self.when else {})

    def _id(self, name: str) -> str:
        return str(uuid.uuid5(_NAMESPACE, f"{self.handoff.call_id}\x00{name}"))

    def _url(self, name: str) -> str:
        return f"urn:uuid:{self._id(name)}"

    def _entry(self, name: str, resource: Json) -> Json:
        return {"fullUrl": self._url(name), "resource": {**resource, "id": self._id(name)}}

    def _dated(self, field: str) -> Json:
        return {field: self.when} if self.when else {}

    def _device(self, name: str, version: str) -> Json:
        device: Json = {
            "resourceType": "Device",
            "displayName": _text(name),
            "type": [{"text": "Automated voice agent (artificial intelligence)"}],
        }
        return device | ({"version": [{"value": _text(version)}]} if version else {})

    def _questionnaire_response(self) -> Json:
        handoff = self.handoff
        items = [self._answer(answer) for answer in handoff.answers]
        items += [self._unanswered(item) for item in handoff.open_items if item.kind == "question"]
        items += [self._set_aside(item) for item in handoff.set_aside]
        response: Json = {
            "resourceType": "QuestionnaireResponse",
            "identifier": [{"system": CALL_SYSTEM, "value": _text(handoff.call_id)}],
            "questionnaire": f"{URN}:pathway:{handoff.pathway_id}|{handoff.pathway_version}",
            "status": self.status(),
            "language": handoff.language,
            "subject": self.patient,
            "author": self.agent,
            **self._dated("authored"),
        }
        return response | ({"item": items} if items else {})

    def status(self) -> str:
        """Never *completed* while anything is open."""
        if self.handoff.complete and not self.handoff.open_items:
            return "completed"
        continued = self.handoff.end_reason in CONTINUED or "callback" in self.handoff.requests
        return "in-progress" if continued else "stopped"

    def _answer(self, answer: AnswerGiven) -> Json:
        marks = [_mark("speaker", "valueCode", answer.speaker.value.replace("_", "-"))]
        if answer.reported_by:
            marks.append(_mark("reported-by", "valueString", _text(answer.reported_by)))
        value = {**self._value(answer), "extension": marks}
        return {"linkId": answer.item_id, "text": _text(answer.question), "answer": [value]}

    def _value(self, answer: AnswerGiven) -> Json:
        question = self.pathway.questions.get(answer.item_id) if self.pathway is not None else None
        kind = question.value_type if question is not None else "yes_no"
        if kind == "yes_no" and answer.value in ("yes", "no"):
            return {"valueBoolean": answer.value == "yes"}
        if kind in ("number", "scale"):
            try:
                number = Decimal(answer.value)
                if number.is_finite():
                    return {"valueDecimal": number}
            except InvalidOperation:
                pass
        if kind == "date":
            try:
                return {"valueDate": date.fromisoformat(answer.value).isoformat()}
            except ValueError:
                pass
        return {"valueString": _text(answer.value)}

    def _unanswered(self, item: OpenItem) -> Json:
        why = "unknown" if item.attempts else "not-asked"
        return {"linkId": item.item_id, "text": _text(item.text), "extension": [_absent(why)]}

    def _set_aside(self, item: SetAside) -> Json:
        why = "asked-declined" if item.how == "declined" else "not-performed"
        return {"linkId": item.item_id, "text": _text(item.text), "extension": [_absent(why)]}

    def _flag(self, flag: RedFlag) -> Json:
        sure = "" if flag.certain else "Not confirmed: "
        return {
            "resourceType": "Flag",
            "status": "active",
            "category": [{"coding": [{"system": FLAG_CATEGORY_SYSTEM, "code": "clinical"}]}],
            "code": {"text": _text(f"{sure}{flag.question} {flag.value}")},
            "subject": self.patient,
            "author": self.agent,
            "extension": [
                _mark("certain", "valueBoolean", flag.certain),
                _mark("speaker", "valueCode", flag.speaker.value.replace("_", "-")),
                *([_mark("escalation", "valueString", _text(flag.escalation))] if flag.escalation else []),
            ],
        }

    def _task(self, item: OpenItem) -> Json:
        what = "Ask" if item.kind == "question" else "Tell"
        task = self._request("open-item", f"{what}: {item.text}", priority=_priority(item))
        task["focus"] = {
            "identifier": {"system": f"{URN}:pathway:{self.handoff.pathway_id}", "value": item.item_id},
            "display": _text(item.text),
        }
        task["reason"] = [
            {"concept": {"coding": [{"system": REASON_SYSTEM, "code": item.reason}], "text": _text(item.detail)}}
        ]
        if item.mistold:
            task["note"] = [{"text": f"The patient was told: {_text(piece.quote)}"} for piece in item.mistold]
        if item.escalation:
            task["requestedPerformer"] = [{"concept": {"text": _text(item.escalation)}}]
        return task

    def _request(self, code: str, what: str, note: str = "", priority: str = "routine") -> Json:
        task: Json = {
            "resourceType": "Task",
            "status": "requested",
            "intent": "proposal",
            "priority": priority,
            "code": {"coding": [{"system": f"{URN}:task", "code": code}]},
            "description": _text(what),
            "for": self.patient,
            "requester": self.agent,
            **self._dated("authoredOn"),
        }
        return task | ({"note": [{"text": _text(note)}]} if note else {})

    def _heard(
        self,
        point: str,
        evidence: tuple[Evidence, ...],
        *,
        exact: str = "",
        stopped: str = "",
        otherwise: tuple[Evidence, ...] = (),
    ) -> Json:
        """Say what was heard of a point: whole, or up to a cut; and what was heard against it before."""
        heard: Json = {
            "resourceType": "Communication",
            "status": "stopped" if stopped else "completed",
            "medium": [{"coding": [{"system": MODE_SYSTEM, "code": "PHONE"}]}],
            "topic": {"text": _text(point)},
            "subject": self.patient,
            "recipient": [self.patient],
            "sender": self.agent,
            "about": [self.response],
            "payload": [{"contentCodeableConcept": {"text": _text(piece.quote)}} for piece in evidence],
        }
        if stopped:
            heard["statusReason"] = {"text": _text(stopped)}
        notes = [f"Told otherwise before: {_text(piece.quote)}" for piece in otherwise]
        if exact == "estimated":
            notes.append("How much was heard is an estimate.")
        return heard | ({"note": [{"text": note} for note in notes]} if notes else {})


def _priority(item: OpenItem) -> str:
    if item.red_flag:
        return "asap"
    return "urgent" if item.critical else "routine"


def _absent(code: str) -> Json:
    return {"url": ABSENT_URL, "valueCode": code}


def _mark(name: str, kind: str, value: str | bool) -> Json:
    return {"url": f"{URN}:fhir:{name}", kind: value}


def _text(text: str) -> str:
    """Fit words to FHIR's string: no control characters, not empty, of bounded length."""
    return _NOT_TEXT.sub(" ", text)[:TEXT_CHARS_MAX].strip() or "-"
