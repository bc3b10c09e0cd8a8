"""The page of a finished call: it shows what was lost, and no word of a call can become markup."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipecat_interrupt.page import PatientLine, VoiceSegment, render_call_page
from pipecat_interrupt.summary import CallSummary, CutSummary, ObligationSummary, OverlapSummary, UtteranceSummary

pytestmark = pytest.mark.unit

HOSTILE = "</td><script>alert(1)</script><img src=x onerror=alert(1)>{{ 7*7 }}\"'&"


def _summary(words: str = "go to the clinic", closed: bool = False) -> CallSummary:
    cut = CutSummary(chars=7, words=2, ms=640, exactness="exact")
    overlap = OverlapSummary(onset_s=3.2, kind="competitive", verdict="topic_shift", speaker="primary", words=words)
    utterance = UtteranceSummary(
        id="u1",
        intended="If it " + words,
        delivered="If it ",
        undelivered=words,
        cut=cut,
        overlap=overlap,
        started_s=2.0,
        ended_s=3.5,
    )
    item = ObligationSummary(
        id="escalation",
        kind="content_point",
        critical=True,
        state="met" if closed else "open",
        closed=closed,
        evidence="heard" if closed else None,
        reason=None if closed else 'cut at "If it"',
    )
    return CallSummary(system="ours", call_id="c1", utterances=(utterance,), obligations=(item,), ended="goodbye")


def test_what_was_not_heard_is_struck_through() -> None:
    """Delivered text stands plain, the undelivered rest in a del element, with who cut it."""
    page = render_call_page(_summary(), title="Cataract follow-up")

    assert re.search(r"If it\s+<del>go to the clinic</del>", page)
    assert "competitive" in page
    assert "primary voice at 3.20 s" in page


def test_a_lost_critical_item_is_said_at_the_top() -> None:
    """A reader sees the loss before anything else; a call without one says so."""
    assert "Not covered and critical:" in render_call_page(_summary(closed=False), title="t")
    assert "Not covered and critical:" not in render_call_page(_summary(closed=True), title="t")


def test_the_page_asks_nothing_of_the_outside() -> None:
    """No script, no reference that a browser would fetch, and a policy that forbids both."""
    page = render_call_page(_summary(), title="t", segments=[VoiceSegment(1.0, 2.0)], handoff_markdown="# Hand-off")

    assert "<script" not in page
    assert not re.search(r"""(src|href)=["']""", page)
    assert "default-src 'none'" in page


@given(words=st.text(min_size=1, max_size=40).map(lambda s: s + HOSTILE))
def test_no_word_of_a_call_becomes_markup(words: str) -> None:
    """Hostile text in every field comes out as text."""
    page = render_call_page(
        _summary(words),
        title=words,
        lines=[PatientLine(1.0, words, speaker=words, verdict=words)],
        handoff_markdown=words,
    )

    assert "<script" not in page
    assert "<img" not in page
    assert "{{ 7*7 }}" in page
