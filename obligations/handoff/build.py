"""Making the hand-off from a ledger that has ended.

Owns the reasons. Pure: the same ledger always gives the same hand-off, so a restarted worker writes what the first
one would have written.
"""

from __future__ import annotations

from obligations.answers.beside import spoken_instead
from obligations.answers.protocol import ReplySpeaker
from obligations.handoff import models as m
from obligations.ledger import events as ev
from obligations.ledger.ledger import Ledger
from obligations.ledger.records import GivenAnswer, ItemRecord
from obligations.ledger.states import State
from obligations.pathway.emergencies import EMERGENCY

# End reasons that came from outside the conversation.
LINE_DROPPED = frozenset({"hangup", "hang_up", "lost", "crash", "error", "cancelled"})
# What an end by the frame of the call says of every item it left open.
ENDED_BY = {
    "voicemail": "a machine answered",
    "wrong_person": "the wrong person was called",
    "not_available": "the patient could not come to the telephone",
    "not_verified": "nobody said to be the patient",
    "deceased": "told that the patient has died",
    "wants_person": "the patient asked for a person",
    "objected": "the recording or the automated call was refused",
    "callback_requested": "asked to call another time",
    "patient_ended": "asked to end the call",
    "asked_to_stop": "asked to stop",
    "silence": "nobody spoke",
    "hold_limit": "its end could be held no longer",
    "drained": "the server was stopping",
    "too_long": "it had reached its longest time",
}
# Requests that a reader of the hand-off should know of.
_REQUESTS = (
    "person",
    "object",
    "end_call",
    "stop",
    "wrong_person",
    "callback",
    "delegate",
    "refuse",
    "absent",
    "bereaved",
)
OTHER_WORDS_MAX = 50
# How much of a broken-off reply a reason quotes; all of it stands in `other_words`. Our choice.
BROKEN_OFF_CHARS_MAX = 120
# The same of words against a point, all of which stands in `mistold`: an advice and what turns it. Our choice.
MISTOLD_CHARS_MAX = 240


def build_handoff(ledger: Ledger) -> m.Handoff:
    """Say what became of every obligation."""
    call, pathway = ledger.call, ledger.pathway
    records = tuple(ledger.items.values())
    open_items = [_open_item(ledger, record) for record in records if record.owed]
    open_items.sort(key=lambda item: (not item.red_flag, not item.critical))
    return m.Handoff(
        call_id=call.call_id,
        pathway_id=pathway.id,
        pathway_version=pathway.version,
        pathway_title=pathway.title[call.language],
        review=pathway.review,
        language=call.language,
        end_reason=call.end_reason or "not_ended",
        ended_at_s=call.ended_at_s,
        complete=not open_items,
        red_flags=_red_flags(ledger),
        open_items=tuple(open_items),
        answers=tuple(_answer(ledger, r, r.answer) for r in records if r.answer is not None),
        delivered=tuple(_delivered(ledger, r) for r in records if r.state is State.MET),
        set_aside=tuple(_set_aside(ledger, r) for r in records if r.state in (State.DECLINED, State.WAIVED)),
        patient_questions=tuple(m.PatientQuestion(text=q.text, speaker=q.speaker) for q in call.noted),
        requests=tuple(name for name in _REQUESTS if name in call.intents),
        requests_made=tuple(_request(ledger, name) for name in _REQUESTS if name in call.intents),
        transfers=tuple(
            m.Transfer(reason=t.reason, escalation=t.escalation, accepted=t.accepted, detail=t.detail)
            for t in call.transfers
        ),
        other_words=_other_words(ledger),
    )


def _text(ledger: Ledger, record: ItemRecord) -> str:
    return ledger.pathway.items[record.id].wording[ledger.call.language]


def _quote(ledger: Ledger, reply_id: str | None) -> str:
    reply = ledger.call.replies.get(reply_id or "")
    return reply.text if reply is not None else ""


def _request(ledger: Ledger, name: str) -> m.RequestMade:
    reply = ledger.call.replies[ledger.call.intents[name]]
    return m.RequestMade(name=name, quote=reply.text, speaker=reply.speaker)


def _open_item(ledger: Ledger, record: ItemRecord) -> m.OpenItem:
    reason, detail = _reason(ledger, record)
    return m.OpenItem(
        item_id=record.id,
        kind=record.kind,
        text=_text(ledger, record),
        critical=record.critical,
        red_flag=record.red_flag,
        reason=reason,
        detail=detail,
        attempts=record.attempts,
        heard=record.evidence,
        mistold=record.mistold,
        doubtful_value=record.doubted.value if record.doubted is not None else None,
        reported_value=record.reported.value if record.reported is not None else None,
        reported_by=_who(record.reported) if record.reported is not None else None,
        escalation=ledger.pathway.group_by_item[record.id].escalation,
    )


