"""A sentence that states is told from one that asks, announces, reports, doubts or takes back."""

from __future__ import annotations

import pytest

from obligations.coverage.force import Force, segments

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "language", "force"),
    [
        ("Ring the ward the same day.", "en", Force.STATED),
        ("Ring the ward the same day, okay?", "en", Force.STATED),
        ("Did you ring the ward?", "en", Force.ASKED),
        ("Missed one?", "en", Force.CONDITION),
        ("Later I'll explain when to ring the ward.", "en", Force.ANNOUNCED),
        ("You told me you rang the ward.", "en", Force.REPORTED),
        ("So you rang the ward last week.", "en", Force.REPORTED),
        ("I see you kept the appointment.", "en", Force.REPORTED),
        ("I'm not sure whether to ring the ward.", "en", Force.DOUBTED),
        ("Some people ring the ward.", "en", Force.OTHERS),
        ("Ring the ward, but not you.", "en", Force.RETRACTED),
        ("Unless your doctor says so, ring the ward.", "en", Force.STATED),
        ("Ligue para a enfermaria no próprio dia.", "pt-PT", Force.STATED),
        ("Ligou para a enfermaria?", "pt-PT", Force.ASKED),
        ("Daqui a pouco explico-lhe quando deve ligar.", "pt-PT", Force.ANNOUNCED),
        ("Disse-me que ligou para a enfermaria.", "pt-PT", Force.REPORTED),
        ("Não sei se deve ligar para a enfermaria.", "pt-PT", Force.DOUBTED),
    ],
)
def test_a_single_sentence_has_its_force(text: str, language: str, force: Force) -> None:
    """Each kind by one plain example."""
    assert [force] == [s.force for s in segments(text, language)]


def test_a_report_the_agent_endorses_is_stated() -> None:
    """The next sentence takes it as the agent's own."""
    first, _ = segments("You said the drops go on for four weeks. That's exactly right.", "en")

    assert Force.STATED is first.force


def test_a_report_the_agent_doubts_stays_a_report() -> None:
    """An endorsement word inside a doubt does not help."""
    first, _ = segments("You said the drops go on for four weeks. I'd have to check that.", "en")

    assert Force.REPORTED is first.force


def test_a_question_answered_at_once_is_stated() -> None:
    """A bare echo answers what was just asked; a longer sentence begins something else."""
    assert Force.STATED is segments("Would you like a person? You can, at any point.", "en")[0].force
    assert Force.ASKED is segments("Do you have a pacemaker? You can tell us later.", "en")[0].force


def test_what_is_taken_back_by_the_next_sentence_is_not_stated() -> None:
    """The retraction reaches back over the whole sentence."""
    assert Force.RETRACTED is segments("Stop the tablets. No, forget that.", "en")[0].force


def test_a_full_stop_inside_a_number_or_a_title_ends_no_sentence() -> None:
    """Decimals, times and titles keep a sentence whole."""
    assert 1 == len(segments("Dr. Hale says take 0.5 mg at 8 a.m. every day", "en"))
