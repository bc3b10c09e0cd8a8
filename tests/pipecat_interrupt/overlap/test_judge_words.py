"""What words do in an overlap, by language: decision tables with literal expected values."""

from __future__ import annotations

import pytest

from pipecat_interrupt.overlap.config import OverlapConfig
from pipecat_interrupt.overlap.evidence import (
    FLOOR_LEAVING,
    FLOOR_TAKING,
    AgentFloor,
    Evidence,
    Judgement,
    Speaker,
    TextStatus,
    Verdict,
    words_of,
)
from pipecat_interrupt.overlap.judge import OverlapJudge

pytestmark = pytest.mark.unit

MID_SENTENCE = AgentFloor(delivered_text="Take one tablet each", remaining_text="morning with water.")
ASKED = AgentFloor(
    delivered_text="Do you have any pain", remaining_text="when you breathe?", question_open=True, focus_heard=True
)
ASKING = AgentFloor(
    delivered_text="Do you have", remaining_text="any pain when you breathe?", question_open=True, focus_heard=False
)


def judged(
    text: str, floor: AgentFloor = MID_SENTENCE, language: str = "en", status: TextStatus = TextStatus.FINAL
) -> Judgement:
    """Judge a text by the rules alone."""
    judge = OverlapJudge(OverlapConfig(language=language), models={})
    return judge.judge(Evidence(words=words_of(text), status=status, floor=floor))


@pytest.mark.parametrize(
    ("text", "verdict", "takes_floor"),
    [
        ("Mm-hmm.", "backchannel", False),
        ("uh-huh, okay, yeah", "backchannel", False),
        ("Right, I see.", "backchannel", False),
        ("Thank you.", "backchannel", False),
        ("Makes sense, yeah", "backchannel", False),
        ("Okay, thanks.", "backchannel", False),
        ("stop", "stop_request", True),
        ("Please stop.", "stop_request", True),
        ("no, wait", "stop_request", True),
        ("Okay, hold on.", "stop_request", True),
        ("listen to me", "stop_request", True),
        ("Wait, sorry,", "stop_request", True),
        ("hm—what?", "repair_request", True),
        ("Hmm?", "repair_request", True),
        ("Can you say that again?", "repair_request", True),
        ("Pardon?", "repair_request", True),
        ("No.", "correction", True),
        ("right… no", "correction", True),
        ("Actually, I meant Porto.", "correction", True),
        ("What about parking?", "question", True),
        ("can I take it with food", "question", True),
        ("okay, but I am pregnant", "topic_shift", True),
        ("I have chest pain", "topic_shift", True),
        ("Mum!", "topic_shift", True),
        ("Um", "hesitation", False),
        ("I would like to", "hesitation", True),
        ("Well,", "hesitation", True),
        ("[cough]", "noise", False),
        ("...", "noise", False),
    ],
)
def test_english_words_over_a_statement(text: str, verdict: str, takes_floor: bool) -> None:
    """Listening words leave the floor to the agent; what wants the floor takes it, however short."""
    got = judged(text)

    assert (verdict, takes_floor, True) == (got.verdict.value, got.takes_floor, got.settled)


@pytest.mark.parametrize("spelling", ["MMMHUM", "M.M.H.", "M M H H M", "mm hum", "MMHM", "Mm-hmm", "Hmm", "mmm"])
def test_a_hum_is_told_by_its_letters_however_whisper_spells_it(spelling: str) -> None:
    """Every spelling seen in live calls is one backchannel."""
    assert Verdict.BACKCHANNEL is judged(spelling).verdict


@pytest.mark.parametrize("word", ["Mum", "um", "nun", "human", "hum a tune"])
def test_words_made_of_hum_letters_are_not_hums(word: str) -> None:
    """A patient who calls for their mother is not humming."""
    assert Verdict.BACKCHANNEL is not judged(word).verdict


@pytest.mark.parametrize("text", ["Yes.", "Okay.", "mm-hmm", "uh-huh", "of course", "exactly"])
def test_the_same_word_listens_in_a_statement_and_answers_an_open_question(text: str) -> None:
    """What the agent is in the middle of decides."""
    assert (Verdict.BACKCHANNEL, False) == (judged(text).verdict, judged(text).takes_floor)
    assert (Verdict.ANSWER, True) == (judged(text, ASKED).verdict, judged(text, ASKED).takes_floor)


