"""The overlap state machine: scripts of events, then the actions, with literal times."""

from __future__ import annotations

import pytest

from pipecat_interrupt.overlap.actions import Forward, Report, StartTurn
from pipecat_interrupt.overlap.evidence import Speaker
from pipecat_interrupt.overlap.moves import HOLDS_MAX
from pipecat_interrupt.overlap.session import TEXTS_MAX

from .session_script import ASKED, SILENT, SPEAKING, named, said, session

pytestmark = pytest.mark.unit


def test_voice_over_a_silent_agent_starts_the_turn_at_once() -> None:
    """There is no floor to be taken."""
    assert ["start turn"] == named(session().voice_started(1.0, 0.8, SILENT))


def test_voice_over_the_agent_is_reported_and_held_before_anything_is_judged() -> None:
    """Fact before verdict."""
    assert ["report undecided None", "hold"] == named(session().voice_started(1.0, 0.8, SPEAKING))


def test_a_short_backchannel_lets_the_agent_go_on_before_its_text_is_known() -> None:
    """The provisional resume, then the text confirms it."""
    s = session()
    s.voice_started(1.0, 0.8, SPEAKING)

    at_stop = s.voice_stopped(1.5, SPEAKING)
    at_text = s.text(2.3, said(1, "Mm-hmm."), SPEAKING)

    assert ["resume"] == named(at_stop)
    assert ["report backchannel False", "refuse Mm-hmm. as backchannel"] == named(at_text)
    assert not s.open_overlap


def test_text_may_still_cut_after_a_provisional_resume() -> None:
    """A "stop" is as short as "mm-hmm"; its text cuts."""
    s = session()
    s.voice_started(1.0, 0.8, SPEAKING)
    s.voice_stopped(1.4, SPEAKING)

    at_text = s.text(2.1, said(1, "Stop."), SPEAKING)

    assert ["report stop_request True", "start turn", "forward Stop."] == named(at_text)


def test_an_open_question_waits_for_the_text() -> None:
    """A "no" and an "mm-hmm" have the same length."""
    s = session()
    s.voice_started(1.0, 0.8, ASKED)

    assert [] == named(s.voice_stopped(1.4, ASKED))
    assert ["report answer True", "start turn", "forward No."] == named(s.text(2.2, said(1, "No."), ASKED))


def test_voice_that_goes_on_takes_the_floor_without_text_and_the_text_names_it_later() -> None:
    """0.8 s after the hold; the words of the open turn revise the report and pass on."""
    s = session()
    s.voice_started(1.0, 0.8, SPEAKING)

    assert 1.8 == pytest.approx(s.deadline_s or 0)
    assert [] == s.tick(1.7)
    assert ["report undecided True", "start turn"] == named(s.tick(1.8))
    assert ["report question True", "forward Can I drive?"] == named(s.text(3.0, said(1, "Can I drive?"), SILENT))


def test_a_pause_inside_an_interruption_makes_one_stutter_and_no_more() -> None:
    """In "Wait, sorry, [pause] can you ...": held, let go after the linger, held again, then the verdict decides."""
    s = session()

    held = named(s.voice_started(1.0, 0.8, SPEAKING))
    paused = named(s.voice_stopped(1.7, SPEAKING))
    lingered = named(s.tick(2.2))
    again = named(s.voice_started(2.4, 2.2, SPEAKING))
    second_pause = named(s.voice_stopped(2.7, SPEAKING))
    third_voice = named(s.voice_started(2.9, 2.8, SPEAKING))

    assert ["report undecided None", "hold"] == held
    assert [] == paused
    assert ["resume"] == lingered
    assert ["hold"] == again
    assert [] == second_pause
    assert [] == third_voice
    assert 2 == HOLDS_MAX


