"""An advice is not told when a sentence around it takes it back, denies it, relativises it, or only quotes it."""

from __future__ import annotations

import pytest

from obligations.coverage.own_wording import OwnWordingMatcher
from obligations.coverage.protocol import CoverageVerdict, PointText
from obligations.coverage.slot_matcher import SlotMatcher
from obligations.testing import a_pathway, a_point
from obligations.tracker.spans import WordingIndex

pytestmark = pytest.mark.unit

PAIN = "If you have severe pain that does not go away, or you lose vision, contact the hospital at once."
DRIVE = "Do not drive until your eye team has said that you can."
DROPS = "Keep using your eye drops exactly as the hospital told you."
RECORDED = "This call is recorded for your medical record."
CONDUZIR = "Não conduza até a sua equipa dizer que pode."
GOTAS = "Continue a usar as gotas exatamente como o hospital lhe disse."

BACK_EN = [
    (PAIN, "{} Actually, forget that, just wait a week."),
    (PAIN, "{} It is important. Oh, never mind."),
    (PAIN, "My colleague always tells people something silly. {} That is nonsense of course."),
    (PAIN, "{} That's just a formality."),
    (PAIN, "{} But nobody really does that."),
    (PAIN, "{} There is no need to contact the hospital, though."),
    (PAIN, "{} I was only joking."),
    (PAIN, "{} Or so they say."),
    (PAIN, "{} I take that back."),
    (PAIN, "{} You could also just wait."),
    (DRIVE, "It is not true what they say: {} You can drive today."),
    (DRIVE, "Myth number one: {}"),
    (DRIVE, "Here is a common myth. {}"),
    (DRIVE, "{} But honestly, most people drive the next day and it is fine."),
    (DRIVE, "{} You can drive today."),
    (DRIVE, "{} It is up to you, though."),
    (DRIVE, "In Germany the rule is this. {} You are in Portugal so it does not apply."),
    (DRIVE, "In other countries they tell you this. {}"),
    (DRIVE, "People often say: {}"),
    (DRIVE, "My neighbour was told: {}"),
    (DRIVE, "Years ago the rule was: {}"),
    (DRIVE, "{} That said, it's not that strict."),
    (DRIVE, "{} Ignore what I just said."),
    (DROPS, "{} You can stop the drops."),
    (DROPS, "{} You do not need the drops any longer."),
    (DROPS, "{} Do not use them."),
    (RECORDED, "{} Only joking about the recording, nothing is recorded."),
]
BACK_PT = [
    (CONDUZIR, "{} Esqueça isso, pode conduzir amanhã."),
    (CONDUZIR, "Não é verdade o que dizem: {}"),
    (CONDUZIR, "Mito número um: {}"),
    (CONDUZIR, "{} Mas sinceramente, a maioria das pessoas conduz no dia seguinte."),
    (CONDUZIR, "Na Alemanha a regra é esta. {} Em Portugal isso não se aplica."),
    (CONDUZIR, "{} Pode conduzir hoje."),
    (CONDUZIR, "{} Enganei-me."),
    (CONDUZIR, "{} É só uma recomendação."),
    (CONDUZIR, "A minha vizinha diz: {}"),
    (CONDUZIR, "Antigamente dizia-se: {}"),
    (CONDUZIR, "{} Isso é um disparate."),
    (GOTAS, "{} Na verdade, pode parar as gotas."),
    (GOTAS, "{} Não precisa das gotas."),
]
STANDS_EN = [
    (DRIVE, "You asked about driving. {}"),
    (DRIVE, "You asked about driving: {}"),
    (DRIVE, "No, that is a myth. {}"),
    (DRIVE, "Sorry, I was wrong before. {}"),
    (DRIVE, "{} Don't forget that, please."),
    (DRIVE, "{} You can drive once your eye team has told you so."),
    (DRIVE, "{} But don't worry, it will not take long."),
    (DRIVE, "{} You will see them on Friday."),
    (DROPS, "{} Do not stop the drops."),
    (DROPS, "{} Please don't skip any drops."),
    (DROPS, "{} But do call us with any questions."),
    (PAIN, "This is important. {} Do not wait."),
    (PAIN, "{} There is no need to write this down."),
    (RECORDED, "{} How are you today?"),
]
STANDS_PT = [
    (CONDUZIR, "Perguntou se pode conduzir. {}"),
    (CONDUZIR, "Isso é um mito. {}"),
    (CONDUZIR, "{} Não se esqueça disso."),
    (GOTAS, "{} Não pare as gotas."),
    (GOTAS, "{} Se tiver dúvidas, ligue-nos."),
]
ALL_BACK = [(*row, "en") for row in BACK_EN] + [(*row, "pt-PT") for row in BACK_PT]
ALL_STANDS = [(*row, "en") for row in STANDS_EN] + [(*row, "pt-PT") for row in STANDS_PT]


def own(wording: str, text: str, language: str) -> CoverageVerdict:
    return OwnWordingMatcher().judge(PointText(id="p", wording=wording, language=language), text).verdict


def in_index(wording: str, text: str, language: str) -> bool:
    pathway = a_pathway(a_point("p", wording, language=language, critical=True), language=language)
    return any(span.id == "p" for span in WordingIndex(pathway, language).find(text))


@pytest.mark.parametrize(("wording", "frame", "language"), ALL_BACK)
def test_what_is_taken_back_denied_or_quoted_is_not_told(wording: str, frame: str, language: str) -> None:
    """Neither by the ledger's own look nor by a matcher, own wording or slots."""
    text = frame.format(wording)

    assert not in_index(wording, text, language)
    assert CoverageVerdict.CONVEYED is not own(wording, text, language)
    point = PointText(id="p", wording=wording, language=language)
    assert CoverageVerdict.CONVEYED is not SlotMatcher().judge(point, text).verdict


@pytest.mark.parametrize(("wording", "frame", "language"), ALL_STANDS)
def test_what_only_stands_near_it_leaves_it_told(wording: str, frame: str, language: str) -> None:
    """A question repeated, a wrong belief denied, a warning said twice, a condition of its own, comfort."""
    assert in_index(wording, frame.format(wording), language)


def test_another_own_wording_behind_it_takes_nothing_back() -> None:
    """The pathway's words are never doubted, whatever they say."""
    lift = "You do not need to use your eye drops at night."
    pathway = a_pathway(a_point("p", DROPS, critical=True), a_point("q", lift))

    assert ["p", "q"] == [span.id for span in WordingIndex(pathway, "en").find(f"{DROPS} {lift}")]
