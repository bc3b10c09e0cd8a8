"""How one fact changes what is known of the call as a whole.

Owns the change of `CallRecord`; item records are changed in `ledger`. Every function assumes that `Ledger` has
checked the event: none can fail half way. Each is O(1) in the length of the call (O(items of one utterance) where an
utterance is concerned).
"""

from __future__ import annotations

from obligations.ledger.events import Delivered, Intended, Replied, Started
from obligations.ledger.records import CallRecord, UtteranceRecord
from obligations.pathway.words import words_of

PHRASE = "phrase:"
# Phrases after which the agent waits for somebody, though no question of the pathway was put.
LISTENED_AFTER = frozenset(f"{PHRASE}{name}" for name in ("stopped", "fetch", "still_there", "patient_now"))
# What somebody says of not being the patient; it holds until another person comes.
SOMEBODY_ELSE = "someone_else"
OF_THE_PARTY = frozenset({"fetching", "absent", SOMEBODY_ELSE, "self"})
# "Go on" takes these requests back.
# Requests that only words said again settle.
ASKS = frozenset({"repeat", "who", "hello"})
TAKEN_BACK = frozenset({"stop", "goodbye", "callback"})
# A short remark that asks nothing ("Thank you.") does not take the place of the question before it. Six words: our
# choice.
REMARK_WORDS_MAX = 6


def intended(call: CallRecord, event: Intended) -> None:
    """Note a text handed to the voice."""
    call.utterances[event.utterance_id] = UtteranceRecord(
        id=event.utterance_id,
        text=event.text,
        spans=event.spans,
        intended_at_s=event.at_s,
        counted=event.counted,
    )
    call.in_flight.append(event.utterance_id)
    for span in event.spans:
        if span.id.startswith(PHRASE):
            name = span.id.removeprefix(PHRASE)
            call.phrases_tried[name] = call.phrases_tried.get(name, 0) + 1


def started(call: CallRecord, event: Started, groups: set[str]) -> None:
    """Note the first audible sample: from here on the agent has reacted to the last reply.

    Args:
        call: The record to change.
        event: The fact.
        groups: The FAQ groups this utterance speaks to.
    """
    utterance = call.utterances[event.utterance_id]
    utterance.started, utterance.started_at_s = True, event.at_s
    prompts = any(span.id == f"{PHRASE}still_there" for span in utterance.spans)
    if (call.waiting or prompts) and call.reacted:
        call.silent_prompts += 1
    call.waiting = call.key_due = False
    call.reacted = True
    call.intents_due = ()
    call.faq_due = [group for group in call.faq_due if group not in groups]
    if any(span.id == f"{PHRASE}unanswerable" for span in utterance.spans):
        call.note_due = False


def delivered(call: CallRecord, event: Delivered, questions: set[str]) -> None:
    """Note the end of an utterance and what it leaves the patient to answer.

    Args:
        call: The record to change.
        event: The fact.
        questions: Ids of the pathway's questions.
    """
    utterance = call.utterances[event.utterance_id]
    utterance.ended, utterance.ended_at_s = True, event.at_s
    # What a reply claimed to have heard counts up to what was played and no further.
    utterance.heard_chars = min(max(utterance.heard_chars, event.heard_chars), event.delivered_chars)
    utterance.delivered_chars = event.delivered_chars
    utterance.complete, utterance.interrupted, utterance.exactness = event.complete, event.interrupted, event.exactness
    call.in_flight.remove(event.utterance_id)
    call.last_utterance = event.utterance_id
    heard = utterance.heard_chars
    if heard > 0:
        call.agent_turns += 1
        call.last_heard = event.utterance_id
    for span in utterance.spans:
        if span.id.startswith(PHRASE) and span.end <= heard:
            call.phrases_heard.add(span.id.removeprefix(PHRASE))
            call.who_due = call.who_due and span.id != f"{PHRASE}patient_now"
    begun = [span for span in utterance.spans if span.id in questions and span.start < heard]
    put = (bool(begun) and begun[-1].need_end <= heard) or any(s.id in LISTENED_AFTER for s in utterance.spans)
    if begun:
        call.pending_question, call.pending_utterance = begun[-1].id, event.utterance_id
    elif heard > 0 and not _is_remark(utterance):
        call.pending_question = call.pending_utterance = None
    answered_already = _reply_began_in(call, event.utterance_id)
    if (put or event.interrupted) and not answered_already:
        call.waiting, call.waiting_since_s = True, event.at_s


def asked_for(call: CallRecord, utterance: UtteranceRecord) -> bool:
    """Say whether an utterance repeats on request: it is marked so, or the last reply asked for something."""
    last = call.replies.get(call.last_reply or "")
    asked = last is not None and (last.reply_id in call.faq_replies or bool(ASKS & set(last.intents)))
    return asked or not utterance.counted


def key_pressed(call: CallRecord) -> None:
    """Note a key: somebody is there, and has not answered."""
    call.key_due, call.silent_prompts, call.reacted = True, 0, False
    call.keys += 1


def replied(call: CallRecord, event: Replied) -> None:
    """Note what somebody said; a listening sound changes nothing else."""
    call.replies[event.reply_id] = event
    if event.onset_during is not None and event.heard_chars_at_onset is not None:
        utterance = call.utterances[event.onset_during]
        if not utterance.ended:
            utterance.heard_chars = max(utterance.heard_chars, event.heard_chars_at_onset)
    if event.backchannel:
        return
    if event.holding:
        call.waiting, call.waiting_since_s, call.silent_prompts = True, event.at_s, 0
        return
    call.last_reply, call.key_due = event.reply_id, False
    call.turn += 1
    call.reacted = False
    call.waiting = False
    call.silent_prompts = 0
    call.intents_due = event.intents
    for intent in event.intents:
        first = call.replies.get(call.intents.get(intent, ""))
        if first is None or (first.unconfirmed and not event.unconfirmed):
            call.intents[intent] = event.reply_id
    if SOMEBODY_ELSE in event.intents and SOMEBODY_ELSE not in call.standing:
        call.who_due = True
    elif SOMEBODY_ELSE in call.standing and "hello" in event.intents:
        call.who_due = True  # perhaps another voice has just taken the telephone
    if "go_on" in event.intents:
        call.standing -= TAKEN_BACK
    elif "stop" not in event.intents:
        call.standing.discard("stop")  # whoever says something else has taken the floor, and the agent may go on
    call.standing |= set(event.intents)


def party_changed(call: CallRecord) -> None:
    """Note another person: the greeting is said again, and nothing asked of the one before waits for an answer."""
    call.party_changes += 1
    call.phrases_heard.discard("greeting")
    call.phrases_tried.pop("greeting", None)
    call.standing -= OF_THE_PARTY
    call.who_due = False
    call.pending_question = call.pending_utterance = None
    call.waiting, call.silent_prompts = False, 0


def _is_remark(utterance: UtteranceRecord) -> bool:
    own = any(not span.id.startswith(PHRASE) for span in utterance.spans)
    return not own and "?" not in utterance.text and len(words_of(utterance.heard)) <= REMARK_WORDS_MAX


def _reply_began_in(call: CallRecord, utterance_id: str) -> bool:
    last = call.replies.get(call.last_reply or "")
    return last is not None and last.onset_during == utterance_id
