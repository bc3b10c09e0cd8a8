"""The page of a finished call: it shows what was lost, and no word of a call can become markup."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipecat_interrupt.page import PatientLine, Recording, VoiceSegment, pack, render_call_page, render_page, view_of
from pipecat_interrupt.summary import CallSummary, CutSummary, ObligationSummary, OverlapSummary, UtteranceSummary

from .hostile import CORPUS
from .journals import Story
from .recorded import RATE_HZ, entries, sound

pytestmark = pytest.mark.unit


class Tags(HTMLParser):
    """Collects every tag with its attributes, as a browser would see them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.found)


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


def _whole_page() -> str:
    journal = entries()
    return render_page(view_of(journal), segments=[VoiceSegment(22.4, 26.0)], recording=pack(sound(journal), RATE_HZ))


def test_what_was_not_heard_is_struck_through() -> None:
    """Delivered text stands plain, the undelivered rest in a del element that says so aloud, with who cut it."""
    page = render_call_page(_summary(), title="Cataract follow-up")

    assert re.search(r'If it\s+<del><span class="vh">\[not heard: </span>go to the clinic<span', page)
    assert "competitive" in page
    assert "primary voice at 3.20 s" in page


def test_a_lost_critical_item_is_said_at_the_top() -> None:
    """A reader sees the loss before anything else; a call without one says so."""
    assert "Not covered and critical:" in render_call_page(_summary(closed=False), title="t")
    assert "Not covered and critical:" not in render_call_page(_summary(closed=True), title="t")


def test_a_journal_that_names_no_items_claims_nothing_about_critical_ones() -> None:
    """Where nobody said what is critical, the page does not say that all of it was covered."""
    story = Story(named=False).ledger(kind="item_step", item_id="pain", step="opened").ends()

    page = render_page(view_of(story.entries))

    assert "Open: pain; this journal does not say which are critical" in page
    assert "Every critical obligation" not in page


def test_a_call_in_which_nothing_was_critical_is_not_told_as_all_covered() -> None:
    """No green line over open obligations: what was not owed cannot have been kept."""
    summary = _summary(closed=False)
    plain = summary.model_copy(update={"obligations": (summary.obligations[0].model_copy(update={"critical": False}),)})
    two = summary.model_copy(update={"obligations": (*_summary(closed=True).obligations, *plain.obligations)})

    alone, beside = render_call_page(plain, title="t"), render_call_page(two, title="t")

    assert "Nothing critical came up in this call; 1 obligation is open." in alone
    assert "Every critical obligation" not in alone
    assert "was closed with evidence; 1 that is not critical is open." in beside


def test_the_page_asks_nothing_of_the_outside() -> None:
    """The only address in it is the sound's own data; the policy forbids everything else."""
    tags = Tags(_whole_page()).found

    addresses = [v or "" for _, attrs in tags for k, v in attrs.items() if k in ("src", "href", "action", "srcset")]
    assert [a[:16] for a in addresses if not a.startswith("#")] == ["data:audio/flac;"]
    policy = next(a["content"] for t, a in tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None and policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy


def test_the_policy_names_exactly_the_script_and_the_style_of_the_page() -> None:
    """A changed byte in either would make the browser refuse it."""
    page = _whole_page()
    policy = next(a["content"] for _, a in Tags(page).found if a.get("http-equiv")) or ""

    for tag, directive in (("script", "script-src"), ("style", "style-src")):
        (inside,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy


def test_nothing_on_the_page_acts_by_an_attribute() -> None:
    """No inline handler and no style attribute: the policy would block them, and so nothing may need them."""
    attributes = {name for _, attrs in Tags(_whole_page()).found for name in attrs}

    assert not {name for name in attributes if name.startswith("on") or name == "style"}


def test_every_delivered_word_stands_in_the_page_once_with_a_time() -> None:
    """Words that can be sought carry a time between the ends of their utterance, in rising order."""
    view = view_of(entries())
    page = render_page(view, recording=Recording("data:audio/wav;base64,", 1.0))

    times = [float(t) for t in re.findall(r'class="w" data-s="([\d.]+)"', page)]
    utterances = [line for line in view.lines if hasattr(line, "delivered")]
    assert len(times) == sum(len(line.delivered.split()) for line in utterances)
    assert times == sorted(times)


def _hostile_page(words: str) -> str:
    story = Story(pathway=words, item=words, wording=words, notice=words, call_id="c")
    story.says(words, heard=words[:1], by=words).replies(words, speaker=words).gate(words).trouble(words).move(words)
    story.ends(words)
    return render_page(
        view_of(story.entries),
        handoff_markdown=words,
        recording=pack(np.zeros((800, 2), dtype=np.int16), 8000),
    )


@pytest.mark.parametrize("words", CORPUS)
def test_the_hostile_corpus_stays_text(words: str) -> None:
    """Every known way into a page, in every field that holds words: no tag more than in a harmless call."""
    hostile, harmless = Tags(_hostile_page(words)), Tags(_hostile_page("fine words"))

    for tag in ("script", "style", "img", "svg", "iframe", "meta", "a", "link", "base", "form", "object", "audio"):
        assert hostile.count(tag) == harmless.count(tag), tag
    assert not [k for _, attrs in hostile.found for k in attrs if k.startswith("on")]


@pytest.mark.parametrize("code", [0x00, 0x08, 0x0B, 0x1B, 0x7F, 0x85, 0xD800, 0xFDD0, 0xFFFE])
def test_a_character_that_no_document_may_hold_is_shown_as_such(code: int) -> None:
    """A NUL or an escape from a recogniser stands in every field, and in the page as U+FFFD; the rest stays."""
    page = _hostile_page(f"be{chr(code)}fore\tand\nafter")

    assert chr(code) not in page
    assert "be\ufffdfore\tand\nafter" in page
    assert page.encode("utf-8")


@given(words=st.text(min_size=1, max_size=40))
def test_no_word_of_a_call_becomes_markup(words: str) -> None:
    """Any text in every field comes out as the same text, and the page keeps its tags."""
    page = _hostile_page(words + "<b x='\"&{{ 7*7 }}")

    assert Tags(page).count("b") == 1  # the page's own, around the system's name
    assert "{{ 7*7 }}" in page


@given(words=st.sampled_from(CORPUS))
def test_the_old_entrance_escapes_as_well(words: str) -> None:
    """A page drawn from a summary is held to the same."""
    page = render_call_page(_summary(words), title=words, lines=[PatientLine(1.0, words, speaker=words, verdict=words)])

    assert Tags(page).count("script") == 1
    assert Tags(page).count("img") == 0


def test_words_in_doubt_are_told_from_plain_ones() -> None:
    """Whoever reads the page sees why the same was asked again."""
    page = render_page(view_of(Story().replies("No.", unconfirmed=True).replies("No, none.").entries))

    told = re.findall(r"<p>(?:(?!</p>).)*?in doubt(?:(?!</p>).)*</p>", page, re.DOTALL)
    assert 1 == len(told)
    assert "No." in told[0]