@pytest.mark.parametrize("text", ["Yes.", "Okay.", "mm-hmm"])
def test_a_yes_before_the_focus_was_heard_answers_nothing(text: str) -> None:
    """A question nobody has heard yet cannot be affirmed."""
    got = judged(text, ASKING)

    assert (Verdict.BACKCHANNEL, False) == (got.verdict, got.takes_floor)


def test_a_no_takes_the_floor_even_before_the_focus_was_heard() -> None:
    """The paper's recognitional cell: a dismissive "no" to a question that is still being asked."""
    got = judged("No.", ASKING)

    assert (Verdict.ANSWER, True) == (got.verdict, got.takes_floor)


@pytest.mark.parametrize("text", ["right", "thank you", "I see"])
def test_words_that_affirm_nothing_stay_listening_words_under_an_open_question(text: str) -> None:
    """A "right" is not a yes."""
    assert Verdict.BACKCHANNEL is judged(text, ASKED).verdict


@pytest.mark.parametrize(
    ("text", "verdict", "takes_floor"),
    [
        ("Pois.", "backchannel", False),
        ("hum hum", "backchannel", False),
        ("Sim, sim.", "backchannel", False),
        ("Está bem, obrigado.", "backchannel", False),
        ("Para, por favor.", "stop_request", True),
        ("Para!", "stop_request", True),
        ("Espere aí.", "stop_request", True),
        ("para a minha mãe", "topic_shift", True),
        ("Afinal, queria dizer Porto.", "correction", True),
        ("Não.", "correction", True),
        ("Como?", "repair_request", True),
        ("Pode repetir, por favor?", "repair_request", True),
        ("obrigada, mas estou grávida", "topic_shift", True),
        ("Eu gostava de", "hesitation", True),
        ("Quando posso ir trabalhar?", "question", True),
    ],
)
def test_european_portuguese_words(text: str, verdict: str, takes_floor: bool) -> None:
    """The drafts of protocol 002 and their kin; the table waits for native review."""
    got = judged(text, language="pt-PT")

    assert (verdict, takes_floor) == (got.verdict.value, got.takes_floor)


def test_um_is_a_filler_in_english_and_a_word_in_portuguese() -> None:
    """No rule of one language is applied to another: "um" is "one" there."""
    asked = AgentFloor(delivered_text="Quantos comprimidos toma?", question_open=True, focus_heard=True)

    assert Verdict.HESITATION is judged("Um.").verdict
    assert Verdict.ANSWER is judged("Um.", asked, "pt-PT").verdict


@pytest.mark.parametrize("language", ["de", "pt-BR", "fr", ""])
def test_a_language_without_a_table_is_judged_by_count_and_duration(language: str) -> None:
    """One short word listens, more words take the floor; English words mean nothing there."""
    judge = OverlapJudge(OverlapConfig(language=language or None), models={})

    short = judge.judge(Evidence(words=words_of("ja ja ja"), status=TextStatus.FINAL, voiced_s=0.4))
    long = judge.judge(Evidence(words=words_of("das stimmt nicht"), status=TextStatus.FINAL, voiced_s=0.9))
    drawn_out = judge.judge(Evidence(words=words_of("stop"), status=TextStatus.FINAL, voiced_s=0.9))

    assert (Verdict.BACKCHANNEL, False) == (short.verdict, short.takes_floor)
    assert (Verdict.UNDECIDED, True) == (long.verdict, long.takes_floor)
    assert (Verdict.UNDECIDED, True) == (drawn_out.verdict, drawn_out.takes_floor)


@pytest.mark.parametrize(
    ("tag", "verdict"), [("en-GB", "stop_request"), ("en_US", "stop_request"), ("pt", "topic_shift")]
)
def test_region_tags_find_their_table(tag: str, verdict: str) -> None:
    """Every English region uses the English table; "wait" is no Portuguese word."""
    assert verdict == judged("Wait, wait here", language=tag).verdict.value


