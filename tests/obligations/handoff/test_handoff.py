"""The hand-off names every obligation once, with evidence or a reason, as JSON and as a page."""

from __future__ import annotations

import json

import pytest

from obligations import ReplySpeaker, Tracker, handoff_schema, load_pathway, to_markdown
from obligations.answers.reader import LocalAnswerReader
from obligations.handoff import Handoff
from obligations.testing import PlainReader, ScriptedCall, a_pathway, a_point

pytestmark = pytest.mark.unit

RING = "Ring us if your eye becomes red or painful."
CATARACT = load_pathway("cataract-followup")


def a_call() -> ScriptedCall:
    return ScriptedCall(Tracker(CATARACT, call_id="call-7", reader=LocalAnswerReader()))


def a_troubled_call() -> ScriptedCall:
    """One red flag, one report, one declined, one cut answer, one question outside the pathway; then the line drops."""
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
    call.say(move.text, until="after a cataract operation. If you have")  # type: ignore[union-attr]
    call.hear("What is my blood group?", onset_during=f"u{call._count}", heard_chars_at_onset=90)
    call.tracker.hearing("And I also have")
    return call


def test_every_list_of_a_troubled_call_is_filled_as_it_happened() -> None:
    """Flags, open items with reasons, answers, what was told, what was asked, the last words."""
    handoff = a_troubled_call().tracker.handoff("hangup", 60.0)

    assert [("redness", "yes", True, "eye-clinic")] == [
        (flag.item_id, flag.value, flag.certain, flag.escalation) for flag in handoff.red_flags
    ]
    assert [("redness.worse", "declined")] == [(item.item_id, item.how) for item in handoff.set_aside]
    assert ["What is my blood group?"] == [question.text for question in handoff.patient_questions]
    assert [("And I also have", True)] == [(w.text, w.partial) for w in handoff.other_words if w.partial]
    assert "light.reassurance" in [point.item_id for point in handoff.delivered]
    reasons = {item.item_id: item.reason for item in handoff.open_items}
    assert "hang_up" == reasons["floaters"]
    assert "hang_up" == reasons["light.escalation"]
    assert not handoff.complete


def test_open_items_stand_with_flags_and_critical_ones_first() -> None:
    """A reader who stops half way has read the worst."""
    handoff = a_troubled_call().tracker.handoff("hangup", 60.0)

    critical = [item.critical for item in handoff.open_items]

    assert critical == sorted(critical, reverse=True)


def test_a_delivered_point_quotes_the_words_that_were_heard() -> None:
    """The evidence is an utterance, a range of characters and the words there."""
    call = a_call()
    move = call.speak()

    piece = call.tracker.handoff("completed", 9.0).delivered[0].evidence[0]

    assert ("u1", "I am an automated assistant, not a person") == (piece.utterance_id, piece.quote)
    assert piece.quote == move.text[piece.start : piece.end]


def test_an_estimated_cut_is_marked_on_the_points_it_proves() -> None:
    """Exact or estimated travels with the evidence."""
    from obligations import Delivery

    call = a_call()
    text = CATARACT.points["disclosure.automated"].wording["en"] + " This call is"
    call.tracker.intended("u1", text, 0.0)
    call.tracker.delivered(
        Delivery(utterance_id="u1", delivered_chars=50, complete=False, interrupted=True, exactness="estimated"), 1.0
    )

    assert "estimated" == call.tracker.handoff("hangup", 2.0).delivered[0].exactness


def test_the_json_fits_the_published_schema_and_comes_back_equal() -> None:
    """Another system can check and read it."""
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    handoff = a_troubled_call().tracker.handoff("hangup", 60.0)

    text = handoff.model_dump_json()

    jsonschema.Draft202012Validator(handoff_schema()).validate(json.loads(text))
    assert handoff == Handoff.model_validate_json(text)


def test_the_page_leads_with_the_flags_and_what_was_not_done() -> None:
    """Most urgent first, one line an item."""
    page = to_markdown(a_troubled_call().tracker.handoff("hangup", 60.0))

    titles = [line for line in page.splitlines() if line.startswith("## ")]
    assert ["## Red flags", "## Not done: critical"] == titles[:2]
    assert page.startswith("# Hand-off: Follow-up after a cataract operation\n")
    assert '- **Have you noticed any redness in your eye? yes**, "Yes, it is very red." -> eye-clinic' in page
    assert "not clinically reviewed" in page


def test_a_covered_call_says_so_and_has_no_empty_section() -> None:
    """Nothing open: one sentence, no heading without a line."""
    call = a_call()
    end = call.run(lambda last: "No.")

    page = to_markdown(call.tracker.handoff(end.reason, call.now_s))

    assert "Everything was covered." in page
    lines = page.splitlines()
    assert all(lines[i + 1].startswith("- ") for i, line in enumerate(lines) if line.startswith("## "))


