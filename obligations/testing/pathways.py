"""Small pathways for tests, made in one line an item.

Owns no content: every wording is the test's own. What is made here passes the same checks as a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from obligations.pathway.check import check_pathway
from obligations.pathway.models import Group, OnPhase, Pathway, Phase, Point, Question
from obligations.pathway.phrases import Phrases, default_phrases


def a_point(item_id: str, text: str, *, critical: bool = False, language: str = "en") -> Point:
    """Make a content point in one language."""
    return Point(kind="point", id=item_id, wording={language: text}, critical=critical)


def a_question(
    item_id: str, text: str, focus: str, *, critical: bool = False, language: str = "en", **fields: Any
) -> Question:
    """Make a question in one language; `fields` are further fields of `Question`."""
    return Question(
        kind="question", id=item_id, wording={language: text}, focus={language: focus}, critical=critical, **fields
    )


def a_group(group_id: str, items: Sequence[Point | Question], *, phase: Phase = "main", **fields: Any) -> Group:
    """Make a group owed from a phase on; give `trigger` among `fields` for another trigger."""
    fields.setdefault("trigger", OnPhase(on="phase", phase=phase))
    return Group(id=group_id, items=tuple(items), **fields)


def a_pathway(*parts: Point | Question | Group, language: str = "en", **fields: Any) -> Pathway:
    """Make a pathway; bare items stand together in one group of the main phase.

    Raises:
        ValueError: It does not hold together.
    """
    bare = [part for part in parts if not isinstance(part, Group)]
    groups = [part for part in parts if isinstance(part, Group)]
    if bare:
        groups.append(a_group("main", bare))
    words = default_phrases(language) | {"greeting": "Hello from the test clinic.", "goodbye": "That is all. Goodbye."}
    pathway = Pathway(
        id="test-pathway",
        version="1.0",
        title={language: "A test"},
        languages=(language,),
        review="not_clinically_reviewed",
        phrases={language: Phrases.model_validate(words)},
        groups=tuple(groups),
        **fields,
    )
    faults = check_pathway(pathway)
    if faults:
        raise ValueError("; ".join(f"{fault.loc}: {fault.what}" for fault in faults))
    return pathway