def test_an_early_pause_of_a_longer_stretch_is_held_through() -> None:
    """Speech of 0.6 s and more lingers 0.5 s: new voice within it causes no stutter at all."""
    s = session()
    s.voice_started(1.0, 0.8, SPEAKING)
    s.voice_stopped(1.7, SPEAKING)

    assert [] == named(s.voice_started(2.0, 1.9, SPEAKING))
    assert ["report undecided True", "start turn"] == named(s.tick(2.8))


def test_a_segment_without_text_is_noise() -> None:
    """D08 a: a cough resumes, and is so named."""
    s = session()
    s.voice_started(1.0, 0.8, ASKED)
    s.voice_stopped(1.3, ASKED)

    assert ["resume", "report noise False"] == named(s.segment_empty(1.9, ASKED))


def test_an_empty_final_keeps_the_unconfirmed_words() -> None:
    """D08 b: the interim words are forwarded, marked."""
    s = session()
    s.voice_started(1.0, 0.8, SILENT)
    s.text(1.5, said(1, "yes I do", final=False), SILENT)
    s.voice_stopped(1.8, SILENT)

    actions = s.text(2.0, said(2, ""), SILENT)

    assert ["forward yes I do"] == named(actions)
    assert isinstance(actions[0], Forward) and actions[0].text.low_certainty


def test_texts_of_two_stretches_are_judged_together() -> None:
    """First "okay." and, after a breath, "but I am pregnant": the first alone would have let the agent go on."""
    s = session()
    s.voice_started(1.0, 0.8, SPEAKING)
    s.voice_stopped(1.4, SPEAKING)
    s.voice_started(1.6, 1.5, SPEAKING)

    first = named(s.text(2.0, said(1, "Okay."), SPEAKING))
    s.voice_stopped(2.2, SPEAKING)
    second = named(s.text(2.9, said(2, "but I am pregnant"), SPEAKING))

    assert [] == first
    assert ["report topic_shift True", "start turn", "forward Okay.", "forward but I am pregnant"] == second


def test_a_late_text_without_new_voice_joins_the_turn_that_was_closed() -> None:
    """D06: not an interruption, one turn."""
    s = session()
    s.voice_started(0.0, 0.0, SILENT)
    s.text(0.3, said(1, "I take warfarin"), SILENT)
    s.voice_stopped(0.3, SILENT)
    s.turn_stopped(0.9)

    actions = s.text(1.2, said(2, "and aspirin."), SPEAKING)

    assert ["start turn", "forward and aspirin."] == named(actions)
    assert isinstance(actions[1], Forward) and actions[1].joins_turn


def test_a_late_text_long_after_the_turn_is_judged_as_an_overlap() -> None:
    """Two seconds later it is a new thing said."""
    s = session()
    s.voice_started(0.0, 0.0, SILENT)
    s.turn_stopped(0.9)

    assert ["report undecided None", "report backchannel False", "refuse Okay. as backchannel"] == named(
        s.text(3.0, said(1, "Okay."), SPEAKING)
    )


def test_text_that_no_voice_announced_and_no_turn_expects_opens_a_turn() -> None:
    """live.md trap 1: else it sits in the aggregator, unread."""
    s = session()
    s.voice_started(0.0, 0.0, SILENT)
    s.voice_stopped(0.5, SILENT)
    s.turn_stopped(1.0)

    assert ["start turn", "forward Are you there?"] == named(s.text(9.0, said(1, "Are you there?"), SILENT))


def test_a_third_party_lets_the_agent_go_on_and_the_primary_speaker_takes_over() -> None:
    """The gate may change its mind inside one stretch of voice."""
    s = session()
    s.voice_started(1.0, 0.8, SPEAKING)

    other = named(s.attributed(1.5, Speaker.THIRD_PARTY))
    primary = named(s.attributed(2.1, Speaker.PRIMARY))
    goes_on = named(s.tick(2.9))

    assert ["resume", "report third_party False"] == other
    assert ["hold"] == primary
    assert ["report undecided True", "start turn"] == goes_on


