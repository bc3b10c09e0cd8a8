"""Own wording goes first, guards veto, and the verdict names the member whose licence counts."""

from __future__ import annotations

import pytest

from obligations.coverage.ensemble import EnsembleMatcher
from obligations.coverage.protocol import Coverage, CoverageMatcher, CoverageVerdict, PointText, Span

pytestmark = pytest.mark.unit

POINT = PointText(id="p", wording="Take one tablet every morning with food.", language="en", critical=True)


class ScriptedJudge:
    """A matcher that always gives one verdict and counts how often it was asked."""

    def __init__(self, verdict: CoverageVerdict) -> None:
        self.verdict = verdict
        self.asked = 0

    @property
    def name(self) -> str:
        """The stable name."""
        return "scripted"

    @property
    def version(self) -> str:
        """Its version."""
        return "1"

    async def match(self, point: PointText, text: str) -> Coverage:
        """Give the scripted verdict."""
        self.asked += 1
        spans = (Span(0, len(text)),) if self.verdict is CoverageVerdict.CONVEYED else ()
        return Coverage(verdict=self.verdict, matcher="scripted@1", spans=spans)


async def test_own_wording_decides_under_its_own_name() -> None:
    """A critical item may then close without a certificate."""
    coverage = await EnsembleMatcher().match(POINT, "Now: take one tablet every morning with food. All right?")

    assert (CoverageVerdict.CONVEYED, "own-wording@4") == (coverage.verdict, coverage.matcher)


async def test_a_paraphrase_is_decided_under_the_name_of_the_slots() -> None:
    """Its licence is another matcher's, so a critical item waits for a certificate."""
    coverage = await EnsembleMatcher().match(POINT, "Each morning have one tablet with something to eat.")

    assert (CoverageVerdict.CONVEYED, "slots@7") == (coverage.verdict, coverage.matcher)


async def test_a_contradiction_is_never_put_to_the_judge() -> None:
    """Another number vetoes whatever a judge would say."""
    judge = ScriptedJudge(CoverageVerdict.CONVEYED)
    coverage = await EnsembleMatcher(judge).match(POINT, "Take one tablet every evening with food.")

    assert (CoverageVerdict.NOT_CONVEYED, 0) == (coverage.verdict, judge.asked)


async def test_a_judge_may_convey_what_the_slots_cannot_read() -> None:
    """Distant words are the judge's to decide, under its own name."""
    coverage = await EnsembleMatcher(ScriptedJudge(CoverageVerdict.CONVEYED)).match(POINT, "You know the drill, love.")

    assert (CoverageVerdict.CONVEYED, "scripted@1") == (coverage.verdict, coverage.matcher)


async def test_a_judge_cannot_convey_what_lacks_a_part() -> None:
    """Where the slots miss a time, a judge's yes leaves the item open."""
    text = "Take one tablet with food."
    coverage = await EnsembleMatcher(ScriptedJudge(CoverageVerdict.CONVEYED)).match(POINT, text)

    assert (CoverageVerdict.UNDECIDED, ()) == (coverage.verdict, coverage.spans)


async def test_a_verbatim_point_is_decided_word_for_word() -> None:
    """Neither paraphrase nor judge counts for a legal disclosure."""
    point = PointText(id="p", wording="This call is recorded.", language="en", verbatim=True)
    coverage = await EnsembleMatcher(ScriptedJudge(CoverageVerdict.CONVEYED)).match(
        point, "We are recording this call."
    )

    assert (CoverageVerdict.NOT_CONVEYED, "lexical@1") == (coverage.verdict, coverage.matcher)


def test_the_ensemble_fits_the_seam_and_its_version_names_its_members() -> None:
    """Any change of a member changes the version, and so voids a certificate."""
    ensemble = EnsembleMatcher(ScriptedJudge(CoverageVerdict.UNDECIDED))

    assert isinstance(ensemble, CoverageMatcher)
    assert "1+own-wording-4+lexical-1+slots-7+scripted-1" == ensemble.version
