"""The hand-off as a page a nurse reads in half a minute: flags, what is open, what was said, the rest.

Owns the order and the words of that page. Everything on it comes from the hand-off.
"""

from __future__ import annotations

from collections.abc import Iterable

from obligations.handoff.models import AnswerGiven, Handoff, OpenItem, PointDelivered, RedFlag, SetAside, Transfer


def to_markdown(handoff: Handoff) -> str:
    """Write the page: most urgent first, one line an item, no empty section."""
    head = [
        f"# Hand-off: {_safe(handoff.pathway_title)}",
        "",
        f"Call {_safe(handoff.call_id)} ended: **{_safe(handoff.end_reason.replace('_', ' '))}**. {_verdict(handoff)}",
    ]
    sections = (
        ("Red flags", (_flag(flag) for flag in handoff.red_flags)),
        ("Not done: critical", (_open(item) for item in handoff.open_items if item.critical)),
        ("Not done: other", (_open(item) for item in handoff.open_items if not item.critical)),
        ("Answers", (_answer(answer) for answer in handoff.answers)),
        ("Declined or waived", (f"{_safe(item.text)} - {_safe(item.why)}" for item in handoff.set_aside)),
        ("The patient asked (not answered)", (f'"{_safe(q.text)}"' for q in handoff.patient_questions)),
        ("Requests", (f'{made.name.replace("_", " ")}: "{_safe(made.quote)}"' for made in handoff.requests_made)),
        ("Put through to a person", (_transfer(tried) for tried in handoff.transfers)),
        ("Told and heard", (_told(point) for point in handoff.delivered)),
        ("Other words", (_words(w.text, w.partial, w.speaker_label) for w in handoff.other_words)),
    )
    lines = list(head)
    for title, rows in sections:
        lines += _section(title, rows)
    if handoff.parts > 1:
        lines += ["", f"_Joined from {handoff.parts} parts: the call was begun anew while its store was away._"]
    lines += ["", f"_Pathway {handoff.pathway_id} {handoff.pathway_version}, {handoff.review.replace('_', ' ')}._", ""]
    return "\n".join(lines)


def _verdict(handoff: Handoff) -> str:
    if handoff.complete:
        flags = "; the red flags come first" if handoff.red_flags else ""
        aside = [item for item in handoff.set_aside if item.critical]
        if aside:  # closed, and yet nobody knows: no page may begin with a "covered" over it
            return f"Nothing is open, but **{len(aside)} critical** item(s) were {_how(aside)}{flags}."
        return f"Everything was covered{flags}."
    critical = sum(item.critical for item in handoff.open_items)
    return f"**{critical} critical** and {len(handoff.open_items) - critical} other item(s) are open."


def _how(items: list[SetAside]) -> str:
    return " or ".join(sorted({item.how for item in items}))


def _section(title: str, rows: Iterable[str]) -> list[str]:
    items = [f"- {row}" for row in rows]
    return ["", f"## {title}", *items] if items else []


def _flag(flag: RedFlag) -> str:
    sure = "" if flag.certain else " (NOT CONFIRMED)"
    to = f" -> {flag.escalation}" if flag.escalation else ""
    return f'**{_safe(flag.question)} {_safe(flag.value)}**{sure}, "{_safe(flag.quote)}"{to}'


def _open(item: OpenItem) -> str:
    return f"{_safe(item.text)} - {_safe(item.detail)}"


def _told(point: PointDelivered) -> str:
    otherwise = f' (before that told otherwise: "{_safe(point.mistold[-1].quote)}")' if point.mistold else ""
    return f"{_safe(point.text)}{otherwise}"


def _answer(answer: AnswerGiven) -> str:
    marks = [
        "RED FLAG" if answer.red_flag else "",
        "speaker inferred" if answer.inferred else "",
        f"reported by {_safe(answer.reported_by)}, confirmed by the patient" if answer.reported_by else "",
        f"answered by {_safe(answer.speaker_label) or 'a third party'}" if answer.speaker == "third_party" else "",
    ]
    shown = "; ".join(mark for mark in marks if mark)
    return f"{_safe(answer.question)} **{_safe(answer.value)}**" + (f" ({shown})" if shown else "")


def _transfer(tried: Transfer) -> str:
    to = tried.escalation or "the team"
    came = "the carrier took it" if tried.accepted else f"FAILED ({_safe(tried.detail) or 'no reason given'})"
    return f"{tried.reason.replace('_', ' ')} -> {to}: {came}"


def _words(text: str, partial: bool, label: str) -> str:
    who = f"{_safe(label)}: " if label else ""
    return f'{who}"{_safe(text)}"' + (" (unfinished)" if partial else "")


def _safe(text: str) -> str:
    """Keep spoken words from changing the page: one line, no markup."""
    line = " ".join(text.split())
    for sign in ("\\", "`", "*", "_", "[", "]", "<", ">", "#", "|"):
        line = line.replace(sign, f"\\{sign}")
    return line