def test_texts_of_a_third_party_never_pass() -> None:
    """Refused before and after the verdict."""
    s = session()
    s.voice_started(1.0, 0.8, SPEAKING)
    s.attributed(1.5, Speaker.THIRD_PARTY)
    s.voice_stopped(2.0, SPEAKING)

    assert ["refuse Dinner is ready. as third_party"] == named(s.text(2.6, said(1, "Dinner is ready."), SPEAKING))


def test_no_text_in_time_lets_the_agent_go_on_and_a_later_text_still_counts() -> None:
    """A lost transcript never silences the agent for good; a late one is judged."""
    s = session()
    s.voice_started(1.0, 0.8, ASKED)
    s.voice_stopped(1.4, ASKED)
    deadline_s = s.deadline_s or 0

    assert 3.4 == pytest.approx(deadline_s)
    assert ["resume"] == named(s.tick(deadline_s))
    assert ["report answer True", "start turn", "forward No."] == named(s.text(4.5, said(1, "No."), ASKED))


def test_an_overlap_that_never_gets_its_text_is_closed_undecided() -> None:
    """Bounded: six seconds after the agent went on."""
    s = session()
    s.voice_started(1.0, 0.8, SPEAKING)
    s.voice_stopped(1.4, SPEAKING)

    assert ["report undecided False"] == named(s.tick(s.deadline_s or 0))
    assert not s.open_overlap
    assert s.deadline_s is None


def test_a_turn_somebody_else_started_lets_everything_through_in_order() -> None:
    """A second strategy or a mute must not swallow what was held back."""
    s = session()
    s.voice_started(1.0, 0.8, SPEAKING)
    s.text(1.4, said(1, "Okay"), SPEAKING)

    assert ["report undecided True", "forward Okay"] == named(s.turn_started(1.5))
    assert ["forward go on"] == named(s.text(1.6, said(2, "go on"), SPEAKING))


def test_a_refused_hold_changes_no_verdict() -> None:
    """Protected speech goes on while the overlap is judged."""
    s = session()
    s.voice_started(1.0, 0.8, SPEAKING)
    s.hold_refused()

    assert [] == named(s.voice_stopped(1.4, SPEAKING))
    assert ["report backchannel False", "refuse Okay. as backchannel"] == named(s.text(2, said(1, "Okay."), SPEAKING))


def test_a_stop_request_says_so_because_protected_speech_obeys_only_that() -> None:
    """The start of the turn carries the reason."""
    s = session()
    actions = s.text(1.0, said(1, "Stop, please."), SPEAKING)

    assert [True] == [a.by_stop_request for a in actions if isinstance(a, StartTurn)]


def test_a_key_over_the_agent_takes_the_floor_and_over_silence_does_nothing_here() -> None:
    """The keys themselves go their own way to the aggregator."""
    assert ["report undecided None", "report answer True", "start turn"] == named(session().key(1.0, "1", ASKED))
    assert [] == session().key(1.0, "1", SILENT)


def test_at_the_end_of_the_call_the_words_held_back_are_not_lost() -> None:
    """A hang-up in mid-overlap: final texts pass, the unfinished one as such; it stands in the report, marked."""
    s = session()
    s.voice_started(1.0, 0.8, SPEAKING)
    s.text(1.5, said(1, "Okay"), SPEAKING)
    s.text(1.7, said(2, "but", final=False), SPEAKING)

    actions = s.end(2.0)

    assert ["report undecided False", "forward Okay", "forward but"] == named(actions)
    assert isinstance(actions[0], Report)
    assert ("Okay but", True) == (actions[0].report.fact.words, actions[0].report.low_certainty)


def test_one_text_more_than_the_bound_settles_towards_the_caller() -> None:
    """64 texts are held, the 65th lets all through."""
    s = session()
    s.voice_started(1.0, 0.8, SPEAKING)

    for number in range(TEXTS_MAX):
        assert [] == named(s.text(1.1, said(number, "okay"), SPEAKING))
    actions = named(s.text(1.2, said(TEXTS_MAX, "okay"), SPEAKING))

    assert "start turn" == actions[1]
    assert TEXTS_MAX + 1 == sum(name.startswith("forward") for name in actions)


