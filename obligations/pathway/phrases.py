"""The sentences around the items: what each is for, and the bundled ones a pathway may leave out.

Owns no item's wording.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

from obligations.pathway.base import Line, Model
from obligations.pathway.yaml_lines import read_yaml

PHRASES_FILE = "phrases.yaml"
LATER_PHRASES = ("correction", "patient_now")
"""Phrases that came after calls had been kept: a call kept before is read all the same (see `Pathway.digest`)."""
DATA = resources.files("obligations.pathway") / "data"


class Acknowledgements(Model):
    """Short approved reactions; none reassures, because a reaction is not advice."""

    neutral: Line
    after_yes: Line | None = None
    after_no: Line | None = None
    after_question: Line | None = None
    after_interruption: Line | None = None

    def pick(self, tag: str) -> str:
        """Take the reaction for a tag such as "after_yes", or the neutral one."""
        return getattr(self, tag, None) or self.neutral

    def texts(self) -> tuple[str, ...]:
        """Give every reaction there is."""
        given = (self.neutral, self.after_yes, self.after_no, self.after_question, self.after_interruption)
        return tuple(dict.fromkeys(text for text in given if text is not None))


class Phrases(Model):
    """The approved sentences around the items, in one language.

    Parameters:
        greeting: Opens the call.
        goodbye: Ends it.
        acknowledgements: Reactions to a reply.
        unanswerable: Said to a patient's question outside the pathway.
        return_point: Leads back to content that was cut.
        correction: Leads back to content that was told otherwise, or taken back; `return_point` when absent.
        return_question: Leads back to a question that was cut or not answered.
        guard: Leads in the item the guard speaks before the call may end.
        confirm: Leads in the one confirmation of a doubtful answer.
        confirm_report: Leads in the question to the patient after somebody else answered.
        repeat: Leads in a repetition the patient asked for.
        stopped: Said after "stop", before listening.
        person: Said to "I want a person".
        emergency: Said once when an emergency is told that no question asks about; `person` when absent.
        wrong_person: Said to a wrong number.
        silence: Said before ending a call in which nobody speaks.
        farewell: Ends a call early; `goodbye` when absent, like the next five.
        call_back: Ends a call that is to be made again.
        objected: Said when the recording or the automated call is refused.
        fetch: Asks somebody else to bring the patient; when absent they are told that the wrong person was called.
        wait: Said while they do.
        bereaved: Said when the patient has died.
        transfer: Said before the call is put through to a person.
        not_transferred: Said when that failed.
        still_there: Said into a silence when no question waits.
        patient_now: Asked once of somebody who has said not to be the patient; not asked when absent.
        words_please: Said when a key was pressed instead of an answer; the question is then put again.
        voicemail: The only thing ever said to a machine; nothing when absent.
    """

    greeting: Line
    goodbye: Line
    acknowledgements: Acknowledgements
    unanswerable: Line
    return_point: Line
    return_question: Line
    guard: Line
    confirm: Line
    confirm_report: Line
    repeat: Line
    stopped: Line
    person: Line
    wrong_person: Line
    silence: Line
    correction: Line | None = None
    emergency: Line | None = None
    farewell: Line | None = None
    call_back: Line | None = None
    objected: Line | None = None
    fetch: Line | None = None
    wait: Line | None = None
    bereaved: Line | None = None
    transfer: Line | None = None
    not_transferred: Line | None = None
    still_there: Line | None = None
    patient_now: Line | None = None
    words_please: Line | None = None
    voicemail: Line | None = None


def default_phrases(language: str) -> dict[str, Any]:
    """Give the bundled sentences of a language; empty when there are none, so that a pathway must give them all."""
    return dict(_all().get(language, {}))


@cache
def _all() -> dict[str, dict[str, Any]]:
    data: dict[str, dict[str, Any]] = read_yaml((DATA / PHRASES_FILE).read_text(encoding="utf-8"))[0]
    return data