def _reason(ledger: Ledger, record: ItemRecord) -> tuple[m.OpenReason, str]:
    """Find the most telling reason: a false belief left with the patient, their will, doubt, the guard, the rest."""
    if record.misled:
        return "not_as_required", _told_otherwise(ledger, record)
    if record.refused:
        return "declined", "the patient did not want it"
    if record.reported is not None:
        return "third_party_only", f'only {_who(record.reported)} said "{record.reported.value}"'
    if record.doubted is not None:
        return "unconfirmed", f'a doubtful "{record.doubted.value}" was not confirmed'
    happened = _what_happened(ledger, record)
    if record.guard_tries > 0:
        bound = "; its end could be held no longer" if ledger.call.end_reason == "hold_limit" else ""
        return "guard_gave_up", f"{happened[1]}; held the call {record.guard_tries} time(s) for it{bound}"
    if ledger.call.transferred:
        return "transferred", f"{happened[1]}; then a person took the call over"
    if ledger.call.end_reason in LINE_DROPPED:
        return "hang_up", f"{happened[1]}; then the line was dropped ({ledger.call.end_reason})"
    why = ENDED_BY.get(ledger.call.end_reason or "")
    tongue = _other_tongue(ledger)
    if tongue is not None and ledger.call.end_reason == "silence":
        why = f"the patient spoke another language ({tongue})"
    return (happened[0], f"{happened[1]}; the call ended: {why}") if why else happened


def _told_otherwise(ledger: Ledger, record: ItemRecord) -> str:
    """Quote what the listener heard last of it, and say why it was not put right."""
    against = f'"{_tail(record.mistold[-1].quote, MISTOLD_CHARS_MAX)}"'
    told = f"was said, then taken back: {against}" if record.retractions else f"only said otherwise: {against}"
    if record.refused:
        return f"{told}; then the patient did not want to hear it"
    if record.cut_at is not None and record.best_cut:
        told = f'{told}; cut at "{record.best_cut}"'
    if record.guard_tries > 0:
        return f"{told}; held the call {record.guard_tries} time(s) for it"
    why = "a person took the call over" if ledger.call.transferred else ENDED_BY.get(ledger.call.end_reason or "")
    if ledger.call.end_reason in LINE_DROPPED and not ledger.call.transferred:
        why = f"the line was dropped ({ledger.call.end_reason})"
    return f"{told}; the call ended: {why}" if why else told


def _other_tongue(ledger: Ledger) -> str | None:
    """Name the pathway's language that at least half of the replies were in, where it is not the call's own."""
    said = [reply for reply in ledger.call.replies.values() if not reply.backchannel and not reply.holding]
    language = ledger.call.language or ledger.pathway.languages[0]
    found = [spoken_instead(reply.text, language, ledger.pathway.languages) for reply in said]
    others = [tag for tag in found if tag is not None]
    return others[-1] if others and 2 * len(others) >= len(said) else None


def _what_happened(ledger: Ledger, record: ItemRecord) -> tuple[m.OpenReason, str]:
    if record.cut_at is not None and record.best_cut:
        which = "fullest" if record.best_cut_chars else "first"
        again = f" (the {which} of {record.cuts} cuts)" if record.cuts > 1 else ""
        return "cut", f'cut at "{record.best_cut}"{again}'
    if record.cut_at is not None:
        return "cut", "cut before the first word was heard"
    if record.state is State.ASKED:
        begun = [left.text for left in ledger.call.words_left if left.question_id == record.id]
        if begun:
            return "unanswered", f'asked {record.attempts} time(s); the reply broke off at "{_tail(begun[-1])}"'
        tongue = _other_tongue(ledger) if record.unanswered else None
        came = "no answer" if tongue is None else f"answered in another language ({tongue})"
        return "unanswered", f"asked {record.attempts} time(s), {came}"
    return "never_reached", "never reached"


def _tail(text: str, chars_max: int = BROKEN_OFF_CHARS_MAX) -> str:
    """The last words of a text, beginning at a word."""
    return text if len(text) <= chars_max else text[-chars_max:].partition(" ")[2]


def _who(answer: GivenAnswer) -> str:
    return answer.label or "a third party"