def test_small_noises_do_not_add_up() -> None:
    """D22: three listening words over one long sentence are three backchannels."""
    s = session()

    got = [
        named(s.text(at_s, said(n, text), SPEAKING))
        for n, (at_s, text) in enumerate([(2.0, "Okay."), (5.0, "Mhm."), (9.0, "Yes.")])
    ]

    assert [
        ["report undecided None", "report backchannel False", f"refuse {t} as backchannel"]
        for t in ("Okay.", "Mhm.", "Yes.")
    ] == got


def test_small_noises_do_not_add_up_over_turns_of_the_agent() -> None:
    """D22: one listening word in each of three utterances, with a turn of the patient in between, and none yields."""
    s = session()

    for n, text in enumerate(("Okay.", "Mhm.", "Yes.")):
        start_s = 10.0 * n
        s.voice_started(start_s, start_s - 0.2, SPEAKING, f"utterance-{n}")
        s.voice_stopped(start_s + 0.3, SPEAKING)
        got = named(s.text(start_s + 0.8, said(2 * n, text), SPEAKING, f"utterance-{n}"))
        assert f"refuse {text} as backchannel" == got[-1]
        assert "start turn" not in got
        assert "start turn" in named(s.voice_started(start_s + 6.0, start_s + 5.8, SILENT))
        s.text(start_s + 6.9, said(2 * n + 1, "I have no question."), SILENT)
        s.voice_stopped(start_s + 7.0, SILENT)
        s.turn_stopped(start_s + 7.5)


def test_a_proposed_turn_start_over_the_agent_is_judged_like_a_voice() -> None:
    """Server-side turn detection proposes; it does not decide."""
    assert ["report undecided None", "hold"] == named(session().proposed_start(1.0, SPEAKING))
    assert ["start turn"] == named(session().proposed_start(1.0, SILENT))


def test_the_facts_of_an_overlap_say_where_it_fell() -> None:
    """Utterance, characters heard, place and kind."""
    s = session()
    onset = s.voice_started(1.0, 0.8, SPEAKING, "utterance-7")[0]
    s.voice_stopped(1.4, SPEAKING)
    judged = s.text(2.0, said(1, "I have a question about my drops."), SPEAKING)[0]

    assert isinstance(onset, Report) and isinstance(judged, Report)
    assert (0.8, "utterance-7", 20, False) == (
        onset.report.fact.onset_s,
        onset.report.fact.utterance_id,
        onset.report.fact.heard_chars_at_onset,
        onset.report.fact.trp,
    )
    assert ("competitive", "topic_shift", 2.0, 1.4, "I have a question about my drops.") == (
        judged.report.fact.kind,
        judged.report.fact.verdict,
        judged.report.fact.decided_s,
        judged.report.fact.ended_s,
        judged.report.fact.words,
    )
    assert ("primary", False) == (judged.report.fact.speaker, judged.report.attributed)


@pytest.mark.parametrize("speaker", [Speaker.AGENT_ECHO, Speaker.THIRD_PARTY])
def test_unfinished_words_without_voice_wait_for_their_final_text_beside_another(speaker: Speaker) -> None:
    """An echo too weak for voice detection must neither stop the agent by one word nor lock the caller out."""
    s, by_caller = session(), session()
    interim = said(1, "stop please", final=False)

    while_another_sounds = s.text(1.0, interim, SPEAKING, None, speaker)
    final = s.text(1.4, said(2, "Stop, please stop."), SPEAKING, None, speaker)

    assert ([], True) == (while_another_sounds, "start turn" in named(final))
    assert "start turn" in named(by_caller.text(1.0, interim, SPEAKING, None, Speaker.UNSURE))