def test_extra_backchannels_of_several_words_match_and_blank_entries_are_ignored() -> None:
    """D21: a two-word entry works, "" and "…" neither match everything nor hang."""
    judge = OverlapJudge(OverlapConfig(extra_backchannels=("you bet", "", "…")), models={})

    got = judge.judge(Evidence(words=words_of("You bet."), status=TextStatus.FINAL))
    other = judge.judge(Evidence(words=words_of("My chest hurts."), status=TextStatus.FINAL))

    assert (Verdict.BACKCHANNEL, False) == (got.verdict, got.takes_floor)
    assert other.takes_floor


def test_an_unfinished_yes_is_not_settled_but_an_unfinished_stop_is() -> None:
    """More words can turn "okay" into "okay, but ..."; nothing turns "stop" into listening."""
    okay = judged("Okay", status=TextStatus.INTERIM)
    stop = judged("Stop", status=TextStatus.INTERIM)
    more = judged("Okay, but I am", status=TextStatus.INTERIM)

    assert (False, False) == (okay.takes_floor, okay.settled)
    assert (True, True) == (stop.takes_floor, stop.settled)
    assert (True, True) == (more.takes_floor, more.settled)


@pytest.mark.parametrize(
    ("speaker", "verdict", "takes_floor"),
    [
        (Speaker.THIRD_PARTY, "third_party", False),
        (Speaker.AGENT_ECHO, "echo", False),
        (Speaker.UNSURE, "stop_request", True),
        (Speaker.PRIMARY, "stop_request", True),
        (None, "stop_request", True),
    ],
)
def test_a_stop_counts_from_the_patient_and_from_a_voice_nobody_is_sure_of(
    speaker: Speaker | None, verdict: str, takes_floor: bool
) -> None:
    """Only a known third party or the agent's own echo cannot stop the agent."""
    judge = OverlapJudge(models={})
    evidence = Evidence(words=words_of("Stop!"), status=TextStatus.FINAL, floor=MID_SENTENCE, speaker=speaker)

    got = judge.judge(evidence)

    assert (verdict, takes_floor) == (got.verdict.value, got.takes_floor)


def test_known_hallucinations_on_almost_no_voice_are_noise() -> None:
    """Recognisers write thanks for watching on silence; said with a voice the words count."""
    judge = OverlapJudge(models={})
    words = words_of("Thank you for watching.")

    silent = judge.judge(Evidence(words=words, status=TextStatus.FINAL, voiced_s=0.1))
    spoken = judge.judge(Evidence(words=words, status=TextStatus.FINAL, voiced_s=1.0))

    assert (Verdict.NOISE, False) == (silent.verdict, silent.takes_floor)
    assert Verdict.NOISE is not spoken.verdict


def test_a_key_press_answers_an_open_question_and_otherwise_changes_the_topic() -> None:
    """A key is never an accident of breathing: it takes the floor."""
    judge = OverlapJudge(models={})

    answer = judge.judge(Evidence(key_pressed="1", floor=ASKED))
    shift = judge.judge(Evidence(key_pressed="*", floor=MID_SENTENCE))

    assert (Verdict.ANSWER, True) == (answer.verdict, answer.takes_floor)
    assert (Verdict.TOPIC_SHIFT, True) == (shift.verdict, shift.takes_floor)


def test_voice_without_words_takes_the_floor_only_when_it_goes_on() -> None:
    """Duration alone settles at 0.8 s."""
    judge = OverlapJudge(models={})

    short = judge.judge(Evidence(voiced_s=0.5, speech_active=True))
    long = judge.judge(Evidence(voiced_s=0.8, speech_active=True))

    assert (False, False) == (short.takes_floor, short.settled)
    assert (True, True) == (long.takes_floor, long.settled)


def test_every_verdict_is_named_as_taking_leaving_or_depending() -> None:
    """The two sets do not meet, and only hesitation and undecided stand outside."""
    assert frozenset() == FLOOR_TAKING & FLOOR_LEAVING
    assert {Verdict.HESITATION, Verdict.UNDECIDED} == set(Verdict) - FLOOR_TAKING - FLOOR_LEAVING