def _answer(ledger: Ledger, record: ItemRecord, answer: GivenAnswer) -> m.AnswerGiven:
    confirmed = answer.confirmed_by
    given_in = answer.reply_id
    doubted = record.doubted
    if confirmed == given_in and doubted is not None and doubted.value == answer.value and not answer.reported_by:
        given_in = doubted.reply_id  # the words that were doubted, beside those that confirmed them
    return m.AnswerGiven(
        item_id=record.id,
        question=_text(ledger, record),
        critical=record.critical,
        value=answer.value,
        red_flag=record.red_flag,
        speaker=answer.speaker,
        speaker_label=answer.label,
        inferred=answer.speaker is ReplySpeaker.INFERRED,
        reported_by=answer.reported_by,
        reported_quote=_quote(ledger, record.reported.reply_id) if answer.reported_by and record.reported else None,
        reply_id=given_in,
        quote=_quote(ledger, given_in),
        confirmation_quote=_quote(ledger, confirmed) if confirmed is not None else None,
        asked=record.evidence,
        by=answer.by,
    )


def _delivered(ledger: Ledger, record: ItemRecord) -> m.PointDelivered:
    exact = all(ledger.call.utterances[piece.utterance_id].exactness == "exact" for piece in record.evidence)
    return m.PointDelivered(
        item_id=record.id,
        text=_text(ledger, record),
        critical=record.critical,
        evidence=record.evidence,
        exactness="exact" if exact else "estimated",
        told_again=record.told_again,
        mistold=record.mistold,
    )


def _set_aside(ledger: Ledger, record: ItemRecord) -> m.SetAside:
    declined = record.state is State.DECLINED
    return m.SetAside(
        item_id=record.id,
        text=_text(ledger, record),
        critical=record.critical,
        how="declined" if declined else "waived",
        why="the patient declined to answer" if declined else record.waived,
    )


def _red_flags(ledger: Ledger) -> tuple[m.RedFlag, ...]:
    flags = [
        _emergency(ledger, raised)
        if raised.item_id == EMERGENCY
        else m.RedFlag(
            item_id=raised.item_id,
            question=_text(ledger, ledger.items[raised.item_id]),
            value=raised.value,
            certain=certain,
            speaker=raised.speaker,
            speaker_label=raised.label,
            quote=_flag_quote(ledger, raised),
            escalation=ledger.pathway.group_by_item[raised.item_id].escalation,
        )
        for raised, certain in _best_flags(ledger)
    ]
    return tuple(sorted(flags, key=lambda flag: not flag.certain))


def _best_flags(ledger: Ledger) -> list[tuple[ev.RedFlagRaised, bool]]:
    """One flag an item, the certain one where there is one; a corrected answer keeps its flag, marked not certain."""
    best: dict[str, tuple[ev.RedFlagRaised, bool]] = {}
    for raised in ledger.call.red_flags:
        name = f"{EMERGENCY}.{raised.value}" if raised.item_id == EMERGENCY else raised.item_id
        answer = ledger.items[raised.item_id].answer if raised.item_id != EMERGENCY else None
        certain = raised.certain and answer is not None and answer.value == raised.value
        if name not in best or certain > best[name][1]:
            best[name] = (raised, certain)
    return list(best.values())


def _emergency(ledger: Ledger, raised: ev.RedFlagRaised) -> m.RedFlag:
    """What was told unasked and no question of the pathway asks."""
    return m.RedFlag(
        item_id=f"{EMERGENCY}.{raised.value}",
        question="Told without being asked:",
        value=raised.value.replace("-", " "),
        certain=False,
        speaker=raised.speaker,
        speaker_label=raised.label,
        quote=_flag_quote(ledger, raised),
        escalation=ledger.pathway.emergency_route,
    )


def _flag_quote(ledger: Ledger, raised: ev.RedFlagRaised) -> str:
    return _quote(ledger, raised.reply_id) if raised.reply_id else ledger.call.words_left[-1].text


def _other_words(ledger: Ledger) -> tuple[m.Words, ...]:
    """Replies that are quoted nowhere else in the hand-off, and words cut off by the end."""
    call = ledger.call
    used = {raised.reply_id for raised, _ in _best_flags(ledger)} | {question.reply_id for question in call.noted}
    used |= {call.intents[name] for name in _REQUESTS if name in call.intents}
    used |= {reply_id for reply_id in call.faq_replies if not call.replies[reply_id].told}
    for record in ledger.items.values():
        if record.answer is not None:
            used |= {record.answer.reply_id, record.answer.confirmed_by or ""}
            used |= {record.reported.reply_id} if record.answer.reported_by and record.reported else set()
    unused = [r for r in call.replies.values() if r.reply_id not in used and not r.backchannel and not r.holding]
    words = [
        m.Words(text=reply.text, speaker=reply.speaker, speaker_label=reply.label)
        for reply in unused
        if reply.told or not reply.intents
    ]
    left = [m.Words(text=left.text, speaker=left.speaker, partial=True) for left in call.words_left]
    return (*words[-OTHER_WORDS_MAX:], *left)
