"""A recorded call goes through the live classifiers and ledger: what is typed, what counts, what is lost."""

from __future__ import annotations

import pytest

from obligations.pathway import Pathway, load_pathway
from pipecat_interrupt.replay.found import obligation_rows, result_of
from pipecat_interrupt.replay.settings import ReplaySettings
from pipecat_interrupt.replay.values import Piece, Word

from .calls import at_word, call, piece, replayed

pytestmark = pytest.mark.unit

ESCALATION = "If you have severe pain that does not go away, or you lose vision, contact the hospital at once."
REDNESS = "Have you noticed any redness in your eye?"
FLOATERS = "Have you seen any new floaters, such as dots or threads?"


@pytest.fixture(scope="module")
def pathway() -> Pathway:
    return load_pathway("cataract-followup")


def _outcome(done: object, item_id: str) -> tuple[str, str]:
    row = next(r for r in obligation_rows(done.tracker) if r.id == item_id)  # pyright: ignore[reportAttributeAccessIssue]
    return row.state, row.outcome


@pytest.mark.parametrize(
    ("agent", "at", "far", "kind", "verdict"),
    [
        (
            "So are you feeling any pain in your eye. Or is it feeling pretty comfortable?",
            9,
            "no",
            "transitional_sub_unit",
            "answer",
        ),
        (
            "So are you feeling any kind of pain in your eye or around it these days?",
            6,
            "no not really",
            "recognitional",
            "answer",
        ),
        (
            "I will now explain what happens at the clinic next week on Monday.",
            6,
            "wait I cannot come then",
            "competitive",
            "stop_request",
        ),
        (
            "I will now explain what happens at the clinic next week on Monday.",
            6,
            "mm-hmm",
            "recognitional",
            "backchannel",
        ),
        ("I will now explain what happens at the clinic next week on Monday.", 11, "okay", None, "backchannel"),
    ],
)
def test_an_overlap_is_typed_as_the_live_path_types_it(
    agent: str, at: int, far: str, kind: str | None, verdict: str
) -> None:
    """Kind from the place in the agent's words, verdict from the far end's words."""
    done = replayed([piece(0.0, agent)], [piece(at_word(0.0, at) + 0.05, far)])

    assert [(r.fact.kind, r.fact.verdict) for r in done.reports] == [(kind, verdict)]


def test_a_reply_in_silence_is_no_overlap_and_answers_the_question(pathway: Pathway) -> None:
    """The agent asks, is silent, and is answered."""
    done = replayed([piece(0.0, REDNESS)], [piece(3.0, "No, it is not red.")], pathway=pathway)

    assert done.reports == []
    assert _outcome(done, "redness") == ("answered", "closed")


def test_a_listening_sound_moves_nothing(pathway: Pathway) -> None:
    """Mm-hmm over a question is no answer to it."""
    done = replayed([piece(0.0, REDNESS)], [piece(at_word(0.0, 3), "mm-hmm")], pathway=pathway)

    assert _outcome(done, "redness") == ("asked", "unanswered")
    assert [(line.text, line.counted) for line in done.lines] == [("mm-hmm", False)]


def test_an_answer_before_the_focus_answers_nothing(pathway: Pathway) -> None:
    """Cut at "Have you", a "no" ticks no question, in a recording as in a live call."""
    done = replayed([piece(0.0, "Have you seen", intended=FLOATERS)], [piece(0.7, "No.")], pathway=pathway)

    assert _outcome(done, "floaters") == ("open", "lost")


def test_advice_that_was_cut_is_lost_and_says_where(pathway: Pathway) -> None:
    """The words that were meant are known, and half of them were said."""
    said = "If you have severe pain"
    done = replayed([piece(0.0, said, intended=ESCALATION)], [piece(1.2, "Sorry, when can I drive?")], pathway=pathway)

    row = next(r for r in obligation_rows(done.tracker) if r.id == "light.escalation")
    assert (row.outcome, row.begun) == ("lost", True)
    assert done.records[0].delivered == said
    assert done.records[0].end_reason == "interruption"
    assert done.records[0].overlap is not None
    assert done.records[0].overlap.verdict == "question"


def test_what_was_meant_is_inferred_from_the_pathway_where_the_agent_broke_off(pathway: Pathway) -> None:
    """Nobody wrote down what was intended; the pathway's own wording tells."""
    done = replayed([piece(0.0, "If you have severe pain")], [piece(1.2, "When can I drive?")], pathway=pathway)

    assert done.records[0].intended == ESCALATION
    assert done.records[0].cut is not None
    assert done.records[0].cut.exactness == "estimated"
    assert "intended_inferred" in [note.code for note in done.notes]


def test_nothing_is_inferred_when_the_setting_says_so(pathway: Pathway) -> None:
    """Then an utterance is what was said of it."""
    off = ReplaySettings(infer_intended=False)
    done = replayed([piece(0.0, "If you have severe pain")], [piece(9.0, "Hello?")], pathway=pathway, settings=off)

    assert done.records[0].intended == "If you have severe pain"


def test_a_hold_in_the_middle_of_a_wording_is_not_a_cut(pathway: Pathway) -> None:
    """The agent was held for a listening sound and went on: one utterance, heard whole."""
    first, rest = "If you have severe pain", "that does not go away, or you lose vision, contact the hospital at once."
    done = replayed([piece(0.0, first), piece(3.0, rest)], [piece(1.6, "Mm-hmm.")], pathway=pathway)

    assert [record.intended for record in done.records] == [ESCALATION]
    assert _outcome(done, "light.escalation") == ("met", "closed")


