"""A verbatim point is conveyed by its exact words and by nothing else."""

from __future__ import annotations

import pytest

from obligations.coverage.lexical import LexicalMatcher
from obligations.coverage.protocol import CoverageVerdict, PointText

pytestmark = pytest.mark.unit

POINT = PointText(
    id="p", wording="This call is recorded and kept for 30 days.", language="en", critical=True, verbatim=True
)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("This call is recorded and kept for 30 days.", CoverageVerdict.CONVEYED),
        ("Hello. THIS CALL IS RECORDED, and kept for thirty days. Shall we begin?", CoverageVerdict.CONVEYED),
        ("Hello. This call is recorded and kept", CoverageVerdict.PARTIAL),
        ("This call is recorded and kept, we think, for 30 days.", CoverageVerdict.NOT_CONVEYED),
        ("This call is taped and kept for 30 days.", CoverageVerdict.NOT_CONVEYED),
        ("This call is recorded and kept for 13 days.", CoverageVerdict.NOT_CONVEYED),
        ("You said this call is recorded and kept for 30 days.", CoverageVerdict.NOT_CONVEYED),
        ("", CoverageVerdict.NOT_CONVEYED),
    ],
)
def test_only_the_very_words_convey(text: str, verdict: CoverageVerdict) -> None:
    """Case, punctuation and the written form of numbers may differ, nothing else."""
    assert verdict is LexicalMatcher().judge(POINT, text).verdict


def test_a_point_without_wording_is_undecided() -> None:
    """There is nothing to compare with."""
    assert (
        CoverageVerdict.UNDECIDED is LexicalMatcher().judge(PointText(id="p", wording="", language="en"), "x").verdict
    )
