"""The independent ear: its alignment bounds the record, and an invented tail does not count."""

from __future__ import annotations

import numpy as np
import pytest

from pipecat_interrupt.demo.ear import last_heard, listen, words_of
from pipecat_interrupt.summary import CutSummary, UtteranceSummary

pytestmark = pytest.mark.unit

INTENDED = "If you have severe pain that does not go away, contact the hospital at once."


def _cut(words: int) -> UtteranceSummary:
    delivered = " ".join(INTENDED.split()[:words])
    return UtteranceSummary(
        id="u1",
        intended=INTENDED,
        delivered=delivered,
        undelivered=INTENDED[len(delivered) :],
        cut=CutSummary(chars=len(delivered), words=words, ms=1000, exactness="exact"),
        started_s=1.0,
        ended_s=2.0,
    )


@pytest.mark.parametrize(
    ("heard", "expected"),
    [
        ("if you have severe pain", 5),
        ("if you have severe pain that", 6),
        ("if you had severe pain", 5),
        ("if you have severe pain of the hospital", 5),
        ("", 0),
    ],
)
def test_the_last_heard_word_is_found_by_alignment(heard: str, expected: int) -> None:
    """A misheard word inside does not move it; a lone word far behind is an invention."""
    assert last_heard(words_of(INTENDED), words_of(heard)) == expected


def test_a_record_that_claims_too_much_shows_as_a_negative_difference() -> None:
    """The ear heard three words, the record claims five."""
    agent = np.zeros(3 * 16_000, np.int16)

    report = listen(agent, 16_000, [_cut(5)], lambda _: "if you have")

    assert report.cut_differences_words == (-2,)


def test_the_word_being_cut_may_be_heard_by_the_ear() -> None:
    """One more than recorded is the design: a word counts only when it ended."""
    agent = np.zeros(3 * 16_000, np.int16)

    report = listen(agent, 16_000, [_cut(5)], lambda _: "if you have severe pain that")

    assert report.cut_differences_words == (1,)
    assert report.wer == pytest.approx(1 / 5)


def test_an_ear_at_another_rate_is_refused() -> None:
    """Speech at double speed would be scored as nonsense."""
    with pytest.raises(ValueError, match="8000 Hz"):
        listen(np.zeros(8000, np.int16), 8000, [_cut(5)], lambda _: "")