def test_a_guessed_last_word_is_no_evidence(pathway: Pathway) -> None:
    """A recogniser makes half a word whole: the last word before a cut does not count as heard."""
    said = "Have you noticed any redness"
    heard = replayed([piece(0.0, said, intended=REDNESS)], [piece(1.4, "No.")], pathway=pathway)
    guessed = replayed([piece(0.0, said, intended=REDNESS, recognised=True)], [piece(5.0, "No.")], pathway=pathway)

    assert heard.tracker is not None
    assert guessed.tracker is not None
    assert heard.tracker.ledger.call.utterances["u1"].heard_chars == len(said)
    assert guessed.tracker.ledger.call.utterances["u1"].heard_chars == len(said) - len("redness")


def test_a_misheard_question_is_read_as_the_pathways_own(pathway: Pathway) -> None:
    """A recogniser writes one long word wrongly; the question was asked all the same."""
    heard = FLOATERS.replace("threads", "thread's").replace("floaters", "floeters")
    done = replayed([piece(0.0, heard, recognised=True)], [piece(5.0, "No, none.")], pathway=pathway)

    assert _outcome(done, "floaters") == ("answered", "closed")


@pytest.mark.parametrize(
    "heard",
    [
        "Have you not noticed any redness in your eye?",
        "Have you noticed any blindness in your eye?",
        "You noticed something in your eye?",
    ],
)
def test_what_changes_a_question_is_never_forgiven(pathway: Pathway, heard: str) -> None:
    """A negation, another word of weight, or half the words missing: the text stays as it was recognised."""
    done = replayed([piece(0.0, heard, recognised=True)], [piece(5.0, "No.")], pathway=pathway)

    assert done.records[0].intended == heard


def test_the_agent_coming_in_over_the_patient_is_told_apart() -> None:
    """Seed 000's kinds are the patient's; the agent's own overlap is listed by itself."""
    done = replayed([piece(1.0, "And do you smoke?")], [piece(0.0, "I have had it for two weeks now.")])

    result = result_of(done)
    assert result.overlaps == ()
    assert [(row.onset_s, row.utterance_id) for row in result.agent_overlaps] == [(1.0, "u1")]


def test_two_overlaps_of_one_utterance_are_two() -> None:
    """A second voice over the same utterance is an overlap of its own, whatever the first one was."""
    agent = piece(
        0.0, "I will now explain in detail what happens at the clinic next week on Monday and on Tuesday too."
    )
    done = replayed([agent], [piece(1.0, "wait I cannot come"), piece(4.2, "mm-hmm")])

    assert [r.fact.verdict for r in done.reports] == ["stop_request", "backchannel"]


def test_a_broken_off_utterance_of_unknown_rest_is_not_taken_for_an_ended_one() -> None:
    """The transcriber's dash says that more was to come, so the last word is no end of a turn."""
    done = replayed([piece(0.0, "just to clarify, when exactly did you-")], [piece(1.7, "I didn't say I've")])

    assert [r.fact.kind for r in done.reports] == ["competitive"]
    assert done.records[0].llm_complete is False


def test_the_same_call_gives_the_same_result_twice(pathway: Pathway) -> None:
    """No clock and no chance in it."""
    agent = [piece(0.0, REDNESS), piece(6.0, ESCALATION)]
    far = [piece(3.0, "No."), piece(8.0, "Okay.")]

    first, second = (result_of(replayed(agent, far, pathway=pathway)) for _ in range(2))

    assert first.model_dump_json() == second.model_dump_json()


def test_a_call_without_a_pathway_has_overlaps_and_no_obligations() -> None:
    """The ledger is optional."""
    done = replayed([piece(0.0, "Hello there, this is the clinic calling.")], [piece(0.7, "Hello?")])

    assert done.tracker is None
    assert result_of(done).obligations == ()
    assert len(done.reports) == 1


def test_every_far_word_stands_in_one_line(pathway: Pathway) -> None:
    """Nothing that was said over the line disappears from the account."""
    far = [piece(0.5, "Hello?"), piece(3.0, "No, not red."), piece(5.2, "Well"), piece(6.0, "maybe a little")]
    done = replayed([piece(0.0, REDNESS), piece(4.8, "Good, then we can go on with the next one now.")], far)

    told = " ".join(line.text for line in done.lines)
    assert all(word.text in told for p in far for word in p.words)
    assert call([piece(0.0, "a")], far).duration_s > 0


def test_a_critical_point_in_free_words_stays_open_without_a_licence(pathway: Pathway) -> None:
    """A likeness never closes what would be a hazard to lose."""
    asked = piece(0.0, "Is it normal that bright light bothers me?")
    free = "When you have strong pain which stays, or your sight goes, you must ring the hospital immediately."
    done = replayed([piece(4.0, free)], [asked], pathway=pathway)

    assert _outcome(done, "light.escalation")[1] == "lost"


@pytest.mark.parametrize(("last_s", "outcome"), [(0.4, "unanswered"), (0.1, "lost")])
def test_a_last_word_that_sounds_too_short_under_another_voice_was_made_whole(
    pathway: Pathway, last_s: float, outcome: str
) -> None:
    """A recogniser completes "ey-" to "eye"; its sound is shorter than the agent's pace, so the focus was not heard."""
    whole = piece(0.0, "Do you have any pain in your eye?", recognised=True)
    last = whole.words[-1]
    said = Piece((*whole.words[:-1], Word(last.text, last.start_s, last.start_s + last_s)), recognised=True)

    done = replayed([said], [piece(last.start_s - 0.05, "sorry there is somebody at the door")], pathway=pathway)

    assert _outcome(done, "pain")[1] == outcome