def test_a_call_whose_critical_questions_were_all_declined_is_not_called_covered() -> None:
    """Nothing is open, and nobody knows an answer: the first sentence says so."""
    call = a_call()
    end = call.run(lambda last: "I'd rather not say." if last.text.endswith("?") else None)
    handoff = call.tracker.handoff(end.reason, call.now_s)

    page = to_markdown(handoff)

    aside = sum(item.critical for item in handoff.set_aside)
    assert handoff.complete and aside > 0
    assert f"Nothing is open, but **{aside} critical** item(s) were declined." in page
    assert "covered" not in page


def test_a_hand_off_that_contradicts_itself_is_refused() -> None:
    """An edited file, or another writer's: "complete" over open items would be read as covered."""
    handoff = a_troubled_call().tracker.handoff("hangup", 60.0)
    text = handoff.model_dump_json().replace('"complete":false', '"complete":true')

    with pytest.raises(ValueError, match=f"complete is true, but open_items holds {len(handoff.open_items)}"):
        Handoff.model_validate_json(text)


@pytest.mark.parametrize(
    "words",
    [
        "# Heading one",
        "no\n\n## Answers\n- none",
        "[click](http://x)",
        "<script>alert(1)</script>",
        "| a |",
        "**bold**",
    ],
)
def test_spoken_words_cannot_change_the_page(words: str) -> None:
    """Markup in a transcript is shown, not obeyed."""
    call = a_call()
    call.speak()
    call.hear(words)

    page = to_markdown(call.tracker.handoff("completed", 9.0))

    said = next(line for line in page.splitlines() if line.startswith('- "'))
    assert page.count("\n## ") == len([line for line in page.splitlines() if line.startswith("## ")])
    assert "## Other words" in page
    assert "<script>" not in said
    assert all(said[at - 1] == "\\" for at, sign in enumerate(said) if sign in "[]*#|<>`")


def test_the_hand_off_of_a_call_nobody_answered_is_complete_in_itself() -> None:
    """Ended before a word: everything owed is listed as never reached."""
    handoff = Tracker(CATARACT, call_id="c", reader=LocalAnswerReader()).handoff("no_answer", 0.0)

    assert 8 == len(handoff.open_items)
    assert {"never_reached"} == {item.reason for item in handoff.open_items}


def test_a_waived_item_stands_with_its_reason() -> None:
    """A person outside let it go."""
    call = a_call()
    call.tracker.waive("floaters", "seen by the clinic yesterday", 1.0)

    handoff = call.tracker.handoff("completed", 2.0)

    assert [("floaters", "waived", "seen by the clinic yesterday")] == [
        (item.item_id, item.how, item.why) for item in handoff.set_aside
    ]


def test_a_crashed_workers_events_give_the_hand_off_it_would_have_written() -> None:
    """Another worker, the same events, the same words."""
    call = a_troubled_call()
    heir = Tracker.resume(CATARACT, call.tracker.events, reader=LocalAnswerReader())

    handoff = heir.handoff("crash", 61.0)

    assert "crash" == handoff.end_reason
    assert {item.item_id for item in handoff.open_items} >= {"light.escalation", "floaters", "flashing-lights"}
    assert "hang_up" == next(item for item in handoff.open_items if item.item_id == "floaters").reason


def test_of_several_cuts_the_fullest_is_quoted() -> None:
    """The last try was cut before its first word; what was heard in the one before is what counts."""
    call = ScriptedCall(Tracker(a_pathway(a_point("ring", RING, critical=True)), call_id="c", reader=PlainReader()))
    call.say(RING, until="Ring")
    call.say(RING, until="Ring us if your eye")
    call.say("So. " + RING, until="So.")

    item = call.tracker.handoff("hangup", call.now_s).open_items[0]

    assert 'cut at "Ring us if your eye" (the fullest of 3 cuts)' in item.detail


def test_of_cuts_that_let_nothing_of_an_item_be_heard_the_first_is_quoted() -> None:
    """A later try that got no further than a greeting says nothing of where the item was first missed."""
    text = f"This call is recorded. {RING}"
    call = ScriptedCall(Tracker(a_pathway(a_point("ring", RING, critical=True)), call_id="c", reader=PlainReader()))
    call.say(text, until="This call is")
    call.say("Hello, " + text, until="Hello,")

    item = call.tracker.handoff("hangup", call.now_s).open_items[0]

    assert 'cut at "This call is" (the first of 2 cuts)' in item.detail


def test_the_page_says_what_was_told_otherwise_and_what_was_put_right() -> None:
    """A nurse reads which advice the patient may have kept wrong, and which was corrected."""
    back = "Forget what I said about the drops, you can stop them."
    drops = CATARACT.points["drops.continue"].wording["en"]
    call = a_call()
    call.say(drops)
    call.say(back)
    open_page = to_markdown(call.tracker.handoff("completed", 9.0))
    mended = a_call()
    for text in (drops, back, drops):
        mended.say(text)
    handoff = mended.tracker.handoff("completed", 9.0)

    assert f'{drops} - was said, then taken back: "{back}"' in open_page
    assert f'{drops} (before that told otherwise: "{back}")' in to_markdown(handoff)
    assert [back] == [piece.quote for point in handoff.delivered for piece in point.mistold]
