"""Turns the lines of a view into what the templates loop over: labels, marks for the filters, classes.

Owns the words a reader sees for speakers, and which line counts as a cut, a gate decision or an open obligation.
"""

from __future__ import annotations

from dataclasses import dataclass

from pipecat_interrupt.page.fold import line_start_s
from pipecat_interrupt.page.view import PATIENT_VOICES, AgentLine, CallView, Line, PatientLine
from pipecat_interrupt.page.words import PlacedWord, place_words


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the transcript, ready for a template.

    Parameters:
        sort: "agent", "patient", "other" or "decision".
        who: For the speaker filter: agent, patient, other, or "none" for what the middleware decided.
        marks: For the other filter: cut, decision, open.
        cut_number: From 1; 0 when it was not cut.
    """

    id: str
    line: Line
    sort: str
    who: str
    label: str
    start_s: float
    end_s: float
    words: tuple[PlacedWord, ...] = ()
    marks: tuple[str, ...] = ()
    cut_number: int = 0
    trouble: bool = False

    @property
    def classes(self) -> str:
        """CSS classes; made of our own words only."""
        return " ".join((self.sort, *(("cut",) if self.cut_number else ()), *(("trouble",) if self.trouble else ())))


def rows_of(view: CallView) -> list[Row]:
    """Give every line of a view, in order."""
    owed = {o.id for o in view.owed}
    rows: list[Row] = []
    cuts = 0
    for number, line in enumerate(view.lines, start=1):
        about_open = ("open",) if owed & set(line.item_ids) else ()
        start_s, row_id = line_start_s(line), f"l{number}"
        if isinstance(line, AgentLine):
            cuts += line.cut is not None
            is_decision = line.cut is not None and line.cut.by is not None
            marks = (*(("cut",) if line.cut else ()), *(("decision",) if is_decision else ()), *about_open)
            end_s = line.end_s if line.end_s is not None else view.now_s
            words = place_words(line, view.holds)
            cut_number = cuts if line.cut else 0
            rows.append(Row(row_id, line, "agent", "agent", "agent", start_s, end_s, words, marks, cut_number))
        elif isinstance(line, PatientLine):
            sort = "patient" if line.speaker in PATIENT_VOICES else "other"
            marks = (*(("decision",) if line.verdict or line.voice else ()), *about_open)
            rows.append(Row(row_id, line, sort, sort, speaker_label(line.speaker), start_s, line.at_s, (), marks))
        else:
            marks = (*(("decision",) if line.of in ("gate", "overlap") else ()), *about_open)
            label = {"gate": "gate", "overlap": "overlap", "steering": "steering", "trouble": "trouble"}[line.of]
            trouble = line.of == "trouble"
            rows.append(Row(row_id, line, "decision", "none", label, start_s, start_s, (), marks, trouble=trouble))
    return rows


def speaker_label(speaker: str) -> str:
    """Name a voice for a reader: the patient's voices by one name, doubt kept in sight."""
    if speaker in ("primary", "inferred", "assumed"):
        return "patient"
    if speaker in ("unsure", "confirm"):
        return "patient?"
    return speaker.replace("_", " ")
